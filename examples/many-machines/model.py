# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Time of a batch on several ranks of MPI, from a few measured numbers.

usage: model.py [--help] [OPTIONS]

Rank 0 sends all parts, the ranks compute, rank 0 receives the scores, one after the
other. So a batch takes

    start + image * (images of the largest part)
          + bytes / bandwidth * (images of other ranks) + 2 * latency * (other ranks)
"""

import argparse

RANKS = (1, 2, 4, 8, 16, 32)


def batch_ms(options, ranks):
    """Rank 0 has the first part, which is never larger than another."""
    first, largest = options.batch // ranks, -(-options.batch // ranks)
    sent = (options.batch - first) * options.bytes / (options.gigabytes * 1e6)
    messages = 2 * (ranks - 1) * options.latency / 1e3
    return options.start + options.image * largest, sent + messages


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    # ResNet-50 in f32, 2 cores of an AMD Zen 5 (docs/Scaling.md).
    parser.add_argument("--image", type=float, default=17.15, help="ms for one more image")
    parser.add_argument("--start", type=float, default=0.82, help="ms for any batch")
    parser.add_argument("--bytes", type=int, default=3 * 224 * 224 * 4 + 1000 * 4,
                        help="bytes of an image and its scores")
    # A network of 10 Gbit/s; assumed.
    parser.add_argument("--gigabytes", type=float, default=1.1, help="GB/s from rank 0")
    parser.add_argument("--latency", type=float, default=50, help="us for a message")
    parser.add_argument("--batch", type=int, default=64, help="images")
    options = parser.parse_args()

    print("| ranks | network, ms | messages, ms | images/s | of ranks times one |")
    print("|---|---|---|---|---|")
    alone = sum(batch_ms(options, 1))
    for ranks in RANKS:
        network, messages = batch_ms(options, ranks)
        speedup = alone / (network + messages)
        print("| %d | %.1f | %.1f | %.0f | %.2f |" % (
            ranks, network, messages, options.batch / (network + messages) * 1e3,
            speedup / ranks))


if __name__ == "__main__":
    main()
