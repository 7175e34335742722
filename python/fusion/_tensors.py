# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensors of other libraries, as DLPack tensors and back, without copies."""

from __future__ import annotations

import ctypes
from typing import Any, Optional

import numpy

from . import _library as c
from ._errors import ArgumentError

CPU = 1
CODES = {"i": 0, "u": 1, "f": 2, "b": 6}
BFLOAT = 4
KINDS = {0: "i", 1: "u", 2: "f", 6: "b"}
#: NumPy's names, for numbers and lists.
DTYPES = {"i1": "bool", "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64",
          "index": "int64", "f16": "float16", "f32": "float32", "f64": "float64"}


def _narrow_float() -> Any:
    """NumPy has no bf16. ml_dtypes adds one; otherwise its bits stand for it."""
    try:
        import ml_dtypes
        return numpy.dtype(ml_dtypes.bfloat16)
    except ImportError:
        return numpy.dtype("uint16")


def borrow(value: Any, argument: Any, torch: Any, keep: list[Any],
           may_copy: bool = True) -> int:
    """The address of a DLTensor for `argument`, valid while `keep` is."""
    if torch is not None and isinstance(argument, torch.Tensor):
        tensor = argument.detach() if argument.requires_grad else argument
        if not tensor.is_contiguous():
            tensor = tensor.contiguous() if may_copy else _refuse_copy()
        if tensor.dtype == torch.bool:
            tensor = tensor.view(torch.uint8)
        return _open(torch.utils.dlpack.to_dlpack(tensor), keep)
    if not isinstance(argument, numpy.ndarray):
        if hasattr(argument, "__dlpack__"):
            return _open(argument.__dlpack__(), keep)
        if not may_copy:
            _refuse_copy()
        argument = numpy.asarray(argument, dtype=DTYPES.get(value.dtype))
    flags = argument.flags
    if not (flags.c_contiguous and flags.aligned):
        argument = numpy.ascontiguousarray(argument) if may_copy else _refuse_copy()
    if flags.writeable and argument.dtype.char in "bhilqBHILQefd" \
            and value.dtype != "bf16":
        return _open(argument.__dlpack__(), keep)
    return _describe(argument, value.dtype == "bf16", keep)


def borrow_target(target: Any, torch: Any, keep: list[Any]) -> int:
    """The address of a DLTensor for memory that a result is written to."""
    if torch is not None and isinstance(target, torch.Tensor):
        return _open(torch.utils.dlpack.to_dlpack(target.detach()), keep)
    if not isinstance(target, numpy.ndarray):
        return _open(target.__dlpack__(), keep)
    if not target.flags.writeable:
        raise ArgumentError("'out' must be writable")
    return _describe(target, False, keep)


def _refuse_copy() -> Any:
    raise ArgumentError("a constant argument must be a row-major array or tensor: it "
                        "is read where it is")


def _open(capsule: Any, keep: list[Any]) -> int:
    keep.append(capsule)
    return c.capsule_pointer(capsule, b"dltensor")


def _describe(array: numpy.ndarray, is_bfloat: bool, keep: list[Any]) -> int:
    """A DLTensor for an array that NumPy gives none for."""
    kind, width = array.dtype.kind, array.dtype.itemsize
    if array.dtype.name == "bfloat16" or (is_bfloat and array.dtype.char == "H"):
        code: Optional[int] = BFLOAT
    else:
        code = CODES.get(kind)
    if code is None or not array.dtype.isnative:
        raise ArgumentError("an array of %s cannot be passed" % array.dtype)
    rank = array.ndim
    sizes = (ctypes.c_int64 * (2 * rank))(
        *array.shape, *(stride // width for stride in array.strides))
    strides = ctypes.cast(ctypes.byref(sizes, 8 * rank), ctypes.POINTER(ctypes.c_int64))
    tensor = c.DLTensor(array.ctypes.data, CPU, 0, rank, code, 8 * width, 1, sizes,
                        strides, 0)
    keep.append((array, sizes, tensor))
    return ctypes.addressof(tensor)


class _Block:
    """A result's memory, which the array on it keeps."""

    __slots__ = ("address", "__array_interface__")

    def __init__(self, address: int, interface: dict[str, Any]) -> None:
        self.address = address
        self.__array_interface__ = interface

    def __del__(self, delete: Any = c.delete) -> None:
        delete(self.address)


def give_numpy(address: int) -> numpy.ndarray:
    """The DLManagedTensor at `address` as an array, which owns it."""
    tensor = c.DLTensor.from_address(address)
    width = tensor.bits // 8
    is_bfloat = tensor.code == BFLOAT
    kind = "u" if is_bfloat else KINDS[tensor.code]
    block = _Block(address, {
        "version": 3, "data": (tensor.data, False), "typestr": "<%s%d" % (kind, width),
        "shape": tuple(tensor.shape[:tensor.ndim])})
    array = numpy.asarray(block)
    return array.view(_narrow_float()) if is_bfloat else array


def give_torch(address: int, torch: Any) -> Any:
    """The DLManagedTensor at `address` as a tensor of PyTorch, which owns it."""
    # PyTorch before 2 knows booleans as bytes.
    is_bool = c.DLTensor.from_address(address).code == CODES["b"]
    if is_bool:
        return torch.from_numpy(give_numpy(address))
    return torch.utils.dlpack.from_dlpack(c.capsule_new(address, b"dltensor", None))
