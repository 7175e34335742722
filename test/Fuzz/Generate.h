//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TEST_FUZZ_GENERATE_H
#define FUSION_TEST_FUZZ_GENERATE_H

#include "CaseDescription.h"
#include "ModuleText.h"

namespace fusion::fuzz {

/// A module as text, and the arguments for its function @main.
struct GeneratedModule {
  std::string text;
  std::vector<ArgumentData> arguments;
};

GeneratedModule generate(const CaseDescription &description);

/// Writes the convolution itself, with padding and the contents of its `outs`.
/// Reads `input`, or an argument of the function if there is none.
Value emitConvolution(ModuleText &text, const CaseDescription &description,
                      const ConvDescription &conv, const Value *input);

/// Writes steps behind a convolution. A residual may be one of `earlier`.
Value emitSteps(ModuleText &text, const CaseDescription &description,
                const ConvDescription &conv, llvm::ArrayRef<Step> steps,
                Value value, llvm::ArrayRef<Value> earlier);

/// Writes a value. If `start` is given, computations may begin with it in place
/// of another value of its type.
using EmitFn = llvm::function_ref<Value(const Value *start)>;

/// The results of a surrounding: the value and its companions.
struct Surrounded {
  Value value;
  std::vector<Value> companions;
};

/// Writes the output of `emit` inside of all surroundings of `place`. The value
/// may begin with `start`. Regions may return one of `visible` in its place.
Surrounded emitSurrounded(ModuleText &text, const ConvDescription &conv,
                          Place place, llvm::ArrayRef<Value> visible,
                          EmitFn emit, const Value *start = nullptr);

/// Like `addArgument`, inside of the surroundings of `place`.
Value emitOperand(ModuleText &text, const ConvDescription &conv, Place place,
                  const Value &like, ArgumentRange range);

/// A slice of dynamic size along `letters`. If `input` is an argument, it is
/// made larger and the slice leaves out a part of it.
Value emitDynamicSlice(ModuleText &text, const Value &input,
                       llvm::StringRef letters);

/// A transpose of `value` to the order of `layout`.
Value emitTranspose(ModuleText &text, const Value &value,
                    llvm::StringRef layout, Random &random);

/// A vector along the dimension `letter` of `like`: an argument or a constant.
/// It may be reshaped such that its dimensions have the places of those of
/// `like`.
Operand emitVector(ModuleText &text, const Value &like, char letter,
                   ArgumentRange range, llvm::StringRef view, Random &random);
/// "c", "1c11" or "c11".
std::string pickView(const Value &like, char letter, Random &random);

} // namespace fusion::fuzz

#endif // FUSION_TEST_FUZZ_GENERATE_H
