//===- PaddedCopy.cpp - Elements of one value, and copies with pads -------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorCopy.h"

#include <algorithm>

using namespace fusion::runtime;

static char *elementAt(const View &view, void *data, int dim, int64_t index) {
  return static_cast<char *>(data) +
         index * view.strides[dim] * elementSize(view.type);
}

void fusion::runtime::fillElements(const View &to, void *data, int dim,
                                   int64_t first, int64_t end,
                                   const void *value) {
  View rest = to;
  rest.sizes[dim] = end - first;
  if (rest.elements() == 0)
    return;
  View source = rest;
  source.channelsPerBlock = 1; // which would lie apart
  std::fill_n(source.strides, source.rank, 0);
  copyTensor(source, value, rest, elementAt(to, data, dim, first));
}

void fusion::runtime::copyPadded(const View &from, const void *fromData,
                                 const View &to, void *toData,
                                 const int64_t *padLow, int32_t pad) {
  const auto byte = static_cast<uint8_t>(pad);
  const float zero = 0; // all bits are 0 in every type
  const bool isByte = elementSize(to.type) == 1;
  const void *value = isByte ? static_cast<const void *>(&byte) : &zero;
  View inner = to;
  for (int dim = 2; dim < to.rank; ++dim) {
    const int64_t low = padLow[dim - 2], end = low + from.sizes[dim];
    fillElements(inner, toData, dim, 0, low, value);
    fillElements(inner, toData, dim, end, inner.sizes[dim], value);
    toData = elementAt(to, toData, dim, low);
    inner.sizes[dim] = from.sizes[dim];
  }
  copyTensor(from, fromData, inner, toData);
}
