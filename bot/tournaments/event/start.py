"""Check-in and start: final entries, drawn partners, start order (`docs/tournaments.md` 1, 3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from bot.tournaments.event.entries import Entrant, EntryStage, Person
from bot.tournaments.event.joining.partner_pool import takes_late_entries, waiting_entries
from bot.tournaments.event.refusals import TournamentCode, TournamentRefusal
from bot.tournaments.event.tournament import Audience, Stage, Tournament
from bot.tournaments.event.tournament_changes import add_news, places_left, require_stage, with_entrant
from bot.tournaments.pairing.partners import EntryToSeed, RatedPerson, draw_partners, start_order
from bot.tournaments.pairing.partners import Seeding as SeedingOrder
from bot.tournaments.seeded_draw import SeededDraw


def open_check_in(tournament: Tournament, *, now: int) -> Tournament:
    """Open check-in, and mention everyone who has entered or waits."""
    require_stage(tournament, Stage.OPEN)
    asked = (one for one in tournament.entrants if one.stage in (EntryStage.ENTERED, EntryStage.WAITING))
    persons = tuple(person for one in asked for person in one.players)
    after = replace(tournament, stage=Stage.CHECK_IN)
    closes_at = tournament.plan.starts_at - tournament.plan.check_in_until
    return add_news(after, "check_in_open", now, persons=persons, numbers={"until": closes_at}, pings=True)


def check_in_person(tournament: Tournament, *, person: int, request: int) -> Tournament:
    """Check a person in. `request` is mixed into the shuffle of boards as the person's share.

    Refusals: not_checking_in, not_entered.
    """
    plan = tournament.plan
    if tournament.stage is not Stage.CHECK_IN:
        opens, closes = plan.starts_at - plan.check_in_from, plan.starts_at - plan.check_in_until
        raise TournamentRefusal(TournamentCode.NOT_CHECKING_IN, {"opens_at": opens, "closes_at": closes})
    entrant = tournament.entry_of(person)
    if entrant is None:
        raise TournamentRefusal(TournamentCode.NOT_ENTERED)
    if person in entrant.here:
        return tournament
    arrived = (*entrant.here, Person(person))
    stage = entrant.stage
    if stage is EntryStage.ENTERED and set(entrant.players) <= set(arrived):
        stage = EntryStage.HERE
    return with_entrant(tournament, replace(entrant, here=arrived, shares=(*entrant.shares, request), stage=stage))


def close_check_in(tournament: Tournament, *, now: int) -> Tournament:
    """Remove entries that did not check in, and give their places to waiting ones that did.

    Formats without rounds have no check-in: all entries count as present. Refusal: wrong_stage.
    """
    if not tournament.plan.traits.has_rounds:
        tournament = _check_in_all_entries(tournament)
    require_stage(tournament, Stage.CHECK_IN)
    missing = tuple(one for one in tournament.entrants if one.stage in (EntryStage.ENTERED, EntryStage.ASKED))
    after = replace(
        tournament,
        entrants=tuple(replace(one, stage=EntryStage.LEFT) if one in missing else one for one in tournament.entrants),
    )
    moved: list[Entrant] = []
    for one in waiting_entries(after):
        if set(one.players) <= set(one.here) and places_left(after) >= len(one.people):
            after = with_entrant(after, replace(one, stage=EntryStage.HERE))
            moved.append(one)
        else:
            after = with_entrant(after, replace(one, stage=EntryStage.LEFT))
    if missing or moved:
        absent, coming = (tuple(person for one in those for person in one.people) for those in (missing, moved))
        after = add_news(
            after,
            "checked_in",
            now,
            about=(*absent, *coming),
            entries=tuple(one.number for one in (*missing, *moved)),
            numbers={"out": len(absent), "in": len(coming)},
        )
    return after


def _check_in_all_entries(tournament: Tournament) -> Tournament:
    """Check in all entries that have a place."""
    for one in tournament.entrants:
        if one.stage is EntryStage.ENTERED:
            tournament = with_entrant(tournament, replace(one, stage=EntryStage.HERE, here=one.players))
    return replace(tournament, stage=Stage.CHECK_IN)


def combine_partners(tournament: Tournament, pairs: Sequence[tuple[int, ...]], left_over: Sequence[int]) -> Tournament:
    """Combine persons who entered alone into the drawn entries; those left over wait in the pool.

    Source: `docs/tournaments.md` 8, case 3.
    """
    by_person = {one.people[0]: one for one in tournament.entrants if one.stage is EntryStage.HERE}
    gone = tuple(one for one in tournament.entrants if one.stage is not EntryStage.HERE)
    number = max((one.number for one in tournament.entrants), default=0)
    drawn = []
    for members in pairs:
        number += 1
        alone = [by_person[Person(one)] for one in members]
        drawn.append(
            replace(
                alone[0],
                number=number,
                people=tuple(one.people[0] for one in alone),
                here=tuple(one.people[0] for one in alone),
                agreed=tuple(one.people[0] for one in alone),
                shares=tuple(share for one in alone for share in one.shares),
            )
        )
    odd = tuple(replace(by_person[Person(one)], stage=EntryStage.WAITING) for one in left_over)
    return replace(tournament, entrants=tuple(sorted((*gone, *odd, *drawn), key=lambda one: one.number)))


def draw_all_partners(tournament: Tournament, draws: SeededDraw, ratings: Mapping[int, float | None]) -> Tournament:
    """Draw partners for everyone present; `ratings` are ratings by person."""
    here = sorted(checked_in_entries(tournament), key=lambda one: (one.entered_at, one.number))
    people = [RatedPerson(one.people[0], ratings.get(one.people[0])) for one in here]
    found = draw_partners(people, draws=draws, size=tournament.plan.entry_size)
    return combine_partners(tournament, found.teams, found.waiting)


def begin_tournament(
    tournament: Tournament,
    draws: SeededDraw,
    ratings: Mapping[int, float | None],
    pair_ratings: Mapping[tuple[int, ...], float] = MappingProxyType({}),
    *,
    rounds: int | None,
    now: int,
) -> Tournament:
    """Start the tournament with all entries present.

    `ratings` are ratings by person, `pair_ratings` of pairs.
    """
    entries = checked_in_entries(tournament)
    seeds = [
        EntryToSeed(one.number, _persons_with_ratings(one, ratings), pair_ratings.get(one.people)) for one in entries
    ]
    by_hand = tuple(one.number for one in sorted(entries, key=lambda one: one.rank) if one.rank)
    order = start_order(seeds, SeedingOrder(tournament.plan.seeding.value), draws=draws, by_hand=by_hand)
    ranks = {number: place for place, number in enumerate(order, 1)}
    playing = tuple(
        replace(one, stage=EntryStage.PLAYING, rank=ranks[one.number]) if one.stage is EntryStage.HERE else one
        for one in tournament.entrants
    )
    begun = replace(tournament, entrants=playing, stage=Stage.RUNNING, rounds_planned=rounds, since=now)
    if takes_late_entries(begun):
        for one in waiting_entries(begun):
            begun = add_news(begun, "odd_one_waits", now, audience=Audience.PERSONS, persons=one.people)
    return begun


def checked_in_entries(tournament: Tournament) -> tuple[Entrant, ...]:
    """Return the entries that have a place and have checked in."""
    return tuple(one for one in tournament.entrants if one.stage is EntryStage.HERE)


def _persons_with_ratings(entrant: Entrant, ratings: Mapping[int, float | None]) -> tuple[RatedPerson, ...]:
    """Return the entry's persons with their ratings; None for unrated ones."""
    return tuple(RatedPerson(one, ratings.get(one)) for one in entrant.people)
