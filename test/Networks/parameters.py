# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints how many parameters each network of benchmarks/networks has, in the spelling of
torch-mlir; with the name of another style, those that it can spell.

usage: parameters.py [STYLE]
"""

import os
import sys

sys.dont_write_bytecode = True
from spellings import GENERATE

sys.path.insert(0, os.path.dirname(GENERATE))

from generate import STYLES
from networks import NETWORKS, build, can_spell


def main():
    style = sys.argv[1] if len(sys.argv) > 1 else "torch-mlir"
    for name in NETWORKS:
        if not can_spell(style, name):
            continue
        network = STYLES[style](1, "arguments")
        build(name, network)
        print(f"{name}: {network.parameters}.")


if __name__ == "__main__":
    main()
