# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Single layers for bench.py: what layer-benchmarks measures, as a table."""

import json
import os
import statistics
import subprocess

from contenders import RAW_OPENMP, Failure, last_line
from report import median_and_range, table

WAYS = "raw", "runtime", "compiled"


def measure(program, threads, rounds, seconds, environment):
    """For each layer and precision the times of the rounds in each way, and the kernel
    of the bare primitive."""
    if not os.path.exists(program):
        raise Failure(f"{program} is not built (libbenchmark-dev)")
    command = [
        program,
        "--benchmark_format=json",
        f"--benchmark_repetitions={rounds}",
        "--benchmark_enable_random_interleaving=true",
        f"--benchmark_min_time={seconds}",
    ]
    environment = {**environment, **RAW_OPENMP, "OMP_NUM_THREADS": str(threads)}
    process = subprocess.run(
        command, env=environment, capture_output=True, text=True, check=False
    )
    if process.returncode != 0:
        raise Failure(last_line(process.stderr))
    layers = {}
    for run in json.loads(process.stdout)["benchmarks"]:
        if run["run_type"] != "iteration" or run.get("error_occurred"):
            continue
        way, precision, title = run["name"].removesuffix("/real_time").split("/", 2)
        layer = layers.setdefault(
            f"{title}/{precision}",
            {"title": title, "precision": precision, "number": run["family_index"]},
        )
        layer["number"] = min(layer["number"], run["family_index"])
        layer.setdefault(way, {})[run["repetition_index"]] = run["real_time"]
        if way == "raw":
            layer["kernel"] = run["label"]
    complete = (layer for layer in layers.values() if all(way in layer for way in WAYS))
    # The results come in random order.
    return sorted(complete, key=lambda layer: layer["number"])


def measure_overhead(program, calls, environment):
    """The output of `call-overhead`, with one thread: no other has to be woken."""
    environment = {**environment, "OMP_NUM_THREADS": "1"}
    process = subprocess.run(
        [program, f"--calls={calls}"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if process.returncode != 0:
        raise Failure(last_line(process.stderr))
    return process.stdout


def markdown(layers, overhead):
    rows = []
    for layer in layers:
        times = [list(layer[way].values()) for way in WAYS]
        ratios = [
            [layer[way][i] / layer["raw"][i] for i in layer["raw"] if i in layer[way]]
            for way in WAYS[1:]
        ]
        rows.append(
            [
                layer["title"],
                layer["precision"],
                layer["kernel"],
                *(f"{statistics.median(t):.4g}" for t in times),
                *map(median_and_range, ratios),
            ]
        )
    columns = ["layer", "precision", "raw kernel", "raw", "C runtime", "compiled"]
    columns += ["C runtime / raw", "compiled / raw"]
    return (
        "\n## Single layers\n\nConvolution, bias and relu, channels last, in us;"
        " medians of the rounds.\n\n" + table(columns, rows) + "\n## What a call costs"
        "\n\nThe smallest layer; median and quartiles of single calls, and how far the"
        f" median is above that of the bare primitive.\n\n```text\n{overhead}```\n"
    )
