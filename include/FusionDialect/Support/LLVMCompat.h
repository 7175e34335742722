//===- LLVMCompat.h - Differences of LLVM 22 and 23 -------------*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All code that is written once for LLVM 22 and once for 23. The rest compiles
// with both.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_SUPPORT_LLVMCOMPAT_H
#define FUSION_SUPPORT_LLVMCOMPAT_H

#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/Config/llvm-config.h"

namespace fusion {

/// Whether `data` has all elements of a `dense` constant, or the only one of a
/// splat.
inline bool isValidRawBuffer(mlir::ShapedType type, llvm::ArrayRef<char> data) {
#if LLVM_VERSION_MAJOR >= 23
  return mlir::DenseElementsAttr::isValidRawBuffer(type, data);
#else
  bool isSplat = false;
  return mlir::DenseElementsAttr::isValidRawBuffer(type, data, isSplat);
#endif
}

/// The result of a function that returns a pointer in LLVM 22 and a reference
/// in LLVM 23.
template <typename T> const T &dereference(const T *pointer) {
  return *pointer;
}
template <typename T> const T &dereference(const T &reference) {
  return reference;
}

/// Whether `op` computes what linalg's op `Named` does, under any name.
template <typename Named>
bool isaConvolutionOpOfType(mlir::linalg::LinalgOp op) {
#if LLVM_VERSION_MAJOR >= 23
  return mlir::linalg::isaConvolutionOpOfType<Named>(op);
#else
  llvm::SmallVector<int64_t> dilations, strides;
  return mlir::linalg::isaConvolutionOpOfType<Named>(op, &dilations, &strides);
#endif
}

} // namespace fusion

#endif // FUSION_SUPPORT_LLVMCOMPAT_H
