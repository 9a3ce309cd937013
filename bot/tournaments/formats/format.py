"""The interface of tournament formats, with defaults, and helpers for them (`docs/tournaments.md` 3)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from bot.ratings.swing_units import SWING_UNITS
from bot.tournaments.counted_results import Scoring, UnpairedReason
from bot.tournaments.event.entries import Entrant
from bot.tournaments.event.match_state import Fixture, RoundDraw, UnpairedEntry
from bot.tournaments.event.plan import Plan
from bot.tournaments.event.plan_check import PlanError, seat_errors
from bot.tournaments.event.tournament import Tournament
from bot.tournaments.formats.ranking import Ranking, ranking_by_points
from bot.tournaments.pairing.drawn_round import DrawnRound
from bot.tournaments.pairing.swiss import PairingReason
from bot.tournaments.seeded_draw import SeededDraw
from bot.tournaments.standings.tie_breaks import swing_of


class Format:
    """A format of tournaments; the methods here are the defaults.

    `prepare_start`, `draw_next_round` and `with_consequences` may take seconds with many entries, so the service runs
    them in a thread.
    """

    def fill_in_plan(self, plan: Plan) -> Plan:
        """Return the plan with values that its rules and format determine.

        These are its sides, the size of an entry, its boards, and the scoring.
        """
        sides = plan.rules.sides
        size = max(1, plan.rules.players // sides)
        drawn = plan.drawn and size > 1
        fitted = replace(plan, sides=sides, entry_size=size, duplicate=None, drawn=drawn)
        return with_scoring(fitted, Scoring())

    def plan_errors(self, plan: Plan) -> Iterator[PlanError]:
        """Yield the reasons why this format cannot play the plan."""
        yield from seat_errors(plan)
        if plan.sides == 3:
            yield PlanError.PODS_ARE_SWISS
        if plan.duplicate is not None:
            yield PlanError.BOARDS

    def least_entries(self, plan: Plan) -> int:
        """Return the minimum number of entries."""
        del plan
        return 2

    def default_rounds(self, plan: Plan, entries: int) -> int | None:
        """Return the default number of rounds for that many entries; None if the results decide it."""
        del plan, entries
        return None

    def prepare_start(self, tournament: Tournament, draws: SeededDraw, now: int) -> Tournament:
        """Return the started tournament with what the format needs before the first round is drawn."""
        del draws, now
        return tournament

    def draw_next_round(self, tournament: Tournament, draws: SeededDraw) -> RoundDraw | None:
        """Draw the next round and return it; None if nothing is left to play."""
        del tournament, draws
        return None

    def with_consequences(self, before: Tournament, after: Tournament, draws: SeededDraw, now: int) -> Tournament:
        """Return the tournament after a change with what follows from it in this format.

        It is called before any round is drawn.
        """
        del before, draws, now
        return after

    def ranking(self, tournament: Tournament, draws: SeededDraw, after_round: int | None) -> Ranking:
        """Return the ranking after a round, by default the newest, by the results so far."""
        del draws
        return ranking_by_points(tournament, after_round)

    def unpaired_points(self, scoring: Scoring, code: UnpairedReason) -> int:
        """Return the match points of an entry without a match in a round."""
        if code in (UnpairedReason.ZERO, UnpairedReason.ABSENT):
            return 0
        return scoring.bye if code is UnpairedReason.BYE else scoring.half

    def explain_pairing(self, tournament: Tournament, person: int, round_number: int) -> PairingReason | None:
        """Return why the person's entry got its opponent in that round.

        None if standings do not decide that, or if the entry was not in the round.
        """
        del tournament, person, round_number
        return None


def absent_entries(
    format_: Format, entrants: Sequence[Entrant], scoring: Scoring, round_number: int
) -> tuple[UnpairedEntry, ...]:
    """Return these entries as entries without a match in round `round_number`, which they skip.

    They get half points for the first round that they skip, later none (`docs/tournaments.md` 3).
    """
    half = format_.unpaired_points(scoring, UnpairedReason.HALF)
    return tuple(
        UnpairedEntry(entry=one.number, code=UnpairedReason.HALF, points=half)
        if round_number == min(one.sits_out)
        else UnpairedEntry(entry=one.number, code=UnpairedReason.ABSENT, points=0)
        for one in entrants
    )


def with_scoring(plan: Plan, scoring: Scoring) -> Plan:
    """Return the plan with that scoring, and with the swing unit of its rules (`docs/tournaments.md` 4)."""
    if plan.rules.name not in SWING_UNITS:
        return replace(plan, scoring=scoring)
    swing = swing_of(plan.rules.name)
    return replace(plan, scoring=replace(scoring, swing_unit=swing.unit, net_cap=swing.net_cap))


def to_round_draw(drawn_round: DrawnRound, away: Sequence[UnpairedEntry] = ()) -> RoundDraw:
    """Convert a pairing into a drawn round. `away` are entries that the pairing does not contain."""
    unpaired = (UnpairedEntry(entry=one.entry, code=one.code, points=one.points) for one in drawn_round.unpaired)
    return RoundDraw(
        fixtures=tuple(Fixture(sides=one.sides) for one in drawn_round.matches),
        away=(*unpaired, *away),
        order=drawn_round.order,
        cost=drawn_round.cost,
    )


def new_fixture(sides: tuple[tuple[int, ...], ...], departed: Collection[int], slot: str = "") -> Fixture:
    """Return a match of these sides. A side forfeits if one of its entries is in `departed`."""
    forfeited = tuple(number for number, entries in enumerate(sides) if not set(entries).isdisjoint(departed))
    return Fixture(sides=sides, slot=slot, forfeited=forfeited)


def started_entries(tournament: Tournament) -> tuple[Entrant, ...]:
    """Return the entries that started, in start order."""
    return tuple(sorted((one for one in tournament.entrants if one.rank), key=lambda one: one.rank))


def departed_entries(tournament: Tournament) -> frozenset[int]:
    """Return the entries that have left since the start."""
    return frozenset(one.number for one in started_entries(tournament) if not one.is_active)
