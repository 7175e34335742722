//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JitSymbols.h"
#include "FusionDialect/ExecutionEngine/MemoryMeter.h"

#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "llvm/ExecutionEngine/Orc/Core.h"
#include "llvm/ExecutionEngine/Orc/Mangling.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

using namespace mlir;
using namespace fusion;

/// Rounds to bf16, which the register of the result begins with. Code that has
/// arguments or results of bf16 calls it where the CPU has no such instruction.
/// Upstream has it in libmlir_float16_utils, compilers from GCC 13 on.
extern "C" float __truncsfbf2(float number);

namespace {
/// The descriptor of a ranked memref that an unranked one points to.
struct RankedDescriptor {
  char *allocated;
  char *aligned;
  int64_t offset;
  int64_t sizesAndStrides[];
};
struct UnrankedDescriptor {
  int64_t rank;
  RankedDescriptor *descriptor;
};
} // namespace

static void copyDimension(int64_t rank, int64_t dim, int64_t width, char *from,
                          const int64_t *fromDims, char *to,
                          const int64_t *toDims) {
  if (dim == rank) {
    std::memcpy(to, from, width);
    return;
  }
  for (int64_t i = 0; i < fromDims[dim]; ++i)
    copyDimension(rank, dim + 1, width, from + i * fromDims[rank + dim] * width,
                  fromDims, to + i * toDims[rank + dim] * width, toDims);
}

/// The function that memref.copy between strided buffers is lowered to.
/// Upstream has it in libmlir_c_runner_utils.
static void copyMemRef(int64_t width, UnrankedDescriptor *from,
                       UnrankedDescriptor *to) {
  RankedDescriptor &source = *from->descriptor;
  RankedDescriptor &target = *to->descriptor;
  copyDimension(from->rank, 0, width, source.aligned + source.offset * width,
                source.sizesAndStrides, target.aligned + target.offset * width,
                target.sizesAndStrides);
}

/// Prints the message of a failing `cf.assert`, which calls `puts`. Standard
/// output belongs to the caller.
static int printMessage(const char *message) {
  llvm::errs() << "compiled code: " << message << "\n";
  return 0;
}

/// Prints the sentence of a check that failed, and ends the process.
static void failCheck(const char *format, ...) {
  char sentence[512];
  va_list numbers;
  va_start(numbers, format);
  std::vsnprintf(sentence, sizeof(sentence), format, numbers);
  va_end(numbers);
  llvm::errs() << "error: " << sentence << "\n";
  llvm::errs().flush();
  std::_Exit(1);
}

/// Replaces the call of `abort` that follows, which would look like a crash of
/// the caller.
static void endProgram() {
  llvm::errs() << "error: an assertion of the compiled program failed\n";
  llvm::errs().flush();
  std::_Exit(1);
}

namespace {
/// The runtime among the loaded libraries. In a process that has loaded it
/// privately, as Python does, a search of the process does not find it.
class RuntimeLibrary {
public:
  RuntimeLibrary() {
    Dl_info info;
    if (dladdr(reinterpret_cast<void *>(&fusion_rt_call), &info))
      handle = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  }
  ~RuntimeLibrary() {
    if (handle)
      dlclose(handle);
  }
  RuntimeLibrary(const RuntimeLibrary &) = delete;

  /// A function of the runtime or of what it links; null if there is none.
  const void *find(const std::string &name) const {
    return handle ? dlsym(handle, name.c_str()) : nullptr;
  }

private:
  void *handle = nullptr;
};
} // namespace

/// The functions that compiled code finds in front of all others.
static SmallVector<std::pair<StringRef, const void *>>
getOwnFunctions(Host host) {
  SmallVector<std::pair<StringRef, const void *>> functions;
  auto add = [&](StringRef name, auto *function) {
    functions.push_back({name, reinterpret_cast<const void *>(function)});
  };
  add("memrefCopy", copyMemRef);
  add("__truncsfbf2", __truncsfbf2);
  // LLVM merges malloc and memset into a call of calloc.
  if (host == Host::Tool) {
    add("malloc", memory::allocate);
    add("calloc", memory::allocateZeroed);
    add("aligned_alloc", memory::allocateAligned);
    add("free", memory::release);
    add("puts", printMessage);
    add("abort", endProgram);
    add("fusion_rt_check_failed", failCheck);
  } else {
    add("malloc", fusion_rt_malloc_checked);
    add("calloc", fusion_rt_calloc_checked);
    add("aligned_alloc", fusion_rt_aligned_alloc_checked);
    add("free", fusion_rt_free);
    add("puts", fusion_rt_assertion_message);
    add("abort", fusion_rt_assertion_failed);
  }
  return functions;
}

void fusion::registerJitSymbols(ExecutionEngine &engine,
                                const ConstantTable &constants,
                                ArrayRef<std::string> declared, Host host) {
  engine.registerSymbols([&](llvm::orc::MangleAndInterner intern) {
    llvm::orc::SymbolMap symbols;
    auto add = [&](StringRef name, const void *address) {
      symbols[intern(name)] = {llvm::orc::ExecutorAddr::fromPtr(address),
                               llvm::JITSymbolFlags::Exported};
    };
    RuntimeLibrary runtime;
    for (const std::string &name : declared)
      if (const void *address = runtime.find(name))
        add(name, address);
    for (const ConstantEntry &entry : constants.entries)
      add(entry.symbol, entry.data.data());
    for (auto [name, address] : getOwnFunctions(host))
      add(name, address);
    return symbols;
  });
}

bool fusion::isProvided(StringRef name, Host host) {
  return llvm::Intrinsic::lookupIntrinsicID(name) !=
             llvm::Intrinsic::not_intrinsic ||
         llvm::is_contained(llvm::make_first_range(getOwnFunctions(host)),
                            name) ||
         RuntimeLibrary().find(name.str()) ||
         // As the engine looks for symbols in the process.
         llvm::sys::DynamicLibrary::getPermanentLibrary(nullptr)
             .getAddressOfSymbol(name.str().c_str());
}
