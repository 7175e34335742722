//===- Verbose.cpp - Lines for FUSION_VERBOSE -----------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Verbose.h"

using namespace fusion::runtime;

static const char *orUnknown(const char *location) {
  return location ? location : "unknown location";
}

std::string fusion::runtime::text(const View &view) {
  int64_t sizes[FUSION_RT_MAX_RANK] = {};
  for (int dim = 0; dim < view.rank; ++dim)
    sizes[view.callerDims[dim]] = view.sizes[dim];
  std::string out = typeName(view.type);
  for (int dim = 0; dim < view.rank; ++dim)
    out += (dim ? "x" : " ") + std::to_string(sizes[dim]);
  return out;
}

static std::string shapes(const Problem &problem) {
  std::string weights =
      problem.weights.rank > 0 ? " * " + text(problem.weights) : "";
  return text(problem.src) + weights + " -> " + text(problem.dst);
}

const char *fusion::runtime::kernelName(const Entry &entry) {
  switch (entry.kind) {
  case Entry::Kind::Nothing:
    return nullptr;
  case Entry::Kind::NoReduction:
    return "plain loop";
  case Entry::Kind::Kernel:
    return entry.plan->kernelName();
  }
  return nullptr;
}

std::string fusion::runtime::stepsOfCall(const Descriptor &descriptor,
                                         const Entry &entry) {
  if (entry.kind != Entry::Kind::Kernel)
    return {};
  std::string steps = entry.plan->steps();
  const View &weights = entry.problem.weights;
  if (descriptor.hasWeights() && !descriptor.hasConstantWeights() &&
      entry.plan->packsWeights())
    steps += ", weights packed, " +
             std::to_string(weights.elements() * elementSize(weights.type)) +
             " bytes";
  return steps;
}

void fusion::runtime::verboseCreate(const Descriptor &descriptor,
                                    const Entry &entry, int64_t ns,
                                    const char *location) {
  std::string groups;
  if (descriptor.kind == OpKind::Convolution ||
      descriptor.kind == OpKind::Deconvolution)
    groups = ", groups " + std::to_string(descriptor.raw.groups);
  verboseLine("create %s %s, %s%s, %d threads%s, %.1f us, %s",
              opName(descriptor.function), kernelName(entry),
              shapes(entry.problem).c_str(), groups.c_str(), entry.threads,
              entry.plan->steps().c_str(), ns / 1e3, orUnknown(location));
}

void fusion::runtime::verbosePack(const Entry &entry,
                                  const KeptWeights &weights, int64_t ns,
                                  const char *location) {
  verboseLine("pack weights %s, %zu bytes%s, %.1f us, %s",
              text(entry.problem.weights).c_str(), weights.block.size(),
              weights.fileSerial ? " in a file" : "", ns / 1e3,
              orUnknown(location));
}

void fusion::runtime::verboseExecute(fusion_rt_function function,
                                     const Entry &entry, int64_t ns,
                                     const char *location) {
  const char *kernel = kernelName(entry);
  verboseLine("execute %s %s, %s, %.1f us, %s", opName(function),
              kernel ? kernel : "nothing", shapes(entry.problem).c_str(),
              ns / 1e3, orUnknown(location));
}

void fusion::runtime::verboseRefuse(fusion_rt_function function,
                                    fusion_rt_status status,
                                    const char *location) {
  verboseLine("refuse %s: %s: %s, %s", opName(function),
              fusion_rt_status_string(status), lastError(),
              orUnknown(location));
}
