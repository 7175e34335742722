//===- Backend.h - The interface of a backend -------------------*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_BACKEND_H
#define FUSION_LIB_RUNTIME_BACKEND_H

#include "Problem.h"
#include "Weights.h"

#include <memory>
#include <string>
#include <vector>

namespace fusion {
namespace runtime {

class Thread;

/// Executes one plan on one thread. The plan must outlive it.
class Execution {
public:
  virtual ~Execution() = default;
  /// Runs a call whose addresses have been checked. `weights` are those that
  /// the slot keeps, or null if the plan does not pack weights or they are not
  /// constant.
  virtual void run(Thread &thread, const fusion_rt_conv_args &args,
                   const KeptWeights *weights) = 0;
};

/// How the backend computes calls with certain sizes, strides and threads.
/// Several threads execute it: what it computes does not change once it is
/// created.
class BackendPlan {
public:
  virtual ~BackendPlan() = default;

  /// The name stays valid for ever.
  virtual const char *kernelName() const = 0;
  /// Whether the kernel is a slow one, because there is no better one.
  virtual bool isReference() const { return false; }
  /// The steps beside the kernel, for FUSION_VERBOSE: ", src copied", for
  /// example.
  virtual std::string steps() const { return {}; }

  /// Whether constant weights are packed and not used as they are.
  virtual bool packsWeights() const = 0;
  /// Whether `weights` have the form that the kernel takes. They are of the
  /// same slot, so that a plan of this backend has made them.
  virtual bool takes(const KeptWeights &weights) const = 0;
  /// Brings the weights at `data` into this form.
  virtual std::shared_ptr<KeptWeights> keepWeights(const View &given,
                                                   void *data) const = 0;

  virtual std::unique_ptr<Execution>
  makeExecution(const Descriptor &descriptor, const Problem &problem) const = 0;
};

/// Makes the plan for a problem with a sum that is not empty, for at most
/// `threads` threads. `kept` are the weights that the slot has already. May
/// throw exceptions of the backend.
fusion_rt_status
makeBackendPlan(const Descriptor &descriptor, const Problem &problem,
                int threads,
                const std::vector<std::shared_ptr<KeptWeights>> &kept,
                std::unique_ptr<BackendPlan> &out);

/// Limits the backend's own cache to `primitives` that slots do not use any
/// more.
void trimBackendCache(int primitives);

/// The result of `fusion_rt_backend`.
const char *backendName();

/// The instruction sets that the backend uses, as bits of its own: kernels on
/// another CPU may take other packed weights.
unsigned backendInstructionSets();

/// The width of vectors that loops beside kernels may use: 512 with AVX-512 F,
/// BW, DQ and VL, 256 with AVX2, else 128.
int vectorBits();

/// Call it in a catch block. Returns the status of the current exception, and
/// sets its sentence, if it is one of the backend's. Rethrows others.
fusion_rt_status failFromBackendException();

} // namespace runtime
} // namespace fusion

#endif // FUSION_LIB_RUNTIME_BACKEND_H
