#!/usr/bin/env python3
# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tries the .mlir files of a folder and reports, for each, its convolutions.

For each file: how many convolutions it has, how many of them `fusion-optimize`
fuses wholly or partly, whether `fusion-explain` gives a reason for the rest, and
whether `fusion-run --verify` agrees with the reference. Only files with one entry
function, static tensors as arguments and no ops of other dialects are run.

A file fails when a tool fails on it, when a convolution is neither fused nor
explained, when a reason is not on the list given with --reasons, or when the results
differ. The last line is `N passed, N failed`.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

NAMED_CONVOLUTION = re.compile(r"\blinalg\.(?:depthwise_)?conv_\w+")
OP = re.compile(r'"([a-z_]+)\.[a-z_0-9.]+"\(')
FUNCTION = re.compile(r"^\s*func\.func\s+(private\s+)?@([\w.$-]+)\((.*)$", re.M)
SPLAT_WEIGHTS = re.compile(
    r"dense<[-+.\deE]+> : tensor<(?:\d+x){2,}(?:f32|f16|bf16)>|__elided__")
# Reasons are counted without their locations.
PLACE = re.compile(r" at (?:loc\(.*?\)|\S+:\d+:\d+)(?= |,|$)")
KNOWN_DIALECTS = {
    "affine", "arith", "bufferization", "builtin", "cf", "func", "index", "linalg",
    "math", "memref", "scf", "tensor", "vector"}
ENTRY_NAMES = ("main", "forward")


class Failed(Exception):
    """A tool failed; the message is for the report."""


def run(command, timeout):
    try:
        result = subprocess.run(command, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, timeout=timeout, text=True)
    except subprocess.TimeoutExpired:
        raise Failed("%s: no end after %d s"
                     % (os.path.basename(command[0]), timeout)) from None
    return result


def first_error(result):
    lines = [line for line in (result.stderr + result.stdout).splitlines()
             if line.strip()]
    errors = [line for line in lines
              if "error" in line or line.startswith("verify")]
    return (errors or lines or ["exit code %d" % result.returncode])[0].strip()


def without_comments(text):
    return re.sub(r"//.*", "", text)


def chunks_of(text):
    """The modules of a file: tests of other projects have several in one."""
    return [chunk for chunk in re.split(r"^// -----.*$", text, flags=re.M)
            if without_comments(chunk).strip()]


class Report:
    def __init__(self, name):
        self.name = name
        self.convolutions = 0
        self.status = collections.Counter()
        self.reasons = collections.Counter()
        self.unexplained = 0
        self.verified = "-"
        self.problem = ""
        self.seconds = 0.0

    def row(self):
        return (self.name, self.convolutions, self.status["fused"],
                self.status["partly fused"], self.status["not fused"],
                self.verified, "%.1f" % self.seconds)


class Inspector:
    def __init__(self, options):
        self.options = options
        bin_dir = pathlib.Path(options.build_dir) / "bin"
        self.fusion_opt = str(bin_dir / "fusion-opt")
        self.fusion_run = str(bin_dir / "fusion-run")

    def explain(self, path, report):
        with tempfile.TemporaryDirectory() as folder:
            for number, chunk in enumerate(chunks_of(path.read_text())):
                source = os.path.join(folder, "%d.mlir" % number)
                explained = os.path.join(folder, "%d.json" % number)
                with open(source, "w", encoding="utf-8") as file:
                    file.write(chunk)
                named = len(NAMED_CONVOLUTION.findall(without_comments(chunk)))
                result = run([self.fusion_opt, source, "--fusion-optimize",
                              "--fusion-explain=format=json output=" + explained,
                              "-o", os.devnull], self.options.timeout)
                if result.returncode != 0:
                    raise Failed("fusion-opt: " + first_error(result))
                with open(explained, encoding="utf-8") as file:
                    entries = json.load(file)
                pools = [e for e in entries if e["op"].startswith("linalg.pool")]
                others = len(entries) - len(pools)
                report.convolutions += max(named, others)
                report.unexplained += max(0, named - others)
                for entry in entries:
                    if entry not in pools:
                        report.status[entry["status"]] += 1
                    if entry["status"] == "fused":
                        continue
                    if entry.get("reason"):
                        report.reasons[PLACE.sub("", entry["reason"])] += 1
                    else:
                        report.unexplained += 1

    def why_not_run(self, path):
        """Why the file cannot be run, or None."""
        text = path.read_text()
        if len(chunks_of(text)) != 1:
            return "several modules"
        result = run([self.fusion_opt, str(path), "--mlir-print-op-generic",
                      "--mlir-elide-elementsattrs-if-larger=4"],
                     self.options.timeout)
        if result.returncode != 0:
            raise Failed("fusion-opt: " + first_error(result))
        foreign = sorted(set(OP.findall(result.stdout)) - KNOWN_DIALECTS)
        if foreign:
            return "ops of " + ", ".join(foreign)
        result = run([self.fusion_opt, str(path), "--mlir-print-local-scope",
                      "--mlir-elide-elementsattrs-if-larger=4"],
                     self.options.timeout)
        functions = [(name, rest) for private, name, rest
                     in FUNCTION.findall(result.stdout) if not private]
        entries = [f for f in functions if f[0] in ENTRY_NAMES] or functions
        if len(entries) != 1:
            return "%d entry functions" % len(entries)
        signature = entries[0][1]
        if re.search(r"(?:tensor|memref)<[^>]*\?", signature):
            return "dynamic sizes"
        if "memref<" in signature:
            return "memrefs as arguments"
        if "tensor<" not in signature:
            return "no tensors as arguments"
        return None

    def verify(self, path, report):
        reason = self.why_not_run(path)
        if any("undefined" in reason for reason in report.reasons):
            reason = "undefined values"
        if reason:
            return "not run: " + reason
        command = [self.fusion_run, str(path), "--verify"]
        if path.name.endswith(".args.mlir"):
            command.append("--constant-args=1-")
        if SPLAT_WEIGHTS.search(path.read_text()):
            command.append("--randomize-constants")
        result = run(command, self.options.run_timeout)
        if result.returncode == 2:
            raise Failed("fusion-run: the reference proves nothing: "
                         + first_error(result))
        if result.returncode != 0:
            raise Failed("fusion-run: " + first_error(result))
        return "yes"

    def inspect(self, path, name):
        report = Report(name)
        start = time.monotonic()
        try:
            self.explain(path, report)
            if report.unexplained:
                report.problem = ("%d convolutions neither fused nor explained"
                                  % report.unexplained)
            if not self.options.no_run:
                report.verified = self.verify(path, report)
        except Failed as failed:
            report.problem = str(failed)
            report.verified = "no"
        except (OSError, ValueError, KeyError) as error:
            report.problem = "%s: %s" % (type(error).__name__, error)
            report.verified = "no"
        report.seconds = time.monotonic() - start
        return report


def print_table(reports):
    head = ("file", "convs", "fused", "partly", "not", "verified", "s")
    rows = [head] + [tuple(map(str, report.row())) for report in reports]
    widths = [max(map(len, column)) for column in zip(*rows)]
    for row in rows:
        cells = [cell.ljust(width) if i in (0, 5) else cell.rjust(width)
                 for i, (cell, width) in enumerate(zip(row, widths))]
        print("  ".join(cells).rstrip())


def parse_arguments():
    source_dir = pathlib.Path(__file__).resolve().parent.parent
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", default=os.environ.get("FUSION_INPUTS"),
                        help="folder to search (default: FUSION_INPUTS)")
    parser.add_argument("--build-dir", default=str(source_dir / "build"))
    parser.add_argument("--filter", default="", help="regular expression for paths")
    parser.add_argument("--reasons", metavar="FILE",
                        help="the reasons that may be given, a regular expression a "
                             "line; any other is a failure")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--no-run", action="store_true",
                        help="do not execute anything")
    parser.add_argument("--timeout", type=float, default=120,
                        help="seconds for fusion-opt")
    parser.add_argument("--run-timeout", type=float, default=600,
                        help="seconds for fusion-run")
    options = parser.parse_args()
    if not options.folder:
        parser.error("no folder given and FUSION_INPUTS not set")
    return options


def refuse_unknown_reasons(reports, path):
    """Makes a failure of each file with a reason that nobody has reviewed."""
    with open(path, encoding="utf-8") as file:
        lines = [line.strip() for line in file]
    known = [re.compile(line) for line in lines if line and not line.startswith("#")]
    for report in reports:
        for reason in report.reasons:
            if not any(pattern.fullmatch(reason) for pattern in known):
                report.problem = report.problem or "reason not on the list: " + reason


def main():
    options = parse_arguments()
    root = pathlib.Path(options.folder)
    files = sorted(path for path in root.rglob("*.mlir")
                   if re.search(options.filter, str(path.relative_to(root))))
    if not files:
        print("no .mlir files in %s" % root)
        print("0 passed, 1 failed")
        return 1
    inspector = Inspector(options)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        reports = list(pool.map(
            lambda path: inspector.inspect(path, str(path.relative_to(root))), files))

    if options.reasons:
        refuse_unknown_reasons(reports, options.reasons)
    print_table(reports)
    total = sum((report.status for report in reports), collections.Counter())
    print("\n%d convolutions: %d fused, %d partly fused, %d not fused; "
          "%d of %d files verified"
          % (sum(report.convolutions for report in reports), total["fused"],
             total["partly fused"], total["not fused"],
             sum(report.verified == "yes" for report in reports), len(reports)))
    reasons = sum((report.reasons for report in reports), collections.Counter())
    if reasons:
        print("\nReasons:")
        for reason, count in reasons.most_common():
            print("%5d  %s" % (count, reason))
    failed = [report for report in reports if report.problem]
    if failed:
        print("\nFailures:")
        for report in failed:
            print("  %s: %s" % (report.name, report.problem))
    print("\n%d passed, %d failed" % (len(reports) - len(failed), len(failed)))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
