//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/ExecutionEngine/Executable.h"

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

static size_t getDescriptorWords(size_t rank) { return 3 + 2 * rank; }

static TensorRef getRef(const HostTensor &tensor) {
  // Compiled code only reads it.
  return {const_cast<char *>(tensor.data()), tensor.getShape(), {}};
}

Invocation::Invocation(Executable &executable, ArrayRef<HostTensor> arguments)
    : Invocation(executable, llvm::map_to_vector(arguments, getRef), 0) {}

Invocation::Invocation(Executable &executable,
                       ArrayRef<const HostTensor *> arguments)
    : Invocation(executable,
                 llvm::map_to_vector(arguments,
                                     [](const HostTensor *argument) {
                                       return getRef(*argument);
                                     }),
                 0) {}

Invocation::Invocation(Executable &executable, ArrayRef<TensorRef> arguments,
                       size_t entry)
    : executable(executable), code(*executable.entries[entry]) {
  assert(arguments.size() == code.signature.arguments.size() &&
         "arguments do not fit the signature");
  bindArguments(arguments);
  bindResults();
}

/// Writes the strides of a row-major tensor. Sizes that do not fit into memory
/// are refused later.
static void fillRowMajorStrides(ArrayRef<int64_t> shape, int64_t *strides) {
  uint64_t stride = 1;
  for (size_t dim = shape.size(); dim-- > 0;) {
    strides[dim] = static_cast<int64_t>(stride);
    stride *= static_cast<uint64_t>(shape[dim]);
  }
}

void Invocation::bindArguments(ArrayRef<TensorRef> arguments) {
  size_t numWords = 0;
  for (const HostType &type : code.signature.arguments)
    numWords += getDescriptorWords(type.shape.size());
  words.resize(numWords);
  int64_t *next = words.data();
  for (auto [type, argument] :
       llvm::zip_equal(code.signature.arguments, arguments)) {
    if (type.isScalar) {
      descriptors.push_back(argument.data);
      continue;
    }
    size_t rank = argument.sizes.size();
    assert(rank == type.shape.size() && "the rank does not fit");
    descriptors.push_back(next);
    next[0] = next[1] = reinterpret_cast<int64_t>(argument.data);
    next[2] = 0; // the offset
    llvm::copy(argument.sizes, next + 3);
    if (argument.strides.empty())
      fillRowMajorStrides(argument.sizes, next + 3 + rank);
    else
      llvm::copy(argument.strides, next + 3 + rank);
    next += getDescriptorWords(rank);
  }
  for (auto [type, descriptor] :
       llvm::zip_equal(code.signature.arguments, descriptors))
    packed.push_back(type.isScalar ? descriptor
                                   : static_cast<void *>(&descriptor));
}

void Invocation::bindResults() {
  ArrayRef<HostType> results = code.signature.results;
  size_t bytes = 0;
  for (const HostType &result : results) {
    size_t alignment = result.isScalar ? getByteWidth(result.kind) : 8;
    bytes = llvm::alignTo(bytes, alignment);
    resultOffsets.push_back(bytes);
    bytes += result.isScalar ? alignment
                             : 8 * getDescriptorWords(result.shape.size());
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

fusion_rt_status Invocation::callGuarded() {
  fusion_rt_status status = fusion_rt_call(
      &code.runtimeSignature,
      [](void *self, void *const *) {
        static_cast<Invocation *>(self)->call();
      },
      this, descriptors.data());
  if (status != FUSION_RT_SUCCESS)
    llvm::fill(resultStorage, 0);
  return status;
}

ResultRef Invocation::getResult(size_t index) const {
  const HostType &type = code.signature.results[index];
  const char *place = reinterpret_cast<const char *>(resultStorage.data()) +
                      resultOffsets[index];
  if (type.isScalar)
    return {nullptr, place, {}, {}};
  auto *descriptor = reinterpret_cast<const int64_t *>(place);
  size_t rank = type.shape.size();
  const int64_t *sizes = descriptor + 3;
  auto *data = reinterpret_cast<const char *>(descriptor[1]) +
               descriptor[2] * getByteWidth(type.kind);
  return {reinterpret_cast<void *>(descriptor[0]),
          data,
          {sizes, rank},
          {sizes + rank, rank}};
}

void Invocation::giveUpResult(size_t index) {
  if (!code.signature.results[index].isScalar)
    resultStorage[resultOffsets[index] / 8] = 0;
}

SmallVector<int64_t> fusion::getRowMajorStrides(ArrayRef<int64_t> sizes) {
  SmallVector<int64_t> strides(sizes.size());
  fillRowMajorStrides(sizes, strides.data());
  return strides;
}

void fusion::copyStrided(ElementKind kind, ArrayRef<int64_t> sizes,
                         const char *source, ArrayRef<int64_t> sourceStrides,
                         char *target, ArrayRef<int64_t> targetStrides) {
  size_t width = getByteWidth(kind);
  int64_t numElements = llvm::product_of(sizes);
  if (numElements == 0)
    return;
  SmallVector<int64_t> rowMajor = getRowMajorStrides(sizes);
  if (sourceStrides == ArrayRef(rowMajor) &&
      targetStrides == ArrayRef(rowMajor)) {
    std::memcpy(target, source, numElements * width);
    return;
  }
  for (int64_t i = 0; i < numElements; ++i) {
    int64_t from = 0, to = 0;
    int64_t rest = i;
    for (size_t dim = sizes.size(); dim-- > 0;) {
      from += rest % sizes[dim] * sourceStrides[dim];
      to += rest % sizes[dim] * targetStrides[dim];
      rest /= sizes[dim];
    }
    std::memcpy(target + to * width, source + from * width, width);
  }
}

SmallVector<HostTensor> Invocation::copyResults() const {
  SmallVector<HostTensor> copies;
  for (auto [index, result] : llvm::enumerate(code.signature.results)) {
    ResultRef ref = getResult(index);
    HostType type = result;
    type.shape.assign(ref.sizes.begin(), ref.sizes.end());
    HostTensor &copy = copies.emplace_back(std::move(type));
    copyStrided(copy.getKind(), ref.sizes, ref.data, ref.strides, copy.data(),
                getRowMajorStrides(ref.sizes));
  }
  return copies;
}

void Invocation::freeResults() {
  llvm::SmallDenseSet<void *> freed;
  for (size_t index = 0; index < resultOffsets.size(); ++index) {
    // A function may return one buffer twice.
    void *block = getResult(index).block;
    if (block && freed.insert(block).second)
      executable.freeBlock(block);
    giveUpResult(index);
  }
}
