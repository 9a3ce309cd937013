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
    position: ReplayAtFrame,
    picture: Picture | None,
    description: str,
    *,
    controls: bool = True,
    with_hands_menu: bool = False,
) -> Page:
    """Return the message of a replay frame: its picture or description, and its buttons.

    `description` replaces a missing picture; `with_hands_menu` adds the menu that chooses whose hands are open.
    """
    snapshot = position.replay.snapshot
    heading = words(
        "past.title", table=snapshot.id, deal=position.place.deal, turn=replay_frame.frame_title(words, position)
    )
    parts: list[Part | None] = [text(f"{heading}\n{replay_frame.frame_sentence(words, position)}"), gallery(picture)]
    if picture is None:
        parts.append(text(description[:_ROOM]))
    if controls:
        parts += [
            _frame_buttons(snapshot, position),
            _deal_and_turn_buttons(words, snapshot, position),
            _seat_menu(words, position) if with_hands_menu else None,
            _practice_buttons(words, snapshot, position),
        ]
    return page([container(*parts)], () if picture is None else (picture,))


def _frame_buttons(snapshot: TableSnapshot, position: ReplayAtFrame) -> Part | None:
    """Return the row of buttons to the first, previous, next and last frame."""
    here = position.place.frame
    targets = ((FIRST, 0, "⏮"), (BACK, here - 1, "◀"), (NEXT, here + 1, "▶"), (LAST, position.last_frame_number, "⏭"))
    return button_row(
        *(
            button(
                _control_id(snapshot, action, ReplayPlace(position.place.deal, max(0, frame), position.place.seat)),
                label,
                enabled=0 <= frame <= position.last_frame_number and frame != here,
            )
            for action, frame, label in targets
        )
    )


def _deal_and_turn_buttons(words: Words, snapshot: TableSnapshot, position: ReplayAtFrame) -> Part | None:
    """Return the row of buttons for deal, turn, open hands, text, and playing the deal again."""
    return button_row(
        button(
            _control_id(snapshot, DEAL, position.place),
            words("past.deal_button"),
            enabled=len(position.replay.deals) > 1,
        ),
        button(_control_id(snapshot, TURN, position.place), words("past.turn_button")),
        button(_control_id(snapshot, SEAT, position.place), words("past.seat_button")),
        button(_control_id(snapshot, TEXT, position.place), words("past.text_button")),
        button(_control_id(snapshot, AGAIN, position.place), words("past.again_button")),
    )


def _seat_menu(words: Words, position: ReplayAtFrame) -> Part | None:
    """Return the menu that chooses whose hands are open: everyone's, or one seat's."""
    seats = names.all_seat_names(words, position.snapshot)
    playing = position.frame.table.playing
    options = [Option(ALL, words("past.all_hands"), chosen=position.place.seat is None)]
    options += [Option(str(seat), seats[seat], chosen=position.place.seat == seat) for seat in playing]
    return select(_control_id(position.replay.snapshot, SEAT_CHOSEN, position.place), words("past.whose"), options)


def _practice_buttons(words: Words, snapshot: TableSnapshot, position: ReplayAtFrame) -> Part | None:
    """Return the row of buttons to practise from here and to post the frame publicly."""
    return button_row(
        button(
            _control_id(snapshot, PRACTISE, position.place),
            words("past.practise_button"),
            enabled=position.place.frame < position.last_frame_number,
        ),
        button(_control_id(snapshot, HERE, position.place), words("past.here_button")),
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
