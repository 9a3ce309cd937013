"""Checks whether the seat in turn can go out, and whether its side can make the canastas for it.

The checks serve a seat that wants to ask or announce (`bot.engine.law.asking_to_go_out`), and one that must go out and
wants to discard. Before the draw the pile counts as a way out. The stock does not, since its cards are unknown; but
when only the number of canastas is checked, an unknown card may be any card.

Decides `docs/law/classic.md 1.15`. Reads `canasta_size`, `draw`, `draw_with_pile`, `max_wilds`, `meld_kinds`,
`no_wild_ranks`, `open_count_top`, `open_waiver`, `out_canastas`, `out_discard`, `out_need`, `same_rank_melds`, `theme`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from bot.engine.cards.cards import BLACK_THREE, JOKER, NATURAL_KINDS, RANK_LETTERS, TWO, Card, Kind
from bot.engine.cards.meld_places import DEUCE_MELD, WILD_MELD, Family, Place, is_run
from bot.engine.cards.packed_counts import numbers_by_kind, pack_counts
from bot.engine.law import foot_and_talon
from bot.engine.law.drawing_or_taking import pile_taking_steps, place_for_top_card, possible_takes, why_not_claim
from bot.engine.law.initial_meld import has_opened
from bot.engine.law.turn_end import (
    can_go_out_without_melding,
    goals_besides_canastas,
    goals_when_going_out,
    may_not_meld_more,
    most_cards_left_when_out,
)
from bot.engine.melds.canastas import canastas_that_count
from bot.engine.melds.table_meld import TableMeld, merge_cards
from bot.engine.moves import phases
from bot.engine.moves.actions import Take
from bot.engine.reach.going_out_search import can_finish, can_lay_down, kinds_never_last
from bot.engine.reach.quick_bounds import is_far_from_out
from bot.engine.reach.step_search import may_open_and_end
from bot.engine.reach.turn_outlook import Outlook, outlook_of
from bot.engine.rules.rule_set import RuleSet, number_in_deal
from bot.engine.table.applying_meld_events import cards_melded_by
from bot.engine.table.state import State
from bot.engine.table.state_queries import coming_cards, may_not_meld, number_hidden_below_top, number_of_coming_cards
from bot.engine.table.themes_in_force import ban_on_going_out

# --- the required canastas --------------------------------------------------------------------------------------------


def may_have_enough_canastas(state: State, takes: Sequence[Take] | None = None) -> bool:
    """Return whether the side in turn has, or could have this turn, enough canastas to go out.

    Sorts of canastas, and whether all cards could be melded, are not checked. Before the draw a card from the stock may
    be any card. The pile counts if it can be taken: `takes` are the legal ways to take it, or None to compute them.
    """
    rules = state.rules
    lacking = rules.canastas_needed - canastas_that_count(rules, state.spreads[state.side])
    if lacking <= 0:
        return True
    if state.phase is not phases.DRAW:
        return _may_make_canastas(state, lacking, (), 0)
    drawn = min(number_in_deal(rules.draw, state.deal), len(state.stock))
    if drawn and _may_make_canastas(state, lacking, (), drawn):
        return True
    if not (pile_taking_steps(state) if takes is None else takes):
        return False
    unknown = number_hidden_below_top(state) + min(rules.draw_with_pile, len(state.stock))
    return _may_make_canastas(state, lacking, (state.pile[-1], *coming_cards(state)), unknown)


def _may_make_canastas(state: State, number: int, seen: tuple[Card, ...], more: int) -> bool:
    """Return whether the side could make `number` canastas.

    They may be made from the melds, the hand, the cards `seen`, and `more` unknown cards.

    Only the families that need the fewest cards count. Their missing cards must be covered by wild cards or unknown
    cards.
    """
    rules, spread = state.rules, state.spreads[state.side]
    size = rules.canasta_size
    there = numbers_by_kind(state.packed[state.turn] + pack_counts(seen) + spread.unfinished)
    wilds = there[TWO] + there[JOKER]
    lacks: list[int] = []
    if "set" in rules.meld_kinds:
        closed = spread.finished if rules.same_rank_melds == "one" else ()
        fewest = size - min(wilds, rules.max_wilds) - more
        for kind in NATURAL_KINDS:
            if there[kind] >= fewest and kind not in closed:
                room = _room_for_wilds(rules, kind, spread.families.get(kind, ()))
                lacks += [size - there[kind]] if size - there[kind] <= min(wilds, room) + more else []
    if "seq" in rules.meld_kinds:
        unfinished = [meld for meld in state.melds[state.side] if meld.size < size and is_run(meld.place)]
        cards = set(state.hands[state.turn]).union(seen, *[meld.cards for meld in unfinished])
        lacks += [lack for suit in range(4) if (lack := _cards_missing_for_run(cards, suit, size)) <= more]
    for name, family in _OF_WILD_CARDS:
        if name in rules.meld_kinds:
            begun = sum([meld.size for meld in spread.families.get(family, ()) if meld.size < size])
            lacks += [size - begun] if size - begun <= wilds + more else []
    lacks.sort()
    return len(lacks) >= number and sum([lack for lack in lacks[:number] if lack > 0]) <= wilds + more


def _room_for_wilds(rules: RuleSet, kind: Kind, melds: Iterable[TableMeld]) -> int:
    """Return the number of wild cards that could still be added to help a rank to its canasta.

    `melds` are the melds of the rank on the table.
    """
    if RANK_LETTERS[kind] in rules.no_wild_ranks:
        return 0
    lying = min([meld.wilds for meld in melds if meld.size < rules.canasta_size], default=0)
    return max(0, rules.max_wilds - lying)


def _cards_missing_for_run(cards: set[Card], suit: int, size: int) -> int:
    """Return the least number of missing cards for a run of `size` cards of that suit."""
    held = [(kind << 2 | suit) in cards for kind in NATURAL_KINDS]
    return min([size - sum(held[low : low + size]) for low in range(len(held) - size + 1)], default=size)


_OF_WILD_CARDS: Final[tuple[tuple[str, Family], ...]] = (("wild", WILD_MELD), ("deuce", DEUCE_MELD))


# --- melding the whole hand -------------------------------------------------------------------------------------------


def can_go_out(state: State) -> bool:
    """Return whether the seat in turn can meld its hand down to one card in this turn.

    Before the draw there are three ways: with the hand as it is; with all cards of the hand, if any drawn card can be
    the required discard; or after taking the pile.
    """
    if is_barred_from_going_out(state):
        return False
    if state.phase is not phases.DRAW:
        return (
            _can_go_out_with_top(state, outlook_of(state), state.claimed)
            if state.aside
            else _can_meld_all_but_one_card(state)
        )
    draws = bool(state.stock) and not state.started  # a seat that melded before the draw must take the pile
    if draws and (_can_meld_all_but_one_card(state) or _can_discard_drawn_card(state)):
        return True
    takes = [take for take in possible_takes(state) if why_not_claim(state, take) is None]
    return any(_can_go_out_after_taking(state, take) for take in takes)


def is_barred_from_going_out(state: State) -> bool:
    """Return whether the seat may not go out in this turn, whatever cards it holds.

    The reason is a foot, missing red threes, a theme, or canastas that were not there when the turn began.
    """
    if foot_and_talon.why_foot_forbids_out(state) is not None or not state.ready:
        return True
    return bool(state.rules.theme) and ban_on_going_out(state) is not None


def can_meld_whole_hand(state: State) -> bool:
    """Return whether the whole hand can be melded; a discard that the rules require is ignored.

    Before the draw the cards of the hand are treated as if they came from the stock.
    """
    now = outlook_of(state)
    goals = goals_when_going_out(state, now.laid_points, from_stock=state.drew != "pile")
    return not state.aside and can_finish(now.standing, now.hand, goals, spare=0)


def _can_discard_drawn_card(state: State) -> bool:
    """Return whether the seat could meld its whole hand and discard the card that it will draw.

    This is certain only if the seat draws one card, and the rules require a discard and allow every kind as the last
    one.
    """
    rules = state.rules
    needed = rules.out_discard == "mandatory" and number_in_deal(rules.draw, state.deal) == 1
    return needed and not kinds_never_last(rules) and can_meld_whole_hand(state)


def _can_meld_all_but_one_card(state: State) -> bool:
    """Return whether the hand can be melded down to one card.

    Before the draw, it is checked as if the hand came from the stock.
    """
    if may_not_meld(state):
        return can_go_out_without_melding(state, outlook_of(state))
    hand, counts = state.hands[state.turn], state.packed[state.turn]
    if is_far_from_out(state.rules, state.spreads[state.side], hand, counts):
        return False
    goals = goals_when_going_out(state, state.laid_points, from_stock=state.drew != "pile")
    return can_lay_down(
        outlook_of(state).standing, hand, counts, goals, spare=most_cards_left_when_out(state), regrouping=True
    )


# --- the pile ---------------------------------------------------------------------------------------------------------


def _can_go_out_after_taking(state: State, take: Take) -> bool:
    """Return whether the seat can go out in this turn after taking the pile this way."""
    now, top = outlook_of(state), state.pile[-1]
    if top >> 2 == TWO:  # the twos are shown, and the whole pile comes to the hand
        return _can_go_out_with_top(state, replace(now, hand=merge_cards(now.hand, (top,))), None)
    place = place_for_top_card(state, take)
    return _can_go_out_with_top(state, now.after_laying(place, cards_melded_by(state, take), top), place)


def _can_go_out_with_top(state: State, outlook: Outlook, top_place: Place | None) -> bool:
    """Return whether the seat can go out once the pile's top is melded.

    The rest of the pile comes when the side has opened.
    """
    if has_opened(state, outlook, top_place):
        return _can_finish_with_pile(state, outlook)
    if not may_not_meld_more(state, outlook) and not _can_finish_with_pile(state, outlook):
        return False

    def can_go_out_at(after: Outlook) -> bool | None:
        if BLACK_THREE in after.standing.melds and number_of_coming_cards(state) > 1:
            return False  # black threes must be melded last, but more cards will come
        return _can_finish_with_pile(state, after) if has_opened(state, after, top_place) else None

    return may_open_and_end(outlook, can_go_out_at)


def _can_finish_with_pile(state: State, outlook: Outlook) -> bool:
    """Return whether an open side can meld its hand and the visible pile down to one card."""
    rules = state.rules
    hand = merge_cards(outlook.hand, coming_cards(state))
    unknown = min(rules.draw_with_pile, len(state.stock))
    if may_not_meld_more(state, outlook):
        return can_go_out_without_melding(
            state, Outlook(outlook.standing, hand, 0, unknown, from_stock=False), before=True
        )
    if not unknown:
        return can_finish(outlook.standing, hand, goals_besides_canastas(state))
    if unknown > 1 or rules.out_discard == "forbidden" or kinds_never_last(rules):
        return False
    return can_finish(outlook.standing, hand, goals_besides_canastas(state), spare=0)
