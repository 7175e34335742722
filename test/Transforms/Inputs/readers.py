#!/usr/bin/env python3
# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes functions in which many ops read one tensor."""

T = "tensor<3x5xf32>"


def write(name, count, first=(), last="", result="%s{n}", source="%x"):
    print("func.func @%s(%%x: %s, %%y: %s) -> %s {" % (name, T, T, T))
    print("  %%e = tensor.empty() : %s" % T)
    for line in first:
        print("  " + line)
    total = "%y"
    for i in range(count):
        operand = source.replace("{i}", str(i))
        if "{i}" in source:
            print("  %s = tensor.extract_slice %%x[0, 0] [3, 5] [1, 1] : %s to %s"
                  % (operand, T, T))
        print("  %%s%d = linalg.sub ins(%s, %s : %s, %s) outs(%%e : %s) -> %s"
              % (i, operand, total, T, T, T, T))
        total = "%%s%d" % i
    if last:
        print("  " + last.replace("{total}", total))
    print("  return %s : %s\n}" % (result.replace("{n}", str(count - 1)), T))


write("argument", 130)
write("constant", 130, ["%k = arith.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0], "
                        "[6.0, 7.0, 8.0, 9.0, 1.5], [2.5, 3.5, 4.5, 5.5, 6.5]]> : " + T],
      source="%k")
write("slices", 130, source="%x{i}")
write("few", 60)
write("written", 130, last="%r = linalg.exp ins({total} : {T}) outs(%x : {T}) -> {T}"
      .replace("{T}", T), result="%r")
write("returned", 130, result="%x")
write("view", 130, ["%v = tensor.extract_slice %y[0, 0] [3, 5] [1, 1] : {T} to {T}"
                    .replace("{T}", T)], source="%v")
