"""What the simulated Discord sends and keeps, copied as the plain data that it is."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest
from simcord import components, gateway, results
from simcord.backend import serializers
from simcord.http import router


def plain_copy(value: Any) -> Any:
    """Dictionaries and lists anew, whatever they hold."""
    kind = type(value)
    if kind is dict:
        return {name: plain_copy(inner) for name, inner in value.items()}
    if kind is list:
        return [plain_copy(inner) for inner in value]
    return value if kind in (str, int, bool, float, type(None)) else copy.deepcopy(value)


@contextmanager
def copied_plainly() -> Iterator[None]:
    """Inside, SimCord copies so what it copies at every request and every event.

    A general deep copy notes each value that it met; that was a seventh of what a test of Discord costs.
    """
    plainly = SimpleNamespace(deepcopy=plain_copy)
    with pytest.MonkeyPatch.context() as patch:
        for module in (router, gateway):
            patch.setattr(module, "copy", plainly)
        for module in (components, results, serializers):
            patch.setattr(module, "deepcopy", plain_copy)
        yield
