//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_CAPI_GUARD_H
#define FUSION_LIB_CAPI_GUARD_H

#include "FusionDialect-c/Executable.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include <exception>
#include <new>

namespace fusion {

/// Keeps `sentence` for `fusionGetLastError` and returns `status`.
FusionStatus failWith(FusionStatus status, const llvm::Twine &sentence);

/// The same for an error of the compiler.
FusionStatus failWith(llvm::Error error);

/// Runs `body`, which returns a status. An exception is a status, too.
template <typename Body> FusionStatus guarded(Body body) {
  try {
    return body();
  } catch (const std::bad_alloc &) {
    return failWith(FusionStatusOutOfMemory, "out of memory");
  } catch (const std::exception &exception) {
    return failWith(FusionStatusBackendError,
                    llvm::Twine("unexpected failure: ") + exception.what());
  } catch (...) {
    return failWith(FusionStatusBackendError, "unexpected failure");
  }
}

} // namespace fusion

#endif // FUSION_LIB_CAPI_GUARD_H
