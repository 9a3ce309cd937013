"""A whole game on the demo's page in text-only mode, played from its text alone.

The text includes the alternative texts of pictures. It takes minutes, so `make nightly` plays it. With
``TRANSCRIPT=FOLDER`` the read texts are saved in ``FOLDER/reading``.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from tests.support.demo_page_player import by_night, load_picture_driver, make_transcript_folder

pytestmark = by_night

MOST_TOUCHES = 600
"""Most touches of a deal, which has about forty; with more it would not end."""


class TextReader:
    """A person at the page who reads only text, as with a screen reader."""

    def __init__(self, player: Any) -> None:
        self.player = player
        self.heard: list[str] = []

    def read_message(self, message: Any) -> str:
        """Return the text of a message, and the descriptions of its pictures."""
        text = re.sub(r"\n+", "\n", message.inner_text())
        captions = [image.get_attribute("alt") or "" for image in message.locator("img").all()]
        assert all(captions), "a picture without words"
        self.heard.append("\n".join([text, *captions]))
        return self.heard[-1]

    def panel_text(self) -> str:
        """Return the text of the person's own panel, which must have no picture."""
        message = self.player.panel_text()
        assert message.locator("img").count() == 0
        return self.read_message(message)

    def press_button(self, label: str) -> str:
        """Press a button of the panel, and return the panel's text afterwards."""
        self.heard.append(f"> {label}")
        self.player.press(label)
        return self.panel_text()

    def play_deal(self) -> int:
        """Play the deal turn by turn to its end; return how many buttons were pressed."""
        pressed = 0
        while self.player.wait_for_turn():
            text = self.panel_text()
            while self.player.is_asking():
                label = self.button_to_press(text)
                assert label, text
                text = self.press_button(label)
                pressed += 1
                assert pressed < MOST_TOUCHES
        self.read_message(self.player.score_sheet())
        return pressed

    def button_to_press(self, text: str) -> str:
        """Return a button for a move that the panel's text allows.

        Going out comes before opening, drawing and discarding.
        """
        may, labels = legal_moves_text(text), self.player.labels()
        for label in ("Yes, go out", "Go out"):
            if label in labels:
                return label
        opens = next((label for label in labels if label.startswith("Open: ")), "")
        if opens and "lay or add to" in may:
            return opens
        if "draw" in may.split("; "):
            return "Draw"
        return str(self.player.next_button())


def legal_moves_text(text: str) -> str:
    """Return the part of a panel's text that lists the legal moves."""
    found = re.search(r"^You may: (.*)\.$", text, re.MULTILINE)
    return found[1] if found else ""


def test_a_whole_game_is_played_in_text_only_mode(tmp_path: Path) -> None:
    shots = load_picture_driver()
    with shots.run_demo(pace=0.2) as address, shots.visit_demo(address) as guest:
        player = shots.Player(guest.page)
        reader = TextReader(player)
        try:
            pressed = play_game(reader)
        finally:
            folder = make_transcript_folder("reading", tmp_path)
            folder.joinpath("by-reading.txt").write_text("\n\n".join(reader.heard), encoding="utf-8")
    assert pressed > 3
    assert not [text for text in reader.heard if "Only you can see this" in text and set("♠♥♦♣") & set(text)]


def play_game(reader: TextReader) -> int:
    """Play from the settings to the final score; return how many buttons were pressed."""
    player = reader.player
    player.command("me settings", **{"text-only": "True"})
    assert "Text only" in reader.panel_text()
    player.command("table new", target=500)
    player.click("Start")
    pressed = reader.play_deal()
    while player.has_button("Next deal"):
        reader.press_button("Next deal")
        pressed += reader.play_deal()
    assert re.search("You won|won with", player.panel_title())
    return pressed
