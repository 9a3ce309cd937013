"""Playing with the panel when clicks come twice, late, at the same time, or from other people.

Restarts, and questions between partners.
"""

from __future__ import annotations

from bot.__main__ import main
from bot.engine.table.state import State, seat_to_act
from cogs.shared.reading.card_text import DISCARD_VALUES
from tests.support.computer_choices import (
    finish_deal_and_show,
    next_move,
    play_by_command,
    play_by_panel,
    press_discard,
)
from tests.support.discord import (
    Discord,
    Person,
    control_arguments,
    controls,
    enabled_actions,
    picture_captions,
    press_stale_control,
    text_of,
)


async def start_game_of_two(discord: Discord) -> tuple[Person, Person]:
    """Start a game of two, and return its people, the one in turn first."""
    you, friend = discord.person(0), discord.person(1)
    await you.run("table new", players=2)
    await friend.run("table join")
    await you.run("table start")
    return await players_by_turn(discord, you, friend)


async def players_by_turn(discord: Discord, *persons: Person) -> tuple[Person, Person]:
    """Return the person in turn, and the other one."""
    actor = (await discord.snapshot()).actor
    assert actor is not None
    first, second = persons
    return (first, second) if actor.person == first.id else (second, first)


async def is_table_unchanged(discord: Discord, before: State, version: int) -> bool:
    return await discord.game_state() == before and (await discord.snapshot()).version == version


async def test_my_hand_opens_the_panel_of_the_player_who_clicks(discord: Discord) -> None:
    first, second = await start_game_of_two(discord)
    board = await discord.board()
    mine, theirs = await first.click(board, "hand"), await second.click(board, "hand")
    assert mine.ephemeral
    assert theirs.ephemeral
    assert {"draw", "more"} <= enabled_actions(mine)
    assert {"refresh", "premove", "more"} == enabled_actions(theirs)
    assert "Your turn" in text_of(mine)
    assert "You play after" in text_of(theirs)
    assert picture_captions(mine) != picture_captions(theirs)
    assert "Your hand, 15 cards" in picture_captions(mine)[0]


async def test_a_panel_is_updated_in_place(discord: Discord) -> None:
    first, _ = await start_game_of_two(discord)
    panel = await first.click(await discord.board(), "hand")
    picture = panel.attachments[0].filename
    drawn = await first.click(panel, "draw")
    assert panel.id == drawn.id
    assert "You drew" in text_of(drawn)
    assert picture != drawn.attachments[0].filename
    turned = await first.click(drawn, "more")
    assert panel.id == turned.id
    said = await first.click(turned, "board_text")
    assert said.id != drawn.id
    assert "**Your hand**, 17 cards" in text_of(said)


async def test_a_stranger_learns_that_they_have_no_seat(discord: Discord) -> None:
    await start_game_of_two(discord)
    stranger = discord.person(2)
    before, version = await discord.game_state(), (await discord.snapshot()).version
    answer = await stranger.click(await discord.board(), "hand")
    assert answer.ephemeral
    assert "You have no seat here." in text_of(answer)
    assert {"watch"} == set(controls(answer))
    assert await is_table_unchanged(discord, before, version)


async def test_the_second_half_of_a_double_click_does_nothing(discord: Discord) -> None:
    first, _ = await start_game_of_two(discord)
    panel = await first.click(await discord.board(), "hand")
    stale = controls(panel)["draw"]["custom_id"]
    await first.click(panel, "draw")
    before, version = await discord.game_state(), (await discord.snapshot()).version
    again = await press_stale_control(discord, first, panel, stale)
    assert "moved on" in text_of(again)
    assert "Lay, or discard" in text_of(again)
    assert await is_table_unchanged(discord, before, version)


async def test_outdated_controls_change_nothing_and_show_the_current_hand(discord: Discord) -> None:
    first, _ = await start_game_of_two(discord)
    await first.run("draw")
    before, version = await discord.game_state(), (await discord.snapshot()).version
    without = ("draw", "open", "out", "undo", "ask", "yes", "no", "pass", "next")
    for action in ("take:0.", "lay:4300", "discard:4", "play:m0.3.0.0", *(f"{one}:" for one in without)):
        panel = await first.run("hand")
        assert "nothing was done" not in text_of(panel)
        answer = await press_stale_control(discord, first, panel, f"cn:1:{version - 1}:{action}")
        assert panel.id == answer.id, action
        assert "nothing was done" in text_of(answer), action
        assert "Your hand, 17 cards" in picture_captions(answer)[0], action
        assert await is_table_unchanged(discord, before, version), action


INVENTED = (
    "cn:1:3:nonsense:",
    "cn:1:3",
    "cn:x:3:draw:",
    "cn:1:3:draw:K♠",
    "cn:",
    "cn:1:3:discard:ZZZZ",
    "cn:99:3:draw:",
)


async def test_invented_ids_are_answered_and_do_nothing(discord: Discord) -> None:
    first, _ = await start_game_of_two(discord)
    panel = await first.click(await discord.board(), "hand")
    before, version = await discord.game_state(), (await discord.snapshot()).version
    for custom_id in INVENTED:
        answer = await press_stale_control(discord, first, panel, custom_id)
        assert answer.ephemeral, custom_id
        assert text_of(answer), custom_id
        assert await is_table_unchanged(discord, before, version), custom_id


async def test_a_copied_panel_id_shows_only_the_cards_of_the_player_who_clicks(discord: Discord) -> None:
    """A forged click on another player's control counts for the person who clicks, who is not in turn."""
    _, second = await start_game_of_two(discord)
    theirs = await second.click(await discord.board(), "hand")
    before, version = await discord.game_state(), (await discord.snapshot()).version
    answer = await press_stale_control(discord, second, theirs, f"cn:1:{version}:draw:")
    assert "turn." in text_of(answer)
    seat = (await discord.snapshot()).seat_of(second.id)
    assert seat is not None
    assert f"{len(before.hands[seat])} cards" in picture_captions(answer)[0]
    assert await is_table_unchanged(discord, before, version)


async def test_only_one_of_two_people_gets_the_last_seat(discord: Discord) -> None:
    you, friend, neighbour = (discord.person(index) for index in range(3))
    await you.run("table new", players=2)
    board = await discord.board()
    button = controls(board)["sit"]["custom_id"]
    async with discord.hold_requests():
        shown = [await one.actor.click(board, custom_id=button) for one in (friend, neighbour)]
    assert all(one.acknowledged for one in shown)
    assert ["Table 1 is full: all 2 seats are taken."] == [
        text_of(one.response) for one in shown if one.response is not None and one.response.ephemeral
    ]
    assert "**Seats**\nAnna · Ben" in text_of(await discord.board())


async def test_only_one_of_two_simultaneous_clicks_counts(discord: Discord) -> None:
    first, _ = await start_game_of_two(discord)
    panel = await first.click(await discord.board(), "hand")
    version = (await discord.snapshot()).version
    async with discord.hold_requests():
        shown = [await first.actor.click(panel, custom_id=controls(panel)["draw"]["custom_id"]) for _ in range(3)]
    assert all(one.acknowledged for one in shown)
    assert version + 1 == (await discord.snapshot()).version
    assert "nothing was done" in text_of(panel)


async def test_only_one_of_two_simultaneous_starts_of_a_deal_counts(discord: Discord) -> None:
    first, second = await start_game_of_two(discord)
    await finish_deal_and_show(discord)
    board = await discord.board()
    async with discord.hold_requests():
        shown = [
            await one.actor.click(board, custom_id=controls(board)["next_deal"]["custom_id"]) for one in (first, second)
        ]
    texts = sorted(text_of(one.response) for one in shown)
    assert all("### Your turn" in text or "You play after" in text for text in texts)
    assert 1 == sum("Deal 2 is still being played" in text for text in texts)
    assert 2 == (await discord.game_state()).deal


async def test_controls_work_after_a_restart_and_days_later(discord: Discord) -> None:
    first, _ = await start_game_of_two(discord)
    panel = await first.click(await discord.board(), "hand")
    panel = await first.click(panel, "draw")
    await discord.restart()
    # The regular check of boards is off: it would run every five minutes of these days.
    await discord.application.client.remove_cog("Housekeeping")
    await discord.environment.advance_time(3 * 24 * 3600)
    before = await discord.game_state()
    chosen = await press_discard(first, panel, DISCARD_VALUES.index(control_arguments(panel, "discard")[0]))
    assert panel.id == chosen.id
    assert "You discarded" in text_of(chosen)
    assert before.turn != (await discord.game_state()).turn
    assert "My hand" in str(controls(await discord.board()))


async def test_a_draft_survives_a_restart_and_is_committed_only_by_melding(discord: Discord) -> None:
    first, second = await start_game_of_two(discord)
    while True:
        first, second = await players_by_turn(discord, first, second)
        move = next_move(await discord.game_state())
        if move.melds and move.step is None:
            break
        await play_by_command(first, move)
    before, version = await discord.game_state(), (await discord.snapshot()).version
    panel = await first.click(await discord.board(), "hand")
    panel = await first.click(panel, "other")
    kind = move.melds[0].kind
    letter = "456789TJQKA3"[kind]
    offered = [option["value"] for option in controls(panel)["choose"]["options"]]
    chosen = letter if letter in offered else offered[-1]
    panel = await first.choose(panel, "choose", chosen)
    draft = controls(panel)["choose"]["custom_id"].split(":")[4]
    assert draft
    assert "Put together" in text_of(panel)
    assert await is_table_unchanged(discord, before, version)
    await discord.restart()
    panel = await first.click(panel, "panel")
    assert draft == controls(panel)["clear"]["custom_id"].split(":")[4]
    assert await is_table_unchanged(discord, before, version)
    cleared = await first.click(panel, "clear")
    assert "Put together" not in text_of(cleared)
    panel = await play_by_panel(first, cleared, move)
    assert "You laid" in text_of(panel)
    assert (await discord.snapshot()).version > version


async def test_no_discard_is_offered_while_melds_are_put_together(discord: Discord) -> None:
    first, _ = await start_game_of_two(discord)
    panel = await first.click(await discord.board(), "draw")
    assert "discard" in controls(panel)
    panel = await first.click(panel, "other")
    panel = await first.choose(panel, "choose", controls(panel)["choose"]["options"][0]["value"])
    panel = await first.click(panel, "panel")
    assert "Put together" in text_of(panel)
    assert "discard" not in controls(panel)
    panel = await first.click(panel, "clear")
    assert "discard" in controls(panel)


async def test_a_laid_meld_can_be_taken_back_until_the_discard(discord: Discord) -> None:
    first, second = await start_game_of_two(discord)
    while True:
        first, second = await players_by_turn(discord, first, second)
        move = next_move(await discord.game_state())
        if move.melds and move.step is None:
            break
        await play_by_command(first, move)
    before = await discord.game_state()
    laid = await play_by_command(first, move)
    assert "undo" in enabled_actions(laid)
    undone = laid
    while "undo" in enabled_actions(undone):
        undone = await first.click(undone, "undo")
    assert "You took back" in text_of(undone)
    assert before.hands == (await discord.game_state()).hands
    assert "nothing to take back" in text_of(await first.run("undo"))


async def test_the_next_deal_begins_with_a_button_or_a_command(discord: Discord) -> None:
    first, second = await start_game_of_two(discord)
    await finish_deal_and_show(discord)
    board, sheet = await discord.board(), await discord.sheet(1)
    assert "Deal 2 begins" in text_of(board)
    assert {"next_deal", "word", "more"} == enabled_actions(board)
    assert text_of(sheet).startswith("### Deal 1 · ")
    assert "cards melded" in picture_captions(sheet)[0]
    assert "Deal 1 can now be checked" in text_of(sheet)
    assert "Fingerprint of deal 2: `" in text_of(sheet)
    score = await second.click(await second.click(board, "more"), "score")
    assert "### Table 1 · score" == text_of(score)
    assert picture_captions(score)
    assert text_of(score) == text_of(await second.run("score"))
    assert "cards in hand" in text_of(await second.click(score, "sheet_text"))
    check = await second.click(await second.click(score, "fair"), "fair_check")
    command = next(line for line in text_of(check).splitlines() if line.startswith("canasta-bot verify"))
    assert 0 == main(command.split()[1:])
    panel = await first.click(board, "next_deal")
    assert "### Your turn" in text_of(panel) or "You play after" in text_of(panel)
    assert 2 == (await discord.game_state()).deal
    assert seat_to_act(await discord.game_state()) is not None
