# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs that bench.py times: Fusion, the limit, and peers.

A contender has a name, a precision, and what it says `about` itself once it is
prepared; `measure(repeat)` gives statistics of that many runs, in microseconds.
Programs are started for each measurement, workers once: while they are not asked for
anything they wait for input.
"""

import contextlib
import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading

FOLDER = os.path.dirname(os.path.abspath(__file__))
STATISTICS = "mean_us", "median_us", "min_us", "max_us", "std_us", "runs"
REQUESTS = "requests_per_second", "p50_us", "p99_us"
# Settings with which bare oneDNN is fastest on an idle machine.
RAW_OPENMP = {"OMP_WAIT_POLICY": "active", "GOMP_SPINCOUNT": "100000"}


class Failure(Exception):
    """A contender that does not run; the text says why."""


class SameAsAnother(Exception):
    """A contender that would run what another one runs."""


def plain_environment():
    """This process's, without what decides about OpenMP's threads."""
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("OMP_", "GOMP_", "KMP_"))
    }


def run_json(command, environment):
    if not os.path.exists(command[0]):
        raise Failure(f"{command[0]} is not built")
    process = subprocess.run(
        command, env=environment, capture_output=True, text=True, check=False
    )
    if process.returncode != 0:
        raise Failure(last_line(process.stderr) or f"exit code {process.returncode}")
    return json.loads(process.stdout)


def lower_scales(tool, module):
    """Writes ops of arith in place of tosa.apply_scale."""
    passes = "builtin.module(func.func(tosa-to-arith{include-apply-rescale}))"
    command = [tool, f"--pass-pipeline={passes}", module, "-o", module]
    if subprocess.run(command, check=False).returncode != 0:
        raise Failure("cannot lower the quantised network")


def last_line(text):
    lines = text.strip().splitlines()
    return lines[-1] if lines else ""


def bf16_share(kernels):
    """The share of a network's multiplications that kernels in bf16 do."""
    macs = [(kernel.get("macs", 0), kernel["kernel"]) for kernel in kernels]
    narrow = sum(count for count, name in macs if "bf16" in name)
    return narrow / (sum(count for count, _ in macs) or 1)


def summarize(times):
    return {
        "mean_us": statistics.fmean(times),
        "median_us": statistics.median(times),
        "min_us": min(times),
        "max_us": max(times),
        "std_us": statistics.pstdev(times),
        "runs": len(times),
    }


def summarize_requests(answer):
    """As `fusion-run --callers` does, of times and how long all took together."""
    ordered = sorted(answer["times_us"])

    def percentile(percent):
        return ordered[-(-len(ordered) * percent // 100) - 1]

    return {
        **summarize(ordered),
        "requests_per_second": len(ordered) / answer["wall_us"] * 1e6,
        "p50_us": percentile(50),
        "p99_us": percentile(99),
    }


class Contender:
    name = ""
    # Whether it is also measured under several loads.
    is_main = True
    takes_callers = False
    # Whether an image that it gives has its channels at the end.
    is_channels_last = False

    def __init__(self, case, precision):
        self.case = case
        self.precision = precision
        self.about = {}

    @property
    def title(self):
        return f"{self.name} {self.precision}"

    @property
    def output(self):
        """The folder or file of its result; None where it has none to compare."""
        return None

    def prepare(self):
        """Makes ready; an estimate of the time of one run in microseconds."""
        raise NotImplementedError

    def measure(self, repeat):
        raise NotImplementedError

    def prepare_callers(self, callers, repeat):
        """Finds the best setting for so many requests at a time, and names it."""
        return "as always"

    def measure_callers(self, callers, repeat):
        """Each caller makes `repeat` requests, one after the other."""
        raise NotImplementedError

    def profile(self, repeat):
        """Adds to what is known about it where its time goes, if it can tell."""

    def close(self):
        pass


class Limit(Contender):
    name = "limit"
    options = ()

    def run(self, *options):
        case = self.case
        command = [
            case.tool("limit"),
            case.path("primitives.txt"),
            f"--type={self.precision}",
            f"--threads={case.threads}",
            *self.options,
            *options,
        ]
        return run_json(command, {**case.environment, **RAW_OPENMP})

    def prepare(self):
        result = self.run("--repeat=3", "--warmup=1")
        self.about = {
            key: result[key]
            for key in ("backend", "configuration", "reference_kernels")
        }
        self.about["intermediate_bytes"] = result["intermediate_bytes"]
        self.about["kernels"] = [kernel["kernel"] for kernel in result["kernels"]]
        return result["min_us"]

    def measure(self, repeat):
        result = self.run(
            f"--repeat={repeat}", f"--configuration={self.about['configuration']}"
        )
        return {key: result[key] for key in STATISTICS}


class Fusion(Contender):
    name = "Fusion"
    takes_callers = True
    mode = "fused"
    options = ()

    @property
    def is_channels_last(self):
        return self.case.is_channels_last

    @property
    def output(self):
        return self.case.path(self.title.replace(" ", "-").lower())

    def command_line(self, *options):
        case = self.case
        return [
            case.tool("fusion-run"),
            case.module(self.precision),
            "--json",
            f"--input={case.input(self.precision)}",
            f"--mode={self.mode}",
            # A quantised network is quantised in its file.
            f"--precision={'f32' if self.precision == 'u8' else self.precision}",
            f"--threads={case.threads}",
            *self.options,
            *options,
        ]

    def run(self, *options):
        return run_json(self.command_line(*options), self.case.environment)

    def prepare(self):
        result = self.run("--repeat=2", "--warmup=1", f"--output={self.output}")
        self.about = self.describe(result)
        return result["min_us"]

    def describe(self, result):
        kernels = [
            kernel["kernel"] if isinstance(kernel, dict) else kernel
            for kernel in result["kernels"]
        ]
        return {
            "backend": result["backend"],
            "configuration": f"{result['fused_ops']} fused ops"
            f" of {result['fused_ops'] + result['other_convolutions']}",
            "reference_kernels": result["reference_kernels"],
            "intermediate_bytes": result["peak_memory_bytes"] - result["packed_bytes"],
            "compile_ms": result["compile_ms"],
            "kernels": kernels,
        }

    def measure(self, repeat):
        result = self.run(f"--repeat={repeat}", f"--warmup={2 + repeat // 10}")
        return {key: result[key] for key in STATISTICS}

    def measure_callers(self, callers, repeat):
        result = self.run(f"--repeat={repeat}", f"--callers={callers}", "--warmup=2")
        return {key: result[key] for key in STATISTICS + REQUESTS}

    def profile(self, repeat):
        result = self.run("--profile", f"--repeat={repeat}", "--warmup=3")
        profile = result["profile"]
        wall = profile["wall_us"]
        loops = [row["us"] / wall for row in profile["rows"] if not row["kernel"]]
        self.about["profile"] = {
            "elsewhere": profile["elsewhere_us"] / wall,
            "loops": sum(loops),
            "largest_loop": max(loops, default=0),
            "bf16_macs": bf16_share(result["kernels"]),
        }


class Unfused(Fusion):
    name = "unfused"
    mode = "unfused"
    is_main = False


class Winograd:
    """A contender that may use minimal filtering, where that changes a kernel."""

    options = ("--allow-winograd",)
    is_main = False

    def prepare(self):
        estimate = super().prepare()
        if not any("wino" in kernel for kernel in self.about["kernels"]):
            raise SameAsAnother
        return estimate


class LimitWinograd(Winograd, Limit):
    name = "limit Winograd"


class FusionWinograd(Winograd, Fusion):
    name = "Fusion Winograd"


class UnfusedWinograd(Winograd, Unfused):
    name = "unfused Winograd"


class Worker(Contender):
    """A process that prints what it is, and times for each request that it reads."""

    takes_callers = True
    process = None
    errors = None
    caller_threads = 1

    @property
    def patience(self):
        """Seconds in which it has to be ready; None is no limit."""
        return self.case.options.patience

    def command(self):
        raise NotImplementedError

    def prepare(self):
        self.start()
        with self.time_limit(self.patience):
            self.about = self.answer()
            return self.measure(2)["min_us"]

    def start(self):
        # A file and not a pipe, which would fill up.
        self.errors = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            self.command(),
            env=self.case.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            text=True,
        )

    @contextlib.contextmanager
    def time_limit(self, seconds):
        """Ends the process if it takes longer; None is no limit."""
        timer = threading.Timer(seconds or 0, self.process.kill)
        if seconds:
            timer.start()
        try:
            yield
        except Failure:
            if seconds and self.process.wait() == -signal.SIGKILL:
                raise Failure(f"not ready within {seconds:g} s") from None
            raise
        finally:
            timer.cancel()

    def answer(self):
        """One line of JSON, or several of which those between the first and the last one
        are indented."""
        lines = []
        while not lines or lines[-1].startswith((" ", "{\n")):
            lines.append(self.process.stdout.readline())
        if not lines[-1]:
            self.errors.seek(0)
            raise Failure(last_line(self.errors.read()) or "it stopped")
        return json.loads("".join(lines))

    def ask(self, *numbers):
        try:
            self.process.stdin.write(" ".join(map(str, numbers)) + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            raise Failure("it stopped") from None
        return self.answer()

    def measure(self, repeat):
        return summarize(self.ask(repeat)["times_us"])

    def prepare_callers(self, callers, repeat):
        """Each request on one thread, or on all."""
        rates = {}
        for threads in sorted({1, self.case.threads}):
            answer = self.ask(repeat, callers, threads)
            rates[threads] = summarize_requests(answer)["requests_per_second"]
        self.caller_threads = max(rates, key=rates.get)
        plural = "" if self.caller_threads == 1 else "s"
        return f"{self.caller_threads} thread{plural} for a request"

    def measure_callers(self, callers, repeat):
        return summarize_requests(self.ask(repeat, callers, self.caller_threads))

    def close(self):
        if self.process:
            self.process.communicate()
            self.process = None
        if self.errors:
            self.errors.close()
            self.errors = None


class PyTorch(Worker):
    name = "PyTorch"

    @property
    def output(self):
        return self.case.path(f"pytorch-{self.precision}.npy")

    def command(self):
        return pytorch_command(self.case) + [
            f"--precision={self.precision}",
            f"--output={self.output}",
        ]


class OnnxRuntime(Worker):
    name = "ONNX Runtime"

    @property
    def output(self):
        return self.case.path(f"onnxruntime-{self.precision}.npy")

    @property
    def model(self):
        return self.case.path("u8.onnx" if self.precision == "u8" else "model.onnx")

    def prepare(self):
        model = self.model
        if self.precision == "u8" and not os.path.exists(model):
            raise Failure("no ONNX file, which needs python3-onnx")
        if not os.path.exists(model):
            command = pytorch_command(self.case) + [f"--onnx={model}"]
            process = subprocess.run(
                command, env=self.case.environment, capture_output=True, text=True
            )
            if process.returncode != 0:
                raise Failure(f"no ONNX file: {last_line(process.stderr)}")
        return super().prepare()

    def command(self):
        return [
            "node",
            os.path.join(FOLDER, "peers", "onnxruntime.cjs"),
            self.model,
            self.case.path("input.npy"),
            self.output,
            str(self.case.threads),
        ]


def pytorch_command(case):
    return [
        case.torch_python,
        os.path.join(FOLDER, "peers", "pytorch.py"),
        *case.network_options,
        f"--threads={case.threads}",
        f"--input={case.path('input.npy')}",
    ]


def find_python(*packages):
    """A Python that has these packages, this one first; None if there is none."""
    for python in (sys.executable, "/usr/bin/python3"):
        command = [python, "-c", f"import {', '.join(packages)}"]
        if shutil.which(python) and not subprocess.run(
            command, capture_output=True
        ).returncode:
            return python
    return None


def missing_onnxruntime(folder):
    """Why ONNX Runtime cannot be used; "" if it can."""
    if not shutil.which("node"):
        return "there is no node"
    if not os.path.isdir(os.path.join(folder, "node_modules", "onnxruntime-node")):
        return "the npm package onnxruntime-node is not in " + folder
    return ""
