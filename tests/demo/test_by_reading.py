"""A whole game at the demo page in text-only mode, by somebody who reads: words and alternative texts, no picture.

Plays in a browser for some minutes, so it does so only when asked (``TRANSCRIPT=FOLDER``), and needs playwright and a
Chromium (`pip install playwright`; ``CHROMIUM=/path/to/it``). What was read stands in that folder, for somebody to
read it again.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest

from tests.support.page import driver, on_request

pytestmark = [*on_request, pytest.mark.timeout(900)]

TURNS = 60
"""A game to 500 points has some ten turns of one's own; one that has more does not end."""


class Reader:
    """Somebody in front of the page who hears what is written there."""

    def __init__(self, player: Any) -> None:
        self.player = player
        self.heard: list[str] = []

    def hear(self, message: Any) -> str:
        """What a message says, and what is said of its pictures."""
        said = re.sub(r"\n+", "\n", message.inner_text())
        captions = [image.get_attribute("alt") or "" for image in message.locator("img").all()]
        assert all(captions), "a picture without words"
        self.heard.append("\n".join([said, *captions]))
        return self.heard[-1]

    def panel(self) -> str:
        """What one's own panel says; there is no picture in it."""
        message = self.player.panel()
        assert message.locator("img").count() == 0
        return self.hear(message)

    def does(self, what: str, *labels: str) -> str:
        """Press a button, or choose from a menu; what the panel says then."""
        self.heard.append(f"> {what} {', '.join(labels)}".rstrip())
        if labels:
            self.player.choose(what, *labels)
        else:
            self.player.click(what)
        return self.panel()

    def over(self) -> Any:
        """The board, when a deal or the game is over."""
        return self.player.page.locator(".channel-message", has_text=re.compile(r"deal \d+ is over|won with"))

    def play_deal(self, expect: Any) -> int:
        """Turn by turn to its end; how many turns there were."""
        for turns in range(TURNS):
            expect(self.player.my_turn().or_(self.over()).last).to_be_visible()
            if self.over().count():
                self.hear(self.over().last)
                return turns
            self.hear(self.player.my_turn())
            said = self.does("My hand")
            if "answer yes or no" in said:
                self.does("Yes")
            elif "Your turn" in said:
                self.play_turn(said)
        raise AssertionError(f"no end after {TURNS} turns")

    def play_turn(self, said: str) -> None:
        """What the panel says that one may: draw or take, lay what can be laid, discard what one has least of."""
        may = steps(said)
        if "draw" in may:
            said = self.does("Draw")
        elif "pass" in may:
            self.does("Pass")
            return
        elif "discard a card" not in may:
            said = self.does("Take the pile")
        wanted = [choice for choice in self.player.choices("Choose cards to meld") if fits(choice, said)]
        if wanted and "lay or add to" in may_text(said):
            self.does("Choose cards to meld", *wanted)
            if self.player.can("Lay"):
                said = self.does("Lay")
            if self.player.can("Clear"):
                said = self.does("Clear")
        offered = self.player.choices("Discard…")
        if offered:
            self.does("Discard…", max(offered, key=lambda label: ("Joker" not in label, " 2" not in label, label)))


RANKS = {
    "4": "fours", "5": "fives", "6": "sixes", "7": "sevens", "8": "eights", "9": "nines", "10": "tens",
    "J": "jacks", "Q": "queens", "K": "kings", "A": "aces",
}  # fmt: skip


def may_text(said: str) -> str:
    found = re.search(r"^You may: (.*)\.$", said, re.MULTILINE)
    return found[1] if found else ""


def steps(said: str) -> list[str]:
    """What one may do, by the panel's own words."""
    return may_text(said).split("; ")


def fits(choice: str, said: str) -> bool:
    """Whether the cards make a meld of their own, or join one of one's side."""
    ranks = choice.split()
    own = re.search(r"\(your side\).*Melds: (.*)", said)
    name = RANKS.get(ranks[0])
    return name is not None and (len(ranks) >= 3 or (own is not None and name in own[1]))


def test_a_whole_game_is_played_by_reading() -> None:
    shots = driver()
    with shots.demo(pace=0.2) as address, shots.guest(address) as guest:
        player = shots.Player(guest.page)
        reader = Reader(player)
        try:
            turns = play_game(reader, shots.expect)
        finally:
            folder = Path(os.environ["TRANSCRIPT"])
            folder.mkdir(parents=True, exist_ok=True)
            folder.joinpath("by-reading.txt").write_text("\n\n".join(reader.heard), encoding="utf-8")
    assert turns > 2
    assert not [said for said in reader.heard if "Only you can see this" in said and set("♠♥♦♣") & set(said)]


def play_game(reader: Reader, expect: Any) -> int:
    """From one's settings to the final score; how many turns it took."""
    player = reader.player
    player.command("me settings", **{"text-only": "True"})
    assert "Text only" in reader.panel()
    player.command("table new", target=500)
    player.click("Start")
    turns = reader.play_deal(expect)
    while not player.page.locator(".channel-message", has_text="won with").count():
        player.command("next")
        reader.panel()
        turns += reader.play_deal(expect)
    assert "won with" in reader.heard[-1]
    assert re.search(r"^Deal 1 · ", reader.does("Score"), re.MULTILINE)
    return turns
