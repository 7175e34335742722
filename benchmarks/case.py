# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A network that bench.py times: its files, and how programs are to run it."""

import os
import subprocess
import sys

import contenders
from contenders import Failure
from generate import STYLES


class Case:
    """One network: its files, and how programs are to run it."""

    def __init__(self, text, options, torch_python):
        self.network, _, parameters = text.partition(":")
        self.options = options
        self.torch_python = torch_python
        self.threads = options.thread_counts[-1]
        # Contenders that stay for all numbers of threads, by precision.
        self.kept = {}
        # Why others do not run: titles and reasons.
        self.left_out = []
        self.environment = contenders.plain_environment()
        self.environment["NODE_PATH"] = options.folder + "/node_modules"
        given = dict(p.partition("=")[::2] for p in parameters.split(",") if p)
        # The spelling of Fusion's module. Peers have one of their own.
        self.style = given.pop("style", "torch-mlir")
        self.is_channels_last = getattr(STYLES.get(self.style), "layout", "") == "nhwc"
        if options.batch != 1:
            given["batch"] = options.batch
        self.network_options = [self.network, *(f"--{p}={v}" for p, v in given.items())]
        spelling = [self.style] if self.style != "torch-mlir" else []
        self.name = "-".join([self.network, *spelling, *(f"{p}{v}" for p, v in given.items())])

    def module(self, precision):
        suffix = ".u8.mlir" if precision == "u8" else ".mlir"
        return os.path.join(self.options.folder, self.name + suffix)

    def input(self, precision):
        """An image of the module, which may have its channels last."""
        if precision == "u8":
            return self.path("u8.npy")
        return self.path("channels-last.npy" if self.is_channels_last else "input.npy")

    def path(self, name):
        """A file that belongs to the module."""
        return os.path.join(self.options.folder, self.name, name)

    def tool(self, name):
        return os.path.join(self.options.build, "bin", name)

    def generate(self):
        """Writes the network. Files made of an earlier one are out of date."""
        os.makedirs(self.path(""), exist_ok=True)
        self.remove("model.onnx", "u8.onnx", "u8.npy", "primitives.txt")
        seeded = [f"--style={self.style}", "--weights=seeded", f"--input={self.input('f32')}"]
        if not self.write(*seeded, "-o", self.module("f32")):
            raise Failure("cannot write the network")
        for_peers = f"--input={self.path('input.npy')}", "-o", os.devnull
        if self.is_channels_last and not self.write(*for_peers):
            raise Failure("cannot write the image of the peers")
        if self.options.table:
            return
        # Without a description, the limit alone does not run.
        self.write(f"--primitives={self.path('primitives.txt')}", "-o", os.devnull)
        if "u8" in self.options.precisions:
            self.generate_quantized()

    def generate_quantized(self):
        style = self.options.quantized_style
        options = [f"--style={style}", f"--input={self.input('u8')}", "-o", self.module("u8")]
        onnx = contenders.find_python("onnx") if style == "qdq" else None
        if onnx:
            options.append(f"--onnx={self.path('u8.onnx')}")
        if not self.write(*options, python=onnx or sys.executable):
            raise Failure("cannot write the quantised network")
        if style == "tosa-int8":
            contenders.lower_scales(self.tool("fusion-opt"), self.module("u8"))

    def write(self, *more, python=sys.executable):
        """Writes files of the network; whether that went well."""
        generator = os.path.join(contenders.FOLDER, "networks", "generate.py")
        command = [python, generator, *self.network_options, *more]
        return subprocess.run(command, check=False).returncode == 0

    def remove(self, *names):
        for name in names:
            if os.path.exists(self.path(name)):
                os.remove(self.path(name))
