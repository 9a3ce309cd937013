"""Bringing an entry back changes no other entry's figures (`docs/tournaments.md` 4).

The tournaments are random.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from bot.tournaments.counted_results import Deal, Span
from bot.tournaments.event import entering, forfeits, matches, rounds, rulings, start
from bot.tournaments.event.counted_results import course_of
from bot.tournaments.event.entries import Entrant, EntryStage, Person
from bot.tournaments.event.match_state import Result, RoundStage
from bot.tournaments.event.plan import Seeding
from bot.tournaments.event.tournament import Stage, Tournament
from bot.tournaments.format_traits import FormatKind
from bot.tournaments.formats.by_kind import format_of
from bot.tournaments.seeded_draw import SeededDraw
from bot.tournaments.standings.rows import StandingsRow, standings
from tests.support.seeds import seeds
from tests.support.tournaments import open_evening, pairs, usual_plan

DIRECTOR = Person(50)
KINDS = (FormatKind.SWISS, FormatKind.SWISS, FormatKind.ROUND_ROBIN)
"""Formats whose places go by points and tie-breaks; partners who change have the same figures and long draws."""


def tournament_with_entries(kind: FormatKind, entries: int) -> Tournament:
    """Return a tournament with that many entries checked in, before its first round."""
    plan = usual_plan(kind=kind, seeding=Seeding.HAND)
    entrants = tuple(
        Entrant(
            number=number,
            people=(people := tuple(Person(100 + 2 * number + place) for place in range(2))),
            captain=people[0],
            stage=EntryStage.HERE,
            entered_at=0,
        )
        for number in range(1, entries + 1)
    )
    draft = Tournament(plan=plan, directors=(DIRECTOR,), created_at=0, since=0, stage=Stage.CHECK_IN)
    planned = format_of(draft).default_rounds(plan, entries)
    here = replace(draft, entrants=entrants)
    ready = start.begin_tournament(here, SeededDraw(b"lot"), {}, rounds=planned, now=0)
    return format_of(draft).prepare_start(ready, SeededDraw(b"lot"), 0)


def tournament_after_random_round(tournament: Tournament, random: Random) -> Tournament:
    """Return the tournament after one more round; results are random, some forfeited or void."""
    draws = SeededDraw(b"lot")
    drawing = format_of(tournament).draw_next_round(tournament, draws)
    if drawing is None or not drawing.fixtures:
        return tournament
    drawn = rounds.add_round(tournament, drawing, now=0, call_at=0)
    called = rounds.call_round(replace(drawn, schedule=drawn.schedule[1:]), now=0)
    for one in called.matches_of(len(called.rounds)):
        deals = tuple(Deal(number=deal, scores=tuple(100 * random.randint(0, 3) for _ in one.sides)) for deal in (1, 2))
        lost = (random.randrange(len(one.sides)),) if random.random() < 0.1 else ()
        if one.result is None:
            called = matches.set_result(called, match=one.id, result=Result(deals=deals, forfeited=lost))
        if random.random() < 0.1:
            called = rulings.void_finished_match(called, match=one.id, reason="", director=DIRECTOR, now=0)
    return rounds.complete_round(called, now=0)


def tournament_after_departure(tournament: Tournament, entrant: Entrant, random: Random) -> Tournament:
    """Return the tournament after the entry has left or been removed."""
    if random.random() < 0.5:
        gone = entering.withdraw_entry_of(tournament, person=entrant.people[0], now=0)
    else:
        gone = entering.remove_entry(tournament, entry=entrant.number, now=0)
    return forfeits.forfeit_by_leaving(gone, entry=entrant.number, now=0)


def all_standings(tournament: Tournament) -> list[tuple[StandingsRow, ...]]:
    course = course_of(tournament)
    return [standings(course, after) for after in range(1, len(course.rounds) + 1)]


@pytest.mark.parametrize("seed", seeds(80))
def test_8_49_all_figures_stay_when_any_entry_is_brought_back_at_any_time(seed: int) -> None:
    random = Random(seed)
    kind = KINDS[seed % len(KINDS)]
    tournament = tournament_with_entries(kind, random.randint(5, 9))
    brought = 0
    for _ in range(random.randint(3, 6)):
        for entrant in tournament.entrants:
            if entrant.is_active and random.random() < 0.2 and sum(one.is_active for one in tournament.entrants) > 4:
                tournament = tournament_after_departure(tournament, entrant, random)
        tournament = tournament_after_random_round(tournament, random)
        for entrant in tournament.entrants:
            if entrant.has_left and not entrant.annulled and random.random() < 0.4:
                after = entering.bring_back_entry(tournament, entry=entrant.number, now=0)
                assert all_standings(tournament) == all_standings(after)
                tournament, brought = after, brought + 1
    for entrant in tournament.entrants:
        if entrant.has_left and not entrant.annulled:
            assert all_standings(tournament) == all_standings(
                entering.bring_back_entry(tournament, entry=entrant.number, now=0)
            )
    assert all(one.stage is RoundStage.COMPLETE or one.stage is RoundStage.FINAL for one in tournament.rounds)


def test_8_49_the_rounds_that_an_entry_missed_stay_missed_after_its_return() -> None:
    tournament = tournament_after_random_round(tournament_with_entries(FormatKind.SWISS, 6), Random(3))
    entrant = tournament.entrants[2]
    tournament = entering.withdraw_entry_of(tournament, person=entrant.people[0], now=0)
    tournament = tournament_after_random_round(tournament, Random(4))
    tournament = tournament_after_random_round(tournament, Random(5))
    tournament = entering.bring_back_entry(tournament, entry=entrant.number, now=0)
    assert (Span(1, 1), Span(4)) == tournament.entrant(entrant.number).spans
    tournament = entering.withdraw_entry_of(tournament, person=entrant.people[0], now=0)
    assert (Span(1, 1),) == tournament.entrant(entrant.number).spans, "no round was called meanwhile"


async def test_8_49_the_service_brings_an_entry_back_and_undoes_that(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_round(usual_plan(rounds=5), pairs(6))
        await evening.play_called_matches(number)
        ask = evening.events.desk_entries
        await evening.events.entering.leave(evening.caller(1), number)
        await ask.penalise_entry(evening.director, number, 2, category="conduct", level=5, reason="cheating")
        await evening.play_round(number)
        before = await evening.events.overview.places(number)
        await ask.bring_back_entry(evening.director, number, 1)
        view = await evening.events.desk.undo_ruling(evening.director, number, ruling=1)
        assert before == await evening.events.overview.places(number)
        assert [(Span(1, 1), Span(3))] * 2 == [view.entrant(one).spans for one in (1, 2)]
