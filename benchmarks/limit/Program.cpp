//===- Program.cpp - The primitives of a network, ready to run ------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include "Describe.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>

using namespace limit;
using dnnl::memory;
using Tag = memory::format_tag;
using Type = memory::data_type;

// Convolutions with fewer input channels have no bf16 kernel.
static const int64_t kFewChannels = 16;

// Of images in s8.
static const int32_t kZeroPoint = 7;

//===----------------------------------------------------------------------===//
// Configurations
//===----------------------------------------------------------------------===//

static bool hasResidual(const Network &network) {
  return std::any_of(network.begin(), network.end(),
                     [](const Layer &layer) { return layer.residual >= 0; });
}

std::string Configuration::name(const Network &network) const {
  std::string text = nhwc ? "nhwc" : "any";
  if (hasResidual(network))
    text += sum ? "+sum" : "+binary";
  int64_t channels = network.front().c;
  if (type == Type::bf16 && inputChannels == 0)
    text += "+first-f32";
  else if (inputChannels != channels)
    text += "+" + std::to_string(inputChannels) + "-channels";
  if (winogradFrom)
    text += "+winograd-from-" + std::to_string(winogradFrom);
  return text;
}

static bool hasWinograd(const Layer &layer) {
  return layer.kind == "conv" && layer.kernel == 3 && layer.stride == 1 &&
         layer.groups == 1;
}

std::vector<Configuration>
limit::configurations(const Network &network, Type type, bool allowWinograd) {
  std::vector<int64_t> inputChannels{network.front().c};
  if (type == Type::bf16 && network.front().c < kFewChannels)
    inputChannels = {0, 4, 8, 16};
  bool isFiltered = allowWinograd && type == Type::f32 &&
                    std::any_of(network.begin(), network.end(), hasWinograd);
  std::vector<Configuration> all;
  for (bool nhwc : {true, false})
    for (bool sum : {true, false})
      for (int64_t channels : inputChannels)
        if ((sum || hasResidual(network)) &&
            (channels == 0 || channels >= network.front().c))
          for (int64_t winogradFrom : {0, 1, 14})
            if (winogradFrom == 0 || isFiltered)
              all.push_back({type, nhwc, sum, channels, winogradFrom});
  return all;
}

//===----------------------------------------------------------------------===//
// Memories
//===----------------------------------------------------------------------===//

static bool isNone(int64_t number) { return number < 0; }

static Tag plainTag(const memory::dims &dims, bool nhwc) {
  if (dims.size() == 2)
    return Tag::nc;
  return nhwc ? Tag::nhwc : Tag::nchw;
}

/// The format that the configuration gives to a result.
memory::desc Program::wanted(const Dims &dims, Type type) const {
  return {dims, type,
          configuration.nhwc ? plainTag(dims, /*nhwc=*/true) : Tag::any};
}

memory Program::makeMemory(const memory::desc &desc) {
  memory made(desc, engine);
  // Touches every page before the first run.
  memset(made.get_data_handle(), 0, desc.get_size());
  return made;
}

/// Values around zero, such that sums have the size of the input: nothing
/// overflows or becomes denormal, which may run at another speed.
memory Program::makeWeights(const memory::desc &desc, Type type,
                            int64_t fanIn) {
  memory made = makeMemory(desc);
  if (type == Type::s8) {
    auto *data = static_cast<int8_t *>(made.get_data_handle());
    std::generate_n(data, desc.get_size(), [&] {
      random = random * 1664525u + 1013904223u;
      return static_cast<int8_t>(random >> 24);
    });
    return made;
  }
  const float reach = std::sqrt(4.5f / float(fanIn));
  auto next = [&] {
    random = random * 1664525u + 1013904223u;
    return reach * (float(random >> 8) / float(1 << 23) - 1.0f);
  };
  if (type == Type::f32) {
    auto *data = static_cast<float *>(made.get_data_handle());
    std::generate_n(data, desc.get_size() / sizeof(float), next);
    return made;
  }
  auto *data = static_cast<uint16_t *>(made.get_data_handle());
  std::generate_n(data, desc.get_size() / sizeof(uint16_t), [&] {
    float value = next();
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return uint16_t(bits >> 16);
  });
  return made;
}

static bool isInteger(Type type) {
  return type == Type::u8 || type == Type::s8;
}

/// A bias is added to a sum of integers in s32.
static Type biasTypeOf(Type type) {
  return isInteger(type) ? Type::s32 : Type::f32;
}

static Type weightsTypeOf(Type type) {
  return isInteger(type) ? Type::s8 : type;
}

memory Program::makeBias(int64_t channels, Type type) {
  memory::desc desc({channels}, biasTypeOf(type), Tag::x);
  return isInteger(type) ? makeMemory(desc) : makeWeights(desc, Type::f32, 100);
}

/// Scales sums of integers, such that results have the size of the input.
void Program::scaleSums(const Layer &layer, int64_t fanIn,
                        dnnl::primitive_attr &attr,
                        std::unordered_map<int, memory> &arguments) {
  const float scale = 1.4f / (73 * std::sqrt(float(fanIn)));
  int argument = addScales(attr, layer.channels, layer.groups, scale);
  if (argument == 0)
    return;
  memory scales = makeMemory({{layer.channels}, Type::f32, Tag::x});
  std::fill_n(static_cast<float *>(scales.get_data_handle()), layer.channels,
              scale);
  arguments.insert({argument, scales});
}

/// Gives src and dst a zero point. Results of relu need none in u8.
void Program::addZeroPoints(dnnl::primitive_attr &attr,
                            std::unordered_map<int, memory> &arguments) {
  for (int argument : {DNNL_ARG_SRC, DNNL_ARG_DST}) {
    addZeroPoint(attr, argument);
    memory zero = makeMemory({{1}, Type::s32, Tag::x});
    *static_cast<int32_t *>(zero.get_data_handle()) = kZeroPoint;
    arguments.insert({DNNL_ARG_ATTR_ZERO_POINTS | argument, zero});
  }
}

void Program::addReorder(memory &from, memory &to) {
  dnnl::reorder::primitive_desc desc(from, to);
  steps.push_back({"reorder",
                   desc.impl_info_str(),
                   dnnl::reorder(desc),
                   {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}}});
}

/// Buffer `number` in the format `desc`, by a reorder if it has another format.
memory Program::inFormat(int64_t number, const memory::desc &desc) {
  std::vector<memory> &versions = buffers.at(number).versions;
  for (memory &version : versions)
    if (version.get_desc() == desc)
      return version;
  memory made = makeMemory(desc);
  intermediateBytes += desc.get_size();
  addReorder(versions.front(), made);
  versions.push_back(made);
  return made;
}

/// The input in bf16 and NHWC, padded with channels of zeros.
memory Program::padInput(const Dims &dims) {
  memory padded = makeMemory({dims, Type::bf16, Tag::nhwc});
  intermediateBytes += padded.get_desc().get_size();
  Buffer &input = buffers.at(network.front().dst);
  memory part(padded.get_desc().submemory_desc(input.dims, {0, 0, 0, 0}),
              engine, padded.get_data_handle());
  addReorder(input.versions.front(), part);
  // Keeps the memory behind `part`, which the reorder writes to.
  input.versions.push_back(padded);
  return padded;
}

void Program::addResult(int64_t number, const Dims &dims, Type type,
                        const memory &result) {
  buffers[number] = {dims, type, {result}};
}

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

static void appendActivation(dnnl::post_ops &ops, const std::string &name) {
  if (name == "relu")
    appendEltwise(ops, dnnl::algorithm::eltwise_relu, 0, 0);
  else if (name == "relu6")
    appendEltwise(ops, dnnl::algorithm::eltwise_clip, 0, 6);
}

static int64_t outputSize(int64_t size, const Layer &layer, int64_t end) {
  return (size + layer.pad + end - layer.kernel) / layer.stride + 1;
}

void Program::addInput(const Layer &layer) {
  Dims dims{layer.n, layer.c, layer.h, layer.w};
  memory input = makeWeights({dims, Type::f32, Tag::nchw}, Type::f32, 1);
  addResult(layer.dst, dims, Type::f32, input);
}

/// A convolution by minimal filtering if the configuration asks for it and
/// oneDNN can, in the formats that it needs; else a direct one.
static dnnl::convolution_forward::primitive_desc
chooseConvolution(const ConvolutionOperands &operands, const Layer &layer,
                  const dnnl::primitive_attr &attr, bool isFiltered,
                  const dnnl::engine &engine) {
  if (isFiltered) {
    try {
      return describeConvolution(dnnl::algorithm::convolution_winograd,
                                 {inAnyFormat(operands.src), operands.weights,
                                  operands.bias, inAnyFormat(operands.dst)},
                                 layer, attr, engine);
    } catch (const dnnl::error &) {
      // oneDNN cannot, for this layer or for these post-ops.
    }
  }
  return describeConvolution(dnnl::algorithm::convolution_direct, operands,
                             layer, attr, engine);
}

namespace {
struct ConvolutionSizes {
  ConvolutionSizes(const memory::dims &src, const Layer &layer)
      : src(src),
        dst{src[0], layer.channels, outputSize(src[2], layer, layer.pad),
            outputSize(src[3], layer, layer.pad)},
        weights{layer.channels / layer.groups, src[1] / layer.groups,
                layer.kernel, layer.kernel},
        fanIn(src[1] / layer.groups * layer.kernel * layer.kernel) {
    if (layer.groups != 1)
      weights.insert(weights.begin(), layer.groups);
  }

  memory::dims src, dst, weights;
  int64_t fanIn; // elements of src in the sum for an element of dst
};
} // namespace

bool Program::isFiltered(const Layer &layer, const Dims &dst) const {
  return configuration.winogradFrom && hasWinograd(layer) &&
         std::min(dst[2], dst[3]) >= configuration.winogradFrom;
}

/// Appends the addition of a layer's residual to `ops`. It is in place if the
/// configuration asks for it and nothing else reads the residual. Then `dst`
/// has its format.
Program::Residual Program::addResidual(size_t index, Type type,
                                       memory::desc &dst, dnnl::post_ops &ops) {
  int64_t number = network[index].residual;
  if (isNone(number))
    return {};
  const Buffer &buffer = buffers.at(number);
  memory given = buffer.versions.front();
  if (configuration.sum && !isReadAfter(network, index, number) &&
      buffer.type == type) {
    // As residuals of integers have it, whose scales differ.
    ops.append_sum(isInteger(type) ? 0.5f : 1.0f,
                   type == Type::s8 ? kZeroPoint : 0);
    if (!configuration.nhwc)
      dst = given.get_desc();
    return {given, /*isInPlace=*/true};
  }
  if (configuration.nhwc)
    given = inFormat(number, dst);
  ops.append_binary(dnnl::algorithm::binary_add, given.get_desc());
  return {given, /*isInPlace=*/false};
}

void Program::addConvolution(size_t index) {
  const Layer &layer = network[index];
  const bool isFirst = layer.src == network.front().dst;
  Type type = configuration.type;
  if (isFirst && configuration.inputChannels == 0)
    type = Type::f32;
  Dims srcDims = buffers.at(layer.src).dims;
  const bool isPadded =
      isFirst && type == Type::bf16 && configuration.inputChannels > srcDims[1];
  if (isPadded)
    srcDims[1] = configuration.inputChannels;
  const ConvolutionSizes sizes(srcDims, layer);

  memory::desc src = isPadded ? memory::desc(sizes.src, type, Tag::nhwc)
                              : wanted(sizes.src, type);
  memory::desc dst = wanted(sizes.dst, type);
  memory bias = makeBias(layer.channels, type);
  dnnl::post_ops ops;
  Residual residual = addResidual(index, type, dst, ops);
  appendActivation(ops, layer.activation);
  dnnl::primitive_attr attr;
  attr.set_post_ops(ops);
  std::unordered_map<int, memory> arguments;
  if (isInteger(type))
    scaleSums(layer, sizes.fanIn, attr, arguments);
  if (type == Type::s8)
    addZeroPoints(attr, arguments);
  const Type weightsType = weightsTypeOf(type);
  auto desc = chooseConvolution(
      {src, {sizes.weights, weightsType, Tag::any}, bias.get_desc(), dst},
      layer, attr, isFiltered(layer, sizes.dst), engine);

  memory result = residual.isInPlace ? inFormat(layer.residual, desc.dst_desc())
                                     : makeMemory(desc.dst_desc());
  memory input =
      isPadded ? padInput(sizes.src) : inFormat(layer.src, desc.src_desc());
  if (!residual.isInPlace)
    intermediateBytes += desc.dst_desc().get_size();
  arguments.insert({{DNNL_ARG_SRC, input},
                    {DNNL_ARG_WEIGHTS, makeWeights(desc.weights_desc(),
                                                   weightsType, sizes.fanIn)},
                    {DNNL_ARG_BIAS, bias},
                    {DNNL_ARG_DST, result}});
  if (residual.memory && !residual.isInPlace)
    arguments.insert(
        {DNNL_ARG_ATTR_MULTIPLE_POST_OP(0) | DNNL_ARG_SRC_1, residual.memory});
  steps.push_back({"conv " + std::to_string(layer.dst), desc.impl_info_str(),
                   dnnl::convolution_forward(desc), std::move(arguments)});
  addResult(layer.dst, sizes.dst, type, result);
}

void Program::addPooling(const Layer &layer) {
  const Buffer &src = buffers.at(layer.src);
  const bool isAverage = layer.kind == "average";
  const Type type = src.type;
  Dims kernel(2, layer.kernel), strides(2, layer.stride);
  Dims dims{src.dims[0], src.dims[1], 1, 1};
  if (isAverage) {
    kernel = {src.dims[2], src.dims[3]};
  } else {
    dims[2] = outputSize(src.dims[2], layer, layer.end);
    dims[3] = outputSize(src.dims[3], layer, layer.end);
  }
  memory input = configuration.nhwc
                     ? inFormat(layer.src, wanted(src.dims, type))
                     : src.versions.front();
  auto desc = describePooling(
      isAverage ? dnnl::algorithm::pooling_avg_exclude_padding
                : dnnl::algorithm::pooling_max,
      input.get_desc(), wanted(dims, type), strides, kernel, Dims(2, layer.pad),
      Dims(2, isAverage ? layer.pad : layer.end), engine);
  memory dst = makeMemory(desc.dst_desc());
  intermediateBytes += desc.dst_desc().get_size();
  steps.push_back({layer.kind + " " + std::to_string(layer.dst),
                   desc.impl_info_str(),
                   dnnl::pooling_forward(desc),
                   {{DNNL_ARG_SRC, input}, {DNNL_ARG_DST, dst}}});
  addResult(layer.dst, dims, type, dst);
}

void Program::addLinear(const Layer &layer) {
  const Dims srcDims = buffers.at(layer.src).dims;
  const Type type = configuration.type;
  const Type dstType = layer.dst == network.back().src ? Type::f32 : type;
  Dims dims{srcDims[0], layer.channels}, weightsDims = srcDims;
  weightsDims[0] = layer.channels;
  int64_t fanIn = 1;
  for (size_t i = 1; i < srcDims.size(); ++i)
    fanIn *= srcDims[i];
  dnnl::post_ops ops;
  appendActivation(ops, layer.activation);
  dnnl::primitive_attr attr;
  attr.set_post_ops(ops);
  std::unordered_map<int, memory> arguments;
  if (isInteger(type))
    scaleSums(layer, fanIn, attr, arguments);
  const Type weightsType = weightsTypeOf(type);
  memory bias = makeBias(layer.channels, type);
  auto desc = describeLinear(
      wanted(srcDims, type), {weightsDims, weightsType, Tag::any},
      bias.get_desc(), {dims, dstType, Tag::nc}, attr, engine);
  memory dst = makeMemory(desc.dst_desc());
  intermediateBytes += desc.dst_desc().get_size();
  memory input = inFormat(layer.src, desc.src_desc());
  arguments.insert(
      {{DNNL_ARG_SRC, input},
       {DNNL_ARG_WEIGHTS, makeWeights(desc.weights_desc(), weightsType, fanIn)},
       {DNNL_ARG_BIAS, bias},
       {DNNL_ARG_DST, dst}});
  steps.push_back({"linear " + std::to_string(layer.dst), desc.impl_info_str(),
                   dnnl::inner_product_forward(desc), std::move(arguments)});
  addResult(layer.dst, dims, dstType, dst);
}

void Program::addOutput(const Layer &layer) {
  const Dims &dims = buffers.at(layer.src).dims;
  inFormat(layer.src, {dims, Type::f32, plainTag(dims, /*nhwc=*/false)});
}

Program::Program(const Network &network, const Configuration &configuration,
                 const dnnl::engine &engine)
    : network(network), configuration(configuration), engine(engine) {
  for (size_t i = 0; i < network.size(); ++i) {
    const Layer &layer = network[i];
    if (layer.kind == "input")
      addInput(layer);
    else if (layer.kind == "conv")
      addConvolution(i);
    else if (layer.kind == "maximum" || layer.kind == "average")
      addPooling(layer);
    else if (layer.kind == "linear")
      addLinear(layer);
    else if (layer.kind == "output")
      addOutput(layer);
    else
      throw std::runtime_error("there is no layer of kind '" + layer.kind +
                               "'");
  }
}

int Program::referenceKernels() const {
  return int(std::count_if(steps.begin(), steps.end(),
                           [](const Step &s) { return s.isReference(); }));
}
