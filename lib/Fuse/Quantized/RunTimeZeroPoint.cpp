//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunTimeZeroPoint.h"
#include "FusionDialect/Analysis/Dataflow.h"
#include "FusionDialect/Analysis/MultiplyAdd.h"
#include "FusionDialect/Fuse/ConstantEvaluation.h"
#include "FusionDialect/Fuse/Raise.h"
#include "FusionDialect/Utils/EmitVector.h"
#include "Laws.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fusion;

namespace {
/// A product of an input less such a number and a constant filter.
struct ShiftedProduct {
  SubtractedNumber zeroPoint;
  SmallVector<int64_t> channelDims; ///< of the result
  /// Over the filter, one for each place of these dimensions.
  std::vector<int32_t> sums;
};
} // namespace

/// Reads `value`, in the body of `op`, as an input less a number that no loop
/// changes, and that nothing else reads. The number may be a constant.
static std::optional<SubtractedNumber> matchDifference(linalg::LinalgOp op,
                                                       Value value) {
  auto subtract = value.getDefiningOp<arith::SubIOp>();
  if (!subtract)
    return std::nullopt;
  Value number = subtract.getRhs();
  Operation *extend = number.getDefiningOp();
  if (isExtension(extend))
    number = extend->getOperand(0);
  else
    extend = nullptr;
  OpOperand *operand = getReadOperand(op, number);
  if (!operand || !number.hasOneUse() || !subtract.getRhs().hasOneUse() ||
      !op.isDpsInput(operand) ||
      !op.getMatchingIndexingMap(operand).isConstant())
    return std::nullopt;
  return SubtractedNumber{operand, extend, subtract.getLhs()};
}

bool SubtractedNumber::isConstant() const {
  return matchPattern(operand->get(), m_Constant());
}

/// The last number that only a call knows and that is subtracted from `value`,
/// in the body of `op`; none if there is none. Makes of `value` what all
/// numbers are subtracted from.
static std::optional<SubtractedNumber> readDifferences(linalg::LinalgOp op,
                                                       Value &value) {
  std::optional<SubtractedNumber> found;
  while (auto difference = readDifference(op, value)) {
    std::optional<SubtractedNumber> number = matchDifference(op, value);
    if (!found && number && !number->isConstant())
      found = number;
    value = difference->minuend;
  }
  return found;
}

/// True if `value`, in the body of `op`, is an operand of i8, extended to i32.
static bool extendsInput(linalg::LinalgOp op, Value value) {
  Operation *extend = value.getDefiningOp();
  return isExtension(extend) && value.getType().isInteger(32) &&
         extend->getOperand(0).getType().isInteger(8) &&
         getReadOperand(op, extend->getOperand(0));
}

/// True if `op` computes one tensor, each element by itself, and does nothing
/// else. An assertion would be about padding too, or about other numbers.
static bool mapsElements(linalg::LinalgOp op) {
  Refusal unread = Refusal::unread();
  return op && op->getNumResults() == 1 && op.isAllParallelLoops() &&
         succeeded(checkNoSideEffects(op, unread));
}

std::optional<SubtractedNumber>
fusion::matchSubtractedNumber(linalg::LinalgOp op) {
  if (!mapsElements(op))
    return std::nullopt;
  Value value = op.getBlock()->getTerminator()->getOperand(0);
  std::optional<SubtractedNumber> number = matchDifference(op, value);
  if (!number || !extendsInput(op, number->element))
    return std::nullopt;
  return number;
}

/// The number that only a call knows and that an op in front of a product
/// subtracts from i8, perhaps among others.
static std::optional<SubtractedNumber> matchProducer(Value input) {
  auto producer = input.getDefiningOp<linalg::LinalgOp>();
  if (!mapsElements(producer))
    return std::nullopt;
  Value value = producer.getBlock()->getTerminator()->getOperand(0);
  std::optional<SubtractedNumber> number = readDifferences(producer, value);
  return extendsInput(producer, value) ? number : std::nullopt;
}

/// The factor of a product that is computed from input number `number`.
static Value getFactor(linalg::LinalgOp op, unsigned number) {
  Operation *multiply = getMultiply(op);
  for (Value factor : multiply->getOperands()) {
    Value value = getMinuend(op, factor);
    if (isExtension(value.getDefiningOp()))
      value = value.getDefiningOp()->getOperand(0);
    if (value == op.getBlock()->getArgument(number))
      return factor;
  }
  return nullptr;
}

/// The number that only a call knows and that is subtracted from the input of
/// `op`; none if there is none.
static std::optional<SubtractedNumber> findZeroPoint(linalg::LinalgOp op) {
  if (!isRaisable(op) || !multipliesIntegers(op))
    return std::nullopt;
  Value factor = getFactor(op, 0);
  if (!factor)
    return std::nullopt;
  std::optional<SubtractedNumber> zeroPoint = readDifferences(op, factor);
  bool isWide =
      getReadOperand(op, factor) && getElementTypeOrSelf(factor).isInteger(32);
  if (zeroPoint)
    return isWide || extendsInput(op, factor) ? zeroPoint : std::nullopt;
  // Another op may have extended it.
  return isWide ? matchProducer(op->getOperand(0)) : std::nullopt;
}

namespace {
/// Copies of ops that are in no block, and are gone at the end.
class DetachedOps {
public:
  ~DetachedOps() {
    for (Operation *op : llvm::reverse(ops))
      op->erase();
  }

  Value add(Operation *op) { return ops.emplace_back(op)->getResult(0); }
  Operation *getLast() const { return ops.back(); }

private:
  SmallVector<Operation *> ops;
};
} // namespace

/// Makes `create` place copies of the reader of the zero point, with zero in
/// place of that one, and of the product `op`, if that is another op.
static Value copyWithZero(linalg::LinalgOp op,
                          const SubtractedNumber &zeroPoint,
                          llvm::function_ref<Value(Operation *)> create) {
  Value number = zeroPoint.operand->get();
  OpBuilder builder(op->getContext());
  Value zero = create(arith::ConstantOp::create(
      builder, op.getLoc(), builder.getZeroAttr(number.getType())));
  auto copyWith = [&](OpOperand &operand, Value value) {
    Operation *copy = operand.getOwner()->clone();
    copy->setOperand(operand.getOperandNumber(), value);
    return create(copy);
  };
  Value result = copyWith(*zeroPoint.operand, zero);
  if (zeroPoint.operand->getOwner() != op)
    result = copyWith(op->getOpOperand(0), result);
  return result;
}

/// The filter of `op`, in i8. Fails if `op` could not be raised with a zero
/// point of 0.
static FailureOr<IntegerFactor> matchFilter(linalg::LinalgOp op,
                                            const SubtractedNumber &zeroPoint,
                                            Refusal &refusal) {
  DetachedOps copies;
  copyWithZero(op, zeroPoint,
               [&](Operation *copy) { return copies.add(copy); });
  auto copy = cast<linalg::LinalgOp>(copies.getLast());
  RaiseOptions options;
  options.integers = true;
  if (failed(checkMayRaise(copy, options, refusal)))
    return failure();
  auto factors = matchIntegerFactors(copy, "product", refusal);
  if (failed(factors))
    return failure();
  return (*factors)[1];
}

namespace {
/// The dimensions that are the output channel: one, or a group and its channel.
struct Channels {
  SmallVector<int64_t> ofFilter, ofResult;
};
} // namespace

/// Finds the channels of `op`. Each element of the result must read all of the
/// filter of its channel. Batches are no groups.
static std::optional<Channels> findChannels(linalg::LinalgOp op) {
  SmallVector<AffineMap> maps = getOperandMaps(op);
  if (!maps[1].isProjectedPermutation())
    return std::nullopt;
  auto iterators = op.getIteratorTypesArray();
  Channels channels;
  for (auto [dim, loop] : llvm::enumerate(maps[1].getResults())) {
    unsigned position = cast<AffineDimExpr>(loop).getPosition();
    if (iterators[position] != utils::IteratorType::parallel)
      continue;
    std::optional<unsigned> result = maps[2].getResultPosition(loop);
    if (!result)
      return std::nullopt;
    channels.ofFilter.push_back(dim);
    channels.ofResult.push_back(*result);
  }
  size_t count = channels.ofFilter.size();
  bool isConvolution = !maps[0].isProjectedPermutation();
  if (count == 0 || count > (isConvolution ? 2 : 1) ||
      maps[1].getNumResults() != op.getNumReductionLoops() + count)
    return std::nullopt;
  return channels;
}

/// Adds up the elements of `filter`, less its zero point, for each place of
/// dimensions `dims`, as integers that wrap.
static FailureOr<std::vector<int32_t>> addUpFilter(const IntegerFactor &filter,
                                                   ArrayRef<int64_t> dims,
                                                   Refusal &refusal) {
  Refusal reason;
  FailureOr<std::vector<int64_t>> numbers =
      evaluateIntegers(filter.source, reason);
  if (failed(numbers))
    return refusal.because("unsupported: zero point of operand 0 is not a "
                           "constant, and neither is the filter: ",
                           reason.str());
  auto type = cast<RankedTensorType>(filter.source.getType());
  SmallVector<int64_t> strides = computeStrides(type.getShape());
  int64_t channels = 1;
  for (int64_t dim : dims)
    channels *= type.getDimSize(dim);
  std::vector<uint32_t> sums(channels);
  for (int64_t i = 0, count = type.getNumElements(); i != count; ++i) {
    SmallVector<int64_t> indices = delinearize(i, strides);
    int64_t place = 0;
    for (int64_t dim : dims)
      place = place * type.getDimSize(dim) + indices[dim];
    sums[place] += static_cast<uint32_t>(
        (filter.isUnsigned ? (*numbers)[i] & 255 : (*numbers)[i]) -
        filter.zeroPoint);
  }
  return std::vector<int32_t>(sums.begin(), sums.end());
}

static FailureOr<ShiftedProduct> matchProduct(linalg::LinalgOp op,
                                              const SubtractedNumber &zeroPoint,
                                              Refusal &refusal) {
  FailureOr<IntegerFactor> filter = matchFilter(op, zeroPoint, refusal);
  if (failed(filter))
    return failure();
  std::optional<Channels> channels = findChannels(op);
  if (!channels)
    return refusal.because("unsupported: zero point of operand 0 is not a "
                           "constant, and the filter has not one channel");
  FailureOr<std::vector<int32_t>> sums =
      addUpFilter(*filter, channels->ofFilter, refusal);
  if (failed(sums))
    return failure();
  return ShiftedProduct{zeroPoint, channels->ofResult, std::move(*sums)};
}

/// The numbers by which the product without zero point is too large.
static Value emitExcess(OpBuilder &builder, Location loc,
                        const ShiftedProduct &product) {
  const SubtractedNumber &zeroPoint = product.zeroPoint;
  auto reader = cast<linalg::LinalgOp>(zeroPoint.operand->getOwner());
  Value sums = emitVector(builder, loc, product.sums);
  auto type = cast<RankedTensorType>(sums.getType());
  AffineMap identity = builder.getMultiDimIdentityMap(1);
  AffineMap same = AffineMap::get(
      1, 0, reader.getMatchingIndexingMap(zeroPoint.operand).getResults(),
      builder.getContext());
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                        type.getElementType());
  auto buildBody = [&](OpBuilder &b, Location loc, ValueRange args) {
    Value number = args[1];
    if (Operation *extend = zeroPoint.extend) {
      IRMapping mapping;
      mapping.map(extend->getOperand(0), number);
      number = b.clone(*extend, mapping)->getResult(0);
    }
    linalg::YieldOp::create(
        b, loc, arith::MulIOp::create(b, loc, args[0], number).getResult());
  };
  return linalg::GenericOp::create(
             builder, loc, type, ValueRange{sums, zeroPoint.operand->get()},
             empty, ArrayRef<AffineMap>{identity, same, identity},
             utils::IteratorType::parallel, buildBody)
      .getResult(0);
}

/// Subtracts `vector`, along dimensions `dims`, from `sum`.
static Value emitDifference(OpBuilder &builder, Location loc, Value sum,
                            Value vector, ArrayRef<int64_t> dims) {
  auto type = cast<RankedTensorType>(sum.getType());
  if (dims.size() > 1) {
    auto shape = llvm::map_to_vector(
        dims, [&](int64_t dim) { return type.getDimSize(dim); });
    vector = tensor::ExpandShapeOp::create(
        builder, loc, RankedTensorType::get(shape, type.getElementType()),
        vector,
        ReassociationIndices(llvm::to_vector(llvm::seq<int64_t>(dims.size()))));
  }
  Value empty = tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, sum),
      type.getElementType());
  AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  auto buildBody = [](OpBuilder &b, Location loc, ValueRange args) {
    linalg::YieldOp::create(
        b, loc, arith::SubIOp::create(b, loc, args[0], args[1]).getResult());
  };
  return linalg::GenericOp::create(
             builder, loc, type, ValueRange{sum, vector}, empty,
             ArrayRef<AffineMap>{
                 identity,
                 identity.getSubMap(llvm::to_vector_of<unsigned>(dims)),
                 identity},
             iterators, buildBody)
      .getResult(0);
}

namespace {
struct RunTimeZeroPointLaw
    : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    Refusal refusal;
    std::optional<SubtractedNumber> zeroPoint = findZeroPoint(op);
    if (!zeroPoint)
      return rewriter.notifyMatchFailure(
          op, "no zero point of a product that only a call knows");
    FailureOr<ShiftedProduct> product = matchProduct(op, *zeroPoint, refusal);
    if (failed(product))
      return refusal.notify(rewriter, op);
    Location loc = op.getLoc();
    Value excess = emitExcess(rewriter, loc, *product);
    Value sum = copyWithZero(op, *zeroPoint, [&](Operation *copy) {
      return rewriter.insert(copy)->getResult(0);
    });
    rewriter.replaceOp(
        op, emitDifference(rewriter, loc, sum, excess, product->channelDims));
    return success();
  }
};
} // namespace

LogicalResult fusion::explainRunTimeZeroPoint(linalg::LinalgOp op,
                                              Refusal &refusal) {
  if (std::optional<SubtractedNumber> zeroPoint = findZeroPoint(op))
    return matchProduct(op, *zeroPoint, refusal);
  return explainPaddedDifference(op, refusal);
}

void fusion::populateRunTimeZeroPointLaw(RewritePatternSet &patterns,
                                         const FuseOptions &) {
  patterns.add<RunTimeZeroPointLaw>(patterns.getContext());
}
