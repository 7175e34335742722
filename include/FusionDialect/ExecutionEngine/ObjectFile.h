//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_EXECUTIONENGINE_OBJECTFILE_H
#define FUSION_EXECUTIONENGINE_OBJECTFILE_H

#include "FusionDialect/ExecutionEngine/Executable.h"

namespace fusion {

/// The names that `writeObjectFile` gives to the definitions of an object file.
struct ObjectFileInfo {
  struct Entry {
    /// The C function of the entry: `_mlir_ciface_NAME`, or none with a prefix.
    /// It does not return if something fails.
    std::string interfaceSymbol;
    /// The C function that returns a status: `PREFIX_NAME`, or
    /// `_fusion_call_MODULE`.
    std::string statusSymbol;
    /// The same, with results in memory of the caller's: `PREFIX_NAME_into`, or
    /// `_fusion_into_MODULE`. None if no result is a tensor.
    std::string intoSymbol;
    /// The C function that returns the `fusion_rt_entry_info`:
    /// `PREFIX_NAME_signature`, or `_fusion_signature_MODULE`.
    std::string signatureSymbol;
    /// The name of the struct of results in the header.
    std::string resultsName;
  };
  /// In the order of the signatures.
  llvm::SmallVector<Entry> entries;
  /// The C function without parameters that creates kernels and packs weights
  /// before the first call, and returns a status: `PREFIX_prepare`, or
  /// `_fusion_prepare_MODULE`. None if no shapes are static.
  std::string prepareSymbol;
  /// Functions without parameters that free the runtime's handles.
  llvm::SmallVector<std::string> releaseSymbols;
};

/// Compiles `module`, in the LLVM dialect, to the object file `path` for `cpu`
/// ("native" is this machine's), with the constants in its read-only data.
/// `signatures` are those of its entries. Only the symbols of `ObjectFileInfo`
/// are visible to the linker; with `symbolPrefix`, which several entries need,
/// they begin with it.
llvm::Expected<ObjectFileInfo>
writeObjectFile(mlir::ModuleOp module, llvm::ArrayRef<Signature> signatures,
                const ConstantTable &constants, llvm::StringRef cpu,
                unsigned optLevel, llvm::StringRef path,
                llvm::StringRef symbolPrefix = "");

/// Writes a C header that declares the symbols of the object file.
llvm::Error writeHeaderFile(llvm::ArrayRef<Signature> signatures,
                            const ObjectFileInfo &info, llvm::StringRef path);

} // namespace fusion

#endif // FUSION_EXECUTIONENGINE_OBJECTFILE_H
