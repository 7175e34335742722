//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Interfaces/TransposableOpInterface.h"
#include "FusionDialect/IR/FusionOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace fusion;

#include "FusionDialect/Interfaces/TransposableOpInterface.cpp.inc"

using TransposedValues = SmallVector<TransposedValue>;

/// The only result of an op.
static TransposedValues single(Value value, ArrayRef<int64_t> permutation) {
  return {TransposedValue{value, DimOrder(permutation)}};
}

//===----------------------------------------------------------------------===//
// fusion and linalg
//===----------------------------------------------------------------------===//

static FailureOr<TransposedValues> transpose(RewriterBase &rewriter, PoolOp op,
                                             OpOperand & /*input*/,
                                             ArrayRef<int64_t> permutation) {
  Location loc = op.getLoc();
  Value input = reorder(rewriter, loc, op.getInput(), permutation);
  Value init = reorderDestination(rewriter, loc, op.getInit(), permutation);
  auto pool = PoolOp::create(
      rewriter, loc, init.getType(), input, init, op.getPooling(),
      op.getKernel(), op.getStrides(), op.getPadLow(), op.getPadHigh(),
      op.getLayout().permute(permutation), op.getInputUnsigned());
  return single(pool.getResult(), permutation);
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

/// The tensor that the body of `op` gathers elements from, as an image that is
/// resized, with as many dimensions as its only result; null if there is none.
static OpOperand *findGathered(linalg::LinalgOp op) {
  if (!isa<linalg::GenericOp>(op) || op.getNumDpsInits() != 1 ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity())
    return nullptr;
  for (auto extract : op.getBlock()->getOps<tensor::ExtractOp>())
    if (extract.getTensor().getType().getRank() == op.getNumLoops() &&
        extract.getTensor().getParentBlock() != op.getBlock())
      return &extract.getTensorMutable();
  return nullptr;
}

/// Lets the body of `op`, which was reordered, gather from `source` with its
/// dimensions in `order`.
static void reorderGathers(RewriterBase &rewriter, linalg::LinalgOp op,
                           Value source, ArrayRef<int64_t> order) {
  Value reordered = reorder(rewriter, op.getLoc(), source, order);
  for (auto extract : op.getBlock()->getOps<tensor::ExtractOp>())
    if (extract.getTensor() == source)
      rewriter.modifyOpInPlace(extract, [&] {
        SmallVector<Value> indices(extract.getIndices());
        extract.getTensorMutable().set(reordered);
        extract.getIndicesMutable().assign(
            applyPermutation(ArrayRef(indices), order));
      });
}

static FailureOr<TransposedValues> transpose(RewriterBase &rewriter,
                                             linalg::LinalgOp op,
                                             OpOperand &operand,
                                             ArrayRef<int64_t> permutation) {
  bool isGathered = operand.getOwner() != op;
  OpOperand &leading = isGathered ? *op.getDpsInitOperand(0) : operand;
  auto [replacement, orders] =
      reorderLinalgOp(rewriter, op, leading, permutation);
  if (!replacement)
    return rewriter.notifyMatchFailure(
        op, "the operand's dimensions give no order to those of the results");
  if (isGathered) {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(replacement);
    reorderGathers(rewriter, replacement, operand.get(), permutation);
  }
  TransposedValues results;
  for (auto [result, order] : llvm::zip(replacement->getResults(), orders))
    results.push_back({result, order});
  return results;
}

//===----------------------------------------------------------------------===//
// tensor
//===----------------------------------------------------------------------===//

static FailureOr<TransposedValues> transpose(RewriterBase &rewriter,
                                             tensor::PadOp op,
                                             OpOperand & /*source*/,
                                             ArrayRef<int64_t> permutation) {
  Value number = op.getConstantPaddingValue();
  if (!number)
    return rewriter.notifyMatchFailure(op, "the padding depends on the place");
  Value source = reorder(rewriter, op.getLoc(), op.getSource(), permutation);
  if (number.getParentRegion() == &op.getRegion())
    number = rewriter.clone(*number.getDefiningOp())->getResult(0);
  Value pad = tensor::PadOp::create(
      rewriter, op.getLoc(), reorderType(op.getResultType(), permutation),
      source, applyPermutation(op.getMixedLowPad(), permutation),
      applyPermutation(op.getMixedHighPad(), permutation), number,
      op.getNofold());
  return single(pad, permutation);
}

static FailureOr<TransposedValues> transpose(RewriterBase &rewriter,
                                             tensor::CastOp op,
                                             OpOperand & /*source*/,
                                             ArrayRef<int64_t> permutation) {
  auto type = dyn_cast<RankedTensorType>(op.getType());
  if (!type)
    return rewriter.notifyMatchFailure(op, "the result has no rank");
  Value source = reorder(rewriter, op.getLoc(), op.getSource(), permutation);
  Value cast = tensor::CastOp::create(rewriter, op.getLoc(),
                                      reorderType(type, permutation), source);
  return single(cast, permutation);
}

static FailureOr<TransposedValues> transpose(RewriterBase &rewriter,
                                             tensor::ConcatOp op,
                                             OpOperand & /*input*/,
                                             ArrayRef<int64_t> permutation) {
  SmallVector<Value> inputs;
  for (Value input : op.getInputs())
    inputs.push_back(reorder(rewriter, op.getLoc(), input, permutation));
  int64_t dim = invertPermutationVector(permutation)[op.getDim()];
  Value concat = tensor::ConcatOp::create(
      rewriter, op.getLoc(), reorderType(op.getResultType(), permutation), dim,
      inputs);
  return single(concat, permutation);
}

static FailureOr<TransposedValues> transpose(RewriterBase &rewriter,
                                             tensor::ExtractSliceOp op,
                                             OpOperand & /*source*/,
                                             ArrayRef<int64_t> permutation) {
  if (op.getSourceType().getRank() != op.getType().getRank())
    return rewriter.notifyMatchFailure(op, "the slice has another rank");
  Value source = reorder(rewriter, op.getLoc(), op.getSource(), permutation);
  Value slice = tensor::ExtractSliceOp::create(
      rewriter, op.getLoc(), reorderType(op.getType(), permutation), source,
      applyPermutation(op.getMixedOffsets(), permutation),
      applyPermutation(op.getMixedSizes(), permutation),
      applyPermutation(op.getMixedStrides(), permutation));
  return single(slice, permutation);
}

static FailureOr<TransposedValues> transpose(RewriterBase &rewriter,
                                             tensor::InsertSliceOp op,
                                             OpOperand & /*operand*/,
                                             ArrayRef<int64_t> permutation) {
  if (op.getSourceType().getRank() != op.getDestType().getRank())
    return rewriter.notifyMatchFailure(op, "the slice has another rank");
  Value source = reorder(rewriter, op.getLoc(), op.getSource(), permutation);
  Value dest = reorder(rewriter, op.getLoc(), op.getDest(), permutation);
  Value inserted = tensor::InsertSliceOp::create(
      rewriter, op.getLoc(), source, dest,
      applyPermutation(op.getMixedOffsets(), permutation),
      applyPermutation(op.getMixedSizes(), permutation),
      applyPermutation(op.getMixedStrides(), permutation));
  return single(inserted, permutation);
}

/// The dimensions of the groups, with the groups in `order`.
static DimOrder flattenGroups(ArrayRef<ReassociationIndices> groups,
                              ArrayRef<int64_t> order) {
  DimOrder result;
  for (int64_t group : order)
    llvm::append_range(result, groups[group]);
  return result;
}

static FailureOr<TransposedValues> transpose(RewriterBase &rewriter,
                                             tensor::CollapseShapeOp op,
                                             OpOperand & /*src*/,
                                             ArrayRef<int64_t> permutation) {
  SmallVector<ReassociationIndices> groups = op.getReassociationIndices();
  SmallVector<int64_t> places = invertPermutationVector(permutation);
  DimOrder order = llvm::to_vector(llvm::seq<int64_t>(0, groups.size()));
  llvm::sort(order, [&](int64_t a, int64_t b) {
    return places[groups[a].front()] < places[groups[b].front()];
  });
  if (ArrayRef(flattenGroups(groups, order)) != permutation)
    return rewriter.notifyMatchFailure(
        op, "collapsed dimensions are no longer neighbours");
  Value source = reorder(rewriter, op.getLoc(), op.getSrc(), permutation);
  Value collapsed = tensor::CollapseShapeOp::create(
      rewriter, op.getLoc(), reorderType(op.getResultType(), order), source,
      reorderGroups(groups, order));
  return single(collapsed, order);
}

static FailureOr<TransposedValues> transpose(RewriterBase &rewriter,
                                             tensor::ExpandShapeOp op,
                                             OpOperand & /*src*/,
                                             ArrayRef<int64_t> permutation) {
  SmallVector<ReassociationIndices> groups = op.getReassociationIndices();
  DimOrder order = flattenGroups(groups, permutation);
  Value source = reorder(rewriter, op.getLoc(), op.getSrc(), permutation);
  Value expanded = tensor::ExpandShapeOp::create(
      rewriter, op.getLoc(), reorderType(op.getResultType(), order), source,
      reorderGroups(groups, permutation),
      applyPermutation(op.getMixedOutputShape(), order));
  return single(expanded, order);
}

//===----------------------------------------------------------------------===//
// External models
//===----------------------------------------------------------------------===//

namespace {
template <typename Model, typename OpTy>
struct TransposableModel
    : public TransposableOpInterface::ExternalModel<Model, OpTy> {
  FailureOr<TransposedValues>
  getTransposedImplementation(Operation *op, RewriterBase &rewriter,
                              OpOperand &operand,
                              ArrayRef<int64_t> permutation) const {
    return transpose(rewriter, cast<OpTy>(op), operand, permutation);
  }
};

template <typename OpTy>
struct TransposableTensorOp
    : public TransposableModel<TransposableTensorOp<OpTy>, OpTy> {};

template <typename OpTy>
struct TransposableLinalgOp
    : public TransposableModel<TransposableLinalgOp<OpTy>, OpTy> {
  SmallVector<OpOperand *> getTransposableOperands(Operation *op) const {
    SmallVector<OpOperand *> operands;
    auto linalgOp = cast<linalg::LinalgOp>(op);
    if (!isFreeOfLayout(linalgOp))
      return operands;
    for (OpOperand &operand : op->getOpOperands())
      operands.push_back(&operand);
    if (OpOperand *gathered = findGathered(linalgOp))
      operands.push_back(gathered);
    return operands;
  }
};

struct TransposablePool : public TransposableModel<TransposablePool, PoolOp> {
  SmallVector<OpOperand *> getTransposableOperands(Operation *op) const {
    return {&cast<PoolOp>(op).getInputMutable()};
  }
};
} // namespace

template <template <typename> class Model, typename... OpTys>
static void attach(MLIRContext *context) {
  (OpTys::template attachInterface<Model<OpTys>>(*context), ...);
}

void fusion::registerTransposableOpInterfaceExternalModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, FusionDialect *) {
    PoolOp::attachInterface<TransposablePool>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, linalg::LinalgDialect *) {
    attach<TransposableLinalgOp,
#define GET_OP_LIST
#include "mlir/Dialect/Linalg/IR/LinalgStructuredOps.cpp.inc"
           >(context);
  });
  registry.addExtension(+[](MLIRContext *context, tensor::TensorDialect *) {
    attach<TransposableTensorOp, tensor::CastOp, tensor::CollapseShapeOp,
           tensor::ConcatOp, tensor::ExpandShapeOp, tensor::ExtractSliceOp,
           tensor::InsertSliceOp, tensor::PadOp>(context);
  });
}
