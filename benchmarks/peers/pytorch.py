#!/usr/bin/env python3
# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a network of benchmarks/networks in PyTorch, with the same seeded weights.

A network of images is in channels last; what runs is the best of eager and
optimize_for_inference(freeze(trace)), in bf16 also of autocast. In u8 it is the trace,
quantised by quantize_jit with scales and zero points for this input. First one line of JSON
comes out: version, variant, threads. Then, for each number N that is read from standard
input, the network runs N times and a line of JSON has the times in microseconds. For
`N CALLERS THREADS` so many Python threads run it N times each, at once, each with
THREADS threads of PyTorch's; a single caller warms up when THREADS are others than before.
"""

import argparse
import copy
import json
import math
import os
import sys
import threading
import time
import warnings

sys.dont_write_bytecode = True
sys.path.insert(
    0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "networks")
)

import numpy
import torch
from torch.ao.quantization import get_default_qconfig
from torch.ao.quantization.quantize_jit import convert_jit, prepare_jit

from networks import build, input_shape
from torch_layers import Layers


# Relative to the largest value of the first variant.
TOLERANCE = {"f32": 1e-4, "bf16": 6e-2, "u8": 0}
# Of a variant whose first run takes more seconds, no other one is timed to choose.
SLOW = 1.0
# Kernels for integers on x86, the best first.
ENGINES = ["x86", "onednn", "fbgemm"]


class Network(torch.nn.Module):
    def __init__(self, options):
        super().__init__()
        self.options = options
        self.layers = torch.nn.ModuleDict()
        shape = input_shape(options.network, options.batch, options.size, options.planes)
        self.forward(torch.zeros(shape))
        self.eval()

    def forward(self, x):
        options = self.options
        style = Layers(self.layers, options.seed, x)
        parameters = {"planes": options.planes, "depth": options.depth}
        return build(options.network, style, options.size, **parameters)


def trace(network, x):
    # `choose` compares the result, which the tracer would do with three more runs.
    traced = torch.jit.trace(network, x, check_trace=False)
    traced = torch.jit.optimize_for_inference(torch.jit.freeze(traced))
    traced(x)
    return traced


def quantize(network, x):
    supported = torch.backends.quantized.supported_engines
    engine = next((name for name in ENGINES if name in supported), None)
    if not engine:
        sys.exit("pytorch: it has no kernels for integers on x86")
    torch.backends.quantized.engine = engine
    observed = prepare_jit(torch.jit.trace(network, x), {"": get_default_qconfig(engine)})
    observed(x)
    return f"quantize_jit, {engine}", convert_jit(observed)


def variants(network, x, precision):
    """Functions without arguments, by name."""
    if precision == "u8":
        name, quantized = quantize(network, x)
        yield name, lambda: quantized(x)
        return
    if precision == "f32":
        yield "eager", lambda: network(x)
        traced = trace(network, x)
        yield "optimize_for_inference", lambda: traced(x)
        return

    def autocast():
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return network(x)

    yield "autocast", autocast
    narrow = copy.deepcopy(network).to(torch.bfloat16)
    # The input and the result are f32 for all contenders.
    yield "bf16 eager", lambda: narrow(x.to(torch.bfloat16))
    traced_narrow = trace(narrow, x.to(torch.bfloat16))
    yield "bf16 optimize_for_inference", lambda: traced_narrow(x.to(torch.bfloat16))


def measure(run, repeat):
    times = []
    for _ in range(repeat):
        begin = time.perf_counter()
        run()
        times.append((time.perf_counter() - begin) * 1e6)
    return times


def measure_callers(run, repeat, callers, threads):
    """Each caller warms up, and all begin at once."""
    times, spans = [], []
    barrier = threading.Barrier(callers)

    def call():
        torch.set_num_threads(threads)
        with torch.no_grad():
            run()
            barrier.wait()
            begin = time.perf_counter()
            times.extend(measure(run, repeat))
            spans.append((begin, time.perf_counter()))

    workers = [threading.Thread(target=call) for _ in range(callers)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    if len(spans) < callers:
        sys.exit("pytorch: a caller failed")
    wall = max(end for _, end in spans) - min(begin for begin, _ in spans)
    return {"times_us": times, "wall_us": wall * 1e6}


def answer(run, line, threads):
    """The times that a line of standard input asks for."""
    repeat, *callers = map(int, line.split())
    if callers and callers[0] > 1:
        return measure_callers(run, repeat, *callers)
    threads = callers[1] if callers else threads
    if threads != torch.get_num_threads():
        torch.set_num_threads(threads)
        run()
    return {"times_us": measure(run, repeat)}


def best_time(run, took):
    """The least time in microseconds of some runs; of one that took so many seconds, of
    fewer of them."""
    if took > SLOW:
        return took * 1e6
    run()
    return min(measure(run, 5))


def choose(network, x, precision, patience):
    """The best variant that agrees with the first: its name, its function, its result.
    PyTorch 1.13 optimizes hard swish in channels last to something else. After so many
    seconds no other variant is tried."""
    best, best_us, first = None, None, None
    candidates = variants(network, x, precision)
    end = time.monotonic() + patience
    while best is None or time.monotonic() < end:
        try:
            name, run = next(candidates)
            begin = time.monotonic()
            result = run().float()
            took = best_time(run, time.monotonic() - begin)
        except StopIteration:
            break
        except Exception as error:  # what a version of PyTorch cannot do
            print(f"pytorch: a variant failed: {error}", file=sys.stderr)
            continue
        first = result if first is None else first
        if (result - first).abs().max() > TOLERANCE[precision] * first.abs().max():
            print(f"pytorch: {name} differs from the first variant", file=sys.stderr)
            continue
        if best is None or took < best_us:
            best, best_us = (name, run, result), took
    if best is None:
        sys.exit(f"pytorch: nothing runs in {precision}")
    return best


def write_onnx(network, x, path):
    """All of the file or nothing."""
    unfinished = path + ".tmp"
    torch.onnx.export(network, x, unfinished, opset_version=13)
    os.replace(unfinished, path)


def parse_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("network", metavar="NETWORK")
    add("--precision", choices=("f32", "bf16", "u8"), default="f32")
    for name in "size", "planes", "depth", "threads":
        add(f"--{name}", type=int, metavar="N")
    add("--batch", type=int, default=1, metavar="N")
    add("--seed", type=int, default=0, metavar="N")
    add("--input", required=True, metavar="FILE.npy")
    add("--output", metavar="FILE.npy", help="the result; without it nothing else is done")
    add("--onnx", metavar="FILE", help="write the network as ONNX, too")
    add("--patience", type=float, default=math.inf, metavar="S",
        help="seconds after which no other variant is tried")  # fmt: skip
    return parser.parse_args()


def main():
    options = parse_options()
    warnings.simplefilter("ignore")
    if options.threads:
        torch.set_num_threads(options.threads)
    x = torch.from_numpy(numpy.load(options.input))
    with torch.no_grad():
        network = Network(options)
        if options.onnx:
            write_onnx(network, x, options.onnx)
        if not options.output:
            return
        if x.dim() == 4:
            network = network.to(memory_format=torch.channels_last)
            x = x.to(memory_format=torch.channels_last)
        name, run, result = choose(network, x, options.precision, options.patience)
        numpy.save(options.output, result.contiguous().numpy())
        about = {
            "backend": f"PyTorch {torch.__version__}",
            "configuration": name,
            "threads": torch.get_num_threads(),
            "precision": options.precision,
        }
        print(json.dumps(about), flush=True)
        for line in sys.stdin:
            print(json.dumps(answer(run, line, about["threads"])), flush=True)


if __name__ == "__main__":
    main()
