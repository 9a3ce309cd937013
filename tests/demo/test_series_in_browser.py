"""A series of three nights with its final, and a league of divisions, on the demo's page.

The club's members play; time passes by the page's own buttons. It takes minutes, so `make nightly` plays it. With
``TRANSCRIPT=FOLDER`` pictures of the page go to ``FOLDER/series``.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.demo_page_player import DemoPagePlayer, by_night, load_picture_driver, make_transcript_folder

pytestmark = by_night

OPEN_TABLES = "SELECT count(*) FROM tables JOIN contest_tables ON id = table_id WHERE status = 'playing'"
PATIENCE = 600
"""Seconds that members get to play all called matches."""


class Visitor:
    """The club's owner at the page, who lets time pass and reads."""

    def __init__(self, anna: DemoPagePlayer) -> None:
        self.anna = anna
        self.player = anna.player

    def query_database(self, sql: str, *values: object) -> list[tuple[int | str | None, ...]]:
        """Return the rows that an SQL query finds in the demo's database."""
        with sqlite3.connect(f"file:{self.anna.database}?mode=ro", uri=True) as store:
            return store.execute(sql, values).fetchall()

    def stage(self, tournament: int) -> str:
        rows = self.query_database("SELECT stage FROM tournaments WHERE id = ?", tournament)
        return str(rows[0][0]) if rows else ""

    def let_time_pass(self, *, days: int = 0, hours: int = 0) -> None:
        """Let time pass by the page's buttons; it stops when a tournament needs its players.

        Unlike the driver this waits for the button alone: while many tables play, the page is never at rest.
        """
        for label in ["+1 day"] * days + ["+1 hour"] * hours:
            button = self.player.page.locator(".passing-time button", has_text=label)
            button.click()
            end = time.monotonic() + PATIENCE
            while button.is_disabled():
                assert time.monotonic() < end, "time does not pass"
                self.player.page.wait_for_timeout(200)
        self.player.page.wait_for_timeout(3_500)  # members enter, check in and say "I am here" a little later

    def pass_days_until(self, is_so: Callable[[], bool], *, most: int = 100) -> None:
        """Let days pass, at most `most`, until the condition is true."""
        for _ in range(most):
            if is_so():
                return
            self.let_time_pass(days=1)
        raise AssertionError("it never is so")

    def is_nobody_playing(self) -> bool:
        """Return whether no table of a tournament is being played."""
        return self.query_database(OPEN_TABLES) == [(0,)]

    def wait_while_members_play(self, is_so: Callable[[], bool]) -> None:
        """Wait until the condition is true, while the members play and the demo's clock stands still."""
        end = time.monotonic() + PATIENCE
        while not is_so():
            assert time.monotonic() < end, "the members do not play"
            self.player.page.wait_for_timeout(1_000)

    def fill_lines(self, label: str, *typed: str) -> None:
        """Press a button that opens a form of several lines, fill it in, and send it."""
        self.player.click(label)
        form = self.player.page.locator(".modal-dialog")
        for place, text in enumerate(typed):
            form.locator("input, textarea").nth(place).fill(text)
        self.anna.take_pictures("form")
        form.locator("button", has_text="Submit").click()
        self.player.wait_until_settled()

    def members(self, tournament: int) -> set[str]:
        """Return the names of the people who entered a tournament."""
        rows = self.query_database(
            "SELECT name FROM tournament_people WHERE tournament_id = ? AND NOT directs", tournament
        )
        return {str(row[0]) for row in rows}

    def wait_for_text(self, words: str) -> None:
        self.player.newest_message(words).wait_for()

    def play_tournament(self, tournament: int) -> None:
        """Let a published tournament be played until it is closed."""
        over = ("closed", "cancelled")
        self.pass_days_until(lambda: self.stage(tournament) in ("running", *over))
        for _ in range(60):
            if self.stage(tournament) in over:
                return
            self.let_time_pass(hours=1)
            self.wait_while_members_play(self.is_nobody_playing)
        raise AssertionError("the tournament never closes")


DESK = 1_280
"""The width of a desktop's page, in CSS pixels."""


@contextmanager
def open_visitor(tmp_path: Path, name: str) -> Iterator[Visitor]:
    """Yield a visitor at a demo of its own, whose pictures go to a folder of that name."""
    shots = load_picture_driver()
    folder = make_transcript_folder(name, tmp_path)
    with shots.run_demo(tmp_path, pace=0.01) as address, shots.visit_demo(address, width=DESK) as guest:
        anna = DemoPagePlayer(shots.Player(guest.page), tmp_path / "c-demo.db", folder)
        try:
            yield Visitor(anna)
        finally:
            anna.take_pictures("last")


def test_three_nights_of_a_series_and_its_final_are_played(tmp_path: Path) -> None:
    with open_visitor(tmp_path, "series") as visitor:
        begin_nights(visitor)
        for number in (2, 3, 4):  # tournament 1 is the draft
            visitor.play_tournament(number)
            visitor.anna.take_pictures(f"night-{number - 1}")
        check_standings_pages(visitor)
        visitor.pass_days_until(lambda: visitor.stage(5) != "")
        visitor.anna.take_pictures("final-asked")
        visitor.play_tournament(5)
        visitor.wait_for_text("the champion")
        visitor.anna.take_pictures("champion")
        visitor.player.command("series hall")
        visitor.wait_for_text("Season 1:")
        visitor.anna.take_pictures("hall")
        visitor.player.command("series desk")
        visitor.anna.take_pictures("desk")


def test_a_season_of_divisions_ends_with_a_promotion(tmp_path: Path) -> None:
    with open_visitor(tmp_path, "divisions") as visitor:
        begin_divisions(visitor)
        visitor.pass_days_until(lambda: visitor.stage(3) == "running" == visitor.stage(4))  # 2: the sign-up
        visitor.anna.take_pictures("divisions")
        first = visitor.members(3), visitor.members(4)
        visitor.play_tournament(3)
        visitor.play_tournament(4)
        visitor.wait_for_text("Do you play again?")
        visitor.anna.take_pictures("play-again")
        visitor.pass_days_until(lambda: visitor.stage(6) == "running" == visitor.stage(7))  # 5: the next sign-up
        second = visitor.members(6), visitor.members(7)
        visitor.anna.take_pictures("next-season")
        assert [4, 4] == [len(one) for one in second]
        assert first[0] | first[1] == second[0] | second[1], "nobody is lost"
        assert first[1] & second[0], "somebody went up"
        assert first[0] & second[1], "somebody went down"
        visitor.wait_while_members_play(visitor.is_nobody_playing)  # a page that keeps changing accepts no command
        visitor.player.command("series standings")
        visitor.anna.take_pictures("standings")
        visitor.player.command("series hall")
        visitor.anna.take_pictures("hall")


def begin_divisions(visitor: Visitor) -> None:
    """Begin a series of divisions of single players, a slow round robin of one deal each."""
    player, snapshot = visitor.player, visitor.anna.take_pictures
    player.view_as("Card Club")
    player.command("tournament create", name="Winter league")
    player.choose("Swiss", "Round robin")
    player.click("Game")
    player.choose("4 players", "2 players")
    player.click("Time")
    player.click("Played in one evening")
    snapshot("time")
    player.click("People")
    player.fill_form("Places", "10")  # the members fill all places but two
    snapshot("people")
    player.click("Check")
    visitor.wait_for_text("Round robin")
    snapshot("check")
    player.click("Divisions…")
    visitor.wait_for_text("In which time zone do you live?")
    player.fill_form("Set my time zone", "Berlin")
    visitor.fill_lines("Repeat…", "4", "14")
    visitor.wait_for_text("The series has begun")
    snapshot("begun")


def begin_nights(visitor: Visitor) -> None:
    """Begin a series of three nights of one round of one deal."""
    player, snapshot = visitor.player, visitor.anna.take_pictures
    player.view_as("Card Club")
    player.command("series create", name="Friday cup")
    snapshot("create")
    player.fill_form("Rounds", "1")
    player.click("Game")
    player.choose("3 deals", "1 deal")
    player.click("Check")
    visitor.wait_for_text("Swiss, 1 round of 1 deal")
    snapshot("check")
    player.click("Repeat…")
    visitor.wait_for_text("In which time zone do you live?")
    snapshot("zone")
    player.fill_form("Set my time zone", "Berlin")
    visitor.wait_for_text("Your time zone is Europe/Berlin.")
    visitor.fill_lines("Repeat…", "1, 6", "3", "2", "4", "")
    visitor.wait_for_text("The series has begun")
    snapshot("begun")


def check_standings_pages(visitor: Visitor) -> None:
    """Check the pages of standings after three nights."""
    visitor.player.command("series standings")
    visitor.wait_for_text("3 of 3 nights played")
    visitor.anna.take_pictures("standings")
