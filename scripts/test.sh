#!/usr/bin/env bash
# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: scripts/test.sh [--preset=release|debug|archives|asan|tsan] [--quick | --basic]
#
# Installs what is missing, configures, builds and runs every test; the last line
# is `N passed, N failed`. --quick leaves out the runs with narrower instruction
# sets; --basic runs check-fusion-all and checks the formatting, no more; tsan is for the unit
# tests of the runtime alone. If FUSION_INPUTS names a folder of .mlir files, they are
# tried as well; if FUSION_REASONS names a list of reasons, they may have no others.
# LLVM_VERSION=23 takes LLVM 23 in place of 22.

set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
source scripts/common.sh

quick=false
basic=false
for argument in "$@"; do
  case $argument in
    --preset=*) PRESET=${argument#--preset=} ;;
    --quick) quick=true ;;
    --basic) basic=true ;;
    *)
      sed -n '5,12s/^# \{0,1\}//p' "scripts/${BASH_SOURCE[0]##*/}"
      exit 2
      ;;
  esac
done
[ "$PRESET" = release ] || BUILD_DIR+=-$PRESET
# Tests ask for more memory than there is, and expect an error status.
[ "$PRESET" != asan ] || export ASAN_OPTIONS=${ASAN_OPTIONS:-allocator_may_return_null=1}

count() {
  passed=$((passed + $1))
  failed=$((failed + $2))
}

failures=() # lines to end with

finish() {
  if [ ${#failures[@]} -gt 0 ]; then
    heading "Failed"
    printf '%s\n' "${failures[@]}"
  fi
  echo
  echo "$passed passed, $failed failed"
  [ "$failed" = 0 ]
  exit
}

# count_failure TEXT: counts one failure, which the end names.
count_failure() {
  echo "$1"
  failures+=("$1")
  count 0 1
}

# count_step NAME STATUS: a step without tests of its own counts as one.
count_step() {
  if [ "$2" = 0 ]; then count 1 0; else count_failure "$1"; fi
}

# count_results RESULTS.json STATUS: adds up what lit or GoogleTest has written. A
# suite counts as one failure more if it left no results, or ended with STATUS though
# no test failed: a sanitizer reports leaks and races at the end.
count_results() {
  local results
  if ! results=$(python3 scripts/test-results.py "$1"); then
    count_failure "no results in $1"
    return
  fi
  # The first line has the numbers; the others describe the tests that failed.
  local lines
  mapfile -t lines <<<"$results"
  # shellcheck disable=SC2086
  count ${lines[0]}
  failures+=("${lines[@]:1}")
  if [ "$2" != 0 ] && [ ${#lines[@]} = 1 ]; then
    count_failure "$1: no test failed, but the suite ended with status $2"
  fi
}

# run_lit TARGET: a lit target of the build.
run_lit() {
  rm -f "$BUILD_DIR/test/$1.json"
  ninja -C "$BUILD_DIR" "$1"
  count_results "$BUILD_DIR/test/$1.json" $?
}

# count_summary LOG: a log that ends with `N passed, N failed`. Its lines of failures
# begin with `FAIL`.
count_summary() {
  local summary
  summary=$(tail -n 1 "$1" | sed -nE 's/^([0-9]+) passed, ([0-9]+) failed$/\1 \2/p')
  if [ -n "$summary" ]; then
    # shellcheck disable=SC2086
    count $summary
    local lines
    mapfile -t lines < <(grep '^FAIL' "$1")
    [ ${#lines[@]} -gt 0 ] || [ "${summary#* }" = 0 ] || lines=("FAIL: see $1")
    failures+=("${lines[@]}")
  else
    count_failure "no results in $1"
  fi
}

# runs_installed TARGET: installs the runtime and builds a C program with it.
runs_installed() {
  local prefix=$PWD/$BUILD_DIR/installed
  cmake --install "$BUILD_DIR" --prefix "$prefix" &&
    cmake -S examples/runtime-c -B "$BUILD_DIR/runtime-c" -DCMAKE_PREFIX_PATH="$prefix" \
      -DRUNTIME="$1" && cmake --build "$BUILD_DIR/runtime-c" && "$BUILD_DIR/runtime-c/blur"
}

# The runtime without oneDNN and without LLVM, and the messages of configuring without
# oneDNN and with another LLVM.
test_portable() {
  local BUILD_DIR=$BUILD_DIR/portable
  local CMAKE_OPTIONS=(-DFUSION_RUNTIME_BACKEND=portable -DFUSION_RUNTIME_ONLY=ON
    -DCMAKE_DISABLE_FIND_PACKAGE_MLIR=ON)
  configure_and_build fusion-runtime-tests FusionRuntimeStatic ||
    { count_failure "building the portable runtime"; return; }
  run_unit_tests fusion-runtime-tests check-fusion-unit-portable
  check "the runtime alone: in a C program" says ' 1 1 1 0 0 0  | 0 1 1 1 0 0' \
    runs_installed Fusion::Runtime
  check "the runtime alone: as an archive" says ' 1 1 1 0 0 0  | 0 1 1 1 0 0' \
    runs_installed Fusion::RuntimeStatic
  check "configuring without oneDNN: says what to do" refuses_without_onednn
  check "configuring with another LLVM: says which it wants" refuses_other_llvm
}

# run_unit_tests PROGRAM NAME [VARIABLE=VALUE...]: runs a GoogleTest program in that
# environment, a part of its tests on each core. Its results get this name.
run_unit_tests() {
  local program=$1 results=$BUILD_DIR/test/$2 shards shard processes=()
  shards=$(nproc)
  shift 2
  if [ ! -x "$BUILD_DIR/bin/$program" ]; then
    echo "skipped: $program (install libgtest-dev)"
    return
  fi
  mkdir -p "$BUILD_DIR/test"
  for ((shard = 0; shard < shards; shard++)); do
    rm -f "$results-$shard.json"
    env OMP_WAIT_POLICY=passive "$@" GTEST_TOTAL_SHARDS="$shards" GTEST_SHARD_INDEX="$shard" \
      "$BUILD_DIR/bin/$program" --gtest_brief=1 \
      --gtest_output="json:$results-$shard.json" >"$results-$shard.log" 2>&1 &
    processes+=($!)
  done
  for ((shard = 0; shard < shards; shard++)); do
    wait "${processes[shard]}"
    local status=$?
    cat "$results-$shard.log"
    count_results "$results-$shard.json" $status
  done
}

# Results of kernels with forced cuts.
test_tiles() {
  local cut
  for cut in 1x3x1 2x2x3; do
    run_unit_tests fusion-runtime-tests "check-fusion-unit-tiles-$cut" \
      FUSION_TILES=$cut \
      GTEST_FILTER='*ConvTest*:*DeconvTest*:*MatmulTest*:*PoolTest*:SlicesTest*:Numerics*:Winograd*.Computes*'
  done
}

# Tests with AMX. It is emulated if the CPU has none; kernels for AMX need the other
# instruction sets of such a CPU.
test_amx() {
  local preload=LD_PRELOAD=$PWD/$BUILD_DIR/lib/libfusion-amx-emulation.so
  if [ ! -e "${preload#*=}" ]; then
    echo "skipped: AMX is emulated for oneDNN 2, without sanitizers"
    return
  fi
  if ! grep -qw avx512_bf16 /proc/cpuinfo; then
    echo "skipped: the CPU has no AVX-512 with bf16"
    return
  fi
  if grep -qw amx_bf16 /proc/cpuinfo; then
    # All tests before have used it.
    run_unit_tests fusion-amx-tests check-fusion-unit-amx
    return
  fi
  run_unit_tests fusion-amx-tests check-fusion-unit-amx "$preload"
  run_unit_tests fusion-runtime-tests check-fusion-unit-runtime-amx "$preload"
  FUSION_EMULATE_AMX=1 run_lit check-fusion-kernels
}

# exceeds ISA: whether the CPU has that instruction set and more. Otherwise oneDNN would
# choose the same kernels as with another limit, or with none.
exceeds() {
  local beyond
  case $1 in
    AVX512_CORE) beyond=avx512_vnni ;;
    AVX2_VNNI)
      grep -qw avx_vnni /proc/cpuinfo || return
      beyond=avx512f
      ;;
    AVX2) beyond='avx512f|avx_vnni' ;;
    SSE41) beyond=avx ;;
  esac
  grep -qwE "$beyond" /proc/cpuinfo
}

refuses_without_onednn() {
  local output
  output=$(cmake --preset "$PRESET" -B "$BUILD_DIR/refused" \
    -DCMAKE_DISABLE_FIND_PACKAGE_dnnl=ON 2>&1) && return 1
  echo "$output"
  [[ $output == *libdnnl-dev* && $output == *-DFUSION_RUNTIME_BACKEND=portable* ]]
}

refuses_other_llvm() {
  local folder=$BUILD_DIR/refused-llvm output
  mkdir -p "$folder/mlir"
  cat >"$folder/mlir/MLIRConfig.cmake" <<'CMAKE'
set(LLVM_VERSION_MAJOR 21)
set(LLVM_VERSION_MINOR 1)
set(LLVM_PACKAGE_VERSION 21.1.0)
CMAKE
  output=$(cmake --preset "$PRESET" -B "$folder" \
    -DMLIR_DIR="$PWD/$folder/mlir" 2>&1) && return 1
  echo "$output"
  [[ $output == *'22.1 or 23.1 is needed'* && $output == *21.1.0* ]]
}

install_packages || { count_failure "installing packages"; finish; }

if [ "$PRESET" = tsan ]; then
  configure_and_build fusion-runtime-tests || { count_failure "building"; finish; }
  heading "Unit tests of the runtime"
  results=$BUILD_DIR/tsan.json
  TSAN_OPTIONS=allocator_may_return_null=1 \
    "$BUILD_DIR/bin/fusion-runtime-tests" --gtest_brief=1 \
    --gtest_filter='-*DeathTest*:ForkTest.*' --gtest_output="json:$results"
  count_results "$results" $?
  finish
fi

configure_and_build all || { count_failure "building"; finish; }

heading "Formatting"
scripts/check-format.sh
status=$?
[ $status = 77 ] || count_step "scripts/check-format.sh" $status

heading "Tests that execute nothing"
run_lit check-fusion

heading "Tests that execute"
run_lit check-fusion-integration

heading "Unit tests"
if ninja -C "$BUILD_DIR" -t targets all | grep -q '^check-fusion-unit:'; then
  for part in runtime transforms; do
    run_unit_tests "fusion-$part-tests" "check-fusion-unit-$part"
  done
  if [ "$PRESET" = release ] && ! $basic; then
    heading "Unit tests of the runtime, cut into tiles"
    test_tiles
    heading "Unit tests of the portable runtime"
    test_portable
    scripts/check-arm64.sh "$BUILD_DIR/arm64"
    status=$?
    [ $status = 77 ] || count_results "$BUILD_DIR/arm64/results.json" $status
  fi
else
  echo "skipped: unit tests (install libgtest-dev)"
fi

! $basic || finish

if [ "$PRESET" = release ]; then
  heading "Examples on an installed tree"
  scripts/check-install.sh "$BUILD_DIR" | tee "$BUILD_DIR/check-install.txt"
  count_summary "$BUILD_DIR/check-install.txt"
fi

heading "Random modules against upstream's lowering"
ninja -C "$BUILD_DIR" check-fusion-fuzz
count_step "check-fusion-fuzz" $?

if ! $quick; then
  for isa in AVX512_CORE AVX2_VNNI AVX2 SSE41; do
    heading "Tests that execute, instruction set at most $isa"
    if exceeds $isa; then
      ONEDNN_MAX_CPU_ISA=$isa run_lit check-fusion-kernels
      run_unit_tests fusion-runtime-tests "check-fusion-unit-$isa" ONEDNN_MAX_CPU_ISA=$isa \
        GTEST_FILTER='Quantized*:ResidualTest*:*/ActivationTest*:*/WindowTest*'
    else
      echo "skipped: the CPU has no more than that, or not even that"
    fi
  done
  heading "Tests that execute, with AMX"
  test_amx
fi

if [ -n "${FUSION_INPUTS:-}" ]; then
  heading "Files of other projects"
  python3 test/inputs-report.py --build-dir="$BUILD_DIR" \
    ${FUSION_REASONS:+--reasons="$FUSION_REASONS"} "$FUSION_INPUTS" |
    tee "$BUILD_DIR/inputs-report.txt"
  count_summary "$BUILD_DIR/inputs-report.txt"
fi

finish
