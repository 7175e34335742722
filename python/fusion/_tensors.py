# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensors of other libraries, as DLPack tensors and back, without copies."""

from __future__ import annotations

import ctypes
import functools
import importlib
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NoReturn, Optional

import numpy

from . import _library as c
from ._errors import ArgumentError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ._executable import Value

CPU = 1
HOST_DEVICES = (CPU, 3)  # or memory of the CPU that CUDA knows
CODES = {"i": 0, "u": 1, "f": 2, "b": 6}
BFLOAT = 4
KINDS = {0: "i", 1: "u", 2: "f", 6: "b"}
#: NumPy's names, for numbers and lists.
DTYPES = {"i1": "bool", "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64",
          "index": "int64", "f16": "float16", "f32": "float32", "f64": "float64"}
#: The characters of NumPy's types that its `__dlpack__` takes in every version.
PLAIN = frozenset("bhilqBHILQefd")


@functools.lru_cache(maxsize=None)
def _narrow_float() -> numpy.dtype[Any]:
    """NumPy has no bf16. ml_dtypes adds one; otherwise its bits stand for it."""
    try:
        dtype: numpy.dtype[Any] = numpy.dtype(
            importlib.import_module("ml_dtypes").bfloat16)
    except ImportError:
        dtype = numpy.dtype("uint16")
    return dtype


def plain_dtype(value: Value) -> Optional[numpy.dtype[Any]]:
    """The type of the arrays that `borrow` does nothing to but take their capsule, if
    they are row-major, aligned and writable. NumPy has one object for each type, so
    that `is` compares them."""
    if value.is_constant or value.dtype in ("i1", "bf16"):
        return None
    return numpy.dtype(DTYPES[value.dtype])


def borrow(value: Value, argument: Any, torch: Any, keep: list[Any],
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
            return _borrow_tensor(argument, keep, may_copy)
        if not may_copy:
            _refuse_copy()
        argument = numpy.asarray(argument, dtype=DTYPES.get(value.dtype))
    if not argument.dtype.isnative:
        argument = (argument.astype(argument.dtype.newbyteorder("=")) if may_copy
                    else _refuse_copy())
    if not (argument.flags.c_contiguous and argument.flags.aligned):
        argument = numpy.ascontiguousarray(argument) if may_copy else _refuse_copy()
    return _borrow_array(value, argument, keep)


def borrow_target(value: Value, target: Any, torch: Any, keep: list[Any]) -> int:
    """The address of a DLTensor for memory that a result is written to."""
    if torch is not None and isinstance(target, torch.Tensor):
        target = target.detach()
        if target.dtype == torch.bool:
            target = target.view(torch.uint8)
        return _open(torch.utils.dlpack.to_dlpack(target), keep)
    if not isinstance(target, numpy.ndarray):
        return _open(_capsule_of(target), keep)
    if not target.flags.writeable:
        raise ArgumentError("'out' must be writable")
    return _borrow_array(value, target, keep)


def _refuse_copy() -> NoReturn:
    raise ArgumentError("a constant argument must be a row-major array or tensor, in the "
                        "byte order of the machine: it is read where it is")


def _capsule_of(tensor: Any) -> Any:
    try:
        return tensor.__dlpack__()
    except BufferError as error:
        raise ArgumentError("a tensor cannot be passed: %s" % error) from error


def _borrow_tensor(argument: Any, keep: list[Any], may_copy: bool) -> int:
    """The same for an object of another library, with `__dlpack__`."""
    pointer = _open(_capsule_of(argument), keep)
    tensor = c.DLTensor.from_address(pointer)
    # The C API refuses what cannot be read here, with its reason.
    if (tensor.device_type not in HOST_DEVICES or tensor.code not in (*KINDS, BFLOAT)
            or tensor.bits not in (8, 16, 32, 64) or tensor.lanes != 1
            or not tensor.strides):
        return pointer
    array = numpy.asarray(SimpleNamespace(__array_interface__=_interface(tensor)))
    if array.flags.c_contiguous:
        return pointer
    if not may_copy:
        _refuse_copy()
    return _describe(numpy.ascontiguousarray(array), tensor.code == BFLOAT, keep)


def _open(capsule: Any, keep: list[Any]) -> int:
    keep.append(capsule)
    pointer: int = c.capsule_pointer(capsule, b"dltensor")
    return pointer


def _borrow_array(value: Value, array: NDArray[Any], keep: list[Any]) -> int:
    """The address of a DLTensor for `array`, whatever its order."""
    width = array.itemsize
    if width and any(stride % width for stride in array.strides):
        raise ArgumentError("an array's strides must be multiples of its elements, of "
                            "%d bytes, got %s" % (width, array.strides))
    is_bfloat = value.dtype == "bf16" and array.dtype.char == "H"
    if array.dtype.char == "?":
        array = array.view("uint8")
    if array.dtype.char not in PLAIN or not (array.flags.behaved
                                              and array.dtype.isnative):
        return _describe(array, is_bfloat, keep)
    pointer = _open(array.__dlpack__(), keep)
    if is_bfloat:
        c.DLTensor.from_address(pointer).code = BFLOAT
    return pointer


def _describe(array: NDArray[Any], is_bfloat: bool, keep: list[Any]) -> int:
    """A DLTensor for an array that NumPy gives none for: one that is read-only, or of
    the bf16 of ml_dtypes."""
    dtype = array.dtype
    code = BFLOAT if is_bfloat or dtype.name == "bfloat16" else CODES.get(dtype.kind)
    if code is None or not dtype.isnative:
        raise ArgumentError("an array of %s cannot be passed" % dtype)
    rank, width = array.ndim, dtype.itemsize
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


def _interface(tensor: c.DLTensor) -> dict[str, Any]:
    """What NumPy makes an array on the memory of `tensor` from; bits of bf16 are u2."""
    rank, width = tensor.ndim, tensor.bits // 8
    kind = "u" if tensor.code == BFLOAT else KINDS[tensor.code]
    interface = {
        "version": 3, "typestr": "<%s%d" % (kind, width),
        "data": ((tensor.data or 0) + tensor.byte_offset, False),
        "shape": tuple(tensor.shape[:rank])}
    if tensor.strides:
        interface["strides"] = tuple(width * step for step in tensor.strides[:rank])
    return interface


def give_numpy(address: int) -> NDArray[Any]:
    """The DLManagedTensor at `address` as an array, which owns it."""
    tensor = c.DLTensor.from_address(address)
    array = numpy.asarray(_Block(address, _interface(tensor)))
    return array.view(_narrow_float()) if tensor.code == BFLOAT else array


def give_torch(address: int, torch: Any) -> Any:
    """The DLManagedTensor at `address` as a tensor of PyTorch, which owns it."""
    # PyTorch before 2 knows booleans as bytes.
    is_bool = c.DLTensor.from_address(address).code == CODES["b"]
    if is_bool:
        return torch.from_numpy(give_numpy(address))
    return torch.utils.dlpack.from_dlpack(c.capsule_new(address, b"dltensor", None))
