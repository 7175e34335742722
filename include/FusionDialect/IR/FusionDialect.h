//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_IR_FUSIONDIALECT_H
#define FUSION_IR_FUSIONDIALECT_H

#include "FusionDialect/IR/Activation.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"

#include "FusionDialect/IR/FusionDialect.h.inc"
#include "FusionDialect/IR/FusionEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "FusionDialect/IR/FusionAttrs.h.inc"

namespace fusion {

/// Marks a function argument whose contents never change between calls.
inline constexpr llvm::StringLiteral kConstantArgAttr = "fusion.constant";

/// True if `value` is a function argument marked `fusion.constant`.
bool isConstantArgument(mlir::Value value);

/// Takes the mark off an argument if a call in `module` passes a value for
/// which `isConstant` does not hold. A slice, for example, is copied to memory
/// that the next slice uses, too: the same address has other contents then.
void unmarkChangingArguments(mlir::Operation *module,
                             llvm::function_ref<bool(mlir::Value)> isConstant);

/// Gives a function argument a name that tools can refer to.
inline constexpr llvm::StringLiteral kNameArgAttr = "fusion.name";

/// The role of a composite's function argument in the pattern: "input",
/// "filter". See `fusion-partition`.
inline constexpr llvm::StringLiteral kRoleArgAttr = "fusion.role";

/// On a fusion op: "scale" or "bn" if one was folded into its filter and bias,
/// which do not show it, or `kRequantize`. For `fusion-explain`.
inline constexpr llvm::StringLiteral kFoldedAttr = "fusion.folded";

/// Says of an op with a result of i8 that it rescales a sum in i32, as the
/// input did. Of one without it operands were dequantised and the result was
/// quantised.
inline constexpr llvm::StringLiteral kRequantize = "requantize";

} // namespace fusion

#endif // FUSION_IR_FUSIONDIALECT_H
