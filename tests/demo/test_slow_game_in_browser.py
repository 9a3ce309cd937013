"""A slow game on the demo's page, with reminders, an absence, a return and a replay.

A computer player takes over the absent player's seat. Time passes by the page's own buttons. It takes minutes, so `make
nightly` plays it. With ``TRANSCRIPT=FOLDER`` pictures of the page go to ``FOLDER/slow``.
"""

from __future__ import annotations

from pathlib import Path

from bot.engine.moves.phases import Phase
from bot.engine.table.state import seat_to_act
from tests.support.demo_page_player import DemoPagePlayer, by_night, load_picture_driver, make_transcript_folder

pytestmark = by_night

PASSES: tuple[tuple[str, int, int, str], ...] = (
    ("half", 1, 12, "@Ben, half your time at table 1 is gone"),
    ("last", 1, 5, "@Ben, last reminder for table 1"),
    ("extra-day", 0, 8, "Ben's extra day runs until"),
    ("vacation", 1, 0, "Ben is on vacation: day 1 of 7"),
    ("vote", 2, 0, "Ben's time is up. What now? 0 of 1 have voted"),
)
"""Days and hours that pass while Ben does not play, and what the channel says then; each with its picture's name."""


def test_a_slow_game_with_an_absence_is_played_in_the_browser(tmp_path: Path) -> None:
    shots = load_picture_driver()
    folder = make_transcript_folder("slow", tmp_path)
    with shots.run_demo(tmp_path, pace=0.1) as address, shots.visit_demo(address) as guest:
        anna = DemoPagePlayer(shots.Player(guest.page), tmp_path / "c-demo.db", folder)
        try:
            begin_slow_game(anna)
            keep_ben_away_until_replaced(anna)
            play_on_until_ben_returns(anna)
            end_game_and_look_back(anna)
        finally:
            anna.take_pictures("last")


def begin_slow_game(anna: DemoPagePlayer) -> None:
    """Seat Anna and Ben at a slow table with Ben in turn."""
    player = anna.player
    player.command("table new", players=2, clock="daily")
    wait_for_message(anna, "Your clock stops while you sleep. When do you sleep?")
    anna.take_pictures("lobby")
    anna.press_newest_button("lobby.setup")
    anna.take_pictures("set-up")
    player.view_as("Ben")
    player.click("Sit here")
    player.view_as("Anna")
    anna.press_newest_button("lobby.start")
    anna.open_panel()
    if seat_to_act(anna.game_state()) == anna.seat:
        anna.play_turn()
    wait_for_message(anna, "@Ben, your turn.")
    anna.take_pictures("turn-of-ben")


def keep_ben_away_until_replaced(anna: DemoPagePlayer) -> None:
    """Let Ben look in once without playing, until a computer player keeps the seat."""
    for name, days, hours, text in PASSES:
        anna.player.pass_time(days=days, hours=hours)
        wait_for_message(anna, text)
        anna.take_pictures(name)
        if name == "last":
            anna.player.view_as("Ben")
            anna.player.command("help")
            anna.player.view_as("Anna")
    anna.player.click("Computer")
    wait_for_message(anna, "A computer plays for Ben until Ben is back. It sees only Ben's cards.")
    anna.take_pictures("kept")


def play_on_until_ben_returns(anna: DemoPagePlayer) -> None:
    """Play a deal as Anna against the computer player, and let Ben return in the next one."""
    player = anna.player
    anna.open_panel()
    assert anna.play_deal()
    if anna.game_state().phase is Phase.BETWEEN:
        anna.press_button("next_deal")
    while not [seat for seat in recent_seats(anna) if seat != anna.seat]:
        player.wait_for_turn()
        anna.play_turn()
    player.view_as("Ben")
    player.click("Back to my seat")
    wait_for_message(anna, "Welcome back. Played for you: ")
    wait_for_message(anna, "Ben is back.")
    anna.take_pictures("back")


def end_game_and_look_back(anna: DemoPagePlayer) -> None:
    """End the game by agreement, then look at its replay, log, record and other pages."""
    player = anna.player
    player.command("table offer", what="end")
    wait_for_message(anna, "Ben offers to end the game")
    player.view_as("Anna")
    anna.take_pictures("offer")
    player.click("Agree")
    wait_for_message(anna, "The game was ended by agreement.")
    anna.take_pictures("over")
    player.command("replay")
    wait_for_message(anna, "Table 1 · deal 1 · as it was dealt")
    player.click("▶")
    wait_for_message(anna, "Table 1 · deal 1 · Turn 1 of ")
    anna.take_pictures("replay")
    for command in ("table log", "record", "me games", "me settings", "profile"):
        player.command(command)
        anna.take_pictures(command.replace(" ", "-"))
    player.view_as("Card Club")
    player.command("setup show")
    wait_for_message(anna, "This server's tables")
    anna.take_pictures("setup-show")


def wait_for_message(anna: DemoPagePlayer, words: str) -> None:
    """Wait until a message has these words."""
    anna.player.newest_message(words).wait_for()


def recent_seats(anna: DemoPagePlayer) -> list[int | None]:
    """Return the seats of the running deal's recent events, in order."""
    deal = anna.game_state().deal
    return [one.seat for one in anna.stored_table().recent if one.deal == deal]
