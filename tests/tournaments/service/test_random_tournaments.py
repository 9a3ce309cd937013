"""Random acts of people, directors, the clock and tables: nothing fails, no tournament gets stuck.

The final standings are computed a second time from the export (`tests.support.tournament_figures`).
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

import pytest

from bot.clocks.clock import HOUR
from bot.engine.rules.sets import rule_set
from bot.tournaments.event.alarms import alarms
from bot.tournaments.event.match_state import MatchStage
from bot.tournaments.event.plan import BoardScoring, Plan, Seeding
from bot.tournaments.event.refusals import TournamentRefusal
from bot.tournaments.event.tournament import Stage, Tournament
from bot.tournaments.export.document import tournament_document
from bot.tournaments.format_traits import TRAITS, FormatKind
from bot.tournaments.formats.by_kind import check_plan
from cogs.shared.reading.input_problems import InputProblem
from cogs.shared.reading.vocabulary import vocabulary_of
from cogs.tournament.wizard.plan_edits import EDITS, TIMED, fill_in_plan
from tests.support.random_tournaments import RandomTournament
from tests.support.seeds import SEARCHING, seeds
from tests.support.tournament_figures import find_differences

WALKS: Final = 50 if SEARCHING else 20
"""Number of tournaments in each part of the test; a search multiplies it."""

OVER: Final = (Stage.CLOSED, Stage.CANCELLED)

KINDS: Final = tuple(FormatKind)

OF_ONE_FORMAT: Final = {one for traits in TRAITS.values() for one in traits.options}

CHOICES: Final[Mapping[str, Sequence[str]]] = {
    "rounds": ("", "1", "2", "3", "5"),
    "cycles": ("",),
    "third": ("",),
    "second": ("",),
    "boards": ("2", "3", "4", "6"),
    "each": ("1", "2"),
    "minimums": ("50", "50 90", ""),
    "scoring": tuple(BoardScoring),
    "winners": ("",),
    "deals": ("1", "3", "target"),
    "live": ("",),
    "drawn": ("",),
    "seeding": tuple(Seeding),
    "computers": ("",),
    "rated": ("",),
    "late": ("",),
    "places": ("8", "16"),
    "between": ("0", "5 min", "2 h"),
    "length": ("20 min", "1 h"),
    "regulars": ("0", "1", "2"),
}
"""The wizard's fields, each with what an organiser may choose or type there."""


def random_plan(simulation: RandomTournament, seed: int) -> Plan:
    """Return a plan as the wizard would publish it, with random fields; formats take turns by seed."""
    random, known = simulation.chance, vocabulary_of()
    while True:
        players = random.choice((4, 4, 4, 2, 6))
        start = simulation.clock.now() + 30 * HOUR
        plan = fill_in_plan(
            Plan(name="Walk", rules=rule_set("classic", players), drawn=True, rated=False, starts_at=start)
        )
        plan = EDITS["kind"](plan, KINDS[seed % len(KINDS)])
        plan = EDITS["places"](plan, "16")
        offered = [one for one in CHOICES if one not in OF_ONE_FORMAT or one in plan.traits.options]
        for name in random.sample(offered, random.randint(0, 8)):
            value = random.choice(CHOICES[name])
            with suppress(InputProblem):
                plan = TIMED[name](plan, value, known) if name in TIMED else EDITS[name](plan, value)
        if not check_plan(plan, simulation.clock.now()).unfit:
            return plan


def check_tournament(tournament: Tournament) -> None:
    """Check conditions that hold after every step of a tournament."""
    open_ = [one for one in tournament.matches if one.result is None and not one.voided and one.called_at is not None]
    seated = Counter(person for one in open_ for person in one.seats)
    assert not [person for person, count in seated.items() if count > 1], "somebody sits at two tables"
    entered = Counter(person for one in tournament.entrants if not one.has_left for person in one.members)
    assert not [person for person, count in entered.items() if count > 1], "somebody has two entries"
    assert all(len(one.regulars) + len(one.asked) <= tournament.plan.most_regulars for one in tournament.entrants)
    assert all(
        len(one.players) == len(one.people) and set(one.players) <= set(one.members) for one in tournament.entrants
    )
    for match in tournament.matches:
        for side in match.sides:
            assert all(len(tournament.entrant(one).people) == tournament.plan.persons_in_entry for one in side)
    if tournament.stage not in OVER and not tournament.is_paused:
        wanted = any(one.stage is MatchStage.CALLED for one in open_)
        empty = tournament.ladder is not None and not tournament.ladder.rungs
        assert alarms(tournament) or wanted or empty, "nothing would ever happen again"


async def take_random_step(simulation: RandomTournament, tournament: Tournament) -> None:
    called, playing = (
        simulation.random_match(tournament, MatchStage.CALLED),
        simulation.random_match(tournament, MatchStage.PLAYING),
    )
    what = simulation.chance.random()
    if called is not None and what < 0.3:
        await simulation.open_table(called)
    elif playing is not None and what < 0.36:
        await simulation.end_match(playing)
    elif playing is not None and what < 0.4:
        await simulation.pass_turn(playing)
    elif what < 0.5:
        await simulation.pass_time(outage=simulation.chance.random() < 0.2)
        assert not [one for one in alarms(await simulation.tournament()) if one.at <= simulation.clock.now()], (
            "an alarm is overdue"
        )
    else:
        try:
            await simulation.random_request(tournament)()
        except TournamentRefusal:
            assert tournament == await simulation.tournament(), "what is refused changes nothing"


async def play_random_tournament(seed: int, steps: int) -> None:
    simulation = RandomTournament(seed)
    plan = random_plan(simulation, seed)
    await simulation.publish(plan)
    each, entries = (
        plan.persons_entering_together,
        4 if plan.traits.partners_change else simulation.chance.randint(4, 5),
    )
    simulation.people = tuple(range(1, entries * max(plan.persons_in_entry, 1) + 1))
    for first in range(0, len(simulation.people), each):
        if first + each <= len(simulation.people):
            await simulation.enter(simulation.people[first : first + each])
    await simulation.pass_time()
    while plan.traits.has_rounds and (await simulation.tournament()).stage is Stage.OPEN:
        await simulation.pass_time()
    if (await simulation.tournament()).stage is Stage.CHECK_IN:
        for person in simulation.people:
            if simulation.chance.random() < 0.95:
                await simulation.entering.check_in(simulation.caller(person), 1)
    for _ in range(steps):
        view = await simulation.tournament()
        if view.stage in OVER:
            break
        await take_random_step(simulation, view)
        check_tournament(await simulation.tournament())
        assert await simulation.tournament() == await simulation.stored_tournament(), "what is stored is what is known"
    view = await simulation.tournament()
    if view.stage is not Stage.DRAFT:
        shown = json.loads(json.dumps(tournament_document(await simulation.exports.export_input_of(view))))
        assert [] == find_differences(shown)


@pytest.fixture
def draw_in_this_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Patch drawing to run in this thread, because a thread for each small draw would be slow."""

    async def run_here(work: Callable[..., Any], *given: Any) -> Any:
        return work(*given)

    monkeypatch.setattr(asyncio, "to_thread", run_here)


@pytest.mark.parametrize("part", range(10))
@pytest.mark.usefixtures("draw_in_this_thread")
async def test_a_random_tournament_never_fails_and_never_gets_stuck(part: int) -> None:
    for seed in seeds(WALKS, first=WALKS * part):
        try:
            await play_random_tournament(seed, steps=16)
        except (Exception, AssertionError) as error:
            raise AssertionError(f"seed {seed}") from error
