# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`bench.py --networks`: many networks in a table for each number of threads."""

import itertools
import statistics

import contenders
import report
from networks import BLOCKS, NETWORKS, small_size

HEADER = """\
# Networks

Written by `scripts/bench.sh --networks=all --write-docs`; [Benchmarking.md](Benchmarking.md)
says what is measured and how. Times are medians in ms; ratios are the medians of those of the
rounds, with their range.
"""
OURS = "Fusion f32"
# Each column of ratios: its heading, and the two contenders.
RATIOS = [
    ("/ ONNX Runtime", OURS, "ONNX Runtime f32"),
    ("/ PyTorch", OURS, "PyTorch f32"),
    ("/ unfused", OURS, "unfused f32"),
    ("bf16 / PyTorch", "Fusion bf16", "PyTorch bf16"),
    ("bf16 / f32", "Fusion bf16", OURS),
]


def choose(options, parser, cores):
    """Sets the networks and what is measured of them."""
    if options.networks:
        parser.error("--networks has a table of its own")
    names = options.table.split(",")
    if options.table == "all":
        names = [name for name in NETWORKS if name not in BLOCKS or options.small]
    for name in set(names) - set(NETWORKS):
        parser.error(f"--networks: there is no network {name}")
    options.networks = names
    options.thread_counts = [options.threads] if options.threads else sorted({1, cores})
    if options.small:
        options.precisions = "f32"
        options.networks = [f"{name}:size={small_size(name)}" for name in names]


def make_contenders(case, options, has_onnxruntime):
    kinds = [contenders.Fusion]
    if case.torch_python:
        kinds.append(contenders.PyTorch)
    made = [kind(case, precision) for precision in options.precisions for kind in kinds]
    if not options.small:
        made.append(contenders.Unfused(case, "f32"))
    if has_onnxruntime and case.torch_python:
        made.append(contenders.OnnxRuntime(case, "f32"))
    return made


def row(network):
    by_title = {contender["title"]: contender for contender in network["contenders"]}
    ours = by_title[OURS]
    errors = [
        contender["max_rel_error"]
        for contender in by_title.values()
        if contender["precision"] == "f32" and "max_rel_error" in contender
    ]
    spread = f"{report.milliseconds(ours['mean_us'])} ± {report.milliseconds(ours['std_us'])}"
    ratios = (report.ratio(network, *pair) for _, *pair in RATIOS)
    return [
        network["network"],
        report.milliseconds(ours["median_us"]),
        spread,
        *map(report.median_and_range, ratios),
        report.percent(ours["profile"]["loops"]),
        report.percent(ours["profile"]["largest_loop"]),
        f"{ours['compile_ms'] / 1e3:.2f}",
        ours["configuration"],
        f"{max(errors):.1g}" if errors else "–",
    ]


def means(networks):
    """The geometric means of the ratios."""
    cells = []
    for _, *pair in RATIOS:
        found = [statistics.median(r) for r in (report.ratio(n, *pair) for n in networks) if r]
        cells.append(f"{statistics.geometric_mean(found):.2f}" if found else "–")
    return ["**geometric mean**", "", "", *cells, "", "", "", "", ""]


def kernels(networks):
    lines = (f"- {n['network']}: {names}\n" for n in networks if (names := kernel_names(n)))
    return "Kernels of Fusion in f32:\n\n" + "".join(lines)


def kernel_names(network):
    ours = next(c for c in network["contenders"] if c["title"] == OURS)
    return report.kernel_counts(ours)


def markdown(results):
    columns = ["network", "Fusion, ms", "mean ± deviation", *(name for name, *_ in RATIOS)]
    columns += ["loop nests", "largest", "compiled in, s", "fused", "max rel error"]
    networks = [
        network
        for network in results["networks"]
        if any(contender["title"] == OURS for contender in network["contenders"])
    ]
    parts = [HEADER]
    by_threads = itertools.groupby(
        sorted(networks, key=lambda n: n["threads"]), key=lambda n: n["threads"]
    )
    for threads, group in by_threads:
        group = list(group)
        parts.append(f"## {report.count(threads, 'thread')}\n")
        parts.append(report.conditions({**results, "threads": threads, "networks": group}))
        rows = [*map(row, group)] + ([means(group)] if len(group) > 1 else [])
        parts.append(report.table(columns, rows))
    if networks:
        parts.append(kernels([n for n in networks if n["threads"] == networks[0]["threads"]]))
    return "\n".join(parts)
