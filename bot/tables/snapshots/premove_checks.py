"""Checks of premoves: whether they are still valid, and the moves they make now. Pure.

Source: `docs/long-games.md`, 3, 8.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Final, TypeAlias

from bot.engine.cards.cards import BLACK_THREE, Card
from bot.engine.moves.actions import DRAW, YES, Action, DiscardCard
from bot.engine.moves.events import Gathered, TookTop
from bot.engine.moves.phases import Phase
from bot.engine.play.decide import is_allowed
from bot.engine.play.legal_steps import can_take_pile
from bot.engine.table.state import State
from bot.tables.state.premoves import PlannedTurn, Premove, PremoveBasis, PremoveEnd
from bot.tables.state.snapshots import Status
from bot.tables.state.table import TableState

Verdict: TypeAlias = Action | PremoveEnd | None
"""The action to play now, the reason why the premove ended, or None if the player's turn has not come."""

_RUNNING: Final = (Phase.DRAW, Phase.PLAY, Phase.ANSWER)


def build_premove(record: TableState, seat: int, wish: PlannedTurn) -> Premove | None:
    """Return the wished premove; None if it is empty or impossible in the seat's next turn.

    A black three is discarded after drawing, so a wish for the discard alone also draws, if the pile cannot be taken.
    """
    wish = replace(wish, draw=wish.draw or wish.discard is not None)
    game = record.game
    if game is None or not wish or not _is_waiting_for_turn(record, game, seat):
        return None
    if wish.discard is not None and (wish.discard >> 2 != BLACK_THREE or wish.discard not in game.hands[seat]):
        return None
    if wish.agree and not may_partner_ask(game, seat):
        return None
    upon = PremoveBasis(
        seat=seat,
        deal=game.deal,
        turn=game.turns,
        comes=game.turns + _turns_until(game, seat),
        takes=_pile_takes_since(record, game.turns),
        hand=game.hands[seat],
        melds=_side_melds(game, seat),
    )
    return Premove(wish=wish, upon=upon)


def may_partner_ask(game: State, seat: int) -> bool:
    """Return whether a partner may still ask before the seat's own turn."""
    if not game.rules.asks:
        return False
    side = game.seating.side_by_seat[seat]
    turns = [game.turn, *game.seating.seats_after(game.turn)]
    before = turns[: turns.index(seat)]
    return any(game.seating.side_by_seat[one] == side for one in before)


def find_premove_end(record: TableState, person: int, premove: Premove) -> PremoveEnd | None:
    """Return why the premove is no longer valid, apart from the pile's top card; None if it is valid."""
    if premove.ended is not None:
        return premove.ended
    game, upon = record.game, premove.upon
    if game is None or record.seat_of(person) != upon.seat or _is_turn_past(record, game, upon):
        return PremoveEnd.PAST
    if _pile_takes_since(record, upon.turn) != upon.takes:
        return PremoveEnd.PILE
    if _side_melds(game, upon.seat) != upon.melds:
        return PremoveEnd.MELDS
    return None if _hand_before_draw(game, upon.seat) == upon.hand else PremoveEnd.HAND


def premove_verdict(record: TableState, person: int, premove: Premove, *, was_drawn_automatically: bool) -> Verdict:
    """Return the action to play now, or why the premove ended, or None while it waits.

    `was_drawn_automatically` is about the card that the seat has drawn in this turn.
    """
    ended, game, wish = find_premove_end(record, person, premove), record.game, premove.wish
    if ended is not None or game is None:
        return ended
    if record.is_halted:
        return None
    if game.turn == premove.upon.seat:
        return _verdict_in_turn(game, wish, was_drawn_automatically=was_drawn_automatically)
    asked = game.phase is Phase.ANSWER and record.actor == premove.upon.seat
    return YES if asked and wish.agree else None


def is_outcome_shown(record: TableState, premove: Premove) -> bool:
    """Return whether to show the person the premove's outcome, which ends one round after the turn."""
    game, upon = record.game, premove.upon
    if game is None or game.deal != upon.deal or premove.ended is PremoveEnd.PAST:
        return False
    return game.turns < upon.comes + len(game.seating.seats)


def _verdict_in_turn(game: State, wish: PlannedTurn, *, was_drawn_automatically: bool) -> Verdict:
    """Return the action to play in the player's own turn, or why the premove ends."""
    if game.phase is Phase.DRAW:
        return _verdict_before_draw(game, wish)
    if game.phase is not Phase.PLAY or not was_drawn_automatically or not wish.draw:
        return PremoveEnd.PAST
    if wish.discard is None:
        return PremoveEnd.DONE
    discard = DiscardCard(wish.discard)
    return discard if is_allowed(game, game.turn, discard) else PremoveEnd.REFUSED


def _verdict_before_draw(game: State, wish: PlannedTurn) -> Verdict:
    """Return what to do before the draw: draw, or end the premove because a wanted pile can be taken."""
    if not wish.draw:
        return PremoveEnd.PAST
    wanted = bool(game.pile) and (not wish.ranks or game.pile[-1] >> 2 in wish.ranks)
    if wanted and can_take_pile(game):
        return PremoveEnd.TAKEABLE
    return DRAW if is_allowed(game, game.turn, DRAW) else PremoveEnd.REFUSED


def _is_waiting_for_turn(record: TableState, game: State, seat: int) -> bool:
    """Return whether the seat plays in a running deal and another seat is in turn."""
    running = record.status is Status.PLAYING and game.phase in _RUNNING
    return running and seat in game.seating.seats and game.turn != seat


def _is_turn_past(record: TableState, game: State, basis: PremoveBasis) -> bool:
    """Return whether the premove's turn has passed, or its deal or game is over."""
    if record.status is not Status.PLAYING or game.phase not in _RUNNING or game.deal != basis.deal:
        return True
    return not basis.turn <= game.turns <= basis.comes


def _turns_until(game: State, seat: int) -> int:
    """Return the number of turns until the seat's next turn."""
    return game.seating.seats_after(game.turn).index(seat) + 1


def _pile_takes_since(record: TableState, turn: int) -> int:
    """Return how many times the pile was taken in the current deal from that turn on."""
    return sum(1 for one in record.recent if one.turn >= turn and isinstance(one.event, TookTop | Gathered))


def _side_melds(game: State, seat: int) -> tuple[tuple[Card, ...], ...]:
    """Return the cards of each meld of the seat's side, in the order in which the melds were begun."""
    return tuple(meld.cards for meld in game.melds[game.seating.side_by_seat[seat]])


def _hand_before_draw(game: State, seat: int) -> tuple[Card, ...]:
    """Return the hand without the cards that the seat drew in this turn.

    The draw was expected when the premove was prepared, so it does not count as a change of the hand.
    """
    hand = game.hands[seat]
    if game.turn != seat or game.phase is not Phase.PLAY or game.drew != "stock":
        return hand
    return tuple(sorted((Counter(hand) - Counter(game.fresh)).elements()))
