"""Records and table events as data for JSON, and back, under names that are never changed.

The game's own events and states are written by `bot.store.codec`; both kinds of event share one list, told apart by
their tags, ``event`` and ``table``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Final, cast

from bot.clocks.law import ClockTerms, SeatClock, Stage
from bot.engine.events import Event
from bot.store.codec import (
    decode_event,
    decode_rules,
    decode_state,
    encode_event,
    encode_rules,
    encode_state,
)
from bot.store.errors import Undecodable
from bot.store.forms import CARDS, FLAG, NUMBER, TEXT, Field, Form, Forms, one_of, optional, several, whole, wrong
from bot.tables import events
from bot.tables.looks import ClosedBecause, CloseVote, DealLeft, Held, RecentEvent, Sat, SeatHolder, Shuffle, Status
from bot.tables.record import Record
from bot.tables.remembering import numbered
from bot.tables.timing.clocks import Clocks, Conclusion, Pause
from bot.tables.timing.settings import USUAL, Absent, ReplayFrom, TableSettings

FORMAT: Final = 1
"""Rises when a stored record changes its shape; a record of another format is not read."""

_RULES: Final = Field(encode_rules, decode_rules)
_HOLDER: Final = Form(
    "holder",
    SeatHolder,
    {
        "kind": TEXT,
        "person": optional(NUMBER),
        "name": TEXT,
        "number": NUMBER,
        "kept_for": optional(NUMBER),
        "kept_name": TEXT,
        "account": TEXT,
    },
    younger={"account": ""},
)
_SHUFFLE: Final = Form(
    "shuffle",
    Shuffle,
    {
        "deal": NUMBER,
        "commitment": TEXT,
        "contributions": optional(several(TEXT)),
        "seed": optional(TEXT),
    },
)
_CLOCK_TERMS: Final = Form(
    "clock_terms", ClockTerms, {"name": TEXT, "bank": NUMBER, "increment": NUMBER, "cap": NUMBER}
)
_SETTINGS: Final = Form(
    "settings",
    TableSettings,
    {
        "clock": optional(whole(_CLOCK_TERMS)),
        "absent": optional(one_of(Absent)),
        "extension": FLAG,
        "vacation": NUMBER,
        "deals": optional(NUMBER),
        "latest_end": optional(NUMBER),
        "idle": optional(NUMBER),
        "watching": FLAG,
        "private_thread": FLAG,
        "replay": one_of(ReplayFrom),
        "undo": FLAG,
    },
)
_SEAT_CLOCK: Final = Form(
    "seat_clock",
    SeatClock,
    {
        "bank": NUMBER,
        "allowance": NUMBER,
        "extension": NUMBER,
        "extended": FLAG,
        "vacation_days": NUMBER,
        "lapses": NUMBER,
    },
)


def _read_pair(data: object) -> tuple[int, int]:
    match data:
        case [int(one), int(other)]:
            return one, other
    raise Undecodable("pair: wrong value")


_PAIR: Final = Field(list, _read_pair)
_CLOCKS: Final = Form(
    "clocks",
    Clocks,
    {
        "seats": several(whole(_SEAT_CLOCK)),
        "owes": optional(NUMBER),
        "since": NUMBER,
        "until": optional(NUMBER),
        "stage": one_of(Stage),
        "turn": _PAIR,
        "told": optional(NUMBER),
    },
)
_PAUSE: Final = Form("pause", Pause, {"by": NUMBER, "since": NUMBER, "until": optional(NUMBER), "reason": TEXT})
_CONCLUSION: Final = Form(
    "conclusion", Conclusion, {"how": TEXT, "winner": optional(NUMBER), "scores": several(NUMBER)}
)
_CLOSE_VOTE: Final = Form("close_vote", CloseVote, {"by": NUMBER, "at": NUMBER, "agreed": several(NUMBER)})

TABLE_EVENTS: Final = Forms(
    "table",
    (
        Form(
            "lobby_opened",
            events.LobbyOpened,
            {"rules": _RULES, "host": NUMBER, "at": NUMBER, "saved_as": TEXT},
            younger={"saved_as": ""},
        ),
        Form("rules_changed", events.RulesChanged, {"rules": _RULES}),
        Form(
            "rules_chosen",
            events.RulesChosen,
            {"rules": _RULES, "saved_as": TEXT, "seats": several(whole(_HOLDER))},
        ),
        Form("seat_changed", events.SeatChanged, {"seat": NUMBER, "holder": whole(_HOLDER)}),
        Form("host_changed", events.HostChanged, {"person": NUMBER}),
        Form("join_wished", events.JoinWished, {"holder": whole(_HOLDER)}),
        Form("wish_dropped", events.WishDropped, {"person": NUMBER}),
        Form("game_started", events.GameStarted, {"dealer": NUMBER}),
        Form("seed_committed", events.SeedCommitted, {"deal": NUMBER, "commitment": TEXT}),
        Form("contributed", events.Contributed, {"seat": NUMBER, "word": TEXT}),
        Form("shuffled", events.Shuffled, {"deal": NUMBER, "contributions": several(TEXT)}),
        Form("seed_revealed", events.SeedRevealed, {"deal": NUMBER, "seed": TEXT}),
        Form("deadline_set", events.DeadlineSet, {"deadline": one_of(events.Deadline), "due_at": optional(NUMBER)}),
        Form("table_closed", events.TableClosed, {"because": one_of(ClosedBecause)}),
        Form("close_asked", events.CloseAsked, {"person": NUMBER, "at": NUMBER}),
        Form("close_answered", events.CloseAnswered, {"person": NUMBER, "agrees": FLAG}),
        Form("settings_chosen", events.SettingsChosen, {"settings": whole(_SETTINGS)}),
        Form("clock_set", events.ClockSet, {"seat": NUMBER, "clock": whole(_SEAT_CLOCK)}),
        Form("clock_runs", events.ClockRuns, {"seat": NUMBER, "since": NUMBER, "until": NUMBER, "turn": _PAIR}),
        Form("clock_stopped", events.ClockStopped, {}),
        Form("stage_reached", events.StageReached, {"seat": NUMBER, "stage": one_of(Stage), "until": NUMBER}),
        Form("last_deal_came", events.LastDealCame, {}),
        Form("game_paused", events.GamePaused, {"pause": whole(_PAUSE)}),
        Form("game_resumed", events.GameResumed, {}),
        Form("game_concluded", events.GameConcluded, {"conclusion": whole(_CONCLUSION)}),
        Form("rematch_opened", events.RematchOpened, {"following": NUMBER}),
    ),
)


def dumps(data: object) -> str:
    """JSON without spaces."""
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False)


def write_payload(action: Mapping[str, Any], happened: Iterable[events.AnyEvent]) -> str:
    """A log row: what was asked and what happened."""
    return dumps({"action": action, "events": [_write_event(event) for event in happened]})


def read_payload(payload: str) -> tuple[events.AnyEvent, ...]:
    """What happened, from a log row. Raises `Undecodable`."""
    with _strictly("log row"):
        return tuple([_read_event(data) for data in json.loads(payload)["events"]])


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


def _write_recent(one: RecentEvent) -> list[Any]:
    return [one.deal, one.turn, one.seat, encode_event(one.event)]


def _read_recent(data: object) -> RecentEvent:
    """What happened in a turn; stored before turns were, it is in deal 0, which nobody plays."""
    match data:
        case [int(deal), int(turn), int() | None as seat, event]:
            return RecentEvent(deal, turn, seat, decode_event(event))
        case [int() | None as seat, event]:
            return RecentEvent(0, 0, seat, decode_event(event))
    raise Undecodable("recent: wrong value")


def _read_shown(data: object) -> tuple[int, str]:
    match data:
        case [int(seat), str(hand)]:
            return seat, hand
    raise Undecodable("shown: wrong value")


_SAT: Final = Form("sat", Sat, {"seat": NUMBER, "deal": NUMBER, "turn": NUMBER, "holder": whole(_HOLDER)})
_HELD: Final = Form("held", Held, {"seat": NUMBER, "cards": CARDS, "points": NUMBER})
_LEFT: Final = Form(
    "left",
    DealLeft,
    {
        "deal": NUMBER,
        "held": several(whole(_HELD)),
        "shown": optional(Field(list, _read_shown)),
        "canastas": several(NUMBER),
    },
    younger={"canastas": ()},
)
_RECENT: Final = Field(_write_recent, _read_recent)
_DEADLINES: Final = Field(
    dict,
    lambda data: {events.Deadline(kind): due for kind, due in data.items()},
)
_RECORD: Final = Form(
    "record",
    Record,
    {
        "status": one_of(Status),
        "rules": optional(_RULES),
        "host": NUMBER,
        "seats": several(whole(_HOLDER)),
        "created_at": NUMBER,
        "contributions": several(optional(TEXT)),
        "game": optional(Field(encode_state, decode_state)),
        "shuffles": several(whole(_SHUFFLE)),
        "recent": several(_RECENT),
        "drawn": several(CARDS),
        "deadlines": _DEADLINES,
        "closed_because": optional(one_of(ClosedBecause)),
        "rematch": optional(NUMBER),
        "saved_as": TEXT,
        "base": optional(_RULES),
        "joined_rules": optional(_RULES),
        "sat": several(whole(_SAT)),
        "left": several(whole(_LEFT)),
        "close_vote": optional(whole(_CLOSE_VOTE)),
        "settings": whole(_SETTINGS),
        "clocks": optional(whole(_CLOCKS)),
        "pause": optional(whole(_PAUSE)),
        "conclusion": optional(whole(_CONCLUSION)),
        "last_deal": FLAG,
        "wishes": several(whole(_HOLDER)),
    },
    younger={
        "drawn": (),
        "saved_as": "",
        "base": None,
        "joined_rules": None,
        "sat": (),
        "left": (),
        "close_vote": None,
        "settings": USUAL,
        "clocks": None,
        "pause": None,
        "conclusion": None,
        "last_deal": False,
        "wishes": (),
    },
)


def write_record(record: Record) -> str:
    """A whole table as JSON text, hidden cards included. A game holds the rules already."""
    data = _RECORD.write(record)
    if record.game is not None:
        data["rules"] = None
    return dumps({"format": FORMAT, **data})


def read_record(text: str) -> Record:
    """The table back. Raises `Undecodable`."""
    with _strictly("record"):
        data = json.loads(text)
        if data.pop("format", None) != FORMAT:
            wrong("record", "format")
        record = cast(Record, _RECORD.read(data))
    game, recent = record.game, record.recent
    if game is None:
        return record
    if any(not one.deal for one in recent):
        recent = numbered([(one.seat, one.event) for one in recent], game)
    return replace(record, rules=game.rules, recent=recent)
