//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_IR_FUSIONDIALECT_H
#define FUSION_IR_FUSIONDIALECT_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"

#include "FusionDialect/IR/FusionDialect.h.inc"
#include "FusionDialect/IR/FusionEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "FusionDialect/IR/FusionAttrs.h.inc"

namespace fusion {

/// Marks a function argument whose contents never change between calls.
inline constexpr llvm::StringLiteral kConstantArgAttr = "fusion.constant";

/// True if `value` is an argument of a function that is marked so.
bool isConstantArgument(mlir::Value value);

/// Takes the mark off the arguments of functions that are called in `module`
/// with anything but what `isConstant` holds for: a slice is copied to memory
/// that the next slice gets too, so that its address would promise too much.
void unmarkChangingArguments(mlir::Operation *module,
                             llvm::function_ref<bool(mlir::Value)> isConstant);

/// Gives a function argument a name that tools can refer to.
inline constexpr llvm::StringLiteral kNameArgAttr = "fusion.name";

/// What a function argument of a composite is to the pattern: "input",
/// "filter". See `fusion-partition`.
inline constexpr llvm::StringLiteral kRoleArgAttr = "fusion.role";

/// On a fusion op: "scale" or "bn", what was folded into its filter and bias
/// where its operands do not show it. For `fusion-explain`.
inline constexpr llvm::StringLiteral kFoldedAttr = "fusion.folded";

/// On a `fusion.rt.create` of a convolution: the runtime may compute it with
/// Winograd's minimal filtering.
inline constexpr llvm::StringLiteral kAllowWinogradAttr =
    "fusion.allow_winograd";

} // namespace fusion

#endif // FUSION_IR_FUSIONDIALECT_H
