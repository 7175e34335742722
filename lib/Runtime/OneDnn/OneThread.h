//===- OneThread.h - Keeps oneDNN to the calling thread ---------*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_ONEDNN_ONETHREAD_H
#define FUSION_LIB_RUNTIME_ONEDNN_ONETHREAD_H

// Functions of libgomp, which oneDNN is built with. They are declared by name,
// because pragmas would bring in the compiler's own OpenMP runtime (libomp for
// clang).
extern "C" {
int omp_get_max_threads(void);
void omp_set_num_threads(int);
}

namespace fusion {
namespace runtime {

/// While it lives, primitives that this thread creates or executes run on this
/// thread alone: OpenMP starts no threads, and nobody waits at its barriers.
/// The count belongs to the thread. It is restored for the host's own parallel
/// regions.
class OneThreadScope {
public:
  OneThreadScope() : before(omp_get_max_threads()) {
    if (before != 1)
      omp_set_num_threads(1);
  }
  ~OneThreadScope() {
    if (before != 1)
      omp_set_num_threads(before);
  }
  OneThreadScope(const OneThreadScope &) = delete;
  OneThreadScope &operator=(const OneThreadScope &) = delete;

private:
  const int before;
};

} // namespace runtime
} // namespace fusion

#endif // FUSION_LIB_RUNTIME_ONEDNN_ONETHREAD_H
