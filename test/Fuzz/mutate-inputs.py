#!/usr/bin/env python3
# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Feeds broken .mlirbc and .npy files to the tools, which may refuse and not crash.

usage: mutate-inputs.py BIN_DIR TEST_DIR [--mlir-opt=TOOL] [--count=N] [--first=N] [--keep=DIR]

Mutant N is the same everywhere. A crash is ours if the stack it prints has frames of
namespace fusion, the first of which is no reader that mlir-tblgen writes, or a frame of
the tool without a name, or if there is no stack and upstream's tool does not crash on
the file, too; else it is upstream's, and is listed by the function it happens in. Exits with 1 if a crash
is ours.
"""

import argparse
import collections
import concurrent.futures
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile

MODULES = ("IR/Bytecode/fusion-0.1.mlir", "IR/ops.mlir", "IR/pool.mlir",
           "IR/rt-ops.mlir", "IR/layouts.mlir")
SAME = "func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {" \
       " return %x : tensor<2x3xf32> }"
KINDS = "accepted", "refused", "upstream", "ours"
MEMORY, SECONDS = 3 << 30, 20
# "#4 0x00007f12 symbol(args) (/lib/libx.so+0x1)", and "in" with a sanitizer.
FRAME = re.compile(r"^ *#\d+ 0x[0-9a-f]+ (?:in )?(.*)", re.MULTILINE)
# Readers that mlir-tblgen writes. The fused ops have readers of ours, which call them,
# and upstream's reader of attributes.
GENERATED = re.compile(r"::setPropertiesFromAttr\(|"
                       r"fusion::(?!Fused|RtCreate)\w+::readProperties\(|"
                       r"DialectBytecodeReader::read.*\n.*fusion::\w+::readProperties\(")
# The first function of a reader, not of the signal handler or of a container.
READER = re.compile(r"^((?:mlir|fusion)::[^(]*)", re.MULTILINE)


def make_bases(bin_dir, test_dir, folder):
    """Whole files by their ending."""
    sys.path.insert(0, test_dir)
    import npy
    path = os.path.join(folder, "base")
    bases = {".mlirbc": [], ".npy": []}

    def add(ending):
        with open(path, "rb") as file:
            data = file.read()
        # From version 2 on the length of the header has four bytes.
        bases[ending] += [data] if ending == ".mlirbc" else [
            data, data[:6] + b"\2\0" + data[8:10] + b"\0\0" + data[10:]]

    for name in MODULES:
        subprocess.run([os.path.join(bin_dir, "fusion-opt"), "--emit-bytecode",
                        os.path.join(test_dir, name), "-o", path], check=True)
        add(".mlirbc")
    for descr in ("<f4", "<f8", "<f2", "|i1", "<i8"):
        for fortran in (False, True):
            npy.write(path, descr, (2, 3), range(6), fortran)
            add(".npy")
    return bases


def edit_length(rng, data, place):
    """Another length: of 2 or 4 bytes, in digits, or with low bits that tell its width."""
    kind = rng.randrange(4)
    if kind == 0:
        return data[:place] + rng.randbytes(2) + data[place + 2:]
    if kind == 1:
        number = rng.choice((0, 1 << 31, (1 << 32) - 1))
        return data[:place] + number.to_bytes(4, "little") + data[place + 4:]
    if kind == 2:
        width = rng.randrange(2, 9)
        number = rng.getrandbits(7 * width) << width | 1 << (width - 1)
        return data[:place] + number.to_bytes(width, "little") + data[place + 1:]
    numbers = [match.span() for match in re.finditer(rb"\d+", data)]
    first, end = rng.choice(numbers) if numbers else (place, place)
    digits = rng.choice((0, -1, 7, 1 << 31, 1 << 62, 1 << 63, 10 ** 30))
    return data[:first] + str(digits).encode() + data[end:]


def mutate(rng, bases):
    data = rng.choice(bases)
    # Headers are short, and decide most of the reading.
    limit = 160 if rng.random() < 0.4 else len(data)
    for _ in range(rng.choice((1, 1, 1, 2, 4, 16))):
        place = rng.randrange(max(1, min(limit, len(data))))
        front, byte, rest = data[:place], data[place:place + 1], data[place + 1:]
        kind = rng.randrange(6)
        if kind == 0:
            data = front + bytes(b ^ 1 << rng.randrange(8) for b in byte) + rest
        elif kind == 1:
            data = front + bytes([rng.choice((0, 1, 127, 128, 254, 255))]) + rest
        elif kind == 2 and rng.random() < 0.3:
            data = front
        elif kind == 3:
            other = rng.choice(bases)
            start = rng.randrange(len(other))
            other = other[start:start + rng.randrange(1, 64)]
            data = front + other + rest[rng.randrange(64):]
        elif kind == 4:
            data = front + rest[rng.randrange(8):]
        else:
            data = edit_length(rng, data, place)
    return data


def limit_memory():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def run(command, limit):
    """The exit code and the messages. The handler of a tool that hangs says where it is."""
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, preexec_fn=limit,
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        message = process.communicate(timeout=SECONDS)[1]
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGABRT)
        message = process.communicate(timeout=SECONDS)[1]
    return process.returncode, message.decode("utf-8", "replace")


def is_crash(code, message):
    return code < 0 or "Sanitizer" in message or "runtime error: " in message


def judge(code, message, tool):
    """(kind, where) of what a tool did."""
    if not is_crash(code, message):
        return ("refused" if code else "accepted"), ""
    frames = FRAME.findall(message)
    named = next((n for n, frame in enumerate(frames) if "fusion::" in frame), None)
    ours = (not frames or (named is not None and not GENERATED.search(
                "\n".join(frames[max(named - 1, 0):named + 1]))) or
            any(frame.startswith("(") and "/%s+" % tool in frame for frame in frames))
    reader = READER.search("\n".join(frames))
    return ("ours" if ours else "upstream"), reader[1] if reader else "signal %d" % -code


def try_mutant(number, options, bases, limit, folder):
    """(number, kind, ending, where) of one mutant."""
    ending = ".npy" if number % 4 == 0 else ".mlirbc"
    path = os.path.join(folder, "%d%s" % (number, ending))
    with open(path, "wb") as file:
        file.write(mutate(random.Random("mutant %d" % number), bases[ending]))
    command = (["fusion-run", os.path.join(folder, "same.mlir"), "--input=" + path]
               if ending == ".npy" else ["fusion-opt", path, "-o", os.devnull])
    tool, command[0] = command[0], os.path.join(options.bin_dir, command[0])
    kind, where = judge(*run(command, limit), tool)
    # Upstream's tool does not have our dialect, and stops reading at it.
    if where and ending == ".mlirbc" and options.mlir_opt:
        stock = [options.mlir_opt, "--allow-unregistered-dialect", path]
        if is_crash(*run(stock, limit)):
            where += ", as in mlir-opt"
            # A broken heap leaves no stack.
            kind = "upstream" if where.startswith("signal") else kind
    if options.keep and where:
        shutil.copy(path, options.keep)
    os.remove(path)
    return number, kind, ending, where


def try_all(options, folder):
    with open(os.path.join(folder, "same.mlir"), "w") as file:
        file.write(SAME)
    bases = make_bases(options.bin_dir, options.test_dir, folder)
    # Sanitizers reserve more memory than any limit.
    tool = os.path.join(options.bin_dir, "fusion-opt")
    limit = limit_memory if run([tool, "--version"], limit_memory)[0] == 0 else None
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(
            lambda number: try_mutant(number, options, bases, limit, folder),
            range(options.first, options.first + options.count)))


def main():
    parser = argparse.ArgumentParser()
    for name in ("bin_dir", "test_dir", "--mlir-opt", "--keep"):
        parser.add_argument(name)
    for name, default in (("--count", 300), ("--first", 0)):
        parser.add_argument(name, type=int, default=default)
    options = parser.parse_args()
    if options.keep:
        os.makedirs(options.keep, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        outcomes = try_all(options, folder)
    crashes = collections.defaultdict(list)
    for number, *outcome in outcomes:
        crashes[tuple(outcome)].append(number)
    for (kind, ending, where), found in sorted(crashes.items()):
        if where:
            print("%s: %d %s files crash in %s (first mutant %d)"
                  % (kind, len(found), ending, where, found[0]))
    counts = collections.Counter(outcome[1] for outcome in outcomes)
    print("%d mutants: %d accepted, %d refused, %d crash in upstream's code, %d in ours"
          % (options.count, *(counts[kind] for kind in KINDS)))
    return counts["ours"] != 0


if __name__ == "__main__":
    sys.exit(main())
