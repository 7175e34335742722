# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles networks of MLIR, linalg on tensors, and runs them.

    import fusion
    network = fusion.compile("model.mlir", precision="bf16")
    y = network(x)    # NumPy arrays, PyTorch tensors, anything with __dlpack__

`explain` says what was fused and what refused, `optimize` gives the module with fusion
ops. Each takes a path, text, or bytecode.
"""

from ._compiler import Diagnostic, Explanation, compile, explain, optimize
from ._context import Context
from ._errors import (ArgumentError, CancelledError, CompileError, DeadlineError,
                      Error)
from ._executable import Executable, Function, Value
from ._torch_mlir import TorchMlirBackend, torch_mlir_backend
from ._version import __version__

__all__ = ["ArgumentError", "CancelledError", "CompileError", "Context",
           "DeadlineError", "Diagnostic", "Error", "Executable", "Explanation",
           "Function", "TorchMlirBackend", "Value", "__version__", "compile", "explain",
           "optimize", "torch_mlir_backend"]
