//===- Weights.cpp - Constant weights -------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Weights.h"

#include "CallerContext.h"
#include "FilePages.h"

#include <algorithm>
#include <bit>
#include <cstring>

using namespace fusion::runtime;

/// The steps of xxHash64 (xxhash.com) for the last words and bytes of an input,
/// for all of them. Rotations bring high bits, signs of floats say, to all
/// places.
uint64_t fusion::runtime::hashBytes(uint64_t hash, const void *bytes,
                                    size_t size) {
  constexpr uint64_t prime1 = 0x9e3779b185ebca87, prime2 = 0xc2b2ae3d27d4eb4f,
                     prime3 = 0x165667b19e3779f9, prime4 = 0x85ebca77c2b2ae63,
                     prime5 = 0x27d4eb2f165667c5;
  const char *data = static_cast<const char *>(bytes);
  for (; size >= 8; size -= 8, data += 8) {
    uint64_t word;
    memcpy(&word, data, 8);
    hash ^= std::rotl(word * prime2, 31) * prime1;
    hash = std::rotl(hash, 27) * prime1 + prime4;
  }
  for (; size; --size, ++data) {
    hash ^= static_cast<unsigned char>(*data) * prime5;
    hash = std::rotl(hash, 11) * prime1;
  }
  hash = (hash ^ hash >> 33) * prime2;
  hash = (hash ^ hash >> 29) * prime3;
  return hash ^ hash >> 32;
}

/// Hashes the elements of a tensor and nothing that lies between them.
static uint64_t hashTensor(const View &view, const void *data) {
  const char *bytes = static_cast<const char *>(data);
  uint64_t hash = emptyHash;
  if (view.isDense())
    return hashBytes(hash, bytes, view.extent());
  int64_t size = elementSize(view.type), count = view.elements();
  for (int64_t index = 0; index < count; ++index) {
    int64_t rest = index, offset = 0;
    for (int dim = view.rank - 1; dim >= 0; --dim) {
      offset += rest % view.sizes[dim] * view.strides[dim];
      rest /= view.sizes[dim];
    }
    hash = hashBytes(hash, bytes + offset * size, size);
  }
  return hash;
}

void FormHash::add(const View &view) {
  add(view.type);
  add(view.rank);
  add(view.sizes, sizeof(int64_t) * size_t(view.rank));
  add(view.strides, sizeof(int64_t) * size_t(view.rank));
}

KeptWeights::KeptWeights(const View &given, const void *data)
    : address(data), original(given) {
  if (environment().checkConstants)
    hash = hashTensor(given, data);
}

KeptWeights::~KeptWeights() { countBytes(-block.size()); }

void KeptWeights::pack(size_t bytes,
                       const std::function<void(FormHash &)> &addForm,
                       const std::function<void(char *)> &write) {
  if (!callerWeightsFile) {
    Block packed(bytes, "packed weights");
    write(packed.data());
    return keep(std::move(packed));
  }
  fileSerial = callerWeightsFile->serial;
  FormHash form;
  form.add(original);
  addForm(form);
  keep(callerWeightsFile->find(
      {hashTensor(original, address), form.get(), bytes}, write));
}

void KeptWeights::keep(Block packed) {
  block = std::move(packed);
  if (callerContext)
    contextCounters = callerContext->counters;
  countBytes(block.size());
  // From now on the block is read in place of the original.
  if (original.isDense())
    giveBackFilePages(address, static_cast<size_t>(original.extent()));
}

/// Less is a number that wraps.
void KeptWeights::countBytes(uint64_t added) {
  counters.packedBytes.fetch_add(added, std::memory_order_relaxed);
  if (contextCounters)
    contextCounters->packedBytes.fetch_add(added, std::memory_order_relaxed);
}

bool KeptWeights::areOf(const View &given, const void *data) const {
  return address == data &&
         std::equal(given.sizes, given.sizes + given.rank, original.sizes) &&
         haveSameStrides(given, original);
}

bool KeptWeights::areUnchanged() const {
  return hashTensor(original, address) == hash;
}
