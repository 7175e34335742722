//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Roles.h"

#include "FusionDialect/IR/FusionOps.h"
#include "Magnitudes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseSet.h"
#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace fusion;
using namespace fusion::run;

namespace {
/// Follows a value, a tensor or a scalar of a linalg body, to its uses.
class RoleFinder {
public:
  RoleFinder(Value value, const Scales &scales) : scales(scales) {
    follow(value, /*afterAdd=*/false);
  }
  Role find();

private:
  void follow(Value value, bool afterAdd);
  void visit(OpOperand &use, bool afterAdd);
  void visitLinalg(linalg::LinalgOp op, OpOperand &use, bool afterAdd);
  void visitYield(OpOperand &use, bool afterAdd);
  void visitCall(func::CallOp call, OpOperand &use, bool afterAdd);
  void visitFilter(OpOperand &use);

  const Scales &scales;
  /// `afterAdd`: only a square root may still show a role (variance + epsilon).
  SmallVector<std::pair<Value, bool>> worklist;
  llvm::DenseSet<std::pair<Value, unsigned>> seen;
  bool isPositive = false;
  bool isFilter = false;
  bool isFixed = false;
  int64_t fanIn = 1;
  std::optional<Scale> scale;
};
} // namespace

void RoleFinder::follow(Value value, bool afterAdd) {
  if (seen.insert({value, afterAdd}).second)
    worklist.push_back({value, afterAdd});
}

Role RoleFinder::find() {
  while (!worklist.empty()) {
    auto [value, afterAdd] = worklist.pop_back_val();
    std::optional<Scale> found = scales.find(value);
    if (found && (!scale || found->value < scale->value))
      scale = found;
    for (OpOperand &use : value.getUses())
      visit(use, afterAdd);
  }
  if (isPositive)
    return {Role::Positive};
  if (scale)
    return {Role::Scale, fanIn, *scale};
  if (isFilter)
    return {Role::Filter, fanIn};
  return {isFixed ? Role::Fixed : Role::Data};
}

/// Whether `value`, a scalar, was a quantised number.
static bool isQuantized(Value value) {
  return value.getDefiningOp<arith::SIToFPOp>() ||
         value.getDefiningOp<arith::UIToFPOp>();
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
  if (isa<FusedOpInterface>(op))
    return visitFilter(use);
  if (isa<linalg::YieldOp>(op))
    return visitYield(use, afterAdd);
  if (auto call = dyn_cast<func::CallOp>(op))
    return visitCall(call, use, afterAdd);
  if (isa<arith::AddFOp>(op))
    return follow(op->getResult(0), /*afterAdd=*/true);
  if (isa<arith::MulFOp>(op) && isQuantized(use.get()))
    return follow(op->getResult(0), afterAdd);
  bool isComparison =
      isa<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
          arith::MinNumFOp, arith::CmpFOp, arith::SelectOp>(op);
  if (!afterAdd && (isComparison || (isa<arith::DivFOp>(op) && index == 1))) {
    isFixed = true;
    return;
  }
  bool isMoved =
      movesElements(op) || isa<arith::ExtSIOp, arith::ExtUIOp, arith::SubIOp,
                               arith::SIToFPOp, arith::UIToFPOp>(op);
  if (isMoved && index == 0)
    follow(op->getResult(0), afterAdd);
}

void RoleFinder::visitLinalg(linalg::LinalgOp op, OpOperand &use,
                             bool afterAdd) {
  if (linalg::isaConvolutionOpInterface(op) ||
      linalg::isaContractionOpInterface(op)) {
    if (!afterAdd)
      visitFilter(use);
    return;
  }
  // The initial value of a sum is not followed into the sum.
  if (op.isDpsInput(&use))
    follow(op.getMatchingBlockArgument(&use), afterAdd);
}

void RoleFinder::visitFilter(OpOperand &use) {
  if (std::optional<int64_t> products = getFilterFanIn(use)) {
    isFilter = true;
    fanIn = std::max(fanIn, *products);
  }
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

Role fusion::run::inferRole(Value value, const Scales &scales) {
  return RoleFinder(value, scales).find();
}

/// The range of a filter that keeps the variance of its input.
static double getFilterBound(const Role &role) {
  return std::sqrt(3.0 / static_cast<double>(role.fanIn));
}

static Interval getScaleInterval(const Scale &scale, const HostType &type) {
  switch (scale.kind) {
  case Scale::Factor:
    return {0.5 * scale.value, 1.5 * scale.value};
  case Scale::Multiplier:
    // It has 31 bits.
    return {std::min(0.5 * scale.value, 0x1p30),
            std::min(1.5 * scale.value, 0x1p31 - 1)};
  case Scale::Shift: {
    double bits = std::clamp(std::round(scale.value), 2., 61.);
    return {bits, bits + 2};
  }
  }
  llvm_unreachable("all kinds are handled");
}

Interval fusion::run::getInterval(const Role &role, const HostType &type) {
  if (type.kind == ElementKind::I1)
    return {0, 2};
  if (role.kind == Role::Scale)
    return getScaleInterval(role.scale, type);
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
    break; // is handled above
  case Role::Positive:
  case Role::Fixed:
    return {0.5, 1.5};
  case Role::Data:
    return {-1, 1};
  }
  llvm_unreachable("all roles are handled");
}
