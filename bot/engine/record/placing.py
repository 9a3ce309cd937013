"""Cards of positions that lie aside: threes laid out or set aside, and what lies face down in the pile.

Fields beyond the format (`docs/referee.md`): `set_aside` by side; `hidden`, how many cards of the pile, from its
bottom, lie face down; `shuffle_key`, for the order of the next stock where the pile is shuffled again
(`docs/shuffle.md`).
"""

from __future__ import annotations

from typing import Any, Final

from bot.engine.cards.cards import BLACK_THREE, RED_THREE, Card
from bot.engine.cards.notation import cards_text
from bot.engine.rules.fields import Fields, PositionError, cards
from bot.engine.rules.rule_set import RuleSet
from bot.engine.table.state import State

FIELDS: Final = frozenset({"red_threes", "threes", "set_aside", "hidden", "shuffle_key"})


def read_threes(position: Fields, rules: RuleSet) -> tuple[tuple[Card, ...], ...]:
    """The threes laid out by side.

    They stand under `red_threes`, and under `threes` those of both colours where the rules lay out both.
    """
    both = BLACK_THREE in rules.laid_out
    if not both and position.value("threes") not in (None, {}):
        raise PositionError(position.at("threes"), "there are none in these rules")
    sides: list[tuple[Card, ...]] = [()] * rules.sides
    for name, kinds in (("red_threes", {RED_THREE}), ("threes", {RED_THREE, BLACK_THREE})):
        for side, (given, path) in position.by_number(name, "side", rules.sides).items():
            laid = cards(given, path)
            if {card >> 2 for card in laid} - kinds:
                raise PositionError(path, f"holds another card than {name.replace('_', ' ')}")
            if sides[side] and any(card >> 2 == RED_THREE for card in laid):
                raise PositionError(path, "holds red threes, and so does red_threes")
            sides[side] = tuple(sorted(sides[side] + laid))
    return tuple(sides)


def read_set_aside(position: Fields, rules: RuleSet) -> tuple[tuple[Card, ...], ...]:
    """The black threes set aside by side, where the rules have that (`docs/law/variants.md 3.5`)."""
    sides: list[tuple[Card, ...]] = [()] * rules.sides
    for side, (given, path) in position.by_number("set_aside", "side", rules.sides).items():
        sides[side] = tuple(sorted(cards(given, path)))
        if rules.black3_in_pile != "set_aside" or {card >> 2 for card in sides[side]} - {BLACK_THREE}:
            raise PositionError(path, "only black threes are set aside, and only where the rules say so")
    return tuple(sides)


def read_hidden(position: Fields, pile: tuple[Card, ...]) -> int:
    """How many cards of the pile lie face down."""
    hidden = position.whole("hidden", 0, lowest=0)
    if hidden and hidden >= len(pile):
        raise PositionError(position.at("hidden"), f"the pile has {len(pile)} cards, and its top is seen")
    return hidden


def written(state: State) -> dict[str, Any]:
    """Threes, cards set aside and face-down cards as data.

    A field that the format does not know is written only where there is something to tell.
    """
    both = BLACK_THREE in state.rules.laid_out
    told: dict[str, Any] = {"threes" if both else "red_threes": _by_side(state.red_threes)}
    if any(state.set_aside):
        told["set_aside"] = _by_side(state.set_aside)
    if state.hidden:
        told["hidden"] = state.hidden
    if state.shuffle_key:
        told["shuffle_key"] = state.shuffle_key
    return told


def _by_side(sides: tuple[tuple[Card, ...], ...]) -> dict[str, str]:
    return {str(side): cards_text(held) for side, held in enumerate(sides)}
