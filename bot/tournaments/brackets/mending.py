"""What a changed result voids: one side goes on, and never two (`docs/tournaments.md` 2; 8, 26).

The bracket itself heals by being derived anew; what is left to do is to void what was played, or is being played, by
an entry that should not have been there, in the step in which the result is changed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.tournaments.brackets.bracket import Bracket, Fixture, bracket
from bot.tournaments.brackets.results import Draw, Outcome, Results, Terms
from bot.tournaments.course import Played


@dataclass(frozen=True, slots=True, kw_only=True)
class Mending:
    """What is to be done after results have changed.

    `void` are the slots whose match, over or not, has not the entries that the slot has now, or not yet again: who has
    to play an earlier match anew plays the later ones anew. `results` are those that stand, `bracket` what follows from
    them and `ready` what can be played and is not being played.
    """

    void: tuple[str, ...]
    results: dict[str, Outcome]
    bracket: Bracket
    ready: tuple[Fixture, ...]


def mended(
    terms: Terms,
    seeds: Sequence[int],
    *,
    results: Results,
    playing: Mapping[str, tuple[int, int]] | None = None,
    draw: Draw | None = None,
) -> Mending:
    """What is wrong after a change; `results` are with the change, `playing` the matches that are not over.

    Nothing is void where nothing was changed, so that it can be asked after every result.
    """
    now = bracket(terms, seeds, results=results, draw=draw)
    fixtures = {fixture.slot: frozenset(fixture.sides) for fixture in now.ready}
    standing = {slot for slot, sides in (playing or {}).items() if fixtures.get(slot) == frozenset(sides)}
    kept = {look.slot.name: look.outcome for look in now.looks if look.outcome is not None}
    wrong = [slot for slot in results if slot not in kept]
    wrong += [slot for slot in playing or {} if slot not in standing and slot not in wrong]
    order = [look.slot.name for look in now.looks]
    return Mending(
        void=tuple(sorted(wrong, key=lambda slot: order.index(slot) if slot in order else len(order))),
        results=kept,
        bracket=now,
        ready=tuple(fixture for fixture in now.ready if fixture.slot not in standing),
    )


def forfeits(
    terms: Terms, seeds: Sequence[int], *, results: Results, gone: frozenset[int], draw: Draw | None = None
) -> dict[str, Outcome]:
    """What the entries that have left forfeit, match after match, until nothing that can be played has one of them.

    Two of them who would meet are both out.
    """
    given: dict[str, Outcome] = {}
    while True:
        now = bracket(terms, seeds, results={**results, **given}, draw=draw)
        fixtures = [fixture for fixture in now.ready if not gone.isdisjoint(fixture.sides)]
        if not fixtures:
            return given
        given |= {fixture.slot: _forfeit(fixture.sides, gone) for fixture in fixtures}


def _forfeit(sides: tuple[int, int], gone: frozenset[int]) -> Outcome:
    winner = next((entry for entry in sides if entry not in gone), None)
    kind = Played.DOUBLE_FORFEIT if winner is None else Played.FORFEIT
    return Outcome(sides=sides, winner=winner, kind=kind)
