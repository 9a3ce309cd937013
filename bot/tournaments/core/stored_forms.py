"""The stored form of a tournament: its own row, and a row for each of its parts, such as a match.

Each person is stored as a number within the tournament.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import partial
from itertools import compress
from operator import is_not
from typing import Any, Final, cast

from bot.store.errors import UndecodableData
from bot.store.game_forms import GAME_TYPES
from bot.store.json_forms import NUMBER, Field, TypeTable
from bot.store.tournaments import StoredTournament, TournamentPart, TournamentPerson
from bot.tournaments.event.entries import Entrant, Person
from bot.tournaments.event.ladder import Ladder, LadderEvent, Meeting, Rung
from bot.tournaments.event.match_state import MatchState, RoundDraw, RoundState
from bot.tournaments.event.tournament import BoardState, Case, News, Ruling, Tournament


class TournamentPersons:
    """The people of one tournament by number, including those added since it was loaded."""

    def __init__(self, rows: Iterable[TournamentPerson] = ()) -> None:
        self._rows = {row.number: row for row in rows}
        self._numbers = {row.person: row.number for row in self._rows.values()}
        self._new: set[int] = set()

    @property
    def rows(self) -> tuple[TournamentPerson, ...]:
        """All people of the tournament, in the order of their numbers."""
        return tuple(self._rows[number] for number in sorted(self._rows))

    @property
    def names(self) -> dict[int, str]:
        """The name of each person."""
        return {row.person: row.name for row in self._rows.values()}

    @property
    def new_rows(self) -> tuple[TournamentPerson, ...]:
        """The people who are not stored yet, or whose name has changed."""
        return tuple(self._rows[number] for number in sorted(self._new))

    def mark_stored(self) -> None:
        """Note that all people are stored now."""
        self._new.clear()

    def number(self, person: int) -> int:
        """Return the person's number, adding the person if unknown; 0 stays 0."""
        if person == 0:
            return 0
        known = self._numbers.get(person)
        return self._add_person(TournamentPerson(len(self._rows) + 1, person, "")) if known is None else known

    def set_name(self, person: int, name: str) -> None:
        """Set the person's name."""
        row = self._rows[self.number(person)]
        if row.name != name:
            self._add_person(replace(row, name=name))

    def set_directors(self, directors: Iterable[int]) -> None:
        """Mark these persons as directors."""
        for person in directors:
            row = self._rows[self.number(person)]
            if not row.directs:
                self._add_person(replace(row, directs=True))

    def person(self, person_number: int) -> int:
        """Return the person with that number. Raises `UndecodableData`."""
        if person_number == 0:
            return 0
        if person_number not in self._rows:
            raise UndecodableData("tournament: a number that nobody has")
        return self._rows[person_number].person

    def _add_person(self, row: TournamentPerson) -> int:
        """Add a person and return their number."""
        self._rows[row.number] = row
        self._numbers[row.person] = row.number
        self._new.add(row.number)
        return row.number


_PEOPLE: Final[ContextVar[TournamentPersons]] = ContextVar("persons of the tournament that is written or read")


@contextmanager
def use_numbers_of(people: TournamentPersons) -> Iterator[None]:
    """Store and read persons by the numbers of `people` inside the block."""
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
"""Fields that are stored in columns or in other tables."""


@dataclass(frozen=True, slots=True)
class _StoredPart:
    """A tuple field of a tournament whose items are stored as rows.

    It has the field's name, the stored form of an item, and the function for an item's row number. `number` gets the
    item's place in the tuple, the length of the tuple, and the item. Read back, the items are in the order of their
    numbers, or of `order`.
    """

    name: str
    form: Field
    number: Callable[[int, int, Any], int]
    order: Callable[[tuple[int, Any]], Any] = lambda row: row[0]
    from_end: bool = False


def _numbered_part(name: str, kind: type, *, key: str = "number") -> _StoredPart:
    """Return a part whose rows are numbered by the field `key` of its items."""
    return _StoredPart(name, TOURNAMENT_TYPES.derive_form(kind), lambda _place, _length, one: getattr(one, key))


OF_TOURNAMENT: Final = (
    _numbered_part("entrants", Entrant),
    _numbered_part("rounds", RoundState),
    _numbered_part("matches", MatchState, key="id"),
    _numbered_part("rulings", Ruling),
    _numbered_part("cases", Case),
    _numbered_part("news", News),
    _numbered_part("boards", BoardState),
    # The next round is taken off the front; rows numbered from the end keep their numbers.
    _StoredPart(
        "schedule",
        TOURNAMENT_TYPES.derive_form(RoundDraw),
        lambda place, length, _: length - place,
        lambda row: -row[0],
        from_end=True,
    ),
)
OF_LADDER: Final = (
    _StoredPart("rungs", TOURNAMENT_TYPES.derive_form(Rung), lambda place, _length, _: place + 1),
    _StoredPart(
        "meetings",
        TOURNAMENT_TYPES.derive_form(Meeting),
        lambda _place, _length, one: one.first * 2**20 + one.second,
        lambda row: (row[1].at, row[0]),
    ),
    _StoredPart("ladder_events", TOURNAMENT_TYPES.derive_form(LadderEvent), lambda place, _length, _: place + 1),
)

_NESTED: Final = {"rungs": "rungs", "meetings": "meetings", "ladder_events": "events"}
"""The fields of a ladder that are parts, by the parts' names."""

_LADDER: Final = TOURNAMENT_TYPES.derive_form(Ladder, without=_NESTED.values())

_TOURNAMENT: Final = TOURNAMENT_TYPES.derive_form(Tournament, without=(*_COLUMNS, *(one.name for one in OF_TOURNAMENT)))


@dataclass(frozen=True, slots=True)
class RowsToWrite:
    """The rows that a step writes: the tournament's own row, changed parts and removed parts."""

    snapshot: bytes
    parts: tuple[TournamentPart, ...]
    gone: tuple[tuple[str, int], ...]


def write_tournament(
    tournament: Tournament, people: TournamentPersons, before: Tournament | None = None
) -> RowsToWrite:
    """Return the rows that differ from those of `before`: the tournament's own row, and changed parts.

    Persons whom `people` does not know are added to it.
    """
    changed: list[TournamentPart] = []
    gone: list[tuple[str, int]] = []
    with use_numbers_of(people):
        snapshot = _to_json(_TOURNAMENT.write(tournament))
        for part, after_items, before_items in _parts_before_and_after(tournament, before):
            if after_items is before_items:
                continue
            old = dict(_items_that_differ(part, before_items, after_items))
            for number, one in _items_that_differ(part, after_items, before_items):
                known = old.pop(number, None)
                if known is not one and known != one:
                    changed.append(TournamentPart(part.name, number, _to_json(part.form.write(one))))
            gone += [(part.name, number) for number in old]
    return RowsToWrite(snapshot, tuple(changed), tuple(gone))


def _items_that_differ(
    part: _StoredPart, items: Sequence[Any], earlier_items: Sequence[Any]
) -> Iterator[tuple[int, Any]]:
    """Yield (number, item) of items that are not identical to the item in the same place of `earlier_items`."""
    length = len(items)
    if part.from_end and length != len(earlier_items):
        earlier_items = ()
    for place in compress(range(length), map(is_not, items, earlier_items)):
        yield part.number(place, length, items[place]), items[place]
    for place in range(len(earlier_items), length):
        yield part.number(place, length, items[place]), items[place]


def _parts_before_and_after(
    after: Tournament, before: Tournament | None
) -> Iterator[tuple[_StoredPart, Sequence[Any], Sequence[Any]]]:
    """Yield each part with its items after and before the step."""
    for part in OF_TOURNAMENT:
        yield part, getattr(after, part.name), () if before is None else getattr(before, part.name)
    for part in OF_LADDER:
        ladders = (after.ladder, None if before is None else before.ladder)
        new, old = (() if one is None else getattr(one, _NESTED[part.name]) for one in ladders)
        yield part, new, old


def _to_json(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def read_tournament(stored: StoredTournament, people: TournamentPersons) -> Tournament:
    """Decode a tournament from its stored rows. Raises `UndecodableData`, which quotes no stored data."""
    with use_numbers_of(people):
        tournament = cast(
            Tournament, _decode_json(f"tournament {stored.id}, its own row", _TOURNAMENT, stored.snapshot)
        )
        parts = _read_parts(stored)
    if tournament.ladder is not None:
        nested: dict[str, Any] = {_NESTED[name]: parts.pop(name) for name in _NESTED}
        tournament = replace(tournament, ladder=replace(tournament.ladder, **nested))
    tuples: dict[str, Any] = {one.name: parts[one.name] for one in OF_TOURNAMENT}
    return replace(
        tournament,
        id=stored.id,
        version=stored.version,
        guild=stored.guild,
        channel=stored.channel,
        names=people.names,
        **tuples,
    )


def unreadable_rows(stored: StoredTournament, people: TournamentPersons) -> tuple[bool, tuple[TournamentPart, ...]]:
    """Return whether the tournament's own row is unreadable, and its unreadable parts."""
    with use_numbers_of(people):
        own = _is_readable(lambda: _decode_json("", _TOURNAMENT, stored.snapshot))
        parts = [one for one in stored.parts if not _is_readable(partial(_read_parts, replace(stored, parts=(one,))))]
    return not own, tuple(parts)


def _is_readable(attempt: Callable[[], object]) -> bool:
    """Return whether `attempt` reads its data without raising `UndecodableData`."""
    try:
        attempt()
    except UndecodableData:
        return False
    return True


def _read_parts(stored: StoredTournament) -> dict[str, tuple[Any, ...]]:
    """Return the items of every part, by its name. Raises `UndecodableData`."""
    known = {one.name: one for one in (*OF_TOURNAMENT, *OF_LADDER)}
    rows: dict[str, list[tuple[int, Any]]] = {name: [] for name in known}
    for row in stored.parts:
        if row.part not in known:
            raise UndecodableData(f"tournament {stored.id}: an unknown part")
        place = f"tournament {stored.id}, {row.part} {row.number}"
        rows[row.part].append((row.number, _decode_json(place, known[row.part].form, row.value)))
    return {name: tuple(one for _, one in sorted(rows[name], key=part.order)) for name, part in known.items()}


def _decode_json(place: str, form: Field, stored: bytes) -> Any:
    """Decode stored JSON. Raises `UndecodableData`, which names the place and quotes no stored data."""
    try:
        return form.read(json.loads(stored.decode()))
    except UndecodableData as fault:
        raise UndecodableData(f"{place}: {fault}") from None
    except (ValueError, TypeError, KeyError) as error:
        raise UndecodableData(f"{place}: {type(error).__name__}") from None
