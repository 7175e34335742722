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
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace fusion;

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// Constants with more elements are computed at run time. In f64 these take 2
/// GiB.
static constexpr int64_t maxElements = int64_t(1) << 28;

Elements fusion::makeElements(std::vector<double> &&numbers, bool isSplat) {
  return {std::make_shared<const std::vector<double>>(std::move(numbers)),
          isSplat};
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
  if (!elements.isSplat)
    return *elements.numbers;
  if (failed(checkCount(shape, refusal)))
    return failure();
  return std::vector<double>(*countElements(shape), elements[0]);
}

//===----------------------------------------------------------------------===//
// Reading constants
//===----------------------------------------------------------------------===//

/// The elements of a resource. Its bytes are the elements as in memory.
static FailureOr<std::vector<double>>
readResource(DenseResourceElementsAttr attr, Refusal &refusal) {
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
  size_t count = bytes.size() / width;
  std::vector<double> elements(count);
  if (type.isF32()) {
    for (size_t i = 0; i != count; ++i) {
      float number;
      std::memcpy(&number, bytes.data() + i * width, width);
      elements[i] = number;
    }
    return elements;
  }
  for (size_t i = 0; i != count; ++i) {
    uint64_t bits = 0;
    std::memcpy(&bits, bytes.data() + i * width, width);
    APFloat number(semantics, APInt(width * 8, bits));
    bool losesInfo;
    number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                   &losesInfo);
    elements[i] = number.convertToDouble();
  }
  return elements;
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
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attr)) {
    FailureOr<std::vector<double>> numbers = readResource(resource, refusal);
    if (failed(numbers))
      return failure();
    return makeElements(std::move(*numbers));
  }
  if (!dense)
    return refusal.because("constant ", attr, " is not dense");
  std::vector<double> numbers;
  numbers.reserve(*countElements(shape));
  for (APFloat number : dense.getValues<APFloat>())
    numbers.push_back(toDouble(number));
  return makeElements(std::move(numbers));
}

//===----------------------------------------------------------------------===//
// Writing constants
//===----------------------------------------------------------------------===//

ElementsAttr fusion::createConstantAttr(RankedTensorType type,
                                        const Elements &elements) {
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
  const std::vector<double> &numbers = *elements.numbers;
  size_t width = elementType.getIntOrFloatBitWidth() / 8;
  AsmResourceBlob blob = HeapAsmResourceBlob::allocate(numbers.size() * width,
                                                       /*align=*/64);
  char *data = blob.getMutableData().data();
  auto write = [&](size_t i, const auto &bits) {
    std::memcpy(data + i * width, &bits, width);
  };
  for (auto [i, number] : llvm::enumerate(numbers)) {
    if (elementType.isF32())
      write(i, static_cast<float>(number));
    else
      write(i, round(number).bitcastToAPInt().getZExtValue());
  }
  return makeElementsAttr(type, std::move(blob), "fusion_folded");
}
