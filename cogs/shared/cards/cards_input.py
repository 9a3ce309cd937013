"""Reading cards as people write them: ``KKK2``, ``3 kings and a joker``, ``Q Q Q 2, 7 7 7``, ``10h``, ``2 on kings``.

Reading has two steps: text to wishes (`read`), and wishes to cards of a hand (`lays`, `one_card`). What cannot be
read raises `InputProblem`, which names the word.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.engine.cards.cards import JOKER, RANK_LETTERS, RED_THREE, TWO, Card, Kind, Suit, card_of, is_wild
from bot.engine.moves.actions import Lay
from cogs.shared.cards import card_words
from cogs.shared.cards.card_words import WILD
from cogs.shared.interactions.inputs import InputCode, InputProblem

LONGEST: Final = 200
"""Characters: more than any hand needs."""

_MELDS = re.compile(r"[,;/|\n]+")
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
class Group:
    """The wishes of one meld; `kind` is its natural rank, None for wild cards alone; `onto` the rank they join."""

    kind: Kind | None
    wishes: tuple[Wish, ...]
    onto: Kind | None = None


@dataclass(frozen=True, slots=True)
class _Lexeme:
    """A word's meaning: a number, a rank, or a word of its own; `cards` are those of compact writing."""

    text: str
    role: str
    number: int = 0
    cards: tuple[Wish, ...] = ()


def letter_of(kind: Kind) -> str:
    """A kind's letter as refusals use it; ``2`` for any wild card."""
    return "JK" if kind == JOKER else "2" if kind == WILD else RANK_LETTERS[kind]


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


def lays(text: str, hand: Sequence[Card], melds: Sequence[Kind]) -> tuple[Lay, ...]:
    """The melds that a text asks for, in cards of that hand; `melds` are the ranks the side has on the table."""
    return _Picker(hand).lays(read(text), melds)


def one_card(text: str, hand: Sequence[Card]) -> Card:
    """The one card a text names; any suit where it names none, and ``7s`` may be any seven."""
    groups = read(text)
    wishes = [wish for group in groups for wish in group.wishes]
    if len(wishes) != 1 or (wishes[0].count or 1) != 1:
        raise InputProblem(InputCode.ONE_CARD)
    wish = replace(wishes[0], count=1)
    if wish.perhaps_plural:
        spade = card_of(wish.kind, card_words.SUITS["s"])
        wish = replace(wish, suit=card_words.SUITS["s"] if spade in hand else None)
    return _Picker(hand).cards((wish,))[0]


# --- words ------------------------------------------------------------------------------------------------------------


def _lexemes(part: str) -> list[_Lexeme]:
    return [lexeme for word in _WORD.findall(part) if (lexeme := _lexeme(word)) is not None]


def _lexeme(word: str) -> _Lexeme | None:
    """The meaning of one word; None for a filler."""
    if word in card_words.FILLERS or word in card_words.BLACK:
        return None
    for role, words in (("onto", card_words.ONTO), ("all", card_words.ALL), ("article", card_words.ARTICLES)):
        if word in words:
            return _Lexeme(word, role)
    if word in card_words.COUPLE:
        return _Lexeme(word, "count", card_words.COUPLE[word])
    if word in card_words.NUMBERS:
        return _Lexeme(word, "number word", card_words.NUMBERS[word])
    if word == "red":
        return _Lexeme(word, "red")
    if word in card_words.SINGULAR:
        return _Lexeme(word, "rank", cards=(Wish(card_words.SINGULAR[word]),))
    if word in card_words.PLURAL:
        return _Lexeme(word, "ranks", cards=(Wish(card_words.PLURAL[word], None),))
    if len(word) > 1 and word in card_words.SUITS:
        return _Lexeme(word, "suit", card_words.SUITS[word])
    return _written(word)


def _written(word: str) -> _Lexeme:
    """Digits, letters and suits: ``7``, ``KKK2``, ``10h``, ``3x7``, ``Kx3``."""
    if word in card_words.SUITS and not word.isascii():
        return _Lexeme(word, "suit", card_words.SUITS[word])
    if re.fullmatch(r"\d|1\d", word) and word.isascii():
        return _Lexeme(word, "digits", int(word))
    if times := _TIMES_BEFORE.fullmatch(word):
        return _Lexeme(word, "times", int(times[1]))
    if times := _TIMES.fullmatch(word):
        return _times(word, times[2], int(times[1]))
    if times := _TIMES_AFTER.fullmatch(word):
        return _times(word, times[1], int(times[2]))
    if _COMPACT.fullmatch(word):
        return _Lexeme(word, "cards", cards=tuple(_compact(word)))
    raise _not_understood(word)


def _times(word: str, rank: str, count: int) -> _Lexeme:
    inner = _lexeme(rank)
    if inner is not None and inner.role in ("digits", "number word") and inner.number in card_words.RANK_OF_NUMBER:
        return _Lexeme(word, "cards", cards=(Wish(card_words.RANK_OF_NUMBER[inner.number], count),))
    if inner is None or len(inner.cards) != 1:
        raise _not_understood(word)
    return _Lexeme(word, "cards", cards=(replace(inner.cards[0], count=count, suit=None, perhaps_plural=False),))


def _compact(word: str) -> Iterator[Wish]:
    found = _ONE_CARD.findall(word)
    for rank, suit in found:
        kind = card_words.LETTERS[rank]
        if kind in (JOKER, WILD):
            yield Wish(kind, None if suit else 1)
        else:
            named = card_words.SUITS[suit] if suit else None
            yield Wish(_three(kind, named), 1, named, perhaps_plural=suit == "s" and len(found) == 1)


def _three(kind: Kind, suit: Suit | None) -> Kind:
    """A three of hearts or diamonds is a red one."""
    red = kind == card_words.LETTERS["3"] and suit in (card_words.SUITS["h"], card_words.SUITS["d"])
    return RED_THREE if red else kind


def _not_understood(word: str) -> InputProblem:
    return InputProblem(InputCode.NOT_UNDERSTOOD, {"word": word[:30]})


# --- wishes -----------------------------------------------------------------------------------------------------------


def _groups(part: str) -> Iterator[Group]:
    """The melds of one part between commas: a new rank begins a new meld, wild cards join the one before."""
    lexemes = _lexemes(part)
    onto = next((index for index, lexeme in enumerate(lexemes) if lexeme.role == "onto"), None)
    target = None if onto is None else _target(lexemes[onto + 1 :], lexemes[onto])
    wishes = list(_wishes(lexemes if onto is None else lexemes[:onto]))
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


def _target(lexemes: Sequence[_Lexeme], onto: _Lexeme) -> Kind:
    wishes = list(_wishes(lexemes))
    if len({wish.kind for wish in wishes}) != 1:
        raise _not_understood(onto.text)
    return wishes[0].kind


def _wishes(lexemes: Sequence[_Lexeme]) -> Iterator[Wish]:
    """Counts joined to what they count, suits to what they describe."""
    found: list[Wish] = []
    index = 0
    while index < len(lexemes):
        lexeme = lexemes[index]
        following = lexemes[index + 1] if index + 1 < len(lexemes) else None
        if lexeme.role == "suit":
            if not found or found[-1].count != 1:
                raise _not_understood(lexeme.text)
            found[-1] = replace(found[-1], kind=_three(found[-1].kind, lexeme.number), suit=lexeme.number)
        elif lexeme.role == "times":
            if not found or found[-1].count != 1:
                raise _not_understood(lexeme.text)
            found[-1] = Wish(found[-1].kind, lexeme.number, counted=True)
        elif following is not None and _counts(lexeme, following, lexemes[:index], found):
            found += _counted(lexeme, following)
            index += 1
        else:
            found += _as_cards(lexeme)
        index += 1
    yield from found


def _counts(lexeme: _Lexeme, following: _Lexeme, before: Sequence[_Lexeme], found: Sequence[Wish]) -> bool:
    """Whether a lexeme says how many of the following one."""
    one = len(following.cards) == 1
    rank_word = following.role in ("rank", "ranks")
    plural = following.role == "ranks" or (one and following.cards[0].perhaps_plural)
    if lexeme.role in ("all", "count", "red"):
        return True
    if lexeme.role == "article":
        after_an_ace = bool(before) and before[-1].role == "article"
        return rank_word or (following.role in ("number word", "digits") and not after_an_ace)
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


def _counted(lexeme: _Lexeme, following: _Lexeme) -> list[Wish]:
    if lexeme.role == "red":
        return [Wish(RED_THREE)]
    count = {"all": None, "article": 1}.get(lexeme.role, lexeme.number)
    cards = _as_cards(following)
    if len(cards) != 1:
        raise _not_understood(following.text)
    suit = None if cards[0].perhaps_plural else cards[0].suit
    return [Wish(cards[0].kind, count, suit, counted=True)]


def _as_cards(lexeme: _Lexeme) -> list[Wish]:
    """The cards a word means by itself."""
    if lexeme.role == "article" and lexeme.text == "a":
        return [Wish(card_words.LETTERS["a"])]
    if lexeme.role in ("digits", "number word") and lexeme.number in card_words.RANK_OF_NUMBER:
        return [Wish(card_words.RANK_OF_NUMBER[lexeme.number])]
    if not lexeme.cards:
        raise _not_understood(lexeme.text)
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


# --- cards ------------------------------------------------------------------------------------------------------------


class _Picker:
    """Takes cards out of a hand, each at most once."""

    def __init__(self, hand: Sequence[Card]) -> None:
        self._hand = sorted(hand)
        self._left = list(self._hand)

    def lays(self, groups: Sequence[Group], melds: Sequence[Kind]) -> tuple[Lay, ...]:
        """Suits that are named first, so that nothing else takes those cards."""
        exact = {
            index: tuple(self._exact(wish) for wish in group.wishes if wish.suit is not None)
            for index, group in enumerate(groups)
        }
        chosen = [
            (group, exact[index] + self.cards([wish for wish in group.wishes if wish.suit is None]))
            for index, group in enumerate(groups)
        ]
        return tuple(_merged(chosen, melds))

    def cards(self, wishes: Sequence[Wish]) -> tuple[Card, ...]:
        """The cards of these wishes."""
        return tuple(
            card for wish in wishes for card in ((self._exact(wish),) if wish.suit is not None else self._any(wish))
        )

    def _exact(self, wish: Wish) -> Card:
        card = card_of(wish.kind, wish.suit or 0)
        if card not in self._left:
            held = [other for other in self._hand if other >> 2 == wish.kind]
            if held:
                raise InputProblem(
                    InputCode.NOT_HELD_SUIT, {"card": card, "held": ",".join(str(other) for other in held)}
                )
            raise self._not_held(wish.kind, 1)
        self._left.remove(card)
        return card

    def _any(self, wish: Wish) -> tuple[Card, ...]:
        kinds = (TWO, JOKER) if wish.kind == WILD else (wish.kind,)
        available = [card for kind in kinds for card in self._left if card >> 2 == kind]
        count = max(1, len(available)) if wish.count is None else wish.count
        if len(available) < count or not count:
            raise self._not_held(wish.kind, count + self._taken(kinds))
        for card in available[:count]:
            self._left.remove(card)
        return tuple(available[:count])

    def _taken(self, kinds: Sequence[Kind]) -> int:
        return sum(1 for card in self._hand if card >> 2 in kinds) - sum(1 for card in self._left if card >> 2 in kinds)

    def _not_held(self, kind: Kind, needed: int) -> InputProblem:
        kinds = (TWO, JOKER) if kind == WILD else (kind,)
        held = sum(1 for card in self._hand if card >> 2 in kinds)
        return InputProblem(InputCode.NOT_HELD, {"kind": letter_of(kind), "held": held, "needed": needed})


def _merged(chosen: Sequence[tuple[Group, tuple[Card, ...]]], melds: Sequence[Kind]) -> list[Lay]:
    """Wild cards go to the meld they name, or to the only one there is."""
    natural = {
        group.kind: cards for group, cards in chosen if group.kind is not None and group.onto in (None, group.kind)
    }
    lays: dict[int | None, tuple[Card, ...]] = {}
    for group, cards in chosen:
        if group.kind in natural:
            continue
        target = _target_of(group, tuple(natural), melds)
        if target in natural:
            natural[target] += cards
        else:
            number = None if target is None else melds.index(target) if target in melds else len(melds)
            lays[number] = lays.get(number, ()) + cards
    return [Lay(cards) for cards in natural.values()] + [Lay(cards, number) for number, cards in lays.items()]


def _target_of(group: Group, laid: Sequence[Kind], melds: Sequence[Kind]) -> Kind | None:
    """The rank that a group joins: the one it names, else the only one there is; None if there is none."""
    if group.onto is not None:
        return group.onto
    possible = list(dict.fromkeys((*laid, *(kind for kind in melds if kind >= 0))))
    if len(possible) > 1:
        raise InputProblem(InputCode.TWO_TARGETS)
    return possible[0] if possible else None
