"""Parameters: every decision of the rules that a table can make for itself, as data.

The names are those of `RuleSet` and of `docs/law/variants.md A.1`. A field added to `RuleSet` gets a line here and its
words in `bot.i18n`: a title, an explanation, and an explanation of each of its values.
"""

from __future__ import annotations

from enum import StrEnum
from functools import cache, reduce
from operator import or_
from types import NoneType, UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

from bot.engine.cards.values import value
from bot.engine.rules.rule_set import RuleSet

MOST: Final = 1_000_000
"""The largest number that any parameter may have."""

POINTS: Final = 5
"""The number of which points are multiples."""

MOST_POINTS: Final = 100_000
"""The largest bonus or target."""


class Topic(StrEnum):
    """What a parameter is about; the letters A to J of `docs/law/variants.md A.1`. The value is its stable name."""

    CARDS = "cards"  # cards and deal
    TURN = "turn"
    MELDS = "melds"
    OPENING = "opening"  # the initial meld
    PILE = "pile"
    THREES = "threes"
    CANASTAS = "canastas"  # and penalties
    OUT = "out"  # going out
    FOOT = "foot"
    END = "end"  # of the deal and of the game


@value
class Parameter:
    """One parameter: what it is about, where the law speaks of it, and which numbers it may be.

    - `paragraph`: one of `docs/law/classic.md`, or of `docs/law/variants.md` where it begins with ``v``.
    - `lowest`, `highest`, `multiple`: bounds of a number, of each number of a row, and of the last entry of a table's
      rows.
    - `usual`: the numbers that are offered before all others.
    - `least`, `most`: how many numbers or rows there have to be.
    - `settled`: words of a list that hold whether they stand in it or not; they are told, and not offered.
    """

    name: str
    topic: Topic
    paragraph: str
    lowest: int = 0
    highest: int = MOST
    multiple: int = 1
    usual: tuple[int, ...] = ()
    least: int = 1
    most: int = 12
    settled: frozenset[str] = frozenset()

    @property
    def hint(self) -> Any:
        """The parameter's type."""
        return hints()[self.name]

    @property
    def shape(self) -> Shape:
        """What type of value the parameter has."""
        return shape_of(self.hint)

    @property
    def may_be_none(self) -> bool:
        """Whether the parameter may be None, which means that it does not apply."""
        return may_be_none(self.hint)

    @property
    def by_deal(self) -> bool:
        """Whether the parameter may be a list of numbers, one for each deal."""
        return by_deal(self.hint)

    @property
    def words(self) -> tuple[str, ...]:
        """The words that the parameter's values are made of."""
        return words_of(self.hint)

    @property
    def offered(self) -> tuple[str, ...]:
        """The words that decide anything, without the settled ones."""
        return tuple([word for word in self.words if word not in self.settled])

    def value_in(self, rules: RuleSet) -> Any:
        """The parameter's value in these rules, settled words included."""
        value = getattr(rules, self.name)
        return value | self.settled if self.settled else value


A, B, C, D, E, F, G, H, I, J = Topic  # noqa: E741 - the letters of the table

PARAMETERS: Final = (
    Parameter("decks", A, "1.1", lowest=1, highest=12, usual=(2, 3, 4, 5, 6)),
    Parameter("jokers_per_deck", A, "1.1", highest=12, usual=(0, 1, 2, 3, 4)),
    Parameter("ace_value", A, "1.1", multiple=POINTS, lowest=5, highest=100, usual=(15, 20, 25)),
    Parameter("hand_size", A, "1.4", lowest=1, highest=100, usual=(7, 10, 11, 12, 13, 14, 15, 17)),
    Parameter("foot_size", A, "v3.11", highest=100, usual=(0, 11, 13, 14)),
    Parameter("upcard", A, "1.6"),
    Parameter("upcard_cover", A, "1.6"),
    Parameter("upcard_freezes", A, "1.6"),
    Parameter("upcard_specials", A, "1.6"),
    Parameter("pile_hidden", A, "v3.1", highest=20, usual=(0, 3, 7)),
    Parameter("pile_hidden_by_rank", A, "v3.6"),
    Parameter("first_player", A, "1.5"),
    Parameter("direction", A, "1.5"),
    Parameter("draw", B, "1.9", lowest=1, highest=20, usual=(1, 2, 3, 4, 5)),
    Parameter("draw_with_pile", B, "2.1", highest=20, usual=(0, 1, 2)),
    Parameter("pile_take", B, "v3.11", lowest=1, highest=100, usual=(3, 5, 7, 10)),
    Parameter("discard_bans", B, "v3.10"),
    Parameter("announce_one_card", B, "1.9"),
    Parameter("meld_kinds", C, "v3.1"),
    Parameter("meld_min", C, "1.10", lowest=1, usual=(3, 4)),
    Parameter("min_naturals", C, "1.10", lowest=1, usual=(1, 2, 3, 4)),
    Parameter("max_wilds", C, "1.10", usual=(0, 1, 2, 3, 4, 5)),
    Parameter("wild_ratio", C, "1.10"),
    Parameter("wild_gate", C, "v3.10", highest=7, usual=(0, 4, 5)),
    Parameter("wild_on_canasta", C, "1.10"),
    Parameter("wild_reclaim", C, "1.10"),
    Parameter("meld_max", C, "1.10", lowest=3, usual=(7, 8, 9, 10)),
    Parameter("same_rank_melds", C, "v3.1"),
    Parameter("no_wild_ranks", C, "v3.10"),
    Parameter("open_wild_ranks", C, "v3.10"),
    Parameter("dead_ranks", C, "v3.10"),
    Parameter("seq_rule", C, "v3.1"),
    Parameter("wild_lock", C, "v3.10"),
    Parameter("black3_meld", C, "1.8"),
    Parameter("open_by", D, "v3.11"),
    Parameter("open_table", D, "1.11", highest=1000, multiple=POINTS),
    Parameter("open_shape", D, "v3.10"),
    Parameter("open_waiver", D, "1.11"),
    Parameter("open_pile", D, "1.11"),
    Parameter("open_count_top", D, "1.11"),
    Parameter("talon", D, "v3.10", highest=20, least=0, most=6),
    Parameter("talon_with_pile", D, "v3.13"),
    Parameter("talon_stock", D, "v3.10", highest=100, usual=(5, 9, 12)),
    Parameter("pile_frozen", E, "1.13"),
    Parameter("frozen_unopened", E, "1.13"),
    Parameter("frozen_untaken", E, "1.13"),
    Parameter("freeze_discards", E, "1.13"),
    Parameter("top_blocks", E, "1.12", settled=frozenset({"W", "R3", "B3"})),
    Parameter("take_frozen", E, "v3.6"),
    Parameter("take_open", E, "1.12"),
    Parameter("take_add_canasta", E, "1.12"),
    Parameter("take_pair_canasta", E, "1.12"),
    Parameter("take_twos", E, "1.12"),
    Parameter("meld_after_take", E, "1.12"),
    Parameter("one_card_guard", E, "1.12"),
    Parameter("one_card_guard_stock_out", E, "1.12"),
    Parameter("black3_in_pile", E, "v3.5"),
    Parameter("red3_role", F, "v3.11"),
    Parameter("black3_role", F, "v3.9"),
    Parameter("red3_timing", F, "1.7"),
    Parameter("red3_values", F, "1.17", lowest=-MOST_POINTS, highest=MOST_POINTS, multiple=POINTS, most=24),
    Parameter("red3_sign", F, "1.17"),
    Parameter(
        "red3_in_hand",
        F,
        "v3.11",
        lowest=-MOST_POINTS,
        highest=MOST_POINTS,
        multiple=POINTS,
        usual=(-500, -300, -200, -100, -5, 0),
    ),
    Parameter("black3_values", F, "v3.9", lowest=-MOST_POINTS, highest=MOST_POINTS, multiple=POINTS, least=0, most=24),
    Parameter(
        "black3_in_hand",
        F,
        "v3.2",
        lowest=-MOST_POINTS,
        highest=MOST_POINTS,
        multiple=POINTS,
        usual=(-300, -100, -50, -5, 0),
    ),
    Parameter("canasta_size", G, "1.14", lowest=4, usual=(5, 6, 7, 8)),
    Parameter("bonus_natural", G, "1.14", highest=MOST_POINTS, multiple=POINTS, usual=(300, 400, 500, 600, 700, 1000)),
    Parameter("bonus_mixed", G, "1.14", highest=MOST_POINTS, multiple=POINTS, usual=(100, 200, 300, 400, 500)),
    Parameter("bonus_seq", G, "v3.1", highest=MOST_POINTS, multiple=POINTS, usual=(0, 1000, 1500, 2000)),
    Parameter("bonus_wild", G, "v3.8", highest=MOST_POINTS, multiple=POINTS, least=0),
    Parameter("bonus_wild_out_only", G, "v3.6"),
    Parameter("bonus_rank", G, "v3.10", highest=MOST_POINTS, multiple=POINTS, least=0, most=33),
    Parameter("incomplete_penalty", G, "v3.10", lowest=-MOST_POINTS, highest=0, multiple=POINTS, least=0),
    Parameter("hand_penalty", G, "v3.10", lowest=-MOST_POINTS, highest=0, multiple=POINTS, least=0),
    Parameter("collection_bonus", G, "v3.6", highest=MOST_POINTS, multiple=POINTS, least=0),
    Parameter("card_points", G, "v3.10"),
    Parameter("count_card_values_in_canasta", G, "1.14"),
    Parameter("bonus_black_threes", G, "1.8", highest=MOST_POINTS, multiple=POINTS, usual=(0, 100, 200, 500)),
    Parameter("penalties", G, "1.22"),
    Parameter("out_canastas", H, "1.15", usual=(0, 1, 2, 3, 4, 5)),
    Parameter("out_need", H, "v3.6", highest=10, least=0),
    Parameter("out_canastas_before", H, "1.15"),
    Parameter("out_excludes", H, "v3.6"),
    Parameter("out_bonus", H, "1.15", highest=MOST_POINTS, multiple=POINTS, usual=(0, 100, 200, 300, 500)),
    Parameter("concealed_extra", H, "1.16", highest=MOST_POINTS, multiple=POINTS, usual=(0, 100, 200, 500, 1000)),
    Parameter("concealed_test", H, "1.16"),
    Parameter("out_discard", H, "1.15"),
    Parameter("out_announce", H, "1.15"),
    Parameter("out_clean", H, "v3.10"),
    Parameter("out_red_threes", H, "v3.13", highest=2, usual=(0, 1)),
    Parameter("ask_partner", H, "1.18"),
    Parameter("ask_once", H, "v3.10"),
    Parameter("yes_binds", H, "1.18"),
    Parameter("foot_pickup", I, "v3.11"),
    Parameter("foot_run", I, "v3.11"),
    Parameter("foot_partner_gate", I, "v3.11"),
    Parameter("stock_end", J, "1.19"),
    Parameter("stock_out_force", J, "1.19"),
    Parameter("last_red3_ends", J, "1.19"),
    Parameter("last_three", J, "v3.10", lowest=-MOST_POINTS, highest=0, multiple=POINTS, usual=(-5, 0)),
    Parameter(
        "target", J, "1.21", highest=MOST_POINTS, multiple=POINTS, usual=(2500, 3000, 5000, 7500, 8500, 10_000, 15_000)
    ),
    Parameter("rounds", J, "1.21", lowest=1, usual=(1, 2, 4, 6, 8)),
    Parameter("both_reach", J, "1.21"),
    Parameter("game_bonus", J, "1.21", highest=MOST_POINTS, multiple=POINTS, usual=(0, 500, 1000)),
    Parameter("special_hands", J, "v3.10"),
    Parameter("special_values", J, "v3.10", highest=MOST_POINTS, multiple=POINTS, least=0),
    Parameter("auto_win", J, "v2"),
)
"""Every parameter that can be changed, in the order in which they are told."""

FIXED: Final = {"name": "rules", "players": "players", "teams": "sides", "theme": "themes"}
"""Fields of `RuleSet` that are no parameters but chosen with the rule set, with the word for each in a case."""

BY_NAME: Final = {parameter.name: parameter for parameter in PARAMETERS}


def of_topic(topic: Topic) -> tuple[Parameter, ...]:
    """The parameters of a topic, in order. A topic may have none."""
    return tuple(parameter for parameter in PARAMETERS if parameter.topic is topic)


# --- types of values --------------------------------------------------------------------------------------------------


class Shape(StrEnum):
    """The types of values that parameters have; in brackets what each is in JSON."""

    FLAG = "flag"  # true or false (a boolean)
    NUMBER = "number"  # a whole number; some may be a list too, of one for each deal
    WORD = "word"  # one of some words (a string)
    WORDS = "words"  # any of some words (a list)
    NUMBERS = "numbers"  # a row of numbers (a list)
    TABLE = "table"  # rows, each a word or a number and what it stands for (a list of lists)


@cache
def hints() -> dict[str, Any]:
    """The type of each parameter."""
    return get_type_hints(RuleSet)


def may_be_none(hint: Any) -> bool:
    """Whether a type hint allows None."""
    return get_origin(hint) in (Union, UnionType) and NoneType in get_args(hint)


def without_none(hint: Any) -> Any:
    """A type hint without its None."""
    return reduce(or_, [one for one in get_args(hint) if one is not NoneType]) if may_be_none(hint) else hint


def by_deal(hint: Any) -> bool:
    """Whether a type hint is a number that may differ from deal to deal (`bot.engine.rules.rule_set.ByDeal`)."""
    if get_origin(hint) not in (Union, UnionType):
        return False
    return int in get_args(hint) and any(get_origin(one) is tuple for one in get_args(hint))


def shape_of(hint: Any) -> Shape:
    """The type of value that a type hint stands for. Raises `TypeError` for one that no parameter can have."""
    plain = without_none(hint)
    if by_deal(plain):
        return Shape.NUMBER
    origin, inner = get_origin(plain), get_args(plain)
    if plain in (bool, int):
        return Shape.FLAG if plain is bool else Shape.NUMBER
    if origin in (Literal, frozenset):
        return Shape.WORD if origin is Literal else Shape.WORDS
    if origin is tuple and len(inner) == 2 and inner[1] is Ellipsis:
        if inner[0] is int:
            return Shape.NUMBERS
        if get_origin(inner[0]) is tuple:
            return Shape.TABLE
    raise TypeError(f"no parameter can be a {hint}")


def words_of(hint: Any) -> tuple[str, ...]:
    """Every word that a type hint allows, in the order in which it names them."""
    found = [hint] if isinstance(hint, str) else [word for one in get_args(hint) for word in words_of(one)]
    return tuple(dict.fromkeys(found))


COLUMNS: Final = 2
"""How many entries a row of a table has."""
