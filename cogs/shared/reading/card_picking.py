"""Find the cards of a hand that a text asks for, each once; missing cards raise `InputProblem`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from bot.engine.cards.cards import ACE, JOKER, RANK_LETTERS, SPADES, TWO, Card, Kind, card_of
from bot.engine.moves.actions import Lay
from cogs.shared.reading.card_words import CardWish, rank_letter
from cogs.shared.reading.input_problems import InputCode, InputProblem
from cogs.shared.reading.typed_cards import CardGroup, read_card_groups
from cogs.shared.reading.vocabulary import WILD, Vocabulary


def pick_melds(text: str, hand: Sequence[Card], melds: Sequence[Kind], vocabulary: Vocabulary) -> tuple[Lay, ...]:
    """Return the melds a text asks for; `melds` are the ranks the side has on the table."""
    return _CardPicker(hand).take_melds(read_card_groups(text, vocabulary), melds)


def pick_card(text: str, hand: Sequence[Card], vocabulary: Vocabulary) -> Card:
    """Return the hand's card that a text names, in any suit if it names none.

    ``7s`` is the seven of spades, or any seven.
    """
    groups = read_card_groups(text, vocabulary)
    wishes = [wish for group in groups for wish in group.wishes]
    if len(wishes) != 1 or (wishes[0].count or 1) != 1:
        raise InputProblem(InputCode.ONE_CARD)
    wish = replace(wishes[0], count=1)
    if wish.perhaps_plural:
        spade = card_of(wish.kind, SPADES)
        wish = replace(wish, suit=SPADES if spade in hand else None)
    return _CardPicker(hand).take_cards((wish,))[0]


class _CardPicker:
    """Takes the cards that a text names out of a hand, each at most once."""

    def __init__(self, hand: Sequence[Card]) -> None:
        self._hand = sorted(hand)
        self._left = list(self._hand)
        self._named: Counter[Kind] = Counter()

    def take_melds(self, groups: Sequence[CardGroup], melds: Sequence[Kind]) -> tuple[Lay, ...]:
        """Return melds made of these groups of cards, taken from the hand.

        Cards with a named suit are taken from the hand first.
        """
        self._named.update(_count_kinds(wish for group in groups for wish in group.wishes))
        exact = {
            index: tuple(self._take_card_of_suit(wish) for wish in group.wishes if wish.suit is not None)
            for index, group in enumerate(groups)
        }
        chosen = [
            (group, exact[index] + self.take_cards([wish for wish in group.wishes if wish.suit is None]))
            for index, group in enumerate(groups)
        ]
        return tuple(_merge_wild_cards(chosen, melds))

    def take_cards(self, wishes: Sequence[CardWish]) -> tuple[Card, ...]:
        """Take and return the hand's cards for these wishes."""
        return tuple(
            card
            for wish in wishes
            for card in (
                (self._take_card_of_suit(wish),) if wish.suit is not None else self._take_cards_of_any_suit(wish)
            )
        )

    def _take_card_of_suit(self, wish: CardWish) -> Card:
        """Take and return the card of the wished rank and suit. Raises `InputProblem` if the hand lacks it."""
        card = card_of(wish.kind, wish.suit or 0)
        if card not in self._left:
            if any(other >> 2 == wish.kind for other in self._hand):
                raise other_suits_problem(card, self._hand)
            raise self._not_held_problem(wish.kind)
        self._left.remove(card)
        return card

    def _take_cards_of_any_suit(self, wish: CardWish) -> tuple[Card, ...]:
        """Take and return the wished number of cards of a kind in any suit.

        Raises `InputProblem` if too few are left.
        """
        kinds = (TWO, JOKER) if wish.kind == WILD else (wish.kind,)
        available = [card for kind in kinds for card in self._left if card >> 2 == kind]
        count = max(1, len(available)) if wish.count is None else wish.count
        if len(available) < count or not count:
            raise self._not_held_problem(wish.kind)
        for card in available[:count]:
            self._left.remove(card)
        return tuple(available[:count])

    def _not_held_problem(self, kind: Kind) -> InputProblem:
        """Return the problem that the text asks for more cards of a kind than the hand holds."""
        kinds = (TWO, JOKER) if kind == WILD else (kind,)
        held = sum(1 for card in self._hand if card >> 2 in kinds)
        needed = sum(self._named[one] for one in {kind, *kinds, *((WILD,) if kind in (TWO, JOKER) else ())})
        return InputProblem(InputCode.NOT_HELD, {"kind": rank_letter(kind), "held": held, "needed": max(1, needed)})


def other_suits_problem(card: Card, hand: Sequence[Card]) -> InputProblem:
    """Return the problem that the hand holds the card's rank, but only in other suits."""
    held = [other for other in sorted(hand) if other >> 2 == card >> 2]
    return InputProblem(InputCode.NOT_HELD_SUIT, {"card": card, "held": ",".join(map(str, held))})


def _count_kinds(wishes: Iterable[CardWish]) -> Counter[Kind]:
    """Return how many cards of each kind the wishes name; "all" counts as one."""
    named: Counter[Kind] = Counter()
    for wish in wishes:
        named[wish.kind] += 1 if wish.count is None else wish.count
    return named


def _merge_wild_cards(chosen: Sequence[tuple[CardGroup, tuple[Card, ...]]], melds: Sequence[Kind]) -> list[Lay]:
    """Return the melds of the chosen groups; wild cards join the meld they name, or the only one."""
    natural = {
        group.kind: cards for group, cards in chosen if group.kind is not None and group.onto in (None, group.kind)
    }
    lays: dict[int | None, tuple[Card, ...]] = {}
    for group, cards in chosen:
        if group.kind in natural:
            continue
        target = _target_rank(group, tuple(natural), melds)
        if target in natural:
            natural[target] += cards
        else:
            number = None if target is None else melds.index(target) if target in melds else len(melds)
            lays[number] = lays.get(number, ()) + cards
    return [Lay(cards) for cards in natural.values()] + [Lay(cards, number) for number, cards in lays.items()]


def _target_rank(group: CardGroup, laid: Sequence[Kind], melds: Sequence[Kind]) -> Kind | None:
    """Return the rank of the meld that a group of wild cards joins; None if there is no meld.

    That is the named meld, else the only one. Raises `InputProblem` if several are possible.
    """
    if group.onto is not None:
        return group.onto
    possible = list(dict.fromkeys((*laid, *(kind for kind in melds if kind >= 0))))
    if len(possible) > 1:
        ranks = [RANK_LETTERS[kind] for kind in possible if kind <= ACE]
        raise InputProblem(InputCode.TWO_TARGETS, {"rank": ranks[0] if ranks else "K"})
    return possible[0] if possible else None
