"""Claiming the pile after an initial meld from the hand, in the ways that only house rules leave.

A side that opens from its hand has to take the pile in the same turn, by the rules for a side that has opened. In the
rule sets as they are it does so with naturals that it has kept, which `bot.engine.law.hand_first` decides. House rules
may also let it take the pile with a wild card, or by adding the top to a meld; the seat may lay a card of the rank of
the top in a run first; and it may go out with the cards of the pile, or take up its foot. Where `hand_first` has
refused, these lines of play are tried one after another.

Decides `docs/law/variants.md 3.10`. Reads `canasta_size`, `meld_kinds`, `open_count_top`, `take_open`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from bot.engine.cards.cards import JOKER, TWO, Card
from bot.engine.cards.counts import pack
from bot.engine.cards.places import Place, family_of, natural_kind, run_of
from bot.engine.law import foot
from bot.engine.law.hand_first import only_with_naturals
from bot.engine.law.keeping import kept
from bot.engine.law.top_claims import why_not_add, why_not_with_cards
from bot.engine.law.winning import why_not_end_or_win
from bot.engine.melds.melds import picked
from bot.engine.reach.bounds import surely_stays_in
from bot.engine.reach.laying_last import laid, leads_to
from bot.engine.reach.openings import Goal, opens, still_missing
from bot.engine.reach.reaching import reaches
from bot.engine.reach.sets import why_not_join
from bot.engine.reach.standing import Outlook, Standing
from bot.engine.table.queries import (
    frozen_for,
    gathered_card,
    gathered_size,
    guards_one_card,
    naturals_needed,
)
from bot.engine.table.state import State


def may_claim(state: State, opening: Outlook, goals: Sequence[Goal]) -> bool:
    """Whether some line of play from there opens the side and takes the pile, and the turn can end after it."""
    if not (_may_take_otherwise(state, opening) or _may_end_otherwise(state, opening) or _may_run_on(state, opening)):
        return False
    opened = state.opened[state.side]

    def ends(now: Outlook) -> bool | None:
        if opened or opens(now.standing.rules, goals, now.laid_points, now.standing.melds.values()):
            claimed = any(why_not_end_or_win(state, after, place) is None for after, place in _taken(state, now))
            return True if claimed else None
        missing = still_missing(goals, now.laid_points)
        reached = any(reaches(now.standing, now.hand, goal, keep=0) for goal in missing)
        return None if reached else False

    def following(now: Outlook) -> Iterator[Outlook]:
        return (after for after in laid(now) if after.hand)

    return bool(opening.hand) and leads_to(opening, ends, following)


def _may_take_otherwise(state: State, opening: Outlook) -> bool:
    """Whether the top card could be claimed with a wild card, or by adding it to a meld."""
    if only_with_naturals(state):
        return False
    rules, top = state.rules, state.pile[-1]
    held = [card >> 2 for card in opening.hand].count(top >> 2)
    if held or top >> 2 in opening.standing.spread.families:
        return True
    return "add_seq" in rules.take_open and "seq" in rules.meld_kinds


def _may_end_otherwise(state: State, opening: Outlook) -> bool:
    """Whether so few cards may be left that a foot comes, or that the seat goes out."""
    if gathered_size(state) >= kept(state):
        return False
    if foot.may_be_earned(state):
        return True
    come = gathered_card(state)
    hand = tuple(sorted((*opening.hand, state.pile[-1], *(() if come is None else (come,)))))
    return not surely_stays_in(opening.standing, hand, pack(hand))


def _may_run_on(state: State, opening: Outlook) -> bool:
    """Whether a card of the top's rank that is not kept for claiming it could lie in a run."""
    if "seq" not in state.rules.meld_kinds:
        return False
    held = [card >> 2 for card in opening.hand].count(state.pile[-1] >> 2)
    return held > naturals_needed(state, opened=True)


def _taken(state: State, now: Outlook) -> Iterator[tuple[Outlook, Place]]:
    """Each way to take the pile as things stand: the turn after it, and the place where the top card lies then."""
    rules, top = state.rules, state.pile[-1]
    if len(now.hand) == 1 and len(state.pile) == 1 and guards_one_card(state):
        return
    for place, cards in _claims(state, now.standing, now.hand):
        after = now.laid(place, cards, top)
        meld = after.standing.melds[place]
        before = now.standing.melds.get(place)
        finished = before is not None and before.size >= rules.canasta_size
        if meld.size < rules.canasta_size or finished or now.standing.may_make(meld):
            yield replace(after, below=gathered_size(state)), place


def _claims(state: State, standing: Standing, hand: Sequence[Card]) -> Iterator[tuple[Place, tuple[Card, ...]]]:
    """Where the top card may lie for an open side, and with which cards of the hand."""
    rules, top = state.rules, state.pile[-1]
    kind = top >> 2
    places = standing.targets(kind)
    place = places[-1] if places else kind
    frozen = frozen_for(state, opened=True)
    if frozen or "pair" in rules.take_open:
        yield from _with_cards(standing, hand, place, (naturals_needed(state, opened=True), 0, 0))
    if frozen:
        return
    if "card+wild" in rules.take_open:
        yield from _with_cards(standing, hand, place, (1, 1, 0))
        yield from _with_cards(standing, hand, place, (1, 0, 1))
    if "add" in rules.take_open:
        yield from [(meld.place, ()) for meld in standing.of_family(kind) if not why_not_add(standing, top, meld.place)]
    if "add_seq" in rules.take_open:
        runs = standing.of_family(run_of(top & 3))
        yield from [(run.place, ()) for run in runs if not why_not_add(standing, top, run.place)]


def _with_cards(
    standing: Standing, hand: Sequence[Card], place: Place, wanted: tuple[int, int, int]
) -> Iterator[tuple[Place, tuple[Card, ...]]]:
    """The place given and so many naturals, twos and jokers, if they are held and may lie there with the top card."""
    if why_not_with_cards(standing, family_of(place), place) is not None:
        return
    naturals, twos, jokers = wanted
    cards = picked(hand, ((natural_kind(place), naturals), (TWO, twos), (JOKER, jokers)))
    if len(cards) == sum(wanted) and why_not_join(standing, place, naturals + 1, twos, jokers) is None:
        yield place, cards
