//===- Tiles.cpp - Calls cut into parts for several threads ---------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tiles.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <tuple>

using namespace fusion::runtime;

//===----------------------------------------------------------------------===//
// Costs
//===----------------------------------------------------------------------===//

// Costs of one thread of a CPU with AVX2; others differ by a factor of two or
// three.
static constexpr double multiplicationsPerNs = 40, bytesPerNs = 10;
/// The cost of each tile beside its work: claiming it, and starting a kernel.
static constexpr double tileOverheadNs = 1000;
/// With shorter tiles another thread would come too late to help.
static constexpr double leastNsOfTile = 2000;

/// The number of window elements that one element of dst is summed from.
static double windowElements(const Descriptor &descriptor,
                             const Problem &problem) {
  if (descriptor.kind == OpKind::Matmul)
    return double(problem.weights.sizes[1]);
  double product = 1;
  for (int i = 0; i < descriptor.raw.spatial_rank; ++i)
    product *= descriptor.hasWeights() ? problem.weights.sizes[i + 2]
                                       : descriptor.kernel[i];
  return descriptor.hasWeights() ? product * problem.weights.sizes[1] : product;
}

static double bytesOf(const View &view) {
  return double(view.elements()) * elementSize(view.type);
}

static double multiplications(const Descriptor &descriptor,
                              const Problem &problem) {
  // A transposed convolution uses each element of src for a whole window.
  double walked = descriptor.kind == OpKind::Deconvolution
                      ? double(problem.src.elements()) *
                            problem.weights.sizes[0] / problem.src.sizes[1] *
                            descriptor.raw.groups
                      : double(problem.dst.elements());
  double work = walked * windowElements(descriptor, problem);
  // Instructions for bytes do four steps at once.
  if (elementSize(problem.src.type) == 1)
    work /= 4;
  // Pools and depthwise kernels do one step where others do a row of steps.
  bool isSparse = !descriptor.hasWeights() || problem.weights.sizes[1] == 1;
  return isSparse ? 4 * work : work;
}

/// Computing and reading overlap, but not completely.
static double roofline(double computing, double bytes) {
  double reading = bytes / bytesPerNs;
  return std::max(computing, reading) + 0.1 * std::min(computing, reading);
}

double fusion::runtime::estimateTime(const Descriptor &descriptor,
                                     const Problem &problem) {
  double bytes = bytesOf(problem.src) + bytesOf(problem.weights) +
                 bytesOf(problem.residual) + bytesOf(problem.dst);
  return roofline(multiplications(descriptor, problem) / multiplicationsPerNs,
                  bytes);
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

namespace {
struct Range {
  int64_t begin, end;
  int64_t size() const { return end - begin; }
};
} // namespace

/// Cuts `size` into parts that differ by at most one unit, so that no thread
/// waits for a large one.
static std::vector<Range> cutRange(int64_t size, int64_t parts,
                                   int64_t multiple) {
  int64_t units = (size + multiple - 1) / multiple;
  parts = std::min(parts, units); // further parts would be empty
  std::vector<Range> ranges;
  for (int64_t i = 0; i < parts; ++i)
    ranges.push_back({std::min(size, units * i / parts * multiple),
                      std::min(size, units * (i + 1) / parts * multiple)});
  return ranges;
}

/// The number of channels that cannot be separated: those of a group, for
/// example.
static int64_t channelUnit(const Descriptor &descriptor, const Problem &problem,
                           const CutRules &rules) {
  int64_t perGroup = descriptor.hasWeights()
                         ? problem.dst.sizes[1] / descriptor.raw.groups
                         : 1;
  if (descriptor.hasWeights() && descriptor.raw.groups == 1)
    return rules.channelMultiple;
  int64_t unit = perGroup;
  while (unit % rules.channelMultiple != 0)
    unit += perGroup;
  return unit;
}

//===----------------------------------------------------------------------===//
// Choosing
//===----------------------------------------------------------------------===//

namespace {
class CutChooser {
public:
  CutChooser(const Descriptor &descriptor, const Problem &problem,
             const CutRules &rules)
      : descriptor(descriptor), problem(problem), rules(rules),
        channelUnits(unitsOf(problem.dst.sizes[1],
                             channelUnit(descriptor, problem, rules))),
        rowUnits(unitsOf(problem.dst.sizes[2], rules.rowMultiple)),
        total(multiplications(descriptor, problem) / multiplicationsPerNs) {}

  std::vector<Cut> run() const;

private:
  static int64_t unitsOf(int64_t size, int64_t unit) {
    return (size + unit - 1) / unit;
  }
  double timeOfTile(const Cut &cut) const;
  double timeOf(const Cut &cut) const;
  int64_t mostTiles() const;

  const Descriptor &descriptor;
  const Problem &problem;
  const CutRules &rules;
  int64_t channelUnits, rowUnits;
  double total;
};
} // namespace

static double share(int64_t units, int64_t parts) {
  return double((units + parts - 1) / parts) / double(units);
}

/// The time of the largest tile.
double CutChooser::timeOfTile(const Cut &cut) const {
  double images = share(problem.dst.sizes[0], cut.images);
  double rows = share(rowUnits, cut.rows);
  double channels = share(channelUnits, cut.channels);
  // Rows of src that two parts share.
  double srcRows = rows;
  if (cut.rows > 1 && descriptor.kind != OpKind::Matmul) {
    int64_t window = descriptor.hasWeights() ? problem.weights.sizes[2]
                                             : descriptor.kernel[0];
    double halo = double((window - 1) * descriptor.raw.dilations[0]) /
                  double(std::max<int64_t>(1, problem.src.sizes[2]));
    srcRows = std::min(1.0, rows + halo);
  }
  bool sharesSrc = descriptor.hasWeights() && descriptor.raw.groups == 1;
  double src =
      bytesOf(problem.src) * images * srcRows * (sharesSrc ? 1 : channels);
  double dst = bytesOf(problem.dst) * images * rows * channels;
  // If channels come last, a part of the channels is copied to its place in
  // dst.
  if (cut.channels > 1 && descriptor.kind != OpKind::Matmul &&
      problem.dst.strides[1] == 1)
    dst *= 3;
  double weightsShare = problem.weights.rank && problem.weights.sizes[2] > 1 &&
                                descriptor.kind == OpKind::Matmul
                            ? images * channels
                            : channels;
  double weights = bytesOf(problem.weights) * weightsShare;
  double computing = total * images * rows * channels;
  // Few channels leave registers of kernels unused: measured, a channel takes
  // 1.2 times as long with 16 of them as with 64, and 1.05 times with 32.
  if (cut.channels > 1) {
    double width = double(problem.dst.sizes[1]) * channels;
    computing *= 1 + 50 / (width * width);
  }
  return tileOverheadNs + roofline(computing, src + dst + weights);
}

/// The time until the last thread is done.
double CutChooser::timeOf(const Cut &cut) const {
  int64_t turns = (cut.tiles() + rules.threads - 1) / rules.threads;
  return double(turns) * timeOfTile(cut);
}

/// The largest number of tiles that makes sense. More tiles than threads let
/// late threads find something to do; but a tile must be worth its overhead.
int64_t CutChooser::mostTiles() const {
  constexpr double longTile = 100e3;
  double time = estimateTime(descriptor, problem);
  double perThread = time / rules.threads < 2 * longTile ? 1 : 2;
  return int64_t(std::min(perThread * rules.threads, time / leastNsOfTile));
}

std::vector<Cut> CutChooser::run() const {
  int64_t most = mostTiles();
  std::vector<Cut> cuts;
  int64_t images = problem.dst.sizes[0];
  for (int64_t byImage = 1; byImage <= std::min(images, most); ++byImage) {
    // Rows of several images are not contiguous.
    bool isOneImage = byImage == images || descriptor.kind == OpKind::Matmul;
    for (int64_t byRow = 1; byImage * byRow <= most && byRow <= rowUnits;
         ++byRow) {
      if (byRow > 1 && (!isOneImage || !rules.mayCutRows))
        break;
      for (int64_t byChannel = 1;
           byImage * byRow * byChannel <= most && byChannel <= channelUnits;
           ++byChannel) {
        Cut cut{byImage, byRow, byChannel};
        if (cut.tiles() > 1)
          cuts.push_back(cut);
      }
    }
  }
  // Of equal cuts, the one with fewer parts of the channels comes first.
  std::sort(cuts.begin(), cuts.end(), [&](const Cut &a, const Cut &b) {
    return std::tuple(timeOf(a), a.channels, a.rows) <
           std::tuple(timeOf(b), b.channels, b.rows);
  });
  double alone = estimateTime(descriptor, problem);
  while (!cuts.empty() && timeOf(cuts.back()) > 0.9 * alone)
    cuts.pop_back();
  return cuts;
}

bool fusion::runtime::readAskedCut(Cut &cut) {
  const char *text = getenv("FUSION_TILES");
  long long images, rows, channels;
  if (!text || sscanf(text, "%lldx%lldx%lld", &images, &rows, &channels) != 3 ||
      std::min({images, rows, channels}) < 1)
    return false;
  cut = {images, rows, channels};
  return true;
}

std::vector<Cut> fusion::runtime::listCuts(const Descriptor &descriptor,
                                           const Problem &problem,
                                           const CutRules &rules) {
  if (Cut asked; readAskedCut(asked))
    return {asked};
  if (rules.threads <= 1)
    return {};
  return CutChooser(descriptor, problem, rules).run();
}

//===----------------------------------------------------------------------===//
// Cutting
//===----------------------------------------------------------------------===//

/// Restricts `view` to the elements `range` of dimension `dim`. Returns their
/// offset.
static int64_t slice(View &view, int dim, Range range) {
  view.sizes[dim] = range.size();
  return range.begin * view.strides[dim];
}

/// Gives dimensions with one element left the strides of a tensor of the part's
/// size: with others oneDNN takes plain loops.
static void straighten(View &view, const View &whole) {
  Order order = classify(whole, Order::ChannelsLast);
  canonicalize(view, order);
}

static void cutImages(Tile &tile, Range images) {
  Problem &problem = tile.problem;
  tile.src += slice(problem.src, 0, images);
  tile.dst += slice(problem.dst, 0, images);
  if (tile.descriptor.hasResidual())
    tile.residual += slice(problem.residual, 0, images);
  if (tile.descriptor.kind == OpKind::Matmul && problem.weights.sizes[2] > 1)
    tile.weights += slice(problem.weights, 2, images);
}

static void cutChannels(Tile &tile, Range channels) {
  Problem &problem = tile.problem;
  Descriptor &descriptor = tile.descriptor;
  int64_t perGroup = problem.dst.sizes[1] / descriptor.raw.groups;
  tile.channelBegin = channels.begin;
  tile.dst += slice(problem.dst, 1, channels);
  if (descriptor.hasResidual())
    tile.residual += slice(problem.residual, 1, channels);
  if (descriptor.hasBias())
    tile.bias += slice(problem.bias, 0, channels);
  if (!descriptor.hasWeights()) {
    tile.src += slice(problem.src, 1, channels);
    return;
  }
  tile.weights += slice(problem.weights, 0, channels);
  if (descriptor.raw.groups == 1 || descriptor.kind == OpKind::Matmul)
    return;
  Range groups{channels.begin / perGroup, channels.end / perGroup};
  int64_t inputs = problem.src.sizes[1] / descriptor.raw.groups;
  descriptor.raw.groups = groups.size();
  tile.src +=
      slice(problem.src, 1, {groups.begin * inputs, groups.end * inputs});
}

/// The rows of src that the windows of `rows` read. Sets the pads that are
/// left.
static Range windowRows(Descriptor &descriptor, int64_t kernel, int64_t size,
                        Range rows) {
  fusion_rt_conv_desc &raw = descriptor.raw;
  int64_t begin = rows.begin * raw.strides[0] - raw.pad_low[0];
  // Uses whole steps, though the last one may include unused rows: some kernels
  // of oneDNN for 1x1 windows need these.
  int64_t step = std::max((kernel - 1) * raw.dilations[0] + 1, raw.strides[0]);
  int64_t end = (rows.end - 1) * raw.strides[0] - raw.pad_low[0] + step;
  if (end > size)
    end -= step - ((kernel - 1) * raw.dilations[0] + 1);
  raw.pad_low[0] = std::max<int64_t>(0, -begin);
  raw.pad_high[0] = std::max<int64_t>(0, end - size);
  return {std::max<int64_t>(0, begin), std::min(size, end)};
}

static int64_t floorDiv(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

/// The same for a transposed convolution: row i of src reaches rows i*stride -
/// pad_low + k*dilation of dst.
static Range transposedRows(Descriptor &descriptor, int64_t kernel,
                            int64_t size, Range rows) {
  fusion_rt_conv_desc &raw = descriptor.raw;
  int64_t stride = raw.strides[0], reach = (kernel - 1) * raw.dilations[0];
  int64_t low = raw.pad_low[0];
  int64_t begin = -floorDiv(reach - low - rows.begin, stride); // rounded up
  // The first row of src must not be behind the first of dst.
  begin = std::min(begin, floorDiv(rows.begin + low, stride));
  begin = std::max<int64_t>(0, begin);
  int64_t end = std::min(size, floorDiv(rows.end - 1 + low, stride) + 1);
  raw.pad_low[0] = rows.begin + low - begin * stride;
  // Rows of dst behind the last window need no negative pad: they are output
  // padding.
  raw.pad_high[0] = std::max<int64_t>(0, (end - 1 - begin) * stride + reach +
                                             1 - raw.pad_low[0] - rows.size());
  return {begin, end};
}

/// Restricts `tile` to `rows`. False if it would have no src.
static bool cutRows(Tile &tile, Range rows) {
  Problem &problem = tile.problem;
  Descriptor &descriptor = tile.descriptor;
  tile.dst += slice(problem.dst, 2, rows);
  if (descriptor.hasResidual())
    tile.residual += slice(problem.residual, 2, rows);
  Range read = rows;
  int64_t size = problem.src.sizes[2];
  if (descriptor.kind == OpKind::Pool)
    read = windowRows(descriptor, descriptor.kernel[0], size, rows);
  else if (descriptor.kind == OpKind::Convolution)
    read = windowRows(descriptor, problem.weights.sizes[2], size, rows);
  else if (descriptor.kind == OpKind::Deconvolution)
    read = transposedRows(descriptor, problem.weights.sizes[2], size, rows);
  if (read.size() <= 0)
    return false;
  tile.src += slice(problem.src, 2, read);
  return true;
}

static bool makeTile(const Descriptor &descriptor, const Problem &problem,
                     Range images, Range rows, Range channels, Tile &tile) {
  tile.descriptor = descriptor;
  tile.problem = problem;
  if (images.size() < problem.dst.sizes[0])
    cutImages(tile, images);
  if (channels.size() < problem.dst.sizes[1])
    cutChannels(tile, channels);
  if (rows.size() < problem.dst.sizes[2] && !cutRows(tile, rows))
    return false;
  straighten(tile.problem.src, problem.src);
  straighten(tile.problem.dst, problem.dst);
  if (descriptor.hasResidual())
    straighten(tile.problem.residual, problem.residual);
  return true;
}

std::vector<Tile> fusion::runtime::cutProblem(const Descriptor &descriptor,
                                              const Problem &problem,
                                              const Cut &cut,
                                              const CutRules &rules) {
  const int64_t *sizes = problem.dst.sizes;
  int64_t unit = channelUnit(descriptor, problem, rules);
  std::vector<Tile> tiles;
  for (Range channels : cutRange(sizes[1], cut.channels, unit))
    for (Range images : cutRange(sizes[0], cut.images, 1))
      for (Range rows : cutRange(sizes[2], cut.rows, rules.rowMultiple)) {
        if (channels.size() <= 0 || images.size() <= 0 || rows.size() <= 0)
          continue;
        tiles.emplace_back();
        if (!makeTile(descriptor, problem, images, rows, channels,
                      tiles.back()))
          return {};
      }
  return tiles;
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

static void advance(fusion_rt_tensor &tensor, fusion_rt_type type,
                    int64_t elements) {
  tensor.data = static_cast<char *>(tensor.data) + elements * elementSize(type);
}

fusion_rt_conv_args Tile::args(const fusion_rt_conv_args &whole) const {
  fusion_rt_conv_args part = whole;
  advance(part.src, problem.src.type, src);
  advance(part.weights, problem.weights.type, weights);
  advance(part.bias, problem.bias.type, bias);
  advance(part.residual, problem.residual.type, residual);
  advance(part.dst, problem.dst.type, dst);
  return part;
}

static bool isEqual(const View &a, const View &b) {
  return std::equal(a.sizes, a.sizes + a.rank, b.sizes) &&
         std::equal(a.strides, a.strides + a.rank, b.strides);
}

bool Tile::isLike(const Tile &other) const {
  const fusion_rt_conv_desc &a = descriptor.raw, &b = other.descriptor.raw;
  return a.groups == b.groups && a.pad_low[0] == b.pad_low[0] &&
         a.pad_high[0] == b.pad_high[0] &&
         isEqual(problem.src, other.problem.src) &&
         isEqual(problem.weights, other.problem.weights) &&
         isEqual(problem.residual, other.problem.residual) &&
         isEqual(problem.dst, other.problem.dst);
}

std::vector<size_t> fusion::runtime::sortByKind(const std::vector<Tile> &tiles,
                                                std::vector<size_t> &kinds) {
  std::vector<size_t> firsts, counts;
  for (const Tile &tile : tiles) {
    size_t kind = 0;
    while (kind < firsts.size() && !tile.isLike(tiles[firsts[kind]]))
      ++kind;
    if (kind == firsts.size()) {
      firsts.push_back(&tile - tiles.data());
      counts.push_back(0);
    }
    ++counts[kind];
    kinds.push_back(kind);
  }
  return counts;
}

bool fusion::runtime::mayCutRows(const Descriptor &descriptor,
                                 const Problem &problem, bool copiesSrc,
                                 bool copiesDst) {
  return descriptor.kind == OpKind::Matmul ||
         ((copiesSrc || problem.src.hasContiguousChannels()) &&
          (copiesDst || problem.dst.hasContiguousChannels()));
}
