//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Support/ConstantAttr.h"

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
