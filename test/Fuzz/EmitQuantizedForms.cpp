//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Forms in which quantised operands and results come.

#include "BodyWriter.h"
#include "Quantized.h"

using namespace fusion::fuzz;

Value fusion::fuzz::emitExtension(ModuleText &text, const Value &bytes,
                                  const QuantizedType &type) {
  return emitElementwise(text, bytes, "i32", {},
                         [&](llvm::ArrayRef<std::string> arguments) {
                           return BodyWriter(text).extend(arguments[0], type);
                         });
}

Value fusion::fuzz::emitOperandForm(ModuleText &text, const Value &bytes,
                                    const QuantizedConv &quantized,
                                    Random &random) {
  Value value = bytes;
  QuantizedType type = quantized.input;
  BodyWriter body(text);
  if (quantized.movesSign) {
    const char *move = random.pick({"addi", "subi", "xori"});
    value = emitElementwise(
        text, value, "i8", {}, [&](llvm::ArrayRef<std::string> arguments) {
          return body.op(move, arguments[0], body.number(-128, "i8"), "i8");
        });
    type.zeroPoint -= 128;
    type.isUnsigned = false;
  }
  if (quantized.hasIdleBounds)
    value = emitElementwise(
        text, value, "i8", {}, [&](llvm::ArrayRef<std::string> arguments) {
          return body.clampByte(arguments[0], type.isUnsigned);
        });
  return quantized.isExtended ? emitExtension(text, value, type) : value;
}
