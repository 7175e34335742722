//===- WeightsReorder.cpp - Reorders of weights in parts ------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WeightsReorder.h"

#include "OneDnnCompat.h"
#include "Primitive.h"

#include <algorithm>
#include <cstring>

using namespace fusion::runtime;

/// A reorder, and oneDNN's name of its implementation.
static WeightsReorder create(const dnnl::memory::desc &from,
                             const dnnl::memory::desc &to, const char *&name) {
  dnnl::primitive_attr attr;
  attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  dnnl::reorder::primitive_desc desc(cpuEngine(), from, cpuEngine(), to, attr);
  name = desc.impl_info_str();
  return {dnnl::reorder(desc), from, to, desc.scratchpad_desc()};
}

static dnnl::memory::desc slice(const dnnl::memory::desc &whole, int dim,
                                int64_t begin, int64_t size) {
  dnnl::memory::dims sizes = sizesOf(whole), offsets(sizes.size());
  sizes[size_t(dim)] = size;
  offsets[size_t(dim)] = begin;
  return whole.submemory_desc(sizes, offsets);
}

/// Whether parts may be reordered by the implementation `part`, where the whole
/// has `whole`. oneDNN 3.12 has one for whole matrices only. The general one,
/// which parts get, takes as long for most sizes, and up to three times as long
/// where rows are a power of two apart.
static bool mayReplace(const char *part, const char *whole) {
  return std::strcmp(part, whole) == 0 ||
         (std::strcmp(whole, "brgemm_matmul_copy_reorder_t") == 0 &&
          std::strcmp(part, "jit:uni") == 0);
}

/// Reorders `size` channels each, and those that are left. Equal parts share a
/// primitive. Nothing if blocks do not begin and end there, or oneDNN has
/// a slower implementation for a part.
static std::vector<WeightsReorder> cut(const dnnl::memory::desc &from,
                                       const dnnl::memory::desc &to, int dim,
                                       int64_t size, const char *wantedName) {
  int64_t channels = sizesOf(to)[size_t(dim)];
  const char *name;
  std::vector<WeightsReorder> parts = {
      create(slice(from, dim, 0, size), slice(to, dim, 0, size), name)};
  if (!mayReplace(name, wantedName))
    return {};
  int64_t begin = size;
  for (; begin + size <= channels; begin += size) {
    WeightsReorder part = parts.front();
    auto fromAt = findSlice(from, part.from, dim, begin);
    auto toAt = findSlice(to, part.to, dim, begin);
    if (!fromAt || !toAt)
      return {};
    part.fromAt = *fromAt;
    part.toAt = *toAt;
    parts.push_back(std::move(part));
  }
  if (begin == channels)
    return parts;
  // Its place is part of its descriptors.
  parts.push_back(create(slice(from, dim, begin, channels - begin),
                         slice(to, dim, begin, channels - begin), name));
  if (!mayReplace(name, wantedName))
    return {};
  return parts;
}

std::vector<WeightsReorder>
fusion::runtime::createWeightsReorders(const dnnl::memory::desc &from,
                                       const dnnl::memory::desc &to, int dim) {
  constexpr int64_t bytesOfPart = 512 << 10, mostParts = 16;
  const char *name;
  WeightsReorder whole = create(from, to, name);
  int64_t channels = sizesOf(to)[size_t(dim)];
  int64_t parts = std::min(int64_t(to.get_size()) / bytesOfPart, mostParts);
  if (parts <= 1)
    return {whole};
  int64_t least = (channels + parts - 1) / parts;
  // Parts end with a block, which has 16, 32, 48 or 64 channels.
  constexpr int64_t step = 16;
  for (int64_t size = least; size < channels && size <= least + 64;
       size = (size / step + 1) * step) {
    try {
      if (auto out = cut(from, to, dim, size, name); !out.empty())
        return out;
    } catch (const dnnl::error &) {
      // oneDNN does not describe such a part.
    }
  }
  return {whole};
}
