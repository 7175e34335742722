# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the table of docs/QuantizedOps.md: how many elements of a quantised layer are others
than upstream's lowering of the input gives.

usage: quantized-forms.py FILE... [--batch=N]

Each function of the files is a row: what the first line of the comment above says in front of
a colon, the name, and for each --quant-rounding the share of the integers that differ and by how
much at most. Where the result is of floats it is the largest difference, as a share of the
largest number. A batch has N images of 512 elements, or 32 N rows of 16; N is 2048 by default,
which is 2^20 elements.
"""

import json
import os
import re
import subprocess
import sys
import tempfile

FUNCTION = re.compile(r"^// (.*)\n(?://.*\n)*func\.func @(\w+)\((.*?)\) ->", re.M)
LOWER_TOSA = "--pass-pipeline=builtin.module(func.func(tosa-to-arith{include-apply-rescale}))"


def measure(path, name, shapes, rounding):
    """What differs, as a cell of the table."""
    command = ["fusion-run", path, "--entry=" + name, "--quant-rounding=" + rounding,
               "--json", "--verify", "--lsb=2", *shapes]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        sys.exit("%s: %s" % (name, result.stderr.strip() or result.stdout.strip()))
    report = json.loads(result.stdout)
    if not report["integers"]:
        return "f32, %.1g" % report["max_rel_error"] if report["max_rel_error"] else "f32, 0"
    share = "%.2g" % (100 * report["other_integers"] / report["integers"])
    return "%s %%, by %d" % (share, report["max_integer_error"]) if share != "0" else "0"


def print_rows(path, folder, batch):
    with open(path, encoding="utf-8") as file:
        text = file.read().replace("<2048x", "<%dx" % batch)
    lowered = os.path.join(folder, os.path.basename(path))
    subprocess.run(["fusion-opt", "-", LOWER_TOSA, "-o", lowered], input=text, text=True,
                   check=True)
    for comment, name, arguments in FUNCTION.findall(text):
        rows = re.match(r"%\w+: tensor<\?x(\d+)x", arguments)
        shapes = ["--shape=0:%dx%s" % (32 * batch, rows[1])] if rows else []
        cells = [measure(lowered, name, shapes, rounding) for rounding in ("nearest", "exact")]
        print("| %s | `%s` | %s |" % (comment.split(":")[0].rstrip("."), name, " | ".join(cells)))


def main():
    paths = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    options = dict(a[2:].split("=", 1) for a in sys.argv[1:] if a.startswith("--"))
    if not paths or not set(options) <= {"batch"}:
        sys.exit(__doc__)
    print("| form | function | `nearest` | `exact` |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for path in paths:
            print_rows(path, folder, int(options.get("batch", 2048)))


if __name__ == "__main__":
    main()
