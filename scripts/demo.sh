#!/usr/bin/env bash
# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: scripts/demo.sh [FILE.mlir...]
#
# Installs what is missing, builds, and shows what Fusion does with a convolution
# as a PyTorch front end writes it and with a block of a network: the IR before and
# after, what is left to do, the result verified, the time.

set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
source scripts/common.sh

files=("$@")
if [ ${#files[@]} = 0 ]; then
  files=(examples/conv-reshape-add-relu.mlir examples/residual-block-torch.mlir)
fi

# The demo needs no test packages.
OPTIONAL_PACKAGES=()
install_packages || exit 1
configure_and_build fusion-opt fusion-run FusionRuntime || exit 1

export PATH=$PWD/$BUILD_DIR/bin:$PATH
elide=(--mlir-elide-elementsattrs-if-larger=8)
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

# count PATTERN FILE
count() {
  grep -cE "$1" "$2"
}

# row LABEL BEFORE AFTER
row() {
  printf '  %-44s %12s %12s\n' "$@"
}

# json KEY FILE
json() {
  python3 -c 'import json, sys
value = json.load(open(sys.argv[2])).get(sys.argv[1])
print("-" if value is None else
      "%.2g" % value if isinstance(value, float) and abs(value) < 1 else
      "%.0f" % value)' "$1" "$2"
}

# profiled WHAT FILE: the calls of kernels, or of loop nests, in a profile.
profiled() {
  awk -v what="$1" '$3 ~ /^[0-9]+$/ && $4 ~ /:/ {
      n[$5 == "conv" ? "kernels" : "loops"] += $3
    } END { print n[what] + 0 }' "$2"
}

demo() {
  local file=$1 before=$scratch/before after=$scratch/after
  fusion-opt "$file" "${elide[@]}" >"$before.mlir" &&
    fusion-opt "$file" --fusion-optimize "${elide[@]}" >"$after.mlir" \
    || return 1
  heading "$file: as it is"
  cat "$before.mlir"
  heading "$file: after --fusion-optimize"
  cat "$after.mlir"
  heading "$file: --fusion-explain"
  fusion-opt "$file" --fusion-optimize --fusion-explain -o /dev/null || return 1

  fusion-opt "$file" --fusion-compile=fuse=false -o "$before.llvm" &&
    fusion-opt "$file" --fusion-compile -o "$after.llvm" || return 1
  local run=(fusion-run "$file" --repeat=50 --warmup=5 --json)
  "${run[@]}" --mode=unfused >"$before.json" || return 1
  "${run[@]}" --verify >"$after.json" || return 1
  fusion-run "$file" --mode=unfused --profile --json 2>"$before.profile" >"$scratch/out" &&
    fusion-run "$file" --profile --json 2>"$after.profile" >"$scratch/out" || return 1

  # tensor.empty computes nothing.
  local op='= (linalg|tensor|fusion)\.' empty='tensor\.empty'
  sed -i "/$empty/d" "$before.mlir" "$after.mlir"
  heading "$file: in numbers"
  row '' before after
  row 'ops on tensors' "$(count "$op" "$before.mlir")" "$(count "$op" "$after.mlir")"
  row '' unfused fused
  row 'kernels created, once' "$(json creates "$before.json")" \
    "$(json creates "$after.json")"
  row 'kernels executed in a call' "$(profiled kernels "$before.profile")" \
    "$(profiled kernels "$after.profile")"
  row 'loop nests beside them in a call' "$(profiled loops "$before.profile")" \
    "$(profiled loops "$after.profile")"
  row 'allocations in a call' \
    "$(count 'llvm.call @(malloc|aligned_alloc)' "$before.llvm")" \
    "$(count 'llvm.call @(malloc|aligned_alloc)' "$after.llvm")"
  row 'time of a call, median, us' \
    "$(json median_us "$before.json")" "$(json median_us "$after.json")"
  row 'time of the first call, us' \
    "$(json first_run_us "$before.json")" "$(json first_run_us "$after.json")"
  row 'memory at the peak, bytes' \
    "$(json peak_memory_bytes "$before.json")" \
    "$(json peak_memory_bytes "$after.json")"
  echo "  verified against upstream's lowering:" \
    "largest difference $(json max_abs_error "$after.json") absolute," \
    "$(json max_rel_error "$after.json") relative"
  echo "  convolutions in a slow reference kernel:" \
    "$(json reference_kernels "$after.json")"
}

for file in "${files[@]}"; do
  if ! demo "$file"; then
    echo "$file: failed" >&2
    exit 1
  fi
done
