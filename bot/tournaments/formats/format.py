"""What a format of tournaments decides: one object each, all of them pure (`docs/tournaments.md` 3)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from bot.tournaments.course import Scoring, Unpaired
from bot.tournaments.event.entries import Entrant
from bot.tournaments.event.fitness import Unfit, unfit_seats
from bot.tournaments.event.match_state import Fixture, RoundDraw, UnpairedEntry
from bot.tournaments.event.plan import Plan
from bot.tournaments.event.tournament import Tournament
from bot.tournaments.formats.ranking import Ranking, ranking_by_points
from bot.tournaments.pairing.drawn import DrawnRound
from bot.tournaments.pairing.swiss import PairingReason
from bot.tournaments.seeded_draw import SeededDraw
from bot.tournaments.standings.tie_breaks import SWING_UNITS, swing_of


class Format:
    """A format of tournaments; the methods here are those of one without anything of its own.

    `started`, `next_round` and `following` may take seconds where many have entered: the service runs them in a thread.
    """

    def fitted(self, plan: Plan) -> Plan:
        """Return the plan with what follows from its rules and format.

        That is its sides, the size of an entry, its boards, and what results are worth.
        """
        sides = plan.rules.sides
        size = max(1, plan.rules.players // sides)
        drawn = plan.drawn and size > 1
        fitted = replace(plan, sides=sides, entry_size=size, duplicate=None, drawn=drawn)
        return with_scoring(fitted, Scoring())

    def unfit(self, plan: Plan) -> Iterator[Unfit]:
        """Yield why this format cannot be played so."""
        yield from unfit_seats(plan)
        if plan.sides == 3:
            yield Unfit.PODS_ARE_SWISS
        if plan.duplicate is not None:
            yield Unfit.BOARDS

    def least_entries(self, plan: Plan) -> int:
        """Return how many entries there have to be."""
        del plan
        return 2

    def usual_rounds(self, plan: Plan, entries: int) -> int | None:
        """Return how many rounds so many entries play; None where results decide that."""
        del plan, entries
        return None

    def started(self, tournament: Tournament, lot: SeededDraw, now: int) -> Tournament:
        """Return the tournament with what this format needs before its first round is drawn."""
        del lot, now
        return tournament

    def next_round(self, tournament: Tournament, lot: SeededDraw) -> RoundDraw | None:
        """Return the round that follows those played; None where nothing is left to be played."""
        del tournament, lot
        return None

    def following(self, before: Tournament, after: Tournament, lot: SeededDraw, now: int) -> Tournament:
        """Return the tournament after a change, with what this format makes of it before any round is drawn."""
        del before, lot, now
        return after

    def ranking(self, tournament: Tournament, lot: SeededDraw, after_round: int | None) -> Ranking:
        """Return the places after a round, with what is in of its results; None is the newest round."""
        del lot
        return ranking_by_points(tournament, after_round)

    def unpaired_points(self, scoring: Scoring, code: Unpaired) -> int:
        """Return the match points of an entry without a match in a round."""
        if code in (Unpaired.ZERO, Unpaired.ABSENT):
            return 0
        return scoring.bye if code is Unpaired.BYE else scoring.half

    def reason(self, tournament: Tournament, person: int, round_number: int) -> PairingReason | None:
        """Return why the person's entry met whom it met.

        None where no standing decides that, or the entry was not in the round.
        """
        del tournament, person, round_number
        return None


def absences(of: Format, entrants: Sequence[Entrant], scoring: Scoring, number: int) -> tuple[UnpairedEntry, ...]:
    """Return who announced to miss the round: that gives points once, afterwards nothing (3)."""
    half = of.unpaired_points(scoring, Unpaired.HALF)
    return tuple(
        UnpairedEntry(entry=one.number, code=Unpaired.HALF, points=half)
        if number == min(one.sits_out)
        else UnpairedEntry(entry=one.number, code=Unpaired.ABSENT, points=0)
        for one in entrants
    )


def with_scoring(plan: Plan, usual: Scoring) -> Plan:
    """Return the plan with what results are worth, and with the unit of swing of its rules (4)."""
    if plan.rules.name not in SWING_UNITS:
        return replace(plan, scoring=usual)
    swing = swing_of(plan.rules.name)
    return replace(plan, scoring=replace(usual, swing_unit=swing.unit, net_cap=swing.net_cap))


def round_drawn(drawn: DrawnRound, away: Sequence[UnpairedEntry] = ()) -> RoundDraw:
    """Return the round as a tournament keeps it; `away` are entries that the pairing did not know."""
    unpaired = (UnpairedEntry(entry=one.entry, code=one.code, points=one.points) for one in drawn.unpaired)
    return RoundDraw(
        fixtures=tuple(Fixture(sides=one.sides) for one in drawn.matches),
        away=(*unpaired, *away),
        order=drawn.order,
        cost=drawn.cost,
    )


def fixture(sides: tuple[tuple[int, ...], ...], gone: Collection[int], slot: str = "") -> Fixture:
    """Return a match of these sides, of which those forfeit that have an entry that has left."""
    forfeited = tuple(number for number, entries in enumerate(sides) if not set(entries).isdisjoint(gone))
    return Fixture(sides=sides, slot=slot, forfeited=forfeited)


def ranked(tournament: Tournament) -> tuple[Entrant, ...]:
    """Return the entries that have played at all, in the start order."""
    return tuple(sorted((one for one in tournament.entrants if one.rank), key=lambda one: one.rank))


def gone_from(tournament: Tournament) -> frozenset[int]:
    """Return the entries that have left since the start."""
    return frozenset(one.number for one in ranked(tournament) if not one.active)
