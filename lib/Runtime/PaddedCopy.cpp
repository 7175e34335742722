//===- PaddedCopy.cpp - Copies with pads ----------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorCopy.h"

#include <algorithm>

using namespace fusion::runtime;

/// `count` elements of dimension `dim`.
static View slice(View view, int dim, int64_t count) {
  view.sizes[dim] = count;
  return view;
}

static char *elementAt(const View &view, char *data, int dim, int64_t index) {
  return data + index * view.strides[dim] * elementSize(view.type);
}

/// Sets all elements to the one at `value`.
static void fill(const View &to, char *data, const void *value) {
  if (to.elements() == 0)
    return;
  View source = to;
  source.channelsPerBlock = 1; // which would lie apart
  std::fill_n(source.strides, source.rank, 0);
  copyTensor(source, value, to, data);
}

void fusion::runtime::copyPadded(const View &from, const void *fromData,
                                 const View &to, void *toData,
                                 const int64_t *padLow, int32_t pad) {
  const auto byte = static_cast<uint8_t>(pad);
  const float zero = 0; // all bits are 0 in every type
  const bool isByte = elementSize(to.type) == 1;
  const void *value = isByte ? static_cast<const void *>(&byte) : &zero;
  View inner = to;
  char *data = static_cast<char *>(toData);
  for (int dim = 2; dim < to.rank; ++dim) {
    const int64_t low = padLow[dim - 2], size = from.sizes[dim];
    const int64_t high = inner.sizes[dim] - low - size;
    fill(slice(inner, dim, low), data, value);
    fill(slice(inner, dim, high), elementAt(to, data, dim, low + size), value);
    data = elementAt(to, data, dim, low);
    inner = slice(inner, dim, size);
  }
  copyTensor(from, fromData, inner, data);
}
