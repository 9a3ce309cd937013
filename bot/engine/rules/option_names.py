"""Other names of parameters and values, as used in the source texts.

They are listed in `docs/law/variants.md`, A.1 and A.4.

A case may say `take_layoff_on_canasta` for `take_add_canasta`, or `"pile_take": "all"` (`docs/referee.md`). This module
converts them to the program's own names and values; `bot.engine.rules.rule_options` validates them afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from bot.engine.rules.case_fields import PositionError, read_whole_number
from bot.engine.rules.parameters import BY_NAME, ValueType
from bot.engine.rules.rule_set import RuleSet

RENAMED: Final[Mapping[str, str]] = {
    "packs": "decks",
    "hand_size_override": "hand_size",
    "draw_count": "draw",
    "take_pile_extra_stock_draw": "draw_with_pile",
    "max_meld_size": "meld_max",
    "open_min": "open_table",
    "open_top_card_counts": "open_count_top",
    "take_layoff_on_canasta": "take_add_canasta",
    "one_card_one_pile_ban": "one_card_guard",
    "freeze_for_unopened_side": "frozen_unopened",
    "pile_take_limit": "pile_take",
    "natural_bonus": "bonus_natural",
    "mixed_bonus": "bonus_mixed",
    "go_out_canastas": "out_canastas",
    "go_out_announce": "out_announce",
    "bonus_go_out": "out_bonus",
}
"""Alternative names of parameters whose values are the same."""

_WILD_CAP: Final = {"max_wilds": 3, "wild_ratio": "none", "wild_on_canasta": "to_max"}


def _alternative_words_of(own: str, values: Mapping[str | bool, Any]) -> Mapping[str | bool, Mapping[str, Any]]:
    """Return a mapping from alternative words to values of one parameter."""
    return {word: {own: value} for word, value in values.items()}


MEANINGS: Final[Mapping[str, Mapping[str | bool, Mapping[str, Any]]]] = {
    "first_player": _alternative_words_of(
        "first_player",
        {
            "left_of_dealer": "left",
            "highest_drawer": "high_card",
            "highest_drawer_first_hand_then_next_after_dealer": "high_card",
        },
    ),
    "play_direction": _alternative_words_of(
        "direction", {"cw": "cw", "ccw": "ccw", "clockwise": "cw", "counterclockwise": "ccw"}
    ),
    "black3_meld": _alternative_words_of("black3_meld", {"only_going_out": "go_out"}),
    "wild_cap": {
        "max3": _WILD_CAP,
        "max3_any_naturals": _WILD_CAP,
        "max3_until_canasta_then_unlimited": {**_WILD_CAP, "wild_on_canasta": "free"},
        "fewer_than_naturals": {**_WILD_CAP, "wild_ratio": "nat>w"},
    },
    "one_meld_per_rank": _alternative_words_of("same_rank_melds", {True: "one", False: "many"}),
    "open_via_pile": {
        "natural_pair": {"open_pile": "yes", "frozen_unopened": True},
        "natural_pair_or_natural_plus_wild": {"open_pile": "yes", "frozen_unopened": False},
        "forbidden": {"open_pile": "no"},
    },
    "pile_always_frozen": _alternative_words_of("pile_frozen", {True: "always", False: "by_card"}),
    "red3_positive_if": _alternative_words_of(
        "red3_sign", {"side_has_meld": "opened", "side_has_canasta": "canastas>=1"}
    ),
    "red3_sign": _alternative_words_of("red3_sign", {"canastas>=0": "always"}),
    "go_out_discard": _alternative_words_of(
        "out_discard", {"optional": "optional", "required": "mandatory", "forbidden": "forbidden"}
    ),
    "permission": _alternative_words_of(
        "ask_partner", {"off": "none", "optional_binding": "optional", "required": "mandatory"}
    ),
    "stock_out": _alternative_words_of(
        "stock_end",
        {
            "continue_while_taken": "pile_play",
            "one_extra_turn": "one_more",
            "end_after_last_drawer_discards": "stop",
            "recycle_pile": "reshuffle",
        },
    ),
    "one_card_ban_lifted_when_stock_empty": _alternative_words_of(
        "one_card_guard_stock_out", {True: False, False: True}
    ),
    "permission_yes_forces": _alternative_words_of("yes_binds", {True: True, False: False}),
    "last_red3": _alternative_words_of("last_red3_ends", {"end_now": True, "meld_no_discard": False}),
    "seven_canastas_win": _alternative_words_of("auto_win", {True: "7_canastas", False: "none"}),
    "both_over": _alternative_words_of(
        "both_reach", {"higher_wins": "higher", "raise_target_1000": "raise_1000", "raise_target_by_1000": "raise_1000"}
    ),
    "pile_take": _alternative_words_of("pile_take", {"all": None}),
    "meld_max": _alternative_words_of("meld_max", {"inf": None}),
    "pile_hidden": {"rank": {"pile_hidden": 0, "pile_hidden_by_rank": True}},
    "bonus_seq": _alternative_words_of("bonus_seq", {"none": 0}),
    "foot_run": _alternative_words_of("foot_run", {"-": False}),
}
"""Names and words that set one or several parameters to certain values."""

MEMBERS: Final[Mapping[str, tuple[tuple[str, ...], str, Mapping[str | bool, tuple[bool, ...]]]]] = {
    "upcard_wild_freezes": (("upcard_freezes",), "W", {True: (True,), False: (False,)}),
    "upcard_red3_freezes": (("upcard_freezes",), "R3", {True: (True,), False: (False,)}),
    "upcard_black3": (
        ("upcard_cover", "upcard_freezes"),
        "B3",
        {"stay": (False, False), "cover": (True, False), "cover_and_freeze": (True, True)},
    ),
    "black3_freezes": (("freeze_discards",), "B3", {True: (True,), False: (False,)}),
    "freeze_on_black3": (("freeze_discards",), "B3", {True: (True,), False: (False,)}),
    "freeze_on_wild_discard": (("freeze_discards",), "W", {True: (True,), False: (False,)}),
    "black3_blocks_next": (("top_blocks",), "B3", {True: (True,), False: (False,)}),
    "wild_only_melds": (("meld_kinds",), "wild", {True: (True,), False: (False,)}),
    "open_exempt_first_canasta": (("open_waiver",), "first_canasta_top", {True: (True,), False: (False,)}),
    "open_exempt_first_canasta_with_top_card": (
        ("open_waiver",),
        "first_canasta_top",
        {True: (True,), False: (False,)},
    ),
    "open_exempt_concealed": (("open_waiver",), "concealed", {"if_stock_draw": (True,), "never": (False,)}),
    "take_open_natural_plus_wild": (("take_open",), "card+wild", {True: (True,), False: (False,)}),
    "take_layoff_on_meld": (("take_open",), "add", {True: (True,), False: (False,)}),
    "jokers_discardable": (("discard_bans",), "J", {True: (False,), False: (True,)}),
}
"""Names that say whether lists have a certain member.

Each entry: the list parameters, the member, and for each value of the name which of the lists contain it.
"""

WITHOUT_EFFECT: Final[Mapping[str, tuple[str | bool | int, ...]]] = {
    "deal_passes": ("next_in_play_direction",),
    "first_dealer": ("random", "right_of_highest", "highest", "lowest"),
    "partnership_draw": ("two_highest", "highest_with_lowest", "free"),
    "partner_assignment": ("chosen", "random", "card_draw"),
    "cut_bonus": (0,),
    "hand_sizes_public": (True,),
    "stock_size_public": (True,),
    "discard_count": (1,),
    "red3_auto": (True,),
    "red3_replacement_from_pile": (False,),
    "take_whole_pile": (True,),
    "canasta_bonus_once_per_meld": (True,),
    "min_cards_after_turn_if_cannot_go_out": (1,),
    "concealed_may_take_pile": (True,),
    "permission_window": ("before_first_meld_of_turn",),
    "penalty_receiver": ("own_score_only",),
    "tie": ("extra_hand",),
}
"""Names that have no effect in a position, or only one value in a program; with the accepted values."""

_RUN_RULE_VALUES: Final[Mapping[str, tuple[Any, ...]]] = {
    "min": (3,),
    "max": (7,),
    "low": ("4", 4),
    "high": ("A",),
    "wilds": (0,),
    "extend": (False, "no", "never", True, "go_out"),
}
"""Accepted fields and values of a rule for runs that is given as an object."""

_RANK_LETTERS: Final = {"sevens": "7", "aces": "A"}

NAMES: Final = frozenset(
    {*RENAMED, *MEANINGS, *MEMBERS, *WITHOUT_EFFECT, "jokers", "concealed_bonus_total", "bonus_concealed_total"}
    | {"red3_value", "red3_all_total", "red3_in_hand_penalty"}
) - frozenset(BY_NAME)
"""Every accepted name that is not a parameter's own."""


def options_by_parameter_name(rules: RuleSet, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options by the parameters' own names and values; unknown names stay as they are.

    Raises `PositionError` for a value that another name cannot have, and if two names contradict each other.
    """
    found: dict[str, Any] = {}
    for name in sorted(options, key=lambda one: (one not in BY_NAME, one in MEMBERS, one)):
        for own, value in _settings_of_option(rules, options, name, found).items():
            if name not in MEMBERS and found.get(own, value) != value:
                raise PositionError(f"options.{name}", f"says something else of {own} than another option does")
            found[own] = value
    return found


def _settings_of_option(
    rules: RuleSet, options: Mapping[str, Any], name: str, found: Mapping[str, Any]
) -> Mapping[str, Any]:
    """Return the settings of one option by parameter name; `found` are those of earlier options."""
    value, path = options[name], f"options.{name}"
    if name in MEMBERS:
        return _settings_with_member(rules, name, value, found)
    if name in WITHOUT_EFFECT:
        _require_one_of(value, WITHOUT_EFFECT[name], path)
        return {}
    if name in RENAMED:
        own = RENAMED[name]
        return _settings_of_word(own, value) or {own: _to_parameter_value(rules, own, value)}
    if name in _NUMBERS:
        return _NUMBERS[name](rules, options, read_whole_number(value, path))
    if name == "target" and value in (None, "none"):
        return _read_no_target(rules, options)
    meant = _settings_of_word(name, value)
    if meant is not None:
        return meant
    if name in MEANINGS and name not in BY_NAME:
        raise PositionError(path, f"is one of {_list_text(MEANINGS[name])}, not {value!r}")
    return {name: _to_parameter_value(rules, name, value)}


def _settings_of_word(name: str, value: Any) -> Mapping[str, Any] | None:
    """Return the parameter settings that an option's word stands for, or None for an unknown word."""
    if not isinstance(value, str | bool):
        return None
    return next((meant for word, meant in MEANINGS.get(name, {}).items() if word is value or word == value), None)


def _settings_with_member(rules: RuleSet, name: str, value: Any, found: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings after a member is added to lists of values, or removed from them."""
    owns, member, table = MEMBERS[name]
    _require_one_of(value, tuple(table), f"options.{name}")
    changes = {}
    for own, wanted in zip(owns, table[value], strict=True):
        members = set(found.get(own, getattr(rules, own)))
        changes[own] = sorted(members | {member} if wanted else members - {member})
    return changes


def _require_one_of(value: Any, allowed: tuple[Any, ...], path: str) -> None:
    """Raise `PositionError` unless the value is one of the allowed ones."""
    if not any(type(one) is type(value) and one == value for one in allowed):
        raise PositionError(path, f"is one of {_list_text(allowed)}, not {value!r}")


def _list_text(values: Any) -> str:
    """Return the values as text, for an error message."""
    words = {True: "true", False: "false"}
    return ", ".join([words[one] if isinstance(one, bool) else str(one) for one in values])


# --- values of the parameters' own names ------------------------------------------------------------------------------


def _to_parameter_value(rules: RuleSet, name: str, value: Any) -> Any:
    """Return a value in the program's form, given in the form of `docs/law/variants.md A.1`."""
    if name == "decks" and value in ("n", "n+1"):
        return rules.players + (value == "n+1")
    if name == "seq_rule" and isinstance(value, Mapping):
        return _run_rule_word(value)
    if name == "take_frozen" and isinstance(value, list) and value and set(map(str, value)) <= {"pair", "triple"}:
        return "pair" if "pair" in value else "triple"
    shape = BY_NAME[name].shape if name in BY_NAME else None
    if name == "bonus_seq" and value is None:
        return 0
    if value in (None, "none"):
        return (
            {ValueType.WORDS: [], ValueType.NUMBERS: [], ValueType.TABLE: [], ValueType.WORD: "none"}.get(shape)
            if shape
            else value
        )
    if shape is ValueType.WORDS and isinstance(value, list):
        return [_to_parameter_member(name, one) for one in value]
    if shape is ValueType.TABLE and isinstance(value, Mapping):
        return {_RANK_LETTERS.get(key, key): points for key, points in value.items()}
    return value


def _to_parameter_member(name: str, member: Any) -> Any:
    """Return a list's member as the parameter has it, from a rank's number or a special hand's printed name."""
    if name == "special_hands" and isinstance(member, str):
        return "_".join(member.lower().replace("+", " ").replace("-", " ").split())
    return str(member) if type(member) is int else member


def _run_rule_word(record: Mapping[str, Any]) -> str:
    """Return the word for a rule about runs: they are closed at seven cards, or grow in going out."""
    for key, value in record.items():
        if key not in _RUN_RULE_VALUES:
            raise PositionError(
                f"options.seq_rule.{key}", f"there is no such field; there are {_list_text(_RUN_RULE_VALUES)}"
            )
        _require_one_of(value, _RUN_RULE_VALUES[key], f"options.seq_rule.{key}")
    return "grows_going_out" if record.get("extend") in (True, "go_out") else "closed"


def _read_no_target(rules: RuleSet, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return no settings for the option "no target", which needs a number of deals that ends the game.

    Raises `PositionError` if the game has no such number.
    """
    if options.get("rounds", rules.rounds) is None:
        raise PositionError("options.target", "is needed where no rounds end the game")
    return {}


def _read_jokers(rules: RuleSet, options: Mapping[str, Any], jokers: int) -> dict[str, Any]:
    """Return the number of jokers per deck from the number in the whole pack."""
    decks = options.get("decks", options.get("packs", rules.decks))
    if not isinstance(decks, int) or decks < 1 or jokers % decks:
        raise PositionError("options.jokers", "needs as many jokers for each pack")
    return {"jokers_per_deck": jokers // decks}


def _read_concealed(rules: RuleSet, options: Mapping[str, Any], total: int) -> dict[str, Any]:
    """Return the extra bonus for going out concealed from the total bonus."""
    out = options.get("out_bonus", options.get("bonus_go_out", rules.out_bonus))
    return {"concealed_extra": total - out if isinstance(out, int) else total}


def _read_red_threes(rules: RuleSet, options: Mapping[str, Any], _: int) -> dict[str, Any]:
    """Return the values of red threes from the options for one three and for all of them.

    Values that the options do not give are those of the rules.
    """
    each = read_whole_number(options.get("red3_value", rules.red3_values[0]), "options.red3_value")
    total = read_whole_number(options.get("red3_all_total", rules.red3_values[-1]), "options.red3_all_total")
    return {"red3_values": [*(each * number for number in range(1, len(rules.red3_values))), total]}


_NUMBERS: Final[Mapping[str, Callable[[RuleSet, Mapping[str, Any], int], dict[str, Any]]]] = {
    "jokers": _read_jokers,
    "concealed_bonus_total": _read_concealed,
    "bonus_concealed_total": _read_concealed,
    "red3_value": _read_red_threes,
    "red3_all_total": _read_red_threes,
    "red3_in_hand_penalty": lambda _, __, points: {"red3_in_hand": -points},
}
