"""Panels that update themselves: one per person and table, current as long as Discord allows edits."""

from __future__ import annotations

import pytest

from bot.engine.moves.phases import Phase
from bot.engine.rules.sets import rule_set
from tests.support.computer_choices import finish_deal_and_show, next_move, play_by_panel, press_discard
from tests.support.discord import Discord, Message, Person, controls, enabled_actions, labels, picture_captions, text_of
from tests.support.secrecy_watch import SecrecyWatch
from tests.support.stacked_dealer import numbered_seeds
from tests.support.stacked_packs import stack_pack

RUNNING = (Phase.DRAW, Phase.PLAY, Phase.ANSWER)
OUT = "Ks Kh Kd Kc Ks Kh Kd 4s 4h 4d 5s"
"""A hand that goes out at once with a fourth four."""


async def start_game_of_two(discord: Discord) -> tuple[Person, Person]:
    """Start a game of two, and return its people, the one in turn first."""
    you, friend = discord.person(0), discord.person(1)
    await you.run("table new", players=2, clock="none")
    await friend.run("table join")
    await you.run("table start")
    actor = (await discord.snapshot()).actor
    assert actor is not None
    return (you, friend) if actor.person == you.id else (friend, you)


async def start_game_of_partners(discord: Discord) -> tuple[Person, Person]:
    """Start a game of two partners against computer players, and return them.

    The first one can go out as soon as a four is drawn.
    """
    pack = stack_pack(rule_set("classic", 4), {0: OUT, 1: "", 2: "", 3: ""}, "6s 4c", dealer=3)
    discord.dealer.pack = pack
    you, friend = discord.person(0), discord.person(1)
    await you.run("table new", clock="none")
    await friend.run("table join", seat=3)
    await you.run("table start", fill=True)
    return you, friend


async def play_turn(discord: Discord, person: Person, panel: Message) -> Message:
    """Draw, discard any legal card, and return the panel."""
    drawn = await person.click(panel, "draw")
    kind = (await discord.game_state()).hands[(await discord.snapshot()).seat_of(person.id) or 0][0] >> 2
    done = await press_discard(person, drawn, kind)
    await discord.pass_time()
    return done


async def advance_minutes(discord: Discord, minutes: int) -> None:
    """Let that many minutes pass, one after another."""
    for _ in range(minutes):
        await discord.pass_time(60)


# --- automatic updates ------------------------------------------------------------------------------------------------


async def test_a_panel_shows_its_turn_after_the_others_move(live_discord: Discord) -> None:
    first, second = await start_game_of_two(live_discord)
    theirs = await second.click(await live_discord.board(), "hand")
    assert "You play after" in text_of(theirs)
    picture = theirs.attachments[0].filename
    await play_turn(live_discord, first, await first.click(await live_discord.board(), "hand"))
    turned = second.panel()
    assert theirs.id == turned.id
    assert "### Your turn: draw" in text_of(turned)
    assert "**Since your turn**" in text_of(turned)
    assert "draw" in enabled_actions(turned)
    assert picture != turned.attachments[0].filename
    assert "Your hand, 15 cards" in picture_captions(turned)[0]
    drawn = await second.click(turned, "draw")
    assert theirs.id == drawn.id
    assert "You drew" in text_of(drawn)


async def test_two_can_play_a_whole_deal_without_ever_touching_the_board(live_discord: Discord) -> None:
    """Each finds every control in one panel after every move of the other, and none of their cards."""
    live_discord.dealer.seeds = numbered_seeds(7001)
    first, second = await start_game_of_two(live_discord)
    for person in (first, second):
        await person.click(await live_discord.board(), "hand")
    own, watch = {person.id: person.panel().id for person in (first, second)}, SecrecyWatch()
    while (await live_discord.game_state()).phase in RUNNING:
        actor = (await live_discord.snapshot()).actor
        assert actor is not None
        mover, other = (first, second) if actor.person == first.id else (second, first)
        assert {"draw", "take", "discard", "yes", "pass"} & enabled_actions(mover.panel())
        assert {"refresh", "premove", "more"} == enabled_actions(other.panel())
        await play_by_panel(mover, mover.panel(), next_move(await live_discord.game_state()))
        await live_discord.pass_time()
        await watch.check_visible_messages(live_discord, (first, second))
    await live_discord.pass_time()
    assert own.keys() == {person.id for person in (first, second) if person.panel().id > own[person.id]}
    assert watch.found > 100
    for person in (first, second):
        assert "### Deal 1: you" in text_of(person.panel())
        assert "next" in enabled_actions(person.panel())
    await first.click(first.panel(), "next")
    await live_discord.pass_time()
    assert {True, False} == {"draw" in enabled_actions(person.panel()) for person in (first, second)}


async def test_a_question_and_its_answer_update_the_panels_of_waiting_players(live_discord: Discord) -> None:
    you, friend = await start_game_of_partners(live_discord)
    theirs = await friend.click(await live_discord.board(), "hand")
    assert {"refresh", "premove", "more"} == enabled_actions(theirs)
    panel = await you.click(await live_discord.board(), "draw")
    asking = await you.click(panel, "ask")
    await live_discord.pass_time()
    assert theirs.id == friend.panel().id
    assert "### Anna asks: may I go out, partner?" in text_of(friend.panel())
    assert {"yes", "no", "more"} == enabled_actions(friend.panel())
    assert "### Waiting for Ben's answer" in text_of(asking)
    await friend.click(friend.panel(), "yes")
    await live_discord.pass_time()
    assert asking.id == you.panel().id
    assert "### Ben said yes: you must go out" in text_of(you.panel())
    await you.click(you.panel(), "out")
    await live_discord.pass_time()
    assert "### Deal 1: you" in text_of(friend.panel())
    assert "next" in enabled_actions(friend.panel())


async def test_a_draft_stays_when_the_table_changes(live_discord: Discord) -> None:
    """A player who leaves changes the table for all; the draft of another player stays as it is."""
    you, friend, neighbour = (live_discord.person(index) for index in range(3))
    await you.run("table new", players=3, clock="none")
    await friend.run("table join")
    await neighbour.run("table join")
    await you.run("table start")
    people = {person.id: person for person in (you, friend, neighbour)}
    actor = (await live_discord.snapshot()).actor
    assert actor is not None
    assert actor.person is not None
    mover = people.pop(actor.person)
    panel = await mover.click(await live_discord.board(), "draw")
    panel = await mover.click(panel, "other")
    panel = await mover.choose(panel, "choose", controls(panel)["choose"]["options"][0]["value"])
    panel = await mover.click(panel, "panel")
    draft = controls(panel)["clear"]["custom_id"].split(":")[4]
    assert draft
    version = (await live_discord.snapshot()).version
    await next(iter(people.values())).run("table leave")
    await live_discord.pass_time()
    assert (await live_discord.snapshot()).version > version
    kept = controls(mover.panel())["clear"]["custom_id"].split(":")
    assert (str((await live_discord.snapshot()).version), draft) == (kept[2], kept[4])


# --- one panel per person ---------------------------------------------------------------------------------------------


async def test_a_newer_panel_deletes_the_older_and_never_the_board(live_discord: Discord) -> None:
    first, second = await start_game_of_two(live_discord)
    board = await live_discord.board()
    newest = await first.click(board, "hand")
    other = await second.click(board, "hand")
    for opened in ("hand", "draw", "/hand", "/discard"):
        older = newest.id
        if opened.startswith("/"):
            state = await live_discord.game_state()
            card = {"card": "456789TJQKA3"[min(state.hands[state.turn]) >> 2]} if opened == "/discard" else {}
            newest = await first.run(opened[1:], **card)
        else:
            newest = await first.click(await live_discord.board(), opened)
        await live_discord.pass_time()
        assert newest.id != older
        assert newest.id == first.panel().id
    assert other.id == second.panel().id
    shown = [message.id for message in live_discord.world.canasta.history()]
    assert (await live_discord.board()).id in shown
    assert board.id == (await live_discord.board()).id or board.id not in shown


async def test_panels_of_two_tables_do_not_take_each_other_s_place(live_discord: Discord) -> None:
    you = live_discord.person(0)
    for table in ("1", "2"):
        await you.run("table new", players=2, computers=1)
        await you.run("table start", table=table)
    await live_discord.pass_time()
    assert {"1", "2"} == {controls(panel)["more"]["custom_id"].split(":")[1] for panel in you.panels()}


async def test_a_board_edited_by_a_press_is_never_treated_as_a_panel(live_discord: Discord) -> None:
    """Every button of a board is pressed, before and after a panel is opened: the board stays."""
    first, _ = await start_game_of_two(live_discord)
    await finish_deal_and_show(live_discord)
    for action in ("word", "more", "next_deal", "hand", "more", "draw", "board_take"):
        board = await live_discord.board()
        if action not in enabled_actions(board) or action == "word":
            continue
        await first.click(board, action)
        await first.run("hand")
        await live_discord.pass_time()
        assert (await live_discord.board()).id in [message.id for message in live_discord.world.canasta.history()]
        assert 1 == len(first.panels())


# --- ageing -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("minutes", [14, 30])
async def test_a_waiting_panel_collapses_before_it_expires_and_can_be_reopened(
    live_discord: Discord, minutes: int
) -> None:
    first, second = await start_game_of_two(live_discord)
    waiting = await second.click(await live_discord.board(), "hand")
    own = await first.click(await live_discord.board(), "hand")
    text = text_of(own)
    await advance_minutes(live_discord, 13)
    assert "You play after" in text_of(waiting)
    await advance_minutes(live_discord, minutes - 13)
    assert "Table 1: this panel has stopped updating." == text_of(waiting)
    assert ["Update"] == labels(waiting)
    assert not waiting.attachments
    assert text == text_of(own), "what waits for its owner stays"
    awake = await second.click(waiting, "refresh")
    assert waiting.id == awake.id
    assert "You play after" in text_of(awake)
    assert picture_captions(awake)
    assert "You drew" in text_of(await first.click(own, "draw"))


async def test_a_panel_collapses_a_fixed_time_after_the_last_press(live_discord: Discord) -> None:
    first, second = await start_game_of_two(live_discord)
    waiting = await second.click(await live_discord.board(), "hand")
    await advance_minutes(live_discord, 10)
    await second.click(waiting, "refresh")
    await advance_minutes(live_discord, 12)
    assert "You play after" in text_of(waiting)
    await play_turn(live_discord, first, await first.click(await live_discord.board(), "hand"))
    assert "### Your turn" in text_of(waiting)
    await advance_minutes(live_discord, 5)
    assert "### Your turn" in text_of(waiting), "it waits for its owner now"


async def test_a_collapsed_panel_is_not_updated(live_discord: Discord) -> None:
    """Its token expires in a minute, so it could not be kept current."""
    first, second = await start_game_of_two(live_discord)
    waiting = await second.click(await live_discord.board(), "hand")
    await advance_minutes(live_discord, 14)
    await play_turn(live_discord, first, await first.click(await live_discord.board(), "hand"))
    assert ["Update"] == labels(waiting)
    assert "### Your turn" in text_of(await second.click(waiting, "refresh"))


async def test_after_a_restart_the_next_press_makes_a_panel_that_updates_itself(live_discord: Discord) -> None:
    first, second = await start_game_of_two(live_discord)
    old = await second.click(await live_discord.board(), "hand")
    before = text_of(old)
    await live_discord.restart()
    await play_turn(live_discord, first, await first.click(await live_discord.board(), "hand"))
    assert before == text_of(old), "its token is forgotten"
    again = await second.click(old, "refresh")
    assert old.id == again.id
    assert "### Your turn" in text_of(again)
    await play_turn(live_discord, second, again)
    await play_turn(live_discord, first, first.panels()[-1])
    assert "### Your turn" in text_of(again)


# --- refusals of Discord ----------------------------------------------------------------------------------------------


def refuse_requests(discord: Discord, method: str, path: str, *, times: int = 1) -> None:
    discord.environment.inject_error(method, path, status=400, code=50035, times=times)


async def test_after_a_refused_picture_panels_come_as_new_messages(live_discord: Discord) -> None:
    first, second = await start_game_of_two(live_discord)
    old = await second.click(await live_discord.board(), "hand")
    refuse_requests(live_discord, "PATCH", "/webhooks/*/messages/@original")
    await play_turn(live_discord, first, await first.click(await live_discord.board(), "hand"))
    new = second.panel()
    assert old.id != new.id
    assert "### Your turn" in text_of(new)
    assert new.attachments
    drawn = await second.click(new, "draw")
    assert new.id == drawn.id
    await press_discard(
        second, drawn, (await live_discord.game_state()).hands[(await live_discord.game_state()).turn][0] >> 2
    )
    await live_discord.pass_time()
    edits = sum(one.method == "PATCH" and "/webhooks/" in one.path for one in live_discord.environment.http_requests)
    await play_turn(live_discord, first, first.panel())
    assert new.id != second.panel().id
    assert "### Your turn" in text_of(second.panel())
    after = sum(one.method == "PATCH" and "/webhooks/" in one.path for one in live_discord.environment.http_requests)
    assert edits == after, "what is refused once is not tried again"


async def test_words_replace_pictures_if_discord_refuses_all_of_them(live_discord: Discord) -> None:
    first, second = await start_game_of_two(live_discord)
    old = await second.click(await live_discord.board(), "hand")
    refuse_requests(live_discord, "PATCH", "/webhooks/*/messages/@original")
    refuse_requests(live_discord, "POST", "/webhooks/*")
    await play_turn(live_discord, first, await first.click(await live_discord.board(), "hand"))
    assert old.id == second.panel().id
    assert "### Your turn" in text_of(second.panel())
    assert "**Your hand**, 15 cards" in text_of(second.panel())
    assert not second.panel().attachments


async def test_a_dismissed_panel_causes_no_error(live_discord: Discord) -> None:
    first, second = await start_game_of_two(live_discord)
    old = await second.click(await live_discord.board(), "hand")
    live_discord.environment.inject_error("PATCH", "/webhooks/*/messages/@original", status=404, code=10008, times=1)
    await play_turn(live_discord, first, await first.click(await live_discord.board(), "hand"))
    assert "You play after" in text_of(old)
    assert "### Your turn" in text_of(await second.click(await live_discord.board(), "hand"))


async def test_the_panel_is_the_last_message_after_the_start_and_after_a_deal(live_discord: Discord) -> None:
    you = live_discord.person(0)
    await you.run("table new", clock="none")
    await you.click(await live_discord.board(), "start")
    await live_discord.pass_time()
    assert [you.panel().id] == [message.id for message in you.visible_messages()[-1:]]
    await finish_deal_and_show(live_discord)
    await live_discord.pass_time()
    assert [you.panel().id] == [message.id for message in you.visible_messages()[-1:]]
