//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Roles.h"

#include "FusionDialect/Analysis/ConvolutionMatch.h"
#include "FusionDialect/IR/FusionOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseSet.h"
#include <cmath>

using namespace mlir;
using namespace fusion;
using namespace fusion::run;

namespace {
/// Follows a value, a tensor or a scalar of a linalg body, to its uses.
class RoleFinder {
public:
  explicit RoleFinder(Value value) { follow(value, /*afterAdd=*/false); }
  Role find();

private:
  void follow(Value value, bool afterAdd);
  void visit(OpOperand &use, bool afterAdd);
  void visitLinalg(linalg::LinalgOp op, OpOperand &use, bool afterAdd);
  void visitYield(OpOperand &use, bool afterAdd);
  void visitCall(func::CallOp call, OpOperand &use, bool afterAdd);
  bool visitFilter(linalg::LinalgOp op, OpOperand &use);
  void visitFused(FusedOpInterface op, OpOperand &use);

  /// `afterAdd`: only a square root may still show a role (variance + epsilon).
  SmallVector<std::pair<Value, bool>> worklist;
  llvm::DenseSet<std::pair<Value, unsigned>> seen;
  bool isPositive = false;
  bool isFilter = false;
  bool isFixed = false;
  bool isScale = false;
  int64_t fanIn = 1;
};
} // namespace

void RoleFinder::follow(Value value, bool afterAdd) {
  if (seen.insert({value, afterAdd}).second)
    worklist.push_back({value, afterAdd});
}

Role RoleFinder::find() {
  while (!worklist.empty()) {
    auto [value, afterAdd] = worklist.pop_back_val();
    for (OpOperand &use : value.getUses())
      visit(use, afterAdd);
  }
  if (isPositive)
    return {Role::Positive};
  if (isScale)
    return {Role::Scale, isFilter ? fanIn : 3};
  if (isFilter)
    return {Role::Filter, fanIn};
  return {isFixed ? Role::Fixed : Role::Data};
}

/// Whether `value`, a scalar, was a quantised number.
static bool isQuantized(Value value) {
  return value.getDefiningOp<arith::SIToFPOp>() ||
         value.getDefiningOp<arith::UIToFPOp>();
}

static bool isScaleOf(Operation *op, unsigned index) {
  if (isa<arith::MulFOp>(op))
    return isQuantized(op->getOperand(1 - index));
  return isa<arith::DivFOp>(op) && index == 1 && op->hasOneUse() &&
         isa<math::RoundEvenOp, math::RoundOp>(*op->user_begin());
}

void RoleFinder::visit(OpOperand &use, bool afterAdd) {
  Operation *op = use.getOwner();
  unsigned index = use.getOperandNumber();
  if (isa<math::SqrtOp, math::RsqrtOp, math::LogOp>(op) ||
      (isa<math::PowFOp>(op) && index == 0)) {
    isPositive = true;
    return;
  }
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return visitLinalg(linalgOp, use, afterAdd);
  if (auto fused = dyn_cast<FusedOpInterface>(op))
    return visitFused(fused, use);
  if (isa<linalg::YieldOp>(op))
    return visitYield(use, afterAdd);
  if (auto call = dyn_cast<func::CallOp>(op))
    return visitCall(call, use, afterAdd);
  if (isa<arith::AddFOp>(op))
    return follow(op->getResult(0), /*afterAdd=*/true);
  if (isScaleOf(op, index)) {
    isScale = true;
    return follow(op->getResult(0), afterAdd);
  }
  if (isa<arith::MulFOp>(op) && isQuantized(use.get()))
    return follow(op->getResult(0), afterAdd);
  bool isComparison =
      isa<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
          arith::MinNumFOp, arith::CmpFOp, arith::SelectOp>(op);
  if (!afterAdd && (isComparison || (isa<arith::DivFOp>(op) && index == 1))) {
    isFixed = true;
    return;
  }
  bool onlyMoves =
      isa<tensor::CastOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp,
          tensor::ReshapeOp, tensor::ExtractSliceOp, tensor::PadOp,
          arith::ExtFOp, arith::TruncFOp, arith::ExtSIOp, arith::ExtUIOp,
          arith::SubIOp, arith::SIToFPOp, arith::UIToFPOp>(op);
  if (onlyMoves && index == 0)
    follow(op->getResult(0), afterAdd);
}

void RoleFinder::visitLinalg(linalg::LinalgOp op, OpOperand &use,
                             bool afterAdd) {
  if (linalg::isaConvolutionOpInterface(op) ||
      linalg::isaContractionOpInterface(op)) {
    if (!afterAdd)
      isFilter |= visitFilter(op, use);
    return;
  }
  // The initial value of a sum is not followed into the sum.
  if (op.isDpsInput(&use))
    follow(op.getMatchingBlockArgument(&use), afterAdd);
}

/// The product of the extents of `dims` in the operand of `use`.
static int64_t getExtent(linalg::LinalgOp op, OpOperand &use,
                         ArrayRef<unsigned> dims) {
  AffineMap map = op.getMatchingIndexingMap(&use);
  ArrayRef<int64_t> shape = op.getShape(&use);
  int64_t extent = 1;
  for (unsigned dim : dims) {
    auto position =
        map.getResultPosition(getAffineDimExpr(dim, op.getContext()));
    if (position && !ShapedType::isDynamic(shape[*position]))
      extent *= shape[*position];
  }
  return extent;
}

/// Whether `use` is a filter: the operand of a convolution that is not read by
/// windows, or the second operand of a matmul. The first one may be, if it is a
/// constant.
bool RoleFinder::visitFilter(linalg::LinalgOp op, OpOperand &use) {
  unsigned index = use.getOperandNumber();
  if (isConvolution(op) && index == 1 - getInputNumber(op)) {
    SmallVector<unsigned> summed;
    op.getReductionDims(summed);
    fanIn = std::max(fanIn, getExtent(op, use, summed));
    return true;
  }
  auto dims = linalg::inferContractionDims(op);
  if (failed(dims) || linalg::isaConvolutionOpInterface(op))
    return false;
  bool isConstant = use.get().getDefiningOp<arith::ConstantOp>() != nullptr;
  if (index != 1 && !(index == 0 && isConstant))
    return false;
  fanIn = std::max(fanIn, getExtent(op, use, dims->k));
  return true;
}

/// The same for fusion ops, in files that have gone through our passes.
void RoleFinder::visitFused(FusedOpInterface op, OpOperand &use) {
  if (&use != &op.getFilterMutable())
    return;
  isFilter = true;
  auto type = cast<ShapedType>(use.get().getType());
  int64_t products = 1;
  for (auto [dim, letter] : llvm::enumerate(op.getFilterLayout().getLetters()))
    if (!StringRef("fnb").contains(letter) && !type.isDynamicDim(dim))
      products *= type.getDimSize(dim);
  fanIn = std::max(fanIn, products);
}

void RoleFinder::visitYield(OpOperand &use, bool afterAdd) {
  Operation *parent = use.getOwner()->getParentOp();
  if (use.getOperandNumber() < parent->getNumResults())
    follow(parent->getResult(use.getOperandNumber()), afterAdd);
}

void RoleFinder::visitCall(func::CallOp call, OpOperand &use, bool afterAdd) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      call, call.getCalleeAttr());
  if (callee && !callee.isExternal())
    follow(callee.getArgument(use.getOperandNumber()), afterAdd);
}

Role fusion::run::inferRole(Value value) { return RoleFinder(value).find(); }

/// The range of a filter that keeps the variance of its input.
static double getFilterBound(const Role &role) {
  return std::sqrt(3.0 / static_cast<double>(role.fanIn));
}

Interval fusion::run::getInterval(const Role &role, const HostType &type) {
  if (type.kind == ElementKind::I1)
    return {0, 2};
  // An index is a count or an address: small, and not negative.
  if (type.kind == ElementKind::Index || (type.isScalar && !isFloat(type.kind)))
    return {0, 4};
  if (type.kind == ElementKind::I8)
    return {role.kind == Role::Filter ? -127. : -128., 128};
  if (!isFloat(type.kind))
    return {-16, 16};
  switch (role.kind) {
  case Role::Filter:
    return {-getFilterBound(role), getFilterBound(role)};
  case Role::Scale:
    return {0.5 * getFilterBound(role) / 127, 1.5 * getFilterBound(role) / 127};
  case Role::Positive:
  case Role::Fixed:
    return {0.5, 1.5};
  case Role::Data:
    return {-1, 1};
  }
  llvm_unreachable("all roles are handled");
}
