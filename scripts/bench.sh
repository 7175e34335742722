#!/usr/bin/env bash
# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: scripts/bench.sh [--quick] [--no-peers] [--neighbours=N] [--callers=N]
#                         [--write-docs] [OPTION...] [NETWORK...]
#
# Installs what is missing, builds, and times whole networks: compiled by Fusion,
# against what their oneDNN kernels take at best, and against PyTorch (Debian's
# python3-torch) and ONNX Runtime (npm's onnxruntime-node), which are skipped where
# they are not to be had. Networks and results stay in build/benchmarks.
# docs/Benchmarking.md says what is measured. The options, after installing and
# building, are those of benchmarks/bench.py:

set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
source scripts/common.sh

peers=true
for argument in "$@"; do
  case $argument in
    -h | --help)
      sed -n '5,14s/^# \{0,1\}//p' "scripts/${BASH_SOURCE[0]##*/}"
      echo
      exec python3 benchmarks/bench.py --help
      ;;
    --no-peers) peers=false ;;
    --build | --build=*)
      echo "bench.sh builds in $BUILD_DIR; benchmarks/bench.py takes $argument" >&2
      exit 2
      ;;
  esac
done

# ONNX Runtime comes as a package of npm, for this build alone. Its installation
# would fetch libraries for GPUs.
install_onnxruntime() {
  local folder=$BUILD_DIR/benchmarks
  [ ! -d "$folder/node_modules/onnxruntime-node" ] || return 0
  if ! command -v npm >/dev/null; then
    install_missing nodejs npm || return 1
  fi
  heading "Installing onnxruntime-node in $folder"
  mkdir -p "$folder" &&
    ONNXRUNTIME_NODE_INSTALL_CUDA=skip npm install --no-audit --no-fund \
      --prefix "$folder" onnxruntime-node
}

# The last two are for build/bin/pools alone.
OPTIONAL_PACKAGES=(libbenchmark-dev libtbb-dev libpthreadpool-dev)
! $peers || OPTIONAL_PACKAGES+=(python3-torch python3-onnx)
install_packages || exit 1
targets=(fusion-run limit pools tiles)
! is_installed libbenchmark-dev || targets+=(layer-benchmarks call-overhead)
configure_and_build "${targets[@]}" || exit 1
if $peers; then
  install_onnxruntime || echo "skipped: onnxruntime-node is not to be had"
fi

heading "Timing"
exec python3 benchmarks/bench.py --build="$BUILD_DIR" "$@"
