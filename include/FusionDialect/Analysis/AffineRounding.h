//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_ANALYSIS_AFFINEROUNDING_H
#define FUSION_ANALYSIS_AFFINEROUNDING_H

#include "FusionDialect/Support/Refusal.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace fusion {

/// The way from a real number to an integer.
enum class Rounding {
  None,
  HalfEven,
  HalfUp,      ///< floor(x + 1/2)
  HalfAway,    ///< away from zero
  DoubleRound, ///< TOSA's: first away from zero by less than 1/2, then half up
  Truncate,    ///< towards zero
};

/// A function of integers and floats as quantisation, dequantisation and
/// requantisation compute it, whatever ops spell it:
///
///   clamp(round(sum of factor * (input + addend) + offset) + added,
///         lower, upper)
///
/// It is over real numbers. Floats round each step, which may move a tie: the
/// result of a rounding is then 1 off. Integers do not round, and no step is
/// taken that may wrap, but where a term says so. A float that the result type
/// cannot hold saturates; arith leaves its conversion undefined.
struct AffineRounding {
  /// One number, or one for each index of loop `dim`.
  using Numbers = llvm::SmallVector<double, 1>;

  struct Term {
    unsigned input; ///< the number of the operand of the op
    Numbers factor;
    bool isUnsigned; ///< how the bits of a narrow integer are read
    double least, greatest;
    /// Integers that are added to the input, an i32, before all else. The sum
    /// wraps in 32 bits, as that of an accumulator and its bias does.
    Numbers addend = {0.0};
  };

  llvm::SmallVector<Term, 2> terms;
  Numbers offset = {0.0};
  std::optional<unsigned> dim;
  Rounding rounding = Rounding::None;
  double added = 0.0;
  /// Infinite where nothing bounds a float. Those of an integer result are
  /// within its type.
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  bool isUnsigned = false; ///< how the bits of an integer result are meant
  /// At most so much roundings on the way add to the sum, or take from it. None
  /// is on the way but where `match` is asked for that.
  double error = 0.0;

  /// Reads the body of `op`, an element-wise op with one result. Its terms are
  /// the operands that are read element for element. Others must be constants,
  /// the same for all elements or varying along one loop. Inputs that are
  /// floats are from -`largestFloat` to `largestFloat`.
  static mlir::FailureOr<AffineRounding>
  match(mlir::linalg::LinalgOp op, Refusal &refusal,
        bool mayRoundBetween = false,
        double largestFloat = std::numeric_limits<double>::infinity());

  /// The same for an op that adds up integers of 8 bits and rounds to 8 bits,
  /// the sum or each number that is added, if one sum in f32 that is rounded
  /// once is at most 1 off. The rounding is none if only the numbers are
  /// rounded.
  static mlir::FailureOr<AffineRounding>
  matchRequantization(mlir::linalg::LinalgOp op, Refusal &refusal);
};

/// The number for index `i`.
inline double at(const AffineRounding::Numbers &numbers, size_t i) {
  return numbers.size() == 1 ? numbers[0] : numbers[i];
}

inline bool isNotZero(const AffineRounding::Numbers &numbers) {
  return llvm::any_of(numbers, [](double number) { return number != 0.0; });
}

/// Fails unless `op` computes the elements of one tensor, each by itself, in
/// the order of its loops, and does nothing else.
mlir::LogicalResult checkComputesElements(mlir::linalg::LinalgOp op,
                                          Refusal &refusal);

/// True if `map` reads an operand of `op` element for element. A front end may
/// write 0 in place of a loop of one iteration.
bool readsEachElement(mlir::linalg::LinalgOp op, mlir::AffineMap map);

} // namespace fusion

#endif // FUSION_ANALYSIS_AFFINEROUNDING_H
