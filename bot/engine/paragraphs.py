"""Paragraphs: where the law stands that allows or refuses an action, in the numbering of `rules/classic.md`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.engine.actions import (
    Action,
    Announce,
    Answer,
    Ask,
    Combine,
    Discard,
    DiscardCard,
    Draw,
    LayMelds,
    LayRun,
    Meld,
    Pass,
    Show,
    StartDeal,
    Take,
    TakeBack,
    TakePile,
)
from bot.engine.refusals import Code

OF_REFUSAL: Final[Mapping[Code, str]] = {
    Code.NO_DEAL: "1.9",
    Code.DEAL_RUNNING: "1.3",
    Code.GAME_OVER: "1.21",
    Code.WRONG_PACK: "1.1",
    Code.NOT_YOUR_TURN: "1.5",
    Code.RESTING: "2.3",
    Code.WAITING_FOR_ANSWER: "1.18",
    Code.NO_QUESTION: "1.18",
    Code.DRAW_FIRST: "1.9",
    Code.ALREADY_DREW: "1.9",
    Code.STOCK_EMPTY: "1.19",
    Code.STOCK_NOT_EMPTY: "1.19",
    Code.MUST_TAKE: "1.19",
    Code.CARD_NOT_HELD: "1.9",
    Code.NO_CARDS: "1.10",
    Code.PILE_EMPTY: "1.12",
    Code.PILE_BLOCKED: "1.12",
    Code.PILE_FROZEN: "1.13",
    Code.PILE_FROZEN_UNOPENED: "1.13",
    Code.PILE_CLOSED_UNOPENED: "1.11",
    Code.TAKE_NEEDS_CARDS: "1.12",
    Code.TAKE_NO_MELD: "1.12",
    Code.TAKE_ONTO_CANASTA: "1.12",
    Code.ONE_CARD_ONE_CARD: "1.12",
    Code.MELD_MIXED_RANKS: "1.10",
    Code.MELD_NO_RANK: "1.10",
    Code.MELD_TOO_SMALL: "1.10",
    Code.MELD_TOO_FEW_NATURALS: "1.10",
    Code.MELD_TOO_MANY_WILDS: "1.10",
    Code.MELD_TOO_LARGE: "1.10",
    Code.WILD_ON_CANASTA: "1.10",
    Code.MELD_WRONG_TARGET: "1.10",
    Code.MELD_RED_THREE: "1.7",
    Code.BLACK_THREES_ONLY_OUT: "1.8",
    Code.BLACK_THREES_COUNT: "1.8",
    Code.INITIAL_MELD_TOO_LOW: "1.11",
    Code.INITIAL_MELD_UNREACHABLE: "1.11",
    Code.OPENING_NEEDS_CLEAN: "variants 3.10",
    Code.OPENING_NEEDS_CLEAN_OR_WILD: "variants 3.10",
    Code.OPENING_NEEDS_CANASTA: "variants 3.3",
    Code.OPENING_NEEDS_NATURAL_CANASTA: "variants 3.3",
    Code.OPENING_WITHOUT_WILDS: "variants 3.6",
    Code.OPENING_MIXED_CANASTA: "variants 3.10",
    Code.DISCARD_JOKER: "variants 2",
    Code.DISCARD_THREE: "variants 3.10",
    Code.DISCARD_WILD: "variants 3.10",
    Code.DISCARD_ON_EMPTY_PILE: "variants 3.10",
    Code.DISCARD_SEVEN: "variants 3.12",
    Code.DISCARD_LAST_SEVEN: "variants 3.12",
    Code.DISCARD_BLACK_THREE: "variants 3.5",
    Code.FOOT_WAITS: "variants 3.11",
    Code.PARTNER_FOOT_WAITS: "variants 3.11",
    Code.NEEDS_CANASTA: "1.15",
    Code.NEEDS_CANASTA_KIND: "1.15",
    Code.FOOT_WAITS: "variants 3.11",
    Code.PARTNER_FOOT_WAITS: "variants 3.11",
    Code.OUT_NEEDS_DISCARD: "1.15",
    Code.OUT_NOT_ANNOUNCED: "1.15",
    Code.OUT_NOT_ASKED: "1.18",
    Code.OUT_ANNOUNCED: "1.15",
    Code.PARTNER_SAID_NO: "1.18",
    Code.PARTNER_SAID_YES: "1.18",
    Code.ASK_OFF: "1.18",
    Code.ASK_TOO_LATE: "1.18",
    Code.ASK_CANNOT_GO_OUT: "1.18",
    Code.ANNOUNCE_TOO_LATE: "1.15",
    Code.ANNOUNCE_CANNOT_GO_OUT: "1.15",
    Code.ANNOUNCE_OFF: "1.15",
    Code.NO_SPECIAL_HANDS: "1.15",
    Code.SHOW_TOO_LATE: "variants 3.10",
    Code.SHOW_CARDS: "variants 3.10",
    Code.SHOW_NO_HAND: "variants 3.10",
    Code.NOTHING_TO_TAKE_BACK: "1.9",
    Code.NOT_A_PLAYER: "1.2",
}
"""The paragraph behind each refusal."""

OF_ACTION: Final[Mapping[type[Action], str]] = {
    StartDeal: "1.4",
    Draw: "1.9",
    Take: "1.12",
    TakePile: "1.12",
    Meld: "1.10",
    LayRun: "variants 3.1",
    Combine: "variants 3.1",
    LayMelds: "1.10",
    Discard: "1.9",
    DiscardCard: "1.9",
    TakeBack: "1.9",
    Ask: "1.18",
    Answer: "1.18",
    Announce: "1.15",
    Pass: "1.19",
    Show: "variants 3.10",
}
"""The paragraph that allows each action."""

INITIAL_MELD: Final = "1.11"
GOING_OUT: Final = "1.15"
CONCEALED: Final = "1.16"
END_OF_STOCK: Final = "1.19"
SEVEN_CANASTAS: Final = "variants 2"
SPECIAL_HAND: Final = "variants 3.10"
"""What more happens with an action, each with its paragraph."""
