"""Why a turn may not begin so: drawing, passing, taking the pile.

Each function answers with a `Refusal` or with None, as those of `bot.engine.verify` do.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.engine import phases
from bot.engine.actions import (
    DRAW,
    DRAW_KEEPING,
    PASS,
    Draw,
    DrawKeeping,
    Pass,
    Take,
)
from bot.engine.cards import ACE, SEVEN, TWO
from bot.engine.ending import why_not_opened
from bot.engine.queries import discards_no_more, guards_one_card, minimum
from bot.engine.refusals import Code, Refusal, kind_name
from bot.engine.state import State
from bot.engine.themes import force
from bot.engine.variants import showing
from bot.engine.variants import taking as varied
from bot.engine.variants.kept_threes import may_keep


def why_not_draw(state: State, _step: Draw = DRAW) -> Refusal | None:
    """Drawing needs cards in the stock (`docs/law/classic.md 1.9`)."""
    if state.phase is not phases.DRAW:
        return Refusal(Code.ALREADY_DREW)
    if state.started:
        return _must_take(state)
    return None if state.stock else Refusal(Code.STOCK_EMPTY)


def _must_take(state: State) -> Refusal:
    """Melds were laid from the hand before the draw: then the pile has to be taken (`docs/law/variants.md 3.10`)."""
    return Refusal(Code.TAKE_AFTER_OPENING, {"kind": kind_name(state.pile[-1] >> 2)})


def why_not_keep(state: State, _step: DrawKeeping = DRAW_KEEPING) -> Refusal | None:
    """Drawing and keeping a three needs rules in which that may be, and a side that has not opened (`3.10`)."""
    refusal = why_not_draw(state)
    if refusal is None and not state.rules.keeps_three:
        return Refusal(Code.KEEP_OFF)
    if refusal is None and not may_keep(state, state.turn):
        return Refusal(Code.KEEP_TOO_LATE)
    return refusal


def why_not_pass(state: State, _step: Pass = PASS) -> Refusal | None:
    """Passing needs an empty stock, and no way to take the pile that one may not decline (`docs/law/classic.md 1.19`).

    Or the seat may not discard any more and has laid what it lays.
    """
    if discards_no_more(state):
        return why_not_opened(state)
    if state.phase is not phases.DRAW:
        return Refusal(Code.ALREADY_DREW)
    if state.started:
        return _must_take(state)
    if state.stock:
        return Refusal(Code.STOCK_NOT_EMPTY, {"stock": len(state.stock)})
    if any(why_not_take(state, take) is None for take in _forcing(state)):
        return Refusal(Code.MUST_TAKE, {"kind": kind_name(state.pile[-1] >> 2)})
    return None


def _forcing(state: State) -> Iterable[Take]:
    """The ways to take the pile that one may not decline: where several melds may fit, whichever the top card fits."""
    force = state.rules.stock_out_force
    if not state.pile:
        return ()
    alone = force == "if_top_fits_existing_meld_and_unfrozen"
    return () if force == "never" else [take for take in varied.candidates(state) if not alone or take.adds]


def why_not_take(state: State, step: Take) -> Refusal | None:
    """The decision table of `docs/law/classic.md 1.12`, then whether the turn can still end lawfully."""
    if varied.is_sure(state, step):
        return None
    return _why_not_take(state, step)


def varied_takes(state: State) -> Sequence[Take]:
    """Every way to take the pile where more than sets of one rank is in the game, in the order of its candidates."""
    if state.rules.open_pile != "yes" and not state.opened[state.side]:
        return ()
    found = varied.candidates(state)
    if not found:
        return found
    answers = zip(found, varied.told(state, found), strict=True)
    return [take for take, legal in answers if (_why_not_take(state, take) is None if legal is None else legal)]


def _why_not_take(state: State, step: Take) -> Refusal | None:
    refusal = why_not_claim(state, step)
    if refusal is not None:
        return refusal
    return varied.why_not_after(state, step)


def why_not_claim(state: State, step: Take) -> Refusal | None:
    """The decision table of `docs/law/classic.md 1.12` alone: whether these cards claim the top of this pile."""
    refusal = why_not_pile(state)
    return refusal or varied.why_not_cards(state, step)


def why_not_pile(state: State) -> Refusal | None:
    """Whether the seat in turn could take this pile with any cards."""
    rules = state.rules
    if state.phase is not phases.DRAW:
        return Refusal(Code.ALREADY_DREW)
    if not state.pile:
        return Refusal(Code.PILE_EMPTY)
    if rules.theme and (refusal := force.why_not_pile(state)) is not None:
        return refusal
    kind = state.pile[-1] >> 2
    if kind == TWO and rules.take_twos:
        return showing.why_not_pile(state)
    if kind > ACE:  # wild cards and threes make no meld in which a top card could be laid, whatever `top_blocks` says
        return Refusal(Code.PILE_BLOCKED, {"kind": kind_name(kind)})
    if kind == SEVEN and "7" in rules.top_blocks:
        return Refusal(Code.PILE_BLOCKED_SEVEN, {"kind": kind_name(kind)})
    if len(state.pile) == 1 and len(state.hands[state.turn]) == 1 and guards_one_card(state):
        return Refusal(Code.ONE_CARD_ONE_CARD)
    side = state.side
    if rules.open_pile in ("no", "hand_first") and not state.opened[side]:
        return Refusal(Code.PILE_CLOSED_UNOPENED, {"required": minimum(state, side)})
    return None
