# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a command and fails unless it ends with the given exit code.

usage: exit-code.py CODE COMMAND...
"""

import subprocess
import sys

code = subprocess.run(sys.argv[2:]).returncode
if code != int(sys.argv[1]):
    sys.exit("exit code %d, expected %s" % (code, sys.argv[1]))
