//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "npy.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// In front of the data stand "\x93NUMPY", a version of two bytes, the length of
// a text in two bytes (four from version 2), and the text, a Python dictionary.
static const char *readText(FILE *file, char *text, size_t room) {
  unsigned char start[12];
  if (fread(start, 1, 10, file) != 10 || memcmp(start, "\x93NUMPY", 6) != 0)
    return "no .npy file";
  size_t length = start[8] | (size_t)start[9] << 8;
  if (start[6] > 1) {
    if (fread(start + 10, 1, 2, file) != 2)
      return "the file ends in its header";
    length |= (size_t)start[10] << 16 | (size_t)start[11] << 24;
  }
  if (length >= room)
    return "the header is too long";
  if (fread(text, 1, length, file) != length)
    return "the file ends in its header";
  text[length] = 0;
  return NULL;
}

static const char *readSizes(const char *text, int rank, int64_t *sizes) {
  if (!strstr(text, "'descr': '<f4'"))
    return "elements must be little-endian f32 ('<f4')";
  if (!strstr(text, "'fortran_order': False"))
    return "the array must be row-major (fortran_order False)";
  const char *next = strstr(text, "'shape': (");
  if (!next)
    return "the header has no shape";
  next += strlen("'shape': (");
  for (int i = 0; i < rank; ++i) {
    char *end;
    errno = 0;
    sizes[i] = strtoll(next, &end, 10);
    if (end == next)
      return "the array has too few dimensions";
    if (errno || sizes[i] < 0)
      return "the shape has a size that is none";
    next = end + strspn(end, ", ");
  }
  return *next == ')' ? NULL : "the array has too many dimensions";
}

static const char *readData(FILE *file, int rank, const int64_t *sizes,
                            float **data) {
  size_t bytes = sizeof(float);
  for (int i = 0; i < rank; ++i)
    if (sizes[i] == 0)
      bytes = 0;
  for (int i = 0; i < rank && bytes; ++i) {
    if ((uint64_t)sizes[i] > PTRDIFF_MAX / bytes)
      return "the array does not fit memory";
    bytes *= (size_t)sizes[i];
  }
  *data = malloc(bytes ? bytes : 1);
  if (!*data)
    return "the array does not fit memory";
  if (fread(*data, 1, bytes, file) == bytes)
    return fgetc(file) == EOF ? NULL
                              : "the file has data behind its last element";
  return "the file ends before its last element";
}

const char *npy_read(const char *path, int rank, int64_t *sizes, float **data) {
  char text[4096];
  *data = NULL;
  FILE *file = fopen(path, "rb");
  if (!file)
    return strerror(errno);
  const char *wrong = readText(file, text, sizeof(text));
  if (!wrong)
    wrong = readSizes(text, rank, sizes);
  if (!wrong)
    wrong = readData(file, rank, sizes, data);
  fclose(file);
  return wrong;
}

const char *npy_write(const char *path, int rank, const int64_t *sizes,
                      const float *data) {
  char text[4096];
  size_t count = 1;
  int length =
      sprintf(text, "{'descr': '<f4', 'fortran_order': False, 'shape': (");
  for (int i = 0; i < rank; ++i) {
    length +=
        sprintf(text + length, i ? ", %lld" : "%lld", (long long)sizes[i]);
    count *= (size_t)sizes[i];
  }
  length += sprintf(text + length, rank == 1 ? ",), }" : "), }");
  // The data begin at a multiple of 64 bytes, behind a line feed.
  while ((10 + length + 1) % 64 != 0)
    text[length++] = ' ';
  text[length++] = '\n';

  FILE *file = fopen(path, "wb");
  if (!file)
    return strerror(errno);
  const unsigned char start[10] = {0x93, 'N', 'U', 'M',          'P',
                                   'Y',  1,   0,   length & 255, length >> 8};
  int wrote = fwrite(start, 1, 10, file) == 10 &&
              fwrite(text, 1, (size_t)length, file) == (size_t)length &&
              fwrite(data, sizeof(float), count, file) == count;
  // Closing writes what is buffered, to a disk that may be full.
  if (fclose(file) != 0 || !wrote)
    return "cannot write the file";
  return NULL;
}
