#!/usr/bin/env bash
# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: scripts/check-tidy.sh [REGEX...]
#
# Runs clang-tidy 22 with the checks of .clang-tidy over the sources that are built
# here, or those whose paths match a REGEX. All of them take minutes, so that this is no
# part of scripts/test.sh. Exits with 1 if there is a warning.

set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
source scripts/common.sh

if [ "${1:-}" = -h ] || [ "${1:-}" = --help ]; then
  sed -n '5,9s/^# \{0,1\}//p' "scripts/${BASH_SOURCE[0]##*/}"
  exit 0
fi

install_missing clang-tidy-22 || exit 1
[ -f "$BUILD_DIR/compile_commands.json" ] || configure_and_build all || exit 1
[ $# -gt 0 ] || set -- "$PWD/(lib|tools|unittests|benchmarks|test)/"
exec run-clang-tidy-22 -quiet -p "$BUILD_DIR" -j "$(build_jobs)" \
  -warnings-as-errors='*' "$@"
