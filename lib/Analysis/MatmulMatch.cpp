//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/MatmulMatch.h"
#include "FusionDialect/Analysis/Broadcast.h"
#include "FusionDialect/Analysis/ConvolutionMatch.h"
#include "FusionDialect/IR/FusionDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace fusion;

/// The letter of each loop, by the operands that it indexes: `b` for all three,
/// `m` for the first and the result, `n` for the second and the result, `k` for
/// the first two; `?` for any other.
static std::string nameLoops(ArrayRef<AffineMap> maps) {
  std::string letters;
  for (unsigned loop = 0, e = maps[0].getNumDims(); loop != e; ++loop) {
    bool inLhs = maps[0].isFunctionOfDim(loop);
    bool inRhs = maps[1].isFunctionOfDim(loop);
    bool inResult = maps[2].isFunctionOfDim(loop);
    if (inResult)
      letters += inLhs ? (inRhs ? 'b' : 'm') : (inRhs ? 'n' : '?');
    else
      letters += inLhs && inRhs ? 'k' : '?';
  }
  return letters;
}

static bool areProjectedPermutations(ArrayRef<AffineMap> maps) {
  return llvm::all_of(
      maps, [](AffineMap map) { return map.isProjectedPermutation(); });
}

/// Whether loops are summed over and one operand has some that the other one
/// has not.
static bool areLoopsOfMatmul(StringRef loops) {
  return loops.contains('k') && (loops.contains('m') || loops.contains('n'));
}

bool fusion::isMatmul(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || isConvolution(op) || linalgOp.getNumDpsInits() != 1 ||
      linalgOp.getNumDpsInputs() < 2 || !getMultiply(linalgOp) ||
      !areProjectedPermutations(getOperandMaps(linalgOp)))
    return false;
  SmallVector<AffineMap> maps = linalgOp.getIndexingMapsArray();
  // Ops on integers have zero points between the operands and the result, which
  // may be tensors of one element.
  auto isNumber = [](AffineMap map) { return map.isConstant(); };
  if (maps.size() != 3)
    return isa<arith::MulIOp>(getMultiply(linalgOp)) &&
           llvm::all_of(ArrayRef(maps).drop_front(2).drop_back(), isNumber);
  return areLoopsOfMatmul(nameLoops(getOperandMaps(linalgOp)));
}

/// The value that `value` is a copy of, behind casts, reshapes, transposes and
/// broadcasts. Sets `isRepeated` if the copy has more elements.
static Value findSource(Value value, bool &isRepeated) {
  while (Operation *op = value.getDefiningOp()) {
    std::optional<Broadcast> copy = matchBroadcast(op);
    if (!copy &&
        !isa<tensor::CastOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp>(
            op))
      break;
    Value source = copy ? copy->source : op->getOperand(0);
    isRepeated |= copy && repeatsElements(*copy, op);
    value = source;
  }
  return value;
}

bool fusion::isWeights(Value value) {
  SmallVector<Value> worklist = {value};
  // An op may read a value twice: its paths are too many to walk them all.
  llvm::SmallPtrSet<Operation *, 8> visited;
  while (!worklist.empty()) {
    bool isRepeated = false;
    Value source = findSource(worklist.pop_back_val(), isRepeated);
    Operation *maker = source.getDefiningOp();
    if (!maker && !isConstantArgument(source))
      return false;
    if (!maker || maker->hasTrait<OpTrait::ConstantLike>() ||
        !visited.insert(maker).second)
      continue;
    auto computed = dyn_cast<linalg::GenericOp>(maker);
    if (!computed || computed.getNumDpsInputs() == 0 ||
        !computed.isAllParallelLoops())
      return false;
    llvm::append_range(worklist, computed.getInputs());
  }
  return true;
}

bool fusion::isRepeated(Value value) {
  bool isRepeated = false;
  findSource(value, isRepeated);
  return isRepeated;
}

/// Whether the first operand is the filter: if the second one has no dimension
/// of its own in the result; if only the first one is known to be weights,
/// which never change between calls; or else if only the first one is a
/// broadcast.
static bool isFilterFirst(linalg::LinalgOp op, StringRef loops) {
  if (!loops.contains('m') || !loops.contains('n'))
    return loops.contains('m');
  Value lhs = op.getDpsInputOperand(0)->get();
  Value rhs = op.getDpsInputOperand(1)->get();
  if (isWeights(lhs) != isWeights(rhs))
    return isWeights(lhs);
  return isRepeated(lhs) && !isRepeated(rhs);
}

/// Makes all rows of the result but the innermost one a batch that the filter
/// does not have. Then they need not be collapsed.
static void makeRowsABatch(std::string &loops, AffineMap resultMap) {
  if (StringRef(loops).contains('b'))
    return;
  SmallVector<unsigned> rows;
  for (AffineExpr expr : resultMap.getResults())
    if (unsigned loop = cast<AffineDimExpr>(expr).getPosition();
        loops[loop] == 'm')
      rows.push_back(loop);
  for (unsigned loop : ArrayRef(rows).drop_back(rows.empty() ? 0 : 1))
    loops[loop] = 'b';
}

/// The loops of `letter` in the order of `map`; none if they are not
/// neighbours.
static std::optional<SmallVector<unsigned>>
getNeighbours(AffineMap map, StringRef loops, char letter) {
  SmallVector<unsigned> found;
  std::optional<size_t> last;
  for (auto [i, expr] : llvm::enumerate(map.getResults())) {
    unsigned loop = cast<AffineDimExpr>(expr).getPosition();
    if (loops[loop] != letter)
      continue;
    if (last && i != *last + 1)
      return std::nullopt;
    last = i;
    found.push_back(loop);
  }
  return found;
}

/// Fails unless dimensions of one letter are neighbours in the same order
/// everywhere, so that they can be collapsed.
static LogicalResult checkCollapsible(ArrayRef<AffineMap> maps, StringRef loops,
                                      Refusal &refusal) {
  constexpr StringLiteral names[] = {"input", "filter", "init"};
  for (auto [letter, what] : {std::pair<char, StringRef>('b', "batch"),
                              {'m', "row"},
                              {'n', "column"},
                              {'k', "reduction"}}) {
    std::optional<SmallVector<unsigned>> order;
    for (auto [map, name] : llvm::zip_equal(maps, names)) {
      auto neighbours = getNeighbours(map, loops, letter);
      if (neighbours && neighbours->empty())
        continue;
      if (!neighbours || (order && *order != *neighbours))
        return refusal.because("unsupported: the ", loops.count(letter), " ",
                               what, " dimensions of '", name,
                               "' do not stand side by side in one order");
      order = neighbours;
    }
  }
  return success();
}

/// True if each element of an operand is multiplied so often that a transpose
/// of it costs little.
static bool isWorthATranspose(AffineMap map, ArrayRef<int64_t> sizes) {
  constexpr int64_t leastUses = 16;
  int64_t uses = 1;
  for (auto [loop, size] : llvm::enumerate(sizes)) {
    if (map.isFunctionOfDim(loop))
      continue;
    if (ShapedType::isDynamic(size))
      return false;
    uses = std::min(uses * std::min(size, leastUses), leastUses);
  }
  return uses >= leastUses;
}

/// The order of the dimensions of an operand in which those of `joined` stand
/// side by side. Where only dimensions of size 1 are apart, no element moves.
/// Else the order is that of a transpose, with a batch in front and others
/// where the last one is; none if it is not worth it.
static std::optional<SmallVector<int64_t>> joinDims(AffineMap map,
                                                    ArrayRef<unsigned> joined,
                                                    bool isBatch,
                                                    ArrayRef<int64_t> sizes) {
  SmallVector<int64_t> places, large, order;
  for (unsigned loop : joined) {
    AffineExpr expr = getAffineDimExpr(loop, map.getContext());
    places.push_back(*map.getResultPosition(expr));
    if (sizes[loop] != 1)
      large.push_back(places.back());
  }
  int64_t front = large.empty() ? 0 : large.front();
  bool moves =
      large != llvm::to_vector(llvm::seq<int64_t>(front, front + large.size()));
  if (moves && !isWorthATranspose(map, sizes))
    return std::nullopt;
  for (int64_t dim : llvm::seq<int64_t>(map.getNumResults()))
    if (!llvm::is_contained(places, dim))
      order.push_back(dim);
  int64_t last = moves ? *llvm::max_element(places) : front;
  auto isBefore = [&](int64_t dim) { return dim < last; };
  int64_t place = moves && isBatch ? 0 : llvm::count_if(order, isBefore);
  order.insert(order.begin() + place, places.begin(), places.end());
  return order;
}

/// The orders of the dimensions of all operands, empty where they stay.
using Orders = std::array<SmallVector<int64_t>, 3>;

/// Brings the dimensions of `letter` into the order that those of `like` have,
/// side by side in each of `maps`, where that costs little.
static void joinLetter(MutableArrayRef<AffineMap> maps, Orders &orders,
                       StringRef loops, char letter, AffineMap like,
                       ArrayRef<int64_t> sizes) {
  SmallVector<unsigned> joined;
  for (AffineExpr expr : like.getResults())
    if (unsigned loop = cast<AffineDimExpr>(expr).getPosition();
        loops[loop] == letter)
      joined.push_back(loop);
  for (auto [map, order] : llvm::zip_equal(maps, orders)) {
    auto neighbours = getNeighbours(map, loops, letter);
    if (neighbours && (neighbours->empty() || *neighbours == joined))
      continue;
    auto next = joinDims(map, joined, letter == 'b', sizes);
    if (!next)
      continue;
    order = order.empty() ? *next : applyPermutation(order, *next);
    map = AffineMap::get(map.getNumDims(), 0,
                         applyPermutation(map.getResults(), *next),
                         map.getContext());
  }
}

/// Brings dimensions of one letter side by side in each of `maps`, where that
/// costs little. The result says the order, and the filter that of what is
/// summed over, which is often constant.
static Orders joinNeighbours(MutableArrayRef<AffineMap> maps, StringRef loops,
                             ArrayRef<int64_t> sizes) {
  Orders orders;
  for (char letter : {'b', 'm', 'n', 'k'})
    joinLetter(maps, orders, loops, letter, maps[letter == 'k' ? 1 : 2], sizes);
  return orders;
}

LogicalResult fusion::checkMatmulMaps(AffineMap input, AffineMap filter,
                                      AffineMap init, Refusal &refusal) {
  SmallVector<AffineMap> maps = {input, filter, init};
  if (!areProjectedPermutations(maps))
    return refusal.because("an operand of the sum is no permutation of loops");
  std::string loops = nameLoops(maps);
  if (!areLoopsOfMatmul(loops) || StringRef(loops).contains('?'))
    return refusal.because("the sum is no matrix multiplication");
  if (!StringRef(loops).contains('n')) {
    std::swap(maps[0], maps[1]);
    loops = nameLoops(maps);
  }
  makeRowsABatch(loops, init);
  return checkCollapsible(maps, loops, refusal);
}

static std::string getLetters(AffineMap map, StringRef loops) {
  std::string letters;
  for (AffineExpr expr : map.getResults())
    letters += loops[cast<AffineDimExpr>(expr).getPosition()];
  return letters;
}

FailureOr<MatmulMatch> fusion::matchMatmul(linalg::LinalgOp op,
                                           const RaiseOptions &options,
                                           Refusal &refusal) {
  if (failed(checkMultiplyAdd(op, "matrix multiplication", options, refusal)))
    return failure();
  std::string loops = nameLoops(getOperandMaps(op));
  if (size_t loop = loops.find('?'); loop != std::string::npos)
    return refusal.because("unsupported: loop ", loop,
                           " is none of batch, row, column or reduction");
  SmallVector<AffineMap> maps = getOperandMaps(op);
  MatmulMatch match;
  match.input = op.getDpsInputOperand(0)->get();
  match.filter = op.getDpsInputOperand(1)->get();
  match.init = op.getDpsInitOperand(0)->get();
  std::array<IntegerFactor, 2> factors;
  if (options.integers)
    factors = *matchIntegerFactors(op, "matrix multiplication", refusal);
  if (isFilterFirst(op, loops)) {
    std::swap(factors[0], factors[1]);
    std::swap(match.input, match.filter);
    std::swap(maps[0], maps[1]);
    for (char &letter : loops)
      letter = letter == 'm' ? 'n' : letter == 'n' ? 'm' : letter;
  }
  makeRowsABatch(loops, maps[2]);
  SmallVector<AffineMap> joined = maps;
  Orders orders = joinNeighbours(joined, loops, op.getStaticLoopRanges());
  match.inputOrder = orders[0];
  match.filterOrder = orders[1];
  match.outputOrder = orders[2];
  if (failed(checkInputFactor(factors[0], refusal)) ||
      failed(checkCollapsible(joined, loops, refusal)))
    return failure();
  if (options.integers) {
    match.input = factors[0].source;
    match.filter = factors[1].source;
  }
  match.inputFactor = factors[0];
  match.filterFactor = factors[1];
  match.inputLetters = getLetters(maps[0], loops);
  match.filterLetters = getLetters(maps[1], loops);
  match.outputLetters = getLetters(maps[2], loops);
  return match;
}
