//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Support/ConstantAttr.h"

#include "FusionDialect/Support/LLVMCompat.h"
#include "FusionDialect/Support/TensorSize.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace fusion;

/// Constants with as many elements are resources.
static constexpr int64_t minResourceElements = 1024;

ElementsAttr fusion::makeElementsAttr(ShapedType type, AsmResourceBlob data,
                                      StringRef name) {
  if (type.getNumElements() >= minResourceElements)
    return DenseResourceElementsAttr::get(type, name, std::move(data));
  if (!type.getElementType().isInteger(1))
    return DenseElementsAttr::getFromRawBuffer(type, data.getData());
  // DenseElementsAttr packs booleans to bits.
  return DenseElementsAttr::get(
      type,
      llvm::map_to_vector(data.getData(), [](char byte) { return byte != 0; }));
}

TypedAttr fusion::makeConstantAttr(Type type, const HostTensor &tensor,
                                   StringRef name) {
  AsmResourceBlob data = HeapAsmResourceBlob::allocateAndCopyWithAlign(
      ArrayRef<char>(tensor.data(), tensor.getNumBytes()), /*align=*/64);
  if (auto shaped = dyn_cast<ShapedType>(type))
    return makeElementsAttr(shaped.clone(tensor.getShape()), std::move(data),
                            name);
  auto element =
      makeElementsAttr(RankedTensorType::get({}, type), std::move(data), name);
  return cast<TypedAttr>(*element.value_begin<Attribute>());
}

ArrayRef<char> fusion::getElementBytes(ElementsAttr elements) {
  if (auto dense = dyn_cast<DenseElementsAttr>(elements))
    return dense.getRawData();
  auto resource = dyn_cast<DenseResourceElementsAttr>(elements);
  AsmResourceBlob *blob =
      resource ? resource.getRawHandle().getBlob() : nullptr;
  bool isValid =
      blob && isValidRawBuffer(elements.getShapedType(), blob->getData());
  return isValid ? blob->getData() : ArrayRef<char>();
}

ElementsAttr fusion::sliceElements(ElementsAttr elements,
                                   ArrayRef<int64_t> offsets,
                                   ArrayRef<int64_t> sizes, StringRef name) {
  ArrayRef<int64_t> shape = elements.getShapedType().getShape();
  ShapedType type = elements.getShapedType().clone(sizes);
  auto dense = dyn_cast<DenseElementsAttr>(elements);
  if (dense && dense.isSplat())
    return dense.resizeSplat(type);
  int64_t width = type.getElementTypeBitWidth() / 8;
  ArrayRef<char> bytes = getElementBytes(elements);
  std::optional<int64_t> expected = countBytes(shape, width);
  if (!expected || static_cast<size_t>(*expected) != bytes.size() ||
      llvm::is_contained(sizes, 0))
    return nullptr;
  AsmResourceBlob blob = HeapAsmResourceBlob::allocate(
      ShapedType::getNumElements(sizes) * width, /*align=*/64);
  char *next = blob.getMutableData().data();
  SmallVector<int64_t> strides = computeStrides(shape);
  int64_t first = linearize(offsets, strides);
  // Rows of the innermost dimension are adjacent.
  SmallVector<int64_t> row(sizes.size(), 1);
  row.back() = sizes.back();
  for (SmallVector<int64_t> index : StaticTileOffsetRange(sizes, row))
    next =
        std::copy_n(bytes.data() + (first + linearize(index, strides)) * width,
                    row.back() * width, next);
  return makeElementsAttr(type, std::move(blob), name);
}
