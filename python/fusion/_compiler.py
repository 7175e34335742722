# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Modules in: to functions, to explanations, to fusion ops."""

from __future__ import annotations

import ctypes
import os
from dataclasses import dataclass
from typing import Any, Union

from . import _library as c
from ._errors import check_threads, fail
from ._executable import Executable

Source = Union[str, bytes, "os.PathLike[str]"]


@dataclass(frozen=True)
class Diagnostic:
    """A message of the compiler."""

    severity: str  #: "error", "warning", "remark" or "note"
    location: str  #: "net.mlir:3:8", or empty
    message: str

    def __str__(self) -> str:
        place = self.location + ": " if self.location else ""
        return "%s%s: %s" % (place, self.severity, self.message)


@dataclass(frozen=True)
class Explanation:
    """The outcome for one convolution or matrix multiplication."""

    location: str  #: "net.mlir:3:8", or empty
    op: str
    status: str  #: "fused", "partly fused" or "not fused"
    folded: tuple[str, ...]  #: "pad", "bias", "relu", ...
    reason: str  #: what refused, and the values; empty if fused
    text: str

    def __str__(self) -> str:
        return "%s: %s" % (self.location or "<unknown>", self.text)


SEVERITIES = ("error", "warning", "remark", "note")
OUTCOMES = ("fused", "partly fused", "not fused")


class _Text:
    """Bytes for the C API, which reads them where they are."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        pointer = ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p)
        self.ref = c.StringRef(pointer, len(data))


def _note_in(diagnostics: list[Diagnostic]) -> Any:
    def note(severity: int, location: c.StringRef, message: c.StringRef, _: Any) -> None:
        diagnostics.append(
            Diagnostic(SEVERITIES[severity], location.text(), message.text()))

    return c.Diagnose(note)


class _Input:
    """A source and options for the C API."""

    def __init__(self, source: Source, pipeline: str, entry: str = "",
                 threads: int = 0) -> None:
        self.diagnostics: list[Diagnostic] = []
        data, is_path = _data_of(source)
        self._texts = [_Text(data), _Text(pipeline.encode()), _Text(entry.encode())]
        contents, options, name = (text.ref for text in self._texts)
        self.source = c.Source()
        setattr(self.source, "path" if is_path else "contents", contents)
        self._diagnose = _note_in(self.diagnostics)
        self.options = c.Options(options, name, check_threads(threads), self._diagnose, None)

    def run(self, function: Any, *rest: Any) -> None:
        status = function(ctypes.byref(self.source), ctypes.byref(self.options), *rest)
        if status:
            fail(status, self.diagnostics)


def _data_of(source: Source) -> tuple[bytes, bool]:
    """The text, bytecode, or path that `source` is; and whether it is a path."""
    if isinstance(source, (bytes, bytearray, memoryview)):
        return bytes(source), False
    if isinstance(source, str) and ("\n" in source or "{" in source):
        return source.encode(), False
    return os.fsencode(source), True


def _pipeline(options: str, named: dict[str, Any]) -> str:
    """The text of options: allow_reshape=False is allow-reshape=false."""
    texts = []
    for name, value in named.items():
        if isinstance(value, bool):
            value = str(value).lower()
        elif isinstance(value, (list, tuple)):
            value = ",".join(map(str, value))
        texts.append("%s=%s" % (name.replace("_", "-"), value))
    return " ".join([options, *texts]).strip()


def compile(source: Source, *, precision: str = "f32", threads: int = 0,
            entry: str = "", options: str = "", **named: Any) -> Executable:
    """Compiles a module for this machine.

    `source` is a path, text, or bytecode. `precision` is "f32" (as in the module),
    "bf16" or "f16"; `threads` bounds the threads of a call (0: one for each core);
    `entry` names the only function to compile (default: all that are public). Other
    options are those of `fusion-compile`, by name, `nan_mode="propagate"`, or as the
    text of a pipeline in `options`. Raises `CompileError` with the compiler's messages.
    """
    named = dict(precision=precision, **named)
    given = _Input(source, _pipeline(options, named), entry, threads)
    handle = c.Executable()
    given.run(c.lib.fusionExecutableCreate, ctypes.byref(handle))
    return Executable(handle)


def optimize(source: Source, *, options: str = "", **named: Any) -> str:
    """The text of the module after `fusion-optimize`, which the options are those of."""
    pieces: list[bytes] = []
    append = c.StringCallback(
        lambda piece, _: pieces.append(ctypes.string_at(piece.data, piece.length)))
    _Input(source, _pipeline(options, named)).run(c.lib.fusionOptimize, append, None)
    return b"".join(pieces).decode()


def explain(source: Source, *, options: str = "", **named: Any) -> list[Explanation]:
    """What `fusion-optimize` fused, and what refused, for each convolution, matrix
    multiplication, and pool that stays a loop, as `fusion-explain` says it. Options are those of `optimize`."""
    found: list[Explanation] = []

    def note(pointer: Any, _: Any) -> None:
        info = pointer.contents
        folded = tuple(info.folded[i].text() for i in range(info.num_folded))
        found.append(Explanation(info.location.text(), info.op.text(),
                                 OUTCOMES[info.outcome], folded, info.reason.text(),
                                 info.text.text()))

    callback = c.ExplanationCallback(note)
    _Input(source, _pipeline(options, named)).run(c.lib.fusionExplain, callback, None)
    return found
