# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A back end for torch-mlir."""

from __future__ import annotations

from typing import Any, Callable

from ._compiler import compile
from ._executable import Executable


class _Invoker:
    """The functions of an executable as methods. Scalar results are numbers."""

    def __init__(self, executable: Executable) -> None:
        self._executable = executable

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_"):
            raise AttributeError(name)
        if name not in self._executable:
            raise AttributeError("there is no function '%s'; there are: %s"
                                 % (name, ", ".join(self._executable)))
        function = self._executable[name]

        def invoke(*arguments: Any) -> Any:
            results = function(*arguments)
            if not isinstance(results, tuple):
                results = (results,)
            results = tuple(result.item() if value.is_scalar else result
                            for value, result in zip(function.results, results))
            return results[0] if len(results) == 1 else results

        return invoke


class TorchMlirBackend:
    """A back end for linalg on tensors, with the methods that torch-mlir's tests ask of
    one (`LinalgOnTensorsBackend`)."""

    def __init__(self, **options: Any) -> None:
        self._options = options

    def compile(self, module: Any) -> Executable:
        """Compiles a module of torch-mlir's Python bindings, or what `fusion.compile`
        takes."""
        operation = getattr(module, "operation", None)
        if operation is not None:
            module = operation.get_asm(enable_debug_info=True)
        return compile(module, **self._options)

    def load(self, artifact: Executable) -> Any:
        """An object that has the functions as methods. These take and give what a
        `Function` does, and numbers for scalar results."""
        return _Invoker(artifact)


def torch_mlir_backend(**options: Any) -> TorchMlirBackend:
    """A back end for torch-mlir, with the options of `compile`:

        module = fx.export_and_import(model, x, output_type="linalg-on-tensors")
        backend = fusion.torch_mlir_backend(precision="bf16")
        network = backend.load(backend.compile(module))
        y = network.main(x.numpy())
    """
    return TorchMlirBackend(**options)
