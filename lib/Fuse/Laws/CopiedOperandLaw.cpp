//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Makes a matrix multiplication read what its operand is a copy of. These laws
// are C++, since a copy in several ops, with reshapes between them in any
// order, has no structure that PDLL could match.

#include "FusionDialect/Analysis/Broadcast.h"
#include "FusionDialect/Analysis/ElementOrder.h"
#include "FusionDialect/Analysis/Transpose.h"
#include "FusionDialect/Fuse/Laws.h"
#include "FusionDialect/IR/Layout.h"
#include "FusionDialect/IR/LocationText.h"
#include "FusionDialect/Utils/Reorder.h"
#include "OperandForm.h"

using namespace mlir;
using namespace fusion;

using Parts = ElementOrder::Parts;

//===----------------------------------------------------------------------===//
// The copies that make an operand
//===----------------------------------------------------------------------===//

namespace {
/// The ops that make an operand of `source`, the first one first.
struct CopyChain {
  Value source;
  SmallVector<Operation *> ops;
};

/// `source` as an operand: the reshapes that it needs, and its layout then.
struct ReadForm {
  Value source;
  OperandForm form;
};
} // namespace

/// The chain of reshapes and copies that ends with `value` and begins with an
/// op for which `isSought` holds, the longest one; none if there is no such op.
static CopyChain findCopies(Value value,
                            function_ref<bool(Operation *)> isSought) {
  SmallVector<Operation *> ops;
  CopyChain chain;
  while (Operation *op = value.getDefiningOp()) {
    std::optional<Broadcast> copy = matchBroadcast(op);
    if (!copy &&
        !isa<tensor::CastOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp>(
            op))
      break;
    ops.push_back(op);
    value = copy ? copy->source : op->getOperand(0);
    if (isSought(op))
      chain = {value, ops};
  }
  std::reverse(chain.ops.begin(), chain.ops.end());
  return chain;
}

/// Where `chain` puts the elements of its source; none if a reshape divides
/// dimensions that it cannot tell apart.
static FailureOr<ElementOrder> getOrder(const CopyChain &chain, StringRef name,
                                        Refusal &refusal) {
  ElementOrder order(cast<ShapedType>(chain.source.getType()).getShape());
  for (Operation *op : chain.ops) {
    if (isa<tensor::CastOp>(op))
      continue;
    if (std::optional<Broadcast> copy = matchBroadcast(op))
      order.broadcast(copy->dims,
                      cast<ShapedType>(op->getResult(0).getType()).getShape());
    else if (!order.apply(op))
      return refusal.because("unsupported: '", op->getName().getStringRef(),
                             "' at ", getLocationText(op->getLoc()),
                             " divides '", name,
                             "' elsewhere than between dimensions copied");
  }
  return order;
}

/// The dimensions of the source that `parts` are; none unless they are whole.
static std::optional<ReassociationIndices>
getWholeDims(const Parts &parts, ArrayRef<int64_t> shape) {
  ReassociationIndices dims;
  for (const IndexPart &part : parts) {
    if (part.size != shape[part.dim])
      return std::nullopt;
    dims.push_back(part.dim);
  }
  return dims;
}

/// Collapses the dimensions of `shape` to groups, of which each begins with the
/// first dimension of one of `letters`. Dimensions of size 1 join a neighbour.
static SmallVector<ReassociationIndices>
getGroups(ArrayRef<std::pair<ReassociationIndices, char>> letters,
          size_t rank) {
  SmallVector<ReassociationIndices> groups(1);
  for (int64_t dim : llvm::seq<int64_t>(rank)) {
    if (groups.size() < letters.size() &&
        letters[groups.size()].first.front() == dim)
      groups.emplace_back();
    groups.back().push_back(dim);
  }
  return groups;
}

/// The form in which `shape` has the letters of `found`, and those of `unit`
/// with size 1; none if dimensions of one letter are apart.
static std::optional<OperandForm>
getForm(SmallVector<std::pair<ReassociationIndices, char>> found,
        StringRef unit, ArrayRef<int64_t> shape) {
  llvm::sort(found);
  SmallVector<int64_t> dims;
  std::string letters;
  for (auto &[group, letter] : found) {
    dims.append(group.begin(), group.end());
    letters += letter;
  }
  if (found.empty() || !llvm::is_sorted(dims))
    return std::nullopt;
  OperandForm form;
  form.collapse = getGroups(found, shape.size());
  if (form.collapse.size() == shape.size())
    form.collapse.clear();
  form.layout = (unit + letters).str();
  if (!unit.empty())
    form.expand = getExpansion(letters, form.layout);
  return form;
}

/// The form in which `op` can read the source of `chain`, which makes
/// `operand`, in place of the copies.
static FailureOr<ReadForm> getReadForm(FusedMatmulBiasActOp op,
                                       OpOperand &operand,
                                       const CopyChain &chain,
                                       Refusal &refusal) {
  bool isFilter = &operand == &op.getFilterMutable();
  StringRef name = isFilter ? "filter" : "input";
  FailureOr<ElementOrder> order = getOrder(chain, name, refusal);
  if (failed(order))
    return failure();
  ArrayRef<int64_t> shape = cast<ShapedType>(chain.source.getType()).getShape();
  LayoutAttr layout = isFilter ? op.getFilterLayout() : op.getInputLayout();
  SmallVector<std::pair<ReassociationIndices, char>> found;
  std::string unit;
  for (auto [letter, parts] :
       llvm::zip_equal(layout.getLetters(), order->getDims())) {
    size_t repeated = llvm::count_if(
        parts, [](const IndexPart &part) { return part.isRepeated(); });
    // The filter without a batch serves every matrix.
    if (isFilter && letter == 'b' && repeated == parts.size())
      continue;
    if (repeated == parts.size() && repeated)
      return refusal.because("'", name, "' is broadcast along '",
                             StringRef(&letter, 1), "', expected 'b'");
    if (repeated)
      return refusal.because("'", name, "' is broadcast along a part of '",
                             StringRef(&letter, 1), "', expected all of 'b'");
    std::optional<ReassociationIndices> dims = getWholeDims(parts, shape);
    if (!dims)
      return refusal.because("unsupported: '", StringRef(&letter, 1), "' of '",
                             name, "' is a part of a dimension that is copied");
    if (dims->empty())
      unit += letter;
    else
      found.push_back({*dims, letter});
  }
  std::optional<OperandForm> form = getForm(found, unit, shape);
  if (!form)
    return refusal.because("unsupported: '", name,
                           "' is a copy with dimensions side by side that are "
                           "apart in what is copied");
  return ReadForm{chain.source, *form};
}

//===----------------------------------------------------------------------===//
// The laws
//===----------------------------------------------------------------------===//

static void readSource(PatternRewriter &rewriter, FusedMatmulBiasActOp op,
                       OpOperand &operand, const ReadForm &read) {
  bool isFilter = &operand == &op.getFilterMutable();
  LayoutAttr before = isFilter ? op.getFilterLayout() : op.getInputLayout();
  LayoutAttr layout = read.form.getLayout(rewriter);
  Value source = applyForm(rewriter, op.getLoc(), read.source, read.form);
  // The operand may have static sizes where its source has not.
  auto type = cast<RankedTensorType>(source.getType());
  SmallVector<int64_t> shape =
      llvm::map_to_vector(layout.getLetters(), [&](char letter) {
        return before.getDimSize(operand.get(), letter);
      });
  for (auto [size, known] : llvm::zip_equal(shape, type.getShape()))
    if (ShapedType::isDynamic(size))
      size = known;
  source = castTo(rewriter, op.getLoc(), source, type.clone(shape));
  rewriter.modifyOpInPlace(op, [&] {
    isFilter ? op.setFilterLayoutAttr(layout) : op.setInputLayoutAttr(layout);
    operand.set(source);
  });
}

LogicalResult fusion::checkFilterIsShared(FusedMatmulBiasActOp op,
                                          Refusal &refusal) {
  CopyChain chain = findCopies(op.getFilter(), isBroadcast);
  if (chain.ops.empty())
    return success();
  if (failed(getReadForm(op, op.getFilterMutable(), chain, refusal)))
    return failure();
  return refusal.because("broadcast of 'filter' can be folded; law 'broadcast' "
                         "has not run");
}

namespace {
// law: fused(x, broadcast(w) along b)  ->  fused(x, w)
struct ReadSharedFilter : public OpRewritePattern<FusedMatmulBiasActOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(FusedMatmulBiasActOp op,
                                PatternRewriter &rewriter) const override {
    OpOperand &filter = op.getFilterMutable();
    CopyChain chain = findCopies(filter.get(), isBroadcast);
    if (chain.ops.empty())
      return rewriter.notifyMatchFailure(op, "'filter' is not a broadcast");
    Refusal refusal;
    FailureOr<ReadForm> read = getReadForm(op, filter, chain, refusal);
    if (failed(read))
      return refusal.notify(rewriter, op);
    readSource(rewriter, op, filter, *read);
    return success();
  }
};

// law: copy(x)  ->  x
// A front end writes a broadcast for each operand, also where the sizes agree.
struct EraseCopy : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<Broadcast> copy = matchBroadcast(op);
    if (!copy)
      return rewriter.notifyMatchFailure(op, "not a broadcast");
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    auto source = cast<RankedTensorType>(copy->source.getType());
    if (source.getRank() != type.getRank())
      return rewriter.notifyMatchFailure(op, "it adds dimensions");
    for (auto [i, dim] : llvm::enumerate(copy->dims))
      if (dim != static_cast<int64_t>(i) &&
          (type.getDimSize(i) != 1 || source.getDimSize(i) != 1))
        return rewriter.notifyMatchFailure(op, "it moves or repeats elements");
    rewriter.replaceOp(op, castTo(rewriter, op.getLoc(), copy->source, type));
    return success();
  }
};

// law: fused(x, reshape(transpose(w)))  ->  fused(x, reshape(w)), layout
// permuted
struct ReadReordered : public OpRewritePattern<FusedMatmulBiasActOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(FusedMatmulBiasActOp op,
                                PatternRewriter &rewriter) const override {
    Refusal refusal;
    (void)refusal.because("no operand is a transpose behind a reshape");
    for (OpOperand *operand : {&op.getFilterMutable(), &op.getInputMutable()}) {
      CopyChain chain = findCopies(operand->get(), isTranspose);
      // Fuse.pdll has the law for a transpose alone, and a broadcast has its
      // own.
      if (chain.ops.size() < 2 || llvm::any_of(chain.ops, isBroadcast))
        continue;
      FailureOr<ReadForm> read = getReadForm(op, *operand, chain, refusal);
      if (failed(read))
        continue;
      // Kernels read rows.
      if (operand == &op.getInputMutable() && read->form.layout.back() != 'k') {
        (void)refusal.because("'input' would be read along its columns");
        continue;
      }
      readSource(rewriter, op, *operand, *read);
      return success();
    }
    return refusal.notify(rewriter, op);
  }
};
} // namespace

void fusion::populateSharedFilterLawPatterns(RewritePatternSet &patterns) {
  patterns.add<ReadSharedFilter, EraseCopy>(patterns.getContext());
}

void fusion::populateReorderedOperandLawPatterns(RewritePatternSet &patterns) {
  patterns.add<ReadReordered>(patterns.getContext());
}
