"""An evening of a director, as all people see it (`docs/tournaments.md` 1.5; 9, 6)."""

from __future__ import annotations

from bot.clocks.clock import MINUTE
from bot.tournaments.event.counted_results import course_of
from bot.tournaments.event.match_state import MatchState
from bot.tournaments.event.tournament import Tournament
from bot.tournaments.standings.rows import standings
from tests.cogs.tournament_desk.conftest import Desk
from tests.support.discord import Message, all_components, controls, labels, text_of

WON = [(500, 300), (200, 150)]
LOST = [(100, 300), (200, 450)]


def match_at_table(tournament: Tournament, table: int) -> MatchState:
    turn = tournament.current_round
    assert turn is not None
    return next(one for one in tournament.matches_of(turn.number) if one.table == table)


def thread_text(desk: Desk, match: MatchState) -> str:
    """Return all messages in the thread of a match."""
    thread = next(one for one in desk.cup.threads() if one.id == match.place)
    return "\n".join(desk.cup.public_texts(thread))


def channel_text(desk: Desk) -> str:
    """Return all messages in the tournament's channel."""
    return "\n".join(desk.cup.public_texts())


def direct_messages(desk: Desk) -> list[Message]:
    """Return the director's direct messages."""
    return list(desk.vera.actor.user.dm_channel.history())


def control_id(message: Message, action: str, *rest: object) -> str:
    """Return the id of the control with that action whose argument has these parts."""
    ids = [str(one["custom_id"]) for one in all_components(message) if "custom_id" in one]
    wanted = ".".join(str(one) for one in rest)
    return next(one for one in ids if one.split(":")[3:] == [action, wanted])


async def test_a_table_waits_for_a_missing_player_and_then_forfeits(desk: Desk) -> None:
    await desk.evening.draw_first_round()
    match = match_at_table(await desk.evening.begin_round(), 1)
    missing = match.seats[0]
    assert missing is not None
    name = (await desk.evening.tournament()).names[missing]
    for one in (await desk.evening.tournament()).matches:
        await desk.evening.mark_players_as_arrived(one, missing)
    await desk.evening.advance_and_ring_alarms(5 * MINUTE)
    assert f"Round 1, table 1: we wait for <@{missing}> until <t:" in thread_text(desk, match)
    letter = next(one for one in direct_messages(desk) if "wait for" in text_of(one))
    assert ["Substitute", "Wait 5", "Forfeit"] == labels(letter)
    shown = await desk.vera.actor.user.click(letter, custom_id=controls(letter)["desk_wait"]["custom_id"])
    assert "Five more minutes." in text_of(shown.response)
    await desk.evening.advance_and_ring_alarms(5 * MINUTE)
    assert match_at_table(await desk.evening.tournament(), 1).result is None
    await desk.evening.advance_and_ring_alarms(5 * MINUTE)
    result = match_at_table(await desk.evening.tournament(), 1).result
    assert result is not None
    assert (0,) == result.forfeited
    assert f"Round 1, table 1: forfeit, {name} did not come." in channel_text(desk)


async def test_a_round_with_a_wrong_setting_is_played_again(desk: Desk) -> None:
    await desk.evening.draw_first_round()
    await desk.evening.begin_round()
    await desk.fill_form(await desk.open_page("desk_round"), "desk_void_round", reason="the target was wrong")
    await desk.evening.begin_round()
    assert "Round 1 is void: the target was wrong. It is played again." in channel_text(desk)
    assert 4 == len(desk.cup.threads())


async def test_a_dispute_is_a_case_that_the_ruling_closes_for_all_four(desk: Desk) -> None:
    await desk.evening.draw_first_round()
    match = match_at_table(await desk.evening.begin_round(), 1)
    caller = match.seats[0]
    assert caller is not None
    await desk.evening.service.entering.call_director(
        desk.evening.caller(caller), desk.evening.number, match.id, text="He counted twice"
    )
    await desk.evening.wait_until_idle()
    assert "Case 1 is open; play on." in thread_text(desk, match)
    letter = next(one for one in direct_messages(desk) if "calls a director" in text_of(one))
    shown = (await desk.vera.actor.user.click(letter, custom_id=controls(letter)["desk_case"]["custom_id"])).response
    assert "He counted twice" in text_of(shown)
    page = await desk.vera.choose(await desk.open_page("desk_problems"), "desk_pick_case", "1")
    await desk.fill_form(page, "desk_answer", answer="The count stands.")
    await desk.evening.wait_until_idle()
    thread = next(one for one in desk.cup.threads() if one.id == match.place)
    ruling = next(one for one in desk.cup.messages(thread) if "Case 1: The count stands\\." in text_of(one))
    assert all(f"<@{one}>" in text_of(ruling) for one in match.seats), text_of(ruling)


async def test_an_adjusted_score_is_previewed_announced_and_undone_to_the_first_standings(desk: Desk) -> None:
    await desk.evening.draw_first_round()
    await desk.evening.begin_round()
    await desk.evening.finish_round(WON, LOST)
    await desk.evening.begin_round()
    before = await desk.evening.tournament()
    match = before.matches_of(1)[1]
    page = await desk.vera.choose(await desk.open_page("desk_match"), "desk_pick_round", "1")
    page = await desk.vera.choose(page, "desk_pick_match", str(match.id))
    preview = await desk.fill_form(page, "desk_adjust", scores="1300:300, 445:450", reason="wrong count in deal 2")
    assert "places" in text_of(preview)
    await desk.evening.wait_until_idle()
    await desk.discord.restart()
    desk.evening.service = desk.discord.application.client.context.tournaments
    await desk.vera.click(preview, "desk_do")
    await desk.evening.wait_until_idle()
    assert "Round 1, table 2 adjusted by Vera: wrong count in deal 2. 1745:750." in channel_text(desk)
    assert standings(course_of(before)) != standings(course_of(await desk.evening.tournament()))
    page = await desk.vera.choose(await desk.open_page("desk_log"), "desk_undo", "1")
    await desk.vera.click(page, "desk_undone")
    await desk.evening.wait_until_idle()
    after = await desk.evening.tournament()
    assert standings(course_of(before)) == standings(course_of(after))
    assert [one.sides for one in before.matches_of(2)] == [one.sides for one in after.matches_of(2)]
    assert "Rounds already called keep their pairings." in channel_text(desk)


async def test_a_directors_forfeit_names_the_side_and_the_reason(desk: Desk) -> None:
    await desk.evening.draw_first_round()
    match = match_at_table(await desk.evening.begin_round(), 1)
    page = await desk.vera.click(await desk.open_match_page(), "desk_forfeit")
    ways = control_id(page, "desk_forfeits", desk.evening.number, match.id, 0, "open")
    await desk.submit_form(await desk.vera.actor.click(page, custom_id=ways), reason="went home")
    await desk.evening.wait_until_idle()
    assert "Round 1, table 1: forfeit" in channel_text(desk)
    assert "went home" in channel_text(desk)
