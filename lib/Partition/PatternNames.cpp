//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The names of patterns are read from left to right: an op, then the parts
// behind it, in the order in which the fusion op applies them.

#include "PatternNames.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace fusion;

using Root = PatternName::Root;

/// Single ops that are no activation.
static constexpr StringLiteral opNames[] = {"maxpool", "avgpool", "add",
                                            "softmax", "concat"};

static std::string listActivations() {
  SmallVector<StringRef> names;
  for (ActivationKind kind : getActivationKinds())
    names.push_back(stringifyActivationKind(kind));
  return llvm::join(names, ", ");
}

/// Removes `word` from the front of `text`, if it is there, and the underscore
/// behind it.
static bool consumeWord(StringRef &text, StringRef word) {
  StringRef rest = text;
  if (!rest.consume_front(word))
    return false;
  if (!rest.empty() && (!rest.consume_front("_") || rest.empty()))
    return false;
  text = rest;
  return true;
}

/// Reads the parts behind the op.
static LogicalResult parseParts(PatternName &name, StringRef rest,
                                Refusal &refusal) {
  bool isConvolution = name.root == Root::Convolution;
  if (consumeWord(rest, "reshape_add")) {
    name.isReshaped = true;
    name.parts.push_back({Part::Kind::Bias});
  } else if (consumeWord(rest, "bias")) {
    name.parts.push_back({Part::Kind::Bias});
  }
  if (isConvolution && consumeWord(rest, "bn"))
    name.parts.push_back({Part::Kind::BatchNorm});
  if (isConvolution && consumeWord(rest, "sum"))
    name.parts.push_back({Part::Kind::Sum});
  if (rest.empty())
    return success();
  if (std::optional<ActivationKind> kind = symbolizeActivationKind(rest)) {
    name.parts.push_back({Part::Kind::Activation, kind});
    return success();
  }
  return refusal.because(
      "no pattern is called '", name.text, "': '", rest,
      "' is no part that may stand there; parts are, in this order, ",
      isConvolution ? "bias or reshape_add, bn, sum"
                    : "transposed_b, bias or reshape_add",
      " and one of ", listActivations());
}

static FailureOr<PatternName>
parseName(StringRef text, ArrayRef<StringRef> fromFile, Refusal &refusal) {
  if (llvm::is_contained(fromFile, text))
    return PatternName{text.str(), Root::File};
  PatternName name{text.str(), Root::Op};
  StringRef rest = text;
  for (int64_t rank : {1, 2, 3})
    if (consumeWord(rest, "conv" + std::to_string(rank) + "d")) {
      name.root = Root::Convolution;
      name.spatialRank = rank;
      break;
    }
  if (name.root == Root::Op && consumeWord(rest, "matmul")) {
    name.root = Root::Matmul;
    name.isTransposed = consumeWord(rest, "transposed_b");
  }
  if (name.root != Root::Op) {
    if (failed(parseParts(name, rest, refusal)))
      return failure();
    return name;
  }
  if (std::optional<ActivationKind> kind = symbolizeActivationKind(text))
    name.parts.push_back({Part::Kind::Activation, kind});
  else if (llvm::is_contained(opNames, text))
    name.op = text.str();
  else
    return refusal.because("no pattern is called '", text,
                           "': names begin with conv1d, conv2d, conv3d or "
                           "matmul, or are one of ",
                           llvm::join(ArrayRef(opNames), ", "), ", ",
                           listActivations(), fromFile.empty() ? "" : ", ",
                           llvm::join(fromFile, ", "));
  return name;
}

/// All names of patterns that begin with `root`, those with more parts first.
static void addChainNames(StringRef root, std::vector<std::string> &names) {
  // A relu may be the first half of a clip.
  SmallVector<std::string> activations = {"", "_relu"};
  for (ActivationKind kind : getActivationKinds())
    if (kind != ActivationKind::Relu)
      activations.insert(std::prev(activations.end()),
                         "_" + stringifyActivationKind(kind).str());
  SmallVector<std::string> before = {"_bias_bn_sum", "_bias_bn", "_bias_sum",
                                     "_bn_sum",      "_bias",    "_bn",
                                     "_sum",         ""};
  if (root.starts_with("matmul"))
    before = {"_bias", ""};
  for (size_t count = 5; count-- > 0;)
    for (const std::string &parts : before)
      for (const std::string &activation : activations)
        if (StringRef(parts).count('_') + !activation.empty() == count)
          names.push_back((root + parts + activation).str());
}

/// The names that `dnnl` stands for: patterns that the runtime has a kernel
/// for, then single ops, so that ops between kernels can be merged with them.
static std::vector<std::string> getPreset() {
  std::vector<std::string> names;
  for (StringRef root :
       {"conv2d", "conv1d", "conv3d", "matmul_transposed_b", "matmul"})
    addChainNames(root, names);
  for (StringRef op : opNames)
    names.push_back(op.str());
  // Roots and squares rather compute parameters.
  for (ActivationKind kind : getActivationKinds())
    if (!llvm::is_contained({ActivationKind::Abs, ActivationKind::Square,
                             ActivationKind::Sqrt, ActivationKind::Exp},
                            kind))
      names.push_back(stringifyActivationKind(kind).str());
  return names;
}

bool fusion::isCompositeName(StringRef text) {
  auto [generator, name] = text.split('.');
  return !generator.empty() && !name.empty() &&
         text.find_first_of("|: \t\r\n") == StringRef::npos;
}

static FailureOr<NamedPattern>
parsePattern(StringRef text, ArrayRef<StringRef> fromFile, Refusal &refusal) {
  auto [names, composite] = text.split(':');
  bool hasComposite = names.size() != text.size();
  if (hasComposite && !isCompositeName(composite))
    return refusal.because("composite '", composite, "' of pattern '", names,
                           "' must be called GENERATOR.NAME");
  NamedPattern pattern{{}, composite.str()};
  for (StringRef name : llvm::split(names, '|')) {
    FailureOr<PatternName> parsed = parseName(name, fromFile, refusal);
    if (failed(parsed))
      return failure();
    pattern.alternatives.push_back(*parsed);
  }
  return pattern;
}

FailureOr<SmallVector<NamedPattern>>
fusion::parsePatterns(ArrayRef<std::string> texts, ArrayRef<StringRef> fromFile,
                      Refusal &refusal) {
  SmallVector<NamedPattern> patterns;
  std::vector<std::string> expanded;
  for (const std::string &text : texts) {
    if (text == "dnnl")
      llvm::append_range(expanded, getPreset());
    else
      expanded.push_back(text);
  }
  for (const std::string &text : expanded) {
    FailureOr<NamedPattern> pattern = parsePattern(text, fromFile, refusal);
    if (failed(pattern))
      return failure();
    patterns.push_back(std::move(*pattern));
  }
  return patterns;
}
