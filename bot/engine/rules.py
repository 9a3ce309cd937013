"""Rule sets: one frozen record of parameters, named as in `rules/variants.md A.1`.

A rule set is resolved for a number of players; what a table plays is this record and nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal

from bot.engine.cards import ACE, BLACK_THREE, EIGHT, FOUR, JOKER, KING, RED_THREE, SEVEN, TWO, Kind
from bot.engine.seating import Teams, sides_of

RULES_VERSION: Final = 1
"""Rises when a parameter changes its meaning; stored with every table."""

CardClass = Literal["W", "R3", "B3"]
"""Wild cards, red threes, black threes."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RuleSet:
    """Every decision of the rules as data.

    `open_table` holds rows ``(from score, minimum)`` in ascending order; ``None`` is the row for scores below zero.
    `red3_values` holds the total for one, two, three … red threes of a side. Points throughout. `direction` and
    `announce_one_card` change nothing in the rules: seats are numbered in playing order, and everybody sees how many
    cards a hand holds.
    """

    name: str
    players: int
    teams: Teams
    # deck, seats, deal
    decks: int = 2
    jokers_per_deck: int = 2
    ace_value: int = 20
    hand_size: int = 11
    upcard_cover: frozenset[CardClass] = frozenset({"W", "R3"})
    upcard_freezes: frozenset[CardClass] = frozenset({"W", "R3"})
    upcard_specials: Literal["keep_in_pile", "keep_first_reinsert_rest"] = "keep_in_pile"
    first_player: Literal["left", "dealer", "high_card"] = "left"
    direction: Literal["cw", "ccw"] = "cw"
    # turn
    draw: int = 1
    draw_with_pile: int = 0
    announce_one_card: bool = False
    # melds
    meld_min: int = 3
    min_naturals: int = 2
    max_wilds: int = 3
    wild_ratio: Literal["none", "nat>=w", "nat>w", "nat>=2w"] = "none"
    wild_on_canasta: Literal["to_max", "never", "free"] = "to_max"
    meld_max: int | None = None
    canasta_size: int = 7
    # initial meld
    open_table: tuple[tuple[int | None, int], ...] = ((None, 15), (0, 50), (1500, 90), (3000, 120))
    open_waiver: frozenset[Literal["concealed", "first_canasta_top"]] = frozenset({"concealed"})
    open_pile: Literal["yes", "no"] = "yes"
    open_count_top: bool = True
    # discard pile
    frozen_unopened: bool = True
    freeze_discards: frozenset[CardClass] = frozenset({"W"})
    top_blocks: frozenset[CardClass] = frozenset({"W", "B3"})
    take_open: frozenset[Literal["pair", "card+wild", "add"]] = frozenset({"pair", "card+wild", "add"})
    take_add_canasta: bool = True
    one_card_guard: bool = True
    # threes
    red3_timing: Literal["immediate", "first_turn"] = "immediate"
    red3_values: tuple[int, ...] = (100, 200, 300, 800)
    red3_sign: Literal["opened", "canastas>=1", "canastas>=2"] = "opened"
    # bonuses
    bonus_natural: int = 500
    bonus_mixed: int = 300
    # going out
    out_canastas: int = 1
    out_bonus: int = 100
    concealed_extra: int = 100
    concealed_test: Literal["no_prior_meld_and_own_canasta", "no_prior_meld", "all_melded_no_discard"] = (
        "no_prior_meld_and_own_canasta"
    )
    out_discard: Literal["optional", "mandatory"] = "optional"
    out_announce: bool = False
    ask_partner: Literal["none", "optional", "mandatory"] = "optional"
    # end of the deal
    stock_end: Literal["pile_play", "one_more", "stop"] = "pile_play"
    stock_out_force: Literal["if_top_fits_existing_meld_and_unfrozen", "never", "whenever_able"] = (
        "if_top_fits_existing_meld_and_unfrozen"
    )
    last_red3_ends: bool = True
    # end of the game
    target: int = 5000
    rounds: int | None = None
    both_reach: Literal["higher", "raise_1000"] = "higher"
    game_bonus: int = 0

    # what follows from the parameters, worked out once
    sides: int = field(init=False, compare=False, repr=False)
    """How many sides play."""
    asks: bool = field(init=False, compare=False, repr=False)
    """Whether anybody may ask a partner for permission to go out; nobody does where it is announced."""
    takes_freely: bool = field(init=False, compare=False, repr=False)
    """Whether a pile that is not frozen may be taken in every way, canastas included."""
    plain: bool = field(init=False, compare=False, repr=False)
    """Whether a meld takes `max_wilds` wild cards whatever else lies in it, and nothing but the canastas restricts
    going out and the initial meld: then short cuts answer what otherwise is tried out (`bot.engine.layouts`)."""
    needs_word: bool = field(init=False, compare=False, repr=False)
    """Whether nobody may go out without a word before: an announcement, or the partner's yes."""
    card_values: tuple[int, ...] = field(init=False, compare=False, repr=False)
    """Points of one card of each kind; a red three has none (`rules/classic.md 1.1`)."""

    def __post_init__(self) -> None:
        sides = sides_of(self.teams, self.players)
        asks = self.ask_partner != "none" and sides < self.players and not self.out_announce
        needs_word = self.out_announce or (asks and self.ask_partner == "mandatory")
        follows: dict[str, object] = {
            "sides": sides,
            "asks": asks,
            "needs_word": needs_word,
            "plain": not needs_word and self._shapes_are_plain() and self._opening_is_plain(),
            "takes_freely": self.take_open >= {"pair", "card+wild", "add"} and self.take_add_canasta,
            "card_values": _card_values(self.ace_value),
        }
        for name, value in follows.items():
            object.__setattr__(self, name, value)

    def _shapes_are_plain(self) -> bool:
        return self.wild_ratio == "none" and self.wild_on_canasta == "to_max" and self.meld_max is None

    def _opening_is_plain(self) -> bool:
        return (
            self.out_discard == "optional"
            and "first_canasta_top" not in self.open_waiver
            and self.open_count_top
            and not self.draw_with_pile
        )

    def side_of(self, seat: int) -> int:
        """The side whose score a seat shares; who plays for it in a deal its seating says (`bot.engine.seating`)."""
        return seat % self.sides

    def seats_of(self, side: int) -> tuple[int, ...]:
        """The seats that share a side's score, also those that rest in a deal."""
        return tuple(range(side, self.players, self.sides))

    @property
    def pack_size(self) -> int:
        """How many cards the whole pack has."""
        return self.decks * (52 + self.jokers_per_deck)

    def initial_meld_minimum(self, score: int) -> int:
        """Points a side's first meld of a deal needs, by its score before the deal (`rules/classic.md 1.11`)."""
        minimum = 0
        for start, points in self.open_table:
            if start is None or score >= start:
                minimum = points
        return minimum


def _card_values(ace_value: int) -> tuple[int, ...]:
    values = [0] * (RED_THREE + 1)
    for kind in range(FOUR, SEVEN + 1):
        values[kind] = 5
    for kind in range(EIGHT, KING + 1):
        values[kind] = 10
    values[ACE] = ace_value
    values[BLACK_THREE] = 5
    values[TWO] = 20
    values[JOKER] = 50
    return tuple(values)


def card_class(kind: Kind) -> CardClass | None:
    """The class of a kind in the parameters' words, or None for four to ace."""
    if kind <= ACE:
        return None
    if kind == BLACK_THREE:
        return "B3"
    return "W" if kind in (TWO, JOKER) else "R3"
