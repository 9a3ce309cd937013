"""How a tournament is stored: its value as JSON by the types of its fields, with numbers in the place of persons.

Fields are stored under their names, those at their defaults are left out; so a field that a later release adds reads
as its default in what earlier ones have stored. A stored example in the tests holds the names.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from typing import Any, Final

from cattrs import BaseValidationError
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn, override
from cattrs.preconf.json import make_converter

from bot.engine.rules.rule_set import RuleSet
from bot.store.errors import Undecodable
from bot.store.game_forms import decode_rules, encode_rules
from bot.store.tournaments import StoredTournament, TournamentPerson
from bot.tournaments.event.entries import Person
from bot.tournaments.event.tournament import Tournament


class TournamentPersons:
    """The persons of one tournament by number, with those that were named since it was loaded."""

    def __init__(self, rows: Iterable[TournamentPerson] = ()) -> None:
        self._rows = {row.number: row for row in rows}
        self._numbers = {row.person: row.number for row in self._rows.values()}
        self._new: set[int] = set()

    @property
    def rows(self) -> tuple[TournamentPerson, ...]:
        """All of them, by their numbers."""
        return tuple(self._rows[number] for number in sorted(self._rows))

    @property
    def names(self) -> dict[int, str]:
        """What each person is called."""
        return {row.person: row.name for row in self._rows.values()}

    @property
    def new(self) -> tuple[TournamentPerson, ...]:
        """The persons who are not stored yet, or not under that name."""
        return tuple(self._rows[number] for number in sorted(self._new))

    def number(self, person: int) -> int:
        """The person's number; a new one where it has none. Nobody is 0."""
        if person == 0:
            return 0
        known = self._numbers.get(person)
        return self._add(TournamentPerson(len(self._rows) + 1, person, "")) if known is None else known

    def named(self, person: int, name: str) -> None:
        """The person is called so from now on."""
        row = self._rows[self.number(person)]
        if row.name != name:
            self._add(replace(row, name=name))

    def person(self, number: int) -> int:
        """Who has that number. Raises `Undecodable`."""
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


def write(tournament: Tournament, people: TournamentPersons) -> str:
    """The tournament as JSON text; persons it did not know have numbers among `people` afterwards."""
    with _numbered_by(people):
        return json.dumps(_CONVERTER.unstructure(tournament), separators=(",", ":"), ensure_ascii=False)


def read(stored: StoredTournament, people: TournamentPersons) -> Tournament:
    """The tournament of a stored row. Raises `Undecodable`, which tells nothing of what is stored."""
    try:
        with _numbered_by(people):
            found: Tournament = _CONVERTER.structure(json.loads(stored.snapshot), Tournament)
    except (BaseValidationError, ValueError, TypeError, KeyError):
        raise Undecodable(f"tournament {stored.id}") from None
    return replace(
        found,
        id=stored.id,
        version=stored.version,
        guild=stored.guild,
        channel=stored.channel,
        names=people.names,
    )


def _person_written(person: Any) -> int:
    return _PEOPLE.get().number(person)


def _person_read(number: Any, _type: Any) -> Person:
    if type(number) is not int:
        raise Undecodable("tournament: a person that is no number")
    return Person(_PEOPLE.get().person(number))


def _converter() -> Any:
    converter = make_converter(forbid_extra_keys=True, omit_if_default=True)
    converter.register_unstructure_hook_func(lambda given: given is Person, _person_written)
    converter.register_structure_hook_func(lambda given: given is Person, _person_read)
    converter.register_unstructure_hook(RuleSet, encode_rules)
    converter.register_structure_hook(RuleSet, _rules_read)
    beside: Any = {name: override(omit=True) for name in _BESIDE}
    converter.register_unstructure_hook(
        Tournament, make_dict_unstructure_fn(Tournament, converter, _cattrs_omit_if_default=True, **beside)
    )
    structure = make_dict_structure_fn(Tournament, converter, _cattrs_forbid_extra_keys=True, **beside)
    converter.register_structure_hook(Tournament, lambda data, _type: structure({**data}, Tournament))
    return converter


def _rules_read(data: Mapping[str, Any], _type: Any) -> RuleSet:
    return decode_rules(data)


_BESIDE: Final = ("id", "version", "guild", "channel", "names")
"""Fields that are stored in columns and rows of their own."""

_CONVERTER: Final = _converter()
