//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Support/TensorSize.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <limits>
#include <unistd.h>

using namespace fusion;
using llvm::ArrayRef;
using llvm::StringRef;

/// The product of `factor` and `shape`; none if it does not fit.
static std::optional<int64_t> multiply(int64_t factor,
                                       ArrayRef<int64_t> shape) {
  // The product is 0, even if other sizes overflow.
  if (llvm::is_contained(shape, 0))
    return 0;
  int64_t product = factor;
  for (int64_t size : shape)
    if (llvm::MulOverflow(product, size, product))
      return std::nullopt;
  return product;
}

std::optional<int64_t> fusion::countElements(ArrayRef<int64_t> shape) {
  return multiply(1, shape);
}

std::optional<int64_t> fusion::countBytes(ArrayRef<int64_t> shape,
                                          int64_t width) {
  std::optional<int64_t> bytes = multiply(width, shape);
  return bytes && *bytes <= maxTensorBytes ? bytes : std::nullopt;
}

static constexpr size_t kUnlimited = std::numeric_limits<size_t>::max();

/// Reads the file at `path`: a number, or a number of KiB in the line that
/// begins with `key`. Unlimited if there is none.
static size_t readNumber(StringRef path, StringRef key = "") {
  // Files in /proc and /sys have no size.
  auto file = llvm::MemoryBuffer::getFileAsStream(path);
  if (!file)
    return kUnlimited;
  StringRef text = (*file)->getBuffer();
  size_t number;
  if (key.empty())
    return text.trim().getAsInteger(10, number) ? kUnlimited : number;
  size_t at = text.find(key);
  if (at == StringRef::npos)
    return kUnlimited;
  text = text.drop_front(at + key.size()).ltrim();
  return text.consumeInteger(10, number) ? kUnlimited : number * 1024;
}

size_t fusion::getAvailableMemory() {
  size_t available = readNumber("/proc/meminfo", "MemAvailable:");
  if (available == kUnlimited)
    available = static_cast<size_t>(sysconf(_SC_AVPHYS_PAGES)) *
                static_cast<size_t>(sysconf(_SC_PAGESIZE));
  // The limit of a container, as seen from inside.
  size_t most = readNumber("/sys/fs/cgroup/memory.max");
  size_t used = readNumber("/sys/fs/cgroup/memory.current");
  if (most == kUnlimited || used == kUnlimited)
    return available;
  return std::min(available, most - std::min(most, used));
}
