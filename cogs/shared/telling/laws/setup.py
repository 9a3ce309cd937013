"""Sentences on the basics: sides, aim, cards, and the course of a turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from bot.engine.cards.cards import BLACK_THREE, RED_THREE
from bot.engine.rules.rule_set import RuleSet
from bot.i18n import Words
from cogs.shared.telling.numbers import capitalize_first_letter, group_thousands, number_in_words
from cogs.shared.telling.parameter_text import numbers_by_deal_text, values_of_number_sentence

_EXPLAINED: Final[Mapping[str, str]] = {
    "2v3": "rules_text.sides_pair_and_trio",
    "3v3": "rules_text.sides_trios",
    "cut-throat": "rules_text.sides_cut_throat",
}


def setup_lines(words: Words, rules: RuleSet, name: str) -> Iterator[str]:
    """Yield lines on the game's cards, how partners change if they do, and the course of a turn."""
    yield " ".join([_game_aim_text(words, rules, name), *_card_sentences(words, rules)])
    if rules.teams in _EXPLAINED:
        yield words(_EXPLAINED[rules.teams])
    yield _turn_text(words, rules)


def _game_aim_text(words: Words, rules: RuleSet, name: str) -> str:
    if rules.rounds is not None:
        aim = words("law.deals", count=rules.rounds, number=number_in_words(words, rules.rounds))
    else:
        aim = words("law.to_points", target=group_thousands(words, rules.target))
    return words("law.head", rules=name, sides=_sides_text(words, rules), aim=aim)


def _sides_text(words: Words, rules: RuleSet) -> str:
    if rules.teams == "solo" and rules.players == 2:
        return words("law_sides.two")
    return words(f"law_sides.{rules.teams}", players=rules.players, number=number_in_words(words, rules.players))


def _card_sentences(words: Words, rules: RuleSet) -> Iterator[str]:
    yield capitalize_first_letter(_deal_text(words, rules))
    yield words("law.wild" if rules.jokers_per_deck else "law.wild_twos")
    if rules.laid_out:
        yield words(_laid_out_threes_key(rules))
    if rules.pile_hidden_by_rank:
        yield words("law.hidden_by_rank")
    elif rules.pile_hidden:
        number = capitalize_first_letter(number_in_words(words, rules.pile_hidden))
        yield words("law.hidden", count=rules.pile_hidden, number=number)
    yield from (words(key) for key in _playing_order_sentences(rules))


def _deal_text(words: Words, rules: RuleSet) -> str:
    packs = _packs_text(words, rules)
    if isinstance(rules.hand_size, int):
        if rules.foot_size:
            return words("law.cards_foot", packs=packs, hand=rules.hand_size, foot=rules.foot_size)
        return words("law.cards", packs=packs, count=rules.hand_size)
    numbers = numbers_by_deal_text(words, rules.hand_size)
    if rules.foot_size:
        return words("law.cards_foot", packs=packs, hand=numbers, foot=rules.foot_size)
    return words("law.cards_by_deal", packs=packs, numbers=numbers)


def _packs_text(words: Words, rules: RuleSet) -> str:
    packs = words("law.packs", count=rules.decks, number=number_in_words(words, rules.decks))
    if rules.jokers_per_deck == 2:
        return packs
    if not rules.jokers_per_deck:
        return words("law.packs_plain", packs=packs)
    return words("law.packs_jokers", packs=packs, jokers=rules.jokers_per_deck)


def _laid_out_threes_key(rules: RuleSet) -> str:
    if {RED_THREE, BLACK_THREE} <= rules.laid_out:
        return "law.laid_all"
    if BLACK_THREE in rules.laid_out:
        return "law.laid_black"
    return "law.laid_red" if rules.red3_timing == "immediate" else "law.laid_red_first"


def _playing_order_sentences(rules: RuleSet) -> Iterator[str]:
    """Yield sentences on who begins and in which direction play goes, if either is unusual."""
    if not rules.upcard:
        yield "law.no_upcard"
    if rules.first_player == "dealer":
        yield "law.dealer_begins"
    elif rules.first_player == "high_card":
        yield "law.high_card_begins"
    if rules.direction == "ccw":
        yield "law.to_right"
    if rules.announce_one_card:
        yield "law.last_card_said"


def _turn_text(words: Words, rules: RuleSet) -> str:
    if isinstance(rules.draw, int):
        draw = words("law.draw", count=rules.draw, number=number_in_words(words, rules.draw))
    else:
        draw = words("law.draw_by_deal", numbers=numbers_by_deal_text(words, rules.draw))
    count = rules.pile_take
    pile = (
        words("law.whole_pile")
        if count is None
        else words("law.top_of_pile", **values_of_number_sentence(words, count))
    )
    return words("law.turn", draw=draw, pile=pile)
