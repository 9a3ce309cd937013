"""Going out in rules with more than sets: check whether it is possible, and find the next step."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from bot.computer.heuristics.situation import Situation, would_lose_game
from bot.engine.cards.cards import LAST_ACE, Card
from bot.engine.cards.meld_places import Place
from bot.engine.melds.side_melds import spread_of
from bot.engine.melds.table_meld import TableMeld, cards_wanted_by, pick_cards, without_cards
from bot.engine.moves.actions import ANNOUNCE, ASK, TAKE_ADD, TAKE_PAIR, LayRun, Meld, Step, Take
from bot.engine.reach.going_out_search import can_finish
from bot.engine.reach.turn_outlook import Standing
from bot.engine.rules.rule_set import RuleSet

FAR = 14
"""With more cards in hand than this, going out is not considered."""


class FinishCheck:
    """Checks whether the side's melds and the hand allow going out in this turn.

    Only theme bans for the whole deal are checked; legal steps already exclude the others.
    """

    def __init__(self, situation: Situation, dead: frozenset[int], *, to_foot: bool = False) -> None:
        rules = _rules_needing_no_canastas(situation.rules) if to_foot else situation.rules
        melds = [TableMeld(meld.place, meld.naturals, meld.wilds, meld.cards) for meld in situation.mine.melds]
        self._hand = situation.view.hand
        self._pile = situation.pile
        self._opened = situation.opened
        opening = rules.opening_matters and not situation.opened
        closed = dead | situation.aims.useless
        self._standing = Standing(rules, spread_of(rules, melds), closed, opening, situation.aims.limits)
        table = situation.view.table
        gate = (
            not situation.view.foot_size
            if to_foot
            else situation.aims.stays or not table.ready or _are_feet_waiting(situation)
        )
        self._gate = gate or not table.laying

    @property
    def is_possible(self) -> bool:
        """Whether every card can be laid, except one to discard."""
        return not self._gate and len(self._hand) <= FAR and can_finish(self._standing, self._hand, regrouping=False)

    def finishing_take(self, legal: tuple[Step, ...]) -> Take | None:
        """Return a way to take a pile of one card after which the whole hand can be laid, or None.

        It may be a way that is not legal yet because going out must be announced or asked first.
        """
        top = self._pile.top
        if self._gate or self._pile.cards != 1 or top is None or top > LAST_ACE or not self._opened:
            return None
        ways = [step for step in legal if isinstance(step, Take)]
        unlisted = (
            [TAKE_PAIR] if self._pile.frozen or "add" not in self._standing.rules.take_open else [TAKE_PAIR, TAKE_ADD]
        )
        for way in dict.fromkeys((*ways, *unlisted)):
            cards = pick_cards(self._hand, cards_wanted_by(way, top >> 2))
            if len(cards) < way.size:
                continue
            lying = [meld.place for meld in self._standing.melds_of_family(top >> 2)]
            places = lying[:1] if way.is_addition else self._standing.possible_places(top >> 2)
            place = way.onto if way.onto is not None else next(iter(places[-1:]), None)
            if place is not None and self._can_lay_down_with(place, (*cards, top), cards):
                return way
        return None

    def finishing_meld(self, legal: tuple[Step, ...]) -> Meld | LayRun | None:
        """Return the largest meld after which the rest of the hand can still be laid.

        None if only the last discard is left.
        """
        laying = [step for step in legal if isinstance(step, Meld | LayRun)]
        for step in sorted(laying, key=_wilds_last_key):
            cards = self._cards_used_by(step)
            if self._can_lay_down_with(step.place, cards, cards):
                return step
        return None

    def _cards_used_by(self, step: Meld | LayRun) -> tuple[Card, ...]:
        """Return the cards of the hand that the step uses."""
        if isinstance(step, LayRun):
            return step.cards
        return pick_cards(self._hand, cards_wanted_by(step, step.kind))

    def _can_lay_down_with(self, place: Place, laid: tuple[Card, ...], own: tuple[Card, ...]) -> bool:
        """Return whether the hand can be laid down once these cards are melded at that place.

        `own` are those of them that come from the hand.
        """
        return can_finish(self._standing.with_cards(place, laid), without_cards(self._hand, own), regrouping=False)


def going_out_step_with_pile(
    situation: Situation, legal: tuple[Step, ...], dead: frozenset[int] = frozenset()
) -> Step | None:
    """Return the next step of going out with a pile of one card, or None.

    It is the announcement or the question, if one is needed, else the take.
    """
    word = next((step for step in legal if step in (ASK, ANNOUNCE)), None)
    said = situation.view.table.permission
    if not situation.rules.needs_word or not (word or said) or would_lose_game(situation):
        return None
    take = FinishCheck(situation, dead).finishing_take(legal)
    if take is None:
        return None
    return word or (take if take in legal else None)


@cache
def _rules_needing_no_canastas(rules: RuleSet) -> RuleSet:
    """Return the rules as if going out needed no canastas, as emptying the hand for a foot needs none."""
    return replace(rules, out_canastas=0, out_need=(), out_excludes=frozenset(), out_discard="optional")


def _are_feet_waiting(situation: Situation) -> bool:
    """Return whether a face-down foot or too few red threes prevent going out."""
    seats = situation.view.table.seats
    if situation.view.foot_size:
        return True
    if situation.rules.red_threes_needed > len(situation.mine.red_threes):
        return True
    return situation.rules.foot_partner_gate == "in_foot" and any(seats[seat].foot for seat in situation.mine.seats)


def _wilds_last_key(step: Meld | LayRun) -> tuple[bool, int]:
    """Return the sort key: steps without wild cards first, then the largest."""
    return isinstance(step, Meld) and bool(step.twos + step.jokers), -step.size
