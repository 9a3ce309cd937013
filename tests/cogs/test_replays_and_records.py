"""Looking back in Discord: logs, replays, records as files, finished games, deals played again."""

from __future__ import annotations

import json
import re

import pytest

from bot.tables.past.record_reading import read_record
from bot.tables.state.snapshots import ReplayedDeal, Status, TableSnapshot
from cogs.shared.reading.input_problems import InputCode
from tests.support.computer_choices import finish_deal_and_show, next_move, play_by_command
from tests.support.discord import Discord, Message, Person, enabled_actions, input_error_text, picture_captions, text_of


async def _play_deal_or_game(discord: Discord, you: Person, *, target: int | None = None) -> TableSnapshot:
    """Play a deal at a new table, or with a `target` a whole game; return the table."""
    await you.run("table new", computers=3, **({} if target is None else {"target": target}))
    await you.run("table start")
    while (snapshot := await finish_deal_and_show(discord)).status is Status.PLAYING and target is not None:
        await you.run("next")
    return snapshot


def _first_heading(message: Message) -> str:
    return text_of(message).split("\n")[0]


async def test_a_replay_is_shown_page_by_page(discord: Discord) -> None:
    you, watcher = discord.person(0), discord.person(1)
    await _play_deal_or_game(discord, you)
    page = await watcher.run("replay", table="1")
    assert page.ephemeral
    assert "### Table 1 · deal 1 · as it was dealt" == _first_heading(page)
    assert {"replay_first", "replay_back"}.isdisjoint(enabled_actions(page))
    page = await watcher.click(page, "replay_next")
    turns = int(_first_heading(page).rpartition(" ")[2])
    assert f"### Table 1 · deal 1 · Turn 1 of {turns}" == _first_heading(page)
    assert "Turn 1: " in text_of(page)
    (caption,) = picture_captions(page)
    assert 4 == sum(f"{name}: " in caption for name in _player_names(await discord.snapshot()))
    page = await watcher.click(page, "replay_last")
    assert f"### Table 1 · deal 1 · Turn {turns} of {turns}" == _first_heading(page)
    page = await watcher.click(page, "replay_back")
    assert f"Turn {turns - 1} of {turns}" in _first_heading(page)
    page = await watcher.fill_form(page, "replay_turn", "2")
    assert f"Turn 2 of {turns}" in _first_heading(page)
    page = await watcher.fill_form(page, "replay_turn", "999999")
    assert f"Turn {turns} of {turns}" in _first_heading(page)
    page = await watcher.click(page, "replay_first")
    assert "as it was dealt" in _first_heading(page)


def _player_names(snapshot: TableSnapshot) -> list[str]:
    return [holder.name if holder.kind == "person" else f"Computer {holder.number}" for holder in snapshot.seats]


async def test_a_replay_from_one_seat_shows_only_its_hand(discord: Discord) -> None:
    you = discord.person(0)
    snapshot = await _play_deal_or_game(discord, you)
    page = await you.run("replay", table="1", deal=1, turn=3)
    names = _player_names(snapshot)
    page = await you.click(page, "replay_seat")
    page = await you.choose(page, "replay_eyes", "1")
    (caption,) = picture_captions(page)
    assert [names[1]] == [name for name in names if f"{name}: " in caption]
    page = await you.click(page, "replay_next")
    assert "Turn 4 of" in _first_heading(page)
    assert [names[1]] == [name for name in names if f"{name}: " in picture_captions(page)[0]]
    page = await you.choose(await you.click(page, "replay_seat"), "replay_eyes", "all")
    assert 4 == sum(f"{name}: " in picture_captions(page)[0] for name in names)


async def test_a_page_of_a_replay_is_shown_to_everybody_without_its_buttons(discord: Discord) -> None:
    you = discord.person(0)
    await _play_deal_or_game(discord, you)
    page = await you.run("replay", table="1", turn=3)
    shown = await you.click(page, "replay_here")
    assert not shown.ephemeral
    assert _first_heading(page) == _first_heading(shown)
    assert set() == enabled_actions(shown)


async def test_text_only_readers_get_the_hands_in_words(discord: Discord) -> None:
    you = discord.person(0)
    snapshot = await _play_deal_or_game(discord, you)
    settings = await you.run("me settings")
    await you.choose(settings, "set_pictures", "text")
    page = await you.run("replay", table="1", turn=3)
    assert [] == picture_captions(page)
    assert all(f"{name}: " in text_of(page) for name in _player_names(snapshot))


async def test_a_deal_in_play_has_a_log_but_no_replay(discord: Discord) -> None:
    you = discord.person(0)
    await you.run("table new", computers=3)
    await you.run("table start")
    page = await you.run("replay", table="1")
    assert "The cards of deal 1 at table 1 are not shown" in text_of(page)
    assert "are not shown" in text_of(await you.run("record", table="1"))
    for _ in range(6):
        await play_by_command(you, next_move(await discord.game_state()))
    log = text_of(await you.run("table log", table="1"))
    assert "### Table 1 · deal 1" == log.split("\n")[0]
    assert re.search(r"^Turn \d+: .* drew, ", log, re.MULTILINE)
    assert not re.search(r"drew [^,.]*[♠♥♦♣]", log)


async def test_a_log_describes_each_turn_in_a_sentence(discord: Discord) -> None:
    you = discord.person(0)
    await _play_deal_or_game(discord, you)
    page = await you.click(await you.run("replay", table="1"), "replay_text")
    lines = text_of(page).split("\n")
    assert "### Table 1 · deal 1" == lines[0].partition(" · page")[0]
    assert lines[1].startswith("Turn 1: ")
    assert all(line.endswith(".") for line in lines[1:-1])


async def test_a_record_comes_as_two_files_that_can_be_checked(discord: Discord) -> None:
    you = discord.person(0)
    snapshot = await _play_deal_or_game(discord, you)
    answer = await you.run("record", table="1")
    assert answer.ephemeral
    told = {one.filename: await one.read() for one in answer.attachments}
    assert {"canasta-table-1.json", "canasta-table-1.txt"} == told.keys()
    record = read_record(told["canasta-table-1.json"].decode())
    assert snapshot.view is not None
    assert [result.scores for result in snapshot.view.results] == [deal.ended.scores for deal in record.deals]
    assert json.loads(told["canasta-table-1.json"])["result"] is None
    assert "Turn 1: " in told["canasta-table-1.txt"].decode()


async def test_a_deal_is_played_again_with_known_cards(discord: Discord) -> None:
    you, other = discord.person(0), discord.person(1)
    await _play_deal_or_game(discord, you)
    page = await other.run("replay", table="1", deal=1)
    said = await other.click(page, "replay_again")
    assert "Table 2 is open. Its first deal has the cards of deal 1 of table 1." in text_of(said)
    snapshot = await discord.snapshot(2)
    assert ReplayedDeal(1, 1) == snapshot.cards_of
    assert other.id == snapshot.host
    board = next(
        message
        for message in other.visible_messages()
        if "Deal 1 has the cards of deal 1 of table 1" in text_of(message)
    )
    assert not board.flags.ephemeral


async def test_a_position_of_a_replay_is_practised(discord: Discord) -> None:
    you, other = discord.person(0), discord.person(1)
    await _play_deal_or_game(discord, you)
    page = await other.run("replay", table="1", deal=1)
    page = await other.click(page, "replay_next")
    said = await other.click(page, "replay_practise")
    assert "Table 2 is open. It begins at this position of deal 1 of table 1" in text_of(said)
    snapshot = await discord.snapshot(2)
    assert (ReplayedDeal(1, 1), other.id) == (snapshot.cards_of, snapshot.host)
    assert 0 != snapshot.seat_of(other.id)
    page = await other.click(page, "replay_last")
    assert "replay_practise" not in enabled_actions(page)


async def test_finished_games_are_listed_and_open_their_replay_record_and_check(discord: Discord) -> None:
    you = discord.person(0)
    assert "No game has been finished" in text_of(await you.run("table list", finished=True))
    snapshot = await _play_deal_or_game(discord, you, target=500)
    assert snapshot.status is Status.FINISHED
    page = await you.run("table list", finished=True)
    assert "### One finished game in this server" == _first_heading(page)
    game = await you.choose(page, "finished_game", "1")
    assert {"finished_replay", "finished_record", "log", "sheet_text", "fair_check"} <= enabled_actions(game)
    replay = await you.click(game, "finished_replay")
    assert "### Table 1 · deal 1 · as it was dealt" == _first_heading(replay)
    record = await you.click(game, "finished_record")
    assert 2 == len(record.attachments)
    checked = await you.click(game, "fair_check")
    assert "canasta-bot verify" in text_of(checked)
    assert ["1"] == await you.suggestions("replay", "table")


@pytest.mark.parametrize("command", ["replay", "record", "table log"])
async def test_commands_about_a_table_say_if_there_is_no_table_in_the_channel(discord: Discord, command: str) -> None:
    answer = await discord.person(0).run(command)
    assert input_error_text(InputCode.NO_TABLE_HERE) == text_of(answer)
