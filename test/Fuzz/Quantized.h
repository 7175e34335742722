//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FUSION_TEST_FUZZ_QUANTIZED_H
#define FUSION_TEST_FUZZ_QUANTIZED_H

#include "Generate.h"

namespace fusion::fuzz {

/// The numbers of an input or a filter of 8 bits.
ArgumentRange getByteRange(const QuantizedConv &quantized, bool isFilter);

/// The numbers of the biases and residuals of a convolution.
ArgumentRange getBiasRange(const ConvDescription &conv);

/// Whether the convolution is one of linalg's with zero points, or has to be
/// generic.
bool hasZeroPoints(const ConvDescription &conv);
bool needsGeneric(const ConvDescription &conv);

/// A filter like `like`, dequantised unless the convolution is one of integers.
Value emitByteFilter(ModuleText &text, const ConvDescription &conv,
                     const Value &like, Random &random);

/// An input of 8 bits in the forms that it has.
Value emitOperandForm(ModuleText &text, const Value &bytes,
                      const QuantizedConv &quantized, Random &random);

/// `bytes` in i32, less its zero point.
Value emitExtension(ModuleText &text, const Value &bytes,
                    const QuantizedType &type);

/// `sum`, of the input with its zero point and `filter`, without it.
Value emitCorrection(ModuleText &text, const Value &sum, const Value &filter,
                     const QuantizedConv &quantized, Random &random);

/// A number along `letter` of `like` for each channel, at most `scale`.
Operand emitScales(ModuleText &text, const Value &like, char letter,
                   double scale, Random &random);

/// `sum`, of i32, in f32: times a scale of the input that only a call knows.
Value emitRunTimeScale(ModuleText &text, const Value &sum,
                       const QuantizedConv &quantized, Random &random);

/// The f32 tensor that `bytes` means. If there is a letter, the scale varies
/// along that dimension.
Value emitDequantize(ModuleText &text, const Value &bytes,
                     const QuantizedType &type, char letter, Random &random);

/// `value`, of f32, in 8 bits.
Value emitQuantize(ModuleText &text, const Value &value,
                   const QuantizedConv &quantized, Random &random);

/// `sum`, of i32, in 8 bits, with what stands before that.
Value emitRequantize(ModuleText &text, const Value &sum,
                     const QuantizedConv &quantized, Random &random);

/// The sum, of 8 bits, of `bytes`, the result of 8 bits, and of an argument.
Value emitAddition(ModuleText &text, const Value &bytes,
                   const QuantizedConv &quantized, Random &random);

/// The lines of a body that add the product of two of `arguments`, of i8, to
/// the third. Returns the name of the sum.
std::string emitIntegerProduct(ModuleText &text, const QuantizedConv &quantized,
                               llvm::ArrayRef<std::string> arguments,
                               bool isFilterFirst, Random &random);

} // namespace fusion::fuzz

#endif // FUSION_TEST_FUZZ_QUANTIZED_H
