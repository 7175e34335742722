#!/usr/bin/env python3
# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times whole networks: compiled by Fusion, against the sum of their oneDNN kernels
(benchmarks/limit) and against PyTorch and ONNX Runtime, where these are installed.

All run the same network with the same seeded weights and the same input, one after the
other in rounds, of which every second goes the other way round; the results are
compared. Ratios are medians of the ratios of the rounds. docs/Benchmarking.md says more.

With --neighbours=N so many processes compute, or copy memory, meanwhile; with
--callers=N Fusion, PyTorch and ONNX Runtime get so many requests at a time.

With --networks=LIST there is a table of many networks for one thread, and one for as many
as there are cores; with --small as well, results are compared with PyTorch's on images
that take next to no time.

A NETWORK may have parameters: weenet:planes=32,depth=4,size=64; with style=tosa or
style=stablehlo Fusion gets it in that spelling, with channels last.
The name `layers` stands for single layers: oneDNN, the C runtime, compiled code.
"""

import argparse
import json
import os
import statistics
import sys
import time

sys.dont_write_bytecode = True
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "networks"))

import agreement
import contenders
import loads
import network_table
import plot
import report
import single_layers
from case import Case
from contenders import Failure, SameAsAnother
from machine import processor
from neighbours import WORK, Neighbours

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
NETWORKS = ["resnet18", "resnet50", "vgg16_bn", "mobilenet_v2", "weenet"]
LAYERS = ["conv_1x1", "depthwise_3x3"]
# The networks that --write-docs also measures under load. VGG-16 takes most of the
# time.
UNDER_LOAD = ["resnet18", "resnet50", "mobilenet_v2", "weenet"]
# Not a network, but the layers of layers.py in one program.
SINGLE = "layers"


def say(text):
    print(text, file=sys.stderr, flush=True)


def all_contenders(case, options, has_onnxruntime):
    if options.table:
        return network_table.make_contenders(case, options, has_onnxruntime)
    kinds = [contenders.Limit, contenders.Fusion, contenders.Unfused]
    if case.torch_python:
        kinds.append(contenders.PyTorch)
    made = [kind(case, precision) for precision in options.precisions for kind in kinds]
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
    if has_onnxruntime and "u8" in options.precisions and options.quantized_style == "qdq":
        made.append(contenders.OnnxRuntime(case, "u8"))
    return made


def prepare(case, options, has_onnxruntime, problems):
    """The contenders that run, each with the number of runs in a round."""
    ready = []
    case.left_out = []
    for contender in all_contenders(case, options, has_onnxruntime):
        if options.loads[0].callers > 1 and not takes_part(contender, options.loads[0], options):
            continue
        say(f"{case.name}: preparing {contender.title}")
        try:
            estimate = contender.prepare()
            is_peer = not isinstance(contender, contenders.Fusion)
            if is_peer and options.slowest and estimate > options.slowest * 1e6:
                raise Failure(f"a call takes {estimate / 1e6:.1f} s")
        except SameAsAnother:
            contender.close()
            say(f"{case.name}: {contender.title} has no kernels of its own")
            continue
        except (Failure, OSError, KeyError, ValueError) as failure:
            contender.close()
            message = f"{case.name}: {contender.title} does not run: {failure}"
            say(f"skipped: {message}")
            case.left_out.append((contender.title, str(failure)))
            if isinstance(contender, contenders.Fusion):
                problems.append(message)
            continue
        # A slow contender runs once in a round.
        least = 3 if estimate < 5e5 else 1
        ready.append((contender, runs_in(options.seconds, estimate, least)))
    if not ready:
        raise Failure("nothing runs")
    return ready


def runs_in(seconds, microseconds, least=3):
    return min(max(int(seconds * 1e6 / microseconds), least), 2000)


def runs_beside(contender, most, seconds):
    """The number of runs that fit beside neighbours. Some contenders take a thousand
    times as long as on an idle machine, and others do so now and then."""
    count = 2
    while True:
        mean = contender.measure(count)["mean_us"]
        if count == most or count * mean > seconds * 1e6 / 4:
            return min(runs_in(seconds, mean, least=1), most)
        count = min(16 * count, most)


def takes_part(contender, load, options):
    if load.callers > 1:
        return contender.is_main and contender.takes_callers
    return contender.is_main or load == options.loads[0]


def prepare_load(case, ready, options, load):
    """The contenders that run under this load, with the number of their runs in a
    round, and the settings that are the best ones."""
    chosen, settings = [], {}
    for contender, repeat in ready:
        if not takes_part(contender, load, options):
            continue
        if load.callers > 1:
            say(f"{case.name}: preparing {contender.title}, {load}")
            few = max(repeat // (5 * load.callers), 2)
            setting = contender.prepare_callers(load.callers, few)
            settings[contender.title] = setting
            rate = contender.measure_callers(load.callers, 2)["requests_per_second"]
            repeat = runs_in(options.seconds, 1e6 * load.callers / rate)
        elif load.neighbours:
            repeat = runs_beside(contender, repeat, options.seconds)
        chosen.append((contender, repeat))
    return chosen, settings


def measure(case, ready, options, load=loads.IDLE, count=None):
    """Statistics for each contender and round."""
    rounds = []
    count = count or options.rounds
    for number in range(count):
        begin = time.monotonic()
        results = {}
        for contender, repeat in ready if number % 2 == 0 else reversed(ready):
            if load.callers > 1:
                result = contender.measure_callers(load.callers, repeat)
            else:
                result = contender.measure(repeat)
            results[contender.title] = result
        rounds.append(results)
        if load.neighbours and load.callers == 1:
            # A round that took too long is the last one.
            ready = [
                (c, min(n, runs_in(options.seconds, results[c.title]["mean_us"], least=1)))
                for c, n in ready
            ]
        medians = ", ".join(
            f"{contender.title} {results[contender.title]['median_us'] / 1e3:.2f}"
            for contender, _ in ready
        )
        took = time.monotonic() - begin
        say(f"{case.name}: {load}, round {number + 1} of {count}, {took:.0f} s, ms: {medians}")
    return rounds


def measure_load(case, ready, options, load):
    """All rounds under one load, with neighbours while they last and no longer."""
    with Neighbours(load.neighbours, load.work):
        chosen, settings = prepare_load(case, ready, options, load)
        count = options.rounds if load == options.loads[0] else min(options.rounds, 3)
        rounds = measure(case, chosen, options, load, count)
    return {**load._asdict(), "settings": settings, "rounds": rounds}


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


def bench(case, options, has_onnxruntime, problems):
    """The results for each number of threads."""
    say(f"{case.name}: writing the network")
    case.generate()
    try:
        for case.threads in options.thread_counts:
            yield bench_threads(case, options, has_onnxruntime, problems)
    finally:
        for contender in case.kept.values():
            contender.end()
        # Those of all networks would take tens of GB.
        if options.table:
            case.remove(case.module("f32"), "model.onnx")


def bench_threads(case, options, has_onnxruntime, problems):
    ready = prepare(case, options, has_onnxruntime, problems)
    try:
        errors, reference = agreement.compare(case.name, ready, problems)
        measured = [
            measure_load(case, ready, options, load)
            for load in options.loads
            if load == options.loads[0] or case.network in UNDER_LOAD
        ]
        for contender, repeat in ready:
            if measured[0]["callers"] == 1 and not (options.table and contender.title != network_table.OURS):
                contender.profile(repeat)
    finally:
        for contender, _ in ready:
            contender.close()
    # Tables and plot show the first load, unless it has several callers.
    rounds = measured[0]["rounds"] if measured[0]["callers"] == 1 else []
    return {
        "network": case.name,
        "threads": case.threads,
        "reference": reference,
        "left_out": case.left_out,
        "loads": measured,
        "rounds": rounds,
        "contenders": [
            {
                "title": contender.title,
                "name": contender.name,
                "precision": contender.precision,
                **contender.about,
                **(overall([results[contender.title] for results in rounds]) if rounds else {}),
                **errors.get(contender.title, {}),
            }
            for contender, _ in ready
        ],
    }


def default_precisions():
    """Without AVX-512 the limit in bf16 would be oneDNN's reference implementation, and
    without VNNI sums of bytes saturate."""
    instructions = processor()[1]
    if "avx512f" not in instructions:
        say("skipped: bf16, which oneDNN computes in its reference kernels without AVX-512")
        return "f32"
    if "avx512_vnni" not in instructions:
        say("skipped: u8, of which sums of the limit saturate without VNNI")
        return "f32,bf16"
    return "f32,bf16,u8"


def chosen_loads(options, parser):
    for name, least in ("neighbours", 0), ("callers", 1):
        number = getattr(options, name)
        if number is not None and number < least:
            parser.error(f"--{name} must be at least {least}, got {number}")
    if options.neighbours is None and options.callers is None:
        is_documented = options.write_docs and not options.table
        return loads.DOCUMENTED if is_documented else [loads.IDLE]
    return [loads.Load(options.neighbours or 0, options.callers or 1, options.neighbour_work)]


def parse_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("networks", nargs="*", metavar="NETWORK",
        help=f"default: {' '.join(NETWORKS + LAYERS + [SINGLE])}")  # fmt: skip
    add("--networks", dest="table", metavar="LIST",
        help="all, or NAME,NAME: a table of many networks")  # fmt: skip
    add("--small", action="store_true",
        help="with --networks, small images; PyTorch's results are compared, too")  # fmt: skip
    add("--build", default=os.path.join(ROOT, "build"), metavar="DIR",
        help="build folder (default: build)")  # fmt: skip
    add("--quick", action="store_true", help="2 rounds of 0.2 s")
    add("--rounds", type=int, metavar="N",
        help="rounds of every contender (default: 7, of several loads 5)")  # fmt: skip
    add("--seconds", type=float, metavar="S",
        help="time of a contender in a round (default: 1, of several loads 0.5)")  # fmt: skip
    add("--slowest", type=float, metavar="S",
        help="leave out peers of which a call takes longer (default: no limit; of --networks"
        " 2)")  # fmt: skip
    add("--batch", type=int, default=1, metavar="N", help="images (default: 1)")
    add("--threads", type=int, metavar="N",
        help="default: the number of cores; of --networks 1 as well")  # fmt: skip
    add("--neighbours", type=int, metavar="N",
        help="processes that work meanwhile (default: 0)")  # fmt: skip
    add("--neighbour-work", choices=sorted(WORK), default="compute",
        help="of neighbours: compute, or copy 256 MB again and again (default: compute)")  # fmt: skip
    add("--callers", type=int, metavar="N",
        help="requests at a time: how many are answered in a second (default: 1)")  # fmt: skip
    add("--precisions", metavar="LIST", help="default: f32,bf16,u8, as far as the CPU has them")
    add("--quantized-style", choices=("qdq", "tosa-int8"), default="qdq",
        help="spelling of u8; ONNX Runtime has that of qdq alone (default: qdq)")  # fmt: skip
    add("--no-peers", action="store_true", help="without PyTorch and ONNX Runtime")
    add("--folder", metavar="DIR", help="for files (default: benchmarks in the build)")
    add("--write-docs", nargs="?", const=os.path.join(ROOT, "docs"), metavar="DIR",
        help="write Benchmarks.md and benchmarks.svg (default: into docs); without"
        " --neighbours and --callers of an idle machine, of one with 1 and 2 neighbours,"
        " and of 4 callers; of --networks Networks.md, or NetworksAVX2.md of a CPU without"
        " AVX-512")  # fmt: skip
    options = parser.parse_args()
    cores = len(os.sched_getaffinity(0))
    options.thread_counts = [options.threads or cores]
    # Seconds in which a program has to be ready; None is no limit.
    options.patience = None
    if options.table:
        network_table.choose(options, parser, cores)
    options.loads = chosen_loads(options, parser)
    has_several = len(options.loads) > 1
    options.rounds = options.rounds or (2 if options.quick else 5 if has_several else 7)
    options.seconds = options.seconds or (0.2 if options.quick else 0.5 if has_several else 1)
    options.precisions = (options.precisions or default_precisions()).split(",")
    if options.table:  # Not all networks have a quantised form.
        options.precisions = [name for name in options.precisions if name != "u8"]
    for precision in options.precisions:
        if precision not in agreement.TOLERANCE:
            parser.error(f"--precisions={precision}: f32, bf16 and u8 are known")
    if not options.networks:
        options.networks = NETWORKS + LAYERS + [SINGLE] * (options.loads[0].callers == 1)
    options.folder = options.folder or os.path.join(options.build, "benchmarks")
    return options


def bench_layers(options):
    """The layers and what a call costs; two times None if the programs were not built."""
    say("layers: measuring")
    programs = os.path.join(options.build, "bin")
    environment = contenders.plain_environment()
    try:
        with Neighbours(options.loads[0].neighbours, options.loads[0].work):
            layers = single_layers.measure(
                os.path.join(programs, "layer-benchmarks"),
                *(options.thread_counts[-1], options.rounds, options.seconds / 10),
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
    torch_python = contenders.find_python("numpy", "torch")
    if not torch_python:
        say("skipped: PyTorch, there is no Python with the packages torch and numpy")
        say("skipped: ONNX Runtime, PyTorch writes its files")
        return None, False
    missing = contenders.missing_onnxruntime(options.folder)
    if missing:
        say(f"skipped: ONNX Runtime, {missing}")
    return torch_python, not missing


def write_docs(options, results, text):
    if options.table:
        files = {network_table.page(results["instructions"]): text}
    else:
        files = {"Benchmarks.md": text, "benchmarks.svg": plot.svg(results)}
    for name, content in files.items():
        path = os.path.join(options.write_docs, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(content)
        say(f"written: {path}")


def main():
    options = parse_options()
    os.makedirs(options.folder, exist_ok=True)
    torch_python, has_onnxruntime = find_peers(options)
    model, instructions = processor()
    problems, networks = [], []
    begin = time.monotonic()
    for number, text in enumerate(options.networks, 1):
        minutes = (time.monotonic() - begin) / 60
        say(f"{text}: {number} of {len(options.networks)}, {minutes:.0f} minutes so far")
        if text == SINGLE:
            continue
        case = Case(text, options, torch_python)
        try:
            networks += bench(case, options, has_onnxruntime, problems)
        except Failure as failure:
            problems.append(f"{case.name}: {failure}")
    results = {
        "processor": model,
        "instructions": instructions,
        "threads": options.thread_counts[-1],
        "batch": options.batch,
        "minutes": (time.monotonic() - begin) / 60,
        "rounds": options.rounds,
        "seconds": options.seconds,
        "slowest": options.slowest,
        "patience": options.patience,
        "load": str(options.loads[0]),
        "raw_openmp": contenders.RAW_OPENMP,
        "networks": networks,
    }
    if SINGLE in options.networks:
        results["layers"], results["overhead"] = bench_layers(options)
    if networks or results.get("layers"):
        with open(os.path.join(options.folder, "results.json"), "w") as file:
            json.dump(results, file, indent=1)
        if options.table:
            text = network_table.markdown(results)
        else:
            text = report.markdown(results, loads.markdown(networks))
        if results.get("layers"):
            text += single_layers.markdown(results["layers"], results["overhead"])
        print(text, end="")
        if options.write_docs:
            write_docs(options, results, text)
    for problem in problems:
        say(f"problem: {problem}")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
