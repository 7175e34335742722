//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExecutableImpl.h"
#include "Guard.h"

using namespace mlir;
using namespace fusion;

//===----------------------------------------------------------------------===//
// dlpack.h
//===----------------------------------------------------------------------===//

// The structs of dlpack.h before version 1.0, which every producer still gives.
namespace {
enum : int32_t { kDLCPU = 1, kDLCUDAHost = 3 };
enum : uint8_t {
  kDLInt = 0,
  kDLUInt = 1,
  kDLFloat = 2,
  kDLBfloat = 4,
  kDLBool = 6
};

struct DLDevice {
  int32_t type;
  int32_t id;
};

struct DLDataType {
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
};

struct DLTensor {
  void *data;
  DLDevice device;
  int32_t ndim;
  DLDataType dtype;
  int64_t *shape;
  int64_t *strides;
  uint64_t byteOffset;
};

struct DLManagedTensor {
  DLTensor tensor;
  void *context;
  void (*deleter)(DLManagedTensor *);
};

/// A result, and the tensor that describes it.
struct ManagedResult {
  ~ManagedResult() { fusionTensorRelease(&result); }

  FusionTensor result = {};
  DLManagedTensor managed = {};
};
} // namespace

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

static DLDataType getDataType(FusionElementType type) {
  switch (type) {
  case FusionElementTypeI1:
    return {kDLBool, 8, 1};
  case FusionElementTypeI8:
    return {kDLInt, 8, 1};
  case FusionElementTypeI16:
    return {kDLInt, 16, 1};
  case FusionElementTypeI32:
    return {kDLInt, 32, 1};
  case FusionElementTypeI64:
  case FusionElementTypeIndex:
    return {kDLInt, 64, 1};
  case FusionElementTypeF16:
    return {kDLFloat, 16, 1};
  case FusionElementTypeBF16:
    return {kDLBfloat, 16, 1};
  case FusionElementTypeF32:
    return {kDLFloat, 32, 1};
  case FusionElementTypeF64:
    return {kDLFloat, 64, 1};
  }
  return {};
}

/// True if elements of `given` can stand for those of `wanted`.
static bool isSame(DLDataType given, DLDataType wanted) {
  if (given.bits != wanted.bits || given.lanes != 1)
    return false;
  if (given.code == wanted.code)
    return true;
  return given.code == kDLUInt &&
         (wanted.code == kDLInt || wanted.code == kDLBool);
}

static std::string str(DLDataType type) {
  const char *names[] = {"int",    "uint",    "float", "handle",
                         "bfloat", "complex", "bool"};
  std::string text =
      type.code <= kDLBool ? names[type.code] : std::to_string(type.code) + "/";
  return text + std::to_string(type.bits) +
         (type.lanes == 1 ? "" : "x" + std::to_string(type.lanes));
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// Reads `from` as a value of `type`.
static FusionStatus readTensor(const Twine &name, const HostType &type,
                               const void *from, FusionTensor &result) {
  auto *tensor = static_cast<const DLTensor *>(from);
  if (!tensor)
    return failWith(FusionStatusInvalidArgument,
                    "'" + name + "' must not be null");
  if (tensor->device.type != kDLCPU && tensor->device.type != kDLCUDAHost)
    return failWith(FusionStatusInvalidArgument,
                    "'" + name + "' must be on the CPU, got device type " +
                        Twine(tensor->device.type));
  auto elementType =
      static_cast<FusionElementType>(static_cast<int>(type.kind) + 1);
  DLDataType wanted = getDataType(elementType);
  if (!isSame(tensor->dtype, wanted))
    return failWith(FusionStatusInvalidArgument,
                    "'" + name + "' must be of " + str(wanted) + " (" +
                        type.str() + "), got " + str(tensor->dtype));
  // Without elements there may be no data.
  void *data = tensor->data
                   ? static_cast<char *>(tensor->data) + tensor->byteOffset
                   : nullptr;
  result = {data,          elementType,     tensor->ndim,
            tensor->shape, tensor->strides, /*owner=*/nullptr};
  return FusionStatusSuccess;
}

static void deleteManaged(DLManagedTensor *managed) {
  if (managed)
    delete static_cast<ManagedResult *>(managed->context);
}

/// Describes the result behind `managed`.
static void describe(ManagedResult &managed) {
  const FusionTensor &result = managed.result;
  managed.managed = {{result.data,
                      {kDLCPU, 0},
                      result.rank,
                      getDataType(result.elementType),
                      const_cast<int64_t *>(result.sizes),
                      const_cast<int64_t *>(result.strides),
                      /*byteOffset=*/0},
                     &managed,
                     deleteManaged};
}

static FusionStatus call(ExecutableImpl &impl, intptr_t entry,
                         ArrayRef<const void *> arguments,
                         MutableArrayRef<void *> results) {
  const Signature &signature = impl.executable->getSignature(entry);
  SmallVector<FusionTensor> from(arguments.size()), to(results.size());
  for (auto [index, type] : llvm::enumerate(signature.arguments))
    if (index < from.size())
      if (auto status = readTensor("argument" + Twine(index), type,
                                   arguments[index], from[index]))
        return status;
  SmallVector<std::unique_ptr<ManagedResult>> made(results.size());
  for (auto [index, type] : llvm::enumerate(signature.results)) {
    if (index >= to.size())
      break;
    if (!results[index])
      made[index] = std::make_unique<ManagedResult>();
    else if (auto status = readTensor("result" + Twine(index), type,
                                      results[index], to[index]))
      return status;
  }
  if (auto status = impl.call(entry, from, to))
    return status;
  for (auto [result, managed, tensor] : llvm::zip_equal(results, made, to)) {
    if (!managed)
      continue;
    managed->result = tensor;
    describe(*managed);
    result = &managed.release()->managed;
  }
  return FusionStatusSuccess;
}

FusionStatus fusionExecutableCallDLPack(FusionExecutable executable,
                                        intptr_t entry,
                                        const void *const *arguments,
                                        intptr_t numArguments, void **results,
                                        intptr_t numResults) {
  return guarded([&]() -> FusionStatus {
    FusionEntryInfo info;
    if (auto status = fusionExecutableGetEntry(executable, entry, &info))
      return status;
    if (numArguments < 0 || (numArguments && !arguments) || numResults < 0 ||
        (numResults && !results))
      return failWith(FusionStatusInvalidArgument,
                      "'arguments' and 'results' must not be null, nor their "
                      "numbers negative");
    return call(*ExecutableImpl::get(executable), entry,
                ArrayRef(arguments, numArguments),
                MutableArrayRef(results, numResults));
  });
}
