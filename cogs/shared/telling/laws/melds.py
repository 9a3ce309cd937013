"""Sentences on which melds are allowed and on the requirements of the initial meld."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from bot.engine.cards.cards import RANK_LETTERS
from bot.engine.reach.runs import SMALLEST_RUN
from bot.engine.rules.rule_set import RuleSet
from bot.i18n import Words
from cogs.shared.telling.numbers import capitalize_first_letter, group_thousands, join_with_and, number_in_words

_TWOS: Final[Mapping[str, str]] = {"none": "law.twos", "twos": "law.twos_locked", "all": "law.twos_all_locked"}
_WILDS: Final[Mapping[str, str]] = {
    "none": "law.wild_melds",
    "twos": "law.wild_melds_twos",
    "all": "law.wild_melds_locked",
}


def has_partners(rules: RuleSet) -> bool:
    """Return whether the game has partners who share their melds from the beginning."""
    return rules.sides < rules.players and not rules.cut_throat


def melds_text(words: Words, rules: RuleSet) -> str:
    """Return sentences on sets, runs, wild-card melds and canastas."""
    return " ".join(
        [
            words(
                "law.melds",
                size=_meld_size_text(words, rules),
                naturals=words(
                    "law.naturals", count=rules.min_naturals, number=number_in_words(words, rules.min_naturals)
                ),
                wilds=_wild_cards_text(words, rules),
            ),
            *_sharing_sentences(words, rules),
            *_run_sentences(words, rules),
            *_wild_meld_sentences(words, rules),
            _canasta_text(words, rules),
            *_special_rank_sentences(words, rules),
        ]
    )


def _meld_size_text(words: Words, rules: RuleSet) -> str:
    least, most = number_in_words(words, rules.meld_min), rules.meld_max
    if most is None:
        return words("law.size", number=least)
    if most <= rules.meld_min:
        return words("law.size_just", number=least)
    return words("law.size_to", number=least, most=number_in_words(words, most))


def _wild_cards_text(words: Words, rules: RuleSet) -> str:
    text = words("law.wilds", count=rules.max_wilds, number=number_in_words(words, rules.max_wilds))
    if rules.wild_gate:
        text = words("law.wilds_gate", wilds=text, number=number_in_words(words, rules.wild_gate))
    if rules.wild_ratio != "none":
        text = words("law.wilds_ratio", wilds=text, ratio=words(f"law_ratio.{rules.wild_ratio}"))
    return text


def _sharing_sentences(words: Words, rules: RuleSet) -> Iterator[str]:
    """Yield sentences on who shares melds and how many melds of one rank are allowed."""
    shared = has_partners(rules)
    if rules.same_rank_melds == "one":
        yield words("law.shared_one" if shared else "law.one_a_rank")
        return
    if shared:
        yield words("law.shared")
    yield words("law.several" if rules.same_rank_melds == "many" else "law.after_close")


def _run_sentences(words: Words, rules: RuleSet) -> Iterator[str]:
    if "seq" not in rules.meld_kinds or rules.seq_rule == "none":
        return
    yield words(
        "law.runs", number=number_in_words(words, SMALLEST_RUN), most=number_in_words(words, rules.canasta_size)
    )
    if rules.runs_grow:
        yield words("law.runs_grow")


def _wild_meld_sentences(words: Words, rules: RuleSet) -> Iterator[str]:
    number = number_in_words(words, rules.canasta_size)
    if "wild" in rules.meld_kinds:
        yield words(_WILDS[rules.wild_lock], number=number)
    if "deuce" in rules.meld_kinds:
        yield words(_TWOS[rules.wild_lock], number=number)


def _canasta_text(words: Words, rules: RuleSet) -> str:
    number = capitalize_first_letter(number_in_words(words, rules.canasta_size))
    full = rules.meld_max is not None and rules.meld_max <= rules.canasta_size
    if full or rules.wild_on_canasta == "to_max":
        text = words("law.canasta", number=number)
    else:
        key = "law.canasta_closed" if rules.wild_on_canasta == "never" else "law.canasta_free"
        text = words(key, number=number)
    if rules.wild_reclaim != "none":
        text += " " + words("rules_text.reclaim", canasta_size=rules.canasta_size)
    return text


def ranks_in_plural(words: Words, ranks: Iterable[str]) -> str:
    """Return the names of ranks in the plural, without an article: ``sevens and aces``."""
    return join_with_and(words, [words(f"law_ranks.{one}") for one in ranks])


def _ranks_in_general(words: Words, ranks: Iterable[str]) -> str:
    """Return the names of ranks as they are used in general, at the start of a sentence or after a comma."""
    return join_with_and(words, [words(f"law_all_ranks.{one}") for one in sorted(ranks, key=RANK_LETTERS.index)])


def _special_rank_sentences(words: Words, rules: RuleSet) -> Iterator[str]:
    never, opening = rules.no_wild_ranks, rules.open_wild_ranks - rules.no_wild_ranks
    if never and opening:
        told = {
            "ranks": capitalize_first_letter(_ranks_in_general(words, never)),
            "others": _ranks_in_general(words, opening),
        }
        yield words("law.ranks_both", **told)
    elif never:
        yield words("law.ranks_never", ranks=capitalize_first_letter(_ranks_in_general(words, never)))
    elif opening:
        yield words("law.ranks_opening", ranks=capitalize_first_letter(_ranks_in_general(words, opening)))
    if rules.dead_ranks:
        yield words("law.dead_ranks")


# --- the opening ------------------------------------------------------------------------------------------------------


def initial_meld_text(words: Words, rules: RuleSet) -> str:
    """Return sentences on the initial meld: minimum, other conditions, counted cards, bonus."""
    return " ".join(
        [
            _minimum_text(words, rules),
            *([words("law.ladder")] if rules.open_shape == "br_ladder" else []),
            *([words("law.meld_first")] if rules.open_pile == "hand_first" else []),
            *([words("rules_text.pile_without_top")] if rules.open_pile == "yes" and not rules.open_count_top else []),
            *([words("rules_text.opening_canasta")] if "first_canasta_top" in rules.open_waiver else []),
            *([words("law.concealed_free")] if _is_concealed_exempt(rules) else []),
            *([words("law.splash")] if "splash" in rules.open_waiver else []),
            words("law.values") if rules.ace_value == 20 else words("law.values_ace", ace=rules.ace_value),
            *_talon_sentences(words, rules),
        ]
    )


def _is_concealed_exempt(rules: RuleSet) -> bool:
    """Return whether going out concealed needs no minimum.

    With a foot this is not mentioned, because it can hardly happen.
    """
    return "concealed" in rules.open_waiver and rules.foot_pickup == "none" and any(row[1] for row in rules.open_table)


def _minimum_text(words: Words, rules: RuleSet) -> str:
    rows, conditions = _minimum_rows_text(words, rules), list(_initial_meld_condition_sentences(words, rules))
    if not conditions and all(points == 0 for _, points in rules.open_table):
        return words("law.opening_nothing")
    if conditions:
        rows = words("law.with", rows=rows, conditions=", ".join(conditions))
    return words("law.opening" if has_partners(rules) else "law.opening_alone", rows=rows)


def _initial_meld_condition_sentences(words: Words, rules: RuleSet) -> Iterator[str]:
    if rules.open_pile != "yes":
        yield words("law.from_hand")
    if rules.open_shape not in ("any", "br_ladder"):
        yield words(f"law_opening.{rules.open_shape}")


def _minimum_rows_text(words: Words, rules: RuleSet) -> str:
    table = dict(rules.open_table)
    if rules.open_by == "round":
        return _minimum_rows_by_deal_text(words, table)
    base = rules.initial_meld_minimum(0)
    others = [
        words("law.row", minimum=minimum, start=group_thousands(words, start))
        for start, minimum in rules.open_table
        if start is not None and start > 0
    ]
    below = table.get(None, 0)
    if None in table and below != base:
        others.append(words("law.row_below", minimum=below) if below else words("law.row_below_none"))
    return _minimum_with_exceptions_text(words, base, others)


def _minimum_rows_by_deal_text(words: Words, table: Mapping[int | None, int]) -> str:
    starts = [start for start in table if start is not None]
    if 1 < len(starts) == len(table) and starts == list(range(1, len(starts) + 1)):
        minimums = ", ".join(str(table[start]) for start in starts)
        return words("law.points_deals", minimums=minimums, last=number_in_words(words, len(starts)))
    first, *later = sorted(table.items(), key=lambda row: -1 if row[0] is None else row[0])
    return _minimum_with_exceptions_text(
        words, first[1], [words("law.row_deal", minimum=minimum, start=start) for start, minimum in later]
    )


def _minimum_with_exceptions_text(words: Words, base: int, others: list[str]) -> str:
    first = words("law.points", minimum=base) if base else words("law.points_none")
    return words("law.rows", first=first, others=", ".join(others)) if others else first


def _talon_sentences(words: Words, rules: RuleSet) -> Iterator[str]:
    if not rules.talon:
        return
    when = "" if rules.talon_with_pile else words("law.talon_drawn")
    first, *later = (number_in_words(words, count) for count in rules.talon)
    if later:
        yield words("law.talon", first=first, second=", ".join(later), when=when)
    else:
        yield words("law.talon_first", first=first, when=when)
