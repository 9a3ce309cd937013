"""Round robin: all entries meet each other, once or twice (`docs/tournaments.md` 3)."""

from __future__ import annotations

from dataclasses import replace

from bot.tournaments.counted_results import Entry, Scoring, UnpairedReason
from bot.tournaments.event.match_state import RoundDraw, UnpairedEntry
from bot.tournaments.event.plan import Plan
from bot.tournaments.event.tournament import Tournament
from bot.tournaments.formats.format import Format, departed_entries, new_fixture
from bot.tournaments.pairing.round_robin import round_robin_rounds
from bot.tournaments.seeded_draw import SeededDraw


class RoundRobinFormat(Format):
    """The round robin format: a fixed schedule of rounds.

    An entry that leaves forfeits its other matches, or all its matches are annulled.
    """

    def fill_in_plan(self, plan: Plan) -> Plan:
        """Return the plan with byes worth nothing."""
        fitted = super().fill_in_plan(plan)
        return replace(fitted, scoring=replace(fitted.scoring, bye=0))

    def default_rounds(self, plan: Plan, entries: int) -> int:
        """Return the number of rounds in which all entries meet each other, once or twice by the plan."""
        return (entries - 1 + entries % 2) * plan.cycles

    def draw_next_round(self, tournament: Tournament, draws: SeededDraw) -> RoundDraw | None:
        """Return the next scheduled round without annulled entries; None after the last."""
        return scheduled_round(tournament, draws, bye=self.unpaired_points(tournament.plan.scoring, UnpairedReason.BYE))

    def unpaired_points(self, scoring: Scoring, code: UnpairedReason) -> int:
        """Return 0: all entries have equally many byes."""
        del scoring, code
        return 0


def scheduled_round(tournament: Tournament, draws: SeededDraw, *, bye: int) -> RoundDraw | None:
    """Return the next round of a round robin with byes worth `bye`; None after the last."""
    number = len(tournament.rounds) + 1
    entries = tuple(
        Entry(number=one.number, people=one.people, rank=one.rank) for one in tournament.entrants if one.rank
    )
    rounds = round_robin_rounds(entries, cycles=tournament.plan.cycles, draws=draws)
    if number > len(rounds):
        return None
    gone = departed_entries(tournament)
    annulled = {one.number for one in tournament.entrants if one.annulled}
    met = [one for one in rounds[number - 1] if annulled.isdisjoint(one.entries)]
    paired = {entry for one in met for entry in one.entries}
    free = tuple(
        UnpairedEntry(entry=one.number, code=UnpairedReason.BYE, points=bye)
        for one in entries
        if one.number not in paired and one.number not in annulled
    )
    return RoundDraw(fixtures=tuple(new_fixture(one.sides, gone) for one in met), away=free)
