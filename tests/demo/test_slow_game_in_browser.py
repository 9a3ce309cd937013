"""A slow game on the demo's page, with reminders, an absence, a return and a replay.

A computer player takes over the absent player's seat. Time passes by the page's own buttons. It takes minutes, so `make
nightly` plays it. With ``TRANSCRIPT=FOLDER`` pictures of the page go to ``FOLDER/slow``.
"""

from __future__ import annotations

from pathlib import Path

from bot.engine.moves.phases import Phase
from bot.engine.table.state import seat_to_act
from tests.support.demo_page_player import AnnaPlayer, by_night, load_driver, make_transcript_folder

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
    shots = load_driver()
    folder = make_transcript_folder("slow", tmp_path)
    with shots.run_demo(tmp_path, pace=0.1) as address, shots.visit_demo(address) as guest:
        sitter = AnnaPlayer(shots.Player(guest.page), tmp_path / "c-demo.db", folder)
        try:
            begin_slow_game(sitter)
            stay_away_until_replaced(sitter)
            play_on_and_come_back(sitter)
            end_and_look_back(sitter)
        finally:
            sitter.take_pictures("last")


def begin_slow_game(sitter: AnnaPlayer) -> None:
    """Seat Anna and Ben at a slow table with Ben in turn."""
    player = sitter.player
    player.command("table new", players=2, clock="daily")
    wait_for_message(sitter, "Your clock stops while you sleep. When do you sleep?")
    sitter.take_pictures("lobby")
    sitter.press_newest_button("lobby.setup")
    sitter.take_pictures("set-up")
    player.view_as("Ben")
    player.click("Sit here")
    player.view_as("Anna")
    sitter.press_newest_button("lobby.start")
    sitter.open_panel()
    if seat_to_act(sitter.game_state()) == sitter.seat:
        sitter.play_turn()
    wait_for_message(sitter, "@Ben, your turn.")
    sitter.take_pictures("turn-of-ben")


def stay_away_until_replaced(sitter: AnnaPlayer) -> None:
    """Let Ben look in once without playing, until a computer player keeps the seat."""
    for name, days, hours, told in PASSES:
        sitter.player.pass_time(days=days, hours=hours)
        wait_for_message(sitter, told)
        sitter.take_pictures(name)
        if name == "last":
            sitter.player.view_as("Ben")
            sitter.player.command("help")
            sitter.player.view_as("Anna")
    sitter.player.click("Computer")
    wait_for_message(sitter, "A computer plays for Ben until Ben is back. It sees only Ben's cards.")
    sitter.take_pictures("kept")


def play_on_and_come_back(sitter: AnnaPlayer) -> None:
    """Play a deal as Anna against the computer player, and let Ben return in the next one."""
    player = sitter.player
    sitter.open_panel()
    assert sitter.play_deal()
    if sitter.game_state().phase is Phase.BETWEEN:
        sitter.press_button("next_deal")
    while not [seat for seat in recent_seats(sitter) if seat != sitter.seat]:
        player.wait_for_turn()
        sitter.play_turn()
    player.view_as("Ben")
    player.click("Back to my seat")
    wait_for_message(sitter, "Welcome back. Played for you: ")
    wait_for_message(sitter, "Ben is back.")
    sitter.take_pictures("back")


def end_and_look_back(sitter: AnnaPlayer) -> None:
    """End the game by agreement, then look at its replay, log, record and other pages."""
    player = sitter.player
    player.command("table offer", what="end")
    wait_for_message(sitter, "Ben offers to end the game")
    player.view_as("Anna")
    sitter.take_pictures("offer")
    player.click("Agree")
    wait_for_message(sitter, "The game was ended by agreement.")
    sitter.take_pictures("over")
    player.command("replay")
    wait_for_message(sitter, "Table 1 · deal 1 · as it was dealt")
    player.click("▶")
    wait_for_message(sitter, "Table 1 · deal 1 · Turn 1 of ")
    sitter.take_pictures("replay")
    for command in ("table log", "record", "me games", "me settings", "profile"):
        player.command(command)
        sitter.take_pictures(command.replace(" ", "-"))
    player.view_as("Card Club")
    player.command("setup show")
    wait_for_message(sitter, "This server's tables")
    sitter.take_pictures("setup-show")


def wait_for_message(sitter: AnnaPlayer, words: str) -> None:
    """Wait until a message has these words."""
    sitter.player.newest_message(words).wait_for()


def recent_seats(sitter: AnnaPlayer) -> list[int | None]:
    """Return the seats of the running deal's recent events, in order."""
    deal = sitter.game_state().deal
    return [one.seat for one in sitter.stored_table().recent if one.deal == deal]
