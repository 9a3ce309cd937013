"""Moves that ranks and counts cannot express: runs, wild cards alone, joined melds.

The panel prepares melds by rank (`cogs.shared.reading.meld_draft`). These other moves are listed from the legal steps,
each with a short text for the menu's value and a line in words.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias, TypeVar

from bot.engine.cards.cards import ACE, BLACK_THREE, JOKER, SUIT_LETTERS, TWO, Card
from bot.engine.cards.meld_places import DEUCE_MELD, FAMILIES, RUN, WILD_MELD, Family, Place, family_of, is_run
from bot.engine.moves.actions import Combine, LayRun, Meld, Reclaim, Step, Take
from bot.engine.table.views import MeldView, SeatView
from bot.i18n import Words
from cogs.shared.reading import card_text
from cogs.shared.reading.custom_ids import MOST_OPTIONS
from cogs.shared.reading.input_problems import InputCode, InputProblem

Move: TypeAlias = LayRun | Combine | Meld | Take | Reclaim


def moves_for_menu(view: SeatView) -> tuple[Move, ...]:
    """Return the legal moves to list in a menu: those that take cards first, then the longest runs.

    Of moves that differ only in which of several equal melds they concern, only the first is listed. If the menu is
    full, the end of the list is cut: melds with many wild cards, which can be laid card by card.
    """
    several = _ranks_with_several_melds(view)
    takes = [step for step in view.legal if isinstance(step, Take) and step.onto is not None]
    runs = sorted([step for step in view.legal if isinstance(step, LayRun)], key=_run_length, reverse=True)
    apart = [step for step in view.legal if isinstance(step, Meld) and _needs_menu(step, several)]
    melds = sorted(apart, key=_sort_key)
    together = [step for step in view.legal if isinstance(step, Combine)]
    back = [step for step in view.legal if isinstance(step, Reclaim)]
    found: list[Move] = [*takes, *back, *runs, *together, *melds]
    return tuple(distinct_steps(view, found)[:MOST_OPTIONS])


AnyStep = TypeVar("AnyStep", bound=Step)


def distinct_steps(view: SeatView, steps: Iterable[AnyStep]) -> list[AnyStep]:
    """Return the steps; of those that differ only in which of several equal melds they concern, only the first.

    Melds are equal if their cards are, apart from the suits of a set.
    """
    found: dict[tuple[object, ...], AnyStep] = {}
    for step in steps:
        found.setdefault(_step_content_key(view, step), step)
    return list(found.values())


def _step_content_key(view: SeatView, step: Step) -> tuple[object, ...]:
    """Return a key that is the same for steps with the same cards and melds of the same cards."""
    match step:
        case LayRun(place, low, high):
            return LayRun, _meld_content(view, place), low, high
        case Combine(place, onto):
            return Combine, *sorted([_meld_content(view, place), _meld_content(view, onto)])
        case Reclaim(place):
            return Reclaim, _meld_content(view, place)
        case Meld(place, naturals, twos, jokers):
            return Meld, _meld_content(view, place), naturals, twos, jokers
        case Take(naturals, twos, jokers, onto):
            return Take, None if onto is None else _meld_content(view, onto), naturals, twos, jokers
        case _:
            return (step,)


def _meld_content(view: SeatView, place: Place) -> tuple[Family, tuple[int, ...]]:
    """Return the family of a meld and the kinds of its cards, sorted; no cards for a meld still to begin."""
    lying = _meld_at(view, place)
    return family_of(place), () if lying is None else tuple(sorted(card >> 2 for card in lying.cards))


def joined_meld_text(words: Words, view: SeatView, place: Place) -> str:
    """Return the name of a meld that cards can join, such as "kings".

    If the side has different melds of that rank, which have the same name, the cards of the meld are listed instead.
    """
    family = family_of(place)
    steps = [step for step in view.legal if isinstance(step, Meld | LayRun) and family_of(step.place) == family]
    lying = {_meld_content(view, step.place) for step in steps} - {(family, ())}
    return _short_meld_text(_meld_at(view, place)) if len(lying) > 1 else card_text.meld_word(words, family, 2)


def _sort_key(meld: Meld) -> tuple[bool, int, int]:
    """Return the key that sorts melds that only this menu offers first, then those with few wild cards."""
    return meld.kind <= ACE, meld.twos + meld.jokers, -meld.size


def _run_length(run: LayRun) -> int:
    return run.size


def _ranks_with_several_melds(view: SeatView) -> frozenset[int]:
    """Return the ranks of which the side may have several melds.

    A step for such a rank must name the meld.
    """
    return frozenset(
        step.kind for step in view.legal if isinstance(step, Meld) and step.place >= FAMILIES and step.kind <= ACE
    )


def _needs_menu(step: Meld, ranks_with_several_melds: frozenset[int]) -> bool:
    """Return whether only the menu of moves can offer this meld, because its rank does not identify it."""
    return BLACK_THREE < step.kind < RUN or step.kind in ranks_with_several_melds


def menu_value(move: Move) -> str:
    """Return the move as a menu's value."""
    match move:
        case LayRun(place, low, high):
            return f"r{place}.{low}.{high}"
        case Combine(place, onto):
            return f"c{place}.{onto}"
        case Reclaim(place):
            return f"w{place}"
        case Meld(place, naturals, twos, jokers):
            return f"m{place}.{naturals}.{twos}.{jokers}"
        case Take(naturals, twos, jokers, onto):
            return f"t{naturals}.{twos}.{jokers}.{onto}"


def parse_step(view: SeatView, text: str) -> Step:
    """Return the legal step that a control or menu stores. Raises `InputProblem` if it is no longer legal."""
    for step in view.legal:
        if isinstance(step, LayRun | Combine | Meld | Take | Reclaim) and menu_value(step) == text:
            return step
    raise InputProblem(InputCode.OLD_CONTROL)


def takes_by_typed_meld(view: SeatView) -> dict[str, Take]:
    """Return the ways to take the pile onto one of several melds, by the meld's typed text: ``on 5h-9h``."""
    found: dict[str, Take] = {}
    for step in view.legal:
        lying = None if not isinstance(step, Take) or step.onto is None else _meld_at(view, step.onto)
        if lying is not None and isinstance(step, Take):
            found.setdefault(f"on {_meld_as_typed(lying)}", step)
    return found


def _meld_as_typed(meld: MeldView) -> str:
    if not is_run(meld.place):
        return card_text.ranks_label(meld.cards)
    first, last = (card_text.rank_label(card >> 2) + SUIT_LETTERS[card & 3] for card in (meld.cards[0], meld.cards[-1]))
    return f"{first}-{last}"


def wild_cards_to_reclaim(meld: MeldView) -> tuple[Card, ...]:
    """Return the cards that come back from a meld; if twos are a rank, only the jokers."""
    kinds = (JOKER,) if meld.kind == DEUCE_MELD else (TWO, JOKER)
    return tuple(card for card in meld.cards if card >> 2 in kinds)


def move_in_words(words: Words, view: SeatView, move: Move) -> str:
    """Return one line that says which cards a move plays, and where."""
    match move:
        case LayRun(place, low, high):
            cards = card_text.cards_label([kind << 2 | place & 3 for kind in range(low, high + 1)])
            lying = _meld_at(view, place)
            return words("move.run", cards=cards) if lying is None else _added_cards_text(words, cards, lying)
        case Combine(place, onto):
            return words(
                "move.combine",
                first=_short_meld_text(_meld_at(view, place)),
                second=_short_meld_text(_meld_at(view, onto)),
            )
        case Reclaim(place):
            lying = _meld_at(view, place)
            cards = "" if lying is None else card_text.cards_label(wild_cards_to_reclaim(lying))
            return words("move.reclaim", cards=cards, meld=_short_meld_text(lying))
        case Take():
            lying = _meld_at(view, move.onto if move.onto is not None else -1)
            top = view.table.pile.top
            return words(
                "move.take", card="" if top is None else card_text.card_label(top), meld=_short_meld_text(lying)
            )
        case Meld(place, naturals, twos, jokers):
            family = family_of(place)
            cards = card_text.meld_text(family if family <= BLACK_THREE else 0, naturals, twos, jokers)
            lying = _meld_at(view, place)
            if lying is not None:
                return _added_cards_text(words, cards, lying)
            return words("move.wild" if family == WILD_MELD else "move.meld", cards=cards)


def _added_cards_text(words: Words, cards: str, meld: MeldView) -> str:
    return words("move.add", cards=cards, meld=_short_meld_text(meld))


def _meld_at(view: SeatView, place: Place) -> MeldView | None:
    return next((meld for meld in view.side.melds if meld.place == place), None)


def _short_meld_text(meld: MeldView | None) -> str:
    """Return a meld's cards as short text: a run by its first and last card, others by rank."""
    if meld is None:
        return "–"
    if is_run(meld.place):
        return run_ends_text(meld.cards)
    return card_text.ranks_label(meld.cards)


def run_ends_text(cards: Sequence[Card]) -> str:
    """Return a run as text by its first and last card: ``5♥–9♥``."""
    return f"{card_text.card_label(cards[0])}–{card_text.card_label(cards[-1])}"
