//===- Layers.cpp - The layers of layers.py, three ways -------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Layers.h"

using namespace layers;
using rawconv::Layer;

#define LAYER(NAME, ...)                                                       \
  extern "C" void _mlir_ciface_##NAME(void *, void *, void *, void *);
#include "layers.def"
#undef LAYER

std::vector<Case> layers::allCases() {
  std::vector<Case> cases;
#define LAYER(NAME, TITLE, BF16, ...)                                          \
  cases.push_back({TITLE, BF16, Layer{__VA_ARGS__}, _mlir_ciface_##NAME});
#include "layers.def"
#undef LAYER
  return cases;
}

Array::Array(const Dims &sizes, bool bf16) : sizes(sizes) {
  size_t bytes = bf16 ? 2 : 4;
  for (int64_t size : sizes)
    bytes *= size_t(size);
  bytes = (bytes + 63) / 64 * 64;
  data.reset(static_cast<char *>(std::aligned_alloc(64, bytes)));
  // 0x3f is the upper byte of numbers near 1 in f32 and in bf16.
  for (size_t i = 0; i < bytes; ++i)
    data.get()[i] = i % 2 ? 0x3f : static_cast<char>(i * 7);
}

Dims Array::strides() const {
  Dims result(sizes.size(), 1);
  for (size_t i = sizes.size() - 1; i > 0; --i)
    result[i - 1] = result[i] * sizes[i];
  return result;
}

std::vector<int64_t> Array::memref() const {
  auto address = reinterpret_cast<int64_t>(data.get());
  std::vector<int64_t> words{address, address, 0};
  words.insert(words.end(), sizes.begin(), sizes.end());
  for (int64_t stride : strides())
    words.push_back(stride);
  return words;
}

fusion_rt_tensor Array::tensor(const std::vector<int> &permutation) const {
  fusion_rt_tensor result{data.get(), {}, {}};
  Dims all = strides();
  for (size_t i = 0; i < permutation.size(); ++i) {
    result.sizes[i] = sizes[permutation[i]];
    result.strides[i] = all[permutation[i]];
  }
  return result;
}

Operands::Operands(const Case &c)
    : src({c.layer.batch, c.layer.height, c.layer.width, c.layer.inputs},
          c.bf16),
      weights(c.isDepthwise()
                  ? Dims{c.layer.kernel, c.layer.kernel, c.layer.outputs}
                  : Dims{c.layer.kernel, c.layer.kernel, c.layer.inputs,
                         c.layer.outputs},
              c.bf16),
      bias({c.layer.outputs}, /*bf16=*/false),
      dst({c.layer.batch, c.layer.outputSize(c.layer.height),
           c.layer.outputSize(c.layer.width), c.layer.outputs},
          c.bf16) {}

RuntimeCall::RuntimeCall(const Case &c) : operands(c) {
  const int type = c.bf16 ? FUSION_RT_TYPE_BF16 : FUSION_RT_TYPE_F32;
  desc.abi_version = FUSION_RT_ABI_VERSION;
  desc.struct_size = sizeof(desc);
  desc.flags = FUSION_RT_HAS_BIAS | FUSION_RT_CONSTANT_WEIGHTS;
  desc.spatial_rank = 2;
  desc.src_type = desc.weights_type = desc.dst_type = type;
  desc.activation = FUSION_RT_ACT_RELU;
  desc.groups = c.layer.groups;
  for (int i = 0; i < 2; ++i) {
    desc.strides[i] = c.layer.stride;
    desc.dilations[i] = 1;
    desc.pad_low[i] = desc.pad_high[i] = c.layer.pad;
  }
  slot = {&desc, c.title, nullptr};
  args.src = operands.src.tensor({0, 3, 1, 2});
  args.dst = operands.dst.tensor({0, 3, 1, 2});
  args.bias = operands.bias.tensor({0});
  if (c.isDepthwise()) {
    args.weights = operands.weights.tensor({2, 2, 0, 1});
    args.weights.sizes[1] = 1;
  } else {
    args.weights = operands.weights.tensor({3, 2, 0, 1});
  }
}

CompiledCall::CompiledCall(const Case &c)
    : function(c.compiled), operands(c), src(operands.src.memref()),
      weights(operands.weights.memref()), bias(operands.bias.memref()),
      result(3 + 2 * operands.dst.sizes.size()) {}
