# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles, runs and explains the network of examples/pytorch."""

import fusion
import numpy

network = fusion.compile("examples/pytorch/model.mlir", precision="bf16")
y = network(numpy.ones((1, 3, 24, 32), "f4"))
print(y.shape, *fusion.explain("examples/pytorch/model.mlir"), sep="\n")
