# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plain loops for the network of npy-inputs.test.

usage: conv.py INPUT.npy FILTER.npy BIAS.npy OUTPUT.npy
"""

import sys

import npy


def main():
    _, (n, ic, h, w), x = npy.read(sys.argv[1])
    _, (oc, _, kh, kw), f = npy.read(sys.argv[2])
    _, _, bias = npy.read(sys.argv[3])
    oh, ow = h - kh + 1, w - kw + 1
    result = []
    for b in range(n):
        for o in range(oc):
            for y in range(oh):
                for z in range(ow):
                    total = bias[o]
                    for c in range(ic):
                        for p in range(kh):
                            for q in range(kw):
                                total += (x[((b * ic + c) * h + y + p) * w + z + q]
                                          * f[((o * ic + c) * kh + p) * kw + q])
                    result.append(max(total, 0.0))
    npy.write(sys.argv[4], "<f8", (n, oc, oh, ow), result)


main()
