# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The statuses of the C API, as exceptions."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn, Sequence

from ._library import lib

if TYPE_CHECKING:
    from ._compiler import Diagnostic

INVALID_ARGUMENT = 1
CANCELLED = 7
DEADLINE_EXCEEDED = 8
NOT_COMPILED = 64


class Error(RuntimeError):
    """A failure of the compiler or of compiled code. `status` is a `FusionStatus`."""

    def __init__(self, message: str, status: int = INVALID_ARGUMENT) -> None:
        super().__init__(message)
        self.status = status


class ArgumentError(Error, ValueError):
    """An argument or option that does not fit: a wrong shape, for instance."""


class CompileError(Error):
    """A module that cannot be read or compiled, and the compiler's messages."""

    def __init__(self, message: str, diagnostics: Sequence[Diagnostic] = ()) -> None:
        super().__init__("\n".join([message, *map(str, diagnostics)]), NOT_COMPILED)
        self.diagnostics = tuple(diagnostics)


class CancelledError(Error):
    """A call in a `Context` that was cancelled."""


class DeadlineError(Error):
    """A call in a `Context` whose time is over."""


#: The exceptions of single statuses.
_EXCEPTIONS = {INVALID_ARGUMENT: ArgumentError, CANCELLED: CancelledError,
               DEADLINE_EXCEEDED: DeadlineError}


def check_threads(threads: int) -> int:
    """Refuses what does not fit into the int32 of the C API, which refuses the rest."""
    if not isinstance(threads, int) or not -2**31 <= threads < 2**31:
        raise ArgumentError("'threads' must be an integer between 0 and 1024, got %r"
                            % (threads,))
    return threads


def fail(status: int, diagnostics: Sequence[Diagnostic] = ()) -> NoReturn:
    """Raises the last error of this thread."""
    message = lib.fusionGetLastError().text()
    if status == NOT_COMPILED:
        raise CompileError(message, diagnostics)
    raise _EXCEPTIONS.get(status, Error)(message, status)


def fail_runtime(status: int) -> NoReturn:
    """The same for a function of the runtime."""
    message = lib.fusion_rt_last_error().decode("utf-8", "replace")
    raise _EXCEPTIONS.get(status, Error)(message, status)
