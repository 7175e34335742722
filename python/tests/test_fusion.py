# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of the package: python3 -m unittest, with python/ in PYTHONPATH."""

import gc
import pathlib
import threading
import unittest
from unittest import mock

import fusion
import numpy
from fusion import _library

AFFINE = """
func.func @main(%x: tensor<2x3xf32> {fusion.name = "x"},
                %w: tensor<3x4xf32> {fusion.constant}) -> tensor<2x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4xf32>) -> tensor<2x4xf32>
  %m = linalg.matmul ins(%x, %w : tensor<2x3xf32>, tensor<3x4xf32>)
                     outs(%z : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %m : tensor<2x4xf32>
}
"""
X = numpy.array([[1, -2, 3], [0, 1, -1]], "f4")
W = numpy.array([[1, 0, 2, -1], [0, 1, 1, 1], [2, -1, 0, 1]], "f4")


def scale(dtype, op="muli"):
    """x * k and k, of any size."""
    return """
func.func @scale(%%x: tensor<?x2x%(t)s>, %%k: %(t)s) -> (tensor<?x2x%(t)s>, %(t)s) {
  %%c = arith.constant 0 : index
  %%n = tensor.dim %%x, %%c : tensor<?x2x%(t)s>
  %%e = tensor.empty(%%n) : tensor<?x2x%(t)s>
  %%r = linalg.map ins(%%x : tensor<?x2x%(t)s>) outs(%%e : tensor<?x2x%(t)s>)
    (%%v: %(t)s, %%o: %(t)s) {
      %%p = arith.%(op)s %%v, %%k : %(t)s
      linalg.yield %%p : %(t)s
    }
  return %%r, %%k : tensor<?x2x%(t)s>, %(t)s
}
""" % {"t": dtype, "op": op}


class Tensor:
    """What another library would give: an array with nothing but `__dlpack__`."""

    def __init__(self, array, **fields):
        self.array, self.fields = array, fields

    def __dlpack__(self):
        capsule = self.array.__dlpack__()
        pointer = _library.capsule_pointer(capsule, b"dltensor")
        tensor = _library.DLTensor.from_address(pointer)
        tensor.code = self.fields.get("code", tensor.code)
        tensor.device_type = self.fields.get("device", tensor.device_type)
        return capsule


class CompileTest(unittest.TestCase):
    def test_signature(self):
        network = fusion.compile(AFFINE)
        self.assertEqual(list(network), ["main"])
        x, w = network["main"].arguments
        self.assertEqual((x.name, x.dtype, x.shape, x.is_constant),
                         ("x", "f32", (2, 3), False))
        self.assertTrue(w.is_constant)
        self.assertFalse(w.is_scalar)
        self.assertTrue(fusion.compile(scale("i32"))["scale"].results[1].is_scalar)
        self.assertEqual(str(network.default.results[0]), "2x4xf32")
        self.assertEqual(fusion.compile(scale("i32"))["scale"].arguments[0].shape,
                         (None, 2))

    def test_sources(self):
        text = pathlib.Path(self.id() + ".mlir")
        text.write_text(AFFINE, encoding="utf-8")
        try:
            for source in (AFFINE.encode(), text, str(text)):
                numpy.testing.assert_array_equal(fusion.compile(source)(X, W), X @ W)
        finally:
            text.unlink()

    def test_options(self):
        x = X + numpy.float32(2 ** -10)
        exact = x @ W
        rounded = fusion.compile(AFFINE, precision="bf16", threads=1)(x, W)
        self.assertFalse(numpy.array_equal(rounded, exact))
        numpy.testing.assert_allclose(rounded, exact, atol=0.05)
        with self.assertRaisesRegex(fusion.ArgumentError, "speed=11"):
            fusion.compile(AFFINE, speed=11)
        for threads in (-1, 1 << 32, 1.5):
            with self.assertRaisesRegex(fusion.ArgumentError, "'threads' must be"):
                fusion.compile(AFFINE, threads=threads)

    def test_errors(self):
        with self.assertRaisesRegex(fusion.CompileError, "does not parse"):
            fusion.compile("func.func @f( {")
        with self.assertRaisesRegex(fusion.CompileError, "parses, but is not valid"):
            fusion.compile("func.func @f() -> f32 { return }")
        with self.assertRaisesRegex(fusion.CompileError, "cannot open"):
            fusion.compile("no-such-file.mlir")
        with self.assertRaisesRegex(fusion.CompileError, "cannot open '/dev/zero': .* device"):
            fusion.compile("/dev/zero")
        with self.assertRaises(fusion.CompileError) as caught:
            fusion.compile("""func.func @f() -> f32 {
              %e = tensor.empty() : tensor<70368744177664xf32>
              %i = arith.constant 0 : index
              %x = tensor.extract %e[%i] : tensor<70368744177664xf32>
              return %x : f32 }""")
        message, = caught.exception.diagnostics
        self.assertEqual((message.severity, message.location),
                         ("error", "<module>:2:20"))

    def test_explain(self):
        found, = fusion.explain(AFFINE)
        self.assertEqual((found.status, found.folded, found.reason), ("fused", (), ""))
        self.assertIn("fusion.fused_matmul_bias_act", found.op)
        text = AFFINE.replace("xf32>", "xf64>").replace(": f32", ": f64")
        found, = fusion.explain(text)
        self.assertEqual(found.status, "not fused")
        self.assertIn("f64", found.reason)
        self.assertRegex(str(found), "^<module>:7:8: not fused: ")

    def test_optimize(self):
        self.assertIn("fusion.fused_matmul_bias_act", fusion.optimize(AFFINE))


class NumpyTest(unittest.TestCase):
    def setUp(self):
        self.network = fusion.compile(AFFINE)

    def test_call(self):
        result = self.network(X, W)
        numpy.testing.assert_array_equal(result, X @ W)
        self.assertTrue(result.flags.writeable)
        del self.network
        gc.collect()
        numpy.testing.assert_array_equal(result, X @ W)

    def test_element_types(self):
        for dtype in ("i8", "i16", "i32", "i64", "f32", "f64"):
            op = "mulf" if dtype[0] == "f" else "muli"
            function = fusion.compile(scale(dtype, op))
            name = {"i": "int", "f": "float"}[dtype[0]] + dtype[1:]
            x = numpy.arange(6).astype(name).reshape(3, 2)
            result, k = function(x, 3)
            numpy.testing.assert_array_equal(result, x * 3)
            self.assertEqual((result.dtype, k.dtype, k), (x.dtype, x.dtype, 3))
        result, k = fusion.compile(scale("i1", "andi"))(
            numpy.array([[True, False]]), True)
        self.assertEqual((result.tolist(), k.dtype), ([[True, False]], bool))
        bits = numpy.array([[0x3f80, 0x4000]], "u2")  # 1 and 2 in bf16
        result, _ = fusion.compile(scale("bf16", "mulf"))(
            bits, numpy.array(0x4040, "u2"))
        self.assertEqual(result.view("u2").tolist(), [[0x4040, 0x40c0]])

    def test_narrow_floats(self):
        bits, three = numpy.array([[0x3f80, 0x4000]], "u2"), numpy.array(0x4040, "u2")
        function = fusion.compile(scale("bf16", "mulf"))
        function(bits, three)
        # A search for ml_dtypes takes longer than the rest of a call.
        with mock.patch("importlib.import_module") as search:
            result, _ = function(bits, three)
        search.assert_not_called()
        out = numpy.zeros((1, 2), "u2"), numpy.zeros((), "u2")
        function(bits, three, out=out)
        self.assertEqual(out[0].tolist(), result.view("u2").tolist())
        bits.flags.writeable = False
        self.assertEqual(function(bits, three)[0].tolist(), result.tolist())

    def test_other_orders_are_copied(self):
        for x in (numpy.asfortranarray(X), numpy.repeat(X, 2, axis=1)[:, ::2]):
            numpy.testing.assert_array_equal(self.network(x, W), X @ W)
        frozen = X.copy()
        frozen.flags.writeable = False
        numpy.testing.assert_array_equal(self.network(frozen, W), X @ W)

    def test_other_byte_orders_are_copied(self):
        swapped = X.astype(">f4")
        self.assertFalse(swapped.dtype.isnative)
        numpy.testing.assert_array_equal(self.network(swapped, W), X @ W)
        with self.assertRaisesRegex(fusion.ArgumentError, "the byte order of the machine"):
            self.network(X, W.astype(">f4"))
        with self.assertRaisesRegex(fusion.ArgumentError, "an array of >f4 cannot be"):
            self.network(X, W, out=numpy.zeros((2, 4), ">f4"))

    def test_tensors_of_other_libraries(self):
        for x in (X, numpy.asfortranarray(X), numpy.repeat(X, 2, axis=1)[:, ::2],
                  X[::-1].copy()[::-1]):
            numpy.testing.assert_array_equal(self.network(Tensor(x), W), X @ W)
        with self.assertRaisesRegex(fusion.ArgumentError, "must be a row-major array"):
            self.network(X, Tensor(numpy.asfortranarray(W)))
        numpy.testing.assert_array_equal(self.network(X, Tensor(W)), X @ W)
        bits = numpy.array([[0x3f80, 0], [0x4000, 0]], "u2")
        result, _ = fusion.compile(scale("bf16", "mulf"))(
            Tensor(bits.T[:1], code=4), numpy.array(0x4040, "u2"))
        self.assertEqual(result.view("u2").tolist(), [[0x4040, 0x40c0]])
        out = numpy.zeros((2, 4), "f4")
        self.network(X, W, out=Tensor(out))
        numpy.testing.assert_array_equal(out, X @ W)
        frozen = X.copy()
        frozen.flags.writeable = False
        for tensor, reason in ((Tensor(frozen), "a tensor cannot be passed: "),
                               (Tensor(X.T), "must be 2x3xf32, got 3x2xf32"),
                               (Tensor(X.T, code=5), "must be of float32"),
                               (Tensor(X.T, device=2), "must be on the CPU")):
            with self.assertRaisesRegex(fusion.ArgumentError, reason):
                self.network(tensor, W)

    def test_wrong_arguments(self):
        for x, reason in ((X.T, "must be 2x3xf32, got 3x2xf32"),
                          (X.astype("f8"), "must be of float32"),
                          (X[0], "rank 1"), (X.astype("c8"), "complex64")):
            with self.assertRaisesRegex(ValueError, reason):
                self.network(x, W)
        with self.assertRaisesRegex(ValueError, "has 2 arguments, got 1"):
            self.network(X)
        with self.assertRaisesRegex(ValueError, "a constant argument must be"):
            self.network(X, numpy.asfortranarray(W))

    def test_out(self):
        out = numpy.zeros((2, 4), "f4")
        self.assertIs(self.network(X, W, out=out), out)
        numpy.testing.assert_array_equal(out, X @ W)
        with self.assertRaisesRegex(ValueError, "'result0' must be 2x4xf32"):
            self.network(X, W, out=numpy.zeros((4, 2), "f4"))
        fields = numpy.zeros((2, 4), [("wanted", "f4"), ("other", "u2")])
        with self.assertRaisesRegex(ValueError, "multiples of its elements"):
            self.network(X, W, out=fields["wanted"])

    def test_results_that_are_one(self):
        text = AFFINE.replace("-> tensor<2x4xf32> {\n  %zero",
                              "-> (tensor<2x4xf32>, tensor<2x4xf32>) {\n  %zero")
        text = text.replace("return %m : tensor<2x4xf32>",
                            "return %m, %m : tensor<2x4xf32>, tensor<2x4xf32>")
        first, second = fusion.compile(text)(X, W)
        first += 1
        numpy.testing.assert_array_equal(second, X @ W)
        del first
        numpy.testing.assert_array_equal(second, X @ W)

    def test_arguments_stay(self):
        text = AFFINE.replace("return %m", "return %x").replace("2x4xf32> {\n  %z",
                                                                "2x3xf32> {\n  %z")
        text = text.replace("return %x : tensor<2x4xf32>", "return %x : tensor<2x3xf32>")
        x = X.copy()
        y = fusion.compile(text)(x, W)
        y += 1
        numpy.testing.assert_array_equal(x, X)

    def test_threads(self):
        wrong = []

        def call(number):
            for i in range(100):
                x = X * (number + 1) + i
                if not numpy.array_equal(self.network(x, W), x @ W):
                    wrong.append(number)

        threads = [threading.Thread(target=call, args=(i,)) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_contexts(self):
        with fusion.Context(timeout=3600, threads=1) as context:
            numpy.testing.assert_array_equal(self.network(X, W), X @ W)
            canceller = threading.Thread(target=context.cancel)
            canceller.start()
            canceller.join()
            with self.assertRaisesRegex(fusion.CancelledError, "was cancelled") as caught:
                self.network(X, W)
            self.assertEqual(caught.exception.status, 7)
            with fusion.Context():
                numpy.testing.assert_array_equal(self.network(X, W), X @ W)
            with self.assertRaises(fusion.CancelledError):
                self.network(X, W)
        numpy.testing.assert_array_equal(self.network(X, W), X @ W)
        context.reset(timeout=0)
        with context, self.assertRaisesRegex(fusion.DeadlineError, "has passed") as caught:
            self.network(X, W)
        self.assertEqual(caught.exception.status, 8)
        context.reset()
        with context:
            numpy.testing.assert_array_equal(self.network(X, W), X @ W)
        for threads in (-1, 1 << 32, 1.5):
            with self.assertRaisesRegex(fusion.ArgumentError, "'threads' must be"):
                fusion.Context(threads=threads)
        for timeout in (-1, -1e-9, float("inf"), float("nan"), "1", [], 2 + 3j):
            with self.assertRaisesRegex(ValueError, "'timeout' must be a number of seconds"):
                fusion.Context(timeout=timeout)
            # A context that is refused a timeout is as before.
            with self.assertRaises(fusion.ArgumentError):
                context.reset(timeout=timeout)
        for timeout in (1e300, 1 << 2000, numpy.float32(3600)):
            context.reset(timeout=timeout)
            with context:
                numpy.testing.assert_array_equal(self.network(X, W), X @ W)

    def test_results_are_freed(self):
        size = 1 << 20
        function = fusion.compile(scale("f32", "mulf"))
        x = numpy.ones((size, 2), "f4")

        def resident():
            with open("/proc/self/statm", encoding="ascii") as file:
                return int(file.read().split()[1]) * 4096

        function(x, 2)
        before = resident()
        for _ in range(50):
            function(x, 2)
        self.assertLess(resident() - before, 10 * x.nbytes)


class TorchMlirTest(unittest.TestCase):
    class Module:
        """What the back end reads of a module of torch-mlir."""

        class operation:
            @staticmethod
            def get_asm(enable_debug_info):
                assert enable_debug_info
                return scale("f32", "mulf") + AFFINE

    def test_functions_as_methods(self):
        backend = fusion.torch_mlir_backend(threads=1)
        for module in self.Module(), AFFINE + scale("f32", "mulf"):
            network = backend.load(backend.compile(module))
            numpy.testing.assert_array_equal(network.main(X, W), X @ W)
            x = numpy.array([[1, 2], [3, 4], [5, 6]], "f4")
            y, k = network.scale(x, numpy.float32(3))
            numpy.testing.assert_array_equal(y, 3 * x)
            self.assertEqual((type(k), k), (float, 3.0))
            with self.assertRaisesRegex(AttributeError, "no function 'forward'"):
                network.forward(X)

    def test_options(self):
        x = X + numpy.float32(2 ** -10)
        backend = fusion.torch_mlir_backend(precision="bf16")
        network = backend.load(backend.compile(AFFINE))
        self.assertFalse(numpy.array_equal(network.main(x, W), x @ W))


if __name__ == "__main__":
    unittest.main()
