//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MoveElements.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/BuiltinTypeInterfaces.h"

using namespace mlir;

std::vector<double> fusion::flipElements(std::vector<double> elements,
                                         ArrayRef<int64_t> shape,
                                         ArrayRef<int64_t> dims) {
  for (int64_t dim : dims) {
    int64_t size = shape[dim];
    int64_t inner = ShapedType::getNumElements(shape.drop_front(dim + 1));
    for (auto begin = elements.begin(), end = elements.end(); begin != end;
         begin += size * inner)
      for (int64_t i = 0; i < size / 2; ++i)
        std::swap_ranges(begin + i * inner, begin + (i + 1) * inner,
                         begin + (size - 1 - i) * inner);
  }
  return elements;
}

std::vector<double> fusion::padElements(const std::vector<double> &elements,
                                        ArrayRef<int64_t> shape,
                                        ArrayRef<int64_t> paddedShape,
                                        ArrayRef<int64_t> low, double number) {
  std::vector<double> padded(ShapedType::getNumElements(paddedShape), number);
  SmallVector<int64_t> strides = computeStrides(shape);
  SmallVector<int64_t> paddedStrides = computeStrides(paddedShape);
  for (auto [position, element] : llvm::enumerate(elements)) {
    int64_t target = 0;
    for (auto [index, offset, stride] :
         llvm::zip_equal(delinearize(position, strides), low, paddedStrides))
      target += (index + offset) * stride;
    padded[target] = element;
  }
  return padded;
}
