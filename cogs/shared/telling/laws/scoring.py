"""Sentences on the score of a deal: canastas, threes, going out, cards left in hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.engine.rules.rule_set import RuleSet
from bot.i18n import Words
from cogs.shared.telling.numbers import group_thousands, join_with_or, number_in_words


def score_text(words: Words, rules: RuleSet) -> str:
    """Return sentences on everything that counts in a deal, and on the bonus for winning the game."""
    lines = ", ".join(_score_sentences(words, rules))
    texts = [words("law.score_swing" if rules.card_points == "swing" else "law.score", lines=lines)]
    if not rules.count_card_values_in_canasta:
        texts.append(words("law.no_values"))
    texts += _collection_bonus_sentences(words, rules)
    texts += _threes_sentences(words, rules)
    texts += _cost_sentences(words, rules)
    texts += _end_of_game_sentences(words, rules)
    return " ".join(texts)


def _score_sentences(words: Words, rules: RuleSet) -> Iterator[str]:
    yield words("law.score_natural", points=group_thousands(words, rules.bonus_natural))
    yield words("law.score_mixed", points=group_thousands(words, rules.bonus_mixed))
    if "seq" in rules.meld_kinds:
        number = number_in_words(words, rules.canasta_size)
        yield words("law.score_run", number=number, points=group_thousands(words, rules.bonus_seq))
    yield from _wild_canasta_sentences(words, rules)
    for kind, points in rules.bonus_rank:
        yield words("law.special", kind=words(f"law_special.{kind}"), points=group_thousands(words, points))
    yield words("law.score_out", points=group_thousands(words, rules.out_bonus))
    if rules.concealed_extra:
        plain = rules.concealed_test != "all_melded_no_discard"
        both = group_thousands(words, rules.out_bonus + rules.concealed_extra)
        yield words("law.score_concealed" if plain else "law.score_concealed_no_discard", points=both)
    if rules.bonus_black_threes:
        yield words("law.score_black_threes", points=group_thousands(words, rules.bonus_black_threes))


def _wild_canasta_sentences(words: Words, rules: RuleSet) -> Iterator[str]:
    if not rules.bonus_wild or not rules.meld_kinds & {"wild", "deuce"}:
        return
    kinds = ", ".join(
        words("law.special", kind=words(f"law_wild.{kind}"), points=group_thousands(words, points))
        for kind, points in rules.bonus_wild
        if kind != "any"
    )
    usual = dict(rules.bonus_wild).get("any")
    if usual is None:
        yield words("law.score_wild_only", kinds=kinds)
    elif kinds:
        yield words("law.score_wild_kinds", points=group_thousands(words, usual), kinds=kinds)
    else:
        yield words("law.score_wild", points=group_thousands(words, usual))
    if rules.bonus_wild_out_only:
        yield words("law.score_wild_out")


def _collection_bonus_sentences(words: Words, rules: RuleSet) -> Iterator[str]:
    what = ", ".join(
        words("law.special", kind=words(f"law_collected.{kind}"), points=group_thousands(words, points))
        for kind, points in rules.collection_bonus
    )
    if what:
        yield words("law.collected", what=what)


def _threes_sentences(words: Words, rules: RuleSet) -> Iterator[str]:
    """Yield sentences on the points of threes laid out, and on what a side needs for them."""
    count, sign = 2 * rules.decks, _condition_for_threes_text(words, rules)
    red = rules.red3_values[:count] if rules.red3_role == "bonus" else ()
    black = rules.black3_values[:count] if rules.black3_role == "bonus" else ()
    if red and red == black:
        yield words("law.threes_of_colour", values=values_of_threes_text(words, red, count), sign=sign)
        return
    if red:
        yield words("law.red_threes", values=values_of_threes_text(words, red, count), sign=sign)
    if black:
        yield words("law.black_threes_count", values=values_of_threes_text(words, black, count), sign=sign)


def values_of_threes_text(words: Words, values: Sequence[int], count: int) -> str:
    """Return what threes count: ``100 each, all four 800``, or the total for each number of threes."""
    totals = list(values[:count])
    even = next((number for number, total in enumerate(totals) if total != totals[0] * (number + 1)), len(totals))
    if even < 2 <= len(totals):
        return ", ".join(group_thousands(words, total) for total in totals)
    each = group_thousands(words, totals[0])
    others = [
        words(
            "law.threes_all" if number == count else "law.threes_count",
            number=number_in_words(words, number),
            points=group_thousands(words, total),
        )
        for number, total in enumerate(totals[even:], even + 1)
    ]
    return (
        words("law.threes_some", points=each, others=", ".join(others))
        if others
        else words("law.threes_each", points=each)
    )


def _condition_for_threes_text(words: Words, rules: RuleSet) -> str:
    """Return a sentence on what a side needs so that its threes count for it and not against it."""
    sign = rules.red3_sign
    if sign == "always":
        return ""
    if sign == "opened":
        return words("law.sign_opened")
    if sign in ("swing", "sevens"):
        return words("law.sign_swing" if sign == "swing" else "law.sign_sevens")
    count = int(sign.removeprefix("canastas>="))
    return words("law.sign_canastas", count=count, number=number_in_words(words, count))


def _cost_sentences(words: Words, rules: RuleSet) -> Iterator[str]:
    """Yield sentences on what unfinished melds and cards left in hand cost besides their points.

    Items with the same cost are combined.
    """
    if rules.incomplete_penalty:
        unfinished = [(words(f"law_unfinished.{kind}"), points) for kind, points in rules.incomplete_penalty]
        yield words("law.unfinished", what=_texts_grouped_by_points(words, unfinished))
    if rules.hand_penalty:
        held = [(words(f"law_held.{kind}"), points) for kind, points in rules.hand_penalty]
        yield words("law.held", what=_texts_grouped_by_points(words, held))


def _texts_grouped_by_points(words: Words, rows: Sequence[tuple[str, int]]) -> str:
    found: dict[int, list[str]] = {}
    for kind, points in rows:
        found.setdefault(points, []).append(kind)
    return ", ".join(
        words("law.special", kind=join_with_or(words, kinds), points=group_thousands(words, points))
        for points, kinds in found.items()
    )


def _end_of_game_sentences(words: Words, rules: RuleSet) -> Iterator[str]:
    """Yield sentences on the end of the game: its bonus, a raised target, a win by seven canastas."""
    if rules.game_bonus:
        yield words("law.winner", points=group_thousands(words, rules.game_bonus))
    if rules.both_reach == "raise_1000" and rules.rounds is None:
        yield words("law.raised", target=group_thousands(words, rules.target))
    if rules.auto_win == "7_canastas":
        yield words("law.seven_win")
