"""Explanations in a panel: why the pile cannot be taken, what first melds lack, what melds cost.

All of it follows from the seat's view and offers, so it does not depend on hidden cards.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from bot.engine.cards.cards import ACE
from bot.engine.cards.meld_places import family_of
from bot.engine.melds.points import unfinished_points
from bot.engine.melds.table_meld import TableMeld
from bot.engine.moves.refusals import Code, Refusal
from bot.engine.table.views import MeldView, SeatView
from bot.i18n import Words
from bot.tables.state.snapshots import SeatSnapshot
from cogs.shared.reading import card_text
from cogs.shared.showing.panels.titles import Stage, stage_of
from cogs.shared.telling import names
from cogs.shared.telling.explanations import explain_problem
from cogs.shared.telling.numbers import group_thousands, number_with_sign

MOST: Final = 3
"""Most lines below the title."""


def lines_below_title(words: Words, snapshot: SeatSnapshot, stage: Stage) -> list[str]:
    """Return up to three lines that explain what the player in turn cannot do now, and why."""
    view = snapshot.view
    if view is None or not view.must_act or stage is Stage.ASKED:
        return []
    return list(islice(_reason_lines(words, snapshot, view, stage), MOST))


def _reason_lines(words: Words, snapshot: SeatSnapshot, view: SeatView, stage: Stage) -> Iterator[str]:
    if stage is Stage.DRAW and snapshot.offers.pile_refusal is not None:
        yield _pile_refusal_text(words, snapshot, view, snapshot.offers.pile_refusal)
    if stage in (Stage.DRAW, Stage.WAYS):
        yield from _first_meld_lines(words, snapshot, before="panel.first_melds")
    elif stage in (Stage.DISCARD, Stage.LAY, Stage.REFUSED) and snapshot.offers.opening is None:
        yield from _first_meld_lines(words, snapshot, before="panel.best_lay")
    if stage is Stage.DISCARD and view.side.opened:
        yield words("panel.nothing_fits")
    yield from _unfinished_meld_lines(words, view)


def is_frozen_pile_explained(snapshot: SeatSnapshot) -> bool:
    """Return whether the lines below the title say that the pile is frozen and which cards take it."""
    refusal = snapshot.offers.pile_refusal
    return refusal is not None and refusal.code is Code.PILE_FROZEN and stage_of(snapshot) is Stage.DRAW


def _pile_refusal_text(words: Words, snapshot: SeatSnapshot, view: SeatView, refusal: Refusal) -> str:
    """Return why the pile cannot be taken, in its short form if there is one."""
    top = view.table.pile.top
    kind = 0 if top is None else top >> 2
    values = {
        "kinds": card_text.kind_word(words, kind, 2) if kind <= ACE else "",
        "held": sum(1 for card in view.hand if card >> 2 == kind),
        "minimum": group_thousands(words, view.side.minimum),
    }
    if refusal.code is Code.PILE_BLOCKED and top is not None:
        return words("panel.pile_blocked", kind=card_text.kind_word(words, kind))
    if refusal.code is Code.PILE_FROZEN:
        return words("panel.pile_frozen", **values)
    if refusal.code is Code.PILE_FROZEN_UNOPENED and view.side.canasta == "none":
        return words("panel.pile_unopened", **values)
    if refusal.code is Code.TAKE_NO_MELD:
        return words("panel.pile_no_meld", **values)
    if refusal.code in (Code.INITIAL_MELD_TOO_LOW, Code.INITIAL_MELD_UNREACHABLE):
        best = refusal.detail.get("best", refusal.detail.get("count", 0))
        reached = {"best": best, "minimum": refusal.detail.get("required", 0)}
        return words("panel.pile_too_low", **{**values, **reached})
    return explain_problem(words, refusal, snapshot.table)


def _first_meld_lines(words: Words, snapshot: SeatSnapshot, *, before: str) -> Iterator[str]:
    """Yield what the side's first melds need, and the best that the hand makes."""
    found = snapshot.offers.first_melds
    if found is None:
        return
    if found.refusal is not None:
        yield explain_problem(words, found.refusal, snapshot.table)
    elif not found.best and found.required:
        yield words("panel.no_meld_yet", minimum=found.required)
    elif found.required:
        yield words(before, minimum=found.required, best=found.best)


def price_of_unfinished_melds(view: SeatView) -> int:
    """Return the points that the side loses for unfinished melds if the deal ends now: zero or negative."""
    return sum(price for _, price in _priced_melds(view))


def _priced_melds(view: SeatView) -> Iterator[tuple[MeldView, int]]:
    """Yield each meld of the side that costs points if the deal ends now, with its price."""
    rules = view.table.rules
    for meld in view.side.melds if rules.incomplete_penalty else ():
        price = unfinished_points(rules, [TableMeld(meld.place, meld.naturals, meld.wilds, meld.cards)])
        if price < 0:
            yield meld, price


def _unfinished_meld_lines(words: Words, view: SeatView) -> Iterator[str]:
    """Yield a line for each meld of the side that costs points if the deal ends now.

    The line gives the meld's size and its price.
    """
    size = view.table.rules.canasta_size
    for meld, price in _priced_melds(view):
        kinds = card_text.meld_word(words, family_of(meld.place), 2)
        name = kinds[:1].upper() + kinds[1:]
        yield words("panel.unfinished", kinds=name, size=meld.size, of=size, points=number_with_sign(words, price))


def score_now_text(words: Words, snapshot: SeatSnapshot) -> str:
    """Return both sides' score if the deal ended now, without the cards of unseen hands.

    Return "" before a side has opened, and for games in which the sides form during the deal.
    """
    view = snapshot.view
    if view is None or view.table.actor is None or view.table.rules.cut_throat:
        return ""
    sides = view.table.sides
    if not any(side.opened for side in sides):
        return ""
    own = view.side
    texts = [
        words(
            "panel.now_you",
            points=number_with_sign(words, own.on_table - view.hand_points),
            less=_held_cards_text(words, snapshot, [seat for seat in own.seats if seat != snapshot.seat]),
        )
    ]
    for side in sides:
        if side.side != own.side:
            name = words("panel.now_they") if len(sides) == 2 else names.side_name(words, snapshot.table, side.side)
            count = sum(view.table.seats[seat].cards for seat in side.seats)
            texts.append(
                words("panel.now_others", name=name, points=number_with_sign(words, side.on_table), count=count)
            )
    return words("panel.now", sides="; ".join(texts))


def _held_cards_text(words: Words, snapshot: SeatSnapshot, partners: list[int]) -> str:
    """Return how many cards partners hold, which count against the side: ", less Ben's 7 cards"."""
    view = snapshot.view
    if view is None or not partners:
        return ""
    return "".join(
        words("panel.now_less", name=names.seat_name(words, snapshot.table, seat), count=view.table.seats[seat].cards)
        for seat in partners
    )
