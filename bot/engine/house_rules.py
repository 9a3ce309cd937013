"""House rules: combinations of parameters that cannot work together, found before anybody sits down to play them.

A problem is a code with its numbers, like a refusal; words live in the catalogues of `bot.i18n`.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Final

from bot.engine.refusals import Detail
from bot.engine.rules import RuleSet
from bot.engine.shapes import is_meld
from bot.engine.values import value

LEAST_STOCK: Final = 20
"""Cards that have to be left in the stock when everybody has been dealt a hand."""

MOST_ALIKE: Final = 127
"""Cards of one kind that the engine counts in one hand (`bot.engine.counts`)."""


class ProblemCode(StrEnum):
    """Every reason why parameters do not work together; the value is its stable name."""

    NO_FORM = "no_form"  # these players cannot sit so: {"players"}
    STOCK_TOO_SMALL = "stock_too_small"  # {"left", "required"}
    PACK_TOO_LARGE = "pack_too_large"  # {"decks", "most"}
    OPEN_TABLE_ORDER = "open_table_order"  # the rows do not ascend: {"row"}
    NO_MELDS = "no_melds"  # nothing of a size that a meld may have is a meld: {"naturals", "size"}
    NO_CANASTAS = "no_canastas"  # a canasta cannot arise, and going out needs one: {"size"}
    MELD_MAX_TOO_SMALL = "meld_max_too_small"  # {"meld_max", "canasta_size"}
    WILD_RATIO_IDLE = "wild_ratio_idle"  # min_naturals never lets it matter: {"min_naturals", "max_wilds"}
    NO_WAY_TO_TAKE = "no_way_to_take"  # nothing takes a pile that is not frozen: {}
    NOBODY_TO_ASK = "nobody_to_ask"  # asking is mandatory, and each plays alone: {}
    RED_THREE_VALUES = "red_three_values"  # fewer values than red threes: {"values", "required"}


@value
class Problem:
    """One reason why a rule set cannot be played."""

    code: ProblemCode
    detail: Detail


_SEATS: Final = {"solo": range(2, 7), "2x2": (4,), "3x2": (6,), "2x3": (6,), "2v3": (5,), "3v3": (6,)}


def validate(rules: RuleSet) -> tuple[Problem, ...]:
    """Every reason why these rules cannot be played; empty when they can."""
    return (*_seats(rules), *_cards(rules), *_melds(rules), *_turns(rules))


def _seats(rules: RuleSet) -> Iterator[Problem]:
    if rules.players not in _SEATS[rules.teams]:
        yield Problem(ProblemCode.NO_FORM, {"players": rules.players})
    elif rules.ask_partner == "mandatory" and not rules.asks:
        yield Problem(ProblemCode.NOBODY_TO_ASK, {})


def _cards(rules: RuleSet) -> Iterator[Problem]:
    left = rules.pack_size - rules.players * rules.hand_size - 1
    if left < LEAST_STOCK:
        yield Problem(ProblemCode.STOCK_TOO_SMALL, {"left": left, "required": LEAST_STOCK})
    most = MOST_ALIKE // max(4, rules.jokers_per_deck)
    if rules.decks > most:
        yield Problem(ProblemCode.PACK_TOO_LARGE, {"decks": rules.decks, "most": most})
    if len(rules.red3_values) < 2 * rules.decks:
        required = 2 * rules.decks
        yield Problem(ProblemCode.RED_THREE_VALUES, {"values": len(rules.red3_values), "required": required})


def _melds(rules: RuleSet) -> Iterator[Problem]:
    naturals = 4 * rules.decks
    largest = naturals + (4 + rules.jokers_per_deck) * rules.decks
    sizes = [
        natural + wild
        for natural in range(naturals + 1)
        for wild in range(largest - naturals + 1)
        if is_meld(rules, natural, wild)
    ]
    if rules.meld_max is not None and rules.meld_max < rules.canasta_size:
        detail = {"meld_max": rules.meld_max, "canasta_size": rules.canasta_size}
        yield Problem(ProblemCode.MELD_MAX_TOO_SMALL, detail)
    if not sizes:
        yield Problem(ProblemCode.NO_MELDS, {"naturals": rules.min_naturals, "size": rules.meld_min})
    elif max(sizes) < rules.canasta_size and rules.out_canastas:
        yield Problem(ProblemCode.NO_CANASTAS, {"size": rules.canasta_size})
    if rules.wild_ratio != "none" and rules.min_naturals >= _naturals_for(rules):
        detail = {"min_naturals": rules.min_naturals, "max_wilds": rules.max_wilds}
        yield Problem(ProblemCode.WILD_RATIO_IDLE, detail)


def _naturals_for(rules: RuleSet) -> int:
    """With how many naturals the ratio allows all the wild cards that `max_wilds` does."""
    return {"nat>=w": rules.max_wilds, "nat>w": rules.max_wilds + 1, "nat>=2w": 2 * rules.max_wilds}[rules.wild_ratio]


def _turns(rules: RuleSet) -> Iterator[Problem]:
    for row, (before, after) in enumerate(zip(rules.open_table, rules.open_table[1:], strict=False), 1):
        if after[0] is None or (before[0] is not None and after[0] <= before[0]) or after[1] < before[1]:
            yield Problem(ProblemCode.OPEN_TABLE_ORDER, {"row": row})
    if not rules.take_open:
        yield Problem(ProblemCode.NO_WAY_TO_TAKE, {})
