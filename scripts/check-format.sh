#!/usr/bin/env bash
# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: scripts/check-format.sh [--fix]
#
# Checks that C and C++ sources are formatted as .clang-format says, with
# clang-format 22. With --fix they are brought into form.

set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

clang_format=$(command -v clang-format-22 || true)
if [ -z "$clang_format" ]; then
  echo "skipped: formatting (install clang-format-22)"
  exit 77
fi

mapfile -t files < <(find include lib tools unittests benchmarks examples test \
  -type f \( -name '*.c' -o -name '*.cpp' -o -name '*.h' \) -size +0 | sort)
if [ "${1:-}" = --fix ]; then
  exec "$clang_format" -i "${files[@]}"
fi

if ! printf '%s\0' "${files[@]}" |
  xargs -0 -n 16 -P "$(nproc)" "$clang_format" --dry-run -Werror; then
  echo "not formatted: run scripts/check-format.sh --fix"
  exit 1
fi
