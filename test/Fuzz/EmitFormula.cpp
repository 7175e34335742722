//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Formula.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <set>

using namespace fusion::fuzz;
using Node = Formula::Node;

namespace {
/// The kinds of ops that compute a formula.
enum class Style {
  /// One linalg.generic for all.
  OneGeneric,
  /// An op for each node of the graph:
  GenericEach,
  /// arith and math on tensors,
  Tensor,
  /// linalg.add, linalg.exp,
  Named,
  /// linalg.elementwise,
  Elementwise,
  /// linalg.map,
  Map,
  /// or each in another style.
  Mixed,
};

/// The way in which a constant enters a body.
enum class ConstantStyle { Captured, InBody, RankZero, SizeOne, FromF64 };

class Emitter {
public:
  Emitter(ModuleText &text, const Formula &formula, const Value &like,
          Random &random)
      : text(text), formula(formula), like(like), random(random) {}

  Value emit(Node root) {
    style =
        random.pick({Style::OneGeneric, Style::OneGeneric, Style::OneGeneric,
                     Style::OneGeneric, Style::GenericEach, Style::GenericEach,
                     Style::Tensor, Style::Tensor, Style::Named,
                     Style::Elementwise, Style::Map, Style::Mixed});
    constantStyle =
        random.pick({ConstantStyle::Captured, ConstantStyle::Captured,
                     ConstantStyle::Captured, ConstantStyle::Captured,
                     ConstantStyle::InBody, ConstantStyle::InBody,
                     ConstantStyle::RankZero, ConstantStyle::RankZero,
                     ConstantStyle::SizeOne, ConstantStyle::FromF64});
    // A small part is mostly computed before it is combined with the image.
    if (style != Style::OneGeneric || random.chance(50))
      hoistSmall(root);
    if (style == Style::OneGeneric)
      return emitOneGeneric(root);
    return emitEach(root);
  }

private:
  ModuleText &text;
  const Formula &formula;
  const Value like;
  Random &random;
  Style style = Style::OneGeneric;
  ConstantStyle constantStyle = ConstantStyle::Captured;
  /// Nodes whose values are tensors already.
  llvm::DenseMap<Node, Formula::Leaf> done;

  bool isConstant(Node node) const { return formula[node].op == "constant"; }
  std::string getElement(Node node) const {
    return llvm::StringRef(formula[node].op).starts_with("arith.cmpf")
               ? "i1"
               : like.element;
  }
  const Formula::Leaf *findLeaf(Node node) const {
    auto it = done.find(node);
    if (it != done.end())
      return &it->second;
    return formula[node].op == "leaf" ? &formula.getLeaves()[formula[node].leaf]
                                      : nullptr;
  }

  //===--------------------------------------------------------------------===//
  // Small parts
  //===--------------------------------------------------------------------===//

  bool isSmall(Node node) const {
    if (isConstant(node))
      return true;
    if (const Formula::Leaf *leaf = findLeaf(node))
      return leaf->isSmall;
    return llvm::all_of(formula[node].operands,
                        [&](Node operand) { return isSmall(operand); });
  }

  /// The first tensor below `node`; null if there are only constants.
  const Formula::Leaf *findAnyLeaf(Node node) const {
    if (const Formula::Leaf *leaf = findLeaf(node))
      return leaf;
    for (Node operand : formula[node].operands)
      if (const Formula::Leaf *leaf = findAnyLeaf(operand))
        return leaf;
    return nullptr;
  }

  bool hasOneAccess(Node node, llvm::StringRef access) const {
    if (const Formula::Leaf *leaf = findLeaf(node))
      return leaf->operand.access == access;
    return llvm::all_of(formula[node].operands, [&](Node operand) {
      return hasOneAccess(operand, access);
    });
  }

  void hoistSmall(Node node) {
    if (isConstant(node) || findLeaf(node))
      return;
    const Formula::Leaf *any = isSmall(node) ? findAnyLeaf(node) : nullptr;
    if (!any || !hasOneAccess(node, any->operand.access)) {
      for (Node operand : formula[node].operands)
        hoistSmall(operand);
      return;
    }
    Formula::Leaf leaf = *any;
    // It becomes an element-wise op of its own, over the small shape.
    Emitter small(text, formula, leaf.operand.value, random);
    small.style = style == Style::OneGeneric ? Style::GenericEach : style;
    leaf.operand.value = small.emitEach(node);
    done[node] = leaf;
  }

  //===--------------------------------------------------------------------===//
  // One op
  //===--------------------------------------------------------------------===//

  std::string formatOp(Node node, llvm::ArrayRef<std::string> operands) const {
    const Formula::NodeData &data = formula[node];
    std::string line = data.op;
    if (llvm::StringRef(line).starts_with("arith.cmpf"))
      line += ",";
    line += " ";
    for (size_t i = 0; i < operands.size(); ++i)
      line += (i ? ", " : "") + operands[i];
    return line + " : " + like.element;
  }

  std::string emitScalarConstant(Node node) {
    double value = formula[node].value;
    bool isWide = constantStyle == ConstantStyle::FromF64;
    if (!isWide && constantStyle != ConstantStyle::InBody)
      return text.addScalar(value, like.element);
    std::string name = text.fresh();
    if (isWide) {
      text.line("  " + name + " = arith.truncf " +
                text.addScalar(value, "f64") + " : f64 to " + like.element);
      return name;
    }
    text.line("  " + name + " = arith.constant " + formatNumber(value, "f32") +
              " : " + like.element);
    return name;
  }

  /// Writes `node` and the nodes it needs into a body.
  std::string emitInBody(Node node, llvm::DenseMap<Node, std::string> &names) {
    auto it = names.find(node);
    if (it != names.end())
      return it->second;
    std::string name;
    if (isConstant(node)) {
      name = emitScalarConstant(node);
    } else {
      std::vector<std::string> operands;
      for (Node operand : formula[node].operands)
        operands.push_back(emitInBody(operand, names));
      name = text.fresh();
      text.line("  " + name + " = " + formatOp(node, operands));
    }
    names[node] = name;
    return name;
  }

  /// Collects the tensors and, if they are operands, the constants below
  /// `node`.
  void collectInputs(Node node, std::vector<Node> &inputs,
                     std::set<Node> &seen) {
    if (!seen.insert(node).second)
      return;
    bool isOperand =
        isConstant(node) && (constantStyle == ConstantStyle::RankZero ||
                             constantStyle == ConstantStyle::SizeOne);
    if (isOperand || findLeaf(node))
      inputs.push_back(node);
    else
      for (Node operand : formula[node].operands)
        collectInputs(operand, inputs, seen);
  }

  Operand getOperand(Node node) {
    if (const Formula::Leaf *leaf = findLeaf(node))
      return {leaf->operand.value,
              isOwnShape(*leaf) ? like.layout : leaf->operand.access};
    bool isRankZero = constantStyle == ConstantStyle::RankZero;
    Value value{"", {}, like.element, ""};
    if (!isRankZero)
      value.shape.push_back(1), value.layout = "1";
    return {text.addSplat(value, formula[node].value), value.layout};
  }

  /// Whether a leaf of a small op has the shape of that op.
  bool isOwnShape(const Formula::Leaf &leaf) const {
    return leaf.operand.value.shape == like.shape &&
           leaf.operand.access.size() == like.layout.size() &&
           llvm::StringRef(like.layout).contains('1');
  }

  /// The loops of an op over `like`: a letter each; 1 is replaced by other
  /// letters.
  std::string getLoops() const {
    std::string loops = like.layout;
    char next = 'A';
    for (char &letter : loops)
      if (letter == '1')
        letter = next++;
    return loops;
  }

  /// Writes a generic that computes `node` from its inputs.
  Value emitGeneric(Node node) {
    std::vector<Node> inputs;
    std::set<Node> seen;
    collectInputs(node, inputs, seen);
    std::string loops = getLoops();
    std::vector<Operand> operands;
    for (Node input : inputs) {
      operands.push_back(getOperand(input));
      if (operands.back().access == like.layout)
        operands.back().access = loops;
    }
    Value out = pickDestination(operands, loops, getElement(node));
    // A destination that is read comes behind the inputs.
    bool readsDestination = !operands.empty() && random.chance(8) &&
                            operands.front().access == loops &&
                            operands.front().value.element == out.element;
    if (readsDestination)
      out = operands.front().value;
    if (readsDestination)
      operands.erase(operands.begin());
    return text.generic(loops, operands, {out, loops},
                        [&](llvm::ArrayRef<std::string> arguments) {
                          llvm::DenseMap<Node, std::string> names;
                          for (size_t i = 0; i < inputs.size(); ++i) {
                            size_t position =
                                readsDestination ? (i ? i - 1 : operands.size())
                                                 : i;
                            names[inputs[i]] = arguments[position];
                          }
                          return emitInBody(node, names);
                        });
  }

  /// An empty tensor mostly, or an input of the same type.
  Value pickDestination(llvm::ArrayRef<Operand> operands, llvm::StringRef loops,
                        llvm::StringRef element) {
    for (const Operand &operand : operands)
      if (operand.access == loops && operand.value.element == element &&
          random.chance(7))
        return operand.value;
    Value out = like;
    out.element = element.str();
    return text.empty(out);
  }

  Value emitOneGeneric(Node root) { return emitGeneric(root); }

  /// `node` as a tensor of the whole shape, broadcast if it is small.
  Value getFull(Node node) {
    if (isConstant(node))
      return getFullConstant(formula[node].value);
    const Formula::Leaf &leaf = *findLeaf(node);
    if (leaf.operand.access == like.layout || isOwnShape(leaf))
      return leaf.operand.value;
    Value out = text.empty(like);
    const Operand &operand = leaf.operand;
    if (operand.access == "c" && random.chance(60))
      return broadcast(operand, out);
    return text.generic(like.layout, {operand}, {out, like.layout},
                        [](llvm::ArrayRef<std::string> arguments) {
                          return arguments.front();
                        });
  }

  Value broadcast(const Operand &operand, const Value &out) {
    std::string dims;
    for (size_t i = 0; i < out.layout.size(); ++i)
      if (out.layout[i] != 'c')
        dims += (dims.empty() ? "" : ", ") + std::to_string(i);
    Value result = out;
    result.name = text.fresh();
    text.remember(result);
    text.line(result.name + " = linalg.broadcast ins(" + operand.value.name +
              " : " + operand.value.getType() + ") outs(" + out.name + " : " +
              out.getType() + ") dimensions = [" + dims + "]");
    return result;
  }

  Value getFullConstant(double value) {
    if (like.isStatic() && random.chance(80))
      return text.addSplat(like, value);
    if (random.chance(70))
      return text.fill(like, value);
    std::string scalar = text.addScalar(value, like.element);
    std::string sizes = text.listDynamicSizes(like);
    return text.define(like, "tensor.splat " + scalar +
                                 (sizes.empty() ? "" : "[" + sizes + "]") +
                                 " : " + like.getType());
  }

  //===--------------------------------------------------------------------===//
  // An op for each node
  //===--------------------------------------------------------------------===//

  Value emitEach(Node root) {
    // Nodes are numbered so that operands come first.
    std::set<Node> needed;
    std::vector<Node> pending = {root};
    while (!pending.empty()) {
      Node node = pending.back();
      pending.pop_back();
      if (isConstant(node) || findLeaf(node) || !needed.insert(node).second)
        continue;
      llvm::append_range(pending, formula[node].operands);
    }
    for (Node node : needed)
      done[node] = {{emitOne(node), like.layout}, false};
    return findLeaf(root)->operand.value;
  }

  Value emitOne(Node node) {
    Style chosen = style;
    if (chosen == Style::Mixed)
      chosen = random.pick({Style::GenericEach, Style::Tensor, Style::Named,
                            Style::Elementwise, Style::Map});
    switch (chosen) {
    case Style::Tensor:
      return emitTensor(node);
    case Style::Named:
      return emitNamed(node);
    case Style::Elementwise:
      return emitElementwise(node);
    case Style::Map:
      return emitMap(node);
    default:
      return emitGeneric(node);
    }
  }

  std::vector<Value> getFullOperands(Node node) {
    std::vector<Value> values;
    for (Node operand : formula[node].operands)
      values.push_back(getFull(operand));
    return values;
  }

  Value emitTensor(Node node) {
    std::vector<std::string> names;
    for (const Value &value : getFullOperands(node))
      names.push_back(value.name);
    Value result = like;
    result.element = getElement(node);
    const std::string &op = formula[node].op;
    std::string line = op;
    line += llvm::StringRef(op).starts_with("arith.cmpf") ? ", " : " ";
    line += llvm::join(names, ", ") + " : ";
    if (op == "arith.select") {
      Value condition = like;
      condition.element = "i1";
      line += condition.getType() + ", ";
    }
    return text.define(result, line + like.getType());
  }

  /// The name of linalg's named op for `op`; "" if there is none.
  static llvm::StringRef getLinalgName(llvm::StringRef op) {
    return llvm::StringSwitch<llvm::StringRef>(op)
        .Case("arith.addf", "add")
        .Case("arith.subf", "sub")
        .Case("arith.mulf", "mul")
        .Case("arith.divf", "div")
        .Case("arith.maximumf", "max")
        .Case("arith.minimumf", "min")
        .Case("arith.negf", "negf")
        .Case("arith.select", "select")
        .Case("math.absf", "abs")
        .Case("math.powf", "powf")
        .Cases({"math.exp", "math.log", "math.sqrt", "math.rsqrt", "math.tanh",
                "math.erf"},
               op.drop_front(std::string("math.").size()))
        .Default("");
  }

  static std::string joinTyped(llvm::ArrayRef<Value> values) {
    std::string names, types;
    for (const Value &value : values) {
      names += (names.empty() ? "" : ", ") + value.name;
      types += (types.empty() ? "" : ", ") + value.getType();
    }
    return "ins(" + names + " : " + types + ")";
  }

  Value emitNamed(Node node) {
    llvm::StringRef name = getLinalgName(formula[node].op);
    if (name.empty())
      return emitGeneric(node);
    std::vector<Value> operands = getFullOperands(node);
    bool isSquare = name == "mul" && operands[0].name == operands[1].name;
    bool isReciprocal = name == "div" &&
                        isConstant(formula[node].operands[0]) &&
                        formula[formula[node].operands[0]].value == 1;
    if (isSquare && random.chance(50))
      name = "square", operands.pop_back();
    if (isReciprocal && random.chance(50))
      name = "reciprocal", operands.erase(operands.begin());
    Value out = text.empty(like);
    return text.define(like, "linalg." + name + " " + joinTyped(operands) +
                                 " outs(" + out.name + " : " + out.getType() +
                                 ") -> " + out.getType());
  }

  Value emitElementwise(Node node) {
    llvm::StringRef name = getLinalgName(formula[node].op);
    if (name.empty())
      return emitGeneric(node);
    std::string loops = getLoops();
    std::vector<Value> operands;
    std::string maps;
    for (Node operand : formula[node].operands) {
      const Formula::Leaf *leaf = findLeaf(operand);
      bool isFull = !leaf || isOwnShape(*leaf) ||
                    leaf->operand.access == like.layout || random.chance(20);
      operands.push_back(isFull ? getFull(operand) : leaf->operand.value);
      maps += formatMap(loops, isFull ? loops : leaf->operand.access) + ", ";
    }
    maps += formatMap(loops, loops);
    if (name == "max" || name == "min")
      name = name == "max" ? "max_signed" : "min_signed";
    Value out = text.empty(like);
    return text.define(like,
                       "linalg.elementwise kind=#linalg.elementwise_kind<" +
                           name + "> indexing_maps = [" + maps + "] " +
                           joinTyped(operands) + " outs(" + out.name + " : " +
                           out.getType() + ") -> " + out.getType());
  }

  Value emitMap(Node node) {
    std::vector<Value> operands = getFullOperands(node);
    Value result = like;
    result.element = getElement(node);
    Value out = text.empty(result);
    result.name = text.fresh();
    text.remember(result);
    std::string arguments;
    std::vector<std::string> names;
    for (const Value &operand : operands) {
      names.push_back(text.fresh());
      arguments += names.back() + ": " + operand.element + ", ";
    }
    text.line(result.name + " = linalg.map " + joinTyped(operands) + " outs(" +
              out.name + " : " + out.getType() + ")");
    text.line("  (" + arguments + text.fresh() + ": " + out.element + ") {");
    std::string inner = text.fresh();
    text.line("  " + inner + " = " + formatOp(node, names));
    text.line("  linalg.yield " + inner + " : " + out.element);
    text.line("}");
    return result;
  }
};
} // namespace

Value fusion::fuzz::emitFormula(ModuleText &text, const Formula &formula,
                                Node root, const Value &like, Random &random) {
  return Emitter(text, formula, like, random).emit(root);
}
