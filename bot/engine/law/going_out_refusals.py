"""Refusals about opening and going out at the end of a turn.

Each function returns a `Refusal`; those that begin with `why` return None if nothing is missing.

Decides `docs/law/classic.md 1.11, 1.15, 1.18` and `docs/law/variants.md 3.12`. Reads `ask_partner`, `open_shape`,
`open_waiver`, `out_announce`, `out_canastas`, `out_clean`, `out_discard`, `out_need`, `theme`.
"""

from __future__ import annotations

from bot.engine.law import foot_and_talon
from bot.engine.law.initial_meld import is_minimum_waived
from bot.engine.melds.canastas import has_enough_canastas, why_too_few_canastas
from bot.engine.melds.points import unfinished_refusal
from bot.engine.melds.side_melds import Spread
from bot.engine.moves.refusals import Code, Refusal
from bot.engine.reach.opening_goals import (
    NEEDING_CLEAN,
    goals_for_minimum,
    goals_of_turn,
    opening_refusal,
    why_not_open,
)
from bot.engine.table import themes_in_force
from bot.engine.table.state import State
from bot.engine.table.state_queries import going_out_obligation


def must_go_out_refusal(state: State) -> Refusal:
    """Return the refusal of a step after which a seat that must go out could not do so."""
    return Refusal(Code.OUT_ANNOUNCED if state.rules.out_announce else Code.PARTNER_SAID_YES)


def why_not_go_out(state: State, spread: Spread) -> Refusal | None:
    """Return the refusal if the seat may not go out by discarding its last card, else None."""
    reached = foot_and_talon.why_foot_forbids_out(state)
    if reached is not None:
        return reached
    rules = state.rules
    side = state.side
    if rules.out_discard == "forbidden":
        return Refusal(Code.OUT_WITHOUT_DISCARD, {"left": 1})
    if going_out_obligation(state) is False or not has_enough_canastas(rules, spread.by_place.values()):
        return cannot_go_out_refusal(state, spread, left=0)
    if rules.theme and (refusal := _why_theme_forbids_out(state, spread)) is not None:
        return refusal
    if rules.out_clean and (unfinished := unfinished_refusal(rules, spread.by_place.values())) is not None:
        return unfinished
    if not state.opened[side] and not is_minimum_waived(state, from_stock=state.drew == "stock"):
        return opening_too_low_refusal(state)
    # the side needs no minimum to open, but still a clean meld
    if not state.opened[side] and rules.open_shape in NEEDING_CLEAN:
        return why_not_open(rules, goals_for_minimum(rules, minimum=0), 0, spread.by_place.values())
    return None


def why_initial_meld_incomplete(state: State) -> Refusal | None:
    """Return the refusal if the initial meld begun in this turn is incomplete, else None.

    None too if no initial meld was begun.
    """
    side = state.side
    if not state.laid_points or state.opened[side]:
        return None
    lacks = themes_in_force.why_themes_forbid_opening(state, state.melds[side]) if state.rules.theme else None
    return lacks or opening_too_low_refusal(state)


def opening_too_low_refusal(state: State) -> Refusal:
    """Return the refusal for a side whose melds are not a complete initial meld.

    Source: `docs/law/classic.md 1.11`.
    """
    return opening_refusal(state.rules, goals_of_turn(state), state.laid_points)


def _why_theme_forbids_out(state: State, spread: Spread) -> Refusal | None:
    refusal = themes_in_force.why_themes_forbid_out(state, spread.by_place.values())
    if refusal is None and not state.opened[state.side]:
        return themes_in_force.why_themes_forbid_opening(state, spread.by_place.values())
    return refusal


def cannot_go_out_refusal(state: State, spread: Spread, *, left: int) -> Refusal:
    """Return the refusal for a step that leaves `left` cards, too few for a seat that cannot go out."""
    if not state.ready:
        return canastas_too_new_refusal(state, left=left)
    melds = spread.by_place.values()
    if state.rules.theme and (refusal := themes_in_force.why_themes_forbid_out(state, melds)) is not None:
        return refusal
    if state.permission is False:
        return Refusal(Code.PARTNER_SAID_NO, {"left": left})
    rules = state.rules
    lacking = why_too_few_canastas(rules, melds, left=left)
    if lacking is None and rules.out_clean:
        lacking = unfinished_refusal(rules, melds)
    if lacking is not None:
        return lacking
    if state.permission is None and rules.needs_word:
        return Refusal(Code.OUT_NOT_ANNOUNCED if rules.out_announce else Code.OUT_NOT_ASKED, {"left": left})
    if rules.out_discard == "mandatory" and not left:
        return Refusal(Code.OUT_NEEDS_DISCARD, {"left": left})
    if rules.out_discard == "forbidden" and left and has_enough_canastas(rules, melds):
        return Refusal(Code.OUT_WITHOUT_DISCARD, {"left": left})
    return Refusal(Code.OUT_LAST_CARD, {"left": left})


def canastas_too_new_refusal(state: State, *, left: int) -> Refusal:
    """Return the refusal for canastas that were not there when the turn began (`docs/law/classic.md H45`)."""
    return Refusal(Code.CANASTAS_NOT_BEFORE, {"required": state.rules.canastas_needed, "left": left})
