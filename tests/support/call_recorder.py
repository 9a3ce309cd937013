"""Records the calls of functions while a test runs, without changing the program."""

from __future__ import annotations

import inspect
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any


@contextmanager
def record_calls(**functions: Callable[..., Any]) -> Iterator[list[tuple[str, int]]]:
    """Yield a list that collects the calls of `functions` made in the context: name and thread id of each.

    The name is the function's keyword. Calls in other threads are recorded if the thread begins inside. Coroutines
    cannot be recorded, because each continuation would count as a call.
    """
    codes = {inspect.unwrap(function).__code__: name for name, function in functions.items()}
    found: list[tuple[str, int]] = []

    def record_call(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call" and frame.f_code in codes:
            found.append((codes[frame.f_code], threading.get_ident()))

    before = sys.getprofile()
    threading.setprofile(record_call)
    sys.setprofile(record_call)
    try:
        yield found
    finally:
        sys.setprofile(before)
        threading.setprofile(None)
