#!/usr/bin/env python3
# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sends requests to a server on several threads, some of a wrong size, and reports times,
errors, and the server's memory before and after; a tenth of the requests go first, so
that threads and kernels are there. Ends after --requests or --seconds, whichever is
first; with 0 if each right request got the same bytes as the first one like it, each
wrong one 400 and its sentence, and the memory grew by no more than --max-growth."""

import argparse
import array
import http.client
import json
import math
import random
import re
import subprocess
import sys
import threading
import time

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("server", metavar="HOST:PORT", nargs="?")
parser.add_argument("--start", metavar="PROGRAM", help="a server to start, and to end by SIGTERM")
parser.add_argument("--requests", type=int, default=1000)
parser.add_argument("--seconds", type=float, default=60)
parser.add_argument("--threads", type=int, default=8)
parser.add_argument("--wrong", type=float, default=1, help="percentage of wrong sizes")
parser.add_argument("--max-growth", type=float, metavar="PERCENT", help="of the memory")
parser.add_argument("--size", type=int, default=8, help="of dynamic dimensions")


def elements(value, count, numbers):
    """Random bytes of an argument."""
    if value["type"] == "f32":
        return array.array("f", (numbers.uniform(-1, 1) for _ in range(count))).tobytes()
    if value["type"] == "i1":
        return bytes(numbers.randrange(2) for _ in range(count))
    bits = 64 if value["type"] == "index" else int(re.sub(r"\D", "", value["type"]))
    return bytes(numbers.randrange(128) for _ in range(count * bits // 8))


class Client:
    """A connection that is kept."""

    def __init__(self, server):
        self.connection = http.client.HTTPConnection(server, timeout=30)

    def request(self, method, path, body=None):
        self.connection.request(method, path, body)
        response = self.connection.getresponse()
        return response.status, response.read()

    def memory(self):
        text = self.request("GET", "/metrics")[1].decode()
        return int(re.search(r"^process_resident_memory_bytes (\d+)$", text, re.M)[1])


class Load:
    def __init__(self, options):
        self.options = options
        client = Client(options.server)
        signature = json.loads(client.request("GET", "/signature")[1])
        self.path, self.bodies = self.make_bodies(signature)
        self.expected = [client.request("POST", self.path, body) for body in self.bodies]
        if any(status != 200 for status, _ in self.expected):
            sys.exit(f"the first request fails: {self.expected[0]}")
        self.lock = threading.Lock()
        self.errors = []

    def make_bodies(self, signature):
        numbers = random.Random(1)
        query, bodies = [], [b""] * 4
        for i, value in enumerate(signature["arguments"]):
            sizes = [self.options.size if s < 0 else s for s in value["sizes"]]
            if sizes != value["sizes"]:
                query.append(f"argument{i}=" + "x".join(map(str, sizes)))
            bodies = [body + elements(value, math.prod(sizes), numbers) for body in bodies]
        return "/infer?" + "&".join(query), bodies

    def take(self):
        """The number of the next request, or None."""
        with self.lock:
            if self.sent == self.requests or time.monotonic() > self.end:
                return None
            self.sent += 1
            return self.sent

    def send(self, client, number):
        """Sends a request; says what is wrong with the answer."""
        which = number % len(self.bodies)
        is_wrong = random.Random(number).uniform(0, 100) < self.options.wrong
        body = self.bodies[which]
        begin = time.monotonic()
        answer = client.request("POST", self.path, body[:-1] if is_wrong else body)
        took = time.monotonic() - begin
        sentence = f"the body must have {len(body)} bytes, got {len(body) - 1}\n"
        with self.lock:
            if is_wrong and answer == (400, sentence.encode()):
                self.refused += 1
            elif is_wrong or answer != self.expected[which]:
                self.errors.append(f"{answer[0]} {answer[1][:80]!r}")
            else:
                self.times.append(took)

    def work(self):
        client = Client(self.options.server)
        while number := self.take():
            try:
                self.send(client, number)
            except (OSError, http.client.HTTPException) as failure:
                with self.lock:
                    self.errors.append(repr(failure))
                client = Client(self.options.server)

    def send_all(self, requests):
        self.requests, self.sent, self.times, self.refused = requests, 0, [], 0
        threads = [threading.Thread(target=self.work) for _ in range(self.options.threads)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def run(self):
        self.end = time.monotonic() + self.options.seconds
        self.send_all(self.options.requests // 10)
        before = Client(self.options.server).memory()
        begin = time.monotonic()
        self.send_all(self.options.requests)
        took = time.monotonic() - begin
        after = Client(self.options.server).memory()
        self.report(took, before, after)
        growth, most = (after / before - 1) * 100, self.options.max_growth
        if most is not None and growth > most:
            print(f"the memory grew by {growth:.1f} %, more than {most:g} %")
            return 1
        return 1 if self.errors or not self.times else 0

    def report(self, took, before, after):
        print(f"{self.sent} requests in {took:.1f} s, {self.sent / took:.0f} per second")
        print(f"{len(self.times)} right, {self.refused} refused, {len(self.errors)} errors")
        for error in sorted(set(self.errors))[:5]:
            print(f"  {self.errors.count(error)} times {error}")
        times = sorted(self.times)
        for percent in (50, 99) if times else ():
            place = math.ceil(len(times) * percent / 100) - 1
            print(f"p{percent} {times[place] * 1e3:.2f} ms")
        print(f"memory {before / 1e6:.1f} MB before, {after / 1e6:.1f} MB after")


def main():
    options = parser.parse_args()
    if bool(options.server) == bool(options.start):
        parser.error("give HOST:PORT or --start")
    if options.server:
        return Load(options).run()
    server = subprocess.Popen([options.start], stdout=subprocess.PIPE, text=True)
    try:
        options.server = server.stdout.readline().split()[-1]
        failed = Load(options).run()
    finally:
        server.terminate()
        status = server.wait(timeout=60)
    print(f"the server ended with {status}")
    return failed or status


if __name__ == "__main__":
    sys.exit(main())
