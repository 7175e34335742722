//===- Execution.cpp - Execution of primitives on one thread --------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Execution.h"

#include "Sigmoids.h"
#include "TensorCopy.h"

using namespace fusion::runtime;

PrimitiveExecution::PrimitiveExecution(const Descriptor &descriptor,
                                       const Problem &problem, const Plan &plan)
    : descriptor(descriptor), problem(problem), plan(plan) {
  planArena();
  addArgument(DNNL_ARG_SRC, Src, plan.operands.src);
  addArgument(DNNL_ARG_DST, Dst, plan.operands.dst);
  addArgument(DNNL_ARG_SCRATCHPAD, Scratchpad, plan.scratchpad);
  if (descriptor.hasBias() && !plan.epilogueAddsBias)
    addArgument(DNNL_ARG_BIAS, Bias, plan.operands.bias);
  if (plan.hasEpilogue)
    addEpilogueArguments();
  if (plan.residual == ResidualMode::Binary)
    addArgument(DNNL_ARG_ATTR_MULTIPLE_POST_OP(residualPostOp(descriptor)) |
                    DNNL_ARG_SRC_1,
                Residual, plan.operands.residual);
  if (!descriptor.hasWeights())
    return;
  weightsArgument = arguments.size();
  addArgument(DNNL_ARG_WEIGHTS, Weights, plan.weightsDesc);
}

void PrimitiveExecution::addArgument(int role, Operand operand,
                                     const dnnl::memory::desc &desc) {
  memories[operand] = BoundMemory(desc);
  arguments.push_back({role, memories[operand].get()});
}

/// The arguments are those of `describeEpilogue`.
void PrimitiveExecution::addEpilogueArguments() {
  static float one = 1;
  auto add = [&](int role, Operand operand) {
    epilogueArguments.push_back({role, memories[operand].get()});
  };
  memories[EpilogueScratchpad] =
      BoundMemory(plan.epilogueDesc.scratchpad_desc());
  memories[EpilogueDst] = BoundMemory(plan.epilogueOperands.dst);
  add(DNNL_ARG_SRC_0, EpilogueDst);
  add(DNNL_ARG_DST, EpilogueDst);
  add(DNNL_ARG_SCRATCHPAD, EpilogueScratchpad);
  bool addsResidual = plan.residual == ResidualMode::Epilogue;
  bool isPostOp = isResidualPostOpOfEpilogue(descriptor, plan.epilogueAddsBias);
  if (plan.epilogueAddsBias) {
    memories[Bias] = BoundMemory(repeatedBias(plan.operands));
    add(DNNL_ARG_SRC_1, Bias);
  } else if (!addsResidual || isPostOp) {
    memories[One] = BoundMemory(repeatedScalar(plan.epilogueOperands));
    memories[One].bind(&one);
    add(DNNL_ARG_SRC_1, One);
  }
  if (addsResidual) {
    memories[Residual] = BoundMemory(plan.epilogueOperands.dst);
    int postOp = DNNL_ARG_ATTR_MULTIPLE_POST_OP(residualPostOp(descriptor));
    add(isPostOp ? postOp | DNNL_ARG_SRC_1 : DNNL_ARG_SRC_1, Residual);
  }
}

size_t PrimitiveExecution::place(size_t bytes) {
  size_t at = arenaBytes;
  arenaBytes += roundUp(bytes, blockAlignment);
  return at;
}

/// Assigns a place in the arena to each buffer of the plan.
void PrimitiveExecution::planArena() {
  scratchpadAt = place(plan.scratchpad.get_size());
  if (plan.copiesSrc)
    srcAt = place(plan.src.extent());
  if (plan.copiesDst)
    dstAt = place(plan.dst.extent());
  if (descriptor.hasBias())
    biasAt = place(plan.dst.sizes[1] * sizeof(float));
  if (plan.hasEpilogue)
    epilogueScratchpadAt =
        place(plan.epilogueDesc.scratchpad_desc().get_size());
  if (copiesResidualForEpilogue())
    residualAt = place(plan.dst.extent());
}

void PrimitiveExecution::bindWeights(void *data, dnnl_memory_t packed) {
  if (packed)
    arguments[weightsArgument].memory = packed;
  else
    memories[Weights].bind(data);
}

/// Binds the bias, or a dense copy of it, since oneDNN reads it densely.
void PrimitiveExecution::bindBias(char *arena,
                                  const fusion_rt_conv_args &args) {
  const View &bias = problem.bias;
  if (bias.isDense()) {
    memories[Bias].bind(args.bias.data);
    return;
  }
  float *dense = reinterpret_cast<float *>(arena + biasAt);
  const float *given = static_cast<const float *>(args.bias.data);
  for (int64_t i = 0; i < bias.sizes[0]; ++i)
    dense[i] = given[i * bias.strides[0]];
  memories[Bias].bind(dense);
}

/// Whether the residual is copied, because the epilogue needs the type and
/// layout of dst, or because it is dst, which the kernel writes before that.
bool PrimitiveExecution::copiesResidualForEpilogue() const {
  const View &residual = problem.residual;
  return plan.residual == ResidualMode::Epilogue &&
         ((problem.inPlace && !plan.copiesDst) ||
          residual.type != plan.dst.type ||
          !haveSameStrides(residual, plan.dst));
}

void PrimitiveExecution::bindResidual(char *arena,
                                      const fusion_rt_conv_args &args) {
  void *data = args.residual.data;
  if (copiesResidualForEpilogue()) {
    data = arena + residualAt;
    copyTensor(problem.residual, args.residual.data, plan.dst, data);
  }
  if (plan.loopsSwish && plan.residual == ResidualMode::Epilogue)
    swishResidual = static_cast<const float *>(data);
  else
    memories[Residual].bind(data);
}

void PrimitiveExecution::run(char *arena, const dnnl::stream &stream,
                             const fusion_rt_conv_args &args,
                             dnnl_memory_t packed) {
  void *src = plan.copiesSrc ? arena + srcAt : args.src.data;
  void *dst = plan.copiesDst ? arena + dstAt : args.dst.data;
  if (descriptor.hasWeights())
    bindWeights(args.weights.data, packed);
  if (descriptor.hasBias())
    bindBias(arena, args);
  if (plan.variant.padsWidth) {
    const int last = descriptor.raw.spatial_rank - 1;
    int64_t padLow[FUSION_RT_MAX_SPATIAL_RANK] = {};
    padLow[last] = descriptor.raw.pad_low[last];
    copyPadded(problem.src, args.src.data, plan.src, src, padLow);
  } else if (plan.copiesSrc)
    copyTensor(problem.src, args.src.data, plan.src, src,
               descriptor.quantization.src_zero_point);
  if (plan.copiesResidual())
    copyTensor(problem.residual, args.residual.data, plan.dst, dst);
  if (plan.residual == ResidualMode::Binary ||
      plan.residual == ResidualMode::Epilogue)
    bindResidual(arena, args);
  memories[Src].bind(src);
  memories[Dst].bind(dst);
  memories[Scratchpad].bind(arena + scratchpadAt);
  execute(plan.primitive, stream, arguments);
  if (plan.hasEpilogue) {
    memories[EpilogueDst].bind(dst);
    memories[EpilogueScratchpad].bind(arena + epilogueScratchpadAt);
    execute(plan.epilogue, stream, epilogueArguments);
  }
  if (plan.loopsSwish)
    runSwish(descriptor.raw.alpha, static_cast<float *>(dst), swishResidual,
             plan.dst.elements());
  if (plan.copiesDst)
    copyTensor(plan.dst, dst, problem.dst, args.dst.data);
}
