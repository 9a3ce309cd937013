"""Records and table events as data for JSON, and back, under names that are never changed.

Who a person is and what it is called stands in no text: there is the number of a holder of the table
(`bot.tables.holders`). In a form a person is a `PERSON` and never a `NUMBER`, a seat's holder a `HOLDER`.

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
from bot.tables.absence.forms import ABSENCE, EVENT_FORMS
from bot.tables.absence.values import NOTHING
from bot.tables.consent.proposal import Kind, Proposal, Proposing, Sought
from bot.tables.earlier_holders import numbered_record, numbered_row
from bot.tables.holder_fields import HOLDER, PERSON, numbered_by
from bot.tables.holders import Holders
from bot.tables.looks import CardsOf, ClosedBecause, DealLeft, Held, RecentEvent, RollCall, Sat, Shuffle, Status
from bot.tables.record import Record
from bot.tables.remembering import numbered
from bot.tables.timing.clocks import Clocks, Conclusion, Pause
from bot.tables.timing.settings import USUAL, Absent, ReplayFrom, TableSettings

FORMAT: Final = 2
"""Rises when a stored text changes its shape; one of a later format is not read. Format 1 had names in it."""

_RULES: Final = Field(encode_rules, decode_rules)
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
_PAUSE: Final = Form("pause", Pause, {"by": PERSON, "since": NUMBER, "until": optional(NUMBER), "reason": TEXT})
_CONCLUSION: Final = Form(
    "conclusion",
    Conclusion,
    {"how": TEXT, "winner": optional(NUMBER), "scores": several(NUMBER), "last": optional(NUMBER)},
)
_PROPOSAL: Final = Form(
    "proposal",
    Proposal,
    {
        "kind": one_of(Kind),
        "by": PERSON,
        "at": NUMBER,
        "agreed": several(PERSON),
        "days": NUMBER,
        "clock": optional(whole(_CLOCK_TERMS)),
        "version": NUMBER,
    },
)
_PROPOSING: Final = Form("proposing", Proposing, {"person": PERSON, "kind": one_of(Kind)})
_SOUGHT: Final = Form("sought", Sought, {"seat": NUMBER, "at": NUMBER})


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


_RECENT: Final = Field(_write_recent, _read_recent)
_CARDS_OF: Final = Form("cards_of", CardsOf, {"table": NUMBER, "deal": NUMBER})
_PACK_KNOWN: Final = Form("pack_known", events.PackKnown, {"of": whole(_CARDS_OF), "dealer": NUMBER, "pack": CARDS})

TABLE_EVENTS: Final = Forms(
    "table",
    (
        Form(
            "lobby_opened",
            events.LobbyOpened,
            {"rules": _RULES, "host": PERSON, "at": NUMBER, "saved_as": TEXT},
            younger={"saved_as": ""},
        ),
        Form("rules_changed", events.RulesChanged, {"rules": _RULES}),
        Form(
            "rules_chosen",
            events.RulesChosen,
            {"rules": _RULES, "saved_as": TEXT, "seats": several(HOLDER)},
        ),
        Form("seat_changed", events.SeatChanged, {"seat": NUMBER, "holder": HOLDER}),
        Form("host_changed", events.HostChanged, {"person": PERSON}),
        Form("join_wished", events.JoinWished, {"holder": HOLDER}),
        Form("wish_dropped", events.WishDropped, {"person": PERSON}),
        Form("game_started", events.GameStarted, {"dealer": NUMBER}),
        Form("seed_committed", events.SeedCommitted, {"deal": NUMBER, "commitment": TEXT}),
        Form("contributed", events.Contributed, {"seat": NUMBER, "word": TEXT}),
        Form("shuffled", events.Shuffled, {"deal": NUMBER, "contributions": several(TEXT)}),
        Form("seed_revealed", events.SeedRevealed, {"deal": NUMBER, "seed": TEXT}),
        Form("roll_called", events.RollCalled, {"at": NUMBER, "seats": several(NUMBER), "fill": FLAG}),
        Form("present_said", events.PresentSaid, {"seat": NUMBER}),
        Form("roll_ended", events.RollEnded, {}),
        Form("deadline_set", events.DeadlineSet, {"deadline": one_of(events.Deadline), "due_at": optional(NUMBER)}),
        Form("table_closed", events.TableClosed, {"because": one_of(ClosedBecause)}),
        Form("close_asked", events.CloseAsked, {"person": PERSON, "at": NUMBER}),
        Form("close_answered", events.CloseAnswered, {"person": PERSON, "agrees": FLAG}),
        Form("proposed", events.Proposed, {"proposal": whole(_PROPOSAL)}),
        Form("proposal_answered", events.ProposalAnswered, {"person": PERSON, "agrees": FLAG}),
        Form("proposal_ended", events.ProposalEnded, {"agreed": FLAG}),
        Form(
            "undone",
            events.Undone,
            {
                "version": NUMBER,
                "game": Field(encode_state, decode_state),
                "recent": several(_RECENT),
                "drawn": several(CARDS),
            },
        ),
        Form("substitute_sought", events.SubstituteSought, {"seat": NUMBER, "at": NUMBER}),
        Form("settings_chosen", events.SettingsChosen, {"settings": whole(_SETTINGS)}),
        Form("clock_set", events.ClockSet, {"seat": NUMBER, "clock": whole(_SEAT_CLOCK)}),
        Form("clock_runs", events.ClockRuns, {"seat": NUMBER, "since": NUMBER, "until": NUMBER, "turn": _PAIR}),
        Form("clock_stopped", events.ClockStopped, {}),
        Form("stage_reached", events.StageReached, {"seat": NUMBER, "stage": one_of(Stage), "until": NUMBER}),
        Form("last_deal_came", events.LastDealCame, {}),
        Form("game_paused", events.GamePaused, {"pause": whole(_PAUSE)}),
        Form("game_resumed", events.GameResumed, {}),
        Form("game_concluded", events.GameConcluded, {"conclusion": whole(_CONCLUSION)}),
        _PACK_KNOWN,
        Form("rematch_opened", events.RematchOpened, {"following": NUMBER}),
        *EVENT_FORMS,
    ),
)


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


def _read_shown(data: object) -> tuple[int, str]:
    match data:
        case [int(seat), str(hand)]:
            return seat, hand
    raise Undecodable("shown: wrong value")


_SAT: Final = Form("sat", Sat, {"seat": NUMBER, "deal": NUMBER, "turn": NUMBER, "holder": HOLDER})
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
_ROLL: Final = Form("roll", RollCall, {"at": NUMBER, "seats": several(NUMBER), "fill": FLAG})
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
        "host": PERSON,
        "seats": several(HOLDER),
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
        "proposal": optional(whole(_PROPOSAL)),
        "proposed": several(whole(_PROPOSING)),
        "pauses": NUMBER,
        "sought": several(whole(_SOUGHT)),
        "undone": optional(_PAIR),
        "settings": whole(_SETTINGS),
        "clocks": optional(whole(_CLOCKS)),
        "pause": optional(whole(_PAUSE)),
        "conclusion": optional(whole(_CONCLUSION)),
        "last_deal": FLAG,
        "known": optional(whole(_PACK_KNOWN)),
        "absence": whole(ABSENCE),
        "wishes": several(HOLDER),
        "roll": optional(whole(_ROLL)),
    },
    younger={
        "drawn": (),
        "saved_as": "",
        "base": None,
        "joined_rules": None,
        "sat": (),
        "left": (),
        "proposal": None,
        "proposed": (),
        "pauses": 0,
        "sought": (),
        "undone": None,
        "settings": USUAL,
        "clocks": None,
        "pause": None,
        "conclusion": None,
        "last_deal": False,
        "known": None,
        "absence": NOTHING,
        "wishes": (),
        "roll": None,
    },
)


def write_record(record: Record, holders: Holders) -> str:
    """A whole table as JSON text, hidden cards included. A game holds the rules already.

    Persons of whom `holders` knew nothing are noted there.
    """
    with numbered_by(holders):
        data = _RECORD.write(record)
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
            record = cast(Record, _RECORD.read(_of_now(data)))
    game, recent = record.game, record.recent
    if game is None:
        return record
    if any(not one.deal for one in recent):
        recent = numbered([(one.seat, one.event) for one in recent], game)
    return replace(record, rules=game.rules, recent=recent)
