#!/usr/bin/env python3
# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times whole networks: compiled by Fusion, against the sum of their oneDNN kernels
(benchmarks/limit) and against PyTorch and ONNX Runtime, where these are installed.

All run the same network with the same seeded weights and the same input, one after the
other in rounds, of which every second goes the other way round; the results are
compared. Ratios are medians of the ratios of the rounds. docs/Benchmarking.md says more.

A NETWORK may have parameters: weenet:planes=32,depth=4,size=64
The name `layers` stands for single layers: oneDNN, the C runtime, compiled code.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time

sys.dont_write_bytecode = True

import contenders
import npy
import plot
import report
import single_layers
from contenders import Failure, SameAsAnother

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
NETWORKS = ["resnet18", "resnet50", "vgg16_bn", "mobilenet_v2", "weenet"]
LAYERS = ["conv_1x1", "depthwise_3x3"]
# Not a network: the layers of layers.py in one program.
SINGLE = "layers"
# Relative to the largest value of the result it is compared with.
TOLERANCE = {"f32": 1e-4, "bf16": 3e-2}
# Of these the results are compared with that of the first that runs.
REFERENCES = ["PyTorch f32", "ONNX Runtime f32", "unfused f32"]


class Case:
    """One network: its files, and how programs are to run it."""

    def __init__(self, text, options, torch_python):
        self.network, _, parameters = text.partition(":")
        self.options = options
        self.torch_python = torch_python
        self.threads = options.threads
        self.environment = contenders.plain_environment()
        self.environment["NODE_PATH"] = options.folder + "/node_modules"
        given = [p for p in parameters.split(",") if p]
        if options.batch != 1:
            given.append(f"batch={options.batch}")
        self.network_options = [self.network, *(f"--{p}" for p in given)]
        self.name = "-".join([self.network, *(p.replace("=", "") for p in given)])

    @property
    def module(self):
        return os.path.join(self.options.folder, self.name + ".mlir")

    def path(self, name):
        """A file that belongs to the module."""
        return os.path.join(self.options.folder, self.name, name)

    def tool(self, name):
        return os.path.join(self.options.build, "bin", name)

    def generate(self):
        """Writes the network. What was exported from an earlier one is out of date."""
        os.makedirs(self.path(""), exist_ok=True)
        if os.path.exists(self.path("model.onnx")):
            os.remove(self.path("model.onnx"))
        command = [
            sys.executable,
            os.path.join(ROOT, "benchmarks", "networks", "generate.py"),
            *self.network_options,
            "--weights=seeded",
            f"--input={self.path('input.npy')}",
            f"--primitives={self.path('primitives.txt')}",
            *("-o", self.module),
        ]
        if subprocess.run(command, check=False).returncode != 0:
            raise Failure("cannot write the network")


def say(text):
    print(text, file=sys.stderr, flush=True)


def all_contenders(case, options, has_onnxruntime):
    kinds = [contenders.Limit, contenders.Fusion, contenders.Unfused]
    if case.torch_python:
        kinds.append(contenders.PyTorch)
    made = [
        kind(case, precision) for precision in options.precisions for kind in kinds
    ]
    if "f32" in options.precisions:
        made += [
            kind(case, "f32")
            for kind in (
                contenders.LimitWinograd,
                contenders.FusionWinograd,
                contenders.UnfusedWinograd,
            )
        ]
    if has_onnxruntime and case.torch_python and "f32" in options.precisions:
        made.append(contenders.OnnxRuntime(case, "f32"))
    return made


def prepare(case, options, has_onnxruntime, problems):
    """The contenders that run, each with the number of runs in a round."""
    ready = []
    for contender in all_contenders(case, options, has_onnxruntime):
        say(f"{case.name}: preparing {contender.title}")
        try:
            estimate = contender.prepare()
        except SameAsAnother:
            say(f"{case.name}: {contender.title} has no kernels of its own")
            continue
        except (Failure, OSError, KeyError, ValueError) as failure:
            contender.close()
            message = f"{case.name}: {contender.title} does not run: {failure}"
            say(f"skipped: {message}")
            if isinstance(contender, contenders.Fusion):
                problems.append(message)
            continue
        repeat = int(options.seconds * 1e6 / estimate)
        ready.append((contender, min(max(repeat, 3), 2000)))
    if not ready:
        raise Failure("nothing runs")
    return ready


def measure(case, ready, options):
    """Statistics for each contender and round."""
    rounds = []
    for number in range(options.rounds):
        begin = time.monotonic()
        results = {}
        for contender, repeat in ready if number % 2 == 0 else reversed(ready):
            results[contender.title] = contender.measure(repeat)
        rounds.append(results)
        medians = ", ".join(
            f"{contender.title} {results[contender.title]['median_us'] / 1e3:.2f}"
            for contender, _ in ready
        )
        took = time.monotonic() - begin
        say(f"{case.name}: round {number + 1} of {options.rounds}, {took:.0f} s, ms: {medians}")
    return rounds


def overall(results):
    """The statistics of all rounds together."""
    mean = statistics.fmean(r["mean_us"] for r in results)
    spread = (r["std_us"] ** 2 + (r["mean_us"] - mean) ** 2 for r in results)
    return {
        "mean_us": mean,
        "median_us": statistics.median(r["median_us"] for r in results),
        "min_us": min(r["min_us"] for r in results),
        "max_us": max(r["max_us"] for r in results),
        "std_us": statistics.fmean(spread) ** 0.5,
        "runs": sum(r["runs"] for r in results),
    }


def result_file(contender):
    output = contender.output
    return os.path.join(output, "result0.npy") if os.path.isdir(output) else output


def compare(case, ready, problems):
    """The largest errors by title, and the title they are relative to."""
    with_result = {c.title: c for c, _ in ready if c.output}
    reference = next((title for title in REFERENCES if title in with_result), None)
    errors = {}
    for title, contender in with_result.items():
        if reference in (None, title):
            continue
        absolute, relative = npy.compare(
            result_file(contender), result_file(with_result[reference])
        )
        errors[title] = {"max_abs_error": absolute, "max_rel_error": relative}
        if not relative <= TOLERANCE[contender.precision]:
            message = f"{case.name}: {title} differs from {reference} by {relative:.2g}"
            say(message)
            problems.append(message)
    return errors, reference


def bench(case, options, has_onnxruntime, problems):
    say(f"{case.name}: writing the network")
    case.generate()
    ready = prepare(case, options, has_onnxruntime, problems)
    try:
        errors, reference = compare(case, ready, problems)
        rounds = measure(case, ready, options)
        for contender, repeat in ready:
            contender.profile(repeat)
    finally:
        for contender, _ in ready:
            contender.close()
    return {
        "network": case.name,
        "reference": reference,
        "rounds": rounds,
        "contenders": [
            {
                "title": contender.title,
                "name": contender.name,
                "precision": contender.precision,
                **contender.about,
                **overall([results[contender.title] for results in rounds]),
                **errors.get(contender.title, {}),
            }
            for contender, _ in ready
        ],
    }


def processor():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            lines = dict(line.split(":", 1) for line in file if ":" in line)
    except OSError:
        return "unknown", []
    fields = {name.strip(): value.strip() for name, value in lines.items()}
    kinds = "avx2", "avx512f", "avx512_bf16", "amx_bf16"
    flags = fields.get("flags", "").split()
    return fields.get("model name", "unknown"), [kind for kind in kinds if kind in flags]


def default_precisions():
    """Without AVX-512 the limit in bf16 would be oneDNN's reference implementation."""
    if "avx512f" in processor()[1]:
        return "f32,bf16"
    say("skipped: bf16, which oneDNN computes in its reference kernels without AVX-512")
    return "f32"


def parse_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("networks", nargs="*", metavar="NETWORK",
        help=f"default: {' '.join(NETWORKS + LAYERS + [SINGLE])}")  # fmt: skip
    add("--build", default=os.path.join(ROOT, "build"), metavar="DIR",
        help="build folder (default: build)")  # fmt: skip
    add("--quick", action="store_true", help="2 rounds of 0.2 s in place of 7 of 1 s")
    add("--rounds", type=int, metavar="N", help="rounds of every contender")
    add("--seconds", type=float, metavar="S", help="time of a contender in a round")
    add("--batch", type=int, default=1, metavar="N", help="images (default: 1)")
    add("--threads", type=int, default=len(os.sched_getaffinity(0)), metavar="N",
        help="default: the number of cores")  # fmt: skip
    add("--precisions", metavar="LIST", help="default: f32,bf16; f32 without AVX-512")
    add("--no-peers", action="store_true", help="without PyTorch and ONNX Runtime")
    add("--folder", metavar="DIR", help="for files (default: benchmarks in the build)")
    add("--write-docs", nargs="?", const=os.path.join(ROOT, "docs"), metavar="DIR",
        help="write Benchmarks.md and benchmarks.svg (default: into docs)")  # fmt: skip
    options = parser.parse_args()
    options.rounds = options.rounds or (2 if options.quick else 7)
    options.seconds = options.seconds or (0.2 if options.quick else 1.0)
    options.precisions = (options.precisions or default_precisions()).split(",")
    for precision in options.precisions:
        if precision not in TOLERANCE:
            parser.error(f"--precisions={precision}: f32 and bf16 are known")
    options.networks = options.networks or NETWORKS + LAYERS + [SINGLE]
    options.folder = options.folder or os.path.join(options.build, "benchmarks")
    return options


def bench_layers(options):
    """The layers and what a call costs; two times None if the programs were not built."""
    say("layers: measuring")
    programs = os.path.join(options.build, "bin")
    environment = contenders.plain_environment()
    try:
        layers = single_layers.measure(
            os.path.join(programs, "layer-benchmarks"),
            *(options.threads, options.rounds, options.seconds / 10),
            environment,
        )
        overhead = single_layers.measure_overhead(
            os.path.join(programs, "call-overhead"),
            1000 if options.quick else 100000,
            environment,
        )
        return layers, overhead
    except Failure as failure:
        say(f"skipped: layers: {failure}")
        return None, None


def find_peers(options):
    """A Python with PyTorch or None, and whether there is ONNX Runtime."""
    if options.no_peers:
        return None, False
    torch_python = contenders.find_torch_python()
    if not torch_python:
        say("skipped: PyTorch, there is no Python with the packages torch and numpy")
        say("skipped: ONNX Runtime, PyTorch writes its files")
        return None, False
    missing = contenders.missing_onnxruntime(options.folder)
    if missing:
        say(f"skipped: ONNX Runtime, {missing}")
    return torch_python, not missing


def write_docs(folder, results, text):
    for name, content in ("Benchmarks.md", text), ("benchmarks.svg", plot.svg(results)):
        path = os.path.join(folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(content)
        say(f"written: {path}")


def main():
    options = parse_options()
    os.makedirs(options.folder, exist_ok=True)
    torch_python, has_onnxruntime = find_peers(options)
    model, instructions = processor()
    problems, networks = [], []
    for text in options.networks:
        if text == SINGLE:
            continue
        case = Case(text, options, torch_python)
        try:
            networks.append(bench(case, options, has_onnxruntime, problems))
        except Failure as failure:
            problems.append(f"{case.name}: {failure}")
    results = {
        "processor": model,
        "instructions": instructions,
        "threads": options.threads,
        "batch": options.batch,
        "rounds": options.rounds,
        "raw_openmp": contenders.RAW_OPENMP,
        "networks": networks,
    }
    if SINGLE in options.networks:
        results["layers"], results["overhead"] = bench_layers(options)
    if networks or results.get("layers"):
        with open(os.path.join(options.folder, "results.json"), "w") as file:
            json.dump(results, file, indent=1)
        text = report.markdown(results)
        if results.get("layers"):
            text += single_layers.markdown(results["layers"], results["overhead"])
        print(text, end="")
        if options.write_docs:
            write_docs(options.write_docs, results, text)
    for problem in problems:
        say(f"problem: {problem}")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
