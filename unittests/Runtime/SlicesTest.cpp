//===- SlicesTest.cpp - Operands with strides of all kinds ----------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatmulTest.h"
#include "PoolTest.h"

using namespace fusion::test;

//===----------------------------------------------------------------------===//
// Slices with steps
//===----------------------------------------------------------------------===//

namespace {
/// The tensor that an operand is a slice of: every `step`th element of rows
/// that do not end with a whole step.
struct Slicing {
  int64_t step, gap;
};

/// How an op takes its residual, and whether its weights are constant.
struct Way {
  Residual residual;
  bool isConstant;
};
} // namespace

static const auto bf16 = FUSION_RT_TYPE_BF16;
static const auto f16 = FUSION_RT_TYPE_F16;
static const auto f32 = FUSION_RT_TYPE_F32;

/// Rows that end with the last element, with a whole step, and beyond it.
static const std::vector<Slicing> slicings = {
    {2, -1}, {2, 0}, {2, 1}, {3, -2}, {3, -1}};
/// A slicing that no descriptor of oneDNN can express.
static const std::vector<Slicing> oddSlicing = {{2, -1}};

static const Way ways[] = {{Residual::None, true},
                           {Residual::None, false},
                           {Residual::Apart, true},
                           {Residual::InPlace, true},
                           {Residual::InPlace, false}};

/// Makes slices of the operands whose bits are set in `which`: src, weights,
/// bias, residual, dst.
template <typename Op>
static void slice(Op &op, Residual residual, int which, Slicing how) {
  Tensor *tensors[] = {&op.src, &op.weights, &op.bias, &op.residual, &op.dst};
  fusion_rt_tensor *args[] = {&op.args.src, &op.args.weights, &op.args.bias,
                              &op.args.residual, &op.args.dst};
  for (int i = 0; i < 5; ++i) {
    if (!(which >> i & 1) || !args[i]->data)
      continue;
    *tensors[i] = tensors[i]->spread(how.step, how.gap);
    *args[i] = tensors[i]->view();
  }
  if (residual == Residual::InPlace)
    op.args.residual = op.args.dst;
}

/// Calls test(way, operands, slicing) for each operand alone and for all.
template <typename Test>
static void forEachSlice(const std::vector<Slicing> &slicings, Test test) {
  for (Way way : ways)
    for (int which : {1, 2, 4, 8, 16, 31})
      for (Slicing how : slicings) {
        SCOPED_TRACE(testing::Message()
                     << "residual " << int(way.residual) << ", constant "
                     << way.isConstant << ", operands " << which << ", step "
                     << how.step << ", gap " << how.gap);
        test(way, which, how);
        if (testing::Test::HasFatalFailure())
          return;
      }
}

static void
checkConvolutions(ConvSpec spec,
                  const std::vector<Slicing> &slicings = ::slicings) {
  forEachSlice(slicings, [&](Way way, int which, Slicing how) {
    spec.residual = way.residual;
    spec.constantWeights = way.isConstant;
    Conv conv(spec);
    slice(conv, way.residual, which, how);
    conv.check();
    conv.check();
  });
}

/// Moves the images of `tensor` apart if `moves`.
static void leaveGaps(Tensor &tensor, fusion_rt_tensor &arg, bool moves) {
  if (!moves)
    return;
  Dims strides = tensor.strides;
  strides[0] += 2;
  tensor = tensor.restride(strides);
  arg = tensor.view();
}

TEST(SlicesTest, Convolution) {
  for (Layout layout : {Layout::ChannelsLast, Layout::ChannelsFirst}) {
    ConvSpec spec;
    spec.srcLayout = spec.dstLayout = spec.residualLayout = layout;
    spec.weightsLayout = layout;
    spec.activation = FUSION_RT_ACT_TANH;
    checkConvolutions(spec);
  }
}

TEST(SlicesTest, ConvolutionInNarrowTypes) {
  for (fusion_rt_type type : {bf16, f16})
    for (fusion_rt_type dst : {type, f32}) {
      ConvSpec spec;
      spec.srcType = type;
      spec.dstType = dst;
      checkConvolutions(spec, oddSlicing);
      spec.inputs = 3; // padded with channels of zeros
      checkConvolutions(spec, oddSlicing);
    }
}

TEST(SlicesTest, ConvolutionOfMixedTypes) {
  ConvSpec spec;
  spec.weightsType = bf16;
  checkConvolutions(spec, oddSlicing);
  spec.srcType = bf16;
  spec.weightsType = f32;
  spec.dstType = bf16;
  checkConvolutions(spec, oddSlicing);
}

TEST(SlicesTest, ConvolutionByPoints) {
  // A gemm takes these slices without a copy, if the image is no small one.
  for (Layout layout : {Layout::ChannelsLast, Layout::ChannelsFirst}) {
    ConvSpec spec = makeSpec({33, 37}, {1, 1});
    spec.inputs = 2;
    spec.srcLayout = spec.dstLayout = spec.residualLayout = layout;
    checkConvolutions(spec);
  }
}

TEST(SlicesTest, GroupedAndDepthwiseConvolution) {
  for (int64_t groups : {2, 6}) {
    ConvSpec spec;
    spec.outputs = 12;
    spec.groups = groups;
    checkConvolutions(spec);
  }
}

TEST(SlicesTest, ConvolutionOfOtherRanks) {
  checkConvolutions(makeSpec({11}, {3}));
  checkConvolutions(makeSpec({4, 3, 5}, {2, 1, 3}));
}

TEST(SlicesTest, ConvolutionWithVectorsOfChannels) {
  for (Layout layout : {Layout::ChannelsLast, Layout::ChannelsFirst}) {
    ConvSpec spec;
    spec.inputs = spec.outputs = 16;
    spec.image = {5, 4};
    spec.srcLayout = spec.dstLayout = spec.residualLayout = layout;
    checkConvolutions(spec, oddSlicing);
  }
}

static void checkMatmuls(MatmulSpec spec) {
  forEachSlice(slicings, [&](Way way, int which, Slicing how) {
    spec.residual = way.residual;
    spec.constantWeights = way.isConstant;
    Matmul matmul(spec);
    slice(matmul, way.residual, which, how);
    matmul.check();
    matmul.check();
  });
}

/// Kernels of oneDNN 3 read such images as if they were contiguous.
TEST(SlicesTest, GapsBetweenImages) {
  for (int64_t channels : {1, 3})
    for (int which : {1, 2, 3}) {
      SCOPED_TRACE(testing::Message()
                   << channels << " channels, operands " << which);
      ConvSpec spec = makeSpec({3, 2}, {1, 1});
      spec.inputs = spec.outputs = channels;
      spec.padLow = {0, 1}; // other kernels do not take windows in padding
      Conv conv(spec);
      leaveGaps(conv.src, conv.args.src, which & 1);
      leaveGaps(conv.dst, conv.args.dst, which & 2);
      conv.check();
    }
}

TEST(SlicesTest, Matmul) {
  for (fusion_rt_type type : {f32, bf16, f16}) {
    MatmulSpec spec;
    spec.srcType = spec.dstType = type;
    checkMatmuls(spec);
  }
}

TEST(SlicesTest, MatmulOfBatches) {
  for (int64_t weightsBatch : {1, 3}) {
    MatmulSpec spec;
    spec.batch = 3;
    spec.weightsBatch = weightsBatch;
    checkMatmuls(spec);
    spec.srcOrder = {1, 2, 0};
    spec.weightsOrder = {1, 2, 0};
    checkMatmuls(spec);
    spec.dstOrder = {2, 0, 1};
    checkMatmuls(spec);
  }
}

TEST(SlicesTest, Vectors) {
  MatmulSpec row;
  row.rows = 1;
  checkMatmuls(row);
  MatmulSpec column;
  column.columns = 1;
  checkMatmuls(column);
}

TEST(SlicesTest, Pool) {
  for (fusion_rt_pooling pooling : {FUSION_RT_POOL_MAX, FUSION_RT_POOL_SUM})
    for (fusion_rt_type type : {f32, bf16, f16})
      for (Layout layout : {Layout::ChannelsLast, Layout::ChannelsFirst})
        for (Slicing how : slicings)
          for (int which : {1, 2, 3}) {
            SCOPED_TRACE(testing::Message() << "operands " << which << ", step "
                                            << how.step << ", gap " << how.gap);
            PoolSpec spec;
            spec.pooling = pooling;
            spec.type = type;
            spec.srcLayout = spec.dstLayout = layout;
            Pool pool(spec);
            if (which & 1)
              pool.src = pool.src.spread(how.step, how.gap);
            if (which & 2)
              pool.dst = pool.dst.spread(how.step, how.gap);
            pool.args.src = pool.src.view();
            pool.args.dst = pool.dst.view();
            pool.check();
          }
}

//===----------------------------------------------------------------------===//
// Backwards, repeated and overlapping
//===----------------------------------------------------------------------===//

/// Strides of `tensor` for operands that are only read: each dimension reversed
/// or repeated, all of them, and rows that begin one element after the other.
static std::vector<Dims> listWalks(const Tensor &tensor) {
  std::vector<Dims> walks;
  for (int factor : {-1, 0}) {
    for (size_t dim = 0; dim < tensor.sizes.size(); ++dim) {
      walks.push_back(tensor.strides);
      walks.back()[dim] *= factor;
    }
    walks.push_back(tensor.strides);
    for (int64_t &stride : walks.back())
      stride *= factor;
  }
  walks.emplace_back(tensor.sizes.size(), 1);
  return walks;
}

/// Gives all these strides to each operand that is only read, and calls
/// check(op).
template <typename Op, typename Spec, typename Check>
static void forEachWalk(const Spec &spec, Check check) {
  for (int which = 0; which < 4; ++which)
    for (int number = 0;; ++number) {
      Op op(spec);
      Tensor *tensors[] = {&op.src, &op.weights, &op.bias, &op.residual};
      fusion_rt_tensor *args[] = {&op.args.src, &op.args.weights, &op.args.bias,
                                  &op.args.residual};
      std::vector<Dims> walks = listWalks(*tensors[which]);
      if (!args[which]->data || number == static_cast<int>(walks.size()))
        break;
      SCOPED_TRACE(testing::Message()
                   << "operand " << which << ", walk " << number);
      *tensors[which] = tensors[which]->restride(walks[number]);
      *args[which] = tensors[which]->view();
      check(op);
      if (testing::Test::HasFatalFailure())
        return;
    }
}

TEST(WalksTest, Convolution) {
  for (Layout layout : {Layout::ChannelsLast, Layout::ChannelsFirst})
    for (bool isConstant : {true, false})
      for (int64_t groups : {1, 2}) {
        ConvSpec spec;
        spec.srcLayout = spec.dstLayout = spec.residualLayout = layout;
        spec.constantWeights = isConstant;
        spec.groups = groups;
        spec.residual = Residual::Apart;
        forEachWalk<Conv>(spec, [](Conv &conv) { conv.check(); });
      }
}

TEST(WalksTest, ConvolutionInNarrowTypes) {
  for (fusion_rt_type type : {bf16, f16}) {
    ConvSpec spec;
    spec.srcType = spec.dstType = type;
    spec.residual = Residual::Apart;
    forEachWalk<Conv>(spec, [](Conv &conv) { conv.check(); });
  }
}

TEST(WalksTest, NothingToSumUp) {
  ConvSpec spec;
  spec.inputs = 0;
  spec.residual = Residual::Apart;
  forEachWalk<Conv>(spec, [](Conv &conv) { conv.check(); });
}

TEST(WalksTest, Matmul) {
  for (int64_t batch : {1, 3})
    for (bool isConstant : {true, false}) {
      MatmulSpec spec;
      spec.batch = batch;
      spec.constantWeights = isConstant;
      spec.residual = Residual::Apart;
      forEachWalk<Matmul>(spec, [](Matmul &matmul) { matmul.check(); });
      spec.weightsBatch = batch;
      forEachWalk<Matmul>(spec, [](Matmul &matmul) { matmul.check(); });
    }
}

TEST(WalksTest, Pool) {
  for (fusion_rt_pooling pooling : {FUSION_RT_POOL_MAX, FUSION_RT_POOL_SUM})
    for (Layout layout : {Layout::ChannelsLast, Layout::ChannelsFirst}) {
      PoolSpec spec;
      spec.pooling = pooling;
      spec.srcLayout = spec.dstLayout = layout;
      for (const Dims &walk : listWalks(Pool(spec).src)) {
        Pool pool(spec);
        pool.src = pool.src.restride(walk);
        pool.args.src = pool.src.view();
        pool.check();
      }
    }
}

/// Addresses below `data` count, too.
TEST(WalksTest, OverlapBackwards) {
  ConvSpec spec = makeSpec({9, 7}, {1, 1});
  spec.outputs = spec.inputs;
  Conv conv(spec);
  std::vector<float> memory(4 * conv.src.elements());
  float *middle = memory.data() + 2 * conv.src.elements();
  Dims backwards = conv.src.strides;
  for (int dim = 0; dim < 4; ++dim)
    conv.args.src.strides[dim] = -backwards[dim];
  conv.args.src.data = middle - 1;
  conv.args.dst.data = middle;
  EXPECT_EQ(fusion_rt_conv(&conv.slot, &conv.args), FUSION_RT_SUCCESS)
      << fusion_rt_last_error();
  conv.args.src.data = middle;
  expectFailure(fusion_rt_conv(&conv.slot, &conv.args),
                FUSION_RT_INVALID_ARGUMENT, "'dst' must not overlap 'src'");
  conv.args.dst.data = middle - conv.src.elements();
  expectFailure(fusion_rt_conv(&conv.slot, &conv.args),
                FUSION_RT_INVALID_ARGUMENT, "'dst' must not overlap 'src'");
}
