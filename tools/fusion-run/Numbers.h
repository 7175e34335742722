//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FUSION_TOOLS_FUSION_RUN_NUMBERS_H
#define FUSION_TOOLS_FUSION_RUN_NUMBERS_H

#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include <cmath>
#include <string>

namespace fusion::run {

/// "1 kernel", "2 kernels"
inline std::string count(uint64_t number, llvm::StringRef noun) {
  return std::to_string(number) + " " + noun.str() + (number == 1 ? "" : "s");
}

/// Prints `value`, or null for a NaN or an infinity, which JSON does not have.
/// By itself the library of LLVM would print 17 digits.
inline void printNumber(llvm::json::OStream &json, double value,
                        const char *format) {
  if (!std::isfinite(value))
    return json.value(nullptr);
  json.rawValue(
      [&](llvm::raw_ostream &os) { os << llvm::format(format, value); });
}

/// A time, or a rate, to a nanosecond where the unit is one microsecond.
inline void addTime(llvm::json::OStream &json, llvm::StringRef key,
                    double value) {
  json.attributeBegin(key);
  printNumber(json, value, "%.3f");
  json.attributeEnd();
}

/// Any other number, to 9 digits.
inline void addNumber(llvm::json::OStream &json, llvm::StringRef key,
                      double value) {
  json.attributeBegin(key);
  printNumber(json, value, "%.9g");
  json.attributeEnd();
}

} // namespace fusion::run

#endif // FUSION_TOOLS_FUSION_RUN_NUMBERS_H
