"""A series of three nights at the demo's page, from `/series create` to its standings.

The club's members play; time passes by the page's own buttons. It takes minutes, so `make nightly` plays it. With
``TRANSCRIPT=FOLDER`` pictures of the page go to ``FOLDER/series``.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

from tests.support.demo_page_player import Sitter, by_night, load_driver, make_transcript_folder

pytestmark = by_night

MINUTE = 60_000
HOUR = 60 * MINUTE
DAY = 24 * HOUR
OPEN_TABLES = "SELECT count(*) FROM tables JOIN contest_tables ON id = table_id WHERE status = 'playing'"
PATIENCE = 300
"""Seconds in which the members play what is called."""


class Visitor:
    """The club's owner at the page, who lets time pass and looks."""

    def __init__(self, sitter: Sitter) -> None:
        self.sitter = sitter
        self.player = sitter.player
        self.passed = 0

    def stored(self, sql: str, *values: object) -> list[tuple[int | str | None, ...]]:
        """Return rows of the demo's database."""
        with sqlite3.connect(f"file:{self.sitter.database}?mode=ro", uri=True) as store:
            return store.execute(sql, values).fetchall()

    def stage(self, tournament: int) -> str:
        rows = self.stored("SELECT stage FROM tournaments WHERE id = ?", tournament)
        return str(rows[0][0]) if rows else ""

    def due(self, table: str) -> int | None:
        """Return the next alarm of all tournaments or series, in milliseconds of the demo's time."""
        found = self.stored(f"SELECT min(due_at) FROM {table}")[0][0]  # noqa: S608 - a name of this test
        return None if found is None else int(found)

    def let_pass(self, milliseconds: int) -> None:
        """Let at least that much time pass, in as few steps as the page offers."""
        days, rest = divmod(max(0, milliseconds), DAY)
        hours, rest = divmod(rest, HOUR)
        tens = -(-rest // (10 * MINUTE))
        self.player.let_pass(days=days, hours=hours, tens=tens)
        self.passed += days * DAY + hours * HOUR + tens * 10 * MINUTE
        self.player.page.wait_for_timeout(3_500)  # members enter, check in and say that they are there a little later

    def pass_until(self, is_so: Callable[[], bool], *, most: int = 400) -> None:
        """Let time pass from alarm to alarm until something is so."""
        for _ in range(most):
            if is_so():
                return
            now = round(time.time() * 1000) + self.passed
            waits = [one for one in (self.due("tournaments"), self.due("series")) if one is not None]
            self.let_pass(min(waits, default=now) - now if waits else 0)
        raise AssertionError("it never is so")

    def wait_until_played(self, is_so: Callable[[], bool]) -> None:
        """Wait until the members have played, without letting time pass."""
        end = time.monotonic() + PATIENCE
        while not is_so():
            assert time.monotonic() < end, "the members do not play"
            self.player.page.wait_for_timeout(1_000)

    def fill_lines(self, label: str, *typed: str) -> None:
        """Press a button that opens a form of several lines, and send it."""
        self.player.click(label)
        form = self.player.page.locator(".modal-dialog")
        for place, text in enumerate(typed):
            form.locator("input, textarea").nth(place).fill(text)
        self.sitter.look("form")
        form.locator("button", has_text="Submit").click()
        self.player.settle()

    def says(self, words: str) -> None:
        self.player.message(words).wait_for()

    def play(self, tournament: int) -> None:
        """Let a tournament that is published come to its close."""
        over = ("closed", "cancelled")
        self.pass_until(lambda: self.stage(tournament) in ("running", *over))
        for _ in range(60):
            if self.stage(tournament) in over:
                return
            self.let_pass(10 * MINUTE)
            self.wait_until_played(lambda: self.stored(OPEN_TABLES) == [(0,)])
        raise AssertionError("the tournament never closes")


def test_three_nights_of_a_series(tmp_path: Path) -> None:
    shots = load_driver()
    folder = make_transcript_folder("series", tmp_path)
    with shots.demo(tmp_path, pace=0.01) as address, shots.guest(address) as guest:
        sitter = Sitter(shots.Player(guest.page), tmp_path / "c-demo.db", folder)
        visitor = Visitor(sitter)
        try:
            begin(visitor)
            for number in (2, 3, 4):  # 1 is the draft
                visitor.play(number)
                sitter.look(f"night-{number - 1}")
            look_around(visitor)
        finally:
            sitter.look("last")


def begin(visitor: Visitor) -> None:
    """Begin a series of three nights of one round of one deal."""
    player, look = visitor.player, visitor.sitter.look
    player.view_as("Card Club")
    player.command("series create", name="Friday cup")
    look("create")
    player.fill("Rounds", "1")
    player.click("Game")
    player.choose("3 deals", "1 deal")
    player.click("Check")
    visitor.says("Swiss, 1 round of 1 deal")
    look("check")
    player.click("Repeat…")
    visitor.says("In which time zone do you live?")
    look("zone")
    player.fill("Set my time zone", "Berlin")
    visitor.says("Your time zone is Europe/Berlin.")
    visitor.fill_lines("Repeat…", "1", "3", "2", "4", "")
    visitor.says("The series has begun")
    look("begun")


def look_around(visitor: Visitor) -> None:
    """Look at the standings after three nights."""
    visitor.player.command("series standings")
    visitor.says("3 of 3 nights played")
    visitor.sitter.look("standings")
