//===- RawConv.cpp - One convolution as a bare oneDNN primitive -----------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RawConv.h"

using namespace rawconv;
using dnnl::memory;
using Tag = memory::format_tag;
using Type = memory::data_type;

static dnnl::primitive_attr reluAttr() {
  dnnl::post_ops ops;
#if DNNL_VERSION_MAJOR >= 3
  ops.append_eltwise(dnnl::algorithm::eltwise_relu, 0, 0);
#else
  ops.append_eltwise(1, dnnl::algorithm::eltwise_relu, 0, 0);
#endif
  dnnl::primitive_attr attr;
  attr.set_post_ops(ops);
  return attr;
}

static dnnl::convolution_forward::primitive_desc
describe(const Layer &layer, const Candidate &candidate,
         const dnnl::engine &engine) {
  memory::dims src{layer.batch, candidate.channels, layer.height, layer.width};
  memory::dims dst{layer.batch, layer.outputs, layer.outputSize(layer.height),
                   layer.outputSize(layer.width)};
  memory::dims weights{layer.outputs / layer.groups,
                       candidate.channels / layer.groups, layer.kernel,
                       layer.kernel};
  if (layer.groups != 1)
    weights.insert(weights.begin(), layer.groups);
  memory::desc srcDesc(src, candidate.type, candidate.tag);
  memory::desc weightsDesc(weights, candidate.type, Tag::any);
  memory::desc biasDesc({layer.outputs}, Type::f32, Tag::x);
  memory::desc dstDesc(dst, candidate.type, candidate.tag);
  memory::dims strides{layer.stride, layer.stride}, dilations{0, 0},
      pads{layer.pad, layer.pad};
  const auto inference = dnnl::prop_kind::forward_inference;
  const auto direct = dnnl::algorithm::convolution_direct;
#if DNNL_VERSION_MAJOR >= 3
  return {engine,  inference, direct,    srcDesc, weightsDesc, biasDesc,
          dstDesc, strides,   dilations, pads,    pads,        reluAttr()};
#else
  return {{inference, direct, srcDesc, weightsDesc, biasDesc, dstDesc, strides,
           dilations, pads, pads},
          reluAttr(),
          engine};
#endif
}

/// A memory of small numbers. Zeros and denormals may run at another speed.
static memory makeMemory(const memory::desc &desc, const dnnl::engine &engine) {
  memory made(desc, engine);
  char *data = static_cast<char *>(made.get_data_handle());
  // 0x3f is the upper byte of numbers near 1 in f32 and in bf16.
  for (size_t i = 0; i < desc.get_size(); ++i)
    data[i] = i % 2 ? 0x3f : static_cast<char>(i * 7);
  return made;
}

Program::Program(const Layer &layer, const Candidate &candidate,
                 const dnnl::engine &engine) {
  auto desc = describe(layer, candidate, engine);
  convolution = dnnl::convolution_forward(desc);
  kernel = desc.impl_info_str();
  arguments = {{DNNL_ARG_SRC, makeMemory(desc.src_desc(), engine)},
               {DNNL_ARG_WEIGHTS, makeMemory(desc.weights_desc(), engine)},
               {DNNL_ARG_BIAS, makeMemory(desc.bias_desc(), engine)},
               {DNNL_ARG_DST, makeMemory(desc.dst_desc(), engine)}};
}

std::vector<Candidate> rawconv::candidates(const Layer &layer, bool bf16) {
  const int64_t inputs = layer.inputs;
  std::vector<Candidate> all{{"f32 any", Type::f32, Tag::any, inputs},
                             {"f32 nhwc", Type::f32, Tag::nhwc, inputs},
                             {"f32 nchw", Type::f32, Tag::nchw, inputs}};
  if (!bf16)
    return all;
  all.push_back({"bf16 any", Type::bf16, Tag::any, inputs});
  all.push_back({"bf16 nhwc", Type::bf16, Tag::nhwc, inputs});
  all.push_back({"bf16 nchw", Type::bf16, Tag::nchw, inputs});
  if (layer.groups == 1)
    for (int64_t channels : {4, 8, 16})
      if (inputs < channels)
        all.push_back({"bf16 nhwc, " + std::to_string(channels) + " channels",
                       Type::bf16, Tag::nhwc, channels});
  return all;
}
