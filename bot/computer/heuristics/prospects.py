"""Estimate what a side's melds may become: the value of canastas times their probability.

Used for rules with more than sets of one rank (see `bot.computer.heuristics.rule_of_thumb_player`). Estimates are in
points; cards whose copies have all been seen never come.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import exp
from typing import Final

from bot.computer.heuristics.habits import Habits
from bot.computer.heuristics.situation import Situation
from bot.engine.cards.cards import ACE, JOKER, LAST_ACE, NATURAL_KINDS, RANK_LETTERS, SEVEN, TWO, Card, Kind, Suit
from bot.engine.cards.meld_places import DEUCE_MELD, WILD_MELD, is_run
from bot.engine.rules.rule_set import RuleSet, number_in_deal
from bot.engine.table.views import MeldView

SHORT_RUN: Final = 5
"""Shorter runs cost points in rules that penalise them (`docs/law/variants.md 3.3`)."""

MANY: Final = 3
"""The number of aces or sevens in hand that cost points in some rules (`docs/law/variants.md 3.10`)."""

_SUITS: Final = range(4)


@lru_cache(maxsize=1 << 12)
def chance_of_at_least(cards: int, expected: float) -> float:
    """Return the probability of at least `cards` cards when `expected` are expected (Poisson)."""
    if cards <= 0:
        return 1.0
    term = fewer = exp(-expected)
    for count in range(1, cards):
        term *= expected / count
        fewer += term
    return max(0.0, 1.0 - fewer)


class Prospects:
    """The expected values of what a side's melds may become, for one choice of a seat.

    What all steps of the choice have in common is computed once.
    """

    def __init__(self, situation: Situation, habits: Habits) -> None:
        self._situation = situation
        self._habits = habits
        rules = situation.rules
        self._rules = rules
        view = situation.view
        unseen = max(1, sum(situation.unseen))
        lasts = min(1.0, habits.horizon + habits.horizon_more * situation.fewest_canastas_missing)
        lasts = 1.0 if situation.aims.to_the_end else lasts
        coming = view.table.stock / rules.playing * lasts
        waiting = [info.face_down_cards for info in view.table.seats if info.side == situation.mine.side]
        partners = len(situation.mine.seats) - 1
        self.own = min(1.0, (coming + view.table.seats[view.seat].face_down_cards) / unseen)
        """The approximate share of the unseen cards that will come to this hand before the deal ends."""
        self.side = min(1.0, (coming * (1 + partners) + situation.partner_cards + sum(waiting)) / unseen)
        """The share of unseen cards that will come to the seat's side, with what its other hands hold."""
        unfinished = sum(1 for meld in situation.mine.melds if meld.canasta is None and meld.kind <= ACE)
        wild_unseen = situation.unseen[TWO] + situation.unseen[JOKER]
        self._wild_hope = (situation.wilds + wild_unseen * self.side) / max(2, unfinished)
        self._incomplete: dict[str, int] = dict(rules.incomplete_penalty)
        self._unlucky: dict[str, int] = dict(rules.hand_penalty)
        self._turns = view.table.stock / (number_in_deal(rules.draw, view.table.deal) * rules.playing)
        """How many turns the seat still has before the stock runs out; it can discard one card in each."""
        self.dead = _closed_ranks(situation)
        self._by_suit: dict[tuple[Suit, int], float] = {}
        self._fruitless = self.dead | situation.aims.useless | situation.aims.barren
        if situation.aims.useless >= {TWO, JOKER}:
            self._wild_hope = 0.0

    # --- values of canastas ------------------------------------------------------------------------------------------

    def canasta_value(self, family: int, kind: str) -> float:
        """Return the value of a canasta of that family and sort: its points, and its use beyond them.

        It may help to go out, or fulfil a theme.
        """
        situation = self._situation
        rules = self._rules
        need = situation.lacking.get(kind, 0)
        if family == SEVEN:
            need += situation.lacking.get("7", 0)
        extra = 0.0
        if need:
            extra = self._habits.needed_canasta
        elif situation.canastas_missing > sum(situation.lacking.values()) and kind not in rules.out_excludes:
            extra = self._habits.further_canasta
        return _canasta_points(rules, family, kind) + extra + self._theme_value(family, kind)

    def _theme_value(self, family: int, kind: str) -> float:
        """Return the extra value of a canasta that a theme wants."""
        aims, habits = self._situation.aims, self._habits
        wanted = any(wish.includes(family, kind) for wish in (*aims.first, *aims.out))
        wins = any(wish.includes(family, kind) for wish in aims.winning)
        return habits.themed_canasta * wanted + habits.winning_canasta * wins

    # --- sets --------------------------------------------------------------------------------------------------------

    def value_of_rank(self, kind: Kind, naturals: int, wilds: int, held: int, *, lies: bool) -> float:
        """Return the expected value of a meld of a rank with these naturals and wild cards.

        `held` more cards of the rank are in hand; `lies` says whether the meld is on the table.
        """
        rules = self._rules
        if naturals + wilds >= rules.canasta_size:
            return self.canasta_value(kind, "mixed" if wilds else "natural")
        if kind in self._fruitless:
            return 0.0
        expected = self._situation.unseen[kind] * (self.side if lies else self.own)
        lack = rules.canasta_size - naturals - held
        pure = 0.0 if wilds else chance_of_at_least(lack, expected)
        mixed = pure
        if not self.is_closed_to_wilds(kind, lies=lies):
            room = min(rules.max_wilds - wilds, self._wild_hope)
            mixed = max(pure, chance_of_at_least(lack - wilds, expected + max(0.0, room)))
        worth = pure * self.canasta_value(kind, "natural") + (mixed - pure) * self.canasta_value(kind, "mixed")
        worth *= self._weight_of_held(held)
        return worth + self._unfinished_penalty(kind, wilds, held, max(pure, mixed if wilds else 0.0), lies=lies)

    def is_closed_to_wilds(self, kind: Kind, *, lies: bool) -> bool:
        """Return whether melds of that rank may not get wild cards, at all or any more."""
        rules = self._rules
        letter = RANK_LETTERS[kind]
        return letter in rules.no_wild_ranks or (letter in rules.open_wild_ranks and (lies or self._situation.opened))

    def _unfinished_penalty(self, kind: Kind, wilds: int, held: int, done: float, *, lies: bool) -> float:
        """Return the expected penalty, at most 0, of a meld that stays unfinished.

        For a meld not begun, it is that of too many cards of the rank in hand.
        """
        letter = RANK_LETTERS[kind]
        if lies and not wilds and letter in self._incomplete:
            return (1 - done) * self._incomplete[letter] * self._habits.unfinished
        if not lies and held >= MANY:
            points = self._unlucky.get({ACE: "3_aces", SEVEN: "3_sevens"}.get(kind, ""), 0)
            over = held - MANY + 1
            return self._habits.caught * points * (1 - done) * over / (over + self._turns)
        return 0.0

    def _weight_of_held(self, held: int) -> float:
        """Return a factor, at most 1, for prospects that rest on `held` cards of the hand.

        It falls with their number, because a partner does not know them.
        """
        return 1.0 - min(0.5, self._habits.held_back * held)

    def chance_to_finish(self, family: int, size: int, held: int) -> float:
        """Return the chance that a new meld becomes a canasta, if it costs points until then; else 1.

        `size` cards are laid, `held` more of its cards stay in the hand.
        """
        lacks = self._rules.canasta_size - size - held
        if family in (WILD_MELD, DEUCE_MELD):
            if "wild" not in self._incomplete:
                return 1.0
            left = self._situation.unseen[TWO] + self._situation.unseen[JOKER]
            return chance_of_at_least(lacks, left * self.side * self._habits.wilds_gathered)
        if family > ACE or RANK_LETTERS[family] not in self._incomplete:
            return 1.0
        return chance_of_at_least(lacks, max(0, self._situation.unseen[family]) * self.side)

    # --- wild cards alone --------------------------------------------------------------------------------------------

    def value_of_wild_meld(self, family: int, laid: int, held: int) -> float:
        """Return the expected value of a meld of wild cards with these numbers laid and held."""
        rules = self._rules
        if laid >= rules.canasta_size:
            return self.canasta_value(family, "wild")
        unseen = self._situation.unseen
        left = unseen[TWO] + unseen[JOKER]
        expected = left * (self.side if laid else self.own) * self._habits.wilds_gathered
        done = chance_of_at_least(rules.canasta_size - laid - held, expected)
        worth = done * self.canasta_value(family, "wild") * self._weight_of_held(held)
        if rules.bonus_wild_out_only:
            worth *= 0.5
        return worth + (1 - done) * self._incomplete.get("wild", 0) * self._habits.unfinished * bool(laid)

    # --- runs --------------------------------------------------------------------------------------------------------

    def value_of_run(self, suit: Suit, low: Kind, high: Kind, hand: frozenset[Card], *, lies: bool) -> float:
        """Return the expected value of a run between two ranks; `hand` are the cards held."""
        rules = self._rules
        size = rules.canasta_size
        if high - low + 1 >= size:
            return self.canasta_value(16, "seq")
        share = self.side if lies else self.own
        done = self._chance_of_length(suit, (low, high), size, hand, share)
        worth = done * self.canasta_value(16, "seq")
        if lies and "seq" in self._incomplete and high - low + 1 < SHORT_RUN:
            worth += (1 - self._chance_of_length(suit, (low, high), SHORT_RUN, hand, share)) * self._incomplete["seq"]
        return worth

    def _chance_of_length(
        self, suit: Suit, ends: tuple[Kind, Kind], size: int, hand: frozenset[Card], share: float
    ) -> float:
        """Return the chance that the run reaches that many cards, in the best direction."""
        low, high = ends
        windows = range(max(0, high - size + 1), min(low, ACE - size + 1) + 1)
        chances = {kind: self._chance_of_card(kind << 2 | suit, hand, share) for kind in NATURAL_KINDS}
        best = 0.0
        for first in windows:
            random = 1.0
            for kind in range(first, first + size):
                if not low <= kind <= high:
                    random *= chances[kind]
            best = max(best, random)
        return best

    def _chance_of_card(self, card: Card, hand: frozenset[Card], share: float) -> float:
        """Return the probability that the card is at hand: held, or still to come."""
        if card in hand:
            return 1.0 - self._habits.held_back
        left = self._situation.unseen_of(card)
        return 1 - (1 - share) ** left if left > 0 else 0.0

    def value_of_all_runs(self, hand: Sequence[Card]) -> float:
        """Return the expected value of runs on the table and in hand, over all suits."""
        if not self._rules.bonus_seq:
            return 0.0
        ranks = [0, 0, 0, 0]
        for card in hand:
            if card <= LAST_ACE:
                ranks[card & 3] |= 1 << (card >> 2)
        return sum([self._value_of_suit_ranks(suit, ranks[suit]) for suit in _SUITS])

    def _value_of_suit_ranks(self, suit: Suit, ranks: int) -> float:
        """Return the expected value of a suit's runs, with these ranks in hand, one bit each.

        Results are cached, because many hands have the same cards of a suit.
        """
        found = self._by_suit.get((suit, ranks))
        if found is None:
            cards = frozenset([kind << 2 | suit for kind in NATURAL_KINDS if ranks >> kind & 1])
            found = self._by_suit[suit, ranks] = self._value_of_suit(suit, cards)
        return found

    def value_of_single_run(self, suit: Suit, hand: Sequence[Card], lying: MeldView | None) -> float:
        """Return the expected value of the suit's run on the table, or of the best one in the hand."""
        cards = frozenset(hand)
        if lying is not None:
            return self.value_of_run(suit, *_run_ends(lying), cards, lies=True)
        kinds = [kind for kind in NATURAL_KINDS if kind << 2 | suit in cards]
        return max([self.value_of_run(suit, kind, kind, cards, lies=False) for kind in kinds], default=0.0)

    def _value_of_suit(self, suit: Suit, hand: frozenset[Card]) -> float:
        """Return the expected value of the suit's runs on the table and in hand."""
        lying = [meld for meld in self._situation.mine.melds if is_run(meld.place) and meld.cards[0] & 3 == suit]
        worth = 0.0
        for meld in lying:
            if meld.canasta is None:
                worth += self.value_of_run(suit, *_run_ends(meld), hand, lies=True)
        if any(meld.canasta is None for meld in lying):
            return worth
        return worth + self.value_of_single_run(suit, tuple(hand), None)


def _run_ends(meld: MeldView) -> tuple[Kind, Kind]:
    """Return the lowest and the highest rank of a run."""
    return meld.cards[0] >> 2, meld.cards[-1] >> 2


def _closed_ranks(situation: Situation) -> frozenset[Kind]:
    """Return the ranks that no player may meld any more."""
    if not situation.rules.dead_ranks:
        return frozenset()
    sides = (situation.mine, *situation.others)
    return frozenset(meld.kind for side in sides for meld in side.melds if meld.canasta and meld.kind <= ACE)


@lru_cache(maxsize=1 << 10)
def _canasta_points(rules: RuleSet, family: int, kind: str) -> int:
    """Return the points of a canasta; for one of wild cards, the lowest value in the rules."""
    if kind == "seq":
        return rules.bonus_seq
    if family in (WILD_MELD, DEUCE_MELD):
        return min([points for _, points in rules.bonus_wild], default=0)
    special: dict[str, int] = dict(rules.bonus_rank)
    letter = RANK_LETTERS[family] if family <= ACE else ""
    usual = rules.bonus_mixed if kind == "mixed" else rules.bonus_natural
    return special.get(f"{letter}_{kind}", special.get(letter, usual))
