# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds examples/many-machines with one MPI, and holds what it does.

usage: many-machines.py openmpi|mpich SOURCE_DIR CC RUNTIME FOLDER

FOLDER gets files. Prints what was held; the first that does not hold ends it.
"""

import math
import os
import subprocess
import sys

import npy

HEIGHT, WIDTH = 8, 10
FILTERS = ((-1, 0, 1, -2, 0, 2, -1, 0, 1), (-1, -2, -1, 0, 0, 0, 1, 2, 1))
# A rank that waits for ever would keep the test waiting.
LIMIT = 120


def run(command, **options):
    return subprocess.run(command, text=True, capture_output=True, timeout=LIMIT, **options)


def must(command, **options):
    done = run(command, **options)
    if done.returncode:
        sys.exit("failed with %d: %s\n%s" % (
            done.returncode, " ".join(command), done.stdout + done.stderr))
    return done.stdout


def hold(what, holds, seen=""):
    if not holds:
        sys.exit("does not hold: %s\n%s" % (what, seen))
    print(what)


def scores_of(image):
    """The two scores of an image, from the definition of the network."""
    return [math.fsum(
        max(0.0, math.fsum(
            weight * image[(h + place // 3) * WIDTH + w + place % 3]
            for place, weight in enumerate(filter)))
        for h in range(HEIGHT - 2) for w in range(WIDTH - 2)) for filter in FILTERS]


class Mpi:
    def __init__(self, name, source, compiler, runtime):
        self.launcher = ["mpirun." + name]
        self.environment = dict(os.environ, OMPI_CC=compiler, MPICH_CC=compiler)
        if name == "openmpi":
            # More ranks than cores, in a container, where one is root.
            self.launcher += ["--oversubscribe", "--bind-to", "none"]
            self.environment.update(OMPI_ALLOW_RUN_AS_ROOT="1",
                                    OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
        example = os.path.join(source, "examples", "many-machines")
        must(["fusion-run", example + "/net.mlir", "--emit-object=net.o",
              "--emit-header=net.h", "--symbol-prefix=net"])
        must(["mpicc." + name, "-std=c99", "-Wall", "-Wextra", "-Werror", "-I.",
              "-I" + os.path.join(source, "include"), example + "/classify.c",
              example + "/npy.c", "net.o", runtime, "-lm",
              "-Wl,-rpath," + os.path.dirname(runtime), "-o", "classify"],
             env=self.environment)
        self.network = example + "/net.mlir"

    def run(self, ranks, *arguments):
        command = self.launcher + ["-n", str(ranks), "./classify", *arguments]
        return run(command, env=self.environment)

    def must(self, ranks, *arguments):
        command = self.launcher + ["-n", str(ranks), "./classify", *arguments]
        return must(command, env=self.environment)


def check_results(mpi, images, parts):
    """Any number of images on any number of ranks; `parts` by the number of ranks."""
    pixels = [(i * 37 % 101 - 50) / 64 + i % 7 / 1000
              for i in range(images * HEIGHT * WIDTH)]
    npy.write("batch.npy", "<f4", (images, 1, HEIGHT, WIDTH), pixels)
    # As f32 has them.
    pixels = npy.read("batch.npy")[2]
    expected = [score for i in range(images)
                for score in scores_of(pixels[i * HEIGHT * WIDTH:(i + 1) * HEIGHT * WIDTH])]
    must(["fusion-run", mpi.network, "--input=batch.npy", "--output=unsplit"])
    with open("unsplit/result0.npy", "rb") as file:
        unsplit = file.read()
    for ranks, part in parts.items():
        printed = mpi.must(ranks, "batch.npy", "scores.npy")
        hold("%d images, %d ranks: %s" % (images, ranks, part),
             "images of each rank: %s\n" % part in printed, printed)
        _, shape, scores = npy.read("scores.npy")
        hold("  scores of the definition", shape == (images, 2) and all(
            abs(a - b) < 1e-4 for a, b in zip(scores, expected)), (scores, expected))
        with open("scores.npy", "rb") as file:
            hold("  the bits of the unsplit run", file.read() == unsplit)


def check_threads(mpi):
    """A rank that may use one core has one part, one with all of them has the rest."""
    processors = os.sched_getaffinity(0)
    cores = set()
    for processor in processors:
        with open("/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list"
                  % processor) as siblings:
            cores.add(siblings.read())
    # The launcher of OpenMPI 5.0.7 crashes where each rank has a command of its own.
    with open("uneven.sh", "w") as script:
        script.write('''[ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" != 0 ] || one="taskset -c %d"
exec $one ./classify batch.npy scores.npy
''' % min(processors))
    printed = must(mpi.launcher + ["-n", "2", "sh", "uneven.sh"], env=mpi.environment)
    first = 10 // (1 + len(cores))
    hold("parts follow the threads",
         "images of each rank: %d %d\n" % (first, 10 - first) in printed, printed)


def check_failures(mpi):
    def fails(what, sentence, *arguments):
        done = mpi.run(3, *arguments)
        hold(what + " ends all: " + sentence, done.returncode != 0
             and done.stderr.count(sentence + "\n") == 1, done)

    def write(name, descr, shape, value=lambda i: i % 5):
        npy.write(name, descr, shape, map(value, range(math.prod(shape))))

    write("nan.npy", "<f4", (10, 1, 8, 10), lambda i: math.nan if i == 500 else i)
    write("wide.npy", "<f4", (10, 1, 8, 11))
    write("f64.npy", "<f8", (10, 1, 8, 10))
    write("flat.npy", "<f4", (10, 80))
    write("deep.npy", "<f4", (1, 1, 1, 8, 10))
    write("many.npy", "<f4", (2**31, 0, 8, 10))
    write("huge.npy", "<f4", (0, 2**31, 2**31, 2**31))
    npy.write("fortran.npy", "<f4", (1, 1, 8, 10), [0] * 80, fortran=True)
    with open("batch.npy", "rb") as file:
        data = file.read()
    for name, content in (("short.npy", data[:-1]), ("long.npy", data + b" "),
                          ("header.npy", data[:50]), ("text.npy", b"1 2 3\n")):
        with open(name, "wb") as file:
            file.write(content)
    fails("rank 2's pixel", "rank 2: an assertion of the program must hold: "
          "pixels must be numbers", "nan.npy", "none.npy")
    hold("no scores then", not os.path.exists("none.npy"))
    fails("each rank's size", "rank 0: 'argument0' must be ?x1x8x10xf32, "
          "got 3x1x8x11xf32", "wide.npy", "none.npy")
    too_many = "more images, or larger ones, than an int can count"
    for name, sentence in (
            ("f64", "elements must be little-endian f32 ('<f4')"),
            ("flat", "the array has too few dimensions"),
            ("deep", "the array has too many dimensions"),
            ("many", too_many),
            ("huge", too_many),
            ("fortran", "the array must be row-major (fortran_order False)"),
            ("short", "the file ends before its last element"),
            ("long", "the file has data behind its last element"),
            ("header", "the file ends in its header"),
            ("text", "no .npy file"),
            ("missing", "No such file or directory")):
        fails("a bad file", "rank 0: '%s.npy': %s" % (name, sentence),
              name + ".npy", "none.npy")
    fails("no room", "rank 0: '/dev/full': cannot write the file", "batch.npy", "/dev/full")
    fails("no argument", "rank 0: usage: classify BATCH.npy SCORES.npy [REPETITIONS]")
    fails("no repetition", "rank 0: usage: classify BATCH.npy SCORES.npy [REPETITIONS]",
          "batch.npy", "scores.npy", "0")


def check_killed(mpi):
    """A rank that a signal ends, before the others have met it."""
    part = ["-n", "1", "./classify", "batch.npy", "scores.npy"]
    killed = ["-n", "1", "sh", "-c", "kill -9 $$"]
    done = run(mpi.launcher + part + [":"] + killed, env=mpi.environment)
    hold("a rank that is killed ends all", done.returncode != 0, done)


def main():
    name, source, compiler, runtime, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    os.chdir(folder)
    mpi = Mpi(name, source, compiler, runtime)
    check_results(mpi, 0, {1: "0", 2: "0 0"})
    check_results(mpi, 1, {3: "0 0 1"})
    check_results(mpi, 2, {3: "0 1 1"})
    check_results(mpi, 10, {1: "10", 2: "5 5", 3: "3 3 4"})
    check_threads(mpi)
    printed = mpi.must(2, "batch.npy", "scores.npy", "4")
    hold("4 repetitions", printed.count(" ms in the slowest network\n") == 4, printed)
    check_failures(mpi)
    check_killed(mpi)


if __name__ == "__main__":
    main()
