"""Building views from the state: the one door through which anything leaves it."""

from __future__ import annotations

from bot.engine.bonuses import lines_on_table
from bot.engine.canastas import canasta_kind
from bot.engine.legal import legal_actions
from bot.engine.melds import TableMeld
from bot.engine.queries import canastas, freezes, minimum
from bot.engine.rules import RuleSet
from bot.engine.state import State, actor
from bot.engine.unfinished import held_points
from bot.engine.views import MeldView, PileView, PublicView, SeatInfo, SeatView, SideView


def public_view(state: State) -> PublicView:
    """What everybody at the table sees."""
    rules = state.rules
    dealt = bool(state.hands)
    return PublicView(
        rules=rules,
        deal=state.deal,
        dealer=state.dealer,
        phase=state.phase,
        turn=state.turn,
        turns=state.turns,
        actor=actor(state),
        drew=state.drew,
        permission=state.permission,
        stock=len(state.stock),
        pile=_pile(state),
        sides=tuple(_side(state, side) for side in range(rules.sides)),
        seats=tuple(
            SeatInfo(
                seat,
                state.seating.side_by_seat[seat],
                len(state.hands[seat]) if dealt else 0,
                len(state.feet[seat]) if state.feet else None,
            )
            for seat in range(rules.players)
        ),
        results=state.results,
        winner=state.winner,
    )


def seat_view(state: State, seat: int) -> SeatView:
    """What one seat sees. Raises `IndexError` for a seat that does not exist."""
    if not 0 <= seat < state.rules.players:
        raise IndexError(f"no seat {seat} among {state.rules.players}")
    hand = state.hands[seat] if state.hands else ()
    own_turn = state.turn == seat
    return SeatView(
        table=public_view(state),
        seat=seat,
        hand=hand,
        fresh=tuple(sorted(state.fresh)) if own_turn else (),
        hand_points=held_points(state.rules, hand),
        legal=legal_actions(state) if actor(state) == seat else (),
        laid_points=state.laid_points if own_turn else 0,
        can_take_back=own_turn and bool(state.laid) and actor(state) == seat,
    )


def _pile(state: State) -> PileView:
    freezer = next((card for card in state.pile if freezes(state.rules, card)), None) if state.frozen else None
    return PileView(
        cards=len(state.pile),
        top=None if state.aside or not state.pile else state.pile[-1],
        frozen=state.frozen,
        freezer=freezer,
        aside=state.aside,
    )


def _side(state: State, side: int) -> SideView:
    rules = state.rules
    melds = state.melds[side] if state.melds else ()
    red_threes = state.red_threes[side] if state.red_threes else ()
    return SideView(
        side=side,
        seats=state.seating.seats_of(side),
        score=state.scores[side],
        on_table=lines_on_table(rules, melds, red_threes).total,
        opened=bool(state.opened) and state.opened[side],
        minimum=minimum(state, side),
        melds=tuple(_meld(rules, meld) for meld in melds),
        red_threes=red_threes,
        canastas=canastas(rules, melds),
    )


def _meld(rules: RuleSet, meld: TableMeld) -> MeldView:
    kind = canasta_kind(rules, meld)
    return MeldView(meld.place, meld.cards, meld.naturals, meld.wilds, "run" if kind == "seq" else kind)
