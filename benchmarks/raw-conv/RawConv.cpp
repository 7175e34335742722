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

/// Of sums of integers, for each output channel.
static constexpr float scale = 0.001f;

static bool isInteger(Type type) {
  return type == Type::u8 || type == Type::s8;
}

/// Whether src and dst have zero points. Results of relu need none in u8.
static bool hasZeroPoints(Type type) { return type == Type::s8; }

static dnnl::primitive_attr attributes(const Layer &layer, Type type) {
  dnnl::post_ops ops;
  dnnl::primitive_attr attr;
#if DNNL_VERSION_MAJOR >= 3
  ops.append_eltwise(dnnl::algorithm::eltwise_relu, 0, 0);
  if (isInteger(type))
    attr.set_scales_mask(DNNL_ARG_WEIGHTS, layer.groups == 1 ? 1 : 3);
  for (int argument : {DNNL_ARG_SRC, DNNL_ARG_DST})
    if (hasZeroPoints(type))
      attr.set_zero_points_mask(argument, 0);
#else
  ops.append_eltwise(1, dnnl::algorithm::eltwise_relu, 0, 0);
  if (isInteger(type))
    attr.set_output_scales(1 << 1,
                           std::vector<float>(size_t(layer.outputs), scale));
  for (int argument : {DNNL_ARG_SRC, DNNL_ARG_DST})
    if (hasZeroPoints(type))
      attr.set_zero_points(argument, 0, {DNNL_RUNTIME_S32_VAL});
#endif
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
  const bool isQuantized = isInteger(candidate.type);
  memory::desc weightsDesc(weights, isQuantized ? Type::s8 : candidate.type,
                           Tag::any);
  memory::desc biasDesc({layer.outputs}, isQuantized ? Type::s32 : Type::f32,
                        Tag::x);
  memory::desc dstDesc(dst, candidate.type, candidate.tag);
  memory::dims strides{layer.stride, layer.stride}, dilations{0, 0},
      pads{layer.pad, layer.pad};
  const dnnl::primitive_attr attr = attributes(layer, candidate.type);
  const auto inference = dnnl::prop_kind::forward_inference;
  const auto direct = dnnl::algorithm::convolution_direct;
#if DNNL_VERSION_MAJOR >= 3
  return {engine,  inference, direct,    srcDesc, weightsDesc, biasDesc,
          dstDesc, strides,   dilations, pads,    pads,        attr};
#else
  return {{inference, direct, srcDesc, weightsDesc, biasDesc, dstDesc, strides,
           dilations, pads, pads},
          attr,
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
  if (isInteger(candidate.type))
    addQuantization(layer, candidate.type, engine);
}

/// The arguments for what the attributes leave open.
void Program::addQuantization([[maybe_unused]] const Layer &layer, Type type,
                              const dnnl::engine &engine) {
#if DNNL_VERSION_MAJOR >= 3
  memory scales({{layer.outputs}, Type::f32, Tag::x}, engine);
  std::fill_n(static_cast<float *>(scales.get_data_handle()), layer.outputs,
              scale);
  arguments.insert({DNNL_ARG_ATTR_SCALES | DNNL_ARG_WEIGHTS, scales});
#endif
  for (int argument : {DNNL_ARG_SRC, DNNL_ARG_DST})
    if (hasZeroPoints(type)) {
      memory zero({{1}, Type::s32, Tag::x}, engine);
      *static_cast<int32_t *>(zero.get_data_handle()) = 7;
      arguments.insert({DNNL_ARG_ATTR_ZERO_POINTS | argument, zero});
    }
}

const std::map<std::string, Type> &rawconv::types() {
  static const std::map<std::string, Type> all{{"f32", Type::f32},
                                               {"bf16", Type::bf16},
                                               {"u8", Type::u8},
                                               {"s8", Type::s8}};
  return all;
}

std::vector<Candidate> rawconv::candidates(const Layer &layer,
                                           const std::string &name) {
  const Type type = types().at(name);
  const int64_t inputs = layer.inputs;
  std::vector<Candidate> all{{"f32 any", Type::f32, Tag::any, inputs},
                             {"f32 nhwc", Type::f32, Tag::nhwc, inputs},
                             {"f32 nchw", Type::f32, Tag::nchw, inputs}};
  if (type == Type::f32)
    return all;
  all.push_back({name + " any", type, Tag::any, inputs});
  all.push_back({name + " nhwc", type, Tag::nhwc, inputs});
  if (isInteger(type))
    return all; // with channels first they have reference kernels only
  all.push_back({name + " nchw", type, Tag::nchw, inputs});
  if (layer.groups == 1)
    for (int64_t channels : {4, 8, 16})
      if (inputs < channels)
        all.push_back({"bf16 nhwc, " + std::to_string(channels) + " channels",
                       Type::bf16, Tag::nhwc, channels});
  return all;
}
