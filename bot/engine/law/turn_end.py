"""The end of a turn: whether one can be reached lawfully from what has been laid.

A turn ends by a discard, by taking up a foot, or by going out; a side that has begun its initial meld has to complete
it first (`bot.engine.law.initial_meld`). What a hand can still come to is asked of `bot.engine.reach`. Each function
answers with a `Refusal` or with None, or says yes or no.

Decides `docs/law/classic.md 1.11, 1.15, 1.23` and `docs/law/variants.md 3.3, 3.10, 3.12`. Reads `canasta_size`,
`meld_after_take`, `open_shape`, `open_waiver`, `out_discard`, `talon`, `theme`.

Keeping: how many cards have to stay in a hand for the turn to end without going out.

Decides `docs/law/classic.md 1.15, 1.19, 1.23`, and with feet and talons `docs/law/variants.md 3.10, 3.11`. Reads
`foot_pickup`, `talon`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.engine.cards.cards import Card
from bot.engine.cards.counts import LANES_OF
from bot.engine.cards.places import Place
from bot.engine.law import foot
from bot.engine.law.discards import held_lanes
from bot.engine.law.initial_meld import has_opened, waived_at, waives_minimum, why_unreachable
from bot.engine.law.out_refusals import cannot_go_out, said_yes
from bot.engine.melds.canastas import why_not_enough
from bot.engine.melds.melds import without
from bot.engine.moves import phases
from bot.engine.moves.refusals import Code, Detail, Refusal
from bot.engine.reach.finishing import FREE, can_finish, never_last
from bot.engine.reach.laying_last import may_complete, may_open_and_end
from bot.engine.reach.openings import NEEDING_CLEAN, Goal, goals_in, goals_of, still_missing, top_apart
from bot.engine.reach.reaching import reaches
from bot.engine.reach.standing import Outlook, Standing, opens_now, outlook_of
from bot.engine.table import force
from bot.engine.table.queries import (
    discards_no_more,
    gathered_card,
    gathered_kind,
    has_grown,
    melds_no_more,
    word,
)
from bot.engine.table.state import State

MOST_KEPT: Final = 2
"""The most cards that ever have to stay: one to discard, and one to hold."""


def may_leave(state: State, left: int) -> bool:
    """Whether the seat in turn can end its turn without going out when so many cards are left in its hand."""
    return left >= MOST_KEPT or left >= kept(state)


def kept(state: State) -> int:
    """How many cards the seat in turn has to keep for the turn to end without going out.

    Two as a rule. One, to be discarded, where cards of a talon are due to the seat if its side opens
    (`bot.engine.law.foot`), unless it holds a card that may not be the last discard. None while a foot waits that
    comes with an empty hand. One also where the seat discards no more.
    """
    if state.rules.talon and foot.due(state):
        banned = never_last(state.rules)  # such a card could not be the one
        return MOST_KEPT if banned and held_lanes(state) & LANES_OF[banned] else 1
    if state.rules.foot_pickup == "hand_empty" and foot.waits(state, state.turn):
        return 0
    return 1 if discards_no_more(state) else MOST_KEPT


def may_keep_one(state: State) -> bool:
    """Whether a single card is enough, though `kept` asks for two, if that card may be the last discard."""
    return bool(state.rules.talon) and bool(never_last(state.rules)) and bool(foot.due(state))


def may_stay(state: State, hand: Sequence[Card], below: int) -> bool:
    """Whether the turn can end without going out with these cards left, and `below` more that come from the pile."""
    left = len(hand) + below
    if left >= kept(state):
        return True
    if left != 1 or not may_keep_one(state):
        return False
    return (hand[0] >> 2 if hand else gathered_kind(state)) not in (None, *never_last(state.rules))


def reaches_keeping_one(
    state: State, standing: Standing, hand: tuple[Card, ...], goals: Sequence[Goal], *, below: int
) -> bool:
    """Whether the hand reaches one of the goals with a single card left that may be the last discard."""
    if not may_keep_one(state):
        return False
    banned = never_last(state.rules)
    if not below:
        rests = [without(hand, (card,)) for card in dict.fromkeys(hand) if card >> 2 not in banned]
        return any(reaches(standing, rest, goal, keep=0) for goal in goals for rest in rests)
    if below > 1 or gathered_kind(state) in (None, *banned):
        return False
    return any(reaches(standing, hand, goal, keep=0) for goal in goals)


def free_goals(state: State) -> tuple[Goal, ...]:
    """The goals of a hand that goes out without the minimum.

    What rules and themes demand of an initial meld beside points stays in them.
    """
    if not state.rules.theme or state.opened[state.side]:
        return out_goals(state)
    groups = force.groups(state)
    return tuple([Goal(0, goal.demand, groups=groups) for goal in out_goals(state)])


def goals_going_out(state: State, laid_points: int, *, from_stock: bool) -> Sequence[Goal]:
    """The goals that the melds of this turn have to reach in going out.

    They ask for no points where the side has opened, or needs no minimum in going out (`free_goals`).
    """
    if state.opened[state.side] or waives_minimum(state, from_stock=from_stock):
        return free_goals(state)
    return still_missing(goals_in(state), laid_points)


def out_goals(state: State) -> tuple[Goal, ...]:
    """What has to lie there, beside canastas, when a side goes out.

    A side that opens in this turn may need a clean meld; any other needs nothing.
    """
    rules = state.rules
    if rules.open_shape not in NEEDING_CLEAN or not opens_now(state):
        return FREE
    return tuple([Goal(0, goal.demand) for goal in goals_of(rules, minimum=0)])


def why_not_end(state: State, outlook: Outlook, claimed: Place | None = None) -> Refusal | None:
    """Why the turn cannot end lawfully from there any more: by no discard, no foot, and not by going out."""
    left = len(outlook.hand) + outlook.below
    bound = _bound(state)
    if not has_opened(state, outlook, claimed):
        return _why_not_opening(state, outlook, claimed)
    keep = kept(state)
    stays = left >= keep or may_stay(state, outlook.hand, outlook.below)
    if bound is not True and (stays or (left and _earns_foot(state, outlook))):
        return None
    if (
        bound is not False
        and keep
        and (goes_out(state, outlook, out_goals(state)) or _goes_out_with_last(state, outlook))
    ):
        return None
    if bound is True and could_finish(state):
        return _said_yes(state, left)
    return None if stays else _cannot_go_out(state, outlook)


def _bound(state: State) -> bool | None:
    """What binds the seat in turn about going out: True has to, False may not, None neither.

    A seat that asked before drawing may still take the pile, and sees then whether there is a way out (`S0 1.4.l`): a
    yes binds only once the pile has come to the hand. A seat that has added to a finished run has to go out.
    """
    bound = word(state)
    if bound is None and has_grown(state):
        return True
    return None if bound and (state.aside or state.phase is phases.DRAW) else bound


def _said_yes(state: State, left: int) -> Refusal:
    """The refusal for a seat that has to go out and could not any more."""
    return said_yes(state) if state.permission else Refusal(Code.RUN_GROWS_ONLY_OUT, {"left": left})


def _earns_foot(state: State, outlook: Outlook) -> bool:
    """Whether a foot comes for a canasta of this turn once the last card is discarded (`docs/law/variants.md 3.12`)."""
    return foot.may_be_earned(state) and outlook.standing.spread.canastas > state.canastas_before


def goes_out(state: State, outlook: Outlook, goals: Sequence[Goal]) -> bool:
    """Whether the seat can lay all its cards in this turn but for one, to be discarded, and reach one of the goals."""
    if foot.why_not_reached(state) is not None:
        return False
    if lays_no_more(state, outlook):
        return is_out(state, outlook)
    if not outlook.below:
        return can_finish(outlook.standing, outlook.hand, goals, spare=spare(state))
    # The card still to come can only be counted on to be discarded, if it may be the last one.
    if state.rules.out_discard == "forbidden":
        return False
    banned = never_last(state.rules)
    if banned and gathered_kind(state) in (None, *banned):
        return False
    return outlook.below == 1 and can_finish(outlook.standing, outlook.hand, goals, spare=0)


def _goes_out_with_last(state: State, outlook: Outlook) -> bool:
    """Whether all but one card can be laid once the single card left of the pile, which all have seen, has come."""
    card = gathered_card(state) if outlook.below == 1 else None
    if card is None or lays_no_more(state, outlook) or foot.why_not_reached(state) is not None:
        return False
    return can_finish(outlook.standing, tuple(sorted((*outlook.hand, card))), out_goals(state))


def lays_no_more(state: State, outlook: Outlook) -> bool:
    """Whether nothing is laid in this turn once the side has opened, since the pile was taken (`meld_after_take`)."""
    return not state.rules.meld_after_take and not outlook.from_stock


def is_out(state: State, outlook: Outlook, *, before: bool = False) -> bool:
    """Whether the seat goes out without laying another card: by its last discard, or with nothing left.

    Melds may be laid together while it has a card. `before` tells that something was laid before the last cards, so
    that melds may have been laid together then.
    """
    hand, left = outlook.hand, len(outlook.hand) + outlook.below
    if left > 1 or state.rules.out_discard == ("forbidden" if left else "mandatory"):
        return False
    banned = never_last(state.rules) if left else ()
    if banned and (hand[0] >> 2 if hand else gathered_kind(state)) in (None, *banned):
        return False
    return can_finish(outlook.standing, (), out_goals(state), spare=0, regrouping=before or left == 1)


def spare(state: State) -> int:
    """How many cards may be left in going out: one, to be discarded, unless nothing is discarded any more."""
    return 0 if discards_no_more(state) else 1


def could_finish(state: State) -> bool:
    """Whether the seat in turn, which has to go out, could do so as things stand."""
    now = outlook_of(state)
    if melds_no_more(state):
        return is_out(state, now)
    goals = goals_going_out(state, now.laid_points, from_stock=now.from_stock)
    return not now.below and can_finish(now.standing, now.hand, goals, spare=spare(state))


def _why_not_opening(state: State, outlook: Outlook, claimed: Place | None) -> Refusal | None:
    """Why a side that has laid too little so far cannot make its initial meld in this turn; None where it still can."""
    rules = state.rules
    bound = _bound(state)
    missing = still_missing(goals_in(state), outlook.laid_points)
    keep = max(0, kept(state) - outlook.below)
    reached = any(reaches(outlook.standing, outlook.hand, goal, keep=keep) for goal in missing)
    if not reached and state.rules.talon:
        reached = reaches_keeping_one(state, outlook.standing, outlook.hand, missing, below=outlook.below)
    topped = top_apart(rules, claimed)
    if reached and topped is not None:
        reached = opens_apart(state, outlook, topped, keep=keep)
    if reached and bound is not True:
        return None
    if _opens_by_canasta(state, outlook, claimed, missing, keep):
        return None
    if lays_no_more(state, outlook):
        if keep and _opens_with_few(state, outlook, claimed):
            return None
    elif bound is not False and keep and outlook.below < 2:
        goals = goals_going_out(state, outlook.laid_points, from_stock=outlook.from_stock)
        if topped is None and goes_out(state, outlook, goals):
            return None
        if _opens_and_goes_out(state, outlook, claimed):
            return None
        if bound is True and could_finish(state):
            return _said_yes(state, len(outlook.hand) + outlook.below)
    if reached:
        return None
    return why_unreachable(state, outlook, missing, keep=keep) or _cannot_go_out(state, outlook)


def _opens_by_canasta(
    state: State, outlook: Outlook, claimed: Place | None, missing: Sequence[Goal], keep: int
) -> bool:
    """Whether a canasta can open the side: one that brings the foot, or one that needs no minimum."""
    if foot.may_be_earned(state) and not lays_no_more(state, outlook) and _reaches_canasta(outlook, missing):
        return True
    waiving = waived_at(state.rules, claimed)
    return waiving is not None and may_complete(outlook.standing, outlook.hand, waiving, missing, keep=keep)


def _opens_with_few(state: State, outlook: Outlook, claimed: Place | None) -> bool:
    """Whether the side can open with fewer cards left than a turn ends with, because it goes out or its foot comes.

    Nothing more is laid once the initial meld is made, so the order in which melds are laid matters.
    """

    def ends(after: Outlook) -> bool | None:
        if not has_opened(state, after, claimed):
            return None
        left = len(after.hand) + after.below
        if may_stay(state, after.hand, after.below) or (left and _earns_foot(state, after)):
            return True
        return _bound(state) is not False and foot.why_not_reached(state) is None and is_out(state, after, before=True)

    return may_open_and_end(outlook, ends)


def may_go_out(state: State, outlook: Outlook) -> bool:
    """Whether the seat can go out in this turn from there."""
    if word(state) is False:
        return False
    if has_opened(state, outlook, state.claimed):
        return goes_out(state, outlook, out_goals(state)) or _goes_out_with_last(state, outlook)
    goals = goals_going_out(state, outlook.laid_points, from_stock=outlook.from_stock)
    if top_apart(state.rules, state.claimed) is None and goes_out(state, outlook, goals):
        return True
    return outlook.below < 2 and _opens_and_goes_out(state, outlook, state.claimed)


def _reaches_canasta(outlook: Outlook, missing: Sequence[Goal]) -> bool:
    """Whether the initial meld can hold a canasta that brings the foot, one card being kept to discard."""
    goals = [Goal(goal.points, "canasta", goal.wilds, goal.groups) for goal in missing if goal.demand == "none"]
    keep = max(0, 1 - outlook.below)
    return any(reaches(outlook.standing, outlook.hand, goal, keep=keep) for goal in goals)


def opens_apart(state: State, outlook: Outlook, topped: Place, *, keep: int) -> bool:
    """Whether the hand can open the side with a clean meld that does not rest on the top of the pile."""

    def ends(after: Outlook) -> bool | None:
        if not has_opened(state, after, topped):
            return None
        return len(after.hand) >= keep or may_stay(state, after.hand, after.below)

    return may_open_and_end(outlook, ends)


def _opens_and_goes_out(state: State, outlook: Outlook, claimed: Place | None) -> bool:
    """Whether the side can open and go out in the same turn, with the single card left of the pile, seen by all.

    Where the top card lies matters in two ways: it may not count to the clean meld that is needed, and a canasta made
    with it may open the side without the minimum.
    """
    top = top_apart(state.rules, claimed)
    if top is None:
        top = waived_at(state.rules, claimed)

    def leads_out(after: Outlook) -> bool:
        return (top is not None and goes_out(state, after, out_goals(state))) or _goes_out_with_last(state, after)

    def ends(after: Outlook) -> bool | None:
        return leads_out(after) if has_opened(state, after, top) else None

    return leads_out(outlook) and may_open_and_end(outlook, ends)


_HELD_IN: Final = frozenset(
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
"""The refusals that tell how many cards have to be kept: the seat cannot go out in this turn whatever it lays."""


def _cannot_go_out(state: State, outlook: Outlook) -> Refusal:
    """The refusal for a seat that would keep too few cards and cannot go out.

    `keep` tells how many it has to keep; `taking` that it would have `left` cards once it has taken the pile.
    """
    left, spread = len(outlook.hand) + outlook.below, outlook.standing.spread
    refusal = foot.why_not_reached(state) or cannot_go_out(state, spread, left=left)
    if refusal.code is Code.PARTNER_SAID_NO:  # canastas that are lacking come before the partner's word
        refusal = why_not_enough(state.rules, spread.by_place.values(), left=left) or refusal
    if refusal.code not in _HELD_IN:
        return refusal
    keep: Detail = {"left": left, "keep": kept(state), "taking": int(state.phase is phases.DRAW)}
    return Refusal(refusal.code, {**refusal.detail, **keep})
