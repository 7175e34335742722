//===- Tiles.cpp - AMX's tiles and instructions ---------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tiles.h"

#include <cstring>

using namespace amx;

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

namespace {
/// The prefix that is encoded in the second byte after VEX.
enum Prefix { None, P66, PF3, PF2 };

/// Three bytes of VEX, the opcode, and the operands in ModRM.
struct Vex {
  Vex(const uint8_t *code, const Registers &registers);

  bool isTileInstruction() const { return map == 2 && !wide && !longVector; }

  int map, prefix, opcode;
  bool wide, longVector;
  int reg, vvvv;
  bool isMemory;
  int rm = 0; // of a register
  uintptr_t address = 0, stride = 0;
  const uint8_t *end;

private:
  void readMemory(const Registers &registers, int mod, int low, int high,
                  int indexHigh);
  int64_t readDisplacement(int bytes);
};
} // namespace

Vex::Vex(const uint8_t *code, const Registers &registers)
    : map(code[1] & 31), prefix(code[2] & 3), opcode(code[3]),
      wide(code[2] >> 7), longVector(code[2] >> 2 & 1),
      vvvv(~(code[2] >> 3) & 15), end(code + 5) {
  // These are inverted: the high bits of reg, of an index, and of rm or a base.
  int regHigh = (~code[1] >> 7 & 1) << 3;
  int indexHigh = (~code[1] >> 6 & 1) << 3;
  int high = (~code[1] >> 5 & 1) << 3;
  int mod = code[4] >> 6, low = code[4] & 7;
  reg = (code[4] >> 3 & 7) | regHigh;
  isMemory = mod != 3;
  if (isMemory)
    readMemory(registers, mod, low, high, indexHigh);
  else
    rm = low | high;
}

int64_t Vex::readDisplacement(int bytes) {
  int32_t value = static_cast<int8_t>(*end);
  if (bytes == 4)
    memcpy(&value, end, 4);
  end += bytes;
  return value;
}

void Vex::readMemory(const Registers &registers, int mod, int low, int high,
                     int indexHigh) {
  constexpr int sibFollows = 4, noIndex = 4, noBase = 5;
  bool isRelative = mod == 0 && low == noBase; // to the next instruction
  bool hasBase = !isRelative;
  if (low == sibFollows) {
    int sib = *end++;
    int index = (sib >> 3 & 7) | indexHigh;
    if (index != noIndex)
      stride = registers[index] << (sib >> 6);
    low = sib & 7;
    hasBase = low != noBase || mod != 0;
  }
  if (hasBase)
    address = registers[low | high];
  if (mod == 1)
    address += readDisplacement(1);
  else if (mod == 2 || !hasBase)
    address += readDisplacement(4);
  if (isRelative)
    address += reinterpret_cast<uintptr_t>(end);
}

static bool findOperation(const Vex &vex, Operation &out) {
  constexpr struct {
    int opcode, prefix;
    bool isMemory;
    Operation operation;
  } table[] = {
      {0x49, None, true, Operation::LoadConfig},
      {0x49, P66, true, Operation::StoreConfig},
      {0x49, None, false, Operation::Release},
      {0x49, PF2, false, Operation::Zero},
      {0x4B, PF2, true, Operation::Load},
      {0x4B, P66, true, Operation::Load}, // with a hint about caches
      {0x4B, PF3, true, Operation::Store},
      {0x5C, PF3, false, Operation::Multiply},
      {0x5E, None, false, Operation::MultiplyBytes},
      {0x5E, P66, false, Operation::MultiplyBytes},
      {0x5E, PF3, false, Operation::MultiplyBytes},
      {0x5E, PF2, false, Operation::MultiplyBytes},
  };
  for (const auto &row : table)
    if (vex.opcode == row.opcode && vex.prefix == row.prefix &&
        vex.isMemory == row.isMemory) {
      out = row.operation;
      return true;
    }
  return false;
}

bool amx::decode(const uint8_t *code, const Registers &registers,
                 Instruction &out) {
  constexpr uint8_t vexOfThreeBytes = 0xC4;
  if (code[0] != vexOfThreeBytes)
    return false;
  Vex vex(code, registers);
  if (!vex.isTileInstruction() || !findOperation(vex, out.operation))
    return false;
  out.tile = vex.reg;
  out.first = vex.rm;
  out.second = vex.vvvv;
  out.isFirstSigned = vex.prefix == PF2 || vex.prefix == PF3;
  out.isSecondSigned = vex.prefix == PF2 || vex.prefix == P66;
  out.address = vex.address;
  out.stride = vex.stride;
  out.length = vex.end - code;
  return true;
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

void TileFile::execute(const Instruction &instruction) {
  switch (instruction.operation) {
  case Operation::LoadConfig:
    return configure(reinterpret_cast<const TileConfig *>(instruction.address));
  case Operation::StoreConfig:
    memcpy(reinterpret_cast<void *>(instruction.address), &config,
           sizeof(config));
    return;
  case Operation::Release:
    return configure(nullptr);
  case Operation::Zero:
    memset(&tiles[instruction.tile], 0, sizeof(Tile));
    return;
  case Operation::Load:
    return load(instruction);
  case Operation::Store:
    return store(instruction);
  case Operation::Multiply:
    return multiply(instruction);
  case Operation::MultiplyBytes:
    return multiplyBytes(instruction);
  }
}

/// Clears the tiles. Elements outside of the rows and columns of a tile stay 0
/// from then on, after every instruction. Palette 0 is the initial state, in
/// which nothing is configured.
void TileFile::configure(const TileConfig *given) {
  memset(tiles, 0, sizeof(tiles));
  if (given && given->palette != 0)
    memcpy(&config, given, sizeof(config));
  else
    memset(&config, 0, sizeof(config));
}

void TileFile::load(const Instruction &instruction) {
  Tile &tile = tiles[instruction.tile];
  uintptr_t row = instruction.address;
  for (int i = 0; i < config.rows[instruction.tile]; ++i) {
    memcpy(tile.rows[i], reinterpret_cast<const void *>(row),
           config.columnBytes[instruction.tile]);
    row += instruction.stride;
  }
}

void TileFile::store(const Instruction &instruction) const {
  uintptr_t row = instruction.address;
  for (int i = 0; i < config.rows[instruction.tile]; ++i) {
    memcpy(reinterpret_cast<void *>(row), tiles[instruction.tile].rows[i],
           config.columnBytes[instruction.tile]);
    row += instruction.stride;
  }
}

/// The bf16 number in the high or low half of `pair`.
static float halfOf(uint32_t pair, bool isHigh) {
  uint32_t bits = isHigh ? pair & 0xffff0000u : pair << 16;
  float value;
  memcpy(&value, &bits, 4);
  return value;
}

/// Sums of even and of odd elements of k are added to each other, and then to
/// the destination. Products of two bf16 numbers are exact in f32, unless they
/// are too large or too small for it. So a sum rounds as a fused one does.
void TileFile::multiply(const Instruction &instruction) {
  Tile &sum = tiles[instruction.tile];
  const Tile &first = tiles[instruction.first];
  const Tile &second = tiles[instruction.second];
  int m = config.rows[instruction.tile];
  int n = config.columnBytes[instruction.tile] / 4;
  int pairs = config.columnBytes[instruction.first] / 4;
  for (int row = 0; row < m; ++row) {
    float even[rowBytes / 4] = {}, odd[rowBytes / 4] = {};
    for (int k = 0; k < pairs; ++k) {
      uint32_t left, right[rowBytes / 4];
      memcpy(&left, &first.rows[row][4 * k], sizeof(left));
      memcpy(right, second.rows[k], sizeof(right));
      for (int column = 0; column < rowBytes / 4; ++column) {
        even[column] += halfOf(left, false) * halfOf(right[column], false);
        odd[column] += halfOf(left, true) * halfOf(right[column], true);
      }
    }
    for (int column = 0; column < n; ++column) {
      float old;
      memcpy(&old, &sum.rows[row][4 * column], 4);
      even[column] = old + (even[column] + odd[column]);
    }
    memcpy(sum.rows[row], even, 4 * n);
  }
}

static uint32_t widen(uint8_t byte, bool isSigned) {
  return isSigned ? static_cast<uint32_t>(static_cast<int8_t>(byte)) : byte;
}

/// Adds products of four bytes each to the destination, which wraps.
void TileFile::multiplyBytes(const Instruction &instruction) {
  Tile &sum = tiles[instruction.tile];
  const Tile &first = tiles[instruction.first];
  const Tile &second = tiles[instruction.second];
  int n = config.columnBytes[instruction.tile] / 4;
  int bytes = config.columnBytes[instruction.first];
  for (int row = 0; row < config.rows[instruction.tile]; ++row) {
    uint32_t sums[rowBytes / 4];
    memcpy(sums, sum.rows[row], sizeof(sums));
    for (int k = 0; k < bytes; ++k) {
      uint32_t left = widen(first.rows[row][k], instruction.isFirstSigned);
      for (int column = 0; column < n; ++column)
        sums[column] += left * widen(second.rows[k / 4][4 * column + k % 4],
                                     instruction.isSecondSigned);
    }
    memcpy(sum.rows[row], sums, 4 * n);
  }
}
