//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/MultiplyAdd.h"
#include "FusionDialect/Fuse/ConstantEvaluation.h"
#include "FusionDialect/Fuse/Raise.h"
#include "FusionDialect/Utils/EmitVector.h"
#include "Laws.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fusion;

namespace {
/// A number that is subtracted from each element of an input of i8.
struct ZeroPoint {
  OpOperand *operand; ///< of the product, or of an op in front of it
  Operation *extend;  ///< makes i32 of it; null if it is one
};

/// A product of an input less such a number and a constant filter.
struct ShiftedProduct {
  ZeroPoint zeroPoint;
  int64_t channelDim; ///< of the result
  /// Over the filter, one for each channel.
  std::vector<int32_t> sums;
};
} // namespace

static bool isExtension(Operation *op) {
  return isa_and_nonnull<arith::ExtSIOp, arith::ExtUIOp>(op);
}

static BlockArgument getArgument(linalg::LinalgOp op, Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && argument.getOwner() == op.getBlock() ? argument
                                                          : BlockArgument();
}

/// Reads `value`, in the body of `op`, as an input less a number that no loop
/// changes, and that nothing else reads. The number may be a constant.
static std::optional<ZeroPoint> matchDifference(linalg::LinalgOp op,
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
  BlockArgument argument = getArgument(op, number);
  if (!argument || !argument.hasOneUse() || !subtract.getRhs().hasOneUse() ||
      !op.isDpsInput(op.getMatchingOpOperand(argument)))
    return std::nullopt;
  OpOperand *operand = op.getMatchingOpOperand(argument);
  if (!isNumber(op.getMatchingIndexingMap(operand)))
    return std::nullopt;
  return ZeroPoint{operand, extend};
}

static bool isConstant(const ZeroPoint &zeroPoint) {
  return matchPattern(zeroPoint.operand->get(), m_Constant());
}

/// The last number that only a call knows and that is subtracted from `value`,
/// in the body of `op`; none if there is none. Makes of `value` what all
/// numbers are subtracted from.
static std::optional<ZeroPoint> readDifferences(linalg::LinalgOp op,
                                                Value &value) {
  std::optional<ZeroPoint> found;
  while (auto subtract = value.getDefiningOp<arith::SubIOp>()) {
    std::optional<ZeroPoint> number = matchDifference(op, value);
    if (!found && number && !isConstant(*number))
      found = number;
    value = subtract.getLhs();
  }
  return found;
}

/// True if `value`, in the body of `op`, is an operand of i8, extended to i32.
static bool extendsInput(linalg::LinalgOp op, Value value) {
  Operation *extend = value.getDefiningOp();
  return isExtension(extend) && value.getType().isInteger(32) &&
         extend->getOperand(0).getType().isInteger(8) &&
         getArgument(op, extend->getOperand(0));
}

/// The number that an op in front of a product subtracts from i8.
static std::optional<ZeroPoint> matchProducer(Value input) {
  auto producer = input.getDefiningOp<linalg::LinalgOp>();
  if (!producer || producer->getNumResults() != 1 ||
      producer.getNumLoops() != producer.getNumParallelLoops())
    return std::nullopt;
  Value value = producer.getBlock()->getTerminator()->getOperand(0);
  std::optional<ZeroPoint> zeroPoint = readDifferences(producer, value);
  return extendsInput(producer, value) ? zeroPoint : std::nullopt;
}

/// The factor of a product that is computed from input number `number`.
static Value getFactor(linalg::LinalgOp op, unsigned number) {
  Operation *multiply = getMultiply(op);
  for (Value factor : multiply->getOperands()) {
    Value value = factor;
    while (auto subtract = value.getDefiningOp<arith::SubIOp>())
      value = subtract.getLhs();
    if (isExtension(value.getDefiningOp()))
      value = value.getDefiningOp()->getOperand(0);
    BlockArgument argument = getArgument(op, value);
    if (argument && argument.getArgNumber() == number)
      return factor;
  }
  return nullptr;
}

/// The number that only a call knows and that is subtracted from the input of
/// `op`; none if there is none.
static std::optional<ZeroPoint> findZeroPoint(linalg::LinalgOp op) {
  if (!isRaisable(op) || !multipliesIntegers(op))
    return std::nullopt;
  Value factor = getFactor(op, 0);
  if (!factor)
    return std::nullopt;
  std::optional<ZeroPoint> zeroPoint = readDifferences(op, factor);
  bool isWide =
      getArgument(op, factor) && getElementTypeOrSelf(factor).isInteger(32);
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
static Value copyWithZero(linalg::LinalgOp op, const ZeroPoint &zeroPoint,
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
static FailureOr<IntegerFactor>
matchFilter(linalg::LinalgOp op, const ZeroPoint &zeroPoint, Refusal &refusal) {
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

/// The dimensions of the filter and of the result that are the output channel.
/// Each element of the result must read all of the filter of its channel.
static std::optional<std::pair<unsigned, unsigned>>
findChannels(linalg::LinalgOp op) {
  SmallVector<AffineMap> maps = getOperandMaps(op);
  if (!maps[1].isProjectedPermutation())
    return std::nullopt;
  auto iterators = op.getIteratorTypesArray();
  SmallVector<unsigned> parallel;
  for (unsigned i = 0; i != maps[1].getNumResults(); ++i)
    if (iterators[maps[1].getDimPosition(i)] == utils::IteratorType::parallel)
      parallel.push_back(i);
  if (parallel.size() != 1 ||
      maps[1].getNumResults() != op.getNumReductionLoops() + 1)
    return std::nullopt;
  std::optional<unsigned> result =
      maps[2].getResultPosition(maps[1].getResult(parallel[0]));
  if (!result)
    return std::nullopt;
  return std::pair(parallel[0], *result);
}

/// Adds up the elements of `filter`, less its zero point, for each place of
/// dimension `channel`, as integers that wrap.
static FailureOr<std::vector<int32_t>>
addUpFilter(const IntegerFactor &filter, unsigned channel, Refusal &refusal) {
  Refusal reason;
  FailureOr<std::vector<int64_t>> numbers =
      evaluateIntegers(filter.source, reason);
  if (failed(numbers))
    return refusal.because("unsupported: zero point of operand 0 is not a "
                           "constant, and neither is the filter: ",
                           reason.str());
  auto type = cast<RankedTensorType>(filter.source.getType());
  int64_t channels = type.getDimSize(channel), inner = 1;
  for (int64_t size : type.getShape().drop_front(channel + 1))
    inner *= size;
  std::vector<uint32_t> sums(channels);
  for (int64_t i = 0, count = type.getNumElements(); i != count; ++i)
    sums[i / inner % channels] += static_cast<uint32_t>(
        (filter.isUnsigned ? (*numbers)[i] & 255 : (*numbers)[i]) -
        filter.zeroPoint);
  return std::vector<int32_t>(sums.begin(), sums.end());
}

static FailureOr<ShiftedProduct> matchProduct(linalg::LinalgOp op,
                                              const ZeroPoint &zeroPoint,
                                              Refusal &refusal) {
  FailureOr<IntegerFactor> filter = matchFilter(op, zeroPoint, refusal);
  if (failed(filter))
    return failure();
  auto channels = findChannels(op);
  if (!channels)
    return refusal.because("unsupported: zero point of operand 0 is not a "
                           "constant, and the filter has not one channel");
  auto [filterDim, resultDim] = *channels;
  FailureOr<std::vector<int32_t>> sums =
      addUpFilter(*filter, filterDim, refusal);
  if (failed(sums))
    return failure();
  return ShiftedProduct{zeroPoint, resultDim, std::move(*sums)};
}

/// The numbers by which the product without zero point is too large.
static Value emitExcess(OpBuilder &builder, Location loc,
                        const ShiftedProduct &product) {
  const ZeroPoint &zeroPoint = product.zeroPoint;
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

/// Subtracts `vector`, along dimension `dim`, from `sum`.
static Value emitDifference(OpBuilder &builder, Location loc, Value sum,
                            Value vector, int64_t dim) {
  auto type = cast<RankedTensorType>(sum.getType());
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
             ArrayRef<AffineMap>{identity, identity.getSubMap(dim), identity},
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
    std::optional<ZeroPoint> zeroPoint = findZeroPoint(op);
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
        op, emitDifference(rewriter, loc, sum, excess, product->channelDim));
    return success();
  }
};
} // namespace

LogicalResult fusion::explainRunTimeZeroPoint(linalg::LinalgOp op,
                                              Refusal &refusal) {
  if (std::optional<ZeroPoint> zeroPoint = findZeroPoint(op))
    return matchProduct(op, *zeroPoint, refusal);
  return success();
}

void fusion::populateRunTimeZeroPointLaw(RewritePatternSet &patterns,
                                         const FuseOptions &) {
  patterns.add<RunTimeZeroPointLaw>(patterns.getContext());
}
