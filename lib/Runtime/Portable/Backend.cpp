//===- Backend.cpp - Plain loops as the backend of the runtime ------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopsPlan.h"

using namespace fusion::runtime;

fusion_rt_status fusion::runtime::makeBackendPlan(
    const Descriptor &descriptor, const Problem &problem, int /*threads*/,
    const std::vector<std::shared_ptr<KeptWeights>> &,
    std::unique_ptr<BackendPlan> &out) {
  out = makeLoopsPlan(descriptor, problem);
  return FUSION_RT_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Nothing to do for this backend
//===----------------------------------------------------------------------===//

void fusion::runtime::trimBackendCache(int) {}

const char *fusion::runtime::backendName() { return "portable"; }

unsigned fusion::runtime::backendInstructionSets() { return 0; }

int fusion::runtime::vectorBits() { return 128; }

fusion_rt_status fusion::runtime::failFromBackendException() { throw; }
