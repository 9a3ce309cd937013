"""Duplicate on Discord (`docs/tournaments.md` 1.3): sealed results, open boards, threads."""

from __future__ import annotations

import re
import shlex
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.clocks.clock import MINUTE
from bot.tournaments.event.match_state import MatchState
from bot.tournaments.event.plan import BoardScoring, Duplicate
from bot.tournaments.event.tournament import Tournament
from bot.tournaments.format_traits import FormatKind
from tests.support.discord import all_components, controls, text_of
from tests.support.discord_tournaments import CupServer, cup_world

OPEN = "**Board 1 open**. North–South made "


@pytest.fixture
async def cup(tmp_path: Path) -> AsyncIterator[CupServer]:
    async with cup_world(tmp_path, people=8) as world:
        yield world


async def start_duplicate_tournament(cup: CupServer, duplicate: Duplicate) -> Tournament:
    """Start a duplicate of eight people, let time pass until its first round, and return it."""
    teams = duplicate.scoring is BoardScoring.VICTORY_POINTS
    await cup.publish(kind=FormatKind.DUPLICATE, duplicate=duplicate, drawn=not teams, rounds=None)
    tournaments = cup.discord.application.client.context.tournaments
    groups = [(0, 1, 2, 3), (4, 5, 6, 7)] if teams else [(place,) for place in range(8)]
    for first, *others in groups:
        partners = {cup.person(one).id: str(one) for one in others}
        await tournaments.entering.enter(cup.caller(cup.person(first)), 1, partners=partners)
        for one in others:
            await tournaments.entering.answer_partner_invitation(cup.caller(cup.person(one)), 1, yes=True)
    await cup.pass_time(30 * MINUTE)
    for place in range(8):
        await tournaments.entering.check_in(cup.caller(cup.person(place)), 1)
    await cup.pass_time(25 * MINUTE)
    await cup.pass_time(5 * MINUTE)
    return await cup.tournament()


def thread_messages(cup: CupServer, match: MatchState, room: int = 1) -> list[str]:
    """Return all messages in the thread of a match, or of one of its rooms."""
    found = next(one for one in cup.threads() if one.id == match.channel_of_room(room))
    return cup.public_texts(found)


async def test_a_table_sees_its_own_result_and_all_results_once_the_board_is_open(cup: CupServer) -> None:
    tournament = await start_duplicate_tournament(cup, Duplicate(boards=3, in_a_round=1))
    first, second = tournament.matches
    await cup.play_match(first)
    (own,) = [one for one in thread_messages(cup, first) if one.startswith("Board 1: ")]
    assert own.endswith(" Other results stay sealed (1 of 2 tables done).")
    made = (await cup.tournament()).match(first.id).played[0].scores
    net = made[0] - made[1]
    assert f" {net:+}".replace("-", "−") in own
    assert not any(one.startswith("Board 1: ") for one in thread_messages(cup, second))
    assert not any(OPEN in one for one in cup.public_texts())
    await cup.play_match(second)
    told = cup.message(OPEN)
    nets = sorted(one.played[0].scores[0] - one.played[0].scores[1] for one in (await cup.tournament()).matches_of(1))
    text = ", ".join((f"{one:+}" if one else "0").replace("-", "−") for one in reversed(nets))
    assert f"{OPEN}{text}." in text_of(told)
    assert any(one.endswith("All 2 tables are done.") for one in thread_messages(cup, first))
    assert {"t_compare", "t_shuffle"} == set(controls(told))


async def test_an_open_board_links_to_its_tables_and_its_shuffle_can_be_checked(cup: CupServer) -> None:
    tournament = await start_duplicate_tournament(cup, Duplicate(boards=3, in_a_round=1))
    for match in tournament.matches:
        await cup.play_match(match)
    told, ana = cup.message(OPEN), cup.person(0)
    compared = await ana.click(told, "t_compare")
    assert "Table 1: " in text_of(compared)
    assert "of 2 · IMPs" in text_of(compared)
    (menu,) = [one for one in all_components(compared) if "options" in one]
    tables = [match.tables[0].table for match in tournament.matches]
    assert [str(one) for one in tables] == [one["value"] for one in menu["options"]]
    game = await ana.choose(compared, "finished_game", str(tables[1]))
    assert {"finished_replay", "log"} <= set(controls(game))
    line = re.search(r"canasta-bot (verify .*)", text_of(await ana.click(told, "t_shuffle")))
    assert line is not None
    assert 0 == main(shlex.split(line[1]))


async def test_a_board_that_no_table_has_played_is_said_not_to_count(cup: CupServer) -> None:
    tournament = await start_duplicate_tournament(cup, Duplicate(boards=3, in_a_round=1))
    desk, vera = cup.discord.application.client.context.tournaments.desk, cup.organiser
    for match in tournament.matches:
        await desk.adjust_board(cup.caller(vera), 1, match.id, board=1, sides=(), reason="wrong minimum")
    await cup.wait_until_idle()
    compared = await cup.person(0).click(cup.message("Board 1 open"), "t_compare")
    assert text_of(compared).endswith("No table has played this board, so it does not count.")


async def test_a_match_of_teams_has_a_thread_for_each_room(cup: CupServer) -> None:
    duplicate = Duplicate(boards=1, in_a_round=1, scoring=BoardScoring.VICTORY_POINTS)
    (match,) = (await start_duplicate_tournament(cup, duplicate)).matches
    first, second = cup.threads()
    assert (match.place, match.second_place) == (first.id, second.id)
    for room, thread in ((1, first), (2, second)):
        (table,) = [one.table for one in match.tables if one.room == room]
        assert thread.id == (await cup.discord.snapshot(table)).thread
        call = cup.message("Round 1, table 1: ", channel=thread)
        here, there = match.seats[4 * (room - 1) : 4 * room], match.seats[8 - 4 * room : 12 - 4 * room]
        assert all(f"<@{one}>" in text_of(call) for one in here)
        assert not any(f"<@{one}>" in text_of(call) for one in there)
    tournaments = cup.discord.application.client.context.tournaments
    for person in match.seats[:4]:
        await tournaments.entering.mark_arrived(person or 0, 1, match.id)
    await cup.pass_time(5 * MINUTE)
    assert any("wait for" in one for one in cup.public_texts(second))
    assert not any("wait for" in one for one in cup.public_texts(first))
