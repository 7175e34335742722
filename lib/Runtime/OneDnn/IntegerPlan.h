//===- IntegerPlan.h - Integers by a kernel of oneDNN -----------*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_ONEDNN_INTEGERPLAN_H
#define FUSION_LIB_RUNTIME_ONEDNN_INTEGERPLAN_H

#include "Context.h"
#include "IntegerBounds.h"
#include "PackedWeights.h"

#include <memory>
#include <vector>

namespace fusion {
namespace runtime {

/// The steps that compute a problem on one thread:
///
///   [copy src] -> sums in s32, by oneDNN -> the formula of the quantization
///   [copy src] -> [copy residual] -> the whole formula, by oneDNN -> [copy
///   dst]
///
/// The sums are in scratch memory, with channels last. The formula behind them
/// is ours, so that the result is that of plain loops, to the bit. A kernel
/// computes all of it if it rounds no other number than the formula does.
struct IntegerPlan {
  IntegerPlan(const Descriptor &descriptor, const Problem &problem);

  /// Makes the primitives. False if oneDNN has no fast kernel that is right.
  bool create(const Descriptor &descriptor, const Problem &problem);
  /// The same for sums that f32 does not hold, by a kernel that leaves them as
  /// they are. False if there is none.
  bool createForLargeSums(const Descriptor &descriptor, const Problem &problem);
  /// The same for a part of the problem of `whole`. False if it would have
  /// another kernel, or other weights.
  bool createAs(const IntegerPlan &whole, const Descriptor &descriptor,
                const Problem &problem);

  /// The kernel that computes the whole formula with `scales`; empty if there
  /// is none.
  dnnl::primitive_desc_base
  describeWhole(const Descriptor &descriptor,
                const std::vector<float> &scales) const;

  /// The steps beside the kernel, for FUSION_VERBOSE.
  std::string steps() const;

  /// Brings the weights at `data` to the form of the kernel. Returns the bounds
  /// of the sums with them, by output channel.
  std::vector<SumBound> pack(const void *data, char *packed,
                             char *scratch) const;
  /// The bytes of scratch memory for that.
  size_t packingBytes() const {
    return roundUp(weights.extent(), blockAlignment) +
           packerScratchpad.get_size();
  }

  /// The kernel that computes the whole formula, with the weights of the kernel
  /// for sums, which it plans as well; empty if there is none.
  dnnl::primitive_desc_base planWhole(const Descriptor &descriptor,
                                      const Problem &problem);
  /// Describes `dst`, which the kernel writes itself or by way of a copy.
  void describeDst(const Descriptor &descriptor, const Problem &problem,
                   bool copies);
  /// As `create`, with `addsZeroPoints` as it is.
  bool choose(const Descriptor &descriptor, const Problem &problem);
  /// Plans a kernel without zero points, and the copy of src that it needs. To
  /// be called before `choose`.
  void addZeroPoints(const Descriptor &descriptor);
  /// The descriptor of what a kernel computes, without pads if src has them.
  Descriptor called(const Descriptor &descriptor) const;
  bool addsSrcZeroPoint() const { return addsZeroPoints && zeroPoint != 0; }
  bool createPacker();
  dnnl::primitive_attr attributes() const;
  dnnl::primitive_desc_base
  describeSums(const Descriptor &descriptor,
               const dnnl::memory::desc &weightsLayout) const;
  bool isRight(const Descriptor &descriptor,
               const dnnl::primitive_desc_base &desc) const;
  /// `count` scales beside `dst`: one, or one for each channel.
  dnnl::memory::desc describeScales(const dnnl::memory::desc &dst,
                                    int64_t count) const;

  View given, weights; // as given, and as a dense copy
  View src, sums;
  View dst; // of the kernel that computes the whole formula
  bool copiesSrc;
  bool padsSrc = false;   // the copy of src has the pads
  bool copiesDst = false; // if that kernel has another layout than the caller
  int32_t zeroPoint;
  /// Whether the kernel has no zero points. If it computes the whole formula,
  /// the one of src is part of the bias, and the one of dst is added behind the
  /// other steps. Else loops add both.
  bool addsZeroPoints = false;
  bool leavesSums = false; // a kernel that converts them to f32 is avoided
  std::vector<const char *> avoided; // parts of the names of kernels
  bool isMatmul;
  Operands operands, wholeOperands; // with sums, and with dst
  dnnl::memory::desc scalesDesc;
  /// Whether the kernel that sums up has the sums in f32 on the way: to add for
  /// the sign and the zero point of src, or in any case.
  bool mayRoundSums;
  bool computesWhole = false; // unless numbers turn out to be too large
  dnnl::memory::desc weightsDesc, packerScratchpad;
  dnnl::primitive_desc_base sumsDesc;
  dnnl::reorder packer;
  const char *kernel = "";
};

/// Executes one such plan, on one thread at a time. Its arguments outlive it.
class IntegerExecution {
public:
  IntegerExecution(const Descriptor &descriptor, const Problem &problem,
                   const IntegerPlan &plan);

  /// Prepares a call. `bounds` are those of the sums with weights that never
  /// change, else null. True if a kernel computes the whole formula; it may be
  /// made for that. Else the sums must be exact.
  bool prepare(const fusion_rt_conv_args &args,
               const std::vector<SumBound> *bounds);

  /// The bytes of scratch memory of the call that was prepared last.
  size_t scratchBytes() const {
    return arenaBytes + (isWhole ? wholeScratchpadBytes : 0);
  }

  /// Runs the call that was prepared last, with packed weights.
  void run(char *scratch, const fusion_rt_conv_args &args, void *packed);

private:
  /// The addresses of the constants of a call.
  struct Constants {
    const void *weights, *scales, *bias;
    bool operator==(const Constants &other) const = default;
  };

  bool roundsAlike(const std::vector<float> &scales,
                   const std::vector<SumBound> &bounds) const;
  bool makeWhole(const fusion_rt_conv_args &args,
                 const std::vector<SumBound> &bounds);
  void addZeroPoint(const void *data, const std::vector<SumBound> &bounds);
  void runWhole(char *scratch, const fusion_rt_conv_args &args);
  void copySrc(const void *data, void *copy) const;
  size_t place(size_t bytes);

  const Descriptor &descriptor;
  const Problem &problem;
  const IntegerPlan &plan;
  /// Made when they are needed first: it takes about a millisecond.
  dnnl::primitive sumsPrimitive, wholePrimitive;
  Constants constants = {}; // of `wholePrimitive`, if there is one
  std::vector<float> scaleNumbers;
  /// By channel, the zero point of src in the sums with the weights at
  /// `summed`, and the same and the bias.
  std::vector<int32_t> sumAddends, addends;
  const void *summed = nullptr;
  bool hasWhole = false;
  bool isWhole = false; // in the call that was prepared last
  size_t wholeScratchpadBytes = 0;
  int32_t zeroPoint, dstZeroPoint;
  float dstAddend; // the zero point of dst
  BoundMemory src, weights, sums, scratchpad, zero;
  BoundMemory dst, bias, scales, wholeScratchpad, dstZero, dstZeroAddend;
  std::vector<dnnl_exec_arg_t> sumsArguments, wholeArguments;
  dnnl::stream stream;
  size_t arenaBytes = 0;
  size_t srcAt, dstAt, sumsAt, scratchpadAt;
};

} // namespace runtime
} // namespace fusion

#endif // FUSION_LIB_RUNTIME_ONEDNN_INTEGERPLAN_H
