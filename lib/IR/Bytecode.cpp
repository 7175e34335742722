//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The version of the dialect in bytecode files. It changes when older readers
// cannot read a new file: an op or attribute is new, or has another encoding.
// Ops are encoded by their properties, in the order of FusionOps.td, and
// attributes by their text.

#include "Bytecode.h"
#include "mlir/Bytecode/BytecodeImplementation.h"
#include <tuple>

using namespace mlir;
using namespace fusion;

namespace {
struct FusionVersion : public DialectVersion {
  FusionVersion(uint64_t major, uint64_t minor) : major(major), minor(minor) {}

  bool isNewerThan(const FusionVersion &other) const {
    return std::tie(major, minor) > std::tie(other.major, other.minor);
  }
  std::string str() const {
    return std::to_string(major) + "." + std::to_string(minor);
  }

  uint64_t major, minor;
};

struct FusionBytecodeInterface : public BytecodeDialectInterface {
  FusionBytecodeInterface(Dialect *dialect)
      : BytecodeDialectInterface(dialect) {}

  void writeVersion(DialectBytecodeWriter &writer) const override {
    FusionVersion version = getCurrent();
    writer.writeVarInt(version.major);
    writer.writeVarInt(version.minor);
  }

  std::unique_ptr<DialectVersion>
  readVersion(DialectBytecodeReader &reader) const override {
    uint64_t major, minor;
    if (failed(reader.readVarInt(major)) || failed(reader.readVarInt(minor)))
      return nullptr;
    auto version = std::make_unique<FusionVersion>(major, minor);
    if (!version->isNewerThan(getCurrent()))
      return version;
    reader.emitError() << "file was written by a newer fusion dialect ("
                       << version->str() << "), this is " << getCurrent().str();
    return nullptr;
  }

private:
  static FusionVersion getCurrent() { return FusionVersion(0, 1); }
};
} // namespace

void fusion::addBytecodeInterface(FusionDialect &dialect) {
  dialect.addInterfaces<FusionBytecodeInterface>();
}
