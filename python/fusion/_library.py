# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The C API of include/FusionDialect-c/Executable.h, in ctypes."""

from __future__ import annotations

import ctypes
import os
from ctypes import (CFUNCTYPE, POINTER, Structure, c_bool, c_char_p, c_int, c_int32,
                    c_int64, c_size_t, c_ssize_t, c_uint, c_void_p, py_object)
from typing import Any

from ._version import __version__

#: The library of the package's own version.
NAME = "libFusionC.so." + ".".join(__version__.split(".")[:2])


class StringRef(Structure):
    _fields_ = [("data", c_void_p), ("length", c_size_t)]

    def text(self) -> str:
        if not self.length:
            return ""
        return ctypes.string_at(self.data, self.length).decode("utf-8", "replace")


class Source(Structure):
    _fields_ = [("contents", StringRef), ("path", StringRef), ("module", c_void_p)]


Diagnose = CFUNCTYPE(None, c_uint, StringRef, StringRef, c_void_p)


class Options(Structure):
    _fields_ = [("pipeline", StringRef), ("entry", StringRef), ("threads", c_int32),
                ("diagnose", Diagnose), ("user_data", c_void_p)]


class ExplanationInfo(Structure):
    _fields_ = [("location", StringRef), ("op", StringRef), ("outcome", c_uint),
                ("num_folded", c_ssize_t), ("folded", POINTER(StringRef)),
                ("reason", StringRef), ("text", StringRef)]


class Executable(Structure):
    _fields_ = [("ptr", c_void_p)]


class ValueInfo(Structure):
    _fields_ = [("element_type", c_uint), ("rank", c_int32), ("sizes", POINTER(c_int64)),
                ("is_constant", c_bool), ("is_scalar", c_bool), ("name", StringRef)]


class EntryInfo(Structure):
    _fields_ = [("name", StringRef), ("num_arguments", c_ssize_t),
                ("num_results", c_ssize_t)]


class DLTensor(Structure):
    """`DLTensor` of dlpack.h."""

    _fields_ = [("data", c_void_p), ("device_type", c_int32), ("device_id", c_int32),
                ("ndim", c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16), ("shape", POINTER(c_int64)),
                ("strides", POINTER(c_int64)), ("byte_offset", ctypes.c_uint64)]


class DLManagedTensor(Structure):
    _fields_ = [("tensor", DLTensor), ("context", c_void_p), ("deleter", c_void_p)]


StringCallback = CFUNCTYPE(None, StringRef, c_void_p)
ExplanationCallback = CFUNCTYPE(None, POINTER(ExplanationInfo), c_void_p)


def recorded(folder: str) -> list[str]:
    """The library of the build that pip installed the package from, in a list."""
    try:
        with open(os.path.join(folder, "library.txt"), encoding="utf-8",
                  errors="surrogateescape") as file:
            return [file.read()]
    except FileNotFoundError:
        return []


def candidates() -> list[str]:
    """Where the library may be: what the user says is taken before all else."""
    given = os.environ.get("FUSION_LIBRARY")
    if given:
        return [given]
    here = os.path.dirname(os.path.abspath(__file__))
    # <prefix>/lib/python3/dist-packages/fusion, and python/fusion of the source tree.
    return [os.path.join(here, "..", "..", "..", NAME),
            os.path.join(here, "..", "..", "build", "lib", NAME),
            *recorded(here), NAME]


def load() -> ctypes.CDLL:
    errors = []
    for path in candidates():
        if os.sep in path and not os.path.exists(path):
            continue
        try:
            return ctypes.CDLL(os.path.realpath(path) if os.sep in path else path)
        except OSError as error:
            errors.append(str(error))
    raise ImportError("%s is not found; set FUSION_LIBRARY to its path%s"
                      % (NAME, "".join("\n  " + error for error in errors)))


def declare(library: ctypes.CDLL) -> ctypes.CDLL:
    executable, source, options = Executable, POINTER(Source), POINTER(Options)
    functions: tuple[tuple[str, Any, list[Any]], ...] = (
        ("fusionGetLastError", StringRef, []),
        ("fusionOptimize", c_int, [source, options, StringCallback, c_void_p]),
        ("fusionExplain", c_int, [source, options, ExplanationCallback, c_void_p]),
        ("fusionExecutableCreate", c_int, [source, options, POINTER(executable)]),
        ("fusionExecutableDestroy", None, [executable]),
        ("fusionExecutablePrepare", c_int, [executable]),
        ("fusionExecutableGetNumEntries", c_ssize_t, [executable]),
        ("fusionExecutableGetEntry", c_int, [executable, c_ssize_t, POINTER(EntryInfo)]),
        ("fusionExecutableGetArgument", c_int,
         [executable, c_ssize_t, c_ssize_t, POINTER(ValueInfo)]),
        ("fusionExecutableGetResult", c_int,
         [executable, c_ssize_t, c_ssize_t, POINTER(ValueInfo)]),
        ("fusionExecutableCallDLPack", c_int,
         [executable, c_ssize_t, c_void_p, c_ssize_t, c_void_p, c_ssize_t]),
        # Of the runtime, which the library needs.
        ("fusion_rt_last_error", c_char_p, []),
        ("fusion_rt_context_create", c_int, [POINTER(c_void_p)]),
        ("fusion_rt_context_destroy", None, [c_void_p]),
        ("fusion_rt_context_enter", c_void_p, [c_void_p]),
        ("fusion_rt_context_cancel", c_int, [c_void_p]),
        ("fusion_rt_context_reset", c_int, [c_void_p]),
        ("fusion_rt_context_set_deadline", c_int, [c_void_p, c_int64]),
        ("fusion_rt_context_set_num_threads", c_int, [c_void_p, c_int32]),
    )
    for name, result, arguments in functions:
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


lib = declare(load())

# Capsules of DLPack. These hold the interpreter's lock, as capsules need.
capsule_pointer = ctypes.pythonapi.PyCapsule_GetPointer
capsule_pointer.restype, capsule_pointer.argtypes = c_void_p, [py_object, c_char_p]
capsule_new = ctypes.pythonapi.PyCapsule_New
capsule_new.restype, capsule_new.argtypes = py_object, [c_void_p, c_char_p, c_void_p]

Deleter = CFUNCTYPE(None, c_void_p)


def delete(address: int) -> None:
    """Calls the deleter of the DLManagedTensor at `address`."""
    Deleter(DLManagedTensor.from_address(address).deleter)(address)
