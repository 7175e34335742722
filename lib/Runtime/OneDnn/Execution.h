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

/// The thread's stream of oneDNN.
const dnnl::stream &streamOf(const Thread &thread);

/// What one thread needs to execute one plan: memories of oneDNN, whose
/// addresses are set anew for each call, and a place in the thread's arena.
class PrimitiveExecution : public Execution {
public:
  PrimitiveExecution(const Descriptor &descriptor, const Problem &problem,
                     const Plan &plan);

  void run(Thread &thread, const fusion_rt_conv_args &args,
           const KeptWeights *weights) override;

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
  void bindWeights(Thread &thread, char *arena, void *data,
                   const KeptWeights *kept);
  void bindBias(char *arena, const fusion_rt_conv_args &args);

  const Descriptor &descriptor;
  const Problem &problem;
  const Plan &plan;
  WeightsPacker packer; // used each call, if weights are not constant

  BoundMemory memories[OperandCount];
  std::vector<dnnl_exec_arg_t> arguments;
  std::vector<dnnl_exec_arg_t> epilogueArguments;
  size_t weightsArgument = 0; // its place in `arguments`

  // Offsets in the thread's arena of what the plan has there.
  size_t arenaBytes = 0;
  size_t scratchpadAt = 0, epilogueScratchpadAt = 0;
  size_t srcAt = 0, dstAt = 0, biasAt = 0, residualAt = 0;
  size_t packedAt = 0, packScratchAt = 0;
};

} // namespace runtime
} // namespace fusion

#endif // FUSION_LIB_RUNTIME_ONEDNN_EXECUTION_H
