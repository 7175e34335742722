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
#include "FusionRuntime/fusion_runtime.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>

namespace mlir {
class ExecutionEngine;
} // namespace mlir
namespace llvm {
class OptPassGate;
} // namespace llvm

namespace fusion {

/// The entry function as its caller sees it.
struct Signature {
  std::string name;
  /// The name of the function in compiled code.
  std::string symbol;
  llvm::SmallVector<HostType> arguments;
  llvm::SmallVector<HostType> results;
  /// The `fusion.name` of each argument and result; "" if it has none.
  llvm::SmallVector<std::string> argumentNames, resultNames;
  /// Whether an argument is the same in all calls (`fusion.constant`).
  llvm::SmallVector<bool> constantArguments;
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

/// The program that compiled code runs in.
enum class Host {
  /// It measures memory, and ends when it is exhausted or an assertion of the
  /// compiled code fails.
  Tool,
  /// It lives on: such failures are the status of one call.
  Library
};

/// True if compiled code that calls a function of that name finds one: an
/// intrinsic of LLVM, or a function of the runtime or of the process.
bool isProvided(llvm::StringRef name, Host host);

/// Compiled code in memory.
class Executable {
public:
  /// Compiles `module`, in the LLVM dialect, for this machine, and makes the
  /// functions of `signatures` callable. `optLevel` is 0 for no optimization, 1
  /// for the passes that plain loops need most, 2 or 3 for LLVM's pipelines.
  static llvm::Expected<std::unique_ptr<Executable>>
  create(mlir::ModuleOp module, llvm::ArrayRef<Signature> signatures,
         ConstantTable constants, unsigned optLevel, Host host);
  ~Executable();

  size_t getNumEntries() const { return entries.size(); }
  const Signature &getSignature(size_t entry = 0) const {
    return entries[entry]->signature;
  }
  /// The same in the form of the runtime.
  const fusion_rt_signature &getRuntimeSignature(size_t entry) const {
    return entries[entry]->runtimeSignature;
  }

  /// The bytes of the constants that compiled code reaches by symbol.
  size_t getNumConstantBytes() const { return constants.getNumBytes(); }

  /// Creates the primitives of call sites whose shapes are static, and packs
  /// their constant weights. An error is reported as that of a call.
  void prepare();
  /// The same; a failure is a status, with `fusion_rt_last_error`.
  fusion_rt_status prepareGuarded();

  /// Frees the runtime's state of this module's call sites. The destructor
  /// calls it.
  void releaseRuntimeHandles();

  /// Frees memory that compiled code has allocated.
  void freeBlock(void *block) const;

private:
  friend class Invocation;
  Executable() = default;

  using PackedFunction = void (*)(void **);

  /// An entry, and its signature in the form of the runtime.
  struct EntryCode {
    explicit EntryCode(const Signature &signature);
    EntryCode(const EntryCode &) = delete;

    Signature signature;
    PackedFunction function = nullptr;
    llvm::SmallVector<llvm::SmallVector<int64_t>> sizes;
    llvm::SmallVector<fusion_rt_value_desc> arguments, results;
    fusion_rt_signature runtimeSignature;
  };

  ConstantTable constants;
  Host host = Host::Tool;
  /// The engine's context refers to it.
  std::unique_ptr<llvm::OptPassGate> scheduleGate;
  std::unique_ptr<mlir::ExecutionEngine> engine;
  llvm::SmallVector<std::unique_ptr<EntryCode>> entries;
  llvm::SmallVector<PackedFunction> prepareFunctions, releaseFunctions;
};

/// A dense row-major tensor, or a scalar, in memory of the caller. If `strides`
/// are given, in elements, a guarded call refuses those of another order.
struct TensorRef {
  void *data = nullptr;
  llvm::ArrayRef<int64_t> sizes;
  llvm::ArrayRef<int64_t> strides;
};

/// A result in memory of compiled code; a scalar is in that of the invocation.
struct ResultRef {
  /// To be freed; null for a scalar.
  void *block;
  const char *data;
  llvm::ArrayRef<int64_t> sizes;
  llvm::ArrayRef<int64_t> strides;
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
  /// The same for memory of others. A guarded call checks it against the
  /// signature; there must be as many arguments and of the same ranks.
  Invocation(Executable &executable, llvm::ArrayRef<TensorRef> arguments,
             size_t entry);
  ~Invocation() { freeResults(); }
  Invocation(const Invocation &) = delete;

  /// Runs the function; results of an earlier call must have been freed.
  void call() { code.function(packed.data()); }
  /// The same, for Host::Library. Checks the arguments; failures are a status,
  /// with `fusion_rt_last_error`, and leave no results.
  fusion_rt_status callGuarded();
  /// A result of the last call.
  ResultRef getResult(size_t index) const;
  /// Leaves the memory of a result to the caller.
  void giveUpResult(size_t index);
  /// Copies the results of the last call.
  llvm::SmallVector<HostTensor> copyResults() const;
  /// Frees the results of the last call, if there are any.
  void freeResults();

private:
  void bindArguments(llvm::ArrayRef<TensorRef> arguments);
  void bindResults();

  Executable &executable;
  Executable::EntryCode &code;
  /// A descriptor for each tensor: pointers, offset, sizes, strides.
  llvm::SmallVector<int64_t, 64> words;
  /// For each argument a pointer to its descriptor, or to the scalar.
  llvm::SmallVector<void *> descriptors;
  /// The struct of results, and the offset of each result in it.
  llvm::SmallVector<int64_t, 16> resultStorage;
  llvm::SmallVector<size_t> resultOffsets;
  void *resultPointer = nullptr;
  llvm::SmallVector<void *> packed;
};

/// The strides of a row-major tensor.
llvm::SmallVector<int64_t> getRowMajorStrides(llvm::ArrayRef<int64_t> sizes);

/// Copies the elements at `source` to `target`, each with its strides.
void copyStrided(ElementKind kind, llvm::ArrayRef<int64_t> sizes,
                 const char *source, llvm::ArrayRef<int64_t> sourceStrides,
                 char *target, llvm::ArrayRef<int64_t> targetStrides);

} // namespace fusion

#endif // FUSION_EXECUTIONENGINE_EXECUTABLE_H
