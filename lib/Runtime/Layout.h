//===- Layout.h - Strided tensors and their layouts -------------*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_LAYOUT_H
#define FUSION_LIB_RUNTIME_LAYOUT_H

#include "FusionRuntime/fusion_runtime.h"

#include <cstdint>

namespace fusion {
namespace runtime {

/// Bytes of an element; 0 for none.
int64_t elementSize(fusion_rt_type type);
const char *typeName(fusion_rt_type type);

/// The place of the channels (dimension 1) in an order of dimensions.
enum class Order { ChannelsLast, ChannelsFirst, Other };

/// A tensor's type and shape in memory, without the memory.
struct View {
  fusion_rt_type type = FUSION_RT_TYPE_NONE;
  int rank = 0;
  int64_t sizes[FUSION_RT_MAX_RANK] = {};
  int64_t strides[FUSION_RT_MAX_RANK] = {};
  /// Channels (dimension 1) are in contiguous blocks of this size, all whole,
  /// and their stride is that from block to block. 1 is a plain strided tensor.
  int64_t channelsPerBlock = 1;
  /// The dimension of the caller's tensor that each dimension is.
  int callerDims[FUSION_RT_MAX_RANK] = {0, 1, 2, 3, 4};

  int64_t elements() const;
  /// Bytes from the element with the lowest address to behind the highest.
  int64_t extent() const;
  /// Bytes from the first element to the one with the lowest address: 0, or
  /// less if strides are negative.
  int64_t lowest() const;
  bool hasBlocks() const { return channelsPerBlock > 1; }
  bool hasContiguousChannels() const {
    return sizes[1] == 1 || strides[1] == 1;
  }
  /// Whether the elements fill their memory without gaps, beginning with the
  /// first one. Only for views without blocks.
  bool isDense() const;
};

/// A view of the caller's `tensor`, with its dimensions in the order
/// `callerDims`, or in the caller's order if that is null.
View makeView(const fusion_rt_tensor &tensor, fusion_rt_type type, int rank,
              const int *callerDims = nullptr);

/// A dense view of the sizes of `like`.
View makeDense(const View &like, fusion_rt_type type, Order order);

/// A dense view of the sizes of `like` with its channels in blocks: n, blocks,
/// spatial, channels of a block ("nChw8c").
View makeBlocked(const View &like, fusion_rt_type type,
                 int64_t channelsPerBlock);

/// A view of lines as one of images of one row each.
View makeRows(const View &lines);

/// Whether the strides decrease in `order`, and each dimension fits into one
/// step of the next; dimensions of size 1 do not count.
bool fitsOrder(const View &view, Order order);

/// The order of `view`, or `preferred` if its sizes leave the order open.
Order classify(const View &view, Order preferred);

/// Gives dimensions of size 1 the strides of a dense view in `order`. These
/// strides have no effect, but oneDNN recognises layouts by them, and takes
/// slower kernels for odd ones.
void canonicalize(View &view, Order order);

/// Whether no two elements share memory, for any order of dimensions.
bool hasDistinctElements(const View &view);

/// Whether both have the same element positions; strides of dimensions of size
/// 1 do not count.
bool haveSameStrides(const View &a, const View &b);

/// Whether tensors of these shapes at these addresses share memory. Exact for
/// slices of one larger tensor, such as channels 0..3 and 4..7 of it; may
/// answer yes for other interleaved tensors.
bool overlap(const View &a, const void *aData, const View &b,
             const void *bData);

} // namespace runtime
} // namespace fusion

#endif // FUSION_LIB_RUNTIME_LAYOUT_H
