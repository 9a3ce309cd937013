"""Errors of records: unreadable ones and contradictory ones, with the place of the error."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Self

from bot.engine.moves.refusals import Refusal


class InvalidRecord(ValueError):
    """The record contradicts itself; the text gives the deal, the turn and the step."""

    def __init__(self, text: str, place: str = "") -> None:
        super().__init__(f"{place}: {text}" if place else text)
        self._text = text
        self._where = place

    def with_place_if_none(self, place: str) -> Self:
        """Return the error with this place in its text, unless it already names a place.

        The earlier place is more exact.
        """
        return self if self._where else type(self)(self._text, place)


class UnreadableRecord(InvalidRecord):
    """The text is not JSON, or has a format, version, step or rules that this release does not know."""


@contextmanager
def with_place_in_errors(place: str) -> Iterator[None]:
    """Convert errors raised in the `with` block to `InvalidRecord` with this place."""
    try:
        yield
    except InvalidRecord as fault:
        raise fault.with_place_if_none(place) from None
    except Refusal as refusal:
        raise InvalidRecord(f"the rules refuse it: {refusal.code.value}", place) from None
    except Exception as fault:  # noqa: BLE001 - a damaged document may cause any error
        raise InvalidRecord(f"cannot be read or played ({type(fault).__name__})", place) from None
