//===- Backend.h - What the runtime asks of a backend -----------*- C++ -*-===//
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

/// How one thread executes one plan. Lives no longer than the plan.
class Execution {
public:
  virtual ~Execution() = default;
  /// Runs a call whose addresses have been checked. `weights` are those that
  /// the slot keeps, if the plan packs weights and they are constant; else
  /// null.
  virtual void run(Thread &thread, const fusion_rt_conv_args &args,
                   const KeptWeights *weights) = 0;
};

/// How the backend computes the calls of one set of sizes, strides and threads.
/// Not changed once it is made: several threads execute it.
class BackendPlan {
public:
  virtual ~BackendPlan() = default;

  /// Valid for ever.
  virtual const char *kernelName() const = 0;
  /// Whether the kernel is a slow one, for want of a better.
  virtual bool isReference() const { return false; }
  /// What happens besides the kernel, for FUSION_VERBOSE: ", src copied", say.
  virtual std::string steps() const { return {}; }

  /// Whether constant weights are packed, or else used as they are.
  virtual bool packsWeights() const = 0;
  /// Whether `weights` have the form that the kernel takes. They are of the
  /// same slot, and so were made by a plan of this backend.
  virtual bool takes(const KeptWeights &weights) const = 0;
  /// The weights at `data` in this form.
  virtual std::shared_ptr<KeptWeights> keepWeights(const View &given,
                                                   void *data) const = 0;

  virtual std::unique_ptr<Execution>
  makeExecution(const Descriptor &descriptor, const Problem &problem) const = 0;
};

/// Makes the plan for a problem that has something to sum up, for at most
/// `threads` threads. `kept` are weights that the slot has already. May throw
/// what the backend throws.
fusion_rt_status
makeBackendPlan(const Descriptor &descriptor, const Problem &problem,
                int threads,
                const std::vector<std::shared_ptr<KeptWeights>> &kept,
                std::unique_ptr<BackendPlan> &out);

/// Lets the backend keep at most `primitives` in a cache of its own that slots
/// do not use any more.
void trimBackendCache(int primitives);

/// What `fusion_rt_backend` returns.
const char *backendName();

/// To be called in a catch block: the status and sentence that belong to the
/// exception under way if it is one of the backend's. Others it throws on.
fusion_rt_status failFromBackendException();

} // namespace runtime
} // namespace fusion

#endif // FUSION_LIB_RUNTIME_BACKEND_H
