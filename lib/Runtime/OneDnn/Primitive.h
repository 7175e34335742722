//===- Primitive.h - Problems as oneDNN is told about them ------*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_ONEDNN_PRIMITIVE_H
#define FUSION_LIB_RUNTIME_ONEDNN_PRIMITIVE_H

#include "OneDnnCompat.h"
#include "Problem.h"

namespace fusion {
namespace runtime {

/// The CPU engine. It is never destroyed: slots may be released during the
/// destruction of static objects.
const dnnl::engine &cpuEngine();

dnnl::memory::data_type toDnnl(fusion_rt_type type);

/// The operands of a primitive, with oneDNN's dimensions.
struct Operands {
  dnnl::memory::desc src;
  dnnl::memory::desc weights; // as they are before packing
  dnnl::memory::desc bias;    // zero if there is none
  dnnl::memory::desc residual;
  dnnl::memory::desc dst;
};

/// Whether `view` must be copied for a primitive that takes elements of `type`:
/// it has another type, or strides that no descriptor of oneDNN has. They must
/// be positive, and a stride must be a multiple of those inside it; slices of
/// every second element, for example, are not like that.
bool mustCopy(const View &view, fusion_rt_type type);

/// Whether the matrices of a batch are contiguous, as one matrix with more
/// rows.
bool continuesRows(const View &view);

/// For views that need no copy. A residual that a kernel reads has the layout
/// of dst.
Operands describeOperands(const Descriptor &descriptor, const View &src,
                          const View &weights, const View &dst);

/// A dense descriptor of the sizes of `view`, with channels last.
dnnl::memory::desc describeDense(const View &view);

/// `desc` with the layout left to the implementation.
dnnl::memory::desc anyLayout(const dnnl::memory::desc &desc);

/// Whether weights with the layout `given` need no reorder to `wanted`.
bool isLaidOutAs(const dnnl::memory::desc &given,
                 const dnnl::memory::desc &wanted);

/// The best implementation of oneDNN for these operands, with the weights in
/// the layout of `weights`; empty if there is none. `addsBias` is false if the
/// epilogue does it. `isWinograd`, for a convolution only, asks for that
/// algorithm. No convolution has one of `avoided` in its name. Throws
/// dnnl::error.
dnnl::primitive_desc_base
describePrimitive(const Descriptor &descriptor, const Operands &operands,
                  const dnnl::memory::desc &weights, bool addsBias,
                  bool isWinograd, const dnnl::primitive_attr &attr,
                  const std::vector<const char *> &avoided = {});

/// Runs a primitive to its end. Throws dnnl::error.
void execute(const dnnl::primitive &primitive, const dnnl::stream &stream,
             const std::vector<dnnl_exec_arg_t> &arguments);

/// A bias with the dimensions of dst.
dnnl::memory::desc repeatedBias(const Operands &operands);
/// One element, with the dimensions of dst.
dnnl::memory::desc repeatedScalar(const Operands &operands);

/// Where the residual stands among post-ops that it shares with the activation.
int residualPostOp(const Descriptor &descriptor);

/// Whether the epilogue that adds the residual does so by a post-op.
bool isResidualPostOpOfEpilogue(const Descriptor &descriptor, bool addsBias);

/// An element-wise primitive that computes, in place on an f32 dst,
///
///   act(dst + bias + residual), or act(dst + bias) + residual
///
/// It adds the bias if `addsBias`, and the residual, which has the layout of
/// dst, if `addsResidual`. Its second source is the bias, else a residual
/// before the activation, else the factor 1. Another residual is the source of
/// a post-op. Empty if oneDNN has none. Throws dnnl::error.
dnnl::primitive_desc_base describeEpilogue(const Descriptor &descriptor,
                                           const Operands &operands,
                                           bool addsBias, bool addsResidual);

} // namespace runtime
} // namespace fusion

#endif // FUSION_LIB_RUNTIME_ONEDNN_PRIMITIVE_H
