"""The messages with a frame of a replay, and with the files of a game's record."""

from __future__ import annotations

from typing import Final

import discord
from discord import ui

from bot.i18n import Words
from bot.tables.past.history import GameFile
from bot.tables.state.snapshots import TableSnapshot
from cogs.past import replay_frame
from cogs.past.replay_frame import ALL, ReplayAtFrame, ReplayPlace
from cogs.shared.discord_api.components import (
    LONGEST_TEXT,
    Option,
    Page,
    Part,
    Picture,
    button,
    button_row,
    container,
    gallery,
    page,
    select,
    text,
)
from cogs.shared.reading.custom_ids import ControlId
from cogs.shared.showing.picture_inputs import strip_markup
from cogs.shared.telling import names, score_text

FIRST: Final = "replay_first"
BACK: Final = "replay_back"
NEXT: Final = "replay_next"
LAST: Final = "replay_last"
DEAL: Final = "replay_deal"
TURN: Final = "replay_turn"
SEAT: Final = "replay_seat"
SEAT_CHOSEN: Final = "replay_eyes"
TEXT: Final = "replay_text"
AGAIN: Final = "replay_again"
PRACTISE: Final = "replay_practise"
HERE: Final = "replay_here"

_ROOM: Final = LONGEST_TEXT - 400


def replay_page(
    words: Words,
    at: ReplayAtFrame,
    picture: Picture | None,
    told: str,
    *,
    controls: bool = True,
    with_hands_menu: bool = False,
) -> Page:
    """Return the message of a replay frame: its picture or description, and its buttons.

    `told` replaces a missing picture; `with_hands_menu` adds the menu that chooses whose hands are open.
    """
    snapshot = at.replay.snapshot
    heading = words("past.title", table=snapshot.id, deal=at.place.deal, turn=replay_frame.frame_title(words, at))
    parts: list[Part | None] = [text(f"{heading}\n{replay_frame.frame_sentence(words, at)}"), gallery(picture)]
    if picture is None:
        parts.append(text(told[:_ROOM]))
    if controls:
        parts += [
            _frame_buttons(snapshot, at),
            _deal_and_turn_buttons(words, snapshot, at),
            _seat_menu(words, at) if with_hands_menu else None,
            _practice_buttons(words, snapshot, at),
        ]
    return page([container(*parts)], () if picture is None else (picture,))


def _frame_buttons(snapshot: TableSnapshot, at: ReplayAtFrame) -> Part | None:
    """Return the row of buttons to the first, previous, next and last frame."""
    here = at.place.frame
    targets = ((FIRST, 0, "⏮"), (BACK, here - 1, "◀"), (NEXT, here + 1, "▶"), (LAST, at.last_number, "⏭"))
    return button_row(
        *(
            button(
                _control_id(snapshot, action, ReplayPlace(at.place.deal, max(0, frame), at.place.seat)),
                label,
                enabled=0 <= frame <= at.last_number and frame != here,
            )
            for action, frame, label in targets
        )
    )


def _deal_and_turn_buttons(words: Words, snapshot: TableSnapshot, at: ReplayAtFrame) -> Part | None:
    """Return the row of buttons for deal, turn, open hands, text, and playing the deal again."""
    return button_row(
        button(_control_id(snapshot, DEAL, at.place), words("past.deal_button"), enabled=len(at.replay.deals) > 1),
        button(_control_id(snapshot, TURN, at.place), words("past.turn_button")),
        button(_control_id(snapshot, SEAT, at.place), words("past.seat_button")),
        button(_control_id(snapshot, TEXT, at.place), words("past.text_button")),
        button(_control_id(snapshot, AGAIN, at.place), words("past.again_button")),
    )


def _seat_menu(words: Words, at: ReplayAtFrame) -> Part | None:
    """Return the menu that chooses whose hands are open: everyone's, or one seat's."""
    seats = names.all_seat_names(words, at.snapshot)
    playing = at.frame.table.playing
    options = [Option(ALL, words("past.all_hands"), chosen=at.place.seat is None)]
    options += [Option(str(seat), seats[seat], chosen=at.place.seat == seat) for seat in playing]
    return select(_control_id(at.replay.snapshot, SEAT_CHOSEN, at.place), words("past.whose"), options)


def _practice_buttons(words: Words, snapshot: TableSnapshot, at: ReplayAtFrame) -> Part | None:
    """Return the row of buttons to practise from here and to post the frame publicly."""
    return button_row(
        button(
            _control_id(snapshot, PRACTISE, at.place),
            words("past.practise_button"),
            enabled=at.place.frame < at.last_number,
        ),
        button(_control_id(snapshot, HERE, at.place), words("past.here_button")),
    )


def _control_id(snapshot: TableSnapshot, action: str, place: ReplayPlace) -> ControlId:
    return ControlId(snapshot.id, snapshot.version, action, str(place))


def record_page(words: Words, snapshot: TableSnapshot, game: GameFile) -> Page:
    """Return the message with a game's record as two files: JSON and text."""
    files = (
        Picture(f"canasta-table-{snapshot.id}.json", game.text.encode(), words("past.json_file")),
        Picture(f"canasta-table-{snapshot.id}.txt", _game_text(words, game).encode(), words("past.text_file")),
    )
    shown = [ui.File[ui.LayoutView](discord.UnfurledMediaItem(f"attachment://{file.name}")) for file in files]
    deals = len(game.logs)
    return page([text(words("past.record", table=snapshot.id, count=deals)), *shown], files)


def _game_text(words: Words, game: GameFile) -> str:
    """Return the game as text: every deal turn by turn, with its scores."""
    told = []
    for log in game.logs:
        snapshot = log.snapshot
        results = () if snapshot.view is None else snapshot.view.results
        told.append(words("past.file_deal", table=snapshot.id, deal=log.deal))
        told += score_text.log_lines(words, log)
        told += [score_text.short_score_text(words, snapshot, result) for result in results if result.deal == log.deal]
        told.append("")
    return strip_markup("\n".join(told))
