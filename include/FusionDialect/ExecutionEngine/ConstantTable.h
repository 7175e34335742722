//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_EXECUTIONENGINE_CONSTANTTABLE_H
#define FUSION_EXECUTIONENGINE_CONSTANTTABLE_H

#include "FusionDialect/Support/HostTensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace fusion {

/// Data of a constant that compiled code reaches by symbol.
struct ConstantEntry {
  std::string symbol;
  /// In memory order of the constant's buffer: the storage of the attribute, or
  /// `owned`.
  llvm::ArrayRef<char> data;
  /// Set where the data had to be made: splats, unpacked booleans.
  AlignedBytes owned;
};

/// Constants taken out of a module. Entries without data of their own point
/// into attributes and blobs of the module's context, which must stay alive.
struct ConstantTable {
  std::vector<ConstantEntry> entries;

  size_t getNumBytes() const;
};

/// Takes the values of globals of at least `minBytes` bytes out of `module`, in
/// the LLVM dialect, and leaves external declarations under the same names. As
/// LLVM constants weights would be copied several times over and cost minutes
/// to compile; as symbols they cost nothing. Fails on a constant without data
/// (`dense_resource<__elided__>`).
llvm::Expected<ConstantTable> externalizeConstants(mlir::ModuleOp module,
                                                   size_t minBytes = 1024);

/// Frees the data of every resource of `context` that `table` does not point
/// into, such as weights as they were before folding. Attributes that still
/// name these resources must not be read any more.
void releaseOtherResources(mlir::MLIRContext &context,
                           const ConstantTable &table);

} // namespace fusion

#endif // FUSION_EXECUTIONENGINE_CONSTANTTABLE_H
