//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TOOLS_FUSION_RUN_SCALES_H
#define FUSION_TOOLS_FUSION_RUN_SCALES_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>

namespace fusion::run {

/// How a tensor or scalar scales quantised numbers.
struct Scale {
  enum Kind {
    /// A float that multiplies or divides.
    Factor,
    /// An integer that multiplies in front of a shift, and the bits of the
    /// shift.
    Multiplier,
    Shift
  };
  Kind kind;
  /// A value that keeps the scaled numbers within their bounds.
  double value;
};

/// The scales of quantised numbers of a module.
class Scales {
public:
  explicit Scales(mlir::Operation *module);

  /// The scale that `value` is: an argument of a function, a constant, or
  /// another result that no scale is computed from.
  std::optional<Scale> find(mlir::Value value) const;

private:
  /// Of several uses that with the least value decides: a larger one saturates.
  void add(mlir::Value value, Scale scale);

  llvm::DenseMap<mlir::Value, Scale> scales;
  friend class ScaleFinder;
};

} // namespace fusion::run

#endif // FUSION_TOOLS_FUSION_RUN_SCALES_H
