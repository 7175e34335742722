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
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include <memory>
#include <vector>

namespace fusion {

/// The elements of a tensor of floats in row-major order, or one element that
/// stands for all. Null if they cannot be computed.
struct Elements {
  std::shared_ptr<const std::vector<double>> numbers;
  bool isSplat = false;

  explicit operator bool() const { return numbers != nullptr; }
  double operator[](size_t i) const { return (*numbers)[isSplat ? 0 : i]; }
};

Elements makeElements(std::vector<double> &&numbers, bool isSplat = false);

/// Fails if a tensor of `shape` has too many elements to compute each of them.
mlir::LogicalResult checkCount(llvm::ArrayRef<int64_t> shape, Refusal &refusal);

/// Every element of `elements`, of a tensor of `shape`, also of a splat.
mlir::FailureOr<std::vector<double>> expand(const Elements &elements,
                                            llvm::ArrayRef<int64_t> shape,
                                            Refusal &refusal);

/// The elements of the constant `attr`, of `shape`.
mlir::FailureOr<Elements> readConstant(mlir::Attribute attr,
                                       llvm::ArrayRef<int64_t> shape,
                                       Refusal &refusal);

/// The constant of `type` with `elements`, each rounded once.
mlir::ElementsAttr createConstantAttr(mlir::RankedTensorType type,
                                      const Elements &elements);

} // namespace fusion

#endif // FUSION_LIB_FUSE_CONSTANTELEMENTS_H
