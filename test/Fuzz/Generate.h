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

/// A module as text, and what its function @main is called with.
struct GeneratedModule {
  std::string text;
  std::vector<ArgumentRange> ranges;
  int64_t batch = 1;
};

GeneratedModule generate(const CaseDescription &description);

/// Writes the convolution itself, with padding and what is in its `outs`. Reads
/// `input`, or an argument of the function if there is none.
Value emitConvolution(ModuleText &text, const CaseDescription &description,
                      const ConvDescription &conv, const Value *input);

/// Writes the steps behind a convolution. A residual may be one of `earlier`.
Value emitSteps(ModuleText &text, const CaseDescription &description,
                const ConvDescription &conv, Value value,
                llvm::ArrayRef<Value> earlier);

/// A transpose of `value` to the order of `layout`.
Value emitTranspose(ModuleText &text, const Value &value,
                    llvm::StringRef layout, Random &random);

/// A vector along the dimension `letter` of `like`: an argument or a constant,
/// as it is or reshaped so that its dimensions stand where those of `like` do.
Operand emitVector(ModuleText &text, const Value &like, char letter,
                   ArgumentRange range, llvm::StringRef view, Random &random);
/// "c", "1c11" or "c11".
std::string pickView(const Value &like, char letter, Random &random);

} // namespace fusion::fuzz

#endif // FUSION_TEST_FUZZ_GENERATE_H
