"""Tournaments on the demo's page that end by themselves: a cup with an idle visitor, a duplicate.

Time passes by the page's own buttons. They take minutes, so `make nightly` plays them. With ``TRANSCRIPT=FOLDER``
pictures of the page, at a desktop's width and at a phone's, go to ``FOLDER/idle`` and ``FOLDER/duplicate``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.demo.test_cup_in_browser import wait_for_message
from tests.support.demo_page_player import DemoPagePlayer, by_night, load_picture_driver, make_transcript_folder

pytestmark = by_night

DESKTOP = 1280
MOST_PRESSES = 60
PATIENCE = 600_000
"""Milliseconds in which the members play until the next alarm, on a busy machine."""


@contextmanager
def open_visitor(name: str, folder: Path) -> Iterator[DemoPagePlayer]:
    """Yield a visitor with the demo's page open."""
    shots, pictures = load_picture_driver(), make_transcript_folder(name, folder)
    with shots.run_demo(folder, pace=0.1) as address, shots.visit_demo(address, width=DESKTOP, height=900) as guest:
        anna = DemoPagePlayer(shots.Player(guest.page), folder / "c-demo.db", pictures)
        try:
            yield anna
        finally:
            anna.take_pictures("last")


def begin_plan(anna: DemoPagePlayer, name: str) -> None:
    """Begin to plan a tournament as the club's owner."""
    anna.player.view_as("Card Club")
    anna.player.command("tournament create", name=name)
    anna.take_pictures("format")


def publish_plan(anna: DemoPagePlayer, text: str) -> None:
    """Publish the plan, if *Check* says what is expected."""
    anna.player.click("Check")
    wait_for_message(anna, text)
    anna.take_pictures("check")
    anna.player.click("Publish")
    wait_for_message(anna, "Everyone can enter now.")
    anna.player.view_as("Anna")


def pass_day_to_check_in(anna: DemoPagePlayer) -> None:
    """Let a day pass, which stops when check-in opens."""
    anna.player.pass_time(days=1)
    wait_for_message(anna, "Check-in is open until")
    anna.take_pictures("check-in")


def pass_time_until(anna: DemoPagePlayer, words: str) -> None:
    """Let ten minutes pass again and again until a message has these words.

    Only the button is waited for: while others play, the page may never be without a change.
    """
    button = anna.player.page.locator(".passing-time button", has_text="+10 minutes")
    for press in range(MOST_PRESSES):
        if anna.player.newest_message(words).count():
            return
        button.click(timeout=PATIENCE)
        while button.is_disabled():
            anna.player.page.wait_for_timeout(200)
        anna.player.page.wait_for_timeout(1500)
        if press % 3 == 0:
            anna.take_pictures(f"pass-{press}")
    raise AssertionError(f"never said: {words}")


def test_a_cup_with_an_idle_visitor_ends(tmp_path: Path) -> None:
    """Anna checks in and then does nothing: her side forfeits each round, and all others play theirs."""
    with open_visitor("idle", tmp_path) as anna:
        player = anna.player
        begin_plan(anna, "Friday cup")
        player.fill_form("Rounds", "2")
        player.click("Game")
        player.choose("3 deals", "1 deal")
        publish_plan(anna, "Swiss, 2 rounds of 1 deal")
        player.click("Enter")
        wait_for_message(anna, "12 of 16")
        pass_day_to_check_in(anna)
        player.click("I am here")
        wait_for_message(anna, "You are here.")
        pass_time_until(anna, "Friday cup is over.")
        anna.take_pictures("over")
        told = player.page.locator("body").inner_text()
        assert {"1", "2"} == set(re.findall(r"Round (\d), table \d: we wait for @Anna until", told))
        assert {"1", "2"} == set(re.findall(r"Round (\d), table \d: forfeit, Anna did not come\.", told))
        assert "did not check in" not in told
        (hers,) = re.findall(r"[56]\. (.*Anna.*) · 0 \(0\)", told.split("Friday cup is over.")[-1])
        assert "&" in hers


def test_a_duplicate_of_four_pairs_has_one_list_of_standings(tmp_path: Path) -> None:
    """The visitor only watches while members play six boards, and one list says who has won."""
    with open_visitor("duplicate", tmp_path) as anna:
        player = anna.player
        begin_plan(anna, "Club duplicate")
        player.choose("Swiss", "Duplicate")
        anna.take_pictures("duplicate")
        player.click("People")
        player.fill_form("Places", "10")
        publish_plan(anna, "Short Howell, 5 pairs, 3 rounds, one winner, balance 0.54")
        wait_for_message(anna, "8 of 10")
        pass_day_to_check_in(anna)
        pass_time_until(anna, "Club duplicate is over.")
        anna.take_pictures("over")
        told = player.page.locator("body").inner_text()
        assert "Howell, 4 pairs, 3 rounds, one winner, balance 0.00" in told
        assert {str(number) for number in range(1, 7)} == set(re.findall(r"Board (\d) open", told))
        over = told.split("Club duplicate is over.")[-1]
        assert 4 == len(re.findall(r"\d+\.\d\d %", over))
        assert "North–South" not in over
        player.click("Compare deals")
        anna.take_pictures("compared")
        player.click("Export")
        wait_for_message(anna, "canasta-event-1.html")
        anna.take_pictures("export")
