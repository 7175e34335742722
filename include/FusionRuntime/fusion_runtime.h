/*===- fusion_runtime.h - C interface of the Fusion runtime -------*- C -*-===*\
|*                                                                            *|
|* Part of the Fusion project, under the Apache License v2.0 with LLVM        *|
|* Exceptions. See LICENSE for license information.                           *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/
/*
 * A call site is a `fusion_rt_slot`: a zero-initialised word of state behind a
 * static descriptor. Its first call creates the primitive and packs constant
 * weights; later calls only execute.
 *
 * The header needs C99 and the files beside it: no MLIR and no oneDNN type
 * appears. Every function may be called from several threads at once unless it
 * says otherwise. No function throws, aborts or exits, but for those that only
 * compiled code calls: fusion_rt_assertion_failed, fusion_rt_check_failed, and
 * names in `_checked`. If they fail they call the error handler, whose default
 * aborts. A C++ exception that a caller's function throws (`alloc`, `compute`
 * of fusion_rt_once, `fn` of fusion_rt_parallel_for) ends there: the call
 * returns FUSION_RT_BACKEND_ERROR with the text of the exception, or
 * FUSION_RT_OUT_OF_MEMORY for std::bad_alloc. `free` must not throw.
 */
#ifndef FUSION_RUNTIME_FUSION_RUNTIME_H
#define FUSION_RUNTIME_FUSION_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FUSION_RT_API __attribute__((visibility("default")))

/* ABI version of this header. The major number changes when a struct or a
 * function changes incompatibly, the minor number when something is added. A
 * new activation changes neither: a library without it refuses its number.
 * A descriptor of another major number is refused with
 * FUSION_RT_UNSUPPORTED_VERSION; so is one of a later minor number. */
#define FUSION_RT_ABI_MAJOR 1
#define FUSION_RT_ABI_MINOR 14
#define FUSION_RT_ABI_VERSION                                                  \
  (((uint32_t)FUSION_RT_ABI_MAJOR << 16) | (uint32_t)FUSION_RT_ABI_MINOR)

/* Largest number of spatial dimensions, and of dimensions of a tensor. */
#define FUSION_RT_MAX_SPATIAL_RANK 3
#define FUSION_RT_MAX_RANK 5

typedef enum fusion_rt_status {
  FUSION_RT_SUCCESS = 0,
  FUSION_RT_INVALID_ARGUMENT = 1, /* a caller's mistake: see last error */
  FUSION_RT_UNSUPPORTED = 2,      /* valid, but no kernel can do it */
  FUSION_RT_OUT_OF_MEMORY = 3,
  FUSION_RT_UNSUPPORTED_VERSION = 4, /* descriptor of another ABI version */
  FUSION_RT_BACKEND_ERROR = 5,       /* the backend failed: see last error */
  FUSION_RT_BROKEN_PROMISE = 6,      /* constant weights changed in place */
  FUSION_RT_CANCELLED = 7,           /* see context.h; since 1.11 */
  FUSION_RT_DEADLINE_EXCEEDED = 8
} fusion_rt_status;

typedef enum fusion_rt_type {
  FUSION_RT_TYPE_NONE = 0, /* operand is absent */
  FUSION_RT_TYPE_F32 = 1,
  FUSION_RT_TYPE_BF16 = 2,
  FUSION_RT_TYPE_F16 = 3,
  FUSION_RT_TYPE_S8 = 4, /* since 1.10, as are the next two */
  FUSION_RT_TYPE_U8 = 5,
  FUSION_RT_TYPE_S32 = 6
} fusion_rt_type;

/* Activations: FUSION_RT_ACT_RELU = 1 and so on. activations.def has the number
 * and the formula of each. */
typedef enum fusion_rt_activation {
  FUSION_RT_ACT_NONE = 0, /* x */
#define FUSION_ACTIVATION(Name, NAME, name, number, ...)                       \
  FUSION_RT_ACT_##NAME = number,
#include "activations.def"
} fusion_rt_activation;

/* Flags of a descriptor. */
enum {
  FUSION_RT_HAS_BIAS = 1u << 0,
  FUSION_RT_HAS_RESIDUAL = 1u << 1,
  /* The weights at one address never change until the slot is released, so
   * they are packed once. Another address is packed anew. */
  FUSION_RT_CONSTANT_WEIGHTS = 1u << 2,
  /* Allows Winograd's minimal filtering for a convolution that runs in f32, if
   * that is faster (since 1.5). It multiplies sums of several elements of src.
   * So it rounds differently, and NaN and infinities also reach outputs whose
   * windows are near them. Without FUSION_RT_CONSTANT_WEIGHTS, and in other
   * functions than fusion_rt_conv, the flag changes nothing. */
  FUSION_RT_ALLOW_WINOGRAD = 1u << 3,
  /* dst = act(acc + bias) + residual. Needs FUSION_RT_HAS_RESIDUAL and an
   * activation (since 1.9). */
  FUSION_RT_RESIDUAL_AFTER_ACTIVATION = 1u << 4
};

/* A convolution with everything that does not change from call to call:
 *
 *   acc[n,oc,o] = sum over ic in 0..IC/G, k of
 *                   src[n, g*IC/G+ic, o*stride + k*dilation - pad_low]
 *                   * weights[oc,ic,k]              with g = oc div (OC/G)
 *   dst[n,oc,o] = act(acc + bias[oc] + residual[n,oc,o])
 *
 * accumulated in f32 and rounded once to the type of dst. One of src and
 * weights may be f32 where the other is narrower. A kernel for the narrower
 * type gets it rounded, weights when they are packed (src since 1.4). src out
 * of range is 0. The bias is f32. A spatial size of dst is floor((src + pad_low
 * + pad_high - (kernel - 1) * dilation - 1) / stride) + 1, or 0 if that is
 * negative. The struct holds no pointer, so that a compiler may write its bytes
 * into an object file. Its arrays hold the spatial dimensions [d, [h,]] w. */
typedef struct fusion_rt_conv_desc {
  uint32_t abi_version; /* FUSION_RT_ABI_VERSION */
  uint32_t struct_size; /* sizeof(fusion_rt_conv_desc) */
  uint32_t flags;       /* FUSION_RT_HAS_BIAS, ... */
  int32_t spatial_rank; /* 1, 2 or 3 */
  int32_t src_type;     /* fusion_rt_type */
  int32_t weights_type; /* src_type; or one of both f32, see above */
  int32_t dst_type;
  int32_t residual_type; /* FUSION_RT_TYPE_NONE, dst_type or f32 */
  int32_t activation;    /* fusion_rt_activation */
  float alpha;
  float beta;
  int32_t reserved;                              /* 0 */
  int64_t groups;                                /* >= 1 */
  int64_t strides[FUSION_RT_MAX_SPATIAL_RANK];   /* >= 1 */
  int64_t dilations[FUSION_RT_MAX_SPATIAL_RANK]; /* >= 1; 1 is dense */
  int64_t pad_low[FUSION_RT_MAX_SPATIAL_RANK];   /* >= 0 */
  int64_t pad_high[FUSION_RT_MAX_SPATIAL_RANK];  /* >= 0 */
} fusion_rt_conv_desc;

/* A matrix multiplication, for each matrix of a batch (since 1.1):
 *
 *   acc[b,m,n] = sum over k of src[b,m,k] * weights[b,k,n]
 *   dst[b,m,n] = act(acc + bias[n] + residual[b,m,n])
 *
 * accumulated in f32 and rounded once to the type of dst. Types are as in a
 * fusion_rt_conv_desc. Weights of batch size 1 serve every b. */
typedef struct fusion_rt_matmul_desc {
  uint32_t abi_version; /* FUSION_RT_ABI_VERSION */
  uint32_t struct_size; /* sizeof(fusion_rt_matmul_desc) */
  uint32_t flags;       /* FUSION_RT_HAS_BIAS, ... */
  int32_t src_type;     /* fusion_rt_type */
  int32_t weights_type; /* src_type; or one of both f32, see above */
  int32_t dst_type;
  int32_t residual_type; /* FUSION_RT_TYPE_NONE, dst_type or f32 */
  int32_t activation;    /* fusion_rt_activation */
  float alpha;
  float beta;
  int32_t reserved; /* 0 */
} fusion_rt_matmul_desc;

/* The reduction of a pool over each window (since 1.2). */
typedef enum fusion_rt_pooling {
  FUSION_RT_POOL_MAX = 1, /* the greatest element */
  FUSION_RT_POOL_SUM = 2  /* the sum, computed in f32 */
} fusion_rt_pooling;

/* A pool (since 1.2):
 *
 *   dst[n,c,o] = max, or sum, over k of src[n, c, o*stride + k - pad_low]
 *
 * over the elements in range. Pads are smaller than the kernel, so that each
 * window has one. The maximum of a window with a NaN, or of minus infinity
 * alone, depends on the kernel. Spatial arrays, and spatial sizes of dst, are
 * as in a fusion_rt_conv_desc. */
typedef struct fusion_rt_pool_desc {
  uint32_t abi_version; /* FUSION_RT_ABI_VERSION */
  uint32_t struct_size; /* sizeof(fusion_rt_pool_desc) */
  int32_t pooling;      /* fusion_rt_pooling */
  int32_t spatial_rank; /* 1, 2 or 3 */
  int32_t type;         /* of src and dst; s8 and u8 for a maximum only */
  int32_t reserved;     /* 0 */
  int64_t kernel[FUSION_RT_MAX_SPATIAL_RANK];   /* >= 1 */
  int64_t strides[FUSION_RT_MAX_SPATIAL_RANK];  /* >= 1 */
  int64_t pad_low[FUSION_RT_MAX_SPATIAL_RANK];  /* >= 0, < kernel */
  int64_t pad_high[FUSION_RT_MAX_SPATIAL_RANK]; /* >= 0, < kernel */
} fusion_rt_pool_desc;

/* A strided tensor. Dimensions are in logical order whatever the layout in
 * memory is. Of a convolution or pool: src, dst and residual n, c, [d, [h,]] w;
 * weights oc, ic/groups, [d, [h,]] w; bias oc. Of a matrix multiplication: src
 * b, m, k; weights b, k, n; dst and residual b, m, n; bias n. The strides, in
 * elements, give the layout; in dimensions of size 1 they mean nothing. Those
 * of dst are positive and keep its elements apart: it may be every second
 * column of a larger tensor. Operands that are only read have any strides: 0
 * repeats an element, and a negative one goes backwards from `data`. */
typedef struct fusion_rt_tensor {
  void *data; /* first element; NULL if the operand is absent */
  int64_t sizes[FUSION_RT_MAX_RANK];
  int64_t strides[FUSION_RT_MAX_RANK];
} fusion_rt_tensor;

/* The operands of one call. src, weights and bias may not overlap dst;
 * residual is apart from dst or exactly dst (same address and strides). */
typedef struct fusion_rt_conv_args {
  fusion_rt_tensor src;
  fusion_rt_tensor weights;
  fusion_rt_tensor bias;
  fusion_rt_tensor residual;
  fusion_rt_tensor dst;
} fusion_rt_conv_args;
typedef fusion_rt_conv_args fusion_rt_matmul_args;

/* A call site. `desc` points at the descriptor that belongs to the function the
 * slot is used with. `state` is NULL at first and belongs to the runtime. */
typedef struct fusion_rt_slot {
  const void *desc;
  const char *location; /* shown in messages and traces; may be NULL */
  void *state;
} fusion_rt_slot;

/* Executes the convolution of `slot`. The first call with these sizes, strides
 * and threads creates the primitive and packs weights, for a bounded cache. */
FUSION_RT_API fusion_rt_status fusion_rt_conv(fusion_rt_slot *slot,
                                              const fusion_rt_conv_args *args);

/* For compiled code: calls `fusion_rt_conv`, and the error handler if that
 * fails. If the handler returns, dst holds unspecified values. A null dst that
 * has elements is one that compiled code could not allocate: the status is
 * FUSION_RT_OUT_OF_MEMORY. */
FUSION_RT_API void fusion_rt_conv_checked(fusion_rt_slot *slot,
                                          const fusion_rt_conv_args *args);

/* The transposed convolution (since 1.1), with the descriptor and arguments of
 * a convolution and the same formula but for
 *
 *   acc[n,oc,o] = sum over ic in 0..IC/G, i, k with
 *                   o = i*stride + k*dilation - pad_low  of
 *                   src[n, g*IC/G+ic, i] * weights[oc,ic,k]
 *
 * The size of dst is any for which a convolution with this window gives the
 * size of src. */
FUSION_RT_API fusion_rt_status
fusion_rt_deconv(fusion_rt_slot *slot, const fusion_rt_conv_args *args);
FUSION_RT_API void fusion_rt_deconv_checked(fusion_rt_slot *slot,
                                            const fusion_rt_conv_args *args);

/* The same for the `fusion_rt_matmul_desc` of a slot (since 1.1). */
FUSION_RT_API fusion_rt_status
fusion_rt_matmul(fusion_rt_slot *slot, const fusion_rt_matmul_args *args);
FUSION_RT_API void fusion_rt_matmul_checked(fusion_rt_slot *slot,
                                            const fusion_rt_matmul_args *args);

/* The same for the `fusion_rt_pool_desc` of a slot (since 1.2). Of the operands
 * only src and dst are looked at. */
FUSION_RT_API fusion_rt_status fusion_rt_pool(fusion_rt_slot *slot,
                                              const fusion_rt_conv_args *args);
FUSION_RT_API void fusion_rt_pool_checked(fusion_rt_slot *slot,
                                          const fusion_rt_conv_args *args);

typedef enum fusion_rt_function {
  FUSION_RT_FUNCTION_CONV = 0,
  FUSION_RT_FUNCTION_MATMUL = 1,
  FUSION_RT_FUNCTION_DECONV = 2,
  FUSION_RT_FUNCTION_POOL = 3,
  FUSION_RT_FUNCTION_QUANTIZED_CONV = 4,
  FUSION_RT_FUNCTION_QUANTIZED_MATMUL = 5
} fusion_rt_function;

/* Does what the first call of `function` would do before it executes, with the
 * threads of a call outside of parallel loops (since 1.8). Constant weights
 * alone are read; if their address is NULL, the first call packs them. The
 * residual is dst where both addresses are the same and not NULL. */
FUSION_RT_API fusion_rt_status
fusion_rt_prepare(fusion_rt_function function, fusion_rt_slot *slot,
                  const fusion_rt_conv_args *args);
FUSION_RT_API void fusion_rt_prepare_checked(fusion_rt_function function,
                                             fusion_rt_slot *slot,
                                             const fusion_rt_conv_args *args);

/* A computation that runs once for constant operands (since 1.1): of weights
 * scaled by a batch norm whose parameters are arguments, for example. */
typedef struct fusion_rt_once_desc {
  uint32_t abi_version; /* FUSION_RT_ABI_VERSION */
  uint32_t struct_size; /* sizeof(fusion_rt_once_desc) */
  int32_t num_keys;     /* operands */
  int32_t num_results;  /* tensors that are computed */
  /* Computes from the operands, given by their addresses, and writes two
   * pointers for each result: the block of memory to free, and its data. It
   * must not ask for results of its own slot, which is refused. */
  void (*compute)(void **results, void *const *keys);
  void (*free_block)(void *block); /* frees a block */
} fusion_rt_once_desc;

/* Gives the pointers that `compute` of the `fusion_rt_once_desc` of `slot`
 * writes for the operands at the addresses `keys`. The first call with these
 * addresses computes; later ones give the same. The contents at the addresses
 * must not change until the slot is released, and the results are valid until
 * then, however many sets of addresses there are. */
FUSION_RT_API fusion_rt_status fusion_rt_once(fusion_rt_slot *slot,
                                              void *const *keys,
                                              void *const **results);

/* For compiled code: returns the results. On failure it calls the error
 * handler. If that returns, it gives the results of the latest call that did
 * not fail, and aborts if there is none. */
FUSION_RT_API void *const *fusion_rt_once_checked(fusion_rt_slot *slot,
                                                  void *const *keys);

/* Frees the results behind `slot`, whose descriptor is a `fusion_rt_once_desc`,
 * and makes it fresh again. Nothing may be using them. */
FUSION_RT_API void fusion_rt_once_release(fusion_rt_slot *slot);

/* Gives `bytes` bytes, aligned to 64, for the tensors between the ops of one
 * call of compiled code (since 1.2), until `fusion_rt_arena_end` on the same
 * thread, which keeps them for its next call. Contents are unspecified. Arenas
 * nest: ending one ends those begun after it, which a jump out of an error
 * handler may have left. */
FUSION_RT_API fusion_rt_status fusion_rt_arena_begin(int64_t bytes,
                                                     void **arena);
FUSION_RT_API fusion_rt_status fusion_rt_arena_end(void *arena);

/* For compiled code: on failure they call the error handler. If that returns
 * and there is no memory, the first aborts. */
FUSION_RT_API void *fusion_rt_arena_begin_checked(int64_t bytes);
FUSION_RT_API void fusion_rt_arena_end_checked(void *arena);

/* Frees everything behind `slot` and makes it fresh again. No call through the
 * slot may be running. Releasing a fresh slot does nothing. */
FUSION_RT_API void fusion_rt_release(fusion_rt_slot *slot);

/* The name of the kernel that the most recent execution through `slot` used
 * ("brgconv:avx512_core"), or NULL. Valid until the slot is released. */
FUSION_RT_API const char *fusion_rt_slot_kernel(const fusion_rt_slot *slot);

/* The sentence that belongs to the last status other than success returned on
 * this thread; "" if there was none. Valid until the next failing call. */
FUSION_RT_API const char *fusion_rt_last_error(void);

/* "invalid argument" for FUSION_RT_INVALID_ARGUMENT, and so on. */
FUSION_RT_API const char *fusion_rt_status_string(fusion_rt_status status);

/* FUSION_RT_ABI_VERSION of the loaded library. */
FUSION_RT_API uint32_t fusion_rt_abi_version(void);

/* The library behind the runtime, "oneDNN 2.6.3" or "portable". */
FUSION_RT_API const char *fusion_rt_backend(void);

/* Called by the functions for compiled code when they fail. `message` is the
 * sentence of `fusion_rt_last_error`, and the location in parentheses. NULL
 * restores the default, which prints status and message and aborts.
 *
 * A handler may return, or leave the compiled code by longjmp or an exception.
 * Memory of the compiled code is lost then; its arenas are not, if the caller
 * begins one of 0 bytes before it enters and ends that after the jump. No jump
 * may leave a loop of fusion_rt_parallel_for or `compute` of fusion_rt_once; an
 * exception may, and makes these calls fail: the handler is called again. */
typedef void (*fusion_rt_error_handler)(fusion_rt_status status,
                                        const char *message, void *context);
FUSION_RT_API void fusion_rt_set_error_handler(fusion_rt_error_handler handler,
                                               void *context);

/* Memory for packed weights, scratchpads and arenas, and (since 1.12) for what
 * compiled code allocates: results, tensors between ops, and values that are
 * computed once. `alloc` returns NULL when there is none. Blocks are freed by
 * the functions that were set when they were made, on any thread. NULL for both
 * restores the default (posix_memalign and free; for compiled code the C
 * library's functions). Both functions may call the library, but functions that
 * need memory themselves (kernels, fusion_rt_once, arenas, fusion_rt_malloc)
 * refuse with FUSION_RT_INVALID_ARGUMENT. */
typedef void *(*fusion_rt_alloc_fn)(size_t bytes, size_t alignment,
                                    void *context);
typedef void (*fusion_rt_free_fn)(void *block, void *context);
FUSION_RT_API fusion_rt_status fusion_rt_set_allocator(fusion_rt_alloc_fn alloc,
                                                       fusion_rt_free_fn free,
                                                       void *context);

/* Lets kernels and parallel loops run on the host's threads (since 1.7), and no
 * longer on those of the library: `fn` calls task(index, data) once for each
 * index of 0..count, on any threads in any order, and returns when all have
 * returned. `task` does not throw. NULL restores the library's threads. Not to
 * be called while other threads execute. */
typedef void (*fusion_rt_task_fn)(int32_t index, void *data);
typedef void (*fusion_rt_parallel_fn)(int32_t count, fusion_rt_task_fn task,
                                      void *data, void *context);
FUSION_RT_API fusion_rt_status fusion_rt_set_parallel(fusion_rt_parallel_fn fn,
                                                      void *context);

/* The most entries that one slot keeps, one for each set of sizes, strides and
 * threads. The least recently used is dropped. At least 1; 16 by default. */
FUSION_RT_API fusion_rt_status fusion_rt_set_cache_capacity(int32_t entries);

/* Drops the cached primitives of every slot (packed weights are kept), those
 * that the backend keeps besides, and the calling thread's scratch memory and
 * arenas that no call is using. */
FUSION_RT_API void fusion_rt_clear_caches(void);

/* Runs fn(begin, end, context) over disjoint ranges that cover 0..n, each but
 * the last of at least `grain` indices (>= 1), on the threads that the kernels
 * use. Fewer than 2 * grain are one range, on the calling thread. If `fn`
 * throws, ranges that have not begun are left out, and the call fails. */
typedef void (*fusion_rt_loop_fn)(int64_t begin, int64_t end, void *context);
FUSION_RT_API fusion_rt_status fusion_rt_parallel_for(int64_t n, int64_t grain,
                                                      fusion_rt_loop_fn fn,
                                                      void *context);

/* For compiled code: on failure it calls the error handler (since 1.3). */
FUSION_RT_API void fusion_rt_parallel_for_checked(int64_t n, int64_t grain,
                                                  fusion_rt_loop_fn fn,
                                                  void *context);

/* An argument or result of compiled code (since 1.6). */
typedef struct fusion_rt_value_desc {
  const char *type;     /* of an element: "f32", "bf16", "i64" */
  int32_t is_scalar;    /* passed by value, else as a memref */
  int32_t rank;         /* 0 for a scalar */
  const int64_t *sizes; /* `rank` of them; -1 for a dynamic one */
} fusion_rt_value_desc;

/* A function of compiled code (since 1.6). */
typedef struct fusion_rt_signature {
  uint32_t abi_version; /* FUSION_RT_ABI_VERSION */
  uint32_t struct_size; /* sizeof(fusion_rt_signature) */
  const char *name;
  int32_t num_arguments;
  int32_t num_results;
  const fusion_rt_value_desc *arguments;
  const fusion_rt_value_desc *results;
  int64_t results_size; /* bytes of the struct of results */
} fusion_rt_signature;

/* Runs fn(results, arguments), compiled code, and returns a status for failures
 * in it, as the entry of an object file does (since 1.6). Before that it checks
 * each argument, a pointer to the memref or scalar, against the signature:
 * sizes, the strides of a row-major array, no offset. The first failure of a
 * checked call, an allocation or an assertion of the compiled code ends this
 * call alone: memory that it has allocated is freed, *results is filled with
 * zeros, and the status is returned, with its sentence in fusion_rt_last_error.
 * The error handler is not called. A longjmp leaves the frames between `fn` and
 * the failure, which must be compiled code. */
typedef void (*fusion_rt_entry_fn)(void *results, void *const *arguments);
FUSION_RT_API fusion_rt_status
fusion_rt_call(const fusion_rt_signature *signature, fusion_rt_entry_fn fn,
               void *results, void *const *arguments);

/* malloc, calloc and aligned_alloc of compiled code in object files (since
 * 1.6), by the allocator that is set, if one is. Without memory they fail the
 * fusion_rt_call around them. Outside of such a call they call the error
 * handler, and abort if it returns. */
FUSION_RT_API void *fusion_rt_malloc_checked(size_t bytes);
FUSION_RT_API void *fusion_rt_calloc_checked(size_t count, size_t bytes);
FUSION_RT_API void *fusion_rt_aligned_alloc_checked(size_t alignment,
                                                    size_t bytes);

/* Frees a block of compiled code, a result for example, with the functions that
 * made it, or one that other code has from malloc. Where no allocator is set
 * when a block is made, free() frees it as well. */
FUSION_RT_API void fusion_rt_free(void *block);

/* A block as compiled code allocates them, which fusion_rt_free frees (since
 * 1.12). After a failure *block is NULL. */
FUSION_RT_API fusion_rt_status fusion_rt_malloc(size_t bytes, void **block);

/* For an assertion that does not hold, in object files (since 1.6): the first
 * keeps the reason, the second fails as the functions above do. */
FUSION_RT_API int fusion_rt_assertion_message(const char *message);
FUSION_RT_API void fusion_rt_assertion_failed(void);

/* For sizes or indices that do not fit, in compiled code (since 1.12): fails as
 * the functions above do, with a sentence in the format of printf. */
FUSION_RT_API void fusion_rt_check_failed(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/* A traced span of time: one call of a kernel, with all that the runtime does
 * for it, or one region between `fusion_rt_trace_begin` and
 * `fusion_rt_trace_end`. Times are of CLOCK_MONOTONIC in nanoseconds. `kernel`
 * is valid for ever, `name` and `location` as long as what was given to the
 * slot or to `fusion_rt_trace_end`. */
typedef struct fusion_rt_event {
  const char *name;     /* "conv", "deconv", "matmul", "pool", ... */
  const char *location; /* source location or "" */
  const char *kernel;   /* kernel name or "" */
  int64_t begin_ns;
  int64_t end_ns;
  /* Steps of the call beside the kernel (since 1.13), each with a comma in
   * front, such as ", weights packed, 864 bytes", or "". Valid in `fn`. */
  const char *steps;
} fusion_rt_event;
typedef void (*fusion_rt_trace_fn)(const fusion_rt_event *event, void *context);
/* `fn` gets each event. NULL switches tracing off, which is the default. Not to
 * be called while other threads execute. */
FUSION_RT_API void fusion_rt_set_trace(fusion_rt_trace_fn fn, void *context);
/* Returns the time, or 0 while tracing is off; reports the span since then. */
FUSION_RT_API int64_t fusion_rt_trace_begin(void);
FUSION_RT_API void fusion_rt_trace_end(int64_t begin_ns, const char *name,
                                       const char *location);

#ifdef __cplusplus
}
#endif

#include "context.h"
#include "entry.h"
#include "quantized.h"

#endif /* FUSION_RUNTIME_FUSION_RUNTIME_H */
