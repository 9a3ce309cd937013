"""Giving memory back to the system.

Pictures are made of large images that come and go between small ones that stay. The C library keeps what lies between
them, some 50 MB after a thousand pictures; asked, it gives it back in a few milliseconds.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import cast


def _trim() -> Callable[[int], int] | None:
    """The C library's own function, where it has one: glibc does."""
    try:
        return cast(Callable[[int], int], ctypes.CDLL(None).malloc_trim)
    except (OSError, AttributeError, TypeError):
        return None


_give_back = _trim()


def give_back() -> None:
    """Give what is not in use back to the system, if the C library can."""
    if _give_back is not None:
        _give_back(0)
