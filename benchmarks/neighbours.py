# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Processes that compute, or copy memory, beside what bench.py times, as other programs
of a busy machine do. They end with the block that needs them, and with the process that
started them, however that ends.
"""

import os
import signal
import subprocess
import sys


class Neighbours:
    """`with Neighbours(2):` has two of them, which compute when the block begins.
    `work` is a key of WORK."""

    def __init__(self, count, work="compute"):
        self.count = count
        self.work = work
        self.processes = []

    def __enter__(self):
        command = [sys.executable, os.path.abspath(__file__), str(os.getpid()), self.work]
        try:
            for _ in range(self.count):
                process = subprocess.Popen(
                    command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE
                )
                self.processes.append(process)
            for process in self.processes:
                process.stdout.readline()
        except BaseException:
            self.end()
            raise
        return self

    def __exit__(self, *_):
        self.end()

    def end(self):
        for process in self.processes:
            process.kill()
        for process in self.processes:
            process.wait()
            process.stdout.close()
        self.processes = []


def compute():
    value = 2.0
    while True:
        for _ in range(100000):
            value = value * 0.999 + 0.001
        yield


# More than the caches hold.
COPIED_BYTES = 256 << 20


def copy():
    source, target = (memoryview(bytearray(b"x" * COPIED_BYTES)) for _ in range(2))
    while True:
        target[:] = source
        yield


# Generators of endless work, in steps of some milliseconds.
WORK = {"compute": compute, "copy": copy}


def main():
    # An interrupt from the keyboard must only reach the starter.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    starter = int(sys.argv[1])
    steps = WORK[sys.argv[2]]()
    next(steps)
    print("working", flush=True)
    # A process whose parent has ended gets another one, which shows within
    # milliseconds.
    while os.getppid() == starter:
        next(steps)


if __name__ == "__main__":
    main()
