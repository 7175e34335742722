#!/usr/bin/env bash
# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: scripts/check-arm64.sh [FOLDER]
#
# Builds the portable runtime and its unit tests for AArch64 in FOLDER (default:
# build/arm64) with Debian's cross compiler, and runs them under qemu. Results go to
# FOLDER/results.json. Exits with what the tests exit with, and with 77 and a line that
# says why where something is missing.

set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
source scripts/common.sh

folder=$(realpath -m "${1:-build/arm64}")
toolchain=$PWD/cmake/aarch64-linux-gnu.cmake
googletest=/usr/src/googletest

missing=()
command -v aarch64-linux-gnu-g++ >/dev/null || missing+=(g++-aarch64-linux-gnu)
command -v qemu-aarch64-static >/dev/null || missing+=(qemu-user-static)
[ -e "$googletest/CMakeLists.txt" ] || missing+=(googletest)
if [ ${#missing[@]} -gt 0 ]; then
  echo "skipped: AArch64 (install ${missing[*]})"
  exit 77
fi

# configure SOURCE FOLDER OPTION...
configure() {
  cmake -S "$1" -B "$2" -G Ninja -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_TOOLCHAIN_FILE="$toolchain" "${@:3}"
}

build() {
  configure "$googletest" "$folder/googletest" -DBUILD_GMOCK=OFF \
    -DCMAKE_INSTALL_PREFIX="$folder/installed" &&
    ninja -C "$folder/googletest" install &&
    configure . "$folder" -DFUSION_RUNTIME_ONLY=ON -DFUSION_RUNTIME_BACKEND=portable \
      -DGTest_DIR="$folder/installed/lib/cmake/GTest" &&
    ninja -C "$folder" -j "$(build_jobs)"
}
mkdir -p "$folder"
rm -f "$folder/results.json"
heading "Building for AArch64"
if ! build >"$folder/build.log" 2>&1; then
  cat "$folder/build.log"
  exit 1
fi

# Under emulation other suites take minutes, for what they compute to compare with. Death
# tests start the program itself, which takes binfmt_misc, and qemu knows nothing of pages.
suites='ArenaTest CallTest DeconvTest DescriptorTest EmptyTest ErrorsTest MatmulTest OnceTest
  OperandTest PackingTest ParallelForTest PoolTest PrepareTest ProcessorsTest QuantizedErrorsTest
  SignatureTest ThreadCountTest ThreadsTest VersionTest WrongArgumentsTest All/ActivationTest
  All/DeconvTest All/DescriptorTest All/MatmulTest All/OperandTest All/PoolTest'
# shellcheck disable=SC2086
filter=$(printf '%s.*:' $suites)-ArenaTest.LargeBlocksAskForHugePages
heading "Unit tests of the portable runtime on AArch64"
qemu-aarch64-static -L /usr/aarch64-linux-gnu "$folder/bin/fusion-runtime-tests" \
  --gtest_brief=1 --gtest_filter="$filter" --gtest_output="json:$folder/results.json"
