"""Why a turn may not begin so: drawing, passing, taking the pile.

Each function answers with a `Refusal` or with None, as those of `bot.engine.verify` do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from bot.engine import phases
from bot.engine.actions import (
    DRAW,
    DRAW_KEEPING,
    PASS,
    TAKE_ADD,
    TAKE_PAIR,
    TAKE_WITH_JOKER,
    TAKE_WITH_TWO,
    Draw,
    DrawKeeping,
    Pass,
    Take,
)
from bot.engine.cards import ACE, JOKER, SEVEN, TWO, Kind
from bot.engine.counts import WILD_SHIFT, pack_step, tally
from bot.engine.ending import (
    kind_name,
    spread_with,
    why_not_end,
    why_not_end_with,
    why_not_held,
    why_not_opened,
    why_not_opening,
)
from bot.engine.melds import TableMeld
from bot.engine.queries import discards_no_more, frozen_for, gathered_size, guards_one_card, minimum, opened_by_canasta
from bot.engine.refusals import Code, Refusal
from bot.engine.rules import RuleSet
from bot.engine.shapes import why_not_join
from bot.engine.state import State
from bot.engine.themes import force
from bot.engine.variants import showing
from bot.engine.variants import taking as varied
from bot.engine.variants.kept_threes import may_keep


def why_not_draw(state: State, _step: Draw = DRAW) -> Refusal | None:
    """Drawing needs cards in the stock (`rules/classic.md 1.9`)."""
    if state.phase is not phases.DRAW:
        return Refusal(Code.ALREADY_DREW)
    if state.started:
        return _must_take(state)
    return None if state.stock else Refusal(Code.STOCK_EMPTY)


def _must_take(state: State) -> Refusal:
    """Melds were laid from the hand before the draw: then the pile has to be taken (`rules/variants.md 3.10`)."""
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
    """Passing needs an empty stock, and no way to take the pile that one may not decline (`rules/classic.md 1.19`).

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
    if not state.rules.varied or not state.pile:
        return _FORCING[force]
    alone = force == "if_top_fits_existing_meld_and_unfrozen"
    return [] if force == "never" else [take for take in varied.candidates(state) if not alone or take.adds]


_FORCING: Mapping[str, tuple[Take, ...]] = {
    "never": (),
    "if_top_fits_existing_meld_and_unfrozen": (TAKE_ADD,),
    "whenever_able": (TAKE_PAIR, TAKE_WITH_TWO, TAKE_WITH_JOKER, TAKE_ADD),
}
"""The ways to take the pile that one may not decline when the stock is out."""


def why_not_take(state: State, step: Take) -> Refusal | None:
    """The decision table of `rules/classic.md 1.12`, then whether the turn can still end lawfully."""
    if varied.is_sure(state, step) if state.rules.varied else _is_sure(state, step):
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
    if state.rules.varied:
        return varied.why_not_after(state, step)
    seat = state.turn
    side = state.side
    if state.opened[side] and len(state.hands[seat]) - step.naturals - step.twos - step.jokers >= 2:
        return None
    return _why_not_after_take(state, step, state.pile[-1] >> 2)


def _is_sure(state: State, step: Take) -> bool:
    """Whether an open side may take the pile as most do under plain rules, and keeps two cards."""
    rules = state.rules
    if not (rules.plain and rules.takes_freely and state.phase is phases.DRAW and state.pile):
        return False
    seat = state.turn
    side = state.side
    kind = state.pile[-1] >> 2
    if kind > ACE or not state.opened[side] or (kind == SEVEN and "7" in rules.top_blocks):
        return False
    cards = step.naturals, step.twos, step.jokers
    if step.onto is not None or len(state.hands[seat]) - sum(cards) < 2:
        return False
    counts = state.packed[seat]
    if cards == _PAIR:
        return counts >> 8 * kind & 127 >= 2
    meld = state.spreads[side].by_place.get(kind)
    if state.frozen or cards == _NONE:
        return not state.frozen and meld is not None
    if cards not in _WITH_WILD or (meld is not None and meld.wilds >= rules.max_wilds):
        return False
    wild = counts >> WILD_SHIFT & 127 if step.twos else counts >> WILD_SHIFT + 8 & 127
    return bool(wild and counts >> 8 * kind & 127)


_PAIR = (2, 0, 0)
_NONE = (0, 0, 0)
_WITH_WILD = ((1, 1, 0), (1, 0, 1))


def why_not_claim(state: State, step: Take) -> Refusal | None:
    """The decision table of `rules/classic.md 1.12` alone: whether these cards claim the top of this pile."""
    refusal = why_not_pile(state)
    if refusal is not None:
        return refusal
    if state.rules.varied:
        return varied.why_not_claim(state, step)
    kind = state.pile[-1] >> 2
    side = state.side
    return _why_not_cards(state, step, state.spreads[side].by_place.get(kind), kind)


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


_SHAPES = {(2, 0): "pair", (1, 1): "card+wild", (0, 0): "add"}
"""How the top card is claimed, by how many naturals and wild cards come from the hand."""


def _why_not_cards(state: State, step: Take, meld: TableMeld | None, kind: Kind) -> Refusal | None:
    """Whether these cards from hand claim a top card of that kind."""
    rules = state.rules
    wilds = step.twos + step.jokers
    shape = _SHAPES.get((step.naturals, wilds))
    if shape is None or step.twos < 0 or step.jokers < 0:
        return _needs_cards(rules, step, kind)
    frozen = frozen_for(state, state.side)
    counts = state.packed[state.turn]
    if shape != "pair" and frozen:
        code = Code.PILE_FROZEN if state.frozen else Code.PILE_FROZEN_UNOPENED
        return Refusal(code, {"kind": kind_name(kind), "held": tally(counts)[kind]})
    if shape not in rules.take_open and not (shape == "pair" and frozen):
        return _needs_cards(rules, step, kind)
    if shape == "add":
        refusal = _why_not_add(state, meld, kind)
    elif not rules.take_pair_canasta and meld is not None and meld.size >= rules.canasta_size:
        refusal = Refusal(Code.TAKE_ONTO_CANASTA, {"kind": kind_name(kind)})
    else:
        refusal = why_not_held(counts, kind, step.naturals, step.twos, step.jokers)
    if refusal is not None:
        return refusal
    before = (0, 0) if meld is None else (meld.naturals, meld.wilds)
    return why_not_join(rules, before, step.naturals + 1, wilds)


def _needs_cards(rules: RuleSet, step: Take, kind: Kind) -> Refusal:
    detail: dict[str, int | str] = {
        "kind": kind_name(kind),
        "naturals": step.naturals,
        "wilds": step.twos + step.jokers,
    }
    return Refusal(varied.claims_otherwise(rules), detail)


def _why_not_add(state: State, meld: TableMeld | None, kind: Kind) -> Refusal | None:
    """Whether the top card may simply join the side's meld of its rank."""
    rules = state.rules
    if meld is None:
        return Refusal(Code.TAKE_NO_MELD, {"kind": kind_name(kind)})
    if not rules.take_add_canasta and meld.size >= rules.canasta_size:
        return Refusal(Code.TAKE_ONTO_CANASTA, {"kind": kind_name(kind)})
    return None


def _why_not_after_take(state: State, step: Take, kind: Kind) -> Refusal | None:
    """Whether the turn can end lawfully when the pile has been taken so and fewer than two cards may be left."""
    rules = state.rules
    seat = state.turn
    side = state.side
    counts = state.packed[seat] - pack_step(kind, step.naturals, step.twos, step.jokers)
    spread = spread_with(state, side, kind, step.naturals + 1, step.twos + step.jokers)
    below = gathered_size(state)
    if not state.opened[side]:
        values = rules.card_values
        naturals = step.naturals + rules.open_count_top
        laid = naturals * values[kind] + step.twos * values[TWO] + step.jokers * values[JOKER]
        required = minimum(state, side)
        if laid < required and not opened_by_canasta(state, side, spread, kind):
            return why_not_opening(state, counts, spread, laid, required, below=below, from_stock=False, claimed=kind)
    if sum(tally(counts)) + below >= 2:
        return None
    if below:
        return why_not_end_with(state, spread)
    return why_not_end(state, counts, spread)
