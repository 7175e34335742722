# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Starts neighbours of benchmarks/neighbours.py and ends their starter in several ways.

usage: neighbours.py BENCHMARKS_FOLDER

They have the standard error of their starter, and it reaches its end when the last of
them has ended.
"""

import signal
import subprocess
import sys

# The caller of the tests may ignore interrupts.
STARTER = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
from neighbours import Neighbours
with Neighbours(2) as neighbours:
    for process in neighbours.processes:
        os.kill(process.pid, 0)
    print("begun", flush=True)
    if sys.argv[2] == "error":
        raise ValueError("an error")
    sys.stdin.readline()
print("ended", len(neighbours.processes), flush=True)
"""


def check(name, end):
    starter = subprocess.Popen(
        [sys.executable, "-c", STARTER, sys.argv[1], name], text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)  # fmt: skip
    assert starter.stdout.readline() == "begun\n"
    end(starter)
    starter.stderr.read()
    print("%s: %s, none left" % (name, starter.stdout.read().strip() or "ended early"))
    starter.wait()


check("end", lambda starter: starter.stdin.close())
check("error", lambda starter: None)
check("interrupt", lambda starter: starter.send_signal(signal.SIGINT))
check("terminate", lambda starter: starter.terminate())
check("kill", lambda starter: starter.kill())
