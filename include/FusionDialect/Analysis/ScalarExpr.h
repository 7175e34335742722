//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_ANALYSIS_SCALAREXPR_H
#define FUSION_ANALYSIS_SCALAREXPR_H

#include "FusionDialect/IR/FusionDialect.h"
#include "FusionDialect/Support/Refusal.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SetVector.h"

namespace fusion {

/// Rounds `number` to a float of `type`.
double roundTo(mlir::Type type, double number);

/// The expression that an element-wise op computes for each element, as a graph
/// of scalar operations, whatever op or region spells it. This class and
/// ChannelVector are the only places that know element-wise ops by name.
class ScalarExpr {
public:
  enum class Kind {
    Input,    ///< an operand of the op, see `input`
    Constant, ///< a number, see `constant`
    Captured, ///< a scalar from outside the op
    Add,
    Sub,
    Mul,
    Div,
    Neg,
    Max, ///< of two; what it does to NaN differs by spelling
    Min,
    Exp,
    Exp2,
    Expm1, ///< exp - 1
    Log,
    Log1p, ///< log of 1 + what it is applied to
    Tanh,
    Erf,
    Erfc, ///< 1 - erf
    Abs,
    Sqrt,
    Rsqrt,
    Pow,    ///< the first operand to the power of the second
    Widen,  ///< to a wider float type
    Narrow, ///< to a narrower float type, rounding
    Compare,
    Select, ///< if the first operand exceeds the second the third, else the
            ///< fourth; either of them if both are equal or one is NaN
    IfNaN,  ///< the second operand if the first is NaN, else the third
    Other,  ///< anything else without side effects
  };

  struct Node {
    Kind kind;
    /// The scalar in the body of its op; for an op without body its result.
    mlir::Value value;
    llvm::SmallVector<Node *, 3> operands;
    llvm::SmallVector<Node *, 2> users;
    unsigned input = 0;    ///< of Input: the lowest number of its inputs
    double constant = 0.0; ///< of Constant
  };

  /// Reads `op`, an element-wise op on tensors with one result: a linalg op,
  /// named or not, or an element-wise arith or math op.
  static mlir::FailureOr<ScalarExpr> match(mlir::Operation *op,
                                           Refusal &refusal);

  /// Reads several such ops as one expression, that of the last one. Each op
  /// comes before its readers. They read `leaf`, which becomes the first input,
  /// and the results of each other element for element. Reshapes between them
  /// stand for their operands.
  static mlir::FailureOr<ScalarExpr>
  match(llvm::ArrayRef<mlir::Operation *> ops, mlir::Value leaf,
        Refusal &refusal);

  /// Reads the expression of `scalar`, in the body of the element-wise op `op`.
  static mlir::FailureOr<ScalarExpr>
  matchScalar(mlir::linalg::LinalgOp op, mlir::Value scalar, Refusal &refusal);

  /// The map from the iteration space, which is that of the result, to the
  /// operand of input number `input`.
  mlir::AffineMap getInputMap(unsigned input) const { return maps[input]; }

  /// The operand that is input number `input`.
  mlir::Value getInput(unsigned input) const { return inputs[input]; }

  /// The node of input number `input`, or null if it is not read. Operands that
  /// read the same elements of one tensor share a node.
  Node *getInputNode(unsigned input) const;

  unsigned getNumInputs() const { return inputs.size(); }
  Node *getRoot() const { return root; }

  /// The nodes, with operands before their users.
  llvm::ArrayRef<std::unique_ptr<Node>> getNodes() const { return nodes; }

  /// `node` and all nodes that it is computed from, as far as `leaf`.
  static llvm::SmallSetVector<Node *, 8> getCone(Node *node, Node *leaf);

  /// True if `node` depends on `leaf` and constants only, and nothing outside
  /// `node` reads `leaf` or a node between them.
  static bool isFunctionOf(Node *node, Node *leaf);

  ScalarExpr(ScalarExpr &&) = default;
  ScalarExpr &operator=(ScalarExpr &&) = default;

private:
  ScalarExpr() = default;
  void addInput(mlir::Value scalar, mlir::Value operand, mlir::AffineMap map);
  mlir::LogicalResult readOperands(mlir::linalg::LinalgOp linalgOp,
                                   Refusal &refusal);
  mlir::Value readLinalgOp(mlir::linalg::LinalgOp linalgOp, Refusal &refusal);
  mlir::LogicalResult readOp(mlir::Operation *op, Refusal &refusal);
  void setRoot(Node *node);
  Node *create(Kind kind, mlir::Value value);
  Node *build(mlir::Value value);
  Node *buildOp(mlir::Operation *op);
  Node *buildSelect(mlir::Operation *op);

  mlir::Operation *op = nullptr; ///< the op that is being read
  std::vector<std::unique_ptr<Node>> nodes;
  llvm::DenseMap<mlir::Value, Node *> nodeOf;
  llvm::SmallVector<mlir::Value> inputs;
  llvm::SmallVector<mlir::AffineMap> maps;
  llvm::SmallVector<Node *> inputNodes;
  Node *root = nullptr;
};

/// True if `node` is a constant so large that a number in f32 keeps no halves
/// when it is added: programs round by adding and subtracting it.
bool roundsWhenAdded(const ScalarExpr::Node &node);

/// The activation that `node` computes from the value `before(leaf)`, where
/// `before` is an activation that is applied already (null for none). Null if
/// the dialect has no such activation.
ActivationAttr matchActivation(ScalarExpr::Node *node, ScalarExpr::Node *leaf,
                               ActivationAttr before);

} // namespace fusion

#endif // FUSION_ANALYSIS_SCALAREXPR_H
