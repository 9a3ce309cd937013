"""Refused actions that a player may still do at a penalty, as text for a control's argument.

Rules: `docs/law/classic.md 1.22`. The control is in the private panel of the seat that tried the action. The argument
stores each card as one character and is checked against the hand when it comes back.
"""

from __future__ import annotations

from string import ascii_letters, digits
from typing import Final, TypeAlias

from bot.engine.cards.cards import RED_THREE, Card
from bot.engine.moves.actions import (
    ASK,
    DRAW,
    Act,
    Action,
    Ask,
    Discard,
    DiscardCard,
    Draw,
    Lay,
    LayMelds,
    Step,
    TakePile,
)
from bot.engine.moves.phases import Phase
from bot.engine.rules.irregularities import REGIMES, Irregularity
from bot.engine.rules.rule_set import RuleSet
from bot.engine.table.views import SeatView
from cogs.shared.reading.custom_ids import LONGEST

Attempted: TypeAlias = Step | Act

_SIGNS: Final = ascii_letters + digits
"""A character for each card, kind and meld number."""

_CARDS: Final = _SIGNS[: 4 * (RED_THREE + 1)]
"""The characters that represent cards."""

_BETWEEN: Final = "."

MOST: Final = LONGEST - 45
"""Maximum characters of an argument, leaving room for table and version."""


def may_try_drawing(view: SeatView) -> bool:
    """Return whether a player who is not in turn may try, at a penalty, to draw."""
    return not view.must_act and _has_penalty(view.table.rules, Irregularity.DRAWN_OUT_OF_TURN)


def may_try_taking_pile(view: SeatView) -> bool:
    """Return whether the player may try, at a penalty, to take a pile that they cannot take."""
    wrong = Irregularity.UNUSED_PILE if view.must_act else Irregularity.TAKEN_OUT_OF_TURN
    begins = view.table.phase is Phase.DRAW or not view.must_act
    return begins and view.table.pile.top is not None and _has_penalty(view.table.rules, wrong)


def may_try_opening_below_minimum(view: SeatView) -> bool:
    """Return whether the player may try, at a penalty, to open with too few points."""
    return _has_penalty(view.table.rules, Irregularity.SHORT_OPENING)


def _has_penalty(rules: RuleSet, irregularity: Irregularity) -> bool:
    """Return whether the table has a price for that irregularity."""
    cost = REGIMES[rules.penalties].get(irregularity)
    return cost is not None and rules.players >= cost.least_players


def attempt_to_argument(action: Action) -> str:
    """Return the control's argument that stores the action; "" if it is too long or cannot be stored."""
    text = _encode_action(action)
    return text if len(text) <= MOST else ""


def _encode_action(action: Action) -> str:
    match action:
        case Draw():
            return "d"
        case Ask():
            return "a"
        case Discard(kind):
            return "k" + _SIGNS[kind]
        case DiscardCard(card):
            return "c" + _SIGNS[card]
        case LayMelds(melds):
            return "m" + _BETWEEN.join(map(_encode_meld, melds))
        case TakePile(cards=cards, melds=melds, onto=onto):
            return "t" + _BETWEEN.join(map(_encode_meld, (Lay(cards, onto), *melds)))
    return ""


def _encode_meld(meld: Lay) -> str:
    return _SIGNS[0 if meld.onto is None else meld.onto + 1] + "".join(_SIGNS[card] for card in meld.cards)


def parse_attempt(text: str) -> Attempted | None:
    """Return the action that a control's argument stores, or None if it is invalid."""
    what, rest = text[:1], text[1:]
    if what in ("d", "a"):
        return DRAW if what == "d" else ASK
    if what in ("k", "c") and len(rest) == 1 and rest in _CARDS:
        number = _SIGNS.index(rest)
        if what == "c":
            return DiscardCard(number)
        return Discard(number) if number <= RED_THREE else None
    lays = [_decode_meld(part) for part in rest.split(_BETWEEN)]
    known = tuple([lay for lay in lays if lay is not None])
    if len(known) < len(lays) or what not in ("m", "t"):
        return None
    return LayMelds(known) if what == "m" else TakePile(known[0].cards, known[1:], known[0].onto)


def _decode_meld(text: str) -> Lay | None:
    if not text or text[0] not in _SIGNS or any(sign not in _CARDS for sign in text[1:]):
        return None
    cards: tuple[Card, ...] = tuple([_SIGNS.index(sign) for sign in text[1:]])
    number = _SIGNS.index(text[0])
    return Lay(cards, number - 1 if number else None)
