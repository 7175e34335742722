//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_FUSE_CONSTANTELEMENTS_H
#define FUSION_LIB_FUSE_CONSTANTELEMENTS_H

#include "FusionDialect/Support/Refusal.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include <memory>
#include <vector>

namespace fusion {

/// The elements of a tensor of floats in row-major order, or one element that
/// stands for all. Null if they cannot be computed.
struct Elements {
  /// In f64, or in f32 if `isF32`. Those of a constant in f32 are its own data.
  std::shared_ptr<mlir::AsmResourceBlob> data;
  bool isF32 = false;
  bool isSplat = false;

  explicit operator bool() const { return data != nullptr; }
  size_t size() const {
    return data->getData().size() / (isF32 ? sizeof(float) : sizeof(double));
  }
  double operator[](size_t i) const;
  /// Reads the elements from `position` on that are `stride` apart.
  void read(size_t position, int64_t stride,
            llvm::MutableArrayRef<double> row) const;
  void write(size_t position, llvm::ArrayRef<double> row);
};

Elements makeElements(llvm::ArrayRef<double> numbers, bool isSplat = false);

/// Elements to be written.
Elements allocateElements(size_t count, bool isF32, bool isSplat = false);

/// Fails if a tensor of `shape` has too many elements to compute each of them.
mlir::LogicalResult checkCount(llvm::ArrayRef<int64_t> shape, Refusal &refusal);

/// Every element of `elements`, of a tensor of `shape`, also of a splat.
mlir::FailureOr<std::vector<double>> expand(const Elements &elements,
                                            llvm::ArrayRef<int64_t> shape,
                                            Refusal &refusal);

/// The elements of a slice of a tensor of `shape` with `elements`.
Elements sliceElements(const Elements &elements, llvm::ArrayRef<int64_t> shape,
                       llvm::ArrayRef<int64_t> offsets,
                       llvm::ArrayRef<int64_t> sizes,
                       llvm::ArrayRef<int64_t> strides);

/// The elements of the constant `attr`, of `shape`.
mlir::FailureOr<Elements> readConstant(mlir::Attribute attr,
                                       llvm::ArrayRef<int64_t> shape,
                                       Refusal &refusal);

/// The constant of `type` with `elements`, each rounded once. It takes the data
/// if that is written in the same type.
mlir::ElementsAttr createConstantAttr(mlir::RankedTensorType type,
                                      Elements &&elements);

} // namespace fusion

#endif // FUSION_LIB_FUSE_CONSTANTELEMENTS_H
