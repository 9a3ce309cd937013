"""The stored JSON of a table: its whole state, the rows of its log, and premoves.

Stored data never contains a person's id, only that person's number at the table (`TablePersons`). So a field that holds
a person is annotated as `Person`, and one that holds a seat's holder as `SeatHolder`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Final, Literal, cast

from bot.engine.moves.events import Event
from bot.store.errors import UndecodableData
from bot.store.game_forms import EVENTS, GAME_TYPES
from bot.store.json_forms import NUMBER, Field, TypeTable, raise_undecodable
from bot.tables.state.clocks import DEFAULT_LEVEL, Level
from bot.tables.state.events import AnyEvent, TableEvent
from bot.tables.state.person_annotation import Person
from bot.tables.state.premoves import Premove
from bot.tables.state.snapshots import EMPTY_SEAT, SeatHolder
from bot.tables.state.table import TablePersons, TableState

FORMAT: Final = 1
"""Format number of stored texts; other formats are not read."""

# --- persons ---------------------------------------------------------------------------------------------------------

_HOLDERS: Final[ContextVar[TablePersons]] = ContextVar("holders of the table that is written or read")


@contextmanager
def _store_people_as_numbers(holders: TablePersons) -> Iterator[None]:
    """Let stored data name people by their numbers in `holders` within the `with` block.

    Writing adds unknown people to `holders`.
    """
    token = _HOLDERS.set(holders)
    try:
        yield
    finally:
        _HOLDERS.reset(token)


@dataclass(frozen=True, slots=True)
class StoredSeat:
    """A seat's holder in stored form, with numbers in place of people.

    A computer player has a `number` and `level`; `holder` is a person's number at the table.
    """

    kind: Literal["empty", "person", "computer"]
    number: int = 0
    holder: int | None = None
    level: Level = DEFAULT_LEVEL


def _write_holder(holder: SeatHolder) -> dict[str, Any]:
    """Return a seat's holder as JSON data; a person becomes a number in the current holders."""
    person, name = (holder.person, holder.name) if holder.kept_for is None else (holder.kept_for, holder.kept_name)
    number = None if person is None else _HOLDERS.get().number_of_person(person, name, holder.account)
    return cast("dict[str, Any]", _SEAT.write(StoredSeat(holder.kind, holder.number, number, holder.level)))


def _read_holder(data: object) -> SeatHolder:
    """Return the seat's holder from JSON data, looking persons up in the current holders."""
    seat: StoredSeat = _SEAT.read(data)
    one = None if seat.holder is None else _HOLDERS.get().holder(seat.holder)
    if seat.kind == "empty" and one is None and not seat.number:
        return EMPTY_SEAT
    if seat.kind == "person" and one is not None and not seat.number:
        return SeatHolder("person", one.person, one.name, account=one.account)
    if seat.kind == "computer" and one is None:
        return SeatHolder("computer", number=seat.number, level=seat.level)
    if seat.kind == "computer" and one is not None:
        return SeatHolder("computer", None, "", seat.number, one.person, one.name, one.account, seat.level)
    return raise_undecodable("not a holder")


_PERSON: Final = Field(
    lambda person: _HOLDERS.get().number(person),
    lambda number: _HOLDERS.get().holder(NUMBER.read(number)).person,
    "person",
)

# --- types -----------------------------------------------------------------------------------------------------------

TABLE_TYPES: Final = TypeTable(
    {**GAME_TYPES.fields, Person: _PERSON, SeatHolder: Field(_write_holder, _read_holder, "holder")}
)
TABLE_EVENTS: Final = TABLE_TYPES.tagged_forms("table", TableEvent)
_SEAT: Final = TABLE_TYPES.derive_form(StoredSeat)
_RECORD: Final = TABLE_TYPES.derive_form(TableState)
_PREMOVE: Final = TABLE_TYPES.derive_form(Premove)

# --- texts -----------------------------------------------------------------------------------------------------------


def write_payload(action: Mapping[str, Any], caused_events: Iterable[AnyEvent], holders: TablePersons) -> str:
    """Return the text of a log row, made of a request (`action`) and its events (`caused_events`).

    People unknown to `holders` are added there.
    """
    with _store_people_as_numbers(holders):
        events = [(EVENTS if isinstance(event, Event) else TABLE_EVENTS).write(event) for event in caused_events]
    return _compact_json({"format": FORMAT, "action": action, "events": events})


def read_payload(payload: str, holders: TablePersons) -> tuple[AnyEvent, ...]:
    """Return the events in the text of a log row. Raises `UndecodableData`."""
    with _hide_error_texts("log row"), _store_people_as_numbers(holders):
        data = _parse_fields(payload)
        if data.keys() != {"action", "events"}:
            raise_undecodable("log row: wrong fields")
        return tuple([(TABLE_EVENTS if "table" in event else EVENTS).read(event) for event in data["events"]])


def read_action(payload: str) -> Mapping[str, Any]:
    """Return the request in the text of a log row, as parsed JSON. Raises `UndecodableData`."""
    with _hide_error_texts("log row"):
        return cast("Mapping[str, Any]", _parse_fields(payload)["action"])


def write_record(record: TableState, holders: TablePersons) -> str:
    """Return the whole table as JSON, hidden cards included. People unknown to `holders` are added there."""
    with _store_people_as_numbers(holders):
        data = _RECORD.write(record)
    if record.game is not None:
        del data["rules"]  # the stored game contains the rules
    return _compact_json({"format": FORMAT, **data})


def read_record(text: str, holders: TablePersons) -> TableState:
    """Return the table's state from its stored text. Raises `UndecodableData`."""
    with _hide_error_texts("record"), _store_people_as_numbers(holders):
        data = _parse_fields(text)
        if "game" in data and "rules" not in data:
            data["rules"] = data["game"]["rules"]
        return cast(TableState, _RECORD.read(data))


def write_premove(premove: Premove) -> str:
    """Return the premove as JSON text to store."""
    return _compact_json(_PREMOVE.write(premove))


def read_premove(text: str) -> Premove:
    """Return the premove from its stored text. Raises `UndecodableData`."""
    with _hide_error_texts("premove"):
        return cast(Premove, _PREMOVE.read(json.loads(text)))


def _compact_json(data: object) -> str:
    """Return the data as compact JSON."""
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False)


def _parse_fields(text: str) -> dict[str, Any]:
    """Parse stored JSON and return its fields without the format number.

    Raises `UndecodableData` for another format.
    """
    data = json.loads(text)
    stored = data.pop("format", None)
    if type(stored) is not int or stored != FORMAT:
        raise_undecodable("wrong format")
    return cast("dict[str, Any]", data)


@contextmanager
def _hide_error_texts(data_name: str) -> Iterator[None]:
    """Turn every error in the `with` block into `UndecodableData`.

    `data_name` names the data. The error's own text is dropped, because it may quote stored data.
    """
    try:
        yield
    except UndecodableData:
        raise
    except Exception as error:  # noqa: BLE001 - a damaged text may cause any error
        raise UndecodableData(f"{data_name}: {type(error).__name__}") from None
