"""Seats by place: how the seats of a deal are numbered in a position (`docs/referee.md`).

Only those who play in a deal have a place, from 0 in playing order; who rests has none. Where nobody rests, place and
seat are one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, TypeVar

from bot.engine.moves.events import DealEnded
from bot.engine.moves.phases import Phase
from bot.engine.moves.refusals import Code, Refusal
from bot.engine.rules.fields import Fields, PositionError, rows
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.seating import PLAYERS, Teams, seating_of
from bot.engine.table.state import State, new_game

Value = TypeVar("Value")

_SEATS_TOLD: Final = frozenset({"turn", "partner", "seat"})
"""The names under which a refusal's detail holds a seat."""


def form_by_sides(case: Fields, forms: Sequence[RuleSet]) -> RuleSet:
    """The first of the forms whose sides are those that the case says; the first of all where it says none.

    In cut-throat the sides may also be one against two: then it is settled who plays alone. A form may also be played
    with other sides of equal size, such as four players each alone. Raises `PositionError`.
    """
    if not case.has("sides"):
        return forms[0]
    given = [sorted(rows(side, f"sides.{place}"), key=str) for place, side in enumerate(case.rows("sides"))]
    shaped = [replace(forms[0], teams=teams) for teams in _SHAPES if forms[0].players in PLAYERS[teams]]
    for rules in (*forms, *shaped):
        if given in _possible_sides(rules):
            return rules
    listed = " or ".join(dict.fromkeys(str(sides) for rules in forms for sides in _possible_sides(rules)))
    raise PositionError("sides", f"are {listed} where {forms[0].players} play {forms[0].name}")


_SHAPES: Final[tuple[Teams, ...]] = ("solo", "2x2", "3x2", "2x3")
"""Divisions into sides that a case tells by its `sides` alone; all seats play in every deal."""


def _possible_sides(rules: RuleSet) -> list[list[list[int]]]:
    return [sides_by_place(rules), *([sides_by_place(rules, seat) for seat in range(3)] if rules.cut_throat else [])]


def sides_by_place(rules: RuleSet, alone: int | None = None) -> list[list[int]]:
    """The sides of a deal by places."""
    seating = seating_of(rules.teams, rules.players, 1, alone)
    return [[seating.place_of(seat) for seat in seating.seats_of(side)] for side in range(seating.sides)]


def seated(case: Fields, rules: RuleSet, scores: tuple[int, ...], *, position: Fields | None = None) -> State:
    """The game before the deal that the case is about: its number and who plays for whom in it."""
    deal = case.whole("deal", 1, lowest=1)
    seats = seating_of(rules.teams, rules.players, deal).seats
    alone = _alone(case, rules, position)
    return replace(new_game(rules, dealer=seats[-1], scores=scores), deal=deal, alone=alone)


def _alone(case: Fields, rules: RuleSet, position: Fields | None) -> int | None:
    """The seat that plays alone in cut-throat, told by the position or by its sides; None where that is open."""
    if position is not None and position.has("alone"):
        if not rules.cut_throat:
            raise PositionError(position.at("alone"), "nobody plays alone against the others in these rules")
        return position.number_of("alone", "seat", rules.playing, 0)
    if len(case.rows("sides")) in (0, rules.sides):
        return None
    alone: int = next(side[0] for side in case.rows("sides") if len(side) == 1)
    return alone


def seat_in(state: State, fields: Fields, name: str, default: int) -> int:
    """The seat whose place a field says."""
    return state.seating.seats[fields.number_of(name, "seat", state.rules.playing, default)]


def seats_in(state: State, fields: Fields, name: str) -> frozenset[int]:
    """The seats whose places a field lists."""
    seats = state.seating.seats
    return frozenset([seats[place] for place in fields.numbers_of(name, "seat", len(seats))])


def by_seat(state: State, fields: Fields, name: str) -> Iterator[tuple[int, Any, str]]:
    """What a field says by places: each seat, what is said of it, and the path of that."""
    seats = state.seating.seats
    for place, (given, path) in fields.by_number(name, "seat", len(seats)).items():
        yield seats[place], given, path


def by_place(state: State, by_seat: Sequence[Value]) -> dict[str, Value]:
    """What is so of each seat that plays, by places, for a field."""
    return {str(place): by_seat[seat] for place, seat in enumerate(state.seating.seats)}


def place_of(state: State, seat: int | None) -> int | None:
    """The place of the seat, for a field; None for no seat."""
    return None if seat is None else state.seating.place_of(seat)


def places_of(state: State, seats: Iterable[int]) -> list[int]:
    """The places of these seats in order, for a field."""
    return sorted([state.seating.place_of(seat) for seat in seats])


def seat_at(state: State, place: int) -> int:
    """The seat in that place. Raises `Refusal` where there is none."""
    seats = state.seating.seats
    if not 0 <= place < len(seats):
        raise Refusal(Code.NOT_A_PLAYER, {"seat": place, "players": len(seats)})
    return seats[place]


def told_by_place(state: State, detail: Mapping[str, int | str]) -> dict[str, int | str]:
    """A refusal's numbers with places for seats."""
    seats = state.seating.seats
    return {
        name: seats.index(value) if name in _SEATS_TOLD and isinstance(value, int) and value in seats else value
        for name, value in detail.items()
    }


def dealer_place(state: State) -> int:
    """The place of the dealer. Once the deal is over, the seat before the next dealer dealt it."""
    if result_of(state) is None:
        return state.seating.place_of(state.dealer)
    following = seating_of(state.rules.teams, state.rules.players, state.deal + 1)
    return (following.place_of(state.dealer) - 1) % len(following.seats)


def result_of(state: State) -> DealEnded | None:
    """The result of the deal in the state where it is over; None while it is played."""
    return state.results[-1] if state.results and state.phase in (Phase.BETWEEN, Phase.OVER) else None
