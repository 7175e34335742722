# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Processes that compute beside what bench.py times, as other programs of a busy machine
do. They end with the block that needs them, and with the process that started them,
however that ends.
"""

import os
import signal
import subprocess
import sys


class Neighbours:
    """`with Neighbours(2):` has two of them, which compute when the block begins."""

    def __init__(self, count):
        self.count = count
        self.processes = []

    def __enter__(self):
        command = [sys.executable, os.path.abspath(__file__), str(os.getpid())]
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


def compute(steps):
    value = 2.0
    for _ in range(steps):
        value = value * 0.999 + 0.001
    return value


def main():
    # An interrupt from the keyboard must only reach the starter.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    starter = int(sys.argv[1])
    print("computing", flush=True)
    # A process whose parent has ended gets another one, which shows within
    # milliseconds.
    while os.getppid() == starter:
        compute(100000)


if __name__ == "__main__":
    main()
