"""Sentences on taking the discard pile and on discarding."""

from __future__ import annotations

from collections.abc import Iterator

from bot.engine.rules.rule_set import ByDeal, RuleSet
from bot.i18n import Words
from cogs.shared.telling.laws.melds import has_partners
from cogs.shared.telling.laws.scoring import values_of_threes_text
from cogs.shared.telling.numbers import (
    capitalize_first_letter,
    join_alternatives,
    join_clauses,
    join_with_or,
    number_in_words,
)
from cogs.shared.telling.parameter_text import values_of_number_sentence


def pile_text(words: Words, rules: RuleSet) -> str:
    """Return sentences on how the pile may be taken and what freezes or blocks it.

    They also say how many of its cards are taken.
    """
    texts = [_ways_to_take_text(words, rules), *_frozen_sentences(words, rules), _blocking_cards_text(words, rules)]
    if rules.take_twos:
        texts.append(words("rules_text.pile_twos"))
    if not rules.take_pair_canasta:
        texts.append(words("rules_text.pile_no_canasta"))
    if rules.draw_with_pile:
        texts.append(words("rules_text.pile_more", count=rules.draw_with_pile))
    if rules.black3_in_pile == "set_aside" and rules.black3_values:
        texts.append(words("law.set_aside", values=values_of_threes_text(words, rules.black3_values, 2 * rules.decks)))
    if not rules.meld_after_take:
        texts.append(words("rules_text.pile_top_only"))
    return " ".join(texts)


def _ways_to_take_text(words: Words, rules: RuleSet) -> str:
    freely = not _is_always_frozen(rules)
    ways = join_alternatives(
        words, list(_ways_to_take_unfrozen_pile(words, rules)) if freely else [_cards_from_hand_text(words, rules)]
    )
    if rules.open_pile != "yes":
        ways = words("law.after_opening", ways=ways)
    count = rules.pile_take
    if freely and rules.take_open != {"pair"}:
        return _taking_pile_text(words, "law.pile", "law.pile_top", ways, count)
    if freely:
        return _taking_pile_text(words, "law.pile_only", "law.pile_only_top", ways, count)
    return _taking_pile_text(words, "law.pile_always", "law.pile_always_top", ways, count)


def _taking_pile_text(words: Words, whole: str, top: str, ways: str, count: ByDeal | None) -> str:
    """Return the sentence on how the pile is taken: the whole of it, or `count` cards from its top.

    `whole` and `top` are the catalogue keys of the two sentences.
    """
    return (
        words(whole, ways=ways) if count is None else words(top, ways=ways, **values_of_number_sentence(words, count))
    )


def _is_always_frozen(rules: RuleSet) -> bool:
    return rules.pile_frozen == "always"


def _cards_from_hand_text(words: Words, rules: RuleSet) -> str:
    """Return text on the cards from the hand that take a frozen pile."""
    keys = {"pair": "law.way_pair", "triple": "law.way_three", "triple_if_wild": "law.way_two_or_three"}
    return words(keys[rules.take_frozen])


def _ways_to_take_unfrozen_pile(words: Words, rules: RuleSet) -> Iterator[str]:
    """Yield text on each way to take a pile that is not frozen."""
    ways = rules.take_open
    if "pair" in ways:
        yield words("law.way_pair")
    if "card+wild" in ways:
        yield words("law.way_wild" if "pair" in ways else "law.way_wild_alone")
    if "add" in ways:
        whole = "law.way_add_alone" if rules.teams == "solo" else "law.way_add"
        yield words(whole if rules.take_add_canasta else "law.way_add_unfinished")
    elif "add_seq" in ways:
        yield words("law.way_run")


def _frozen_sentences(words: Words, rules: RuleSet) -> Iterator[str]:
    """Yield sentences on when the pile is frozen, and for whom."""
    number = number_in_words(words, 3 if rules.take_frozen == "triple" else 2)
    if not _is_always_frozen(rules) and (rules.take_open != {"pair"} or rules.take_frozen != "pair"):
        when = list(_freeze_sentences(words, rules))
        if when:
            yield words("law.frozen", when=capitalize_first_letter(join_clauses(words, when)), number=number)
    if rules.frozen_untaken and not _is_always_frozen(rules):
        yield words("rules_text.pile_untaken")


def _freeze_sentences(words: Words, rules: RuleSet) -> Iterator[str]:
    if rules.frozen_unopened and rules.open_pile == "yes":
        yield words("law.frozen_unopened" if has_partners(rules) else "law.frozen_unopened_alone")
    freezing = [one for one in ("W", "R3", "B3") if one in _freezing_cards(rules)]
    if freezing:
        cards = join_with_or(words, [words(f"law_freezing.{one}") for one in freezing])
        yield words("law.frozen_when", cards=cards)


def _freezing_cards(rules: RuleSet) -> frozenset[str]:
    """Return the cards that freeze the pile, as discards or as the card turned up first."""
    turned: frozenset[str] = rules.upcard_freezes if rules.upcard else frozenset()
    return rules.freeze_discards | turned


def _blocking_cards_text(words: Words, rules: RuleSet) -> str:
    """Return text on the cards that block the pile: always wild cards, and threes that can be discarded."""
    seven = "7" in rules.top_blocks
    if rules.red3_role == "penalty" and rules.black3_role != "bonus":
        return words("law.blocked_threes_seven" if seven else "law.blocked_threes")
    blocking = ["W", *(["B3"] if rules.black3_role != "bonus" else []), *(["7"] if seven else [])]
    return capitalize_first_letter(
        words("law.blocked", cards=join_with_or(words, [words(f"law_freezing.{one}") for one in blocking]))
    )


def discard_sentences(words: Words, rules: RuleSet) -> Iterator[str]:
    """Yield a sentence that lists the cards that may not be discarded; none if all may."""
    bans = [
        words(f"law_ban.{one}")
        for one in ("threes", "J", "wilds", "swad", "7_until_both", "7_last", "black3_first_round")
        if one in rules.discard_bans
    ]
    if bans:
        yield words("law.discards", bans="; ".join(bans))
