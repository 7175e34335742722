//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TEST_FUZZ_BODYWRITER_H
#define FUSION_TEST_FUZZ_BODYWRITER_H

#include "CaseDescription.h"
#include "ModuleText.h"

namespace fusion::fuzz {

/// Ops in the body of an op, one after the other.
class BodyWriter {
public:
  explicit BodyWriter(ModuleText &text) : text(text) {}

  std::string op(llvm::StringRef name, const std::string &a,
                 const std::string &b, llvm::StringRef type) {
    return define("arith." + name.str() + " " + a + ", " + b + " : " +
                  type.str());
  }
  std::string unary(llvm::StringRef name, const std::string &a) {
    return define(name.str() + " " + a + " : f32");
  }
  std::string convert(llvm::StringRef name, const std::string &a,
                      llvm::StringRef from, llvm::StringRef to) {
    return define("arith." + name.str() + " " + a + " : " + from.str() +
                  " to " + to.str());
  }
  std::string select(const std::string &condition, const std::string &a,
                     const std::string &b, llvm::StringRef type) {
    return define("arith.select " + condition + ", " + a + ", " + b + " : " +
                  type.str());
  }
  std::string number(double value, llvm::StringRef type) {
    return text.addScalar(value, type);
  }
  std::string clamp(std::string value, int64_t least, int64_t most,
                    llvm::StringRef type) {
    bool isFloat = type == "f32";
    value =
        op(isFloat ? "maximumf" : "maxsi", value, number(least, type), type);
    return op(isFloat ? "minimumf" : "minsi", value, number(most, type), type);
  }

  /// `value`, of 8 bits, in i32 and less its zero point.
  std::string extend(const std::string &value, const QuantizedType &type) {
    std::string wide =
        convert(type.isUnsigned ? "extui" : "extsi", value, "i8", "i32");
    if (type.zeroPoint == 0)
      return wide;
    return op("subi", wide, number(type.zeroPoint, "i32"), "i32");
  }
  /// The same, less `zeroPoint`, which has the type of `value`.
  std::string extend(const std::string &value, const std::string &zeroPoint,
                     bool isUnsigned) {
    const char *extension = isUnsigned ? "extui" : "extsi";
    std::string wide = convert(extension, value, "i8", "i32");
    return op("subi", wide, convert(extension, zeroPoint, "i8", "i32"), "i32");
  }
  /// Bounds by the ends of the type, which change nothing.
  std::string clampByte(const std::string &value, bool isUnsigned) {
    std::string upper = op(isUnsigned ? "minui" : "minsi", value,
                           number(isUnsigned ? -1 : 127, "i8"), "i8");
    return op(isUnsigned ? "maxui" : "maxsi", upper,
              number(isUnsigned ? 0 : -128, "i8"), "i8");
  }

private:
  ModuleText &text;

  std::string define(const std::string &op) {
    std::string name = text.fresh();
    text.line("  " + name + " = " + op);
    return name;
  }
};

/// A generic that computes each element of a tensor of `element` from that of
/// `value`, and from those of `others`.
Value emitElementwise(ModuleText &text, const Value &value,
                      llvm::StringRef element, llvm::ArrayRef<Operand> others,
                      ModuleText::BodyFn makeBody);

} // namespace fusion::fuzz

#endif // FUSION_TEST_FUZZ_BODYWRITER_H
