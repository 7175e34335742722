//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Formula.h"
#include "Quantized.h"

using namespace fusion::fuzz;
using Node = Formula::Node;

namespace {
class StepEmitter {
public:
  StepEmitter(ModuleText &text, const CaseDescription &description,
              const ConvDescription &conv, Value value,
              llvm::ArrayRef<Value> earlier)
      : text(text), description(description), conv(conv),
        value(std::move(value)), earlier(earlier) {
    restart();
  }

  Value emit(llvm::ArrayRef<Step> steps);

private:
  ModuleText &text;
  const CaseDescription &description;
  const ConvDescription &conv;
  Value value;
  llvm::ArrayRef<Value> earlier;
  /// The formula from `value` on, which is not written yet.
  Formula formula;
  Node root = 0;

  void restart() {
    formula = Formula();
    root = formula.addLeaf({{value, value.layout}});
  }
  void flush(Random &random) {
    if (formula[root].op != "leaf")
      value = emitFormula(text, formula, root, value, random);
    restart();
  }

  Node addVector(char letter, ArgumentRange range, llvm::StringRef view,
                 Random &random);
  void addBias(const Step &step, Random &random);
  void addBatchNorm(Random &random);
  void addPreparedBatchNorm(llvm::StringRef view, Random &random);
  Value emitSmall(Node node, const Value &like, Random &random);
  Node addCheckedInverse(Node variance, Random &random);
  Node addInverse(Node variance, Random &random);
  void addAffine(Random &random);
  Value addResidualArgument(const Value &like, Random &random);
  void addResidual(const Step &step, Random &random);
  void addActivationOf(const Step &step, Random &random);
  /// Adds the arithmetic of `step`; false if it has none.
  bool addArithmetic(const Step &step, Random &random);

  void emitOther(const Step &step, Random &random);
  void emitNoOp(Random &random);
  void emitExtraUse(Random &random);
  void emitRound(Random &random);
};
} // namespace

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

Node StepEmitter::addVector(char letter, ArgumentRange range,
                            llvm::StringRef view, Random &random) {
  return formula.addLeaf(
      {emitVector(text, value, letter, range, view, random), true});
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

void StepEmitter::addBias(const Step &step, Random &random) {
  Node bias;
  if (step.miss == Miss::PerImage) {
    Value like{
        "", {value.getSize('n'), value.getSize('c')}, value.element, "nc"};
    bias = formula.addLeaf({{text.addArgument(like, {-1, 1}), "nc"}});
  } else if (random.chance(6) && step.miss == Miss::None) {
    bias = formula.constant(random.pick({0.5, -0.25, 1.5}));
  } else if (random.chance(6) && step.miss == Miss::None) {
    Value like{"", {1}, value.element, "1"};
    bias = formula.addLeaf({{text.addArgument(like, {-1, 1}), "1"}, true});
  } else {
    char letter = step.miss == Miss::WrongAxis ? 'w' : 'c';
    bias = addVector(letter, getBiasRange(conv),
                     pickView(value, letter, random), random);
  }
  switch (random.below(6)) {
  case 0:
    root = formula.sub(root, bias);
    break;
  case 1:
  case 2:
    root = formula.add(bias, root);
    break;
  default:
    root = formula.add(root, bias);
  }
}

/// Writes the tensor for a node of vectors, in the shape of `like`.
Value StepEmitter::emitSmall(Node node, const Value &like, Random &random) {
  Formula copy = formula;
  for (unsigned leaf = 0; leaf < copy.getLeaves().size(); ++leaf)
    copy.getLeaf(leaf).isSmall = false;
  return emitFormula(text, copy, node, like, random);
}

/// 1 / sqrt(variance), with an assertion in the body that guards the division.
Node StepEmitter::addCheckedInverse(Node variance, Random &random) {
  const Operand vector = formula.getLeaves().back().operand;
  Value root = emitSmall(formula.unary("sqrt", variance), vector.value, random);
  std::string zero = text.addScalar(0, value.element);
  std::string one = text.addScalar(1, value.element);
  std::string loops = "ABCDE";
  loops.resize(root.layout.size());
  Value result = text.generic(
      loops, {{root, loops}}, {text.empty(root), loops},
      [&](llvm::ArrayRef<std::string> arguments) {
        std::string guard = text.fresh(), inverse = text.fresh();
        text.line("  " + guard + " = arith.cmpf one, " + arguments.front() +
                  ", " + zero + " : " + value.element);
        text.line("  cf.assert " + guard + ", \"division by zero\"");
        text.line("  " + inverse + " = arith.divf " + one + ", " +
                  arguments.front() + " : " + value.element);
        return inverse;
      });
  return formula.addLeaf({{result, vector.access}, true});
}

/// 1 / sqrt(variance).
Node StepEmitter::addInverse(Node variance, Random &random) {
  if (random.chance(8))
    return addCheckedInverse(variance, random);
  switch (random.below(5)) {
  case 0:
    return formula.div(formula.constant(1), formula.unary("sqrt", variance));
  case 1:
    return formula.op("math.powf", {variance, formula.constant(-0.5)});
  default:
    return formula.unary("rsqrt", variance);
  }
}

void StepEmitter::addBatchNorm(Random &random) {
  std::string view = pickView(value, 'c', random);
  if (random.chance(15))
    return addPreparedBatchNorm(view, random);
  Node mean = addVector('c', {-1, 1}, view, random);
  Node variance = addVector('c', {0.5, 1.5}, view, random);
  Node shifted =
      formula.add(variance, formula.constant(random.pick({1e-5, 1e-3})));
  bool hasGamma = random.chance(85);
  Node gamma = hasGamma ? addVector('c', {0.5, 1.5}, view, random) : 0;
  Node beta = hasGamma ? addVector('c', {-1, 1}, view, random) : 0;
  switch (random.below(6)) {
  case 0: {
    // y = x * scale + (beta - mean * scale)
    Node scale = addInverse(shifted, random);
    if (hasGamma)
      scale = formula.mul(scale, gamma);
    Node offset = formula.mul(mean, scale);
    offset = hasGamma ? formula.sub(beta, offset)
                      : formula.op("arith.negf", {offset});
    root = formula.add(formula.mul(root, scale), offset);
    return;
  }
  case 1:
    root = formula.div(formula.sub(root, mean), formula.unary("sqrt", shifted));
    break;
  case 2:
    root = formula.mul(addInverse(shifted, random), formula.sub(root, mean));
    break;
  case 3:
    if (hasGamma) {
      // The product gamma * inverse is computed first.
      Node scale = formula.mul(gamma, addInverse(shifted, random));
      root = formula.mul(formula.sub(root, mean), scale);
      root = formula.add(root, beta);
      return;
    }
    [[fallthrough]];
  default:
    root = formula.mul(formula.sub(root, mean), addInverse(shifted, random));
  }
  if (!hasGamma)
    return;
  root =
      random.chance(25) ? formula.mul(gamma, root) : formula.mul(root, gamma);
  root = random.chance(25) ? formula.add(beta, root) : formula.add(root, beta);
}

/// A batch norm whose scale and offset come from outside.
void StepEmitter::addPreparedBatchNorm(llvm::StringRef view, Random &random) {
  Node scale = addVector('c', {0.5, 1.5}, view, random);
  Node offset = addVector('c', {-1, 1}, view, random);
  root =
      random.chance(50) ? formula.mul(root, scale) : formula.mul(scale, root);
  root =
      random.chance(50) ? formula.add(root, offset) : formula.add(offset, root);
}

void StepEmitter::addAffine(Random &random) {
  for (int64_t count = random.between(1, 4); count > 0; --count) {
    Node constant = formula.constant(random.pick({0.5, 0.75, 1.25, 1.5, 2.0}));
    const char *op =
        random.pick({"arith.addf", "arith.subf", "arith.mulf", "arith.divf"});
    bool commutes = op[6] == 'a' || op[6] == 'm';
    bool isSwapped = (commutes || op[6] == 's') && random.chance(30);
    root = isSwapped ? formula.op(op, {constant, root})
                     : formula.op(op, {root, constant});
  }
}

/// A residual from outside, which may have 8 bits if the convolution is
/// quantised.
Value StepEmitter::addResidualArgument(const Value &like, Random &random) {
  if (conv.quantized.hasFloatInput() || random.chance(25))
    return emitOperand(text, conv, Place::Residual, like, getBiasRange(conv));
  Value bytes = like;
  bytes.element = "i8";
  bytes = text.addArgument(bytes, getByteRange(conv.quantized, false));
  return emitDequantize(text, bytes, conv.quantized.input, 0, random);
}

void StepEmitter::addResidual(const Step &step, Random &random) {
  Value residual;
  for (const Value &candidate : earlier)
    if (candidate.layout == value.layout && isInterchangeable(candidate, value))
      residual = candidate;
  if (residual.name.empty() || random.chance(40)) {
    Value like = value;
    if (random.chance(10))
      std::reverse(like.layout.begin(), like.layout.end());
    for (size_t i = 0; i < like.layout.size(); ++i)
      like.shape[i] = value.getSize(like.layout[i]);
    Value argument = addResidualArgument(like, random);
    residual = emitTranspose(text, argument, value.layout, random);
  } else {
    residual = emitSurrounded(text, conv, Place::Residual, earlier,
                              [&](const Value *) { return residual; })
                   .value;
  }
  std::string access = value.layout;
  if (step.miss == Miss::TransposedResidual &&
      llvm::StringRef(access).contains('h') &&
      value.getSize('h') == value.getSize('w'))
    std::swap(access[access.find('h')], access[access.find('w')]);
  Node other = formula.addLeaf({{residual, access}});
  // (residual + bias) + convolution
  if (random.chance(6))
    other = formula.add(
        other, addVector('c', {-1, 1}, pickView(value, 'c', random), random));
  root =
      random.chance(40) ? formula.add(other, root) : formula.add(root, other);
}

/// Whether `constant` is an exponent: a power that is not whole makes NaN of
/// negative numbers.
static bool isExponent(const Formula &formula, Node constant) {
  for (Node node = constant; node < static_cast<Node>(formula.size()); ++node)
    if (formula[node].op == "math.powf" &&
        formula[node].operands[1] == constant)
      return true;
  return false;
}

/// Changes one constant among the nodes from `first` on.
static void spoilConstant(Formula &formula, Node first, Random &random) {
  for (Node node = first; node < static_cast<Node>(formula.size()); ++node)
    if (formula[node].op == "constant" && !isExponent(formula, node)) {
      formula[node].value = formula[node].value * 1.06 + 0.05;
      if (random.chance(50))
        return;
    }
}

static void spoilSelect(Formula &formula, Node first) {
  for (Node node = first; node < static_cast<Node>(formula.size()); ++node)
    if (formula[node].op == "arith.select")
      std::swap(formula[node].operands[1], formula[node].operands[2]);
}

void StepEmitter::addActivationOf(const Step &step, Random &random) {
  Node first = formula.size();
  root = addActivation(formula, step.activation, root, random);
  if (step.miss == Miss::OffConstant)
    spoilConstant(formula, first, random);
  if (step.miss == Miss::SwappedSelect)
    spoilSelect(formula, first);
}

bool StepEmitter::addArithmetic(const Step &step, Random &random) {
  switch (step.kind) {
  case StepKind::Bias:
    addBias(step, random);
    return true;
  case StepKind::BatchNorm:
    addBatchNorm(random);
    return true;
  case StepKind::Affine:
    addAffine(random);
    return true;
  case StepKind::Scale:
    root = formula.mul(
        root, addVector('c', {0.5, 1.5}, pickView(value, 'c', random), random));
    return true;
  case StepKind::Residual:
    addResidual(step, random);
    return true;
  case StepKind::Activation:
    addActivationOf(step, random);
    return true;
  default:
    return false;
  }
}

//===----------------------------------------------------------------------===//
// Other steps
//===----------------------------------------------------------------------===//

/// Exchanges channels last and channels first.
static std::string pickOtherLayout(llvm::StringRef layout) {
  std::string other = layout.str();
  size_t place = other.find('c');
  other.erase(place, 1);
  other.insert(place == 1 ? other.size() : 1, 1, 'c');
  return other;
}

void StepEmitter::emitNoOp(Random &random) {
  size_t batch = value.layout.find('n');
  bool canDrop = value.shape[batch] == 1 && batch == 0;
  if (canDrop && random.chance(50)) {
    std::string groups = "[[0, 1]";
    for (size_t i = 2; i < value.shape.size(); ++i)
      groups += ", [" + std::to_string(i) + "]";
    groups += "]";
    Value small = value;
    small.layout.erase(0, 1);
    small.shape.erase(small.shape.begin());
    Value full = value;
    value = text.reshape(value, small, groups, /*isExpand=*/false);
    value = text.reshape(value, full, groups, /*isExpand=*/true);
    return;
  }
  Value loose = value;
  int64_t &hidden = loose.shape[random.below(loose.shape.size())];
  hidden = Value::hide(hidden);
  Value cast =
      text.define(loose, "tensor.cast " + value.name + " : " + value.getType() +
                             " to " + loose.getType());
  if (!isInterchangeable(cast, value))
    value = text.define(value, "tensor.cast " + cast.name + " : " +
                                   cast.getType() + " to " + value.getType());
}

void StepEmitter::emitExtraUse(Random &random) {
  if (random.chance(50))
    return text.addResult(value);
  Formula other;
  Node leaf = other.addLeaf({{value, value.layout}});
  text.addResult(emitFormula(text, other, other.add(leaf, other.constant(1)),
                             value, random));
}

void StepEmitter::emitRound(Random &random) {
  if (value.element == description.element)
    return;
  Value narrow = value;
  narrow.element = description.element;
  if (random.chance(30)) {
    value =
        text.define(narrow, "arith.truncf " + value.name + " : " +
                                value.getType() + " to " + narrow.getType());
    return;
  }
  Value out = text.empty(narrow);
  value = text.generic(
      value.layout, {{value, value.layout}}, {out, value.layout},
      [&](llvm::ArrayRef<std::string> arguments) {
        std::string name = text.fresh();
        text.line("  " + name + " = arith.truncf " + arguments.front() +
                  " : f32 to " + narrow.element);
        return name;
      });
}

void StepEmitter::emitOther(const Step &step, Random &random) {
  switch (step.kind) {
  case StepKind::Transpose:
    value = emitTranspose(text, value, pickOtherLayout(value.layout), random);
    break;
  case StepKind::NoOp:
    emitNoOp(random);
    break;
  case StepKind::ExtraUse:
    emitExtraUse(random);
    break;
  case StepKind::Round:
    emitRound(random);
    break;
  default:
    break;
  }
}

Value StepEmitter::emit(llvm::ArrayRef<Step> steps) {
  for (const Step &step : steps) {
    Random random(step.choices);
    if (addArithmetic(step, random)) {
      if (!step.mergeWithNext)
        flush(random);
      continue;
    }
    flush(random);
    emitOther(step, random);
    restart();
  }
  Random random(0);
  flush(random);
  return value;
}

Value fusion::fuzz::emitSteps(ModuleText &text,
                              const CaseDescription &description,
                              const ConvDescription &conv,
                              llvm::ArrayRef<Step> steps, Value value,
                              llvm::ArrayRef<Value> earlier) {
  return StepEmitter(text, description, conv, std::move(value), earlier)
      .emit(steps);
}
