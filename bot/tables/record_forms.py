"""How a record is stored; what it did not have in earlier releases stands with its value of then."""

from __future__ import annotations

from typing import Final

from bot.store.errors import Undecodable
from bot.store.forms import CARDS, FLAG, NUMBER, TEXT, Field, Form, one_of, optional, several, whole
from bot.store.game_forms import decode_state, encode_state
from bot.tables import events
from bot.tables.absence.forms import ABSENCE
from bot.tables.absence.values import NOTHING
from bot.tables.contest.forms import CONTEST
from bot.tables.holder_fields import HOLDER, PERSON
from bot.tables.looks import ClosedBecause, DealLeftovers, HandLeft, RollCall, SeatTenure, Status
from bot.tables.record import TableState
from bot.tables.timing.settings import USUAL
from bot.tables.value_forms import (
    CLOCKS,
    CONCLUSION,
    PACK_KNOWN,
    PAIR,
    PAUSE,
    PROPOSAL,
    PROPOSING,
    RECENT,
    RULES,
    SETTINGS,
    SHUFFLE,
    SOUGHT,
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
