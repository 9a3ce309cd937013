"""Building views from the state: the only way by which information leaves it."""

from __future__ import annotations

from functools import lru_cache

from bot.engine.cards.cards import Card
from bot.engine.law import opening_from_hand
from bot.engine.law.asking_to_go_out import required_declaration
from bot.engine.law.drawing_or_taking import why_pile_untakeable
from bot.engine.melds.canastas import canasta_kind
from bot.engine.melds.points import points_lost_by_hand, score_lines_on_table
from bot.engine.melds.table_meld import TableMeld
from bot.engine.moves.phases import Phase
from bot.engine.play.legal_steps import legal_actions
from bot.engine.rules.rule_set import RuleSet
from bot.engine.table.charged_penalties import minimum_raised_by, penalty_cards, penalty_points
from bot.engine.table.state import State, seat_to_act
from bot.engine.table.state_queries import is_freezing_card, may_not_meld, opening_canasta, opening_minimum
from bot.engine.table.views import MeldView, PileView, PublicView, ScoreTotal, SeatInfo, SeatView, SideView


def public_view(state: State) -> PublicView:
    """Return the view that all players at the table share."""
    return _public_view(state, state.turn)


def _public_view(state: State, viewer: int) -> PublicView:
    """Return the view that all players share, with the minimum that `viewer` needs in cut-throat."""
    rules = state.rules
    seating = state.seating
    return PublicView(
        rules=rules,
        deal=state.deal,
        dealer=state.dealer,
        phase=state.phase,
        turn=state.turn,
        turns=state.turns,
        actor=seat_to_act(state),
        drew=state.drew,
        permission=state.permission,
        stock=len(state.stock),
        pile=_pile_view(state),
        sides=tuple([_side_view(state, side, viewer) for side in range(seating.sides)]),
        seats=tuple([_seat_info(state, seat) for seat in range(rules.players)]),
        results=state.results,
        winner=state.winner,
        playing=seating.seats,
        totals=tuple([ScoreTotal(rules.seats_of(number), score) for number, score in enumerate(state.scores)]),
        alone=state.alone,
        ready=state.ready,
        laying=not may_not_meld(state),
    )


def seat_view(state: State, seat: int) -> SeatView:
    """Return the view of one seat.

    Raises `IndexError` for a seat that does not exist.
    """
    if not 0 <= seat < state.rules.players:
        raise IndexError(f"no seat {seat} among {state.rules.players}")
    hand = state.hands[seat] if state.hands else ()
    own_turn = state.turn == seat
    return SeatView(
        table=_public_view(state, seat),
        seat=seat,
        hand=hand,
        fresh=tuple(sorted(state.fresh)) if own_turn else (),
        hand_points=points_lost_by_hand(state.rules, hand),
        legal=legal_actions(state) if seat_to_act(state) == seat else (),
        laid_points=state.laid_points if own_turn else 0,
        can_take_back=own_turn and bool(state.laid) and seat_to_act(state) == seat,
        must_say=required_declaration(state) if own_turn else "",
    )


def _seat_info(state: State, seat: int) -> SeatInfo:
    """Return the public information about a seat."""
    return SeatInfo(
        seat=seat,
        side=state.seating.side_by_seat[seat],
        cards=len(state.hands[seat]) if state.hands else 0,
        foot=len(state.feet[seat]) if state.feet else None,
        resting=seat not in state.seating.seats,
        exposed=penalty_cards(state, seat) if state.hands else (),
        talon=len(state.talons[seat]) if state.talons else 0,
        frozen=state.rules.frozen_untaken and seat not in state.takers,
    )


def _pile_view(state: State) -> PileView:
    """Return the public view of the discard pile."""
    seen = state.pile[state.hidden :]
    freezer = next((card for card in seen if is_freezing_card(state.rules, card)), None) if state.frozen else None
    return PileView(
        cards=len(state.pile),
        top=None if state.aside or not state.pile else state.pile[-1],
        frozen=state.frozen and bool(state.pile),
        freezer=freezer,
        aside=state.aside,
        hidden=state.hidden,
        closed=state.phase is Phase.DRAW
        and not opening_from_hand.may_open_from_hand(state)
        and why_pile_untakeable(state) is not None,
    )


def _side_view(state: State, side: int, viewer: int) -> SideView:
    """Return the view of a side, as that viewer may see it."""
    rules = state.rules
    seats = state.seating.seats_of(side)
    numbers = [side] if state.alone is None else sorted({rules.side_of(seat) for seat in seats})
    melds = state.melds[side] if state.melds else ()
    red_threes = [state.red_threes[number] for number in numbers] if state.red_threes else []
    aside = [state.set_aside[number] for number in numbers] if state.set_aside else []
    own = len(numbers) == 1
    on_table, shown = _points_and_meld_views(
        rules, melds, red_threes[0] if own and red_threes else (), aside[0] if own and aside else ()
    )
    return SideView(
        side=side,
        seats=seats,
        score=state.scores[numbers[0]],
        on_table=on_table,
        opened=bool(state.opened) and state.opened[side],
        minimum=opening_minimum(state, side, viewer),
        melds=shown,
        red_threes=tuple(sorted([card for held in red_threes for card in held])),
        canastas=state.spreads[side].canastas if state.spreads else 0,
        own_scores=tuple([state.scores[number] for number in numbers]) if len(numbers) > 1 else (),
        set_aside=tuple(sorted([card for held in aside for card in held])),
        raised=minimum_raised_by(state, side),
        penalties=penalty_points(state, side),
        canasta=opening_canasta(state, side, viewer),
    )


@lru_cache(maxsize=1 << 12)
def _points_and_meld_views(
    rules: RuleSet, melds: tuple[TableMeld, ...], threes: tuple[Card, ...], set_aside: tuple[Card, ...]
) -> tuple[int, tuple[MeldView, ...]]:
    """Return the points of a side's cards on the table, and the views of its melds.

    The result is cached: every player's view is built after every step, and melds change far less often. That makes a
    view a quarter cheaper.
    """
    points = score_lines_on_table(rules, melds, threes, set_aside=set_aside).total
    return points, tuple([_meld_view(rules, meld) for meld in melds])


def _meld_view(rules: RuleSet, meld: TableMeld) -> MeldView:
    """Return the view of a meld."""
    kind = canasta_kind(rules, meld)
    return MeldView(meld.place, meld.cards, meld.naturals, meld.wilds, "run" if kind == "seq" else kind)
