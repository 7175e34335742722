#!/usr/bin/env python3
# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lists where a library executes CPUID, as elements of a C array.

usage: list-cpuid.py OBJDUMP LIBRARY > SITES.inc
"""

import re
import subprocess
import sys


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    objdump, library = sys.argv[1:]
    command = [objdump, "--disassemble", "--no-show-raw-insn", library]
    pattern = re.compile(r"\s*([0-9a-f]+):\s+cpuid$")
    sites = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            if "cpuid" in line and (match := pattern.match(line.rstrip())):
                sites.append(match[1])
    if process.returncode != 0:
        sys.exit(f"{objdump} failed on {library}")
    if not sites:
        sys.exit(f"{library} does not ask for the CPU: is it oneDNN?")
    print("\n".join(f"0x{site}," for site in sites))


if __name__ == "__main__":
    main()
