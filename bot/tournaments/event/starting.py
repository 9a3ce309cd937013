"""The start: who plays, with whom, in which order, and for how many rounds (`docs/tournaments.md` 1, 3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.tournaments.course import FormatKind
from bot.tournaments.event import check_in, rounds
from bot.tournaments.event.contests import RoundDraw
from bot.tournaments.event.entrants import Entrant, EntryStage
from bot.tournaments.event.event_plan import BoardScoring, Plan
from bot.tournaments.event.event_steps import tell
from bot.tournaments.event.round_drawing import usual_rounds
from bot.tournaments.event.values import Tournament
from bot.tournaments.lot import SeededDraw
from bot.tournaments.pairing import partners as drawing_partners
from bot.tournaments.pairing.partners import RatedPerson, Seed, start_order


def started(tournament: Tournament, lot: SeededDraw, figures: Mapping[int, float | None], *, now: int) -> Tournament:
    """The tournament with all who are here playing; closed where that are too few for its format.

    `figures` are ratings by person.
    """
    after = _paired(tournament, lot, figures, now) if tournament.plan.drawn else tournament
    here = tuple(one for one in after.entrants if one.stage is EntryStage.HERE)
    if len(here) < least(after.plan):
        closed = rounds.closed(after, lot=lot.seed.hex(), now=now)
        return tell(closed, "too_few", now, numbers={"entries": len(here)})
    seeds = [Seed(number=one.number, people=_rated(one, figures)) for one in here]
    by_hand = tuple(one.number for one in sorted(here, key=lambda one: one.rank) if one.rank)
    order = start_order(seeds, drawing_partners.Seeding(after.plan.seeding.value), lot=lot, by_hand=by_hand)
    ranks = {number: place for place, number in enumerate(order, 1)}
    return check_in.started(after, ranks, rounds=usual_rounds(after.plan, len(here)), now=now)


def least(plan: Plan) -> int:
    """How many entries there have to be: a full table of persons, four pairs to compare boards, else two to meet."""
    if plan.kind is FormatKind.INDIVIDUAL:
        return plan.players
    pairs = plan.duplicate is not None and plan.duplicate.scoring is not BoardScoring.VICTORY_POINTS
    return 4 if pairs else 2


def _paired(tournament: Tournament, lot: SeededDraw, figures: Mapping[int, float | None], now: int) -> Tournament:
    here = sorted(
        (one for one in tournament.entrants if one.stage is EntryStage.HERE),
        key=lambda one: (one.entered_at, one.number),
    )
    people = [RatedPerson(one.people[0], figures.get(one.people[0])) for one in here]
    found = drawing_partners.partners(people, lot=lot, size=tournament.plan.entry_size)
    return check_in.paired(tournament, found.teams, found.waiting, now=now)


def _rated(entrant: Entrant, figures: Mapping[int, float | None]) -> tuple[RatedPerson, ...]:
    return tuple(RatedPerson(one, figures.get(one)) for one in entrant.people)


def concerned(before: Sequence[RoundDraw], after: Sequence[RoundDraw]) -> frozenset[int]:
    """The entries for whom some round of the new plan is another than in the old one."""
    found: set[int] = set()
    for old, new in zip(before, after, strict=False):
        tables = {entry: one.sides for one in old.fixtures for side in one.sides for entry in side}
        for one in new.fixtures:
            found |= {
                entry for side in one.sides for entry in side if _partners(tables.get(entry)) != _partners(one.sides)
            }
        found |= {one.entry for one in new.away if one.entry in tables}
    return frozenset(found)


def partners_of(tournament: Tournament, entry: int) -> tuple[int, ...]:
    """The partners of an entry where they change: those it had, and those planned, in the order of the rounds."""
    drawn = [side for one in tournament.matches if not one.voided for side in one.sides]
    coming = [side for drawing in tournament.schedule for one in drawing.fixtures for side in one.sides]
    return tuple(one for side in (*drawn, *coming) if entry in side for one in side if one != entry)


def _partners(sides: tuple[tuple[int, ...], ...] | None) -> frozenset[frozenset[int]]:
    return frozenset(frozenset(side) for side in sides or ())
