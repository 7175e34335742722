//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TEST_FUZZ_CASEDESCRIPTION_H
#define FUSION_TEST_FUZZ_CASEDESCRIPTION_H

#include "FusionDialect/IR/Activation.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace fusion::fuzz {

class Random;
using fusion::ActivationKind;

/// The letters of the dimensions of a convolution's operands: n batch, g group,
/// c input channel of a group, f output channel of a group, d h w space. A
/// depthwise convolution has no c, and no f unless it has a multiplier.
struct ConvForm {
  /// The name without `linalg.`.
  const char *name;
  unsigned spatialRank;
  const char *input, *filter, *output;

  bool has(char letter) const {
    return (llvm::StringRef(input) + llvm::StringRef(filter))
               .str()
               .find(letter) != std::string::npos;
  }
};

/// The named convolutions of linalg with a batch and channels, and behind them
/// matrix multiplications, for quantised cases.
llvm::ArrayRef<ConvForm> getConvForms();
constexpr size_t numFloatForms = 19;

/// The sizes. Arrays are in the order d, h, w, and only the last `spatialRank`
/// elements count.
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
  /// Whether the window of some output element is entirely in the padding.
  bool hasWindowsInPadding() const;
};

enum class StepKind {
  Bias,
  BatchNorm,
  /// Additions, subtractions, multiplications and divisions with constants.
  Affine,
  /// Multiplication by a vector along the channels.
  Scale,
  Residual,
  Activation,
  Transpose,
  /// Steps without effect: a cast there and back, a unit dimension dropped and
  /// added.
  NoOp,
  /// A second use of the previous step's result.
  ExtraUse,
  /// Rounds to the element type of the case.
  Round,
};

/// A difference that makes a step look as if it could be fused, but it cannot.
enum class Miss {
  None,
  /// A bias along rows or columns.
  WrongAxis,
  /// A bias that differs between images.
  PerImage,
  /// A constant of an activation is off. In SwappedSelect its branches are
  /// swapped.
  OffConstant,
  SwappedSelect,
  /// Rows and columns of the residual are swapped.
  TransposedResidual,
};

struct Step {
  StepKind kind;
  /// The seed for the choice of the spelling. A step keeps its spelling when
  /// other steps are dropped.
  uint64_t choices = 0;
  ActivationKind activation = ActivationKind::Relu;
  Miss miss = Miss::None;
  /// Is in one op with the next step, if that is arithmetic, too.
  bool mergeWithNext = false;
};

enum class InitKind { Zero, Bias, Scalar, Residual };

/// The construct through which a value comes.
enum class SurroundingKind {
  /// Nothing: there are only companions.
  None,
  /// A slice of a larger tensor, with steps or of dynamic size.
  Slice,
  /// An image whose elements have zeros between them, as that of a transposed
  /// convolution.
  Stretch,
  If,
  Switch,
  For,
  While,
  Call,
};

/// The place in a convolution: one of its operands, the convolution with the
/// steps behind it, or the steps at its end.
enum class Place { Input, Filter, Init, Residual, Chain, Steps };

/// A value that is returned beside the main value, and read at the end of the
/// function.
enum class Companion {
  Same,
  View,
  /// A part of the main value, with steps or of dynamic size.
  Part,
  /// A larger tensor that it has been inserted into, with steps.
  Whole,
  /// A value from outside.
  Outer,
  Constant,
};

struct Surrounding {
  SurroundingKind kind = SurroundingKind::None;
  Place place = Place::Chain;
  /// For a chain, the number of steps in it. For steps, the number in front of
  /// them.
  unsigned numSteps = 0;
  /// The operand is computed from an argument, so that its memory may be
  /// overwritten. That of an argument may not.
  bool computes = false;
  /// The companions are read by arithmetic.
  bool hasReaders = false;
  std::vector<Companion> companions;
  uint64_t choices = 0;
};

/// A tensor of 8 bits that means (x - zeroPoint) * scale.
struct QuantizedType {
  double scale = 1;
  int64_t zeroPoint = 0;
  bool isUnsigned = false;
  /// Scale and zero point are arguments.
  bool isAtRunTime = false;

  int64_t getLeast() const { return isUnsigned ? 0 : -128; }
};

enum class Arithmetic {
  Float,
  /// In f32, of operands that are dequantised.
  Dequantized,
  /// Of i8, summed up in i32.
  Integer,
};

enum class QuantizedRounding {
  HalfEven,
  HalfUp,
  /// TOSA's: away from 0 by less than a half, then half up.
  Double,
  /// No front end means it.
  Truncate,
};

/// How a convolution is quantised.
struct QuantizedConv {
  Arithmetic arithmetic = Arithmetic::Float;
  QuantizedType input, result;
  /// Multiplied by a number for each output channel if `isPerChannel`.
  double filterScale = 1;
  int64_t filterZeroPoint = 0;
  bool isPerChannel = false;
  /// Which numbers there are: those that mean little, so that many values lie
  /// on ties, or the ends of the type.
  enum Numbers { All, Small, Ends } numbers = All;
  /// The result has 8 bits.
  bool isResultQuantized = false;
  QuantizedRounding rounding = QuantizedRounding::HalfEven;
  /// Of integers: the bias is added behind the sum, or there is a relu.
  bool addsBias = false, hasRelu = false;
  /// A named op gets the zero point of its input as an argument.
  bool hasRunTimeZeroPoint = false;

  // Forms, each with a name in `getQuantizedForms`.
  /// u8 becomes s8 in front: 128 is subtracted, or the bit of the sign flipped.
  bool movesSign = false;
  /// The input is bounded by the ends of its type.
  bool hasIdleBounds = false;
  /// Ops of their own extend integers to i32 and subtract zero points.
  bool isExtended = false;
  /// Sums of the filter times the zero point are subtracted from the product.
  bool correctsSum = false;
  /// The filter alone is dequantised; input and result are floats. So it is for
  /// all convolutions of a case or none.
  bool isWeightOnly = false;
  /// Of the input's type, only a call knows the numbers. The result is f32 if
  /// the convolution is one of integers.
  bool isDynamic = false;
  /// A tensor of 8 bits is added to the result of 8 bits: in integers by three
  /// rescales, as TFLite does it, or in f32.
  bool addsRescaled = false, addsDequantized = false;
  /// The types of that tensor and of the sum.
  QuantizedType addend, sum;

  bool isFloat() const { return arithmetic == Arithmetic::Float; }
  bool isInteger() const {
    return arithmetic == Arithmetic::Integer && !isWeightOnly;
  }
  bool hasFloatInput() const { return isFloat() || isWeightOnly; }
  bool adds() const { return addsRescaled || addsDequantized; }
  const QuantizedType &getResult() const { return adds() ? sum : result; }
  /// The input as the convolution reads it.
  QuantizedType getOperand() const {
    QuantizedType type = input;
    type.isAtRunTime = isDynamic;
    if (movesSign) {
      type.zeroPoint -= 128;
      type.isUnsigned = false;
    }
    if (!isExtended)
      return type;
    return {type.scale, correctsSum ? type.zeroPoint : 0};
  }
  /// The number that the convolution itself subtracts from it.
  int64_t getSubtracted() const {
    return correctsSum ? 0 : getOperand().zeroPoint;
  }
  /// The same for the filter.
  QuantizedType getFilterOperand() const {
    return {filterScale, isExtended ? 0 : filterZeroPoint};
  }
};

/// A form in which quantised operands and results may come.
struct QuantizedForm {
  const char *name;
  bool QuantizedConv::*field;
};
llvm::ArrayRef<QuantizedForm> getQuantizedForms();

struct ConvDescription {
  /// The index in getConvForms().
  unsigned form = 0;
  /// It is a linalg.generic with permuted operands.
  bool isGeneric = false;
  /// The filter is the first operand of the generic.
  bool isFilterFirst = false;
  /// It reads the result of the convolution before.
  bool isChained = false;
  bool hasConstantFilter = false;
  bool padsWithOtherValue = false;
  InitKind init = InitKind::Zero;
  uint64_t choices = 0;
  Geometry geometry;
  /// The letters of the spatial dimensions whose size no type shows.
  std::string dynamicSpace;
  /// Arithmetic on an input that no convolution has computed, such as the batch
  /// norm and activation of a pre-activation block.
  std::vector<Step> front;
  std::vector<Step> steps;
  /// The surroundings from the inside to the outside.
  std::vector<Surrounding> surroundings;
  QuantizedConv quantized;
};

/// A description of the case to generate: plain data, from which parts can be
/// dropped.
struct CaseDescription {
  uint64_t seed = 0;
  bool hasDynamicBatch = false;
  /// The element type of inputs and filters: f32, bf16 or f16.
  const char *element = "f32";
  std::vector<ConvDescription> convs;
  /// Names of passes to run before fusion.
  std::vector<std::string> passes;
  /// The cache size for which batches are split; 0 for no split.
  int64_t cacheBytes = 0;
  /// The number of threads of the runtime.
  int threads = 1;
  /// The value of FUSION_TILES, by which the runtime cuts each kernel into
  /// parts of images, rows and channels; null if the runtime chooses.
  const char *tiles = nullptr;
  /// All convolutions are quantised; with `isExact` to the same bits.
  bool isQuantized = false, isExact = false;
};

/// The case of a seed.
CaseDescription draw(uint64_t seed);

/// The case of a seed, with all convolutions quantised. If `form` has a name,
/// each has that form if it can, and else some have a few.
CaseDescription drawQuantized(uint64_t seed, llvm::StringRef form = "");

/// The part of `normalize` that is about these.
void normalizeQuantized(CaseDescription &description);

/// Draws the surroundings of the convolutions, without changing the rest.
void drawSurroundings(Random &random, CaseDescription &description);

/// Makes the sizes of chained convolutions agree after parts have been dropped.
void normalize(CaseDescription &description);

/// The reasons why the case cannot fuse entirely; empty if it can.
std::vector<std::string> findObstacles(const CaseDescription &description);

/// The features of the case for statistics: "bias", "relu", "depthwise".
std::vector<std::string> listFeatures(const CaseDescription &description);

llvm::StringRef getName(StepKind kind);
llvm::StringRef getName(SurroundingKind kind);
llvm::StringRef getName(Place place);
llvm::StringRef getName(Companion companion);

} // namespace fusion::fuzz

#endif // FUSION_TEST_FUZZ_CASEDESCRIPTION_H
