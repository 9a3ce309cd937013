"""Writing of positions, which `bot.engine.positions.position_reading` reads back to the same game.

`docs/referee.md` describes the format.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from bot.engine.cards.cards import BLACK_THREE, Card
from bot.engine.cards.notation import card_text, cards_text
from bot.engine.melds.canastas import may_go_out_this_turn
from bot.engine.moves.events import DealEnded
from bot.engine.moves.phases import Phase
from bot.engine.positions.position_parts import (
    deal_result_of,
    dealer_place,
    entries_by_place,
    place_of,
    places_of,
    sides_by_place,
)
from bot.engine.rules.rule_options import write_options
from bot.engine.rules.sets import rule_set
from bot.engine.rules.themes.named_themes import write_theme
from bot.engine.table.charged_penalties import Penalties
from bot.engine.table.state import State
from bot.engine.table.state_queries import may_not_discard

OVER: Final = "over"
"""The phase name for a deal that has ended."""


def write_position(state: State) -> dict[str, Any]:
    """Return the game as a case without actions; `read_position` returns an equal game."""
    rules = state.rules
    result = deal_result_of(state)
    case: dict[str, Any] = {"rules": rules.name, "players": rules.players}
    form = rule_set(rules.name, rules.players)
    if rules.teams != form.teams:
        case["sides"] = sides_by_place(rules)
    options = write_options(rules, form)
    if options:
        case["options"] = options
    if rules.theme:
        case["themes"] = [write_theme(theme) for theme in rules.theme]
    return {
        **case,
        "scores": list(scores_before_deal(state)),
        "dealer": dealer_place(state),
        "deal": state.deal,
        "position": {
            "turn": place_of(state, state.turn),
            "phase": OVER if result else state.phase.value,
            **_write_cards(state),
            "opened": {str(side): opened for side, opened in enumerate(state.opened)},
            "melded_before": places_of(state, state.melded_seats),
            **_drop_none_values(
                asked=places_of(state, state.asked) or None,
                takers=places_of(state, state.takers) or None,
                turns_played=state.turns,
                alone=state.alone,
                stock_out=None if state.stock else place_of(state, state.stock_out),
                penalties=None if state.penalties is None else _write_penalties(state, state.penalties),
            ),
            **(_write_result(state, result) if result else _write_turn(state)),
        },
    }


def scores_before_deal(state: State) -> tuple[int, ...]:
    """Return the scores before the current deal, or before the last one if it is over."""
    result = deal_result_of(state)
    if result is None:
        return state.scores
    return tuple(score - line.total for score, line in zip(state.scores, result.lines, strict=True))


def _write_face_down(state: State) -> dict[str, Any]:
    """Return the fields of feet, if the rules have them, and of talons.

    The format has no talons, so they are written only if there are some.
    """
    lie = {"feet": state.feet, "talons": state.talons if any(state.talons) else ()}
    return {name: _hands_by_place(state, by_seat) for name, by_seat in lie.items() if by_seat}


def _hands_by_place(state: State, by_seat: Sequence[tuple[Card, ...]]) -> dict[str, str]:
    """Return the cards of each seat as text, by place."""
    return {place: cards_text(held) for place, held in entries_by_place(state, by_seat).items()}


def _write_cards(state: State) -> dict[str, Any]:
    return {
        "hands": _hands_by_place(state, state.hands),
        **_write_face_down(state),
        "stock": cards_text(reversed(state.stock)),
        "pile": cards_text(state.pile),
        "frozen": state.frozen,
        **_drop_none_values(froze=state.froze or None),
        "melds": {str(side): [cards_text(meld.cards) for meld in melds] for side, melds in enumerate(state.melds)},
        **_write_set_aside(state),
    }


def _write_set_aside(state: State) -> dict[str, Any]:
    """Return the fields of threes, cards set aside and face-down cards.

    A field outside the format is written only if it is needed.
    """
    both = BLACK_THREE in state.rules.laid_out
    return {
        "threes" if both else "red_threes": _cards_by_side(state.red_threes),
        **_drop_none_values(
            set_aside=_cards_by_side(state.set_aside) if any(state.set_aside) else None,
            hidden=state.hidden or None,
            shuffle_key=state.shuffle_key or None,
        ),
    }


def _cards_by_side(sides: Sequence[tuple[Card, ...]]) -> dict[str, str]:
    return {str(side): cards_text(held) for side, held in enumerate(sides)}


def _write_penalties(state: State, penalties: Penalties) -> dict[str, Any]:
    """Return the fields of penalties, without empty ones."""
    by_places: dict[str, dict[str, Any]] = {
        "points": entries_by_place(state, penalties.points),
        "raised": entries_by_place(state, penalties.raised),
        "exposed": _hands_by_place(state, penalties.exposed),
    }
    told = {name: {place: one for place, one in said.items() if one} for name, said in by_places.items()}
    written = {**told, "until_opened": places_of(state, penalties.until_opened)}
    return {name: said for name, said in written.items() if said}


def _write_turn(state: State) -> dict[str, Any]:
    """Return the fields of the current turn; additions to the format only if they are needed."""
    melds = state.melds[state.side]
    begun = [number for number, meld in enumerate(melds) if meld.place in state.started]
    canastas, ready = canastas_of_side_in_turn(state), may_go_out_this_turn(state.rules, state.spreads[state.side])
    return _drop_none_values(
        drew=state.drew,
        begun=begun if begun or (state.drew and melds) else None,
        joined=state.joined or None,
        aside=state.aside or None,
        claimed=None if state.claimed is None else card_text(state.claimed << 2),
        canastas_before=None if state.canastas_before == canastas else state.canastas_before,
        ready=None if state.ready == ready else state.ready,
        permission=state.permission,
        asked_in=state.asked_in.value if state.asked_in is Phase.DRAW else None,
        lapsed=state.lapsed or None,
        last_three=may_not_discard(state) or None,
    )


def _write_result(state: State, result: DealEnded) -> dict[str, Any]:
    out = place_of(state, result.went_out)
    told: dict[str, Any] = {"reason": result.reason.value, "went_out": out, "concealed": result.concealed}
    if state.shown is not None:
        seat, hand = state.shown
        told["shown"] = {"seat": place_of(state, seat), "hand": hand}
    return {"result": told}


def canastas_of_side_in_turn(state: State) -> int:
    """Return the number of canastas of the side in turn; 0 in rules without feet, which need no number."""
    return state.spreads[state.side].canastas if state.feet else 0


def _drop_none_values(**fields: Any) -> dict[str, Any]:
    """Return the fields whose values are not None."""
    return {name: said for name, said in fields.items() if said is not None}
