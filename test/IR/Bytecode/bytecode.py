#!/usr/bin/env python3
# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Helps to test bytecode files.

usage: bytecode.py complete SOURCE_DIR FILE.mlir...
       bytecode.py version MAJOR.MINOR IN.mlirbc OUT.mlirbc

complete says which ops and cases of attributes of the dialect no FILE.mlir has, and
exits with 1 if there are any. version copies a file of version 0.1 to 0.5 as if
another version of the dialect had written it.
"""

import os
import re
import sys

OP = re.compile(r'^def \w+\s+: Fusion_\w*Op<"([\w.]+)"', re.M)
ENUM = re.compile(r"^def Fusion_(\w+) : I32EnumAttr<.*?\]>", re.M | re.S)
CASE = re.compile(r'I32EnumAttrCase<"\w+", \d+, "(\w+)">')
MNEMONICS = {"NaNMode": "nan", "Pooling": "pooling", "CallKind": "call"}
ACTIVATION = re.compile(r"^FUSION_ACTIVATION\(\w+, \w+, (\w+), (\d+),", re.M)
# The files have those that these versions knew.
LAST_ACTIVATION = 17
# The section of versions (MLIR's Encoding.h) is two bytes long: a number below 128 is
# one byte, shifted to the left by one, plus 1.
SECTION = 7


def complete(source_dir, *paths):
    folder = os.path.join(source_dir, "include/FusionDialect/IR")
    with open(os.path.join(folder, "FusionOps.td"), encoding="utf-8") as file:
        ops = ["fusion." + name for name in OP.findall(file.read())]
    with open(os.path.join(folder, "FusionAttrs.td"), encoding="utf-8") as file:
        cases = ["#fusion.%s<%s" % (MNEMONICS[enum.group(1)], case)
                 for enum in ENUM.finditer(file.read())
                 for case in CASE.findall(enum.group(0))]
    path = os.path.join(source_dir, "include/FusionRuntime/activations.def")
    with open(path, encoding="utf-8") as file:
        cases += ["#fusion.activation<" + name
                  for name, number in ACTIVATION.findall(file.read())
                  if int(number) <= LAST_ACTIVATION]
    text = ""
    for path in paths:
        with open(path, encoding="utf-8") as file:
            text += file.read()
    missing = [name for name in ops + cases
               if not re.search(re.escape(name) + r"\b", text)]
    for name in missing:
        print("missing: " + name)
    print("%d ops and %d cases of attributes, %d missing"
          % (len(ops), len(cases), len(missing)))
    return 1 if missing else 0


def encode(number):
    return number << 1 | 1


def set_version(version, source, target):
    with open(source, "rb") as file:
        data = file.read()
    head = bytes([SECTION, encode(2), encode(0)])
    found = [head + bytes([encode(minor)]) for minor in (1, 2, 3, 4, 5)]
    count = sum(data.count(section) for section in found)
    if count != 1:
        sys.exit("%s: expected one version 0.1 to 0.5, got %d" % (source, count))
    new = head[:2] + bytes(encode(int(part)) for part in version.split("."))
    for section in found:
        data = data.replace(section, new)
    with open(target, "wb") as file:
        file.write(data)
    return 0


def main():
    arguments = sys.argv[1:]
    if len(arguments) >= 3 and arguments[0] == "complete":
        return complete(*arguments[1:])
    if len(arguments) == 4 and arguments[0] == "version":
        return set_version(*arguments[1:])
    return __doc__


if __name__ == "__main__":
    sys.exit(main())
