"""Errors of records: what makes one unreadable, what contradicts itself, and where."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Self

from bot.engine.moves.refusals import Refusal


class InvalidRecord(ValueError):
    """A record that contradicts itself; the text says where: the deal, the turn and the step."""

    def __init__(self, text: str, where: str = "") -> None:
        super().__init__(f"{where}: {text}" if where else text)
        self._text = text
        self._where = where

    def at(self, where: str) -> Self:
        """Return the error with its place, unless it has one already: the innermost place is the most exact."""
        return self if self._where else type(self)(self._text, where)


class UnreadableRecord(InvalidRecord):
    """No JSON document, or a format, version, step or rules that this release does not know."""


@contextmanager
def errors_at(where: str) -> Iterator[None]:
    """Turn every error inside into `InvalidRecord` with its place."""
    try:
        yield
    except InvalidRecord as fault:
        raise fault.at(where) from None
    except Refusal as refusal:
        raise InvalidRecord(f"the rules refuse it: {refusal.code.value}", where) from None
    except Exception as fault:  # noqa: BLE001 - a damaged document may cause any error
        raise InvalidRecord(f"cannot be read or played ({type(fault).__name__})", where) from None
