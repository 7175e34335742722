//===- TensorCopy.cpp - Copies between layouts and types ------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorCopy.h"

#include "Convert.h"
#include "Parallel.h"
#include "Trace.h"
#include "Widen.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <type_traits>

using namespace fusion::runtime;

//===----------------------------------------------------------------------===//
// Loop nests
//===----------------------------------------------------------------------===//

/// One loop for each dimension, and one for channels within a block.
static constexpr int maxLoops = FUSION_RT_MAX_RANK + 1;

namespace {
/// One loop over both tensors, strides in elements.
struct Loop {
  int64_t size;
  int64_t from;
  int64_t to;
};

/// The loops of a copy. One call moves the elements of `tile` and `row`. The
/// others are iterated.
struct LoopNest {
  Loop row{1, 1, 1};  // smallest stride in `to`
  Loop tile{1, 1, 1}; // smallest stride in `from`, if that is another one
  Loop outer[maxLoops];
  int outerCount = 0;

  /// Whether rows are probably pixels of two to four channels. These are
  /// contiguous in `to`, and come from separate planes of `from`.
  bool hasSmallPixels() const {
    return row.to == 1 && row.size > 1 && row.size <= 4 &&
           tile.to == row.size && tile.from == 1;
  }

  int64_t outerSize() const {
    int64_t product = 1;
    for (int i = 0; i < outerCount; ++i)
      product *= outer[i].size;
    return product;
  }
};
} // namespace

/// The stride of channels within a block.
static int64_t channelStep(const View &view) {
  return view.hasBlocks() ? 1 : view.strides[1];
}

/// The stride between blocks of `size` channels, also in a view without blocks.
static int64_t blockStep(const View &view, int64_t size) {
  return view.hasBlocks() ? view.strides[1] : view.strides[1] * size;
}

/// Collects loops of more than one step, sorted by the stride in `to`. Loops
/// that are contiguous in both tensors are merged.
static int collectLoops(const View &from, const View &to, Loop *loops) {
  int count = 0;
  auto insert = [&](Loop loop) {
    if (loop.size <= 1)
      return;
    int place = count++;
    for (; place > 0 && loops[place - 1].to > loop.to; --place)
      loops[place] = loops[place - 1];
    loops[place] = loop;
  };
  int64_t block = std::max(from.channelsPerBlock, to.channelsPerBlock);
  for (int dim = 0; dim < from.rank; ++dim) {
    if (dim != 1 || block == 1) {
      insert({from.sizes[dim], from.strides[dim], to.strides[dim]});
      continue;
    }
    insert({block, channelStep(from), channelStep(to)});
    insert({from.sizes[dim] / block, blockStep(from, block),
            blockStep(to, block)});
  }
  int merged = 0;
  for (int i = 1; i < count; ++i) {
    Loop &inner = loops[merged];
    if (loops[i].from == inner.from * inner.size &&
        loops[i].to == inner.to * inner.size)
      inner.size *= loops[i].size;
    else
      loops[++merged] = loops[i];
  }
  return count ? merged + 1 : 0;
}

static LoopNest makeLoopNest(const View &from, const View &to) {
  Loop loops[maxLoops];
  int count = collectLoops(from, to, loops);
  LoopNest nest;
  if (count == 0)
    return nest;
  nest.row = loops[0];
  int tile = 0;
  for (int i = 1; i < count; ++i)
    if (std::abs(loops[i].from) < std::abs(loops[tile].from))
      tile = i;
  // Rows that are contiguous on both sides need no tiles. But a second loop
  // makes the parts that threads share smaller.
  if (tile == 0 && count > 1)
    tile = 1;
  if (tile != 0)
    nest.tile = loops[tile];
  for (int i = 1; i < count; ++i)
    if (i != tile)
      nest.outer[nest.outerCount++] = loops[i];
  return nest;
}

//===----------------------------------------------------------------------===//
// Copying
//===----------------------------------------------------------------------===//

/// The side of a square of elements that fits the cache in either direction.
static constexpr int64_t tileSide = 16;

namespace {
template <typename From, typename To> struct Convert {
  static To apply(From value) { return To(float(value)); }
};
template <typename Same> struct Convert<Same, Same> {
  static Same apply(Same value) { return value; }
};
} // namespace

/// `__restrict` matters: without it short rows of constant size are copied
/// element by element, since each store could change the next load.
template <typename From, typename To>
static void copyRow(const Loop &row, const From *__restrict from,
                    To *__restrict to) {
  if (row.from == 1 && row.to == 1) {
    for (int64_t i = 0; i < row.size; ++i)
      to[i] = Convert<From, To>::apply(from[i]);
    return;
  }
  for (int64_t i = 0; i < row.size; ++i)
    to[i * row.to] = Convert<From, To>::apply(from[i * row.from]);
}

namespace {
/// The number of floats in the registers of every x86-64 CPU.
using Quad = float __attribute__((vector_size(16)));
} // namespace

static Quad loadQuad(const float *from) {
  Quad quad;
  memcpy(&quad, from, sizeof(quad));
  return quad;
}

static void storeQuad(Quad quad, float *to) { memcpy(to, &quad, sizeof(quad)); }

/// Transposes 4x4 floats in registers.
static void transposeQuads(const float *from, int64_t rowFrom, float *to,
                           int64_t columnTo) {
  Quad a = loadQuad(from), b = loadQuad(from + rowFrom),
       c = loadQuad(from + 2 * rowFrom), d = loadQuad(from + 3 * rowFrom);
  Quad abLow = __builtin_shufflevector(a, b, 0, 4, 1, 5);
  Quad cdLow = __builtin_shufflevector(c, d, 0, 4, 1, 5);
  Quad abHigh = __builtin_shufflevector(a, b, 2, 6, 3, 7);
  Quad cdHigh = __builtin_shufflevector(c, d, 2, 6, 3, 7);
  storeQuad(__builtin_shufflevector(abLow, cdLow, 0, 1, 4, 5), to);
  storeQuad(__builtin_shufflevector(abLow, cdLow, 2, 3, 6, 7), to + columnTo);
  storeQuad(__builtin_shufflevector(abHigh, cdHigh, 0, 1, 4, 5),
            to + 2 * columnTo);
  storeQuad(__builtin_shufflevector(abHigh, cdHigh, 2, 3, 6, 7),
            to + 3 * columnTo);
}

/// `transposeTile` for a whole square, where one of the types is float: the
/// other one is converted in rows, which compilers vectorise.
template <typename From, typename To>
static void transposeSquare(int64_t rowFrom, int64_t columnTo, const From *from,
                            To *to) {
  float source[tileSide][tileSide], target[tileSide][tileSide];
  const float *squareFrom = &source[0][0];
  int64_t stepFrom = tileSide;
  if constexpr (std::is_same_v<From, float>) {
    squareFrom = from;
    stepFrom = rowFrom;
  } else {
    for (int64_t i = 0; i < tileSide; ++i)
      for (int64_t j = 0; j < tileSide; ++j)
        source[i][j] = float(from[i * rowFrom + j]);
  }
  float *squareTo = &target[0][0];
  if constexpr (std::is_same_v<To, float>)
    if (columnTo == tileSide) // as in blocks of channels
      squareTo = to;
  for (int64_t i = 0; i < tileSide; i += 4)
    for (int64_t j = 0; j < tileSide; j += 4)
      transposeQuads(squareFrom + i * stepFrom + j, stepFrom,
                     squareTo + j * tileSide + i, tileSide);
  if (squareTo != &target[0][0])
    return;
  for (int64_t j = 0; j < tileSide; ++j)
    for (int64_t i = 0; i < tileSide; ++i)
      to[j * columnTo + i] = Convert<float, To>::apply(target[j][i]);
}

/// Copies a square whose rows are contiguous in `to` and whose columns are
/// contiguous in `from`. Each line of `from` is read at once, and each line of
/// `to` is written at once from a buffer: lines a power of two apart would
/// evict each other from the cache before their next element is used.
template <typename From, typename To>
static void transposeTile(int64_t rowSize, int64_t rowFrom, int64_t columnSize,
                          int64_t columnTo, const From *from, To *to) {
  if constexpr (std::is_same_v<From, float> || std::is_same_v<To, float>)
    if (rowSize == tileSide && columnSize == tileSide)
      return transposeSquare(rowFrom, columnTo, from, to);
  To buffer[tileSide][tileSide];
  if (columnSize == tileSide) {
    for (int64_t i = 0; i < rowSize; ++i)
      for (int64_t j = 0; j < tileSide; ++j)
        buffer[i][j] = Convert<From, To>::apply(from[i * rowFrom + j]);
  } else {
    for (int64_t i = 0; i < rowSize; ++i)
      for (int64_t j = 0; j < columnSize; ++j)
        buffer[i][j] = Convert<From, To>::apply(from[i * rowFrom + j]);
  }
  if (rowSize == tileSide) {
    for (int64_t j = 0; j < columnSize; ++j)
      for (int64_t i = 0; i < tileSide; ++i)
        to[j * columnTo + i] = buffer[i][j];
  } else {
    for (int64_t j = 0; j < columnSize; ++j)
      for (int64_t i = 0; i < rowSize; ++i)
        to[j * columnTo + i] = buffer[i][j];
  }
}

//===----------------------------------------------------------------------===//
// Squares of bytes
//===----------------------------------------------------------------------===//

/// The side of a square of bytes, of which each line is one of the cache.
static constexpr int64_t byteSide = 64;

namespace {
/// As many bytes as `Quad` has.
using Bytes = uint8_t __attribute__((vector_size(16)));
} // namespace

/// Transposes 16x16 bytes in registers: four times, the rows of the first half
/// are interleaved with those of the second one.
static void transposeBytes(const uint8_t *from, int64_t rowFrom, uint8_t *to,
                           int64_t columnTo) {
  Bytes rows[tileSide], next[tileSide];
  for (int i = 0; i < tileSide; ++i)
    memcpy(&rows[i], from + i * rowFrom, sizeof(Bytes));
  for (int round = 0; round < 4; ++round) {
    for (int i = 0; i < tileSide / 2; ++i) {
      Bytes a = rows[i], b = rows[i + tileSide / 2];
      next[2 * i] = __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4,
                                            20, 5, 21, 6, 22, 7, 23);
      next[2 * i + 1] = __builtin_shufflevector(
          a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    }
    std::copy_n(next, tileSide, rows);
  }
  for (int j = 0; j < tileSide; ++j)
    memcpy(to + j * columnTo, &rows[j], sizeof(Bytes));
}

/// `transposeTile` for at most `byteSide` rows and columns of bytes.
static void transposeByteTile(int64_t rowSize, int64_t rowFrom,
                              int64_t columnSize, int64_t columnTo,
                              const uint8_t *from, uint8_t *to) {
  // Squares are whole: zeros fill them behind the last row and column.
  uint8_t source[byteSide][byteSide] = {}, target[tileSide][byteSide];
  for (int64_t i = 0; i < rowSize; ++i)
    memcpy(source[i], from + i * rowFrom, static_cast<size_t>(columnSize));
  for (int64_t j = 0; j < columnSize; j += tileSide) {
    for (int64_t i = 0; i < rowSize; i += tileSide)
      transposeBytes(&source[i][j], byteSide, &target[0][i], byteSide);
    for (int64_t k = 0; k < std::min(tileSide, columnSize - j); ++k)
      memcpy(to + (j + k) * columnTo, target[k], static_cast<size_t>(rowSize));
  }
}

//===----------------------------------------------------------------------===//
// Loops over squares, pixels and rows
//===----------------------------------------------------------------------===//

/// Copies `count` pixels, each channel from a plane of its own. Since clang
/// knows all sizes, it vectorises the loop.
template <int channels, typename From, typename To>
static void copyPixels(int64_t channelFrom, int64_t count,
                       const From *__restrict from, To *__restrict to) {
  for (int64_t i = 0; i < count; ++i)
    for (int channel = 0; channel < channels; ++channel)
      to[i * channels + channel] =
          Convert<From, To>::apply(from[channel * channelFrom + i]);
}

template <typename From, typename To>
static void copySmallPixels(const Loop &row, int64_t count, const From *from,
                            To *to) {
  if (row.size == 2)
    return copyPixels<2>(row.from, count, from, to);
  if (row.size == 3)
    return copyPixels<3>(row.from, count, from, to);
  copyPixels<4>(row.from, count, from, to);
}

/// Copies `count` rows of `size` contiguous elements.
template <int64_t size, typename From, typename To>
static void copyShortRows(const Loop &tile, int64_t count, const From *from,
                          To *to) {
  for (int64_t i = 0; i < count; ++i)
    copyRow({size, 1, 1}, from + i * tile.from, to + i * tile.to);
}

/// Copies `count` (at most a tile's) rows with the strides of `tile`.
template <typename From, typename To>
static void copyRows(const Loop &row, const Loop &tile, int64_t count,
                     const From *from, To *to) {
  // Blocks of channels, whose size the compiler knows.
  if (row.from == 1 && row.to == 1 && row.size == 8)
    return copyShortRows<8>(tile, count, from, to);
  if (row.from == 1 && row.to == 1 && row.size == 16)
    return copyShortRows<16>(tile, count, from, to);
  if (tile.from != 1 || row.to != 1 || row.from == 1) {
    for (int64_t i = 0; i < count; ++i)
      copyRow(row, from + i * tile.from, to + i * tile.to);
    return;
  }
  if constexpr (sizeof(From) == 1) {
    for (int64_t begin = 0; begin < row.size; begin += byteSide)
      transposeByteTile(std::min(byteSide, row.size - begin), row.from, count,
                        tile.to, from + begin * row.from, to + begin);
    return;
  }
  for (int64_t begin = 0; begin < row.size; begin += tileSide)
    transposeTile(std::min(tileSide, row.size - begin), row.from, count,
                  tile.to, from + begin * row.from, to + begin);
}

template <typename From, typename To>
static void copyNest(const LoopNest &nest, const void *fromData, void *toData) {
  const From *from = static_cast<const From *>(fromData);
  To *to = static_cast<To *>(toData);
  if (nest.outerCount == 0 && nest.tile.size == 1) {
    const Loop &row = nest.row;
    return parallelFor(
        row.size, grainElements, [&](int64_t begin, int64_t end) {
          copyRow<From, To>({end - begin, row.from, row.to},
                            from + begin * row.from, to + begin * row.to);
        });
  }
  bool hasSmallPixels = nest.hasSmallPixels();
  int64_t side = sizeof(From) == 1 ? byteSide : tileSide;
  if (hasSmallPixels)
    side = tileSide * tileSide;
  int64_t tiles = (nest.tile.size + side - 1) / side;
  int64_t perTile = nest.row.size * std::min(side, nest.tile.size);
  int64_t grain = std::max<int64_t>(1, grainElements / perTile);
  // The steps of outer[0] within one tile: 1, unless outer[0] is nearer in
  // `from` than the next tile.
  int64_t steps = 1;
  if (nest.outerCount > 0 && nest.outer[0].from < nest.tile.from * side)
    steps = nest.outer[0].size;
  auto copyRange = [&](int64_t begin, int64_t end) {
    for (int64_t index = begin; index < end; ++index) {
      int64_t first = index / steps % tiles * side;
      int64_t rest = index / (steps * tiles) * steps + index % steps;
      int64_t fromOffset = first * nest.tile.from;
      int64_t toOffset = first * nest.tile.to;
      for (int i = 0; i < nest.outerCount; ++i) {
        fromOffset += rest % nest.outer[i].size * nest.outer[i].from;
        toOffset += rest % nest.outer[i].size * nest.outer[i].to;
        rest /= nest.outer[i].size;
      }
      int64_t count = std::min(side, nest.tile.size - first);
      if (hasSmallPixels)
        copySmallPixels(nest.row, count, from + fromOffset, to + toOffset);
      else
        copyRows(nest.row, nest.tile, count, from + fromOffset, to + toOffset);
    }
  };
  parallelFor(nest.outerSize() * tiles, grain, copyRange);
}

template <typename From>
static void copyFrom(const LoopNest &nest, const void *from, const View &to,
                     void *toData) {
  switch (to.type) {
  case FUSION_RT_TYPE_F32:
    return copyNest<From, float>(nest, from, toData);
  case FUSION_RT_TYPE_BF16:
    return copyNest<From, BFloat16>(nest, from, toData);
  case FUSION_RT_TYPE_F16:
    return copyNest<From, Float16>(nest, from, toData);
  default: // floating-point numbers do not become integers
    return;
  }
}

/// Copies integers to f32: first as bytes, if they lie otherwise, to the end of
/// the memory of the result.
static void widenTensor(const View &from, const void *fromData, const View &to,
                        void *toData, int32_t zeroPoint) {
  const int64_t count = to.elements();
  const void *bytes = fromData;
  if (to.hasBlocks() || !from.isDense() || !haveSameStrides(from, to)) {
    View like = to;
    like.type = from.type;
    char *behind = static_cast<char *>(toData) + 3 * count;
    copyTensor(from, fromData, like, behind);
    bytes = behind;
  }
  widen(from.type, bytes, count, zeroPoint, static_cast<float *>(toData));
}

void fusion::runtime::copyTensor(const View &from, const void *fromData,
                                 const View &to, void *toData,
                                 int32_t zeroPoint) {
  CopyWork copy(from.elements() * elementSize(to.type));
  if (elementSize(from.type) == 1 && to.type == FUSION_RT_TYPE_F32)
    return widenTensor(from, fromData, to, toData, zeroPoint);
  LoopNest nest = makeLoopNest(from, to);
  switch (from.type) {
  case FUSION_RT_TYPE_F32:
    copyFrom<float>(nest, fromData, to, toData);
    break;
  case FUSION_RT_TYPE_BF16:
    copyFrom<BFloat16>(nest, fromData, to, toData);
    break;
  case FUSION_RT_TYPE_F16:
    copyFrom<Float16>(nest, fromData, to, toData);
    break;
  case FUSION_RT_TYPE_S8:
  case FUSION_RT_TYPE_U8:
    copyNest<uint8_t, uint8_t>(nest, fromData, toData);
    break;
  case FUSION_RT_TYPE_S32:
  case FUSION_RT_TYPE_NONE:
    break;
  }
  const float zero = 0; // all bits are 0 in every type
  fillElements(to, toData, /*dim=*/1, from.sizes[1], to.sizes[1], &zero);
}
