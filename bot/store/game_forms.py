"""How the types of the game are stored: cards, rule sets, actions, events, states.

A state contains its whole rule set, so that a game keeps its rules even if the rule set of that name changes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Final, cast

from bot.engine.cards.cards import (
    ACE,
    BLACK_THREE,
    FOUR,
    JOKER,
    RANK_LETTERS,
    RED_THREE,
    SUIT_LETTERS,
    TWO,
    Card,
    Kind,
    full_pack,
)
from bot.engine.cards.meld_places import FAMILIES, MOST_OF_A_FAMILY, Place, run_place
from bot.engine.cards.notation import card_text
from bot.engine.moves import actions, events
from bot.engine.rules.rule_set import RULES_VERSION, RuleSet
from bot.engine.rules.themes.conditions import RANKS, RankWord
from bot.engine.table.state import State
from bot.store.errors import UndecodableData
from bot.store.json_forms import Field, TypeTable, one_of_words, raise_undecodable

# --- cards -----------------------------------------------------------------------------------------------------------

_TEXTS: Final = {card: card_text(card) for card in full_pack(1, 1)}
_CARDS: Final = {text: card for card, text in _TEXTS.items()}

KIND_NAMES: Final = {
    **{kind: RANK_LETTERS[kind] for kind in range(FOUR, ACE + 1)},
    BLACK_THREE: "B3",
    TWO: "2",
    JOKER: "JK",
    RED_THREE: "R3",
}

_FAMILY_NAMES: Final = {**KIND_NAMES, **{run_place(suit): f"run-{letter}" for suit, letter in enumerate(SUIT_LETTERS)}}
_PLACE_NAMES: Final = {
    family + FAMILIES * number: f"{name}#{number + 1}" if number else name
    for family, name in _FAMILY_NAMES.items()
    for number in range(MOST_OF_A_FAMILY)
}


def _named_number_field(names: Mapping[int, str], text: str) -> Field:
    """Return the stored form of a number that is written as its name."""
    numbers = {name: number for number, name in names.items()}

    def read_named_number(data: object) -> int:
        found = numbers.get(data) if type(data) is str else None
        return raise_undecodable(f"not a {text}") if found is None else found

    return Field(names.__getitem__, read_named_number, text)


def _write_cards(cards: Iterable[Card]) -> str:
    """Return cards as text, two characters each."""
    return "".join([_TEXTS[card] for card in cards])


def _read_cards(data: object) -> tuple[Card, ...]:
    """Return the cards of a text. Raises `UndecodableData`."""
    if type(data) is not str or len(data) % 2:
        raise_undecodable("not cards")
    try:
        return tuple([_CARDS[data[start : start + 2]] for start in range(0, len(data), 2)])
    except KeyError:
        raise UndecodableData("not cards") from None


CARD: Final = _named_number_field(_TEXTS, "card")
"""A card as two characters, ``7s`` or ``JK`` (`bot.engine.cards.notation`)."""

CARDS: Final = Field(_write_cards, _read_cards, "cards")
"""Cards in order, two characters each, without separators."""

PLACE: Final = _named_number_field(_PLACE_NAMES, "place")
"""A place of a meld: a kind, or ``run-s`` … ``run-c``.

Further places of a family have their number: ``7#2``.
"""

KIND: Final = _named_number_field(KIND_NAMES, "kind")
"""A kind: ``4`` … ``A``, ``B3`` (black three), ``2``, ``JK``, ``R3`` (red three)."""

# --- rule sets -------------------------------------------------------------------------------------------------------

RULE_TYPES: Final = TypeTable({RankWord: one_of_words(RANKS)})
_PARAMETERS: Final = RULE_TYPES.derive_form(RuleSet)
_ALL_PARAMETERS: Final = TypeTable({RankWord: one_of_words(RANKS)}, complete=True).derive_form(RuleSet)


def encode_rules(rules: RuleSet) -> dict[str, Any]:
    """Return a rule set as data: its parameters that are not at their defaults, and the version of their meanings."""
    return dict(_encode_rules_cached(rules))


@lru_cache(maxsize=256)
def _encode_rules_cached(rules: RuleSet) -> Mapping[str, Any]:
    """Return the rules as data for JSON; cached, because every stored change of a table contains them."""
    return {"version": RULES_VERSION, **_PARAMETERS.write(rules)}


@lru_cache(maxsize=256)
def all_parameters(rules: RuleSet) -> Mapping[str, Any]:
    """Return all parameters of a rule set and the version of their meanings. The caller must not change it."""
    return {"version": RULES_VERSION, **_ALL_PARAMETERS.write(rules)}


def decode_rules(data: object) -> RuleSet:
    """Return the rule set in stored data; equal data gives one shared object.

    Raises `UndecodableData`, also for another version of names.
    """
    if type(data) is not dict:
        raise_undecodable("rules: not an object")
    return _parse_rules(json.dumps(data, sort_keys=True))


@lru_cache(maxsize=256)
def _parse_rules(text: str) -> RuleSet:
    """Return the rule set in a JSON text; equal texts give one shared object."""
    data = json.loads(text)
    version = data.pop("version", None)
    if type(version) is not int or version != RULES_VERSION:
        raise_undecodable("rules: wrong version")
    return cast(RuleSet, _PARAMETERS.read(data))


# --- actions, events, states -----------------------------------------------------------------------------------------

GAME_TYPES: Final = TypeTable(
    {
        Card: CARD,
        tuple[Card, ...]: CARDS,
        Place: PLACE,
        Kind: KIND,
        RuleSet: Field(encode_rules, decode_rules, "rules"),
    }
)
"""The type table of the game; those of tables and tournaments extend it."""

GAME_TYPES.tagged_forms("action", actions.Step | actions.Act)

ACTIONS: Final = GAME_TYPES.tagged_forms("action", actions.Action)
EVENTS: Final = GAME_TYPES.tagged_forms("event", events.Event)
STATE: Final = GAME_TYPES.derive_form(State)
"""The whole state, including hidden cards."""


def encode_action(action: actions.Action) -> dict[str, Any]:
    """Return the action as data; its class name is under ``action``."""
    return cast("dict[str, Any]", ACTIONS.write(action))
