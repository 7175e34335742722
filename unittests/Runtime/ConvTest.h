//===- ConvTest.h - Convolutions with expected results ----------*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_UNITTESTS_RUNTIME_CONVTEST_H
#define FUSION_UNITTESTS_RUNTIME_CONVTEST_H

#include "FusionRuntime/fusion_runtime.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace fusion {
namespace test {

/// The highest number of an activation.
constexpr int lastActivation = std::max({
#define FUSION_ACTIVATION(Name, NAME, name, number, ...) number,
#include "FusionRuntime/activations.def"
});

using Dims = std::vector<int64_t>;

enum class Layout {
  ChannelsFirst, // n c h w, and oihw for weights
  ChannelsLast,  // n h w c, and hwio for weights
  Scrambled      // w c n h: no layout that a kernel knows
};

/// A strided tensor in memory of its own. The gaps between elements are filled
/// with a pattern, so that tests notice writes to them.
class Tensor {
public:
  Tensor() = default;
  /// `slack` elements are free behind each innermost row.
  Tensor(fusion_rt_type type, Dims sizes, Layout layout, int64_t slack = 0);
  /// The same with an explicit order of dimensions.
  Tensor(fusion_rt_type type, Dims sizes,
         const std::vector<int> &innermostFirst, int64_t slack = 0);

  /// Values in -1..1 that differ along every dimension, and by `seed`.
  void fill(unsigned seed);
  /// The same in multiples of 1/64, which are exact in every type. They are for
  /// an f32 operand beside a narrower one, since the type that the kernel
  /// computes in depends on the machine.
  void fillForAnyType(unsigned seed);
  double get(int64_t index) const; // logical index, last dimension fastest
  double get(const Dims &at) const;
  void set(int64_t index, double value);
  int64_t elements() const;
  /// The same elements with distance `step` in an innermost row, and with rows
  /// `gap` elements further apart than their steps need.
  Tensor spread(int64_t step, int64_t gap) const;
  /// The same sizes with any strides. If elements share a place, the last one
  /// counts.
  Tensor restride(Dims strides) const;
  bool isSlackUntouched() const;
  fusion_rt_tensor view();
  void *data();

  fusion_rt_type type = FUSION_RT_TYPE_NONE;
  Dims sizes, strides;

private:
  int64_t offset(int64_t index) const;
  double load(int64_t offset) const;
  std::vector<uint8_t> storage;
  int64_t first = 0; // where the first element is
};

enum class Residual { None, Apart, InPlace };

/// The parameters of a convolution in a test. The defaults are a small 2-D one
/// in which all sizes differ.
struct ConvSpec {
  int64_t batch = 2, inputs = 6, outputs = 10, groups = 1;
  Dims image{9, 7};
  Dims kernel{3, 2};
  Dims strides{1, 1};
  Dims dilations{1, 1};
  Dims padLow{0, 0};
  Dims padHigh{0, 0};
  fusion_rt_type srcType = FUSION_RT_TYPE_F32;
  fusion_rt_type weightsType = FUSION_RT_TYPE_NONE; // none: srcType
  fusion_rt_type dstType = FUSION_RT_TYPE_F32;
  Layout srcLayout = Layout::ChannelsLast;
  Layout weightsLayout = Layout::ChannelsFirst;
  Layout dstLayout = Layout::ChannelsLast;
  Layout residualLayout = Layout::ChannelsLast;
  int64_t slack = 0; // of src, dst and residual
  bool bias = true;
  Residual residual = Residual::None;
  fusion_rt_type residualType = FUSION_RT_TYPE_NONE; // none: dstType
  bool residualAfter = false;                        // the activation
  fusion_rt_activation activation = FUSION_RT_ACT_NONE;
  float alpha = 0, beta = 0;
  bool constantWeights = true;
  bool allowsWinograd = false;
};

/// A spec whose channels fill vectors, and whose weights oneDNN packs.
ConvSpec makeWideSpec();

/// A 1-D, 2-D or 3-D spec, with window lists of that length.
ConvSpec makeSpec(Dims image, Dims kernel);

/// A slot with operands, and the result that a naive loop computes for them.
class Conv {
public:
  explicit Conv(const ConvSpec &spec);
  ~Conv() { fusion_rt_release(&slot); }
  Conv(const Conv &) = delete;
  Conv &operator=(const Conv &) = delete;

  /// Fills dst with its contents before a call, and runs.
  fusion_rt_status run();
  /// Runs and compares all elements of dst.
  void check();
  /// Compares dst with the result of the naive loop in double.
  void compare();
  /// Creates operands of other sizes for the same slot.
  void resize(int64_t batch, Dims image);

  ConvSpec spec;
  fusion_rt_conv_desc desc{};
  fusion_rt_slot slot{};
  fusion_rt_conv_args args{};
  Tensor src, weights, bias, residual, dst;

private:
  void makeOperands();
  double reference(int64_t index) const;
};

/// The place of the logical `index`, last dimension fastest.
Dims unravel(int64_t index, const Dims &sizes);

/// Calls `add` with each element of `src` in the window of element `at` of dst,
/// but those that pad, and the element of `weights` that it is multiplied by.
void forEachProduct(const ConvSpec &spec, const Tensor &src,
                    const Tensor &weights, const Dims &at,
                    const std::function<void(double, double)> &add);

/// For EXPECT_EXIT: exits, with 0 if all is well.
void checkAndExit(const ConvSpec &spec);
void runAndExit(const ConvSpec &spec);

/// Whether a run gives exactly the elements of `expected`. For processes and
/// threads in which GoogleTest's checks would be lost.
bool givesTheSame(Conv &conv, const Tensor &expected);

/// All counters, read at once.
fusion_rt_counters counters();

/// Expects a status and its sentence.
void expectFailure(fusion_rt_status status, fusion_rt_status expected,
                   const std::string &sentence);

/// Whether the runtime computes with oneDNN.
bool isOneDnn();

/// The formula of the header in double.
double activate(fusion_rt_activation activation, double alpha, double beta,
                double x);

/// Adds the residual, before or behind the activation.
double finish(const ConvSpec &spec, double sum, double residual);

/// Ways to add a residual: apart from dst or in place, before the activation or
/// behind it.
std::vector<std::pair<Residual, bool /*isAfter*/>> waysToAdd();
/// The same, with none at the front.
inline std::vector<std::pair<Residual, bool /*isAfter*/>> waysToAddOrNot() {
  auto ways = waysToAdd();
  ways.insert(ways.begin(), {Residual::None, false});
  return ways;
}

/// Whether the CPU, or its emulation, has AMX, for which oneDNN has kernels.
bool hasKernelsForAmx();

/// Each test is a process of its own, with all instructions of this CPU, and
/// logs the steps of its plans.
class PlanDeathTest : public testing::Test {
protected:
  void SetUp() override;
  void TearDown() override;
};

} // namespace test
} // namespace fusion

#if defined(__x86_64__)
#define CPU_SUPPORTS(name) __builtin_cpu_supports(name)
#else
#define CPU_SUPPORTS(name) false
#endif

/// For tests of what oneDNN's kernels are and how they are chosen.
#define FUSION_NEEDS_ONEDNN()                                                  \
  if (!fusion::test::isOneDnn())                                               \
  GTEST_SKIP() << "about plans with oneDNN; the backend is "                   \
               << fusion_rt_backend()

#endif // FUSION_UNITTESTS_RUNTIME_CONVTEST_H
