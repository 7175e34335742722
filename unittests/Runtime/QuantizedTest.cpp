//===- QuantizedTest.cpp - Convolutions and products of integers ----------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Each element is compared with a naive loop in 64-bit integers and with the
// formula of the header in f32, bit by bit.

#include "QuantizedTest.h"

#include <cmath>
#include <cstring>

using namespace fusion::test;

static void fillIntegers(Tensor &tensor, unsigned seed, bool isExtreme) {
  uint32_t state = seed * 2654435761u + 12345;
  for (int64_t i = 0; i < tensor.elements(); ++i) {
    state = state * 1664525u + 1013904223u;
    int32_t value = int32_t(state >> 24);
    if (isExtreme)
      value = state >> 31 ? 255 : 0;
    if (tensor.type == FUSION_RT_TYPE_S32)
      value = (value - 128) * 37;
    else if (tensor.type == FUSION_RT_TYPE_S8)
      value -= 128;
    tensor.set(i, value);
  }
}

Quantized::Quantized(const QuantizedSpec &given) : spec(given) {
  const ConvSpec &conv = spec.conv;
  Dims dstSizes{conv.batch, conv.outputs}, srcSizes{conv.batch, conv.inputs};
  Dims weightsSizes{conv.outputs, conv.inputs / conv.groups};
  for (size_t i = 0; i < conv.image.size(); ++i) {
    srcSizes.push_back(conv.image[i]);
    weightsSizes.push_back(conv.kernel[i]);
    dstSizes.push_back((conv.image[i] + conv.padLow[i] + conv.padHigh[i] -
                        (conv.kernel[i] - 1) * conv.dilations[i] - 1) /
                           conv.strides[i] +
                       1);
  }
  if (spec.isMatmul) {
    srcSizes = {conv.batch, conv.image[0], conv.inputs};
    weightsSizes = {conv.batch, conv.inputs, conv.outputs};
    dstSizes = {conv.batch, conv.image[0], conv.outputs};
  }
  src = Tensor(conv.srcType, srcSizes, conv.srcLayout, conv.slack);
  weights = Tensor(FUSION_RT_TYPE_S8, weightsSizes, conv.weightsLayout);
  dst = Tensor(conv.dstType, dstSizes, conv.dstLayout, conv.slack);
  fillIntegers(src, 1, spec.isExtreme);
  fillIntegers(weights, 2, spec.isExtreme);
  args.operands.src = src.view();
  args.operands.weights = weights.view();
  args.operands.dst = dst.view();
  if (conv.bias) {
    bias = Tensor(spec.biasType, {conv.outputs}, Layout::ChannelsFirst);
    if (spec.biasType == FUSION_RT_TYPE_S32)
      fillIntegers(bias, 3, false);
    else
      bias.fill(3);
    args.operands.bias = bias.view();
  }
  if (spec.scales != 0) {
    int64_t count = spec.scales < 0 ? conv.outputs : spec.scales;
    scales = Tensor(FUSION_RT_TYPE_F32, {count}, Layout::ChannelsFirst);
    for (int64_t i = 0; i < count; ++i)
      scales.set(i, 0.0017 * (1 + i % 5));
    args.scales = scales.view();
  }
  if (conv.residual != Residual::None) {
    residual = Tensor(conv.residualType, dstSizes, conv.residualLayout);
    if (conv.residualType == FUSION_RT_TYPE_F32)
      residual.fill(4);
    else
      fillIntegers(residual, 4, spec.isExtreme);
    args.operands.residual = residual.view();
    if (conv.residual == Residual::InPlace)
      args.operands.residual = dst.view();
  }
  makeDescs();
}

void Quantized::makeDescs() {
  const ConvSpec &conv = spec.conv;
  fusion_rt_conv_desc &raw = desc.conv;
  desc.abi_version = matmulDesc.abi_version = FUSION_RT_ABI_VERSION;
  desc.struct_size = sizeof(desc);
  matmulDesc.struct_size = sizeof(matmulDesc);
  raw.flags = (conv.bias ? FUSION_RT_HAS_BIAS : 0) |
              (conv.residual != Residual::None ? FUSION_RT_HAS_RESIDUAL : 0) |
              (conv.constantWeights ? FUSION_RT_CONSTANT_WEIGHTS : 0) |
              (conv.residualAfter ? FUSION_RT_RESIDUAL_AFTER_ACTIVATION : 0);
  raw.spatial_rank = static_cast<int32_t>(conv.image.size());
  raw.src_type = conv.srcType;
  raw.weights_type = FUSION_RT_TYPE_S8;
  raw.dst_type = conv.dstType;
  raw.residual_type = residual.type;
  raw.activation = conv.activation;
  raw.alpha = conv.alpha;
  raw.beta = conv.beta;
  raw.groups = conv.groups;
  for (size_t i = 0; i < conv.image.size(); ++i) {
    raw.strides[i] = conv.strides[i];
    raw.dilations[i] = conv.dilations[i];
    raw.pad_low[i] = conv.padLow[i];
    raw.pad_high[i] = conv.padHigh[i];
  }
  desc.quantization = {
      spec.srcZero,
      spec.dstZero,
      spec.residualZero,
      spec.residualScale,
      spec.dstScale,
      bias.type,
      (spec.scales != 0 ? FUSION_RT_HAS_SCALES : 0) |
          (spec.constantScales ? FUSION_RT_CONSTANT_SCALES : 0) |
          (spec.roundsActivation ? FUSION_RT_ROUND_ACTIVATION : 0),
      0};
  matmulDesc.quantization = desc.quantization;
  fusion_rt_matmul_desc &matmul = matmulDesc.matmul;
  matmul.flags = raw.flags;
  matmul.src_type = raw.src_type;
  matmul.weights_type = raw.weights_type;
  matmul.dst_type = raw.dst_type;
  matmul.residual_type = raw.residual_type;
  matmul.activation = raw.activation;
  matmul.alpha = raw.alpha;
  matmul.beta = raw.beta;
  slot.desc = spec.isMatmul ? static_cast<const void *>(&matmulDesc) : &desc;
}

/// The sum of products, which wraps.
int32_t Quantized::sum(const Dims &at) const {
  int64_t total = 0;
  auto add = [&](double element, double weight) {
    total += (int64_t(element) - spec.srcZero) * int64_t(weight);
  };
  if (spec.isMatmul) {
    Dims from{at[0], at[1], 0}, with{at[0], 0, at[2]};
    for (int64_t k = 0; k < spec.conv.inputs; ++k) {
      from[2] = with[1] = k;
      add(src.get(from), weights.get(with));
    }
  } else {
    forEachProduct(spec.conv, src, weights, at, add);
  }
  return static_cast<int32_t>(static_cast<uint64_t>(total));
}

/// Activations whose formula in f32 rounds in one way only.
static bool isExact(fusion_rt_activation activation) {
  return activation == FUSION_RT_ACT_NONE || activation == FUSION_RT_ACT_RELU ||
         activation == FUSION_RT_ACT_CLIP || activation == FUSION_RT_ACT_ABS ||
         activation == FUSION_RT_ACT_LEAKY_RELU ||
         activation == FUSION_RT_ACT_SQUARE;
}

static float activateInFloat(const ConvSpec &spec, float x) {
  return float(activate(spec.activation, spec.alpha, spec.beta, x));
}

double Quantized::expected(const Dims &at, int64_t index) const {
  const ConvSpec &conv = spec.conv;
  int64_t channel = spec.isMatmul ? at[2] : at[1];
  int64_t acc = sum(at);
  if (bias.type == FUSION_RT_TYPE_S32)
    acc = int32_t(uint32_t(acc) + uint32_t(int32_t(bias.get(channel))));
  if (conv.dstType == FUSION_RT_TYPE_S32)
    return double(acc);
  // Each step is stored, so that it is rounded.
  volatile float v = float(acc);
  if (spec.scales != 0)
    v = v * float(scales.get(spec.scales == 1 ? 0 : channel));
  if (bias.type == FUSION_RT_TYPE_F32)
    v = v + float(bias.get(channel));
  volatile float r = 0;
  if (conv.residual != Residual::None) {
    r = float(residual.get(index));
    if (residual.type != FUSION_RT_TYPE_F32)
      r = float(residual.get(index) - spec.residualZero) * spec.residualScale;
  }
  if (!conv.residualAfter)
    v = v + r;
  v = activateInFloat(conv, v);
  if (spec.roundsActivation)
    v = float(std::rint(double(v)));
  if (conv.residualAfter)
    v = v + r;
  if (conv.dstType != FUSION_RT_TYPE_S8 && conv.dstType != FUSION_RT_TYPE_U8) {
    Tensor rounded(conv.dstType, {1}, Layout::ChannelsFirst);
    rounded.set(0, v);
    return rounded.get(0);
  }
  v = v * spec.dstScale;
  v = v + float(spec.dstZero);
  bool isSigned = conv.dstType == FUSION_RT_TYPE_S8;
  double low = isSigned ? -128 : 0, high = isSigned ? 127 : 255;
  if (std::isnan(double(v)))
    return low;
  return std::min(std::max(std::rint(double(v)), low), high);
}

void Quantized::check(double tolerance) {
  for (int64_t i = 0; i < dst.elements(); ++i)
    dst.set(i, spec.conv.residual == Residual::InPlace ? residual.get(i) : 99);
  ASSERT_EQ(run(), FUSION_RT_SUCCESS) << fusion_rt_last_error();
  for (int64_t i = 0; i < dst.elements(); ++i)
    ASSERT_LE(std::fabs(dst.get(i) - expected(unravel(i, dst.sizes), i)),
              tolerance)
        << "element " << i << " of type " << spec.conv.dstType << ": "
        << dst.get(i) << " and " << expected(unravel(i, dst.sizes), i);
  EXPECT_TRUE(dst.isSlackUntouched());
}

QuantizedSpec fusion::test::makeQuantizedSpec() {
  QuantizedSpec spec;
  spec.conv.srcType = FUSION_RT_TYPE_U8;
  spec.conv.dstType = FUSION_RT_TYPE_S8;
  spec.conv.strides = {2, 1};
  spec.conv.padLow = {1, 0};
  spec.conv.padHigh = {2, 1};
  spec.srcZero = 113;
  spec.dstZero = -7;
  return spec;
}

static const fusion_rt_type allTypes[] = {
    FUSION_RT_TYPE_S8,  FUSION_RT_TYPE_U8,   FUSION_RT_TYPE_S32,
    FUSION_RT_TYPE_F32, FUSION_RT_TYPE_BF16, FUSION_RT_TYPE_F16};

TEST(QuantizedTest, AllTypes) {
  for (fusion_rt_type srcType : {FUSION_RT_TYPE_S8, FUSION_RT_TYPE_U8})
    for (fusion_rt_type dstType : allTypes)
      for (fusion_rt_type biasType : {FUSION_RT_TYPE_S32, FUSION_RT_TYPE_F32})
        for (int64_t scales : {-1, 0, 1})
          for (bool isMatmul : {false, true}) {
            QuantizedSpec spec = makeQuantizedSpec();
            spec.conv.srcType = srcType;
            spec.conv.dstType = dstType;
            spec.biasType = biasType;
            spec.scales = scales;
            spec.isMatmul = isMatmul;
            if (dstType == FUSION_RT_TYPE_S32 &&
                (scales != 0 || biasType == FUSION_RT_TYPE_F32))
              continue;
            if (dstType == FUSION_RT_TYPE_F16 && scales == 0)
              continue; // most sums are too large
            Quantized(spec).check();
          }
}

TEST(QuantizedTest, Residuals) {
  for (fusion_rt_type type :
       {FUSION_RT_TYPE_S8, FUSION_RT_TYPE_U8, FUSION_RT_TYPE_F32})
    for (fusion_rt_type dstType : {FUSION_RT_TYPE_S8, FUSION_RT_TYPE_F32})
      for (auto [residual, isAfter] : waysToAdd())
        for (bool isMatmul : {false, true}) {
          QuantizedSpec spec = makeQuantizedSpec();
          spec.isMatmul = isMatmul;
          spec.conv.dstType = dstType;
          spec.conv.residual = residual;
          spec.conv.residualType = type;
          spec.conv.residualAfter = isAfter;
          spec.conv.activation = FUSION_RT_ACT_RELU;
          spec.residualZero = 21;
          spec.residualScale = 0.37f;
          if (residual == Residual::InPlace && type != dstType)
            continue;
          Quantized(spec).check();
        }
}

/// The functions of the C library may be off by an ulp, which may move a value
/// over a tie.
TEST(QuantizedTest, Activations) {
  for (int number = 0; number <= lastActivation; ++number)
    for (fusion_rt_type dstType : {FUSION_RT_TYPE_S8, FUSION_RT_TYPE_U8}) {
      QuantizedSpec spec = makeQuantizedSpec();
      spec.conv.activation = static_cast<fusion_rt_activation>(number);
      if (spec.conv.activation == FUSION_RT_ACT_SQRT)
        continue; // of negative numbers
      spec.conv.dstType = dstType;
      spec.conv.alpha = 0.25f;
      spec.conv.beta = 2.5f;
      spec.dstScale = 3.7f;
      SCOPED_TRACE(number);
      Quantized(spec).check(isExact(spec.conv.activation) ? 0 : 1);
    }
}

TEST(QuantizedTest, LayoutsAndWindows) {
  for (Layout srcLayout :
       {Layout::ChannelsFirst, Layout::ChannelsLast, Layout::Scrambled})
    for (Layout dstLayout : {Layout::ChannelsFirst, Layout::ChannelsLast})
      for (Layout weightsLayout : {Layout::ChannelsFirst, Layout::ChannelsLast})
        for (int64_t groups : {1, 2}) {
          QuantizedSpec spec = makeQuantizedSpec();
          spec.conv.srcLayout = srcLayout;
          spec.conv.dstLayout = dstLayout;
          spec.conv.weightsLayout = weightsLayout;
          spec.conv.groups = groups;
          spec.conv.dilations = {1, 2};
          spec.conv.slack = 3;
          Quantized(spec).check();
        }
  QuantizedSpec depthwise = makeQuantizedSpec();
  depthwise.conv.inputs = depthwise.conv.outputs = depthwise.conv.groups = 130;
  Quantized(depthwise).check();
}

/// Squares of 64x64 bytes and parts of these are transposed on the way.
TEST(QuantizedTest, CopiesOfBytes) {
  for (int64_t channels : {5, 16, 70, 130})
    for (Dims image : {Dims{8, 8}, Dims{9, 11}, Dims{3, 5}})
      for (Residual residual :
           {Residual::None, Residual::Apart, Residual::InPlace}) {
        QuantizedSpec spec = makeQuantizedSpec();
        spec.conv.inputs = channels;
        spec.conv.outputs = channels + 3;
        spec.conv.image = image;
        spec.conv.strides = {1, 1};
        spec.conv.srcLayout = spec.conv.dstLayout = Layout::ChannelsFirst;
        spec.conv.residual = residual;
        spec.conv.residualType = spec.conv.dstType;
        spec.conv.residualLayout = residual == Residual::Apart
                                       ? Layout::ChannelsLast
                                       : Layout::ChannelsFirst;
        spec.residualZero = 4;
        SCOPED_TRACE(channels);
        Quantized(spec).check();
      }
}

TEST(QuantizedTest, OneAndThreeDimensions) {
  for (Dims image : {Dims{11}, Dims{5, 7, 6}}) {
    QuantizedSpec spec = makeQuantizedSpec();
    spec.conv.image = image;
    size_t rank = image.size();
    spec.conv.kernel = Dims(rank, 2);
    spec.conv.kernel[0] = 3;
    spec.conv.strides = spec.conv.dilations = Dims(rank, 1);
    spec.conv.strides[0] = 2;
    spec.conv.padLow = Dims(rank, 0);
    spec.conv.padHigh = Dims(rank, 1);
    Quantized(spec).check();
  }
}

TEST(QuantizedTest, DepthwiseOfLines) {
  for (int64_t channels : {24, 5})
    for (fusion_rt_type dstType : {FUSION_RT_TYPE_U8, FUSION_RT_TYPE_F32}) {
      QuantizedSpec spec = makeQuantizedSpec();
      spec.conv.image = {29};
      spec.conv.kernel = {3};
      spec.conv.strides = {2};
      spec.conv.dilations = {1};
      spec.conv.padLow = {1};
      spec.conv.padHigh = {0};
      spec.conv.groups = spec.conv.inputs = spec.conv.outputs = channels;
      spec.conv.dstType = dstType;
      Quantized conv(spec);
      conv.check();
      // Sums of products in f32 have the kernels of f32.
      const char *kernel = fusion_rt_slot_kernel(&conv.slot);
      EXPECT_FALSE(kernel && std::strstr(kernel, "gemm:jit")) << kernel;
    }
}

/// Pairs of products of 255 and 127 do not fit 16 bits, and the result does not
/// fit 8.
TEST(QuantizedTest, Extremes) {
  for (fusion_rt_type srcType : {FUSION_RT_TYPE_S8, FUSION_RT_TYPE_U8})
    for (fusion_rt_type dstType : allTypes) {
      QuantizedSpec spec = makeQuantizedSpec();
      spec.isExtreme = true;
      spec.conv.inputs = 130;
      spec.conv.srcType = srcType;
      spec.conv.dstType = dstType;
      if (dstType == FUSION_RT_TYPE_S32)
        spec.scales = 0;
      Quantized(spec).check();
    }
}

/// Every second value is half way between integers.
TEST(QuantizedTest, TiesGoToEven) {
  for (int32_t zero : {0, 1, -7}) {
    QuantizedSpec spec = makeQuantizedSpec();
    spec.srcZero = 0;
    spec.dstZero = zero;
    spec.conv.bias = false;
    spec.conv.inputs = 1;
    spec.conv.kernel = {1, 1};
    Quantized conv(spec);
    for (int64_t i = 0; i < conv.weights.elements(); ++i) {
      conv.weights.set(i, 1 - 2 * (i % 2));
      conv.scales.set(i, 0.5);
    }
    conv.check();
  }
}

TEST(QuantizedTest, TheSumWraps) {
  QuantizedSpec spec = makeQuantizedSpec();
  spec.conv.dstType = FUSION_RT_TYPE_S32;
  spec.scales = 0;
  Quantized conv(spec);
  for (int64_t i = 0; i < conv.bias.elements(); ++i)
    conv.bias.set(i, i % 2 ? INT32_MAX : INT32_MIN);
  conv.check();
}

/// Windows that read nothing of src, and channels of which there are none.
TEST(QuantizedTest, EmptySums) {
  QuantizedSpec spec = makeQuantizedSpec();
  spec.conv.image = {1, 1};
  spec.conv.kernel = {1, 1};
  spec.conv.strides = {1, 1};
  spec.conv.padLow = {2, 1};
  Quantized(spec).check();
  spec.conv.inputs = 0;
  Quantized(spec).check();
}

TEST(QuantizedTest, BitsDoNotDependOnTheThreads) {
  QuantizedSpec spec = makeQuantizedSpec();
  spec.conv.inputs = 40;
  spec.conv.outputs = 150;
  spec.conv.image = {19, 17};
  for (int32_t threads : {1, 2, 3}) {
    fusion_rt_set_num_threads(threads);
    Quantized(spec).check();
  }
  fusion_rt_set_num_threads(0);
}

TEST(QuantizedTest, PreparationPacksConstantWeights) {
  fusion_rt_reset_counters();
  Quantized conv(makeQuantizedSpec());
  EXPECT_EQ(fusion_rt_prepare_quantized(FUSION_RT_FUNCTION_QUANTIZED_CONV,
                                        &conv.slot, &conv.args),
            FUSION_RT_SUCCESS);
  EXPECT_EQ(counters().creates, 1u);
  EXPECT_EQ(counters().weight_packs, 1u);
  conv.check();
  EXPECT_EQ(counters().creates, 1u);
  EXPECT_EQ(counters().weight_packs, 1u);
}

/// A tile of AMX has 16 rows, of which a few leave most unused. With oneDNN 3
/// it is as fast.
TEST(QuantizedTest, FewRowsWithAmx) {
  FUSION_NEEDS_ONEDNN();
  if (!hasKernelsForAmx())
    GTEST_SKIP() << "needs kernels for AMX";
  auto usesAmx = [](int64_t rows) {
    QuantizedSpec spec = makeQuantizedSpec();
    spec.isMatmul = true;
    spec.conv.batch = 1;
    spec.conv.image = {rows};
    spec.conv.inputs = spec.conv.outputs = 128;
    Quantized matmul(spec);
    matmul.check();
    std::string kernel = fusion_rt_slot_kernel(&matmul.slot);
    return kernel.find("amx") != std::string::npos;
  };
  bool isOfTwo = std::string(fusion_rt_backend()).rfind("oneDNN 2", 0) == 0;
  EXPECT_EQ(usesAmx(3), !isOfTwo);
  EXPECT_FALSE(isOfTwo && usesAmx(1));
  EXPECT_TRUE(usesAmx(4));
}
