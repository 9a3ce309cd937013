"""How the values within a table are stored: clocks, settings, pauses, proposals, turns that are remembered."""

from __future__ import annotations

from typing import Any, Final

from bot.clocks.law import ClockTerms, SeatClock, Stage
from bot.store.errors import Undecodable
from bot.store.forms import CARDS, FLAG, NUMBER, TEXT, Field, Form, one_of, optional, several, whole
from bot.store.game_forms import decode_event, decode_rules, encode_event, encode_rules
from bot.tables import events
from bot.tables.consent.proposal import PastProposal, Proposal, ProposalKind, SubstituteSearch
from bot.tables.holder_fields import PERSON
from bot.tables.looks import RecentEvent, ReplayedDeal, Shuffle
from bot.tables.timing.clocks import Clocks, Conclusion, Pause
from bot.tables.timing.settings import Absent, ReplayFrom, TableSettings

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
