//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Fuse/Explain.h"
#include "FusionDialect/Fuse/Laws.h"
#include "FusionDialect/Fuse/Raise.h"
#include "FusionDialect/IR/FusionDialect.h"
#include "FusionDialect/Transforms/Passes.h"
#include "FusionDialect/Utils/ApplyPatterns.h"
#include "Laws.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/PDL/IR/PDL.h"
#include "mlir/Dialect/PDLInterp/IR/PDLInterp.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"

namespace fusion {
#define GEN_PASS_DEF_FUSIONFUSEQUANTIZED
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace fusion

using namespace mlir;
using namespace fusion;

// In the order in which `fusion-explain` asks them.
static constexpr Law laws[] = {
    {"extended-move",
     "product(move(extend(x)), w)  ->  product(extend(move(x)), w)",
     populateMovedExtensionLaw},
    {"run-time-zero-point",
     "product(x - z, w)  ->  product(x, w) - z * sum(w), w constant",
     populateRunTimeZeroPointLaw},
    {"pad",
     "quantized(pad(x, zero point), w)  ->  quantized(x, w), with these pads",
     populatePaddedInputLaw, explainPaddedInput},
    {"crop",
     "quantized(slice(x), w)  ->  quantized(x, w), where no window ends later",
     populateCroppedInputLaw},
    {"dilation",
     "quantized(x, zeros inserted(w))  ->  quantized(x, w), with dilations",
     populateQuantizedDilationLaw, explainDilation},
    {"deconv",
     "transposed fused(dequantise(x), dequantise(w))  ->  "
     "depth-to-space(fused(dequantise(x), split(dequantise(w))))",
     populateDequantizedDeconvolutionLaw, explainDequantizedDeconvolution},
    {"dequantise",
     "fused(dequantise(x), dequantise(w)) : f32  ->  quantized(x, w) : f32",
     populateDequantizedOperandsLaw, explainDequantizedOperands},
    {"dequantised-residual",
     "quantized(x, w) + dequantise(y)  ->  quantized(x, w, residual = y)",
     populateDequantizedResidualLaw, explainDequantizedResidual},
    // Tells of factors ahead of the quantisation that has them.
    {"run-time-scale",
     "float(quantized(x, w) : i32) * s  ->  quantized(x, w, scale = s) : f32",
     populateRunTimeScaleLaw, explainRunTimeScale},
    {"quantise",
     "quantise(quantized(x, w) : f32) : i8  ->  quantized(x, w) : i8",
     populateQuantizedResultLaw, explainQuantizedResult},
    {"rescale",
     "requantise(quantized(x, w) : i32) : i8  ->  quantized(x, w) : i8, "
     "dequantise(quantized(x, w) : i32) : f32  ->  quantized(x, w) : f32",
     populateRescaledSumLaw, explainRescaledSum},
    {"transposed-rescale",
     "requantise(quantized(x, w) : i32 read transposed) : i8  ->  "
     "transpose(requantise(quantized(x, w) : i32) : i8)",
     populateTransposedRescaleLaw},
    // `move` is a transpose or a slice, perhaps behind other moves.
    {"moved-sum",
     "f(move(quantized(x, w) : i32))  ->  move(f(quantized(x, w) : i32))",
     populateMovedSumLaw},
    // Also computes biases that are computed from constants.
    {"sum-bias", "quantized(x, w) : i32 + b  ->  quantized(x, w, bias = b)",
     populateSumBiasLaw, explainSumBias},
    {"channel-part",
     "f(reshape(quantized(x, w)), v)  ->  f(reshape(quantized(x, w)), "
     "broadcast(v)), which varies along the whole channel",
     populateChannelPartsLaw},
    // Tells of all steps on floats behind the op.
    {"reshape", "f(reshape(quantized(x, w)))  ->  reshape(f(quantized(x, w)))",
     populateReshapedResultLaw, explainFloatResult},
    {"scales",
     "move(dequantise(x, scales))  ->  dequantise(move(x), move(scales)), "
     "where scales vary along several dimensions and move is a collapse or a "
     "transpose",
     populateReshapedScalesLaw},
    {"shifted-input",
     "quantized(x + 128, w)  ->  quantized(x, w), x read with the other sign",
     populateShiftedInputLaw},
    {"shifted-result",
     "clamp(quantized(x, w) : i8 + 128)  ->  quantized(x, w) : i8",
     populateShiftedResultLaw, explainShiftedResult},
    // `move` is an op that moves elements or a maximum pool.
    {"move",
     "move(dequantise(x))  ->  dequantise(move(x)), "
     "dequantise(x read transposed)  ->  dequantise(transpose(x)), "
     "quantise(move(quantized : f32))  ->  move(quantise(quantized : f32)), "
     "quantise(concat(x, ...))  ->  concat(quantise(x), ...), "
     "quantise(insert(x, ...))  ->  insert(quantise(x), ...)",
     populateMovedIntegersLaws},
    // Also with ops such as a relu between the two.
    {"requantise", "quantise(dequantise(x))  ->  x, or one op on x",
     populateRequantizationLaw},
    {"sum", "sum over the image of dequantise(x)  ->  a loop that adds it up",
     populateSummedImageLaw},
};

ArrayRef<Law> fusion::getQuantizedLaws() { return laws; }

/// Fails with the reason if the pass leaves `op` alone that has to do with
/// integers.
static LogicalResult explainLeft(Operation *op, const FuseOptions &options,
                                 const RaiseOptions &raiseOptions,
                                 Refusal &refusal) {
  if (auto fused = dyn_cast<FusedOpInterface>(op))
    return checkNothingLeft(fused, laws, options, refusal);
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (linalgOp && isRaisable(op) && multipliesIntegers(linalgOp)) {
    if (failed(explainRunTimeZeroPoint(linalgOp, refusal)))
      return failure();
    return checkMayRaise(linalgOp, raiseOptions, refusal);
  }
  if (linalgOp && isMergedProduct(op) &&
      getElementTypeOrSelf(linalgOp.getDpsInits().front()).isInteger())
    return explainMergedProduct(linalgOp, refusal);
  return explainMovedFloats(op, refusal);
}

namespace {
struct FuseQuantizedPass
    : public fusion::impl::FusionFuseQuantizedBase<FuseQuantizedPass> {
  using FusionFuseQuantizedBase::FusionFuseQuantizedBase;

  LogicalResult initialize(MLIRContext *context) override {
    options.quantRounding = rounding;
    options.nanMode = nanMode;
    raiseOptions.integers = true;
    RewritePatternSet set(context);
    populateNumberPatterns(set);
    numberPatterns = std::move(set);
    // As in `fusion-fuse`, a sum behind an activation waits for another op.
    for (bool isLast : {false, true})
      (isLast ? lastPatterns : patterns) = createPatterns(context, isLast);
    return success();
  }

  RewritePatternSet createPatterns(MLIRContext *context, bool isLast) {
    RewritePatternSet set(context);
    populateRaisePatterns(set, raiseOptions);
    // Raising leaves a reshape of what another one has made.
    tensor::CollapseShapeOp::getCanonicalizationPatterns(set, context);
    FuseOptions options = this->options;
    for (const Law &law : laws)
      law.populate(set, options);
    options.integers = true;
    options.foldResidualAfterActivation = isLast;
    // Two biases are summed up, and an activation is a function of the runtime:
    // both may round otherwise than the ops.
    bool isExact = rounding == QuantRounding::Exact;
    populateLawPatterns(
        set,
        isExact ? ArrayRef<StringRef>{"residual"}
                : ArrayRef<StringRef>{"residual", "bias", "activation"},
        options);
    return set;
  }

  void runOnOperation() override {
    // A law sees an op before those that compute its operands.
    for (const FrozenRewritePatternSet *set :
         {&numberPatterns, &patterns, &lastPatterns})
      if (failed(applyToFixpoint(getOperation(), *set, "laws on integers")))
        return signalPassFailure();
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      Refusal refusal;
      if (failed(explainLeft(op, options, raiseOptions, refusal)))
        remark::missed(op->getLoc(),
                       remark::RemarkOpts::name("fusion-fuse-quantized")
                           .category("fusion"))
            << remark::reason("{0}", refusal.str());
    });
  }

  FrozenRewritePatternSet numberPatterns, patterns, lastPatterns;
  FuseOptions options;
  RaiseOptions raiseOptions;
};
} // namespace
