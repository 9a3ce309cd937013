"""Holders: the persons of one table by number, which stands in their place in all that is stored of the table.

A person has a number for each way it was called at the table; equal persons, names and accounts have equal numbers.
"""

from __future__ import annotations

from collections.abc import Iterable

from bot.store.errors import Undecodable
from bot.store.tables import StoredHolder


class TablePersons:
    """What the store keeps of a table's persons, and those for whom numbers are wanted since."""

    def __init__(self, rows: Iterable[StoredHolder] = ()) -> None:
        self._rows: list[StoredHolder] = []
        self._numbers: dict[tuple[int, str, str], int] = {}
        self._first: dict[int, int] = {}
        for row in rows:
            self._add(row)
        self._stored = len(self._rows)

    @property
    def new(self) -> tuple[StoredHolder, ...]:
        """The holders that are not stored yet."""
        return tuple(self._rows[self._stored :])

    def copy(self) -> TablePersons:
        """Holders of their own; what is new stays new."""
        copied = TablePersons(self._rows)
        copied._stored = self._stored
        return copied

    def stored(self) -> TablePersons:
        """Holders of their own, none of them new."""
        return TablePersons(self._rows)

    def number(self, person: int) -> int:
        """A number for that person, whatever it is called."""
        known = self._first.get(person)
        return self.named(person, "", "") if known is None else known

    def named(self, person: int, name: str, account: str) -> int:
        """The number for that person as it is called so."""
        known = self._numbers.get((person, name, account))
        if known is not None:
            return known
        number = len(self._rows) + 1
        self._add(StoredHolder(number, self._first.get(person, number), person, name, account))
        return number

    def holder(self, number: object) -> StoredHolder:
        """Who has that number. Raises `Undecodable`."""
        if type(number) is not int or not 0 < number <= len(self._rows):
            raise Undecodable("holder: a number that nobody has")
        return self._rows[number - 1]

    def _add(self, row: StoredHolder) -> None:
        self._rows.append(row)
        self._numbers.setdefault((row.person, row.name, row.account), row.number)
        self._first.setdefault(row.person, row.number)
