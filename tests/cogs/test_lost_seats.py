"""The panel of a person who has lost the seat shows the way back, at once or at any press."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.clocks.clock import MINUTE
from bot.tables.absence.lost_seats import reserve_seat
from bot.tables.state.clocks import TableSettings
from bot.tables.state.requests import Decision, TableRequest
from tests.cogs.test_table_messages import caller
from tests.support.clock import ShiftedClock
from tests.support.discord import (
    LIVELY,
    Discord,
    Person,
    controls,
    discord_world,
    enabled_actions,
    labels,
    press_stale_control,
    text_of,
)


async def start_game_of_three(discord: Discord, *, watching: bool = True) -> tuple[Person, Person, Person]:
    """Start a game of three people, two with their panels open, and return them."""
    persons = discord.person(0), discord.person(1), discord.person(2)
    tables = discord.application.tables
    settings = TableSettings(watching=watching)
    await tables.lobby.create(
        caller(discord, persons[0]), channel=discord.world.canasta.id, players=3, settings=settings
    )
    for person in persons[1:]:
        await tables.lobby.join(caller(discord, person), 1)
    await tables.lobby.start(caller(discord, persons[0]), 1)
    await discord.environment.settle()
    for person in persons[:2]:
        await person.run("hand")
    return persons


async def give_seat_to_computer(discord: Discord, person: Person) -> None:
    """Let a computer player take the person's seat, as if the person were absent."""
    repository = discord.application.tables._context.repository

    def reserve_seat_for_person(found: object) -> Decision:
        record = found.record  # type: ignore[attr-defined]
        return Decision(reserve_seat(record, record.seat_of(person.id), now=0))

    await repository.change(1, TableRequest("reserve", {}), reserve_seat_for_person)
    await discord.environment.settle()


async def test_a_panel_that_can_be_edited_says_by_itself_that_a_computer_plays(tmp_path: Path) -> None:
    async with discord_world(tmp_path, pace=3600, rhythm=LIVELY) as discord:
        you, _, _ = await start_game_of_three(discord)
        await give_seat_to_computer(discord, you)
        await discord.pass_time()
        shown = [one for one in you.visible_messages() if "A computer plays for you at table 1." in text_of(one)]
        assert [["Back to my seat"]] == [labels(one) for one in shown]
        back = await you.click(shown[0], "back")
        assert "Welcome back." in text_of(back)


async def test_any_button_of_an_old_panel_shows_who_plays_the_lost_seat(discord: Discord) -> None:
    you, friend, _ = await start_game_of_three(discord)
    panel = you.panel()
    await give_seat_to_computer(discord, you)
    for action, control in controls(panel).items():
        answer = await press_stale_control(discord, you, panel, control["custom_id"])
        assert "A computer plays for you at table 1." in text_of(answer), action
        assert {"back"} == enabled_actions(answer)
    own = friend.panel()
    await friend.run("table leave")
    answer = await friend.click(own, "refresh")
    assert "You left table 1." in text_of(answer)
    assert ["Ask for my seat"] == labels(answer)


@pytest.mark.parametrize("watching", [True, False])
async def test_a_person_whose_seat_a_substitute_has_may_watch(discord: Discord, watching: bool) -> None:  # noqa: FBT001
    you, friend, third = await start_game_of_three(discord, watching=watching)
    panel, substitute = you.panel(), discord.person(3)
    seat = (await discord.snapshot()).seat_of(you.id) or 0
    await give_seat_to_computer(discord, you)
    tables = discord.application.tables
    snapshot = await tables.lobby.take_seat(caller(discord, substitute), 1, seat, joined_at=0)
    for person in (friend, third):
        claim = snapshot.absence.claim(seat)
        assert claim is not None
        snapshot = await tables.absence.answer_claim(caller(discord, person), 1, seat, agrees=True, asked_at=claim.at)
    answer = await you.click(panel, "refresh" if "refresh" in controls(panel) else "more")
    assert "Another player plays your seat at table 1." == text_of(answer), "within one turn"
    assert (["Watch"] if watching else []) == labels(answer)


@pytest.mark.parametrize("command", ["draw", "undo", "discard", "next"])
async def test_a_typed_move_shows_the_way_back_to_a_lost_seat(discord: Discord, command: str) -> None:
    you, _, _ = await start_game_of_three(discord)
    await give_seat_to_computer(discord, you)
    typed = {"card": "4"} if command == "discard" else {}
    shown = await you.run("hand")
    answer = await you.run(command, **typed)
    assert "A computer plays for you at table 1." in text_of(answer)
    assert ["Back to my seat"] == labels(answer) == labels(shown)
    stranger = await discord.person(3).run(command, table="1", **typed)
    assert "You have no seat at table 1." in text_of(stranger)


async def test_a_person_who_never_sat_at_the_table_is_told_so(discord: Discord) -> None:
    await start_game_of_three(discord)
    stranger = discord.person(3)
    answer = await stranger.click(await discord.board(), "draw")
    assert "You have no seat" in text_of(answer)


async def test_no_day_of_vacation_is_promised_at_a_fast_table(tmp_path: Path) -> None:
    clock = ShiftedClock()
    async with discord_world(tmp_path, clock=clock) as discord:
        you, friend = discord.person(0), discord.person(1)
        await you.run("table new", players=2, clock="live")
        await friend.click(await discord.board(), "sit")
        await you.click(await discord.board(), "start")
        actor = you if ((await discord.snapshot()).actor or you).person == you.id else friend  # type: ignore[union-attr]
        clock.forward += 5 * MINUTE + 10_000
        for timer in await discord.application.tables._context.store.times.due_timers(clock.now(), 50):
            await discord.application.tables.deadlines.fire_deadline(timer.table, timer.kind)
        text = text_of(await actor.run("hand"))
        assert "Your extra minute ends <t:" in text
        assert "; then a computer plays for you." in text
        assert "vacation" not in text
