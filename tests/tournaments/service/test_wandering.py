"""Random walks: whatever people, directors, the clock and tables do, nothing fails and no tournament stands still.

The standings at the end follow from the export by a second computation (`tests.support.tournament_figures`).
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import pytest

from bot.clocks.clock import HOUR
from bot.engine.rules.sets import rule_set
from bot.tournaments.event.alarms import alarms
from bot.tournaments.event.match_state import MatchStage
from bot.tournaments.event.plan import SLOW, BoardScoring, Duplicate, Plan
from bot.tournaments.event.refusals import TournamentRefusal
from bot.tournaments.event.tournament import Stage, Tournament
from bot.tournaments.export.document import document
from bot.tournaments.formats.by_kind import FORMATS
from bot.tournaments.traits import FormatKind
from tests.support.seeds import seeds
from tests.support.tournament_figures import differences
from tests.support.tournament_walks import Walk

WALKS: Final = 30
"""Walks of a part, twice those of every format in every run."""

OVER: Final = (Stage.CLOSED, Stage.CANCELLED)

PLANS: Final[tuple[dict[str, Any], ...]] = (
    {"kind": FormatKind.SWISS},
    {"kind": FormatKind.SWISS, "drawn": True},
    {"kind": FormatKind.SWISS, "players": 2, "late_entry": False},
    {"kind": FormatKind.SWISS, "players": 6},
    {"kind": FormatKind.ROUND_ROBIN},
    {"kind": FormatKind.ROUND_ROBIN, "cycles": 2, "drawn": True},
    {"kind": FormatKind.SINGLE, "third_place": True},
    {"kind": FormatKind.SINGLE, "second_chance": True},
    {"kind": FormatKind.DOUBLE, "drawn": True},
    {"kind": FormatKind.LADDER},
    {"kind": FormatKind.LADDER, "drawn": True},
    {"kind": FormatKind.INDIVIDUAL},
    {"kind": FormatKind.DUPLICATE},
    {"kind": FormatKind.DUPLICATE, "scoring": BoardScoring.CROSS_IMP},
    {"kind": FormatKind.DUPLICATE, "scoring": BoardScoring.VICTORY_POINTS},
)
"""What can be chosen in the wizard, each live and slow, with computer players and without."""


def chosen_plan(walk: Walk, seed: int) -> Plan:
    """Return a plan as the wizard makes it; every format in turn."""
    chosen = dict(PLANS[seed % len(PLANS)])
    rules = rule_set("classic", chosen.pop("players", 4))
    scoring = chosen.pop("scoring", BoardScoring.MATCHPOINTS)
    if chosen["kind"] is FormatKind.DUPLICATE:
        chosen["duplicate"] = Duplicate(boards=3, in_a_round=1, scoring=scoring, two_winners=walk.chance.random() < 0.4)
    if walk.chance.random() < 0.3:
        chosen = {**SLOW, **chosen}
    plan = Plan(name="Walk", rules=rules, rounds=walk.chance.choice((1, 2, 3)), places=16, rated=False, **chosen)
    plan = replace(plan, computers=walk.chance.random() < 0.2, starts_at=walk.clock.now() + 30 * HOUR)
    return FORMATS[plan.kind].fitted(plan)


def right(look: Tournament) -> None:
    """Assert what holds of a tournament after every step."""
    open_ = [one for one in look.matches if one.result is None and not one.voided and one.called_at is not None]
    seated = Counter(person for one in open_ for person in one.seats)
    assert not [person for person, count in seated.items() if count > 1], "somebody sits at two tables"
    entered = Counter(person for one in look.entrants if not one.gone for person in one.people)
    assert not [person for person, count in entered.items() if count > 1], "somebody has two entries"
    for match in look.matches:
        for side in match.sides:
            assert all(len(look.entrant(one).people) == look.plan.persons_in_entry for one in side)
    if look.stage not in OVER and not look.paused:
        wanted = any(one.stage is MatchStage.CALLED for one in open_)
        empty = look.ladder is not None and not look.ladder.rungs
        assert alarms(look) or wanted or empty, "nothing would ever happen again"


async def step(walk: Walk, look: Tournament) -> None:
    called, playing = walk.match(look, MatchStage.CALLED), walk.match(look, MatchStage.PLAYING)
    what = walk.chance.random()
    if called is not None and what < 0.3:
        await walk.open_table(called)
    elif playing is not None and what < 0.36:
        await walk.end(playing)
    elif playing is not None and what < 0.4:
        await walk.turn(playing)
    elif what < 0.5:
        await walk.pass_time(outage=walk.chance.random() < 0.2)
        assert not [one for one in alarms(await walk.look()) if one.at <= walk.clock.now()], "an alarm is overdue"
    else:
        try:
            await walk.anything(look)()
        except TournamentRefusal:
            assert look == await walk.look(), "what is refused changes nothing"


async def walked(seed: int, steps: int) -> None:
    walk = Walk(seed)
    plan = chosen_plan(walk, seed)
    await walk.publish(plan)
    each, entries = plan.persons_each, 4 if plan.traits.partners_change else walk.chance.randint(4, 5)
    walk.people = tuple(range(1, entries * max(plan.persons_in_entry, 1) + 1))
    for first in range(0, len(walk.people), each):
        if first + each <= len(walk.people):
            await walk.enters(walk.people[first : first + each])
    await walk.pass_time()
    while plan.traits.has_rounds and (await walk.look()).stage is Stage.OPEN:
        await walk.pass_time()
    if (await walk.look()).stage is Stage.CHECK_IN:
        for person in walk.people:
            if walk.chance.random() < 0.95:
                await walk.entering.here(walk.caller(person), 1)
    for _ in range(steps):
        look = await walk.look()
        if look.stage in OVER:
            break
        await step(walk, look)
        right(await walk.look())
        assert await walk.look() == await walk.read_back(), "what is stored is what is known"
    look = await walk.look()
    if look.stage is not Stage.DRAFT:
        shown = json.loads(json.dumps(document(await walk.exports.material_of(look))))
        assert [] == differences(shown)


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw in this thread: there are many small draws."""

    async def run(work: Callable[..., Any], *given: Any) -> Any:
        return work(*given)

    monkeypatch.setattr(asyncio, "to_thread", run)


@pytest.mark.parametrize("part", range(10))
@pytest.mark.usefixtures("at_once")
async def test_whatever_happens_nothing_fails_and_no_tournament_stands_still(part: int) -> None:
    for seed in seeds(WALKS, first=WALKS * part):
        try:
            await walked(seed, steps=16)
        except (Exception, AssertionError) as error:
            raise AssertionError(f"seed {seed}") from error
