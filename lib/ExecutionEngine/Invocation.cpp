//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/ExecutionEngine/Executable.h"
#include "FusionDialect/ExecutionEngine/MemoryMeter.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cassert>
#include <cstring>

using namespace mlir;
using namespace fusion;

// A memref is passed as a pointer to its descriptor:
//   { T *allocated, T *aligned, i64 offset, i64 sizes[rank], i64 strides[rank]
//   }
// and a function that returns memrefs, or several values, fills a struct behind
// a first pointer argument.

static size_t getDescriptorWords(const HostType &type) {
  return 3 + 2 * type.shape.size();
}

Invocation::Invocation(Executable &executable, ArrayRef<HostTensor> arguments)
    : Invocation(executable,
                 llvm::map_to_vector(arguments, [](const HostTensor &argument) {
                   return &argument;
                 })) {}

Invocation::Invocation(Executable &executable,
                       ArrayRef<const HostTensor *> arguments)
    : executable(executable) {
  assert(arguments.size() == executable.signature.arguments.size() &&
         "arguments do not fit the signature");
  bindArguments(arguments);
  bindResults();
}

static SmallVector<int64_t> getRowMajorStrides(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (size_t dim = shape.size(); dim-- > 1;)
    strides[dim - 1] = strides[dim] * shape[dim];
  return strides;
}

static SmallVector<int64_t> makeDescriptor(const HostTensor &tensor) {
  int64_t address = reinterpret_cast<int64_t>(tensor.data());
  SmallVector<int64_t> descriptor = {address, address, /*offset=*/0};
  llvm::append_range(descriptor, tensor.getShape());
  llvm::append_range(descriptor, getRowMajorStrides(tensor.getShape()));
  return descriptor;
}

void Invocation::bindArguments(ArrayRef<const HostTensor *> arguments) {
  for (const HostTensor *argument : arguments)
    descriptors.push_back(makeDescriptor(*argument));
  for (SmallVector<int64_t> &descriptor : descriptors)
    descriptorPointers.push_back(descriptor.data());
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    if (argument->getType().isScalar)
      packed.push_back(const_cast<char *>(argument->data()));
    else
      packed.push_back(static_cast<void *>(&descriptorPointers[index]));
  }
}

void Invocation::bindResults() {
  ArrayRef<HostType> results = executable.signature.results;
  size_t bytes = 0;
  for (const HostType &result : results) {
    size_t alignment = result.isScalar ? getByteWidth(result.kind) : 8;
    bytes = llvm::alignTo(bytes, alignment);
    resultOffsets.push_back(bytes);
    bytes += result.isScalar ? alignment : 8 * getDescriptorWords(result);
  }
  resultStorage.assign(llvm::divideCeil(bytes, 8), 0);
  resultPointer = resultStorage.data();
  if (results.empty())
    return;
  // A lone scalar is returned by value: the wrapper stores it behind the last
  // pointer.
  if (results.size() == 1 && results.front().isScalar)
    packed.push_back(resultPointer);
  else
    packed.insert(packed.begin(), static_cast<void *>(&resultPointer));
}

/// Copies `type.shape` elements at `source` with `strides` to `target`.
static void copyStrided(const HostType &type, const char *source,
                        ArrayRef<int64_t> strides, char *target) {
  size_t width = getByteWidth(type.kind);
  int64_t numElements = llvm::product_of(type.shape);
  if (strides == ArrayRef<int64_t>(getRowMajorStrides(type.shape))) {
    std::memcpy(target, source, numElements * width);
    return;
  }
  for (int64_t i = 0; i < numElements; ++i) {
    int64_t offset = 0;
    int64_t rest = i;
    for (size_t dim = type.shape.size(); dim-- > 0;) {
      offset += rest % type.shape[dim] * strides[dim];
      rest /= type.shape[dim];
    }
    std::memcpy(target + i * width, source + offset * width, width);
  }
}

SmallVector<HostTensor> Invocation::copyResults() const {
  SmallVector<HostTensor> copies;
  auto *base = reinterpret_cast<const char *>(resultStorage.data());
  for (auto [result, offset] :
       llvm::zip_equal(executable.signature.results, resultOffsets)) {
    HostType type = result;
    if (type.isScalar) {
      HostTensor &copy = copies.emplace_back(std::move(type));
      std::memcpy(copy.data(), base + offset, copy.getNumBytes());
      continue;
    }
    auto *descriptor = reinterpret_cast<const int64_t *>(base + offset);
    size_t rank = type.shape.size();
    const int64_t *sizes = descriptor + 3;
    type.shape.assign(sizes, sizes + rank);
    auto *data = reinterpret_cast<const char *>(descriptor[1]) +
                 descriptor[2] * getByteWidth(type.kind);
    HostTensor &copy = copies.emplace_back(std::move(type));
    ArrayRef<int64_t> strides(sizes + rank, rank);
    copyStrided(copy.getType(), data, strides, copy.data());
  }
  return copies;
}

void Invocation::freeResults() {
  auto *base = reinterpret_cast<char *>(resultStorage.data());
  llvm::SmallDenseSet<void *> freed;
  for (auto [result, offset] :
       llvm::zip_equal(executable.signature.results, resultOffsets)) {
    if (result.isScalar)
      continue;
    // A function may return one buffer twice.
    void *allocated = *reinterpret_cast<void **>(base + offset);
    if (freed.insert(allocated).second)
      memory::release(allocated);
    std::memset(base + offset, 0, sizeof(void *));
  }
}
