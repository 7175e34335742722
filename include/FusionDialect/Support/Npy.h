//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_SUPPORT_NPY_H
#define FUSION_SUPPORT_NPY_H

#include "FusionDialect/Support/HostTensor.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

namespace fusion {

/// An array as NumPy saved it, in row-major order. Unsigned integers are held
/// as signed ones of the same bits.
struct NpyArray {
  HostTensor tensor;
  /// NumPy's name of the element type: "<f4".
  std::string descr;
};

/// Reads a .npy file of format 1, 2 or 3, in C or Fortran order.
llvm::Expected<NpyArray> readNpy(llvm::StringRef path);

/// Reads a .npy file that has to fit `type`. The file gives the dynamic sizes.
/// `what` names the receiver in errors. NumPy has no bf16: 16-bit words are
/// taken as its bits, and f32 is rounded.
llvm::Expected<HostTensor> readNpyAs(llvm::StringRef path, const HostType &type,
                                     const llvm::Twine &what);

/// Writes `tensor`; bf16 as f32.
llvm::Error writeNpy(llvm::StringRef path, const HostTensor &tensor);

} // namespace fusion

#endif // FUSION_SUPPORT_NPY_H
