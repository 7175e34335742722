# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests with PyTorch: no copies, and the network of docs/tutorials/FromPyTorch.md."""

import pathlib
import re
import unittest
from unittest import mock

import fusion
import numpy
from fusion import _executable, _library

from test_fusion import AFFINE, W, X, scale

try:
    import torch
except ImportError:
    torch = None

MODEL = pathlib.Path(__file__).parents[2] / "examples" / "pytorch" / "model.mlir"


def read_weights(text):
    """The resources of a module by name, as flat arrays."""
    return {name: numpy.frombuffer(bytes.fromhex(digits), "<f4", offset=4)
            for name, digits in re.findall(r'([\w.]+): "0x([0-9A-Fa-f]+)"', text)}


@unittest.skipUnless(torch, "PyTorch is not installed")
class TorchTest(unittest.TestCase):
    def test_no_copies(self):
        network = fusion.compile(AFFINE)
        x, w = torch.from_numpy(X.copy()), torch.from_numpy(W.copy())
        seen = {}
        call = _library.lib.fusionExecutableCallDLPack

        def spy(handle, entry, arguments, num_arguments, results, num_results):
            status = call(handle, entry, arguments, num_arguments, results, num_results)
            read = _library.DLTensor.from_address
            seen["in"] = [read(pointer).data for pointer in arguments]
            seen["out"] = [read(pointer).data for pointer in results]
            return status

        with mock.patch.object(_executable.c, "lib", mock.Mock(
                wraps=_library.lib, fusionExecutableCallDLPack=spy)):
            y = network(x, w)
        self.assertEqual(seen["in"], [x.data_ptr(), w.data_ptr()])
        self.assertEqual(seen["out"], [y.data_ptr()])
        self.assertTrue(torch.equal(y, x @ w))

    def test_out(self):
        x, w = torch.from_numpy(X.copy()), torch.from_numpy(W.copy())
        out = torch.zeros(2, 4)
        self.assertIs(fusion.compile(AFFINE)(x, w, out=out), out)
        self.assertTrue(torch.equal(out, x @ w))

    def test_tensors_of_all_sorts(self):
        network = fusion.compile(AFFINE)
        w = torch.nn.Parameter(torch.from_numpy(W.copy()))
        x = torch.from_numpy(X.copy()).t().contiguous().t()
        self.assertFalse(x.is_contiguous())
        self.assertTrue(torch.equal(network(x, w), x @ w.detach()))
        result, k = fusion.compile(scale("bf16", "mulf"))(
            torch.tensor([[1, 2]], dtype=torch.bfloat16),
            torch.tensor(3, dtype=torch.bfloat16))
        self.assertEqual((result.dtype, result.tolist(), k.item()),
                         (torch.bfloat16, [[3, 6]], 3))
        result, k = fusion.compile(scale("i1", "andi"))(
            torch.tensor([[True, False]]), torch.tensor(True))
        self.assertEqual((result.dtype, result.tolist()), (torch.bool, [[True, False]]))

    def test_network_of_the_tutorial(self):
        text = MODEL.read_text(encoding="utf-8")
        weights = read_weights(text)
        x = torch.rand(1, 3, 24, 32, generator=torch.Generator().manual_seed(1)) - 0.5
        expected = self.run_model(weights, x)
        for threads in (0, 1):
            y = fusion.compile(MODEL, threads=threads)(x)
            torch.testing.assert_close(y, expected, rtol=1e-5, atol=1e-6)

    def run_model(self, weights, x):
        """The model of examples/pytorch/model.py with the weights of the file."""
        functional = torch.nn.functional

        def weight(*sizes, suffix=""):
            name = "torch_tensor_%s_torch.float32%s" % ("_".join(map(str, sizes)), suffix)
            return torch.from_numpy(weights[name].copy()).reshape(sizes)

        scale, shift, mean, variance = (weight(8, suffix="_%d" % i) for i in (1, 2, 3, 4))
        x = torch.relu(functional.conv2d(x, weight(8, 3, 3, 3), weight(8), stride=2,
                                         padding=1))
        y = functional.conv2d(x, weight(8, 8, 3, 3), padding=1)
        y = functional.batch_norm(y, mean, variance, scale, shift)
        y = functional.avg_pool2d(torch.relu(y + x), 4)
        return functional.linear(torch.flatten(y, 1), weight(10, 96), weight(10))


if __name__ == "__main__":
    unittest.main()
