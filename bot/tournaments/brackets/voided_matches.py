"""Find the matches that a changed result voids (`docs/tournaments.md` 2; 8, 26).

The bracket itself is derived again from the results; matches of entries that should not have been in them become void
in the same step.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.tournaments.brackets.bracket import Bracket, ReadyMatch, build_bracket
from bot.tournaments.brackets.results import BracketTerms, Draw, Results, SlotOutcome
from bot.tournaments.counted_results import ResultKind


@dataclass(frozen=True, slots=True, kw_only=True)
class BracketRepair:
    """The consequences of changed results for the rest of the bracket.

    `void` are slots whose match, played or in play, no longer counts: the slot has other entries now, or waits for an
    earlier match that is played again. `results` are those still valid, `bracket` follows from them, and `ready` are
    the matches to open now.
    """

    void: tuple[str, ...]
    results: dict[str, SlotOutcome]
    bracket: Bracket
    ready: tuple[ReadyMatch, ...]


def repair_bracket(
    terms: BracketTerms,
    seeds: Sequence[int],
    *,
    results: Results,
    playing: Mapping[str, tuple[int, int]] | None = None,
    draw: Draw | None = None,
) -> BracketRepair:
    """Return the consequences of changed results for a bracket's matches.

    `playing` are the matches that are not over, by slot. If no result was changed, no match is void, so this can be
    called after every result.
    """
    now = build_bracket(terms, seeds, results=results, draw=draw)
    fixtures = {fixture.slot: frozenset(fixture.sides) for fixture in now.ready_matches}
    standing = {slot for slot, sides in (playing or {}).items() if fixtures.get(slot) == frozenset(sides)}
    kept = {view.slot.name: view.outcome for view in now.slot_states if view.outcome is not None}
    wrong = [slot for slot in results if slot not in kept]
    wrong += [slot for slot in playing or {} if slot not in standing and slot not in wrong]
    order = [view.slot.name for view in now.slot_states]
    return BracketRepair(
        void=tuple(sorted(wrong, key=lambda slot: order.index(slot) if slot in order else len(order))),
        results=kept,
        bracket=now,
        ready=tuple(fixture for fixture in now.ready_matches if fixture.slot not in standing),
    )


def forfeits_of_departed(
    terms: BracketTerms, seeds: Sequence[int], *, results: Results, departed: frozenset[int], draw: Draw | None = None
) -> dict[str, SlotOutcome]:
    """Return forfeits for the matches of entries that have left, until no ready match has one of them.

    If both entries of a match have left, both are out.
    """
    given: dict[str, SlotOutcome] = {}
    while True:
        now = build_bracket(terms, seeds, results={**results, **given}, draw=draw)
        fixtures = [fixture for fixture in now.ready_matches if not departed.isdisjoint(fixture.sides)]
        if not fixtures:
            return given
        given |= {fixture.slot: _forfeit_outcome(fixture.sides, departed) for fixture in fixtures}


def _forfeit_outcome(sides: tuple[int, int], departed: frozenset[int]) -> SlotOutcome:
    """Return the outcome of a match that the entries in `departed` forfeit."""
    winner = next((entry for entry in sides if entry not in departed), None)
    kind = ResultKind.DOUBLE_FORFEIT if winner is None else ResultKind.FORFEIT
    return SlotOutcome(sides=sides, winner=winner, kind=kind)
