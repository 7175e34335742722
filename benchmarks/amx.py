#!/usr/bin/env python3
# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts what networks in bf16 would do on a CPU with AMX, without one.

AMX's instructions are emulated (test/AmxEmulation), on a CPU with AVX-512 and bf16. How
many of them a network executes is counted, for Fusion and for its limit. And it is timed
with each of them skipped: what is left is everything that is not the matrix unit's work.
The limit's configuration is the one that is best so. Neither is a time of a CPU with AMX.
docs/Benchmarking.md says more.
"""

import argparse
import json
import os
import statistics
import sys

sys.dont_write_bytecode = True

import bench
import contenders
import report

PRECISION = "bf16"
COUNTED = "products", "loads", "stores"


def emulating(text, options, library, **variables):
    """A network whose programs run with AMX emulated, and with these variables."""
    case = bench.Case(text, options, torch_python=None)
    case.environment.update(LD_PRELOAD=library, **variables)
    return case


def run_and_count(contender, *options):
    """The output of the program, and the tile instructions of the whole process."""
    file = contender.case.environment["FUSION_AMX_REPORT"]
    if os.path.exists(file):
        os.remove(file)
    result = contender.run(*options)
    if not os.path.exists(file):
        raise contenders.Failure("no count: is oneDNN that of the build?")
    with open(file, encoding="utf-8") as lines:
        return result, json.loads(lines.readlines()[-1])


def count_per_run(contender):
    """The output of the program, and the tile instructions of one run."""
    options = ["--warmup=0"]
    if isinstance(contender, contenders.Limit):
        options.append(f"--configuration={contender.about['configuration']}")
    _, once = run_and_count(contender, "--repeat=1", *options)
    result, twice = run_and_count(contender, "--repeat=2", *options)
    return result, {name: twice[name] - once[name] for name in COUNTED}


def measure(text, options, library):
    """A row of each table for one network."""
    case = emulating(text, options, library, FUSION_AMX_SKIP="1")
    bench.say(f"{case.name}: writing the network")
    case.generate()
    kinds = contenders.Limit, contenders.Fusion, contenders.Unfused
    ready = [(kind(case, PRECISION), options.repeat) for kind in kinds]
    for contender, _ in ready:
        bench.say(f"{case.name}: preparing {contender.title}")
        contender.prepare()
    rounds = bench.measure(case, ready, options)
    bench.say(f"{case.name}: counting tile instructions, which are emulated one by one")
    counted = emulating(text, options, library, FUSION_AMX_REPORT=case.path("amx.json"))
    counts = {}
    for contender, _ in ready[:2]:
        contender.case = counted
        result, counts[contender.name] = count_per_run(contender)
    return {
        "network": case.name,
        "rounds": rounds,
        "counts": counts,
        "configuration": ready[0][0].about["configuration"],
        "bf16": contenders.bf16_share(result["kernels"]),
        "reference": result["reference_kernels"],
        "amx": sum("amx" in kernel["kernel"] for kernel in result["kernels"]),
        "kernels": len(result["kernels"]),
    }


def both_and_ratio(ours, limit):
    return f"{ours} / {limit}" + (f" ({ours / limit:.2f})" if limit else "")


def counts_table(rows):
    columns = ["network", *(f"{name}, Fusion / limit" for name in COUNTED)]
    columns += ["multiplications in bf16", "kernels with AMX", "reference kernels"]
    lines = []
    for row in rows:
        ours, limit = row["counts"]["Fusion"], row["counts"]["limit"]
        ratios = (both_and_ratio(ours[name], limit[name]) for name in COUNTED)
        lines.append(
            [
                row["network"],
                *ratios,
                report.percent(row["bf16"]),
                f"{row['amx']} of {row['kernels']}",
                row["reference"],
            ]
        )
    return report.table(columns, lines)


def times_table(rows):
    columns = ["network", "limit, ms", "Fusion, ms", "unfused, ms"]
    columns += ["Fusion / limit", "Fusion / unfused", "limit's configuration"]
    lines = []
    for row in rows:
        titles = [f"{name} {PRECISION}" for name in ("limit", "Fusion", "unfused")]
        medians = (
            statistics.median(results[title]["median_us"] for results in row["rounds"])
            for title in titles
        )
        ratios = (report.ratio(row, titles[1], other) for other in (titles[0], titles[2]))
        lines.append(
            [
                row["network"],
                *map(report.milliseconds, medians),
                *map(report.median_and_range, ratios),
                row["configuration"],
            ]
        )
    return report.table(columns, lines)


def parse_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("networks", nargs="*", metavar="NETWORK",
        help=f"default: {' '.join(bench.NETWORKS)}")  # fmt: skip
    add("--build", default=os.path.join(bench.ROOT, "build"), metavar="DIR",
        help="build folder (default: build)")  # fmt: skip
    add("--rounds", type=int, default=7, metavar="N", help="default: 7")
    add("--repeat", type=int, default=150, metavar="N", help="runs in a round (default: 150)")
    add("--batch", type=int, default=1, metavar="N", help="images (default: 1)")
    add("--threads", type=int, default=len(os.sched_getaffinity(0)), metavar="N",
        help="default: the number of cores")  # fmt: skip
    options = parser.parse_args()
    options.networks = options.networks or bench.NETWORKS
    options.folder = os.path.join(options.build, "benchmarks")
    return options


def main():
    options = parse_options()
    library = os.path.join(options.build, "lib", "libfusion-amx-emulation.so")
    if not os.path.exists(library):
        sys.exit(f"{library} is not built")
    if "avx512_bf16" not in bench.processor()[1]:
        sys.exit("the CPU has no AVX-512 with bf16, which kernels for AMX also use")
    try:
        rows = [measure(text, options, library) for text in options.networks]
    except contenders.Failure as failure:
        sys.exit(f"amx.py: {failure}")
    print(f"Tile instructions of one run:\n\n{counts_table(rows)}")
    print(f"Time with tile instructions skipped:\n\n{times_table(rows)}", end="")


if __name__ == "__main__":
    main()
