//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_EXECUTIONENGINE_EXECUTABLE_H
#define FUSION_EXECUTIONENGINE_EXECUTABLE_H

#include "FusionDialect/ExecutionEngine/ConstantTable.h"
#include "FusionDialect/Support/HostTensor.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>

namespace mlir {
class ExecutionEngine;
} // namespace mlir
namespace llvm {
class TargetMachine;
} // namespace llvm

namespace fusion {

/// The entry function as its caller sees it.
struct Signature {
  std::string name;
  /// The name of the function in compiled code.
  std::string symbol;
  llvm::SmallVector<HostType> arguments;
  llvm::SmallVector<HostType> results;
};

/// Reads the signature of `function`, before or after bufferization. Fails with
/// a message that names the argument or result that cannot be exchanged.
llvm::Expected<Signature> getSignature(mlir::FunctionOpInterface function);

/// Makes `function`, on tensors, callable from outside: public, with a C
/// interface, and with read-only arguments. Compiled code copies an argument
/// before it changes it.
void prepareEntry(mlir::FunctionOpInterface function);

/// Takes attributes of other dialects off the arguments and results of the
/// functions of `module`, in the LLVM dialect. The export to LLVM IR would warn
/// about each of them.
void dropForeignAttributes(mlir::ModuleOp module);

/// The functions of `module`, in the LLVM dialect, that are marked with
/// `attribute`: kReleaseAttr or kPrepareAttr.
llvm::SmallVector<std::string> getMarkedFunctions(mlir::ModuleOp module,
                                                  llvm::StringRef attribute);

/// Name of the C interface of `entry` in compiled code.
std::string getInterfaceName(llvm::StringRef entry);

/// Compiled code in memory.
class Executable {
public:
  /// Compiles `module`, in the LLVM dialect, for this machine. `optLevel` is 0
  /// for no optimization, 1 for the passes that plain loops need most, 2 or 3
  /// for LLVM's pipelines.
  static llvm::Expected<std::unique_ptr<Executable>>
  create(mlir::ModuleOp module, Signature signature, ConstantTable constants,
         unsigned optLevel);
  ~Executable();

  const Signature &getSignature() const { return signature; }

  /// Creates the primitives of call sites whose shapes are static, and packs
  /// their constant weights. An error is reported as that of a call.
  void prepare();

  /// Frees the runtime's state of this module's call sites. The destructor
  /// calls it.
  void releaseRuntimeHandles();

private:
  friend class Invocation;
  Executable() = default;

  Signature signature;
  ConstantTable constants;
  std::unique_ptr<mlir::ExecutionEngine> engine;
  void (*function)(void **) = nullptr;
  llvm::SmallVector<void (*)(void **)> prepareFunctions, releaseFunctions;
};

/// Arguments bound to an executable: packed once, called many times.
class Invocation {
public:
  /// `arguments` must fit the signature, with dynamic sizes filled in, and
  /// outlive this.
  Invocation(Executable &executable, llvm::ArrayRef<HostTensor> arguments);
  /// The same for arguments that other invocations may share.
  Invocation(Executable &executable,
             llvm::ArrayRef<const HostTensor *> arguments);
  ~Invocation() { freeResults(); }
  Invocation(const Invocation &) = delete;

  /// Runs the function; results of an earlier call must have been freed.
  void call() { executable.function(packed.data()); }
  /// Copies the results of the last call.
  llvm::SmallVector<HostTensor> copyResults() const;
  /// Frees the results of the last call, if there are any.
  void freeResults();

private:
  void bindArguments(llvm::ArrayRef<const HostTensor *> arguments);
  void bindResults();

  Executable &executable;
  /// A descriptor for each argument: pointers, offset, sizes, strides. Pointers
  /// to it are packed.
  llvm::SmallVector<llvm::SmallVector<int64_t>> descriptors;
  llvm::SmallVector<void *> descriptorPointers;
  /// The struct of results, and the offset of each result in it.
  llvm::SmallVector<int64_t> resultStorage;
  llvm::SmallVector<size_t> resultOffsets;
  void *resultPointer = nullptr;
  llvm::SmallVector<void *> packed;
};

} // namespace fusion

#endif // FUSION_EXECUTIONENGINE_EXECUTABLE_H
