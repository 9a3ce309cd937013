"""Parse what a player typed into cards of their hand: melds, a step named by a rank, a discard.

If the rules have melds other than sets, a part between commas may be a run, cards for a run, or wild cards alone: ``4h
5h 6h``, ``4-7 hearts``, ``8 9 10``, ``8h on run``, ``2 2 JK``. Everything else is read as sets. Playing and the "may I"
question both use this module.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Final

from bot.engine.cards.cards import ACE, Card, Kind, card_of, is_wild
from bot.engine.cards.meld_places import DEUCE_MELD, RUN, WILD_MELD, is_run
from bot.engine.moves.actions import Lay, LayMelds
from bot.engine.table.views import MeldView, SeatView
from cogs.shared.reading import card_picking
from cogs.shared.reading.card_words import rank_letter
from cogs.shared.reading.input_problems import InputCode, InputProblem
from cogs.shared.reading.rank_steps import RankStep, parse_rank_step
from cogs.shared.reading.typed_cards import read_card_groups
from cogs.shared.reading.vocabulary import LETTERS, SUIT_SIGNS, WILD, Vocabulary, fold_case, remove_accents

_PARTS = re.compile(r"[,;/|\n]+")
_RANK: Final = r"(10|[2-9tjqka])"
_SUIT: Final = r"([shdc♠♥♦♣])"
_SUITED = re.compile(rf"{_RANK}\s*{_SUIT}")
_CARDS = re.compile(rf"(?:{_RANK}\s*{_SUIT}[\s+&.-]*)+")
_RANK_ALONE: Final = r"(10|[2-9tqka]|j(?!k))"  # a J before K is the beginning of JK, a joker
_RANKS = re.compile(rf"(?:{_RANK_ALONE}[\s+&.-]*)+")
_OF_WILDS: Final = frozenset({"wild", "deuce"})
_NOT_MEANT: Final = -1
"""Replaces a rank that is not meant; no rank has this number."""


@cache
def _range_pattern(vocabulary: Vocabulary) -> re.Pattern[str]:
    """Return a regular expression for a range with its suit: ``4-7 of hearts``."""
    between, fillers = vocabulary.pattern_of("through"), vocabulary.pattern_of("fillers")
    suit = rf"(?:{_SUIT}|(?:\b(?:{fillers})\b)?\s*([^\W\d_]+))?"
    return re.compile(rf"{_RANK}\s*{_SUIT}?\s*(?:-|–|{between})\s*{_RANK}\s*{suit}")


@cache
def _onto_pattern(vocabulary: Vocabulary) -> re.Pattern[str]:
    """Return a regular expression for "on" and everything after it."""
    return re.compile(rf"\b(?:{vocabulary.pattern_of('onto', 'through')})\s+(.+)$")


def parse_melds_or_step(text: str, view: SeatView, vocabulary: Vocabulary) -> LayMelds | RankStep:
    """Return the melds, or the step named by a rank, that a text asks for. Raises `InputProblem`."""
    return parse_rank_step(text, view, vocabulary) or LayMelds(parse_melds(text, view, vocabulary))


def parse_discard(text: str, view: SeatView, vocabulary: Vocabulary) -> Card:
    """Return the card of the hand that a text names.

    A rank among the penalty cards means one of those. Raises `InputProblem`.
    """
    with contextlib.suppress(InputProblem):
        return card_picking.pick_card(text, view.table.seats[view.seat].exposed, vocabulary)
    return card_picking.pick_card(text, view.hand, vocabulary)


def parse_melds(text: str, view: SeatView, vocabulary: Vocabulary) -> tuple[Lay, ...]:
    """Return the melds that a text asks for, with cards of the seat's hand. Raises `InputProblem`."""
    kinds = view.table.rules.meld_kinds
    lying = view.side.melds
    numbers = _families_to_add_to(lying)
    if kinds == {"set"}:
        return card_picking.pick_melds(text, view.hand, numbers, vocabulary)
    hand = list(view.hand)
    found: list[Lay] = []

    def parts_without_melds(parts: Sequence[str], reading: Callable[[str], Lay | None]) -> list[str]:
        """Return the parts that `reading` cannot parse; add the melds of the others to those found.

        The cards of these melds are removed from the hand.
        """
        others = []
        for part in parts:
            lay = reading(part)
            if lay is None:
                others.append(part)
                continue
            for card in lay.cards:
                _take_from_hand(hand, card)
            found.append(lay)
        return others

    parts = [part for part in _PARTS.split(text) if part.strip()]
    if "seq" in kinds:
        parts = parts_without_melds(parts, lambda part: _parse_run(part, lying, vocabulary))
    if kinds & _OF_WILDS:
        parts = parts_without_melds(parts, lambda part: _parse_wild_cards(part, hand, lying, vocabulary))
    if "seq" in kinds:  # a run without a suit must not use cards that other parts name
        parts = parts_without_melds(
            parts, lambda part: _parse_run_of_ranks(part, _cards_not_named(hand, parts), numbers, vocabulary)
        )
    rest = ", ".join(parts)
    return (*found, *(card_picking.pick_melds(rest, hand, numbers, vocabulary) if rest or not found else ()))


def _families_to_add_to(melds: Sequence[MeldView]) -> list[int]:
    """Return the family of each meld, with a placeholder for a full one whose rank has another to add to.

    Cards typed for that rank can then only join the one that is not full.
    """
    growing = {meld.kind for meld in melds if meld.canasta is None}
    return [_NOT_MEANT if meld.canasta and meld.kind in growing else meld.kind for meld in melds]


def _take_from_hand(hand: list[Card], card: Card) -> None:
    if card not in hand:
        if any(other >> 2 == card >> 2 for other in hand):
            raise card_picking.other_suits_problem(card, hand)
        raise InputProblem(InputCode.NOT_HELD, {"kind": rank_letter(card >> 2), "held": 0, "needed": 1})
    hand.remove(card)


def _parse_run(part: str, melds: Sequence[MeldView], vocabulary: Vocabulary) -> Lay | None:
    """Return cards of one suit for a run, or None.

    They are several ranks, or cards typed as joining a run on the table.
    """
    text = remove_accents(fold_case(part)).strip()
    target = _onto_pattern(vocabulary).search(text)
    words = set() if target is None else set(re.findall(r"\w+|[♠♥♦♣]", target[1]))
    joins = bool(words & (vocabulary.said["run"] | vocabulary.suits.keys()))
    cards = _parse_cards(text[: target.start()].strip() if target is not None and joins else text, vocabulary)
    if not cards or len({card & 3 for card in cards}) > 1 or len({card >> 2 for card in cards}) < len(cards):
        return None
    if not joins:
        return Lay(tuple(cards)) if len(cards) > 1 else None
    return Lay(tuple(cards), _matching_run(cards, melds))


def _parse_run_of_ranks(part: str, hand: Sequence[Card], melds: Sequence[Kind], vocabulary: Vocabulary) -> Lay | None:
    """Return a run for ranks typed in order without a suit, from a suit of the hand that has them all.

    Return None if the text is something else, or if the side has a meld of one of the ranks, because single cards for
    that meld may be meant. Raises `InputProblem` if no suit has them all.
    """
    ranks = _consecutive_ranks_in_text(remove_accents(fold_case(part)).strip(), vocabulary)
    if not ranks or not set(ranks).isdisjoint(melds):
        return None
    for suit in range(4):
        cards = tuple(card_of(kind, suit) for kind in ranks)
        if not set(cards) - set(hand):
            return Lay(cards)
    raise InputProblem(InputCode.NOT_ONE_SUIT, {"low": rank_letter(ranks[0]), "high": rank_letter(ranks[-1])})


def _cards_not_named(hand: Sequence[Card], parts: Sequence[str]) -> list[Card]:
    """Return the hand without the cards that the parts name with their suits."""
    left = list(hand)
    for part in parts:
        for rank, suit in _SUITED.findall(fold_case(part)):
            card = card_of(_kind_of_rank(rank), SUIT_SIGNS[suit])
            if card in left:
                left.remove(card)
    return left


def _consecutive_ranks_in_text(text: str, vocabulary: Vocabulary) -> list[Kind]:
    """Return the ranks of a text that names three or more consecutive ones, lowest first; else []."""
    if found := _range_pattern(vocabulary).fullmatch(text):
        low, high = _kind_of_rank(found[1]), _kind_of_rank(found[3])
        ranks = [] if found[2] or found[4] or found[5] else list(range(low, high + 1))
    else:
        ranks = sorted(map(_kind_of_rank, re.findall(_RANK_ALONE, text))) if _RANKS.fullmatch(text) else []
    in_order = len(ranks) > 2 and ranks == list(range(ranks[0], ranks[-1] + 1))
    return ranks if in_order and ranks[-1] <= ACE else []


def _parse_cards(text: str, vocabulary: Vocabulary) -> list[Card]:
    """Return the cards that a text names with suits, one by one or as a range; else an empty list."""
    if found := _range_pattern(vocabulary).fullmatch(text):
        low, high = _kind_of_rank(found[1]), _kind_of_rank(found[3])
        suit = vocabulary.suits.get(found[2] or found[4] or found[5] or "")
        if suit is not None and low < high <= ACE:
            return [card_of(kind, suit) for kind in range(low, high + 1)]
        return []
    if not _CARDS.fullmatch(text):
        return []
    named = [(_kind_of_rank(rank), SUIT_SIGNS[suit]) for rank, suit in _SUITED.findall(text)]
    return sorted(card_of(kind, suit) for kind, suit in named) if all(kind <= ACE for kind, _ in named) else []


def _kind_of_rank(rank: str) -> Kind:
    return LETTERS[rank]


def _matching_run(cards: Sequence[Card], melds: Sequence[MeldView]) -> int | None:
    """Return the index of the run on the table that the cards extend.

    If they extend none, return that of the first run of the suit; None without any.
    """
    suited = [number for number, meld in enumerate(melds) if is_run(meld.place) and meld.kind == RUN + (cards[0] & 3)]
    low, high = cards[0] >> 2, cards[-1] >> 2
    for number in suited:
        ranks = sorted(card >> 2 for card in melds[number].cards)
        if high == ranks[0] - 1 or low == ranks[-1] + 1:
            return number
    return suited[0] if suited else None


def _parse_wild_cards(part: str, hand: Sequence[Card], melds: Sequence[MeldView], vocabulary: Vocabulary) -> Lay | None:
    """Return the meld of a text that names only wild cards, or None for other texts.

    They are a meld of their own, or are added to the unfinished one.
    """
    text = fold_case(part)
    target = _onto_pattern(vocabulary).search(remove_accents(text))
    if target is not None and not _is_wild_meld(target[1], vocabulary):
        return None
    own_text = text if target is None else text[: target.start()]
    groups = read_card_groups(own_text, vocabulary) if text.strip() else ()
    if not groups or any(not is_wild(wish.kind) for group in groups for wish in group.wishes):
        return None
    cards = [card for lay in card_picking.pick_melds(own_text, hand, (), vocabulary) for card in lay.cards]
    own = [n for n, meld in enumerate(melds) if meld.kind in (WILD_MELD, DEUCE_MELD) and meld.canasta is None]
    if own:
        return Lay(tuple(cards), own[0])
    return Lay(tuple(cards)) if len(cards) >= 3 or target is not None else None


def _is_wild_meld(target: str, vocabulary: Vocabulary) -> bool:
    """Return whether a text, such as "the wild cards", names the meld of wild cards."""
    words = [word for word in target.split() if not vocabulary.has_use(word, "fillers")]
    return bool(words) and all(WILD in (vocabulary.singular.get(word), vocabulary.plural.get(word)) for word in words)
