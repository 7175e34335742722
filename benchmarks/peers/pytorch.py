#!/usr/bin/env python3
# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a network of benchmarks/networks in PyTorch, with the same seeded weights.

The network is in channels last; what runs is the best of eager and
optimize_for_inference(freeze(trace)), in bf16 also of autocast. First one line of JSON
comes out: version, variant, threads. Then, for each number N that is read from standard
input, the network runs N times and a line of JSON has the times in microseconds. For
`N CALLERS THREADS` so many Python threads run it N times each, at once, each with
THREADS threads of PyTorch's.
"""

import argparse
import copy
import json
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
import torch.nn.functional as F

from networks import build
from weights import values


class Layers:
    """The style (see style.py) that computes: a network written with it runs. Layers
    are made the first time they are asked for."""

    def __init__(self, modules, seed, batch=1):
        self.modules = modules
        self.seed = seed
        self.batch = batch
        self.numbers = {}
        self.x = None

    def image_input(self, channels, size):
        if self.x is None:
            self.x = torch.zeros(self.batch, channels, size, size)
        return self.x

    def channels(self, x):
        return int(x.shape[1])

    def layer(self, kind, make):
        number = self.numbers.get(kind, 0)
        self.numbers[kind] = number + 1
        name = f"{kind}{number}"
        if name not in self.modules:
            module = make()
            roles = {
                "bn": {
                    "weight": "gamma",
                    "bias": "beta",
                    "running_mean": "mean",
                    "running_var": "variance",
                },
                "ln": {"weight": "gamma", "bias": "beta"},
            }.get(kind, {"weight": "weight", "bias": "bias"})
            if isinstance(module, Value):
                roles = {module.role: module.role}
            for attribute, role in roles.items():
                self.set_values(getattr(module, attribute), f"{name}_{role}")
            # A batch norm in training would change its own mean and variance.
            self.modules[name] = module.eval()
        return self.modules[name]

    def set_values(self, tensor, name):
        if tensor is not None:
            data = bytearray(values(name, tuple(tensor.shape), self.seed))
            data = torch.frombuffer(data, dtype=torch.float32)
            tensor.data.copy_(data.reshape(tensor.shape))

    def conv(self, x, out, kernel, stride=1, pad=0, depthwise=False, bias=False):
        channels = self.channels(x)
        groups = channels if depthwise else 1
        return self.layer(
            "conv",
            lambda: torch.nn.Conv2d(
                channels, out, kernel, stride, pad, groups=groups, bias=bias
            ),
        )(x)

    def batch_norm(self, x, eps=1e-5):
        channels = self.channels(x)
        return self.layer("bn", lambda: torch.nn.BatchNorm2d(channels, eps))(x)

    def linear(self, x, out):
        size = int(x.shape[-1])
        return self.layer("fc", lambda: torch.nn.Linear(size, out))(x)

    def relu(self, x):
        return F.relu(x)

    def relu6(self, x):
        return F.relu6(x)

    def sigmoid(self, x):
        return torch.sigmoid(x)

    def swish(self, x):
        return F.silu(x)

    def add(self, x, y):
        return x + y

    def mul(self, x, y):
        return x * y

    def max_pool(self, x, kernel, stride, pad=0, ceil=False):
        return F.max_pool2d(x, kernel, stride, pad, ceil_mode=ceil)

    def average_pool(self, x, kernel, stride):
        return F.avg_pool2d(x, kernel, stride)

    def global_average_pool(self, x):
        return F.adaptive_avg_pool2d(x, 1)

    def flatten(self, x):
        return torch.flatten(x, 1)

    def concat(self, tensors):
        return torch.cat(tensors, 1)

    # Layers on tokens; see tokens.py of the networks.

    def permute(self, x, permutation):
        return x.permute(permutation)

    def merge(self, x, first, count):
        return torch.flatten(x, first, first + count - 1)

    def split(self, x, dim, sizes):
        shape = x.shape[:dim] + tuple(map(int, sizes)) + x.shape[dim + 1 :]
        return x.reshape(shape)

    def select(self, x, dim, index):
        return x.select(dim, index)

    def layer_norm(self, x, eps=1e-5):
        size = int(x.shape[-1])
        return self.layer("ln", lambda: torch.nn.LayerNorm(size, eps))(x)

    def value(self, kind, role, shape):
        return self.layer(kind, lambda: Value(role, shape))()

    def parameter(self, shape):
        return self.value("parameter", "bias", shape)

    def layer_scale(self, x):
        return x * self.value("scale", "gamma", (self.channels(x), 1, 1))

    def prepend(self, token, x):
        return torch.cat([token.expand(x.shape[0], -1, -1), x], 1)

    def gelu(self, x):
        return F.gelu(x)

    def softmax(self, x):
        return torch.softmax(x, -1)

    def scale(self, x, number):
        return x * number

    def product(self, x, y):
        return x @ y

    def mean_of_tokens(self, x):
        return x.mean(1)


class Value(torch.nn.Module):
    """A weight that is no part of a layer."""

    def __init__(self, role, shape):
        super().__init__()
        self.role = role
        setattr(self, role, torch.nn.Parameter(torch.zeros(tuple(map(int, shape)))))

    def forward(self):
        return getattr(self, self.role)


class Network(torch.nn.Module):
    def __init__(self, options):
        super().__init__()
        self.options = options
        self.layers = torch.nn.ModuleDict()
        self.forward(None, options.batch)
        self.eval()

    def forward(self, x, batch=1):
        options = self.options
        style = Layers(self.layers, options.seed, batch)
        style.x = x
        parameters = {"planes": options.planes, "depth": options.depth}
        return build(options.network, style, options.size, **parameters)


def trace(network, x):
    traced = torch.jit.trace(network, x)
    traced = torch.jit.optimize_for_inference(torch.jit.freeze(traced))
    traced(x)
    return traced


def variants(network, x, precision):
    """Functions without arguments, by name."""
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
    if callers:
        return measure_callers(run, repeat, *callers)
    torch.set_num_threads(threads)
    return {"times_us": measure(run, repeat)}


def choose(network, x, precision):
    """The best variant: its name, its function, its result."""
    best, best_time = None, None
    candidates = variants(network, x, precision)
    while True:
        try:
            name, run = next(candidates)
            result = run().float()
            run()
            took = min(measure(run, 5))
        except StopIteration:
            break
        except Exception as error:  # what a version of PyTorch cannot do
            print(f"pytorch: a variant failed: {error}", file=sys.stderr)
            continue
        if best is None or took < best_time:
            best, best_time = (name, run, result), took
    if best is None:
        sys.exit(f"pytorch: nothing runs in {precision}")
    return best


def parse_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("network", metavar="NETWORK")
    add("--precision", choices=("f32", "bf16"), default="f32")
    for name in "size", "planes", "depth", "threads":
        add(f"--{name}", type=int, metavar="N")
    add("--batch", type=int, default=1, metavar="N")
    add("--seed", type=int, default=0, metavar="N")
    add("--input", required=True, metavar="FILE.npy")
    add("--output", required=True, metavar="FILE.npy", help="the result goes there")
    add("--onnx", metavar="FILE", help="write the network as ONNX and stop")
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
            torch.onnx.export(network, x, options.onnx, opset_version=13)
            return
        network = network.to(memory_format=torch.channels_last)
        x = x.to(memory_format=torch.channels_last)
        name, run, result = choose(network, x, options.precision)
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
