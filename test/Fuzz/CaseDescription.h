//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TEST_FUZZ_CASEDESCRIPTION_H
#define FUSION_TEST_FUZZ_CASEDESCRIPTION_H

#include "llvm/ADT/StringRef.h"
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace fusion::fuzz {

class Random;

/// How a convolution names the dimensions of its operands: n batch, g group, c
/// input channel of a group, f output channel of a group, d h w space. A
/// depthwise convolution has no c, and no f unless it has a multiplier.
struct ConvForm {
  /// Without `linalg.`.
  const char *name;
  unsigned spatialRank;
  const char *input, *filter, *output;

  bool has(char letter) const {
    return (llvm::StringRef(input) + llvm::StringRef(filter))
               .str()
               .find(letter) != std::string::npos;
  }
};

/// The named convolutions of linalg with a batch and channels.
llvm::ArrayRef<ConvForm> getConvForms();

/// Sizes; arrays in the order d, h, w, of which the last `spatialRank` count.
struct Geometry {
  int64_t batch = 1, groups = 1, inputChannels = 1, outputChannels = 1;
  std::array<int64_t, 3> input = {1, 1, 1}, kernel = {1, 1, 1},
                         stride = {1, 1, 1}, dilation = {1, 1, 1},
                         padLow = {0, 0, 0}, padHigh = {0, 0, 0};

  int64_t getExtent(unsigned dim) const {
    return (kernel[dim] - 1) * dilation[dim] + 1;
  }
  int64_t getOutput(unsigned dim) const {
    return (input[dim] + padLow[dim] + padHigh[dim] - getExtent(dim)) /
               stride[dim] +
           1;
  }
  bool hasPadding() const;
  /// Whether the window of some output element lies in the padding entirely.
  bool hasWindowsInPadding() const;
};

enum class StepKind {
  Bias,
  BatchNorm,
  /// Constants added, subtracted, multiplied and divided.
  Affine,
  /// Multiplication by a vector along the channels.
  Scale,
  Residual,
  Activation,
  Transpose,
  /// What changes nothing: a cast there and back, a unit dimension gone and
  /// back.
  NoOp,
  /// What the step before has made is used a second time.
  ExtraUse,
  /// Rounds to the element type of the case.
  Round,
};

enum class ActivationKind {
  Relu,
  Clip,
  LeakyRelu,
  Elu,
  Sigmoid,
  Tanh,
  Swish,
  HardSwish,
  HardSigmoid,
  GeluErf,
  GeluTanh,
  Softplus,
  Mish,
  Abs,
  Square,
  Exp,
  Sqrt,
};
constexpr int kNumActivations = 17;

/// What makes a step look like something that fuses and is not.
enum class Miss {
  None,
  /// A bias along rows or columns.
  WrongAxis,
  /// A bias that differs between images.
  PerImage,
  /// A constant of an activation is off, or its branches are swapped.
  OffConstant,
  SwappedSelect,
  /// Rows and columns of the residual are swapped.
  TransposedResidual,
};

struct Step {
  StepKind kind;
  /// Seeds the choice of the spelling, so that a step keeps its spelling when
  /// others go.
  uint64_t choices = 0;
  ActivationKind activation = ActivationKind::Relu;
  Miss miss = Miss::None;
  /// In one op with the next step, if that is arithmetic too.
  bool mergeWithNext = false;
};

enum class InitKind { Zero, Bias, Scalar, Residual };

/// The construct that a value comes through on its way.
enum class SurroundingKind {
  /// Nothing: there are only companions.
  None,
  /// A slice of something larger, with steps or of dynamic size.
  Slice,
  If,
  Switch,
  For,
  While,
  Call,
};

/// Where in a convolution: one of its operands, itself with the steps that
/// follow it, or the steps at its end.
enum class Place { Input, Filter, Init, Residual, Chain, Steps };

/// A value that comes out beside the value, and is read at the end of the
/// function.
enum class Companion {
  Same,
  View,
  /// A part of it, with steps or of dynamic size.
  Part,
  /// Something larger that it has been inserted into, with steps.
  Whole,
  /// A value from outside.
  Outer,
  Constant,
};

struct Surrounding {
  SurroundingKind kind = SurroundingKind::None;
  Place place = Place::Chain;
  /// Of a chain, the steps in it; of steps, those in front.
  unsigned numSteps = 0;
  /// The operand is the result of arithmetic on an argument: its memory may be
  /// written over, as that of an argument may not.
  bool computes = false;
  /// There is arithmetic on the companions.
  bool hasReaders = false;
  std::vector<Companion> companions;
  uint64_t choices = 0;
};

struct ConvDescription {
  /// Of getConvForms().
  unsigned form = 0;
  /// A linalg.generic, its operands permuted.
  bool isGeneric = false;
  /// The filter is the first operand of the generic.
  bool isFilterFirst = false;
  /// Reads what the convolution before has made.
  bool isChained = false;
  bool hasConstantFilter = false;
  bool padsWithOtherValue = false;
  InitKind init = InitKind::Zero;
  uint64_t choices = 0;
  Geometry geometry;
  /// The letters of space of which no type tells the size.
  std::string dynamicSpace;
  std::vector<Step> steps;
  /// From the inside to the outside.
  std::vector<Surrounding> surroundings;
};

/// What to generate: plain data, from which parts can be dropped.
struct CaseDescription {
  uint64_t seed = 0;
  bool hasDynamicBatch = false;
  /// Of inputs and filters: f32, bf16 or f16.
  const char *element = "f32";
  std::vector<ConvDescription> convs;
  /// Names of passes to run before fusion.
  std::vector<std::string> passes;
  /// Batches are computed in parts of that size; 0 for at once.
  int64_t cacheBytes = 0;
  /// Of the runtime.
  int threads = 1;
  /// FUSION_TILES, into how many parts of images, rows and channels it cuts
  /// each kernel; null for those that it chooses.
  const char *tiles = nullptr;
};

/// The case of a seed.
CaseDescription draw(uint64_t seed);

/// Draws what surrounds the convolutions, without touching the rest.
void drawSurroundings(Random &random, CaseDescription &description);

/// Makes sizes of chained convolutions agree, after parts have been dropped.
void normalize(CaseDescription &description);

/// What keeps the case from fusing entirely; empty if nothing does.
std::vector<std::string> findObstacles(const CaseDescription &description);

/// What the case has, for statistics: "bias", "relu", "depthwise".
std::vector<std::string> listFeatures(const CaseDescription &description);

llvm::StringRef getName(StepKind kind);
llvm::StringRef getName(ActivationKind kind);
llvm::StringRef getName(SurroundingKind kind);
llvm::StringRef getName(Place place);
llvm::StringRef getName(Companion companion);

} // namespace fusion::fuzz

#endif // FUSION_TEST_FUZZ_CASEDESCRIPTION_H
