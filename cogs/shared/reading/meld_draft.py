"""Drafts: melds a player has prepared in the panel and not laid yet.

A draft holds kinds and counts and is stored in the custom ids of its panel. The guild keeps nothing, so it survives a
restart; its cards are checked against the hand whenever it comes back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.engine.cards.cards import ACE, BLACK_THREE, JOKER, TWO, Card, Kind, counts_of, is_red
from bot.engine.moves.actions import Lay, Take, TakePile
from bot.engine.moves.phases import Phase
from bot.engine.rules.rule_set import RuleSet
from bot.engine.table.views import SeatView
from cogs.shared.reading.input_problems import InputCode, InputProblem

_KINDS: Final = "456789TJQKA3"
_WILDS: Final = "W"
_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"
_WIDTH: Final = 4


@dataclass(frozen=True, slots=True)
class StagedMeld:
    """A prepared meld: how many natural cards of a kind, twos and jokers it has.

    `kind` is None for wild cards whose meld is not chosen yet.
    """

    kind: Kind | None
    naturals: int
    twos: int = 0
    jokers: int = 0

    @property
    def size(self) -> int:
        """Return the number of cards that the meld takes from the hand."""
        return self.naturals + self.twos + self.jokers

    def points(self, rules: RuleSet) -> int:
        """Return the card points of the meld."""
        values = rules.card_values
        naturals = 0 if self.kind is None else self.naturals * values[self.kind]
        return naturals + self.twos * values[TWO] + self.jokers * values[JOKER]

    def __str__(self) -> str:
        letter = _WILDS if self.kind is None else _KINDS[self.kind]
        return letter + "".join(_DIGITS[count] for count in (self.naturals, self.twos, self.jokers))


@dataclass(frozen=True, slots=True)
class Draft:
    """The melds that a player has prepared, at most one of each kind."""

    melds: tuple[StagedMeld, ...] = ()

    @property
    def layable_melds(self) -> tuple[StagedMeld, ...]:
        """Return the prepared melds that can be laid: those with a rank."""
        return tuple(staged for staged in self.melds if staged.kind is not None)

    @property
    def waiting_wild_cards(self) -> StagedMeld | None:
        """Return the wild cards whose meld is not chosen yet, or None."""
        return next((staged for staged in self.melds if staged.kind is None), None)

    def meld_of(self, kind: Kind | None) -> StagedMeld:
        """Return the prepared meld of a kind, or one without cards."""
        return next((staged for staged in self.melds if staged.kind == kind), StagedMeld(kind, 0))

    def points(self, rules: RuleSet) -> int:
        """Return the card points of all prepared melds."""
        return sum(staged.points(rules) for staged in self.melds)

    @property
    def size(self) -> int:
        """Return the number of cards that the draft takes from the hand."""
        return sum(staged.size for staged in self.melds)

    def with_meld(self, staged_meld: StagedMeld) -> Draft:
        """Return the draft with this meld replacing the one of its kind; an empty meld is removed."""
        if all(staged.kind != staged_meld.kind for staged in self.melds):
            return self if not staged_meld.size else Draft((*self.melds, staged_meld))
        melds = (staged_meld if staged.kind == staged_meld.kind else staged for staged in self.melds)
        return Draft(tuple(staged for staged in melds if staged.size))

    def __str__(self) -> str:
        return "".join(str(staged) for staged in self.melds)

    def __bool__(self) -> bool:
        return bool(self.melds)


NOTHING: Final = Draft()


def read_draft(text: str) -> Draft:
    """Return the draft that a custom id's argument stores; invalid parts are left out."""
    draft = NOTHING
    for start in range(0, len(text) - _WIDTH + 1, _WIDTH):
        staged = _parse_staged_meld(text[start : start + _WIDTH])
        if staged is not None:
            draft = draft.with_meld(staged)
    return draft


def _parse_staged_meld(text: str) -> StagedMeld | None:
    letter, counts = text[0], text[1:]
    if not (letter in _KINDS or letter == _WILDS) or any(digit not in _DIGITS for digit in counts):
        return None
    kind = None if letter == _WILDS else _KINDS.index(letter)
    return StagedMeld(kind, *(_DIGITS.index(digit) for digit in counts))


def replace_meld(draft: Draft, text: str) -> Draft:
    """Return the draft with the meld that a menu's value names, replacing the one of its kind."""
    staged = _parse_staged_meld(text) if len(text) == _WIDTH else None
    return draft if staged is None else draft.with_meld(staged)


def cards_left(draft: Draft, hand: Sequence[Card]) -> list[int]:
    """Return how many cards of each kind remain in the hand without the draft; may be negative."""
    counts = list(counts_of(tuple(hand)))
    for staged in draft.melds:
        if staged.kind is not None:
            counts[staged.kind] -= staged.naturals
        counts[TWO] -= staged.twos
        counts[JOKER] -= staged.jokers
    return counts


def fit_draft_to_hand(draft: Draft, hand: Sequence[Card]) -> Draft:
    """Return the draft without melds that the hand no longer holds."""
    kept = NOTHING
    for staged in draft.melds:
        if staged.kind is None and staged.naturals:
            continue
        longer = kept.with_meld(staged)
        if min(cards_left(longer, hand)) >= 0:
            kept = longer
    return kept


def wild_card_targets(draft: Draft, view: SeatView) -> tuple[Kind, ...]:
    """Return the ranks of the melds that wild cards could join.

    These are the prepared melds, those on the table, and that of the pile's top card if the pile may be taken.
    """
    on_table = [meld.kind for meld in view.side.melds if meld.kind <= ACE]
    melds = [staged.kind for staged in draft.layable_melds if staged.kind is not None]
    top = view.table.pile.top
    taken = (
        [top >> 2] if top is not None and top >> 2 <= ACE and any(isinstance(step, Take) for step in view.legal) else []
    )
    return tuple(kind for kind in dict.fromkeys((*melds, *on_table, *taken)) if kind != BLACK_THREE)


def add_cards(draft: Draft, view: SeatView, chosen: Sequence[str]) -> Draft:
    """Return the draft with all natural cards of the chosen ranks and the chosen wild cards added.

    Wild cards alone join the only possible meld, or wait until one is chosen. Raises `InputProblem`.
    """
    kinds, twos, jokers = _parse_chosen_cards(chosen)
    if (twos or jokers) and len(kinds) > 1:
        raise InputProblem(InputCode.WILD_WITH_MANY)
    free = cards_left(draft, view.hand)
    for kind in kinds:
        before = draft.meld_of(kind)
        changed = replace(before, naturals=before.naturals + max(0, free[kind]))
        draft = draft.with_meld(replace(changed, twos=before.twos + twos, jokers=before.jokers + jokers))
    if not kinds:
        draft = _add_wilds(draft, view, twos, jokers)
    return fit_draft_to_hand(draft, view.hand)


def _add_wilds(draft: Draft, view: SeatView, twos: int, jokers: int) -> Draft:
    possible = wild_card_targets(draft, view)
    target = possible[0] if len(possible) == 1 else None
    before = draft.meld_of(target)
    return draft.with_meld(replace(before, twos=before.twos + twos, jokers=before.jokers + jokers))


def _parse_chosen_cards(values: Sequence[str]) -> tuple[list[Kind], int, int]:
    """Return the ranks, the number of twos and the number of jokers that a menu's values name.

    Of several numbers for the same wild card the highest applies.
    """
    kinds = [_KINDS.index(value) for value in values if len(value) == 1 and value in _KINDS]
    wilds = {"2": 0, "JK": 0}
    for value in values:
        name, _, count = value.partition(".")
        if name in wilds and count in _DIGITS[1:] and count:
            wilds[name] = max(wilds[name], _DIGITS.index(count))
    return kinds, wilds["2"], wilds["JK"]


def join_waiting_wild_cards(draft: Draft, kind: Kind) -> Draft:
    """Return the draft with the waiting wild cards put into the meld of that kind."""
    waiting = draft.waiting_wild_cards
    if waiting is None:
        return draft
    without = draft.with_meld(StagedMeld(None, 0))
    before = without.meld_of(kind)
    return without.with_meld(replace(before, twos=before.twos + waiting.twos, jokers=before.jokers + waiting.jokers))


def melds_to_lay(draft: Draft, view: SeatView) -> tuple[Lay, ...]:
    """Return the draft's melds with cards of the hand.

    If a meld gets only wild cards, it names the meld on the table that they join.
    """
    return tuple(_lay_actions(draft.layable_melds, view))


def draft_without_top_card_meld(draft: Draft, view: SeatView) -> Draft:
    """Return the draft without the meld of the top card's rank, as long as the pile may be taken.

    Those cards claim the top card.
    """
    top = view.table.pile.top
    if view.table.phase is not Phase.DRAW or top is None:
        return draft
    return draft.with_meld(StagedMeld(top >> 2, 0))


def take_action_with_draft(draft: Draft, view: SeatView, claim: StagedMeld) -> TakePile:
    """Return the step that takes the pile and lays the draft.

    The draft's cards of the top card's rank are played with the top card.
    """
    same = draft.meld_of(claim.kind)
    together = StagedMeld(
        claim.kind,
        max(same.naturals, claim.naturals),
        max(same.twos, claim.twos),
        max(same.jokers, claim.jokers),
    )
    others = tuple(staged for staged in draft.layable_melds if staged.kind != claim.kind)
    first, *rest = _lay_actions((together, *others), view)
    return TakePile(first.cards, tuple(rest))


def hand_in_melding_order(view: SeatView) -> list[Card]:
    """Return the hand's cards in the order in which melds use them.

    If the top card of the pile is a two, twos of its colour precede other twos, as they can take the pile.
    """
    top = view.table.pile.top
    if top is None or top >> 2 != TWO:
        return sorted(view.hand)
    return sorted(view.hand, key=lambda card: (card >> 2, is_red(card) != is_red(top), card))


def _lay_actions(staged_melds: Sequence[StagedMeld], view: SeatView) -> list[Lay]:
    hand = hand_in_melding_order(view)
    on_table = [meld.kind for meld in view.side.melds]
    lays = []
    for staged in staged_melds:
        wanted = ((staged.kind, staged.naturals), (TWO, staged.twos), (JOKER, staged.jokers))
        cards: list[Card] = []
        for kind, count in wanted:
            found = [card for card in hand if card >> 2 == kind][:count]
            if len(found) < count:
                raise InputProblem(
                    InputCode.NOT_HELD, {"kind": _kind_letter(kind), "held": len(found), "needed": count}
                )
            for card in found:
                hand.remove(card)
            cards += found
        onto = on_table.index(staged.kind) if staged.kind in on_table and not staged.naturals else None
        lays.append(Lay(tuple(cards), onto))
    return lays


def _kind_letter(kind: Kind | None) -> str:
    return "JK" if kind == JOKER or kind is None else "2" if kind == TWO else _KINDS[kind]
