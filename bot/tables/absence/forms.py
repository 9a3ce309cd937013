"""How absence is stored (`bot.tables.table_codec`)."""

from __future__ import annotations

from typing import Final

from bot.store.errors import Undecodable
from bot.store.forms import FLAG, NUMBER, Field, Form, one_of, optional, several, whole
from bot.tables.absence import events
from bot.tables.absence.values import (
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
from bot.tables.holder_fields import HOLDER, PERSON


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
    Form("vote_opened", events.VoteOpened, {"seat": NUMBER, "why": one_of(AbsenceReason), "at": NUMBER}),
    Form("voted", events.Voted, {"seat": NUMBER, "choice": one_of(AbsenceChoice)}),
    Form("vote_decided", events.VoteDecided, {"choice": optional(one_of(AbsenceChoice))}),
    Form("vote_dropped", events.VoteWithdrawn, {"seat": NUMBER}),
    Form("seat_kept", events.SeatKept, {"seat": NUMBER}),
    Form("side_forfeited", events.SideForfeited, {"side": NUMBER}),
    Form("seat_claimed", events.SeatClaimed, {"claim": whole(_CLAIM)}),
    Form("claim_answered", events.ClaimAnswered, {"seat": NUMBER, "voter": NUMBER, "agrees": FLAG}),
    Form("claim_ended", events.ClaimEnded, {"seat": NUMBER, "granted": FLAG}),
    Form("search_ended", events.SubstituteSearchEnded, {"seat": NUMBER}),
    Form("latest_end_set", events.EndTimeSet, {"at": NUMBER, "since": NUMBER, "told": FLAG}),
    Form("idle_told", events.IdleWarningSent, {"at": optional(NUMBER)}),
)
"""The events about absence."""
