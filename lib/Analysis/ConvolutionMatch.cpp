//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/ConvolutionMatch.h"
#include "ConvolutionLoops.h"
#include "FusionDialect/IR/Layout.h"

using namespace mlir;
using namespace fusion;

/// True if a sum of products reads its factor `number` by windows: an index
/// depends on a loop over the output and on a loop that is summed over, or is
/// one of them times a stride. `maps` has that of the result last.
static bool readsWindows(ArrayRef<AffineMap> maps, unsigned number) {
  auto isSum = [&](unsigned loop) { return !maps[2].isFunctionOfDim(loop); };
  auto loops = llvm::seq<unsigned>(maps[2].getNumDims());
  return llvm::any_of(maps[number].getResults(), [&](AffineExpr expr) {
    if (matchStride(expr))
      return llvm::any_of(loops, isSum);
    auto isRead = [&](unsigned loop) { return expr.isFunctionOfDim(loop); };
    auto read = llvm::make_filter_range(loops, isRead);
    return llvm::any_of(read, isSum) && !llvm::all_of(read, isSum);
  });
}

/// True if a sum of products is a convolution by windows of one element without
/// loops over them, whose input is operand `number`. Other matrix
/// multiplications read the pixels of all images as rows; the channels of these
/// are in between. `maps` has that of the result last.
static bool readsPixels(ArrayRef<AffineMap> maps, unsigned number) {
  AffineMap input = maps[number], filter = maps[1 - number], init = maps[2];
  if (!llvm::all_of(maps,
                    [](AffineMap map) { return map.isProjectedPermutation(); }))
    return false;
  auto isPixel = [&](AffineExpr expr) {
    unsigned loop = cast<AffineDimExpr>(expr).getPosition();
    return !filter.isFunctionOfDim(loop) && init.isFunctionOfDim(loop);
  };
  // All other loops are an input and an output channel, of which a single one
  // has no loop; images have one to three dimensions.
  unsigned numPixels = llvm::count_if(input.getResults(), isPixel);
  bool hasOutputChannel = init.getNumResults() == numPixels + 1;
  if (numPixels < 2 || numPixels > 4 ||
      input.getNumResults() != numPixels + 1 ||
      init.getNumResults() != numPixels + hasOutputChannel ||
      filter.getNumResults() != 1 + hasOutputChannel ||
      input.getNumDims() != numPixels + 1 + hasOutputChannel)
    return false;
  AffineExpr batch = *llvm::find_if(input.getResults(), isPixel);
  auto isInImage = [&](AffineExpr expr) {
    return isPixel(expr) && expr != batch;
  };
  auto areBoth = [&](llvm::function_ref<bool(AffineExpr)> pred) {
    return areAdjacent(input, pred) && areAdjacent(init, pred);
  };
  return areBoth(isInImage) && !areBoth(isPixel);
}

/// True if factor `number` of a sum of products is the input of a convolution.
static bool readsImages(ArrayRef<AffineMap> maps, unsigned number) {
  return readsWindows(maps, number) || readsPixels(maps, number);
}

unsigned fusion::getInputNumber(linalg::LinalgOp op) {
  SmallVector<AffineMap> maps = getOperandMaps(op);
  return !readsImages(maps, 0) && readsImages(maps, 1);
}

bool fusion::isConvolution(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || linalgOp.getNumDpsInits() != 1 || !getMultiply(linalgOp))
    return false;
  SmallVector<AffineMap> maps = getOperandMaps(linalgOp);
  return isa<linalg::ConvolutionOpInterface>(op) ||
         linalg::isaConvolutionOpInterface(linalgOp) || readsImages(maps, 0) ||
         readsImages(maps, 1);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

namespace {
/// One spatial dimension: the loop over the output, the loop over the kernel.
/// Upstream's `linalg-fold-unit-extent-dims` drops one of a single iteration.
struct SpatialDim {
  std::optional<unsigned> output, kernel;
  int64_t stride, dilation;

  unsigned getLoop() const { return output ? *output : *kernel; }
};
} // namespace

/// Reads `expr` as output * stride + kernel * dilation, or as one of the two.
static std::optional<SpatialDim>
matchSpatialDim(AffineExpr expr, const linalg::ConvolutionDimensions &dims) {
  if (std::optional<ScaledLoop> loop = matchScaledLoop(expr)) {
    if (llvm::is_contained(dims.outputImage, loop->first))
      return SpatialDim{loop->first, std::nullopt, loop->second, 1};
    if (llvm::is_contained(dims.filterLoop, loop->first))
      return SpatialDim{std::nullopt, loop->first, 1, loop->second};
  }
  auto window = matchWindow(expr);
  if (!window)
    return std::nullopt;
  auto [first, second] = *window;
  if (!llvm::is_contained(dims.outputImage, first.first))
    std::swap(first, second);
  if (!llvm::is_contained(dims.outputImage, first.first) ||
      !llvm::is_contained(dims.filterLoop, second.first))
    return std::nullopt;
  return SpatialDim{first.first, second.first, first.second, second.second};
}

/// The letter of each loop. The spatial ones are in the order of the output.
static FailureOr<SmallVector<char>>
assignLetters(unsigned numLoops, const linalg::ConvolutionDimensions &dims,
              ArrayRef<SpatialDim> spatial, Refusal &refusal) {
  SmallVector<char> letters(numLoops, '?');
  for (auto [loops, letter, name] :
       {std::tuple<ArrayRef<unsigned>, char, StringRef>(dims.batch, 'n',
                                                        "batch"),
        {dims.depth, 'g', "group"},
        {dims.outputChannel, 'f', "output channel"},
        {dims.inputChannel, 'c', "input channel"}}) {
    if (loops.size() > 1)
      return refusal.because("unsupported: ", loops.size(), " ", name,
                             " dimensions, expected at most 1");
    for (unsigned loop : loops)
      letters[loop] = letter;
  }
  StringRef names = getSpatialLetters(spatial.size());
  for (auto [dim, letter] : llvm::zip_equal(spatial, names)) {
    for (std::optional<unsigned> loop : {dim.output, dim.kernel})
      if (loop)
        letters[*loop] = letter;
  }
  return letters;
}

/// The letters of an operand that a permutation of some loops reads.
static FailureOr<std::string> getLetters(AffineMap map, ArrayRef<char> letters,
                                         StringRef name, Refusal &refusal) {
  std::string result;
  for (AffineExpr expr : map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim)
      return refusal.because("unsupported: '", name, "' is indexed by ", expr);
    result.push_back(letters[dim.getPosition()]);
  }
  return result;
}

/// Fails if the input is larger than the output needs, because the fusion op
/// derives the output size from it.
static LogicalResult checkSizes(const ConvolutionMatch &match,
                                Refusal &refusal) {
  for (auto [i, letter] :
       llvm::enumerate(getSpatialLetters(match.spatialRank))) {
    auto getSize = [letter = letter](Value value, StringRef letters) {
      size_t dim = letters.find(letter);
      // A window of one element may have no dimension.
      return dim == StringRef::npos
                 ? 1
                 : cast<ShapedType>(value.getType()).getDimSize(dim);
    };
    int64_t in = getSize(match.input, match.inputLetters);
    int64_t kernel = getSize(match.filter, match.filterLetters);
    int64_t out = getSize(match.init, match.outputLetters);
    if (ShapedType::isDynamic(in) || ShapedType::isDynamic(kernel) ||
        ShapedType::isDynamic(out))
      continue;
    int64_t needed =
        (out - 1) * match.strides[i] + (kernel - 1) * match.dilations[i] + 1;
    if (in - needed >= match.strides[i])
      return refusal.because("unsupported: 'input' has size ", in,
                             " in dimension '", StringRef(&letter, 1),
                             "', of which the output reads only ", needed);
  }
  return success();
}

/// Fails unless group dimensions are adjacent to the channels they are
/// collapsed with.
static LogicalResult checkGroups(ConvolutionMatch &match, Refusal &refusal) {
  size_t group = match.filterLetters.find('g');
  if (group == std::string::npos)
    return success();
  match.groups = cast<ShapedType>(match.filter.getType()).getDimSize(group);
  if (ShapedType::isDynamic(match.groups))
    return refusal.because("unsupported: number of groups is dynamic");
  for (auto [letters, channel, name] : {std::tuple<StringRef, char, StringRef>(
                                            match.inputLetters, 'c', "input"),
                                        {match.outputLetters, 'f', "init"}}) {
    size_t g = letters.find('g'), c = letters.find(channel);
    if (g == StringRef::npos)
      return refusal.because("unsupported: '", name,
                             "' has no group dimension");
    if (c != StringRef::npos && c != g + 1)
      return refusal.because("unsupported: group and channel dimension of '",
                             name, "' are not adjacent");
  }
  return success();
}

/// Brings the dimensions that `output` has into its order, and leaves others
/// where they are.
static void sortByOutput(SmallVectorImpl<SpatialDim> &spatial,
                         AffineMap output) {
  SmallVector<SpatialDim *> places;
  SmallVector<std::pair<unsigned, SpatialDim>> sorted;
  for (SpatialDim &dim : spatial) {
    if (!dim.output)
      continue;
    AffineExpr loop = getAffineDimExpr(*dim.output, output.getContext());
    sorted.push_back({*output.getResultPosition(loop), dim});
    places.push_back(&dim);
  }
  llvm::sort(sorted, llvm::less_first());
  for (auto [place, dim] : llvm::zip_equal(places, sorted))
    *place = dim.second;
}

/// The spatial dimensions, in the order of the output.
static FailureOr<SmallVector<SpatialDim>>
matchSpatialDims(ArrayRef<AffineMap> maps,
                 const linalg::ConvolutionDimensions &dims, Refusal &refusal) {
  SmallVector<SpatialDim> spatial;
  for (AffineExpr expr : maps[0].getResults())
    if (std::optional<SpatialDim> dim = matchSpatialDim(expr, dims))
      spatial.push_back(*dim);
  size_t numBoth = llvm::count_if(
      spatial, [](const SpatialDim &dim) { return dim.output && dim.kernel; });
  size_t expected = dims.outputImage.size() + dims.filterLoop.size() - numBoth;
  if (spatial.empty() || spatial.size() > 3 || spatial.size() != expected)
    return refusal.because("unsupported: ", expected,
                           " spatial dimensions, of which ", spatial.size(),
                           " are windows; expected 1 to 3 windows");
  sortByOutput(spatial, maps[2]);
  return spatial;
}

/// `map` with a loop over the output or the window in place of each window,
/// which makes it a permutation of loops.
static AffineMap nameWindows(AffineMap map,
                             const linalg::ConvolutionDimensions &dims) {
  MLIRContext *context = map.getContext();
  SmallVector<AffineExpr> exprs =
      llvm::map_to_vector(map.getResults(), [&](AffineExpr expr) {
        std::optional<SpatialDim> dim = matchSpatialDim(expr, dims);
        return dim ? getAffineDimExpr(dim->getLoop(), context) : expr;
      });
  return AffineMap::get(map.getNumDims(), 0, exprs, context);
}

/// Names the dimensions of all three operands of `match`.
static LogicalResult nameOperandDims(ConvolutionMatch &match,
                                     ArrayRef<AffineMap> maps,
                                     ArrayRef<char> letters, Refusal &refusal) {
  for (auto [map, name, result] :
       {std::tuple<AffineMap, StringRef, std::string *>(maps[0], "input",
                                                        &match.inputLetters),
        {maps[1], "filter", &match.filterLetters},
        {maps[2], "init", &match.outputLetters}}) {
    FailureOr<std::string> names = getLetters(map, letters, name, refusal);
    if (failed(names))
      return failure();
    *result = *names;
  }
  return success();
}

/// Reads a sum of products of `input` and `filter`, read by `maps`, which has
/// that of `init` last.
static FailureOr<ConvolutionMatch> matchOperands(SmallVector<AffineMap> maps,
                                                 Value input, Value filter,
                                                 Value init, Refusal &refusal) {
  FailureOr<linalg::ConvolutionDimensions> dims = classifyLoops(maps, refusal);
  if (failed(dims))
    return failure();
  FailureOr<SmallVector<SpatialDim>> spatial =
      matchSpatialDims(maps, *dims, refusal);
  if (failed(spatial))
    return failure();
  FailureOr<SmallVector<char>> letters =
      assignLetters(maps[0].getNumDims(), *dims, *spatial, refusal);
  if (failed(letters))
    return failure();
  ConvolutionMatch match;
  match.input = input;
  match.filter = filter;
  match.init = init;
  match.spatialRank = spatial->size();
  match.groups = 1;
  for (const SpatialDim &dim : *spatial) {
    match.strides.push_back(dim.stride);
    match.dilations.push_back(dim.dilation);
  }
  maps[0] = nameWindows(maps[0], *dims);
  if (failed(nameOperandDims(match, maps, *letters, refusal)) ||
      failed(checkGroups(match, refusal)) || failed(checkSizes(match, refusal)))
    return failure();
  return match;
}

LogicalResult fusion::checkConvolutionMaps(ArrayRef<AffineMap> maps, Value lhs,
                                           Value rhs, Value init,
                                           Refusal &refusal) {
  if (readsImages(maps, 0))
    return matchOperands({maps[0], maps[1], maps[2]}, lhs, rhs, init, refusal);
  if (readsImages(maps, 1))
    return matchOperands({maps[1], maps[0], maps[2]}, rhs, lhs, init, refusal);
  return refusal.because("no factor is read by windows or pixels");
}

FailureOr<ConvolutionMatch>
fusion::matchConvolution(linalg::LinalgOp op, const RaiseOptions &options,
                         Refusal &refusal) {
  unsigned input = getInputNumber(op);
  if (failed(checkMultiplyAdd(op, "convolution", options, refusal, input)))
    return failure();
  SmallVector<AffineMap> maps = getOperandMaps(op);
  if (input == 1)
    std::swap(maps[0], maps[1]);
  FailureOr<ConvolutionMatch> match =
      matchOperands(maps, op.getDpsInputOperand(input)->get(),
                    op.getDpsInputOperand(1 - input)->get(),
                    op.getDpsInitOperand(0)->get(), refusal);
  if (failed(match) || !options.integers)
    return match;
  auto factors = *matchIntegerFactors(op, "convolution", refusal);
  match->inputFactor = factors[input];
  match->filterFactor = factors[1 - input];
  match->input = factors[input].source;
  match->filter = factors[1 - input].source;
  if (failed(checkInputFactor(factors[input], refusal)))
    return failure();
  return match;
}
