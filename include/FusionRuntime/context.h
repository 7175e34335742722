/*===- context.h - Settings and counters of calls -----------------*- C -*-===*\
|*                                                                            *|
|* Part of the Fusion project, under the Apache License v2.0 with LLVM        *|
|* Exceptions. See LICENSE for license information.                           *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/
/* A part of fusion_runtime.h, which includes it. */
#ifndef FUSION_RUNTIME_CONTEXT_H
#define FUSION_RUNTIME_CONTEXT_H

#include "fusion_runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The most threads that one kernel or parallel loop uses, the calling one
 * included: 1 to 1024, or 0 for the default, the number of cores that the
 * process may use, which is then read back. Small kernels use fewer. The
 * threads belong to the process and help all callers. */
FUSION_RT_API fusion_rt_status fusion_rt_set_num_threads(int32_t threads);
FUSION_RT_API int32_t fusion_rt_get_num_threads(void);

/* The same for calls that the calling thread makes (since 1.10), whatever that
 * of the process is; 0, the default, takes that of the process. *previous, if
 * not NULL, becomes the number to set it back to. */
FUSION_RT_API fusion_rt_status fusion_rt_set_caller_threads(int32_t threads,
                                                            int32_t *previous);

/* Counted since the library was loaded or since the last reset. */
typedef struct fusion_rt_counters {
  uint64_t creates;           /* primitives created */
  uint64_t executes;          /* calls that ran */
  uint64_t weight_packs;      /* times weights were brought to packed form */
  uint64_t evictions;         /* cache entries dropped for want of room */
  uint64_t reference_kernels; /* creates that got a reference kernel */
  uint64_t errors;            /* calls that failed */
  uint64_t packed_bytes;      /* held in packed weights now; not reset */
} fusion_rt_counters;
FUSION_RT_API void fusion_rt_get_counters(fusion_rt_counters *counters);
FUSION_RT_API void fusion_rt_reset_counters(void);

/* What the call of a traced event has copied beside its kernel (since 1.14):
 * operands to another layout or type, and weights that it packed. All 0 if the
 * event is no call, and outside of `fn` of fusion_rt_set_trace. */
typedef struct fusion_rt_copies {
  int64_t bytes;
  int64_t ns; /* the part of the event's time */
} fusion_rt_copies;
FUSION_RT_API void fusion_rt_get_traced_copies(fusion_rt_copies *copies);

/* A context (since 1.11): a way to end calls, and settings and counters of its
 * own for the calls that threads make in it. Other calls have those of the
 * process. */
typedef struct fusion_rt_context fusion_rt_context;

FUSION_RT_API fusion_rt_status
fusion_rt_context_create(fusion_rt_context **context);
/* No thread may be in the context. NULL is none. */
FUSION_RT_API void fusion_rt_context_destroy(fusion_rt_context *context);

/* From now on calls of this thread are in `context`; NULL, the default, is no
 * context. Returns the one before, to enter that again. Several threads may be
 * in one. The body of a parallel loop is in its caller's, whatever thread runs
 * it. */
FUSION_RT_API fusion_rt_context *
fusion_rt_context_enter(fusion_rt_context *context);

/* Ends the calls in the context, from any thread or a signal handler. Kernels
 * and ranges of parallel loops that have begun run to their end. Others return
 * FUSION_RT_CANCELLED, and so does every later call until
 * fusion_rt_context_reset. fusion_rt_call hands that on; outside of it,
 * compiled code calls the error handler. */
FUSION_RT_API fusion_rt_status
fusion_rt_context_cancel(fusion_rt_context *context);

/* The same from `time` on, with FUSION_RT_DEADLINE_EXCEEDED. The time is that
 * of CLOCK_MONOTONIC in nanoseconds; 0, the default, is never. */
FUSION_RT_API fusion_rt_status
fusion_rt_context_set_deadline(fusion_rt_context *context, int64_t time);

/* Takes back the cancellation and the deadline. */
FUSION_RT_API fusion_rt_status
fusion_rt_context_reset(fusion_rt_context *context);

/* As fusion_rt_set_num_threads, for calls in the context. 0, the default, takes
 * the number of the process. A number of fusion_rt_set_caller_threads goes
 * before both. */
FUSION_RT_API fusion_rt_status
fusion_rt_context_set_num_threads(fusion_rt_context *context, int32_t threads);

/* The most entries that one slot keeps of those that the context has made and
 * no call outside of it has used (since 1.12). The least recently used of these
 * is dropped, and no other. 0, the default, sets no such limit. That of
 * fusion_rt_set_cache_capacity holds besides, for all entries. */
FUSION_RT_API fusion_rt_status fusion_rt_context_set_cache_capacity(
    fusion_rt_context *context, int32_t entries);

/* Counted in the context since it was made or since the last reset. The process
 * counts the same calls. packed_bytes are those packed in the context. */
FUSION_RT_API fusion_rt_status fusion_rt_context_get_counters(
    const fusion_rt_context *context, fusion_rt_counters *counters);
FUSION_RT_API fusion_rt_status
fusion_rt_context_reset_counters(fusion_rt_context *context);

/* As fusion_rt_set_error_handler and fusion_rt_set_allocator, for calls in the
 * context. NULL, the default, takes those of the process. A thread that leaves
 * the context frees its scratch memory and arenas. Packed weights and values
 * that are computed once are freed with their slot, and results by
 * fusion_rt_free, which may be after the context's end. */
FUSION_RT_API fusion_rt_status fusion_rt_context_set_error_handler(
    fusion_rt_context *context, fusion_rt_error_handler handler, void *data);
FUSION_RT_API fusion_rt_status fusion_rt_context_set_allocator(
    fusion_rt_context *context, fusion_rt_alloc_fn alloc,
    fusion_rt_free_fn free, void *data);

/* `fn` gets the lines of FUSION_VERBOSE for calls in the context, whether the
 * variable is set or not, on the thread of the call. It must not throw. */
typedef void (*fusion_rt_log_fn)(const char *line, void *data);
FUSION_RT_API fusion_rt_status fusion_rt_context_set_log(
    fusion_rt_context *context, fusion_rt_log_fn fn, void *data);

#ifdef __cplusplus
}
#endif

#endif /* FUSION_RUNTIME_CONTEXT_H */
