"""Count the touches of each turn on the demo's page, over whole deals of the classic game.

They take minutes, so `make nightly` plays them. With ``TRANSCRIPT=FOLDER`` the pressed buttons of each turn and the
counts are saved in folders of their own there.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.support.demo_page_player import PHONE, by_night, load_picture_driver, make_transcript_folder

pytestmark = by_night

DESK = 1280

MOST_DEALS = 6
"""Most deals that are played until the person at the page has gone out."""

PLAIN, ONE_MELD, OUT = "a plain turn", "one meld", "going out"

EXPECTED = {PLAIN: {2}, ONE_MELD: {3}, OUT: {1, 2}}
"""Number of touches for each sort of turn; going out takes one if it begins with taking the pile."""


def kind_of_turn(shots: Any, pressed: list[str]) -> str:
    """Return the kind of a turn, judged by the buttons pressed; empty if it is none of the counted ones."""
    if not pressed:
        return ""
    laid = [one for one in pressed if shots.LAYS.search(one) or shots.OPENS.search(one)]
    if pressed[-1] == "Go out":
        return OUT if not laid else ""
    if "Draw" not in pressed or not shots.DISCARDS.match(pressed[-1]):
        return ""  # the pile was taken, or a question answered
    return {0: PLAIN, 1: ONE_MELD}.get(len(laid), "")


def play_turn(shots: Any, player: Any) -> list[str]:
    """Play a whole turn, and return the labels of the buttons pressed."""
    began, pressed = player.touches, []
    while player.is_asking():
        label = player.next_button()
        assert label, f"nothing to press: {player.panel().inner_text()}"
        player.press(label)
        pressed.append(label)
        if shots.DISCARDS.match(label) and not label.startswith(("2", "Joker")):
            break  # the computer players may be so quick that the next turn has begun
    assert player.touches - began == len(pressed)
    return pressed


@pytest.mark.parametrize("width", [DESK, PHONE])
def test_a_turn_takes_two_touches_and_leaves_one_panel(width: int, tmp_path: Path) -> None:
    shots = load_picture_driver()
    turns: list[list[str]] = []
    with shots.run_demo(tmp_path, pace=0.1) as address, shots.visit_demo(address, width=width) as guest:
        player = shots.Player(guest.page)
        player.command("table new")
        player.click("Start")
        for deal in range(1, MOST_DEALS + 1):
            while player.wait_for_turn():
                turns.append(play_turn(shots, player))
            player.score_sheet().filter(has_text=f"Deal {deal} · ").wait_for()
            assert [f"Deal {deal}: "] == [re.sub("(?<=: ).*", "", title) for title in panel_titles(player)]
            if OUT in (kind_of_turn(shots, pressed) for pressed in turns) or not player.has_button("Next deal"):
                break
            player.press("Next deal")
        assert 1 == len(panel_titles(player))
        assert not player.page.locator(".channel-message", has_text="asleep").count()
    counts = {sort: Counter(len(one) for one in turns if sort == kind_of_turn(shots, one)) for sort in EXPECTED}
    told = {"counts": counts, "turns": turns}
    folder = make_transcript_folder(f"touches-{width}", tmp_path)
    folder.joinpath("touches.json").write_text(json.dumps(told, indent=1), encoding="utf-8")
    for sort, expected in EXPECTED.items():
        assert counts[sort], f"{sort} did not happen"
        assert set(counts[sort]) <= expected, sort


def panel_titles(player: Any) -> list[str]:
    """Return the titles of all panels: private messages with a title and buttons.

    The invitation to the lessons, which a newcomer sees once, has a button only.
    """
    private = player.page.locator(".channel-message", has_text="Only you can see this")
    panels = private.filter(has=player.page.locator("h3")).filter(has=player.page.locator(".component-button"))
    return [one.locator("h3").first.inner_text() for one in panels.all()]
