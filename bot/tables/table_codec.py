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
from bot.tables.consent.proposal import Kind
from bot.tables.earlier_holders import numbered_record, numbered_row
from bot.tables.event_forms import TABLE_EVENTS
from bot.tables.holder_fields import numbered_by
from bot.tables.holders import Holders
from bot.tables.record import Record
from bot.tables.record_forms import RECORD
from bot.tables.remembering import numbered

FORMAT: Final = 2
"""Rises when a stored text changes its shape; one of a later format is not read. Format 1 had names in it."""


def dumps(data: object) -> str:
    """JSON without spaces."""
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False)


def write_payload(action: Mapping[str, Any], happened: Iterable[events.AnyEvent], holders: Holders) -> str:
    """A log row: what was asked and what happened. Persons of whom `holders` knew nothing are noted there."""
    with numbered_by(holders):
        told = [_write_event(event) for event in happened]
    return dumps({"format": FORMAT, "action": action, "events": told})


def read_payload(payload: str, holders: Holders) -> tuple[events.AnyEvent, ...]:
    """What happened, from a log row. Raises `Undecodable`."""
    with _strictly("log row"):
        data = json.loads(payload)
        if "format" not in data:
            holders = holders.copy()
            data = numbered_row(data, holders)
        _require_format(data, "log row")
        with numbered_by(holders):
            return tuple([_read_event(event) for event in data["events"]])


def read_action(payload: str) -> Mapping[str, Any]:
    """What was asked, from a log row, as data. Raises `Undecodable`."""
    with _strictly("log row"):
        return cast("Mapping[str, Any]", json.loads(payload)["action"])


def rewritten_payload(payload: str, holders: Holders) -> str | None:
    """A log row of format 1 in today's, its persons noted in `holders`; None where it is of today's already."""
    with _strictly("log row"):
        data = json.loads(payload)
        return None if "format" in data else dumps(numbered_row(data, holders))


def rewritten_record(text: str, holders: Holders) -> str | None:
    """A snapshot of format 1 in today's, its persons noted in `holders`; None where it is of today's already."""
    with _strictly("record"):
        data = json.loads(text)
        return dumps(numbered_record(data, holders)) if data["format"] == 1 else None


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
    return cast("events.TableEvent", TABLE_EVENTS.read(_named(data)))


def _named(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """A table event with its form's name; a rematch was once stored with the new table's number in its place."""
    if data.keys() == {"table"} and type(data["table"]) is int:
        return {"table": "rematch_opened", "following": data["table"]}
    return data


def write_record(record: Record, holders: Holders) -> str:
    """A whole table as JSON text, hidden cards included. A game holds the rules already.

    Persons of whom `holders` knew nothing are noted there.
    """
    with numbered_by(holders):
        data = RECORD.write(record)
    if record.game is not None:
        data["rules"] = None
    return dumps({"format": FORMAT, **data})


def _of_now(data: dict[str, Any]) -> dict[str, Any]:
    """A stored record with what earlier releases asked, whether to close a game, as the proposal to end it."""
    asked = data.pop("close_vote", None)
    if asked is not None:
        data["proposal"] = {"kind": Kind.END.value, **asked, "days": 0, "clock": None, "version": 0}
    return data


def read_record(text: str, holders: Holders) -> Record:
    """The table back. Raises `Undecodable`."""
    with _strictly("record"):
        data = json.loads(text)
        if data.get("format") == 1:
            holders = holders.copy()
            data = numbered_record(data, holders)
        _require_format(data, "record")
        del data["format"]
        with numbered_by(holders):
            record = cast(Record, RECORD.read(_of_now(data)))
    game, recent = record.game, record.recent
    if game is None:
        return record
    if any(not one.deal for one in recent):
        recent = numbered([(one.seat, one.event) for one in recent], game)
    return replace(record, rules=game.rules, recent=recent)
