"""Every page of the directors' desk: its content, who may open it, and what its actions do."""

from __future__ import annotations

import discord as library
import pytest

from bot.clocks.clock import HOUR, MINUTE
from bot.clocks.time_rules import DAY
from bot.tournaments.event import matches
from bot.tournaments.event.entries import EntryStage
from bot.tournaments.event.tournament import Stage, Tournament
from tests.cogs.tournament_desk.conftest import Desk
from tests.support.discord import (
    Message,
    all_components,
    controls,
    enabled_actions,
    labels,
    press_stale_control,
    text_of,
)

WON = [(500, 300), (200, 150)]
LOST = [(100, 300), (200, 450)]


async def end_of_wait_for_player(desk: Desk, match: int) -> int:
    """Return the instant until which the match waits for a missing player."""
    view = await desk.evening.tournament()
    turn = matches.awaited_turn(view, view.match(match))
    assert turn is not None
    return matches.no_show_deadline(view, turn)


async def test_only_directors_open_the_desk(desk: Desk) -> None:
    await desk.evening.draw_first_round()
    shown = await desk.open_desk()
    assert "Director's desk: Friday cup" in text_of(shown)
    assert ["Round", "Match", "Entry", "Announce", "Pause", "Problems 0", "Log"] == labels(shown)[:7]
    assert "You direct no tournament here." in text_of(await desk.open_desk(desk.cup.person(0)))


async def test_a_player_who_presses_a_directors_button_is_refused_in_words(desk: Desk) -> None:
    await desk.evening.draw_first_round()
    shown = await desk.open_desk()
    anna = desk.cup.person(0)
    other = await anna.run("help")
    refused = await press_stale_control(desk.discord, anna, other, controls(shown)["desk_pause"]["custom_id"])
    assert "director" in text_of(refused)
    assert not (await desk.evening.tournament()).is_paused


async def test_a_moderator_may_direct(desk: Desk) -> None:
    await desk.evening.draw_first_round()
    role = desk.discord.world.server.create_role("Keeper", permissions=library.Permissions(manage_guild=True))
    keeper = desk.add_person("Keeper", roles=[role])
    shown = await desk.open_desk(keeper)
    assert ["Step in"] == labels(shown)
    inside = await keeper.click(shown, "desk_step_in")
    assert "Director's desk" in text_of(inside)
    assert keeper.id in (await desk.evening.tournament()).directors
    log = await desk.open_page("desk_log")
    assert "Keeper: stepped in as a moderator" in text_of(log)


async def test_the_page_of_a_running_round_names_its_open_tables_and_offers_no_draw(desk: Desk) -> None:
    await desk.evening.draw_first_round()
    tournament = await desk.evening.begin_round()
    await desk.evening.finish_match(tournament.matches_of(1)[0].id, *WON)
    shown = await desk.open_page("desk_round")
    assert "Open: table 2." in text_of(shown)
    assert "The next round is drawn once table 2 has a result." in text_of(shown)
    assert {"desk_repair", "desk_by_hand", "desk_void_round", "desk_cancel", "desk"} == enabled_actions(shown)


async def test_a_round_is_paired_by_hand_and_omitted_entries_are_named(desk: Desk) -> None:
    await desk.evening.draw_first_round()
    shown = await desk.open_page("desk_round")
    refused = await desk.fill_form(shown, "desk_by_hand", pairing="1-2, 3")
    assert "4 \\(Gus & Hal\\)" in text_of(refused)
    after = await desk.fill_form(refused, "desk_by_hand", pairing="1-4\n2-3")
    assert "Paired again." in text_of(after)
    sides = {
        frozenset(entry for side in one.sides for entry in side)
        for one in (await desk.evening.tournament()).matches_of(1)
    }
    assert {frozenset({1, 4}), frozenset({2, 3})} == sides
    assert "I cannot read “Ana” as entries" in text_of(await desk.fill_form(after, "desk_by_hand", pairing="Ana, Ben"))


async def test_a_wrong_setting_makes_a_round_void_and_it_is_played_again(desk: Desk) -> None:
    await desk.evening.draw_first_round()
    await desk.evening.begin_round()
    shown = await desk.open_page("desk_round")
    after = await desk.fill_form(shown, "desk_void_round", reason="the target was wrong")
    assert "The round is void and played again." in text_of(after)
    assert ["the target was wrong"] == await desk.news_texts("round_void")
    tournament = await desk.evening.begin_round()
    assert [True, True, False, False] == [one.voided for one in tournament.matches]


async def test_a_drawn_round_is_postponed_and_a_tournament_cancelled(desk: Desk) -> None:
    tournament = await desk.evening.draw_first_round()
    assert tournament.current_round is not None
    before = tournament.current_round.call_at
    shown = await desk.fill_form(await desk.open_page("desk_round"), "desk_postpone", time="10 min")
    assert "Postponed." in text_of(shown)
    after = await desk.evening.tournament()
    assert after.current_round is not None
    assert before + 10 * MINUTE == after.current_round.call_at
    gone = await desk.fill_form(shown, "desk_cancel", reason="the hall is locked")
    assert "Cancelled." in text_of(gone)
    assert Stage.CANCELLED is (await desk.evening.tournament()).stage
    assert ["the hall is locked"] == await desk.news_texts("cancelled")


async def test_a_director_announces_pauses_and_resumes(desk: Desk) -> None:
    await desk.evening.draw_first_round()
    shown = await desk.fill_form(await desk.open_desk(), "desk_announce", text="Pizza is here.")
    assert ["Pizza is here."] == await desk.news_texts("announcement")
    paused = await desk.vera.click(shown, "desk_pause")
    assert "Paused since" in text_of(paused)
    assert (await desk.evening.tournament()).is_paused
    going = await desk.vera.click(paused, "desk_resume")
    assert "It goes on." in text_of(going)
    assert not (await desk.evening.tournament()).is_paused


async def test_in_a_slow_tournament_a_table_waits_a_day_longer(desk: Desk) -> None:
    await desk.evening.draw_first_round(live=False, round_time=10 * DAY)
    match = (await desk.evening.begin_round()).matches_of(1)[0]
    await desk.evening.mark_players_as_arrived(match, match.seats[0] or 0)
    await desk.evening.advance_and_ring_alarms(48 * HOUR)
    shown = await desk.open_match_page()
    assert "Wait a day" in labels(shown)
    before = await end_of_wait_for_player(desk, match.id)
    assert "One more day." in text_of(await desk.vera.click(shown, "desk_wait"))
    after = await end_of_wait_for_player(desk, match.id)
    assert 24 * HOUR == after - before


async def test_a_no_show_is_waited_for_and_then_forfeits(desk: Desk) -> None:
    """Table 1 waits for Cy (`docs/tournaments.md` 1.5)."""
    await desk.evening.draw_first_round()
    tournament = await desk.evening.begin_round()
    match = tournament.matches_of(1)[0]
    cy = match.seats[0]
    assert cy is not None
    await desk.evening.mark_players_as_arrived(match, cy)
    await desk.evening.advance_and_ring_alarms(5 * MINUTE)
    shown = await desk.open_match_page()
    assert "Waiting for" in text_of(shown)
    assert ["Substitute", "Wait 5", "Forfeit", "Extend"] == labels(shown)[:4]
    waited = await desk.vera.click(shown, "desk_wait")
    assert "Five more minutes." in text_of(waited)
    assert [2] == [one.waited for one in (await desk.evening.tournament()).match(match.id).turns]
    sides = await desk.vera.click(waited, "desk_forfeit")
    assert "Who forfeits?" in text_of(sides)
    side = f"{desk.evening.number}.{match.id}.0.open"
    answer = await desk.vera.actor.click(sides, custom_id=_control_id(sides, "desk_forfeits", side))
    over = await desk.submit_form(answer, reason="Cy did not come")
    assert "Forfeit:" in text_of(over)
    assert "Forfeit. By Vera: Cy did not come" in text_of(over)
    result = (await desk.evening.tournament()).match(match.id).result
    assert result is not None
    assert (0,) == result.forfeited


def _control_id(message: Message, action: str, argument: str) -> str:
    ids = [one["custom_id"] for one in all_components(message) if "custom_id" in one]
    return str(next(one for one in ids if one.split(":")[3:] == [action, argument]))


async def test_a_substitute_takes_a_seat_unless_already_playing(desk: Desk) -> None:
    await desk.evening.draw_first_round()
    tournament = await desk.evening.begin_round()
    match = tournament.matches_of(1)[0]
    seats = await desk.vera.click(await desk.open_match_page(), "desk_substitute")
    shown = await desk.vera.choose(seats, "desk_seat", "1")
    sub = desk.add_person("Zoe")
    custom_id = controls(shown)["desk_seated"]["custom_id"]
    done = await desk.vera.actor.select(shown, [sub.actor], custom_id=custom_id)
    after = (await desk.evening.tournament()).match(match.id)
    assert sub.id == after.seats[1]
    assert "A substitute plays." in text_of(done.response)
    again = await desk.vera.choose(await desk.vera.click(done.response, "desk_substitute"), "desk_seat", "2")
    custom_id = controls(again)["desk_seated"]["custom_id"]
    refused = await desk.vera.actor.select(again, [sub.actor], custom_id=custom_id)
    assert after.seats == (await desk.evening.tournament()).match(match.id).seats
    assert "desk_substitute" in controls(refused.response)


async def test_a_live_match_can_be_extended_again_and_again(desk: Desk) -> None:
    await desk.evening.draw_first_round()
    tournament = await desk.evening.begin_round()
    match = tournament.matches_of(1)[0]
    before = match.due
    shown = await desk.fill_form(await desk.open_match_page(), "desk_extend", time="10")
    assert "Extended." in text_of(shown)
    shown = await desk.fill_form(shown, "desk_extend", time="5 min")
    assert before is not None
    assert before + 15 * MINUTE == (await desk.evening.tournament()).match(match.id).due
    assert "I cannot read “a bit” as a length of time" in text_of(
        await desk.fill_form(shown, "desk_extend", time="a bit")
    )


async def test_a_match_that_is_over_is_adjusted_after_its_consequences_were_read(desk: Desk) -> None:
    """The preview comes before the ruling with its reason (`docs/tournaments.md` 1.5)."""
    await desk.evening.draw_first_round()
    await desk.evening.begin_round()
    await desk.evening.finish_round(WON, LOST)
    await desk.evening.begin_round()
    round_one = (await desk.evening.tournament()).matches_of(1)
    match = round_one[1]
    page = await desk.vera.choose(await desk.open_page("desk_match"), "desk_pick_round", "1")
    page = await desk.vera.choose(page, "desk_pick_match", str(match.id))
    assert "Deal 1: 100:300" in text_of(page)
    assert "Total 300:750" in text_of(page)
    preview = await desk.fill_form(page, "desk_adjust", scores="1300:300, 200:450", reason="wrong count in deal 1")
    text = text_of(preview)
    assert "beats" in text
    assert "places" in text
    assert "Rounds already called keep their pairings." in text
    assert () == (await desk.evening.tournament()).rulings
    done = await desk.vera.click(preview, "desk_do")
    assert "Adjusted." in text_of(done)
    assert "Deal 1: 1300:300 (played 100:300)" in text_of(done)
    (ruling,) = (await desk.evening.tournament()).rulings
    assert ("wrong count in deal 1", ((1300, 300), (200, 450))) == (ruling.reason, ruling.scores)


async def test_a_director_rules_points_without_scores_a_later_forfeit_and_a_void_match(desk: Desk) -> None:
    await desk.evening.draw_first_round()
    await desk.evening.begin_round()
    await desk.evening.finish_round(WON, LOST)
    match = (await desk.evening.tournament()).matches_of(1)[0]
    page = await desk.vera.choose(await desk.open_page("desk_match"), "desk_pick_round", "1")
    page = await desk.vera.choose(page, "desk_pick_match", str(match.id))
    page = await desk.vera.click(await desk.fill_form(page, "desk_points", points="0:2", reason="agreed"), "desk_do")
    page = await desk.vera.click(await desk.fill_form(page, "desk_void", reason="wrong cards"), "desk_do")
    sides = await desk.vera.click(page, "desk_forfeit")
    argument = f"{desk.evening.number}.{match.id}.0.over"
    answer = await desk.vera.actor.click(sides, custom_id=_control_id(sides, "desk_forfeits", argument))
    page = await desk.vera.click(await desk.submit_form(answer, reason="left early"), "desk_do")
    assert "Forfeit." in text_of(page)
    assert ["points", "void", "forfeit"] == [one.what.value for one in (await desk.evening.tournament()).rulings]


async def test_an_outdated_action_is_not_done_and_the_fresh_page_is_shown(desk: Desk) -> None:
    """This is case 40 of `docs/tournaments.md` 8."""
    await desk.evening.draw_first_round()
    await desk.evening.begin_round()
    await desk.evening.finish_round(WON, LOST)
    tom = desk.add_person("Tom")
    await desk.evening.service.desk_entries.add_director(
        desk.evening.caller(), desk.evening.number, person=tom.id, name="Tom"
    )
    match = (await desk.evening.tournament()).matches_of(1)[0]
    page = await desk.vera.choose(await desk.open_page("desk_match"), "desk_pick_round", "1")
    page = await desk.vera.choose(page, "desk_pick_match", str(match.id))
    preview = await desk.fill_form(page, "desk_void", reason="one")
    first = await tom.choose(await tom.click(await desk.open_desk(tom), "desk_match"), "desk_pick_round", "1")
    first = await tom.choose(first, "desk_pick_match", str(match.id))
    answer = await tom.actor.click(first, custom_id=controls(first)["desk_void"]["custom_id"])
    sent = await tom.actor.submit_modal(answer, {"reason": "two"})
    await tom.click(sent.response, "desk_do")
    late = await desk.vera.click(preview, "desk_do")
    assert "Another director has acted here since, so nothing was done." in text_of(late)
    assert "two" in text_of(late)
    assert ["two"] == [one.reason for one in (await desk.evening.tournament()).rulings]


async def test_a_director_rules_penalties_removals_returns_and_seeds(desk: Desk) -> None:
    await desk.evening.draw_first_round()
    entries = await desk.open_page("desk_entry")
    seeded = await desk.fill_form(entries, "desk_seeds", order="4 3 2 1")
    assert "Seeded." in text_of(seeded)
    assert 1 == (await desk.evening.tournament()).entrant(4).rank
    page = await desk.vera.choose(seeded, "desk_pick_entry", "1")
    custom_id = controls(page)["desk_penalty"]["custom_id"]
    assert 25 == len(controls(page)["desk_penalty"]["options"])
    answer = await desk.vera.actor.select(page, ["late.3"], custom_id=custom_id)
    page = await desk.submit_form(answer, reason="twelve minutes")
    assert "late, level 3 (one point): twelve minutes" in text_of(page)
    page = await desk.vera.click(page, "desk_remove")
    assert EntryStage.REMOVED is (await desk.evening.tournament()).entrant(1).stage
    page = await desk.vera.click(page, "desk_bring_back")
    assert EntryStage.PLAYING is (await desk.evening.tournament()).entrant(1).stage


async def test_a_director_appoints_another_director(desk: Desk) -> None:
    await desk.evening.enter_all_pairs()
    tom = desk.add_person("Tom")
    page = await desk.open_page("desk_directors")
    done = await desk.vera.actor.select(page, [tom.actor], custom_id=controls(page)["desk_named"]["custom_id"])
    assert "- Tom" in text_of(done.response)
    assert tom.id in (await desk.evening.tournament()).directors


async def test_a_dispute_becomes_a_case_and_the_ruling_goes_to_all_four(desk: Desk) -> None:
    await desk.evening.draw_first_round()
    tournament = await desk.evening.begin_round()
    first = desk.evening.people[0]
    await desk.evening.service.entering.call_director(
        desk.evening.caller(first), desk.evening.number, _match_number_of(tournament, first), text="He counted twice"
    )
    home = await desk.open_desk()
    assert "Problems 1" in labels(home)
    page = await desk.vera.choose(await desk.vera.click(home, "desk_problems"), "desk_pick_case", "1")
    assert "He counted twice" in text_of(page)
    assert "In deal 1." in text_of(page)
    record = await desk.vera.click(page, "desk_record")
    assert "Hands are shown once the deal is finished." in text_of(record)
    page = await desk.vera.choose(await desk.open_page("desk_problems"), "desk_pick_case", "1")
    ruled = await desk.fill_form(page, "desk_answer", answer="The count stands.")
    assert "Vera has ruled: The count stands\\." in text_of(ruled)
    news = next(one for one in (await desk.evening.tournament()).news if one.code == "case_answered")
    assert set((await desk.evening.tournament()).match(_match_number_of(tournament, first)).seats) == set(news.persons)


def _match_number_of(tournament: Tournament, person: int) -> int:
    return next(one.id for one in tournament.matches if person in one.seats)


async def test_players_cannot_open_the_directors_cases_hands_or_lists(desk: Desk) -> None:
    anna = desk.cup.person(0)
    await desk.evening.draw_first_round()
    tournament = await desk.evening.begin_round()
    await desk.evening.service.desk_entries.add_director(
        desk.evening.caller(), desk.evening.number, person=anna.id, name="Ana"
    )
    await desk.evening.service.entering.call_director(
        desk.evening.caller(anna.id), desk.evening.number, _match_number_of(tournament, anna.id), text="secret"
    )
    home = await desk.open_desk(anna)
    assert "desk_lists" not in enabled_actions(home)
    page = await anna.click(home, "desk_problems")
    assert "so cases go to Vera" in text_of(page)
    assert "secret" not in text_of(page)
    vera_page = await desk.vera.click(await desk.open_desk(), "desk_problems")
    forced = await press_stale_control(
        desk.discord, anna, page, controls(vera_page)["desk_pick_case"]["custom_id"], "1"
    )
    assert "secret" not in text_of(forced)
    matches = await anna.click(await desk.open_desk(anna), "desk_match")
    own = await anna.choose(matches, "desk_pick_match", str(_match_number_of(tournament, anna.id)))
    assert "You play in this match: another director rules on it." in text_of(own)
    assert ["Back"] == labels(own)


async def test_the_log_lists_everything_and_undoes_rulings_with_their_consequences(desk: Desk) -> None:
    await desk.evening.draw_first_round()
    await desk.evening.begin_round()
    await desk.evening.finish_round(WON, LOST)
    await desk.evening.begin_round()
    match = (await desk.evening.tournament()).matches_of(1)[0]
    await desk.evening.service.desk.void_match(
        desk.evening.caller(), desk.evening.number, match.id, reason="wrong cards"
    )
    log = await desk.open_page("desk_log")
    assert "Vera: declared round 1, table 1 void (wrong cards)" in text_of(log)
    page = await desk.vera.choose(log, "desk_undo", "1")
    assert "Rounds already called keep their pairings." in text_of(page)
    assert "beats" in text_of(page)
    done = await desk.vera.click(page, "desk_undone")
    assert "Undone. Rounds already called keep their pairings." in text_of(done)
    assert [True] == [one.undone for one in (await desk.evening.tournament()).rulings]
    assert "desk_undo" not in controls(done)


async def test_the_page_of_unusual_plays_says_that_they_are_no_proof(desk: Desk) -> None:
    await desk.evening.draw_first_round()
    await desk.evening.begin_round()
    page = await desk.open_page("desk_lists")
    assert "They prove nothing" in text_of(page)
    assert 5 == text_of(page).count("mean 0.00")


@pytest.mark.parametrize("way", ["desk_round", "desk_entry", "desk_problems", "desk_log", "desk_directors"])
async def test_every_page_of_the_desk_has_a_button_back(desk: Desk, way: str) -> None:
    await desk.evening.draw_first_round()
    assert "Director's desk" in text_of(await desk.vera.click(await desk.open_page(way), "desk"))
