"""Topics of parameters, how the record declares a parameter, and the words of their values.

The topics are those of `docs/law/variants.md A.1`.
"""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum
from typing import Any, Final, Literal

MOST: Final = 1_000_000
"""The largest number that any parameter may have."""

POINTS: Final = 5
"""Points are multiples of this number."""

MOST_POINTS: Final = 100_000
"""The largest bonus or target."""


class Topic(StrEnum):
    """The subject of a parameter: letters A to J of `docs/law/variants.md A.1`.

    The value is the stored name.
    """

    CARDS = "cards"  # cards and deal
    TURN = "turn"
    MELDS = "melds"
    OPENING = "opening"  # the initial meld
    PILE = "pile"
    THREES = "threes"
    CANASTAS = "canastas"  # canastas, and penalties
    OUT = "out"  # going out
    FOOT = "foot"
    END = "end"  # the end of the deal and of the game


_TOPICS: Final = dict(zip("ABCDEFGHIJ", Topic, strict=True))


def rule_field(classic: Any, letter: str, paragraph: str, **numbers: Any) -> Any:
    """Return a parameter as a field of `RuleSet`: its classic value, its topic's letter, its paragraph.

    `numbers` are further fields of `bot.engine.rules.parameters.Parameter`.
    """
    return field(default=classic, metadata={"topic": _TOPICS[letter], "paragraph": paragraph, **numbers})


def points_field(classic: Any, letter: str, paragraph: str, *, highest: int = MOST_POINTS, **numbers: Any) -> Any:
    """Return a parameter whose numbers are points."""
    return rule_field(classic, letter, paragraph, highest=highest, multiple=POINTS, **numbers)


# --- the words that parameters may have as values ---------------------------------------------------------------------

CardClass = Literal["W", "R3", "B3"]
"""Wild cards, red threes, black threes."""

TopCard = Literal["W", "R3", "B3", "7"]
"""The cards that may block the pile; sevens do so in one game (`docs/law/variants.md 3.13`)."""

SpecialHand = Literal[
    "pairs",
    "wild_pairs",
    "miami_pairs",
    "zip_code",
    "straight",
    "garbage",
    "blast_off",
    "triples",
    "quads",
    "dream_4",
    "dream_5",
]
"""The special hands, fourteen cards each (`docs/law/variants.md 3.10`)."""

WildCanasta = Literal["any", "7_twos", "7_jokers", "4_jokers", "4_jokers_3_twos", "twos_and_jokers"]
"""Descriptions of the cards of a wild canasta."""

Rank = Literal["4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A"]
"""The ranks of naturals, by their letters."""

DiscardBan = Literal["J", "threes", "wilds", "swad", "7_until_both", "7_last", "black3_first_round"]
"""The bans on discarding certain cards in certain situations."""

SpecialCanasta = Literal[
    "4",
    "4_natural",
    "4_mixed",
    "5",
    "5_natural",
    "5_mixed",
    "6",
    "6_natural",
    "6_mixed",
    "7",
    "7_natural",
    "7_mixed",
    "8",
    "8_natural",
    "8_mixed",
    "9",
    "9_natural",
    "9_mixed",
    "T",
    "T_natural",
    "T_mixed",
    "J",
    "J_natural",
    "J_mixed",
    "Q",
    "Q_natural",
    "Q_mixed",
    "K",
    "K_natural",
    "K_mixed",
    "A",
    "A_natural",
    "A_mixed",
]
"""Canastas of ranks with their own bonus; a word without a sort means natural and mixed ones."""

Unfinished = Literal["7", "A", "wild", "wild_4_jokers", "seq"]
"""The melds that cost points unless they are canastas; sevens and aces only without a wild card."""

Unlucky = Literal["3_aces", "3_sevens", "4_black_threes"]
"""Cards in a hand that cost points in addition to their values, from that number on."""

Collection = Literal["5_natural", "4_natural_1_mixed", "7_any", "10_any"]
"""Collections of canastas."""

InitialCanasta = Literal["none", "canasta", "natural_canasta"]
"""The canasta that an initial meld must include: none, any, or one that is not mixed."""

Needed = Literal["natural", "mixed", "wild", "seq", "7"]
"""The sorts of canastas that going out may require."""
