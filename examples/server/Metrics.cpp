//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Metrics.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <unistd.h>

void Metrics::count(unsigned code, std::chrono::duration<double> took) {
  std::lock_guard lock(mutex);
  ++answers[code];
  ++buckets[std::lower_bound(bounds.begin(), bounds.end(), took.count()) -
            bounds.begin()];
  seconds += took.count();
}

/// Bytes of this process in memory.
static uint64_t getResidentBytes() {
  uint64_t all = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

static void declare(std::ostream &os, const std::string &name, const char *type,
                    const char *help) {
  os << "# HELP " << name << " " << help << "\n# TYPE " << name << " " << type
     << "\n";
}

static void gauge(std::ostream &os, const std::string &name, const char *help,
                  uint64_t value) {
  declare(os, name, "gauge", help);
  os << name << " " << value << "\n";
}

std::string Metrics::format(size_t queueLength, size_t queueCapacity) const {
  std::ostringstream os;
  std::lock_guard lock(mutex);
  uint64_t requests = 0, errors = 0;
  declare(os, "fusion_requests_total", "counter",
          "Requests that were answered, by HTTP status.");
  for (auto [code, number] : answers) {
    os << "fusion_requests_total{code=\"" << code << "\"} " << number << "\n";
    requests += number;
    errors += code >= 400 ? number : 0;
  }
  declare(os, "fusion_errors_total", "counter",
          "Requests with a status of 400 or more.");
  os << "fusion_errors_total " << errors << "\n";
  gauge(os, "fusion_queue_length", "Requests that wait.", queueLength);
  gauge(os, "fusion_queue_capacity", "The most that may wait.", queueCapacity);
  gauge(os, "process_resident_memory_bytes", "Memory of the process.",
        getResidentBytes());
  declare(os, "fusion_request_seconds", "histogram",
          "From the head of a request until its answer.");
  uint64_t sum = 0;
  for (size_t i = 0; i < bounds.size(); ++i) {
    sum += buckets[i];
    os << "fusion_request_seconds_bucket{le=\"" << bounds[i] << "\"} " << sum
       << "\n";
  }
  os << "fusion_request_seconds_bucket{le=\"+Inf\"} " << requests
     << "\nfusion_request_seconds_sum " << seconds
     << "\nfusion_request_seconds_count " << requests << "\n";
  return os.str();
}
