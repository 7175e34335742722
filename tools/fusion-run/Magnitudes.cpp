//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Magnitudes.h"

#include "FusionDialect/Analysis/ConvolutionMatch.h"
#include "FusionDialect/Analysis/Dataflow.h"
#include "FusionDialect/Support/ConstantAttr.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include <cmath>

using namespace mlir;
using namespace fusion;
using namespace fusion::run;

/// Those of integers that are drawn: of 8 bits, and of others.
static constexpr double byteMagnitude = 74;
static constexpr double integerMagnitude = 9;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

bool fusion::run::movesElements(Operation *op) {
  return isa<tensor::CastOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp,
             tensor::ReshapeOp, tensor::ExtractSliceOp, tensor::PadOp,
             tensor::ExtractOp, arith::ExtFOp, arith::TruncFOp>(op);
}

static Value getYielded(linalg::LinalgOp op, Value result) {
  unsigned number = cast<OpResult>(result).getResultNumber();
  return op.getMatchingYieldValue(op.getDpsInitOperand(number))->get();
}

/// One step back; null where the elements are computed.
static Value stepBack(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op) {
    Operation *parent = cast<BlockArgument>(value).getOwner()->getParentOp();
    auto body = dyn_cast<linalg::LinalgOp>(parent);
    OpOperand *operand = body ? getReadOperand(body, value) : nullptr;
    return operand ? operand->get() : Value();
  }
  if (movesElements(op))
    return op->getOperand(0);
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return linalgOp && linalgOp.isAllParallelLoops() ? getYielded(linalgOp, value)
                                                   : Value();
}

Value fusion::run::traceElements(Value value) {
  while (Value before = stepBack(value))
    value = before;
  return value;
}

std::optional<double> fusion::run::getConstantMagnitude(Value value) {
  Attribute attr;
  if (!matchPattern(value, m_Constant(&attr)))
    return std::nullopt;
  if (auto number = dyn_cast<FloatAttr>(attr))
    return std::abs(number.getValueAsDouble());
  if (auto number = dyn_cast<IntegerAttr>(attr))
    return std::abs(number.getValue().signedRoundToDouble());
  auto elements = dyn_cast<ElementsAttr>(attr);
  std::optional<ElementKind> kind =
      elements ? getElementKind(elements.getElementType()) : std::nullopt;
  if (!kind || *kind == ElementKind::I1)
    return std::nullopt;
  ArrayRef<char> bytes = getElementBytes(elements);
  size_t count = bytes.size() / getByteWidth(*kind);
  if (count == 0)
    return std::nullopt;
  double sum = 0;
  for (size_t i = 0; i != count; ++i) {
    double number = loadElement(*kind, bytes.data() + i * getByteWidth(*kind));
    sum += number * number;
  }
  return std::sqrt(sum / static_cast<double>(count));
}

//===----------------------------------------------------------------------===//
// Filters
//===----------------------------------------------------------------------===//

/// The product of the extents of `dims` in the operand of `use`.
static int64_t getExtent(linalg::LinalgOp op, OpOperand &use,
                         ArrayRef<unsigned> dims) {
  AffineMap map = op.getMatchingIndexingMap(&use);
  ArrayRef<int64_t> shape = op.getShape(&use);
  int64_t extent = 1;
  for (unsigned dim : dims) {
    auto position =
        map.getResultPosition(getAffineDimExpr(dim, op.getContext()));
    if (position && !ShapedType::isDynamic(shape[*position]))
      extent *= shape[*position];
  }
  return extent;
}

/// A filter is the operand of a convolution that is not read by windows, or the
/// second operand of a matmul. The first one may be, if it is a constant.
static std::optional<int64_t> getFilterFanIn(linalg::LinalgOp op,
                                             OpOperand &use) {
  unsigned index = use.getOperandNumber();
  if (isConvolution(op) && index == 1 - getInputNumber(op)) {
    SmallVector<unsigned> summed;
    op.getReductionDims(summed);
    return getExtent(op, use, summed);
  }
  auto dims = linalg::inferContractionDims(op);
  if (failed(dims) || linalg::isaConvolutionOpInterface(op))
    return std::nullopt;
  bool isConstant = use.get().getDefiningOp<arith::ConstantOp>() != nullptr;
  if (index != 1 && !(index == 0 && isConstant))
    return std::nullopt;
  return getExtent(op, use, dims->k);
}

/// The same for fusion ops, in files that have gone through our passes.
static int64_t getFanIn(FusedOpInterface op) {
  auto type = cast<ShapedType>(op.getFilter().getType());
  int64_t products = 1;
  for (auto [dim, letter] : llvm::enumerate(op.getFilterLayout().getLetters()))
    if (!StringRef("fnb").contains(letter) && !type.isDynamicDim(dim))
      products *= type.getDimSize(dim);
  return products;
}

std::optional<int64_t> fusion::run::getFilterFanIn(OpOperand &use) {
  Operation *op = use.getOwner();
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return ::getFilterFanIn(linalgOp, use);
  auto fused = dyn_cast<FusedOpInterface>(op);
  if (fused && &use == &fused.getFilterMutable())
    return getFanIn(fused);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

double Magnitudes::get(Value value) {
  value = traceElements(value);
  if (depth == 100)
    return integerMagnitude;
  auto [entry, isNew] = known.try_emplace(value, integerMagnitude);
  if (!isNew)
    return entry->second;
  ++depth;
  double magnitude = compute(value);
  --depth;
  known[value] = magnitude;
  return magnitude;
}

double Magnitudes::getSum(FusedOpInterface op) {
  auto quantized = dyn_cast<QuantizedOpInterface>(op.getOperation());
  double zeroPoint = quantized ? quantized.getInputZeroPoint() : 0;
  return std::hypot(get(op.getInput()), zeroPoint) * get(op.getFilter()) *
         std::sqrt(static_cast<double>(getFanIn(op)));
}

/// A sum of `yielded` over the loops that reduce.
double Magnitudes::getOfSum(linalg::LinalgOp op, Value yielded) {
  auto sum = yielded.getDefiningOp<arith::AddIOp>();
  if (!sum)
    return get(yielded);
  bool isFirst = llvm::is_contained(op.getRegionOutputArgs(), sum.getLhs());
  double products = 1;
  for (auto [size, kind] :
       llvm::zip(op.getStaticLoopRanges(), op.getIteratorTypesArray()))
    if (linalg::isReductionIterator(kind) && !ShapedType::isDynamic(size))
      products *= static_cast<double>(size);
  return get(isFirst ? sum.getRhs() : sum.getLhs()) * std::sqrt(products);
}

double Magnitudes::compute(Value value) {
  if (std::optional<double> constant = getConstantMagnitude(value))
    return *constant;
  Operation *op = value.getDefiningOp();
  bool isByte = getElementTypeOrSelf(value).isInteger(8);
  if (!op || isa<arith::ConstantOp>(op))
    return isByte ? byteMagnitude : integerMagnitude;
  if (isByte) // A change of sign, or a clamp.
    return isa<arith::AddIOp, arith::SubIOp, arith::XOrIOp, arith::MaxSIOp,
               arith::MinSIOp>(op)
               ? get(op->getOperand(0))
               : resultMagnitude;
  if (isa<arith::ShRSIOp>(op))
    return resultMagnitude;
  if (isa<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp>(op))
    return get(op->getOperand(0));
  if (isa<arith::AddIOp, arith::SubIOp>(op))
    return std::hypot(get(op->getOperand(0)), get(op->getOperand(1)));
  if (isa<arith::MulIOp>(op))
    return get(op->getOperand(0)) * get(op->getOperand(1));
  if (auto fused = dyn_cast<FusedOpInterface>(op))
    return getSum(fused);
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return linalgOp ? getOfSum(linalgOp, getYielded(linalgOp, value))
                  : integerMagnitude;
}
