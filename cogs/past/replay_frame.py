"""A frame of a replay: its place, its picture, and its description in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from bot.engine.cards.cards import Card
from bot.engine.moves.events import Drew, Gathered, LaidOut, TookFoot, TookTalon
from bot.i18n import Words
from bot.profiles.preferences import Preferences
from bot.tables.past.history import Frame, PlayedTurn, Replay
from bot.tables.state.snapshots import TableSnapshot
from cogs.shared.reading.input_problems import InputCode, InputProblem
from cogs.shared.showing.picture_inputs import board_input
from cogs.shared.telling import names, score_text
from render.picture_inputs import OpenHand, ReplayPicture

ALL: Final = "all"
"""The value for open hands of all seats."""

_TO_HAND: Final = (Drew, LaidOut, TookTalon, TookFoot, Gathered)


@dataclass(frozen=True, slots=True)
class ReplayPlace:
    """A place in a replay: deal, frame, and whose hand is open.

    Frame 0 is the state as dealt. One seat's hand is open, or all are.
    """

    deal: int
    frame: int
    seat: int | None = None

    def __str__(self) -> str:
        return f"{self.deal}.{self.frame}.{ALL if self.seat is None else self.seat}"


def parse_replay_place(argument: str) -> ReplayPlace:
    """Return the place in a replay that a control's argument names. Raises `InputProblem`."""
    match argument.split("."):
        case [deal, frame, seat] if deal.isdecimal() and frame.isdecimal() and (seat == ALL or seat.isdecimal()):
            return ReplayPlace(int(deal), int(frame), None if seat == ALL else int(seat))
    raise InputProblem(InputCode.OLD_CONTROL)


@dataclass(frozen=True, slots=True)
class ReplayAtFrame:
    """A replay and the place of its current frame."""

    replay: Replay
    place: ReplayPlace

    @property
    def last_frame_number(self) -> int:
        """Return the number of the last frame, which is the number of the last turn."""
        return len(self.replay.frames) - 1

    @property
    def frame(self) -> Frame:
        """Return the current frame with only the hands that the chosen seat saw."""
        frame = self.replay.frames[self.place.frame]
        return frame if self.place.seat is None else frame.seen_by(self.place.seat)

    @property
    def snapshot(self) -> TableSnapshot:
        """Return the table with the players who held its seats in the frame's turn."""
        snapshot, turn = self.replay.snapshot, max(0, self.place.frame - 1)
        seats = tuple(snapshot.holder_at(seat, self.place.deal, turn) for seat in range(len(snapshot.seats)))
        return replace(snapshot, seats=seats)


def frame_at(replay: Replay, place: ReplayPlace) -> ReplayAtFrame:
    """Return the replay with its frame at that place, or at the nearest one."""
    frame = max(0, min(place.frame, len(replay.frames) - 1))
    seats = len(replay.snapshot.seats)
    seat = place.seat if place.seat is not None and place.seat < seats else None
    return ReplayAtFrame(replay, ReplayPlace(replay.deal, frame, seat))


def frame_title(words: Words, position: ReplayAtFrame) -> str:
    """Return the frame's title in plain text: deal and turn."""
    if position.place.frame == 0:
        return words("past.dealt")
    return words("past.turn_of", turn=position.place.frame, turns=position.last_frame_number)


def frame_sentence(words: Words, position: ReplayAtFrame) -> str:
    """Return a sentence on what happened in the turn; for frame 0, who dealt."""
    turn = position.frame.turn
    if turn is None:
        return words("past.dealer", name=names.seat_name(words, position.snapshot, position.frame.table.dealer))
    return score_text.turn_line(words, position.replay.snapshot, position.place.deal, turn)


def frame_picture(words: Words, position: ReplayAtFrame, preferences: Preferences, *, drawn: bool) -> ReplayPicture:
    """Return the input for the picture of a frame: table and open hands.

    With `drawn`, account names replace names that cannot be drawn.
    """
    snapshot = names.snapshot_with_drawable_names(words, position.snapshot) if drawn else position.snapshot
    board, turn = board_input(words, snapshot, position.frame.table, preferences), position.frame.turn
    headline = frame_title(words, position)
    if turn is not None:
        headline = words("past.headline", turn=headline, name=board.names[turn.seat])
    return ReplayPicture(
        board=replace(board, headline=headline, advice=""), hands=tuple(_open_hands(words, snapshot, position.frame))
    )


def _open_hands(words: Words, snapshot: TableSnapshot, frame: Frame) -> Iterator[OpenHand]:
    seats = names.all_seat_names(words, snapshot)
    for seat, hand in enumerate(frame.hands):
        if hand is None or seat in frame.table.resting_seats:
            continue
        yield OpenHand(seats[seat], hand, _added_cards(frame.turn, seat))
        if frame.feet and frame.feet[seat]:
            yield OpenHand(words("past.foot", name=seats[seat]), frame.feet[seat])


def _added_cards(turn: PlayedTurn | None, seat: int) -> tuple[Card, ...]:
    """Return the cards that the turn added to that seat's hand."""
    those = (event for event in (() if turn is None else turn.events) if isinstance(event, _TO_HAND))
    return tuple(card for event in those if event.seat == seat for card in event.cards)
