//===- MatmulTest.cpp - Matrix multiplications ----------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatmulTest.h"

#include <cmath>
#include <cstring>
#include <thread>

using namespace fusion::test;

//===----------------------------------------------------------------------===//
// A slot with operands and the expected result
//===----------------------------------------------------------------------===//

Matmul::Matmul(const MatmulSpec &given) : spec(given) {
  if (spec.weightsType == FUSION_RT_TYPE_NONE)
    spec.weightsType = spec.srcType;
  bool hasResidual = spec.residual != Residual::None;
  if (spec.residualType == FUSION_RT_TYPE_NONE)
    spec.residualType = spec.dstType;
  desc.abi_version = FUSION_RT_ABI_VERSION;
  desc.struct_size = sizeof(desc);
  desc.flags = (spec.bias ? FUSION_RT_HAS_BIAS : 0) |
               (hasResidual ? FUSION_RT_HAS_RESIDUAL : 0) |
               (spec.constantWeights ? FUSION_RT_CONSTANT_WEIGHTS : 0) |
               (spec.residualAfter ? FUSION_RT_RESIDUAL_AFTER_ACTIVATION : 0);
  desc.src_type = spec.srcType;
  desc.weights_type = spec.weightsType;
  desc.dst_type = spec.dstType;
  if (hasResidual)
    desc.residual_type = spec.residualType;
  desc.activation = spec.activation;
  slot.desc = &desc;
  slot.location = "matmul.mlir:5:2";

  Dims in{spec.batch, spec.rows, spec.depth};
  Dims out{spec.batch, spec.rows, spec.columns};
  src = Tensor(spec.srcType, in, spec.srcOrder, spec.slack);
  src.fill(1);
  weights =
      Tensor(spec.weightsType, {spec.weightsBatch, spec.depth, spec.columns},
             spec.weightsOrder);
  weights.fill(2);
  if (spec.weightsType != spec.srcType) {
    src.fillForAnyType(1);
    weights.fillForAnyType(2);
  }
  bias = Tensor(FUSION_RT_TYPE_F32, {spec.columns}, Layout::ChannelsFirst);
  bias.fill(3);
  dst = Tensor(spec.dstType, out, spec.dstOrder, spec.slack);
  args.src = src.view();
  args.weights = weights.view();
  args.dst = dst.view();
  if (spec.bias)
    args.bias = bias.view();
  if (!hasResidual)
    return;
  bool inPlace = spec.residual == Residual::InPlace;
  residual = Tensor(spec.residualType, out,
                    inPlace ? spec.dstOrder : spec.residualOrder, spec.slack);
  residual.fill(4);
  args.residual = inPlace ? args.dst : residual.view();
}

/// The formula of the header, one element at a time.
double Matmul::reference(int64_t index) const {
  int64_t column = index % spec.columns;
  int64_t row = index / spec.columns; // with the batch
  int64_t matrix = spec.weightsBatch == 1 ? 0 : row / spec.rows;
  double sum = 0;
  for (int64_t k = 0; k < spec.depth; ++k)
    sum += src.get(row * spec.depth + k) *
           weights.get((matrix * spec.depth + k) * spec.columns + column);
  if (spec.bias)
    sum += bias.get(column);
  double addend = spec.residual == Residual::None ? 0 : residual.get(index);
  if (spec.residualAfter)
    return activate(spec.activation, 0, 0, sum) + addend;
  return activate(spec.activation, 0, 0, sum + addend);
}

fusion_rt_status Matmul::run() {
  for (int64_t i = 0; i < dst.elements(); ++i)
    dst.set(i, spec.residual == Residual::InPlace ? residual.get(i) : 99);
  return fusion_rt_matmul(&slot, &args);
}

void Matmul::check() {
  ASSERT_EQ(run(), FUSION_RT_SUCCESS) << fusion_rt_last_error();
  double relative = spec.dstType == FUSION_RT_TYPE_F32    ? 2e-5
                    : spec.dstType == FUSION_RT_TYPE_BF16 ? 1.0 / 256
                                                          : 1.0 / 2048;
  // A sum of random numbers in one accumulator has an error that grows with the
  // root of their number.
  double absolute = 5e-5 * std::max(1.0, std::sqrt(double(spec.depth) / 1024));
  for (int64_t i = 0; i < dst.elements(); ++i) {
    double expected = reference(i), got = dst.get(i);
    ASSERT_NEAR(got, expected, absolute + relative * std::fabs(expected))
        << "element " << i << " of " << dst.elements() << ", kernel "
        << (fusion_rt_slot_kernel(&slot) ? fusion_rt_slot_kernel(&slot)
                                         : "none");
  }
  ASSERT_TRUE(dst.isSlackUntouched());
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

namespace {
struct ResultCase {
  const char *name;
  void (*change)(MatmulSpec &);
};
class MatmulTest : public testing::TestWithParam<ResultCase> {};
} // namespace

TEST_P(MatmulTest, AddsTheResidualLast) {
  for (bool isConstant : {true, false})
    for (Residual way : {Residual::Apart, Residual::InPlace}) {
      MatmulSpec spec;
      GetParam().change(spec);
      spec.constantWeights = isConstant;
      spec.residual = way;
      spec.residualAfter = true;
      if (spec.activation == FUSION_RT_ACT_NONE)
        spec.activation = FUSION_RT_ACT_RELU;
      if (way == Residual::InPlace && spec.residualType != FUSION_RT_TYPE_NONE)
        continue; // dst is no tensor of another type
      SCOPED_TRACE(testing::Message()
                   << "residual " << int(way) << ", constant " << isConstant);
      Matmul matmul(spec);
      uint64_t slow = counters().reference_kernels;
      matmul.check();
      EXPECT_EQ(counters().reference_kernels, slow)
          << fusion_rt_slot_kernel(&matmul.slot);
    }
}

/// With each way to add a residual, and with packed and other weights.
TEST_P(MatmulTest, GivesTheFormula) {
  for (bool isConstant : {true, false})
    for (Residual way : {Residual::None, Residual::Apart, Residual::InPlace}) {
      MatmulSpec spec;
      GetParam().change(spec);
      spec.constantWeights = isConstant;
      spec.residual = way;
      if (way == Residual::InPlace && spec.residualType != FUSION_RT_TYPE_NONE)
        continue; // dst is no tensor of another type
      SCOPED_TRACE(testing::Message()
                   << "residual " << int(way) << ", constant " << isConstant);
      Matmul matmul(spec);
      uint64_t slow = counters().reference_kernels;
      matmul.check();
      matmul.check();
      EXPECT_EQ(counters().reference_kernels, slow)
          << fusion_rt_slot_kernel(&matmul.slot);
    }
}

static const auto bf16 = FUSION_RT_TYPE_BF16;
static const auto f16 = FUSION_RT_TYPE_F16;
static const auto f32 = FUSION_RT_TYPE_F32;

static const ResultCase resultCases[] = {
    {"Plain", [](auto &) {}},
    {"NoBias", [](auto &s) { s.bias = false; }},
    {"OneRow", [](auto &s) { s.rows = 1; }},
    {"OneColumn", [](auto &s) { s.columns = 1; }},
    {"DepthOne", [](auto &s) { s.depth = 1; }},
    {"AllOne", [](auto &s) { s.rows = s.columns = s.depth = 1; }},
    {"Large",
     [](auto &s) {
       s.rows = 65;
       s.depth = 130;
       s.columns = 97;
     }},
    {"TransposedSrc", [](auto &s) { s.srcOrder = {1, 2, 0}; }},
    {"TransposedWeights", [](auto &s) { s.weightsOrder = {1, 2, 0}; }},
    {"TransposedDst", [](auto &s) { s.dstOrder = {1, 2, 0}; }},
    {"TransposedResidual", [](auto &s) { s.residualOrder = {1, 2, 0}; }},
    {"AllTransposed",
     [](auto &s) {
       s.srcOrder = s.weightsOrder = s.dstOrder = s.residualOrder = {1, 2, 0};
     }},
    {"Slack", [](auto &s) { s.slack = 5; }},
    {"Batch", [](auto &s) { s.batch = 3; }},
    {"BatchOfDepthOne",
     [](auto &s) {
       s.batch = 3;
       s.rows = 2;
       s.depth = 1;
       s.columns = 30;
       s.dstOrder = {1, 2, 0};
     }},
    {"BatchOfWeights", [](auto &s) { s.batch = s.weightsBatch = 3; }},
    {"BatchOfTransposedWeights",
     [](auto &s) {
       s.batch = s.weightsBatch = 3;
       s.weightsOrder = {1, 2, 0};
     }},
    {"BatchInside",
     [](auto &s) {
       s.batch = 3;
       s.srcOrder = s.dstOrder = s.residualOrder = {2, 0, 1};
     }},
    {"BatchInsideOfWeights",
     [](auto &s) {
       s.batch = s.weightsBatch = 3;
       s.weightsOrder = {0, 2, 1};
     }},
    {"BatchWithSlack",
     [](auto &s) {
       s.batch = 3;
       s.slack = 3;
     }},
    {"OneRowABatch",
     [](auto &s) {
       s.batch = s.weightsBatch = 4;
       s.rows = 1;
     }},
    {"Relu", [](auto &s) { s.activation = FUSION_RT_ACT_RELU; }},
    {"GeluOfABatch",
     [](auto &s) {
       s.batch = s.weightsBatch = 2;
       s.activation = FUSION_RT_ACT_GELU_ERF;
     }},
    {"BF16", [](auto &s) { s.srcType = s.dstType = bf16; }},
    {"BF16Batch",
     [](auto &s) {
       s.srcType = s.dstType = bf16;
       s.batch = s.weightsBatch = 3;
     }},
    {"BF16ToF32", [](auto &s) { s.srcType = bf16; }},
    {"BF16Odd",
     [](auto &s) {
       s.srcType = s.dstType = bf16;
       s.rows = 33;
       s.depth = 47;
       s.columns = 51;
       s.activation = FUSION_RT_ACT_TANH;
     }},
    {"F32WeightsOfBF16",
     [](auto &s) {
       s.srcType = s.dstType = bf16;
       s.weightsType = f32;
     }},
    {"F32OfBF16Weights", [](auto &s) { s.weightsType = bf16; }},
    {"F32OfF16WeightsToF16",
     [](auto &s) {
       s.weightsType = s.dstType = f16;
       s.rows = 33;
       s.depth = 47;
       s.columns = 51;
     }},
    {"F32ToBF16", [](auto &s) { s.dstType = bf16; }},
    {"F32ResidualOfBF16",
     [](auto &s) {
       s.srcType = s.dstType = bf16;
       s.residualType = f32;
     }},
    {"F16", [](auto &s) { s.srcType = s.dstType = f16; }},
};

INSTANTIATE_TEST_SUITE_P(All, MatmulTest, testing::ValuesIn(resultCases),
                         [](const auto &info) { return info.param.name; });

//===----------------------------------------------------------------------===//
// Zero sizes, packing, threads
//===----------------------------------------------------------------------===//

TEST(MatmulTest, NothingToWrite) {
  for (int which = 0; which < 3; ++which) {
    MatmulSpec spec;
    (which == 0 ? spec.batch : which == 1 ? spec.rows : spec.columns) = 0;
    Matmul matmul(spec);
    matmul.args.src.data = matmul.args.weights.data = nullptr;
    matmul.args.dst.data = matmul.args.bias.data = nullptr;
    EXPECT_EQ(matmul.run(), FUSION_RT_SUCCESS) << fusion_rt_last_error();
    EXPECT_EQ(fusion_rt_slot_kernel(&matmul.slot), nullptr);
  }
}

TEST(MatmulTest, NothingToSumUp) {
  MatmulSpec spec;
  spec.batch = 2;
  spec.depth = 0;
  spec.residual = Residual::Apart;
  spec.activation = FUSION_RT_ACT_RELU;
  Matmul matmul(spec);
  matmul.check();
  EXPECT_STREQ(fusion_rt_slot_kernel(&matmul.slot), "plain loop");
}

TEST(MatmulTest, ConstantWeightsArePackedOnce) {
  MatmulSpec spec;
  spec.rows = 32;
  spec.depth = 64;
  spec.columns = 48;
  Matmul matmul(spec);
  fusion_rt_counters before = counters();
  for (int i = 0; i < 3; ++i)
    matmul.check();
  fusion_rt_counters after = counters();
  EXPECT_EQ(after.creates - before.creates, 1u);
  EXPECT_EQ(after.executes - before.executes, 3u);
  EXPECT_LE(after.weight_packs - before.weight_packs, 1u);
  matmul.weights.fill(9);
  // The promise is broken: the packed weights are still used.
  if (after.weight_packs > before.weight_packs) {
    float first = static_cast<float>(matmul.dst.get(0));
    EXPECT_EQ(matmul.run(), FUSION_RT_SUCCESS);
    EXPECT_EQ(static_cast<float>(matmul.dst.get(0)), first);
  }
}

TEST(MatmulTest, OtherWeightsAreReadEachTime) {
  MatmulSpec spec;
  spec.constantWeights = false;
  Matmul matmul(spec);
  matmul.check();
  matmul.weights.fill(9);
  matmul.check();
}

TEST(MatmulTest, SeveralThreadsShareASlot) {
  MatmulSpec spec;
  spec.batch = 2;
  spec.rows = 19;
  spec.residual = Residual::Apart;
  Matmul matmul(spec);
  matmul.check();
  fusion_rt_release(&matmul.slot);
  uint64_t creates = counters().creates;
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; ++i)
    threads.emplace_back([&] {
      Tensor dst = matmul.dst;
      fusion_rt_matmul_args args = matmul.args;
      args.dst.data = dst.data();
      for (int call = 0; call < 20; ++call) {
        for (int64_t at = 0; at < dst.elements(); ++at)
          dst.set(at, 99);
        ASSERT_EQ(fusion_rt_matmul(&matmul.slot, &args), FUSION_RT_SUCCESS);
        for (int64_t at = 0; at < dst.elements(); ++at)
          ASSERT_EQ(dst.get(at), matmul.dst.get(at));
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(counters().creates - creates, 1u);
}
