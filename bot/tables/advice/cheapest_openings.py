"""Openings: the cheapest melds that reach the minimum, together with the staged melds.

The search combines legal steps, at most one at each place. It tries budgets of wild cards in the order of their cost;
within a budget the fewest cards win. The number of combinations is bounded, so the search may miss the cheapest opening
of a large hand. The rules check every result.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from itertools import islice
from typing import Final

from bot.engine.cards.cards import HELD_KINDS, JOKER, TWO, Card, Kind, counts_of
from bot.engine.cards.meld_places import Place, natural_kind
from bot.engine.law.initial_meld import are_melds_the_initial_meld
from bot.engine.melds.table_meld import meld_with_cards
from bot.engine.moves.actions import Lay, LayMelds, LayRun, Meld, Step
from bot.engine.moves.events import DealEnded, Event, Opened
from bot.engine.moves.refusals import Refusal
from bot.engine.play.decide import decide
from bot.engine.play.legal_steps import legal_actions
from bot.engine.reach.opening_goals import goals_of_turn
from bot.engine.table.applying_events import fold
from bot.engine.table.state import State
from bot.engine.table.state_queries import opening_minimum
from bot.tables.advice.staged_melds import CLAIM, LayingStep, StagedMelds, cards_by_step, lay_offer_of
from bot.tables.advice.turn_prospects import penalty_change_of_action
from bot.tables.state.offers import LayOffer, Opening

MOST_LOOKED_AT: Final = 3000
"""Maximum number of combinations that one search examines."""

BUDGETS: Final = 12
"""Maximum number of budgets of wild cards that one search tries."""

MOST_FOUND: Final = 3
"""Maximum number of combinations that a search keeps for one budget."""

MOST_TRIED: Final = 6
"""Maximum number of combinations that one search returns."""

LONGEST: Final = 12
"""Number of steps that the fallback plays if no combination was found."""

Steps = tuple[LayingStep, ...]


@dataclass(frozen=True, slots=True)
class _StepWithPoints:
    """A step, the points of its cards, and the number of cards of each kind it uses."""

    step: LayingStep
    points: int
    takes: tuple[tuple[Kind, int], ...]
    size: int

    @property
    def wild_counts(self) -> tuple[int, int]:
        """Return the number of twos and the number of jokers that the step uses."""
        return (0, 0) if isinstance(self.step, LayRun) else (self.step.twos, self.step.jokers)


def opening_steps(state: State, legal_steps: Sequence[Step]) -> Iterator[Steps]:
    """Yield combinations of steps with which the side opens, ordered by their cost.

    The last one lays large melds until the side has opened, whatever that costs. The rules may still refuse to lay a
    combination in one action.
    """
    by_place: dict[Place, list[_StepWithPoints]] = {}
    for step in legal_steps:
        if isinstance(step, Meld | LayRun):
            by_place.setdefault(step.place, []).append(_step_with_points(state, step))
    if not by_place:
        return
    yield from islice(_OpeningSearch(state, list(by_place.values())).openings(), MOST_TRIED)
    followed = _first_opening_found(state, legal_steps)
    if followed is not None:
        yield followed


def missing_points(state: State) -> int:
    """Return the points that the unopened side must still lay in this turn."""
    return max(0, goals_of_turn(state)[0].points - state.laid_points)


def _step_with_points(state: State, step: LayingStep) -> _StepWithPoints:
    """Return the step with its points and the cards it uses."""
    if isinstance(step, LayRun):
        takes = tuple([(kind, 1) for kind in range(step.low, step.high + 1)])
        return _StepWithPoints(step, sum([state.rules.card_values[kind] for kind, _ in takes]), takes, step.size)
    wanted = ((natural_kind(step.place), step.naturals), (TWO, step.twos), (JOKER, step.jokers))
    takes = tuple([(kind, count) for kind, count in wanted if kind is not None and count])
    return _StepWithPoints(
        step, sum([state.rules.card_values[kind] * count for kind, count in takes]), takes, step.size
    )


class _OpeningSearch:
    """A search for combinations of steps at different places."""

    def __init__(self, state: State, groups: list[list[_StepWithPoints]]) -> None:
        self._state = state
        self._missing = missing_points(state)
        self._held = counts_of(state.hands[state.turn])
        self._groups = groups
        self._left = [0] * HELD_KINDS
        self._chosen: list[_StepWithPoints] = []
        self._found: list[tuple[int, int, Steps]] = []
        self._looked_at = 0
        self._within: list[list[_StepWithPoints]] = []
        self._most: list[int] = []

    def openings(self) -> Iterator[Steps]:
        """Yield the combinations that open the side, for the cheapest number of wild cards first."""
        for twos, jokers in self._wild_card_budgets():
            yield from self._step_combinations_with(twos, jokers)

    def _wild_card_budgets(self) -> list[tuple[int, int]]:
        """Return the possible numbers of twos and jokers, the cheapest first in points, then in cards."""
        values = self._state.rules.card_values
        every = [(two, joker) for joker in range(self._held[JOKER] + 1) for two in range(self._held[TWO] + 1)]
        return nsmallest(BUDGETS, every, key=lambda wild: (wild[0] * values[TWO] + wild[1] * values[JOKER], sum(wild)))

    def _step_combinations_with(self, twos: int, jokers: int) -> list[Steps]:
        """Return the smallest combinations with exactly these wild cards that open the side."""
        groups = [
            [way for way in group if way.wild_counts[0] <= twos and way.wild_counts[1] <= jokers]
            for group in self._groups
        ]
        groups = [sorted(group, key=lambda way: (way.size, -way.points)) for group in groups if group]
        groups.sort(key=lambda group: -max(way.points for way in group))
        most = [0]
        for group in reversed(groups):
            most.append(most[-1] + max(way.points for way in group))
        self._within, self._most = groups, most[::-1]
        self._left = list(self._held)
        self._left[TWO], self._left[JOKER] = twos, jokers
        self._chosen, self._found = [], []
        self._search_from(0, 0, 0)
        return [steps for _, _, steps in self._found]

    def _search_from(self, place_index: int, points: int, size: int) -> None:
        """Search the places from index `place_index` on, given the points and cards chosen so far."""
        self._looked_at += 1
        if self._looked_at > MOST_LOOKED_AT or points + self._most[place_index] < self._missing:
            return
        if len(self._found) == MOST_FOUND and size >= self._found[-1][0]:
            return
        if (
            self._chosen
            and points >= self._missing
            and not (self._left[TWO] or self._left[JOKER])
            and self._is_opening()
        ):
            steps = tuple([way.step for way in self._chosen])
            self._found = sorted([*self._found, (size, -points, steps)], key=lambda one: one[:2])[:MOST_FOUND]
            return
        if place_index == len(self._within):
            return
        for way in self._within[place_index]:
            if all(self._left[kind] >= count for kind, count in way.takes):
                self._add_or_remove_step(way, 1)
                self._search_from(place_index + 1, points + way.points, size + way.size)
                self._add_or_remove_step(way, -1)
        self._search_from(place_index + 1, points, size)

    def _add_or_remove_step(self, step: _StepWithPoints, sign: int) -> None:
        """Add the step to the chosen ones (`sign` 1) or remove it again (-1), and update the cards left."""
        for kind, count in step.takes:
            self._left[kind] -= sign * count
        if sign > 0:
            self._chosen.append(step)
        else:
            self._chosen.pop()

    def _is_opening(self) -> bool:
        """Return whether the chosen steps reach the minimum and meet the other demands on an opening."""
        state = self._state
        melds = dict(state.spreads[state.side].by_place)
        points = state.laid_points
        for way in self._chosen:
            cards = [kind << 2 for kind, count in way.takes for _ in range(count)]
            if isinstance(way.step, LayRun):
                cards = [card | way.step.place & 3 for card in cards]
            melds[way.step.place] = meld_with_cards(way.step.place, melds.get(way.step.place), cards)
            points += way.points
        return are_melds_the_initial_meld(state, melds, points, state.claimed)


def _first_opening_found(state: State, legal_steps: Sequence[Step]) -> Steps | None:
    """Return melds that open the side one after another, the largest without wild cards first.

    None if the melds run out before.
    """
    seat, steps = state.turn, []
    for _ in range(LONGEST):
        laying = [step for step in legal_steps if isinstance(step, Meld | LayRun)]
        if not laying:
            return None
        step = min(laying, key=_large_naturals_first_key)
        steps.append(step)
        state = fold(state, decide(state, seat, step))
        if state.turn != seat or state.opened[state.seating.side_by_seat[seat]]:
            return tuple(steps)
        legal_steps = legal_actions(state)
    return None


def _large_naturals_first_key(step: LayingStep) -> tuple[int, int]:
    """Return the sort key: fewest wild cards, then most cards."""
    return (0 if isinstance(step, LayRun) else step.twos + step.jokers), -step.size


def find_opening(state: State, staged: StagedMelds, legal_steps: Sequence[Step]) -> Opening | None:
    """Return the opening of the unopened side in turn; None if none was found.

    `staged` are the staged melds, `legal_steps` the steps from there.
    """
    if staged.lays and (enough := _try_opening(state, staged.lays, ())) is not None:
        return enough
    dearer: Opening | None = None
    for steps in opening_steps(staged.state, legal_steps):
        _, melds, added = add_steps_to_melds(state, staged, steps)
        found = _try_opening(state, melds, added)
        if found is not None and found.price >= 0:
            return found
        # Melds that may cost points at the end are offered only where nothing else opens.
        dearer = dearer or found
    return dearer


def add_steps_to_melds(
    state: State, staged: StagedMelds, steps: Steps
) -> tuple[tuple[Card, ...], tuple[Lay, ...], tuple[LayOffer, ...]]:
    """Return the staged melds with these steps added, as cards for the pile's top, melds and additions.

    The first are the cards that join the pile's top card, the second all other melds, staged ones included, the third
    the steps alone. A step at the place of a staged meld adds its cards to that meld.
    """
    lying = list(state.spreads[state.side].by_place)
    claim: tuple[Card, ...] = ()
    melds = list(staged.lays)
    numbers = dict(staged.places)
    added = []
    for step, cards in cards_by_step(staged.state, steps):
        added.append(lay_offer_of(staged.state, step, cards))
        number = numbers.get(step.place)
        if number == CLAIM:
            claim += cards
        elif number is not None:
            melds[number] = Lay((*melds[number].cards, *cards), melds[number].onto)
        else:
            numbers[step.place] = len(melds)
            melds.append(Lay(cards, lying.index(step.place) if step.place in lying else None))
    return claim, tuple(melds), tuple(added)


def _try_opening(state: State, melds: tuple[Lay, ...], added: tuple[LayOffer, ...]) -> Opening | None:
    """Return the opening with these melds; None if the rules refuse it or the deal would end."""
    try:
        events = decide(state, state.turn, LayMelds(melds))
    except Refusal:
        return None
    points = opening_points(events)
    if points is None:
        return None
    return Opening(
        melds, added, points, opening_minimum(state, state.side), penalty_change_of_action(state, LayMelds(melds))
    )


def opening_points(events: Sequence[Event]) -> int | None:
    """Return the points of the opening among these events; None if no side opened, or the side went out."""
    if any(isinstance(event, DealEnded) for event in events):
        return None
    return next((event.points for event in events if isinstance(event, Opened)), None)
