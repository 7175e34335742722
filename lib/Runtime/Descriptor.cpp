//===- Descriptor.cpp - Validated descriptors -----------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Problem.h"

#include "Support.h"

#include <algorithm>
#include <cmath>
#include <iterator>

using namespace fusion::runtime;

static bool isFloatType(int32_t type) {
  return type == FUSION_RT_TYPE_F32 || type == FUSION_RT_TYPE_BF16 ||
         type == FUSION_RT_TYPE_F16;
}

static bool isByteType(int32_t type) {
  return type == FUSION_RT_TYPE_S8 || type == FUSION_RT_TYPE_U8;
}

const char *fusion::runtime::opName(fusion_rt_function function) {
  switch (function) {
  case FUSION_RT_FUNCTION_CONV:
    return "conv";
  case FUSION_RT_FUNCTION_DECONV:
    return "deconv";
  case FUSION_RT_FUNCTION_MATMUL:
    return "matmul";
  case FUSION_RT_FUNCTION_POOL:
    return "pool";
  case FUSION_RT_FUNCTION_QUANTIZED_CONV:
    return "quantized_conv";
  case FUSION_RT_FUNCTION_QUANTIZED_MATMUL:
    return "quantized_matmul";
  }
  return "";
}

static fusion_rt_status validateTypes(const fusion_rt_conv_desc &desc) {
  if (!isFloatType(desc.src_type))
    return fail(invalid(), "'src_type' must be f32, bf16 or f16, got %d",
                desc.src_type);
  if (!isFloatType(desc.weights_type))
    return fail(invalid(), "'weights_type' must be f32, bf16 or f16, got %d",
                desc.weights_type);
  if (desc.weights_type != desc.src_type &&
      desc.weights_type != FUSION_RT_TYPE_F32 &&
      desc.src_type != FUSION_RT_TYPE_F32)
    return fail(invalid(),
                "'weights_type' must be 'src_type' (%d) unless one of them is "
                "f32 (1), got %d",
                desc.src_type, desc.weights_type);
  if (!isFloatType(desc.dst_type))
    return fail(invalid(), "'dst_type' must be f32, bf16 or f16, got %d",
                desc.dst_type);
  if (!(desc.flags & FUSION_RT_HAS_RESIDUAL)) {
    if (desc.residual_type != FUSION_RT_TYPE_NONE)
      return fail(invalid(),
                  "'residual_type' must be none (0) without "
                  "FUSION_RT_HAS_RESIDUAL, got %d",
                  desc.residual_type);
  } else if (desc.residual_type != desc.dst_type &&
             desc.residual_type != FUSION_RT_TYPE_F32) {
    return fail(invalid(),
                "'residual_type' must be 'dst_type' (%d) or f32 (1), got %d",
                desc.dst_type, desc.residual_type);
  }
  return FUSION_RT_SUCCESS;
}

static fusion_rt_status
validateQuantizedTypes(const fusion_rt_conv_desc &desc,
                       const fusion_rt_quantization &quantization) {
  if (!isByteType(desc.src_type))
    return fail(invalid(), "'src_type' must be s8 or u8, got %d",
                desc.src_type);
  if (desc.weights_type != FUSION_RT_TYPE_S8)
    return fail(invalid(), "'weights_type' must be s8, got %d",
                desc.weights_type);
  if (!isFloatType(desc.dst_type) && !isByteType(desc.dst_type) &&
      desc.dst_type != FUSION_RT_TYPE_S32)
    return fail(invalid(),
                "'dst_type' must be f32, bf16, f16, s8, u8 or s32, got %d",
                desc.dst_type);
  bool hasResidual = desc.flags & FUSION_RT_HAS_RESIDUAL;
  if (!hasResidual && desc.residual_type != FUSION_RT_TYPE_NONE)
    return fail(invalid(),
                "'residual_type' must be none (0) without "
                "FUSION_RT_HAS_RESIDUAL, got %d",
                desc.residual_type);
  if (hasResidual && !isByteType(desc.residual_type) &&
      desc.residual_type != FUSION_RT_TYPE_F32)
    return fail(invalid(), "'residual_type' must be s8, u8 or f32, got %d",
                desc.residual_type);
  bool hasBias = desc.flags & FUSION_RT_HAS_BIAS;
  int32_t bias = quantization.bias_type;
  if (!hasBias && bias != FUSION_RT_TYPE_NONE)
    return fail(invalid(),
                "'bias_type' must be none (0) without FUSION_RT_HAS_BIAS, got "
                "%d",
                bias);
  if (hasBias && bias != FUSION_RT_TYPE_F32 && bias != FUSION_RT_TYPE_S32)
    return fail(invalid(), "'bias_type' must be f32 or s32, got %d", bias);
  return FUSION_RT_SUCCESS;
}

static fusion_rt_status
validateQuantization(const fusion_rt_conv_desc &desc,
                     const fusion_rt_quantization &quantization) {
  constexpr int32_t knownFlags = FUSION_RT_HAS_SCALES |
                                 FUSION_RT_CONSTANT_SCALES |
                                 FUSION_RT_ROUND_ACTIVATION;
  if (quantization.flags & ~knownFlags)
    return fail(invalid(),
                "'quantization.flags' must have no bits but 0x%x, got 0x%x",
                static_cast<unsigned>(knownFlags),
                static_cast<unsigned>(quantization.flags));
  if (quantization.reserved != 0)
    return fail(invalid(), "'quantization.reserved' must be 0, got %d",
                quantization.reserved);
  if (std::isnan(quantization.residual_scale))
    return fail(invalid(), "'residual_scale' must be a number, got NaN");
  if (std::isnan(quantization.dst_scale))
    return fail(invalid(), "'dst_scale' must be a number, got NaN");
  if (desc.dst_type == FUSION_RT_TYPE_S32 &&
      ((quantization.flags & FUSION_RT_HAS_SCALES) ||
       (desc.flags & FUSION_RT_HAS_RESIDUAL) ||
       quantization.bias_type == FUSION_RT_TYPE_F32 ||
       desc.activation != FUSION_RT_ACT_NONE))
    return fail(invalid(), "'dst_type' must not be s32 (6) with scales, an f32 "
                           "bias, a residual or an activation");
  if ((quantization.flags & FUSION_RT_ROUND_ACTIVATION) &&
      (!(desc.flags & FUSION_RT_RESIDUAL_AFTER_ACTIVATION) ||
       !isByteType(desc.dst_type)))
    return fail(invalid(), "FUSION_RT_ROUND_ACTIVATION must come with "
                           "FUSION_RT_RESIDUAL_AFTER_ACTIVATION, and a dst of "
                           "s8 or u8");
  return FUSION_RT_SUCCESS;
}

static fusion_rt_status validateActivation(const fusion_rt_conv_desc &desc) {
  constexpr int last = std::max({
#define FUSION_ACTIVATION(Name, NAME, name, number, ...) number,
#include "FusionRuntime/activations.def"
  });
  if (desc.activation < FUSION_RT_ACT_NONE || desc.activation > last)
    return fail(invalid(), "'activation' must be between %d and %d, got %d",
                FUSION_RT_ACT_NONE, last, desc.activation);
  if (std::isnan(desc.alpha))
    return fail(invalid(), "'alpha' must be a number, got NaN");
  if (std::isnan(desc.beta))
    return fail(invalid(), "'beta' must be a number, got NaN");
  return FUSION_RT_SUCCESS;
}

static fusion_rt_status validateEntries(const char *name, const int64_t *values,
                                        int count, int64_t least) {
  for (int i = 0; i < count; ++i)
    if (values[i] < least || values[i] > maxDim)
      return fail(invalid(),
                  "'%s' must be between %lld and %lld, got %lld in entry %d",
                  name, number(least), number(maxDim), number(values[i]), i);
  return FUSION_RT_SUCCESS;
}

static fusion_rt_status validateWindow(const fusion_rt_conv_desc &desc) {
  int count = desc.spatial_rank;
  if (desc.groups < 1 || desc.groups > maxDim)
    return fail(invalid(), "'groups' must be between 1 and %lld, got %lld",
                number(maxDim), number(desc.groups));
  if (auto status = validateEntries("strides", desc.strides, count, 1))
    return status;
  if (auto status = validateEntries("dilations", desc.dilations, count, 1))
    return status;
  if (auto status = validateEntries("pad_low", desc.pad_low, count, 0))
    return status;
  return validateEntries("pad_high", desc.pad_high, count, 0);
}

/// Checks the fields that all descriptors have.
static fusion_rt_status validateCommon(const fusion_rt_conv_desc &desc) {
  constexpr uint32_t knownFlags =
      FUSION_RT_HAS_BIAS | FUSION_RT_HAS_RESIDUAL | FUSION_RT_CONSTANT_WEIGHTS |
      FUSION_RT_ALLOW_WINOGRAD | FUSION_RT_RESIDUAL_AFTER_ACTIVATION;
  if (desc.flags & ~knownFlags)
    return fail(invalid(), "'flags' must have no bits but 0x%x, got 0x%x",
                knownFlags, desc.flags);
  if (desc.reserved != 0)
    return fail(invalid(), "'reserved' must be 0, got %d", desc.reserved);
  if (auto status = validateActivation(desc))
    return status;
  if ((desc.flags & FUSION_RT_RESIDUAL_AFTER_ACTIVATION) &&
      (!(desc.flags & FUSION_RT_HAS_RESIDUAL) ||
       desc.activation == FUSION_RT_ACT_NONE))
    return fail(invalid(), "FUSION_RT_RESIDUAL_AFTER_ACTIVATION must come with "
                           "FUSION_RT_HAS_RESIDUAL and an activation");
  return FUSION_RT_SUCCESS;
}

/// Checks what a convolution has beside its version and types.
static fusion_rt_status validateConvolution(const fusion_rt_conv_desc &desc,
                                            fusion_rt_conv_desc &out) {
  if (auto status = validateCommon(desc))
    return status;
  if (desc.spatial_rank < 1 || desc.spatial_rank > FUSION_RT_MAX_SPATIAL_RANK)
    return fail(invalid(), "'spatial_rank' must be between 1 and %d, got %d",
                FUSION_RT_MAX_SPATIAL_RANK, desc.spatial_rank);
  out = desc;
  return validateWindow(desc);
}

/// The convolution that `desc` is.
static fusion_rt_conv_desc toConvolution(const fusion_rt_matmul_desc &desc) {
  fusion_rt_conv_desc out = {};
  out.abi_version = desc.abi_version;
  out.struct_size = sizeof(out);
  out.flags = desc.flags;
  out.src_type = desc.src_type;
  out.weights_type = desc.weights_type;
  out.dst_type = desc.dst_type;
  out.residual_type = desc.residual_type;
  out.activation = desc.activation;
  out.alpha = desc.alpha;
  out.beta = desc.beta;
  out.reserved = desc.reserved;
  out.spatial_rank = 1;
  out.groups = out.strides[0] = out.dilations[0] = 1;
  return out;
}

static fusion_rt_status validateFloats(const fusion_rt_conv_desc &desc,
                                       fusion_rt_conv_desc &out) {
  auto status = validateTypes(desc);
  return status ? status : validateConvolution(desc, out);
}

static fusion_rt_status validateIntegers(const fusion_rt_conv_desc &desc,
                                         const fusion_rt_quantization &given,
                                         Descriptor &out) {
  out.quantization = given;
  if (auto status = validateQuantizedTypes(desc, given))
    return status;
  if (auto status = validateQuantization(desc, given))
    return status;
  return validateConvolution(desc, out.raw);
}

/// Fails unless each window has an element of src in range.
static fusion_rt_status validatePads(const char *name, const int64_t *pads,
                                     const int64_t *kernel, int count) {
  for (int i = 0; i < count; ++i)
    if (pads[i] >= kernel[i])
      return fail(invalid(),
                  "'%s' must be less than the kernel (%lld), got %lld in entry "
                  "%d",
                  name, number(kernel[i]), number(pads[i]), i);
  return FUSION_RT_SUCCESS;
}

static fusion_rt_status validatePool(const fusion_rt_pool_desc &desc,
                                     Descriptor &out) {
  if (desc.pooling != FUSION_RT_POOL_MAX && desc.pooling != FUSION_RT_POOL_SUM)
    return fail(invalid(), "'pooling' must be %d or %d, got %d",
                FUSION_RT_POOL_MAX, FUSION_RT_POOL_SUM, desc.pooling);
  bool isMax = desc.pooling == FUSION_RT_POOL_MAX;
  if (!isFloatType(desc.type) && !(isMax && isByteType(desc.type)))
    return fail(invalid(), "'type' must be f32, bf16%s, got %d",
                isMax ? ", f16, s8 or u8" : " or f16", desc.type);
  fusion_rt_conv_desc conv = {};
  conv.abi_version = desc.abi_version;
  conv.struct_size = sizeof(conv);
  conv.src_type = conv.weights_type = conv.dst_type = desc.type;
  conv.reserved = desc.reserved;
  conv.spatial_rank = desc.spatial_rank;
  conv.groups = 1;
  std::copy(desc.strides, std::end(desc.strides), conv.strides);
  std::fill(conv.dilations, std::end(conv.dilations), 1);
  std::copy(desc.pad_low, std::end(desc.pad_low), conv.pad_low);
  std::copy(desc.pad_high, std::end(desc.pad_high), conv.pad_high);
  if (auto status = validateConvolution(conv, out.raw))
    return status;
  int count = desc.spatial_rank;
  out.pooling = fusion_rt_pooling(desc.pooling);
  std::copy(desc.kernel, std::end(desc.kernel), out.kernel);
  if (auto status = validateEntries("kernel", desc.kernel, count, 1))
    return status;
  if (auto status = validatePads("pad_low", desc.pad_low, desc.kernel, count))
    return status;
  return validatePads("pad_high", desc.pad_high, desc.kernel, count);
}

static OpKind kindOf(fusion_rt_function function) {
  switch (function) {
  case FUSION_RT_FUNCTION_MATMUL:
  case FUSION_RT_FUNCTION_QUANTIZED_MATMUL:
    return OpKind::Matmul;
  case FUSION_RT_FUNCTION_DECONV:
    return OpKind::Deconvolution;
  case FUSION_RT_FUNCTION_POOL:
    return OpKind::Pool;
  case FUSION_RT_FUNCTION_CONV:
  case FUSION_RT_FUNCTION_QUANTIZED_CONV:
    break;
  }
  return OpKind::Convolution;
}

/// Calls `body` with the descriptor, if its version is one of this library's.
template <typename Desc, typename Body>
static fusion_rt_status withDesc(const void *desc, Body body) {
  const Desc &typed = *static_cast<const Desc *>(desc);
  auto status = validateVersion(typed);
  return status ? status : body(typed);
}

fusion_rt_status
fusion::runtime::validateDescriptor(fusion_rt_function function,
                                    const void *desc, Descriptor &out) {
  if (!desc)
    return fail(invalid(), "'desc' must not be null");
  out.function = function;
  out.kind = kindOf(function);
  out.quantization = {};
  switch (function) {
  case FUSION_RT_FUNCTION_POOL:
    return withDesc<fusion_rt_pool_desc>(
        desc, [&](auto &pool) { return validatePool(pool, out); });
  case FUSION_RT_FUNCTION_MATMUL:
    return withDesc<fusion_rt_matmul_desc>(desc, [&](auto &matmul) {
      return validateFloats(toConvolution(matmul), out.raw);
    });
  case FUSION_RT_FUNCTION_QUANTIZED_MATMUL:
    return withDesc<fusion_rt_quantized_matmul_desc>(desc, [&](auto &given) {
      return validateIntegers(toConvolution(given.matmul), given.quantization,
                              out);
    });
  case FUSION_RT_FUNCTION_QUANTIZED_CONV:
    return withDesc<fusion_rt_quantized_conv_desc>(desc, [&](auto &given) {
      return validateIntegers(given.conv, given.quantization, out);
    });
  case FUSION_RT_FUNCTION_CONV:
  case FUSION_RT_FUNCTION_DECONV:
    break;
  }
  return withDesc<fusion_rt_conv_desc>(
      desc, [&](auto &conv) { return validateFloats(conv, out.raw); });
}
