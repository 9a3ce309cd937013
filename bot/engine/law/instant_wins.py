"""Instant wins: whether a canasta that wins the game can still be made in this turn.

A turn in which the game is won needs no other end: the seat need not keep a card or meet a condition for going out. The
exception is a seat that must go out and can do so: it may not win in another way.

Decides `docs/rules/themes.md` and `docs/law/variants.md 2`. Reads `auto_win`, `canasta_size`, `open_waiver`, `theme`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from bot.engine.cards.cards import BLACK_THREE, JOKER, TWO
from bot.engine.cards.meld_places import RUN, Place, family_of
from bot.engine.law.initial_meld import has_opened, place_of_waiving_canasta
from bot.engine.law.turn_end import can_open_without_top, may_not_meld_more, why_not_end_turn
from bot.engine.melds.canastas import AUTO_WIN_CANASTAS
from bot.engine.moves.refusals import Code, Refusal
from bot.engine.reach.merging_melds import standings_after_mergers
from bot.engine.reach.opening_goals import goals_of_turn, place_of_uncounted_top, remaining_goals
from bot.engine.reach.opening_points import can_reach_goal
from bot.engine.reach.step_search import can_complete_canasta, can_reach_end, ways_to_lay_at_one_place
from bot.engine.reach.turn_outlook import Outlook, Standing
from bot.engine.table import themes_in_force
from bot.engine.table.state import State
from bot.engine.table.state_queries import coming_card


def why_not_end_or_win(state: State, outlook: Outlook, top_place: Place | None = None) -> Refusal | None:
    """Return the refusal if the turn cannot end legally from here and cannot win the game, else None."""
    refusal = why_not_end_turn(state, outlook, top_place)
    if refusal is None or not state.rules.wins_at_once or refusal.code in _MUST_GO_OUT:
        return refusal
    return None if may_still_win(state, outlook, top_place) else refusal


_MUST_GO_OUT: Final = (Code.PARTNER_SAID_YES, Code.OUT_ANNOUNCED)
"""The codes of refusals for a seat that must go out if it can."""


def may_still_win(state: State, outlook: Outlook, top_place: Place | None) -> bool:
    """Return whether the side in turn, open or opening, can still make a canasta that wins."""
    if not has_opened(state, outlook, top_place):
        return _may_open_and_win(state, outlook, top_place)
    card = coming_card(state) if outlook.below == 1 else None
    hand = outlook.hand if card is None else tuple(sorted((*outlook.hand, card)))
    return _can_win(state, replace(outlook, hand=() if may_not_meld_more(state, outlook) else hand))


def has_won(state: State, standing: Standing) -> bool:
    """Return whether these melds of the side in turn win the game once it has opened."""
    if state.rules.auto_win != "none" and standing.spread.canastas >= AUTO_WIN_CANASTAS:
        return True
    return bool(state.rules.theme) and themes_in_force.has_winning_canasta(state, standing.melds.values())


def _can_win(state: State, outlook: Outlook) -> bool:
    """Return whether an open side can meld cards, and merge melds, such that the game is won.

    Callers ask this only for at most one card in the hand, or if a run binds the seat, so few ways are tried.
    """

    def has_won_at(outlook: Outlook) -> bool | None:
        standings = standings_after_mergers(outlook.standing)
        return True if any(has_won(state, standing) for standing in standings) else None

    def outlooks_after_merging(outlook: Outlook) -> Iterator[Outlook]:
        for standing in standings_after_mergers(outlook.standing):
            yield from _outlooks_after_next_meld(replace(outlook, standing=standing))

    return _has_enough_for_winning_canasta(state, outlook) and can_reach_end(
        outlook, has_won_at, outlooks_after_merging
    )


def _may_open_and_win(state: State, outlook: Outlook, top_place: Place | None) -> bool:
    """Return whether a side can open with a canasta that wins; no card must be kept then."""
    if not _has_enough_for_winning_canasta(state, outlook):
        return False
    ways = (
        [outlook]
        if has_won(state, outlook.standing)
        else [way for way in _outlooks_after_next_meld(outlook) if has_won(state, way.standing)]
    )
    return any(_can_open_side(state, way, top_place) for way in ways)


def _can_open_side(state: State, outlook: Outlook, top_place: Place | None) -> bool:
    """Return whether the side can open with its melds and the whole hand."""
    if has_opened(state, outlook, top_place):
        return True
    missing = remaining_goals(goals_of_turn(state), outlook.laid_points)
    if any(can_reach_goal(outlook.standing, outlook.hand, goal, keep=0) for goal in missing):
        uncounted_top = place_of_uncounted_top(state.rules, top_place)
        return uncounted_top is None or can_open_without_top(state, outlook, uncounted_top, keep=0)
    waiving = place_of_waiving_canasta(state.rules, top_place)
    return waiving is not None and can_complete_canasta(outlook.standing, outlook.hand, waiving, missing, keep=0)


def _has_enough_for_winning_canasta(state: State, outlook: Outlook) -> bool:
    """Return whether a winning family has enough cards for a canasta, with all wild cards."""
    rules, melds = state.rules, outlook.standing.melds.values()
    families = themes_in_force.winning_families(state)
    if rules.auto_win != "none":
        most = outlook.standing.spread.canastas + len(outlook.hand) + len(melds)  # merging can only lower this number
        if most >= AUTO_WIN_CANASTAS:
            return True
    wilds = sum([card >> 2 in (TWO, JOKER) for card in outlook.hand])
    return any(
        sum([len(meld.cards) for meld in melds if family_of(meld.place) == family])
        + wilds
        + sum([card & 3 == family - RUN if family >= RUN else card >> 2 == family for card in outlook.hand])
        >= rules.canasta_size
        for family in families
    )


def _outlooks_after_next_meld(outlook: Outlook) -> Iterator[Outlook]:
    """Yield the turn after each way to meld some of the hand at one place.

    Black threes are left out, because they may be melded only in going out.
    """
    size = outlook.standing.rules.canasta_size
    for place, cards in ways_to_lay_at_one_place(outlook.standing, outlook.hand):
        after, lying = outlook.after_laying(place, cards), outlook.standing.melds.get(place)
        meld = after.standing.melds[place]
        made = meld.size >= size and (lying is None or lying.size < size)
        if place != BLACK_THREE and not (made and not outlook.standing.may_make_canasta(meld)):
            yield after
