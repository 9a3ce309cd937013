"""A hand to show what settings look like: one card of every sort, some of them just drawn."""

from __future__ import annotations

from typing import Final

from bot.engine.cards.notation import parse_cards
from bot.engine.moves.phases import Phase
from bot.engine.rules.sets import rule_set
from bot.engine.table.views import PileView, PublicView, SeatInfo, SeatView, SideView, Total

_RULES: Final = rule_set("classic", 4)
_HAND: Final = parse_cards("7s 4d Kc Kd Ah 2h Ks As 3s 7h JK Td 7c Qd")

_TABLE: Final = PublicView(
    rules=_RULES,
    deal=1,
    dealer=3,
    phase=Phase.PLAY,
    turn=0,
    turns=1,
    actor=0,
    drew="stock",
    permission=None,
    stock=60,
    pile=PileView(cards=5, top=parse_cards("9h")[0], frozen=True, freezer=None, aside=False),
    sides=tuple(SideView(side, _RULES.seats_of(side), 0, 0, False, 50, (), (), 0) for side in range(2)),
    seats=tuple(SeatInfo(seat, _RULES.side_of(seat), 11) for seat in range(4)),
    results=(),
    winner=None,
    playing=tuple(range(4)),
    totals=tuple(Total(_RULES.seats_of(side), 0) for side in range(2)),
)

SAMPLE: Final = SeatView(
    table=_TABLE,
    seat=0,
    hand=_HAND,
    fresh=_HAND[-2:],
    hand_points=sum(_RULES.card_values[card >> 2] for card in _HAND),
    legal=(),
    laid_points=0,
    can_take_back=False,
)
