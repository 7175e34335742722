#!/usr/bin/env python3
# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times single convolution layers: compiled by Fusion, channels last, against the
raw oneDNN primitive, in alternating rounds of one run.

usage: layers.py [--build=DIR] [--rounds=N] [--repeat=N] [--threads=N]
       layers.py --write=DIR

Raw is the best of the candidates that benchmarks/raw-conv tries, none of them in
oneDNN's reference implementation. A round times both; the table has the median over
the rounds of each, the median of the ratios of the rounds and their range, and the
ratio of the best rounds, which suffers least from what else the machine does.

--write writes the layers for benchmarks/layers, which times them within one program: a
module for each layer and type, and the list that C++ includes.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True

from contenders import RAW_OPENMP, plain_environment

# batch, inputs, outputs, height, width, kernel, stride, pad, groups
LAYERS = [
    ("64 -> 64 3x3 56x56", (1, 64, 64, 56, 56, 3, 1, 1, 1)),
    ("64 -> 64 3x3 128x128", (1, 64, 64, 128, 128, 3, 1, 1, 1)),
    ("64 -> 256 1x1 56x56", (1, 64, 256, 56, 56, 1, 1, 0, 1)),
    ("256 -> 256 3x3 14x14", (1, 256, 256, 14, 14, 3, 1, 1, 1)),
    ("depthwise 96 3x3 112x112", (1, 96, 96, 112, 112, 3, 1, 1, 96)),
    ("3 -> 64 3x3 224x224", (1, 3, 64, 224, 224, 3, 1, 1, 1)),
    # A layer without work: the cost of a call.
    ("16 -> 16 1x1 4x4", (1, 16, 16, 4, 4, 1, 1, 0, 1)),
]

MODULE = """\
func.func @{name}(%x: tensor<{n}x{h}x{w}x{ic}x{t}>, %w: tensor<{filter}x{t}> {{fusion.constant}},
    %b: tensor<{oc}xf32> {{fusion.constant}}) -> tensor<{n}x{oh}x{ow}x{oc}x{t}> {{
  %zero = arith.constant 0.0 : f32
  %pad_value = arith.constant 0.0 : {t}
  %p = tensor.pad %x low[0, {pad}, {pad}, 0] high[0, {pad}, {pad}, 0] {{
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %pad_value : {t}
  }} : tensor<{n}x{h}x{w}x{ic}x{t}> to tensor<{n}x{ph}x{pw}x{ic}x{t}>
  %e = tensor.empty() : tensor<{n}x{oh}x{ow}x{oc}xf32>
  %bias = linalg.broadcast ins(%b : tensor<{oc}xf32>) outs(%e : tensor<{n}x{oh}x{ow}x{oc}xf32>) dimensions = [0, 1, 2]
  %c = linalg.{op} {{strides = dense<{stride}> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}}
         ins(%p, %w : tensor<{n}x{ph}x{pw}x{ic}x{t}>, tensor<{filter}x{t}>)
         outs(%bias : tensor<{n}x{oh}x{ow}x{oc}xf32>) -> tensor<{n}x{oh}x{ow}x{oc}xf32>
  %o = tensor.empty() : tensor<{n}x{oh}x{ow}x{oc}x{t}>
  %r = linalg.generic {{indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel"]}}
         ins(%c : tensor<{n}x{oh}x{ow}x{oc}xf32>) outs(%o : tensor<{n}x{oh}x{ow}x{oc}x{t}>) {{
  ^bb0(%in: f32, %out: {t}):
    %relu = arith.maximumf %in, %zero : f32
{result}
  }} -> tensor<{n}x{oh}x{ow}x{oc}x{t}>
  return %r : tensor<{n}x{oh}x{ow}x{oc}x{t}>
}}
"""


def write_module(path, layer, element_type, name="main"):
    n, ic, oc, h, w, kernel, stride, pad, groups = layer
    depthwise = groups == ic and groups == oc and groups > 1
    narrow = element_type != "f32"
    result = (
        f"    %narrow = arith.truncf %relu : f32 to {element_type}\n"
        f"    linalg.yield %narrow : {element_type}"
        if narrow
        else "    linalg.yield %relu : f32"
    )
    text = MODULE.format(
        name=name,
        n=n, ic=ic, oc=oc, h=h, w=w, pad=pad, stride=stride, t=element_type,
        ph=h + 2 * pad, pw=w + 2 * pad, result=result,
        oh=(h + 2 * pad - kernel) // stride + 1,
        ow=(w + 2 * pad - kernel) // stride + 1,
        op="depthwise_conv_2d_nhwc_hwc" if depthwise else "conv_2d_nhwc_hwcf",
        filter=f"{kernel}x{kernel}x{oc}" if depthwise else f"{kernel}x{kernel}x{ic}x{oc}",
    )  # fmt: skip
    with open(path, "w") as file:
        file.write(text)


def write_all(folder):
    """As CMake of benchmarks/layers has it: layer0_f32.mlir and so on."""
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "layers.def"), "w") as file:
        for number, (title, layer) in enumerate(LAYERS):
            for element_type in "f32", "bf16":
                name = f"layer{number}_{element_type}"
                path = os.path.join(folder, name + ".mlir")
                write_module(path, layer, element_type, name)
                numbers = ", ".join(map(str, layer))
                is_bf16 = str(element_type == "bf16").lower()
                file.write(f'LAYER({name}, "{title}", {is_bf16}, {numbers})\n')


def run_json(command, environment):
    process = subprocess.run(
        command, env=environment, capture_output=True, text=True, check=False
    )
    if process.returncode != 0:
        sys.exit(f"layers.py: {' '.join(command)} failed:\n{process.stderr}")
    return json.loads(process.stdout)


def measure(layer, element_type, options):
    environment = plain_environment()
    raw_environment = {**environment, **RAW_OPENMP}
    tools = os.path.join(options.build, "bin")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "layer.mlir")
        write_module(path, layer, element_type)
        raw_command = [
            os.path.join(tools, "raw-conv"),
            "--layer=" + ",".join(map(str, layer)),
            "--type=" + element_type,
            f"--repeat={options.repeat}",
            f"--threads={options.threads}",
        ]
        our_command = [
            os.path.join(tools, "fusion-run"), path, "--json",
            f"--repeat={options.repeat}", "--warmup=10",
            f"--threads={options.threads}",
        ]  # fmt: skip
        rounds = []
        for number in range(options.rounds):
            # The order of the two changes from round to round.
            if number % 2 == 0:
                raw = run_json(raw_command, raw_environment)
                ours = run_json(our_command, environment)
            else:
                ours = run_json(our_command, environment)
                raw = run_json(raw_command, raw_environment)
            rounds.append((raw, ours))
    return rounds


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    parser.add_argument("--build", default=os.path.join(root, "build"))
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--repeat", type=int, default=200)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--types", default="f32,bf16")
    parser.add_argument("--write", metavar="DIR")
    options = parser.parse_args()
    if options.write:
        write_all(options.write)
        return
    print(
        f"{options.threads} threads, {options.rounds} rounds of {options.repeat} calls, "
        "medians in us\n"
    )
    print("| layer | type | raw oneDNN | kernel | Fusion | kernel | Fusion / raw | best / best |")
    print("|---|---|---|---|---|---|---|---|")
    version = ""
    for element_type in options.types.split(","):
        for name, layer in LAYERS:
            rounds = measure(layer, element_type, options)
            best = [raw["best"] for raw, _ in rounds]
            ratios = [
                ours["median_us"] / raw["best"]["median_us"] for raw, ours in rounds
            ]
            ours = [ours["median_us"] for _, ours in rounds]
            kernels = rounds[-1][1]["kernels"]
            kernel = kernels[0]["kernel"] if isinstance(kernels[0], dict) else kernels[0]
            references = rounds[-1][1]["reference_kernels"]
            version = rounds[-1][0]["onednn"]
            print(
                f"| {name} | {element_type} "
                f"| {statistics.median(b['median_us'] for b in best):.0f} "
                f"| {best[-1]['name']}, {best[-1]['kernel']} "
                f"| {statistics.median(ours):.0f} "
                f"| {kernel}{' (reference!)' if references else ''} "
                f"| {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f}) "
                f"| {min(ours) / min(b['median_us'] for b in best):.2f} |",
                flush=True,
            )
    print(f"\noneDNN {version}")


if __name__ == "__main__":
    main()
