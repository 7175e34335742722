# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Contexts of the runtime."""

from __future__ import annotations

import ctypes
import math
import threading
import time
from numbers import Real
from typing import Any, Optional

from . import _library as c
from ._errors import ArgumentError, check_threads, fail_runtime


class Context:
    """Ends the calls that threads make in it, and bounds their threads.

        with fusion.Context(timeout=0.5) as context:
            y = network(x)

    Calls raise `DeadlineError` when `timeout` seconds (None: no bound) have passed since the
    context was made or reset, and `CancelledError` once a thread has called `cancel`. A kernel that
    runs is not interrupted. Several threads may be in one context.
    """

    def __init__(self, *, timeout: Optional[float] = None, threads: int = 0) -> None:
        self._handle = ctypes.c_void_p()
        self._before = threading.local()
        _check(c.lib.fusion_rt_context_create(ctypes.byref(self._handle)))
        _check(c.lib.fusion_rt_context_set_num_threads(self._handle, check_threads(threads)))
        self.reset(timeout=timeout)

    def __del__(self, destroy: Any = c.lib.fusion_rt_context_destroy) -> None:
        destroy(self._handle)

    def __enter__(self) -> Context:
        stack = self._before.__dict__.setdefault("stack", [])
        stack.append(c.lib.fusion_rt_context_enter(self._handle))
        return self

    def __exit__(self, *exception: Any) -> None:
        c.lib.fusion_rt_context_enter(self._before.stack.pop())

    def cancel(self) -> None:
        """Ends the calls in the context, now and until it is reset."""
        _check(c.lib.fusion_rt_context_cancel(self._handle))

    def reset(self, *, timeout: Optional[float] = None) -> None:
        """Takes back a cancellation, and sets the deadline anew."""
        deadline = None if timeout is None else _deadline(timeout)
        _check(c.lib.fusion_rt_context_reset(self._handle))
        if deadline is not None:
            _check(c.lib.fusion_rt_context_set_deadline(self._handle, deadline))


def _deadline(timeout: float) -> int:
    """The time in nanoseconds at which `timeout` seconds are over."""
    if not isinstance(timeout, Real) or not 0 <= timeout < math.inf:
        raise ArgumentError("'timeout' must be a number of seconds, finite and not negative, "
                            "or None, got %r" % (timeout,))
    # The number is an int64, and 30 years are as good as more.
    return time.monotonic_ns() + int(min(timeout, 1e9) * 1e9)


def _check(status: int) -> None:
    if status:
        fail_runtime(status)
