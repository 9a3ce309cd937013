"""What is set aside because it cannot be read: alone, until it is written anew or the program starts again."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Mapping

logger = logging.getLogger("canasta.store")


class SetAside:
    """Rows that cannot be read, by kind (such as ``table`` or ``premove``) and number; each is logged once.

    The number is that of a table, tournament, server or row. What belongs to a person is counted by the person's
    number, which no log line names.
    """

    def __init__(self) -> None:
        self._found: dict[str, frozenset[int]] = {}

    def note(self, kind: str, number: int, fault: BaseException | str, **place: int) -> None:
        """Set something aside. `fault` quotes nothing that is stored; `place` are fields of the log line."""
        known = self._found.get(kind, frozenset())
        if number in known:
            return
        self._found[kind] = known | {number}
        text = str(fault) if isinstance(fault, str) or str(fault) else type(fault).__name__
        logger.error("a %s cannot be read and is set aside: %s", kind.replace("_", " "), text, extra=place)

    def clear(self, kind: str, number: int) -> None:
        """Count something that can be read again no more."""
        known = self._found.get(kind, frozenset())
        if number in known:
            self._found[kind] = known - {number}

    def numbers(self, kind: str) -> frozenset[int]:
        """Return the numbers of that kind that are set aside."""
        return self._found.get(kind, frozenset())

    def counts(self) -> Mapping[str, int]:
        """Return how many of each kind are set aside."""
        return Counter({kind: len(numbers) for kind, numbers in sorted(self._found.items()) if numbers})
