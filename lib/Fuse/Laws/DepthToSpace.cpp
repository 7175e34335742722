//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DepthToSpace.h"
#include "FusionDialect/Analysis/Padding.h"
#include "FusionDialect/Analysis/ScalarExpr.h"
#include "FusionDialect/Analysis/Views.h"
#include "FusionDialect/Fuse/Laws.h"
#include "FusionDialect/IR/LocationText.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fusion;

using Parts = ElementOrder::Parts;

//===----------------------------------------------------------------------===//
// The layout of the image
//===----------------------------------------------------------------------===//

/// The layout of the image. A dimension has the letter of the convolution's
/// dimension that its outermost part belongs to. A dimension without parts has
/// size 1, and becomes the batch if that is free. The rest have the letters
/// that are left, in the order of the convolution.
static std::string nameDims(const ElementOrder &order, StringRef layout) {
  std::string names(layout.size(), '?'), rest = layout.str();
  auto take = [&](char &name, char letter) {
    size_t found = rest.find(letter);
    if (name != '?' || found == std::string::npos)
      return;
    name = letter;
    rest.erase(found, 1);
  };
  for (auto [name, parts] : llvm::zip_equal(names, order.getDims()))
    if (!parts.empty() && layout[parts.front().dim] != 'c')
      take(name, layout[parts.front().dim]);
  for (auto [name, parts] : llvm::zip_equal(names, order.getDims()))
    if (parts.empty())
      take(name, 'n');
  for (char &name : names)
    if (name == '?')
      take(name, rest.front());
  return names;
}

ArrayRef<IndexPart> fusion::getPlaces(FusedConvBiasActOp op,
                                      const DepthToSpace &shuffle,
                                      char letter) {
  ArrayRef<IndexPart> parts =
      shuffle.order.getDims()[shuffle.layout.find(letter)];
  if (parts.empty() || letter == 'c')
    return parts;
  // A whole dimension of the convolution is no place.
  const IndexPart &first = parts.front();
  bool isWhole = op.getOutputLayout().getPosition(letter) == first.dim &&
                 first.size == op.getOutputType().getDimSize(first.dim);
  return isWhole ? parts.drop_front() : parts;
}

LogicalResult fusion::checkDims(FusedConvBiasActOp op,
                                const DepthToSpace &shuffle, Refusal &refusal) {
  Operation *first = shuffle.ops.front();
  for (auto [dim, letter] : llvm::enumerate(shuffle.layout)) {
    ArrayRef<IndexPart> places = getPlaces(op, shuffle, letter);
    bool areChannels = llvm::all_of(places, [&](const IndexPart &part) {
      return part.dim == op.getOutputChannelDim();
    });
    if (!areChannels)
      return refusal.because(
          "dimension ", dim, " of the depth-to-space that begins with '",
          first->getName(), "' at ", getLocationText(first->getLoc()),
          " is no spatial one with parts of the channel "
          "behind it");
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Crops
//===----------------------------------------------------------------------===//

static bool isSpatial(const DepthToSpace &shuffle, size_t dim) {
  return shuffle.layout[dim] != 'n' && shuffle.layout[dim] != 'c';
}

/// True if `size` is the number of images. The law refuses other dynamic sizes.
static bool isBatchSize(const DepthToSpace &shuffle, Value size) {
  return llvm::any_of(shuffle.ops, [&](Operation *op) {
    auto expand = dyn_cast<tensor::ExpandShapeOp>(op);
    if (expand && llvm::is_contained(expand.getOutputShape(), size))
      return true;
    auto dim = size.getDefiningOp<tensor::DimOp>();
    std::optional<int64_t> index = dim ? dim.getConstantIndex() : std::nullopt;
    return index && dim.getSource() == op->getResult(0) &&
           cast<ShapedType>(dim.getSource().getType()).isDynamicDim(*index);
  });
}

/// Adds `slice` to the extents if it only cuts off ends of rows and columns.
static bool addCrop(tensor::ExtractSliceOp slice, DepthToSpace &shuffle) {
  if (!slice.hasUnitStride() ||
      slice.getSourceType().getRank() != slice.getType().getRank())
    return false;
  SmallVector<Extent> extents = shuffle.extents;
  for (auto [dim, extent] : llvm::enumerate(extents)) {
    int64_t offset = slice.getStaticOffsets()[dim];
    OpFoldResult size = slice.getMixedSizes()[dim];
    bool isWhole =
        offset == 0 &&
        (isa<Attribute>(size) ? getConstantIntValue(size) ==
                                    slice.getSourceType().getDimSize(dim)
                              : shuffle.layout[dim] == 'n' &&
                                    isBatchSize(shuffle, cast<Value>(size)));
    if (isWhole)
      continue;
    if (!isSpatial(shuffle, dim) || isa<Value>(size) ||
        ShapedType::isDynamic(offset))
      return false;
    extent.begin += offset;
    extent.end = extent.begin + *getConstantIntValue(size);
  }
  shuffle.extents = std::move(extents);
  return true;
}

//===----------------------------------------------------------------------===//
// The ops
//===----------------------------------------------------------------------===//

static Operation *findReordering(Value value) {
  for (OpOperand &use : value.getUses())
    if (use.getOperandNumber() == 0 &&
        ElementOrder::isReordering(use.getOwner()))
      return use.getOwner();
  return nullptr;
}

/// True if an element-wise op reads `value`, also behind reshapes. A pad in
/// front of another op, such as a convolution, belongs to that op.
static bool isReadByElements(Value value) {
  return llvm::any_of(value.getUsers(), [](Operation *user) {
    Refusal ignored = Refusal::unread();
    return isView(user) ? isReadByElements(user->getResult(0))
                        : succeeded(ScalarExpr::match(user, ignored));
  });
}

/// The op that pads `image` for an element-wise op, or null.
static Operation *findPad(Value image) {
  for (Operation *user : image.getUsers()) {
    if (!isa<tensor::PadOp, tensor::InsertSliceOp>(user))
      continue;
    std::optional<Padding> padding = findPadding(user->getResult(0));
    if (padding && padding->source == image &&
        isReadByElements(user->getResult(0)))
      return user;
  }
  return nullptr;
}

/// True if parts of the channel of `op` are in several dimensions, or if all of
/// it is behind a row or column and a channel of size 1 is left. Other mixtures
/// of dimensions are no image, and neither are parts in the batch, such as the
/// groups of a convolution.
static bool isImage(FusedConvBiasActOp op, const DepthToSpace &shuffle) {
  if (!getPlaces(op, shuffle, 'n').empty())
    return false;
  auto isChannel = [&](const IndexPart &part) {
    return part.dim == op.getOutputChannelDim();
  };
  int64_t count = 0;
  bool isMixed = false;
  for (const Parts &parts : shuffle.order.getDims()) {
    count += llvm::any_of(parts, isChannel);
    isMixed |=
        llvm::any_of(parts, isChannel) && !llvm::all_of(parts, isChannel);
  }
  Refusal ignored = Refusal::unread();
  return count > 1 ||
         (isMixed && shuffle.layout == op.getOutputLayout().getLetters() &&
          succeeded(checkDims(op, shuffle, ignored)));
}

/// Follows the result of `op` until its channel is in the dimensions of an
/// image.
static std::optional<DepthToSpace> findImage(FusedConvBiasActOp op) {
  ArrayRef<int64_t> shape = op.getOutputType().getShape();
  DepthToSpace shuffle{{}, ElementOrder(shape), "", {}, nullptr};
  Value value = op.getResult();
  do {
    Operation *next = findReordering(value);
    if (!next || !shuffle.order.apply(next))
      return std::nullopt;
    shuffle.ops.push_back(next);
    value = next->getResult(0);
    if (shuffle.order.getDims().size() == shape.size())
      shuffle.layout =
          nameDims(shuffle.order, op.getOutputLayout().getLetters());
  } while (shuffle.order.getDims().size() != shape.size() ||
           !isImage(op, shuffle));
  for (int64_t size : cast<ShapedType>(value.getType()).getShape())
    shuffle.extents.push_back({0, size});
  return shuffle;
}

std::optional<DepthToSpace> fusion::matchDepthToSpace(FusedConvBiasActOp op) {
  if (!op.hasPureTensorSemantics())
    return std::nullopt;
  std::optional<DepthToSpace> shuffle = findImage(op);
  if (!shuffle)
    return std::nullopt;
  Value value = shuffle->ops.back()->getResult(0);
  while (value.hasOneUse()) {
    auto slice = dyn_cast<tensor::ExtractSliceOp>(*value.user_begin());
    if (!slice || !addCrop(slice, *shuffle))
      break;
    shuffle->ops.push_back(slice);
    value = slice.getResult();
  }
  shuffle->pad = findPad(value);
  return shuffle;
}
