//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Interfaces/CreateTile.h"
#include "FusionDialect/IR/FusionOps.h"
#include "FusionDialect/IR/Layout.h"
#include "FusionDialect/Utils/EmitPad.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fusion;

//===----------------------------------------------------------------------===//
// Parts of tensors
//===----------------------------------------------------------------------===//

Part fusion::getWhole(OpBuilder &builder, Location loc, Value value) {
  Part part;
  part.sizes = isa<TensorType>(value.getType())
                   ? tensor::getMixedSizes(builder, loc, value)
                   : memref::getMixedSizes(builder, loc, value);
  part.offsets.assign(part.sizes.size(), builder.getIndexAttr(0));
  return part;
}

bool fusion::isWhole(const Part &part, Value value, int64_t dim) {
  if (!isZeroInteger(part.offsets[dim]))
    return false;
  FailureOr<bool> equal = ValueBoundsConstraintSet::areEqual(
      {part.sizes[dim]}, ValueBoundsConstraintSet::Variable(value, dim));
  return succeeded(equal) && *equal;
}

/// The slice `part` of `value`, which is added to `slices`; `value` if `part`
/// is all of it.
static Value createSlice(OpBuilder &builder, Location loc, Value value,
                         const Part &part,
                         SmallVectorImpl<Operation *> &slices) {
  int64_t rank = part.sizes.size();
  if (llvm::all_of(llvm::seq(rank),
                   [&](int64_t dim) { return isWhole(part, value, dim); }))
    return value;
  SmallVector<OpFoldResult> strides(rank, builder.getIndexAttr(1));
  Operation *slice;
  if (isa<TensorType>(value.getType()))
    slice = tensor::ExtractSliceOp::create(builder, loc, value, part.offsets,
                                           part.sizes, strides);
  else
    slice = memref::SubViewOp::create(builder, loc, value, part.offsets,
                                      part.sizes, strides);
  slices.push_back(slice);
  return slice->getResult(0);
}

//===----------------------------------------------------------------------===//
// Parts of the operands that a tile needs
//===----------------------------------------------------------------------===//

static Value getInit(Operation *op) {
  return cast<DestinationStyleOpInterface>(op).getDpsInits().front();
}

static bool hasOneElement(Value value) {
  auto type = cast<ShapedType>(value.getType());
  return type.hasStaticShape() && type.getNumElements() == 1;
}

static bool isMatmul(Operation *op) {
  return isa<FusedMatmulBiasActOp, QuantizedMatmulBiasActOp>(op);
}

std::string fusion::getResultLetters(Operation *op) {
  if (auto pool = dyn_cast<PoolOp>(op))
    return pool.getLayout().getLetters().str();
  std::string letters =
      cast<FusedOpInterface>(op).getOutputLayout().getLetters().str();
  if (!isMatmul(op))
    llvm::replace(letters, 'c', 'f');
  return letters;
}

std::optional<size_t> Sharing::getResultDim(size_t dim,
                                            StringRef result) const {
  char letter = layout[dim];
  size_t to = result.find(letter);
  if (to == StringRef::npos || !StringRef(letters).contains(letter))
    return std::nullopt;
  return to;
}

Sharing fusion::getSharing(Operation *op, OpOperand &operand) {
  std::string result = getResultLetters(op);
  auto fused = dyn_cast<FusedOpInterface>(op);
  bool isInput = operand.getOperandNumber() == 0;
  if (!fused)
    return {result, isInput ? "nc" : result};
  if (isInput)
    return {fused.getInputLayout().getLetters().str(),
            isMatmul(op) ? "bm" : "n"};
  const char *channel = isMatmul(op) ? "n" : "f";
  if (&operand == &fused.getFilterMutable())
    return {fused.getFilterLayout().getLetters().str(),
            isMatmul(op) ? "bn" : "f"};
  if (fused.getBias() && &operand == &fused.getBiasMutable()[0])
    return {channel, channel};
  auto quantized = dyn_cast<QuantizedOpInterface>(op);
  if (quantized && operand.get() == quantized.getScale())
    return {channel, hasOneElement(operand.get()) ? "" : channel};
  return {result, result};
}

/// Cuts `part` of an operand to `tile` of the result in the dimensions they
/// share.
static void cutShared(const Sharing &sharing, StringRef resultLetters,
                      const Part &tile, Part &part) {
  for (size_t dim : llvm::seq(sharing.layout.size()))
    if (auto from = sharing.getResultDim(dim, resultLetters)) {
      part.offsets[dim] = tile.offsets[*from];
      part.sizes[dim] = tile.sizes[*from];
    }
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

static int64_t getGroups(Operation *op) {
  if (auto conv = dyn_cast<FusedConvBiasActOp>(op))
    return conv.getGroups();
  if (auto conv = dyn_cast<QuantizedConvBiasActOp>(op))
    return conv.getGroups();
  if (auto deconv = dyn_cast<FusedDeconvBiasActOp>(op))
    return deconv.getGroups();
  return 1;
}

/// True if `value`, the offset of a tile, is known to be a multiple of
/// `factor`: a constant, the induction variable of a loop with such steps, or
/// computed from one.
static bool isMultipleOf(OpFoldResult value, int64_t factor) {
  if (factor == 1)
    return true;
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return *constant % factor == 0;
  if (auto apply = cast<Value>(value).getDefiningOp<affine::AffineApplyOp>())
    return apply.getAffineMap().getResult(0).isMultipleOf(factor) ||
           (apply.getAffineMap().isIdentity() &&
            isMultipleOf(apply->getOperand(0), factor));
  auto argument = dyn_cast<BlockArgument>(cast<Value>(value));
  auto loop =
      argument
          ? dyn_cast<LoopLikeOpInterface>(argument.getOwner()->getParentOp())
          : LoopLikeOpInterface();
  if (!loop)
    return false;
  std::optional<SmallVector<Value>> variables = loop.getLoopInductionVars();
  std::optional<SmallVector<OpFoldResult>> lows = loop.getLoopLowerBounds();
  std::optional<SmallVector<OpFoldResult>> steps = loop.getLoopSteps();
  if (!variables || !lows || !steps)
    return false;
  for (auto [variable, low, step] : llvm::zip_equal(*variables, *lows, *steps))
    if (variable == argument)
      return isMultipleOf(low, factor) && isMultipleOf(step, factor);
  return false;
}

namespace {
/// The groups that a tile of output channels consists of.
struct GroupTile {
  int64_t groups;
  /// Number of output channels in each group.
  int64_t channels;
  OpFoldResult firstChannel;
};
} // namespace

/// The groups of `tile`; none if it has all output channels.
static FailureOr<std::optional<GroupTile>>
getGroupTile(Operation *op, const Part &tile, Refusal &refusal) {
  int64_t groups = getGroups(op);
  int64_t dim = getResultLetters(op).find('f');
  Value init = getInit(op);
  if (groups == 1 || isWhole(tile, init, dim))
    return std::optional<GroupTile>();
  int64_t numChannels = cast<ShapedType>(init.getType()).getDimSize(dim);
  if (ShapedType::isDynamic(numChannels))
    return refusal.because("the number of output channels must be static to "
                           "tile them with 'groups' (",
                           groups, ")");
  int64_t channels = numChannels / groups;
  std::optional<int64_t> size = getConstantIntValue(tile.sizes[dim]);
  if (!size || *size == 0 || *size % channels != 0)
    return refusal.because(
        "a tile of output channels must have a constant size that is a "
        "multiple of those of a group (",
        channels, "), got ", size ? std::to_string(*size) : "a dynamic one");
  if (!isMultipleOf(tile.offsets[dim], channels))
    return refusal.because("the offset of a tile of output channels must be "
                           "known to be a multiple of those of a group (",
                           channels, ")");
  return std::optional(
      GroupTile{*size / channels, channels, tile.offsets[dim]});
}

/// Cuts the input channels of `part` to those of the groups.
static void cutGroups(OpBuilder &builder, Operation *op,
                      const GroupTile &groups, Part &part) {
  auto fused = cast<FusedOpInterface>(op);
  int64_t dim = fused.getInputLayout().getPosition('c');
  AffineExpr whole, first;
  bindSymbols(builder.getContext(), whole, first);
  int64_t numGroups = getGroups(op);
  OpFoldResult all = part.sizes[dim];
  part.offsets[dim] = affine::makeComposedFoldedAffineApply(
      builder, op->getLoc(),
      first.floorDiv(groups.channels) * whole.floorDiv(numGroups),
      {all, groups.firstChannel});
  part.sizes[dim] = affine::makeComposedFoldedAffineApply(
      builder, op->getLoc(), whole.floorDiv(numGroups) * groups.groups, {all});
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

namespace {
/// The window of a convolution or pool. The arrays have one element per spatial
/// dimension, in the order d, h, w.
struct Window {
  LayoutAttr layout; ///< of the input
  SmallVector<int64_t> strides, dilations, padLow, padHigh;
  SmallVector<OpFoldResult> kernel;
};
} // namespace

template <typename ConvOp>
static Window getWindowOfConv(OpBuilder &builder, ConvOp op) {
  Part filter = getWhole(builder, op.getLoc(), op.getFilter());
  Window window{op.getInputLayout(),
                llvm::to_vector(op.getStrides()),
                llvm::to_vector(op.getDilations()),
                llvm::to_vector(op.getPadLow()),
                llvm::to_vector(op.getPadHigh()),
                {}};
  for (int64_t dim : op.getFilterLayout().getSpatialPositions())
    window.kernel.push_back(filter.sizes[dim]);
  return window;
}

static Window getWindowOfPool(OpBuilder &builder, PoolOp op) {
  return {op.getLayout(),
          llvm::to_vector(op.getStrides()),
          SmallVector<int64_t>(op.getKernel().size(), 1),
          llvm::to_vector(op.getPadLow()),
          llvm::to_vector(op.getPadHigh()),
          getAsIndexOpFoldResult(builder.getContext(), op.getKernel())};
}

static std::optional<Window> getWindow(OpBuilder &builder, Operation *op) {
  using Result = std::optional<Window>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<FusedConvBiasActOp, QuantizedConvBiasActOp>(
          [&](auto conv) { return getWindowOfConv(builder, conv); })
      .Case([&](PoolOp pool) { return getWindowOfPool(builder, pool); })
      .Default(std::nullopt);
}

/// Removes the padding from `window` in the dimensions that `tile` cuts, and
/// returns it.
static std::pair<SmallVector<int64_t>, SmallVector<int64_t>>
takePadding(Window &window, Operation *op, const Part &tile) {
  SmallVector<int64_t> low(window.padLow.size(), 0), high = low;
  std::string result = getResultLetters(op);
  for (auto [i, letter] : llvm::enumerate(getSpatialLetters(low.size())))
    if (!isWhole(tile, getInit(op), result.find(letter))) {
      std::swap(low[i], window.padLow[i]);
      std::swap(high[i], window.padHigh[i]);
    }
  return {low, high};
}

/// Cuts the spatial dimensions of `part` of the input to the elements that the
/// windows of `tile` read.
static void cutWindows(OpBuilder &builder, Operation *op, const Window &window,
                       const Part &tile, Part &part) {
  std::string result = getResultLetters(op);
  AffineExpr position, size, kernel;
  bindSymbols(builder.getContext(), position, size, kernel);
  Location loc = op->getLoc();
  StringRef letters = getSpatialLetters(window.strides.size());
  for (auto [i, letter] : llvm::enumerate(letters)) {
    int64_t from = result.find(letter), dim = window.layout.getPosition(letter);
    if (isWhole(tile, getInit(op), from))
      continue;
    int64_t stride = window.strides[i];
    AffineExpr reach = (kernel - 1) * window.dilations[i];
    part.offsets[dim] = affine::makeComposedFoldedAffineApply(
        builder, loc, position * stride, {tile.offsets[from]});
    part.sizes[dim] = affine::makeComposedFoldedAffineApply(
        builder, loc, (size - 1) * stride + reach + 1,
        {tile.offsets[from], tile.sizes[from], window.kernel[i]});
  }
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// The number with which `op` pads its input.
static TypedAttr getPaddingNumber(Operation *op) {
  auto pool = dyn_cast<PoolOp>(op);
  if (!pool)
    return getPaddingNumber(cast<FusedOpInterface>(op));
  return pool.getNeutral(getElementTypeOrSelf(pool.getInput().getType()));
}

/// Fails if `tile` cuts spatial dimensions of an op in which they must be
/// whole.
static LogicalResult checkSpatial(Operation *op, const Part &tile,
                                  Refusal &refusal) {
  auto deconv = dyn_cast<FusedDeconvBiasActOp>(op);
  if (!deconv)
    return success();
  std::string result = getResultLetters(op);
  for (char letter : getSpatialLetters(deconv.getSpatialRank()))
    if (!isWhole(tile, deconv.getInit(), result.find(letter)))
      return refusal.because("the spatial dimensions of a transposed "
                             "convolution must be whole in a tile; '",
                             letter, "' is not");
  return success();
}

/// The input of `op` and the part of it that `tile` needs. If `tile` cuts a
/// padded dimension, the padding becomes an op right behind the one that makes
/// the input, outside of the loops.
static FailureOr<std::pair<Value, Part>>
cutInput(OpBuilder &builder, Operation *op, std::optional<Window> &window,
         const std::optional<GroupTile> &groups, const Part &tile,
         Refusal &refusal) {
  OpOperand &operand = op->getOpOperand(0);
  Value input = operand.get();
  if (window) {
    auto [low, high] = takePadding(*window, op, tile);
    auto isZero = [](int64_t size) { return size == 0; };
    if (!isa<TensorType>(input.getType()) &&
        !(llvm::all_of(low, isZero) && llvm::all_of(high, isZero)))
      return refusal.because("a padded dimension can be tiled on tensors only; "
                             "tile before bufferization");
    // `op` may be a clone within the loops: upstream tiles such a one.
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfterValue(input);
    input = emitPad(builder, op->getLoc(), input, window->layout, low, high,
                    getPaddingNumber(op));
  }
  Part part = getWhole(builder, op->getLoc(), input);
  cutShared(getSharing(op, operand), getResultLetters(op), tile, part);
  if (window)
    cutWindows(builder, op, *window, tile, part);
  if (groups)
    cutGroups(builder, op, *groups, part);
  return std::pair(input, part);
}

/// Sets the attributes of a tile of `op` that differ from those of `op`.
static void setTileAttributes(Operation *op,
                              const std::optional<Window> &window,
                              const std::optional<GroupTile> &groups) {
  auto set = [&](auto windowed) {
    windowed.setPadLow(window->padLow);
    windowed.setPadHigh(window->padHigh);
  };
  llvm::TypeSwitch<Operation *>(op)
      .Case<FusedConvBiasActOp, QuantizedConvBiasActOp, PoolOp>(set);
  if (groups)
    llvm::TypeSwitch<Operation *>(op)
        .Case<FusedConvBiasActOp, QuantizedConvBiasActOp, FusedDeconvBiasActOp>(
            [&](auto conv) { conv.setGroups(groups->groups); });
}

FailureOr<TilingResult> fusion::createTile(OpBuilder &builder, Operation *op,
                                           const Part &tile, Refusal &refusal) {
  FailureOr<std::optional<GroupTile>> groups = getGroupTile(op, tile, refusal);
  if (failed(groups) || failed(checkSpatial(op, tile, refusal)))
    return failure();
  std::optional<Window> window = getWindow(builder, op);
  FailureOr<std::pair<Value, Part>> input =
      cutInput(builder, op, window, *groups, tile, refusal);
  if (failed(input))
    return failure();
  Location loc = op->getLoc();
  SmallVector<Operation *> slices;
  SmallVector<Value> operands = {
      createSlice(builder, loc, input->first, input->second, slices)};
  for (OpOperand &operand : op->getOpOperands().drop_front()) {
    Part part = getWhole(builder, loc, operand.get());
    cutShared(getSharing(op, operand), getResultLetters(op), tile, part);
    operands.push_back(createSlice(builder, loc, operand.get(), part, slices));
  }
  SmallVector<Type> types;
  if (op->getNumResults() > 0)
    types.push_back(operands.back().getType());
  Operation *tiled = clone(builder, op, types, operands);
  setTileAttributes(tiled, window, *groups);
  return TilingResult{
      {tiled}, llvm::to_vector_of<Value>(tiled->getResults()), slices};
}
