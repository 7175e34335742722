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

#include "FusionDialect/Analysis/Dataflow.h"
#include "FusionDialect/Analysis/Transpose.h"
#include "FusionDialect/Fuse/Laws.h"
#include "FusionDialect/IR/FusionOps.h"
#include "FusionDialect/IR/Layout.h"
#include "FusionDialect/Transforms/Passes.h"
#include "FusionDialect/Utils/Reorder.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/TypeSwitch.h"

namespace fusion {
#define GEN_PASS_DEF_FUSIONPROPAGATELAYOUT
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace fusion

using namespace mlir;
using namespace fusion;

namespace {
/// A tensor with the elements of another, and the order of its dimensions.
struct Reordered {
  Value value;
  DimOrder order;
};

class LayoutPropagation {
public:
  explicit LayoutPropagation(MLIRContext *context) : rewriter(context) {}

  void run(Operation *root);

private:
  /// The source and order of the restoring transpose that makes `value`.
  std::optional<Reordered> find(Value value) const;
  /// Replaces the results of `op` by restoring transposes of `results`.
  void replace(Operation *op, ArrayRef<Reordered> results);

  void visit(Operation *op);
  void visitTranspose(Operation *op, Value source, ArrayRef<int64_t> order);
  void visitConvolution(FusedOpInterface op);
  void visitLinalg(linalg::LinalgOp op);
  void visitPool(PoolOp op);
  void visitElementwise(Operation *op);
  void visitPad(tensor::PadOp op);
  void visitCast(tensor::CastOp op);
  void visitConcat(tensor::ConcatOp op);
  void visitExtractSlice(tensor::ExtractSliceOp op);
  void visitInsertSlice(tensor::InsertSliceOp op);
  void visitCollapseShape(tensor::CollapseShapeOp op);
  void visitExpandShape(tensor::ExpandShapeOp op);

  void eraseUnused();

  IRRewriter rewriter;
  llvm::SetVector<Operation *> restoring;
};
} // namespace

//===----------------------------------------------------------------------===//
// Ops that take part
//===----------------------------------------------------------------------===//

static bool isConvolutionOp(Operation *op) {
  return isa<FusedConvBiasActOp, FusedDeconvBiasActOp>(op) &&
         op->getNumResults() == 1;
}

/// Whether the order of dimensions does not matter to `op`: element-wise ops,
/// pools and reductions. Convolutions and contractions that are no fusion ops
/// are left alone, to stay recognisable.
static bool isFreeOfLayout(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || isa<linalg::FillOp>(op) ||
      linalg::isaContractionOpInterface(op))
    return false;
  return !linalg::isaConvolutionOpInterface(op) ||
         !op.payloadUsesValueFromOperand(op.getDpsInputOperand(1));
}

/// Whether `op` is element-wise on tensors, such as ops of `arith` and `math`.
static bool isElementwiseOnTensors(Operation *op) {
  return OpTrait::hasElementwiseMappableTraits(op) &&
         llvm::all_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>);
}

static bool isFreeOfLayout(Operation *op) {
  if (isElementwiseOnTensors(op))
    return true;
  if (auto linalg = dyn_cast<linalg::LinalgOp>(op))
    return isFreeOfLayout(linalg);
  return isa<PoolOp, tensor::PadOp, tensor::CastOp, tensor::ConcatOp,
             tensor::ExtractSliceOp, tensor::InsertSliceOp,
             tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op);
}

/// The operands that are reordered together with the result of `op`.
static SmallVector<Value> getReorderedOperands(Operation *op) {
  auto fused = dyn_cast<FusedOpInterface>(op);
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

std::optional<Reordered> LayoutPropagation::find(Value value) const {
  auto transpose = value.getDefiningOp<linalg::TransposeOp>();
  if (!transpose || !restoring.contains(transpose))
    return std::nullopt;
  return Reordered{transpose.getInput(),
                   invertPermutationVector(transpose.getPermutation())};
}

void LayoutPropagation::replace(Operation *op, ArrayRef<Reordered> results) {
  rewriter.setInsertionPointAfter(op);
  SmallVector<Value> restored;
  for (const Reordered &result : results) {
    Value value = reorder(rewriter, op->getLoc(), result.value,
                          invertPermutationVector(result.order));
    if (auto transpose = value.getDefiningOp<linalg::TransposeOp>();
        transpose && transpose.getInput() == result.value)
      restoring.insert(transpose);
    restored.push_back(value);
  }
  rewriter.replaceOp(op, restored);
}

//===----------------------------------------------------------------------===//
// Fusion ops
//===----------------------------------------------------------------------===//

void LayoutPropagation::visitConvolution(FusedOpInterface op) {
  std::string last = getChannelsLast(op.getInputLayout());
  if (op.getInputLayout() == last && op.getOutputLayout() == last)
    return;
  DimOrder inputOrder = getPositions(op.getInputLayout(), last);
  DimOrder order = getPositions(op.getOutputLayout(), last);
  Location loc = op.getLoc();
  auto replacement = cast<FusedOpInterface>(rewriter.clone(*op));
  rewriter.setInsertionPoint(replacement);
  Value init = reorderDestination(rewriter, loc, op.getInit(), order);
  replacement.getInputMutable().set(
      reorder(rewriter, loc, op.getInput(), inputOrder));
  replacement.setInputLayout(last);
  if (Value residual = op.getResidual())
    replacement.getResidualMutable().assign(
        reorder(rewriter, loc, residual, order));
  replacement.getInitMutable().set(init);
  replacement.setOutputLayout(last);
  replacement->getResult(0).setType(init.getType());
  replace(op, Reordered{replacement->getResult(0), order});
}

void LayoutPropagation::visitPool(PoolOp op) {
  std::optional<Reordered> input = find(op.getInput());
  if (!input)
    return;
  Value init =
      reorderDestination(rewriter, op.getLoc(), op.getInit(), input->order);
  auto pool = PoolOp::create(
      rewriter, op.getLoc(), init.getType(), input->value, init,
      op.getPooling(), op.getKernel(), op.getStrides(), op.getPadLow(),
      op.getPadHigh(), permuteLayout(op.getLayout(), input->order));
  replace(op, Reordered{pool.getResult(), input->order});
}

//===----------------------------------------------------------------------===//
// linalg
//===----------------------------------------------------------------------===//

void LayoutPropagation::visitLinalg(linalg::LinalgOp op) {
  if (!isFreeOfLayout(op))
    return;
  for (OpOperand &operand : op->getOpOperands()) {
    std::optional<Reordered> source = find(operand.get());
    if (!source)
      continue;
    auto [replacement, orders] =
        reorderLinalgOp(rewriter, op, operand, source->order);
    // `operand` may lack dimensions that another operand has.
    if (!replacement)
      continue;
    SmallVector<Reordered> results;
    for (auto [result, order] : llvm::zip(replacement->getResults(), orders))
      results.push_back({result, order});
    return replace(op, results);
  }
}

//===----------------------------------------------------------------------===//
// arith and math
//===----------------------------------------------------------------------===//

void LayoutPropagation::visitElementwise(Operation *op) {
  auto leading = llvm::find_if(op->getOperands(), [&](Value operand) {
    return find(operand).has_value();
  });
  if (leading == op->getOperands().end())
    return;
  DimOrder order = find(*leading)->order;
  IRMapping operands;
  for (Value operand : op->getOperands())
    if (isa<RankedTensorType>(operand.getType()))
      operands.map(operand, reorder(rewriter, op->getLoc(), operand, order));
  Operation *replacement = rewriter.clone(*op, operands);
  SmallVector<Reordered> results;
  for (OpResult result : replacement->getResults()) {
    result.setType(
        reorderType(cast<RankedTensorType>(result.getType()), order));
    results.push_back({result, order});
  }
  replace(op, results);
}

//===----------------------------------------------------------------------===//
// tensor
//===----------------------------------------------------------------------===//

void LayoutPropagation::visitTranspose(Operation *op, Value source,
                                       ArrayRef<int64_t> order) {
  if (!find(source))
    return;
  Value value = reorder(rewriter, op->getLoc(), source, order);
  rewriter.replaceOp(
      op, castTo(rewriter, op->getLoc(), value, op->getResult(0).getType()));
}

void LayoutPropagation::visitPad(tensor::PadOp op) {
  std::optional<Reordered> source = find(op.getSource());
  Value value = op.getConstantPaddingValue();
  if (!source || !value)
    return;
  if (value.getParentRegion() == &op.getRegion())
    value = rewriter.clone(*value.getDefiningOp())->getResult(0);
  auto type = reorderType(op.getResultType(), source->order);
  Value pad = tensor::PadOp::create(
      rewriter, op.getLoc(), type, source->value,
      applyPermutation(op.getMixedLowPad(), source->order),
      applyPermutation(op.getMixedHighPad(), source->order), value,
      op.getNofold());
  replace(op, Reordered{pad, source->order});
}

void LayoutPropagation::visitCast(tensor::CastOp op) {
  std::optional<Reordered> source = find(op.getSource());
  auto type = dyn_cast<RankedTensorType>(op.getType());
  if (!source || !type)
    return;
  Value cast = tensor::CastOp::create(
      rewriter, op.getLoc(), reorderType(type, source->order), source->value);
  replace(op, Reordered{cast, source->order});
}

void LayoutPropagation::visitConcat(tensor::ConcatOp op) {
  auto leading = llvm::find_if(
      op.getInputs(), [&](Value input) { return find(input).has_value(); });
  if (leading == op.getInputs().end())
    return;
  DimOrder order = find(*leading)->order;
  SmallVector<Value> inputs;
  for (Value input : op.getInputs())
    inputs.push_back(reorder(rewriter, op.getLoc(), input, order));
  int64_t dim = std::distance(
      order.begin(), llvm::find(order, static_cast<int64_t>(op.getDim())));
  Value concat = tensor::ConcatOp::create(
      rewriter, op.getLoc(), reorderType(op.getResultType(), order), dim,
      inputs);
  replace(op, Reordered{concat, order});
}

void LayoutPropagation::visitExtractSlice(tensor::ExtractSliceOp op) {
  std::optional<Reordered> source = find(op.getSource());
  if (!source || op.getSourceType().getRank() != op.getType().getRank())
    return;
  ArrayRef<int64_t> order = source->order;
  Value slice = tensor::ExtractSliceOp::create(
      rewriter, op.getLoc(), reorderType(op.getType(), order), source->value,
      applyPermutation(op.getMixedOffsets(), order),
      applyPermutation(op.getMixedSizes(), order),
      applyPermutation(op.getMixedStrides(), order));
  replace(op, Reordered{slice, source->order});
}

void LayoutPropagation::visitInsertSlice(tensor::InsertSliceOp op) {
  std::optional<Reordered> leading = find(op.getSource());
  if (!leading)
    leading = find(op.getDest());
  if (!leading || op.getSourceType().getRank() != op.getDestType().getRank())
    return;
  ArrayRef<int64_t> order = leading->order;
  Value source = reorder(rewriter, op.getLoc(), op.getSource(), order);
  Value dest = reorder(rewriter, op.getLoc(), op.getDest(), order);
  Value inserted = tensor::InsertSliceOp::create(
      rewriter, op.getLoc(), source, dest,
      applyPermutation(op.getMixedOffsets(), order),
      applyPermutation(op.getMixedSizes(), order),
      applyPermutation(op.getMixedStrides(), order));
  replace(op, Reordered{inserted, leading->order});
}

/// The groups of `groups` in `order`, with dimensions numbered consecutively.
static SmallVector<ReassociationIndices>
reorderGroups(ArrayRef<ReassociationIndices> groups, ArrayRef<int64_t> order) {
  SmallVector<ReassociationIndices> result;
  int64_t next = 0;
  for (int64_t group : order) {
    result.emplace_back();
    for (size_t i = 0; i < groups[group].size(); ++i)
      result.back().push_back(next++);
  }
  return result;
}

/// The dimensions of the groups, with the groups in `order`.
static DimOrder flattenGroups(ArrayRef<ReassociationIndices> groups,
                              ArrayRef<int64_t> order) {
  DimOrder result;
  for (int64_t group : order)
    llvm::append_range(result, groups[group]);
  return result;
}

void LayoutPropagation::visitCollapseShape(tensor::CollapseShapeOp op) {
  std::optional<Reordered> source = find(op.getSrc());
  if (!source)
    return;
  SmallVector<ReassociationIndices> groups = op.getReassociationIndices();
  SmallVector<int64_t> places = invertPermutationVector(source->order);
  DimOrder order = llvm::to_vector(llvm::seq<int64_t>(0, groups.size()));
  llvm::sort(order, [&](int64_t a, int64_t b) {
    return places[groups[a].front()] < places[groups[b].front()];
  });
  // Dimensions that are no longer neighbours cannot be collapsed.
  if (flattenGroups(groups, order) != source->order)
    return;
  Value collapsed = tensor::CollapseShapeOp::create(
      rewriter, op.getLoc(), reorderType(op.getResultType(), order),
      source->value, reorderGroups(groups, order));
  replace(op, Reordered{collapsed, order});
}

void LayoutPropagation::visitExpandShape(tensor::ExpandShapeOp op) {
  std::optional<Reordered> source = find(op.getSrc());
  if (!source)
    return;
  SmallVector<ReassociationIndices> groups = op.getReassociationIndices();
  DimOrder order = flattenGroups(groups, source->order);
  Value expanded = tensor::ExpandShapeOp::create(
      rewriter, op.getLoc(), reorderType(op.getResultType(), order),
      source->value, reorderGroups(groups, source->order),
      applyPermutation(op.getMixedOutputShape(), order));
  replace(op, Reordered{expanded, order});
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

void LayoutPropagation::visit(Operation *op) {
  rewriter.setInsertionPoint(op);
  if (auto transpose = matchTranspose(op))
    return visitTranspose(op, transpose->first, transpose->second);
  if (isElementwiseOnTensors(op))
    return visitElementwise(op);
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](FusedConvBiasActOp conv) { visitConvolution(conv); })
      .Case([&](FusedDeconvBiasActOp conv) { visitConvolution(conv); })
      .Case([&](linalg::LinalgOp linalg) { visitLinalg(linalg); })
      .Case([&](PoolOp pool) { visitPool(pool); })
      .Case([&](tensor::PadOp pad) { visitPad(pad); })
      .Case([&](tensor::CastOp cast) { visitCast(cast); })
      .Case([&](tensor::ConcatOp concat) { visitConcat(concat); })
      .Case([&](tensor::ExtractSliceOp slice) { visitExtractSlice(slice); })
      .Case([&](tensor::InsertSliceOp slice) { visitInsertSlice(slice); })
      .Case([&](tensor::CollapseShapeOp shape) { visitCollapseShape(shape); })
      .Case([&](tensor::ExpandShapeOp shape) { visitExpandShape(shape); });
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

void LayoutPropagation::run(Operation *root) {
  SmallVector<Operation *> ops = getTensorOps(root);
  llvm::DenseSet<Operation *> connected = findConnectedConvolutions(ops);
  for (Operation *op : ops)
    if (!isa<FusedOpInterface>(op) || connected.contains(op))
      visit(op);
  eraseUnused();
}

namespace {
struct PropagateLayoutPass
    : public fusion::impl::FusionPropagateLayoutBase<PropagateLayoutPass> {
  void runOnOperation() override {
    LayoutPropagation(&getContext()).run(getOperation());
  }
};
} // namespace
