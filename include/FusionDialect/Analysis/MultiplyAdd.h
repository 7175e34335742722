//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_ANALYSIS_MULTIPLYADD_H
#define FUSION_ANALYSIS_MULTIPLYADD_H

#include "FusionDialect/Support/Refusal.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <array>

namespace fusion {

struct RaiseOptions {
  /// Take ops that accumulate in bf16 or f16.
  bool allowContractRounding = true;
  /// Take ops that multiply i8 and add up in i32, and no others.
  bool integers = false;
};

/// The first multiplication in the body of `op` whose product is added last, or
/// whose factors are computed from one of the first two inputs each; null if
/// there is none.
mlir::Operation *getMultiply(mlir::linalg::LinalgOp op);

/// True if `op` multiplies integers, and is no product of floats.
bool multipliesIntegers(mlir::linalg::LinalgOp op);

/// `map`, of a factor of `shape` in a sum of products, with loops in place of
/// each 0 that reads a dimension of size 1. Upstream's fusion of element-wise
/// ops writes 0 for such a loop, which leaves the loop without a meaning. The
/// loops have one iteration and are read by nothing in `map`. Those of the
/// result that `other`, the map of the other factor, reads as well are taken
/// where there are too few others: they are a batch.
mlir::AffineMap replaceZeros(mlir::linalg::LinalgOp op, mlir::AffineMap map,
                             llvm::ArrayRef<int64_t> shape,
                             mlir::AffineMap other);

/// The indexing maps of the first two inputs and of the result, with loops in
/// place of zeros. Ops on integers have scalars between them, their zero
/// points.
llvm::SmallVector<mlir::AffineMap> getOperandMaps(mlir::linalg::LinalgOp op);

/// Two operands that give a loop different sizes.
struct LoopConflict {
  unsigned loop;
  /// Of the two: the numbers among the operands, and the sizes.
  std::array<unsigned, 2> operands;
  std::array<int64_t, 2> sizes;
};

/// A loop to which operands of `types`, read by `maps`, give two sizes.
/// linalg's verifier looks for one only if no size at all is dynamic.
std::optional<LoopConflict>
findLoopConflict(llvm::ArrayRef<mlir::AffineMap> maps, mlir::TypeRange types);

/// True if `op` is there and extends an integer.
bool isExtension(mlir::Operation *op);

/// A value in the body of an op, less another.
struct BodyDifference {
  mlir::Value minuend;
  /// That is subtracted; none if it is not known at compile time.
  std::optional<int64_t> constant;
};

/// Reads `value`, in the body of `op`, as a difference of integers. A sum with
/// a constant is one, too.
std::optional<BodyDifference> readDifference(mlir::linalg::LinalgOp op,
                                             mlir::Value value);

/// The value from which numbers are subtracted to make `value`.
mlir::Value getMinuend(mlir::linalg::LinalgOp op, mlir::Value value);

/// One factor of a product of integers: each element of `source` less the zero
/// point.
struct IntegerFactor {
  int64_t zeroPoint = 0;
  bool isUnsigned = false; ///< how the bits of `source` are read
  /// The tensor of i8. It is the operand of the product, or the input of an op
  /// that extends it to i32 for the product. It is the operand itself where
  /// that is a constant of i32, and null where only zero point and sign count.
  mlir::Value source = nullptr;
};

/// How `op`, which has a product, reads its first two inputs. Fails unless it
/// computes acc + (lhs - zero point) * (rhs - zero point) in i32, of i8 that it
/// extends or that another op does. In messages `what` names `op`.
mlir::FailureOr<std::array<IntegerFactor, 2>>
matchIntegerFactors(mlir::linalg::LinalgOp op, llvm::StringRef what,
                    Refusal &refusal);

/// Fails unless an op on integers can read its input so.
mlir::LogicalResult checkInputFactor(const IntegerFactor &input,
                                     Refusal &refusal);

/// Fails unless `op`, which has a product, computes acc + input * filter and
/// nothing else, of types that the fusion ops have: floats, or integers if
/// `options` say so. In messages `what` names `op`, and operand number `input`
/// is the input.
mlir::LogicalResult checkMultiplyAdd(mlir::linalg::LinalgOp op,
                                     llvm::StringRef what,
                                     const RaiseOptions &options,
                                     Refusal &refusal, unsigned input = 0);

} // namespace fusion

#endif // FUSION_ANALYSIS_MULTIPLYADD_H
