/*===- quantized.h - Integer ops of the Fusion runtime ------------*- C -*-===*\
|*                                                                            *|
|* Part of the Fusion project, under the Apache License v2.0 with LLVM        *|
|* Exceptions. See LICENSE for license information.                           *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/
/* A part of fusion_runtime.h, which includes it. */
#ifndef FUSION_RUNTIME_QUANTIZED_H
#define FUSION_RUNTIME_QUANTIZED_H

#include "fusion_runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Flags of a quantization. */
enum {
  FUSION_RT_HAS_SCALES = 1 << 0,
  /* Scales and bias at one address never change until the slot is released. */
  FUSION_RT_CONSTANT_SCALES = 1 << 1,
  /* act is rounded to an integer, halves to even, before the residual is added
   * (since 1.12). With FUSION_RT_RESIDUAL_AFTER_ACTIVATION, and dst of s8 or
   * u8. */
  FUSION_RT_ROUND_ACTIVATION = 1 << 2
};

/* What turns integers into numbers, and a number into the integers of dst
 * (since 1.10), for src of type s8 or u8 and weights of type s8:
 *
 *   acc = sum of (src - src_zero_point) * weights      (+ bias if that is s32)
 *   v   = float(acc) * scales[oc]                      (+ bias if that is f32)
 *   v   = act(v + residual_scale * float(residual - residual_zero_point))
 *   dst = v, rounded once, if its type is f32, bf16 or f16
 *   dst = saturate(rint(v * dst_scale + float(dst_zero_point))) if s8 or u8
 *   dst = acc if s32, without scales, residual and activation
 *
 * acc wraps in s32; v is in f32. rint rounds halves to even. An f32 residual is
 * taken as it is. FUSION_RT_RESIDUAL_AFTER_ACTIVATION adds the residual behind
 * act, and behind its rounding with FUSION_RT_ROUND_ACTIVATION. src out of
 * range is src_zero_point. Without scales they are 1. */
typedef struct fusion_rt_quantization {
  int32_t src_zero_point;
  int32_t dst_zero_point;
  int32_t residual_zero_point;
  float residual_scale; /* 1 for none */
  float dst_scale;      /* 1 for none */
  int32_t bias_type;    /* f32 or s32; FUSION_RT_TYPE_NONE without a bias */
  int32_t flags;        /* FUSION_RT_HAS_SCALES, ... */
  int32_t reserved;     /* 0 */
} fusion_rt_quantization;

/* A convolution of integers (since 1.10). The version and size in `conv` are
 * not looked at. Its residual_type is none, s8, u8 or f32. */
typedef struct fusion_rt_quantized_conv_desc {
  uint32_t abi_version; /* FUSION_RT_ABI_VERSION */
  uint32_t struct_size; /* sizeof(fusion_rt_quantized_conv_desc) */
  fusion_rt_quantization quantization;
  fusion_rt_conv_desc conv;
} fusion_rt_quantized_conv_desc;

/* The same for a matrix multiplication (since 1.10). */
typedef struct fusion_rt_quantized_matmul_desc {
  uint32_t abi_version; /* FUSION_RT_ABI_VERSION */
  uint32_t struct_size; /* sizeof(fusion_rt_quantized_matmul_desc) */
  fusion_rt_quantization quantization;
  fusion_rt_matmul_desc matmul;
} fusion_rt_quantized_matmul_desc;

/* The operands of a call with a quantization (since 1.10). `scales` are f32,
 * one for each output channel or one for all. */
typedef struct fusion_rt_quantized_args {
  fusion_rt_conv_args operands;
  fusion_rt_tensor scales;
} fusion_rt_quantized_args;

/* As fusion_rt_conv, for the `fusion_rt_quantized_conv_desc` and the
 * `fusion_rt_quantized_matmul_desc` of a slot (since 1.10). */
FUSION_RT_API fusion_rt_status fusion_rt_quantized_conv(
    fusion_rt_slot *slot, const fusion_rt_quantized_args *args);
FUSION_RT_API void
fusion_rt_quantized_conv_checked(fusion_rt_slot *slot,
                                 const fusion_rt_quantized_args *args);
FUSION_RT_API fusion_rt_status fusion_rt_quantized_matmul(
    fusion_rt_slot *slot, const fusion_rt_quantized_args *args);
FUSION_RT_API void
fusion_rt_quantized_matmul_checked(fusion_rt_slot *slot,
                                   const fusion_rt_quantized_args *args);

/* As fusion_rt_prepare, for the functions above (since 1.10). */
FUSION_RT_API fusion_rt_status
fusion_rt_prepare_quantized(fusion_rt_function function, fusion_rt_slot *slot,
                            const fusion_rt_quantized_args *args);
FUSION_RT_API void
fusion_rt_prepare_quantized_checked(fusion_rt_function function,
                                    fusion_rt_slot *slot,
                                    const fusion_rt_quantized_args *args);

#ifdef __cplusplus
}
#endif

#endif /* FUSION_RUNTIME_QUANTIZED_H */
