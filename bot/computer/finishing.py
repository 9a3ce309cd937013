"""Going out with more than sets of one rank: whether the hand can be laid down, and which step keeps it so."""

from __future__ import annotations

from bot.computer.situation import Situation
from bot.engine.actions import LayRun, Meld, Step
from bot.engine.cards import JOKER, TWO, Card
from bot.engine.melds import TableMeld
from bot.engine.places import DEUCE_MELD, RUN, family_of, is_run
from bot.engine.spread import spread_of
from bot.engine.variants.finishing import can_finish
from bot.engine.variants.standing import Standing

FAR = 14
"""Cards in hand from which on nobody thinks of going out, unless nothing lies there yet."""


class Finish:
    """The side's melds and the hand, asked how the deal could be ended in this turn.

    What a theme bans from being laid is known for the whole deal only; the steps to choose from leave out the rest.
    """

    def __init__(self, situation: Situation, dead: frozenset[int]) -> None:
        rules = situation.rules
        melds = [TableMeld(meld.place, meld.naturals, meld.wilds, meld.cards) for meld in situation.mine.melds]
        self._hand = situation.view.hand
        opening = rules.opening_matters and not situation.opened
        closed = dead | situation.aims.useless
        self._standing = Standing(rules, spread_of(rules, melds), closed, opening, situation.aims.limits)
        table = situation.view.table
        self._gate = situation.aims.stays or not (table.ready and table.laying) or _feet_wait(situation)

    @property
    def possible(self) -> bool:
        """Whether every card can be laid down, but for one to be discarded."""
        return not self._gate and len(self._hand) <= FAR and can_finish(self._standing, self._hand)

    def step(self, legal: tuple[Step, ...]) -> Meld | LayRun | None:
        """The largest laying after which the rest can still be laid down; None when only a discard is left."""
        laying = [step for step in legal if isinstance(step, Meld | LayRun)]
        for step in sorted(laying, key=_last_wild_cards):
            cards = self._cards(step)
            lying = self._standing.melds.get(step.place)
            together = tuple(sorted(cards if lying is None else (*lying.cards, *cards)))
            if can_finish(self._standing.with_meld(_meld_of(step.place, together)), self._without(cards)):
                return step
        return None

    def _cards(self, step: Meld | LayRun) -> tuple[Card, ...]:
        if isinstance(step, LayRun):
            suit = step.place - RUN & 3
            return tuple(kind << 2 | suit for kind in range(step.low, step.high + 1))
        wanted = ((step.kind, step.naturals), (TWO, step.twos), (JOKER, step.jokers))
        return tuple(
            card for kind, count in wanted for card in [held for held in self._hand if held >> 2 == kind][:count]
        )

    def _without(self, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        left = list(self._hand)
        for card in cards:
            left.remove(card)
        return tuple(left)


def _feet_wait(situation: Situation) -> bool:
    """Whether a foot that lies face down, or too few red threes, keep the seat from going out."""
    seats = situation.view.table.seats
    if situation.view.foot:
        return True
    if situation.rules.out_red_threes * situation.rules.out_canastas > len(situation.mine.red_threes):
        return True
    return situation.rules.foot_partner_gate == "in_foot" and any(seats[seat].foot for seat in situation.mine.seats)


def _last_wild_cards(step: Meld | LayRun) -> tuple[bool, int]:
    return isinstance(step, Meld) and bool(step.twos + step.jokers), -step.size


def _meld_of(place: int, cards: tuple[Card, ...]) -> TableMeld:
    wild_kinds = () if is_run(place) else (JOKER,) if family_of(place) == DEUCE_MELD else (TWO, JOKER)
    wilds = sum(1 for card in cards if card >> 2 in wild_kinds)
    return TableMeld(place, len(cards) - wilds, wilds, cards)
