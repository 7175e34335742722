//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConstantElements.h"
#include "FusionDialect/Support/ConstantAttr.h"
#include "FusionDialect/Support/TensorSize.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace fusion;

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// Constants with more elements are computed at run time. In f64 these take 2
/// GiB.
static constexpr int64_t maxElements = int64_t(1) << 28;

double Elements::operator[](size_t i) const {
  double number;
  read(isSplat ? 0 : i, /*stride=*/0, number);
  return number;
}

void Elements::read(size_t position, int64_t stride,
                    MutableArrayRef<double> row) const {
  const char *bytes = data->getData().data();
  auto readAs = [&](auto element) {
    for (double &number : row) {
      std::memcpy(&element, bytes + position * sizeof(element),
                  sizeof(element));
      number = element;
      position += stride;
    }
  };
  if (isF32)
    readAs(float());
  else
    readAs(double());
}

void Elements::write(size_t position, ArrayRef<double> row) {
  char *bytes = data->getMutableData().data();
  auto writeAs = [&](auto element) {
    for (double number : row) {
      element = number;
      std::memcpy(bytes + position++ * sizeof(element), &element,
                  sizeof(element));
    }
  };
  if (isF32)
    writeAs(float());
  else
    writeAs(double());
}

Elements fusion::allocateElements(size_t count, bool isF32, bool isSplat) {
  size_t size = count * (isF32 ? sizeof(float) : sizeof(double));
  return {std::make_shared<AsmResourceBlob>(
              HeapAsmResourceBlob::allocate(size, /*align=*/64)),
          isF32, isSplat};
}

Elements fusion::makeElements(ArrayRef<double> numbers, bool isSplat) {
  Elements elements =
      allocateElements(numbers.size(), /*isF32=*/false, isSplat);
  elements.write(0, numbers);
  return elements;
}

/// The elements of a constant of f32, as they are in memory.
static Elements viewElements(ArrayRef<char> data) {
  return {std::make_shared<AsmResourceBlob>(
              UnmanagedAsmResourceBlob::allocateWithAlign(data, /*align=*/1)),
          /*isF32=*/true, /*isSplat=*/false};
}

LogicalResult fusion::checkCount(ArrayRef<int64_t> shape, Refusal &refusal) {
  std::optional<int64_t> count = countElements(shape);
  if (count && *count <= maxElements)
    return success();
  return refusal.because("a constant must have at most ", maxElements,
                         " elements to be computed at compile time, got ",
                         count ? std::to_string(*count) : "2^63 or more");
}

FailureOr<std::vector<double>> fusion::expand(const Elements &elements,
                                              ArrayRef<int64_t> shape,
                                              Refusal &refusal) {
  if (failed(checkCount(shape, refusal)))
    return failure();
  std::vector<double> numbers(*countElements(shape));
  elements.read(0, /*stride=*/elements.isSplat ? 0 : 1, numbers);
  return numbers;
}

Elements fusion::sliceElements(const Elements &elements,
                               ArrayRef<int64_t> shape,
                               ArrayRef<int64_t> offsets,
                               ArrayRef<int64_t> sizes,
                               ArrayRef<int64_t> strides) {
  size_t count = ShapedType::getNumElements(sizes);
  if (elements.isSplat && count != 0)
    return elements;
  Elements slice = allocateElements(count, elements.isF32);
  SmallVector<int64_t> steps = computeStrides(shape);
  SmallVector<int64_t> sliceSteps = computeStrides(sizes);
  std::vector<double> row(sizes.empty() ? 1 : sizes.back());
  for (size_t position = 0; position < count; position += row.size()) {
    size_t source = 0;
    for (auto [index, offset, stride, step] : llvm::zip_equal(
             delinearize(position, sliceSteps), offsets, strides, steps))
      source += (offset + index * stride) * step;
    elements.read(source, strides.empty() ? 1 : strides.back(), row);
    slice.write(position, row);
  }
  return slice;
}

//===----------------------------------------------------------------------===//
// Reading constants
//===----------------------------------------------------------------------===//

/// The elements of a resource. Its bytes are the elements as in memory.
static FailureOr<Elements> readResource(DenseResourceElementsAttr attr,
                                        Refusal &refusal) {
  AsmResourceBlob *blob = attr.getRawHandle().getBlob();
  if (!blob)
    return refusal.because("resource '", attr.getRawHandle().getKey(),
                           "' has no data");
  auto type = cast<FloatType>(attr.getElementType());
  const llvm::fltSemantics &semantics = type.getFloatSemantics();
  size_t width = type.getIntOrFloatBitWidth() / 8;
  std::optional<int64_t> expected =
      countBytes(attr.getType().getShape(), width);
  ArrayRef<char> bytes = blob->getData();
  if (!expected || bytes.size() != static_cast<size_t>(*expected))
    return refusal.because("resource '", attr.getRawHandle().getKey(), "' has ",
                           bytes.size(), " bytes, expected those of ",
                           attr.getType());
  if (type.isF32())
    return viewElements(bytes);
  std::vector<double> elements(bytes.size() / width);
  for (size_t i = 0, e = elements.size(); i != e; ++i) {
    uint64_t bits = 0;
    std::memcpy(&bits, bytes.data() + i * width, width);
    APFloat number(semantics, APInt(width * 8, bits));
    bool losesInfo;
    number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                   &losesInfo);
    elements[i] = number.convertToDouble();
  }
  return makeElements(elements);
}

FailureOr<Elements> fusion::readConstant(Attribute attr,
                                         ArrayRef<int64_t> shape,
                                         Refusal &refusal) {
  auto dense = dyn_cast<DenseElementsAttr>(attr);
  bool isEmpty = llvm::is_contained(shape, 0);
  auto toDouble = [](APFloat number) {
    bool losesInfo;
    number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                   &losesInfo);
    return number.convertToDouble();
  };
  if (dense && dense.isSplat() && !isEmpty)
    return makeElements({toDouble(dense.getSplatValue<APFloat>())},
                        /*isSplat=*/true);
  if (failed(checkCount(shape, refusal)))
    return failure();
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attr))
    return readResource(resource, refusal);
  if (!dense)
    return refusal.because("constant ", attr, " is not dense");
  if (dense.getElementType().isF32() && !isEmpty)
    return viewElements(dense.getRawData());
  std::vector<double> numbers;
  numbers.reserve(*countElements(shape));
  for (APFloat number : dense.getValues<APFloat>())
    numbers.push_back(toDouble(number));
  return makeElements(numbers);
}

//===----------------------------------------------------------------------===//
// Writing constants
//===----------------------------------------------------------------------===//

ElementsAttr fusion::createConstantAttr(RankedTensorType type,
                                        Elements &&elements) {
  auto elementType = cast<FloatType>(type.getElementType());
  const llvm::fltSemantics &semantics = elementType.getFloatSemantics();
  auto round = [&](double element) {
    APFloat number(element);
    bool losesInfo;
    number.convert(semantics, APFloat::rmNearestTiesToEven, &losesInfo);
    return number;
  };
  if (elements.isSplat)
    return DenseElementsAttr::get(type, round(elements[0]));
  size_t count = elements.size();
  if (elementType.isF32()) {
    if (!elements.isF32 || !elements.data->isMutable()) {
      Elements rounded = allocateElements(count, /*isF32=*/true);
      for (size_t i = 0; i != count; ++i)
        rounded.write(i, elements[i]);
      elements = std::move(rounded);
    }
    return makeElementsAttr(type, std::move(*elements.data), "fusion_folded");
  }
  size_t width = elementType.getIntOrFloatBitWidth() / 8;
  AsmResourceBlob blob =
      HeapAsmResourceBlob::allocate(count * width, /*align=*/64);
  char *data = blob.getMutableData().data();
  for (size_t i = 0; i != count; ++i) {
    uint64_t bits = round(elements[i]).bitcastToAPInt().getZExtValue();
    std::memcpy(data + i * width, &bits, width);
  }
  return makeElementsAttr(type, std::move(blob), "fusion_folded");
}
