//===- Arguments.h - Numbers on a command line ------------------*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_BENCHMARKS_ARGUMENTS_H
#define FUSION_BENCHMARKS_ARGUMENTS_H

#include <charconv>
#include <cstring>

/// The value behind `name` in `argument`, or null.
inline const char *valueOf(const char *argument, const char *name) {
  size_t length = strlen(name);
  return strncmp(argument, name, length) ? nullptr : argument + length;
}

/// Reads all of `text` as a number of at least `least`; false if it is not one.
template <typename T> bool parseNumber(const char *text, T least, T &number) {
  const char *end = text + strlen(text);
  auto [rest, error] = std::from_chars(text, end, number);
  return error == std::errc() && rest == end && number >= least;
}

#endif // FUSION_BENCHMARKS_ARGUMENTS_H
