"""Regulars of an entry, its line-up, and members who replace an awaited player.

Source: `docs/tournaments.md` 2.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bot.clocks.clock import HOUR, MINUTE
from bot.i18n import words
from bot.tournaments.event.match_state import MatchState
from bot.tournaments.event.plan import Duplicate
from bot.tournaments.event.refusals import TournamentCode
from bot.tournaments.event.tournament import Audience, Tournament
from bot.tournaments.export.document import tournament_document
from bot.tournaments.export.sheets import csv_sheets
from bot.tournaments.format_traits import FormatKind
from bot.tournaments.match_ratings import _matches_with_final_results
from cogs.tournament.page.page import page_html
from tests.support.tournaments import (
    Evening,
    news_codes,
    open_evening,
    pairs,
    refusal_of,
    rules_with_endless_deals,
    usual_plan,
)

CY, DEE, EVE = 101, 102, 103
"""People who are asked to be regulars."""


async def ask_regular(evening: Evening, tournament_number: int, inviter: int, regular: int) -> Tournament:
    return await evening.events.entering.ask_regular(
        evening.caller(inviter), tournament_number, regular=regular, name=f"P{regular}"
    )


async def add_regulars(evening: Evening, tournament_number: int, inviter: int, *regulars: int) -> Tournament:
    """Let these people become regulars of the entry of person `inviter`; return the tournament."""
    for one in regulars:
        await ask_regular(evening, tournament_number, inviter, one)
        await evening.events.entering.answer_regular_invitation(evening.caller(one), tournament_number, yes=True)
    return await evening.events.overview.get_tournament(tournament_number)


async def open_cup(evening: Evening, **chosen: Any) -> int:
    """Publish a cup of pairs with at most two regulars each, and enter two pairs; return its number."""
    number = (
        await evening.publish(usual_plan(**{"kind": FormatKind.ROUND_ROBIN, "cycles": 2, "regulars": 2, **chosen}))
    ).id
    for pair in pairs(2):
        await evening.enter(number, pair)
    return number


async def call_first_round(evening: Evening, tournament_number: int, present: tuple[int, ...]) -> Tournament:
    """Check these people in and call the first round; return the tournament."""
    tournament = await evening.events.overview.get_tournament(tournament_number)
    await evening.advance_to(tournament.plan.starts_at - tournament.plan.check_in_from)
    await evening.check_in(tournament_number, present)
    await evening.advance_to(tournament.plan.starts_at - tournament.plan.check_in_until)
    tournament = await evening.events.overview.get_tournament(tournament_number)
    await evening.advance_to(tournament.rounds[-1].call_at)
    await evening.give_matches_channels(tournament_number)
    await evening.wait_until_idle()
    return await evening.events.overview.get_tournament(tournament_number)


async def play_until_turn_of_absent(evening: Evening, tournament_number: int, match: MatchState, person: int) -> None:
    """Play until it is the turn of this person, who alone has not arrived at the table."""
    for one in match.seats:
        if one not in (person, None):
            await evening.events.entering.mark_arrived(one or 0, tournament_number, match.id)
    await evening.wait_until_idle()
    for _ in match.seats:
        match_state = (await evening.events.overview.get_tournament(tournament_number)).match(match.id)
        if not match_state.turns:
            await evening.play_idle_turn(match_state.tables[0].table)
    match_state = (await evening.events.overview.get_tournament(tournament_number)).match(match.id)
    assert [person] == [match_state.seats[one.seat] for one in match_state.turns]


async def test_a_person_becomes_a_regular_by_saying_yes(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await open_cup(evening)
        view = await ask_regular(evening, number, 1, CY)
        assert (Audience.PERSONS, (CY,)) == (view.news[-1].audience, view.news[-1].persons)
        assert () == view.entrants[0].regulars
        view = await evening.events.entering.answer_regular_invitation(evening.caller(CY), number, yes=True)
        assert (CY,) == view.entrants[0].regulars
        view = await ask_regular(evening, number, 2, DEE)
        full = (TournamentCode.REGULARS_FULL, {"most": 2})
        assert full == await refusal_of(ask_regular(evening, number, 1, EVE)), "a question counts until it is answered"
        view = await evening.events.entering.answer_regular_invitation(evening.caller(DEE), number, yes=False)
        assert "regular_declined" == view.news[-1].code
        again = evening.events.entering.answer_regular_invitation(evening.caller(DEE), number, yes=True)
        assert TournamentCode.NOT_ASKED is (await refusal_of(again))[0]


async def test_a_person_who_is_silent_or_enters_elsewhere_does_not_become_a_regular(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await open_cup(evening, starts_at=evening.clock.now() + 100 * HOUR, partner_answer=2 * HOUR)
        await ask_regular(evening, number, 1, CY)
        await ask_regular(evening, number, 1, DEE)
        await evening.enter(number, (DEE, EVE))
        view = await evening.events.overview.get_tournament(number)
        assert [CY] == [one.person for one in view.entrants[0].asked]
        await evening.pass_time(2 * HOUR)
        view = await evening.events.overview.get_tournament(number)
        assert () == view.entrants[0].asked
        assert 2 == news_codes(view).count("regular_declined")


async def test_a_regular_is_in_no_other_entry(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await open_cup(evening)
        await add_regulars(evening, number, 1, CY)
        elsewhere = evening.events.entering.enter(evening.caller(CY), number, partners={EVE: "Eve"})
        assert (TournamentCode.ALREADY_ENTERED, {"entry": 1}) == await refusal_of(elsewhere)
        assert TournamentCode.ALREADY_ENTERED is (await refusal_of(ask_regular(evening, number, 3, CY)))[0]
        assert TournamentCode.ALREADY_ENTERED is (await refusal_of(ask_regular(evening, number, 3, 1)))[0]
        await evening.events.entering.leave(evening.caller(CY), number)
        view = await add_regulars(evening, number, 3, CY)
        assert [(), (CY,)] == [one.regulars for one in view.entrants], "who never played for it is free"


async def test_a_tournament_that_draws_partners_has_no_regulars(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = (await evening.publish(usual_plan(drawn=True, regulars=2))).id
        await evening.enter(number, (1,))
        assert (TournamentCode.NO_REGULARS, {}) == await refusal_of(ask_regular(evening, number, 1, CY))


async def test_the_lineup_plays_and_stays_for_the_next_round(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await open_cup(evening)
        await add_regulars(evening, number, 1, CY)
        entering = evening.events.entering
        wrong = entering.set_lineup(evening.caller(1), number, players=[1, 3])
        assert (TournamentCode.LINEUP_WRONG, {"needed": 2, "given": 2}) == await refusal_of(wrong)
        view = await entering.set_lineup(evening.caller(CY), number, players=[CY, 2])
        assert (CY, 2) == view.entrants[0].players, "any member sets it, and who stays keeps the seat"
        view = await call_first_round(evening, number, (CY, 2, 3, 4))
        assert {CY, 2, 3, 4} == set(view.matches[0].seats)
        view = await entering.set_lineup(evening.caller(2), number, players=[1, CY])
        assert {CY, 2, 3, 4} == set(view.matches[0].seats), "a match that is called keeps its players"
        assert () == tuple(one for one in view.entrants if one.substituted), "a regular is no substitute"
        await evening.play_called_matches(number)
        view = await evening.call_next_round(number)
        assert {1, CY, 3, 4} == {one for match in view.matches_of(2) for one in match.seats}
        await evening.play_called_matches(number)
        view = await evening.play_all_rounds(number)
        games = [game for _, game in _matches_with_final_results(view) if game is not None]
        seats = [[one for side in game.sides for one in side.seats] for game in games]
        assert all(any(CY == person for one in those for person, _ in one.persons) for those in seats), "rated"


async def test_a_regular_takes_an_awaited_seat_and_plays_at_once(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await open_cup(evening, rules=rules_with_endless_deals())
        await add_regulars(evening, number, 1, CY)
        await add_regulars(evening, number, 3, DEE)
        view = await call_first_round(evening, number, (1, 2, 3, 4))
        match = view.matches[0]
        stand_in = evening.events.entering.take_over_seat
        table = match.tables[0].table
        await play_until_turn_of_absent(evening, number, match, 1)
        for one in (DEE, 4, EVE):
            wrong = await refusal_of(stand_in(evening.caller(one), number, match.id))
            assert (TournamentCode.NOT_REGULAR, {}) == wrong
        view = await stand_in(evening.caller(CY), number, match.id)
        assert {CY, 2, 3, 4} == set(view.matches[0].seats)
        assert "stood_in" == view.news[-1].code
        await evening.wait_until_idle()
        seats = (await evening.world.service.reading.snapshot(table)).seats
        assert {CY, 2, 3, 4} == {one.person for one in seats}, "the seat changes hands at once"
        nobody = await refusal_of(stand_in(evening.caller(1), number, match.id))
        assert (TournamentCode.NOBODY_AWAITED, {"match": match.id}) == nobody
        busy = await refusal_of(evening.events.entering.leave(evening.caller(CY), number))
        assert (TournamentCode.REGULAR_SITS, {"match": match.id}) == busy
        await evening.pass_time(30 * MINUTE)
        assert "no_show" not in news_codes(await evening.events.overview.get_tournament(number))


async def test_a_person_who_has_played_as_a_regular_belongs_to_the_entry(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await open_cup(evening)
        await add_regulars(evening, number, 1, CY)
        await evening.events.entering.set_lineup(evening.caller(1), number, players=[CY, 2])
        await call_first_round(evening, number, (CY, 2, 3, 4))
        await evening.play_called_matches(number)
        view = await evening.events.entering.leave(evening.caller(CY), number)
        assert ((), (CY,), (1, 2)) == (view.entrants[0].regulars, view.entrants[0].former, view.entrants[0].players)
        assert TournamentCode.WAS_IN_ENTRY is (await refusal_of(ask_regular(evening, number, 3, CY)))[0]
        view = await add_regulars(evening, number, 1, CY)
        assert ((CY,), ()) == (view.entrants[0].regulars, view.entrants[0].former)
        view = await evening.events.entering.withdraw_person(number, CY)
        assert ((), (CY,)) == (view.entrants[0].regulars, view.entrants[0].former), "the entry plays on without them"
        assert view.entrants[0].is_active
        made = tournament_document(await evening.events.exports.export_input_of(view))
        assert [[str(CY)], []] == [one["regulars"] for one in made["entries"]]
        assert f",P{CY}" in csv_sheets(made)["entries.csv"]
        html = page_html(words(), await evening.events.exports.export_input_of(view), {})
        assert "<p>Regulars: " in html
        assert f"<bdi>P{CY}</bdi>" in html


async def test_a_regular_of_a_removed_entry_is_refused_as_its_players_are(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await open_cup(evening)
        await add_regulars(evening, number, 1, CY)
        await evening.events.desk_entries.remove_entry(evening.director, number, 1)
        assert (TournamentCode.WAS_REMOVED, {"own": 0}) == await refusal_of(ask_regular(evening, number, 3, CY))
        assert (TournamentCode.WAS_REMOVED, {"own": 0}) == await refusal_of(ask_regular(evening, number, 3, 1))


async def test_a_regular_who_has_seen_the_board_does_not_play_it(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        plan = usual_plan(
            kind=FormatKind.DUPLICATE,
            duplicate=Duplicate(boards=3, in_a_round=1),
            regulars=1,
            rules=rules_with_endless_deals(),
        )
        number = (await evening.publish(plan)).id
        for pair in pairs(4):
            await evening.enter(number, pair)
        view = await call_first_round(evening, number, tuple(range(1, 9)))
        match = next(one for one in view.matches_of(1) if 1 in one.seats)
        other = next(one for one in view.matches_of(1) if one is not match)
        for person, name in ((CY, "Knows"), (EVE, "Stays")):
            await evening.events.desk.substitute(evening.director, number, other.id, seat=0, person=person, name=name)
            await evening.wait_until_idle()
        await add_regulars(evening, number, 1, CY)
        await play_until_turn_of_absent(evening, number, match, 1)
        knows = await refusal_of(evening.events.entering.take_over_seat(evening.caller(CY), number, match.id))
        assert (TournamentCode.SUBSTITUTE_KNOWS, {"board": 1}) == knows
