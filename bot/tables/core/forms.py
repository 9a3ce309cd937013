"""How the events of a table's log are stored; those of the game itself are `bot.store.game_forms`'s.

How persons are written: by the numbers that they have among the holders of the table that is written or read.

How absence is stored (`bot.tables.core.forms`).

How a table's place in a tournament is stored (`bot.tables.core.forms`).

How the values within a table are stored: clocks, settings, pauses, proposals, turns that are remembered.

How a record is stored; what it did not have in earlier releases stands with its value of then.

Records and table events as data for JSON, and back, under names that are never changed.

Who a person is and what it is called stands in no text: there is the number of a holder of the table
(`bot.tables.state.table`). In a form a person is a `PERSON` and never a `NUMBER`, a seat's holder a `HOLDER`.

The game's own events and states are written by `bot.store.game_forms`; both kinds of event share one list, told apart
by their tags, ``event`` and ``table``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from typing import Any, Final, cast

from bot.clocks.law import ClockTerms, SeatClock, Stage
from bot.engine.moves.events import Event
from bot.store.errors import Undecodable
from bot.store.forms import CARDS, FLAG, NUMBER, TEXT, Field, Form, Forms, one_of, optional, several, whole, wrong
from bot.store.game_forms import decode_event, decode_rules, decode_state, encode_event, encode_rules, encode_state
from bot.tables.state import absence, contest, events
from bot.tables.state.absence import (
    NOTHING,
    Absence,
    AbsenceChoice,
    AbsenceReason,
    Ballot,
    Claim,
    ClaimAnswer,
    ClaimKind,
    SeatReturn,
    Vote,
)
from bot.tables.state.clocks import USUAL, Absent, Clocks, Conclusion, Pause, ReplayFrom, TableSettings
from bot.tables.state.contest import ContestBoard, ContestTable, PendingSubstitute
from bot.tables.state.proposals import PastProposal, Proposal, ProposalKind, SubstituteSearch
from bot.tables.state.snapshots import (
    EMPTY_SEAT,
    ClosedBecause,
    DealLeftovers,
    HandLeft,
    RecentEvent,
    ReplayedDeal,
    RollCall,
    SeatHolder,
    SeatTenure,
    Shuffle,
    Status,
)
from bot.tables.state.table import TablePersons, TableState

_HOLDERS: Final[ContextVar[TablePersons]] = ContextVar("holders of the table that is written or read")


@contextmanager
def numbered_by(holders: TablePersons) -> Iterator[None]:
    """Let numbers be those of these holders; persons they do not know are noted there when written."""
    token = _HOLDERS.set(holders)
    try:
        yield
    finally:
        _HOLDERS.reset(token)


PERSON: Final = Field(
    lambda person: _HOLDERS.get().number(person),
    lambda number: _HOLDERS.get().holder(number).person,
)
"""A person, whatever it is called."""


def _write(holder: SeatHolder) -> dict[str, Any]:
    person, name = (holder.person, holder.name) if holder.kept_for is None else (holder.kept_for, holder.kept_name)
    number = None if person is None else _HOLDERS.get().named(person, name, holder.account)
    return {"kind": holder.kind, "number": holder.number, "holder": number}


def _read(data: object) -> SeatHolder:
    match data:
        case {"kind": "empty", "number": 0, "holder": None}:
            return EMPTY_SEAT
        case {"kind": "person", "number": 0, "holder": int(number)}:
            one = _HOLDERS.get().holder(number)
            return SeatHolder("person", one.person, one.name, account=one.account)
        case {"kind": "computer", "number": int(computer), "holder": None}:
            return SeatHolder("computer", number=computer)
        case {"kind": "computer", "number": int(computer), "holder": int(number)}:
            one = _HOLDERS.get().holder(number)
            return SeatHolder("computer", None, "", computer, one.person, one.name, one.account)
    raise Undecodable("holder: wrong value")


HOLDER: Final = Field(_write, _read)
"""Who sits in a seat: its person, or the one for whom a computer player keeps it, under the name of that time."""


def _read_turn(data: object) -> tuple[int, int]:
    match data:
        case [int(deal), int(turn)]:
            return deal, turn
    raise Undecodable("turn: wrong value")


_BALLOT = Form("ballot", Ballot, {"seat": NUMBER, "choice": one_of(AbsenceChoice)})
_VOTE = Form(
    "vote",
    Vote,
    {"seat": NUMBER, "person": PERSON, "why": one_of(AbsenceReason), "at": NUMBER, "ballots": several(whole(_BALLOT))},
)
_ANSWER = Form("answer", ClaimAnswer, {"seat": NUMBER, "agrees": FLAG})
_RETURNED = Form("returned", SeatReturn, {"seat": NUMBER, "turn": Field(list, _read_turn)})


_CLAIM = Form(
    "claim",
    Claim,
    {
        "kind": one_of(ClaimKind),
        "seat": NUMBER,
        "holder": HOLDER,
        "at": NUMBER,
        "unknown": FLAG,
        "answers": several(whole(_ANSWER)),
    },
)

ABSENCE: Final = Form(
    "absence",
    Absence,
    {
        "vote": optional(whole(_VOTE)),
        "waiting": several(whole(_VOTE)),
        "waits": several(NUMBER),
        "kept": several(NUMBER),
        "left": several(NUMBER),
        "claims": several(whole(_CLAIM)),
        "returned": optional(whole(_RETURNED)),
        "seen": several(PERSON),
        "forfeited": several(NUMBER),
        "ends_at": optional(NUMBER),
        "ends_since": NUMBER,
        "ends_told": FLAG,
        "idle_at": optional(NUMBER),
    },
)
"""All that a table knows of absence."""

EVENT_FORMS: Final = (
    Form("vote_opened", absence.VoteOpened, {"seat": NUMBER, "why": one_of(AbsenceReason), "at": NUMBER}),
    Form("voted", absence.Voted, {"seat": NUMBER, "choice": one_of(AbsenceChoice)}),
    Form("vote_decided", absence.VoteDecided, {"choice": optional(one_of(AbsenceChoice))}),
    Form("vote_dropped", absence.VoteWithdrawn, {"seat": NUMBER}),
    Form("seat_kept", absence.SeatKept, {"seat": NUMBER}),
    Form("side_forfeited", absence.SideForfeited, {"side": NUMBER}),
    Form("seat_claimed", absence.SeatClaimed, {"claim": whole(_CLAIM)}),
    Form("claim_answered", absence.ClaimAnswered, {"seat": NUMBER, "voter": NUMBER, "agrees": FLAG}),
    Form("claim_ended", absence.ClaimEnded, {"seat": NUMBER, "granted": FLAG}),
    Form("search_ended", absence.SubstituteSearchEnded, {"seat": NUMBER}),
    Form("latest_end_set", absence.EndTimeSet, {"at": NUMBER, "since": NUMBER, "told": FLAG}),
    Form("idle_told", absence.IdleWarningSent, {"at": optional(NUMBER)}),
)
"""The events about absence."""


_BOARD = Form("board", ContestBoard, {"number": NUMBER, "minimum": NUMBER, "dealer": NUMBER})
_COMING = Form("coming", PendingSubstitute, {"seat": NUMBER, "holder": HOLDER})
CONTEST: Final = Form(
    "contest",
    ContestTable,
    {
        "tournament": NUMBER,
        "match": NUMBER,
        "number": NUMBER,
        "computers": FLAG,
        "live": FLAG,
        "board": optional(whole(_BOARD)),
        "sealed": FLAG,
        "substitutes": several(whole(_COMING)),
        "came": several(NUMBER),
    },
)

CONTEST_EVENT_FORMS: Final = (
    Form("contest_opened", contest.ContestOpened, {"contest": whole(CONTEST)}),
    Form("substitute_named", contest.SubstituteNamed, {"seat": NUMBER, "holder": HOLDER}),
    Form("player_came", contest.PlayerArrived, {"seat": NUMBER}),
    Form("contest_unsealed", contest.ContestUnsealed, {}),
)


RULES: Final = Field(encode_rules, decode_rules)
SHUFFLE: Final = Form(
    "shuffle",
    Shuffle,
    {
        "deal": NUMBER,
        "commitment": TEXT,
        "contributions": optional(several(TEXT)),
        "seed": optional(TEXT),
    },
)
CLOCK_TERMS: Final = Form("clock_terms", ClockTerms, {"name": TEXT, "bank": NUMBER, "increment": NUMBER, "cap": NUMBER})
SETTINGS: Final = Form(
    "settings",
    TableSettings,
    {
        "clock": optional(whole(CLOCK_TERMS)),
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
        "rated": FLAG,
    },
    younger={"rated": False},
)
SEAT_CLOCK: Final = Form(
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


PAIR: Final = Field(list, _read_pair)
CLOCKS: Final = Form(
    "clocks",
    Clocks,
    {
        "seats": several(whole(SEAT_CLOCK)),
        "owes": optional(NUMBER),
        "since": NUMBER,
        "until": optional(NUMBER),
        "stage": one_of(Stage),
        "turn": PAIR,
        "told": optional(NUMBER),
    },
)
PAUSE: Final = Form("pause", Pause, {"by": PERSON, "since": NUMBER, "until": optional(NUMBER), "reason": TEXT})
CONCLUSION: Final = Form(
    "conclusion",
    Conclusion,
    {"how": TEXT, "winner": optional(NUMBER), "scores": several(NUMBER), "last": optional(NUMBER)},
)
PROPOSAL: Final = Form(
    "proposal",
    Proposal,
    {
        "kind": one_of(ProposalKind),
        "by": PERSON,
        "at": NUMBER,
        "agreed": several(PERSON),
        "days": NUMBER,
        "clock": optional(whole(CLOCK_TERMS)),
        "version": NUMBER,
    },
)
PROPOSING: Final = Form("proposing", PastProposal, {"person": PERSON, "kind": one_of(ProposalKind)})
SOUGHT: Final = Form("sought", SubstituteSearch, {"seat": NUMBER, "at": NUMBER})


def _write_recent(one: RecentEvent) -> list[Any]:
    return [one.deal, one.turn, one.seat, encode_event(one.event)]


def _read_recent(data: object) -> RecentEvent:
    match data:
        case [int(deal), int(turn), int() | None as seat, event]:
            return RecentEvent(deal, turn, seat, decode_event(event))
    raise Undecodable("recent: wrong value")


RECENT: Final = Field(_write_recent, _read_recent)
CARDS_OF: Final = Form("cards_of", ReplayedDeal, {"table": NUMBER, "deal": NUMBER})
PACK_KNOWN: Final = Form(
    "pack_known",
    events.PackFixed,
    {"of": optional(whole(CARDS_OF)), "dealer": NUMBER, "pack": CARDS, "streams": FLAG},
    younger={"streams": False},
)


TABLE_EVENTS: Final = Forms(
    "table",
    (
        Form(
            "lobby_opened",
            events.LobbyOpened,
            {"rules": RULES, "host": PERSON, "at": NUMBER, "saved_as": TEXT},
            younger={"saved_as": ""},
        ),
        Form("rules_changed", events.RulesChanged, {"rules": RULES}),
        Form(
            "rules_chosen",
            events.RulesChosen,
            {"rules": RULES, "saved_as": TEXT, "seats": several(HOLDER)},
        ),
        Form("seat_changed", events.SeatChanged, {"seat": NUMBER, "holder": HOLDER}),
        Form("host_changed", events.HostChanged, {"person": PERSON}),
        Form("join_wished", events.JoinRequested, {"holder": HOLDER}),
        Form("wish_dropped", events.JoinWithdrawn, {"person": PERSON}),
        Form("game_started", events.GameStarted, {"dealer": NUMBER}),
        Form("seed_committed", events.SeedCommitted, {"deal": NUMBER, "commitment": TEXT}),
        Form("contributed", events.Contributed, {"seat": NUMBER, "word": TEXT}),
        Form("shuffled", events.Shuffled, {"deal": NUMBER, "contributions": several(TEXT)}),
        Form("seed_revealed", events.SeedRevealed, {"deal": NUMBER, "seed": TEXT}),
        Form("roll_called", events.RollCallOpened, {"at": NUMBER, "seats": several(NUMBER), "fill": FLAG}),
        Form("present_said", events.PresenceConfirmed, {"seat": NUMBER}),
        Form("roll_ended", events.RollCallEnded, {}),
        Form("place_lost", events.ChannelLost, {"at": NUMBER}),
        Form("place_found", events.ChannelRestored, {}),
        Form("deadline_set", events.DeadlineSet, {"deadline": one_of(events.Deadline), "due_at": optional(NUMBER)}),
        Form("table_closed", events.TableClosed, {"because": one_of(ClosedBecause)}),
        Form("proposed", events.Proposed, {"proposal": whole(PROPOSAL)}),
        Form("proposal_answered", events.ProposalAnswered, {"person": PERSON, "agrees": FLAG}),
        Form("proposal_ended", events.ProposalEnded, {"agreed": FLAG}),
        Form(
            "undone",
            events.Undone,
            {
                "version": NUMBER,
                "game": Field(encode_state, decode_state),
                "recent": several(RECENT),
                "drawn": several(CARDS),
            },
        ),
        Form("substitute_sought", events.SubstituteSearchOpened, {"seat": NUMBER, "at": NUMBER}),
        Form("settings_chosen", events.SettingsChosen, {"settings": whole(SETTINGS)}),
        Form("clock_set", events.ClockSet, {"seat": NUMBER, "clock": whole(SEAT_CLOCK)}),
        Form("clock_runs", events.ClockRuns, {"seat": NUMBER, "since": NUMBER, "until": NUMBER, "turn": PAIR}),
        Form("clock_stopped", events.ClockStopped, {}),
        Form("stage_reached", events.StageReached, {"seat": NUMBER, "stage": one_of(Stage), "until": NUMBER}),
        Form("last_deal_came", events.LastDealReached, {}),
        Form("game_paused", events.GamePaused, {"pause": whole(PAUSE)}),
        Form("game_resumed", events.GameResumed, {}),
        Form("game_concluded", events.GameConcluded, {"conclusion": whole(CONCLUSION)}),
        PACK_KNOWN,
        Form("rematch_opened", events.RematchOpened, {"following": NUMBER}),
        *EVENT_FORMS,
        *CONTEST_EVENT_FORMS,
    ),
)


def _read_shown(data: object) -> tuple[int, str]:
    match data:
        case [int(seat), str(hand)]:
            return seat, hand
    raise Undecodable("shown: wrong value")


SAT: Final = Form("sat", SeatTenure, {"seat": NUMBER, "deal": NUMBER, "turn": NUMBER, "holder": HOLDER})
HELD: Final = Form("held", HandLeft, {"seat": NUMBER, "cards": CARDS, "points": NUMBER})
LEFT: Final = Form(
    "left",
    DealLeftovers,
    {
        "deal": NUMBER,
        "held": several(whole(HELD)),
        "shown": optional(Field(list, _read_shown)),
        "canastas": several(NUMBER),
    },
    younger={"canastas": ()},
)
ROLL: Final = Form("roll", RollCall, {"at": NUMBER, "seats": several(NUMBER), "fill": FLAG})
DEADLINES: Final = Field(
    dict,
    lambda data: {events.Deadline(kind): due for kind, due in data.items()},
)
RECORD: Final = Form(
    "record",
    TableState,
    {
        "status": one_of(Status),
        "rules": optional(RULES),
        "host": PERSON,
        "seats": several(HOLDER),
        "created_at": NUMBER,
        "contributions": several(optional(TEXT)),
        "game": optional(Field(encode_state, decode_state)),
        "shuffles": several(whole(SHUFFLE)),
        "recent": several(RECENT),
        "drawn": several(CARDS),
        "deadlines": DEADLINES,
        "closed_because": optional(one_of(ClosedBecause)),
        "rematch": optional(NUMBER),
        "saved_as": TEXT,
        "base": optional(RULES),
        "joined_rules": optional(RULES),
        "sat": several(whole(SAT)),
        "left": several(whole(LEFT)),
        "proposal": optional(whole(PROPOSAL)),
        "proposed": several(whole(PROPOSING)),
        "pauses": NUMBER,
        "sought": several(whole(SOUGHT)),
        "undone": optional(PAIR),
        "settings": whole(SETTINGS),
        "clocks": optional(whole(CLOCKS)),
        "pause": optional(whole(PAUSE)),
        "conclusion": optional(whole(CONCLUSION)),
        "last_deal": FLAG,
        "known": optional(whole(PACK_KNOWN)),
        "absence": whole(ABSENCE),
        "wishes": several(HOLDER),
        "roll": optional(whole(ROLL)),
        "place_lost": optional(NUMBER),
        "contest": optional(whole(CONTEST)),
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
        "place_lost": None,
        "contest": None,
    },
)


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
