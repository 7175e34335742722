//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TEST_FUZZ_FORMULA_H
#define FUSION_TEST_FUZZ_FORMULA_H

#include "CaseDescription.h"
#include "ModuleText.h"

namespace fusion::fuzz {

/// Scalar arithmetic over tensors, as a graph. It describes a step
/// independently of the ops that spell it.
class Formula {
public:
  using Node = int;

  struct NodeData {
    /// `arith.addf`, `math.exp`, `arith.cmpf ugt`, `arith.select`; "leaf",
    /// "constant".
    std::string op;
    llvm::SmallVector<Node, 3> operands;
    double value = 0;
    /// Index of a leaf.
    unsigned leaf = 0;
  };
  struct Leaf {
    Operand operand;
    /// It varies along the channels only, or not at all, and needs no full-size
    /// tensor.
    bool isSmall = false;
  };

  Node addLeaf(Leaf leaf);
  Node constant(double value);
  Node op(llvm::StringRef name, llvm::ArrayRef<Node> operands);

  Node add(Node a, Node b) { return op("arith.addf", {a, b}); }
  Node sub(Node a, Node b) { return op("arith.subf", {a, b}); }
  Node mul(Node a, Node b) { return op("arith.mulf", {a, b}); }
  Node div(Node a, Node b) { return op("arith.divf", {a, b}); }
  Node unary(llvm::StringRef name, Node a) {
    return op(("math." + name).str(), {a});
  }
  Node compare(llvm::StringRef predicate, Node a, Node b) {
    return op(("arith.cmpf " + predicate).str(), {a, b});
  }
  Node select(Node condition, Node a, Node b) {
    return op("arith.select", {condition, a, b});
  }

  Leaf &getLeaf(unsigned index) { return leaves[index]; }
  llvm::ArrayRef<Leaf> getLeaves() const { return leaves; }
  size_t size() const { return nodes.size(); }
  const NodeData &operator[](Node node) const { return nodes[node]; }
  NodeData &operator[](Node node) { return nodes[node]; }

private:
  std::vector<NodeData> nodes;
  std::vector<Leaf> leaves;
};

/// Adds `activation` of `x` in a spelling that `random` picks.
Formula::Node addActivation(Formula &formula, ActivationKind activation,
                            Formula::Node x, Random &random);

/// Writes the value of `root`, in the shape of `like`, with ops that `random`
/// picks.
Value emitFormula(ModuleText &text, const Formula &formula, Formula::Node root,
                  const Value &like, Random &random);

} // namespace fusion::fuzz

#endif // FUSION_TEST_FUZZ_FORMULA_H
