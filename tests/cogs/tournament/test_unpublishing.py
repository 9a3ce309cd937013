"""An announced tournament becomes a draft again, in the simulated Discord."""

from __future__ import annotations

from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.tournaments.event.tournament import Stage
from tests.support.discord import controls, text_of
from tests.support.discord_tournaments import CupServer, cup_world
from tests.support.two_pairs_database import damage_database


@pytest.fixture
async def cup(tmp_path: Path) -> AsyncIterator[CupServer]:
    async with cup_world(tmp_path, people=2) as world:
        yield world


async def test_the_announcement_of_a_draft_offers_nothing_until_it_is_published_again(cup: CupServer) -> None:
    await cup.publish()
    old = cup.message("**Friday cup** ·")
    assert ["Friday cup"] == await _scheduled_event_names(cup)
    desk = await cup.organiser.run("tournament desk")
    desk = await cup.organiser.click(desk, "desk_unpublish")
    assert "It is a draft again; entering is closed." in text_of(desk)
    await cup.wait_until_idle()
    shown = cup.message("**Friday cup** is being planned again; entering is closed for now.")
    assert (old.id, {}) == (shown.id, controls(shown))
    assert [] == await _scheduled_event_names(cup)
    assert "No tournament is open here." in text_of(await cup.person(0).run("tournament enter"))

    panel = await cup.organiser.press_exact_button(desk, "t_page", "1.check")
    await cup.organiser.press_exact_button(panel, "t_publish", "1")
    await cup.wait_until_idle()
    again = cup.message("**Friday cup** ·")
    assert old.id == again.id
    assert "t_enter" in controls(again)
    assert ["Friday cup"] == await _scheduled_event_names(cup)


async def test_a_tournament_with_an_entry_cannot_be_withdrawn(cup: CupServer) -> None:
    await cup.publish()
    desk = await cup.organiser.run("tournament desk")
    await cup.person(0).click(cup.message("**Friday cup** ·"), "t_enter")
    told = await cup.organiser.click(desk, "desk_unpublish")
    assert "1 entry is in already: you can cancel the tournament, but not plan it again." in text_of(told)
    assert controls(told)["desk_unpublish"]["disabled"]
    assert Stage.OPEN is (await cup.tournament()).stage


async def test_deleting_a_draft_notifies_no_player(cup: CupServer) -> None:
    panel = await cup.organiser.run("tournament create", name="Secret cup")
    panel = await cup.organiser.press_exact_button(panel, "t_page", "1.check")
    await cup.organiser.press_exact_button(panel, "t_drop", "1")
    await cup.wait_until_idle()
    assert Stage.CANCELLED is (await cup.tournament()).stage
    assert [] == cup.public_texts()


async def test_a_cup_that_was_cancelled_while_the_bot_was_stopped_is_shown_so(cup: CupServer) -> None:
    """The host's command `repair` cancels it; a director might do so just before a kill."""
    await cup.publish()
    shown = cup.message("**Friday cup** ·")
    command = ["repair", "tournament", "1", "--cancel", "--yes", "--database", str(cup.discord.database)]

    def cancel_tournament() -> None:
        with ThreadPoolExecutor() as threads:
            assert 0 == threads.submit(main, command).result()
        # The command reads this machine's clock, which is years ahead of the simulated one.
        damage_database(cup.discord.database, "UPDATE outbox SET due_at = 0")

    await cup.discord.restart(meanwhile=cancel_tournament)
    await cup.wait_until_idle()
    again = cup.message("**Friday cup** ·", "Cancelled.")
    assert (shown.id, {}) == (again.id, controls(again))
    assert any(
        "has cancelled the tournament because its stored data was damaged" in text for text in cup.public_texts()
    )
    assert [] == await _scheduled_event_names(cup)


async def _scheduled_event_names(cup: CupServer) -> list[str]:
    """Return the names of the server's scheduled events."""
    server = await cup.discord.application.client.fetch_guild(cup.discord.world.server.id)
    return [one.name for one in await server.fetch_scheduled_events()]
