//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/IR/ByteRange.h"
#include "FusionDialect/IR/FusionOps.h"
#include "FusionDialect/IR/LocationText.h"
#include "FusionDialect/Support/Refusal.h"
#include "FusionDialect/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/TypeSwitch.h"

namespace fusion {
#define GEN_PASS_DEF_FUSIONPREFERUNSIGNED
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace fusion

using namespace mlir;
using namespace fusion;

/// True of a tensor of 8-bit integers that have values.
static bool hasBytes(Value value) {
  return value && isa<TensorType>(value.getType()) &&
         getElementTypeOrSelf(value).isInteger(8) &&
         !value.getDefiningOp<tensor::EmptyOp>();
}

/// Whether `op` does the same with integers of either sign.
static bool takesEitherSign(Operation *op) {
  if (auto pool = dyn_cast<PoolOp>(op))
    return !pool.getInputUnsigned();
  return isa<tensor::CastOp, tensor::CollapseShapeOp, tensor::ConcatOp,
             tensor::ExpandShapeOp, tensor::ExtractSliceOp,
             tensor::InsertSliceOp, linalg::TransposeOp>(op);
}

namespace {
/// Signed tensors, in classes that have to keep one sign.
class SignedTensors {
public:
  void add(Operation *op);
  /// Finds the classes that become unsigned. Remarks name those that would be
  /// better so and cannot.
  void choose();
  bool becomesUnsigned(Value value) {
    return hasBytes(value) &&
           chosen.contains(classes.getOrInsertLeaderValue(value));
  }

private:
  void addProduct(QuantizedOpInterface op);
  /// Lets `op` keep the sign that it gives to `value`.
  void fix(Value value, Operation *op) {
    if (hasBytes(value))
      fixed.try_emplace(value, op);
  }
  void join(Value a, Value b) {
    if (hasBytes(a) && hasBytes(b))
      classes.unionSets(a, b);
  }
  LogicalResult checkFree(Value value, Refusal &refusal);

  llvm::EquivalenceClasses<Value> classes;
  llvm::MapVector<Value, Operation *> fixed;
  DenseMap<Value, Operation *> fixedClasses;
  /// Those whose input would have no zero point.
  SmallVector<FusedOpInterface> products;
  DenseSet<Value> chosen;
};
} // namespace

void SignedTensors::addProduct(QuantizedOpInterface op) {
  auto fused = cast<FusedOpInterface>(op.getOperation());
  Value input = fused.getInput(), residual = fused.getResidual();
  Value result = op->getNumResults() ? op->getResult(0) : Value();
  fix(fused.getFilter(), op);
  if (op.getInputUnsigned())
    fix(input, op);
  if (op.getResidualUnsigned())
    fix(residual, op);
  if (op.getOutputUnsigned())
    fix(result, op);
  // Kernels add a residual that has the type of the result.
  join(residual, result);
  if (hasBytes(input) && !op.getInputUnsigned() &&
      op.getInputZeroPoint() == ByteRange(/*isUnsigned=*/false).least)
    products.push_back(fused);
}

void SignedTensors::add(Operation *op) {
  for (Region &region : op->getRegions())
    for (BlockArgument argument : region.getArguments())
      fix(argument, op);
  if (auto product = dyn_cast<QuantizedOpInterface>(op))
    return addProduct(product);
  SmallVector<Value> values(op->getOperands());
  llvm::append_range(values, op->getResults());
  llvm::erase_if(values, [](Value value) { return !hasBytes(value); });
  for (Value value : values)
    if (takesEitherSign(op))
      join(values.front(), value);
    else
      fix(value, op);
}

LogicalResult SignedTensors::checkFree(Value value, Refusal &refusal) {
  Operation *op = fixedClasses.lookup(classes.getOrInsertLeaderValue(value));
  if (!op)
    return success();
  return refusal.because("the input stays signed: '", op->getName(), "' at ",
                         getLocationText(op->getLoc()), " determines its sign");
}

void SignedTensors::choose() {
  for (auto [value, op] : fixed)
    fixedClasses.try_emplace(classes.getOrInsertLeaderValue(value), op);
  for (FusedOpInterface op : products) {
    Refusal refusal;
    if (succeeded(checkFree(op.getInput(), refusal)))
      chosen.insert(classes.getOrInsertLeaderValue(op.getInput()));
    else
      remark::missed(
          op->getLoc(),
          remark::RemarkOpts::name("fusion-prefer-unsigned").category("fusion"))
          << remark::reason("{0}", refusal.str());
  }
}

/// By how much the number of the same bits grows, modulo 256.
static constexpr int32_t shift = 128;

template <typename Op> static void makeUnsigned(Op op, SignedTensors &tensors) {
  if (tensors.becomesUnsigned(op.getInput())) {
    op.setInputUnsigned(true);
    op.setInputZeroPoint(op.getInputZeroPoint() + shift);
  }
  if (tensors.becomesUnsigned(op.getResidual())) {
    op.setResidualUnsigned(true);
    op.setResidualZeroPoint(op.getResidualZeroPoint() + shift);
  }
  if (tensors.becomesUnsigned(op.getResult())) {
    op.setOutputUnsigned(true);
    op.setOutputZeroPoint(op.getOutputZeroPoint() + shift);
  }
}

namespace {
struct PreferUnsignedPass
    : public fusion::impl::FusionPreferUnsignedBase<PreferUnsignedPass> {
  void runOnOperation() override {
    SignedTensors tensors;
    getOperation()->walk([&](Operation *op) { tensors.add(op); });
    tensors.choose();
    getOperation()->walk([&](Operation *op) {
      llvm::TypeSwitch<Operation *>(op)
          .Case<QuantizedConvBiasActOp, QuantizedMatmulBiasActOp>(
              [&](auto product) { makeUnsigned(product, tensors); })
          .Case([&](PoolOp pool) {
            if (tensors.becomesUnsigned(pool.getInput()))
              pool.setInputUnsigned(true);
          });
    });
  }
};
} // namespace
