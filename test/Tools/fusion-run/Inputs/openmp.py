# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the OpenMP runtimes of the programs and libraries of a build folder and
fails if one has two, or one without the runtime or oneDNN, or none with them.

usage: openmp.py BUILD_FOLDER
"""

import glob
import os
import re
import subprocess
import sys


def is_elf(path):
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def libraries(path):
    """Names of the shared libraries that `path` loads, their dependences included."""
    text = subprocess.run(["ldd", path], check=True, stdout=subprocess.PIPE, text=True)
    return set(re.findall(r"^\s*(\S+?)\.so", text.stdout, re.MULTILINE))


wrong = False
for folder in ("bin", "lib"):
    for path in sorted(glob.glob(os.path.join(sys.argv[1], folder, "*"))):
        if not os.path.isfile(path) or os.path.islink(path) or not is_elf(path):
            continue
        names = libraries(path)
        runtimes = sorted(names & {"libgomp", "libomp", "libiomp5"})
        wrong |= len(runtimes) > 1
        of_ours = os.path.basename(path).startswith("libfusion_runtime")
        of_ours |= bool(names & {"libdnnl", "libfusion_runtime"})
        # Compares the runtime's threads with libgomp's.
        of_ours |= os.path.basename(path) == "pools"
        wrong |= of_ours != (len(runtimes) == 1)
        print("%s: %s" % (os.path.basename(path), ", ".join(runtimes) or "none"))
sys.exit(wrong)
