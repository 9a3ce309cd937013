"""A computer player's summary of its view: counts of cards, and possible next moves of other players."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

from bot.computer.heuristics.theme_aims import aims_of
from bot.computer.memory_of_a_deal import BLANK, Memory
from bot.engine.cards.cards import BLACK_THREE, HELD_KINDS, JOKER, RED_THREE, SEVEN, TWO, Card, counts_of
from bot.engine.rules.rule_set import RuleSet, number_in_deal
from bot.engine.table.views import MeldView, SeatView, SideView

CARD_POINTS = 10
"""Approximate average points of an unseen card."""

LATELY = 6
"""How many of a player's last discards tell what it does not keep."""


class MeldSize(NamedTuple):
    """A meld on the table: its number of cards, and of wild ones."""

    size: int
    wilds: int


class Situation:
    """A seat's view, summarised once for one choice.

    - `counts`: the hand by kind; `own`: the side's melds by rank.
    - `required`: the points of the side's initial meld; `missing`: those that it still lacks (0 once opened).
    - `canastas_missing`: the canastas needed before going out; `lacking`: those of each sort that the rules name.
    - `aims`: the effects of themes.
    - `unseen`: the cards, by kind, that are not in this hand, in a meld, or on top of the pile; nor, with a memory,
      elsewhere in the pile or known to be in another hand.
    - `known_next`: the cards, by kind, known to be in the next player's hand; `dropped_next`: its last discards.
    - `below`: the remembered cards that come with the whole pile.
    """

    def __init__(self, view: SeatView, memory: Memory = BLANK) -> None:
        table = view.table
        rules = table.rules
        mine = view.side
        following = table.seats[table.playing[(table.playing.index(view.seat) + 1) % rules.playing]]
        self.view = view
        self.rules = rules
        self.values = rules.card_values
        self.mine = mine
        self.others = tuple(side for side in table.sides if side is not mine)
        self.opened = mine.opened
        self.pile = table.pile
        self.counts = counts_of(view.hand)
        self.held = len(view.hand)
        self.wilds = self.counts[TWO] + self.counts[JOKER]
        self.own = {meld.kind: MeldSize(meld.size, meld.wilds) for meld in sorted(mine.melds, key=_nearness_key)}
        # A canasta required in the initial meld is estimated as seven cards.
        self.required = max(mine.minimum, 0 if mine.canasta == "none" else rules.canasta_size * CARD_POINTS)
        self.missing = 0 if mine.opened else max(0, self.required - view.laid_points)
        self.aims = aims_of(view)
        self.lacking = _missing_by_kind(rules, mine) if rules.out_need else {}
        self.canastas_missing = self._canastas_missing_of(mine)
        self.next_seat = following.seat
        self.next_side = table.sides[following.side]
        self.next_cards = following.cards
        self.frozen_for_next = table.is_frozen_for(following.seat)
        self.fewest_against = min(table.seats[seat].cards for side in self.others for seat in side.seats)
        self.partner_cards = sum(info.cards for info in table.seats if info.side == mine.side) - self.held
        remembered = _remembered_cards(view, memory)
        self.unseen = _unseen_counts(view, remembered)
        self.known_next = counts_of(memory.known_cards(following.seat))
        self.dropped_next = counts_of(memory.discards_of(following.seat)[-LATELY:])
        self.below = counts_of(memory.pile[:-1] if rules.pile_take is None else ())
        self.unseen_cards = table.stock + table.pile.cards + sum(info.cards for info in table.seats) - self.held
        self.unseen_cards = max(1, self.unseen_cards - len(remembered))

    def unseen_of(self, card: Card) -> int:
        """Return how many copies of a card are not in this hand, in a meld, or on top of the pile."""
        return self.rules.decks - self._seen_copies[card]

    @cached_property
    def _seen_copies(self) -> Counter[Card]:
        """The number of copies of each card that are in this hand, in melds, or on top of the pile."""
        table = self.view.table
        seen = Counter(self.view.hand)
        if table.pile.top is not None:
            seen[table.pile.top] += 1
        for side in table.sides:
            for meld in side.melds:
                seen.update(meld.cards)
        return seen

    @property
    def may_opponents_go_out(self) -> bool:
        """Whether an opposing side has the canastas for going out."""
        if self.aims.stays:
            return False
        themes, rules = self.aims, self.rules
        return any(
            side.canastas >= rules.out_canastas and not themes.canastas_missing(side.side) for side in self.others
        )

    def _canastas_missing_of(self, side: SideView) -> int:
        """Return how many canastas a side still needs before it may go out, by rules and themes."""
        return max(_canastas_missing_by_rules(self.rules, side), self.aims.canastas_missing(side.side))

    @property
    def fewest_canastas_missing(self) -> int:
        """The fewest canastas that any side still needs to go out."""
        return min(self.canastas_missing, *(self._canastas_missing_of(side) for side in self.others))

    @property
    def is_last_turn(self) -> bool:
        """Whether the stock may be used up before this seat's next turn."""
        return self.view.table.stock < number_in_deal(self.rules.draw, self.view.table.deal) * self.rules.playing

    def expected_total(self, side: SideView) -> int:
        """Return a side's total if the deal ended now, with average cards in all hands."""
        cards = sum(self.view.table.seats[seat].cards for seat in side.seats)
        return side.score + side.on_table - CARD_POINTS * cards


def would_lose_game(situation: Situation) -> bool:
    """Return whether going out now would probably win the game for an opponent."""
    rules = situation.rules
    theirs = max(situation.expected_total(side) for side in situation.others)
    if theirs < rules.target or (situation.may_opponents_go_out and situation.fewest_against <= 2):
        return False
    # cards that are melded in going out count for the side instead of against it
    laid = situation.view.hand_points + CARD_POINTS * situation.held
    return situation.expected_total(situation.mine) + laid + rules.out_bonus < theirs


def _nearness_key(meld: MeldView) -> tuple[bool, int]:
    """Return the sort key of a rank's melds; the one nearest to becoming a canasta comes last."""
    return meld.canasta is None, meld.size


def _canastas_missing_by_rules(rules: RuleSet, side: SideView) -> int:
    """Return how many canastas the side still needs before it may go out, by the rules alone."""
    lacking = _missing_by_kind(rules, side) if rules.out_need else {}
    return max(0, rules.out_canastas - _counting_canastas(rules, side), sum(lacking.values()))


def _counting_canastas(rules: RuleSet, side: SideView) -> int:
    """Return how many of the side's canastas count for going out."""
    if not rules.out_excludes:
        return side.canastas
    return sum(
        1 for meld in side.melds if meld.canasta and _WORDS.get(meld.canasta, meld.canasta) not in rules.out_excludes
    )


_WORDS = {"run": "seq"}
"""Names of canastas in the rules, by their names in views."""


def _missing_by_kind(rules: RuleSet, side: SideView) -> dict[str, int]:
    """Return how many canastas of each kind the side still needs, if the rules name kinds."""
    lacking: dict[str, int] = {}
    for kind, required in rules.out_need:
        if kind == "7":
            held = sum(1 for meld in side.melds if meld.canasta and meld.kind == SEVEN)
        else:
            held = sum(1 for meld in side.melds if meld.canasta and _WORDS.get(meld.canasta, meld.canasta) == kind)
        lacking[kind] = max(0, required - held)
    return lacking


def _remembered_cards(view: SeatView, memory: Memory) -> list[Card]:
    """Return the remembered cards below the pile's top, and in other hands."""
    below = memory.pile if view.table.pile.top is None else memory.pile[:-1]
    return [*below, *(card for seat, cards in enumerate(memory.known) if seat != view.seat for card in cards)]


def _unseen_counts(view: SeatView, remembered: Iterable[Card]) -> list[int]:
    """Return the number of unseen cards of each kind."""
    rules = view.table.rules
    unseen = [4 * rules.decks] * HELD_KINDS
    unseen[BLACK_THREE] = 2 * rules.decks
    unseen[JOKER] = rules.jokers_per_deck * rules.decks
    unseen[RED_THREE] = 2 * rules.decks - sum(len(side.red_threes) for side in view.table.sides)
    seen = [*view.hand, *remembered]
    for side in view.table.sides:
        for meld in side.melds:
            seen += meld.cards
    if view.table.pile.top is not None:
        seen.append(view.table.pile.top)
    for kind, count in enumerate(counts_of(tuple(seen))):
        unseen[kind] -= count
    return unseen
