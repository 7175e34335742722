#!/usr/bin/env bash
# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: scripts/check-install.sh [BUILD_DIR]
#
# Installs BUILD_DIR (default: build, build-llvm23 with LLVM_VERSION=23) into a folder, moves that elsewhere, and builds
# and runs the examples from there, as users would; then the smallest of them from the
# build tree. The last line is `N passed, N failed`.

set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
source scripts/common.sh

build=$(realpath "${1:-$BUILD_DIR}") || exit 1
work=$build/check-install
compiler=$(sed -n 's/^CMAKE_CXX_COMPILER:[A-Z]*=//p' "$build/CMakeCache.txt")
c_compiler=$(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' "$build/CMakeCache.txt")

# build_example NAME PREFIX [OPTION...]: examples/NAME into its folder.
build_example() {
  local name=$1 prefix=$2
  shift 2
  cmake -S "examples/$name" -B "$work/$name" -G Ninja -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_C_COMPILER="$c_compiler" -DCMAKE_CXX_COMPILER="$compiler" \
    -DCMAKE_PREFIX_PATH="$prefix" "$@" && ninja -C "$work/$name"
}

# Fails if an installed file contains the path of the source or build tree.
is_relocatable() {
  ! grep -rlF --include='*.cmake' --include='*.h' -e "$PWD/" "$prefix"
}

rm -rf "$work"
mkdir -p "$work"
check "install" cmake --install "$build" --prefix "$work/first"
prefix=$work/second
mv "$work/first" "$prefix"
check "names no folder of the source tree" is_relocatable
check "fusion-opt" says 'fused: pad, bias, relu' "$prefix/bin/fusion-opt" \
  examples/conv-bias-relu-dynamic.mlir --fusion-optimize --fusion-explain
check "fusion-run" says 'verify: agrees' "$prefix/bin/fusion-run" \
  examples/conv-reshape-add-relu.mlir --verify
check "plugin" says 'fusion.fused_conv_bias_act' \
  "${MLIR_OPT:-/usr/lib/llvm-$LLVM_VERSION/bin/mlir-opt}" examples/conv-reshape-add-relu.mlir \
  --load-dialect-plugin="$prefix/lib/FusionDialectPlugin.so" \
  --load-pass-plugin="$prefix/lib/FusionDialectPlugin.so" \
  --pass-pipeline='builtin.module(fusion-optimize)'

# Debian's Python has NumPy from a package.
if /usr/bin/python3 -c 'import numpy' 2>/dev/null; then
  check "python" says 'fused: pad, bn, bias, residual, relu' \
    env PYTHONPATH="$prefix/lib/python3/dist-packages" \
    /usr/bin/python3 examples/python/net.py
else
  echo "skipped: python (install python3-numpy)"
fi

check "downstream: builds" build_example downstream "$prefix"
network=examples/downstream/network.mlir
check "downstream: an op of its own" says 'fused_conv_bias_act clip(' \
  "$work/downstream/acme-opt" "$network" --acme-to-fusion --fusion-optimize
check "downstream: a law of its own" says 'fused_conv_bias_act clip(' \
  "$work/downstream/acme-opt" examples/downstream/relu6.mlir --fusion-raise --acme-fuse
check "downstream: an interface" says 'dim 3 groups 2' \
  "$work/downstream/acme-opt" examples/downstream/shuffle.mlir --fusion-optimize
check "downstream: compiles" says 'call @fusion_rt_conv_checked' \
  "$work/downstream/acme-opt" "$network" --acme-compile

check "runtime-c: builds" build_example runtime-c "$prefix"
check "runtime-c: runs" says ' 1 1 1 0 0 0  | 0 1 1 1 0 0  | 0 0 1 1 1 0' \
  "$work/runtime-c/blur"

# A program with the archive of the runtime, which needs no shared one.
uses_archive() {
  ! ldd "$1" | grep libfusion_runtime &&
    says ' 1 1 1 0 0 0  | 0 1 1 1 0 0  | 0 0 1 1 1 0' "$1"
}
rm -rf "$work/runtime-c"
check "runtime-c: builds with the archive" build_example runtime-c "$prefix" \
  -DRUNTIME=Fusion::RuntimeStatic
check "runtime-c: runs with the archive" uses_archive "$work/runtime-c/blur"

# build_with_pkg_config EXAMPLE PROGRAM PACKAGE OPTION...: without CMake.
build_with_pkg_config() {
  local example=$1 program=$2 flags
  shift 2
  flags=$(PKG_CONFIG_PATH=$prefix/lib/pkgconfig pkg-config --cflags --libs "$@") || return
  [[ $* != *--static* ]] || flags=${flags/-lfusion_runtime/-l:libfusion_runtime.a}
  # shellcheck disable=SC2086
  "$c_compiler" "$prefix/share/doc/Fusion/examples/$example" $flags \
    -Wl,-rpath,"$prefix/lib" -o "$program"
}
if command -v pkg-config >/dev/null; then
  check "pkg-config: builds" build_with_pkg_config runtime-c/blur.c "$work/blur" \
    fusion-runtime
  check "pkg-config: runs" says ' 1 1 1 0 0 0  | 0 1 1 1 0 0  | 0 0 1 1 1 0' "$work/blur"
  check "pkg-config: builds with the archive" build_with_pkg_config runtime-c/blur.c \
    "$work/blur-static" fusion-runtime --static
  check "pkg-config: runs with the archive" uses_archive "$work/blur-static"
  check "pkg-config: builds c-api" build_with_pkg_config c-api/run.c "$work/run" fusion-c
  check "pkg-config: runs c-api" says '10 elements, the first is ' "$work/run" \
    examples/pytorch/model.mlir
else
  echo "skipped: pkg-config (install pkgconf)"
fi

check "c-api: builds" build_example c-api "$prefix"
check "c-api: runs" says 'fused_conv_bias_act relu ' "$work/c-api/fuse"
check "c-api: a network" says '10 elements, the first is ' "$work/c-api/run" \
  examples/pytorch/model.mlir

# fusion-run is found by the prefix.
check "ahead-of-time: builds" build_example ahead-of-time "$prefix"
check "ahead-of-time: upright" says 'upright (48 and 0)' "$work/ahead-of-time/classify"
check "ahead-of-time: level" says 'level (0 and 64)' "$work/ahead-of-time/classify"

if "$c_compiler" -x c -fsyntax-only -include microhttpd.h /dev/null 2>/dev/null; then
  check "server: builds" build_example server "$prefix"
  check "server: answers" says ' 0 errors' python3 examples/server/load.py \
    --start="$work/server/server" \
    --requests=20000 --max-growth=5
else
  echo "skipped: server (install libmicrohttpd-dev)"
fi

# run_ranks MPI RANKS: examples/many-machines on more ranks than there may be cores.
run_ranks() {
  local options=()
  [ "$1" = mpich ] || options=(--oversubscribe --bind-to none)
  OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
    timeout 120 "mpirun.$1" "${options[@]}" -n "$2" "$work/many-machines/classify" \
    "$work/batch.npy" "$work/scores.npy" && cmp "$work/scores.npy" "$work/result0.npy"
}
python3 test/npy.py write "$work/batch.npy" '<f4' 10x1x8x10 '(i * 37 % 101 - 50) / 64'
"$prefix/bin/fusion-run" examples/many-machines/net.mlir --input="$work/batch.npy" \
  --output="$work" >/dev/null
for mpi in openmpi:"openmpi-bin libopenmpi-dev" mpich:"mpich libmpich-dev"; do
  packages=${mpi#*:} mpi=${mpi%:*}
  if ! command -v "mpicc.$mpi" >/dev/null || ! command -v "mpirun.$mpi" >/dev/null; then
    echo "skipped: many-machines with $mpi (install $packages)"
    continue
  fi
  rm -rf "$work/many-machines"
  check "many-machines, $mpi: builds" build_example many-machines "$prefix" \
    -DMPI_C_COMPILER="mpicc.$mpi"
  check "many-machines, $mpi: 2 ranks" says 'of each rank: 5 5' run_ranks "$mpi" 2
  check "many-machines, $mpi: 3 ranks" says 'of each rank: 3 3 4' run_ranks "$mpi" 3
done

rm -rf "$work/runtime-c" "$work/downstream"
check "build tree: runtime-c" build_example runtime-c "$build"
rm -rf "$work/runtime-c"
check "build tree: runtime-c with the archive" build_example runtime-c "$build" \
  -DRUNTIME=Fusion::RuntimeStatic
check "build tree: downstream" cmake -S examples/downstream -B "$work/downstream" \
  -G Ninja -DCMAKE_C_COMPILER="$c_compiler" -DCMAKE_CXX_COMPILER="$compiler" \
  -DCMAKE_PREFIX_PATH="$build"

# A host whose modules have the names of our modules.
host=$work/host
mkdir -p "$host/cmake" && touch "$host/cmake/"{Sanitizers,FindDependencies,AddFusion}.cmake
cat >"$host/CMakeLists.txt" <<EOF
cmake_minimum_required(VERSION 3.25)
project(Host LANGUAGES C CXX)
list(APPEND CMAKE_MODULE_PATH \${CMAKE_CURRENT_SOURCE_DIR}/cmake)
add_subdirectory($PWD fusion)
add_custom_target(tools DEPENDS Fusion::fusion-opt Fusion::fusion-run Fusion::FusionInitAll)
EOF
check "add_subdirectory" cmake -S "$host" -B "$host/build" -G Ninja \
  -DCMAKE_C_COMPILER="$c_compiler" -DCMAKE_CXX_COMPILER="$compiler" \
  -DFUSION_RUNTIME_BACKEND=portable

echo "$passed passed, $failed failed"
[ $failed = 0 ]
