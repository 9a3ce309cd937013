"""Whether a turn can still end lawfully: what every laying of cards has to answer in the end.

The functions answer with a `Refusal` or with None, as those of `bot.engine.verify` do.
"""

from __future__ import annotations

from typing import Final

from bot.engine import laying_down, layouts
from bot.engine.canastas import enough_in, why_not_enough
from bot.engine.cards import JOKER, RANK_LETTERS, RED_THREE, TWO, Kind
from bot.engine.counts import Counts, tally
from bot.engine.melds import TableMeld
from bot.engine.queries import gathered_kind, initial_canasta, minimum, word
from bot.engine.reach import can_finish, can_finish_with, can_reach, dearest_opening
from bot.engine.refusals import Code, Refusal
from bot.engine.spread import Spread
from bot.engine.state import State
from bot.engine.themes import force
from bot.engine.unfinished import why_kept_in
from bot.engine.variants import foot
from bot.engine.variants.openings import NEEDING_CLEAN, goals_of, lacking, why_not_open


def kind_name(kind: Kind) -> str:
    """The stable name of a kind in a refusal's detail: its letter, ``JK`` for a joker, ``R3`` for a red three."""
    return _NAMES.get(kind) or RANK_LETTERS[kind]


_NAMES: Final = {JOKER: "JK", RED_THREE: "R3"}


def why_not_opening(
    state: State,
    counts: Counts,
    spread: Spread,
    laid: int,
    required: int,
    *,
    below: int,
    from_stock: bool,
    claimed: Kind | None = None,
) -> Refusal | None:
    """Whether a side that has laid too little so far can still make its initial meld in this turn.

    `below` cards come from the pile once it has. Going out in one turn after a stock draw needs no minimum
    (`rules/classic.md 1.11`, the concealed exemption).
    """
    rules = state.rules
    if not rules.plain:
        return _why_not_opening_tried(
            state, counts, spread, laid, required, below=below, from_stock=from_stock, claimed=claimed
        )
    waived = from_stock and "concealed" in rules.open_waiver
    if state.permission is not False and below < 2:
        needed = 0 if waived else required - laid
        if below:
            finishes = can_finish_with(rules, counts, spread, gathered_kind(state) or 0, points=needed)
        else:
            finishes = can_finish(rules, counts, spread, points=needed)
        if finishes:
            return None
        if state.permission and from_stock:
            needed = 0 if waived else required - state.laid_points
            side = state.side
            if can_finish(rules, state.packed[state.turn], state.spreads[side], points=needed):
                return Refusal(Code.PARTNER_SAID_YES)
    if can_reach(rules, counts, spread, required - laid, keep=max(0, 2 - below)):
        return None
    best = laid + dearest_opening(rules, counts, spread).points
    if best >= required:
        return cannot_go_out(state, spread, left=sum(tally(counts)) + below)
    return Refusal(Code.INITIAL_MELD_UNREACHABLE, {"count": laid, "required": required, "best": best})


def _why_not_opening_tried(
    state: State,
    counts: Counts,
    spread: Spread,
    laid: int,
    required: int,
    *,
    below: int,
    from_stock: bool,
    claimed: Kind | None,
) -> Refusal | None:
    """The same where the rules allow no short cut: also completing the first canasta with the pile's top opens."""
    rules = state.rules
    bound = word(state)
    closing = claimed if "first_canasta_top" in rules.open_waiver else None
    waived = from_stock and "concealed" in rules.open_waiver
    reached = layouts.can_reach(rules, counts, spread, required - laid, keep=max(0, 2 - below), closing=closing)
    if reached and bound is not True:
        return None
    if bound is not False and below < 2:
        needed = 0 if waived else required - laid
        ways = [(needed, None)] if closing is None else [(needed, None), (0, closing)]
        for points, kind in ways:
            if below:
                last = gathered_kind(state)
                if laying_down.can_finish_with(rules, counts, spread, last, points=points, closing=kind):
                    return None
            elif laying_down.can_finish(rules, counts, spread, points=points, closing=kind):
                return None
        if bound and from_stock:
            needed = 0 if waived else required - state.laid_points
            side = state.side
            if can_finish(rules, state.packed[state.turn], state.spreads[side], points=needed):
                return said_yes(state)
    if reached:
        return None
    best = laid + layouts.most_points(rules, counts, spread)
    if best >= required:
        return cannot_go_out(state, spread, left=sum(tally(counts)) + below)
    return Refusal(Code.INITIAL_MELD_UNREACHABLE, {"count": laid, "required": required, "best": best})


def said_yes(state: State) -> Refusal:
    """The refusal for a seat that has to go out and could not after this."""
    return Refusal(Code.OUT_ANNOUNCED if state.rules.out_announce else Code.PARTNER_SAID_YES)


def why_not_end(state: State, counts: Counts, spread: Spread) -> Refusal | None:
    """Whether the turn can end lawfully with that hand: by a discard that leaves a card, or by going out."""
    rules = state.rules
    left = sum(tally(counts))
    bound = word(state)
    finishes = (left < 2 or bound is True) and bound is not False
    if finishes and can_finish(rules, counts, spread):
        return None
    side = state.side
    if state.permission and can_finish(rules, state.packed[state.turn], state.spreads[side]):
        return said_yes(state)
    return None if left >= 2 else cannot_go_out(state, spread, left=left)


def why_not_end_with(state: State, spread: Spread) -> Refusal | None:
    """Whether the turn can end lawfully when the one card still to come is the whole hand.

    That of the stock, which nobody knows yet, can only be counted on to be discarded.
    """
    kind = gathered_kind(state)
    if kind is not None:
        return why_not_end(state, 1 << 8 * kind, spread)
    if word(state) is not False and enough_in(state.rules, spread) and state.rules.out_discard != "forbidden":
        return None
    return cannot_go_out(state, spread, left=1)


def why_not_out(state: State, spread: Spread) -> Refusal | None:
    """Whether the seat may go out with this spread on the table, its last card being discarded."""
    reached = foot.why_not_reached(state)
    if reached is not None:
        return reached
    rules = state.rules
    side = state.side
    if rules.out_discard == "forbidden":
        return Refusal(Code.OUT_WITHOUT_DISCARD, {"left": 1})
    if word(state) is False or not enough_in(rules, spread):
        return cannot_go_out(state, spread, left=0)
    if rules.theme and (refusal := _why_not_out_by_theme(state, spread)) is not None:
        return refusal
    if rules.out_clean and (unfinished := why_kept_in(rules, spread.by_place.values())) is not None:
        return unfinished
    if not state.opened[side] and not (state.drew == "stock" and "concealed" in rules.open_waiver):
        return too_low(state, side)
    if not state.opened[side] and rules.open_shape in NEEDING_CLEAN:  # no minimum, but what the initial meld has to be
        return why_not_open(rules, goals_of(rules, minimum=0), 0, spread.by_place.values())
    return None


def why_not_opened(state: State) -> Refusal | None:
    """What an initial meld that was begun in this turn still lacks; None where none was, or the side has opened."""
    side = state.side
    if not state.laid_points or state.opened[side]:
        return None
    lacks = force.why_not_open(state, state.melds[side]) if state.rules.theme else None
    return lacks or too_low(state, side)


def too_low(state: State, side: int) -> Refusal:
    """The refusal for a side whose melds of this turn do not make its initial meld (`rules/classic.md 1.11`)."""
    goals = goals_of(state.rules, minimum=minimum(state, side), canasta=initial_canasta(state, side))
    return lacking(state.rules, goals, state.laid_points)


def _why_not_out_by_theme(state: State, spread: Spread) -> Refusal | None:
    refusal = force.why_not_out(state, spread.by_place.values())
    if refusal is None and not state.opened[state.side]:
        return force.why_not_open(state, spread.by_place.values())
    return refusal


def cannot_go_out(state: State, spread: Spread, *, left: int) -> Refusal:
    """The refusal for a seat that must keep a card and could not."""
    if not state.ready:
        return lay_not_before(state, left=left)
    if state.rules.theme and (refusal := force.why_not_out(state, spread.by_place.values())) is not None:
        return refusal
    if state.permission is False:
        return Refusal(Code.PARTNER_SAID_NO, {"left": left})
    rules = state.rules
    lacking = why_not_enough(rules, spread.by_place.values(), left=left)
    if lacking is None and rules.out_clean:
        lacking = why_kept_in(rules, spread.by_place.values())
    if lacking is not None:
        return lacking
    if state.permission is None and rules.needs_word:
        return Refusal(Code.OUT_NOT_ANNOUNCED if rules.out_announce else Code.OUT_NOT_ASKED, {"left": left})
    if rules.out_discard == "mandatory" and not left:
        return Refusal(Code.OUT_NEEDS_DISCARD, {"left": left})
    if rules.out_discard == "forbidden" and left and enough_in(rules, spread):
        return Refusal(Code.OUT_WITHOUT_DISCARD, {"left": left})
    return Refusal(Code.NEEDS_CANASTA, {"canastas": spread.canastas, "required": rules.out_canastas, "left": left})


def lay_not_before(state: State, *, left: int) -> Refusal:
    """The refusal where the canastas for going out did not lie there as the turn began (`rules/classic.md 3`, H45)."""
    required = max(state.rules.out_canastas, sum(count for _, count in state.rules.out_need))
    return Refusal(Code.CANASTAS_NOT_BEFORE, {"required": required, "left": left})


def why_not_held(counts: Counts, kind: Kind, naturals: int, twos: int, jokers: int) -> Refusal | None:
    """Whether the hand holds these cards."""
    held = tally(counts)
    if naturals <= held[kind] and twos <= held[TWO] and jokers <= held[JOKER]:
        return None
    wanted = ((kind, naturals), (TWO, twos), (JOKER, jokers))
    lacking, needed = next((kind, needed) for kind, needed in wanted if needed > held[kind])
    return Refusal(Code.CARD_NOT_HELD, {"kind": kind_name(lacking), "held": held[lacking], "needed": needed})


def spread_with(state: State, side: int, kind: Kind, naturals: int, wilds: int) -> Spread:
    """The side's spread once the cards lie there; which cards they are does not matter to these questions."""
    spread = state.spreads[side]
    meld = spread.by_place.get(kind)
    if meld is None:
        return spread.joined(state.rules, TableMeld(kind, naturals, wilds, (0,) * (naturals + wilds)))
    cards = meld.cards + (0,) * (naturals + wilds)
    return spread.joined(state.rules, TableMeld(kind, meld.naturals + naturals, meld.wilds + wilds, cards))
