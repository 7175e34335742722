//===- OneDnnCompat.cpp - Differences of oneDNN 2 and 3 -------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OneDnnCompat.h"

#include <algorithm>
#include <bit>
#include <cstring>

using namespace fusion::runtime;
using dnnl::algorithm;

static std::string bytesOf(const dnnl::memory::dims &numbers) {
  return {reinterpret_cast<const char *>(numbers.data()),
          numbers.size() * sizeof(numbers[0])};
}

static void appendEltwise(dnnl::post_ops &ops, algorithm kind, float alpha = 0,
                          float beta = 0) {
#if DNNL_VERSION_MAJOR >= 3
  ops.append_eltwise(kind, alpha, beta);
#else
  ops.append_eltwise(/*scale=*/1, kind, alpha, beta);
#endif
}

static void appendHardSigmoid(dnnl::post_ops &ops, float alpha, float beta) {
#if DNNL_VERSION_MAJOR >= 3
  appendEltwise(ops, algorithm::eltwise_hardsigmoid, alpha, beta);
#else
  // oneDNN 2 has no such kind.
  appendEltwise(ops, algorithm::eltwise_linear, alpha, beta);
  appendEltwise(ops, algorithm::eltwise_clip, 0, 1);
#endif
}

void fusion::runtime::appendScale(dnnl::post_ops &ops, float factor) {
  appendEltwise(ops, algorithm::eltwise_linear, factor, 0);
}

void fusion::runtime::appendRounding(dnnl::post_ops &ops) {
  appendEltwise(ops, algorithm::eltwise_round);
}

void fusion::runtime::appendActivation(dnnl::post_ops &ops,
                                       fusion_rt_activation activation,
                                       float alpha, float beta) {
  switch (activation) {
  case FUSION_RT_ACT_NONE:
    return;
  case FUSION_RT_ACT_RELU:
    return appendEltwise(ops, algorithm::eltwise_relu);
  case FUSION_RT_ACT_CLIP:
    // In the formula the upper bound wins if it is below the lower one; oneDNN
    // refuses such bounds.
    return appendEltwise(ops, algorithm::eltwise_clip, std::min(alpha, beta),
                         beta);
  case FUSION_RT_ACT_LEAKY_RELU:
    return appendEltwise(ops, algorithm::eltwise_relu, alpha);
  case FUSION_RT_ACT_ELU:
    return appendEltwise(ops, algorithm::eltwise_elu, alpha);
  case FUSION_RT_ACT_SIGMOID:
    return appendEltwise(ops, algorithm::eltwise_logistic);
  case FUSION_RT_ACT_TANH:
    return appendEltwise(ops, algorithm::eltwise_tanh);
  case FUSION_RT_ACT_SWISH:
    return appendEltwise(ops, algorithm::eltwise_swish, alpha);
  case FUSION_RT_ACT_HARDSWISH:
    // oneDNN 2 ignores the parameters, 3 computes x * clip(ax + b, 0, 1).
    return appendEltwise(ops, algorithm::eltwise_hardswish, 1.0f / 6, 0.5f);
  case FUSION_RT_ACT_HARDSIGMOID:
    return appendHardSigmoid(ops, alpha, beta);
  case FUSION_RT_ACT_GELU_ERF:
    return appendEltwise(ops, algorithm::eltwise_gelu_erf);
  case FUSION_RT_ACT_GELU_TANH:
    return appendEltwise(ops, algorithm::eltwise_gelu_tanh);
  case FUSION_RT_ACT_SOFTPLUS:
    // oneDNN 3 computes log(1 + exp(ax)) / a.
    return appendEltwise(ops, algorithm::eltwise_soft_relu, 1);
  case FUSION_RT_ACT_MISH:
    return appendEltwise(ops, algorithm::eltwise_mish);
  case FUSION_RT_ACT_ABS:
    return appendEltwise(ops, algorithm::eltwise_abs);
  case FUSION_RT_ACT_SQUARE:
    return appendEltwise(ops, algorithm::eltwise_square);
  case FUSION_RT_ACT_SQRT:
    return appendEltwise(ops, algorithm::eltwise_sqrt);
  case FUSION_RT_ACT_EXP:
    return appendEltwise(ops, algorithm::eltwise_exp);
  }
}

bool fusion::runtime::hasScalarPostOps(const std::string &implementation,
                                       bool isTransposed) {
  auto contains = [&](const char *part) {
    return implementation.find(part) != std::string::npos;
  };
#if DNNL_VERSION_MAJOR >= 3
  bool isWrapper = isTransposed && !contains("brg");
#else
  // Each is a wrapper around a convolution's backward pass, which does the
  // rest.
  bool isWrapper = isTransposed;
#endif
  return isWrapper || (contains("gemm:") && !contains("brg"));
}

using Convolution = dnnl::convolution_forward::primitive_desc;
using Deconvolution = dnnl::deconvolution_forward::primitive_desc;
using Pool = dnnl::pooling_forward::primitive_desc;
using Matmul = dnnl::matmul::primitive_desc;

/// `kernel`, or the next implementation with none of `avoided` in its name. The
/// spec that `kernel` was made from must still exist: oneDNN 2.x goes on
/// reading it.
template <typename Kernel>
static Kernel skipAvoided(Kernel kernel,
                          const std::vector<const char *> &avoided) {
  auto isAvoided = [&](const char *part) {
    return std::strstr(kernel.impl_info_str(), part) != nullptr;
  };
  while (kernel && std::any_of(avoided.begin(), avoided.end(), isAvoided))
    if (!kernel.next_impl())
      return {};
  return kernel;
}

static algorithm toAlgorithm(fusion_rt_pooling pooling) {
  return pooling == FUSION_RT_POOL_MAX ? algorithm::pooling_max
                                       : algorithm::pooling_avg_include_padding;
}

#if DNNL_VERSION_MAJOR >= 3

const BlockedConvolution fusion::runtime::blockedConvolution = {
    "brg_conv", /*misreadsColumns=*/true};
const char *const fusion::runtime::matrixConvolution = "_matmul";

std::vector<const char *> fusion::runtime::kernelsIgnoringGaps() {
  return {"gemm:", "brgconv_strided"};
}

dnnl::convolution_forward::primitive_desc
fusion::runtime::createConvolution(const ConvolutionSpec &spec,
                                   const dnnl::primitive_attr &attr,
                                   const dnnl::engine &engine) {
  const auto kind = dnnl::prop_kind::forward_inference;
  if (!spec.bias)
    return skipAvoided<Convolution>({engine, kind, spec.algorithm, spec.src,
                                     spec.weights, spec.dst, spec.strides,
                                     spec.dilations, spec.padLow, spec.padHigh,
                                     attr, /*allow_empty=*/true},
                                    spec.avoided);
  return skipAvoided<Convolution>({engine, kind, spec.algorithm, spec.src,
                                   spec.weights, *spec.bias, spec.dst,
                                   spec.strides, spec.dilations, spec.padLow,
                                   spec.padHigh, attr, /*allow_empty=*/true},
                                  spec.avoided);
}

dnnl::deconvolution_forward::primitive_desc
fusion::runtime::createDeconvolution(const ConvolutionSpec &spec,
                                     const dnnl::primitive_attr &attr,
                                     const dnnl::engine &engine) {
  const auto kind = dnnl::prop_kind::forward_inference;
  const auto direct = algorithm::deconvolution_direct;
  if (!spec.bias)
    return skipAvoided<Deconvolution>(
        {engine, kind, direct, spec.src, spec.weights, spec.dst, spec.strides,
         spec.dilations, spec.padLow, spec.padHigh, attr, /*allow_empty=*/true},
        spec.avoided);
  return skipAvoided<Deconvolution>({engine, kind, direct, spec.src,
                                     spec.weights, *spec.bias, spec.dst,
                                     spec.strides, spec.dilations, spec.padLow,
                                     spec.padHigh, attr, /*allow_empty=*/true},
                                    spec.avoided);
}

/// Whether the result is one column whose elements are apart.
static bool isColumnWithGaps(const dnnl::memory::desc &dst) {
  dnnl::memory::dims sizes = dst.get_dims(), strides = plainStrides(dst);
  size_t row = sizes.size() - 2;
  return !strides.empty() && sizes[row + 1] == 1 && sizes[row] > 1 &&
         strides[row] != 1;
}

dnnl::matmul::primitive_desc
fusion::runtime::createMatmul(const MatmulSpec &spec,
                              const dnnl::primitive_attr &attr,
                              const dnnl::engine &engine) {
  std::vector<const char *> avoided = spec.avoided;
  // Of oneDNN 3.7. It writes such a column as if it were contiguous.
  if (isColumnWithGaps(spec.dst))
    avoided.push_back("brg_matmul");
  if (!spec.bias)
    return skipAvoided<Matmul>({engine, spec.src, spec.weights, spec.dst, attr,
                                /*allow_empty=*/true},
                               avoided);
  return skipAvoided<Matmul>({engine, spec.src, spec.weights, *spec.bias,
                              spec.dst, attr, /*allow_empty=*/true},
                             avoided);
}

dnnl::primitive_desc_base
fusion::runtime::createPool(const PoolSpec &spec,
                            const dnnl::primitive_attr &attr,
                            const dnnl::engine &engine) {
  dnnl::memory::dims dense(spec.kernel.size(), 0);
  return skipAvoided<Pool>({engine, dnnl::prop_kind::forward_inference,
                            toAlgorithm(spec.pooling), spec.src, spec.dst,
                            spec.strides, spec.kernel, dense, spec.padLow,
                            spec.padHigh, attr, /*allow_empty=*/true},
                           spec.avoided);
}

dnnl::binary::primitive_desc
fusion::runtime::createBinary(const BinarySpec &spec,
                              const dnnl::primitive_attr &attr,
                              const dnnl::engine &engine) {
  return {engine,   spec.algorithm, spec.src0,           spec.src1,
          spec.dst, attr,           /*allow_empty=*/true};
}

dnnl::memory::dims fusion::runtime::sizesOf(const dnnl::memory::desc &desc) {
  return desc.get_dims();
}

dnnl::memory::data_type
fusion::runtime::typeOf(const dnnl::memory::desc &desc) {
  return desc.get_data_type();
}

dnnl::memory::dims
fusion::runtime::plainStrides(const dnnl::memory::desc &desc) {
  bool isPlain = desc.get_format_kind() == dnnl::memory::format_kind::blocked &&
                 desc.get_inner_nblks() == 0 &&
                 desc.get_padded_dims() == desc.get_dims();
  return isPlain ? desc.get_strides() : dnnl::memory::dims();
}

std::string fusion::runtime::layoutBytes(const dnnl::memory::desc &desc) {
  dnnl::memory::dims numbers{int64_t(desc.get_format_kind()),
                             int64_t(desc.get_data_type()),
                             int64_t(desc.get_size())};
  for (const dnnl::memory::dims &dims :
       {desc.get_dims(), desc.get_padded_dims(), desc.get_strides(),
        desc.get_inner_blks(), desc.get_inner_idxs()}) {
    numbers.push_back(int64_t(dims.size()));
    numbers.insert(numbers.end(), dims.begin(), dims.end());
  }
  return bytesOf(numbers);
}

/// The bytes from `whole` to `slice`, a part of it, if its layout is that of
/// `part`.
static std::optional<size_t> compareSlice(const dnnl::memory::desc &slice,
                                          const dnnl::memory::desc &part) {
  if (part.get_format_kind() != dnnl::memory::format_kind::blocked ||
      slice.get_data_type() != part.get_data_type() ||
      slice.get_padded_dims() != part.get_padded_dims() ||
      slice.get_strides() != part.get_strides() ||
      slice.get_inner_blks() != part.get_inner_blks() ||
      slice.get_inner_idxs() != part.get_inner_idxs())
    return std::nullopt;
  return size_t(slice.get_submemory_offset()) *
         dnnl::memory::data_type_size(part.get_data_type());
}

#else

/// The same for oneDNN 2.
static std::optional<size_t> compareSlice(dnnl::memory::desc slice,
                                          const dnnl::memory::desc &part) {
  auto offset = static_cast<size_t>(slice.data.offset0);
  slice.data.offset0 = 0;
  if (slice != part)
    return std::nullopt;
  return offset * dnnl::memory::data_type_size(part.data_type());
}

const BlockedConvolution fusion::runtime::blockedConvolution = {
    "brgconv", /*misreadsColumns=*/false};
const char *const fusion::runtime::matrixConvolution = nullptr;

std::vector<const char *> fusion::runtime::kernelsIgnoringGaps() { return {}; }

dnnl::convolution_forward::primitive_desc
fusion::runtime::createConvolution(const ConvolutionSpec &spec,
                                   const dnnl::primitive_attr &attr,
                                   const dnnl::engine &engine) {
  using Desc = dnnl::convolution_forward::desc;
  const auto kind = dnnl::prop_kind::forward_inference;
  Desc desc =
      spec.bias ? Desc(kind, spec.algorithm, spec.src, spec.weights, *spec.bias,
                       spec.dst, spec.strides, spec.dilations, spec.padLow,
                       spec.padHigh)
                : Desc(kind, spec.algorithm, spec.src, spec.weights, spec.dst,
                       spec.strides, spec.dilations, spec.padLow, spec.padHigh);
  return skipAvoided<Convolution>({desc, attr, engine, /*allow_empty=*/true},
                                  spec.avoided);
}

dnnl::deconvolution_forward::primitive_desc
fusion::runtime::createDeconvolution(const ConvolutionSpec &spec,
                                     const dnnl::primitive_attr &attr,
                                     const dnnl::engine &engine) {
  using Desc = dnnl::deconvolution_forward::desc;
  const auto kind = dnnl::prop_kind::forward_inference;
  const auto direct = algorithm::deconvolution_direct;
  Desc desc =
      spec.bias
          ? Desc(kind, direct, spec.src, spec.weights, *spec.bias, spec.dst,
                 spec.strides, spec.dilations, spec.padLow, spec.padHigh)
          : Desc(kind, direct, spec.src, spec.weights, spec.dst, spec.strides,
                 spec.dilations, spec.padLow, spec.padHigh);
  return skipAvoided<Deconvolution>({desc, attr, engine, /*allow_empty=*/true},
                                    spec.avoided);
}

dnnl::matmul::primitive_desc
fusion::runtime::createMatmul(const MatmulSpec &spec,
                              const dnnl::primitive_attr &attr,
                              const dnnl::engine &engine) {
  using Desc = dnnl::matmul::desc;
  Desc desc = spec.bias ? Desc(spec.src, spec.weights, *spec.bias, spec.dst)
                        : Desc(spec.src, spec.weights, spec.dst);
  return skipAvoided<Matmul>({desc, attr, engine, /*allow_empty=*/true},
                             spec.avoided);
}

dnnl::primitive_desc_base
fusion::runtime::createPool(const PoolSpec &spec,
                            const dnnl::primitive_attr &attr,
                            const dnnl::engine &engine) {
  dnnl::pooling_forward::desc desc(
      dnnl::prop_kind::forward_inference, toAlgorithm(spec.pooling), spec.src,
      spec.dst, spec.strides, spec.kernel, spec.padLow, spec.padHigh);
  return skipAvoided<Pool>({desc, attr, engine, /*allow_empty=*/true},
                           spec.avoided);
}

dnnl::binary::primitive_desc
fusion::runtime::createBinary(const BinarySpec &spec,
                              const dnnl::primitive_attr &attr,
                              const dnnl::engine &engine) {
  dnnl::binary::desc desc(spec.algorithm, spec.src0, spec.src1, spec.dst);
  return {desc, attr, engine, /*allow_empty=*/true};
}

dnnl::memory::dims fusion::runtime::sizesOf(const dnnl::memory::desc &desc) {
  return desc.dims();
}

dnnl::memory::data_type
fusion::runtime::typeOf(const dnnl::memory::desc &desc) {
  return desc.data_type();
}

dnnl::memory::dims
fusion::runtime::plainStrides(const dnnl::memory::desc &desc) {
  const dnnl_memory_desc_t &data = desc.data;
  const auto *blocking = &data.format_desc.blocking;
  if (data.format_kind != dnnl_blocked || blocking->inner_nblks != 0 ||
      data.extra.flags != dnnl_memory_extra_flag_none ||
      !std::equal(data.dims, data.dims + data.ndims, data.padded_dims))
    return {};
  return {blocking->strides, blocking->strides + data.ndims};
}

static void addBlocking(const dnnl_blocking_desc_t &blocking, int rank,
                        dnnl::memory::dims &numbers) {
  const int blocks = blocking.inner_nblks;
  auto add = [&](const dnnl_dim_t *dims, int count) {
    numbers.insert(numbers.end(), dims, dims + count);
  };
  numbers.push_back(blocks);
  add(blocking.strides, rank);
  add(blocking.inner_blks, blocks);
  add(blocking.inner_idxs, blocks);
}

static void addWinograd(const dnnl_wino_desc_t &format,
                        dnnl::memory::dims &numbers) {
  numbers.insert(numbers.end(),
                 {format.wino_format, format.r, format.alpha, format.ic,
                  format.oc, format.ic_block, format.oc_block, format.ic2_block,
                  format.oc2_block, std::bit_cast<int32_t>(format.adj_scale)});
}

std::string fusion::runtime::layoutBytes(const dnnl::memory::desc &desc) {
  const dnnl_memory_desc_t &data = desc.data;
  dnnl::memory::dims numbers{data.format_kind,
                             data.data_type,
                             int64_t(desc.get_size()),
                             data.ndims,
                             data.offset0,
                             int64_t(data.extra.flags),
                             data.extra.compensation_mask,
                             std::bit_cast<int32_t>(data.extra.scale_adjust),
                             data.extra.asymm_compensation_mask};
  for (const auto *dims : {data.dims, data.padded_dims, data.padded_offsets})
    numbers.insert(numbers.end(), dims, dims + data.ndims);
  if (data.format_kind == dnnl_blocked)
    addBlocking(data.format_desc.blocking, data.ndims, numbers);
  else if (data.format_kind == dnnl_format_kind_wino)
    addWinograd(data.format_desc.wino_desc, numbers);
  return bytesOf(numbers);
}

#endif

void fusion::runtime::addZeroPoint(dnnl::primitive_attr &attr, int argument) {
#if DNNL_VERSION_MAJOR >= 3
  attr.set_zero_points_mask(argument, 0);
#else
  attr.set_zero_points(argument, 0, {DNNL_RUNTIME_S32_VAL});
#endif
}

void fusion::runtime::addScales(
    [[maybe_unused]] dnnl::primitive_attr &attr,
    [[maybe_unused]] dnnl::post_ops &ops,
    [[maybe_unused]] const std::vector<float> &scales,
    const dnnl::memory::desc &operand) {
#if DNNL_VERSION_MAJOR >= 3
  ops.append_binary(algorithm::binary_mul, operand);
#else
  dnnl::memory::dims sizes = sizesOf(operand);
  int dim = int(std::max_element(sizes.begin(), sizes.end()) - sizes.begin());
  attr.set_output_scales(scales.size() == 1 ? 0 : 1 << dim, scales);
#endif
}

bool fusion::runtime::sumsBytesExactly() {
  static const auto isa = unsigned(dnnl::get_effective_cpu_isa());
  auto has = [](unsigned wanted) { return (isa & wanted) == wanted; };
  return has(dnnl_cpu_isa_avx512_core_vnni) || has(dnnl_cpu_isa_avx2_vnni);
}

std::optional<size_t>
fusion::runtime::findSlice(const dnnl::memory::desc &whole,
                           const dnnl::memory::desc &part, int dim,
                           int64_t begin) {
  dnnl::memory::dims offsets(sizesOf(part).size());
  offsets[size_t(dim)] = begin;
  try {
    return compareSlice(whole.submemory_desc(sizesOf(part), offsets), part);
  } catch (const dnnl::error &) {
    return std::nullopt; // blocks do not begin and end there
  }
}
