//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExecutableImpl.h"
#include "FusionDialect/Execute/Compile.h"
#include "FusionDialect/Support/TensorSize.h"
#include "Guard.h"
#include "mlir/CAPI/Support.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>
#include <optional>

using namespace mlir;
using namespace fusion;

// The statuses of the runtime have the numbers of ours.
static_assert(FusionStatusInvalidArgument == int(FUSION_RT_INVALID_ARGUMENT));
static_assert(FusionStatusUnsupported == int(FUSION_RT_UNSUPPORTED));
static_assert(FusionStatusOutOfMemory == int(FUSION_RT_OUT_OF_MEMORY));
static_assert(FusionStatusUnsupportedVersion ==
              int(FUSION_RT_UNSUPPORTED_VERSION));
static_assert(FusionStatusBackendError == int(FUSION_RT_BACKEND_ERROR));
static_assert(FusionStatusBrokenPromise == int(FUSION_RT_BROKEN_PROMISE));
static_assert(FusionStatusCancelled == int(FUSION_RT_CANCELLED));
static_assert(FusionStatusDeadlineExceeded == int(FUSION_RT_DEADLINE_EXCEEDED));

template <typename... Parts> static FusionStatus refuse(Parts &&...parts) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  (stream << ... << parts);
  return failWith(FusionStatusInvalidArgument, text);
}

static FusionStatus failFromRuntime(fusion_rt_status status) {
  return failWith(static_cast<FusionStatus>(status), fusion_rt_last_error());
}

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

/// The optimization level of code that is no kernel, as that of fusion-run.
static constexpr unsigned optLevel = 2;

ExecutableImpl::ExecutableImpl(const FusionCompilerOptions &options)
    : sourced(options), threads(options.threads) {}

FusionStatus ExecutableImpl::compile(const FusionSource &source,
                                     const FusionCompilerOptions &options) {
  CompileOptions compile;
  if (llvm::Error error =
          parseCompileOptions(unwrap(options.pipeline), compile))
    return refuse(llvm::toString(std::move(error)));
  auto buffer = readSource(source);
  if (!buffer)
    return failWith(buffer.takeError());
  sourced.source = std::move(*buffer);
  LoadOptions load;
  StringRef entry = unwrap(options.entry);
  load.keepPublic = entry.empty();
  if (!entry.empty())
    load.entries.push_back(entry.str());
  Program &program = sourced.program;
  if (llvm::Error error = loadProgram(*sourced.source, load, program))
    return failWith(std::move(error));
  if (llvm::Error error = llvm::joinErrors(
          checkTensorSizes(program), checkDeclarations(program, Host::Library)))
    return failWith(std::move(error));
  if (llvm::Error error = lowerProgram(program, compile, LowerOptions()))
    return failWith(std::move(error));
  auto made = makeExecutable(program, optLevel, Host::Library);
  if (!made)
    return failWith(made.takeError());
  executable = std::move(*made);
  // The constants are in the context.
  program.module = nullptr;
  return FusionStatusSuccess;
}

FusionStatus fusionExecutableCreate(const FusionSource *source,
                                    const FusionCompilerOptions *given,
                                    FusionExecutable *result) {
  if (result)
    result->ptr = nullptr;
  return guarded([&]() -> FusionStatus {
    if (!source || !result)
      return refuse("'source' and 'executable' must not be null");
    FusionCompilerOptions options = {};
    if (given)
      options = *given;
    // Refuses a number that calls would refuse.
    int32_t previous;
    if (auto status = fusion_rt_set_caller_threads(options.threads, &previous))
      return failFromRuntime(status);
    fusion_rt_set_caller_threads(previous, nullptr);
    auto impl = std::make_unique<ExecutableImpl>(options);
    FusionStatus status = impl->compile(*source, options);
    if (status == FusionStatusSuccess)
      result->ptr = impl.release();
    return status;
  });
}

void fusionExecutableDestroy(FusionExecutable executable) {
  delete ExecutableImpl::get(executable);
}

namespace {
/// The number of threads of the executable, for calls in this scope.
class ThreadsScope {
public:
  explicit ThreadsScope(int32_t threads) : isSet(threads != 0) {
    if (isSet)
      fusion_rt_set_caller_threads(threads, &previous);
  }
  ~ThreadsScope() {
    if (isSet)
      fusion_rt_set_caller_threads(previous, nullptr);
  }
  ThreadsScope(const ThreadsScope &) = delete;

private:
  bool isSet;
  int32_t previous = 0;
};
} // namespace

FusionStatus fusionExecutablePrepare(FusionExecutable executable) {
  return guarded([&]() -> FusionStatus {
    ExecutableImpl *impl = ExecutableImpl::get(executable);
    if (!impl)
      return refuse("'executable' must not be null");
    ThreadsScope threads(impl->threads);
    if (auto status = impl->executable->prepareGuarded())
      return failFromRuntime(status);
    return FusionStatusSuccess;
  });
}

//===----------------------------------------------------------------------===//
// Signatures
//===----------------------------------------------------------------------===//

static_assert(ShapedType::kDynamic != FusionDynamicSize);
static_assert(FusionElementTypeI1 == int(ElementKind::I1) + 1);
static_assert(FusionElementTypeF64 == int(ElementKind::F64) + 1);

static FusionElementType getElementType(ElementKind kind) {
  return static_cast<FusionElementType>(static_cast<int>(kind) + 1);
}

intptr_t fusionExecutableGetNumEntries(FusionExecutable executable) {
  ExecutableImpl *impl = ExecutableImpl::get(executable);
  return impl ? impl->executable->getNumEntries() : 0;
}

intptr_t fusionExecutableFindEntry(FusionExecutable executable,
                                   MlirStringRef name) {
  intptr_t count = fusionExecutableGetNumEntries(executable);
  for (intptr_t entry = 0; entry < count; ++entry)
    if (ExecutableImpl::get(executable)->executable->getSignature(entry).name ==
        unwrap(name))
      return entry;
  return -1;
}

/// The signature of an entry, or null and a sentence.
static const Signature *findSignature(FusionExecutable executable,
                                      intptr_t entry) {
  intptr_t count = fusionExecutableGetNumEntries(executable);
  if (entry >= 0 && entry < count)
    return &ExecutableImpl::get(executable)->executable->getSignature(entry);
  if (executable.ptr)
    refuse("'entry' must be below ", count, ", got ", entry);
  else
    refuse("'executable' must not be null");
  return nullptr;
}

FusionStatus fusionExecutableGetEntry(FusionExecutable executable,
                                      intptr_t entry, FusionEntryInfo *info) {
  return guarded([&]() -> FusionStatus {
    const Signature *signature = findSignature(executable, entry);
    if (!signature)
      return FusionStatusInvalidArgument;
    if (!info)
      return refuse("'info' must not be null");
    *info = {wrap(StringRef(signature->name)),
             static_cast<intptr_t>(signature->arguments.size()),
             static_cast<intptr_t>(signature->results.size())};
    return FusionStatusSuccess;
  });
}

/// Tells about one of the values of an entry. The runtime's form of the
/// signature has the sizes as ours has them.
static FusionStatus getValue(FusionExecutable executable, intptr_t entry,
                             intptr_t index, bool isResult,
                             FusionValueInfo *info) {
  return guarded([&]() -> FusionStatus {
    const Signature *signature = findSignature(executable, entry);
    if (!signature)
      return FusionStatusInvalidArgument;
    ArrayRef<HostType> types =
        isResult ? signature->results : signature->arguments;
    if (index < 0 || index >= static_cast<intptr_t>(types.size()))
      return refuse("'index' must be below ", types.size(), ", got ", index);
    if (!info)
      return refuse("'info' must not be null");
    const fusion_rt_signature &runtime =
        ExecutableImpl::get(executable)->executable->getRuntimeSignature(entry);
    const fusion_rt_value_desc &value =
        (isResult ? runtime.results : runtime.arguments)[index];
    const std::string &name = isResult ? signature->resultNames[index]
                                       : signature->argumentNames[index];
    *info = {getElementType(types[index].kind),
             value.rank,
             value.sizes,
             !isResult && signature->constantArguments[index],
             types[index].isScalar,
             wrap(StringRef(name))};
    return FusionStatusSuccess;
  });
}

FusionStatus fusionExecutableGetArgument(FusionExecutable executable,
                                         intptr_t entry, intptr_t index,
                                         FusionValueInfo *info) {
  return getValue(executable, entry, index, /*isResult=*/false, info);
}

FusionStatus fusionExecutableGetResult(FusionExecutable executable,
                                       intptr_t entry, intptr_t index,
                                       FusionValueInfo *info) {
  return getValue(executable, entry, index, /*isResult=*/true, info);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

namespace {
/// The memory of a result that was allocated, and its sizes.
struct OwnedResult {
  ~OwnedResult() { fusion_rt_free(block); }

  void *block = nullptr;
  int64_t scalar = 0;
  SmallVector<int64_t> sizes, strides;
};
} // namespace

void fusionTensorRelease(FusionTensor *tensor) {
  if (!tensor)
    return;
  delete static_cast<OwnedResult *>(tensor->owner);
  *tensor = {};
}

static std::string str(const FusionTensor &tensor, ElementKind kind) {
  HostType type;
  type.kind = kind;
  type.shape.assign(tensor.sizes, tensor.sizes + tensor.rank);
  return type.str();
}

/// Checks what a call does not: element type, rank, pointers.
static FusionStatus checkTensor(StringRef name, size_t index,
                                const HostType &type,
                                const FusionTensor &tensor) {
  unsigned kind = static_cast<unsigned>(tensor.elementType) - 1;
  if (kind > static_cast<unsigned>(ElementKind::F64))
    return refuse("'", name, index, "' has the unknown element type ",
                  static_cast<int64_t>(tensor.elementType));
  if (tensor.rank != static_cast<int64_t>(type.shape.size()))
    return refuse("'", name, index, "' must be ", type.str(),
                  ", got a tensor of rank ", tensor.rank);
  if (tensor.rank && !tensor.sizes)
    return refuse("the sizes of '", name, index, "' must not be null");
  if (getElementType(type.kind) != tensor.elementType)
    return refuse("'", name, index, "' must be ", type.str(), ", got ",
                  str(tensor, static_cast<ElementKind>(kind)));
  if (!tensor.data && type.isScalar)
    return refuse("the data of '", name, index, "' must not be null");
  if (reinterpret_cast<uintptr_t>(tensor.data) % getByteWidth(type.kind))
    return refuse("the data of '", name, index, "' must be aligned to ",
                  getByteWidth(type.kind), " bytes");
  return FusionStatusSuccess;
}

static FusionStatus checkArguments(const Signature &signature,
                                   ArrayRef<FusionTensor> arguments) {
  if (arguments.size() != signature.arguments.size())
    return refuse("'", signature.name, "' has ", signature.arguments.size(),
                  " arguments, got ", arguments.size());
  for (auto [index, type, tensor] :
       llvm::enumerate(signature.arguments, arguments))
    if (auto status = checkTensor("argument", index, type, tensor))
      return status;
  return FusionStatusSuccess;
}

/// The strides of memory for a result, which mean nothing in dimensions of one
/// element.
static SmallVector<int64_t> getResultStrides(const FusionTensor &tensor) {
  ArrayRef<int64_t> sizes(tensor.sizes, tensor.rank);
  SmallVector<int64_t> strides = getRowMajorStrides(sizes);
  for (auto [dim, size] : llvm::enumerate(sizes))
    if (tensor.strides && size > 1)
      strides[dim] = tensor.strides[dim];
  return strides;
}

/// Whether elements of `width` bytes have places of their own. They do where a
/// step in a dimension passes all elements of the dimensions with smaller ones.
static bool areElementsApart(const FusionTensor &tensor, uint64_t width) {
  if (llvm::is_contained(ArrayRef<int64_t>(tensor.sizes, tensor.rank), 0))
    return true;
  SmallVector<std::pair<uint64_t, uint64_t>> dims; // bytes of a step, size
  for (int32_t dim = 0; tensor.strides && dim < tensor.rank; ++dim) {
    uint64_t step = llvm::AbsoluteValue(tensor.strides[dim]);
    if (tensor.sizes[dim] > 1)
      dims.push_back(
          {llvm::SaturatingMultiply(step, width), tensor.sizes[dim]});
  }
  llvm::sort(dims);
  uint64_t reach = 0; // bytes from the first to the last element so far
  for (auto [step, size] : dims) {
    if (step <= reach)
      return false;
    reach = llvm::SaturatingMultiplyAdd(step, size - 1, reach);
  }
  return reach <= static_cast<uint64_t>(INT64_MAX);
}

/// Checks results that are memory of the caller's, before the call.
static FusionStatus checkResults(const Signature &signature,
                                 ArrayRef<FusionTensor> results) {
  if (results.size() != signature.results.size())
    return refuse("'", signature.name, "' has ", signature.results.size(),
                  " results, got ", results.size());
  for (auto [index, type, tensor] :
       llvm::enumerate(signature.results, results)) {
    if (!tensor.data)
      continue;
    if (auto status = checkTensor("result", index, type, tensor))
      return status;
    if (!areElementsApart(tensor, getByteWidth(type.kind)))
      return refuse("the strides of 'result", index,
                    "' must keep its elements apart, within the address space");
  }
  return FusionStatusSuccess;
}

/// Checks that results fit into memory of the caller's.
static FusionStatus checkSizes(const Signature &signature,
                               const Invocation &invocation,
                               ArrayRef<FusionTensor> results) {
  for (auto [index, tensor] : llvm::enumerate(results)) {
    if (!tensor.data)
      continue;
    ArrayRef<int64_t> sizes = invocation.getResult(index).sizes;
    if (sizes == ArrayRef(tensor.sizes, sizes.size()))
      continue;
    HostType type = signature.results[index];
    type.shape.assign(sizes.begin(), sizes.end());
    return refuse("'result", index, "' must be ", type.str(), ", got ",
                  str(tensor, type.kind));
  }
  return FusionStatusSuccess;
}

/// Copies `ref` to memory that `owned` gets.
static FusionStatus copyResult(const HostType &type, const ResultRef &ref,
                               OwnedResult &owned) {
  std::optional<int64_t> bytes = countBytes(ref.sizes, getByteWidth(type.kind));
  if (!bytes)
    return failWith(FusionStatusOutOfMemory,
                    "a result does not fit into memory");
  if (auto status = fusion_rt_malloc(*bytes, &owned.block))
    return failFromRuntime(status);
  owned.strides = getRowMajorStrides(ref.sizes);
  copyStrided(type.kind, ref.sizes, ref.data, ref.strides,
              static_cast<char *>(owned.block), owned.strides);
  return FusionStatusSuccess;
}

/// The result in memory of its own: that which the compiled code has allocated,
/// unless another result lies in it as well, or a copy.
static FusionStatus takeResult(const HostType &type, Invocation &invocation,
                               size_t index, llvm::SmallDenseSet<void *> &taken,
                               OwnedResult &owned, FusionTensor &tensor) {
  ResultRef ref = invocation.getResult(index);
  owned.sizes.assign(ref.sizes.begin(), ref.sizes.end());
  owned.strides.assign(ref.strides.begin(), ref.strides.end());
  void *data = const_cast<char *>(ref.data);
  if (type.isScalar) {
    std::memcpy(&owned.scalar, ref.data, getByteWidth(type.kind));
    data = &owned.scalar;
  } else if (ref.block && taken.insert(ref.block).second) {
    owned.block = ref.block;
  } else {
    if (auto status = copyResult(type, ref, owned))
      return status;
    data = owned.block;
  }
  tensor = {data,
            getElementType(type.kind),
            static_cast<int32_t>(type.shape.size()),
            owned.sizes.data(),
            owned.strides.data(),
            &owned};
  return FusionStatusSuccess;
}

/// Gives the results of a call to the caller: all, or none.
static FusionStatus takeResults(const Signature &signature,
                                Invocation &invocation,
                                MutableArrayRef<FusionTensor> results) {
  if (auto status = checkSizes(signature, invocation, results))
    return status;
  SmallVector<FusionTensor> made(results.begin(), results.end());
  SmallVector<std::unique_ptr<OwnedResult>> owned(results.size());
  llvm::SmallDenseSet<void *> taken;
  auto giveBack = [&] {
    // The invocation frees what compiled code has allocated.
    for (auto &result : owned)
      if (result && taken.contains(result->block))
        result->block = nullptr;
  };
  for (auto [index, type] : llvm::enumerate(signature.results)) {
    if (results[index].data)
      continue;
    owned[index] = std::make_unique<OwnedResult>();
    auto status =
        takeResult(type, invocation, index, taken, *owned[index], made[index]);
    if (status != FusionStatusSuccess) {
      giveBack();
      return status;
    }
  }
  for (auto [index, type] : llvm::enumerate(signature.results))
    if (ResultRef ref = invocation.getResult(index); results[index].data)
      copyStrided(type.kind, ref.sizes, ref.data, ref.strides,
                  static_cast<char *>(results[index].data),
                  getResultStrides(results[index]));
  for (auto [index, result] : llvm::enumerate(owned)) {
    if (taken.contains(invocation.getResult(index).block))
      invocation.giveUpResult(index);
    (void)result.release();
    results[index] = made[index];
  }
  return FusionStatusSuccess;
}

FusionStatus ExecutableImpl::call(intptr_t entry,
                                  ArrayRef<FusionTensor> arguments,
                                  MutableArrayRef<FusionTensor> results) {
  const Signature &signature = executable->getSignature(entry);
  if (auto status = checkArguments(signature, arguments))
    return status;
  if (auto status = checkResults(signature, results))
    return status;
  SmallVector<TensorRef> refs;
  for (const FusionTensor &tensor : arguments) {
    size_t rank = tensor.rank;
    refs.push_back({tensor.data,
                    {tensor.sizes, rank},
                    {tensor.strides, tensor.strides ? rank : 0}});
  }
  ThreadsScope scope(threads);
  Invocation invocation(*executable, refs, entry);
  if (auto status = invocation.callGuarded())
    return failFromRuntime(status);
  return takeResults(signature, invocation, results);
}

FusionStatus fusionExecutableCall(FusionExecutable executable, intptr_t entry,
                                  const FusionTensor *arguments,
                                  intptr_t numArguments, FusionTensor *results,
                                  intptr_t numResults) {
  return guarded([&]() -> FusionStatus {
    if (!findSignature(executable, entry))
      return FusionStatusInvalidArgument;
    if (numArguments < 0 || (numArguments && !arguments))
      return refuse("'arguments' must not be null, nor their number negative");
    if (numResults < 0 || (numResults && !results))
      return refuse("'results' must not be null, nor their number negative");
    return ExecutableImpl::get(executable)
        ->call(entry, ArrayRef(arguments, numArguments),
               MutableArrayRef(results, numResults));
  });
}
