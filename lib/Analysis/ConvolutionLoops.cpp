//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConvolutionLoops.h"

using namespace mlir;
using namespace fusion;

std::optional<ScaledLoop> fusion::matchScaledLoop(AffineExpr expr) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return {{dim.getPosition(), 1}};
  auto product = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!product || product.getKind() != AffineExprKind::Mul)
    return std::nullopt;
  auto dim = dyn_cast<AffineDimExpr>(product.getLHS());
  auto factor = dyn_cast<AffineConstantExpr>(product.getRHS());
  if (!dim || !factor || factor.getValue() < 1)
    return std::nullopt;
  return {{dim.getPosition(), factor.getValue()}};
}

std::optional<ScaledLoop> fusion::matchStride(AffineExpr expr) {
  std::optional<ScaledLoop> loop = matchScaledLoop(expr);
  return loop && loop->second > 1 ? loop : std::nullopt;
}

std::optional<std::pair<ScaledLoop, ScaledLoop>>
fusion::matchWindow(AffineExpr expr) {
  auto sum = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!sum || sum.getKind() != AffineExprKind::Add)
    return std::nullopt;
  std::optional<ScaledLoop> first = matchScaledLoop(sum.getLHS());
  std::optional<ScaledLoop> second = matchScaledLoop(sum.getRHS());
  if (!first || !second)
    return std::nullopt;
  return {{*first, *second}};
}

bool fusion::areAdjacent(AffineMap map,
                         llvm::function_ref<bool(AffineExpr)> pred) {
  auto exprs = map.getResults();
  auto behind = std::find_if_not(llvm::find_if(exprs, pred), exprs.end(), pred);
  return std::none_of(behind, exprs.end(), pred);
}

namespace {
/// How a loop indexes an operand.
enum class IndexUse { None, Alone, InWindow, Other };
} // namespace

static IndexUse getUse(AffineMap map, unsigned loop) {
  IndexUse use = IndexUse::None;
  for (AffineExpr expr : map.getResults()) {
    if (!expr.isFunctionOfDim(loop))
      continue;
    if (use != IndexUse::None)
      return IndexUse::Other;
    use = isa<AffineDimExpr>(expr)                 ? IndexUse::Alone
          : matchWindow(expr) || matchStride(expr) ? IndexUse::InWindow
                                                   : IndexUse::Other;
  }
  return use;
}

/// The loops of `dims` to which a loop with these uses belongs; null if there
/// is none.
static SmallVector<unsigned, 2> *selectDims(linalg::ConvolutionDimensions &dims,
                                            IndexUse input, IndexUse filter,
                                            IndexUse init) {
  constexpr auto None = IndexUse::None, Alone = IndexUse::Alone,
                 InWindow = IndexUse::InWindow;
  const std::tuple<IndexUse, IndexUse, IndexUse, SmallVector<unsigned, 2> *>
      kinds[] = {{Alone, None, Alone, &dims.batch},
                 {InWindow, None, Alone, &dims.outputImage},
                 {None, Alone, Alone, &dims.outputChannel},
                 {Alone, Alone, Alone, &dims.depth},
                 {InWindow, Alone, None, &dims.filterLoop},
                 {Alone, Alone, None, &dims.inputChannel}};
  for (auto [inInput, inFilter, inInit, loops] : kinds)
    if (input == inInput && filter == inFilter && init == inInit)
      return loops;
  return nullptr;
}

/// Makes spatial dimensions of all loops over the batch but `batch`, if they
/// and the windows lie side by side in input and output: their windows are one
/// element. Returns false if they do not.
static bool moveToImage(ArrayRef<AffineMap> maps,
                        linalg::ConvolutionDimensions &dims,
                        std::optional<unsigned> batch) {
  SmallVector<unsigned> moved,
      spatial(dims.outputImage.begin(), dims.outputImage.end());
  llvm::copy_if(dims.batch, std::back_inserter(moved),
                [&](unsigned loop) { return loop != batch; });
  llvm::append_range(spatial, moved);
  auto isSpatial = [&](AffineExpr expr) {
    return llvm::any_of(
        spatial, [&](unsigned loop) { return expr.isFunctionOfDim(loop); });
  };
  if (!areAdjacent(maps[0], isSpatial) || !areAdjacent(maps[2], isSpatial))
    return false;
  llvm::append_range(dims.outputImage, moved);
  dims.batch.clear();
  if (batch)
    dims.batch.push_back(*batch);
  return true;
}

/// Finds the batch among the loops that only move along input and output. Of
/// several it is the outermost one. There is none if the images stand behind
/// their channels: a single image has no loop.
static void moveBatchToImage(ArrayRef<AffineMap> maps,
                             linalg::ConvolutionDimensions &dims) {
  auto isBatch = [&](AffineExpr expr) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    return dim && llvm::is_contained(dims.batch, dim.getPosition());
  };
  ArrayRef<AffineExpr> exprs = maps[0].getResults();
  const AffineExpr *outermost = llvm::find_if(exprs, isBatch);
  if (outermost == exprs.end())
    return;
  unsigned batch = cast<AffineDimExpr>(*outermost).getPosition();
  if (dims.batch.size() > 1 && moveToImage(maps, dims, batch))
    return;
  if (outermost != exprs.begin() && !isBatch(maps[2].getResult(0)))
    moveToImage(maps, dims, std::nullopt);
}

/// The loop over input channels among `candidates`, in the order of the input.
/// Those of groups lie behind the groups; else the output says whether channels
/// are in front of images or behind.
static std::optional<unsigned>
findChannelLoop(ArrayRef<AffineMap> maps,
                const linalg::ConvolutionDimensions &dims,
                ArrayRef<unsigned> candidates) {
  auto isIn = [](AffineExpr expr, ArrayRef<unsigned> loops) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    return dim && llvm::is_contained(loops, dim.getPosition());
  };
  if (!dims.depth.empty()) {
    ArrayRef<AffineExpr> exprs = maps[0].getResults();
    const auto *group = llvm::find_if(
        exprs, [&](AffineExpr expr) { return isIn(expr, dims.depth); });
    if (group + 1 < exprs.end() && isIn(group[1], candidates))
      return cast<AffineDimExpr>(group[1]).getPosition();
    if (dims.outputChannel.empty())
      return std::nullopt;
  }
  bool isLast = isIn(maps[2].getResults().back(), dims.outputChannel);
  return isLast ? candidates.back() : candidates.front();
}

/// Makes windows of all loops over input channels but one: the output of each
/// is one element, whose loop is gone.
static void moveChannelsToWindows(ArrayRef<AffineMap> maps,
                                  linalg::ConvolutionDimensions &dims) {
  if (dims.inputChannel.size() + dims.depth.size() < 2)
    return;
  SmallVector<unsigned> candidates;
  for (AffineExpr expr : maps[0].getResults())
    if (auto dim = dyn_cast<AffineDimExpr>(expr);
        dim && llvm::is_contained(dims.inputChannel, dim.getPosition()))
      candidates.push_back(dim.getPosition());
  if (candidates.empty())
    return;
  std::optional<unsigned> channel = findChannelLoop(maps, dims, candidates);
  dims.inputChannel.clear();
  for (unsigned loop : candidates)
    (loop == channel ? dims.inputChannel : dims.filterLoop).push_back(loop);
}

FailureOr<linalg::ConvolutionDimensions>
fusion::classifyLoops(ArrayRef<AffineMap> maps, Refusal &refusal) {
  for (AffineExpr expr : maps[0].getResults())
    if (!isa<AffineDimExpr, AffineConstantExpr>(expr) && !matchWindow(expr) &&
        !matchStride(expr))
      return refusal.because("unsupported: windows are not a sum of output and "
                             "kernel dimensions");
  linalg::ConvolutionDimensions dims;
  for (unsigned loop = 0, e = maps[0].getNumDims(); loop != e; ++loop) {
    SmallVector<unsigned, 2> *loops =
        selectDims(dims, getUse(maps[0], loop), getUse(maps[1], loop),
                   getUse(maps[2], loop));
    if (!loops)
      return refusal.because("unsupported: loop ", loop,
                             " is none of batch, group, channel or window");
    loops->push_back(loop);
  }
  moveBatchToImage(maps, dims);
  moveChannelsToWindows(maps, dims);
  return dims;
}
