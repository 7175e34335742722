//===- Processors.h - Processors that the process may use -------*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_PROCESSORS_H
#define FUSION_LIB_RUNTIME_PROCESSORS_H

namespace fusion {
namespace runtime {

/// The number of cores that the process may use, at the time of the first call;
/// at least 1. Two processors of one core share the units that kernels need.
int coreCount();

/// Lets the calling thread run wherever the process's first thread may.
/// Otherwise a worker has the affinity of the thread that started it.
void useAllProcessors();

/// Whether no more threads of the machine can run now than there are
/// processors. False if the system does not say.
bool hasProcessorForEach();

/// Moves the calling thread from `processor` to another one that it may use.
/// False if there is none.
bool leaveProcessor(int processor);

} // namespace runtime
} // namespace fusion

#endif // FUSION_LIB_RUNTIME_PROCESSORS_H
