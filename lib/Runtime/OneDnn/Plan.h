//===- Plan.h - How a convolution is brought to a good kernel ---*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_ONEDNN_PLAN_H
#define FUSION_LIB_RUNTIME_ONEDNN_PLAN_H

#include "Backend.h"
#include "Kernels.h"
#include "Primitive.h"

#include <string>
#include <vector>

namespace fusion {
namespace runtime {

/// How the residual reaches the sum.
enum class ResidualMode {
  None,
  Sum,       // dst holds it already
  CopyToSum, // it is copied to dst first
  Binary,    // the kernel reads it from where it is
  Epilogue   // the epilogue reads it
};

/// The steps that compute a convolution:
///
///   [copy src] -> [copy residual] -> convolution -> [epilogue] -> [copy dst]
///
/// where copies change layout, type or channel count on the way from or to
/// scratch memory, for kernels that do not take the tensors as they are; and
/// the epilogue is an element-wise primitive for what follows the sum, or for
/// the activation alone, for kernels that are slow or wrong at it or cannot do
/// it.
struct Plan : BackendPlan {
  // What the convolution primitive works on.
  View src;
  View weights; // dense or as given; before packing
  View dst;
  bool copiesSrc = false;
  bool copiesDst = false;
  bool convertsWeights = false; // to another type or order, or more channels
  bool reordersWeights = false; // to another layout, by oneDNN
  bool isWinograd = false;      // the algorithm; otherwise direct
  ResidualMode residual = ResidualMode::None;
  bool hasEpilogue = false; // the kernel convolves, and sums up at most
  bool epilogueAddsBias = false;

  Operands operands;              // src, weights and dst for oneDNN
  dnnl::memory::desc weightsDesc; // as the primitive wants them
  dnnl::primitive primitive;
  dnnl::memory::desc scratchpad;
  dnnl::primitive_desc_base epilogueDesc; // if hasEpilogue
  Operands epilogueOperands;
  dnnl::primitive epilogue;
  dnnl::reorder weightsReorder; // if reordersWeights
  dnnl::memory::desc weightsReorderScratchpad;

  KernelClass kernelClass = KernelClass::None;
  const char *kernel = ""; // oneDNN's name of the implementation

  bool copiesResidual() const { return residual == ResidualMode::CopyToSum; }
  bool usesWeightsAsGiven() const {
    return !convertsWeights && !reordersWeights;
  }

  const char *kernelName() const override { return kernel; }
  bool isReference() const override {
    return kernelClass == KernelClass::Reference;
  }
  std::string steps() const override;
  bool packsWeights() const override { return !usesWeightsAsGiven(); }
  bool takes(const KeptWeights &weights) const override;
  std::shared_ptr<KeptWeights> keepWeights(const View &given, void *data,
                                           Thread &thread) const override;
  std::unique_ptr<Execution>
  makeExecution(const Descriptor &descriptor,
                const Problem &problem) const override;
};

/// Weights that have been packed already, and that a new plan should take as
/// they are if it can.
struct PackedFormat {
  View weights;
  dnnl::memory::desc desc;
};

/// Finds the best plan and creates its primitive. `out.kernelClass` is `None`
/// if oneDNN has no kernel at all. Throws dnnl::error.
void makePlan(const Descriptor &descriptor, const Problem &problem,
              const std::vector<PackedFormat> &packed, Plan &out);

} // namespace runtime
} // namespace fusion

#endif // FUSION_LIB_RUNTIME_ONEDNN_PLAN_H
