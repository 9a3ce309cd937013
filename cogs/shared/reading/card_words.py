"""Meanings of words about cards: a number, a rank, a suit, or cards written without spaces."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from bot.engine.cards.cards import JOKER, RANK_LETTERS, RED_THREE, Kind, Suit
from cogs.shared.reading.input_problems import InputCode, InputProblem
from cogs.shared.reading.vocabulary import LETTERS, RANK_OF_NUMBER, SUIT_SIGNS, WILD, Vocabulary, remove_accents

_WORD = re.compile(r"[^\s+&.()\[\]\"'_-]+")
_ONE = r"(10|(?<!j)jk(?!k)|[2-9tjqkaw*])([shdc♠♥♦♣]?)"
_ONE_CARD = re.compile(_ONE)
_COMPACT = re.compile(rf"(?:{_ONE})+")
_TIMES = re.compile(r"(\d{1,2})x(\w+)")
_TIMES_BEFORE = re.compile(r"x(\d{1,2})")
_TIMES_AFTER = re.compile(r"([^\W\d_]+|10|[2-9])x(\d{1,2})")


@dataclass(frozen=True, slots=True)
class CardWish:
    """The cards of one kind that a text asks for; a `count` of None means all of them.

    `perhaps_plural`: ``7s`` may be the seven of spades or all sevens. `counted`: the text gives the number.
    """

    kind: Kind
    count: int | None = 1
    suit: Suit | None = None
    perhaps_plural: bool = False
    counted: bool = False


@dataclass(frozen=True, slots=True)
class Lexeme:
    """The meaning of a word: a number, a rank, or a special word.

    `cards` holds the cards of compact writing, of a rank, or of a number word whose plural is the same.
    """

    text: str
    role: str
    number: int = 0
    cards: tuple[CardWish, ...] = ()


def rank_letter(kind: Kind) -> str:
    """Return the letter that stands for a kind in error messages; ``2`` for any wild card."""
    return "JK" if kind == JOKER else "2" if kind == WILD else RANK_LETTERS[kind]


def parse_lexemes(part: str, vocabulary: Vocabulary) -> list[Lexeme]:
    """Return the meanings of the words in a folded text. Raises `InputProblem` for an unknown word."""
    return [lexeme for word in _WORD.findall(part) if (lexeme := _parse_lexeme(word, vocabulary)) is not None]


def _parse_lexeme(word: str, vocabulary: Vocabulary) -> Lexeme | None:
    """Return the meaning of one word; None for a word without meaning, such as "and"."""
    bare = remove_accents(word)
    if vocabulary.has_use(bare, "fillers") or vocabulary.has_use(bare, "black"):
        return None
    for role in ("onto", "all", "article", "red"):
        if vocabulary.has_use(bare, role):
            return Lexeme(word, role)
    if vocabulary.has_use(bare, "pair"):
        return Lexeme(word, "count", 2)
    if bare in vocabulary.numbers:
        several = (CardWish(vocabulary.plural[bare], None),) if bare in vocabulary.plural else ()
        return Lexeme(word, "number word", vocabulary.numbers[bare], several)
    if bare in vocabulary.singular:
        return Lexeme(word, "rank", cards=(CardWish(vocabulary.singular[bare]),))
    if bare in vocabulary.plural:
        return Lexeme(word, "ranks", cards=(CardWish(vocabulary.plural[bare], None),))
    if len(bare) > 1 and bare in vocabulary.suits:
        return Lexeme(word, "suit", vocabulary.suits[bare])
    return _parse_written_cards(word, vocabulary)


def _parse_written_cards(word: str, vocabulary: Vocabulary) -> Lexeme:
    """Return the meaning of digits, letters and suits: ``7``, ``KKK2``, ``10h``, ``3x7``, ``Kx3``."""
    if word in SUIT_SIGNS and not word.isascii():
        return Lexeme(word, "suit", SUIT_SIGNS[word])
    if re.fullmatch(r"\d|1\d", word) and word.isascii():
        return Lexeme(word, "digits", int(word))
    if times := _TIMES_BEFORE.fullmatch(word):
        return Lexeme(word, "times", int(times[1]))
    if times := _TIMES.fullmatch(word):
        return _parse_count_with_rank(word, times[2], int(times[1]), vocabulary)
    if times := _TIMES_AFTER.fullmatch(word):
        return _parse_count_with_rank(word, times[1], int(times[2]), vocabulary)
    if _COMPACT.fullmatch(bare := remove_accents(word)):  # Portuguese *ás*
        return Lexeme(word, "cards", cards=tuple(_parse_word_without_spaces(bare)))
    raise not_understood_problem(word)


def _parse_count_with_rank(word: str, rank: str, count: int, vocabulary: Vocabulary) -> Lexeme:
    """Return the meaning of a count with a rank, such as ``3x7``."""
    inner = _parse_lexeme(rank, vocabulary)
    if inner is not None and inner.role in ("digits", "number word") and inner.number in RANK_OF_NUMBER:
        return Lexeme(word, "cards", cards=(CardWish(RANK_OF_NUMBER[inner.number], count),))
    if inner is None or len(inner.cards) != 1:
        raise not_understood_problem(word)
    return Lexeme(word, "cards", cards=(replace(inner.cards[0], count=count, suit=None, perhaps_plural=False),))


def _parse_word_without_spaces(word: str) -> Iterator[CardWish]:
    """Yield the cards of a word written without spaces, such as ``KKK2``."""
    found = _ONE_CARD.findall(word)
    for rank, suit in found:
        kind = LETTERS[rank]
        if kind in (JOKER, WILD):
            yield CardWish(kind, None if suit else 1)
        else:
            named = SUIT_SIGNS[suit] if suit else None
            yield CardWish(kind_for_suit(kind, named), 1, named, perhaps_plural=suit == "s" and len(found) == 1)


def kind_for_suit(kind: Kind, suit: Suit | None) -> Kind:
    """Return the kind of a card of this suit: for a three the red or the black kind, else `kind`."""
    red = kind == LETTERS["3"] and suit in (SUIT_SIGNS["h"], SUIT_SIGNS["d"])
    return RED_THREE if red else kind


def not_understood_problem(word: str) -> InputProblem:
    """Return the input problem of an unknown or misplaced word."""
    return InputProblem(InputCode.NOT_UNDERSTOOD, {"word": word[:30]})
