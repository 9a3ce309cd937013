"""The demo's page behaves like a chat: Enter sends a command, a new panel scrolls into view.

A demo and a Chromium take long to start, so `make nightly` runs this.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.demo_page_player import by_night, load_picture_driver

pytestmark = by_night

IN_VIEW = """panel => {
  const shown = document.getElementById("channel-timeline").getBoundingClientRect();
  const box = panel.getBoundingClientRect();
  const begins = box.top >= shown.top - 1 && box.top <= shown.bottom;
  const ends = box.bottom <= shown.bottom + 1 && box.bottom >= shown.top;
  return box.height <= shown.height ? begins && ends : begins || ends;
}"""
"""Script that returns whether a message lies in the window, or begins or ends there if it is taller."""

SETTLES = 500


@pytest.mark.parametrize(("width", "height"), [(1280, 900), (400, 850)])
def test_enter_opens_a_table_and_a_new_panel_comes_into_view(width: int, height: int, tmp_path: Path) -> None:
    shots = load_picture_driver()
    with shots.run_demo(tmp_path, pace=0.1) as address, shots.visit_demo(address, width=width, height=height) as guest:
        page = guest.page
        composer = page.locator("#channel-composer-input")
        composer.click()
        composer.press_sequentially("/table new", delay=10)
        page.locator(".command-popup [role=option]").first.wait_for()
        composer.press("Enter")
        guest.newest_message("Table 1 · Classic").wait_for()
        page.wait_for_timeout(SETTLES)
        assert page.locator(".component-button", has_text="Start").last.evaluate(IN_VIEW)
        guest.click("Start")
        guest.wait_briefly()
        player = shots.Player(page)
        player.board().get_by_role("button", name="Draw", exact=True).click()
        panel = player.panel()
        panel.locator(".media-lightbox-trigger img[width]").wait_for()
        page.wait_for_timeout(SETTLES)
        assert panel.evaluate(IN_VIEW)
