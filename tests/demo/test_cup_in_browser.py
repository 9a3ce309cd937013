"""A small cup on the demo's page, from `/tournament create` to the closing picture.

The club's members play, and time passes by the page's own buttons. It takes minutes, so `make nightly` plays it. With
``TRANSCRIPT=FOLDER`` pictures of the page go to ``FOLDER/cup``.
"""

from __future__ import annotations

import re
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bot.demo.simulated_server import CLUB_MEMBERS
from tests.support.demo_page_player import DemoPagePlayer, by_night, load_picture_driver, make_transcript_folder

pytestmark = by_night


def test_a_small_cup_is_played_in_the_browser(tmp_path: Path) -> None:
    shots = load_picture_driver()
    folder = make_transcript_folder("cup", tmp_path)
    with shots.run_demo(tmp_path, pace=0.05) as address, shots.visit_demo(address) as guest:
        anna = DemoPagePlayer(shots.Player(guest.page), tmp_path / "c-demo.db", folder)
        try:
            plan_cup(anna)
            enter_everyone(anna)
            check_everyone_in(anna)
            play_match(anna, 1)
            anna.player.pass_time(tens=1)
            play_match(anna, 2)
            wait_for_final_places(anna)
        finally:
            anna.take_pictures("last")


def plan_cup(anna: DemoPagePlayer) -> None:
    """Plan and publish, as the club's owner, a cup that begins in an hour.

    It has two rounds of one deal.
    """
    player = anna.player
    player.view_as("Card Club")
    player.command("tournament create", name="Friday cup")
    anna.take_pictures("format")
    player.fill_form("Rounds", "2")
    player.click("Game")
    player.choose("3 deals", "1 deal")
    anna.take_pictures("game")
    player.click("Time")
    player.fill_form("Start", (demo_time(anna) + timedelta(hours=1)).strftime("%H:%M"))
    anna.take_pictures("time")
    player.click("People")
    anna.take_pictures("people")
    player.click("Check")
    wait_for_message(anna, "Swiss, 2 rounds of 1 deal")
    anna.take_pictures("check")
    player.click("Publish")
    wait_for_message(anna, "Everyone can enter now.")


def enter_everyone(anna: DemoPagePlayer) -> None:
    """Enter Anna and all other members."""
    player = anna.player
    player.view_as("Anna")
    player.click("Enter")
    wait_for_message(anna, "You are in, ")
    wait_for_message(anna, f"{len(CLUB_MEMBERS) + 1} of 16")
    anna.take_pictures("entered")


def check_everyone_in(anna: DemoPagePlayer) -> None:
    """Check everyone in and wait until the first round is drawn."""
    player = anna.player
    pass_time_until(anna, "Check-in is open until")
    anna.take_pictures("check-in")
    player.click("I am here")
    wait_for_message(anna, "You are here.")
    player.page.wait_for_timeout(5000)  # the other members check in a little later
    anna.take_pictures("here")
    pass_time_until(anna, "Round 1, table")


def pass_time_until(anna: DemoPagePlayer, words: str) -> None:
    """Put the clock forward by ten minutes again and again until a message has these words.

    A busy machine gets time to write it.
    """
    player = anna.player
    while True:
        player.pass_time(tens=1)
        for _ in range(20):
            if player.newest_message(words).count():
                return
            player.page.wait_for_timeout(500)


def play_match(anna: DemoPagePlayer, number: int) -> None:
    """Open Anna's hand at the call of her match, and play it; the other members play theirs."""
    player = anna.player
    call = player.page.locator(".channel-message", has_text=re.compile(rf"Round {number}, table \d: .*@Anna"))
    call.wait_for()
    anna.table = table_of_anna(anna)
    call.locator(".component-button", has_text="Why this table?").click()
    player.wait_until_settled()
    anna.take_pictures(f"round-{number}-called")
    call.locator(".component-button", has_text="My hand").click()
    player.wait_until_settled()
    anna.take_pictures(f"round-{number}-hand")
    anna.play_deal()
    anna.take_pictures(f"round-{number}-played")
    wait_for_message(anna, f"standings after round {number}")


def wait_for_final_places(anna: DemoPagePlayer) -> None:
    """Wait until the final places and their picture are shown."""
    player = anna.player
    player.page.wait_for_timeout(3000)
    player.pass_time(tens=1)
    wait_for_message(anna, "Friday cup is over.")
    anna.take_pictures("closed")
    player.click("Export")
    wait_for_message(anna, "canasta-event-1.html")
    anna.take_pictures("export")
    player.command("tournament standings")
    anna.take_pictures("standings")


def demo_time(anna: DemoPagePlayer) -> datetime:
    """Return the time of the demo's clock."""
    shown = anna.player.page.locator(".passing-time span").first.inner_text()
    found = re.search(r"(\d\d):(\d\d) UTC", shown)
    assert found is not None, shown
    return datetime(2026, 1, 1, int(found[1]), int(found[2]), tzinfo=UTC)


def table_of_anna(anna: DemoPagePlayer) -> int:
    """Return the newest table at which Anna has a seat."""
    with sqlite3.connect(f"file:{anna.database}?mode=ro", uri=True) as store:
        (found,) = store.execute("SELECT max(table_id) FROM holders WHERE name = 'Anna'").fetchone()
    return int(found)


def wait_for_message(anna: DemoPagePlayer, words: str) -> None:
    """Wait until a message has these words."""
    anna.player.newest_message(words).wait_for()
