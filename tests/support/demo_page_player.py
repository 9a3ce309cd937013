"""A player at the demo's page, based on the driver that takes the README's pictures.

`DemoPagePlayer` sits at a table of the demo, usually the first, as Anna. It asks a computer player, who sees the same
seat, for its moves, and makes each with the panel's own buttons and menus, so that a missing control ends the game.
Pictures of the page go to a folder, at a desktop's width and at a phone's.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import sqlite3
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from bot.engine.cards.cards import RANK_LETTERS, Kind
from bot.engine.cards.meld_places import is_run
from bot.engine.moves.actions import (
    Announce,
    Answer,
    Ask,
    Combine,
    Discard,
    Draw,
    DrawKeeping,
    LayRun,
    Meld,
    Pass,
    Reclaim,
    Show,
    Take,
)
from bot.engine.moves.phases import Phase
from bot.engine.table.state import State, seat_to_act
from bot.i18n import words
from bot.store.table_changes import StoredHolder
from bot.tables.core.stored_forms import read_record
from bot.tables.state.table import TablePersons, TableState
from cogs.shared.reading.typed_steps import menu_value
from cogs.shared.showing.panels.labels import discard_label
from cogs.shared.telling.turn_text import take_label
from tests.support.browser import needs_chromium
from tests.support.computer_choices import Move, is_offered_by_menu, next_move
from tests.support.project_files import ROOT

by_night = [needs_chromium, pytest.mark.nightly, pytest.mark.timeout(1800)]
"""Marks for tests that play a whole game at the page, which takes minutes."""

PHONE = 400
"""The width of a phone, in CSS pixels."""

IDLE_SECONDS = 120
"""Longest time without progress at a table before the test fails."""

_BUTTONS = {
    Draw: "draw",
    DrawKeeping: "keep",
    Ask: "ask_whom",
    Announce: "announce",
    Pass: "pass",
    Show: "show",
}


def load_picture_driver() -> Any:
    """Return the module that takes the README's pictures, which drives the page in a browser."""
    spec = importlib.util.spec_from_file_location("screenshots", ROOT / "docs" / "screenshots.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    vars(module)["PATIENCE"] = 60_000  # in milliseconds; long, because a busy machine shows pages late
    return module


def make_transcript_folder(name: str, default_folder: Path) -> Path:
    """Return an empty folder for a game's pictures, below the folder that TRANSCRIPT names if it is set."""
    folder = Path(os.environ.get("TRANSCRIPT", default_folder)) / name
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    return folder


Try: TypeAlias = "Callable[[DemoPagePlayer, State], bool]"
"""An extra action that a person makes once, as soon as possible; returns whether it was possible yet."""


class DemoPagePlayer:
    """Plays Anna's seat at a `table`; `player` is the driver's, `folder` takes the pictures.

    Each of `tries` is an extra action, done once and as soon as it is possible.
    """

    def __init__(self, player: Any, database: Path, folder: Path) -> None:
        self.player = player
        self.database = database
        self.folder = folder
        self.table = 1
        self.words = words()
        self.looks = 0
        self.turns = 0
        self.tries: list[Try] = []
        self.done: Counter[str] = Counter()

    # --- state of the table

    def stored_table(self) -> TableState:
        """Return the table as it is stored."""
        with sqlite3.connect(f"file:{self.database}?mode=ro", uri=True) as store:
            (snapshot,) = store.execute("SELECT snapshot FROM tables WHERE id = ?", (self.table,)).fetchone()
            rows = store.execute(
                "SELECT number, first, person_id, name, account FROM holders WHERE table_id = ? ORDER BY number",
                (self.table,),
            ).fetchall()
        return read_record(snapshot, TablePersons(StoredHolder(*row) for row in rows))

    def game_state(self) -> State:
        game = self.stored_table().game
        assert game is not None
        return game

    @property
    def seat(self) -> int:
        """Return Anna's seat."""
        return next(seat for seat, holder in enumerate(self.stored_table().seats) if holder.name == "Anna")

    def event_counts(self) -> Counter[str]:
        """Return how often each kind of event has happened at this table, Anna's own also as `you: …`."""
        with sqlite3.connect(f"file:{self.database}?mode=ro", uri=True) as store:
            rows = store.execute("SELECT seat, payload FROM actions WHERE table_id = ?", (self.table,)).fetchall()
        own = self.seat
        told: Counter[str] = Counter()
        for seat, payload in rows:
            for event in json.loads(payload)["events"]:
                kind = event.get("event") or event["table"]
                if kind == "melded" and event["place"].startswith("run"):
                    kind = "melded a run"
                told[kind] += 1
                if seat == own and "event" in event:
                    told[f"you: {kind}"] += 1
        return told

    # --- looking

    def take_pictures(self, name: str) -> None:
        """Take pictures of the page: its end on a desktop and on a phone, and the newest picture in a message."""
        self.looks += 1
        page, start = self.player.page, self.folder / f"{self.looks:02}-{name}"
        newest = page.get_by_text("jump to latest")
        if newest.count() and newest.is_visible():
            newest.click()
        wide = page.viewport_size
        drawn = page.locator(".channel-message").filter(has=page.locator("img.gallery-image, .gallery-image img")).last
        if drawn.count():
            drawn.screenshot(path=f"{start}-message.png")
        for width, height, suffix in ((wide["width"], wide["height"], ""), (PHONE, 860, "-phone")):
            page.set_viewport_size({"width": width, "height": height})
            self.player.wait_briefly()
            page.screenshot(path=f"{start}{suffix}.png")
        page.set_viewport_size(wide)
        self.player.wait_briefly()

    def panel_text(self) -> str:
        """Return the text of Anna's newest panel."""
        return str(self.player.panel().inner_text())

    def check_menus(self) -> None:
        """Check that no menu of the panel has two options with the same text."""
        for trigger in self.player.panel().locator(".select-trigger").all():
            key = trigger.get_attribute("data-control-key")
            offered = self.player.page.locator(f"[data-control-key='{key}:list'] .option-label").all_text_contents()
            assert len(offered) == len(set(offered)), f"cannot be told apart: {offered}"

    # --- doing

    def press_button(self, key: str) -> str:
        """Press the panel's button of that catalogue key, and return the panel's text afterwards."""
        self._press_below_message(self.player.panel(), f"panel.{key}")
        self.done[key] += 1
        return self.panel_text()

    def press_label(self, label: str) -> str:
        """Press the panel's button with exactly that label, and return the panel's text afterwards."""
        self.player.press(label)
        return self.panel_text()

    def press_newest_button(self, key: str) -> None:
        """Press the newest button of that catalogue key, wherever it is."""
        self._press_below_message(
            self.player.page.locator(".channel-message").filter(has=self._enabled_buttons(key)).last, key
        )

    def _press_below_message(self, message: Any, key: str) -> None:
        message.locator(self._enabled_buttons(key)).last.click()
        self.player.wait_until_settled()

    def _enabled_buttons(self, key: str) -> Any:
        """Return all enabled buttons with the label of this catalogue key, for any values filled in."""
        template = str(self.words.entries[key])
        label = ".+".join(map(re.escape, re.split(r"\{\w+\}", template)))
        return self.player.page.locator(".component-button[aria-disabled=false]", has_text=re.compile(f"^{label}$"))

    def choose_option(self, key: str, *values: str) -> str:
        """Choose from the panel's menu of that catalogue key, and return the panel's text afterwards."""
        self.check_menus()
        self.player.choose_values(self.words(f"panel.{key}"), *values)
        self.done[key] += 1
        return self.panel_text()

    def open_panel(self) -> str:
        """Press My hand at the board, and return the text of the panel that opens."""
        self.press_newest_button("board.my_hand")
        return self.panel_text()

    def make_move(self, move: Move) -> str:
        """Make the move with the panel's controls, and return the panel's text afterwards."""
        before = self.game_state()
        by_menu = is_offered_by_menu(move)
        if move.melds or by_menu:
            self.press_button("other")
        for meld in move.melds:
            self._draft_meld(before, meld)
        if by_menu:
            assert isinstance(move.step, LayRun | Combine | Reclaim | Meld | Take)
            return self.choose_option("moves", menu_value(move.step))
        return self._make_step(before, move)

    def _make_step(self, state: State, move: Move) -> str:
        match move.step:
            case None:
                return self.press_button("lay_points")
            case Take():
                if move.melds:
                    self.press_button("back")
                return self._take_pile(state, move.step)
            case Discard(kind):
                return self._discard_rank(state, kind)
            case Answer(yes):
                return self.press_button("yes" if yes else "no")
            case _:
                return self.press_button(_BUTTONS[type(move.step)])

    def _take_pile(self, state: State, take: Take) -> str:
        """Take the pile with the button that names the claiming cards, and return the panel's text."""
        wanted = take_label(self.words, state.pile[-1] >> 2, take)
        labels = self.player.labels()
        label = next((one for one in labels if wanted == re.split(r" \+ | = ", one)[0]), "")
        assert label, f"no button {wanted!r} among {labels}: {self.panel_text()}"
        self.done["take"] += 1
        return self.press_label(label)

    def _discard_rank(self, state: State, kind: Kind) -> str:
        """Discard a card of that rank, answering any question before it, and return the panel's text."""
        held = sum(card >> 2 == kind for card in state.hands[self.seat])
        text = self.press_label(discard_label(self.words, kind, held, state.rules, pictured=False))
        self.done["discard"] += 1
        first = next(
            (one for one in self.player.labels() if one[-1:] in "♠♥♦♣\ufe0e" or one.startswith("Discard ")), ""
        )
        same = seat_to_act(self.game_state()) == self.seat and self.game_state().phase is state.phase
        return self.press_label(first) if same and first else text

    def _draft_meld(self, state: State, meld: Meld) -> None:
        """Put one meld together in the panel, as `tests.support.computer_choices.play_by_panel` does."""
        wilds = [f"{letter}.{count}" for letter, count in (("2", meld.twos), ("JK", meld.jokers)) if count]
        if meld.naturals:
            self.choose_option("choose", RANK_LETTERS[meld.kind])
        if wilds:
            self.choose_option("choose", *wilds)
            if self.player.panel().locator(".select-trigger", has_text=self.words("panel.target")).count():
                self.choose_option("target", RANK_LETTERS[meld.kind])
        held = sum(card >> 2 == meld.kind for card in state.hands[self.seat])
        if meld.naturals and held != meld.naturals:
            self.choose_option("change", f"{RANK_LETTERS[meld.kind]}{meld.naturals:x}{meld.twos}{meld.jokers}")

    # --- a deal

    def play_turn(self) -> None:
        """Play Anna's whole turn from an open panel."""
        self.turns += 1
        turn = (self.game_state().deal, self.game_state().turns)
        while True:
            game = self.game_state()
            # The other seats may have played in no time, so that Anna is in turn again.
            if seat_to_act(game) != self.seat or turn != (game.deal, game.turns):
                return
            tried = next((one for one in self.tries if one(self, game)), None)
            if tried is not None:
                self.tries.remove(tried)
                continue
            move = next_move(game)
            self.make_move(move)
            after = self.game_state()
            assert after != game, f"nothing came of it: {self.panel_text()}"
            self._picture_notable_events(game, after)
            if isinstance(move.step, Ask):
                self._wait_for_turn()

    def _picture_notable_events(self, before: State, after: State) -> None:
        """Take pictures of events that do not happen in every turn."""
        own = self.seat
        if before.phase is not Phase.DRAW and before.phase is not Phase.PLAY:
            return
        if before.drew is None and after.drew == "pile" and self.done["looked at a pile"] < 2:
            self.done["looked at a pile"] += 1
            self.take_pictures("pile-taken")
        if before.feet and before.feet[own] and not after.feet[own]:
            self.take_pictures("foot-taken-up")
        side = before.seating.side_by_seat[own]
        if sum(before.opened) < sum(after.opened):
            self.take_pictures("opened")
        if len(after.melds) > side and self.done["looked at a run"] < 2:
            was = {meld.place for meld in before.melds[side]} if len(before.melds) > side else set()
            if any(is_run(meld.place) for meld in after.melds[side] if meld.place not in was):
                self.done["looked at a run"] += 1
                self.take_pictures("run-laid")
        if after.shown is not None and before.shown is None:
            self.take_pictures("special-hand")

    def play_deal(self, *, max_turns: int = 150) -> int:
        """Play one deal to its end; return the number of Anna's turns, 0 if she rests in it."""
        began = self.turns
        if self.seat not in self.game_state().seating.seats:
            self.watch_deal()
        while self._wait_for_turn():
            turn = self.turns - began + 1
            if turn in (1, 2) or turn % 6 == 0:
                self.take_pictures(f"turn-{turn}")
            self.play_turn()
            assert turn < max_turns, f"no end after {max_turns} turns"
        self.player.page.wait_for_timeout(1000)
        return self.turns - began

    def watch_deal(self) -> None:
        """Open and look at Anna's panel while she rests in a deal."""
        self.press_newest_button("board.my_hand")
        self.take_pictures("resting")

    def _wait_for_turn(self) -> bool:
        """Wait until Anna's panel shows that it is her turn; return False if the deal ends first."""
        version, since = None, time.monotonic()
        while True:
            record = self.stored_table()
            game = record.game
            assert game is not None
            over = game.phase in (Phase.BETWEEN, Phase.OVER)
            if over or seat_to_act(game) == self.seat:
                asks = self.player.wait_for_turn()
                if over == (not asks):
                    return not over
            if record.recent != version:
                version, since = record.recent, time.monotonic()
            assert time.monotonic() - since < IDLE_SECONDS, f"the table or its panel stands still: {self.panel_text()}"
            self.player.page.wait_for_timeout(200)
