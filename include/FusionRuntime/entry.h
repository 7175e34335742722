/*===- entry.h - Entries of object files --------------------------*- C -*-===*\
|*                                                                            *|
|* Part of the Fusion project, under the Apache License v2.0 with LLVM        *|
|* Exceptions. See LICENSE for license information.                           *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/
/* A part of fusion_runtime.h, which includes it. */
#ifndef FUSION_RUNTIME_ENTRY_H
#define FUSION_RUNTIME_ENTRY_H

#include "fusion_runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An instruction set of a CPU (since 1.11): FUSION_RT_CPU_AVX2 = 19 and so on,
 * by the rows of cpu_features.def. */
typedef enum fusion_rt_cpu_feature {
#define FUSION_CPU_FEATURE(NAME, name, number, ...)                            \
  FUSION_RT_CPU_##NAME = number,
#include "cpu_features.def"
} fusion_rt_cpu_feature;

/* An entry of an object file, to be read and called by programs that do not
 * know the network (since 1.11). Everything it points to is part of the object
 * file. */
typedef struct fusion_rt_entry_info {
  uint32_t abi_version;                 /* FUSION_RT_ABI_VERSION */
  uint32_t struct_size;                 /* sizeof(fusion_rt_entry_info) */
  const fusion_rt_signature *signature; /* types and sizes */
  /* For each argument and result its `fusion.name`, or "". */
  const char *const *argument_names;
  const char *const *result_names;
  /* For each argument 1 if it is marked `fusion.constant`: the contents at its
   * address never change until the object's handles are released. Else 0. */
  const uint8_t *constant_arguments;
  const char *cpu; /* that the code is compiled for, as LLVM calls it */
  /* The instruction sets it needs: 1 << FUSION_RT_CPU_AVX2, and so on. Only
   * x86-64 has such bits. */
  uint64_t cpu_features;
  fusion_rt_entry_fn function; /* the code, for fusion_rt_call_entry alone */
} fusion_rt_entry_info;

/* Calls the entry as fusion_rt_call does (since 1.11). Before that it looks
 * whether this CPU has what the code needs, and if not returns
 * FUSION_RT_UNSUPPORTED. `results` is the struct of results: for each a memref,
 * or a scalar, aligned as in C. */
FUSION_RT_API fusion_rt_status fusion_rt_call_entry(
    const fusion_rt_entry_info *entry, void *results, void *const *arguments);

/* The same, with results in memory of the caller's (since 1.11), which reads
 * `results`: a memref whose `data` is not null describes such memory, without
 * offset, with room for as many elements as the product of its sizes, and
 * without overlap with an argument or another result. The result is copied
 * there, row-major, `sizes` and `strides` become its own, and `allocated` null.
 * A memref whose `data` is null becomes one whose `allocated` the caller frees
 * by fusion_rt_free, as those of fusion_rt_call_entry. If a result needs more
 * room than it is given, the call returns FUSION_RT_INVALID_ARGUMENT and writes
 * no elements: `data` and `allocated` of each such result are null then, and
 * `sizes` are those that it needs. After any other failure `results` are as
 * they were. */
FUSION_RT_API fusion_rt_status fusion_rt_call_entry_into(
    const fusion_rt_entry_info *entry, void *results, void *const *arguments);

/* Calls `prepare`, which prepares networks as PREFIX_prepare of an object does,
 * with packed weights in the file at `path`, which processes share (since
 * 1.11). Without such a file, the weights are packed to one, which is there
 * when all of them are in it; processes that come meanwhile wait. With one,
 * nothing is packed, and a file of another version of the runtime or of oneDNN,
 * for another CPU or number of threads, of another network, or with another
 * length is refused with FUSION_RT_UNSUPPORTED or FUSION_RT_INVALID_ARGUMENT:
 * use the same number of threads in all processes. Otherwise returns what
 * `prepare` does. Slots that it prepares must not have packed weights: release
 * them before another try. No one may write to the file; it may be deleted, or
 * another one put in its place. The slots free what they have of it. */
FUSION_RT_API fusion_rt_status fusion_rt_prepare_mapped(const char *path,
                                                        int (*prepare)(void));

#ifdef __cplusplus
}
#endif

#endif /* FUSION_RUNTIME_ENTRY_H */
