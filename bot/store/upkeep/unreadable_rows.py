"""Registry of rows that cannot be read. Each is skipped until it is rewritten or the program restarts."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Mapping

logger = logging.getLogger("canasta.store")


class UnreadableRows:
    """The rows that cannot be read, by kind (such as ``table`` or ``premove``) and number.

    Each is logged once. The number is that of a table, tournament, server or row. What belongs to a person is counted
    by the person's number, which no log line names.
    """

    def __init__(self) -> None:
        self._found: dict[str, frozenset[int]] = {}
        self._told: set[tuple[str, int]] = set()

    def note(self, kind: str, number: int, fault: BaseException | str, **place: int) -> None:
        """Register and log an unreadable row; `fault` must not quote stored data, `place` holds log fields."""
        known = self._found.get(kind, frozenset())
        if number in known:
            return
        self._found[kind] = known | {number}
        if (kind, number) in self._told:
            return
        self._told.add((kind, number))
        text = str(fault) if isinstance(fault, str) or str(fault) else type(fault).__name__
        logger.error("a %s cannot be read and is set aside: %s", kind.replace("_", " "), text, extra=place)

    def retry(self, kind: str, number: int) -> None:
        """Remove a row that is to be read again. If it still cannot be read, that is not logged again."""
        self._found[kind] = self._found.get(kind, frozenset()) - {number}

    def clear(self, kind: str, number: int) -> None:
        """Remove a row that can be read again."""
        self._told.discard((kind, number))
        known = self._found.get(kind, frozenset())
        if number in known:
            self._found[kind] = known - {number}

    def numbers(self, kind: str) -> frozenset[int]:
        """Return the numbers of the unreadable rows of that kind."""
        return self._found.get(kind, frozenset())

    def counts(self) -> Mapping[str, int]:
        """Return the number of unreadable rows by kind."""
        return Counter({kind: len(numbers) for kind, numbers in sorted(self._found.items()) if numbers})
