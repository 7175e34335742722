//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_ANALYSIS_SCALARREADER_H
#define FUSION_LIB_ANALYSIS_SCALARREADER_H

#include "FusionDialect/Analysis/AffineRounding.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <cmath>

namespace fusion {

using Numbers = AffineRounding::Numbers;

inline constexpr double infinity = std::numeric_limits<double>::infinity();

template <typename Function>
inline Numbers combine(const Numbers &a, const Numbers &b, Function function) {
  Numbers result(std::max(a.size(), b.size()));
  for (size_t i = 0, e = result.size(); i != e; ++i)
    result[i] = function(at(a, i), at(b, i));
  return result;
}

inline Numbers operator+(const Numbers &a, const Numbers &b) {
  return combine(a, b, std::plus<>());
}

inline Numbers operator*(const Numbers &a, const Numbers &b) {
  return combine(a, b, std::multiplies<>());
}

inline Numbers map(const Numbers &a,
                   llvm::function_ref<double(double)> function) {
  return llvm::map_to_vector<1>(a, function);
}

inline double getLeast(mlir::Type type, bool isUnsigned) {
  return isUnsigned ? 0.0 : -std::ldexp(1.0, type.getIntOrFloatBitWidth() - 1);
}

inline double getGreatest(mlir::Type type, bool isUnsigned) {
  return std::ldexp(1.0, type.getIntOrFloatBitWidth() - !isUnsigned) - 1.0;
}

/// The value of a scalar in the body of an op.
struct Scalar : AffineRounding {
  /// The bits of a narrow integer input plus `offset`, modulo the size of its
  /// type. Its first reader says whether they are signed.
  bool isRaw = false;
  /// Added with the sign of the first term before a shift, as a double rounding
  /// does.
  Numbers step = {0.0};

  bool isConstant() const {
    return terms.empty() && !hasStep() && error == 0.0;
  }
  bool isOneNumber() const { return isConstant() && offset.size() == 1; }
  bool isBounded() const { return lower != -infinity || upper != infinity; }
  bool hasStep() const { return isNotZero(step); }
  std::pair<double, double> getRange() const;
  /// Computes what a constant is after rounding and bounds.
  void foldConstant();
  void clamp(double low, double high) {
    lower = std::clamp(lower, low, high);
    upper = std::clamp(upper, low, high);
  }
  void round(Rounding mode, llvm::function_ref<double(double)> function) {
    rounding = mode;
    lower = function(lower);
    upper = function(upper);
  }
};

/// True if `step` is added to a multiple of the term whose sign it has.
bool isSignOf(const Scalar &step, const Scalar &scalar);

/// Reads scalars in the body of an op.
class ScalarReader {
public:
  ScalarReader(mlir::linalg::LinalgOp op, Refusal &refusal,
               bool mayRoundBetween, double largestFloat)
      : op(op), refusal(refusal), mayRoundBetween(mayRoundBetween),
        largestFloat(largestFloat) {}

  mlir::FailureOr<Scalar> read(mlir::Value value);
  mlir::FailureOr<Scalar> resolve(Scalar scalar, mlir::Type type,
                                  bool isUnsigned);
  std::optional<unsigned> getDim() const { return dim; }

private:
  mlir::FailureOr<Scalar> readNew(mlir::Value value);
  mlir::FailureOr<Scalar> readInput(mlir::BlockArgument argument);
  mlir::FailureOr<Scalar> readConstant(mlir::Attribute attr, mlir::Type type,
                                       mlir::AffineMap map);
  mlir::FailureOr<Scalar> readOp(mlir::Operation *inner);
  mlir::FailureOr<Scalar> readExact(mlir::Value value,
                                    bool isUnsigned = false) {
    mlir::FailureOr<Scalar> scalar = read(value);
    return failed(scalar) ? scalar
                          : resolve(*scalar, value.getType(), isUnsigned);
  }

  mlir::FailureOr<Scalar> readSum(mlir::Operation *inner, bool isDifference);
  mlir::FailureOr<Scalar> addWithStep(Scalar a, Scalar b, mlir::Type type);
  mlir::FailureOr<Scalar> flipSign(Scalar a, mlir::Type type);
  mlir::FailureOr<Scalar> readFlippedSign(mlir::arith::XOrIOp flip);
  mlir::FailureOr<Scalar> readProduct(mlir::Value lhs, mlir::Value rhs);
  mlir::FailureOr<Scalar> readMultiplyAdd(mlir::math::FmaOp fma);
  mlir::FailureOr<Scalar> readQuotient(mlir::Operation *inner);
  mlir::FailureOr<Scalar> readClamp(mlir::Value lhs, mlir::Value rhs,
                                    bool isMax, bool isUnsigned);
  bool isWithin(Scalar scalar, double low, double high);
  mlir::FailureOr<Scalar> readSelect(mlir::arith::SelectOp select);
  mlir::FailureOr<Scalar> readComparison(mlir::arith::SelectOp select);
  mlir::FailureOr<Scalar> chooseConstantly(mlir::arith::CmpIOp compare,
                                           mlir::arith::SelectOp select);
  mlir::FailureOr<Scalar> readShift(mlir::Operation *inner, bool isUnsigned);
  std::optional<mlir::FailureOr<Scalar>> readShiftedSum(mlir::Value value,
                                                        const Numbers &shift);
  mlir::FailureOr<Scalar> readTruncated(mlir::arith::TruncIOp inner);
  mlir::FailureOr<Scalar> readRounding(mlir::Operation *inner);
  mlir::FailureOr<Scalar> readApplyScale(mlir::Operation *inner);
  mlir::FailureOr<Scalar> toInteger(mlir::Operation *inner, bool isUnsigned);
  mlir::FailureOr<Scalar> truncate(mlir::arith::TruncIOp inner);

  Scalar withoutRounding(Scalar a) const;
  mlir::FailureOr<Scalar> add(Scalar a, Scalar b);
  mlir::FailureOr<Scalar> scale(Scalar a, const Numbers &factor);
  mlir::FailureOr<Scalar> shiftRight(Scalar a, const Numbers &shift);
  /// (a + addend) >> shift, with `step` added as well, with the sign of `a`.
  /// Bounds of `a`, which is not rounded, may be others for each channel on the
  /// way.
  mlir::FailureOr<Scalar> shiftSumRight(Scalar a, const Numbers &addend,
                                        const Numbers &step,
                                        const Numbers &shift);
  mlir::LogicalResult refuseToWrap(mlir::Type type, double least,
                                   double greatest);
  mlir::FailureOr<Scalar> checkNoWrap(mlir::FailureOr<Scalar> scalar,
                                      mlir::Type type);

  mlir::linalg::LinalgOp op;
  Refusal &refusal;
  bool mayRoundBetween;
  double largestFloat;
  std::optional<unsigned> dim;
  llvm::DenseMap<mlir::Value, Scalar> known;
};

} // namespace fusion

#endif // FUSION_LIB_ANALYSIS_SCALARREADER_H
