"""The end of a turn: whether it can still be reached legally after the melds so far.

A turn ends by a discard, by picking up a foot, or by going out; a side that has begun its initial meld must complete it
first (`bot.engine.law.initial_meld`). `bot.engine.reach` searches what a hand can still do. Each function returns a
`Refusal` or None, or a bool. A hand must keep some cards for the turn to end without going out.

Decides `docs/law/classic.md 1.11, 1.15, 1.19, 1.23` and `docs/law/variants.md 3.3, 3.10, 3.11, 3.12`. Reads
`canasta_size`, `foot_pickup`, `meld_after_take`, `open_shape`, `open_waiver`, `out_discard`, `talon`, `theme`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.engine.cards.cards import Card
from bot.engine.cards.meld_places import Place
from bot.engine.cards.packed_counts import LANES_OF
from bot.engine.law import foot_and_talon
from bot.engine.law.discard_bans import held_lanes
from bot.engine.law.going_out_refusals import cannot_go_out_refusal, must_go_out_refusal
from bot.engine.law.initial_meld import has_opened, is_minimum_waived, place_of_waiving_canasta, why_opening_unreachable
from bot.engine.melds.canastas import why_too_few_canastas
from bot.engine.melds.table_meld import without_cards
from bot.engine.moves import phases
from bot.engine.moves.refusals import Code, Detail, Refusal
from bot.engine.reach.going_out_search import NO_DEMANDS, can_finish, kinds_never_last
from bot.engine.reach.opening_goals import (
    NEEDING_CLEAN,
    Goal,
    goals_for_minimum,
    goals_of_turn,
    place_of_uncounted_top,
    remaining_goals,
)
from bot.engine.reach.opening_points import can_reach_goal
from bot.engine.reach.step_search import can_complete_canasta, may_open_and_end
from bot.engine.reach.turn_outlook import Outlook, Standing, opens_in_this_turn, outlook_of
from bot.engine.table import themes_in_force
from bot.engine.table.state import State
from bot.engine.table.state_queries import (
    coming_card,
    coming_kind,
    going_out_obligation,
    has_run_grown,
    may_not_discard,
    may_not_meld,
)

MOST_KEPT: Final = 2
"""The most cards that a seat may have to keep to end its turn: one to discard, and one to hold."""


def may_leave_cards(state: State, left: int) -> bool:
    """Return whether the seat in turn can end its turn without going out when `left` cards are left."""
    return left >= MOST_KEPT or left >= cards_to_keep(state)


def cards_to_keep(state: State) -> int:
    """Return the number of cards that the seat in turn must keep to end the turn without going out.

    It is usually two. It is one, the discard, if the seat gets a talon when its side opens
    (`bot.engine.law.foot_and_talon`), unless it holds a card that may not be the last discard. It is also one if the
    seat ends its turn without a discard, and 0 if the seat picks up a foot when its hand is empty.
    """
    if state.rules.talon and foot_and_talon.talon_size_due(state):
        banned = kinds_never_last(state.rules)  # a single card of these kinds could not be discarded
        return MOST_KEPT if banned and held_lanes(state) & LANES_OF[banned] else 1
    if state.rules.foot_pickup == "hand_empty" and foot_and_talon.has_foot_waiting(state, state.turn):
        return 0
    return 1 if may_not_discard(state) else MOST_KEPT


def may_keep_one_card(state: State) -> bool:
    """Return whether one card may be enough to end the turn although `cards_to_keep` is two.

    It is enough if that card may be the last discard, and the seat gets a talon.
    """
    return (
        bool(state.rules.talon) and bool(kinds_never_last(state.rules)) and bool(foot_and_talon.talon_size_due(state))
    )


def can_end_turn_keeping(state: State, hand: Sequence[Card], below: int) -> bool:
    """Return whether the turn can end without going out if the seat keeps these cards.

    `below` more cards come from the pile.
    """
    left = len(hand) + below
    if left >= cards_to_keep(state):
        return True
    if left != 1 or not may_keep_one_card(state):
        return False
    return (hand[0] >> 2 if hand else coming_kind(state)) not in (None, *kinds_never_last(state.rules))


def can_reach_goal_keeping_one_card(
    state: State, standing: Standing, hand: tuple[Card, ...], goals: Sequence[Goal], *, below: int
) -> bool:
    """Return whether the hand can reach one of the goals and keep a card that may be the last discard.

    `below` cards still come from the pile.
    """
    if not may_keep_one_card(state):
        return False
    banned = kinds_never_last(state.rules)
    if not below:
        rests = [without_cards(hand, (card,)) for card in dict.fromkeys(hand) if card >> 2 not in banned]
        return any(can_reach_goal(standing, rest, goal, keep=0) for goal in goals for rest in rests)
    if below > 1 or coming_kind(state) in (None, *banned):
        return False
    return any(can_reach_goal(standing, hand, goal, keep=0) for goal in goals)


def goals_without_minimum(state: State) -> tuple[Goal, ...]:
    """Return the goals of a seat that goes out and whose side needs no minimum to open.

    The demands of rules and themes on an initial meld, besides points, remain.
    """
    if not state.rules.theme or state.opened[state.side]:
        return goals_besides_canastas(state)
    groups = themes_in_force.rank_groups_for_opening(state)
    return tuple([Goal(0, goal.demand, groups=groups) for goal in goals_besides_canastas(state)])


def goals_when_going_out(state: State, laid_points: int, *, from_stock: bool) -> Sequence[Goal]:
    """Return the goals that the melds of this turn must reach when going out.

    They need no points if the side has opened, or needs no minimum in going out (`goals_without_minimum`).
    """
    if state.opened[state.side] or is_minimum_waived(state, from_stock=from_stock):
        return goals_without_minimum(state)
    return remaining_goals(goals_of_turn(state), laid_points)


def goals_besides_canastas(state: State) -> tuple[Goal, ...]:
    """Return the demands besides canastas when a side goes out.

    A side that opens in this turn may need a clean meld; any other needs nothing.
    """
    rules = state.rules
    if rules.open_shape not in NEEDING_CLEAN or not opens_in_this_turn(state):
        return NO_DEMANDS
    return tuple([Goal(0, goal.demand) for goal in goals_for_minimum(rules, minimum=0)])


def why_not_end_turn(state: State, outlook: Outlook, top_place: Place | None = None) -> Refusal | None:
    """Return the refusal if the turn cannot end legally from here, else None."""
    left = len(outlook.hand) + outlook.below
    bound = _obligation_after_laying(state)
    if not has_opened(state, outlook, top_place):
        return _why_cannot_open(state, outlook, top_place)
    keep = cards_to_keep(state)
    stays = left >= keep or can_end_turn_keeping(state, outlook.hand, outlook.below)
    if bound is not True and (stays or (left and _has_earned_foot_by_canasta(state, outlook))):
        return None
    if (
        bound is not False
        and keep
        and (
            can_go_out_now(state, outlook, goals_besides_canastas(state)) or _can_go_out_with_pile_card(state, outlook)
        )
    ):
        return None
    if bound is True and can_obliged_seat_go_out(state):
        return _must_go_out_refusal(state, left)
    return None if stays else _cannot_go_out_refusal(state, outlook)


def _obligation_after_laying(state: State) -> bool | None:
    """Return `going_out_obligation` as it holds after laying: True, False, or None if the seat is free.

    A seat that asked before drawing may still take the pile and look for a way out (`S0 1.4.l`): a yes binds it only
    when the pile has come to its hand. A seat that has added to a finished run must go out.
    """
    bound = going_out_obligation(state)
    if bound is None and has_run_grown(state):
        return True
    return None if bound and (state.aside or state.phase is phases.DRAW) else bound


def _must_go_out_refusal(state: State, left: int) -> Refusal:
    """Return the refusal of a step after which a seat that must go out could not do so.

    `left` is the number of cards that would be left.
    """
    return must_go_out_refusal(state) if state.permission else Refusal(Code.RUN_GROWS_ONLY_OUT, {"left": left})


def _has_earned_foot_by_canasta(state: State, outlook: Outlook) -> bool:
    """Return whether the side has made a canasta in this turn for which a foot comes with the discard.

    Source: `docs/law/variants.md 3.12`.
    """
    return foot_and_talon.may_earn_foot(state) and outlook.standing.spread.canastas > state.canastas_before


def can_go_out_now(state: State, outlook: Outlook, goals: Sequence[Goal]) -> bool:
    """Return whether the seat can meld all cards except a discard in this turn, and reach a goal."""
    if foot_and_talon.why_foot_forbids_out(state) is not None:
        return False
    if may_not_meld_more(state, outlook):
        return can_go_out_without_melding(state, outlook)
    if not outlook.below:
        return can_finish(outlook.standing, outlook.hand, goals, spare=most_cards_left_when_out(state))
    # The card that still comes from the pile will be the last discard, so its kind must be one that may be that.
    if state.rules.out_discard == "forbidden":
        return False
    banned = kinds_never_last(state.rules)
    if banned and coming_kind(state) in (None, *banned):
        return False
    return outlook.below == 1 and can_finish(outlook.standing, outlook.hand, goals, spare=0)


def _can_go_out_with_pile_card(state: State, outlook: Outlook) -> bool:
    """Return whether the hand can be melded down to one card after picking up the pile's only other card.

    All have seen that card.
    """
    card = coming_card(state) if outlook.below == 1 else None
    if card is None or may_not_meld_more(state, outlook) or foot_and_talon.why_foot_forbids_out(state) is not None:
        return False
    return can_finish(outlook.standing, tuple(sorted((*outlook.hand, card))), goals_besides_canastas(state))


def may_not_meld_more(state: State, outlook: Outlook) -> bool:
    """Return whether no melding is allowed after opening, because the pile was taken (`meld_after_take`)."""
    return not state.rules.meld_after_take and not outlook.from_stock


def can_go_out_without_melding(state: State, outlook: Outlook, *, before: bool = False) -> bool:
    """Return whether the seat goes out without melding more: by its last discard, or with no card left.

    Melds may be merged while it has a card. `before` says that cards were melded earlier in the turn, when melds may
    have been merged too.
    """
    hand, left = outlook.hand, len(outlook.hand) + outlook.below
    if left > 1 or state.rules.out_discard == ("forbidden" if left else "mandatory"):
        return False
    banned = kinds_never_last(state.rules) if left else ()
    if banned and (hand[0] >> 2 if hand else coming_kind(state)) in (None, *banned):
        return False
    return can_finish(outlook.standing, (), goals_besides_canastas(state), spare=0, regrouping=before or left == 1)


def most_cards_left_when_out(state: State) -> int:
    """Return the number of cards that may be left when going out: one, or none if there is no discard."""
    return 0 if may_not_discard(state) else 1


def can_obliged_seat_go_out(state: State) -> bool:
    """Return whether the seat in turn, which must go out, could do so now."""
    now = outlook_of(state)
    if may_not_meld(state):
        return can_go_out_without_melding(state, now)
    goals = goals_when_going_out(state, now.laid_points, from_stock=now.from_stock)
    return not now.below and can_finish(now.standing, now.hand, goals, spare=most_cards_left_when_out(state))


def _why_cannot_open(state: State, outlook: Outlook, top_place: Place | None) -> Refusal | None:
    """Return the refusal if a side cannot complete its initial meld in this turn, else None."""
    rules = state.rules
    bound = _obligation_after_laying(state)
    missing = remaining_goals(goals_of_turn(state), outlook.laid_points)
    keep = max(0, cards_to_keep(state) - outlook.below)
    reached = any(can_reach_goal(outlook.standing, outlook.hand, goal, keep=keep) for goal in missing)
    if not reached and state.rules.talon:
        reached = can_reach_goal_keeping_one_card(state, outlook.standing, outlook.hand, missing, below=outlook.below)
    uncounted_top = place_of_uncounted_top(rules, top_place)
    if reached and uncounted_top is not None:
        reached = can_open_without_top(state, outlook, uncounted_top, keep=keep)
    if reached and bound is not True:
        return None
    if _can_open_by_canasta(state, outlook, top_place, missing, keep):
        return None
    if may_not_meld_more(state, outlook):
        if keep and _can_open_with_few_cards(state, outlook, top_place):
            return None
    elif bound is not False and keep and outlook.below < 2:
        goals = goals_when_going_out(state, outlook.laid_points, from_stock=outlook.from_stock)
        if uncounted_top is None and can_go_out_now(state, outlook, goals):
            return None
        if _can_open_and_go_out(state, outlook, top_place):
            return None
        if bound is True and can_obliged_seat_go_out(state):
            return _must_go_out_refusal(state, len(outlook.hand) + outlook.below)
    if reached:
        return None
    return why_opening_unreachable(state, outlook, missing, keep=keep) or _cannot_go_out_refusal(state, outlook)


def _can_open_by_canasta(
    state: State, outlook: Outlook, top_place: Place | None, missing: Sequence[Goal], keep: int
) -> bool:
    """Return whether a canasta can open the side: one that brings the foot, or needs no minimum."""
    if (
        foot_and_talon.may_earn_foot(state)
        and not may_not_meld_more(state, outlook)
        and _can_reach_canasta(outlook, missing)
    ):
        return True
    waiving = place_of_waiving_canasta(state.rules, top_place)
    return waiving is not None and can_complete_canasta(outlook.standing, outlook.hand, waiving, missing, keep=keep)


def _can_open_with_few_cards(state: State, outlook: Outlook, top_place: Place | None) -> bool:
    """Return whether the side can open with fewer cards than end a turn: it goes out or gets its foot.

    No melding is allowed after the initial meld, so the order of melding matters.
    """

    def can_turn_end_at(after: Outlook) -> bool | None:
        if not has_opened(state, after, top_place):
            return None
        left = len(after.hand) + after.below
        if can_end_turn_keeping(state, after.hand, after.below) or (left and _has_earned_foot_by_canasta(state, after)):
            return True
        return (
            _obligation_after_laying(state) is not False
            and foot_and_talon.why_foot_forbids_out(state) is None
            and can_go_out_without_melding(state, after, before=True)
        )

    return may_open_and_end(outlook, can_turn_end_at)


def may_go_out(state: State, outlook: Outlook) -> bool:
    """Return whether the seat can go out in this turn from here."""
    if going_out_obligation(state) is False:
        return False
    if has_opened(state, outlook, state.claimed):
        return can_go_out_now(state, outlook, goals_besides_canastas(state)) or _can_go_out_with_pile_card(
            state, outlook
        )
    goals = goals_when_going_out(state, outlook.laid_points, from_stock=outlook.from_stock)
    if place_of_uncounted_top(state.rules, state.claimed) is None and can_go_out_now(state, outlook, goals):
        return True
    return outlook.below < 2 and _can_open_and_go_out(state, outlook, state.claimed)


def _can_reach_canasta(outlook: Outlook, missing: Sequence[Goal]) -> bool:
    """Return whether the initial meld can include the canasta that brings the foot.

    One card must remain to discard.
    """
    goals = [Goal(goal.points, "canasta", goal.wilds, goal.groups) for goal in missing if goal.demand == "none"]
    keep = max(0, 1 - outlook.below)
    return any(can_reach_goal(outlook.standing, outlook.hand, goal, keep=keep) for goal in goals)


def can_open_without_top(state: State, outlook: Outlook, uncounted_top: Place, *, keep: int) -> bool:
    """Return whether the hand can open the side with a clean meld that does not need the pile's top."""

    def can_turn_end_at(after: Outlook) -> bool | None:
        if not has_opened(state, after, uncounted_top):
            return None
        return len(after.hand) >= keep or can_end_turn_keeping(state, after.hand, after.below)

    return may_open_and_end(outlook, can_turn_end_at)


def _can_open_and_go_out(state: State, outlook: Outlook, top_place: Place | None) -> bool:
    """Return whether the side can open and go out in this turn, using the pile's only other card.

    The place of the top card matters in two ways: it may not count for the required clean meld, and a canasta made with
    it may open the side without the minimum.
    """
    top = place_of_uncounted_top(state.rules, top_place)
    if top is None:
        top = place_of_waiving_canasta(state.rules, top_place)

    def can_lead_to_going_out(after: Outlook) -> bool:
        return (
            top is not None and can_go_out_now(state, after, goals_besides_canastas(state))
        ) or _can_go_out_with_pile_card(state, after)

    def can_turn_end_at(after: Outlook) -> bool | None:
        return can_lead_to_going_out(after) if has_opened(state, after, top) else None

    return can_lead_to_going_out(outlook) and may_open_and_end(outlook, can_turn_end_at)


_NAMING_CARDS_TO_KEEP: Final = frozenset(
    {
        Code.NEEDS_CANASTA,
        Code.NEEDS_COUNTING_CANASTA,
        Code.NEEDS_CANASTA_KIND,
        Code.CANASTAS_NOT_BEFORE,
        Code.PARTNER_SAID_NO,
        Code.FOOT_WAITS,
        Code.PARTNER_FOOT_WAITS,
        Code.OUT_RED_THREES,
        Code.OUT_UNFINISHED,
        Code.THEME_NO_OUT,
        Code.THEME_OUT_NEEDS,
    }
)
"""The refusals that say how many cards must be kept, because the seat cannot go out in this turn."""


def _cannot_go_out_refusal(state: State, outlook: Outlook) -> Refusal:
    """Return the refusal for a seat that would be left with too few cards and cannot go out.

    In its detail, `left` is the number of cards that would be left, `keep` the number to keep, and `taking` 1 if the
    seat is about to take the pile.
    """
    left, spread = len(outlook.hand) + outlook.below, outlook.standing.spread
    refusal = foot_and_talon.why_foot_forbids_out(state) or cannot_go_out_refusal(state, spread, left=left)
    if refusal.code is Code.PARTNER_SAID_NO:  # a lack of canastas is the stronger reason, so it is named instead
        refusal = why_too_few_canastas(state.rules, spread.by_place.values(), left=left) or refusal
    if refusal.code not in _NAMING_CARDS_TO_KEEP:
        return refusal
    keep: Detail = {"left": left, "keep": cards_to_keep(state), "taking": int(state.phase is phases.DRAW)}
    return Refusal(refusal.code, {**refusal.detail, **keep})
