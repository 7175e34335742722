//===- Layout.cpp - Strided tensors and their layouts ---------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Layout.h"

#include <algorithm>
#include <array>
#include <cstdlib>

using namespace fusion::runtime;

int64_t fusion::runtime::elementSize(fusion_rt_type type) {
  switch (type) {
  case FUSION_RT_TYPE_F32:
  case FUSION_RT_TYPE_S32:
    return 4;
  case FUSION_RT_TYPE_BF16:
  case FUSION_RT_TYPE_F16:
    return 2;
  case FUSION_RT_TYPE_S8:
  case FUSION_RT_TYPE_U8:
    return 1;
  case FUSION_RT_TYPE_NONE:
    break;
  }
  return 0;
}

const char *fusion::runtime::typeName(fusion_rt_type type) {
  switch (type) {
  case FUSION_RT_TYPE_F32:
    return "f32";
  case FUSION_RT_TYPE_BF16:
    return "bf16";
  case FUSION_RT_TYPE_F16:
    return "f16";
  case FUSION_RT_TYPE_S8:
    return "s8";
  case FUSION_RT_TYPE_U8:
    return "u8";
  case FUSION_RT_TYPE_S32:
    return "s32";
  case FUSION_RT_TYPE_NONE:
    break;
  }
  return "none";
}

int64_t View::elements() const {
  int64_t product = 1;
  for (int dim = 0; dim < rank; ++dim)
    product *= sizes[dim];
  return product;
}

int64_t View::extent() const {
  int64_t last = 0;
  for (int dim = 0; dim < rank; ++dim) {
    if (sizes[dim] == 0)
      return 0;
    int64_t steps = dim == 1 ? sizes[dim] / channelsPerBlock : sizes[dim];
    if (steps > 1)
      last += (steps - 1) * std::abs(strides[dim]);
  }
  last += channelsPerBlock - 1;
  return (last + 1) * elementSize(type);
}

int64_t View::lowest() const {
  int64_t offset = 0;
  for (int dim = 0; dim < rank; ++dim)
    if (sizes[dim] > 1)
      offset += (sizes[dim] - 1) * std::min<int64_t>(0, strides[dim]);
  return offset * elementSize(type);
}

bool View::isDense() const {
  return hasDistinctElements(*this) &&
         extent() == elements() * elementSize(type);
}

View fusion::runtime::makeView(const fusion_rt_tensor &tensor,
                               fusion_rt_type type, int rank,
                               const int *callerDims) {
  View view;
  view.type = type;
  view.rank = rank;
  if (callerDims)
    std::copy_n(callerDims, rank, view.callerDims);
  for (int dim = 0; dim < rank; ++dim) {
    view.sizes[dim] = tensor.sizes[view.callerDims[dim]];
    view.strides[dim] = tensor.strides[view.callerDims[dim]];
  }
  return view;
}

namespace {
/// Dimensions from the innermost to the outermost.
using DimOrder = std::array<int, FUSION_RT_MAX_RANK>;
} // namespace

static DimOrder innermostFirst(const View &view, Order order) {
  DimOrder dims{};
  int count = 0;
  if (order == Order::Other) {
    // Sorts by stride. Dimensions of size 1 go outside, where their strides
    // have no effect.
    auto isInside = [&](int a, int b) {
      if (view.sizes[a] <= 1 || view.sizes[b] <= 1)
        return view.sizes[a] > 1;
      return view.strides[a] < view.strides[b];
    };
    for (int dim = view.rank - 1; dim >= 0; --dim) {
      int place = count++;
      for (; place > 0 && isInside(dim, dims[place - 1]); --place)
        dims[place] = dims[place - 1];
      dims[place] = dim;
    }
    return dims;
  }
  if (order == Order::ChannelsLast)
    dims[count++] = 1;
  for (int dim = view.rank - 1; dim >= 2; --dim)
    dims[count++] = dim;
  if (order == Order::ChannelsFirst)
    dims[count++] = 1;
  dims[count] = 0;
  return dims;
}

View fusion::runtime::makeDense(const View &like, fusion_rt_type type,
                                Order order) {
  View view = like;
  view.type = type;
  view.channelsPerBlock = 1;
  int64_t stride = 1;
  DimOrder dims = innermostFirst(like, order);
  for (int i = 0; i < view.rank; ++i) {
    view.strides[dims[i]] = stride;
    stride *= view.sizes[dims[i]];
  }
  return view;
}

View fusion::runtime::makeBlocked(const View &like, fusion_rt_type type,
                                  int64_t channelsPerBlock) {
  View view = like;
  view.sizes[1] /= channelsPerBlock;
  view = makeDense(view, type, Order::ChannelsFirst);
  for (int dim = 0; dim < view.rank; ++dim)
    view.strides[dim] *= channelsPerBlock;
  view.sizes[1] = like.sizes[1];
  view.channelsPerBlock = channelsPerBlock;
  return view;
}

View fusion::runtime::makeRows(const View &lines) {
  View rows = lines;
  constexpr int row = 2, column = 3;
  ++rows.rank;
  rows.sizes[column] = lines.sizes[row];
  rows.strides[column] = lines.strides[row];
  rows.sizes[row] = 1;
  rows.strides[row] = lines.sizes[row] * lines.strides[row];
  return rows;
}

bool fusion::runtime::fitsOrder(const View &view, Order order) {
  int64_t inner = 1; // what one step of the next dimension has to pass
  DimOrder dims = innermostFirst(view, order);
  for (int i = 0; i < view.rank; ++i) {
    int dim = dims[i];
    if (view.sizes[dim] <= 1)
      continue;
    if (view.strides[dim] < inner)
      return false;
    inner = view.strides[dim] * (view.sizes[dim] - 1) + inner;
  }
  return true;
}

Order fusion::runtime::classify(const View &view, Order preferred) {
  if (preferred != Order::Other && fitsOrder(view, preferred))
    return preferred;
  for (Order order : {Order::ChannelsLast, Order::ChannelsFirst})
    if (fitsOrder(view, order))
      return order;
  return Order::Other;
}

void fusion::runtime::canonicalize(View &view, Order order) {
  int64_t inner = 1;
  DimOrder dims = innermostFirst(view, order);
  for (int i = 0; i < view.rank; ++i) {
    int dim = dims[i];
    if (view.sizes[dim] <= 1)
      view.strides[dim] = inner;
    inner = view.strides[dim] * view.sizes[dim];
  }
}

bool fusion::runtime::hasDistinctElements(const View &view) {
  return fitsOrder(view, Order::Other);
}

bool fusion::runtime::haveSameStrides(const View &a, const View &b) {
  for (int dim = 0; dim < a.rank; ++dim)
    if (a.sizes[dim] > 1 && a.strides[dim] != b.strides[dim])
      return false;
  return a.channelsPerBlock == b.channelsPerBlock;
}

/// Whether all elements of `view`, modulo `period` bytes, are in the first
/// `run` bytes of a period. Sets `run`.
static bool repeatsEvery(int64_t period, const View &view, int64_t &run) {
  run = elementSize(view.type);
  for (int dim = 0; dim < view.rank; ++dim) {
    if (view.sizes[dim] <= 1)
      continue;
    int64_t step = std::abs(view.strides[dim]) * elementSize(view.type);
    if (step % period != 0)
      run += step * (view.sizes[dim] - 1);
  }
  return run <= period;
}

static bool areInterleaved(int64_t period, const View &a, const View &b,
                           int64_t distance) {
  int64_t aRun, bRun;
  if (!repeatsEvery(period, a, aRun) || !repeatsEvery(period, b, bRun))
    return false;
  int64_t offset = (distance % period + period) % period; // of b's run
  return offset >= aRun && offset + bRun <= period;
}

bool fusion::runtime::overlap(const View &a, const void *aData, const View &b,
                              const void *bData) {
  // Addresses are compared as numbers: the blocks may be unrelated.
  int64_t aBegin = reinterpret_cast<intptr_t>(aData) + a.lowest();
  int64_t bBegin = reinterpret_cast<intptr_t>(bData) + b.lowest();
  if (aBegin + a.extent() <= bBegin || bBegin + b.extent() <= aBegin)
    return false;
  for (int dim = 0; dim < b.rank; ++dim) {
    if (b.sizes[dim] <= 1 || b.strides[dim] == 0)
      continue;
    int64_t period = std::abs(b.strides[dim]) * elementSize(b.type);
    if (areInterleaved(period, a, b, bBegin - aBegin))
      return false;
  }
  return a.extent() > 0 && b.extent() > 0;
}
