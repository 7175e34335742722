//===- Plan.h - How a convolution is brought to a good kernel ---*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_ONEDNN_PLAN_H
#define FUSION_LIB_RUNTIME_ONEDNN_PLAN_H

#include "Kernels.h"
#include "Primitive.h"
#include "WeightsReorder.h"

#include <optional>
#include <string>
#include <vector>

namespace fusion {
namespace runtime {

/// How the residual is added to the sum.
enum class ResidualMode {
  None,
  Sum,       // dst holds it already
  CopyToSum, // it is copied to dst first
  Binary,    // the kernel reads it from where it is
  Epilogue   // the epilogue, or the loop behind the kernel, reads it
};

/// Changes that a plan makes before oneDNN sees the problem.
struct Variant {
  fusion_rt_type type;    // of src and weights
  fusion_rt_type dstType; // of dst
  bool copiesSrc;
  bool copiesDst;
  int64_t channels;                  // of src, with those of zeros
  int64_t channelsPerBlock = 1;      // of copies
  Order order = Order::ChannelsLast; // of copies without blocks
  bool isWinograd = false;
  bool isConvolution = false; // a matrix multiplication as one, 1 element wide
  bool padsWidth = false; // the copy of src has the pads of its last dimension
};

/// The steps that compute a convolution on one thread:
///
///   [copy src] -> [copy residual] -> convolution -> [epilogue] -> [copy dst]
///                                                   [or swish]
///
/// The copies change layout, type or channel count, from or to scratch memory,
/// for kernels that do not take the tensors as they are. The epilogue is an
/// element-wise primitive for bias, residual and activation, or for the
/// activation alone. It is for kernels that are slow or wrong with these, or do
/// not have them. Swish has a loop of ours instead.
struct Plan {
  Variant variant{};
  bool isMatmul = false;
  // The operands of the convolution primitive.
  View src;
  View weights; // dense or as given; before packing
  View dst;
  bool copiesSrc = false;
  bool copiesDst = false;
  bool convertsWeights = false; // to another type or order, or more channels
  bool reordersWeights = false; // to another layout, by oneDNN
  ResidualMode residual = ResidualMode::None;
  bool hasEpilogue = false; // the kernel convolves, and adds at most
  bool epilogueAddsBias = false;
  bool loopsSwish = false; // behind the kernel, which computes the rest

  Operands operands;              // src, weights and dst for oneDNN
  dnnl::memory::desc weightsDesc; // as the primitive wants them
  dnnl::primitive primitive;
  dnnl::memory::desc scratchpad;
  dnnl::primitive_desc_base epilogueDesc; // if hasEpilogue
  Operands epilogueOperands;
  dnnl::primitive epilogue;
  std::vector<WeightsReorder> weightsReorders; // if reordersWeights

  KernelClass kernelClass = KernelClass::None;
  const char *kernel = ""; // oneDNN's name of the implementation

  bool kernelActivates() const { return !hasEpilogue && !loopsSwish; }
  bool copiesResidual() const { return residual == ResidualMode::CopyToSum; }
  bool usesWeightsAsGiven() const {
    return !convertsWeights && !reordersWeights;
  }

  /// The steps beside the kernel, for FUSION_VERBOSE: ", src copied to ...".
  std::string steps() const;
};

/// A range of output channels.
struct ChannelRange {
  int64_t begin = 0, end = 0;
  bool operator==(const ChannelRange &other) const {
    return begin == other.begin && end == other.end;
  }
};

/// Weights that are packed already. A new plan should take them as they are if
/// it can.
struct PackedFormat {
  View weights;
  dnnl::memory::desc desc;
  ChannelRange channels;

  /// The offset in bytes of the channels `wanted` in the form of `plan`.
  /// Nothing if they are not there or have another layout.
  std::optional<size_t> find(const Plan &plan, ChannelRange wanted) const;
};

/// A plan without its primitives.
struct Draft {
  Plan plan;
  dnnl::primitive_desc_base kernel; // with the weights in oneDNN's best layout
};

/// Whether a part is computed as fast as the whole: by the same kernel, or by
/// one of a better class.
bool isAsGood(const Plan &part, const Plan &whole);

/// The best plan; `kernelClass` is `None` if oneDNN has no kernel at all. For a
/// part of another problem, `whole` is the plan of that one. Then the result is
/// the first variant that is as good, and differs at most by further copies.
/// Throws dnnl::error.
Draft draftPlan(const Descriptor &descriptor, const Problem &problem,
                const Plan *whole = nullptr, bool allowsWinograd = true);

/// Decides how to pack the weights: as some are packed already if that costs
/// nothing.
void settleWeights(const Descriptor &descriptor, const Problem &problem,
                   ChannelRange channels,
                   const std::vector<PackedFormat> &packed, Draft &draft);

/// Creates the primitives of a plan whose kernel is `kernel`. Throws
/// dnnl::error.
void createPrimitives(const dnnl::primitive_desc_base &kernel, Plan &plan);
/// Creates the reorders that pack the weights of a plan.
void createReorders(Plan &plan);

} // namespace runtime
} // namespace fusion

#endif // FUSION_LIB_RUNTIME_ONEDNN_PLAN_H
