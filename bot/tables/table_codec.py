"""Records and table events as data for JSON, and back, under names that are never changed.

Who a person is and what it is called stands in no text: there is the number of a holder of the table
(`bot.tables.holders`). In a form a person is a `PERSON` and never a `NUMBER`, a seat's holder a `HOLDER`.

The game's own events and states are written by `bot.store.game_forms`; both kinds of event share one list, told apart
by their tags, ``event`` and ``table``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Final, cast

from bot.engine.moves.events import Event
from bot.store.errors import Undecodable
from bot.store.forms import wrong
from bot.store.game_forms import decode_event, encode_event
from bot.tables import events
from bot.tables.event_forms import TABLE_EVENTS
from bot.tables.holder_fields import numbered_by
from bot.tables.holders import TablePersons
from bot.tables.record import TableState
from bot.tables.record_forms import RECORD

FORMAT: Final = 1
"""Rises when a stored text changes its shape; one of a later format is not read."""


def dumps(data: object) -> str:
    """JSON without spaces."""
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False)


def write_payload(action: Mapping[str, Any], happened: Iterable[events.AnyEvent], holders: TablePersons) -> str:
    """A log row: what was asked and what happened. Persons of whom `holders` knew nothing are noted there."""
    with numbered_by(holders):
        told = [_write_event(event) for event in happened]
    return dumps({"format": FORMAT, "action": action, "events": told})


def read_payload(payload: str, holders: TablePersons) -> tuple[events.AnyEvent, ...]:
    """What happened, from a log row. Raises `Undecodable`."""
    with _strictly("log row"):
        data = json.loads(payload)
        _require_format(data, "log row")
        with numbered_by(holders):
            return tuple([_read_event(event) for event in data["events"]])


def read_action(payload: str) -> Mapping[str, Any]:
    """What was asked, from a log row, as data. Raises `Undecodable`."""
    with _strictly("log row"):
        return cast("Mapping[str, Any]", json.loads(payload)["action"])


def _require_format(data: Mapping[str, Any], what: str) -> None:
    if data.get("format") != FORMAT:
        wrong(what, "format")


@contextmanager
def _strictly(what: str) -> Iterator[None]:
    """Whatever a damaged text causes is told by its sort alone: what it says may quote the text."""
    try:
        yield
    except Undecodable:
        raise
    except Exception as error:  # noqa: BLE001 - whatever a damaged text causes
        raise Undecodable(f"{what}: {type(error).__name__}") from None


def _write_event(event: events.AnyEvent) -> dict[str, Any]:
    return encode_event(event) if isinstance(event, Event) else TABLE_EVENTS.write(event)


def _read_event(data: Mapping[str, Any]) -> events.AnyEvent:
    if "table" not in data:
        return decode_event(data)
    return cast("events.TableEvent", TABLE_EVENTS.read(data))


def write_record(record: TableState, holders: TablePersons) -> str:
    """A whole table as JSON text, hidden cards included. A game holds the rules already.

    Persons of whom `holders` knew nothing are noted there.
    """
    with numbered_by(holders):
        data = RECORD.write(record)
    if record.game is not None:
        data["rules"] = None
    return dumps({"format": FORMAT, **data})


def read_record(text: str, holders: TablePersons) -> TableState:
    """The table back. Raises `Undecodable`."""
    with _strictly("record"):
        data = json.loads(text)
        _require_format(data, "record")
        del data["format"]
        with numbered_by(holders):
            record = cast(TableState, RECORD.read(data))
    return record if record.game is None else replace(record, rules=record.game.rules)
