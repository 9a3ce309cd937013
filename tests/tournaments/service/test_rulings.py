"""Rulings and undoing them (`docs/tournaments.md` 1.5, 2; 8, case 26; 9, scenarios 6 and 8)."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from bot.tournaments.event.match_state import MatchState
from bot.tournaments.event.refusals import TournamentCode
from bot.tournaments.event.tournament import RulingKind, Stage, Tournament
from bot.tournaments.format_traits import FormatKind
from tests.support.tournaments import (
    DIRECTOR,
    Comes,
    Evening,
    open_evening,
    pairs,
    refusal_of,
    standing_figures,
    usual_plan,
)

KINDS = list(RulingKind)[:5]


async def make_ruling(evening: Evening, tournament_number: int, kind: RulingKind, random: Random) -> None:
    """Make a ruling of that kind on a random finished match, or on a random entry."""
    events, director = evening.events, evening.director
    view = await events.overview.get_tournament(tournament_number)
    match = random.choice([one for one in view.matches if one.result is not None and not one.voided]).id
    if kind is RulingKind.ADJUST:
        scores = [[random.randrange(0, 900, 5), random.randrange(0, 900, 5)]]
        await events.desk.adjust_scores(director, tournament_number, match, scores=scores, reason="wrong count")
    elif kind is RulingKind.POINTS:
        await events.desk.give_points(
            director, tournament_number, match, points=random.choice([(2, 0), (1, 1), (0, 2)]), reason="set"
        )
    elif kind is RulingKind.FORFEIT:
        await events.desk.forfeit_match(director, tournament_number, match, sides=[random.randrange(2)], reason="left")
    elif kind is RulingKind.VOID:
        await events.desk.void_match(director, tournament_number, match, reason="void")
    else:
        entry = random.choice([one.number for one in view.entrants])
        await events.desk_entries.penalise_entry(
            director, tournament_number, entry, category="slow", level=3, reason="slow"
        )


@pytest.mark.parametrize("seed", range(4))
async def test_9_6_undoing_all_rulings_gives_the_first_standings(tmp_path: Path, seed: int) -> None:
    random = Random(seed)
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_round(usual_plan(rounds=3), pairs(5))
        await evening.play_called_matches(number)
        await evening.call_next_round(number)
        pairings = [one.sides for one in (await evening.events.overview.get_tournament(number)).matches_of(2)]
        await evening.play_match(number, (await evening.events.overview.get_tournament(number)).matches_of(2)[0].id)
        first = standing_figures(await evening.events.overview.get_tournament(number))
        for _ in range(12):
            await make_ruling(evening, number, random.choice(KINDS), random)
        view = await evening.events.overview.get_tournament(number)
        assert pairings == [one.sides for one in view.matches_of(2)], "rounds that were called keep their pairings"
        made = [one.number for one in view.rulings]
        random.shuffle(made)
        for ruling in made:
            view = await evening.events.desk.undo_ruling(evening.director, number, ruling=ruling)
        assert first == standing_figures(view)
        assert len(made) == sum(one.code == "undone" for one in view.news)


async def test_after_a_ruling_a_round_that_is_not_called_yet_is_drawn_again(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_round(usual_plan(), pairs(4))
        view = await evening.play_called_matches(number)
        match = view.matches_of(1)[0]
        loser = 1 - match.sides.index((winner_of(match),)) if match.result and match.result.winner is not None else 0
        scores = [[900, 0] if loser == 0 else [0, 900]]
        view = await evening.events.desk.adjust_scores(
            evening.director, number, match.id, scores=scores, reason="wrong count"
        )
        leaders = [{entry for side in one.sides for entry in side} for one in view.matches_of(2)]
        assert any(match.sides[loser][0] in one and match.sides[1 - loser][0] not in one for one in leaders)


async def test_undoing_a_removal_restores_the_entry(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_tournament(usual_plan(), pairs(4))
        before = [one.sides for one in (await evening.events.overview.get_tournament(number)).matches_of(1)]
        await evening.events.desk_entries.penalise_entry(
            evening.director, number, 2, category="conduct", level=5, reason="rude"
        )
        assert not (await evening.events.overview.get_tournament(number)).entrant(2).is_active
        view = await evening.events.desk.undo_ruling(evening.director, number, ruling=1)
        assert view.entrant(2).is_active
        assert before == [one.sides for one in view.matches_of(1)]


async def test_a_director_who_plays_cannot_rule_on_their_own_match(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = (await evening.publish(usual_plan())).id
        await evening.events.desk_entries.add_director(evening.director, number, person=1, name="P1")
        stranger = await refusal_of(evening.events.desk.pause(evening.caller(2), number))
        assert TournamentCode.NOT_DIRECTOR is stranger[0]
        for people in pairs(2):
            await evening.enter(number, people)
        view = await evening.events.overview.get_tournament(number)
        await evening.advance_to(view.plan.starts_at - view.plan.check_in_from)
        await evening.check_in(number, range(1, 5))
        await evening.advance_to(view.plan.starts_at)
        await evening.give_matches_channels(number)
        own = await refusal_of(
            evening.events.desk.forfeit_match(evening.caller(1), number, 1, sides=[1], reason="mine")
        )
        assert (TournamentCode.DIRECTOR_PLAYS, {}) == own
        assert DIRECTOR in (await evening.events.overview.get_tournament(number)).directors


def winner_of(match: MatchState) -> int:
    assert match.result is not None
    assert match.result.winner is not None
    return match.sides[match.result.winner][0]


def opponent_of(match: MatchState, entry: int) -> int:
    return next(one for side in match.sides for one in side if one != entry)


@pytest.mark.parametrize("called", [False, True], ids=["drawn", "playing"])
async def test_8_26_a_changed_winner_lets_one_side_advance(tmp_path: Path, called: bool) -> None:  # noqa: FBT001
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_round(usual_plan(kind=FormatKind.SINGLE), pairs(4))
        view = await evening.play_called_matches(number)
        if called:
            view = await evening.call_next_round(number)
        match = view.matches_of(1)[0]
        wrong = winner_of(match)
        right = opponent_of(match, wrong)
        scores = [[900, 0] if match.sides[0][0] == right else [0, 900]]
        view = await evening.events.desk.adjust_scores(
            evening.director, number, match.id, scores=scores, reason="wrong count"
        )
        await evening.wait_until_idle()
        final = [one for one in view.matches_of(2) if one.slot and wrong not in {e for s in one.sides for e in s}]
        assert [1] == [sum(right in side for one in final for side in one.sides)]
        assert not any(wrong in side for one in view.matches_of(2) for side in one.sides)
        view = await evening.play_all_rounds(number)
        assert Stage.CLOSED is view.stage
        places = (await evening.events.overview.ranking(number)).places
        assert {right, opponent_of(final[0], right)} == {one.entry for one in places[:2]}


async def test_8_27_equal_sides_of_a_bracket_play_further_deals_in_the_same_match(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_round(usual_plan(kind=FormatKind.SINGLE, deals=2), pairs(2))
        view = await evening.play_called_matches(number)
        (match,) = view.matches
        assert match.result is not None
        assert match.result.winner is not None
        assert len(match.tables) == match.further + 1


def _everyone_but_two_random_persons(random: Random, persons: int) -> Comes:
    away = set(random.sample(range(1, persons + 1), 2))
    return lambda person: person not in away


@pytest.mark.parametrize("entries", [7, 9, pytest.param(13, marks=pytest.mark.nightly), 16])
async def test_9_8_a_double_elimination_survives_no_shows_and_a_changed_result(tmp_path: Path, entries: int) -> None:
    random = Random(entries)
    comes = _everyone_but_two_random_persons(random, 2 * entries)
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_tournament(usual_plan(kind=FormatKind.DOUBLE), pairs(entries))
        view = await evening.play_round(number, comes=comes)
        while not (played := [one for one in view.matches if one.result is not None and not one.result.forfeited]):
            view = await evening.play_round(number, comes=comes)
        match = played[-1]
        right = opponent_of(match, winner_of(match))
        scores = [[900, 0] if match.sides[0][0] == right else [0, 900]]
        await evening.events.desk.adjust_scores(evening.director, number, match.id, scores=scores, reason="wrong count")
        view = await evening.play_all_rounds(number, comes=comes)
        assert Stage.CLOSED is view.stage
        losses = losses_by_entry(view)
        ranking = await evening.events.overview.ranking(number)
        champion = next(one.entry for one in ranking.places if one.first == 1)
        assert losses[champion] < 2
        out = entries_eliminated_together(view)  # if two absent entries meet, both are out at once (8.42)
        assert {2} == {count for entry, count in losses.items() if entry != champion and entry not in out}
        assert all(losses[entry] <= 2 for entry in out)


def entries_eliminated_together(tournament: Tournament) -> set[int]:
    """Return the entries of matches that both sides forfeited, and which therefore were out together."""
    both = [one for one in tournament.matches if one.result is not None and len(one.result.forfeited) == 2]
    return {entry for match in both for side in match.sides for entry in side}


def losses_by_entry(tournament: Tournament) -> dict[int, int]:
    """Return the number of matches that each entry has lost; void matches do not count."""
    found = {one.number: 0 for one in tournament.entrants}
    changed = {one.match: one for one in tournament.rulings}
    for match in tournament.matches:
        if match.voided or match.result is None:
            continue
        ruling = changed.get(match.id)
        winner = match.result.winner
        if ruling is not None:
            winner = int(ruling.scores[0][1] > ruling.scores[0][0])
        for side, (entry,) in enumerate(match.sides):
            found[entry] += side != winner
    return found
