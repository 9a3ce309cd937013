"""Proposals to everyone at a table: made by command or button, shown on the board and in panels."""

from __future__ import annotations

import logging
from itertools import count

import pytest

from bot.clocks.clock import HOUR
from bot.computer.player import player_for
from bot.engine.moves.phases import Phase
from bot.engine.play.building_views import seat_view
from bot.tables.state.proposals import ProposalKind
from bot.tables.state.snapshots import Caller, Status, TableSnapshot
from tests.support.computer_choices import next_move, play_by_command
from tests.support.discord import (
    Discord,
    Person,
    all_content_text,
    enabled_actions,
    labels,
    picture_captions,
    press_stale_control,
    text_of,
)
from tests.support.secrecy_watch import SecrecyWatch, cards_spelled_in

REQUESTS = count(10**17)


async def start_game(
    discord: Discord, persons: int, *, players: int | None = None, target: int | None = None, clock: str = "live"
) -> list[Person]:
    """Start a game of that many people and computer players, and return the people."""
    those = [discord.person(index) for index in range(persons)]
    options = {} if target is None else {"target": target}
    await those[0].run("table new", players=players or max(2, persons), clock=clock, **options)
    for person in those[1:]:
        await person.click(await discord.board(), "sit")
    await those[0].run("table start", fill=True)
    return those


async def play_deal(discord: Discord, players: list[Person]) -> TableSnapshot:
    """Let these people play the running deal to its end as computer players do; return the table."""
    player, tables = player_for("casual", 0), discord.application.tables
    while True:
        snapshot = await discord.snapshot()
        if snapshot.view is None or snapshot.view.phase in (Phase.BETWEEN, Phase.OVER):
            return snapshot
        seat, state = snapshot.view.actor, await discord.game_state()
        assert seat is not None
        person = next(one for one in players if one.id == snapshot.seats[seat].person)
        caller = Caller(person.id, "x", snapshot.guild, next(REQUESTS))
        await tables.play.act(caller, 1, player.choose(seat_view(state, seat)).step)


async def end_by_consent(discord: Discord, players: list[Person]) -> TableSnapshot:
    """Let these people end the game by consent in its second deal; return the table."""
    await play_deal(discord, players)
    await players[0].run("next")
    await players[0].run("table offer", what="end")
    await players[1].click(await discord.board(), "close_yes")
    return await discord.snapshot()


async def test_the_board_s_menu_offers_to_end_a_running_game(discord: Discord) -> None:
    you, friend = await start_game(discord, 2)
    menu = await you.click(await discord.board(), "more")
    assert "Propose to end the game" in labels(menu)
    assert "The table's message now asks Ben." in text_of(await you.click(menu, "close_game"))
    board = await discord.board()
    assert {"Agree", "Play on"} <= set(labels(board))
    assert "Anna offers to end the game at 0 to 0; deal 1 does not count." in text_of(board)
    assert friend.id in (await discord.snapshot()).unanswered_people


async def test_no_proposal_can_be_made_in_a_lobby_which_stays_open(discord: Discord) -> None:
    you = discord.person(0)
    await you.run("table new")
    assert "has not started yet" in text_of(await you.run("table offer", what="end"))
    assert "has not started yet" in text_of(await you.run("table resign"))
    assert Status.LOBBY is (await discord.snapshot()).status


async def test_a_no_is_shown_in_private_to_the_player_who_asked_and_who_may_leave(discord: Discord) -> None:
    you, friend = await start_game(discord, 2)
    await you.run("table offer", what="end")
    await friend.click(await discord.board(), "close_no")
    told = next(message for message in you.visible_messages() if "plays on" in text_of(message))
    assert told.flags.ephemeral
    assert "Ben plays on. If you leave, a computer takes your seat and Ben becomes host." in text_of(told)
    assert ["Leave", "Stay"] == labels(told)
    assert not [message for message in friend.visible_messages() if "plays on" in text_of(message)]
    assert "goes on" in text_of(await you.click(told, "close_keep"))
    assert (await discord.snapshot()).seat_of(you.id) == 0


async def test_a_player_who_leaves_after_a_no_is_replaced_by_a_computer_player(discord: Discord) -> None:
    you, friend = await start_game(discord, 2)
    await friend.run("table offer", what="end")
    await you.click(await discord.board(), "close_no")
    told = next(message for message in friend.visible_messages() if "plays on" in text_of(message))
    assert "Anna plays on. If you leave, a computer takes your seat." in text_of(told)
    await friend.click(told, "leave")
    assert (you.id,) == (await discord.snapshot()).persons


async def test_other_refused_questions_are_shown_without_a_way_to_leave(discord: Discord) -> None:
    you, friend = await start_game(discord, 2)
    await you.run("table offer", what="pause", days=2)
    await friend.click(await discord.board(), "close_no")
    told = next(message for message in you.visible_messages() if "does not agree" in text_of(message))
    assert not enabled_actions(told)


async def test_a_player_gets_no_message_about_their_own_no(discord: Discord) -> None:
    you, _ = await start_game(discord, 2)
    await you.run("table offer", what="end")
    await you.click(await discord.board(), "close_no")
    assert not [message for message in you.visible_messages() if "plays on" in text_of(message)]


async def test_a_game_ended_by_consent_shows_the_leader_and_the_last_sheet(discord: Discord) -> None:
    you, friend = await start_game(discord, 2, target=5000)
    panel = await friend.run("hand")
    snapshot = await end_by_consent(discord, [you, friend])
    assert snapshot.conclusion is not None
    scores = snapshot.conclusion.scores
    board = await discord.board()
    winner = ("Anna", "Ben")[int(scores[1] > scores[0])]
    assert f"Table 1: {winner} won with" in text_of(board)
    assert "The game was ended by agreement." in text_of(board)
    (caption,) = picture_captions(board)
    assert "Deal 2" not in caption
    assert {"rematch", "more"} == enabled_actions(board)
    panel = await press_stale_control(discord, friend, panel, "cn:1:1:refresh:")
    title = "You won" if winner == "Ben" else f"{winner} won with"
    assert title in text_of(panel)
    assert "The game was ended by agreement." in text_of(panel)
    assert "rematch" in enabled_actions(panel)
    told = await friend.click(await friend.click(board, "more"), "board_text")
    assert f"{winner} won with" in text_of(told)


async def test_an_aborted_deal_reveals_no_cards(discord: Discord) -> None:
    """No public message has its seed, or a card of a hand."""
    you, friend = await start_game(discord, 2, target=5000)
    await end_by_consent(discord, [you, friend])
    await discord.board()
    secret = await discord.application.tables._context.store.tables.secret(1, 2)
    assert secret is not None
    public = [message for message in you.visible_messages() if not message.flags.ephemeral]
    assert not [message for message in public if secret.seed.hex() in all_content_text(message)]
    checked = await you.click(await discord.sheet(1), "fair")
    for message in (checked, await you.click(checked, "fair_check")):
        assert secret.seed.hex() not in all_content_text(message)


async def test_a_pause_is_shown_on_board_and_panel_until_the_game_resumes(discord: Discord) -> None:
    you, friend = await start_game(discord, 2)
    await you.run("table offer", what="pause", days=3)
    assert "Anna offers a pause of 3 days." in text_of(await discord.board())
    assert "Paused until" in text_of(await friend.click(await discord.board(), "close_yes"))
    pause = (await discord.snapshot()).pause
    assert pause is not None
    assert pause.until == pause.since + 72 * HOUR
    board = await discord.board()
    assert (
        f"**Paused until <t:{(pause.until or 0) // 1000}:F>.** Any player at the table may go on earlier."
        in text_of(board)
    )
    assert {"go_on", "hand", "more"} == enabled_actions(board)
    assert not [caption for caption in picture_captions(board) if "Draw" in caption]
    panel = await you.run("hand")
    assert "Paused until" in text_of(panel)
    assert {"go_on", "refresh", "more"} == enabled_actions(panel)
    panel = await you.run("draw")
    assert "The game at table 1 is paused. Votes and questions wait until it goes on." in text_of(panel)
    assert "have no seat" in text_of(await discord.person(2).click(board, "go_on"))
    turned = await you.click(panel, "go_on")
    assert "The game at table 1 goes on." in text_of(turned)
    assert "draw" in enabled_actions(turned)
    assert "Paused" not in text_of(await discord.board())
    assert "is not paused" in text_of(await press_stale_control(discord, friend, board, "cn:1:1:go_on:"))


async def test_a_draw_is_taken_back_when_the_other_agrees(discord: Discord) -> None:
    you, friend = await start_game(discord, 2)
    before = await discord.game_state()
    await you.run("draw")
    drawn = await discord.game_state()
    await you.run("table offer", what="undo")
    board = await discord.board()
    assert "Anna would like to undo the last move." in text_of(board)
    assert repr(drawn.hands[0]) not in all_content_text(board)
    assert "was undone" in text_of(await friend.click(board, "close_yes"))
    assert before == await discord.game_state()
    assert {"draw", "hand", "more"} <= enabled_actions(await discord.board())
    assert "no move in this deal" in text_of(await you.run("table offer", what="undo"))


async def test_a_seat_is_offered_to_a_substitute(discord: Discord) -> None:
    you, friend = await start_game(discord, 2)
    await you.run("table offer", what="substitute")
    assert "Anna looks for a substitute" in text_of(await discord.board())
    await friend.click(await discord.board(), "close_yes")
    board = await discord.board()
    assert "We look for a substitute for Anna until" in text_of(board)
    assert "back" in enabled_actions(board)
    assert (friend.id,) == (await discord.snapshot()).persons


async def test_without_a_clock_no_slower_clock_can_be_proposed(discord: Discord) -> None:
    you, _ = await start_game(discord, 2, clock="none")
    assert "no slower clock" in text_of(await you.run("table offer", what="slower_clock"))


async def test_a_partner_is_asked_whether_to_resign(discord: Discord) -> None:
    those = await start_game(discord, 4)
    snapshot = await discord.snapshot()
    by_id = {person.id: person for person in those}
    north, east, south, _ = (by_id[person] for person in snapshot.persons)
    asked = await north.run("table resign")
    assert "The table's message now asks" in text_of(asked)
    board = await discord.board()
    assert "would like to resign." in text_of(board)
    assert "Only your partner may answer that" in text_of(await east.click(board, "close_yes"))
    await south.click(board, "close_yes")
    snapshot = await discord.snapshot()
    assert snapshot.conclusion is not None
    assert ("resigned", 1, 0) == (snapshot.conclusion.how, snapshot.conclusion.winner, snapshot.conclusion.last)
    board = await discord.board()
    assert "resigned." in text_of(board)
    assert "won with 0 points" in text_of(board)


async def test_resigning_without_a_partner_is_confirmed_once(discord: Discord) -> None:
    you, _ = await start_game(discord, 2, players=4)
    asked = await you.run("table resign")
    assert "Resign at table 1?" in text_of(asked)
    assert Status.PLAYING is (await discord.snapshot()).status
    assert "goes on" in text_of(await you.click(asked, "close_keep"))
    resigned = await you.click(await you.run("table resign"), "resign_sure")
    assert "resigned" in text_of(resigned)
    assert Status.FINISHED is (await discord.snapshot()).status


async def test_every_kind_of_proposal_except_resigning_is_offered_in_every_language(discord: Discord) -> None:
    group = discord.application.client.tree.get_command("table")
    assert group is not None
    command = next(one for one in discord.application.client.tree.walk_commands() if one.name == "offer")
    choices = command.parameters[0].choices  # type: ignore[union-attr]
    assert [kind.value for kind in ProposalKind if kind is not ProposalKind.RESIGN] == [
        choice.value for choice in choices
    ]


async def test_questions_and_answers_show_no_card_of_another_player(
    discord: Discord, caplog: pytest.LogCaptureFixture
) -> None:
    """All messages to two players and a spectator are searched, while moves are undone and a game ends."""
    caplog.set_level(logging.DEBUG, logger="canasta")
    you, friend = await start_game(discord, 2)
    people, watch = (you, friend, discord.person(2)), SecrecyWatch()
    await play_by_command(you, next_move(await discord.game_state()))
    for what in ("undo", "end"):
        await you.run("table offer", what=what)
        await watch.check_visible_messages(discord, people)
        await friend.click(await discord.board(), "close_yes")
        await watch.check_visible_messages(discord, people)
    assert Status.FINISHED is (await discord.snapshot()).status
    assert watch.found
    lines = "\n".join(record.getMessage() + repr(vars(record)) for record in caplog.records)
    assert set() == cards_spelled_in(lines)
