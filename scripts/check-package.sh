#!/usr/bin/env bash
# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: scripts/check-package.sh [--here]
#
# Makes the .deb packages of the build and installs them in a bare Debian bookworm
# (scripts/in-debian.sh), where the tools run, the examples are built without the source
# tree, and tests of programs run on what is installed. --here installs them in this
# system: `scripts/in-debian.sh sid --llvm=23 scripts/check-package.sh --here` does it all
# in unstable. The last line is `N passed, N failed`.

set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
source scripts/common.sh

make_packages() {
  install_missing dpkg-dev file || exit 1 # for cpack
  configure_and_build all || exit 1
  rm -rf packages
  (cd "$BUILD_DIR" && cpack -B ../packages) || exit 1
}

case ${1:-} in
  '')
    make_packages
    scripts/in-debian.sh bookworm scripts/check-package.sh --inside
    status=$?
    rm -rf packages
    exit $status
    ;;
  --here)
    install_packages || exit 1
    make_packages
    ;;
esac

# Where the packages are to be tried. Nothing of the source tree is used from here on, but
# its tests, and what pip installs.
heading "Installing the packages and what the checks need"
apt-get update --quiet # the root may be of another day
# Packages of an earlier run have the same version.
apt_install --reinstall ./packages/*.deb || exit 1
apt_install cmake g++ libmicrohttpd-dev "llvm-$LLVM_VERSION-tools" mypy ninja-build \
  openmpi-bin libopenmpi-dev pkgconf python3-pip python3-setuptools || exit 1
apt_install python3-torch ||
  echo "skipped: tests with PyTorch (python3-torch is not to be had)"

heading "Checking"
tree=$PWD
rm -rf /example && cp -r /usr/share/doc/Fusion/examples /example && cd /example || exit 1

# built NAME: examples/NAME into NAME/build.
built() {
  check "$1: configures" cmake -S "$1" -B "$1/build" -G Ninja -DCMAKE_BUILD_TYPE=Release
  check "$1: builds" ninja -C "$1/build"
}

check fusion-opt says 'fused: pad, bias, relu' \
  fusion-opt conv-bias-relu-dynamic.mlir --fusion-optimize --fusion-explain
check fusion-run says 'verify: agrees' fusion-run conv-reshape-add-relu.mlir --verify
check plugin says 'fusion.fused_conv_bias_act' "/usr/lib/llvm-$LLVM_VERSION/bin/mlir-opt" \
  conv-reshape-add-relu.mlir --load-dialect-plugin=/usr/lib/FusionDialectPlugin.so \
  --load-pass-plugin=/usr/lib/FusionDialectPlugin.so \
  --pass-pipeline='builtin.module(fusion-optimize)'
check "the network of examples/pytorch" says 'verify: agrees' \
  fusion-run pytorch/model.mlir --verify
check tile-schedule says '4 executed' sh -c "fusion-opt conv-reshape-add-relu.mlir \
  --transform-preload-library=transform-library-paths=tile-schedule.mlir \
  --transform-interpreter -o tiled.mlir && fusion-run tiled.mlir"
for name in conv-gauss:network conv-pool:conv-pool; do
  pattern=partition-patterns/${name%:*} input=partition-patterns/${name#*:}.mlir
  check "$pattern" says 'composite = "acme.' sh -c "
    /usr/lib/llvm-$LLVM_VERSION/bin/mlir-pdll -x=mlir -I /usr/include $pattern.pdll -o own.mlir &&
    fusion-opt $input --fusion-partition='patterns=conv2d_bias_relu pattern-file=own.mlir'"
done
(
  cd partition-backend || exit 1
  fusion-opt network.mlir --fusion-partition="patterns=add:acme.add merge=true" \
    -o partitioned.mlir &&
    fusion-run partitioned.mlir --emit-object=network.o --emit-header=network.h &&
    cc use.c backend.c network.o -lfusion_runtime -lm -o use
)
check partition-backend says agrees partition-backend/use

check "python3-fusion" says '(1, 10) fused' python3 -c 'import fusion, numpy
net = fusion.compile("pytorch/model.mlir")
print(net(numpy.ones((1, 3, 24, 32), "f4")).shape, fusion.explain("pytorch/model.mlir")[0].status)'
check "python3-fusion: its tests" says OK python3 -m unittest discover -s "$tree/python/tests"
check "python3-fusion: its annotations" says 'no issues found' mypy --strict python/net.py
mkdir source && cp -r "$tree"/{python,pyproject.toml,setup.py} source
check "pip install ." env FUSION_LIBRARY=/usr/lib/libFusionC.so python3 -m pip install \
  --quiet --no-index --no-build-isolation --no-deps --target=site ./source
check "pip install ., runs" says "$PWD/site/fusion" env PYTHONPATH=site python3 -c 'import fusion
fusion.compile("pytorch/model.mlir")
print(fusion.__file__)'

built downstream
check downstream says 'call @fusion_rt_conv_checked' \
  downstream/build/acme-opt downstream/network.mlir --acme-compile
check "downstream: a law of its own" says 'fused_conv_bias_act clip(' \
  downstream/build/acme-opt downstream/relu6.mlir --fusion-raise --acme-fuse
check "downstream: an interface" says 'dim 3 groups 2' \
  downstream/build/acme-opt downstream/shuffle.mlir --fusion-optimize
built c-api
check c-api says 'fused_conv_bias_act relu ' c-api/build/fuse
check "c-api: a network" says '10 elements' c-api/build/run pytorch/model.mlir
built runtime-c
check runtime-c says '0 1 1 1 0 0' runtime-c/build/blur

# with_pkg_config SOURCE PROGRAM PACKAGE OPTION...: without CMake.
with_pkg_config() {
  local source=$1 program=$2 flags
  shift 2
  flags=$(pkg-config --cflags --libs "$@") || return
  [[ $* != *--static* ]] || flags=${flags/-lfusion_runtime/-l:libfusion_runtime.a}
  # shellcheck disable=SC2086
  cc "$source" $flags -o "$program"
}
check "pkg-config: fusion-runtime" with_pkg_config runtime-c/blur.c blur fusion-runtime
check "pkg-config: fusion-runtime, runs" says '0 1 1 1 0 0' ./blur
check "pkg-config: the archive" with_pkg_config runtime-c/blur.c blur-static \
  fusion-runtime --static
check "pkg-config: the archive, runs" says '0 1 1 1 0 0' ./blur-static
check "pkg-config: the archive, needs no runtime" sh -c '! ldd blur-static | grep libfusion'
check "pkg-config: fusion-c" with_pkg_config c-api/run.c run fusion-c
check "pkg-config: fusion-c, runs" says '10 elements' ./run pytorch/model.mlir
built ahead-of-time
check ahead-of-time says 'upright (48 and 0)' ahead-of-time/build/classify
built server
check server says ' 0 errors' python3 server/load.py --start=server/build/server \
  --requests=20000 --max-growth=5
built many-machines
check many-machines says 'of each rank: 3 3 4' sh -c '
  python3 -c "import numpy; numpy.save(\"batch\", numpy.ones((10, 1, 8, 10), \"f4\"))" &&
  OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --oversubscribe \
    --bind-to none -n 3 many-machines/build/classify batch.npy scores.npy'

# Tests of programs around object files, with the folder `installed` for the source tree and
# for the build. One that lit skips has not passed.
installed=$PWD/installed
mkdir -p "$installed/test"
ln -s /usr/include "$installed/include"
ln -s "$PWD" "$installed/examples"
sed -e "s|@FUSION_SOURCE_DIR@|$installed|; s|@FUSION_BINARY_DIR@|$installed|" \
  -e 's|@CMAKE_RUNTIME_OUTPUT_DIRECTORY@|/usr/bin|' \
  -e 's|@CMAKE_LIBRARY_OUTPUT_DIRECTORY@|/usr/lib|; s|@CMAKE_SHARED_LIBRARY_SUFFIX@|.so|' \
  -e "s|@LLVM_TOOLS_BINARY_DIR@|/usr/lib/llvm-$LLVM_VERSION/bin|" \
  -e "s|@LLVM_VERSION_MAJOR@|$LLVM_VERSION|; s|@Python3_EXECUTABLE@|/usr/bin/python3|" \
  -e 's|@FUSION_RUNTIME_BACKEND@|onednn|' \
  -e "s|@CMAKE_CURRENT_SOURCE_DIR@|$tree/test|; s|@[A-Za-z0-9_]*@||" \
  "$tree/test/lit.site.cfg.py.in" >"$installed/test/lit.site.cfg.py"
for name in symbol-prefix several-entries signature status-entry wrong-sizes divisions \
  allocation-sizes results-in-memory prepare-object mapped-weights cancel load \
  modules-under-load unload-runtime failed-allocations cpu-guard server; do
  check "test $name" says 'Passed: 1 ' "/usr/lib/llvm-$LLVM_VERSION/bin/lit" -v \
    "$installed/test/Tools/fusion-run/$name.test"
done

echo "$passed passed, $failed failed"
[ $failed = 0 ]
