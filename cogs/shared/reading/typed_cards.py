"""Parse text into numbers of cards: ``KKK2``, ``3 kings and a joker``, ``Q Q Q 2, 7 7 7``.

The hand is not known here (`cogs.shared.reading.card_picking` finds its cards). Unreadable text raises `InputProblem`
with the word.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.engine.cards.cards import BLACK_THREE, RED_THREE, Kind, is_wild
from cogs.shared.reading.card_words import CardWish, Lexeme, kind_for_suit, not_understood_problem, parse_lexemes
from cogs.shared.reading.input_problems import InputCode, InputProblem
from cogs.shared.reading.vocabulary import LETTERS, RANK_OF_NUMBER, WILD, Vocabulary, fold_case

LONGEST: Final = 200
"""Maximum characters that are read: more than any hand needs."""

_MELDS = re.compile(r"[,;/|\n]+")


@dataclass(frozen=True, slots=True)
class CardGroup:
    """The cards for one meld.

    `kind` is its rank, None for wild cards alone; `onto` is the rank they join.
    """

    kind: Kind | None
    wishes: tuple[CardWish, ...]
    onto: Kind | None = None


def read_card_groups(text: str, vocabulary: Vocabulary) -> tuple[CardGroup, ...]:
    """Return the melds that a text asks for, in order."""
    if len(text) > LONGEST:
        raise InputProblem(InputCode.TOO_LONG, {"length": len(text), "allowed": LONGEST})
    groups: list[CardGroup] = []
    for part in _MELDS.split(fold_case(text)):
        for group in _parse_groups(part, vocabulary):
            _add_group(groups, group)
    if not any(group.wishes for group in groups):
        raise InputProblem(InputCode.NO_CARDS)
    return _resolve_plurals(groups)


def _parse_groups(part: str, vocabulary: Vocabulary) -> Iterator[CardGroup]:
    """Yield the melds of a part without commas.

    A new rank begins a meld; wild cards join the one before.
    """
    said = parse_lexemes(part, vocabulary)
    onto = next((index for index, lexeme in enumerate(said) if lexeme.role == "onto"), None)
    target = None if onto is None else _parse_target(said[onto + 1 :], said[onto])
    wishes = list(_combine_wishes(said if onto is None else said[:onto]))
    current: list[CardWish] = []
    kind: Kind | None = None
    for wish in wishes:
        natural = None if wish.kind == WILD or is_wild(wish.kind) else wish.kind
        if natural is not None and kind is not None and natural != kind:
            yield CardGroup(kind, tuple(current))
            current = []
        kind = natural if natural is not None else kind
        current.append(wish)
    if current:
        yield CardGroup(kind, tuple(current), target)


def _parse_target(lexemes: Sequence[Lexeme], onto: Lexeme) -> Kind:
    """Return the one kind named by these words as the meld to add to. Raises `InputProblem`."""
    wishes = list(_combine_wishes(lexemes))
    if len({wish.kind for wish in wishes}) != 1:
        raise not_understood_problem(onto.text)
    return wishes[0].kind


def _combine_wishes(lexemes: Sequence[Lexeme]) -> Iterator[CardWish]:
    """Yield the wishes of the words: counts are combined with their cards, suits with the card before."""
    found: list[CardWish] = []
    index = 0
    while index < len(lexemes):
        lexeme = lexemes[index]
        following = lexemes[index + 1] if index + 1 < len(lexemes) else None
        if lexeme.role == "suit":
            if not found or found[-1].count != 1:
                raise not_understood_problem(lexeme.text)
            found[-1] = replace(found[-1], kind=kind_for_suit(found[-1].kind, lexeme.number), suit=lexeme.number)
        elif lexeme.role == "times":
            if not found or found[-1].count != 1:
                raise not_understood_problem(lexeme.text)
            found[-1] = CardWish(found[-1].kind, lexeme.number, counted=True)
        elif lexeme.role == "red" and found and found[-1].kind == BLACK_THREE and found[-1].suit is None:
            found[-1] = replace(found[-1], kind=RED_THREE)
        elif following is not None and _is_number_for_next_word(lexeme, following, lexemes[:index], found):
            found += _wish_with_number(lexeme, following)
            index += 1
        else:
            found += _wish_of_word(lexeme)
        index += 1
    yield from found


def _is_number_for_next_word(
    lexeme: Lexeme, next_lexeme: Lexeme, lexemes_before: Sequence[Lexeme], wishes_before: Sequence[CardWish]
) -> bool:
    """Return whether a number, an article, "all" or "red" belongs to the word after it."""
    one = len(next_lexeme.cards) == 1
    rank_word = next_lexeme.role in ("rank", "ranks")
    # In "3 sette" the second number has no plural of its own, so the digits before it are its count.
    own_plural = lexeme.role == "digits" and next_lexeme.role == "number word" and one
    plural = next_lexeme.role == "ranks" or own_plural or (one and next_lexeme.cards[0].perhaps_plural)
    if lexeme.role in ("all", "count", "red"):
        return True
    if lexeme.role == "article":
        after_an_ace = bool(lexemes_before) and lexemes_before[-1].role == "article"
        return not after_an_ace and (rank_word or next_lexeme.role in ("number word", "digits"))
    if lexeme.role == "number word":
        return rank_word or plural or (one and next_lexeme.role == "cards")
    if lexeme.role != "digits":
        return False
    if next_lexeme.role == "rank":
        # In "3 king 2 joker" every number is a count; in "7 7 joker" both are ranks.
        return all(wish.count != 1 or wish.counted for wish in wishes_before)
    # "3 K" cannot be a meld, so it means three kings.
    alone = not lexemes_before and lexeme.number > 2 and next_lexeme.role == "cards" and one
    return plural or lexeme.number not in RANK_OF_NUMBER or (alone and not is_wild(next_lexeme.cards[0].kind))


def _wish_with_number(lexeme: Lexeme, next_lexeme: Lexeme) -> list[CardWish]:
    """Return the wish that a count, an article, "all" or "red" makes with the card word after it."""
    if lexeme.role == "red":
        return [CardWish(RED_THREE)]
    count = {"all": None, "article": 1}.get(lexeme.role, lexeme.number)
    cards = _wish_of_word(next_lexeme)
    if len(cards) != 1:
        raise not_understood_problem(next_lexeme.text)
    if count == 0:
        raise not_understood_problem(lexeme.text)
    suit = None if cards[0].perhaps_plural else cards[0].suit
    return [CardWish(cards[0].kind, count, suit, counted=True)]


def _wish_of_word(lexeme: Lexeme) -> list[CardWish]:
    """Return the wish for the cards that a single word names."""
    if lexeme.role == "article" and lexeme.text == "a":
        return [CardWish(LETTERS["a"])]
    if lexeme.role in ("digits", "number word") and lexeme.number in RANK_OF_NUMBER:
        return [CardWish(RANK_OF_NUMBER[lexeme.number])]
    if not lexeme.cards:
        raise not_understood_problem(lexeme.text)
    return list(lexeme.cards)


def _add_group(groups: list[CardGroup], group: CardGroup) -> None:
    """Add a group to the melds: wild cards join the last one, cards of an earlier rank join its meld."""
    for index, earlier in enumerate(groups):
        same_rank = group.kind is not None and earlier.kind == group.kind
        last = group.kind is None and group.onto is None and index == len(groups) - 1
        if (same_rank or last) and group.onto in (None, earlier.kind) and earlier.onto is None:
            groups[index] = replace(earlier, wishes=earlier.wishes + group.wishes, kind=earlier.kind or group.kind)
            return
    if len(groups) == 1 and groups[0].kind is None and groups[0].onto is None and group.kind is not None:
        groups[0] = replace(group, wishes=groups[0].wishes + group.wishes)
        return
    groups.append(group)


def _resolve_plurals(groups: Sequence[CardGroup]) -> tuple[CardGroup, ...]:
    """Return the groups with the meaning of ``7s`` decided.

    It is the seven of spades if other suits are named, else all sevens.
    """
    wishes = [wish for group in groups for wish in group.wishes]
    suits = any(wish.suit is not None and not wish.perhaps_plural for wish in wishes)
    often = Counter(wish.kind for wish in wishes if wish.perhaps_plural)

    def settle_wish(wish: CardWish) -> CardWish:
        if not wish.perhaps_plural or len(wishes) == 1:
            return replace(wish, suit=None, count=None) if wish.perhaps_plural else wish
        if suits or often[wish.kind] > 1:
            return replace(wish, perhaps_plural=False)
        return replace(wish, suit=None, count=None)

    return tuple(replace(group, wishes=tuple(settle_wish(wish) for wish in group.wishes)) for group in groups)
