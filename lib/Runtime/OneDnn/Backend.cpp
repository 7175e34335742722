//===- Backend.cpp - oneDNN as the backend of the runtime -----------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Backend.h"

#include "Support.h"

#include <dnnl.hpp>

#include <cstdio>

using namespace fusion::runtime;

const char *fusion::runtime::backendName() {
  static char text[48];
  static const bool written = [] {
    const dnnl_version_t *version = dnnl_version();
    snprintf(text, sizeof(text), "oneDNN %d.%d.%d", version->major,
             version->minor, version->patch);
    return true;
  }();
  (void)written;
  return text;
}

static fusion_rt_status statusOf(const dnnl::error &error) {
  switch (error.status) {
  case dnnl_out_of_memory:
    return FUSION_RT_OUT_OF_MEMORY;
  case dnnl_unimplemented:
    return FUSION_RT_UNSUPPORTED;
  default:
    return FUSION_RT_BACKEND_ERROR;
  }
}

fusion_rt_status fusion::runtime::failFromBackendException() {
  try {
    throw;
  } catch (const dnnl::error &error) {
    return fail(statusOf(error), "oneDNN failed: %s (status %d)", error.what(),
                static_cast<int>(error.status));
  }
}
