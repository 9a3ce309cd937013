"""Staged melds: the hand cards that steps use, and the position as if staged melds were laid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from bot.engine.cards.cards import Card
from bot.engine.cards.meld_places import Place, natural_kind
from bot.engine.melds.table_meld import card_points_of, cards_wanted_by, pick_cards, without_cards
from bot.engine.moves.actions import Lay, LayRun, Meld
from bot.engine.moves.refusals import Code, Refusal
from bot.engine.play.step_events import events_of_laying_run, events_of_meld
from bot.engine.play.steps_from_cards import named_places, steps_to_lay
from bot.engine.table.applying_events import fold
from bot.engine.table.charged_penalties import penalty_cards, remove_if_held
from bot.engine.table.state import State
from bot.tables.state.offers import LayOffer

LayingStep = Meld | LayRun


def cards_by_step(state: State, steps: Iterable[LayingStep]) -> list[tuple[LayingStep, tuple[Card, ...]]]:
    """Return each step with the hand cards that it uses; runs come first, since they need one suit."""
    left = state.hands[state.turn]
    shown = penalty_cards(state, state.turn)
    found = []
    for step in sorted(steps, key=lambda one: isinstance(one, Meld)):
        wanted = () if isinstance(step, LayRun) else cards_wanted_by(step, natural_kind(step.place))
        cards = step.cards if isinstance(step, LayRun) else pick_cards(left, wanted, shown)
        left, shown = without_cards(left, cards), remove_if_held(shown, cards)
        found.append((step, cards))
    return found


def lay_offer_of(state: State, step: LayingStep, cards: tuple[Card, ...]) -> LayOffer:
    """Return the step as an offer, given the side's melds."""
    lying = state.spreads[state.side].by_place.get(step.place)
    before = 0 if lying is None else lying.size
    size = before + len(cards)
    canasta = before < state.rules.canasta_size <= size
    return LayOffer(step, cards, step.place, lying is None, size, card_points_of(state.rules, cards), canasta)


@dataclass(frozen=True, slots=True)
class StagedMelds:
    """Staged melds: the `lays`, the state as if they were laid, and their places by number.

    The place with number `CLAIM` is where the pile's top card lies with the cards that claimed it.
    """

    state: State = field(repr=False)
    lays: tuple[Lay, ...] = field(default=(), repr=False)
    places: Mapping[Place, int] = field(default_factory=dict, repr=False)


CLAIM: Final = -1


def stage_melds(state: State, lays: Sequence[Lay]) -> StagedMelds:
    """Return the staged melds after laying them in this order.

    Raises the rules' refusal if one of them is illegal.
    """
    held = Counter(state.hands[state.turn])
    held.subtract(card for lay in lays for card in lay.cards)
    if any(count < 0 for count in held.values()):
        raise Refusal(Code.NO_CARDS)
    numbers: dict[Place, int] = {}
    now = state
    for number, (lay, place) in enumerate(zip(lays, named_places(state, lays), strict=True)):
        for step, cards in steps_to_lay(now, lay.cards, place):
            events = events_of_meld(now, step, cards) if isinstance(step, Meld) else events_of_laying_run(now, step)
            now = fold(now, events)
            numbers.setdefault(step.place, number)
    return StagedMelds(now, tuple(lays), numbers)
