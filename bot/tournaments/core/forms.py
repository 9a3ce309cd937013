"""The stored form of a tournament; each person is stored as a number within the tournament."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from typing import Final, cast

from bot.store.errors import Undecodable
from bot.store.forms import NUMBER, Field, TypeTable
from bot.store.game_forms import GAME_TYPES
from bot.store.tournaments import StoredTournament, TournamentPerson
from bot.tournaments.event.entries import Person
from bot.tournaments.event.tournament import Tournament


class TournamentPersons:
    """The people of one tournament by number, including those added since it was loaded."""

    def __init__(self, rows: Iterable[TournamentPerson] = ()) -> None:
        self._rows = {row.number: row for row in rows}
        self._numbers = {row.person: row.number for row in self._rows.values()}
        self._new: set[int] = set()

    @property
    def rows(self) -> tuple[TournamentPerson, ...]:
        """The people of the tournament by their numbers."""
        return tuple(self._rows[number] for number in sorted(self._rows))

    @property
    def names(self) -> dict[int, str]:
        """The name of each person."""
        return {row.person: row.name for row in self._rows.values()}

    @property
    def new(self) -> tuple[TournamentPerson, ...]:
        """The people who are not stored yet, or whose name has changed."""
        return tuple(self._rows[number] for number in sorted(self._new))

    def number(self, person: int) -> int:
        """Return the person's number, adding the person if unknown; 0 stays 0."""
        if person == 0:
            return 0
        known = self._numbers.get(person)
        return self._add(TournamentPerson(len(self._rows) + 1, person, "")) if known is None else known

    def set_name(self, person: int, name: str) -> None:
        """Set the person's name."""
        row = self._rows[self.number(person)]
        if row.name != name:
            self._add(replace(row, name=name))

    def person(self, number: int) -> int:
        """Return the person with that number. Raises `Undecodable`."""
        if number == 0:
            return 0
        if number not in self._rows:
            raise Undecodable("tournament: a number that nobody has")
        return self._rows[number].person

    def _add(self, row: TournamentPerson) -> int:
        self._rows[row.number] = row
        self._numbers[row.person] = row.number
        self._new.add(row.number)
        return row.number


_PEOPLE: Final[ContextVar[TournamentPersons]] = ContextVar("persons of the tournament that is written or read")


@contextmanager
def _numbered_by(people: TournamentPersons) -> Iterator[None]:
    token = _PEOPLE.set(people)
    try:
        yield
    finally:
        _PEOPLE.reset(token)


TOURNAMENT_TYPES: Final = TypeTable(
    {
        **GAME_TYPES.fields,
        Person: Field(
            lambda person: _PEOPLE.get().number(person),
            lambda number: Person(_PEOPLE.get().person(NUMBER.read(number))),
            "person",
        ),
    }
)

_COLUMNS: Final = ("id", "version", "guild", "channel", "names")
"""Fields that are stored outside the JSON, in columns or other tables."""

_TOURNAMENT: Final = TOURNAMENT_TYPES.derived(Tournament, without=_COLUMNS)


def write(tournament: Tournament, people: TournamentPersons) -> str:
    """Return the tournament as JSON; people that `people` did not know are added there."""
    with _numbered_by(people):
        return json.dumps(_TOURNAMENT.write(tournament), separators=(",", ":"), ensure_ascii=False)


def read(stored: StoredTournament, people: TournamentPersons) -> Tournament:
    """Return the tournament of a stored row. Raises `Undecodable`, which quotes nothing that is stored."""
    try:
        with _numbered_by(people):
            found = cast(Tournament, _TOURNAMENT.read(json.loads(stored.snapshot)))
    except Undecodable as fault:
        raise Undecodable(f"tournament {stored.id}: {fault}") from None
    except (ValueError, TypeError, KeyError) as error:
        raise Undecodable(f"tournament {stored.id}: {type(error).__name__}") from None
    return replace(
        found,
        id=stored.id,
        version=stored.version,
        guild=stored.guild,
        channel=stored.channel,
        names=people.names,
    )
