# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Configuration of the lit suites; test/README.md says how tests are written.

import os
import shutil
import subprocess

import lit.formats

config.name = "Fusion"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test", ".pdll", ".c"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.fusion_binary_dir, "test")

config.environment["PATH"] = os.pathsep.join(
    [config.fusion_tools_dir, config.llvm_tools_dir, os.environ["PATH"]]
)
# npy.py, for scripts in tests.
config.environment["PYTHONPATH"] = config.test_source_root
config.environment["FILECHECK_OPTS"] = "-enable-var-scope"
# For programs that use oneDNN's threads, such as benchmarks/limit.
config.environment["OMP_WAIT_POLICY"] = "passive"
config.environment["OMP_NUM_THREADS"] = "2"
for name in ("ONEDNN_MAX_CPU_ISA", "HOME", "TMPDIR"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

# Tests of oneDNN's kernels say `REQUIRES: onednn`. Results are the same with the
# portable runtime.
config.available_features.add(config.fusion_runtime_backend)
if config.fusion_runtime_backend == "onednn":
    config.available_features.add("onednn-" + config.dnnl_version.split(".")[0])


def cpu_has(*flags):
    with open("/proc/cpuinfo") as cpus:
        return set(flags) <= set(cpus.read().split())


def has_winograd():
    """Whether oneDNN may use its kernels for minimal filtering: version 2, AVX-512."""
    isa = os.environ.get("ONEDNN_MAX_CPU_ISA", "ALL").upper()
    is_narrow = isa != "ALL" and not isa.startswith("AVX512_CORE")
    if "onednn-2" not in config.available_features or is_narrow:
        return False
    return cpu_has("avx512bw", "avx512dq", "avx512vl")


if has_winograd():
    config.available_features.add("winograd")

def has_vnni():
    """Whether oneDNN may use the instructions of AVX-512 for integers of 8 bits."""
    isa = os.environ.get("ONEDNN_MAX_CPU_ISA", "ALL").upper()
    narrow = ("SSE41", "AVX", "AVX2", "AVX2_VNNI", "AVX2_VNNI_2", "AVX512_CORE")
    return isa not in narrow and cpu_has("avx512_vnni")


if has_vnni():
    config.available_features.add("vnni")

emulates_amx = os.environ.get("FUSION_EMULATE_AMX", "0") != "0"
if emulates_amx:
    # Preloaded for everything that tests run; it has no effect on programs without
    # oneDNN.
    emulation = "libfusion-amx-emulation" + config.shlibext
    config.environment["LD_PRELOAD"] = os.path.join(config.fusion_lib_dir, emulation)
    if not os.path.exists(config.environment["LD_PRELOAD"]):
        lit_config.fatal(f"FUSION_EMULATE_AMX: {emulation} is not built")
if (
    config.fusion_runtime_backend == "onednn"
    and "ONEDNN_MAX_CPU_ISA" not in os.environ
    and (emulates_amx or cpu_has("amx_bf16"))
):
    config.available_features.add("amx")

# The CPU itself, not an emulation.
if cpu_has("amx_bf16", "amx_int8", "avx512_fp16"):
    config.available_features.add("cpu-sapphirerapids")

if config.fusion_benchmarks in ("ON", "1", "TRUE") and (
    config.fusion_runtime_backend == "onednn"
):
    config.available_features.add("benchmarks")


# The `python3` of a version manager is a script that looks for the interpreter, which
# takes it longer than most tests.
config.python = subprocess.run(
    [config.python, "-c", "import sys; print(sys.executable)"],
    capture_output=True,
    check=True,
    text=True,
).stdout.strip()


def has_peers():
    """PyTorch and ONNX Runtime, which benchmarks/bench.py looks for."""
    node_modules = os.path.join(config.fusion_binary_dir, "benchmarks", "node_modules")
    if not shutil.which("node") or not os.path.isdir(
        os.path.join(node_modules, "onnxruntime-node")
    ):
        return False
    code = "import importlib.util as u; exit(not (u.find_spec('torch') and u.find_spec('numpy')))"
    pythons = [python for python in (config.python, "/usr/bin/python3") if shutil.which(python)]
    return any(subprocess.run([python, "-c", code]).returncode == 0 for python in pythons)


if has_peers():
    config.available_features.add("peers")
if "address" in config.fusion_sanitizer:
    config.available_features.add("asan")
    # These checks would give false alarms for containers that libMLIR fills and our
    # code reads, and for arenas that both allocate from. Some tests ask for more memory
    # than there is.
    config.environment["ASAN_OPTIONS"] = (
        "detect_container_overflow=0:allow_user_poisoning=0:detect_leaks=1"
        ":allocator_may_return_null=1"
    )
    config.environment["UBSAN_OPTIONS"] = "print_stacktrace=1"

# With MLIR's archives there is no plugin. And a stock tool is not instrumented, so that
# it cannot load an instrumented plugin.
fusion_plugin = os.path.join(config.fusion_lib_dir, "FusionDialectPlugin.so")
if os.path.exists(fusion_plugin) and "asan" not in config.available_features:
    config.available_features.add("plugin")



def has_module(python, name):
    search = "import importlib.util, sys; sys.exit(not importlib.util.find_spec(%r))"
    found = subprocess.run([python, "-c", search % name], capture_output=True)
    return found.returncode == 0


# The Python of the build need not have NumPy, which the system's may have.
numpy_python = config.python
for python in (config.python, "/usr/bin/python3"):
    if os.path.exists(python) and has_module(python, "numpy"):
        numpy_python = python
        config.available_features.add("numpy")
        if has_module(python, "pip") and has_module(python, "setuptools"):
            config.available_features.add("pip")
        for module, package, what in (
            ("mypy", "mypy", "annotations of the Python package are not checked"),
            ("torch", "python3-torch", "tests of the Python package with PyTorch are skipped"),
        ):
            if has_module(python, module):
                config.available_features.add(module)
            else:
                lit_config.note(f"no {module}: {what} (on Debian install '{package}')")
        break
else:
    lit_config.note("no Python with NumPy: the tests of the Python package are skipped")

if shutil.which("git"):
    config.available_features.add("git")

for name, value in (
    ("%fusion_plugin", fusion_plugin),
    (
        "%fusion_runtime",
        os.path.join(config.fusion_lib_dir, "libfusion_runtime" + config.shlibext),
    ),
    ("%fusion_source_dir", config.fusion_source_dir),
    ("%fusion_binary_dir", config.fusion_binary_dir),
    ("%mlir_lib_dir", config.mlir_lib_dir),
    # The prefix of FileCheck for what upstream does in this version alone.
    ("%llvm", "LLVM" + config.llvm_version_major),
    ("%shlibext", config.shlibext),
    ("%python", config.python),
    ("%numpy_python", numpy_python),
    (
        "%fusion_c",
        os.path.join(config.fusion_lib_dir, "libFusionC" + config.shlibext),
    ),
    (
        "%npy",
        config.python
        + " "
        + os.path.join(config.test_source_root, "npy.py"),
    ),
):
    config.substitutions.append((name, value))
