//===- AmxEmulation.cpp - A CPU with AMX for tests ------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Preloaded (LD_PRELOAD), this library shows oneDNN a CPU with AMX and computes
// AMX's instructions, each in a handler of the signal that it raises. The CPU
// must have AVX-512 with bf16, which oneDNN's kernels for AMX also use. On a
// CPU with AMX it does nothing.
//
//===----------------------------------------------------------------------===//

#include "Tiles.h"

#include <algorithm>
#include <cpuid.h>
#include <cstdarg>
#include <cstring>
#include <dlfcn.h>
#include <iterator>
#include <link.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>
#include <xmmintrin.h>

using namespace amx;

/// The addresses of CPUID in libdnnl, relative to its base.
static constexpr uintptr_t cpuidSites[] = {
#include "CpuidSites.inc"
};

static uintptr_t libdnnl; // where it is loaded, or 0

//===----------------------------------------------------------------------===//
// Code that changes
//===----------------------------------------------------------------------===//

[[noreturn]] static void giveUp(const char *why) {
  static const char name[] = "libfusion-amx-emulation: ";
  (void)!write(STDERR_FILENO, name, sizeof(name) - 1);
  (void)!write(STDERR_FILENO, why, strlen(why));
  (void)!write(STDERR_FILENO, "\n", 1);
  _exit(1);
}

/// Makes the pages of `code` writable, or no longer.
static void protect(const uint8_t *code, size_t size, bool isWritable) {
  constexpr uintptr_t page = 4096;
  uintptr_t begin = reinterpret_cast<uintptr_t>(code) & ~(page - 1);
  size_t bytes = reinterpret_cast<uintptr_t>(code) + size - begin;
  if (mprotect(reinterpret_cast<void *>(begin), bytes,
               PROT_READ | PROT_EXEC | (isWritable ? PROT_WRITE : 0)) != 0)
    giveUp("code cannot be changed here");
}

/// Replaces CPUID by UD2, which has two bytes, too, and raises a signal.
static int trapCpuid(dl_phdr_info *info, size_t, void *) {
  if (!strstr(info->dlpi_name, "/libdnnl.so"))
    return 0;
  libdnnl = info->dlpi_addr;
  for (uintptr_t site : cpuidSites) {
    auto *code = reinterpret_cast<uint8_t *>(libdnnl + site);
    if (code[0] != 0x0F || code[1] != 0xA2)
      giveUp("this is not the libdnnl it was built with");
    protect(code, 2, /*isWritable=*/true);
    code[1] = 0x0B;
    protect(code, 2, /*isWritable=*/false);
  }
  return 1;
}

static bool isTrappedCpuid(const uint8_t *code) {
  uintptr_t site = reinterpret_cast<uintptr_t>(code) - libdnnl;
  return libdnnl && std::find(std::begin(cpuidSites), std::end(cpuidSites),
                              site) != std::end(cpuidSites);
}

//===----------------------------------------------------------------------===//
// Signals
//===----------------------------------------------------------------------===//

// These are looked up before anything else runs: a static of a function could
// have to wait for another thread, by a call of `syscall`.
static bool emulates; // unless the CPU has AMX
static decltype(&sigaction) nextSigaction;
static decltype(&signal) nextSignal;
static decltype(&syscall) nextSyscall;

static thread_local TileFile tiles
    __attribute__((tls_model("initial-exec"))); // without malloc in a handler

static constexpr unsigned amxBf16 = 1u << 22, amxTile = 1u << 24,
                          amxInt8 = 1u << 25; // of CPUID's leaf 7, in EDX

static bool hasTiles() {
  unsigned a, b, c, d;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (d & amxTile);
}

/// The CPUID of this CPU, with AMX (leaf 7), one palette of tiles (1Dh), and
/// the sizes of products (1Eh).
static void emulateCpuid(greg_t *registers) {
  auto leaf = static_cast<unsigned>(registers[REG_RAX]);
  auto subleaf = static_cast<unsigned>(registers[REG_RCX]);
  unsigned a, b, c, d;
  __cpuid_count(leaf, subleaf, a, b, c, d);
  if (leaf == 0 && a < 0x1E)
    a = 0x1E;
  if (leaf == 7 && subleaf == 0)
    d |= amxBf16 | amxTile | amxInt8;
  if (leaf == 0x1D || leaf == 0x1E)
    a = b = c = d = 0;
  if (leaf == 0x1D && subleaf == 0)
    a = 1; // the highest palette
  if (leaf == 0x1D && subleaf == 1) {
    a = numTiles * sizeof(Tile) | sizeof(Tile) << 16;
    b = rowBytes | numTiles << 16;
    c = maxRows;
  }
  if (leaf == 0x1E && subleaf == 0)
    b = maxRows | rowBytes << 8;
  registers[REG_RAX] = a;
  registers[REG_RBX] = b;
  registers[REG_RCX] = c;
  registers[REG_RDX] = d;
}

static void readRegisters(const greg_t *from, Registers &to) {
  static constexpr int order[] = {
      REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
      REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
  for (int i = 0; i < 16; ++i)
    to[i] = static_cast<uint64_t>(from[order[i]]);
}

static void handleIllegalInstruction(int, siginfo_t *, void *context) {
  // Products round to nearest and flush subnormal numbers, whatever MXCSR says.
  _mm_setcsr(0x1F80 | 0x8000 | 0x0040);
  greg_t *saved = static_cast<ucontext_t *>(context)->uc_mcontext.gregs;
  auto *code = reinterpret_cast<uint8_t *>(saved[REG_RIP]);
  if (isTrappedCpuid(code)) {
    emulateCpuid(saved);
    saved[REG_RIP] += 2;
    return;
  }
  Registers registers;
  readRegisters(saved, registers);
  Instruction instruction;
  if (!decode(code, registers, instruction)) {
    // The program ends, as it does without this library.
    nextSignal(SIGILL, SIG_DFL);
    return;
  }
  tiles.execute(instruction);
  saved[REG_RIP] += instruction.length;
}

//===----------------------------------------------------------------------===//
// The process
//===----------------------------------------------------------------------===//

template <typename Function>
static void findNext(const char *name, Function *&function) {
  function = reinterpret_cast<Function *>(dlsym(RTLD_NEXT, name));
}

/// Runs before all other code of the process: oneDNN asks for the CPU when it
/// is loaded.
__attribute__((constructor)) static void install() {
  findNext("sigaction", nextSigaction);
  findNext("signal", nextSignal);
  findNext("syscall", nextSyscall);
  emulates = !hasTiles();
  if (!emulates)
    return;
  struct sigaction action = {};
  action.sa_sigaction = handleIllegalInstruction;
  action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK;
  nextSigaction(SIGILL, &action, nullptr);
  dl_iterate_phdr(trapCpuid, nullptr);
}

/// Keeps the handler of this library: programs install handlers that report a
/// crash.
extern "C" int sigaction(int number, const struct sigaction *action,
                         struct sigaction *old) {
  if (number != SIGILL || !emulates)
    return nextSigaction(number, action, old);
  if (old)
    *old = {};
  return 0;
}

extern "C" sighandler_t signal(int number, sighandler_t handler) {
  return number == SIGILL && emulates ? SIG_DFL : nextSignal(number, handler);
}

/// Programs ask Linux for the tile registers by this function before they use
/// them (ARCH_GET_XCOMP_PERM and ARCH_REQ_XCOMP_PERM).
extern "C" long syscall(long number, ...) {
  constexpr long getPermission = 0x1022, requestPermission = 0x1023;
  constexpr unsigned long tileStates = 1ul << 17 | 1ul << 18;
  va_list list;
  va_start(list, number);
  long arguments[6];
  for (long &argument : arguments)
    argument = va_arg(list, long);
  va_end(list);
  if (emulates && number == SYS_arch_prctl && arguments[0] == requestPermission)
    return 0;
  if (emulates && number == SYS_arch_prctl && arguments[0] == getPermission) {
    *reinterpret_cast<unsigned long *>(arguments[1]) = tileStates;
    return 0;
  }
  return nextSyscall(number, arguments[0], arguments[1], arguments[2],
                     arguments[3], arguments[4], arguments[5]);
}
