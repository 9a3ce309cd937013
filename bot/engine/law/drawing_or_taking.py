"""The start of a turn: drawing, taking the pile, or passing.

The whole pile, or as much of it as the rules say, is taken instead of drawing; its top card is melded at once with
cards that claim it. Whether a way to take the pile is legal is decided in three steps: whether this pile may be taken
at all (`why_pile_untakeable`), whether the cards claim its top (`why_cards_claim_nothing`), and whether the turn can
still end legally (`_why_not_end_after_taking`). Each function that begins with `why` returns a `Refusal`, or None if
nothing forbids it.

Decides `docs/law/classic.md 1.8, 1.9, 1.11, 1.12, 1.13, 1.19` and `docs/law/variants.md 3.1, 3.6, 3.10, 3.13`. Reads
`frozen_unopened`, `open_pile`, `pile_frozen`, `special_hands`, `stock_out_force`, `take_frozen`, `take_open`,
`take_twos`, `theme`, `top_blocks`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

from bot.engine.cards.cards import ACE, SEVEN, TWO, Card
from bot.engine.cards.meld_places import Place, is_run, run_place
from bot.engine.cards.packed_counts import WILD_SHIFT, numbers_by_kind
from bot.engine.law import top_card_claims
from bot.engine.law.going_out_refusals import must_go_out_refusal, why_initial_meld_incomplete
from bot.engine.law.meld_refusals import (
    can_surely_end_turn,
    why_banned_by_theme,
    why_canasta_banned,
    why_not_end_after_laying,
)
from bot.engine.law.top_card_claims import why_not_add_top, why_not_meld_top
from bot.engine.law.turn_end import can_obliged_seat_go_out
from bot.engine.melds.meld_shapes import why_cards_not_held
from bot.engine.moves import phases
from bot.engine.moves.actions import (
    TAKE_ADD,
    TAKE_PAIR,
    TAKE_TRIPLE,
    TAKE_WITH_JOKER,
    TAKE_WITH_TWO,
    Take,
)
from bot.engine.moves.refusals import Code, Refusal, kind_name
from bot.engine.reach.refusals_of_set_melds import why_not_join
from bot.engine.reach.runs import ends_of_run
from bot.engine.reach.turn_outlook import standing_of
from bot.engine.table import themes_in_force
from bot.engine.table.applying_meld_events import cards_melded_by
from bot.engine.table.bonus_threes import may_keep_three
from bot.engine.table.state import State
from bot.engine.table.state_queries import (
    PAIR,
    TRIPLE,
    is_frozen_for,
    is_one_card_pile_banned,
    may_not_discard,
    naturals_needed,
    opening_minimum,
)

# --- drawing and passing ----------------------------------------------------------------------------------------------


def why_not_draw(state: State) -> Refusal | None:
    """Return the refusal if the seat in turn may not draw (`docs/law/classic.md 1.9`), else None."""
    if state.phase is not phases.DRAW:
        return Refusal(Code.ALREADY_DREW)
    if state.started:
        return _must_take_refusal(state)
    return None if state.stock else Refusal(Code.STOCK_EMPTY, {"must": int(why_not_pass(state) is not None)})


def _must_take_refusal(state: State) -> Refusal:
    """Return the refusal for a seat that melded before the draw and must take the pile."""
    return Refusal(Code.TAKE_AFTER_OPENING, {"kind": kind_name(state.pile[-1] >> 2)})


def why_not_keep_three(state: State) -> Refusal | None:
    """Return the refusal if the seat in turn may not draw and keep a drawn three, else None.

    The rules must allow that, and its side must not have opened. Source: `docs/law/variants.md 3.10`.
    """
    refusal = why_not_draw(state)
    if refusal is None and not state.rules.keeps_three:
        return Refusal(Code.KEEP_OFF)
    if refusal is None and not may_keep_three(state, state.turn):
        return Refusal(Code.KEEP_TOO_LATE)
    return refusal


def why_not_pass(state: State) -> Refusal | None:
    """Return the refusal if the seat in turn may not pass (`docs/law/classic.md 1.19`), else None.

    The stock must be empty, and the rules must not force the seat to take the pile. A seat that does not discard any
    more also passes, when it has finished melding.
    """
    if may_not_discard(state):
        if state.permission and can_obliged_seat_go_out(state):
            return must_go_out_refusal(state)
        return why_initial_meld_incomplete(state)
    if state.phase is not phases.DRAW:
        return Refusal(Code.ALREADY_DREW)
    if state.started:
        return _must_take_refusal(state)
    if state.stock:
        return Refusal(Code.STOCK_NOT_EMPTY, {"stock": len(state.stock)})
    forcing = [take for take in _forced_takes(state) if why_not_take(state, take) is None]
    if forcing:
        unfitting = not any(take.is_addition for take in forcing)
        return Refusal(Code.MUST_TAKE, {"kind": kind_name(state.pile[-1] >> 2), "unfitting": int(unfitting)})
    return None


def _forced_takes(state: State) -> Iterable[Take]:
    """Return the ways to take the pile that the rules force on the seat (`stock_out_force`), legal or not."""
    force = state.rules.stock_out_force
    alone = force == "if_top_fits_existing_meld_and_unfrozen"
    return () if force == "never" else [take for take in possible_takes(state) if not alone or take.is_addition]


# --- the ways to take the pile ----------------------------------------------------------------------------------------


def pile_taking_steps(state: State) -> Sequence[Take]:
    """Return the legal ways to take the pile, in a fixed order; empty after the draw."""
    found = possible_takes(state)
    if not found or why_pile_untakeable(state) is not None:
        return ()
    return [
        take
        for take in found
        if (why_cards_claim_nothing(state, take) or _why_not_end_after_taking(state, take)) is None
    ]


def possible_takes(state: State) -> Sequence[Take]:
    """Return the ways to take the pile for which the seat has cards or melds, in a fixed order."""
    if not state.pile:
        return ()
    top = state.pile[-1]
    kind = top >> 2
    if kind == TWO and state.rules.take_twos:
        return top_card_claims.takes_with_twos(state)
    if kind > ACE:
        return ()
    side = state.side
    counts = state.packed[state.turn]
    naturals = counts >> 8 * kind & 127
    rules = state.rules
    if is_frozen_for(state):
        if naturals < PAIR or naturals < (needed := naturals_needed(state)):
            return ()
        return (TAKE_PAIR if needed == PAIR else TAKE_TRIPLE,)
    open_to = rules.take_open
    found = [TAKE_PAIR] if naturals >= PAIR and "pair" in open_to else []
    if naturals and "card+wild" in open_to:
        wilds = counts >> WILD_SHIFT
        if wilds & 127:
            found.append(TAKE_WITH_TWO)
        if wilds >> 8 & 127:
            found.append(TAKE_WITH_JOKER)
    families = state.spreads[side].families
    lying = families.get(kind)
    if "add" in open_to:
        if lying is not None and len(lying) == 1:
            found.append(TAKE_ADD)
        else:
            found += [_step_of_adding_top(meld.place) for meld in lying or ()]
    if "add_seq" in open_to:
        runs = families.get(run_place(top & 3), ())
        found += [
            _step_of_adding_top(run.place) for run in runs if kind in (ends_of_run(run)[0] - 1, ends_of_run(run)[1] + 1)
        ]
    return found


@cache
def _step_of_adding_top(place: Place) -> Take:
    """Return the step of adding the top card to the meld at that place."""
    return Take(onto=place)


# --- why the pile may not be taken ------------------------------------------------------------------------------------


def why_not_take(state: State, step: Take, cards: tuple[Card, ...] | None = None) -> Refusal | None:
    """Return the refusal if the pile may not be taken this way, else None.

    It is also refused if the turn could not end legally afterwards.

    `cards` claim the top; without it `bot.engine.table.applying_meld_events` picks them. Source: `docs/law/classic.md
    1.12`.
    """
    return why_not_claim(state, step) or _why_not_end_after_taking(state, step, cards)


def why_not_claim(state: State, step: Take) -> Refusal | None:
    """Return the refusal if these cards do not claim the pile, else None; the turn's end is not checked."""
    return why_pile_untakeable(state) or why_cards_claim_nothing(state, step)


def why_pile_untakeable(state: State) -> Refusal | None:
    """Return the refusal if the seat in turn could not take this pile with any cards, else None."""
    rules = state.rules
    if state.phase is not phases.DRAW:
        return Refusal(Code.ALREADY_DREW)
    if not state.pile:
        return Refusal(Code.PILE_EMPTY)
    if rules.theme and (refusal := themes_in_force.why_themes_forbid_taking(state)) is not None:
        return refusal
    kind = state.pile[-1] >> 2
    if kind == TWO and rules.take_twos:
        return top_card_claims.why_pile_untakeable_with_two(state)
    if kind > ACE:  # no meld takes a wild card or three as top card, whatever `top_blocks` says
        return Refusal(Code.PILE_BLOCKED, {"kind": kind_name(kind)})
    if kind == SEVEN and "7" in rules.top_blocks:
        return Refusal(Code.PILE_BLOCKED_SEVEN, {"kind": kind_name(kind)})
    if len(state.pile) == 1 and len(state.hands[state.turn]) == 1 and is_one_card_pile_banned(state):
        return Refusal(Code.ONE_CARD_ONE_CARD)
    side = state.side
    if rules.open_pile in ("no", "hand_first") and not state.opened[side]:
        return Refusal(Code.PILE_CLOSED_UNOPENED, {"required": opening_minimum(state, side)})
    return None


def _why_not_end_after_taking(state: State, step: Take, cards: tuple[Card, ...] | None = None) -> Refusal | None:
    """Return the refusal if the turn could not end legally after taking the pile this way, else None.

    `cards` are as in `why_not_take`.
    """
    if state.pile[-1] >> 2 == TWO:
        return None  # the two twos stay in the hand, which is enough to end the turn
    if can_surely_end_turn(state, step.size):
        return None
    laid = cards_melded_by(state, step) if cards is None else cards
    return why_not_end_after_laying(state, place_for_top_card(state, step), laid, top=state.pile[-1])


# --- claiming the top card --------------------------------------------------------------------------------------------


def why_cards_claim_nothing(state: State, step: Take) -> Refusal | None:
    """Return the refusal if these cards do not claim the top of a pile that may be taken, else None."""
    rules = state.rules
    top = state.pile[-1]
    kind = top >> 2
    if kind == TWO:
        return top_card_claims.why_not_take_with_twos(state, step)
    frozen = is_frozen_for(state)
    shape = _way_of_claiming(state, step)
    if shape is None or min(step.naturals, step.twos, step.jokers) < 0:
        return _needs_cards_refusal(state, step)
    if frozen and shape != "pair" and naturals_needed(state) == PAIR:
        return Refusal(
            _frozen_refusal_code(state),
            {"kind": kind_name(kind), "held": numbers_by_kind(state.packed[state.turn])[kind]},
        )
    if shape not in ({"pair"} if frozen else rules.take_open):
        return _needs_cards_refusal(state, step)
    place = place_for_top_card(state, step)
    standing = standing_of(state)
    if rules.theme:
        refusal = why_banned_by_theme(state, step) or why_canasta_banned(state, standing, place, 1 + step.size)
        if refusal is not None:
            return refusal
    if shape in ("add", "add_seq"):
        return why_not_add_top(standing, top, place)
    refusal = why_not_meld_top(standing, kind, place)
    refusal = refusal or why_cards_not_held(state.packed[state.turn], kind, step.naturals, step.twos, step.jokers)
    return refusal or why_not_join(standing, place, step.naturals + 1, step.twos, step.jokers)


def _way_of_claiming(state: State, step: Take) -> str | None:
    """Return the word of `take_open` for the way in which these cards claim the top card; else None."""
    wilds = step.twos + step.jokers
    if not (step.naturals or wilds):
        return "add_seq" if step.onto is not None and is_run(step.onto) else "add"
    if (step.naturals, wilds) == (1, 1):
        return "card+wild"
    return "pair" if (step.naturals, wilds) == (naturals_needed(state), 0) else None


def _frozen_refusal_code(state: State) -> Code:
    """Return the refusal code of a frozen pile: frozen for all, for the side, or for the seat in turn."""
    if state.frozen:
        return Code.PILE_FROZEN
    opened = state.opened[state.side]
    return Code.PILE_FROZEN_UNTAKEN if opened or not state.rules.frozen_unopened else Code.PILE_FROZEN_UNOPENED


def place_for_top_card(state: State, step: Take) -> Place:
    """Return the place for the top card: that of the step, else the meld of its rank, else a new meld."""
    kind = state.pile[-1] >> 2
    if step.onto is not None:
        return step.onto
    if step.is_addition:
        return next((meld.place for meld in state.spreads[state.side].families.get(kind, ())), kind)
    targets = standing_of(state).possible_places(kind)
    return targets[-1] if targets else kind


def _needs_cards_refusal(state: State, step: Take) -> Refusal:
    """Return the refusal for cards that do not claim the top card; it says which cards would."""
    detail: dict[str, int | str] = {
        "kind": kind_name(state.pile[-1] >> 2),
        "naturals": step.naturals,
        "wilds": step.twos + step.jokers,
    }
    if naturals_needed(state) == TRIPLE:
        return Refusal(Code.TAKE_NEEDS_TRIPLE, {**detail, "wild": int(state.rules.take_frozen == "triple_if_wild")})
    detail["adds"] = int(step.is_addition)
    # the refusal mentions a wild card only if these rules ever let one claim the pile
    helps = "card+wild" in state.rules.take_open and state.rules.pile_frozen != "always"
    return Refusal(Code.TAKE_NEEDS_CARDS if helps else Code.TAKE_NEEDS_PAIR, detail)
