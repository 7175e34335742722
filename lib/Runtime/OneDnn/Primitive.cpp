//===- Primitive.cpp - Problems as oneDNN is told about them --------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Primitive.h"

#include "Kernels.h"
#include "Support.h"

#include <algorithm>

using namespace fusion::runtime;
using dnnl::memory;

const dnnl::engine &fusion::runtime::cpuEngine() {
  static const auto *engine = new dnnl::engine(dnnl::engine::kind::cpu, 0);
  return *engine;
}

memory::data_type fusion::runtime::toDnnl(fusion_rt_type type) {
  switch (type) {
  case FUSION_RT_TYPE_F32:
    return memory::data_type::f32;
  case FUSION_RT_TYPE_BF16:
    return memory::data_type::bf16;
  case FUSION_RT_TYPE_F16:
    return memory::data_type::f16;
  case FUSION_RT_TYPE_S8:
    return memory::data_type::s8;
  case FUSION_RT_TYPE_U8:
    return memory::data_type::u8;
  case FUSION_RT_TYPE_S32:
    return memory::data_type::s32;
  case FUSION_RT_TYPE_NONE:
    break;
  }
  return memory::data_type::undef;
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

static memory::format_tag blockedTag(const View &view) {
  using tag = memory::format_tag;
  constexpr tag by8[] = {tag::nCw8c, tag::nChw8c, tag::nCdhw8c};
  constexpr tag by16[] = {tag::nCw16c, tag::nChw16c, tag::nCdhw16c};
  return (view.channelsPerBlock == 8 ? by8 : by16)[view.rank - 3];
}

/// The descriptor of `view`. A view with blocks of channels, of 8 or 16, is
/// dense.
static memory::desc tensorDesc(const View &view) {
  memory::dims sizes(view.sizes, view.sizes + view.rank);
  if (view.hasBlocks())
    return memory::desc(sizes, toDnnl(view.type), blockedTag(view));
  return memory::desc(sizes, toDnnl(view.type),
                      memory::dims(view.strides, view.strides + view.rank));
}

/// oneDNN needs the groups of weights as a dimension of their own.
static memory::desc groupedDesc(const View &weights, int64_t groups) {
  if (groups == 1)
    return tensorDesc(weights);
  int64_t perGroup = weights.sizes[0] / groups;
  memory::dims sizes{groups, perGroup};
  memory::dims strides{weights.strides[0] * perGroup, weights.strides[0]};
  sizes.insert(sizes.end(), weights.sizes + 1, weights.sizes + weights.rank);
  strides.insert(strides.end(), weights.strides + 1,
                 weights.strides + weights.rank);
  return memory::desc(sizes, toDnnl(weights.type), strides);
}

bool fusion::runtime::continuesRows(const View &view) {
  return view.sizes[0] == 1 || view.sizes[2] == 1 ||
         view.strides[0] == view.strides[2] * view.sizes[2];
}

bool fusion::runtime::mustCopy(const View &view, fusion_rt_type type) {
  if (view.type != type)
    return true;
  for (int outer = 0; outer < view.rank; ++outer) {
    if (view.sizes[outer] <= 1)
      continue;
    if (view.strides[outer] < 1)
      return true;
    for (int inner = 0; inner < view.rank; ++inner)
      if (inner != outer && view.sizes[inner] > 1 &&
          view.strides[inner] <= view.strides[outer] &&
          view.strides[inner] * view.sizes[inner] > view.strides[outer])
        return true;
  }
  return false;
}

/// The matrices of src, dst or residual: b, m, k; or m, k if the rows of the
/// whole batch are one matrix.
static memory::desc matrixDesc(const View &view, bool isOneMatrix) {
  const int64_t *sizes = view.sizes, *strides = view.strides;
  if (!isOneMatrix)
    return memory::desc({sizes[0], sizes[2], sizes[1]}, toDnnl(view.type),
                        memory::dims{strides[0], strides[2], strides[1]});
  int64_t rowStride = sizes[2] == 1 ? strides[0] : strides[2];
  // That of one column is the batch's: kernels take it for a leading dimension.
  int64_t columnStride = sizes[1] == 1 ? 1 : strides[1];
  return memory::desc({sizes[0] * sizes[2], sizes[1]}, toDnnl(view.type),
                      memory::dims{rowStride, columnStride});
}

/// The residual in the form that a kernel reads.
static View makeResidual(const Descriptor &descriptor, const View &dst) {
  View residual = dst;
  residual.type = descriptor.residualType();
  return residual;
}

static memory::data_type biasType(const Descriptor &descriptor) {
  return descriptor.isQuantized() &&
                 descriptor.quantization.bias_type == FUSION_RT_TYPE_S32
             ? memory::data_type::s32
             : memory::data_type::f32;
}

static Operands describeMatrices(const Descriptor &descriptor, const View &src,
                                 const View &weights, const View &dst) {
  bool isOneMatrix =
      weights.sizes[2] == 1 && continuesRows(src) && continuesRows(dst);
  Operands operands;
  operands.src = matrixDesc(src, isOneMatrix);
  operands.dst = matrixDesc(dst, isOneMatrix);
  if (descriptor.hasResidual())
    operands.residual = matrixDesc(makeResidual(descriptor, dst), isOneMatrix);
  memory::dims sizes{weights.sizes[2], weights.sizes[1], weights.sizes[0]};
  memory::dims strides{weights.strides[2], weights.strides[1],
                       weights.strides[0]};
  memory::dims biasSizes{1, 1, dst.sizes[1]};
  memory::dims biasStrides{dst.sizes[1], dst.sizes[1], 1};
  if (isOneMatrix)
    for (memory::dims *dims : {&sizes, &strides, &biasSizes, &biasStrides})
      dims->erase(dims->begin());
  operands.weights = memory::desc(sizes, toDnnl(weights.type), strides);
  if (descriptor.hasBias())
    operands.bias = memory::desc(biasSizes, biasType(descriptor), biasStrides);
  return operands;
}

Operands fusion::runtime::describeOperands(const Descriptor &descriptor,
                                           const View &src, const View &weights,
                                           const View &dst) {
  if (descriptor.kind == OpKind::Matmul)
    return describeMatrices(descriptor, src, weights, dst);
  // The kernels for a channel by itself take images of floats, and no lines.
  if (isDepthwiseOfLines(descriptor, src, weights))
    return describeOperands(descriptor, makeRows(src), makeRows(weights),
                            makeRows(dst));
  Operands operands;
  operands.src = tensorDesc(src);
  if (descriptor.hasWeights())
    operands.weights = groupedDesc(weights, descriptor.raw.groups);
  operands.dst = tensorDesc(dst);
  if (descriptor.hasResidual())
    operands.residual = tensorDesc(makeResidual(descriptor, dst));
  if (descriptor.hasBias())
    operands.bias =
        memory::desc({dst.sizes[1]}, biasType(descriptor), memory::dims{1});
  return operands;
}

memory::desc fusion::runtime::describeDense(const View &view) {
  return tensorDesc(makeDense(view, view.type, Order::ChannelsLast));
}

memory::desc fusion::runtime::anyLayout(const memory::desc &desc) {
  return memory::desc(sizesOf(desc), typeOf(desc), memory::format_tag::any);
}

bool fusion::runtime::isLaidOutAs(const memory::desc &given,
                                  const memory::desc &wanted) {
  memory::dims strides = plainStrides(wanted);
  if (strides.empty())
    return false;
  memory::dims sizes = sizesOf(given), givenStrides = plainStrides(given);
  for (size_t dim = 0; dim < sizes.size(); ++dim)
    if (sizes[dim] > 1 && strides[dim] != givenStrides[dim])
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Primitives
//===----------------------------------------------------------------------===//

/// Lines that are the rows of images have `ofRow` where they have no value.
static memory::dims spatial(const Descriptor &descriptor,
                            const Operands &operands, const int64_t *values,
                            int64_t ofRow, int64_t minus = 0) {
  memory::dims dims(values, values + descriptor.raw.spatial_rank);
  for (int64_t &dim : dims)
    dim -= minus;
  if (sizesOf(operands.src).size() > size_t(descriptor.rank()))
    dims.insert(dims.begin(), ofRow);
  return dims;
}

/// Whether the window at `begin` has an element of a dimension of `size`: it
/// tests the first element of the window that is not below 0.
static bool touches(int64_t begin, int64_t kernel, int64_t step, int64_t size) {
  int64_t first = begin < 0 ? (step - 1 - begin) / step : 0;
  return first < kernel && begin + first * step < size;
}

/// Whether some output depends on padding alone: its window is beyond the
/// input, or the elements of a dilated kernel are all around the input.
static bool hasWindowInPadding(const ConvolutionSpec &spec) {
  memory::dims weights = sizesOf(spec.weights), src = sizesOf(spec.src),
               dst = sizesOf(spec.dst);
  size_t rank = spec.strides.size();
  for (size_t i = 0; i < rank; ++i) {
    int64_t kernel = weights[weights.size() - rank + i];
    for (int64_t o = 0; o < dst[i + 2]; ++o)
      if (!touches(o * spec.strides[i] - spec.padLow[i], kernel,
                   spec.dilations[i] + 1, src[i + 2]))
        return true;
  }
  return false;
}

/// Whether the output is one element wide, with a stride of more than one, and
/// computed from one input channel, or in tiles of AMX.
static bool isMisreadColumn(const ConvolutionSpec &spec) {
  memory::dims weights = sizesOf(spec.weights), dst = sizesOf(spec.dst);
  int64_t channels = weights[weights.size() - spec.strides.size() - 1];
  bool isInTiles =
      hasAmx() && memory::data_type_size(typeOf(spec.src)) < sizeof(float);
  return (channels == 1 || isInTiles) && weights.back() > 1 &&
         dst.back() == 1 && spec.strides.back() > 1;
}

/// Whether there are elements between the images of a tensor with channels
/// last, as in a slice of larger images.
static bool hasGaps(const memory::desc &desc) {
  memory::dims sizes = sizesOf(desc), strides = plainStrides(desc);
  if (strides.empty() || sizes[0] == 1 || (sizes[1] > 1 && strides[1] != 1))
    return false;
  int64_t elements = 1;
  for (size_t i = 1; i < sizes.size(); ++i)
    elements *= sizes[i];
  return strides[0] != elements;
}

/// Whether the kernel that is made of blocks of matrices gets too much code. It
/// has code of its own for each output in a row that reads padding, and in that
/// for each element of the window. Generating it takes 0.2 s at the bound.
static bool hasLongCode(const ConvolutionSpec &spec) {
  constexpr int64_t bound = 100000000;
  int64_t window = sizesOf(spec.weights).back();
  int64_t padded = std::min(sizesOf(spec.dst).back(),
                            spec.padLow.back() + spec.padHigh.back());
  return padded > bound / window;
}

/// Whether the kernel that computes tiles of 4x4 outputs has too few tiles for
/// its blocks. Measured, it takes up to 1.9 times as long as a direct one with
/// less than 32 tiles, and gains with more.
static bool hasFewTiles(const ConvolutionSpec &spec) {
  memory::dims dst = sizesOf(spec.dst);
  return dst[0] * ((dst[2] + 3) / 4) * ((dst[3] + 3) / 4) < 32;
}

/// Whether the kernel for a few channels at a time is the faster one for a
/// depthwise convolution. The other one multiplies all channels of a row at
/// once. docs/Runtime.md has what was measured, also with AMX.
static bool gainsByChannel(const ConvolutionSpec &spec) {
  memory::dims weights = sizesOf(spec.weights);
  memory::data_type type = typeOf(spec.src);
  bool isDepthwise = weights.size() == spec.strides.size() + 3 &&
                     weights[1] == 1 && weights[2] == 1;
  if (!isDepthwise || type == memory::data_type::f32)
    return isDepthwise;
  bool isOfBytes = memory::data_type_size(type) == 1;
  return hasSlowDepthwiseBlocks && !hasAmx() &&
         (!isOfBytes || weights[0] % 16 == 0);
}

/// Whether the implementation, from blocks of matrices, is slower than the one
/// that `beatsBlocks`, if there is one.
static bool isSlowForBlocks(const std::string &implementation,
                            const ConvolutionSpec &spec) {
  bool isDepthwise = implementation.find("brdgmm") != std::string::npos;
  return isSlowWithAvx2(implementation) ||
         (isDepthwise && gainsByChannel(spec));
}

static PoolSpec describePool(const Descriptor &descriptor,
                             const Operands &operands) {
  const fusion_rt_conv_desc &raw = descriptor.raw;
  PoolSpec spec{descriptor.pooling,
                operands.src,
                operands.dst,
                spatial(descriptor, operands, raw.strides, 1),
                spatial(descriptor, operands, descriptor.kernel, 1),
                spatial(descriptor, operands, raw.pad_low, 0),
                spatial(descriptor, operands, raw.pad_high, 0)};
  // With SSE4.1 alone, this kernel of oneDNN 2.6 crashes in post-ops if the
  // channels do not fill pairs of vectors.
  if (spec.pooling == FUSION_RT_POOL_SUM && sizesOf(operands.src)[1] % 8 != 0)
    spec.avoided.push_back("jit:sse41");
  return spec;
}

/// The matrix `weights` in blocks of `columns`.
static memory::desc inBlocks(const memory::desc &weights, int columns) {
  using tag = memory::format_tag;
  bool isNarrow = columns == 32;
  tag layout = typeOf(weights) == memory::data_type::bf16
                   ? (isNarrow ? tag::BA16a32b2a : tag::BA16a64b2a)
                   : (isNarrow ? tag::BA16a32b : tag::BA16a64b);
  return memory::desc(sizesOf(weights), typeOf(weights), layout);
}

/// Whether the kernel multiplies a few rows by weights in blocks of 64 columns,
/// which it reads slowly from memory. Measured over 9 shapes of 1, 2, 4 and 8
/// rows (AMD Zen 4, one thread, oneDNN 2.6.3), blocks of 32 columns take 0.67
/// of the time in f32 and 0.77 in bf16 with weights that are not in a cache
/// (geometric means; 0.44 to 1.02; with oneDNN 3.7.2 0.71 and 0.79), and 0.88
/// and 1.01 with the same weights in each call (0.46 to 1.35). Weights that the
/// second cache holds lose, up to 1.15 and 1.43. 16 or more rows, and 8-bit
/// integers, gain nothing.
static bool readsSlowly(const MatmulSpec &spec,
                        const dnnl::matmul::primitive_desc &kernel) {
  constexpr int64_t fewRows = 8, leastBytes = 1 << 20;
  memory::data_type type = typeOf(spec.weights);
  memory::dims sizes = sizesOf(spec.weights);
  bool isFloat =
      type == memory::data_type::f32 || type == memory::data_type::bf16;
  std::string name = kernel.impl_info_str();
  bool isForVectors = name.find("brg") == 0 &&
                      name.find("avx512") != std::string::npos &&
                      name.find("amx") == std::string::npos;
  return isFloat && isForVectors && sizes.size() == 2 &&
         sizesOf(spec.src)[0] <= fewRows &&
         sizes[0] * sizes[1] * int64_t(memory::data_type_size(type)) >=
             leastBytes &&
         spec.weights == anyLayout(spec.weights) &&
         kernel.weights_desc() == inBlocks(spec.weights, 64);
}

/// Whether a tile of AMX, of 16 rows, has too few of them. Measured over 6
/// shapes of 8-bit integers (an Intel Xeon, one thread, oneDNN 2.6.3), kernels
/// with VNNI take 0.81 to 0.96 of the time with one to three rows, geometric
/// means of weights in the second cache and of others, and 1.00 and 1.05 with
/// four. In bf16 one row has 0.99 and 1.06; with oneDNN 3.7.2 kernels for AMX
/// are as fast or faster.
static bool hasFewRows(const MatmulSpec &spec) {
  constexpr int64_t fewRows = 3;
  memory::dims sizes = sizesOf(spec.src);
  return hasSlowTilesOfFewRows &&
         memory::data_type_size(typeOf(spec.src)) == 1 &&
         sizes[sizes.size() - 2] <= fewRows;
}

static dnnl::primitive_desc_base
describeMatmul(MatmulSpec spec, const dnnl::primitive_attr &attr) {
  if (hasFewRows(spec))
    spec.avoided.push_back("amx");
  auto kernel = createMatmul(spec, attr, cpuEngine());
  if (!kernel || environment().plan == PlanPreference::Direct ||
      !readsSlowly(spec, kernel))
    return kernel;
  std::string name = kernel.impl_info_str();
  spec.weights = inBlocks(spec.weights, 32);
  auto narrow = createMatmul(spec, attr, cpuEngine());
  return narrow && narrow.impl_info_str() == name ? narrow : kernel;
}

dnnl::primitive_desc_base fusion::runtime::describePrimitive(
    const Descriptor &descriptor, const Operands &operands,
    const memory::desc &weights, bool addsBias, bool isWinograd,
    const dnnl::primitive_attr &attr,
    const std::vector<const char *> &avoided) {
  const memory::desc *bias = addsBias ? &operands.bias : nullptr;
  if (descriptor.kind == OpKind::Matmul)
    return describeMatmul({operands.src, weights, bias, operands.dst}, attr);
  const fusion_rt_conv_desc &raw = descriptor.raw;
  if (descriptor.kind == OpKind::Pool)
    return createPool(describePool(descriptor, operands), attr, cpuEngine());
  ConvolutionSpec spec{operands.src,
                       weights,
                       bias,
                       operands.dst,
                       spatial(descriptor, operands, raw.strides, 1),
                       spatial(descriptor, operands, raw.dilations, 0, 1),
                       spatial(descriptor, operands, raw.pad_low, 0),
                       spatial(descriptor, operands, raw.pad_high, 0)};
  if (hasGaps(spec.src) || hasGaps(spec.dst))
    spec.avoided = kernelsIgnoringGaps();
  spec.avoided.insert(spec.avoided.end(), avoided.begin(), avoided.end());
  if (descriptor.kind == OpKind::Deconvolution)
    return createDeconvolution(spec, attr, cpuEngine());
  if (isWinograd) {
    spec.algorithm = dnnl::algorithm::convolution_winograd;
    if (hasFewTiles(spec))
      spec.avoided.push_back("wino_4x3");
    return createConvolution(spec, attr, cpuEngine());
  }
  // It crashes, or loses the bias, if an output depends on padding alone, with
  // oneDNN 2.6 and with 3.7.
  if (hasWindowInPadding(spec) || hasLongCode(spec) ||
      (blockedConvolution.misreadsColumns && isMisreadColumn(spec)))
    spec.avoided.push_back(blockedConvolution.name);
  if (matrixConvolution && sizesOf(spec.dst)[1] == 1)
    spec.avoided.push_back(matrixConvolution);
  auto kernel = createConvolution(spec, attr, cpuEngine());
  if (!kernel || !isSlowForBlocks(kernel.impl_info_str(), spec))
    return kernel;
  spec.avoided.insert(spec.avoided.end(), {"brdgmm", "brgconv_1x1"});
  auto other = createConvolution(spec, attr, cpuEngine());
  return other && beatsBlocks(other.impl_info_str()) ? other : kernel;
}

//===----------------------------------------------------------------------===//
// The epilogue
//===----------------------------------------------------------------------===//

/// An f32 tensor of `size` elements along `dim` of dst, and one along the
/// others.
static memory::desc repeated(const Operands &operands, size_t dim,
                             int64_t size) {
  memory::dims sizes(sizesOf(operands.dst).size(), 1), strides = sizes;
  sizes[dim] = size;
  std::fill_n(strides.begin(), dim, size);
  return memory::desc(sizes, memory::data_type::f32, strides);
}

memory::desc fusion::runtime::repeatedBias(const Operands &operands) {
  // The bias of a matrix multiplication has these dimensions already.
  memory::dims sizes = sizesOf(operands.bias);
  return sizes.size() > 1 ? operands.bias : repeated(operands, 1, sizes[0]);
}

memory::desc fusion::runtime::repeatedScalar(const Operands &operands) {
  return repeated(operands, 0, 1);
}

int fusion::runtime::residualPostOp(const Descriptor &descriptor) {
  dnnl::post_ops before;
  if (descriptor.addsResidualAfterActivation())
    appendActivation(before, descriptor.activation(), descriptor.raw.alpha,
                     descriptor.raw.beta);
  return before.len();
}

bool fusion::runtime::isResidualPostOpOfEpilogue(const Descriptor &descriptor,
                                                 bool addsBias) {
  return addsBias || descriptor.addsResidualAfterActivation();
}

dnnl::primitive_desc_base
fusion::runtime::describeEpilogue(const Descriptor &descriptor,
                                  const Operands &operands, bool addsBias,
                                  bool addsResidual) {
  bool isPostOp =
      addsResidual && isResidualPostOpOfEpilogue(descriptor, addsBias);
  bool isAfter = descriptor.addsResidualAfterActivation();
  dnnl::post_ops ops;
  if (isPostOp && !isAfter)
    ops.append_binary(dnnl::algorithm::binary_add, operands.dst);
  appendActivation(ops, descriptor.activation(), descriptor.raw.alpha,
                   descriptor.raw.beta);
  if (isPostOp && isAfter)
    ops.append_binary(dnnl::algorithm::binary_add, operands.dst);
  dnnl::primitive_attr attr;
  attr.set_post_ops(ops);
  attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  BinarySpec spec{dnnl::algorithm::binary_add, operands.dst, operands.dst,
                  operands.dst};
  if (addsBias) {
    spec.src1 = repeatedBias(operands);
  } else if (!addsResidual || isPostOp) {
    spec.algorithm = dnnl::algorithm::binary_mul;
    spec.src1 = repeatedScalar(operands);
  }
  return createBinary(spec, attr, cpuEngine());
}

void fusion::runtime::execute(const dnnl::primitive &primitive,
                              const dnnl::stream &stream,
                              const std::vector<dnnl_exec_arg_t> &arguments) {
  dnnl_status_t status = dnnl_primitive_execute(
      primitive.get(), stream.get(), static_cast<int>(arguments.size()),
      arguments.data());
  if (status == dnnl_success)
    status = dnnl_stream_wait(stream.get());
  dnnl::error::wrap_c_api(status, "could not execute a primitive");
}
