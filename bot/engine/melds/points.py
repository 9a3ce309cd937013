"""Points of a side's melds, canastas, collections and threes, and of cards left in hands.

Decides `docs/law/classic.md 1.8, 1.14, 1.17, 1.20` and `docs/law/variants.md 3.1, 3.2, 3.3, 3.5, 3.6, 3.8, 3.9, 3.10,
3.11`. Reads `ace_value`, `black3_in_hand`, `black3_values`, `bonus_black_threes`, `bonus_mixed`, `bonus_natural`,
`bonus_rank`, `bonus_seq`, `bonus_wild`, `bonus_wild_out_only`, `canasta_size`, `card_points`, `collection_bonus`,
`count_card_values_in_canasta`, `hand_penalty`, `incomplete_penalty`, `out_clean`, `red3_in_hand`, `red3_sign`,
`red3_values`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from bot.engine.cards.cards import ACE, BLACK_THREE, JOKER, RANK_LETTERS, SEVEN, TWO, Card, Kind
from bot.engine.cards.meld_places import DEUCE_MELD, WILD_MELD, Family, is_run
from bot.engine.melds.canastas import CanastaKind, CanastaTally, canasta_kind_at, canasta_tally
from bot.engine.melds.table_meld import TableMeld
from bot.engine.moves.events import OtherCanastas, ScoreLines
from bot.engine.moves.refusals import Code, Refusal
from bot.engine.rules.parameter_declarations import Collection, Unfinished, Unlucky, WildCanasta
from bot.engine.rules.rule_set import RuleSet

SHORT_RUN: Final = 5
"""The length from which a run counts as finished (`docs/law/variants.md 3.3`)."""

ALL_JOKERS: Final = 4
"""The number of jokers from which an unfinished meld of wild cards costs more."""


def unfinished_points(rules: RuleSet, melds: Iterable[TableMeld]) -> int:
    """Return the points that a side loses for its unfinished melds: zero or negative."""
    table = dict(rules.incomplete_penalty)
    return sum([table.get(name, 0) for meld in melds for name in _penalty_words_of(rules, table, meld)])


def _penalty_words_of(rules: RuleSet, table: Mapping[Unfinished, int], meld: TableMeld) -> tuple[Unfinished, ...]:
    """Return the word of `incomplete_penalty` that fits an unfinished meld, in a tuple.

    The tuple is empty if the meld costs nothing.
    """
    if is_run(meld.place):
        return ("seq",) if meld.size < SHORT_RUN else ()
    if meld.size >= rules.canasta_size:
        return ()
    if meld.kind in (WILD_MELD, DEUCE_MELD):
        dearer = "wild_4_jokers" in table and sum([card >> 2 == JOKER for card in meld.cards]) >= ALL_JOKERS
        return ("wild_4_jokers",) if dearer else ("wild",)
    return MUST_FINISH.get(meld.kind, ()) if not meld.wilds else ()


def forbids_going_out(rules: RuleSet, family: Family, naturals: int, wilds: int) -> bool:
    """Return whether such a meld forbids its side to go out.

    With `out_clean`, unfinished melds of wild cards or twos do, and of sevens or aces without a wild card.
    """
    if not rules.out_clean or naturals + wilds >= rules.canasta_size:
        return False
    return family in (WILD_MELD, DEUCE_MELD) or (family in MUST_FINISH and not wilds)


def unfinished_refusal(rules: RuleSet, melds: Iterable[TableMeld]) -> Refusal | None:
    """Return the refusal for a side whose unfinished melds forbid it to go out, else None.

    Source: `docs/law/variants.md 3.10`.
    """
    sizes = [meld.size for meld in melds if forbids_going_out(rules, meld.kind, meld.naturals, meld.wilds)]
    if not sizes:
        return None
    return Refusal(Code.OUT_UNFINISHED, {"melds": len(sizes), "count": sizes[0], "required": rules.canasta_size})


MUST_FINISH: Final[Mapping[Kind, tuple[Unfinished, ...]]] = {SEVEN: ("7",), ACE: ("A",)}
"""The ranks whose melds without wild cards must become canastas, with the rules' word for each."""


def points_lost_by_hand(rules: RuleSet, hand: Sequence[Card]) -> int:
    """Return the points that a hand costs its side, including the extra costs of some cards."""
    values = rules.held_values
    points = sum([values[card >> 2] for card in hand])
    if rules.hand_penalty:
        kinds = [card >> 2 for card in hand]
        points -= sum([cost for name, cost in rules.hand_penalty if _UNLUCKY_TESTS[name](kinds)])
    return points


_UNLUCKY_TESTS: Final[Mapping[Unlucky, Callable[[Sequence[Kind]], bool]]] = {
    "3_aces": lambda kinds: kinds.count(ACE) >= 3,
    "3_sevens": lambda kinds: kinds.count(SEVEN) >= 3,
    "4_black_threes": lambda kinds: kinds.count(BLACK_THREE) >= 4,
}


def score_lines_on_table(
    rules: RuleSet,
    melds: Sequence[TableMeld],
    threes: Sequence[Card],
    *,
    set_aside: Sequence[Card] = (),
    gone_out: bool = False,
) -> ScoreLines:
    """Return the score lines of a side's deal that follow from its melds and threes.

    `gone_out` says that the side has gone out.
    """
    held = canasta_tally(rules, melds)
    natural, mixed, others = canasta_points(rules, melds, gone_out=gone_out)
    return ScoreLines(
        natural_canastas=natural,
        mixed_canastas=mixed,
        other_canastas=others.total,
        red_threes=points_of_threes(rules, threes, held, opened=bool(melds)),
        melded=melded_points(rules, melds, held),
        penalties=unfinished_points(rules, melds) if rules.incomplete_penalty else 0,
        bonuses=collection_points(rules, held)
        + points_for_number(rules.black3_values, len(set_aside))
        + rules.bonus_black_threes * sum([meld.size >= ALL_BLACK_THREES for meld in melds if meld.kind == BLACK_THREE]),
    )


# --- canastas ---------------------------------------------------------------------------------------------------------


def canasta_points(
    rules: RuleSet, melds: Iterable[TableMeld], *, gone_out: bool = False
) -> tuple[int, int, OtherCanastas]:
    """Return the points of natural canastas, mixed canastas, and others (runs, wild, special ranks).

    `gone_out` says that the side has gone out; in some games wild canastas count only then.
    """
    natural = mixed = runs = wild = others = 0
    for meld in melds:
        if len(meld.cards) < rules.canasta_size:
            continue
        kind = canasta_kind_at(meld.place, meld.wilds)
        if kind == "seq":
            runs += rules.bonus_seq
        elif kind == "wild":
            wild += wild_canasta_points(rules, meld.cards) if gone_out or not rules.bonus_wild_out_only else 0
        elif rules.bonus_rank and (special := _canasta_points_of_rank(rules, meld.kind, kind)) is not None:
            others += special
        elif kind == "natural":
            natural += rules.bonus_natural
        else:
            mixed += rules.bonus_mixed
    return natural, mixed, OtherCanastas(runs, wild, others)


def _canasta_points_of_rank(rules: RuleSet, rank: Kind, kind: CanastaKind) -> int | None:
    """Return the points of a canasta of that rank if the rank has its own, else None.

    A word for rank and sort of canasta (``7_natural``) goes before the word for the rank alone.
    """
    table: Mapping[str, int] = dict(rules.bonus_rank)
    name = RANK_LETTERS[rank] if rank <= ACE else ""
    return table.get(f"{name}_{kind}", table.get(name))


def _wild_descriptions(twos: int, jokers: int) -> list[WildCanasta]:
    """Return every description that fits a wild canasta of these cards, the narrowest first."""
    fits: dict[WildCanasta, bool] = {
        "7_twos": not jokers,
        "7_jokers": not twos,
        "4_jokers_3_twos": (twos, jokers) == (3, 4),
        "4_jokers": jokers >= 4,
        "twos_and_jokers": twos > 0 < jokers,
        "any": True,
    }
    return [name for name in fits if fits[name]]


def wild_canasta_points(rules: RuleSet, cards: Iterable[Card]) -> int:
    """Return the points of a wild canasta, by the narrowest description that the rules list."""
    kinds = [card >> 2 for card in cards]
    fitting = _wild_descriptions(kinds.count(TWO), kinds.count(JOKER))
    table = dict(rules.bonus_wild)
    return next((table[name] for name in fitting if name in table), 0)


_COLLECTION_TESTS: Final[Mapping[Collection, Callable[[CanastaTally], bool]]] = {
    "5_natural": lambda held: held.natural >= 5,
    "4_natural_1_mixed": lambda held: held.natural >= 4 and held.mixed >= 1,
    "7_any": lambda held: held.total >= 7,
    "10_any": lambda held: held.total >= 10,
}


def collection_points(rules: RuleSet, held: CanastaTally) -> int:
    """Return the points of the best collection that the canastas form (`docs/law/variants.md 3.6`)."""
    return max([points for name, points in rules.collection_bonus if _COLLECTION_TESTS[name](held)], default=0)


# --- cards ------------------------------------------------------------------------------------------------------------


def melded_points(rules: RuleSet, melds: Iterable[TableMeld], held: CanastaTally) -> int:
    """Return the points of the melded cards; some rules make them negative without a canasta.

    The cards of canastas count too, unless a table counts only the bonus for those (`docs/law/classic.md H3`).
    """
    values = rules.card_values
    counted = [meld for meld in melds if rules.count_card_values_in_canasta or meld.size < rules.canasta_size]
    points = sum([values[card >> 2] for meld in counted for card in meld.cards])
    return -points if rules.card_points == "swing" and not held.total else points


ALL_BLACK_THREES: Final = 4
"""The number of black threes in one meld that earns a bonus when going out.

Source: `docs/law/classic.md H34`.
"""


def points_of_threes(rules: RuleSet, threes: Sequence[Card], held: CanastaTally, *, opened: bool) -> int:
    """Return the points of the threes that a side has laid out, positive or negative."""
    if not threes:
        return 0
    black = sum([card >> 2 == BLACK_THREE for card in threes])
    total = points_for_number(rules.red3_values, len(threes) - black) + points_for_number(rules.black3_values, black)
    return total * _sign_of_threes(rules, held, opened=opened)


def points_for_number(values: Sequence[int], count: int) -> int:
    """Return the total points of `count` cards.

    `values` holds the total for one card, for two, and so on; the last entry holds for all larger numbers.
    """
    return values[min(count, len(values)) - 1] if count and values else 0


def _sign_of_threes(rules: RuleSet, held: CanastaTally, *, opened: bool) -> int:
    """Return 1 if threes count for a side, -1 if they count against it, 0 if they do not count."""
    sign = rules.red3_sign
    if sign == "swing":
        return min(held.total, 2) - 1
    needed = CANASTAS_FOR_THREES.get(sign)
    if needed is not None:
        return 1 if held.total >= needed else -1
    good = {"opened": opened, "sevens": held.sevens > 0, "always": True}
    return 1 if good[sign] else -1


CANASTAS_FOR_THREES: Final[Mapping[str, int]] = {
    "swing": 2,
    "canastas>=1": 1,
    "canastas>=2": 2,
    "canastas>=3": 3,
    "canastas>=4": 4,
}
"""The canastas that a side needs for its threes to count for it, by value of `red3_sign`."""
