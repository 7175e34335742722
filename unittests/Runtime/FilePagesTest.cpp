//===- FilePagesTest.cpp - Weights whose pages are given back -------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Constants of objects are tested by test/Tools/fusion-run/constant-pages.test.

#include "ConvTest.h"

#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace fusion::test;

namespace {
/// Weights of a convolution in a mapping of a file.
class FilePagesTest : public testing::Test {
protected:
  void SetUp() override {
    name = testing::TempDir() + "fusion-pages-XXXXXX";
    file = mkstemp(name.data());
    ASSERT_GE(file, 0);
    ConvSpec spec = makeWideSpec();
    spec.inputs = spec.outputs = 128;
    spec.image = {4, 4};
    conv.emplace(spec);
    bytes = static_cast<size_t>(conv->weights.elements()) * sizeof(float);
    ASSERT_EQ(pwrite(file, conv->weights.data(), bytes, 0),
              static_cast<ssize_t>(bytes));
    fsync(file); // pages that are not written yet are no others
  }
  void TearDown() override {
    conv.reset();
    if (memory)
      munmap(memory, bytes);
    close(file);
    unlink(name.c_str());
  }

  void map(int flags, int from) {
    void *mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags, from, 0);
    ASSERT_NE(mapped, MAP_FAILED);
    memory = static_cast<char *>(mapped);
  }
  /// Makes a call that packs, and a call with the packed weights.
  void call() {
    conv->args.weights.data = memory;
    uint64_t before = counters().weight_packs;
    conv->check();
    EXPECT_GT(counters().weight_packs, before);
    held = countPages();
    EXPECT_EQ(memcmp(memory, conv->weights.data(), bytes), 0);
    conv->check();
  }
  size_t pages() const {
    return bytes / static_cast<size_t>(sysconf(_SC_PAGESIZE));
  }

  std::optional<Conv> conv;
  std::string name;
  int file = -1;
  char *memory = nullptr;
  size_t bytes = 0, held = 0;

private:
  /// The whole pages of the mapping that this process has.
  size_t countPages() const {
    int pagemap = open("/proc/self/pagemap", O_RDONLY);
    std::vector<uint64_t> entries(pages());
    auto first = reinterpret_cast<uintptr_t>(memory) /
                 static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
    size_t size = entries.size() * sizeof(uint64_t);
    EXPECT_EQ(pread(pagemap, entries.data(), size,
                    static_cast<off_t>(first * sizeof(uint64_t))),
              static_cast<ssize_t>(size));
    close(pagemap);
    size_t count = 0;
    for (uint64_t entry : entries)
      count += entry >> 63;
    return count;
  }
};
} // namespace

TEST_F(FilePagesTest, PagesOfAFileAreGivenBack) {
  map(MAP_PRIVATE, file);
  ASSERT_EQ(mprotect(memory, bytes, PROT_READ), 0);
  call();
  EXPECT_EQ(held, 0u);
}

TEST_F(FilePagesTest, SharedPagesKeepTheirContents) {
  map(MAP_SHARED, file);
  call();
}

/// One page was written since it was mapped, and is nowhere else.
TEST_F(FilePagesTest, WrittenPagesStay) {
  char other = 'x';
  ASSERT_EQ(pwrite(file, &other, 1, 4097), 1);
  map(MAP_PRIVATE, file);
  memory[4097] = static_cast<char *>(conv->weights.data())[4097];
  ASSERT_EQ(mprotect(memory, bytes, PROT_READ), 0);
  call();
  EXPECT_EQ(held, pages());
}

TEST_F(FilePagesTest, MemoryOfNoFileStays) {
  map(MAP_PRIVATE | MAP_ANONYMOUS, -1);
  memcpy(memory, conv->weights.data(), bytes);
  call();
  EXPECT_EQ(held, pages());
}

/// So do pages that the host has locked.
TEST_F(FilePagesTest, LockedPagesStay) {
  map(MAP_PRIVATE, file);
  // The function of a sanitizer locks nothing.
  if (syscall(SYS_mlock, memory, bytes))
    GTEST_SKIP() << "no memory may be locked";
  call();
  EXPECT_EQ(held, pages());
}
