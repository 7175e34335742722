//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BatchSegments.h"
#include "FusionDialect/IR/FusionDialect.h"
#include "FusionDialect/Interfaces/BufferizableOpInterfaceImpl.h"
#include "FusionDialect/Interfaces/CreateTile.h"
#include "FusionDialect/Interfaces/TilingInterfaceImpl.h"
#include "FusionDialect/Support/Refusal.h"
#include "FusionDialect/Transforms/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

namespace fusion {
#define GEN_PASS_DEF_FUSIONSPLITBATCH
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace fusion

using namespace mlir;
using namespace fusion;

namespace {
/// The loop over the batch that replaces a segment.
struct BatchLoop {
  scf::ForOp op;
  /// Number of images in an iteration.
  int64_t images;
};
} // namespace

static remark::RemarkOpts getRemarkOpts() {
  return remark::RemarkOpts::name("fusion-split-batch").category("fusion");
}

/// The part of `value` that an iteration computes. All sizes but that of the
/// batch must be static.
static Part getPart(OpBuilder &builder, Value value, BatchLoop loop) {
  auto type = cast<RankedTensorType>(value.getType());
  Part part{SmallVector<OpFoldResult>(type.getRank(), builder.getIndexAttr(0)),
            getAsIndexOpFoldResult(builder.getContext(), type.getShape())};
  part.offsets.front() = loop.op.getInductionVar();
  part.sizes.front() = builder.getIndexAttr(loop.images);
  return part;
}

static Value createSlice(OpBuilder &builder, Value value, BatchLoop loop) {
  Part part = getPart(builder, value, loop);
  SmallVector<OpFoldResult> strides(part.sizes.size(), builder.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(builder, value.getLoc(), value,
                                        part.offsets, part.sizes, strides);
}

/// Whether `slice` is the part of its source that an iteration of `loop`
/// computes.
static bool isPart(tensor::ExtractSliceOp slice, BatchLoop loop) {
  RankedTensorType source = slice.getSourceType();
  SmallVector<OpFoldResult> offsets = slice.getMixedOffsets(),
                            sizes = slice.getMixedSizes();
  OpFoldResult iteration = loop.op.getInductionVar();
  if (slice.getType().getRank() != source.getRank() || !slice.hasUnitStride() ||
      offsets.front() != iteration ||
      !isConstantIntValue(sizes.front(), loop.images))
    return false;
  return llvm::all_of(llvm::seq<int64_t>(1, source.getRank()), [&](int64_t i) {
    return isConstantIntValue(offsets[i], 0) &&
           isConstantIntValue(sizes[i], source.getDimSize(i));
  });
}

/// The slices by which `loop` reads `op`. Fails if anything else reads it.
static FailureOr<SmallVector<tensor::ExtractSliceOp>>
getSlices(Operation *op, BatchLoop loop, Refusal &refusal) {
  SmallVector<tensor::ExtractSliceOp> slices;
  for (Operation *user : op->getUsers()) {
    auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
    if (!slice || !loop.op->isProperAncestor(slice) || !isPart(slice, loop))
      return refusal.because("computed for all of a batch: '", user->getName(),
                             "' reads other parts of it than single images");
    slices.push_back(slice);
  }
  return slices;
}

/// The type of the part of `value` that an iteration of `loop` computes.
static RankedTensorType getPartType(Value value, BatchLoop loop) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.front() = loop.images;
  return type.clone(shape);
}

/// Creates the part of `op` that an iteration computes; null if upstream
/// refuses.
static Value createPart(OpBuilder &builder, Operation *op, BatchLoop loop) {
  Location loc = op->getLoc();
  OpResult result = op->getResult(0);
  RankedTensorType type = getPartType(result, loop);
  return TypeSwitch<Operation *, Value>(op)
      .Case([&](TilingInterface tiling) {
        Part part = getPart(builder, result, loop);
        FailureOr<TilingResult> tile = tiling.generateResultTileValue(
            builder, 0, part.offsets, part.sizes);
        return failed(tile) ? Value() : tile->tiledValues.front();
      })
      .Case<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(
          [&](auto reshape) -> Value {
            Value source = createSlice(builder, reshape.getSrc(), loop);
            return decltype(reshape)::create(builder, loc, type, source,
                                             reshape.getReassociationIndices());
          })
      .Case([&](tensor::ConcatOp concat) -> Value {
        auto sources =
            llvm::map_to_vector(concat.getInputs(), [&](Value input) {
              return createSlice(builder, input, loop);
            });
        return tensor::ConcatOp::create(builder, loc, type, concat.getDim(),
                                        sources);
      })
      .Case([&](tensor::ExtractSliceOp slice) -> Value {
        SmallVector<OpFoldResult> sizes = slice.getMixedSizes();
        sizes.front() = builder.getIndexAttr(loop.images);
        return tensor::ExtractSliceOp::create(
            builder, loc, createSlice(builder, slice.getSource(), loop),
            slice.getMixedOffsets(), sizes, slice.getMixedStrides());
      })
      .Default(Value());
}

/// Creates parts of empty and filled destinations in `loop`, in place of
/// slices. Others may read the whole.
static void makeDestinations(RewriterBase &rewriter, BatchLoop loop) {
  SmallVector<tensor::ExtractSliceOp> slices;
  for (auto slice : loop.op.getOps<tensor::ExtractSliceOp>())
    if (isPart(slice, loop))
      slices.push_back(slice);
  for (tensor::ExtractSliceOp slice : slices) {
    Operation *source = slice.getSource().getDefiningOp();
    auto fill = dyn_cast_or_null<linalg::FillOp>(source);
    if (!fill && !isa_and_nonnull<tensor::EmptyOp>(source))
      continue;
    rewriter.setInsertionPoint(slice);
    RankedTensorType type = getPartType(slice.getSource(), loop);
    Value part = tensor::EmptyOp::create(rewriter, slice.getLoc(), type,
                                         /*dynamicSizes=*/ValueRange());
    if (fill)
      part =
          linalg::FillOp::create(rewriter, slice.getLoc(), fill.value(), part)
              .getResult(0);
    rewriter.replaceOp(slice, part);
  }
}

/// Replaces sizes of the result of `op` by sizes of its operands.
static void replaceSizes(RewriterBase &rewriter, Operation *op) {
  auto isSize = [](Operation *user) { return isa<tensor::DimOp>(user); };
  ReifiedRankedShapedTypeDims shapes;
  rewriter.setInsertionPoint(op);
  if (llvm::none_of(op->getUsers(), isSize) ||
      failed(reifyResultShapes(rewriter, op, shapes)))
    return;
  for (Operation *user : llvm::make_early_inc_range(op->getUsers())) {
    auto size = dyn_cast<tensor::DimOp>(user);
    std::optional<int64_t> index =
        size ? size.getConstantIndex() : std::nullopt;
    if (index)
      rewriter.replaceOp(
          size, getValueOrCreateConstantIndexOp(rewriter, op->getLoc(),
                                                shapes.front()[*index]));
  }
}

/// Computes `op` in `loop`, part by part, or says why it stays outside.
static void moveInto(RewriterBase &rewriter, Operation *op, BatchLoop loop) {
  replaceSizes(rewriter, op);
  Refusal refusal;
  FailureOr<SmallVector<tensor::ExtractSliceOp>> slices =
      getSlices(op, loop, refusal);
  if (failed(slices)) {
    remark::missed(op->getLoc(), getRemarkOpts())
        << remark::reason("{0}", refusal.str());
    return;
  }
  // The slices that read it are in the loop already.
  rewriter.setInsertionPointToStart(loop.op.getBody());
  Value part = createPart(rewriter, op, loop);
  if (!part) // The tiling has given the reason.
    return;
  for (tensor::ExtractSliceOp slice : *slices)
    rewriter.replaceOp(slice, part);
}

/// Whether `loop` reads `op`, and `op` makes a tensor of its batch.
static bool isReadBy(BatchLoop loop, Operation *op) {
  std::optional<int64_t> batch = getBatch(loop.op->getResult(0).getType());
  return op->getNumResults() == 1 && !op->hasTrait<OpTrait::ConstantLike>() &&
         !isa<tensor::EmptyOp, linalg::FillOp>(op) &&
         getBatch(op->getResult(0).getType()) == batch &&
         llvm::any_of(op->getUsers(), [&](Operation *user) {
           return loop.op->isProperAncestor(user);
         });
}

/// Gives an op a new destination if it does not read the old one, which may be
/// its residual: the loop carries the destination from image to image, and
/// would need all of the old contents first.
static void separateInit(RewriterBase &rewriter, Operation *op) {
  auto style = dyn_cast<DestinationStyleOpInterface>(op);
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!style || (linalgOp && linalgOp.payloadUsesValueFromOperand(
                                 &style.getDpsInitsMutable()[0])))
    return;
  OpOperand &init = style.getDpsInitsMutable()[0];
  rewriter.setInsertionPoint(op);
  Value empty = tensor::EmptyOp::create(
      rewriter, op->getLoc(),
      tensor::getMixedSizes(rewriter, op->getLoc(), init.get()),
      getElementTypeOrSelf(init.get().getType()),
      cast<RankedTensorType>(init.get().getType()).getEncoding());
  rewriter.modifyOpInPlace(op, [&] { init.set(empty); });
}

/// Moves the constant that `pad` pads with out of its region: if a tile is
/// nothing but padding, upstream yields the constant without the pad.
static void hoistPaddingValue(RewriterBase &rewriter, tensor::PadOp pad) {
  Value value = pad.getConstantPaddingValue();
  if (value && value.getParentRegion() == &pad.getRegion())
    rewriter.moveOpBefore(value.getDefiningOp(), pad);
}

/// Replaces `segment` by a loop over its batch.
static void split(RewriterBase &rewriter, const BatchSegment &segment) {
  TilingInterface root = segment.root;
  Location loc = root.getLoc();
  // The first op may be the root itself.
  Operation *front = segment.first->getPrevNode();
  for (Operation *op = root; op != front; op = op->getPrevNode())
    if (auto pad = dyn_cast<tensor::PadOp>(op))
      hoistPaddingValue(rewriter, pad);
  separateInit(rewriter, root);
  auto type = cast<RankedTensorType>(root->getResult(0).getType());
  SmallVector<OpFoldResult> sizes(type.getRank(), rewriter.getIndexAttr(0));
  sizes.front() = rewriter.getIndexAttr(segment.step);
  rewriter.setInsertionPoint(root);
  FailureOr<scf::SCFTilingResult> tiled = scf::tileUsingSCF(
      rewriter, root, scf::SCFTilingOptions().setTileSizes(sizes));
  if (failed(tiled)) // The tiling has given the reason.
    return;
  BatchLoop loop{cast<scf::ForOp>(tiled->loops.front().getOperation()),
                 segment.step};
  rewriter.replaceOp(root, tiled->replacements);
  Operation *op = loop.op->getPrevNode();
  while (op != front) {
    makeDestinations(rewriter, loop);
    if (isReadBy(loop, op))
      moveInto(rewriter, op, loop);
    Operation *previous = op->getPrevNode();
    if (isOpTriviallyDead(op))
      rewriter.eraseOp(op);
    op = previous;
  }
  makeDestinations(rewriter, loop);
  remark::passed(loc, getRemarkOpts())
      << llvm::formatv("up to here {0} of a batch are computed at a time",
                       segment.step)
             .str();
}

namespace {
struct SplitBatchPass
    : public fusion::impl::FusionSplitBatchBase<SplitBatchPass> {
  using FusionSplitBatchBase::FusionSplitBatchBase;

  /// Registers the models of fusion ops that later passes need, for tools that
  /// do not register the extensions.
  void getDependentDialects(DialectRegistry &registry) const override {
    FusionSplitBatchBase::getDependentDialects(registry);
    registerTilingInterfaceExternalModels(registry);
    registerBufferizableOpInterfaceExternalModels(registry);
  }

  LogicalResult initialize(MLIRContext *context) override {
    for (auto [name, bytes] : {std::pair("cache-bytes", int64_t(cacheBytes)),
                               std::pair("start-bytes", int64_t(startBytes))})
      if (bytes < 0)
        return emitError(UnknownLoc::get(context))
               << "'" << name << "' must not be negative, got " << bytes;
    return success();
  }

  void runOnOperation() override {
    if (cacheBytes == 0)
      return;
    getOperation()->walk([&](FunctionOpInterface function) {
      if (!function.isExternal())
        splitBlock(function.getFunctionBody().front());
    });
  }

  /// Whether the tensors of the batch that `op` reads and writes exceed the
  /// cache.
  bool isLarge(Operation *op, std::optional<int64_t> batch) {
    return batch && *batch > 1 &&
           getBytesPerImage(op, *batch) > cacheBytes / *batch;
  }

  /// Refuses `op`, which is in no segment, if a loop would help it.
  LogicalResult checkRest(Operation *op, Refusal &refusal) {
    if (!isLarge(op, getBatchOfImages(op)))
      return success();
    return refusal.because(
        "computed for all of a batch: several tensors of the "
        "batch are used behind it, and a loop yields one");
  }

  LogicalResult checkPadding(Operation *op, Refusal &refusal) {
    auto pad = dyn_cast<tensor::PadOp>(op);
    if (!pad || padsWithOneValue(pad) || !isLarge(op, getBatch(pad.getType())))
      return success();
    return refusal.because("computed for all of a batch: the elements of the "
                           "padding are computed one by one");
  }

  using Check = LogicalResult (SplitBatchPass::*)(Operation *, Refusal &);

  /// Reports each op from `first` on that `check` refuses.
  void report(Operation *first, Check check) {
    for (Operation *op = first; op; op = op->getNextNode()) {
      Refusal refusal;
      if (failed((this->*check)(op, refusal)))
        remark::missed(op->getLoc(), getRemarkOpts())
            << remark::reason("{0}", refusal.str());
    }
  }

  void splitBlock(Block &block) {
    IRRewriter rewriter(&getContext());
    SmallVector<BatchSegment> segments =
        findBatchSegments(block, {cacheBytes, startBytes});
    report(&block.front(), &SplitBatchPass::checkPadding);
    report(segments.empty() ? &block.front()
                            : segments.back().root->getNextNode(),
           &SplitBatchPass::checkRest);
    for (const BatchSegment &segment : segments)
      if (segment.step != segment.batch)
        split(rewriter, segment);
  }
};
} // namespace
