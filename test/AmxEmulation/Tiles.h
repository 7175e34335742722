//===- Tiles.h - AMX's tiles and instructions -------------------*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The instructions of AMX-TILE, AMX-BF16 and AMX-INT8, as volume 2 of Intel's
// "64 and IA-32 Architectures Software Developer's Manual" defines them
// (LDTILECFG, STTILECFG, TILERELEASE, TILEZERO, TILELOADD, TILELOADDT1,
// TILESTORED, TDPBF16PS, TDPBSSD, TDPBSUD, TDPBUSD, TDPBUUD). Their operands
// must be valid: an instruction that faults on a CPU does not fault here.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TEST_AMXEMULATION_TILES_H
#define FUSION_TEST_AMXEMULATION_TILES_H

#include <cstddef>
#include <cstdint>

namespace amx {

constexpr int numTiles = 8, maxRows = 16, rowBytes = 64;

/// The memory operand of LDTILECFG and STTILECFG.
struct TileConfig {
  uint8_t palette, startRow, reserved[14];
  uint16_t columnBytes[16];
  uint8_t rows[16];
};
static_assert(sizeof(TileConfig) == 64, "as the manual lays it out");

struct Tile {
  alignas(64) uint8_t rows[maxRows][rowBytes];
};

enum class Operation {
  LoadConfig,
  StoreConfig,
  Release,
  Zero,
  Load,
  Store,
  Multiply,      // bf16 to f32
  MultiplyBytes, // to integers of 32 bits
};

struct Instruction {
  Operation operation;
  int tile, first, second; // tile is the destination, or the stored one
  bool isFirstSigned, isSecondSigned; // of bytes
  uintptr_t address, stride;
  size_t length; // of the encoding, in bytes
};

/// Registers by their number in encodings (rax, rcx, rdx, rbx, rsp, ...).
using Registers = uint64_t[16];

/// Decodes the instruction at `code`. Returns false if it is not one of those
/// above.
bool decode(const uint8_t *code, const Registers &registers, Instruction &out);

/// The tiles of a thread.
class TileFile {
public:
  void execute(const Instruction &instruction);

private:
  void configure(const TileConfig *given);
  void load(const Instruction &instruction);
  void store(const Instruction &instruction) const;
  void multiply(const Instruction &instruction);
  void multiplyBytes(const Instruction &instruction);

  TileConfig config;
  Tile tiles[numTiles];
};

} // namespace amx

#endif // FUSION_TEST_AMXEMULATION_TILES_H
