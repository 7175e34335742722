//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Fuse/RaisePools.h"
#include "FusionDialect/Analysis/Dataflow.h"
#include "FusionDialect/Analysis/Padding.h"
#include "FusionDialect/Fuse/Laws.h"
#include "FusionDialect/IR/FusionOps.h"
#include "FusionDialect/IR/Layout.h"
#include "FusionDialect/Support/LLVMCompat.h"
#include "FusionDialect/Transforms/Passes.h"
#include "FusionDialect/Utils/ApplyPatterns.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

namespace fusion {
#define GEN_PASS_DEF_FUSIONRAISEPOOLS
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace fusion

using namespace mlir;
using namespace fusion;

namespace {
/// A pool of linalg: its reduction and its window.
struct Pool {
  Pooling pooling;
  bool isUnsigned; ///< how the bits of integers are read
  StringRef layout;
  Value input;
  SmallVector<int64_t> kernel, strides, padLow, padHigh;
};
} // namespace

namespace {
/// A named pool.
struct NamedPool {
  Pooling pooling;
  StringRef layout;
  bool isUnsigned;
  DenseIntElementsAttr strides, dilations;
};
} // namespace

static std::optional<NamedPool> readName(Operation *op) {
  using Result = std::optional<NamedPool>;
  // The accessors give the defaults of attributes that are not spelled out.
  auto as = [](Pooling pooling, StringRef layout, bool isUnsigned = false) {
    return [=](auto pool) -> Result {
      return NamedPool{pooling, layout, isUnsigned, pool.getStrides(),
                       pool.getDilations()};
    };
  };
  using namespace linalg;
  return TypeSwitch<Operation *, Result>(op)
      .Case<PoolingNhwcMaxOp>(as(Pooling::Max, "nhwc"))
      .Case<PoolingNchwMaxOp>(as(Pooling::Max, "nchw"))
      .Case<PoolingNwcMaxOp>(as(Pooling::Max, "nwc"))
      .Case<PoolingNcwMaxOp>(as(Pooling::Max, "ncw"))
      .Case<PoolingNdhwcMaxOp>(as(Pooling::Max, "ndhwc"))
      .Case<PoolingNhwcMaxUnsignedOp>(as(Pooling::Max, "nhwc", true))
      .Case<PoolingNwcMaxUnsignedOp>(as(Pooling::Max, "nwc", true))
      .Case<PoolingNhwcSumOp>(as(Pooling::Sum, "nhwc"))
      .Case<PoolingNchwSumOp>(as(Pooling::Sum, "nchw"))
      .Case<PoolingNwcSumOp>(as(Pooling::Sum, "nwc"))
      .Case<PoolingNcwSumOp>(as(Pooling::Sum, "ncw"))
      .Case<PoolingNdhwcSumOp>(as(Pooling::Sum, "ndhwc"))
      .Default(Result());
}

bool fusion::isPool(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return linalgOp && linalg::isaConvolutionOpInterface(linalgOp) &&
         !linalgOp.payloadUsesValueFromOperand(linalgOp.getDpsInputOperand(1));
}

template <typename... Names> static bool isOneOf(linalg::LinalgOp op) {
  return (fusion::isaConvolutionOpOfType<Names>(op) || ...);
}

/// True if linalg has a name for `op`, a pool in generic form.
static bool hasName(linalg::LinalgOp op) {
  using namespace linalg;
  return isOneOf<PoolingNhwcMaxOp, PoolingNchwMaxOp, PoolingNwcMaxOp,
                 PoolingNcwMaxOp, PoolingNdhwcMaxOp, PoolingNhwcMaxUnsignedOp,
                 PoolingNwcMaxUnsignedOp, PoolingNhwcSumOp, PoolingNchwSumOp,
                 PoolingNwcSumOp, PoolingNcwSumOp, PoolingNdhwcSumOp,
                 PoolingNhwcMinOp, PoolingNwcMinOp, PoolingNdhwcMinOp,
                 PoolingNhwcMinUnsignedOp, PoolingNwcMinUnsignedOp>(op);
}

/// True if `number` does not change a maximum, or a sum, of elements of `type`.
/// A constant integer is read with a sign, whatever its bits mean.
static bool isNeutral(std::optional<double> number, Pooling pooling, Type type,
                      bool isUnsigned) {
  if (!number)
    return false;
  if (pooling == Pooling::Sum || isUnsigned)
    return *number == 0.0;
  if (type.isInteger())
    return *number ==
           static_cast<double>(llvm::minIntN(type.getIntOrFloatBitWidth()));
  const llvm::fltSemantics &semantics =
      cast<FloatType>(type).getFloatSemantics();
  APFloat lowest = APFloat::getLargest(semantics, /*Negative=*/true);
  bool losesInfo;
  lowest.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                 &losesInfo);
  return *number <= lowest.convertToDouble();
}

static int64_t countWindows(int64_t size, int64_t kernel, int64_t stride) {
  return size < kernel ? 0 : (size - kernel) / stride + 1;
}

/// How many of `after` elements of padding at the end of spatial dimension `i`
/// are read, of which the input has `size` with them, and the result `windows`:
/// torch-mlir pads for a last window that is partly outside even if there is
/// none.
static int64_t countReadPadding(const Pool &pool, size_t i, int64_t size,
                                int64_t after, int64_t windows) {
  if (after <= 0 || ShapedType::isDynamic(size) ||
      ShapedType::isDynamic(windows) || windows == 0 ||
      countWindows(size, pool.kernel[i], pool.strides[i]) <= windows)
    return after;
  int64_t read = (windows - 1) * pool.strides[i] + pool.kernel[i];
  return std::clamp<int64_t>(read - (size - after), 0, after);
}

/// Folds the padding of the input of `pool`, if possible. Fails if a window may
/// contain nothing but minus infinity: kernels give the lowest finite number
/// for it.
static LogicalResult foldPadding(Pool &pool, RankedTensorType result,
                                 Refusal &refusal) {
  std::optional<Padding> padding = findPadding(pool.input);
  if (!padding || !isNeutral(padding->number, pool.pooling,
                             result.getElementType(), pool.isUnsigned))
    return success();
  auto padded = cast<RankedTensorType>(pool.input.getType());
  StringRef letters =
      getSpatialLetters(static_cast<int64_t>(pool.kernel.size()));
  SmallVector<int64_t> low(pool.kernel.size()), high(pool.kernel.size());
  bool canFold = true;
  for (auto [dim, letter] : llvm::enumerate(pool.layout)) {
    std::optional<int64_t> before = getConstantIntValue(padding->low[dim]);
    std::optional<int64_t> after = getConstantIntValue(padding->high[dim]);
    size_t i = letters.find(letter);
    bool isSpatial = i != StringRef::npos;
    int64_t limit = isSpatial ? pool.kernel[i] : 1;
    if (isSpatial && after)
      after = countReadPadding(pool, i, padded.getDimSize(dim), *after,
                               result.getDimSize(dim));
    int64_t most = std::max(before.value_or(0), after.value_or(0));
    if (most >= limit && std::isinf(*padding->number))
      return refusal.because("unsupported: '", padding->op->getName(),
                             "' pads ", "dimension ", dim, " by ", most,
                             ", expected less than ", limit);
    canFold &= before && after && *before >= 0 && *after >= 0 && most < limit;
    if (!isSpatial || !canFold)
      continue;
    low[i] = *before;
    high[i] = *after;
  }
  if (!canFold)
    return success();
  pool.input = padding->source;
  pool.padLow = low;
  pool.padHigh = high;
  return success();
}

/// Fails unless the result has the size that `fusion.pool` computes from the
/// window.
static LogicalResult checkSizes(linalg::LinalgOp op, const Pool &pool,
                                Refusal &refusal) {
  auto input = cast<ShapedType>(pool.input.getType());
  auto result = cast<ShapedType>(op.getDpsInits()[0].getType());
  StringRef letters =
      getSpatialLetters(static_cast<int64_t>(pool.kernel.size()));
  for (auto [i, letter] : llvm::enumerate(letters)) {
    size_t dim = pool.layout.find(letter);
    int64_t in = input.getDimSize(dim), out = result.getDimSize(dim);
    if (ShapedType::isDynamic(in) || ShapedType::isDynamic(out))
      continue;
    int64_t expected = countWindows(in + pool.padLow[i] + pool.padHigh[i],
                                    pool.kernel[i], pool.strides[i]);
    if (out != expected)
      return refusal.because("unsupported: size ", out, " in dimension ", dim,
                             ", expected ", expected);
  }
  return success();
}

/// Whether `fusion.pool` computes with elements of `type`.
static bool isPoolable(Type type, Pooling pooling) {
  return type.isF32() || type.isBF16() || type.isF16() ||
         (type.isSignlessInteger(8) && pooling == Pooling::Max);
}

/// Fails unless the runtime has a pool of the types of `op`, and its result is
/// near enough to that of `op` for `options`.
static LogicalResult checkTypes(linalg::LinalgOp op, Pooling pooling,
                                const FuseOptions &options, Refusal &refusal) {
  Type type = getElementTypeOrSelf(op.getDpsInits()[0]);
  Value input = op.getDpsInputs()[0];
  if (pooling == Pooling::Sum && isa<IntegerType>(type))
    return refusal.because("unsupported: no kernel adds up integers (",
                           getElementTypeOrSelf(input), " into ", type, ")");
  if (!isPoolable(type, pooling) || getElementTypeOrSelf(input) != type)
    return refusal.because("unsupported: element types ",
                           getElementTypeOrSelf(input), " and ", type,
                           ", expected f32, bf16, f16, or i8 for a maximum");
  if (isa<FloatType>(type) && pooling == Pooling::Max &&
      options.nanMode == NaNMode::Propagate)
    return refusal.because("kernels may lose a NaN, and nan-mode is propagate");
  if (pooling == Pooling::Sum && !type.isF32() &&
      !options.allowContractRounding)
    return refusal.because("rounds each step to ", type,
                           ", and allow-contract-rounding is off");
  return success();
}

/// Reads `op`, a named pool, or says why the runtime cannot compute it.
static FailureOr<Pool> readPool(linalg::LinalgOp op, const FuseOptions &options,
                                Refusal &refusal) {
  std::optional<NamedPool> name = readName(op);
  if (!name)
    return refusal.because("unsupported: '", op->getName(),
                           "', expected a maximum or sum of windows");
  if (!op.hasPureTensorSemantics())
    return refusal.because(
        "unsupported: pool on memrefs; raise before bufferization");
  Pooling pooling = name->pooling;
  if (failed(checkTypes(op, pooling, options, refusal)))
    return failure();
  auto result = cast<RankedTensorType>(op.getDpsInits()[0].getType());
  if (!isNeutral(getUniformNumber(op.getDpsInits()[0]), pooling,
                 result.getElementType(), name->isUnsigned))
    return refusal.because("starts from an initial value other than ",
                           pooling == Pooling::Sum ? "0" : "the lowest");
  auto window = cast<ShapedType>(op.getDpsInputs()[1].getType());
  if (!window.hasStaticShape() || llvm::is_contained(window.getShape(), 0))
    return refusal.because("unsupported: window ", window);
  if (llvm::any_of(name->dilations.getValues<int64_t>(),
                   [](int64_t dilation) { return dilation != 1; }))
    return refusal.because("unsupported: a window with dilations");
  SmallVector<int64_t> none(window.getRank(), 0);
  Pool pool{pooling,
            name->isUnsigned,
            name->layout,
            op.getDpsInputs()[0],
            SmallVector<int64_t>(window.getShape()),
            llvm::to_vector(name->strides.getValues<int64_t>()),
            none,
            none};
  if (failed(foldPadding(pool, result, refusal)) ||
      failed(checkSizes(op, pool, refusal)))
    return failure();
  return pool;
}

LogicalResult fusion::checkMayRaisePool(linalg::LinalgOp op,
                                        const FuseOptions &options,
                                        Refusal &refusal) {
  if (!isa<linalg::GenericOp>(op))
    return readPool(op, options, refusal);
  if (!hasName(op))
    return refusal.because(
        "unsupported: pool in generic form, for which linalg has no name");
  return checkNoSideEffects(op, refusal);
}

namespace {
struct RaisePool : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  RaisePool(MLIRContext *context, const FuseOptions &options)
      : OpInterfaceRewritePattern(context), options(options) {}

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    Refusal refusal;
    FailureOr<Pool> pool = readPool(op, options, refusal);
    if (failed(pool))
      return refusal.notify(rewriter, op);
    Value init = op.getDpsInits()[0];
    auto type = cast<RankedTensorType>(init.getType());
    Value empty = tensor::EmptyOp::create(
        rewriter, op.getLoc(),
        tensor::getMixedSizes(rewriter, op.getLoc(), init),
        type.getElementType());
    rewriter.replaceOpWithNewOp<PoolOp>(
        op, type, pool->input, empty, pool->pooling, pool->kernel,
        pool->strides, pool->padLow, pool->padHigh,
        LayoutAttr::get(getContext(), pool->layout), pool->isUnsigned);
    return success();
  }

  FuseOptions options;
};

/// Replaces a generic op over windows by the named pool that it is.
struct NameGenericPool : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!isPool(op))
      return rewriter.notifyMatchFailure(op, "not a pool");
    // A named op has no room for them, and upstream does not look.
    Refusal refusal;
    if (failed(checkNoSideEffects(op, refusal)))
      return refusal.notify(rewriter, op);
    if (failed(linalg::specializeGenericOp(rewriter, op)))
      return rewriter.notifyMatchFailure(op, "no named op is this pool");
    return success();
  }
};

struct RaisePoolsPass
    : public fusion::impl::FusionRaisePoolsBase<RaisePoolsPass> {
  using FusionRaisePoolsBase::FusionRaisePoolsBase;

  LogicalResult initialize(MLIRContext *context) override {
    FuseOptions options;
    options.nanMode = nanMode;
    options.allowContractRounding = allowContractRounding;
    RewritePatternSet set(context);
    populateRaisePoolsPatterns(set, options);
    patterns = std::move(set);
    return success();
  }

  void runOnOperation() override {
    if (failed(applyToFixpoint(getOperation(), patterns, "pools")))
      signalPassFailure();
  }

  FrozenRewritePatternSet patterns;
};
} // namespace

void fusion::populateRaisePoolsPatterns(RewritePatternSet &patterns,
                                        const FuseOptions &options) {
  patterns.add<RaisePool>(patterns.getContext(), options);
  patterns.add<NameGenericPool>(patterns.getContext());
}
