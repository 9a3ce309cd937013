"""Opening from the hand before taking the pile.

A side that has not opened may begin its turn without drawing: it melds its whole initial meld from the hand, and then
must take the pile with cards kept for that. The top card neither counts for the initial meld nor joins its melds. A
step before the draw is legal only if the rest of the hand, without the kept cards, can still complete the initial meld,
and the pile can be taken then. House rules may leave other ways to claim the top card; `bot.engine.law.meld_refusals`
searches those. The melds may be taken back, and a card drawn instead.

Decides `docs/law/variants.md 3.10`. Reads `auto_win`, `canasta_size`, `meld_max`, `open_pile`, `take_open`, `theme`,
`top_blocks`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from bot.engine.cards.cards import ACE, JOKER, RANK_LETTERS, SEVEN, TWO, Card, Kind
from bot.engine.cards.meld_places import Place
from bot.engine.law.top_card_claims import why_not_meld_top
from bot.engine.law.turn_end import cards_to_keep
from bot.engine.moves import phases
from bot.engine.moves.refusals import Code, Detail, Refusal
from bot.engine.reach.opening_goals import Goal, is_goal_reached, remaining_goals
from bot.engine.reach.opening_points import can_reach_goal
from bot.engine.reach.refusals_of_set_melds import why_not_join
from bot.engine.reach.turn_outlook import Outlook, Standing
from bot.engine.table import themes_in_force
from bot.engine.table.state import State
from bot.engine.table.state_queries import is_frozen_for, naturals_needed, number_of_coming_cards


def may_open_from_hand(state: State) -> bool:
    """Return whether the seat whose turn begins may start its initial meld before the draw."""
    if state.rules.open_pile != "hand_first" or state.phase is not phases.DRAW:
        return False
    if state.opened[state.side] and not state.started:
        return False
    if state.rules.theme and themes_in_force.why_themes_forbid_taking(state) is not None:
        return False
    if not state.pile or state.pile[-1] >> 2 > ACE:
        return False
    return state.pile[-1] >> 2 != SEVEN or "7" not in state.rules.top_blocks


def must_take_with_naturals(state: State) -> bool:
    """Return whether only naturals of the pile's top rank can take it, even for an open side."""
    return is_frozen_for(state, opened=True) or state.rules.take_open == _ONLY_PAIRS


_ONLY_PAIRS: Final = frozenset({"pair"})


def may_meld_before_draw(state: State) -> bool:
    """Return whether the side may open before the draw and holds enough naturals to take the pile."""
    if not may_open_from_hand(state):
        return False
    if not must_take_with_naturals(state) or state.rules.wins_at_once:
        return True
    return state.packed[state.turn] >> 8 * (state.pile[-1] >> 2) & 127 >= naturals_needed(state, opened=True)


def must_take_pile(state: State) -> bool:
    """Return whether the seat has melded before the draw and still must take the pile."""
    return state.phase is phases.DRAW and bool(state.started)


def why_not_open_and_claim(state: State, opening: Outlook, goals: Sequence[Goal], *, needed: int) -> Refusal | None:
    """Return the refusal if the side cannot open from its hand and then claim the pile, else None.

    `opening` is the turn so far; `needed` is the number of naturals that claim the pile.
    """
    rules = state.rules
    kind = state.pile[-1] >> 2
    held = sum(card >> 2 == kind for card in opening.hand)
    if held < needed:
        return Refusal(Code.TAKE_KEEP_CARDS, {"kind": RANK_LETTERS[kind], "held": held, "required": needed})
    opened = state.opened[state.side]
    if opened or is_goal_reached(rules, goals, opening.laid_points, opening.standing.melds.values()):
        if not _can_claim_pile(opening.standing, kind, needed):
            return Refusal(Code.TAKE_NO_ROOM, {"kind": RANK_LETTERS[kind], "allowed": rules.meld_max or 0})
        left, required = len(opening.hand) - needed + number_of_coming_cards(state), cards_to_keep(state)
        return None if left >= required else Refusal(Code.TAKE_KEEP_CARDS_LEFT, {"left": left, "required": required})
    if any(_can_reach_goal(state, way, goals, needed) for way in _ways_with_top_rank(opening, kind, needed)):
        return None
    detail: Detail = {"count": opening.laid_points, "required": goals[0].points, "kind": RANK_LETTERS[kind]}
    return Refusal(Code.OPENING_NOT_FROM_HAND, detail)


def _can_claim_pile(standing: Standing, kind: Kind, needed: int) -> bool:
    """Return whether the top card and `needed` naturals can form a meld or join one of the side."""
    open_to = [place for place in standing.possible_places(kind) if why_not_meld_top(standing, kind, place) is None]
    return any(
        why_not_join(standing, place, needed + 1, 0, 0) is None
        and _may_meld_become_canasta(standing, place, needed + 1)
        for place in open_to
    )


def _may_meld_become_canasta(standing: Standing, place: Place, count: int) -> bool:
    """Return whether themes let the meld at that place become a canasta with `count` more cards."""
    lying = standing.melds.get(place)
    if standing.limits is None or lying is None:
        return True
    return not lying.size < standing.rules.canasta_size <= lying.size + count or standing.may_make_canasta(lying)


def _ways_with_top_rank(opening: Outlook, kind: Kind, needed: int) -> Iterator[Outlook]:
    """Yield each way to meld cards of the top card's rank after which the pile can be claimed.

    `needed` cards of the rank are kept for that.
    """
    own = [card for card in opening.hand if card >> 2 == kind]
    twos = [card for card in opening.hand if card >> 2 == TWO]
    jokers = [card for card in opening.hand if card >> 2 == JOKER]
    for naturals in range(len(own) - needed + 1):
        for two in range(len(twos) + 1):
            for joker in range(len(jokers) + 1):
                cards = (*own[:naturals], *twos[:two], *jokers[:joker])
                way = _outlook_after_melding(opening, kind, cards, (naturals, two, joker)) if cards else opening
                if way is not None and _can_claim_pile(way.standing, kind, needed):
                    yield way


def _outlook_after_melding(
    opening: Outlook, kind: Kind, cards: Sequence[Card], counts: tuple[int, int, int]
) -> Outlook | None:
    """Return the turn after these cards of one rank are melded; None if no meld takes them."""
    standing = opening.standing
    places = [place for place in standing.possible_places(kind) if why_not_join(standing, place, *counts) is None]
    return opening.after_laying(places[0], cards) if places else None


def _can_reach_goal(state: State, way: Outlook, goals: Sequence[Goal], needed: int) -> bool:
    """Return whether one of the goals can be reached by ranks other than that of the pile's top."""
    kind = state.pile[-1] >> 2
    if is_goal_reached(state.rules, goals, way.laid_points, way.standing.melds.values()):
        return len(way.hand) - needed + number_of_coming_cards(state) >= cards_to_keep(state)
    rest = tuple(card for card in way.hand if card >> 2 != kind)
    own = len(way.hand) - len(rest)
    keep = max(0, cards_to_keep(state) - number_of_coming_cards(state) - (own - needed))
    standing = way.standing.without_rank(kind)
    missing = remaining_goals(goals, way.laid_points)
    return any(can_reach_goal(standing, rest, goal, keep=keep) for goal in missing)
