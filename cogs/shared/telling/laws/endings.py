"""Sentences on threes kept in hand, the foot, going out, the end of the stock, and special hands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from bot.engine.law.special_hands import special_points
from bot.engine.rules.rule_set import RuleSet
from bot.i18n import Words
from cogs.shared.telling.laws.melds import ranks_in_plural
from cogs.shared.telling.numbers import capitalize_first_letter, group_thousands, join_with_and, number_in_words

USUAL_COST: Final = -5
"""Usual cost of a black three left in hand, the same as its card value."""

_DISCARD: Final[Mapping[str, str]] = {
    "optional": "law.out_optional",
    "forbidden": "law.out_no_discard",
}
_STOCK: Final[Mapping[str, str]] = {
    "one_more": "law.stock_one_more",
    "stop": "law.stock_stop",
    "reshuffle": "law.stock_reshuffle",
}


def threes_sentences(words: Words, rules: RuleSet) -> Iterator[str]:
    """Yield sentences on threes that may not be melded, and on what threes left in hand cost."""
    red, black = group_thousands(words, -rules.red3_in_hand), group_thousands(words, -rules.black3_in_hand)
    never = rules.black3_meld == "never" and rules.black3_role != "bonus"
    if rules.red3_role == "penalty" and never:
        yield words("law.threes_never", red=red, black=black)
        return
    if rules.red3_role == "penalty":
        yield words("law.red_never", red=red)
    costs = rules.black3_in_hand != USUAL_COST and rules.black3_role != "bonus"
    if never:
        yield words("law.black_never_laid_costs" if costs else "law.black_never_laid", black=black)
    elif costs:
        yield words("law.black_costs", black=black)


def foot_sentences(words: Words, rules: RuleSet) -> Iterator[str]:
    """Yield a sentence on when a player gets the second hand (the foot), if there is one."""
    if rules.foot_pickup == "none" or not rules.foot_size:
        return
    if rules.foot_pickup == "first_canasta":
        when = words("law.foot_canasta_run" if rules.foot_run else "law.foot_canasta")
    else:
        when = words("law.foot_run" if rules.foot_run else "law.foot_next")
    texts = [words("law.foot", when=when)]
    if rules.foot_partner_gate == "in_foot" and rules.sides < rules.players:
        texts.append(words("law.foot_partner"))
    yield " ".join(texts)


def going_out_text(words: Words, rules: RuleSet) -> str:
    """Return sentences on the conditions of going out, and on asking the partner."""
    if rules.out_discard == "mandatory":
        conditions = [words("law.out_discard", canastas=_canastas_needed_text(words, rules))]
    else:
        conditions = [_canastas_needed_text(words, rules), words(_DISCARD[rules.out_discard])]
    if rules.out_announce:
        conditions.append(words("law.out_announced"))
    if rules.asks and rules.ask_partner == "mandatory":
        conditions.append(words("law.out_yes"))
    unfinished = list(_melds_to_finish(rules))
    if rules.out_clean and unfinished:
        conditions.append(words("law.out_clean", ranks=ranks_in_plural(words, unfinished)))
    texts = [words("law.out", conditions=", ".join(conditions))]
    if rules.out_canastas_before:
        texts.append(words("law.out_before"))
    if rules.out_red_threes:
        count = rules.red_threes_needed
        texts.append(words("law.out_red_threes", threes=count, number=number_in_words(words, count)))
    if rules.asks and rules.ask_partner == "optional":
        key = "law.ask_once" if rules.ask_once else "law.ask"
        texts.append(words(key if rules.yes_binds else "law.ask_leave"))
    if rules.black3_meld == "go_out" and rules.black3_role != "bonus":
        texts.append(words("law.black_threes"))
    return " ".join(texts)


def _canastas_needed_text(words: Words, rules: RuleSet) -> str:
    """Return text on how many canastas, of which kinds, a side needs to go out."""
    need = sum(count for _, count in rules.out_need)
    total = max(rules.out_canastas, need)
    if not total:
        return words("law.out_none")
    text = words("law.out_canastas", count=total, number=number_in_words(words, total))
    if rules.out_excludes:
        excluded = join_with_and(words, [words(f"law_excluded.{one}") for one in sorted(rules.out_excludes)])
        text = words("law.out_excluding", canastas=text, kinds=excluded)
    if not rules.out_need:
        return text
    kinds = join_with_and(
        words,
        [
            words(f"law_kind.{kind}", count=count, number=number_in_words(words, count))
            for kind, count in rules.out_need
        ],
    )
    return words("law.out_kinds" if need >= total else "law.out_among", canastas=text, kinds=kinds)


def _melds_to_finish(rules: RuleSet) -> Iterator[str]:
    """Yield the melds that a side may not leave unfinished when it goes out.

    Of sevens and aces this holds only for melds without a wild card.
    """
    special = {name[0] for name, _ in rules.bonus_rank} | {name for name, _ in rules.incomplete_penalty}
    yield from (rank for rank in ("7", "A") if rank in special)
    if "wild" in rules.meld_kinds:
        yield "wild"
    if "deuce" in rules.meld_kinds:
        yield "twos"


def stock_end_text(words: Words, rules: RuleSet) -> str:
    """Return sentences on what happens when the stock runs out."""
    if rules.stock_end == "pile_play":
        must = rules.stock_out_force == "whenever_able"
        return words("law.stock_pile_play_must" if must else "law.stock_pile_play")
    return words(_STOCK[rules.stock_end])


def special_hand_sentences(words: Words, rules: RuleSet) -> Iterator[str]:
    """Yield a sentence that lists the special hands with their points and cards, the highest first."""
    if not rules.special_hands:
        return
    yield words("law.hands")
    points = {name: special_points(rules, name) for name in sorted(rules.special_hands)}
    for name in sorted(points, key=lambda one: -points[one]):
        yield words(
            "law.hand",
            hand=capitalize_first_letter(words(f"special_hand.{name}")),
            points=group_thousands(words, points[name]),
            told=words(f"parameter.special_hands.{name}"),
        )
    if rules.keeps_three:
        yield words("rules_text.three_kept")


def penalty_sentences(words: Words, rules: RuleSet) -> Iterator[str]:
    """Yield a sentence on what irregularities cost, if the table has penalties."""
    if rules.penalties != "off":
        yield words("law.penalties", told=words(f"parameter.penalties.{rules.penalties}"))
