"""Words about cards and what each of them means: a number, a rank, a suit, or cards written without spaces."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from bot.engine.cards.cards import JOKER, RANK_LETTERS, RED_THREE, Kind, Suit
from cogs.shared.reading import card_words
from cogs.shared.reading.card_words import WILD
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
    if word in card_words.FILLERS or word in card_words.BLACK:
        return None
    for role, words in (("onto", card_words.ONTO), ("all", card_words.ALL), ("article", card_words.ARTICLES)):
        if word in words:
            return Lexeme(word, role)
    if word in card_words.COUPLE:
        return Lexeme(word, "count", card_words.COUPLE[word])
    if word in card_words.NUMBERS:
        return Lexeme(word, "number word", card_words.NUMBERS[word])
    if word == "red":
        return Lexeme(word, "red")
    if word in card_words.SINGULAR:
        return Lexeme(word, "rank", cards=(Wish(card_words.SINGULAR[word]),))
    if word in card_words.PLURAL:
        return Lexeme(word, "ranks", cards=(Wish(card_words.PLURAL[word], None),))
    if len(word) > 1 and word in card_words.SUITS:
        return Lexeme(word, "suit", card_words.SUITS[word])
    return _written(word)


def _written(word: str) -> Lexeme:
    """Digits, letters and suits: ``7``, ``KKK2``, ``10h``, ``3x7``, ``Kx3``."""
    if word in card_words.SUITS and not word.isascii():
        return Lexeme(word, "suit", card_words.SUITS[word])
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
    if inner is not None and inner.role in ("digits", "number word") and inner.number in card_words.RANK_OF_NUMBER:
        return Lexeme(word, "cards", cards=(Wish(card_words.RANK_OF_NUMBER[inner.number], count),))
    if inner is None or len(inner.cards) != 1:
        raise not_understood(word)
    return Lexeme(word, "cards", cards=(replace(inner.cards[0], count=count, suit=None, perhaps_plural=False),))


def _compact(word: str) -> Iterator[Wish]:
    found = _ONE_CARD.findall(word)
    for rank, suit in found:
        kind = card_words.LETTERS[rank]
        if kind in (JOKER, WILD):
            yield Wish(kind, None if suit else 1)
        else:
            named = card_words.SUITS[suit] if suit else None
            yield Wish(three(kind, named), 1, named, perhaps_plural=suit == "s" and len(found) == 1)


def three(kind: Kind, suit: Suit | None) -> Kind:
    """A three of hearts or diamonds is a red one."""
    red = kind == card_words.LETTERS["3"] and suit in (card_words.SUITS["h"], card_words.SUITS["d"])
    return RED_THREE if red else kind


def not_understood(word: str) -> InputProblem:
    """The problem with a word that means nothing here, or nothing where it stands."""
    return InputProblem(InputCode.NOT_UNDERSTOOD, {"word": word[:30]})
