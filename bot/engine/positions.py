"""Positions as data: the one text format for a position, read and written (`referee.md`).

A position need not hold the whole pack. What it leaves out follows from the rest as the format says.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from bot.engine.cards import JOKER, TWO, Card, counts_of
from bot.engine.events import DealStarted
from bot.engine.evolve import evolve
from bot.engine.notation import NotationError, cards_text, parse_cards
from bot.engine.packs import full_pack
from bot.engine.phases import Phase
from bot.engine.rules import RuleSet
from bot.engine.rulesets import RULE_SETS, player_counts, rule_set
from bot.engine.state import State, TableMeld, new_game

MANY_TURNS = 1000
"""Turns taken before a position that does not say how many."""

_PHASES = {"draw": Phase.DRAW, "play": Phase.PLAY, "answer": Phase.ANSWER}


class PositionError(ValueError):
    """A case that cannot be read: `field` is the path of the field, `reason` what is wrong with it."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field
        self.reason = reason


def read_position(case: Mapping[str, Any]) -> State:
    """The state a case begins with. Raises `PositionError`."""
    rules = _rules(case)
    scores = tuple(_list(case, "scores", [0] * rules.sides))
    if len(scores) != rules.sides or not all(isinstance(score, int) for score in scores):
        raise PositionError("scores", f"needs {rules.sides} whole numbers")
    deal = _whole(case, "deal", 1)
    if "deck" in case:
        return _dealt(case, rules, scores, deal)
    position = case.get("position")
    if not isinstance(position, Mapping):
        raise PositionError("position", "is missing, and there is no deck to deal")
    return _placed(case, position, rules, scores, deal)


def write_position(state: State) -> dict[str, Any]:
    """The position as data; `read_position` of a case that holds it gives an equal game from there on."""
    rules = state.rules
    position: dict[str, Any] = {
        "turn": state.turn,
        "phase": state.phase.value,
        "hands": {str(seat): cards_text(hand) for seat, hand in enumerate(state.hands)},
        "stock": cards_text(reversed(state.stock)),
        "pile": cards_text(state.pile),
        "frozen": state.frozen,
        "melds": {str(side): [cards_text(meld.cards) for meld in melds] for side, melds in enumerate(state.melds)},
        "red_threes": {str(side): cards_text(cards) for side, cards in enumerate(state.red_threes)},
        "opened": {str(side): opened for side, opened in enumerate(state.opened)},
        "melded_before": sorted(state.melded_seats),
        "turns_played": state.turns,
    }
    if state.drew:
        position["drew"] = state.drew
    return {
        "rules": rules.name,
        "players": rules.players,
        "scores": list(state.scores),
        "dealer": state.dealer,
        "deal": state.deal,
        "position": position,
    }


# --- the parts of a case ---------------------------------------------------------------------------------------------


def _rules(case: Mapping[str, Any]) -> RuleSet:
    name = case.get("rules", "classic")
    players = _whole(case, "players", 4)
    if name not in RULE_SETS:
        raise PositionError("rules", f"there is no rule set {name!r}; there are {', '.join(sorted(RULE_SETS))}")
    if players not in player_counts(name):
        raise PositionError("players", f"{name} is played by {', '.join(map(str, player_counts(name)))}")
    rules = rule_set(name, players)
    options = case.get("options", {})
    known = {field.name: getattr(rules, field.name) for field in fields(RuleSet)}
    for option, value in options.items():
        if option not in known or option in ("name", "players", "teams"):
            raise PositionError(f"options.{option}", "there is no such parameter")
        if not isinstance(value, type(known[option])) or isinstance(value, bool) != isinstance(known[option], bool):
            raise PositionError(f"options.{option}", f"cannot be {value!r}")
    return replace(rules, **options)


def _dealt(case: Mapping[str, Any], rules: RuleSet, scores: tuple[int, ...], deal: int) -> State:
    deck = _cards(case["deck"], "deck")
    if Counter(deck) != Counter(full_pack(rules.decks, rules.jokers_per_deck)):
        raise PositionError("deck", f"is not the pack of {rules.pack_size} cards")
    dealer = _seat(case, "dealer", rules, rules.players - 1)
    return evolve(new_game(rules, dealer=dealer, scores=scores), DealStarted(deal, dealer, deck))


def _placed(
    case: Mapping[str, Any], position: Mapping[str, Any], rules: RuleSet, scores: tuple[int, ...], deal: int
) -> State:
    turn = _seat(position, "turn", rules, 0, "position.")
    phase = _PHASES.get(position.get("phase", "draw"))
    if phase is None:
        raise PositionError("position.phase", f"is one of {', '.join(_PHASES)}")
    hands = tuple(tuple(sorted(hand)) for hand in _by_number(position, "hands", rules.players))
    melds = _melds(position, rules)
    opened = _flags(position, "opened", tuple(bool(side) for side in melds))
    state = new_game(rules, dealer=_seat(case, "dealer", rules, (turn - 1) % rules.players), scores=scores)
    return replace(
        state,
        phase=phase,
        asked_in=Phase.PLAY if phase is Phase.ANSWER else None,
        deal=deal,
        turn=turn,
        turns=_whole(position, "turns_played", MANY_TURNS, "position."),
        hands=hands,
        counts=tuple(counts_of(hand) for hand in hands),
        stock=tuple(reversed(_cards(position.get("stock", ""), "position.stock"))),
        pile=_cards(position.get("pile", ""), "position.pile"),
        frozen=bool(position.get("frozen", False)),
        melds=melds,
        red_threes=tuple(tuple(sorted(cards)) for cards in _by_number(position, "red_threes", rules.sides)),
        opened=opened,
        melded_seats=_melded_before(position, rules, melds),
        drew=None if phase is Phase.DRAW else position.get("drew", "stock"),
    )


def _melds(position: Mapping[str, Any], rules: RuleSet) -> tuple[tuple[TableMeld, ...], ...]:
    given = position.get("melds", {})
    sides: list[tuple[TableMeld, ...]] = []
    for side in range(rules.sides):
        texts = given.get(str(side), [])
        sides.append(tuple(_meld(text, f"position.melds.{side}.{number}") for number, text in enumerate(texts)))
    return tuple(sides)


def _meld(text: str, field: str) -> TableMeld:
    cards = tuple(sorted(_cards(text, field)))
    ranks = {card >> 2 for card in cards} - {TWO, JOKER}
    if len(ranks) != 1:
        raise PositionError(field, "is no meld of one rank")
    wilds = sum(1 for card in cards if card >> 2 in (TWO, JOKER))
    return TableMeld(ranks.pop(), len(cards) - wilds, wilds, cards)


def _melded_before(position: Mapping[str, Any], rules: RuleSet, melds: Sequence[Sequence[TableMeld]]) -> frozenset[int]:
    """By default every seat of a side that has melds has melded before."""
    if "melded_before" in position:
        return frozenset(position["melded_before"])
    return frozenset(seat for seat in range(rules.players) if melds[rules.side_of(seat)])


# --- reading fields --------------------------------------------------------------------------------------------------


def _cards(text: object, field: str) -> tuple[Card, ...]:
    if not isinstance(text, str):
        raise PositionError(field, "needs cards in one text")
    try:
        return parse_cards(text)
    except NotationError as error:
        raise PositionError(field, f"no card is written {error.text!r}") from error


def _by_number(data: Mapping[str, Any], name: str, count: int) -> list[tuple[Card, ...]]:
    given = data.get(name, {})
    return [_cards(given.get(str(number), ""), f"position.{name}.{number}") for number in range(count)]


def _flags(data: Mapping[str, Any], name: str, default: tuple[bool, ...]) -> tuple[bool, ...]:
    given = data.get(name, {})
    return tuple(bool(given.get(str(number), flag)) for number, flag in enumerate(default))


def _list(data: Mapping[str, Any], name: str, default: list[Any]) -> list[Any]:
    value = data.get(name, default)
    if not isinstance(value, list):
        raise PositionError(name, "needs a list")
    return value


def _whole(data: Mapping[str, Any], name: str, default: int, path: str = "") -> int:
    value = data.get(name, default)
    if not isinstance(value, int) or isinstance(value, bool):
        raise PositionError(path + name, "needs a whole number")
    return value


def _seat(data: Mapping[str, Any], name: str, rules: RuleSet, default: int, path: str = "") -> int:
    seat = _whole(data, name, default, path)
    if not 0 <= seat < rules.players:
        raise PositionError(path + name, f"needs a seat from 0 to {rules.players - 1}")
    return seat
