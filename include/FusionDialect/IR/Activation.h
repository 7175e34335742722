//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_IR_ACTIVATION_H
#define FUSION_IR_ACTIVATION_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

namespace fusion {

/// A function of one number that is applied to each element.
enum class ActivationKind : uint32_t {
#define FUSION_ACTIVATION(Name, NAME, name, number, ...) Name = number,
#include "FusionRuntime/activations.def"
};

/// All of them, in the order of their numbers.
llvm::ArrayRef<ActivationKind> getActivationKinds();

llvm::StringRef stringifyActivationKind(ActivationKind kind);
std::optional<ActivationKind> symbolizeActivationKind(llvm::StringRef name);
std::optional<ActivationKind> symbolizeActivationKind(uint32_t number);

} // namespace fusion

#endif // FUSION_IR_ACTIVATION_H
