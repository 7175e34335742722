#!/usr/bin/env bash
# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: scripts/mutate.sh [--list] [NAME...]
#
# Breaks the code in one place at a time and runs the tests: a mutant that no test
# notices survives, and is a defect of the tests. The mutants are in
# scripts/mutate/mutants.txt; NAME... picks some by regular expression. Works on a
# copy of the tree in build-mutate/. The last line is `N killed, N survived`.

set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
source scripts/common.sh

mutants=scripts/mutate/mutants.txt
apply=scripts/mutate/apply.py
work=$PWD/build-mutate
names=()
for argument in "$@"; do
  case $argument in
    --list)
      python3 $apply $mutants --list
      exit
      ;;
    -*)
      sed -n '5,10s/^# \{0,1\}//p' "scripts/${BASH_SOURCE[0]##*/}"
      exit 2
      ;;
    *) names+=("$argument") ;;
  esac
done
mapfile -t selected < <(python3 $apply $mutants --list "${names[@]}")
if [ ${#selected[@]} = 0 ]; then
  echo "no mutant of that name"
  exit 2
fi

# Checks that every mutant can be applied, before hours are spent.
python3 $apply $mutants --check . || exit 2

install_packages || exit 1

# The copy keeps its build folder from run to run. Only files that differ are replaced,
# so that little is rebuilt.
heading "Copying the tree to $(basename "$work")/tree"
mkdir -p "$work/tree"
python3 - . "$work/tree" <<'PY' || exit 1
import filecmp, os, shutil, sys
source, copy = sys.argv[1:]
def files(root):
    for folder, folders, names in os.walk(root):
        folders[:] = [f for f in folders
                      if not f.startswith("build") and f not in (".git", "__pycache__")]
        for name in names:
            yield os.path.relpath(os.path.join(folder, name), root)
wanted = set(files(source))
for path in set(files(copy)) - wanted:
    os.remove(os.path.join(copy, path))
for path in wanted:
    a, b = os.path.join(source, path), os.path.join(copy, path)
    if not os.path.exists(b) or not filecmp.cmp(a, b, shallow=False):
        os.makedirs(os.path.dirname(b), exist_ok=True)
        shutil.copy(a, b)
PY
cd "$work/tree" || exit 1

# run_tests LOG: fails as soon as one test does. Tests that execute come second:
# they take longer.
run_tests() {
  ninja -C build check-fusion >"$1" 2>&1 &&
    ninja -C build check-fusion-integration >>"$1" 2>&1
}

export LIT_OPTS="${LIT_OPTS:-} --max-failures=1"
targets=(fusion-opt fusion-run FusionDialectPlugin fusion-reduce fusion-capi-test)
heading "Building and testing without a mutant"
if ! configure_and_build "${targets[@]}" >"$work/unchanged.log" 2>&1 ||
  ! run_tests "$work/unchanged.log"; then
  tail -n 30 "$work/unchanged.log"
  echo "the tests fail without a mutant"
  exit 1
fi

killed=0
survivors=()
for name in "${selected[@]}"; do
  log=$work/$name.log
  start=$SECONDS
  python3 $apply $mutants --apply "$name" . || exit 1
  if ! ninja -C build -j "$(build_jobs)" "${targets[@]}" >"$log" 2>&1; then
    verdict="survived: it does not compile"
    survivors+=("$name")
  elif run_tests "$log"; then
    verdict=survived
    survivors+=("$name")
  else
    killed=$((killed + 1))
    verdict="killed by $(sed -nE 's/^FAIL: Fusion :: (.*) \(.*/\1/p' "$log" | head -n 1)"
  fi
  python3 $apply $mutants --revert "$name" .
  printf '%-40s %s (%d s)\n' "$name" "$verdict" $((SECONDS - start))
done

echo
if [ ${#survivors[@]} -gt 0 ]; then
  printf 'survivor: %s\n' "${survivors[@]}"
fi
echo "$killed killed, ${#survivors[@]} survived"
[ ${#survivors[@]} = 0 ]
