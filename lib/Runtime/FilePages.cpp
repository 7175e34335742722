//===- FilePages.cpp - Pages that Linux can read again --------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FilePages.h"

#include "Support.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <iterator>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace fusion::runtime;

/// Whether `entry` of /proc/self/pagemap is that of a page in memory (bit 63),
/// not in swap (62), that belongs to a file or to shared memory (61). A page of
/// a private mapping no longer does once it was written.
static bool isFilePage(uint64_t entry) { return entry >> 61 == 0b101; }

/// Whether the `count` pages from page `first` on are all of files.
static bool areFilePages(int pagemap, uintptr_t first, size_t count) {
  uint64_t entries[512];
  while (count) {
    size_t part = std::min(count, std::size(entries));
    auto bytes = static_cast<ssize_t>(part * sizeof(uint64_t));
    auto offset = static_cast<off_t>(first * sizeof(uint64_t));
    if (pread(pagemap, entries, static_cast<size_t>(bytes), offset) != bytes ||
        !std::all_of(entries, entries + part, isFilePage))
      return false;
    first += part;
    count -= part;
  }
  return true;
}

/// Whether one mapping of a regular file has all bytes from `begin` to `end`.
/// Those of devices and sockets may not be mapped again when they are read.
static bool isInRegularFile(uintptr_t begin, uintptr_t end) {
  FILE *maps = fopen("/proc/self/maps", "re");
  if (!maps)
    return false;
  char *line = nullptr;
  size_t capacity = 0;
  bool isFound = false;
  while (!isFound && getline(&line, &capacity, maps) > 0) {
    unsigned long first, last, inode;
    int path = 0;
    if (sscanf(line, "%lx-%lx %*s %*s %*s %lu %n", &first, &last, &inode,
               &path) != 3 ||
        first > begin || last < end)
      continue;
    line[strcspn(line, "\n")] = '\0';
    struct stat file;
    isFound = path > 0 && stat(line + path, &file) == 0 &&
              S_ISREG(file.st_mode) && file.st_ino == inode;
  }
  free(line);
  fclose(maps);
  return isFound;
}

void fusion::runtime::giveBackFilePages(const void *data,
                                        size_t bytes) noexcept {
  auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  auto address = reinterpret_cast<uintptr_t>(data);
  uintptr_t begin = roundUp(address, page),
            end = (address + bytes) / page * page;
  if (begin >= end)
    return;
  int pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  if (pagemap < 0)
    return; // without procfs
  // MADV_COLD leaves the pages where they are, and MADV_PAGEOUT those of files
  // that the process could not write to.
  if (areFilePages(pagemap, begin / page, (end - begin) / page) &&
      isInRegularFile(begin, end))
    madvise(reinterpret_cast<void *>(begin), end - begin, MADV_DONTNEED);
  close(pagemap);
}
