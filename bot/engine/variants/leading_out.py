"""Leading out: whether the seat in turn can go out, if it says so, where more than sets of one rank is in the game.

What it has said does not matter here. The pile counts as far as it has been seen: cards that lie face down do not, and
a card that comes from the stock can only be counted on to be discarded.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine import phases
from bot.engine.actions import Take
from bot.engine.cards import JOKER, TWO, Card
from bot.engine.places import Place
from bot.engine.queries import gathered_cards, melds_no_more
from bot.engine.sorted_cards import meld_of, points_of, together, without
from bot.engine.state import State
from bot.engine.taking import why_not_claim
from bot.engine.themes.force import forbids_out
from bot.engine.variants import foot, showing
from bot.engine.variants import taking as varied
from bot.engine.variants.bounds import is_far_from_out
from bot.engine.variants.ending_turns import (
    Outlook,
    finishes,
    free_goals,
    goals_in,
    has_opened,
    is_out,
    lays_no_more,
    out_goals,
    outlook_of,
    still_missing,
)
from bot.engine.variants.finishing import lays_down
from bot.engine.variants.last_card import may_open_and_go_out
from bot.engine.variants.leaving import never_last
from bot.engine.variants.openings import Goal
from bot.engine.variants.standing import Standing


def can_go_out(state: State) -> bool:
    """Whether the hand can be laid down from here, all but one card; before the draw, whether it can as it is.

    Or, before the draw, whether the pile can be taken so that it can.
    """
    if is_held_in(state):
        return False
    if state.phase is not phases.DRAW:
        return _leads_out(state, outlook_of(state), state.claimed) if state.aside else _lays_down(state)
    drawn = bool(state.stock) and not state.started  # who has laid melds before the draw takes the pile
    return (drawn and _lays_down(state)) or any(_leads_out_with(state, take) for take in _takes(state))


def is_held_in(state: State) -> bool:
    """Whether something else than cards keeps the seat from going out in this turn: a foot, red threes, a theme.

    Or that its canastas did not lie there before.
    """
    if foot.why_not_reached(state) is not None or not state.ready:
        return True
    return bool(state.rules.theme) and forbids_out(state) is not None


def leaves_none(state: State) -> bool:
    """Whether the hand of a seat that has drawn can be laid down to the last card, whatever has to be discarded."""
    now = outlook_of(state)
    return not state.aside and finishes(now.standing, now.hand, _goals(state, from_stock=now.from_stock), spare=0)


def _lays_down(state: State) -> bool:
    """Whether the hand can be laid down but for one card; before a draw as if it had come from the stock."""
    if melds_no_more(state):
        return is_out(state, outlook_of(state))
    hand, counts = state.hands[state.turn], state.packed[state.turn]
    if is_far_from_out(state.rules, state.spreads[state.side], hand, counts):
        return False
    goals = _goals(state, from_stock=state.drew != "pile")
    return lays_down(outlook_of(state).standing, hand, counts, goals, spare=1, regrouping=True)


def _goals(state: State, *, from_stock: bool) -> Sequence[Goal]:
    """What has still to be laid: nothing more by a side that has opened, or that needs no minimum in going out."""
    waived = from_stock and "concealed" in state.rules.open_waiver
    if state.opened[state.side] or waived:
        return free_goals(state)
    return still_missing(goals_in(state), state.laid_points)


# --- the pile --------------------------------------------------------------------------------------------------------


def _takes(state: State) -> Sequence[Take]:
    """The ways to take the pile that the cards held allow, whatever the turn comes to after them."""
    if not state.pile:
        return ()
    found = showing.candidates(state) if state.pile[-1] >> 2 == TWO else varied.candidates(state)
    return [take for take in found if why_not_claim(state, take) is None]


def _leads_out_with(state: State, take: Take) -> bool:
    """Whether the seat can go out in this turn when it has taken the pile so."""
    now = outlook_of(state)
    top = state.pile[-1]
    if top >> 2 == TWO:  # the twos are shown, and all comes to the hand
        return _leads_out(state, Outlook(now.standing, together(now.hand, (top,)), now.laid_points, 0, False), None)
    wanted = ((top >> 2, take.naturals), (TWO, take.twos), (JOKER, take.jokers))
    cards = tuple([card for kind, count in wanted for card in [one for one in now.hand if one >> 2 == kind][:count]])
    place = varied.place_of(state, take)
    lying = now.standing.melds.get(place)
    meld = meld_of(place, together(() if lying is None else lying.cards, (*cards, top)))
    points = now.laid_points + points_of(state.rules, (*cards, top) if state.rules.open_count_top else cards)
    hand = without(now.hand, cards)
    return _leads_out(state, Outlook(now.standing.with_meld(meld), hand, points, 0, from_stock=False), place)


def _leads_out(state: State, now: Outlook, claimed: Place | None) -> bool:
    """Whether the seat can go out from where the pile's top is laid, the rest of it coming when the side has opened."""
    if has_opened(state, now, claimed):
        return _finishes_with_pile(state, now)
    if not lays_no_more(state, now) and not _finishes_with_pile(state, now):
        return False

    def ends(standing: Standing, hand: tuple[Card, ...], points: int) -> bool | None:
        after = Outlook(standing, hand, points, 0, from_stock=False)
        return _finishes_with_pile(state, after) if has_opened(state, after, claimed) else None

    return may_open_and_go_out(now.standing, now.hand, now.laid_points, ends)


def _finishes_with_pile(state: State, now: Outlook) -> bool:
    """Whether an open side's hand, and what is seen of the pile, can be laid down but for one card."""
    rules = state.rules
    hand = together(now.hand, gathered_cards(state))
    unknown = min(rules.draw_with_pile, len(state.stock))
    if lays_no_more(state, now):
        return is_out(state, Outlook(now.standing, hand, 0, unknown, from_stock=False), before=True)
    if not unknown:
        return finishes(now.standing, hand, out_goals(state))
    if unknown > 1 or rules.out_discard == "forbidden" or never_last(rules):
        return False
    return finishes(now.standing, hand, out_goals(state), spare=0)
