"""From a text to the cards that it asks for: ``KKK2``, ``3 kings and a joker``, ``Q Q Q 2, 7 7 7``, ``2 on kings``.

No hand is known here (`cogs.shared.reading.picking` finds the cards). What cannot be read raises `InputProblem`, which
names the word.

Words about cards and what each of them means: a number, a rank, a suit, or cards written without spaces.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.engine.cards.cards import JOKER, RANK_LETTERS, RED_THREE, Kind, Suit, is_wild
from cogs.shared.reading import cards
from cogs.shared.reading import cards as card_words
from cogs.shared.reading.cards import WILD
from cogs.shared.reading.problems import InputCode, InputProblem

_WORD = re.compile(r"[^\s+&.()\[\]\"'_-]+")


_ONE = r"(10|(?<!j)jk(?!k)|[2-9tjqkaw*])([shdc♠♥♦♣]?)"


_ONE_CARD = re.compile(_ONE)


_COMPACT = re.compile(rf"(?:{_ONE})+")


_TIMES = re.compile(r"(\d{1,2})x(\w+)")


_TIMES_BEFORE = re.compile(r"x(\d{1,2})")


_TIMES_AFTER = re.compile(r"([a-z]+|10|[2-9])x(\d{1,2})")


@dataclass(frozen=True, slots=True)
class Wish:
    """So many cards of a kind; `count` None means all of them.

    `perhaps_plural`: ``7s`` is a spade or all sevens. `counted`: the text says how many.
    """

    kind: Kind
    count: int | None = 1
    suit: Suit | None = None
    perhaps_plural: bool = False
    counted: bool = False


@dataclass(frozen=True, slots=True)
class Lexeme:
    """A word's meaning: a number, a rank, or a word of its own; `cards` are those of compact writing."""

    text: str
    role: str
    number: int = 0
    cards: tuple[Wish, ...] = ()


def letter_of(kind: Kind) -> str:
    """A kind's letter as refusals use it; ``2`` for any wild card."""
    return "JK" if kind == JOKER else "2" if kind == WILD else RANK_LETTERS[kind]


def lexemes(part: str) -> list[Lexeme]:
    """The words of a text that mean something. Raises `InputProblem` for one that means nothing here."""
    return [lexeme for word in _WORD.findall(part) if (lexeme := _lexeme(word)) is not None]


def _lexeme(word: str) -> Lexeme | None:
    """The meaning of one word; None for a filler."""
    if word in cards.FILLERS or word in cards.BLACK:
        return None
    for role, words in (("onto", cards.ONTO), ("all", cards.ALL), ("article", cards.ARTICLES)):
        if word in words:
            return Lexeme(word, role)
    if word in cards.COUPLE:
        return Lexeme(word, "count", cards.COUPLE[word])
    if word in cards.NUMBERS:
        return Lexeme(word, "number word", cards.NUMBERS[word])
    if word == "red":
        return Lexeme(word, "red")
    if word in cards.SINGULAR:
        return Lexeme(word, "rank", cards=(Wish(cards.SINGULAR[word]),))
    if word in cards.PLURAL:
        return Lexeme(word, "ranks", cards=(Wish(cards.PLURAL[word], None),))
    if len(word) > 1 and word in cards.SUITS:
        return Lexeme(word, "suit", cards.SUITS[word])
    return _written(word)


def _written(word: str) -> Lexeme:
    """Digits, letters and suits: ``7``, ``KKK2``, ``10h``, ``3x7``, ``Kx3``."""
    if word in cards.SUITS and not word.isascii():
        return Lexeme(word, "suit", cards.SUITS[word])
    if re.fullmatch(r"\d|1\d", word) and word.isascii():
        return Lexeme(word, "digits", int(word))
    if times := _TIMES_BEFORE.fullmatch(word):
        return Lexeme(word, "times", int(times[1]))
    if times := _TIMES.fullmatch(word):
        return _times(word, times[2], int(times[1]))
    if times := _TIMES_AFTER.fullmatch(word):
        return _times(word, times[1], int(times[2]))
    if _COMPACT.fullmatch(word):
        return Lexeme(word, "cards", cards=tuple(_compact(word)))
    raise not_understood(word)


def _times(word: str, rank: str, count: int) -> Lexeme:
    inner = _lexeme(rank)
    if inner is not None and inner.role in ("digits", "number word") and inner.number in cards.RANK_OF_NUMBER:
        return Lexeme(word, "cards", cards=(Wish(cards.RANK_OF_NUMBER[inner.number], count),))
    if inner is None or len(inner.cards) != 1:
        raise not_understood(word)
    return Lexeme(word, "cards", cards=(replace(inner.cards[0], count=count, suit=None, perhaps_plural=False),))


def _compact(word: str) -> Iterator[Wish]:
    found = _ONE_CARD.findall(word)
    for rank, suit in found:
        kind = cards.LETTERS[rank]
        if kind in (JOKER, WILD):
            yield Wish(kind, None if suit else 1)
        else:
            named = cards.SUITS[suit] if suit else None
            yield Wish(three(kind, named), 1, named, perhaps_plural=suit == "s" and len(found) == 1)


def three(kind: Kind, suit: Suit | None) -> Kind:
    """A three of hearts or diamonds is a red one."""
    red = kind == cards.LETTERS["3"] and suit in (cards.SUITS["h"], cards.SUITS["d"])
    return RED_THREE if red else kind


def not_understood(word: str) -> InputProblem:
    """The problem with a word that means nothing here, or nothing where it stands."""
    return InputProblem(InputCode.NOT_UNDERSTOOD, {"word": word[:30]})


LONGEST: Final = 200
"""The most characters that are read: more than any hand needs."""


_MELDS = re.compile(r"[,;/|\n]+")


@dataclass(frozen=True, slots=True)
class Group:
    """The wishes of one meld; `kind` is its natural rank, None for wild cards alone; `onto` the rank they join."""

    kind: Kind | None
    wishes: tuple[Wish, ...]
    onto: Kind | None = None


def read(text: str) -> tuple[Group, ...]:
    """The melds that a text asks for, in order."""
    if len(text) > LONGEST:
        raise InputProblem(InputCode.TOO_LONG, {"length": len(text), "allowed": LONGEST})
    folded = text.translate(card_words.SYMBOLS).casefold()
    groups: list[Group] = []
    for part in _MELDS.split(folded):
        for group in _groups(part):
            _add(groups, group)
    if not any(group.wishes for group in groups):
        raise InputProblem(InputCode.NO_CARDS)
    return _settle_plurals(groups)


def _groups(part: str) -> Iterator[Group]:
    """The melds of one part between commas: a new rank begins a new meld, wild cards join the one before."""
    said = lexemes(part)
    onto = next((index for index, lexeme in enumerate(said) if lexeme.role == "onto"), None)
    target = None if onto is None else _target(said[onto + 1 :], said[onto])
    wishes = list(_wishes(said if onto is None else said[:onto]))
    current: list[Wish] = []
    kind: Kind | None = None
    for wish in wishes:
        natural = None if wish.kind == WILD or is_wild(wish.kind) else wish.kind
        if natural is not None and kind is not None and natural != kind:
            yield Group(kind, tuple(current))
            current = []
        kind = natural if natural is not None else kind
        current.append(wish)
    if current:
        yield Group(kind, tuple(current), target)


def _target(lexemes: Sequence[Lexeme], onto: Lexeme) -> Kind:
    wishes = list(_wishes(lexemes))
    if len({wish.kind for wish in wishes}) != 1:
        raise not_understood(onto.text)
    return wishes[0].kind


def _wishes(lexemes: Sequence[Lexeme]) -> Iterator[Wish]:
    """Counts joined to what they count, suits to what they describe."""
    found: list[Wish] = []
    index = 0
    while index < len(lexemes):
        lexeme = lexemes[index]
        following = lexemes[index + 1] if index + 1 < len(lexemes) else None
        if lexeme.role == "suit":
            if not found or found[-1].count != 1:
                raise not_understood(lexeme.text)
            found[-1] = replace(found[-1], kind=three(found[-1].kind, lexeme.number), suit=lexeme.number)
        elif lexeme.role == "times":
            if not found or found[-1].count != 1:
                raise not_understood(lexeme.text)
            found[-1] = Wish(found[-1].kind, lexeme.number, counted=True)
        elif following is not None and _counts(lexeme, following, lexemes[:index], found):
            found += _counted(lexeme, following)
            index += 1
        else:
            found += _as_cards(lexeme)
        index += 1
    yield from found


def _counts(lexeme: Lexeme, following: Lexeme, before: Sequence[Lexeme], found: Sequence[Wish]) -> bool:
    """Whether a lexeme says how many of the following one."""
    one = len(following.cards) == 1
    rank_word = following.role in ("rank", "ranks")
    plural = following.role == "ranks" or (one and following.cards[0].perhaps_plural)
    if lexeme.role in ("all", "count", "red"):
        return True
    if lexeme.role == "article":
        after_an_ace = bool(before) and before[-1].role == "article"
        return not after_an_ace and (rank_word or following.role in ("number word", "digits"))
    if lexeme.role == "number word":
        return rank_word or plural or (one and following.role == "cards")
    if lexeme.role != "digits":
        return False
    if following.role == "rank":
        # "3 king 2 joker" counts throughout, "7 7 joker" does not.
        return all(wish.count != 1 or wish.counted for wish in found)
    # "3 K" cannot be a meld, so it means three kings.
    alone = not before and lexeme.number > 2 and following.role == "cards" and one
    return plural or lexeme.number not in card_words.RANK_OF_NUMBER or (alone and not is_wild(following.cards[0].kind))


def _counted(lexeme: Lexeme, following: Lexeme) -> list[Wish]:
    if lexeme.role == "red":
        return [Wish(RED_THREE)]
    count = {"all": None, "article": 1}.get(lexeme.role, lexeme.number)
    cards = _as_cards(following)
    if len(cards) != 1:
        raise not_understood(following.text)
    if count == 0:
        raise not_understood(lexeme.text)
    suit = None if cards[0].perhaps_plural else cards[0].suit
    return [Wish(cards[0].kind, count, suit, counted=True)]


def _as_cards(lexeme: Lexeme) -> list[Wish]:
    """The cards a word means by itself."""
    if lexeme.role == "article" and lexeme.text == "a":
        return [Wish(card_words.LETTERS["a"])]
    if lexeme.role in ("digits", "number word") and lexeme.number in card_words.RANK_OF_NUMBER:
        return [Wish(card_words.RANK_OF_NUMBER[lexeme.number])]
    if not lexeme.cards:
        raise not_understood(lexeme.text)
    return list(lexeme.cards)


def _add(groups: list[Group], group: Group) -> None:
    """Wild cards without a meld join the one before; what has the rank of an earlier meld joins that."""
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


def _settle_plurals(groups: Sequence[Group]) -> tuple[Group, ...]:
    """``7s`` means the seven of spades among other suits, and all sevens where no suit is named."""
    wishes = [wish for group in groups for wish in group.wishes]
    suits = any(wish.suit is not None and not wish.perhaps_plural for wish in wishes)
    often = Counter(wish.kind for wish in wishes if wish.perhaps_plural)

    def settled(wish: Wish) -> Wish:
        if not wish.perhaps_plural or len(wishes) == 1:
            return replace(wish, suit=None, count=None) if wish.perhaps_plural else wish
        if suits or often[wish.kind] > 1:
            return replace(wish, perhaps_plural=False)
        return replace(wish, suit=None, count=None)

    return tuple(replace(group, wishes=tuple(settled(wish) for wish in group.wishes)) for group in groups)
