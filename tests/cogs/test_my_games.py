"""`/me games`: a person's tables, those that wait for the person first, and finished games."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from bot.clocks.time_rules import PRESETS, SeatClock
from bot.i18n import words
from bot.tables.state.clocks import Clocks, Conclusion, Pause, TableSettings
from bot.tables.state.snapshots import SeatHolder, TableSnapshot
from cogs.profile.games_of_a_person import PersonGame, finished_game_line, game_line, sort_by_urgency
from tests.store.test_stored_people import WON
from tests.support.discord import (
    Discord,
    all_components,
    conclude_game,
    control_arguments,
    controls,
    labels,
    press_stale_control,
    text_of,
)
from tests.support.engine_games import played_positions, table_snapshot

WORDS = words()
ME = 100
"""The person in seat 0 of a table look."""


def game_snapshot(**different: Any) -> TableSnapshot:
    return replace(table_snapshot(next(played_positions(1))), **different)


def table_waiting_for(seat: int, until: int, number: int) -> TableSnapshot:
    """Return a table with a daily clock that waits for that seat until an instant."""
    snapshot = game_snapshot()
    assert snapshot.view is not None
    return replace(
        snapshot,
        id=number,
        view=replace(snapshot.view, actor=seat),
        settings=TableSettings(clock=PRESETS["daily"]),
        clocks=Clocks((SeatClock(9),) * 4, owes=seat, until=until),
    )


def game_list_text(snapshot: TableSnapshot, server: str = "") -> str:
    return game_line(WORDS, PersonGame(snapshot, 0, "", server))


# --- texts ------------------------------------------------------------------------------------------------------------


def test_games_waiting_for_the_player_come_first_ordered_by_deadline() -> None:
    others, later, sooner, unhurried = (
        table_waiting_for(1, 5, 1),
        table_waiting_for(0, 90, 2),
        table_waiting_for(0, 40, 3),
        table_waiting_for(0, 0, 4),
    )
    unhurried = replace(unhurried, clocks=None)
    lobby = game_snapshot(id=5, view=None)
    ordered = sort_by_urgency((lobby, others, later, unhurried, sooner), ME)
    assert [3, 2, 4, 1, 5] == [snapshot.id for snapshot in ordered]


def test_a_line_shows_the_score_and_deadline_of_a_game() -> None:
    snapshot = table_waiting_for(0, 5_000_000, 7)
    assert snapshot.view is not None
    totals = (replace(snapshot.view.totals[0], score=1240), replace(snapshot.view.totals[1], score=980))
    snapshot = replace(snapshot, view=replace(snapshot.view, deal=3, totals=totals))
    assert "**Table 7** · Classic · deal 3 · 1,240 to 980 · **your turn** · until <t:5000:f>" == game_list_text(
        snapshot
    )
    assert "980 to 1,240" in game_line(WORDS, PersonGame(snapshot, 1, "", ""))
    assert "East's turn" in game_list_text(table_waiting_for(1, 5, 7))
    assert "Card Club" in game_list_text(snapshot, "Card Club")


def test_a_lone_players_game_is_kept_a_year_and_others_by_their_settings() -> None:
    computers = tuple(SeatHolder("computer", number=number) for number in (1, 2, 3))
    snapshot = game_snapshot()
    alone = replace(snapshot, seats=(snapshot.seats[0], *computers))
    assert "kept a year" in game_list_text(alone)
    assert "kept 30 days" in game_list_text(snapshot)
    assert "paused" in game_list_text(replace(snapshot, pause=Pause(1, 5, None)))


def test_a_finished_game_is_shown_with_its_result() -> None:
    assert "**Table 1** · Classic · won · 5,120 to 3,405 · 7 deals · <t:0:d>" == finished_game_line(WORDS, WON)
    ended = finished_game_line(WORDS, replace(WON, how="agreed", won=False, deals=1))
    assert "not won" in ended
    assert "1 deal ·" in ended
    assert "ended by agreement" in ended


# --- through Discord --------------------------------------------------------------------------------------------------


async def test_a_person_without_games_is_informed(discord: Discord) -> None:
    said = await discord.person(0).run("me games")
    assert said.ephemeral
    assert "You have no seat at any table" in text_of(said)


async def test_a_game_can_be_continued_from_the_list(discord: Discord) -> None:
    you = discord.person(0)
    await you.run("table new", computers=3)
    await you.run("table start")
    before = await discord.board()
    listed = await you.run("me games")
    assert "**your turn** · kept a year" in text_of(listed)
    panel = await you.click(listed, "play_on")
    assert "draw" in controls(panel)
    after = await discord.board()
    assert before.id != after.id


async def test_the_list_links_to_a_lobby(discord: Discord) -> None:
    you = discord.person(0)
    await you.run("table new")
    board = await discord.board()
    listed = await you.run("me games")
    assert "lobby, 3 seats free" in text_of(listed)
    (address,) = [one["url"] for one in all_components(listed) if "url" in one]
    assert address.endswith(f"/{board.id}")


async def test_many_games_are_shown_page_by_page(discord: Discord) -> None:
    you = discord.person(0)
    for person in (you, discord.person(1), discord.person(2)):
        for _ in range(3):
            await person.run("table new")
    for number in range(4, 10):
        await you.run("table join", table=str(number))
    listed = await you.run("me games")
    assert 8 == labels(listed).count("Show table")
    assert ["0", "2"] == control_arguments(listed, "games")
    turned = await you.press_exact_button(listed, "games", "2")
    assert "Table 9" in text_of(turned)
    assert "Table 8" not in text_of(turned)


async def test_finished_games_are_listed_with_their_results(discord: Discord) -> None:
    you = discord.person(0)
    listed = await you.run("me games", finished=True)
    assert "You have finished no game yet" in text_of(listed)
    await you.run("table new", computers=3)
    await you.run("table start")
    await conclude_game(discord, Conclusion("agreed", 1, (100, 310)))
    await you.run("table new")
    listed = await you.click(await you.run("me games"), "games_finished")
    assert "**Table 1** · Classic · not won · 100 to 310 · 0 deals · ended by agreement" in text_of(listed)
    assert "lobby" in text_of(await you.click(listed, "games"))


async def test_a_page_that_the_list_of_games_does_not_have_is_refused(discord: Discord) -> None:
    you = discord.person(0)
    listed = await you.run("me games")
    assert "out of date" in text_of(await press_stale_control(discord, you, listed, "cn:0:0:games:x"))
    assert "You have no seat at any table" in text_of(
        await press_stale_control(discord, you, listed, "cn:0:0:games:99")
    )
