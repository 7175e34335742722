//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TEST_FUZZ_SURROUNDINGEMITTER_H
#define FUSION_TEST_FUZZ_SURROUNDINGEMITTER_H

#include "Generate.h"

namespace fusion::fuzz {

/// Writes one surrounding of a value.
class SurroundingEmitter {
public:
  SurroundingEmitter(ModuleText &text, const Surrounding &around,
                     llvm::ArrayRef<Value> visible, EmitFn emit,
                     const Value *start)
      : text(text), around(around), random(around.choices), visible(visible),
        emit(emit), start(start) {}

  Surrounded run();

private:
  ModuleText &text;
  const Surrounding &around;
  Random random;
  llvm::ArrayRef<Value> visible;
  EmitFn emit;
  const Value *start;

  /// The ops of a region or function, and the values it yields: the value, its
  /// companions, and those that are read later.
  struct Block {
    std::string lines;
    std::vector<Value> yields;
    std::vector<Reading> readings;
  };
  Block writeBlock(const Value *begin);
  /// Yields values of the same types from elsewhere.
  Block writeOther(const Block &block);
  std::vector<Value> makeOthers(const Block &block);
  Value makeOther(const Value &like);
  Value compute(const Value &value);

  std::vector<Value> addCompanions(const Value &value);
  Value addCompanion(Companion kind, const Value &value, Random choices);
  Value addView(const Value &value, Random &choices);
  Value addPart(const Value &value, Random &choices);
  Value addWhole(const Value &value, Random &choices);
  /// Companions are read when the function ends.
  Surrounded finish(const Block &block, std::vector<Value> values);

  Surrounded runHere();
  Surrounded runSlice();
  Surrounded runStretch();
  Surrounded runIf();
  Surrounded runSwitch();
  Surrounded runFor();
  Surrounded runWhile();
  Surrounded runCall();

  /// A place in a larger tensor, which begins at the offsets.
  struct Window {
    llvm::SmallVector<int64_t> offsets, steps;
    Value whole;
  };
  Window drawWindow(const Value &part, Random &choices);
  std::string formatWindow(const Window &window, const Value &part);
  /// `measured` gives the dynamic sizes of the part.
  Value extract(const Window &window, const Value &part, const Value &measured,
                bool isDynamic, Random &choices);

  /// Makes names for the results of an op. Returns the text in front of `=`.
  std::string nameResults(llvm::ArrayRef<Value> like,
                          std::vector<Value> &results);
  std::vector<Value> makeInits();
  Block writeLoopBlock(llvm::ArrayRef<Value> inits,
                       llvm::ArrayRef<Value> carried);
  std::string addBound();

  struct Parameter {
    Free free;
    Value passed;
    /// The name in the function.
    std::string name;
    /// The first lines of the function.
    std::string prologue;
  };
  Parameter makeParameter(const Free &free);
};

/// `%a, %b`, and their types.
std::string joinNames(llvm::ArrayRef<Value> values);
std::string joinTypes(llvm::ArrayRef<Value> values);

} // namespace fusion::fuzz

#endif // FUSION_TEST_FUZZ_SURROUNDINGEMITTER_H
