//===- Processors.cpp - Processors that the process may use ---------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Processors.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

using namespace fusion::runtime;

/// False if the machine has more processors than the set can hold.
static bool readAllowed(cpu_set_t &allowed) {
  return sched_getaffinity(getpid(), sizeof(allowed), &allowed) == 0;
}

/// The first processor of the core that `processor` belongs to.
static int firstOfCore(int processor) {
  char path[80];
  snprintf(path, sizeof(path),
           "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list",
           processor);
  int first = processor;
  if (FILE *file = fopen(path, "re")) {
    if (fscanf(file, "%d", &first) != 1)
      first = processor;
    fclose(file);
  }
  return first;
}

static int countCores() {
  cpu_set_t allowed, cores;
  if (!readAllowed(allowed))
    return std::max(1, static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN)));
  CPU_ZERO(&cores);
  for (int processor = 0; processor < CPU_SETSIZE; ++processor)
    if (CPU_ISSET(processor, &allowed))
      CPU_SET(firstOfCore(processor), &cores);
  return std::max(1, CPU_COUNT(&cores));
}

int fusion::runtime::coreCount() {
  // Threads that come first together count the same.
  static std::atomic<int> count{0};
  if (!count)
    count = countCores();
  return count;
}

void fusion::runtime::useAllProcessors() {
  cpu_set_t allowed;
  if (readAllowed(allowed))
    sched_setaffinity(/*pid=*/0, sizeof(allowed), &allowed);
}

bool fusion::runtime::hasProcessorForEach() {
  int file = open("/proc/loadavg", O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return false;
  char text[80] = "";
  ssize_t length = read(file, text, sizeof(text) - 1);
  close(file);
  int running;
  return length > 0 && sscanf(text, "%*f %*f %*f %d", &running) == 1 &&
         running <= sysconf(_SC_NPROCESSORS_ONLN);
}

bool fusion::runtime::leaveProcessor(int processor) {
  cpu_set_t allowed;
  if (sched_getaffinity(/*pid=*/0, sizeof(allowed), &allowed) != 0 ||
      processor < 0 || processor >= CPU_SETSIZE)
    return false;
  cpu_set_t others = allowed;
  CPU_CLR(processor, &others);
  if (CPU_COUNT(&others) == 0 ||
      sched_setaffinity(/*pid=*/0, sizeof(others), &others) != 0)
    return false;
  // The thread has moved. From now on the system decides again.
  sched_setaffinity(/*pid=*/0, sizeof(allowed), &allowed);
  return true;
}
