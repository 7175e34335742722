# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loads for bench.py: how many processes work beside a contender, and how many
requests it gets at a time; and the tables of what that does to its times."""

import statistics
import typing

from report import count, median_and_range, milliseconds, ratio, table, title_of


class Load(typing.NamedTuple):
    neighbours: int = 0
    callers: int = 1
    # Of neighbours: a key of neighbours.WORK.
    work: str = "compute"

    def __str__(self):
        parts = []
        if self.neighbours:
            kind = "copying neighbour" if self.work == "copy" else "neighbour"
            parts.append(count(self.neighbours, kind))
        if self.callers > 1:
            parts.append(count(self.callers, "caller"))
        return ", ".join(parts) or "idle"


IDLE = Load()
# The loads that --write-docs measures.
DOCUMENTED = [IDLE, Load(neighbours=1), Load(neighbours=2), Load(callers=4)]
PEERS = "limit", "PyTorch", "ONNX Runtime"


def of_rounds(measured, title, key):
    """The median over the rounds; None if it did not run."""
    rounds = [results[title][key] for results in measured["rounds"] if title in results]
    return statistics.median(rounds) if rounds else None


def median_and_mean(measured, title):
    median = of_rounds(measured, title, "median_us")
    if median is None:
        return "–"
    rounds = measured["rounds"]
    mean = statistics.fmean(results[title]["mean_us"] for results in rounds)
    return f"{milliseconds(median)} ({milliseconds(mean)})"


def short(value):
    return f"{value:.2f}" if value >= 0.1 else f"{value:.2g}"


def both_ratios(measured, title, other):
    medians = ratio(measured, title, other)
    if not medians:
        return "–"
    means = ratio(measured, title, other, "mean_us")
    return f"{short(statistics.median(medians))} ({short(statistics.median(means))})"


def rows_of(network, is_wanted):
    """The measurements of Fusion, by precision and load."""
    for precision in "f32", "bf16", "u8":
        for measured in network["loads"]:
            runs = any(f"Fusion {precision}" in results for results in measured["rounds"])
            if is_wanted(measured) and runs:
                yield precision, measured


def neighbours_table(networks):
    rows = []
    for network in networks:
        for precision, measured in rows_of(network, lambda m: m["callers"] == 1):
            ours = f"Fusion {precision}"
            others = [title_of(name, precision) for name in PEERS]
            times = (median_and_mean(measured, title) for title in (ours, *others))
            ratios = (both_ratios(measured, ours, other) for other in others)
            load = measured["neighbours"]
            rows.append([network["network"], precision, load, *times, *ratios])
    columns = ["network", "", "neighbours", "Fusion", *PEERS]
    return table(columns + [f"Fusion / {name}" for name in PEERS], rows)


def callers_table(networks):
    rows = []
    for network in networks:
        for precision, measured in rows_of(network, lambda m: m["callers"] > 1):
            ours = f"Fusion {precision}"
            for title in measured["rounds"][0]:
                if title not in (ours, *(title_of(name, precision) for name in PEERS)):
                    continue
                keys = "p50_us", "p99_us"
                requests = of_rounds(measured, title, "requests_per_second")
                ratios = ratio(measured, ours, title, "requests_per_second")
                rows.append(
                    [
                        network["network"],
                        Load(measured["neighbours"], measured["callers"], measured["work"]),
                        title,
                        f"{requests:.4g}",
                        *(milliseconds(of_rounds(measured, title, key)) for key in keys),
                        "–" if title == ours else median_and_range(ratios),
                        measured["settings"].get(title, "as always"),
                    ]
                )
    columns = ["network", "", "", "requests/s", "p50, ms", "p99, ms"]
    return table(columns + ["Fusion's requests/s by these", "setting"], rows)


def markdown(networks):
    """Nothing for an idle machine and one caller, which have tables of their own."""
    loads = [measured for network in networks for measured in network["loads"]]
    parts = []
    if any(measured["neighbours"] and measured["callers"] == 1 for measured in loads):
        work = "copy memory" if loads[0]["work"] == "copy" else "compute"
        parts.append("## Beside busy neighbours\n")
        parts.append(
            f"Neighbours are processes that {work}. Times in ms: the median of the"
            " rounds' medians (the mean of all runs); ratios are of medians (of means).\n"
        )
        parts.append(neighbours_table(networks))
    if any(measured["callers"] > 1 for measured in loads):
        parts.append("## Several callers\n")
        parts.append(
            "So many requests at a time: requests per second, and the times that 50 and"
            " 99 of 100 requests do not exceed; medians of the rounds.\n"
        )
        parts.append(callers_table(networks))
    return "\n".join(parts)
