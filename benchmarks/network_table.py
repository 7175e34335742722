# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`bench.py --networks`: many networks in a table for each number of threads."""

import itertools
import os
import statistics

import contenders
import report
from networks import BLOCKS, NETWORKS, small_size

HEADER = """\
# Networks{kind}

Written by `scripts/bench.sh --networks=all --write-docs`; [Benchmarking.md](Benchmarking.md)
says what is measured and how, and [what is not reached](Benchmarking.md#what-is-not-reached-and-why)
and why. Times are medians in ms; ratios are the medians of those of the rounds, with their
range. {names} networks in one run of {minutes:.0f} minutes: {rounds}, {seconds:g} s of each
contender, one after the other. Left out is a peer of which a call takes more than {slowest:g} s
or that is not ready within {patience:g} s; each table ends with those. Networks in the spelling
of TOSA and StableHLO, whose names end so, have bf16 and PyTorch's times in the row without.
"""
OURS = "Fusion f32"
WINOGRAD = "Fusion Winograd f32"
# Seconds that a contender may take until it is ready. Of PyTorch's variants those are tried
# that begin in a third of it.
PATIENCE = 45
# Each column of ratios: its heading, and the two contenders.
RATIOS = [
    ("/ ONNX Runtime", OURS, "ONNX Runtime f32"),
    ("Winograd / ONNX Runtime", WINOGRAD, "ONNX Runtime f32"),
    ("/ PyTorch", OURS, "PyTorch f32"),
    ("/ unfused", OURS, "unfused f32"),
    ("bf16 / PyTorch", "Fusion bf16", "PyTorch bf16"),
    ("bf16 / f32", "Fusion bf16", OURS),
]
# Networks that the table also has in other spellings than torch-mlir's: residuals,
# depthwise convolutions, concatenations, squeezes, tokens.
SPELLED = [
    ("resnet50", "tosa"),
    ("mobilenet_v2", "tosa"),
    ("densenet121", "tosa"),
    ("mobilenet_v3_large", "tosa"),
    ("vit_b16", "tosa"),
    ("resnet18", "stablehlo"),
    ("mnasnet", "stablehlo"),
    ("googlenet", "stablehlo"),
    ("efficientnet_b0", "stablehlo"),
    ("bert_base", "stablehlo"),
]


def choose(options, parser, cores):
    """Sets the networks and what is measured of them."""
    if options.networks:
        parser.error("--networks has a table of its own")
    names = options.table.split(",")
    if options.table == "all":
        names = [name for name in NETWORKS if name not in BLOCKS or options.small]
        names += [f"{name}:style={style}" for name, style in SPELLED]
    for name in {name.partition(":")[0] for name in names} - set(NETWORKS):
        parser.error(f"--networks: there is no network {name}")
    options.networks = names
    options.thread_counts = [options.threads] if options.threads else sorted({1, cores})
    # Small images are a test, which may be slow.
    options.slowest = options.slowest or (3600 if options.small else 2)
    options.patience = 3600 if options.small else PATIENCE
    if options.small:
        options.precisions = "f32"
        options.networks = [small(name) for name in names]


def small(name):
    network, _, parameters = name.partition(":")
    return f"{network}:{parameters},size={small_size(network)}"


class LoadedFusion(contenders.Worker, contenders.Fusion):
    """Compiled once for all rounds, as peers are, and not for each. A row is nothing
    without it, whatever it takes."""

    patience = None

    def command(self):
        return self.command_line(
            "--requests", "--repeat=2", "--warmup=1", f"--output={self.output}"
        )

    def prepare(self):
        estimate = super().prepare()
        self.about = self.describe(self.about)
        return estimate

    # Callers are threads of a program of their own.
    prepare_callers = contenders.Fusion.prepare_callers
    measure_callers = contenders.Fusion.measure_callers


class LoadedUnfused(LoadedFusion):
    name = "unfused"
    mode = "unfused"
    is_main = False


class LoadedWinograd(contenders.Winograd, LoadedFusion):
    """It may reorder sums, as none of the others does."""

    name = "Fusion Winograd"


class KeptPyTorch(contenders.PyTorch):
    """One process for all numbers of threads, since it takes long to start. It writes the
    file for ONNX Runtime, too."""

    failure = None

    def command(self):
        options = self.case.options
        command = super().command() + [f"--threads={options.thread_counts[-1]}"]
        command.append(f"--patience={options.patience / 3}")
        model = self.case.path("model.onnx")
        return command + ([] if os.path.exists(model) else [f"--onnx={model}"])

    def prepare(self):
        plain = self.case.kept.get("f32", self)
        if plain is not self and plain.failure:
            raise contenders.Failure("not tried, since f32 does not run")
        if self.failure:
            raise contenders.Failure(self.failure)
        if self.process:
            return self.measure(2)["min_us"]
        try:
            return super().prepare()
        except contenders.Failure as failure:
            self.failure = str(failure)
            self.end()
            raise

    def measure(self, repeat):
        return contenders.summarize(self.ask(repeat, 1, self.case.threads)["times_us"])

    def close(self):
        pass

    def end(self):
        super().close()


def make_contenders(case, options, has_onnxruntime):
    """PyTorch's numbers are in the row of torch-mlir's spelling; in other ones it is there
    for small images, to be compared with."""
    precisions = options.precisions if case.style == "torch-mlir" else ["f32"]
    made = [LoadedFusion(case, precision) for precision in precisions]
    if case.torch_python and (case.style == "torch-mlir" or options.small):
        for precision in precisions:
            if precision not in case.kept:
                case.kept[precision] = KeptPyTorch(case, precision)
            made.append(case.kept[precision])
    if not options.small:
        made += [LoadedUnfused(case, "f32"), LoadedWinograd(case, "f32")]
    if has_onnxruntime and case.torch_python:
        made.append(contenders.OnnxRuntime(case, "f32"))
    return made


def ratio(network, ours, other):
    """Of the rounds. A network without kernels of minimal filtering runs as it does without them."""
    if ours == WINOGRAD and not any(c["title"] == WINOGRAD for c in network["contenders"]):
        ours = OURS
    return report.ratio(network, ours, other)


def row(network):
    by_title = {contender["title"]: contender for contender in network["contenders"]}
    ours = by_title[OURS]
    errors = [
        contender["max_rel_error"]
        for contender in by_title.values()
        if contender["precision"] == "f32" and "max_rel_error" in contender
    ]
    spread = f"{report.milliseconds(ours['mean_us'])} ± {report.milliseconds(ours['std_us'])}"
    ratios = (ratio(network, *pair) for _, *pair in RATIOS)
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
        found = [statistics.median(r) for r in (ratio(n, *pair) for n in networks) if r]
        cells.append(f"{statistics.geometric_mean(found):.2f}" if found else "–")
    return ["**geometric mean**", "", "", *cells, "", "", "", "", ""]


def left_out(networks):
    lines = [
        f"- {n['network']}: " + "; ".join(f"{title}, {reason}" for title, reason in n["left_out"])
        for n in networks
        if n["left_out"]
    ]
    return "Left out:\n\n" + "\n".join(lines) + "\n" if lines else ""


def page(instructions):
    """The file of the tables. A CPU without AVX-512 has other kernels, and a page of its own."""
    return "Networks.md" if "avx512f" in instructions else "NetworksAVX2.md"


def header(results):
    kind = "" if "avx512f" in results["instructions"] else " with AVX2 alone"
    about = {key: results[key] for key in ("minutes", "seconds", "slowest", "patience")}
    names = len({network["network"] for network in results["networks"]})
    return HEADER.format(kind=kind, names=names, rounds=report.count(results["rounds"], "round"), **about)


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
    parts = [header(results)]
    by_threads = itertools.groupby(
        sorted(networks, key=lambda n: n["threads"]), key=lambda n: n["threads"]
    )
    for threads, group in by_threads:
        group = list(group)
        parts.append(f"## {report.count(threads, 'thread')}\n")
        parts.append(report.conditions({**results, "threads": threads, "networks": group}))
        rows = [*map(row, group)] + ([means(group)] if len(group) > 1 else [])
        parts.append(report.table(columns, rows))
        if lines := left_out(group):
            parts.append(lines)
    if networks:
        parts.append(kernels([n for n in networks if n["threads"] == networks[0]["threads"]]))
    return "\n".join(parts)
