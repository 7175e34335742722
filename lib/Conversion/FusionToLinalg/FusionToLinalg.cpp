//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Conversion/FusionToLinalg.h"
#include "FusionDialect/Conversion/Passes.h"
#include "FusionDialect/IR/FusionOps.h"
#include "FusionDialect/IR/Layout.h"
#include "FusionDialect/Support/Refusal.h"
#include "FusionDialect/Utils/EmitCast.h"
#include "FusionDialect/Utils/EmitEpilogue.h"
#include "FusionDialect/Utils/EmitFlip.h"
#include "FusionDialect/Utils/EmitPad.h"
#include "FusionDialect/Utils/EmitQuantizedEpilogue.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "llvm/ADT/TypeSwitch.h"

namespace fusion {
#define GEN_PASS_DEF_CONVERTFUSIONTOLINALG
#include "FusionDialect/Conversion/Passes.h.inc"
} // namespace fusion

using namespace mlir;
using namespace fusion;

/// Splits dimension `letter` of `value`, which must be static, into `g` of size
/// `groups` and the rest. Returns the groups of dimensions that undo it.
static SmallVector<ReassociationIndices>
splitGroups(RewriterBase &rewriter, Location loc, Value &value,
            std::string &layout, char letter, int64_t groups) {
  auto type = cast<RankedTensorType>(value.getType());
  size_t dim = layout.find(letter);
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] /= groups;
  shape.insert(shape.begin() + dim, groups);
  SmallVector<ReassociationIndices> reassociation;
  for (int64_t i = 0, e = shape.size(); i != e; ++i) {
    if (i == static_cast<int64_t>(dim) + 1)
      reassociation.back().push_back(i);
    else
      reassociation.push_back({i});
  }
  layout.insert(dim, 1, 'g');
  value = tensor::ExpandShapeOp::create(rewriter, loc, type.clone(shape), value,
                                        reassociation);
  return reassociation;
}

/// True if the channels can be split into groups.
template <typename OpTy> static bool hasStaticChannels(OpTy op) {
  auto isStatic = [](Value value, LayoutAttr layout, char letter) {
    return !ShapedType::isDynamic(layout.getDimSize(value, letter));
  };
  return isStatic(op.getInput(), op.getInputLayout(), 'c') &&
         isStatic(op.getFilter(), op.getFilterLayout(), 'f') &&
         isStatic(op.getInit(), op.getOutputLayout(), 'c');
}

namespace {
/// The loops of the convolution: a dimension for each letter of the output,
/// then the reductions over the input channel and the kernel.
struct LoopDims {
  std::string output; ///< letters of the parallel loops, in output order
  int64_t spatialRank;
  MLIRContext *context;

  unsigned getNumLoops() const { return output.size() + 1 + spatialRank; }
  AffineExpr getParallel(char letter) const {
    return getAffineDimExpr(output.find(letter), context);
  }
  AffineExpr getChannel() const {
    return getAffineDimExpr(output.size(), context);
  }
  AffineExpr getKernel(int64_t i) const {
    return getAffineDimExpr(output.size() + 1 + i, context);
  }
  AffineMap getMap(ArrayRef<AffineExpr> exprs) const {
    return AffineMap::get(getNumLoops(), 0, exprs, context);
  }
};
} // namespace

namespace {
/// The strides and dilations of the window.
struct Window {
  SmallVector<int64_t> strides, dilations;
  int64_t getRank() const { return strides.size(); }
};
} // namespace

static AffineMap getInputMap(const Window &window, const LoopDims &loops,
                             StringRef layout) {
  StringRef spatial = getSpatialLetters(loops.spatialRank);
  return loops.getMap(llvm::map_to_vector(layout, [&](char letter) {
    if (letter == 'c')
      return loops.getChannel();
    size_t i = spatial.find(letter);
    if (i == StringRef::npos)
      return loops.getParallel(letter);
    return loops.getParallel(letter) * window.strides[i] +
           loops.getKernel(i) * window.dilations[i];
  }));
}

static AffineMap getFilterMap(const LoopDims &loops, StringRef layout) {
  StringRef spatial = getSpatialLetters(loops.spatialRank);
  return loops.getMap(llvm::map_to_vector(layout, [&](char letter) {
    if (letter == 'c')
      return loops.getChannel();
    size_t i = spatial.find(letter);
    return i == StringRef::npos ? loops.getParallel(letter)
                                : loops.getKernel(i);
  }));
}

/// The body of the loops: sum + element * weight in f32. If one factor is f32
/// and the other is not, it is rounded to the type of the other.
static void createMultiplyAdd(OpBuilder &b, Location loc, ValueRange args) {
  Type f32 = b.getF32Type();
  Type type = args[args[0].getType().isF32() ? 1 : 0].getType();
  // In separate statements, since compilers evaluate arguments in different
  // orders.
  Value weight = emitFloatCast(b, loc, args[1], type);
  Value element = emitFloatCast(b, loc, args[0], type);
  element = emitFloatCast(b, loc, element, f32);
  weight = emitFloatCast(b, loc, weight, f32);
  Value product = arith::MulFOp::create(b, loc, element, weight);
  Value sum = arith::AddFOp::create(b, loc, args[2], product);
  linalg::YieldOp::create(b, loc, sum);
}

namespace {
/// The sum of products of an op: its type, and the body of its loops.
struct Sum {
  Type type;
  std::function<void(OpBuilder &, Location, ValueRange)> body;
};
} // namespace

/// In f32, or of integers in i32, less the zero point of the input.
static Sum getSum(FusedOpInterface op) {
  OpBuilder builder(op->getContext());
  auto quantized = dyn_cast<QuantizedOpInterface>(op.getOperation());
  if (!quantized)
    return {builder.getF32Type(), createMultiplyAdd};
  return {builder.getI32Type(),
          [quantized](OpBuilder &b, Location loc, ValueRange args) mutable {
            Value element =
                emitInteger(b, loc, args[0], quantized.getInputUnsigned(),
                            quantized.getInputZeroPoint());
            Value weight = emitInteger(b, loc, args[1], /*isUnsigned=*/false,
                                       /*zeroPoint=*/0);
            Value product = arith::MulIOp::create(b, loc, element, weight);
            Value sum = arith::AddIOp::create(b, loc, args[2], product);
            linalg::YieldOp::create(b, loc, sum);
          }};
}

/// Creates the loops over `input` and `filter` that add to `accumulator`. The
/// layouts name the dimensions of each.
static Value createLoops(RewriterBase &rewriter, Location loc, const Sum &sum,
                         const Window &window, Value input,
                         StringRef inputLayout, Value filter,
                         StringRef filterLayout, Value accumulator,
                         StringRef outputLayout) {
  LoopDims loops{outputLayout.str(), window.getRank(), rewriter.getContext()};
  SmallVector<AffineExpr> outputExprs = llvm::map_to_vector(
      outputLayout, [&](char letter) { return loops.getParallel(letter); });
  SmallVector<utils::IteratorType> iterators(outputLayout.size(),
                                             utils::IteratorType::parallel);
  iterators.resize(loops.getNumLoops(), utils::IteratorType::reduction);
  return linalg::GenericOp::create(
             rewriter, loc, accumulator.getType(), ValueRange{input, filter},
             accumulator,
             ArrayRef<AffineMap>{getInputMap(window, loops, inputLayout),
                                 getFilterMap(loops, filterLayout),
                                 loops.getMap(outputExprs)},
             iterators, sum.body)
      .getResult(0);
}

/// Computes the sum over input channels and kernel of an op with a window, in
/// the layout of the output. `input` includes its padding, and `filter`
/// is that of a convolution.
template <typename OpTy>
static Value createConvolution(RewriterBase &rewriter, OpTy op,
                               const Window &window, Value input,
                               Value filter) {
  Location loc = op.getLoc();
  Sum sum = getSum(op);
  Value accumulator = tensor::EmptyOp::create(
      rewriter, loc, tensor::getMixedSizes(rewriter, loc, op.getInit()),
      sum.type);
  std::string inputLayout = op.getInputLayout().getLetters().str();
  std::string filterLayout = op.getFilterLayout().getLetters().str();
  std::string outputLayout = op.getOutputLayout().getLetters().str();
  llvm::replace(outputLayout, 'c', 'f');
  int64_t groups = op.getGroups();
  SmallVector<ReassociationIndices> outputGroups;
  if (groups > 1) {
    splitGroups(rewriter, loc, input, inputLayout, 'c', groups);
    splitGroups(rewriter, loc, filter, filterLayout, 'f', groups);
    outputGroups =
        splitGroups(rewriter, loc, accumulator, outputLayout, 'f', groups);
  }
  Value zero =
      arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(sum.type));
  accumulator =
      linalg::FillOp::create(rewriter, loc, zero, accumulator).getResult(0);
  Value result = createLoops(rewriter, loc, sum, window, input, inputLayout,
                             filter, filterLayout, accumulator, outputLayout);
  if (groups > 1)
    result =
        tensor::CollapseShapeOp::create(rewriter, loc, result, outputGroups);
  return result;
}

static Value createZeros(RewriterBase &rewriter, Location loc,
                         ArrayRef<OpFoldResult> sizes, Type type) {
  Value empty = tensor::EmptyOp::create(rewriter, loc, sizes, type);
  Value zero =
      arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(type));
  return linalg::FillOp::create(rewriter, loc, zero, empty).getResult(0);
}

/// Computes the sum over k, in the layout of the output.
static Value createMatmul(RewriterBase &rewriter, FusedOpInterface op) {
  MLIRContext *context = op->getContext();
  std::string loops = op.getOutputLayout().getLetters().str() + "k";
  auto getMap = [&](LayoutAttr layout) {
    SmallVector<AffineExpr> exprs = llvm::map_to_vector(
        layout.getLetters(), [&](char letter) -> AffineExpr {
          return getAffineDimExpr(loops.find(letter), context);
        });
    return AffineMap::get(loops.size(), 0, exprs, context);
  };
  SmallVector<utils::IteratorType> iterators(loops.size(),
                                             utils::IteratorType::parallel);
  iterators.back() = utils::IteratorType::reduction;
  Location loc = op->getLoc();
  Sum sum = getSum(op);
  Value zeros =
      createZeros(rewriter, loc,
                  tensor::getMixedSizes(rewriter, loc, op.getInit()), sum.type);
  return linalg::GenericOp::create(
             rewriter, loc, zeros.getType(),
             ValueRange{op.getInput(), op.getFilter()}, zeros,
             ArrayRef<AffineMap>{getMap(op.getInputLayout()),
                                 getMap(op.getFilterLayout()),
                                 getMap(op.getOutputLayout())},
             iterators, sum.body)
      .getResult(0);
}

static bool hasStaticWindows(FusedDeconvBiasActOp op) {
  auto isStatic = [&](Value value, LayoutAttr layout) {
    auto type = cast<ShapedType>(value.getType());
    return llvm::none_of(layout.getSpatialPositions(),
                         [&](int64_t dim) { return type.isDynamicDim(dim); });
  };
  return isStatic(op.getInput(), op.getInputLayout()) &&
         isStatic(op.getFilter(), op.getFilterLayout()) &&
         isStatic(op.getInit(), op.getOutputLayout());
}

/// The input with stride - 1 zeros between its elements, and at its ends as
/// many as a convolution of stride 1 needs. If the padding exceeds the window,
/// elements are cut off.
static Value createZeroInsertion(RewriterBase &rewriter,
                                 FusedDeconvBiasActOp op) {
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(op.getInput().getType());
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(rewriter, loc, op.getInput());
  SmallVector<OpFoldResult> inputSizes = sizes, cropSizes = sizes;
  SmallVector<OpFoldResult> offsets(sizes.size(), rewriter.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(sizes.size(), rewriter.getIndexAttr(1));
  SmallVector<OpFoldResult> cropOffsets = offsets, ones = strides;
  bool isCropped = false;
  StringRef letters = getSpatialLetters(op.getSpatialRank());
  for (auto [i, letter] : llvm::enumerate(letters)) {
    int64_t dim = op.getInputLayout().getPosition(letter),
            stride = op.getStrides()[i];
    int64_t reach =
        (op.getFilterLayout().getDimSize(op.getFilter(), letter) - 1) *
        op.getDilations()[i];
    int64_t spread = (type.getDimSize(dim) - 1) * stride + 1;
    int64_t needed =
        op.getOutputLayout().getDimSize(op.getInit(), letter) + reach;
    int64_t low = reach - op.getPadLow()[i], high = needed - low - spread;
    offsets[dim] = rewriter.getIndexAttr(std::max<int64_t>(low, 0));
    strides[dim] = rewriter.getIndexAttr(stride);
    sizes[dim] = rewriter.getIndexAttr(std::max<int64_t>(low, 0) + spread +
                                       std::max<int64_t>(high, 0));
    cropOffsets[dim] = rewriter.getIndexAttr(std::max<int64_t>(-low, 0));
    cropSizes[dim] = rewriter.getIndexAttr(needed);
    isCropped |= low < 0 || high < 0;
  }
  // Upstream considers any offset invalid in a dimension of size 0.
  if (llvm::is_contained(type.getShape(), 0))
    return createZeros(rewriter, loc, cropSizes, type.getElementType());
  Value zeros = createZeros(rewriter, loc, sizes, type.getElementType());
  Value spread = tensor::InsertSliceOp::create(
      rewriter, loc, op.getInput(), zeros, offsets, inputSizes, strides);
  if (!isCropped)
    return spread;
  return tensor::ExtractSliceOp::create(rewriter, loc, spread, cropOffsets,
                                        cropSizes, ones);
}

/// Fails unless the channels of `op` can be split into its groups.
template <typename OpTy>
static LogicalResult checkGroups(OpTy op, Refusal &refusal) {
  if (op.getGroups() > 1 && !hasStaticChannels(op))
    return refusal.because(
        "unsupported: groups with a dynamic number of channels");
  return success();
}

/// Of a convolution, on floats or integers.
template <typename OpTy>
static FailureOr<Value> createSum(RewriterBase &rewriter, OpTy op,
                                  Refusal &refusal) {
  if (failed(checkGroups(op, refusal)))
    return failure();
  Value input =
      emitPad(rewriter, op.getLoc(), op.getInput(), op.getInputLayout(),
              op.getPadLow(), op.getPadHigh(), getPaddingNumber(op));
  Window window{SmallVector<int64_t>(op.getStrides()),
                SmallVector<int64_t>(op.getDilations())};
  return createConvolution(rewriter, op, window, input, op.getFilter());
}

/// Inserts zeros into the input and convolves it with the flipped filter.
static FailureOr<Value> createSum(RewriterBase &rewriter,
                                  FusedDeconvBiasActOp op, Refusal &refusal) {
  if (failed(checkGroups(op, refusal)))
    return failure();
  if (!hasStaticWindows(op))
    return refusal.because(
        "unsupported: transposed convolution of dynamic spatial sizes");
  Window window{SmallVector<int64_t>(op.getSpatialRank(), 1),
                SmallVector<int64_t>(op.getDilations())};
  Value input = createZeroInsertion(rewriter, op);
  Value filter = emitFlip(rewriter, op.getLoc(), op.getFilter(),
                          op.getFilterLayout().getSpatialPositions());
  return createConvolution(rewriter, op, window, input, filter);
}

FailureOr<Operation *> fusion::decomposeToLinalg(RewriterBase &rewriter,
                                                 Operation *op,
                                                 Refusal &refusal) {
  auto fused = dyn_cast<FusedOpInterface>(op);
  if (!fused)
    return refusal.because("neither a fused convolution nor matmul");
  if (op->getNumResults() == 0)
    return refusal.because(
        "unsupported: fusion op on memrefs; run before bufferization");
  FailureOr<Value> sum =
      llvm::TypeSwitch<Operation *, FailureOr<Value>>(op)
          .Case<FusedConvBiasActOp, FusedDeconvBiasActOp,
                QuantizedConvBiasActOp>(
              [&](auto op) { return createSum(rewriter, op, refusal); })
          .Default([&](Operation *) { return createMatmul(rewriter, fused); });
  if (failed(sum))
    return failure();
  auto quantized = dyn_cast<QuantizedOpInterface>(op);
  linalg::GenericOp epilogue =
      quantized ? emitQuantizedEpilogue(rewriter, quantized, *sum)
                : emitEpilogue(rewriter, fused, *sum, fused.getBias());
  rewriter.replaceOp(op, epilogue);
  return epilogue.getOperation();
}

namespace {
struct DecomposeFusedOp : public OpInterfaceRewritePattern<FusedOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(FusedOpInterface op,
                                PatternRewriter &rewriter) const override {
    Refusal refusal;
    if (failed(decomposeToLinalg(rewriter, op, refusal)))
      return refusal.notify(rewriter, op);
    return success();
  }
};

struct FusionToLinalgPass
    : public fusion::impl::ConvertFusionToLinalgBase<FusionToLinalgPass> {
  using ConvertFusionToLinalgBase::ConvertFusionToLinalgBase;

  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    populateFusionToLinalgPatterns(set);
    patterns = std::move(set);
    return success();
  }

  void runOnOperation() override {
    walkAndApplyPatterns(getOperation(), patterns);
    WalkResult left = getOperation()->walk([](Operation *op) {
      if (!isa<FusedOpInterface, PoolOp>(op))
        return WalkResult::advance();
      op->emitOpError("cannot be decomposed: on memrefs, or with groups and a "
                      "dynamic number of channels");
      return WalkResult::interrupt();
    });
    if (left.wasInterrupted())
      signalPassFailure();
  }

  FrozenRewritePatternSet patterns;
};
} // namespace

void fusion::populateFusionToLinalgPatterns(RewritePatternSet &patterns) {
  patterns.add<DecomposeFusedOp>(patterns.getContext());
  populatePoolToLinalgPatterns(patterns);
}
