//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_SUPPORT_CONSTANTATTR_H
#define FUSION_SUPPORT_CONSTANTATTR_H

#include "FusionDialect/Support/HostTensor.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace fusion {

/// The constant of `type` with the elements of `data` in row-major order, a
/// byte for each i1. A small one is `dense`. A large one is a resource with a
/// key made from `name`, because `dense` attributes are hashed and live as long
/// as the context.
mlir::ElementsAttr makeElementsAttr(mlir::ShapedType type,
                                    mlir::AsmResourceBlob data,
                                    llvm::StringRef name);

/// The constant with the elements of `tensor`: of `type`, which is that of the
/// tensor, or a scalar where the tensor has no dimensions.
mlir::TypedAttr makeConstantAttr(mlir::Type type, const HostTensor &tensor,
                                 llvm::StringRef name);

/// The bytes of the elements in row-major order: of one element for a splat,
/// and none for what is not in memory or has another size than its type.
llvm::ArrayRef<char> getElementBytes(mlir::ElementsAttr elements);

/// The elements of `elements`, a tensor of elements of whole bytes, from
/// `offsets` on, as many as `sizes` says in each dimension. Null if they are
/// not in memory.
mlir::ElementsAttr sliceElements(mlir::ElementsAttr elements,
                                 llvm::ArrayRef<int64_t> offsets,
                                 llvm::ArrayRef<int64_t> sizes,
                                 llvm::StringRef name);

} // namespace fusion

#endif // FUSION_SUPPORT_CONSTANTATTR_H
