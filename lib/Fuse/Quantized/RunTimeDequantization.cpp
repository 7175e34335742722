//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunTimeDequantization.h"
#include "DequantizedFilter.h"
#include "FusionDialect/Analysis/ChannelVector.h"
#include "FusionDialect/Analysis/Dataflow.h"
#include "FusionDialect/Analysis/Padding.h"
#include "FusionDialect/Analysis/Transpose.h"
#include "FusionDialect/Analysis/Views.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;
using namespace fusion;

//===----------------------------------------------------------------------===//
// Scalars that are the same for all elements
//===----------------------------------------------------------------------===//

namespace {
/// An operand of which all elements of an op, or all of a row, read the same
/// number.
struct UniformOperand {
  Value value; ///< a scalar, or a tensor read at `indices`; null for a constant
  SmallVector<AffineExpr> indices;
  TypedAttr constant = nullptr;
};

/// The ops and operands that compute a scalar in the body of an op.
struct Slice {
  llvm::SetVector<Operation *> ops; ///< each behind those that it reads
  llvm::MapVector<BlockArgument, UniformOperand> arguments;
  bool isKnown = true;  ///< whether it is computed from constants alone
  bool isOfRow = false; ///< whether it may be another number for each row
};
} // namespace

/// `number`, of an element of `type`, as a constant.
static TypedAttr getConstant(Type type, double number) {
  if (auto floatType = dyn_cast<FloatType>(type))
    return FloatAttr::get(floatType, number);
  return IntegerAttr::get(type, static_cast<int64_t>(number));
}

static std::optional<UniformOperand>
matchOperand(linalg::LinalgOp op, BlockArgument argument, bool isOfRow) {
  OpOperand *operand = op.getMatchingOpOperand(argument);
  if (!op.isDpsInput(operand))
    return std::nullopt;
  AffineMap map = op.getMatchingIndexingMap(operand);
  if (isOfRow
          ? !map.isFunctionOfDim(map.getNumDims() - 1)
          : llvm::all_of(map.getResults(), llvm::IsaPred<AffineConstantExpr>))
    return UniformOperand{operand->get(), llvm::to_vector(map.getResults())};
  // A tensor that repeats a number.
  Refusal unread = Refusal::unread();
  FailureOr<ChannelVector> number = matchChannelVector(
      operand->get(), map, /*channelDim=*/std::nullopt, {}, unread);
  if (failed(number))
    return std::nullopt;
  if (number->number)
    return UniformOperand{
        nullptr, {}, getConstant(argument.getType(), *number->number)};
  if (getElementTypeOrSelf(number->base) != argument.getType())
    return std::nullopt;
  auto type = dyn_cast<RankedTensorType>(number->base.getType());
  AffineExpr zero = getAffineConstantExpr(0, op.getContext());
  return UniformOperand{
      number->base, SmallVector<AffineExpr>(type ? type.getRank() : 0, zero)};
}

/// Adds what `value`, in the body of `op`, is computed from. False if that may
/// differ from element to element.
static bool addToSlice(linalg::LinalgOp op, Value value, Slice &slice) {
  if (value.getParentBlock() != op.getBlock()) {
    slice.isKnown &= matchPattern(value, m_Constant());
    return true;
  }
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    std::optional<UniformOperand> operand =
        matchOperand(op, argument, slice.isOfRow);
    slice.isKnown &=
        (operand && operand->constant) ||
        matchPattern(op.getMatchingOpOperand(argument)->get(), m_Constant());
    if (!operand)
      return false;
    slice.arguments.try_emplace(argument, std::move(*operand));
    return true;
  }
  Operation *inner = value.getDefiningOp();
  if (slice.ops.contains(inner))
    return true;
  // An op that is not registered has no dialect.
  if (!isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
          inner->getDialect()) &&
      !isa<tensor::ExtractOp>(inner)) {
    slice.isKnown = false;
    return false;
  }
  for (Value operand : inner->getOperands())
    if (!addToSlice(op, operand, slice))
      return false;
  slice.ops.insert(inner);
  return true;
}

/// True if `value`, in the body of `op`, is the same for all elements of a row.
static bool isSameInRow(linalg::LinalgOp op, Value value) {
  Slice slice;
  slice.isOfRow = op.getNumLoops() > 0;
  return addToSlice(op, value, slice);
}

/// Converts `number` to `type`: f32, or integers that it is one of.
static Value convertNumber(OpBuilder &builder, Location loc, Value number,
                           Type type) {
  bool isFloat = isa<FloatType>(number.getType());
  if (type.isF32())
    return isFloat ? number
                   : arith::SIToFPOp::create(builder, loc, type, number);
  if (isFloat)
    number =
        arith::FPToSIOp::create(builder, loc, builder.getI32Type(), number);
  if (number.getType().getIntOrFloatBitWidth() <= type.getIntOrFloatBitWidth())
    return number;
  return arith::TruncIOp::create(builder, loc, type, number);
}

/// Computes `slice` for each element of `empty`.
static Value emitSlice(OpBuilder &builder, Location loc, Value value,
                       const Slice &slice, Value empty) {
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  unsigned rank = cast<RankedTensorType>(empty.getType()).getRank();
  for (auto &[argument, operand] : slice.arguments) {
    inputs.push_back(operand.constant ? arith::ConstantOp::create(
                                            builder, loc, operand.constant)
                                            .getResult()
                                      : operand.value);
    maps.push_back(
        AffineMap::get(rank, 0, operand.indices, builder.getContext()));
  }
  maps.push_back(builder.getMultiDimIdentityMap(rank));
  auto buildBody = [&](OpBuilder &b, Location loc, ValueRange args) {
    IRMapping mapping;
    for (auto [entry, arg] : llvm::zip(slice.arguments, args))
      mapping.map(entry.first, arg);
    for (Operation *inner : slice.ops)
      b.clone(*inner, mapping);
    Value result = convertNumber(b, loc, mapping.lookupOrDefault(value),
                                 getElementTypeOrSelf(empty));
    linalg::YieldOp::create(b, loc, result);
  };
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(builder, loc, empty.getType(), inputs, empty,
                                   maps, iterators, buildBody)
      .getResult(0);
}

Value UniformScalar::emit(OpBuilder &builder, Location loc, int64_t count,
                          Type type) const {
  Slice slice;
  addToSlice(op, value, slice);
  Value empty =
      tensor::EmptyOp::create(builder, loc, ArrayRef<int64_t>{count}, type);
  return emitSlice(builder, loc, value, slice, empty);
}

Value UniformScalar::emitByte(OpBuilder &builder, Location loc) const {
  Value bytes = emit(builder, loc, /*count=*/1, builder.getI8Type());
  Value first = arith::ConstantIndexOp::create(builder, loc, 0);
  return tensor::ExtractOp::create(builder, loc, bytes, first);
}

Value UniformScalar::emitRows(OpBuilder &builder, Location loc) const {
  Slice slice;
  slice.isOfRow = true;
  addToSlice(op, value, slice);
  auto sizes = tensor::getMixedSizes(builder, loc, op->getResult(0));
  sizes.pop_back();
  Value empty =
      tensor::EmptyOp::create(builder, loc, sizes, builder.getF32Type());
  return emitSlice(builder, loc, value, slice, empty);
}

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

/// The integer that `value`, in the body of `op`, is for all elements, if it is
/// known.
static std::optional<int64_t> getInteger(linalg::LinalgOp op, Value value) {
  std::optional<double> number;
  bool isUnsigned = false;
  while (isa_and_nonnull<arith::ExtSIOp, arith::SIToFPOp, arith::ExtUIOp,
                         arith::UIToFPOp>(value.getDefiningOp())) {
    Operation *inner = value.getDefiningOp();
    isUnsigned = isa<arith::ExtUIOp, arith::UIToFPOp>(inner);
    value = inner->getOperand(0);
    if (isUnsigned && !value.getType().isInteger(8))
      return std::nullopt;
  }
  if (APInt integer; matchPattern(value, m_ConstantInt(&integer)))
    number = integer.roundToDouble(/*isSigned=*/true);
  else if (APFloat real(0.0); matchPattern(value, m_ConstantFloat(&real)))
    number = real.convertToDouble();
  else if (OpOperand *operand = getReadOperand(op, value))
    number = getUniformNumber(operand->get());
  if (number && isUnsigned && *number < 0.0)
    *number += 256.0;
  if (!number || *number != std::nearbyint(*number) ||
      std::abs(*number) > 255.0)
    return std::nullopt;
  return static_cast<int64_t>(*number);
}

namespace {
/// Reads the steps of a dequantisation, the last one first.
class StepReader {
public:
  explicit StepReader(Refusal &refusal) : refusal(refusal) {}

  FailureOr<RunTimeDequantization> read(Value tensor);

  /// True if all parameters that were read are constants.
  bool isAllKnown() const { return isKnown; }

private:
  FailureOr<Value> readBody(linalg::LinalgOp op);
  FailureOr<Value> readStep(linalg::LinalgOp op, Operation *step);
  FailureOr<Value> readProduct(linalg::LinalgOp op, Operation *step);
  LogicalResult readRowFactor(linalg::LinalgOp op, Value number, bool divides);
  FailureOr<Value> readDifference(linalg::LinalgOp op, Operation *step);
  FailureOr<Value> readConversion(Operation *step, bool isUnsigned);

  Refusal &refusal;
  RunTimeDequantization result;
  bool hasDifference = false, hasSign = false;
  bool isKnown = true;
};
} // namespace

LogicalResult StepReader::readRowFactor(linalg::LinalgOp op, Value number,
                                        bool divides) {
  Slice slice;
  slice.isOfRow = true;
  if (op.getNumLoops() == 0 || !addToSlice(op, number, slice))
    return refusal.because(
        "a scale is the same neither for all elements nor for those of a row");
  RunTimeDequantization::RowFactor factor{{{op, number}, divides}, {}};
  for (Operation *move : result.moves) {
    auto collapse = dyn_cast<tensor::CollapseShapeOp>(move);
    if (!collapse || collapse.getReassociationIndices().back().size() != 1)
      return refusal.because("unsupported: '", move->getName().getStringRef(),
                             "' comes behind a scale for each row");
    factor.collapses.push_back(collapse);
  }
  result.rowFactors.push_back(std::move(factor));
  return success();
}

FailureOr<Value> StepReader::readProduct(linalg::LinalgOp op, Operation *step) {
  if (hasDifference)
    return refusal.because("a zero point is subtracted from a product");
  bool divides = isa<arith::DivFOp>(step);
  Value lhs = step->getOperand(0), rhs = step->getOperand(1);
  // All elements of a tensor of one element are the same as well.
  if (!divides && isSameInRow(op, lhs) && !isSameInRow(op, rhs))
    std::swap(lhs, rhs);
  Slice slice;
  bool isNumber = addToSlice(op, rhs, slice);
  isKnown &= slice.isKnown;
  if (!isNumber) {
    if (failed(readRowFactor(op, rhs, divides)))
      return failure();
    return lhs;
  }
  result.factors.push_back({{op, rhs}, divides});
  return lhs;
}

FailureOr<Value> StepReader::readDifference(linalg::LinalgOp op,
                                            Operation *step) {
  Value number = step->getOperand(1);
  Slice slice;
  bool isNumber = addToSlice(op, number, slice);
  isKnown &= slice.isKnown;
  if (hasDifference)
    return refusal.because("several zero points are subtracted");
  if (auto type = dyn_cast<IntegerType>(number.getType());
      type && type.getWidth() < 32)
    return refusal.because("may wrap: a zero point is subtracted in ", type);
  if (!isNumber)
    return refusal.because("a zero point is not the same for all elements");
  hasDifference = true;
  if (std::optional<int64_t> known = getInteger(op, number))
    result.knownZeroPoint = *known;
  else
    result.zeroPoint = UniformScalar{op, number};
  return step->getOperand(0);
}

FailureOr<Value> StepReader::readConversion(Operation *step, bool isUnsigned) {
  Value operand = step->getOperand(0);
  bool isByte = operand.getType().isInteger(8);
  if (!isByte && !isa<arith::SIToFPOp>(step))
    return refusal.because("'", step->getName().getStringRef(),
                           "' is no step of a dequantisation");
  if (isByte) {
    hasSign = true;
    result.isUnsigned = isUnsigned;
  }
  return operand;
}

FailureOr<Value> StepReader::readStep(linalg::LinalgOp op, Operation *step) {
  Type type = step->getResult(0).getType();
  if (isa<FloatType>(type) && !type.isF32())
    return refusal.because("rounds to ", type);
  return llvm::TypeSwitch<Operation *, FailureOr<Value>>(step)
      .Case<arith::MulFOp, arith::DivFOp>(
          [&](auto) { return readProduct(op, step); })
      .Case<arith::SubFOp, arith::SubIOp>(
          [&](auto) { return readDifference(op, step); })
      .Case<arith::ExtSIOp, arith::SIToFPOp>(
          [&](auto) { return readConversion(step, /*isUnsigned=*/false); })
      .Case<arith::ExtUIOp, arith::UIToFPOp>(
          [&](auto) { return readConversion(step, /*isUnsigned=*/true); })
      .Default([&](auto) -> FailureOr<Value> {
        return refusal.because("'", step->getName().getStringRef(),
                               "' is no step of a dequantisation");
      });
}

/// Reads the body of `op` as far as the tensor that it takes elements from.
FailureOr<Value> StepReader::readBody(linalg::LinalgOp op) {
  if (failed(checkComputesElements(op, refusal)))
    return failure();
  Value value = op.getBlock()->getTerminator()->getOperand(0);
  while (Operation *step = value.getDefiningOp()) {
    if (step->getBlock() != op.getBlock())
      break;
    FailureOr<Value> before = readStep(op, step);
    if (failed(before))
      return failure();
    value = *before;
  }
  if (value.getParentBlock() != op.getBlock())
    return refusal.because("no linalg op computes the value");
  OpOperand *operand = op.getMatchingOpOperand(cast<BlockArgument>(value));
  if (!op.isDpsInput(operand) ||
      !op.getMatchingIndexingMap(operand).isIdentity())
    return refusal.because("operand ", operand->getOperandNumber(),
                           " is not read element for element");
  return operand->get();
}

FailureOr<RunTimeDequantization> StepReader::read(Value tensor) {
  while (!getElementTypeOrSelf(tensor).isInteger(8)) {
    Operation *op = tensor.getDefiningOp();
    if (op && (isView(op) || isTranspose(op))) {
      result.moves.push_back(op);
      tensor = op->getOperand(0);
      continue;
    }
    auto linalgOp = dyn_cast_or_null<linalg::LinalgOp>(op);
    if (!linalgOp)
      return refusal.because("no linalg op computes the value");
    FailureOr<Value> before = readBody(linalgOp);
    if (failed(before))
      return failure();
    tensor = *before;
  }
  if (!hasSign)
    return refusal.because("not from i8 to f32");
  result.source = tensor;
  return std::move(result);
}

FailureOr<std::optional<RunTimeDequantization>>
RunTimeDequantization::match(Value value, Refusal &refusal) {
  Refusal reason;
  StepReader reader(reason);
  FailureOr<RunTimeDequantization> result = reader.read(value);
  if (reader.isAllKnown())
    return std::optional<RunTimeDequantization>();
  if (failed(result))
    return refusal.because(reason.str());
  return std::optional(*result);
}

Value RunTimeDequantization::emitScaled(OpBuilder &builder, Location loc,
                                        Value vector) const {
  int64_t count = cast<RankedTensorType>(vector.getType()).getDimSize(0);
  for (const Factor &factor : factors)
    vector = emitScaledVector(
        builder, loc, vector,
        {factor.number.emit(builder, loc, count, builder.getF32Type()),
         factor.divides});
  return vector;
}

Value RunTimeDequantization::emitScaledRows(OpBuilder &builder, Location loc,
                                            Value rows) const {
  auto type = cast<RankedTensorType>(rows.getType());
  AffineMap each = builder.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  for (const RowFactor &factor : rowFactors) {
    Value number = factor.number.emitRows(builder, loc);
    for (tensor::CollapseShapeOp collapse : llvm::reverse(factor.collapses))
      number = tensor::CollapseShapeOp::create(
          builder, loc, number,
          ArrayRef(collapse.getReassociationIndices()).drop_back());
    Value empty = tensor::EmptyOp::create(
        builder, loc, tensor::getMixedSizes(builder, loc, rows),
        type.getElementType());
    auto scale = [&](OpBuilder &b, Location loc, ValueRange args) {
      Value scaled =
          factor.divides
              ? arith::DivFOp::create(b, loc, args[0], args[1]).getResult()
              : arith::MulFOp::create(b, loc, args[0], args[1]).getResult();
      linalg::YieldOp::create(b, loc, scaled);
    };
    rows = linalg::GenericOp::create(
               builder, loc, type, ValueRange{rows, number}, empty,
               ArrayRef<AffineMap>{each, each.dropResult(type.getRank() - 1),
                                   each},
               iterators, scale)
               .getResult(0);
  }
  return rows;
}
