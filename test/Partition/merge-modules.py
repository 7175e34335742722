#!/usr/bin/env python3
# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random graphs of calls of composites, for merge=true of fusion-partition.

usage: merge-modules.py SEED COUNT [--pure]    prints a module with functions @f0, @f1...
       merge-modules.py --check BEFORE AFTER   that effects keep their order
       merge-modules.py --run BEFORE AFTER     that all functions compute the same

Composites of two code generators, some of them in branches, stand among other ops and
calls with effects; --pure leaves out the latter, so that the module can be executed.
The same seed gives the same module.
"""

import os
import random
import re
import subprocess
import sys
import tempfile

TENSOR = "tensor<5x3xf32>"
MAX_OPS = 14
# No op makes a constant of equal operands, which would prove nothing.
COMPOSITES = {
    "dnnl_one": ("dnnl.one", "math.absf %x"),
    "acme_one": ("acme.one", "arith.negf %x"),
    "dnnl_two": ("dnnl.two", "math.copysign %x, %y"),
    "acme_two": ("acme.two", "arith.maximumf %x, %y"),
    # It has a code generator of its own, so that it is not merged.
    "own_one": ("dnnl.own", "math.sin %x"),
}


def call(result, callee, operands):
    return "%s = call @%s(%s) : (%s) -> %s" % (
        result, callee, ", ".join(operands), ", ".join([TENSOR] * len(operands)),
        TENSOR)


def write_branch(result, callee, operand):
    return "\n".join((
        "%s = scf.if %%p -> %s {" % (result, TENSOR),
        # Within a branch `func` is not the default dialect.
        "    " + call(result + "_then", callee, [operand]).replace("call", "func.call"),
        "    scf.yield %s_then : %s" % (result, TENSOR),
        "  } else {",
        "    scf.yield %s : %s" % (operand, TENSOR),
        "  }"))


def write_op(chooser, kind, result, pick):
    if kind in COMPOSITES:
        return call(result, kind, [pick() for _ in range(1 + kind.endswith("two"))])
    if kind == "branch":
        return write_branch(result, chooser.choice(("dnnl_one", "acme_one")), pick())
    if kind == "effect":
        # Each has its own name, which shows their order.
        return call(result, "effect" + result[2:], [pick()])
    return "%s = math.tanh %s : %s" % (result, pick(), TENSOR)


def write_function(chooser, number, kinds):
    values, lines = ["%x", "%y"], []
    for i in range(chooser.randint(4, MAX_OPS)):
        result = "%%v%d" % i
        lines.append("  " + write_op(chooser, chooser.choice(kinds), result,
                                     lambda: chooser.choice(values[-6:])))
        values.append(result)
    results = [value for value in values[2:] if chooser.random() < 0.3]
    results.append(values[-1])
    types = ", ".join([TENSOR] * len(results))
    return "func.func @f%d(%%p: i1, %%x: %s, %%y: %s) -> (%s) {\n%s\n  return %s : %s\n}" % (
        number, TENSOR, TENSOR, types, "\n".join(lines), ", ".join(results), types)


def write_composite(name):
    composite, body = COMPOSITES[name]
    arguments = ["%%%s: %s" % (x, TENSOR) for x in "xy"[:1 + name.endswith("two")]]
    codegen = 'fusion.codegen = "dnnl", ' if name == "own_one" else ""
    return ("func.func private @%s(%s) -> %s attributes {fusion.composite = \"%s\", "
            "%sno_inline} {\n  %%r = %s : %s\n  return %%r : %s\n}" % (
                name, ", ".join(arguments), TENSOR, composite, codegen, body, TENSOR,
                TENSOR))


def write_module(seed, count, pure):
    chooser = random.Random(seed)
    kinds = list(COMPOSITES) + ["dnnl_two", "dnnl_two", "acme_two", "tanh", "branch"]
    if not pure:
        kinds.append("effect")
    parts = [write_function(chooser, i, kinds) for i in range(count)]
    parts += map(write_composite, COMPOSITES)
    if not pure:
        parts += ["func.func private @effect%d(%s) -> %s" % (i, TENSOR, TENSOR)
                  for i in range(MAX_OPS)]
    return "\n".join(parts)


def read_functions(path):
    """The text of each function of a module, printed or written here."""
    with open(path, encoding="utf-8") as file:
        parts = re.split(r"^ *func\.func (?:private )?@", file.read(), flags=re.M)
    return {part[:part.index("(")]: part for part in parts[1:]}


def check(before, after):
    before, after = read_functions(before), read_functions(after)
    names = [name for name in before if re.fullmatch(r"f\d+", name)]
    for name in names:
        effects = [re.findall(r"call @(effect\d+)", f[name]) for f in (before, after)]
        if effects[0] != effects[1]:
            sys.exit("@%s: calls with effects in another order" % name)
    merged = sum("_region" in after[name] for name in names)
    print("%d of %d functions have merged calls" % (merged, len(names)))


def run(path, name, options):
    result = subprocess.run(["fusion-run", path, "--entry=" + name, "--random=0:1:2"]
                            + options, capture_output=True, text=True, check=False)
    return result.returncode, result.stdout + result.stderr


def compare(before, after):
    names = [name for name in read_functions(before) if re.fullmatch(r"f\d+", name)]
    agreeing = 0
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            code, text = run(before, name, ["--output=" + folder])
            # By number, since there are more than ten.
            results = [os.path.join(folder, "result%d.npy" % i)
                       for i in range(len(os.listdir(folder)))]
            if code == 0:
                code, text = run(after, name, ["--expect=" + ",".join(results)])
        agreeing += code == 0
        if code:
            print("@%s: %s" % (name, text))
    print("%d of %d functions agree" % (agreeing, len(names)))


def main():
    arguments = sys.argv[1:]
    if len(arguments) == 3 and arguments[0] == "--check":
        check(*arguments[1:])
    elif len(arguments) == 3 and arguments[0] == "--run":
        compare(*arguments[1:])
    elif len(arguments) in (2, 3) and arguments[2:] in ([], ["--pure"]):
        print(write_module(int(arguments[0]), int(arguments[1]), len(arguments) == 3))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
