"""The command `canasta-bot render`: draw a position from a file as a PNG picture."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

from bot.engine.law.scoring import other_canastas_by_score, score_deal
from bot.engine.moves.events import DealEnd, DealEnded
from bot.engine.play.building_views import public_view, seat_view
from bot.engine.positions.position_reading import PositionError, read_position
from bot.engine.table.state import State
from render import descriptions
from render.layout_items import Deck, ThemeName
from render.picture_inputs import (
    BoardPicture,
    HandOrder,
    HandPicture,
    Picture,
    ScorePicture,
    SheetKind,
    scoring_threes_of,
)
from render.picture_queue import PictureQueue
from render.picture_words import ENGLISH

RequestedPicture: TypeAlias = BoardPicture | HandPicture | ScorePicture
"""The kinds of pictures that the command draws."""

NAMES = ("North", "East", "South", "West")


class CannotDraw(Exception):
    """The requested picture cannot be drawn; the text gives the reason."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Define the command's arguments."""
    parser.add_argument(
        "file", metavar="FILE", help="a position as JSON: one case, or a list of them; - is standard input"
    )
    parser.add_argument(
        "--view", choices=("board", "hand", "score", "game"), default="board", help="what to draw (default: board)"
    )
    parser.add_argument("--seat", type=int, default=0, help="whose hand, from 0 (default: 0)")
    parser.add_argument("--case", help="the id of the case, where the file holds several (default: the first)")
    parser.add_argument("--names", help="names by seat, separated by commas (default: North,East,South,West)")
    parser.add_argument(
        "--theme", choices=[str(theme) for theme in ThemeName], default=str(ThemeName.DARK), help="its look"
    )
    parser.add_argument(
        "--deck", choices=[str(deck) for deck in Deck], default=str(Deck.FOUR_COLOUR), help="the faces of the cards"
    )
    parser.add_argument(
        "--order", choices=[str(order) for order in HandOrder], default=str(HandOrder.RANK), help="of a hand's cards"
    )
    parser.add_argument("--words", action="store_true", help="print the description too")
    parser.add_argument("-o", "--output", metavar="OUT.png", type=Path, required=True, help="where the picture goes")


def execute(arguments: argparse.Namespace) -> int:
    """Run the command; return its exit code, 2 if the file cannot be read or has no such case."""
    try:
        state = read_position(_find_case(_read_json(arguments.file), arguments.case))
        names = tuple(arguments.names.split(",")) if arguments.names else NAMES
        picture = _with_style(_requested_picture(state, arguments.view, arguments.seat, names), arguments)
        data = _draw_png(picture)
        arguments.output.write_bytes(data)
    except (PositionError, CannotDraw, OSError, ValueError) as error:
        print(f"canasta-bot render: {arguments.file}: {error}", file=sys.stderr)
        return 2
    except RecursionError:
        print(f"canasta-bot render: {arguments.file}: is nested too deeply", file=sys.stderr)
        return 2
    print(f"{arguments.output}: {len(data)} bytes")
    if arguments.words:
        print(descriptions.full_description(picture))
    return 0


def _read_json(name: str) -> Any:
    """Return the parsed JSON of the file."""
    text = sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8")
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise CannotDraw(f"is not JSON: {error}") from error


def _find_case(data: Any, wanted: str | None) -> Mapping[str, Any]:
    """Return the case with the wanted id, or the first one."""
    cases = data if isinstance(data, list) else [data]
    for case in cases:
        if isinstance(case, dict) and wanted in (None, case.get("id")):
            return case
    raise CannotDraw("holds no case" if wanted is None else f"holds no case {wanted!r}")


def _requested_picture(state: State, view: str, seat: int, names: tuple[str, ...]) -> RequestedPicture:
    """Return the input of the picture that the command asks for."""
    names = _names_by_seat(state, names)
    if view == "hand":
        if not 0 <= seat < state.rules.playing:
            raise CannotDraw(f"there is no seat {seat} among {state.rules.playing}")
        held = seat_view(state, state.seating.seats[seat])
        return HandPicture(view=held, names=names, title=names[held.seat])
    if view in ("score", "game"):
        return replace(_score_picture(state, names), sheet=SheetKind.GAME if view == "game" else None)
    public = public_view(state)
    actor = public.actor
    headline = "" if actor is None else f"{names[actor]} to play"
    return BoardPicture(view=public, names=names, headline=headline, rules_name=state.rules.name)


def _names_by_seat(state: State, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names by seat of the game; resting players come last."""
    seats = state.seating.seats
    order = [*seats, *(seat for seat in range(state.rules.players) if seat not in seats)]
    named = {seat: names[place] if place < len(names) else "" for place, seat in enumerate(order)}
    return tuple(named[seat] or ENGLISH.seat.format(n=seat + 1) for seat in range(state.rules.players))


def _with_style(picture: RequestedPicture, arguments: argparse.Namespace) -> RequestedPicture:
    """Return the picture's input with the requested theme, deck and order."""
    styled = replace(picture, theme=ThemeName(arguments.theme))
    if isinstance(styled, BoardPicture | HandPicture):
        styled = replace(styled, deck=Deck(arguments.deck))
    if isinstance(styled, HandPicture):
        styled = replace(styled, order=HandOrder(arguments.order))
    return styled


def _score_picture(state: State, names: tuple[str, ...]) -> ScorePicture:
    """Return the input for the score of finished deals; if there are none, of the current deal as it is."""
    rules = state.rules
    results = state.results
    if not results:
        lines = score_deal(state, None, concealed=False)
        scores = tuple(score + line.total for score, line in zip(state.scores, lines, strict=True))
        others = other_canastas_by_score(state, None)
        results = (
            DealEnded(state.deal, DealEnd.STOCK, None, concealed=False, lines=lines, scores=scores, others=others),
        )
    sides = tuple(" & ".join(names[seat] for seat in rules.seats_of(number)) for number in range(rules.sides))
    return ScorePicture(
        results=results,
        side_names=sides,
        target=rules.target,
        rounds=rules.rounds,
        rules_name=rules.name,
        winner=state.winner,
        threes=scoring_threes_of(rules.laid_out),
    )


def _draw_png(picture: Picture) -> bytes:
    """Return the picture as a PNG file."""
    pictures = PictureQueue()
    try:
        return pictures.draw_blocking(picture)
    finally:
        pictures.close()
