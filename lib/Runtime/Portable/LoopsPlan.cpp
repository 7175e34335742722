//===- LoopsPlan.cpp - A plan that runs plain loops -----------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopsPlan.h"

#include "Context.h"
#include "LoopNest.h"
#include "TensorCopy.h"

using namespace fusion::runtime;

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

static void packWeights(const View &given, const void *data, const View &to,
                        void *packed) {
  count(&Counters::weightPacks);
  copyTensor(given, data, to, packed);
}

namespace {
struct PackedWeights : KeptWeights {
  PackedWeights(const View &given, const void *data, const View &to)
      : KeptWeights(given, data) {
    pack(
        size_t(to.extent()), [&](FormHash &form) { form.add(to); },
        [&](char *packed) { packWeights(given, data, to, packed); });
  }
};

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

struct LoopsPlan : BackendPlan {
  LoopsPlan(const Descriptor &descriptor, const Problem &problem)
      : given(problem.weights) {
    if (!descriptor.hasWeights())
      return;
    wanted = layWeights(given);
    packs = wanted.type != given.type || !haveSameStrides(wanted, given);
  }

  const char *kernelName() const override { return "loops"; }
  bool packsWeights() const override { return packs; }
  /// The shape determines the form, unless another plan has packed them.
  bool takes(const KeptWeights &weights) const override {
    return !packs || dynamic_cast<const PackedWeights *>(&weights);
  }
  std::shared_ptr<KeptWeights> keepWeights(const View &given,
                                           void *data) const override {
    if (!packs)
      return std::make_shared<KeptWeights>(given, data);
    return std::make_shared<PackedWeights>(given, data, wanted);
  }
  std::unique_ptr<Execution>
  makeExecution(const Descriptor &descriptor,
                const Problem &problem) const override;

  View given, wanted; // weights
  bool packs = false;
};

class LoopsExecution : public Execution {
public:
  LoopsExecution(const Descriptor &descriptor, const Problem &problem,
                 const LoopsPlan &plan)
      : plan(plan), nest(descriptor, problem, plan.wanted) {}

  void run(Thread &thread, const fusion_rt_conv_args &args,
           const KeptWeights *kept) override {
    const void *weights = args.weights.data;
    if (plan.packs && kept) {
      weights = kept->block.data();
    } else if (plan.packs) {
      char *packed = thread.reserve(plan.wanted.extent());
      packWeights(plan.given, weights, plan.wanted, packed);
      weights = packed;
    }
    nest.run(args, weights);
  }

private:
  const LoopsPlan &plan;
  const LoopNest nest;
};
} // namespace

std::unique_ptr<Execution>
LoopsPlan::makeExecution(const Descriptor &descriptor,
                         const Problem &problem) const {
  return std::make_unique<LoopsExecution>(descriptor, problem, *this);
}

std::unique_ptr<BackendPlan>
fusion::runtime::makeLoopsPlan(const Descriptor &descriptor,
                               const Problem &problem) {
  return std::make_unique<LoopsPlan>(descriptor, problem);
}
