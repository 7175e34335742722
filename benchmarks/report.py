# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The results of bench.py as Markdown."""

import collections
import statistics

HEADER = """\
# Benchmarks

Written by `scripts/bench.sh --write-docs`; [Benchmarking.md](Benchmarking.md) says what
is measured and how.

![Time of a network relative to its limit](benchmarks.svg)
"""


def ratio(measured, title, other, key="median_us"):
    """The ratios of the rounds; None if one of the two did not run."""
    rounds = measured["rounds"]
    if not all(title in results and other in results for results in rounds):
        return None
    return [results[title][key] / results[other][key] for results in rounds]


def title_of(name, precision):
    """ONNX Runtime does not compute in bf16, and stands in f32 beside it."""
    is_other = name == "ONNX Runtime" and precision == "bf16"
    return f"{name} {'f32' if is_other else precision}"


def median_and_range(ratios):
    if not ratios:
        return "–"
    middle = f"{statistics.median(ratios):.2f}"
    return f"{middle} ({min(ratios):.2f} to {max(ratios):.2f})"


def count(number, noun):
    return f"{number} {noun}{'' if number == 1 else 's'}"


def milliseconds(microseconds):
    value = microseconds / 1e3
    return f"{value:.3f}" if value < 1 else f"{value:.2f}"


def table(columns, rows):
    lines = [columns, ["---"] * len(columns), *rows]
    return "".join(f"| {' | '.join(map(str, line))} |\n" for line in lines)


def conditions(results):
    backends = {
        contender["backend"]: None
        for network in results["networks"]
        for contender in network["contenders"]
    }
    raw = " ".join(f"{name}={value}" for name, value in results["raw_openmp"].items())
    return (
        f"{results['processor']} ({', '.join(results['instructions']) or 'no AVX2'}),"
        f" {count(results['threads'], 'thread')}, batch {results['batch']},"
        f" {count(results['rounds'], 'round')}, {results['load']};"
        f" bare oneDNN with {raw}{'; ' if backends else ''}{', '.join(backends)}.\n"
    )


def ratios(results):
    """Fusion against each of the others, and the limit against the peers."""
    rows = []
    for network in results["networks"]:
        for variant in "f32", "Winograd f32", "bf16", "u8":
            precision = variant.split()[-1]
            ours, limit = f"Fusion {variant}", f"limit {variant}"
            pytorch = f"PyTorch {precision}"
            onnxruntime = title_of("ONNX Runtime", precision)
            if not ratio(network, ours, ours):
                continue
            pairs = (ours, limit), (ours, f"unfused {variant}"), (ours, pytorch)
            pairs += (ours, onnxruntime), (limit, pytorch), (limit, onnxruntime)
            pairs += ((ours, "Fusion f32"),)
            row = [
                median_and_range(ratio(network, *pair) if pair[0] != pair[1] else None)
                for pair in pairs
            ]
            rows.append([network["network"], variant, *row])
    columns = ["network", "", "Fusion / limit", "Fusion / unfused"]
    columns += ["Fusion / PyTorch", "Fusion / ONNX Runtime"]
    columns += ["limit / PyTorch", "limit / ONNX Runtime", "Fusion / Fusion f32"]
    return table(columns, rows)


def times(network):
    columns = ["", "precision", "mean", "median", "min", "max", "std", "/ limit"]
    columns += ["intermediates, MB", "reference kernels", "max abs error"]
    columns += ["max rel error", "configuration"]
    rows = []
    for contender in network["contenders"]:
        limit = f"limit {contender['precision']}"
        to_limit = ratio(network, contender["title"], limit)
        keys = "mean_us", "median_us", "min_us", "max_us", "std_us"
        size = contender.get("intermediate_bytes")
        is_compared = "max_abs_error" in contender
        rows.append(
            [
                contender["name"],
                contender["precision"],
                *(milliseconds(contender[key]) for key in keys),
                f"{statistics.median(to_limit):.2f}" if to_limit else "–",
                "–" if size is None else f"{size / 1e6:.1f}",
                contender.get("reference_kernels", "–"),
                f"{contender['max_abs_error']:.2g}" if is_compared else "–",
                f"{contender['max_rel_error']:.2g}" if is_compared else "–",
                contender["configuration"],
            ]
        )
    return table(columns, rows)


def percent(share):
    return f"{100 * share:.1f} %"


def profiles(network):
    """Where the time of those goes that tell."""
    rows = []
    for contender in network["contenders"]:
        profile = contender.get("profile")
        if not profile:
            continue
        outside = profile["loops"] + profile["elsewhere"]
        shares = 1 - outside, profile["loops"], profile["largest_loop"]
        shares += profile["elsewhere"], profile["bf16_macs"]
        rows.append([contender["title"], *map(percent, shares)])
    columns = ["", "kernels", "loop nests", "largest loop nest", "elsewhere"]
    columns.append("multiplications in bf16")
    return "Where the time goes:\n\n" + table(columns, rows) + "\n" if rows else ""


def kernel_counts(contender):
    names = collections.Counter(contender.get("kernels", []))
    return ", ".join(f"{n} x {name}" for name, n in names.most_common())


def kernels(network):
    lines = []
    for contender in network["contenders"]:
        if listed := kernel_counts(contender):
            lines.append(f"- {contender['title']}: {listed}\n")
    return "".join(lines)


def markdown(results, under_load):
    """`under_load` stands in front of the networks, whose tables are of one caller."""
    parts = [HEADER, conditions(results)]
    networks = [network for network in results["networks"] if network["rounds"]]
    if networks:
        parts.append("Medians of the ratios of the rounds, and their range:\n")
        parts.append(ratios({"networks": networks}))
    if under_load:
        parts.append(under_load)
    for network in networks:
        parts.append(f"## {network['network']}\n")
        reference = network["reference"]
        against = f" Errors are against the result of {reference}." if reference else ""
        parts.append(f"Times in ms for {count(results['batch'], 'image')}.{against}\n")
        parts.append(times(network))
        parts.append(f"{profiles(network)}Kernels:\n\n{kernels(network)}")
    return "\n".join(parts)
