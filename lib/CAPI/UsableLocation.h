//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_CAPI_USABLELOCATION_H
#define FUSION_LIB_CAPI_USABLELOCATION_H

#include "FusionDialect/IR/FusionDialect.h"
#include "mlir/CAPI/IR.h"
#include "mlir/IR/Diagnostics.h"

namespace fusion {

/// The location to report at; none if attributes and ops of the dialect cannot
/// be created. That is so without a location, or if the dialect is not loaded
/// into its context, which is reported.
inline std::optional<mlir::Location> getUsableLocation(MlirLocation location) {
  if (mlirLocationIsNull(location))
    return std::nullopt;
  mlir::Location loc = unwrap(location);
  if (!loc->getContext()->getLoadedDialect<FusionDialect>()) {
    emitError(loc) << "dialect 'fusion' must be loaded into the context";
    return std::nullopt;
  }
  return loc;
}

} // namespace fusion

#endif // FUSION_LIB_CAPI_USABLELOCATION_H
