# shellcheck shell=bash
# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Functions that the scripts share: packages, configuring, building. Sourced, with bash,
# from the root of the source tree.

# The major version of LLVM. Each but the usual one has build folders of its own.
LLVM_VERSION=${LLVM_VERSION:-22}
case $LLVM_VERSION in
  22) BUILD_DIR=build ;;
  23) BUILD_DIR=build-llvm23 ;;
  *)
    echo "LLVM_VERSION must be 22 or 23, got '$LLVM_VERSION'" >&2
    exit 2
    ;;
esac

# The Debian packages that building and the tests require.
REQUIRED_PACKAGES=("clang-$LLVM_VERSION" cmake ninja-build python3
  "llvm-$LLVM_VERSION-dev" "llvm-$LLVM_VERSION-tools"
  "libmlir-$LLVM_VERSION-dev" "mlir-$LLVM_VERSION-tools" libdnnl-dev)
# The Debian packages without which some checks are skipped, with a message.
OPTIONAL_PACKAGES=(clang-format-22 libgtest-dev libmicrohttpd-dev pkgconf mypy
  python3-numpy openmpi-bin libopenmpi-dev mpich libmpich-dev)

PRESET=release
CMAKE_OPTIONS=() # further ones for configuring

# heading TEXT...: prints it with the minutes and seconds since the script began.
heading() {
  printf '\n== %s (after %d:%02d)\n' "$*" $((SECONDS / 60)) $((SECONDS % 60))
}

is_installed() {
  dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q 'ok installed'
}

as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    echo "neither root nor sudo: cannot run '$*'" >&2
    return 1
  fi
}

apt_install() {
  as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install --yes --quiet --no-install-recommends "$@"
}

# Installs those of the packages that are missing. The lists of packages are updated
# only if the installation fails without that.
install_missing() {
  local package missing=()
  for package in "$@"; do
    is_installed "$package" || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  heading "Installing ${missing[*]}"
  if [ -n "$(apt-cache policy "${missing[0]}" 2>/dev/null)" ] &&
    apt_install "${missing[@]}"; then
    return 0
  fi
  as_root apt-get update --quiet && apt_install "${missing[@]}"
}

install_packages() {
  if ! command -v apt-get >/dev/null; then
    echo "not a Debian system: install LLVM/MLIR 22.1 or 23.1, oneDNN 2.6 or later," \
      "CMake 3.25, Ninja, clang and Python 3 yourself"
    return 0
  fi
  local required=("${REQUIRED_PACKAGES[@]}")
  [[ $PRESET != ?san ]] || required+=(g++)
  if ! install_missing "${required[@]}"; then
    echo "could not install ${required[*]}" >&2
    return 1
  fi
  local package
  for package in "${OPTIONAL_PACKAGES[@]}"; do
    install_missing "$package" ||
      echo "skipped: optional package $package is not to be had"
  done
}

# Compiling one file against MLIR takes up to 1.5 GB.
build_jobs() {
  local cores memory_gb
  cores=$(nproc)
  memory_gb=$(awk '/MemAvailable/ {print int($2 / 1024 / 1024)}' /proc/meminfo)
  local jobs=$((memory_gb / 2))
  [ "$jobs" -lt "$cores" ] || jobs=$cores
  [ "$jobs" -ge 1 ] || jobs=1
  echo "$jobs"
}

# The presets and CMake take LLVM 22 by themselves. The sanitizers' presets take GCC.
choose_llvm() {
  LLVM_OPTIONS=()
  [ "$LLVM_VERSION" != 22 ] || return 0
  LLVM_OPTIONS=("-DMLIR_DIR=/usr/lib/llvm-$LLVM_VERSION/lib/cmake/mlir")
  [[ $PRESET == ?san ]] || LLVM_OPTIONS+=("-DCMAKE_C_COMPILER=clang-$LLVM_VERSION"
    "-DCMAKE_CXX_COMPILER=clang++-$LLVM_VERSION")
}

# configure_and_build TARGETS...
configure_and_build() {
  heading "Configuring $BUILD_DIR"
  local launcher=()
  choose_llvm
  if command -v ccache >/dev/null; then
    launcher=(-DCMAKE_C_COMPILER_LAUNCHER=ccache
      -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  fi
  cmake --preset "$PRESET" -B "$BUILD_DIR" "${launcher[@]}" \
    "${LLVM_OPTIONS[@]}" "${CMAKE_OPTIONS[@]}" || return 1
  heading "Building $*"
  ninja -C "$BUILD_DIR" -j "$(build_jobs)" "$@"
}

passed=0
failed=0

# check NAME COMMAND...: runs one check, counts it in passed or failed, and shows the
# output if it fails.
check() {
  local name=$1 output
  shift
  if output=$("$@" 2>&1); then
    echo "PASS: $name"
    passed=$((passed + 1))
  else
    echo "FAIL: $name"
    echo "$output"
    failed=$((failed + 1))
  fi
}

# says TEXT COMMAND...: whether the command succeeds and has TEXT in its output.
says() {
  local text=$1 output status
  shift
  output=$("$@" 2>&1)
  status=$?
  echo "$output"
  [ $status = 0 ] && [[ $output == *"$text"* ]]
}
