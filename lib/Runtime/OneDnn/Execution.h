//===- Execution.h - Execution of primitives on one thread ------*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_ONEDNN_EXECUTION_H
#define FUSION_LIB_RUNTIME_ONEDNN_EXECUTION_H

#include "Context.h"
#include "PackedWeights.h"

#include <vector>

namespace fusion {
namespace runtime {

/// Executes one plan, on one thread at a time. It has the memories of oneDNN,
/// whose addresses are set anew for each call, and places in scratch memory.
/// `descriptor`, `problem` and `plan` must outlive it.
class PrimitiveExecution {
public:
  PrimitiveExecution(const Descriptor &descriptor, const Problem &problem,
                     const Plan &plan);

  /// The bytes of scratch memory that `run` uses.
  size_t scratchBytes() const { return arenaBytes; }

  /// Runs a call whose addresses have been checked. `packed` are the weights in
  /// the form of the plan, or null if it takes them as given.
  void run(char *scratch, const dnnl::stream &stream,
           const fusion_rt_conv_args &args, dnnl_memory_t packed);

private:
  enum Operand {
    Src,
    Dst,
    EpilogueDst,
    Bias,
    Residual,
    One,
    Scratchpad,
    EpilogueScratchpad,
    Weights,
    OperandCount
  };

  void planArena();
  size_t place(size_t bytes);
  void addArgument(int role, Operand operand, const dnnl::memory::desc &desc);
  void addEpilogueArguments();
  bool copiesResidualForEpilogue() const;
  void bindResidual(char *arena, const fusion_rt_conv_args &args);
  void bindWeights(void *data, dnnl_memory_t packed);
  void bindBias(char *arena, const fusion_rt_conv_args &args);

  const Descriptor &descriptor;
  const Problem &problem;
  const Plan &plan;

  BoundMemory memories[OperandCount];
  std::vector<dnnl_exec_arg_t> arguments;
  std::vector<dnnl_exec_arg_t> epilogueArguments;
  size_t weightsArgument = 0;           // its place in `arguments`
  const float *swishResidual = nullptr; // of the call, behind swish

  // Offsets of the buffers in scratch memory.
  size_t arenaBytes = 0;
  size_t scratchpadAt = 0, epilogueScratchpadAt = 0;
  size_t srcAt = 0, dstAt = 0, biasAt = 0, residualAt = 0;
};

} // namespace runtime
} // namespace fusion

#endif // FUSION_LIB_RUNTIME_ONEDNN_EXECUTION_H
