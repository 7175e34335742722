//===- Tiles.h - Calls cut into parts for several threads -------*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_TILES_H
#define FUSION_LIB_RUNTIME_TILES_H

#include "Problem.h"

#include <vector>

namespace fusion {
namespace runtime {

/// A part of dst, with the call that computes it.
struct Tile {
  Descriptor descriptor; // with the pads and groups of this part
  Problem problem;
  // Offsets of the part in each operand, in elements.
  int64_t src = 0, weights = 0, bias = 0, residual = 0, dst = 0;
  int64_t channelBegin = 0; // of the output channels

  fusion_rt_conv_args args(const fusion_rt_conv_args &whole) const;
  /// Whether `other` differs only in its offsets.
  bool isLike(const Tile &other) const;
};

/// The number of parts of dst along images, rows (its outermost spatial
/// dimension) and output channels.
struct Cut {
  int64_t images = 1, rows = 1, channels = 1;
  int64_t tiles() const { return images * rows * channels; }
  /// Whether each dimension has at least as many parts as in `other`.
  bool isAsFineAs(const Cut &other) const {
    return images >= other.images && rows >= other.rows &&
           channels >= other.channels;
  }
};

/// Limits of a cut, beside the sizes of the problem.
struct CutRules {
  int threads;
  /// The rows of a part are a multiple of this, but for the last part.
  int64_t rowMultiple = 1;
  /// The same for the channels of a part.
  int64_t channelMultiple = 16;
  bool mayCutRows = true;
};

/// Whether rows may be cut: part of them must look like a dense tensor of its
/// size. Copies do.
bool mayCutRows(const Descriptor &descriptor, const Problem &problem,
                bool copiesSrc, bool copiesDst);

/// The cut that FUSION_TILES asks for: "2x3x1" for two parts of the images,
/// three of the rows and one of the channels. Tests and experiments may change
/// it at any time. False if there is none.
bool readAskedCut(Cut &cut);

/// The time of a problem on one thread, in nanoseconds, roughly.
double estimateTime(const Descriptor &descriptor, const Problem &problem);

/// Cuts that are worth trying, the most promising one first, or the one that
/// FUSION_TILES asks for. None for problems that are too small to share.
std::vector<Cut> listCuts(const Descriptor &descriptor, const Problem &problem,
                          const CutRules &rules);

/// The parts of a problem. Empty if one of them would have no src, which
/// happens if pads are larger than parts.
std::vector<Tile> cutProblem(const Descriptor &descriptor,
                             const Problem &problem, const Cut &cut,
                             const CutRules &rules);

/// Sets the kind of each tile, and returns the number of tiles of each kind.
std::vector<size_t> sortByKind(const std::vector<Tile> &tiles,
                               std::vector<size_t> &kinds);

} // namespace runtime
} // namespace fusion

#endif // FUSION_LIB_RUNTIME_TILES_H
