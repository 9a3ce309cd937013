"""Penalties in positions: what irregularities have cost so far, read and written (`docs/referee.md`).

``{"points": {"0": 100}, "raised": {"1": 10}, "exposed": {"2": "Ks Kh"}, "until_opened": [2]}``, all by the seats that
committed them: points to pay, by how much the minimum of their side rose, penalty cards, and whose penalty cards are
free once their side has opened. A field that is left out says that there is nothing of the kind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from bot.engine.cards.cards import Card
from bot.engine.cards.notation import cards_text
from bot.engine.rules.fields import Fields, PositionError, cards, whole
from bot.engine.table.penalties import Penalties
from bot.engine.table.state import State

_FIELDS: Final = frozenset({"points", "raised", "exposed", "until_opened"})


def read_penalties(position: Fields, state: State) -> Penalties | None:
    """The penalties of a position; `state` is the position without them. Raises `PositionError`."""
    if not position.has("penalties"):
        return None
    fields = Fields(position.value("penalties"), position.at("penalties"), _FIELDS)
    if state.rules.penalties == "off":
        raise PositionError(fields.path, "there are none in these rules; the parameter penalties is off")
    seats = state.seating.seats
    return Penalties(
        points=_by_seat(fields, "points", state),
        raised=_by_seat(fields, "raised", state),
        exposed=_exposed(fields, state),
        until_opened=frozenset(seats[place] for place in fields.numbers_of("until_opened", "seat", len(seats))),
    )


def _by_seat(fields: Fields, name: str, state: State) -> tuple[int, ...]:
    points = [0] * state.rules.players
    for place, (given, path) in fields.by_number(name, "seat", state.rules.playing).items():
        number = whole(given, path, lowest=0)
        if number % 5:
            raise PositionError(path, "needs a multiple of five")
        points[state.seating.seats[place]] = number
    return tuple(points)


def _exposed(fields: Fields, state: State) -> tuple[tuple[Card, ...], ...]:
    exposed: list[tuple[Card, ...]] = [()] * state.rules.players
    for place, (text, path) in fields.by_number("exposed", "seat", state.rules.playing).items():
        seat = state.seating.seats[place]
        exposed[seat] = tuple(sorted(cards(text, path)))
        if Counter(exposed[seat]) - Counter(state.hands[seat]):
            raise PositionError(path, "are not all in the hand; a penalty card is an open card of it")
    return tuple(exposed)


def written_penalties(state: State) -> Mapping[str, Any]:
    """The penalties as a position has them; empty where there are none."""
    if state.penalties is None:
        return {}
    seats = list(enumerate(state.seating.seats))
    penalties = state.penalties
    written: dict[str, Any] = {
        "points": {str(place): penalties.points[seat] for place, seat in seats if penalties.points[seat]},
        "raised": {str(place): penalties.raised[seat] for place, seat in seats if penalties.raised[seat]},
        "exposed": {
            str(place): cards_text(penalties.exposed[seat]) for place, seat in seats if penalties.exposed[seat]
        },
        "until_opened": [place for place, seat in seats if seat in penalties.until_opened],
    }
    return {name: value for name, value in written.items() if value}
