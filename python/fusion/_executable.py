# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiled functions."""

from __future__ import annotations

import ctypes
import sys
from dataclasses import dataclass
from typing import Any, Iterator, Mapping, Optional

import numpy

from . import _library as c
from . import _tensors
from ._errors import ArgumentError, fail

#: Of FusionElementType.
NAMES = ("", "i1", "i8", "i16", "i32", "i64", "index", "f16", "bf16", "f32", "f64")


@dataclass(frozen=True)
class Value:
    """An argument or result of a function."""

    dtype: str  #: as MLIR writes it: "f32", "bf16", "i64"
    shape: tuple[Optional[int], ...]  #: None for a size that each call may choose
    name: str  #: its `fusion.name`, or empty
    is_constant: bool  #: promised to be the same in all calls (`fusion.constant`)
    is_scalar: bool  #: f32, and not tensor<f32>

    def __str__(self) -> str:
        sizes = "".join("?x" if size is None else "%dx" % size for size in self.shape)
        return sizes + self.dtype


def _value(info: c.ValueInfo) -> Value:
    sizes = (info.sizes[i] for i in range(info.rank))
    return Value(NAMES[info.element_type],
                 tuple(None if size < 0 else size for size in sizes),
                 info.name.text(), info.is_constant, info.is_scalar)


class _Handle:
    """Frees the compiled code when nobody can call it any more."""

    def __init__(self, handle: c.Executable) -> None:
        self.handle = handle

    def __del__(self, destroy: Any = c.lib.fusionExecutableDestroy) -> None:
        destroy(self.handle)


class Function:
    """A compiled function.

    Call it with one value for each argument: NumPy arrays, PyTorch tensors, objects
    with `__dlpack__`, numbers. It gives its result, or a tuple of several: PyTorch
    tensors if an argument is one, NumPy arrays otherwise. Arrays that are row-major are
    not copied, neither as arguments nor as results; others are, first. Several threads
    may call at once.

    An argument that is constant is kept until the function is gone, and must not change.
    """

    def __init__(self, owner: _Handle, number: int) -> None:
        info = c.EntryInfo()
        c.lib.fusionExecutableGetEntry(owner.handle, number, ctypes.byref(info))
        self._owner, self._handle, self._number = owner, owner.handle, number
        self.name: str = info.name.text()
        self.arguments: tuple[Value, ...] = self._read(
            c.lib.fusionExecutableGetArgument, info.num_arguments)
        self.results: tuple[Value, ...] = self._read(
            c.lib.fusionExecutableGetResult, info.num_results)
        self._plain_dtypes = tuple(map(_tensors.plain_dtype, self.arguments))
        self._pointers = ctypes.c_void_p * len(self.arguments)
        self._outcomes: Any = ctypes.c_void_p * len(self.results)
        # Constants by their identity: the address of a tensor, and what keeps it.
        self._constants: dict[int, tuple[int, object, list[Any]]] = {}

    def _read(self, function: Any, count: int) -> tuple[Value, ...]:
        info = c.ValueInfo()
        values = []
        for index in range(count):
            function(self._handle, self._number, index, ctypes.byref(info))
            values.append(_value(info))
        return tuple(values)

    def __repr__(self) -> str:
        return "<fusion.Function %s(%s) -> (%s)>" % (
            self.name, ", ".join(map(str, self.arguments)),
            ", ".join(map(str, self.results)))

    def __call__(self, *arguments: Any, out: Any = None) -> Any:
        """Runs the function. `out`, an array or a tuple of them, is memory that
        results are copied to; it is given back."""
        if len(arguments) != len(self.arguments):
            raise ArgumentError("'%s' has %d arguments, got %d"
                                % (self.name, len(self.arguments), len(arguments)))
        torch = sys.modules.get("torch")
        gives_torch = False
        pointers, outcomes = self._pointers(), self._outcomes()
        keep: list[Any] = []
        for index, argument in enumerate(arguments):
            # The usual case, which takes a third of the time of the general one.
            if (type(argument) is numpy.ndarray and argument.flags.carray
                    and argument.dtype is self._plain_dtypes[index]):
                capsule = argument.__dlpack__()
                keep.append(capsule)
                pointers[index] = c.capsule_pointer(capsule, b"dltensor")
                continue
            is_torch = torch is not None and isinstance(argument, torch.Tensor)
            gives_torch |= is_torch
            value = self.arguments[index]
            if value.is_constant:
                pointers[index] = self._borrow_constant(index, argument, torch)
            else:
                pointers[index] = _tensors.borrow(value, argument, torch, keep)
        if out is not None:
            outs = out if isinstance(out, tuple) else (out,)
            if len(outs) != len(self.results):
                raise ArgumentError("'%s' has %d results, got %d for them"
                                    % (self.name, len(self.results), len(outs)))
            for index, target in enumerate(outs):
                outcomes[index] = _tensors.borrow_target(
                    self.results[index], target, torch, keep)
        status = c.lib.fusionExecutableCallDLPack(
            self._handle, self._number, pointers, len(pointers), outcomes, len(outcomes))
        if status:
            fail(status)
        if out is not None:
            return out
        if gives_torch:
            results = tuple([_tensors.give_torch(pointer, torch) for pointer in outcomes])
        else:
            results = tuple([_tensors.give_numpy(pointer) for pointer in outcomes])
        return results[0] if len(results) == 1 else results

    def _borrow_constant(self, index: int, argument: Any, torch: Any) -> int:
        """Kernels have packed what lies at the address: nothing else may come there."""
        known = self._constants.get(id(argument))
        if known:
            return known[0]
        keep: list[Any] = []
        pointer = _tensors.borrow(self.arguments[index], argument, torch, keep,
                                  may_copy=False)
        self._constants[id(argument)] = (pointer, argument, keep)
        return pointer

    def prepare(self) -> None:
        """Creates kernels and packs the module's weights, as the first call does."""
        status = c.lib.fusionExecutablePrepare(self._handle)
        if status:
            fail(status)


class Executable(Mapping[str, Function]):
    """A compiled module: its functions by name. A call is one of the first of them,
    `main` or `forward` if there is one."""

    def __init__(self, handle: c.Executable) -> None:
        owner = _Handle(handle)
        count = c.lib.fusionExecutableGetNumEntries(handle)
        functions = [Function(owner, number) for number in range(count)]
        self._functions = {function.name: function for function in functions}
        self.default: Function = functions[0]

    def __call__(self, *arguments: Any, out: Any = None) -> Any:
        return self.default(*arguments, out=out)

    def __getitem__(self, name: str) -> Function:
        return self._functions[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._functions)

    def __len__(self) -> int:
        return len(self._functions)

    def __repr__(self) -> str:
        return "<fusion.Executable of %s>" % ", ".join(self._functions)

    def prepare(self) -> None:
        """Creates kernels and packs the module's weights, as first calls do."""
        self.default.prepare()
