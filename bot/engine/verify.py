"""Verify: why a step is not allowed, or that it is.

Each function answers with a `Refusal` or with None. `bot.engine.decide` raises what they answer; the list of legal
steps (`bot.engine.legal`) asks the same questions. Whose turn it is has been asked before.
"""

from __future__ import annotations

from bot.engine import phases
from bot.engine.actions import Answer, Discard, Meld
from bot.engine.cards import ACE, BLACK_THREE, HELD_KINDS, JOKER, RED_THREE, TWO, Card, Kind
from bot.engine.counts import WILD_SHIFT, pack_step
from bot.engine.ending import (
    kind_name,
    said_yes,
    spread_with,
    too_low,
    why_not_end,
    why_not_end_with,
    why_not_held,
    why_not_opening,
    why_not_out,
)
from bot.engine.melds import TableMeld
from bot.engine.notation import cards_text
from bot.engine.penalties import penalty_cards
from bot.engine.queries import gathered_size, has_grown, minimum, opened_by_canasta
from bot.engine.refusals import Code, Refusal
from bot.engine.rules import RuleSet
from bot.engine.shapes import BLACK_THREE_MELDS, why_not_join
from bot.engine.state import State, actor
from bot.engine.themes import force
from bot.engine.variants import foot, talon, verifying
from bot.engine.variants.discards import why_not_free
from bot.engine.ways_out import can_go_out


def why_not_turn(state: State, seat: int | None) -> Refusal | None:
    """Whether that seat is to act at all."""
    if seat is None or not 0 <= seat < state.rules.players:
        return Refusal(Code.NOT_A_PLAYER, {"seat": -1 if seat is None else seat, "players": state.rules.players})
    if state.phase is phases.OVER:
        return Refusal(Code.GAME_OVER)
    to_act = actor(state)
    if to_act is None:
        return Refusal(Code.NO_DEAL)
    if seat not in state.seating.seats:
        return Refusal(Code.RESTING, {"deal": state.deal})
    if seat == to_act:
        return None
    if state.phase is phases.ANSWER:
        return Refusal(Code.WAITING_FOR_ANSWER, {"partner": to_act})
    return Refusal(Code.NOT_YOUR_TURN, {"turn": to_act})


# --- melding ---------------------------------------------------------------------------------------------------------


def why_not_meld(state: State, step: Meld) -> Refusal | None:
    """Whether these cards make or join a meld, and the turn can still end lawfully (`1.10, 1.11, 1.15`)."""
    if state.rules.varied:
        return verifying.why_not_meld(state, step)
    if state.phase is not phases.PLAY:
        return Refusal(Code.DRAW_FIRST)
    if state.rules.plain and _is_sure(state, step):
        return None
    refusal = _why_not_kind(step)
    if refusal is not None:
        return refusal
    rules = state.rules
    seat = state.turn
    side = state.side
    kind = step.place
    refusal = why_not_held(state.packed[seat], kind, step.naturals, step.twos, step.jokers)
    if refusal is None:
        refusal = _why_not_shape(rules, step, state.spreads[side].by_place.get(kind))
    if refusal is not None:
        return refusal
    left = len(state.hands[seat]) - step.size
    below = gathered_size(state) if state.aside else 0
    if kind == BLACK_THREE and left + below > 1:
        return Refusal(Code.BLACK_THREES_ONLY_OUT, {"left": left + below})
    if left >= 2 and state.permission is None and state.opened[side]:
        return None
    return _why_not_after_meld(state, step, side, below=below)


def _is_sure(state: State, step: Meld) -> bool:
    """Whether an open side may lay these cards as most are laid under plain rules: a rank, and enough are kept."""
    seat = state.turn
    side = state.side
    kind, naturals, twos, jokers = step.place, step.naturals, step.twos, step.jokers
    if kind > ACE or state.permission is not None or not state.opened[side] or len(state.hands[seat]) - step.size < 2:
        return False
    counts = state.packed[seat]
    if not (0 <= naturals <= counts >> 8 * kind & 127 and 0 <= twos <= counts >> WILD_SHIFT & 127 and jokers >= 0):
        return False
    if jokers > counts >> WILD_SHIFT + 8 & 127:
        return False
    meld = state.spreads[side].by_place.get(kind)
    most = state.rules.max_wilds
    if meld is not None:
        return step.size > 0 and (not (twos or jokers) or meld.wilds + twos + jokers <= most)
    return naturals >= state.rules.min_naturals and step.size >= state.rules.meld_min and twos + jokers <= most


def _why_not_after_meld(state: State, step: Meld, side: int, *, below: int) -> Refusal | None:
    """Whether the turn can end lawfully when these cards have been laid; `below` come from the pile after them."""
    kind = step.place
    counts = state.packed[state.turn] - pack_step(kind, step.naturals, step.twos, step.jokers)
    spread = spread_with(state, side, kind, step.naturals, step.twos + step.jokers)
    if not state.opened[side]:
        values = state.rules.card_values
        laid = state.laid_points + step.naturals * values[kind] + step.twos * values[TWO] + step.jokers * values[JOKER]
        required = minimum(state, side)
        if laid < required and not opened_by_canasta(state, side, spread, state.claimed):
            return why_not_opening(
                state,
                counts,
                spread,
                laid,
                required,
                below=below,
                from_stock=state.drew == "stock",
                claimed=state.claimed,
            )
        if state.aside and len(state.hands[state.turn]) - step.size + below >= 2:
            return None
        if below:
            return why_not_end_with(state, spread)  # nothing is left of the hand, or the turn could end anyhow
    return why_not_end(state, counts, spread)


def _why_not_kind(step: Meld) -> Refusal | None:
    """Whether these could be cards of a meld at all."""
    if step.place == RED_THREE:
        return Refusal(Code.MELD_RED_THREE)
    if step.place > BLACK_THREE:
        return Refusal(Code.MELD_NO_RANK)
    return Refusal(Code.NO_CARDS) if step.size <= 0 or min(step.naturals, step.twos, step.jokers) < 0 else None


def _why_not_shape(rules: RuleSet, step: Meld, meld: TableMeld | None) -> Refusal | None:
    """Whether the meld that would lie there is one."""
    wilds = step.twos + step.jokers
    if step.place == BLACK_THREE:
        if wilds or meld is not None or step.naturals not in BLACK_THREE_MELDS:
            return Refusal(Code.BLACK_THREES_COUNT, {"count": step.naturals, "wilds": wilds})
        return None
    enough = meld is None and step.naturals >= rules.min_naturals and step.size >= rules.meld_min
    if enough and wilds <= rules.max_wilds and rules.plain:
        return None
    before = (0, 0) if meld is None else (meld.naturals, meld.wilds)
    return why_not_join(rules, before, step.naturals, wilds)


# --- ending the turn -------------------------------------------------------------------------------------------------


def why_not_discard(state: State, step: Discard) -> Refusal | None:
    """Whether that card may end the turn; the last card of a hand ends the deal (`rules/classic.md 1.15`)."""
    if state.phase is not phases.PLAY:
        return Refusal(Code.DRAW_FIRST)
    seat = state.turn
    kind = step.kind
    if not (0 <= kind < HELD_KINDS and state.packed[seat] >> 8 * kind & 127):
        return Refusal(Code.CARD_NOT_HELD, {"kind": kind_name(kind), "held": 0, "needed": 1})
    free = state.permission is None and not state.laid_points and len(state.hands[seat]) > 1
    if free and state.rules.runs_grow and has_grown(state):
        return Refusal(Code.RUN_GROWS_ONLY_OUT, {"left": len(state.hands[seat]) - 1})
    if free and (state.rules.ordinary or not (state.rules.limits_discards or state.penalties is not None)):
        return None
    refusal = why_not_free(state, kind) if state.rules.limits_discards else None
    if refusal is None and state.penalties is not None:
        refusal = why_not_due(state, kind)
    if refusal is not None or free:
        return refusal
    side = state.side
    if len(state.hands[seat]) == 1 and state.rules.talon and talon.earned(state):
        return None  # the next turn begins with what is set aside
    if len(state.hands[seat]) == 1 and not foot.comes_with_discard(state):
        return why_not_out(state, state.spreads[side])
    if state.laid_points and not state.opened[side]:
        return _why_not_opened(state, side)
    if state.permission and can_go_out(state):
        return said_yes(state)
    return None


def _why_not_opened(state: State, side: int) -> Refusal:
    """What the initial meld that was begun still lacks."""
    lacking = force.why_not_open(state, state.melds[side]) if state.rules.theme else None
    return lacking or too_low(state, side)


def why_not_due(state: State, kind: Kind, card: Card | None = None) -> Refusal | None:
    """Whether a discard of that kind, or that very card, does the duty of a seat with penalty cards (`1.22`).

    Those that the rules forbid to discard do not bind it.
    """
    due = [one for one in penalty_cards(state, state.turn) if why_not_free(state, one >> 2) is None]
    if not due or (card in due if card is not None else any(one >> 2 == kind for one in due)):
        return None
    return Refusal(Code.PENALTY_CARDS_FIRST, {"exposed": cards_text(due)})


def why_not_answer(state: State, _step: Answer) -> Refusal | None:
    """An answer needs a question."""
    return None if state.phase is phases.ANSWER else Refusal(Code.NO_QUESTION)
