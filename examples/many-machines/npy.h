//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Arrays of f32 in NumPy's .npy files, as fusion-run reads and writes them.

#ifndef NPY_H
#define NPY_H

#include <stdint.h>

// Reads a row-major array with `rank` sizes; the caller frees *data. Returns
// NULL, or what is wrong with the file.
const char *npy_read(const char *path, int rank, int64_t *sizes, float **data);

// Returns NULL, or why the file could not be written.
const char *npy_write(const char *path, int rank, const int64_t *sizes,
                      const float *data);

#endif
