# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs random quantised ops and compares each element with their formula.

usage: quantized.py FOLDER CASES COMMAND...

COMMAND reads a module from standard input and writes what fusion-run shall run, as
`cat` does. The formula is computed here, in Python's integers and in f32: a product or
sum of two f32 is exact enough in double precision to be rounded once. Prints how many
cases agree bit for bit.
"""

import os
import random
import struct
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

import npy

RANGES = {False: (-128, 127), True: (0, 255)}
ACTIVATIONS = {
    "": lambda x: x,
    "relu": lambda x: max(x, 0.0),
    "leaky_relu(0.25)": lambda x: x if x > 0 else f32(0.25 * x),
    "clip(-3.0, 5.5)": lambda x: min(max(x, -3.0), 5.5),
}


def f32(x):
    return struct.unpack("<f", struct.pack("<f", x))[0]


def tensor(shape, element):
    return "tensor<" + "".join(f"{size}x" for size in shape) + element + ">"


class Case:
    """One op with drawn operands. `self.mlir` is its function, which has weights, bias
    and scales as arguments or as constants."""

    def __init__(self, number):
        self.random = random.Random(number)
        self.attributes = []
        self.arguments = []
        self.constants = []
        self.draw_quantization()
        self.is_constant = self.flip()
        self.window = self.random.random() < 0.7
        (self.draw_convolution if self.window else self.draw_matmul)()

    def flip(self):
        return self.random.random() < 0.5

    def zero_point(self, name, is_unsigned):
        zero = self.random.choice([0, self.random.randint(*RANGES[is_unsigned])])
        if is_unsigned:
            self.attributes.append(f"{name}_unsigned")
        if zero:
            self.attributes.append(f"{name}_zero_point = {zero} : i32")
        return zero

    def draw_quantization(self):
        pick = self.random.choice
        self.unsigned, self.result = self.flip(), pick(["i8", "i8", "u8", "i32", "f32"])
        self.zero = self.zero_point("input", self.unsigned)
        is_sum = self.result == "i32"
        self.bias = pick([None, "i32"] if is_sum else [None, "i32", "f32"])
        self.scale = None if is_sum else pick([None, "one", "each"])
        self.residual = None if is_sum else pick([None, "i8", "u8", "f32"])
        self.activation = "" if is_sum else pick(list(ACTIVATIONS))
        self.after = bool(self.residual and self.activation) and self.flip()
        self.rounded = self.after and self.result in ("i8", "u8") and self.flip()
        if self.rounded:
            self.attributes.append("round_activation")
        self.residual_zero, self.residual_scale = 0, 1.0
        if self.residual in ("i8", "u8"):
            self.residual_zero = self.zero_point("residual", self.residual == "u8")
            self.residual_scale = f32(pick([1.0, 0.5, 0.37]))
            self.attributes.append(f"residual_scale = {self.residual_scale!r} : f32")
        self.output_zero, self.output_scale = 0, 1.0
        if self.result in ("i8", "u8"):
            self.output_zero = self.zero_point("output", self.result == "u8")
            self.output_scale = f32(pick([1.0, 2.0, 0.73]))
            self.attributes.append(f"output_scale = {self.output_scale!r} : f32")

    def weights(self, shape, element):
        return self.numbers(shape, element, self.is_constant)

    def numbers(self, shape, element, is_constant=False):
        """Values of an operand, extremes among them, and a new argument or constant for
        them."""
        count = 1
        for size in shape:
            count *= size
        draw = {
            "i8": lambda: self.random.choice([-128, -127, 127, self.random.randint(-128, 127)]),
            "u8": lambda: self.random.choice([0, 255, self.random.randint(0, 255)]),
            "i32": lambda: self.random.randint(-3000, 3000),
            "f32": lambda: f32(self.random.uniform(-9, 9)),
            # Powers of two make ties.
            "scale": lambda: self.random.choice([2.0**-9, f32(self.random.uniform(1e-4, 3e-3))]),
        }[element]
        values = [draw() for _ in range(count)]
        name = f"%a{len(self.arguments) + len(self.constants)}"
        type_ = tensor(shape, {"u8": "i8", "scale": "f32"}.get(element, element))
        if is_constant:
            code = {"i8": "b", "i32": "i"}.get(element, "f")
            data = struct.pack(f"<{count}{code}", *values).hex()
            self.constants.append(f'{name} = arith.constant dense<"0x{data}"> : {type_}')
        else:
            self.arguments.append((name, type_, shape, element, values))
        return values, f"{name} : {type_}"

    def draw_convolution(self):
        low, high, strides, dilations = [1, 0], [0, 2], [2, 1], [1, 2]
        groups = self.random.choice([1, 2])
        n, c, h, w, oc, kh, kw = 2, 4, 7, 9, 6, 3, 2
        oh = (h + 1 - kh) // 2 + 1
        ow = w + 2 - 2 * (kw - 1)
        kind = "u8" if self.unsigned else "i8"
        x, x_text = self.numbers((n, c, h, w), kind)
        k, k_text = self.weights((oc, c // groups, kh, kw), "i8")
        self.shape, self.channel_size, self.channels = (n, oc, oh, ow), oh * ow, oc
        self.sums = []
        for i in range(n * oc * oh * ow):
            b, o, y, z = i // (oc * oh * ow), i // (oh * ow) % oc, i // ow % oh, i % ow
            first = o // (oc // groups) * (c // groups)
            total = 0
            for ic in range(c // groups):
                for p in range(kh):
                    for q in range(kw):
                        row, column = y * 2 + p - 1, z + q * 2
                        if 0 <= row < h and 0 <= column < w:
                            e = x[((b * c + first + ic) * h + row) * w + column]
                            f = k[((o * (c // groups) + ic) * kh + p) * kw + q]
                            total += (e - self.zero) * f
            self.sums.append(total)
        words = f"strides {strides} dilations {dilations} pad_low {low} pad_high {high}"
        words += f" groups {groups}" if groups > 1 else ""
        self.finish("conv", words, x_text, k_text)

    def draw_matmul(self):
        m, n, k = 5, 7, 11
        x, x_text = self.numbers((m, k), "u8" if self.unsigned else "i8")
        w, w_text = self.weights((n, k), "i8")
        self.shape, self.channel_size, self.channels = (m, n), 1, n
        self.sums = [
            sum((x[i * k + r] - self.zero) * w[j * k + r] for r in range(k))
            for i in range(m)
            for j in range(n)
        ]
        self.finish("matmul", "layouts(mk, nk, mn)", x_text, w_text)

    def finish(self, name, words, x_text, k_text):
        x_name, x_type = x_text.split(" : ")
        k_name, k_type = k_text.split(" : ")
        text = f"ins({x_name}, {k_name} : {x_type}, {k_type})"
        bias = scale = residual = None
        if self.bias:
            bias, operand = self.weights((self.channels,), self.bias)
            text += f" bias({operand})"
        if self.scale:
            size = 1 if self.scale == "one" else self.channels
            scale, operand = self.weights((size,), "scale")
            text += f" scale({operand})"
        if self.residual:
            residual, operand = self.numbers(self.shape, self.residual)
            place = "residual_after_activation" if self.after else "residual"
            text += f" {place}({operand})"
        self.expected = [
            self.element(i, bias, scale, residual) for i in range(len(self.sums))
        ]
        result = tensor(self.shape, "i8" if self.result == "u8" else self.result)
        attributes = f"{{{', '.join(self.attributes)}}}" if self.attributes else ""
        arguments = ", ".join(f"{name}: {type_}" for name, type_, *_ in self.arguments)
        constants = "".join(f"  {constant}\n" for constant in self.constants)
        self.mlir = (
            f"func.func @main({arguments}) -> {result} {{\n"
            f"{constants}"
            f"  %e = tensor.empty() : {result}\n"
            f"  %r = fusion.quantized_{name}_bias_act {self.activation} {words}\n"
            f"       {attributes}\n       {text}\n"
            f"       outs(%e : {result}) -> {result}\n"
            f"  return %r : {result}\n}}\n"
        )

    def element(self, i, bias, scale, residual):
        channel = i // self.channel_size % self.channels
        total = self.sums[i]
        if self.bias == "i32":
            total += bias[channel]
        if self.result == "i32":
            return total
        x = f32(total)
        if scale:
            x = f32(x * scale[channel % len(scale)])
        if self.bias == "f32":
            x = f32(x + bias[channel])
        addend = 0.0
        if self.residual == "f32":
            addend = residual[i]
        elif self.residual:
            addend = f32(f32(residual[i] - self.residual_zero) * self.residual_scale)
        activate = ACTIVATIONS[self.activation]
        if self.residual:
            activated = activate(x if self.after else f32(x + addend))
            if self.rounded:
                activated = f32(round(activated))
            x = f32(activated + addend) if self.after else activated
        else:
            x = activate(x)
        if self.result == "f32":
            return x
        x = f32(f32(x * self.output_scale) + self.output_zero)
        low, high = RANGES[self.result == "u8"]
        return min(max(round(x), low), high)


def store(path, shape, element, values):
    if element == "u8":
        values = [value - 256 if value > 127 else value for value in values]
    kinds = {"i8": "|i1", "u8": "|i1", "i32": "<i4", "f32": "<f4", "scale": "<f4"}
    npy.write(path, kinds[element], shape, values)


def run(folder, number, command):
    case = Case(number)
    inputs = []
    for name, _, shape, element, values in case.arguments:
        inputs.append(os.path.join(folder, f"{number}-{name[1:]}.npy"))
        store(inputs[-1], shape, element, values)
    expected = os.path.join(folder, f"{number}-expected.npy")
    store(expected, case.shape, case.result, case.expected)
    module = subprocess.run(command, input=case.mlir, capture_output=True, text=True)
    path = os.path.join(folder, f"{number}.mlir")
    with open(path, "w", encoding="utf-8") as file:
        file.write(module.stdout)
    if module.returncode:
        print(case.mlir + module.stderr)
        return False
    done = subprocess.run(
        ["fusion-run", path, "--input=" + ",".join(inputs), "--expect=" + expected,
         "--lsb=0", "--rtol=0", "--atol=0"], capture_output=True, text=True)
    if done.returncode:
        print(case.mlir + done.stdout + done.stderr)
    return done.returncode == 0


def main():
    folder, cases, *command = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    agree = sum(run(folder, number, command) for number in range(int(cases)))
    print(f"{agree} cases agree")
    sys.exit(agree != int(cases))


main()
