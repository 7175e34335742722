//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The text of the fused ops, which Dialect.md describes: words for what differs
// from the defaults, then operands. Any attribute may stand in braces instead.

#include "FusedOpAssembly.h"
#include "FusionDialect/IR/Layout.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace fusion;

//===----------------------------------------------------------------------===//
// Defaults
//===----------------------------------------------------------------------===//

namespace {
/// An attribute with one number a spatial dimension, by its name, and its
/// default.
struct SpatialWord {
  StringLiteral name;
  int64_t value;
};
} // namespace

static constexpr SpatialWord kSpatialWords[] = {
    {"strides", 1}, {"dilations", 1}, {"pad_low", 0}, {"pad_high", 0}};
static constexpr StringLiteral kLayoutNames[] = {
    "input_layout", "filter_layout", "output_layout"};
static constexpr StringLiteral kLayouts = "layouts";
static constexpr StringLiteral kGroups = "groups";
static constexpr StringLiteral kActivation = "activation";
static constexpr StringLiteral kNaNMode = "nan_mode";
static constexpr StringLiteral kScale = "scale";
static constexpr StringLiteral kResidual = "residual";
static constexpr StringLiteral kResidualAfter = "residual_after_activation";
static constexpr StringLiteral kZeroPoints[] = {
    "input_zero_point", "output_zero_point", "residual_zero_point"};
static constexpr StringLiteral kScales[] = {"residual_scale", "output_scale"};
static constexpr StringLiteral kSegments = "operandSegmentSizes";

static int64_t getRank(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped && shaped.hasRank() ? shaped.getRank() : 0;
}

/// Whether the op has a window.
static bool hasWindow(OperationName op) {
  return llvm::is_contained(op.getAttributeNames(), kSpatialWords[0].name);
}

/// Names of `rank` dimensions, the last ones of `letters`.
static std::string takeLast(StringRef letters, int64_t rank) {
  return letters.take_back(rank).str();
}

/// The layouts of input, filter and output that the text leaves out: those of
/// linalg's `conv_2d_nchw_fchw` and `matmul`, and their like.
static SmallVector<LayoutAttr> getDefaultLayouts(OperationName op, Type input,
                                                 Type filter) {
  auto get = [&](StringRef letters) {
    return LayoutAttr::get(op.getContext(), letters);
  };
  if (!hasWindow(op)) {
    std::string in = takeLast("bmk", getRank(input)), out = in;
    llvm::replace(out, 'k', 'n');
    return {get(in), get(takeLast("bkn", getRank(filter))), get(out)};
  }
  int64_t spatialRank = getRank(input) - 2;
  LayoutAttr activations = get(getActivationLetters(spatialRank));
  return {activations, get(getFilterLetters(spatialRank)), activations};
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

/// Parses a word of the activation, if one comes, with its parameters in
/// parentheses.
static ParseResult parseActivation(OpAsmParser &parser,
                                   NamedAttrList &attributes) {
  SmallVector<StringRef> names;
  for (ActivationKind kind : getActivationKinds())
    names.push_back(stringifyActivationKind(kind));
  SMLoc loc = parser.getCurrentLocation();
  StringRef name;
  if (failed(parser.parseOptionalKeyword(&name, names)))
    return success();
  ActivationAttr activation = ActivationAttr::parseParameters(
      parser, loc, *symbolizeActivationKind(name));
  if (!activation)
    return failure();
  attributes.append(kActivation, activation);
  return success();
}

static ParseResult parseLayouts(OpAsmParser &parser,
                                NamedAttrList &attributes) {
  if (failed(parser.parseOptionalKeyword(kLayouts)))
    return success();
  if (parser.parseLParen())
    return failure();
  for (StringRef name : kLayoutNames) {
    if (name != kLayoutNames[0] && parser.parseComma())
      return failure();
    LayoutAttr layout = LayoutAttr::parseLetters(parser);
    if (!layout)
      return failure();
    attributes.append(name, layout);
  }
  return parser.parseRParen();
}

/// Parses the words in front of the operands, in the order in which they are
/// printed.
static ParseResult parseWords(OpAsmParser &parser, OperationState &result) {
  NamedAttrList &attributes = result.attributes;
  Builder &builder = parser.getBuilder();
  if (parseActivation(parser, attributes))
    return failure();
  if (!hasWindow(result.name))
    return parseLayouts(parser, attributes);
  for (const SpatialWord &word : kSpatialWords) {
    if (failed(parser.parseOptionalKeyword(word.name)))
      continue;
    SmallVector<int64_t> values;
    if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square, [&] {
          return parser.parseInteger(values.emplace_back());
        }))
      return failure();
    attributes.append(word.name, builder.getDenseI64ArrayAttr(values));
  }
  if (succeeded(parser.parseOptionalKeyword(kGroups))) {
    int64_t groups;
    if (parser.parseInteger(groups))
      return failure();
    attributes.append(kGroups, builder.getI64IntegerAttr(groups));
  }
  return parseLayouts(parser, attributes);
}

/// Adds what the text leaves out.
static void addDefaults(Builder &builder, OperationState &result, Type input,
                        Type filter) {
  auto add = [&](StringRef name, Attribute value) {
    if (!result.attributes.get(name))
      result.attributes.append(name, value);
  };
  if (hasWindow(result.name))
    for (const SpatialWord &word : kSpatialWords)
      add(word.name,
          builder.getDenseI64ArrayAttr(SmallVector<int64_t>(
              std::max<int64_t>(getRank(input) - 2, 0), word.value)));
  for (auto [name, layout] : llvm::zip_equal(
           kLayoutNames, getDefaultLayouts(result.name, input, filter)))
    add(name, layout);
}

namespace {
/// The operands of an op in its text, in their order.
class OperandParser {
public:
  explicit OperandParser(OpAsmParser &parser, OperationState &result)
      : parser(parser), result(result) {}

  /// Parses `(%x : type)`, and `(%x, %w : type, type)` with `count` of 2.
  ParseResult parse(unsigned count = 1) {
    SmallVector<OpAsmParser::UnresolvedOperand> operands;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseLParen() || parser.parseOperandList(operands, count) ||
        parser.parseColon())
      return failure();
    SmallVector<Type> parsed;
    if (parser.parseTypeList(parsed) || parser.parseRParen() ||
        parser.resolveOperands(operands, parsed, loc, result.operands))
      return failure();
    llvm::append_range(types, parsed);
    segments.append(count, 1);
    return success();
  }
  void skip() { segments.push_back(0); }

  SmallVector<Type> types;
  SmallVector<int32_t> segments;

private:
  OpAsmParser &parser;
  OperationState &result;
};
} // namespace

static ParseResult parseOperands(OpAsmParser &parser, OperationState &result,
                                 OperandParser &operands) {
  if (parser.parseKeyword("ins") || operands.parse(2))
    return failure();
  if (failed(parser.parseOptionalKeyword("bias")))
    operands.skip();
  else if (operands.parse())
    return failure();
  if (result.name.hasInterface<QuantizedOpInterface>()) {
    if (failed(parser.parseOptionalKeyword(kScale)))
      operands.skip();
    else if (operands.parse())
      return failure();
  }
  bool isAfter = succeeded(parser.parseOptionalKeyword(kResidualAfter));
  if (isAfter && !result.attributes.get(kResidualAfter))
    result.attributes.append(kResidualAfter, parser.getBuilder().getUnitAttr());
  if (!isAfter && failed(parser.parseOptionalKeyword(kResidual)))
    operands.skip();
  else if (operands.parse())
    return failure();
  return failure(parser.parseKeyword("outs") || operands.parse());
}

ParseResult fusion::parseFusedOp(OpAsmParser &parser, OperationState &result) {
  if (parseWords(parser, result))
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOptionalAttrDict(result.attributes))
    return failure();
  if (std::optional<NamedAttribute> twice = result.attributes.findDuplicate())
    return parser.emitError(loc, "attribute '")
           << twice->getName().getValue() << "' is given twice";
  if (failed(readLayouts(result.name, result.attributes,
                         [&] { return parser.emitError(loc); })))
    return failure();
  OperandParser operands(parser, result);
  if (parseOperands(parser, result, operands) ||
      parser.parseOptionalArrowTypeList(result.types))
    return failure();
  addDefaults(parser.getBuilder(), result, operands.types[0],
              operands.types[1]);
  if (failed(result.name.verifyInherentAttrs(result.attributes, [&] {
        return parser.emitError(loc)
               << "'" << result.name.getStringRef() << "' op ";
      })))
    return failure();
  result.attributes.append(
      kSegments, parser.getBuilder().getDenseI32ArrayAttr(operands.segments));
  return success();
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

static void printSpatialWord(OpAsmPrinter &printer, Operation *op,
                             const SpatialWord &word) {
  ArrayRef<int64_t> values =
      op->getAttrOfType<DenseI64ArrayAttr>(word.name).asArrayRef();
  if (llvm::all_of(values, [&](int64_t value) { return value == word.value; }))
    return;
  printer << " " << word.name << " [";
  llvm::interleaveComma(values, printer);
  printer << "]";
}

/// Whether `attribute`, which has no word, says what holds without it.
static bool isDefault(NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (name == kNaNMode)
    return cast<NaNModeAttr>(attribute.getValue()).getValue() == NaNMode::Fast;
  if (llvm::is_contained(kZeroPoints, name))
    return cast<IntegerAttr>(attribute.getValue()).getValue().isZero();
  return llvm::is_contained(kScales, name) &&
         cast<FloatAttr>(attribute.getValue()).getValue().isExactlyValue(1.0);
}

/// Prints the words in front of the operands.
static void printWords(OpAsmPrinter &printer, FusedOpInterface op) {
  if (ActivationAttr activation = op.getActivationAttr()) {
    printer << " " << stringifyActivationKind(activation.getKind());
    activation.printParameters(printer);
  }
  if (hasWindow(op->getName())) {
    for (const SpatialWord &word : kSpatialWords)
      printSpatialWord(printer, op, word);
    if (auto groups = op->getAttrOfType<IntegerAttr>(kGroups);
        groups && groups.getInt() != 1)
      printer << " " << kGroups << " " << groups.getInt();
  }
  SmallVector<LayoutAttr> layouts = {op.getInputLayout(), op.getFilterLayout(),
                                     op.getOutputLayout()};
  if (layouts != getDefaultLayouts(op->getName(), op.getInput().getType(),
                                   op.getFilter().getType())) {
    printer << " " << kLayouts << "(";
    llvm::interleaveComma(layouts, printer, [&](LayoutAttr layout) {
      printer << layout.getLetters();
    });
    printer << ")";
  }
}

void fusion::printFusedOp(OpAsmPrinter &printer, FusedOpInterface op) {
  printWords(printer, op);
  SmallVector<StringRef> elided = {kActivation, kResidualAfter, kSegments};
  if (hasWindow(op->getName())) {
    elided.push_back(kGroups);
    for (const SpatialWord &word : kSpatialWords)
      elided.push_back(word.name);
  }
  llvm::append_range(elided, kLayoutNames);
  for (NamedAttribute attribute : op->getAttrs())
    if (isDefault(attribute))
      elided.push_back(attribute.getName());
  printer.printOptionalAttrDict(op->getAttrs(), elided);
  printer << " ins(" << op.getInput() << ", " << op.getFilter() << " : "
          << op.getInput().getType() << ", " << op.getFilter().getType() << ")";
  auto print = [&](StringRef word, Value operand) {
    if (operand)
      printer << " " << word << "(" << operand << " : " << operand.getType()
              << ")";
  };
  print("bias", op.getBias());
  if (auto quantized = dyn_cast<QuantizedOpInterface>(op.getOperation()))
    print(kScale, quantized.getScale());
  print(op.getResidualAfterActivation() ? kResidualAfter : kResidual,
        op.getResidual());
  print("outs", op.getInit());
  printer.printOptionalArrowTypeList(op->getResultTypes());
}
