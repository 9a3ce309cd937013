"""Taking the pile: from a player's words or choice to the action."""

from __future__ import annotations

from typing import Final

from bot.engine.cards.cards import JOKER, JOKER_CARD, TWO, Card
from bot.engine.cards.places import is_run
from bot.engine.moves.actions import Lay, Take, TakePile
from bot.engine.moves.refusals import Code, Refusal
from bot.engine.table.views import SeatView
from bot.i18n import Words
from cogs.shared.reading import draft as drafts
from cogs.shared.reading import moves, picking, written_play
from cogs.shared.reading.draft import Staged
from cogs.shared.reading.problems import InputCode, InputProblem
from cogs.shared.telling.pile_ways import WAYS, claim_of, way_in_words, ways_to_take

_RUN: Final = frozenset({"run", "on run", "the run", "on the run"})

_NAMES: Final = {
    "pair": "p",
    "natural pair": "p",
    "two": "2",
    "2": "2",
    "joker": "j",
    "jk": "j",
    "add": "a",
    "meld": "a",
    "twos": "w",
    "two twos": "w",
}


def by_words(words: Words, view: SeatView, way: str | None, melds: str | None) -> TakePile:
    """Take the pile as a command says it. Raises `InputProblem`, and `Refusal` where there is no pile."""
    top = view.table.pile.top
    if top is None:
        raise Refusal(Code.PILE_EMPTY)
    lays = () if not melds else written_play.melds(melds, view)
    claiming = [lay for lay in lays if any(card >> 2 == top >> 2 for card in lay.cards)]
    others = tuple(lay for lay in lays if lay not in claiming)
    onto = _onto(view, way or "")
    if onto is not None and onto.onto is not None:
        claimed = Staged(top >> 2, onto.naturals, onto.twos, onto.jokers)
        number = [meld.place for meld in view.side.melds].index(onto.onto)
        return TakePile(_claim_cards(_without(view.hand, lays), claimed), lays, number)
    if claiming and not way:
        return TakePile(claiming[0].cards, others)
    chosen = _way(words, view, way)
    hand = _without(tuple(drafts.in_order(view)), others)
    named = claiming[0].cards if claiming else ()
    claim = claim_of(view, chosen)
    if _covers(named, claim):
        return TakePile(named, others)
    return TakePile((*_claim_cards(_without(tuple(hand), (Lay(named),)), claim), *named), others)


def _onto(view: SeatView, way: str) -> Take | None:
    """The way that takes the pile onto a meld of the side: the one named so, or that onto a run."""
    named, found = way.strip().casefold(), moves.takes_onto(view)
    if named in _RUN:
        return next((take for take in found.values() if is_run(take.onto or 0)), None)
    return next((take for text, take in found.items() if text.casefold() == named), None)


def _covers(named: tuple[Card, ...], claim: drafts.Staged) -> bool:
    """Whether the cards named for the top card's meld hold the claim already."""
    kinds = [card >> 2 for card in named]
    wanted = ((claim.kind, claim.naturals), (TWO, claim.twos), (JOKER, claim.jokers))
    return all(kinds.count(kind or 0) >= count for kind, count in wanted)


def plainly(view: SeatView) -> TakePile:
    """Take the pile with what the hand has for its top card, where no way is legal: the rules then say why.

    Raises `Refusal` where there is no pile.
    """
    top = view.table.pile.top
    if top is None:
        raise Refusal(Code.PILE_EMPTY)
    naturals = tuple(card for card in view.hand if card >> 2 == top >> 2)[:2]
    return TakePile(naturals)


def _way(words: Words, view: SeatView, named: str | None) -> str:
    """The way to take: the one named, the only one, or the one that costs least."""
    if named:
        return _named_way(view, named)
    ways = ways_to_take(view)
    cheapest = next((way for way in ("a", "p") if way in ways), None)
    if cheapest is not None or len(ways) == 1:
        return cheapest or ways[0]
    top = view.table.pile.top
    if len(ways) > 1 and top is not None:
        told = ", ".join(way_in_words(words, top >> 2, way) for way in ways)
        raise InputProblem(InputCode.TAKE_WHICH, {"ways": told})
    return "p"


def _named_way(view: SeatView, named: str) -> str:
    text = named.strip().casefold()
    if text in WAYS:
        return text
    if text in _NAMES:
        return _NAMES[text]
    top = view.table.pile.top
    cards = [card for lay in picking.lays(named, view.hand, ()) for card in lay.cards]
    naturals = sum(1 for card in cards if top is not None and card >> 2 == top >> 2)
    jokers = sum(1 for card in cards if card == JOKER_CARD)
    return "p" if naturals >= 2 else "j" if jokers else "2" if len(cards) > naturals else "p"


def _claim_cards(hand: list[Card], claim: drafts.Staged) -> tuple[Card, ...]:
    """The cards of a claim, as far as the hand has them; the rules say what is missing."""
    wanted = ((claim.kind, claim.naturals), (TWO, claim.twos), (JOKER, claim.jokers))
    return tuple(card for kind, count in wanted for card in [one for one in hand if one >> 2 == kind][:count])


def _without(hand: tuple[Card, ...], lays: tuple[Lay, ...]) -> list[Card]:
    left = list(hand)
    for lay in lays:
        for card in lay.cards:
            left.remove(card)
    return left
