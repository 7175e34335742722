#!/usr/bin/env python3
# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A small residual network, exported by torch-mlir as linalg on tensors.

Needs PyTorch and torch-mlir. Writes model.mlir with the weights inside, and x.npy and
y.npy: an input, and what PyTorch makes of it.
"""

import numpy
import torch
from torch import nn
from torch_mlir import fx


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 8, 3, stride=2, padding=1)
        self.conv2 = nn.Conv2d(8, 8, 3, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(8)
        self.pool = nn.AvgPool2d(4)
        self.fc = nn.Linear(96, 10)

    def forward(self, x):
        x = torch.relu(self.conv1(x))
        x = torch.relu(self.norm(self.conv2(x)) + x)
        return self.fc(torch.flatten(self.pool(x), 1))


def main():
    torch.manual_seed(0)
    model = Net().eval()
    x = torch.randn(1, 3, 24, 32)
    module = fx.export_and_import(model, x, output_type="linalg-on-tensors")
    with open("model.mlir", "w", encoding="utf-8") as file:
        file.write(str(module))
    numpy.save("x.npy", x.numpy())
    numpy.save("y.npy", model(x).detach().numpy())


if __name__ == "__main__":
    main()
