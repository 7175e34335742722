//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/IR/FusionOps.h"
#include "FusionDialect/Transforms/Passes.h"
#include "FusionDialect/Transforms/Patterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/PDL/IR/PDL.h"
#include "mlir/Dialect/PDLInterp/IR/PDLInterp.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace fusion {
#define GEN_PASS_DEF_FUSIONCONVERTPRECISION
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace fusion

using namespace mlir;
using namespace fusion;

/// `value` rounded to `type`, element by element.
static Value createRounding(OpBuilder &builder, Location loc, Value value,
                            Type type) {
  auto tensorType = cast<RankedTensorType>(value.getType());
  Value empty = tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, value), type);
  AffineMap identity = builder.getMultiDimIdentityMap(tensorType.getRank());
  SmallVector<utils::IteratorType> iterators(tensorType.getRank(),
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, empty.getType(), value, empty,
             ArrayRef<AffineMap>{identity, identity}, iterators,
             [&](OpBuilder &b, Location loc, ValueRange args) {
               Value rounded = arith::TruncFOp::create(b, loc, type, args[0]);
               linalg::YieldOp::create(b, loc, rounded);
             })
      .getResult(0);
}

namespace {
struct ConvertPrecisionPass
    : public fusion::impl::FusionConvertPrecisionBase<ConvertPrecisionPass> {
  using FusionConvertPrecisionBase::FusionConvertPrecisionBase;

  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    populateCastLawPatterns(set, FuseOptions());
    patterns = std::move(set);
    return success();
  }

  void runOnOperation() override {
    OpBuilder builder(&getContext());
    Type type = llvm::StringSwitch<Type>(to)
                    .Case("bf16", builder.getBF16Type())
                    .Case("f16", builder.getF16Type())
                    .Default(Type());
    if (!type) {
      getOperation()->emitError()
          << "'to' must be bf16 or f16, got '" << to << "'";
      return signalPassFailure();
    }
    getOperation()->walk([&](FusedOpInterface op) {
      auto inputType = dyn_cast<RankedTensorType>(op.getInput().getType());
      if (!inputType || !inputType.getElementType().isF32())
        return;
      builder.setInsertionPoint(op);
      op.getInputMutable().set(
          createRounding(builder, op.getLoc(), op.getInput(), type));
    });
    if (failed(applyPatternsGreedily(getOperation(), patterns)))
      signalPassFailure();
  }

  FrozenRewritePatternSet patterns;
};
} // namespace
