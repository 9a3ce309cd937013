"""Positions written as data, which `bot.engine.record.positions` reads back to the same game (`docs/referee.md`)."""

from __future__ import annotations

from typing import Any, Final

from bot.engine.cards.notation import card_text, cards_text
from bot.engine.melds.canastas import is_ready
from bot.engine.moves.events import DealEnded
from bot.engine.moves.phases import Phase
from bot.engine.record import placing
from bot.engine.record.penalty_positions import written_penalties
from bot.engine.record.seat_places import dealer_place, result_of, sides_by_place
from bot.engine.rules.options import written_options
from bot.engine.rules.sets import rule_set
from bot.engine.rules.themes.reading import written_theme
from bot.engine.table.queries import discards_no_more
from bot.engine.table.state import State

OVER: Final = "over"
"""The phase of a deal that has ended."""


def write_position(state: State) -> dict[str, Any]:
    """The game as a case without actions; `read_position` of it gives an equal game."""
    rules = state.rules
    result = result_of(state)
    case: dict[str, Any] = {"rules": rules.name, "players": rules.players}
    form = rule_set(rules.name, rules.players)
    if rules.teams != form.teams:
        case["sides"] = sides_by_place(rules)
    options = written_options(rules, form)
    if options:
        case["options"] = options
    if rules.theme:
        case["themes"] = [written_theme(theme) for theme in rules.theme]
    return {
        **case,
        "scores": list(scores_before(state)),
        "dealer": dealer_place(state),
        "deal": state.deal,
        "position": {
            "turn": state.seating.place_of(state.turn),
            "phase": OVER if result else state.phase.value,
            **_written_cards(state),
            "opened": {str(side): opened for side, opened in enumerate(state.opened)},
            "melded_before": sorted(state.seating.place_of(seat) for seat in state.melded_seats),
            **({"asked": sorted(state.seating.place_of(seat) for seat in state.asked)} if state.asked else {}),
            **({"takers": sorted(state.seating.place_of(seat) for seat in state.takers)} if state.takers else {}),
            "turns_played": state.turns,
            **({} if state.alone is None else {"alone": state.alone}),
            **_written_stock_out(state),
            **({} if state.penalties is None else {"penalties": written_penalties(state)}),
            **(_written_result(state, result) if result else _written_turn(state)),
            **({"last_three": True} if not result and discards_no_more(state) else {}),
        },
    }


def scores_before(state: State) -> tuple[int, ...]:
    """Each side's score before the deal that is played, or was played last."""
    result = result_of(state)
    if result is None:
        return state.scores
    return tuple(score - line.total for score, line in zip(state.scores, result.lines, strict=True))


def _written_stock_out(state: State) -> dict[str, Any]:
    return {} if state.stock_out is None or state.stock else {"stock_out": state.seating.place_of(state.stock_out)}


def _written_face_down(state: State) -> dict[str, Any]:
    """Feet where the rules have them, and cards set aside for a seat.

    The format does not know the latter, so they are written only where there are some.
    """
    lie = {"feet": state.feet, "talons": state.talons if any(state.talons) else ()}
    seats = state.seating.seats
    return {
        name: {str(place): cards_text(by_seat[seat]) for place, seat in enumerate(seats)}
        for name, by_seat in lie.items()
        if by_seat
    }


def _written_cards(state: State) -> dict[str, Any]:
    seats = state.seating.seats
    return {
        "hands": {str(place): cards_text(state.hands[seat]) for place, seat in enumerate(seats)},
        **_written_face_down(state),
        "stock": cards_text(reversed(state.stock)),
        "pile": cards_text(state.pile),
        "frozen": state.frozen,
        **({"froze": True} if state.froze else {}),
        "melds": {str(side): [cards_text(meld.cards) for meld in melds] for side, melds in enumerate(state.melds)},
        **placing.written(state),
    }


def _written_turn(state: State) -> dict[str, Any]:
    """The middle of a turn. What the format cannot tell is added only where there is something to tell."""
    melds = state.melds[state.side]
    begun = [number for number, meld in enumerate(melds) if meld.place in state.started]
    told: dict[str, Any] = {}
    if state.drew:
        told["drew"] = state.drew
        if begun or melds:
            told["begun"] = begun
    elif begun:
        told["begun"] = begun
    if state.joined:
        told["joined"] = True
    if state.aside:
        told["aside"] = True
    if state.claimed is not None:
        told["claimed"] = card_text(state.claimed << 2)
    if state.canastas_before != canastas_of_turn(state):
        told["canastas_before"] = state.canastas_before
    if state.ready != is_ready(state.rules, state.spreads[state.side]):
        told["ready"] = state.ready
    if state.permission is not None:
        told["permission"] = state.permission
    if state.asked_in is Phase.DRAW:
        told["asked_in"] = state.asked_in.value
    if state.lapsed:
        told["lapsed"] = True
    return told


def _written_result(state: State, result: DealEnded) -> dict[str, Any]:
    out = None if result.went_out is None else state.seating.place_of(result.went_out)
    told = {"reason": result.reason.value, "went_out": out, "concealed": result.concealed}
    if state.shown is None:
        return {"result": told}
    seat, hand = state.shown
    return {"result": {**told, "shown": {"seat": state.seating.place_of(seat), "hand": hand}}}


def canastas_of_turn(state: State) -> int:
    """How many canastas the side in turn has, where feet make that matter."""
    return state.spreads[state.side].canastas if state.feet else 0
