"""How a table's place in a tournament is stored (`bot.tables.table_codec`)."""

from __future__ import annotations

from typing import Final

from bot.store.forms import FLAG, NUMBER, Form, optional, several, whole
from bot.tables.contest import events
from bot.tables.contest.values import ContestBoard, ContestTable, PendingSubstitute
from bot.tables.holder_fields import HOLDER

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

EVENT_FORMS: Final = (
    Form("contest_opened", events.ContestOpened, {"contest": whole(CONTEST)}),
    Form("substitute_named", events.SubstituteNamed, {"seat": NUMBER, "holder": HOLDER}),
    Form("player_came", events.PlayerArrived, {"seat": NUMBER}),
    Form("contest_unsealed", events.ContestUnsealed, {}),
)
