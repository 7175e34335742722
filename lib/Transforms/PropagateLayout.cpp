//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// One walk in program order. A convolution that has been brought to
// channels-last gets a transpose behind it, which restores the result for its
// readers. An op that can work on the source of such a transpose does so, and
// gets a restoring transpose of its own. Transposes without readers are erased
// in the end.
//
// A reshape that collapses dimensions which are no neighbours in channels-last,
// as a group norm does, stays behind the restoring transpose. Readers work on
// its source, and get such a reshape behind them, which later ones may undo.

#include "FusionDialect/Analysis/Dataflow.h"
#include "FusionDialect/Analysis/Transpose.h"
#include "FusionDialect/IR/FusionOps.h"
#include "FusionDialect/Interfaces/TransposableOpInterface.h"
#include "FusionDialect/Transforms/Passes.h"
#include "FusionDialect/Utils/Expand.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/ADT/EquivalenceClasses.h"

namespace fusion {
#define GEN_PASS_DEF_FUSIONPROPAGATELAYOUT
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace fusion

using namespace mlir;
using namespace fusion;

namespace {
class LayoutPropagation {
public:
  explicit LayoutPropagation(MLIRContext *context) : rewriter(context) {}

  void run(Operation *root);

private:
  /// The permutation from `value` to the source of the restoring transpose that
  /// makes it.
  std::optional<DimOrder> find(Value value) const;
  std::optional<DimOrder> findWantedLayout(Operation *transpose) const;
  /// The reshape that makes `value` of what a restoring transpose makes.
  tensor::CollapseShapeOp findMerge(Value value) const;
  /// Replaces the results of `op` by restoring transposes of `results`.
  void replace(Operation *op, ArrayRef<TransposedValue> results);

  void visit(Operation *op);
  void visitTranspose(Operation *op, Value source, ArrayRef<int64_t> order);
  void visitConvolution(FusedOpInterface op);
  void visitTransposable(TransposableOpInterface op);
  void visitMerged(TransposableOpInterface op);
  void visitElementwise(Operation *op);

  void eraseUnused();

  IRRewriter rewriter;
  llvm::SetVector<Operation *> restoring;
  /// Ops not visited yet whose results a convolution reads, maybe behind ops
  /// that work in any layout.
  llvm::DenseSet<Operation *> feedsConvolution;
};
} // namespace

//===----------------------------------------------------------------------===//
// Ops that take part
//===----------------------------------------------------------------------===//

static bool isConvolutionOp(Operation *op) {
  return isa<FusedConvBiasActOp, FusedDeconvBiasActOp, QuantizedConvBiasActOp>(
             op) &&
         op->getNumResults() == 1;
}

/// Whether `op` is element-wise on tensors, such as ops of `arith` and `math`.
static bool isElementwiseOnTensors(Operation *op) {
  return OpTrait::hasElementwiseMappableTraits(op) &&
         llvm::all_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>);
}

/// Whether `op` may be computed on transposed tensors.
static bool isFreeOfLayout(Operation *op) {
  if (auto transposable = dyn_cast<TransposableOpInterface>(op))
    return !transposable.getTransposableOperands().empty();
  return isElementwiseOnTensors(op);
}

/// The operands that are reordered together with the result of `op`.
static SmallVector<Value> getReorderedOperands(Operation *op) {
  auto fused = dyn_cast<FusedOpInterface>(op);
  if (auto transposable = dyn_cast<TransposableOpInterface>(op);
      transposable && !fused)
    return llvm::map_to_vector(
        transposable.getTransposableOperands(),
        [](OpOperand *operand) { return operand->get(); });
  if (!fused)
    return llvm::to_vector(op->getOperands());
  SmallVector<Value> operands = {fused.getInput()};
  if (fused.getResidual())
    operands.push_back(fused.getResidual());
  return operands;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

std::optional<DimOrder> LayoutPropagation::find(Value value) const {
  auto transpose = value.getDefiningOp<linalg::TransposeOp>();
  if (!transpose || !restoring.contains(transpose))
    return std::nullopt;
  return invertPermutationVector(transpose.getPermutation());
}

tensor::CollapseShapeOp LayoutPropagation::findMerge(Value value) const {
  auto collapse = value.getDefiningOp<tensor::CollapseShapeOp>();
  return collapse && find(collapse.getSrc()) ? collapse : nullptr;
}

void LayoutPropagation::replace(Operation *op,
                                ArrayRef<TransposedValue> results) {
  rewriter.setInsertionPointAfter(op);
  SmallVector<Value> restored;
  for (const TransposedValue &result : results) {
    Value value = reorder(rewriter, op->getLoc(), result.value,
                          invertPermutationVector(result.permutation));
    if (auto transpose = value.getDefiningOp<linalg::TransposeOp>();
        transpose && transpose.getInput() == result.value)
      restoring.insert(transpose);
    restored.push_back(value);
  }
  assert(TypeRange(restored) == op->getResultTypes() &&
         "transposed values do not have the permuted types of the results");
  rewriter.replaceOp(op, restored);
}

//===----------------------------------------------------------------------===//
// Fusion ops
//===----------------------------------------------------------------------===//

void LayoutPropagation::visitConvolution(FusedOpInterface op) {
  LayoutAttr last = op.getInputLayout().getChannelsLast();
  if (op.getInputLayout() == last && op.getOutputLayout() == last)
    return;
  DimOrder inputOrder = op.getInputLayout().getPositions(last.getLetters());
  DimOrder order = op.getOutputLayout().getPositions(last.getLetters());
  Location loc = op.getLoc();
  auto replacement = cast<FusedOpInterface>(rewriter.clone(*op));
  rewriter.setInsertionPoint(replacement);
  Value init = reorderDestination(rewriter, loc, op.getInit(), order);
  replacement.getInputMutable().set(
      reorder(rewriter, loc, op.getInput(), inputOrder));
  replacement.setInputLayoutAttr(last);
  if (Value residual = op.getResidual())
    replacement.getResidualMutable().assign(
        reorder(rewriter, loc, residual, order));
  replacement.getInitMutable().set(init);
  replacement.setOutputLayoutAttr(last);
  replacement->getResult(0).setType(init.getType());
  replace(op, TransposedValue{replacement->getResult(0), order});
}

//===----------------------------------------------------------------------===//
// Other ops
//===----------------------------------------------------------------------===//

void LayoutPropagation::visitTransposable(TransposableOpInterface op) {
  for (OpOperand *operand : op.getTransposableOperands()) {
    std::optional<DimOrder> permutation = find(operand->get());
    if (!permutation)
      continue;
    FailureOr<SmallVector<TransposedValue>> results =
        op.getTransposedImplementation(rewriter, *operand, *permutation);
    // Another operand may have dimensions that this one lacks.
    if (succeeded(results))
      return replace(op, *results);
  }
  visitMerged(op);
}

/// The same as `op`, which reads the result of `merge` as `operand`, with
/// `merge` behind it.
static FailureOr<MovedReshape> moveBehind(RewriterBase &rewriter, Operation *op,
                                          OpOperand &operand,
                                          tensor::CollapseShapeOp merge) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return moveReshape(rewriter, linalgOp, operand, merge);
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return moveReshape(rewriter, expand, merge);
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    return moveReshape(rewriter, collapse, merge);
  return rewriter.notifyMatchFailure(op, "its dimensions cannot be divided");
}

void LayoutPropagation::visitMerged(TransposableOpInterface op) {
  if (!feedsConvolution.contains(op))
    return;
  for (OpOperand &operand : op->getOpOperands()) {
    tensor::CollapseShapeOp merge = findMerge(operand.get());
    if (!merge || !llvm::is_contained(op.getTransposableOperands(), &operand))
      continue;
    FailureOr<MovedReshape> moved = moveBehind(rewriter, op, operand, merge);
    if (failed(moved))
      continue;
    rewriter.replaceOp(op, moved->results);
    if (merge->use_empty())
      rewriter.eraseOp(merge);
    for (Operation *part : moved->ops)
      visit(part);
    return;
  }
}

void LayoutPropagation::visitElementwise(Operation *op) {
  auto leading = llvm::find_if(op->getOperands(), [&](Value operand) {
    return find(operand).has_value();
  });
  if (leading == op->getOperands().end())
    return;
  DimOrder order = *find(*leading);
  IRMapping operands;
  for (Value operand : op->getOperands())
    if (isa<RankedTensorType>(operand.getType()))
      operands.map(operand, reorder(rewriter, op->getLoc(), operand, order));
  Operation *replacement = rewriter.clone(*op, operands);
  SmallVector<TransposedValue> results;
  for (OpResult result : replacement->getResults()) {
    result.setType(
        reorderType(cast<RankedTensorType>(result.getType()), order));
    results.push_back({result, order});
  }
  replace(op, results);
}

/// Whether `order` permutes dimensions that lie side by side in `layout`, such
/// as the parts of a channel that is shuffled.
static bool permutesNeighbours(ArrayRef<int64_t> order,
                               ArrayRef<int64_t> layout) {
  SmallVector<size_t> places;
  for (auto [place, dim] : llvm::enumerate(layout))
    if (order[dim] != dim)
      places.push_back(place);
  return !places.empty() && places.back() - places.front() < places.size();
}

/// The layout of the result of `transpose` in which images that are made of it
/// by collapsing dimensions have the channels last, as those of a
/// depth-to-space move; none if no convolution reads them.
std::optional<DimOrder>
LayoutPropagation::findWantedLayout(Operation *transpose) const {
  if (!transpose->hasOneUse())
    return std::nullopt;
  auto collapse = dyn_cast<tensor::CollapseShapeOp>(*transpose->user_begin());
  if (!collapse || collapse.getResultType().getRank() < 3 ||
      !feedsConvolution.contains(collapse))
    return std::nullopt;
  SmallVector<ReassociationIndices> groups = collapse.getReassociationIndices();
  std::rotate(groups.begin() + 1, groups.begin() + 2, groups.end());
  DimOrder order;
  for (const ReassociationIndices &group : groups)
    llvm::append_range(order, group);
  return order;
}

void LayoutPropagation::visitTranspose(Operation *op, Value source,
                                       ArrayRef<int64_t> order) {
  std::optional<DimOrder> layout = find(source);
  if (!layout)
    return;
  Location loc = op->getLoc();
  Type type = op->getResult(0).getType();
  Value base = source.getDefiningOp<linalg::TransposeOp>().getInput();
  DimOrder restored = invertPermutationVector(*layout);
  DimOrder merged = applyPermutation(ArrayRef(restored), order);
  auto baseType = cast<RankedTensorType>(base.getType());
  // The layout of the result.
  std::optional<DimOrder> wanted = findWantedLayout(op);
  if (!wanted && permutesNeighbours(order, *layout))
    wanted = layout;
  if (!wanted || keepsElements(baseType, merged) ||
      reorderType(baseType, merged) != type) {
    Value value = reorder(rewriter, loc, source, order);
    return rewriter.replaceOp(op, castTo(rewriter, loc, value, type));
  }
  // `replace` would make one transpose of the two.
  Value inLayout =
      reorder(rewriter, loc, base, applyPermutation(ArrayRef(merged), *wanted));
  auto restore = linalg::TransposeOp::create(
      rewriter, loc, inLayout, cast<linalg::LinalgOp>(op).getDpsInits()[0],
      invertPermutationVector(*wanted));
  restoring.insert(restore);
  rewriter.replaceOp(op, restore->getResults());
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

void LayoutPropagation::visit(Operation *op) {
  rewriter.setInsertionPoint(op);
  if (auto transpose = matchTranspose(op))
    return visitTranspose(op, transpose->first, transpose->second);
  if (auto fused = dyn_cast<FusedOpInterface>(op))
    return visitConvolution(fused);
  if (auto transposable = dyn_cast<TransposableOpInterface>(op))
    return visitTransposable(transposable);
  if (isElementwiseOnTensors(op))
    visitElementwise(op);
}

void LayoutPropagation::eraseUnused() {
  // Backwards: a transpose may be the last user of an earlier one.
  SmallVector<Operation *> transposes(restoring.getArrayRef());
  for (Operation *transpose : llvm::reverse(transposes))
    if (transpose->use_empty()) {
      restoring.remove(transpose);
      rewriter.eraseOp(transpose);
    }
}

/// The convolutions of `ops` that are connected with another one by ops that
/// work in any layout. A single one gains nothing from transposes around it:
/// the runtime decides better whether to copy its tensors.
static llvm::DenseSet<Operation *>
findConnectedConvolutions(ArrayRef<Operation *> ops) {
  llvm::EquivalenceClasses<Operation *> networks;
  auto isPartOfNetwork = [](Operation *op) {
    return op && (isConvolutionOp(op) || isFreeOfLayout(op));
  };
  for (Operation *op : llvm::make_filter_range(ops, isPartOfNetwork)) {
    networks.insert(op);
    for (Value operand : getReorderedOperands(op))
      if (Operation *def = operand.getDefiningOp(); isPartOfNetwork(def))
        networks.unionSets(op, def);
  }
  llvm::DenseMap<Operation *, SmallVector<Operation *>> convolutions;
  for (Operation *op : llvm::make_filter_range(ops, isConvolutionOp))
    convolutions[networks.getLeaderValue(op)].push_back(op);
  llvm::DenseSet<Operation *> connected;
  for (auto &[leader, members] : convolutions)
    if (members.size() > 1)
      connected.insert(members.begin(), members.end());
  return connected;
}

static llvm::DenseSet<Operation *>
findFeeders(ArrayRef<Operation *> ops,
            const llvm::DenseSet<Operation *> &convolutions) {
  llvm::DenseSet<Operation *> feeders;
  for (Operation *op : llvm::reverse(ops))
    if (convolutions.contains(op) ||
        (isFreeOfLayout(op) && feeders.contains(op)))
      for (Value operand : getReorderedOperands(op))
        if (Operation *def = operand.getDefiningOp())
          feeders.insert(def);
  return feeders;
}

void LayoutPropagation::run(Operation *root) {
  SmallVector<Operation *> ops = getTensorOps(root);
  llvm::DenseSet<Operation *> connected = findConnectedConvolutions(ops);
  feedsConvolution = findFeeders(ops, connected);
  for (Operation *op : ops)
    if (!isa<FusedOpInterface>(op) || connected.contains(op))
      visit(op);
  eraseUnused();
}

namespace {
struct PropagateLayoutPass
    : public fusion::impl::FusionPropagateLayoutBase<PropagateLayoutPass> {
  void getDependentDialects(DialectRegistry &registry) const override {
    FusionPropagateLayoutBase::getDependentDialects(registry);
    // Without the models the pass would silently do less.
    registerTransposableOpInterfaceExternalModels(registry);
  }

  void runOnOperation() override {
    LayoutPropagation(&getContext()).run(getOperation());
  }
};
} // namespace
