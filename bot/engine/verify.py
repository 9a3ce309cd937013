"""Verify: why a step is not allowed, or that it is.

Each function answers with a `Refusal` or with None. `bot.engine.decide` raises what they answer; the list of legal
steps (`bot.engine.legal`) asks the same questions. Whose turn it is has been asked before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from bot.engine import phases
from bot.engine.actions import ASK, DRAW, PASS, Answer, Ask, Discard, Draw, Meld, Pass, Step, Take
from bot.engine.cards import ACE, BLACK_THREE, JOKER, RANK_LETTERS, RED_THREE, TWO, Kind
from bot.engine.queries import canastas, frozen_for, gathered_kind, gathered_size, meld_of, minimum
from bot.engine.reach import BLACK_THREE_MELDS, can_finish, can_finish_with, can_reach, dearest_opening
from bot.engine.refusals import Code, Refusal
from bot.engine.rules import RuleSet, card_class
from bot.engine.state import State, TableMeld, actor

Counts = Sequence[int]


def kind_name(kind: Kind) -> str:
    """The stable name of a kind in a refusal's detail: its letter, ``JK`` for a joker."""
    return "JK" if kind == JOKER else RANK_LETTERS[kind]


def why_not_turn(state: State, seat: int | None) -> Refusal | None:
    """Whether that seat is to act at all."""
    if seat is None or not 0 <= seat < state.rules.players:
        return Refusal(Code.NOT_A_PLAYER, {"seat": -1 if seat is None else seat, "players": state.rules.players})
    if state.phase is phases.OVER:
        return Refusal(Code.GAME_OVER)
    to_act = actor(state)
    if to_act is None:
        return Refusal(Code.NO_DEAL)
    if seat == to_act:
        return None
    if state.phase is phases.ANSWER and seat == state.turn:
        return Refusal(Code.WAITING_FOR_ANSWER, {"partner": to_act})
    return Refusal(Code.NOT_YOUR_TURN, {"turn": to_act})


def why_not_step(state: State, step: Step) -> Refusal | None:
    """Why the seat that is to act may not take this step, or None when it may."""
    if state.phase is phases.ANSWER and not isinstance(step, Answer):
        return Refusal(Code.WAITING_FOR_ANSWER, {"partner": actor(state) or 0})
    return _QUESTIONS[type(step)](state, step)


# --- the start of a turn ---------------------------------------------------------------------------------------------


def why_not_draw(state: State, _step: Draw = DRAW) -> Refusal | None:
    """Drawing needs cards in the stock (`rules/classic.md 1.9`)."""
    if state.phase is not phases.DRAW:
        return Refusal(Code.ALREADY_DREW)
    return None if state.stock else Refusal(Code.STOCK_EMPTY)


def why_not_pass(state: State, _step: Pass = PASS) -> Refusal | None:
    """Passing needs an empty stock, and a top card that fits none of the side's melds (`rules/classic.md 1.19`)."""
    if state.phase is not phases.DRAW:
        return Refusal(Code.ALREADY_DREW)
    if state.stock:
        return Refusal(Code.STOCK_NOT_EMPTY, {"stock": len(state.stock)})
    if why_not_take(state, Take()) is None:
        return Refusal(Code.MUST_TAKE, {"kind": kind_name(state.pile[-1] >> 2)})
    return None


def why_not_take(state: State, step: Take) -> Refusal | None:
    """The decision table of `rules/classic.md 1.12`, then whether the turn can still end lawfully."""
    seat = state.turn
    side = state.rules.side_by_seat[seat]
    refusal = _why_not_pile(state, seat)
    if refusal is not None:
        return refusal
    kind = state.pile[-1] >> 2
    meld = meld_of(state.melds[side], kind)
    refusal = _why_not_claim(state, step, meld, kind)
    return refusal if refusal is not None else _why_not_after_take(state, step, meld, kind)


def _why_not_pile(state: State, seat: int) -> Refusal | None:
    """Whether anybody in this place could take this pile."""
    rules = state.rules
    if state.phase is not phases.DRAW:
        return Refusal(Code.ALREADY_DREW)
    if not state.pile:
        return Refusal(Code.PILE_EMPTY)
    kind = state.pile[-1] >> 2
    if kind > ACE and (kind == RED_THREE or card_class(kind) in rules.top_blocks):
        return Refusal(Code.PILE_BLOCKED, {"kind": kind_name(kind)})
    if rules.one_card_guard and len(state.hands[seat]) == 1 and len(state.pile) == 1:
        return Refusal(Code.ONE_CARD_ONE_CARD)
    return None


def _why_not_claim(state: State, step: Take, meld: TableMeld | None, kind: Kind) -> Refusal | None:
    """Whether these cards from hand claim a top card of that kind."""
    rules = state.rules
    side = rules.side_by_seat[state.turn]
    counts = state.counts[state.turn]
    wilds = step.twos + step.jokers
    name = kind_name(kind)
    shape = {(2, 0): "pair", (1, 1): "card+wild", (0, 0): "add"}.get((step.naturals, wilds))
    if shape is None or min(step.naturals, step.twos, step.jokers) < 0:
        return Refusal(Code.TAKE_NEEDS_CARDS, {"kind": name, "naturals": step.naturals, "wilds": wilds})
    if shape != "pair" and frozen_for(state, side):
        code = Code.PILE_FROZEN if state.frozen else Code.PILE_FROZEN_UNOPENED
        return Refusal(code, {"kind": name, "held": counts[kind]})
    if shape not in rules.take_open and not (shape == "pair" and frozen_for(state, side)):
        return Refusal(Code.TAKE_NEEDS_CARDS, {"kind": name, "naturals": step.naturals, "wilds": wilds})
    refusal = _why_not_held(counts, kind, step.naturals, step.twos, step.jokers)
    if refusal is not None:
        return refusal
    if shape == "add" and meld is None:
        return Refusal(Code.TAKE_NO_MELD, {"kind": name})
    if shape == "add" and meld is not None and not rules.take_add_canasta and meld.size >= rules.canasta_size:
        return Refusal(Code.TAKE_ONTO_CANASTA, {"kind": name})
    if wilds and meld is not None and meld.wilds + wilds > rules.max_wilds:
        return Refusal(Code.MELD_TOO_MANY_WILDS, {"wilds": meld.wilds + wilds, "allowed": rules.max_wilds})
    return None


def _why_not_after_take(state: State, step: Take, meld: TableMeld | None, kind: Kind) -> Refusal | None:
    """Whether the turn can end lawfully when the pile has been taken so."""
    rules = state.rules
    seat = state.turn
    side = rules.side_by_seat[seat]
    if state.opened[side] and len(state.hands[seat]) - step.naturals - step.twos - step.jokers >= 2:
        return None
    counts = _less(state.counts[seat], kind, step.naturals, step.twos, step.jokers)
    melds = _with_meld(state.melds[side], meld, kind, step.naturals + 1, step.twos + step.jokers)
    below = gathered_size(state)
    if not state.opened[side]:
        values = rules.card_values
        laid = (step.naturals + 1) * values[kind] + step.twos * values[TWO] + step.jokers * values[JOKER]
        required = minimum(state, side)
        if laid < required:
            return _why_not_opening(state, counts, melds, laid, required, below=below, from_stock=False)
    if sum(counts) + below >= 2:
        return None
    if below:
        counts[gathered_kind(state)] += 1
    return _why_not_end(state, counts, melds)


# --- melding ---------------------------------------------------------------------------------------------------------


def why_not_meld(state: State, step: Meld) -> Refusal | None:
    """Whether these cards make or join a meld, and the turn can still end lawfully (`1.10, 1.11, 1.15`)."""
    if state.phase is not phases.PLAY:
        return Refusal(Code.DRAW_FIRST)
    rules = state.rules
    seat = state.turn
    side = rules.side_by_seat[seat]
    kind = step.kind
    refusal = _why_not_kind(step)
    if refusal is not None:
        return refusal
    held = state.counts[seat]
    meld = meld_of(state.melds[side], kind)
    refusal = _why_not_held(held, kind, step.naturals, step.twos, step.jokers) or _why_not_shape(rules, step, meld)
    if refusal is not None:
        return refusal
    left = len(state.hands[seat]) - step.size
    below = gathered_size(state) if state.aside else 0
    if kind == BLACK_THREE and left + below > 1:
        return Refusal(Code.BLACK_THREES_ONLY_OUT, {"left": left + below})
    if left >= 2 and state.permission is None and state.opened[side]:
        return None
    counts = _less(held, kind, step.naturals, step.twos, step.jokers)
    melds = _with_meld(state.melds[side], meld, kind, step.naturals, step.twos + step.jokers)
    if not state.opened[side]:
        values = rules.card_values
        laid = state.laid_points + step.naturals * values[kind] + step.twos * values[TWO] + step.jokers * values[JOKER]
        required = minimum(state, side)
        if laid < required:
            return _why_not_opening(state, counts, melds, laid, required, below=below, from_stock=state.drew == "stock")
        if state.aside and left + below >= 2:
            return None
        if below:
            counts[gathered_kind(state)] += 1
    return _why_not_end(state, counts, melds)


def _why_not_kind(step: Meld) -> Refusal | None:
    """Whether these could be cards of a meld at all."""
    if step.kind == RED_THREE:
        return Refusal(Code.MELD_RED_THREE)
    if step.kind > BLACK_THREE:
        return Refusal(Code.MELD_NO_RANK)
    return Refusal(Code.NO_CARDS) if step.size <= 0 or min(step.naturals, step.twos, step.jokers) < 0 else None


def _why_not_shape(rules: RuleSet, step: Meld, meld: TableMeld | None) -> Refusal | None:
    """Whether the meld that would lie there is one."""
    wilds = step.twos + step.jokers
    if step.kind == BLACK_THREE:
        if wilds or meld is not None or step.naturals not in BLACK_THREE_MELDS:
            return Refusal(Code.BLACK_THREES_COUNT, {"count": step.naturals, "wilds": wilds})
        return None
    naturals, size = step.naturals, step.size
    if meld is not None:
        naturals, wilds, size = naturals + meld.naturals, wilds + meld.wilds, size + meld.size
    if naturals < rules.min_naturals:
        return Refusal(Code.MELD_TOO_FEW_NATURALS, {"naturals": naturals, "required": rules.min_naturals})
    if wilds > rules.max_wilds:
        return Refusal(Code.MELD_TOO_MANY_WILDS, {"wilds": wilds, "allowed": rules.max_wilds})
    if size < rules.meld_min:
        return Refusal(Code.MELD_TOO_SMALL, {"count": size, "required": rules.meld_min})
    return None


def _why_not_opening(
    state: State,
    counts: Counts,
    melds: Sequence[TableMeld],
    laid: int,
    required: int,
    *,
    below: int,
    from_stock: bool,
) -> Refusal | None:
    """Whether a side that has laid too little so far can still make its initial meld in this turn.

    `below` cards come from the pile once it has. Going out in one turn after a stock draw needs no minimum
    (`rules/classic.md 1.11`, the concealed exemption).
    """
    rules = state.rules
    waived = from_stock and "concealed" in rules.open_waiver
    if state.permission is not False and below < 2:
        needed = 0 if waived else required - laid
        if below:
            finishes = can_finish_with(rules, counts, melds, gathered_kind(state), points=needed)
        else:
            finishes = can_finish(rules, counts, melds, points=needed)
        if finishes:
            return None
        if state.permission and from_stock:
            needed = 0 if waived else required - state.laid_points
            if can_finish(rules, state.counts[state.turn], state.melds[rules.side_by_seat[state.turn]], points=needed):
                return Refusal(Code.PARTNER_SAID_YES)
    if can_reach(rules, counts, melds, required - laid, keep=max(0, 2 - below)):
        return None
    best = laid + dearest_opening(rules, counts, melds).points
    if best >= required:
        return _cannot_go_out(state, melds, left=sum(counts) + below)
    return Refusal(Code.INITIAL_MELD_UNREACHABLE, {"count": laid, "required": required, "best": best})


# --- ending the turn -------------------------------------------------------------------------------------------------


def why_not_discard(state: State, step: Discard) -> Refusal | None:
    """Whether that card may end the turn; the last card of a hand ends the deal (`rules/classic.md 1.15`)."""
    if state.phase is not phases.PLAY:
        return Refusal(Code.DRAW_FIRST)
    rules = state.rules
    seat = state.turn
    side = rules.side_by_seat[seat]
    counts = state.counts[seat]
    if not counts[step.kind] if step.kind < len(counts) else True:
        return Refusal(Code.CARD_NOT_HELD, {"kind": kind_name(step.kind), "held": 0, "needed": 1})
    if len(state.hands[seat]) == 1:
        return _why_not_out(state, state.melds[side])
    if state.laid_points and not state.opened[side]:
        return Refusal(Code.INITIAL_MELD_TOO_LOW, {"count": state.laid_points, "required": minimum(state, side)})
    if state.permission and can_finish(rules, counts, state.melds[side]):
        return Refusal(Code.PARTNER_SAID_YES)
    return None


def _why_not_end(state: State, counts: Counts, melds: Sequence[TableMeld]) -> Refusal | None:
    """Whether the turn can end lawfully with that hand: by a discard that leaves a card, or by going out."""
    rules = state.rules
    left = sum(counts)
    finishes = (left < 2 or state.permission is True) and state.permission is not False
    if finishes and can_finish(rules, counts, melds):
        return None
    if state.permission and can_finish(rules, state.counts[state.turn], state.melds[rules.side_by_seat[state.turn]]):
        return Refusal(Code.PARTNER_SAID_YES)
    return None if left >= 2 else _cannot_go_out(state, melds, left=left)


def _why_not_out(state: State, melds: Sequence[TableMeld]) -> Refusal | None:
    """Whether the seat may go out with these melds on the table, its last card being discarded."""
    rules = state.rules
    side = rules.side_by_seat[state.turn]
    if state.permission is False or canastas(rules, melds) < rules.out_canastas:
        return _cannot_go_out(state, melds, left=0)
    if not state.opened[side] and not (state.drew == "stock" and "concealed" in rules.open_waiver):
        return Refusal(Code.INITIAL_MELD_TOO_LOW, {"count": state.laid_points, "required": minimum(state, side)})
    return None


def _cannot_go_out(state: State, melds: Sequence[TableMeld], *, left: int) -> Refusal:
    if state.permission is False:
        return Refusal(Code.PARTNER_SAID_NO, {"left": left})
    rules = state.rules
    return Refusal(
        Code.NEEDS_CANASTA, {"canastas": canastas(rules, melds), "required": rules.out_canastas, "left": left}
    )


def why_not_ask(state: State, _step: Ask = ASK) -> Refusal | None:
    """Asking comes before anything is laid in the turn, and from a hand that could go out (`rules/classic.md 1.18`)."""
    rules = state.rules
    if rules.ask_partner == "none" or rules.partner_by_seat[state.turn] is None:
        return Refusal(Code.ASK_OFF)
    if state.permission is not None or state.started_kinds or state.joined:
        return Refusal(Code.ASK_TOO_LATE)
    if not _could_go_out(state):
        held = canastas(rules, state.melds[rules.side_by_seat[state.turn]])
        return Refusal(Code.ASK_CANNOT_GO_OUT, {"canastas": held, "required": rules.out_canastas})
    return None


def may_ask(state: State) -> bool:
    """Whether `why_not_ask` has nothing against asking."""
    rules = state.rules
    return not (
        state.started_kinds
        or state.joined
        or state.permission is not None
        or rules.ask_partner == "none"
        or rules.partner_by_seat[state.turn] is None
        or not _could_go_out(state)
    )


def _could_go_out(state: State) -> bool:
    """Whether the hand as it is could be laid down, all but one card."""
    rules = state.rules
    side = rules.side_by_seat[state.turn]
    counts = state.counts[state.turn]
    melds = state.melds[side]
    single = counts.count(1) - 1  # one may be discarded; the others must find a meld or be wild cards
    if single > 0:
        if single > len(melds) + 2:
            return False
        single -= (counts[TWO] == 1) + (counts[JOKER] == 1)
        for meld in melds:
            single -= counts[meld.kind] == 1
        if single > 0:
            return False
    waived = state.opened[side] or "concealed" in rules.open_waiver
    return can_finish(rules, counts, melds, points=0 if waived else minimum(state, side))


def why_not_answer(state: State, _step: Answer) -> Refusal | None:
    """An answer needs a question."""
    return None if state.phase is phases.ANSWER else Refusal(Code.NO_QUESTION)


# A step of one type reaches the question about that type only, which a type checker cannot see in a table.
_QUESTIONS: dict[type[Step], Callable[[State, Any], Refusal | None]] = {
    Draw: why_not_draw,
    Take: why_not_take,
    Meld: why_not_meld,
    Discard: why_not_discard,
    Ask: why_not_ask,
    Answer: why_not_answer,
    Pass: why_not_pass,
}


# --- arithmetic ------------------------------------------------------------------------------------------------------


def _why_not_held(counts: Counts, kind: Kind, naturals: int, twos: int, jokers: int) -> Refusal | None:
    if naturals <= counts[kind] and twos <= counts[TWO] and jokers <= counts[JOKER]:
        return None
    wanted = ((kind, naturals), (TWO, twos), (JOKER, jokers))
    lacking, needed = next((kind, needed) for kind, needed in wanted if needed > counts[kind])
    return Refusal(Code.CARD_NOT_HELD, {"kind": kind_name(lacking), "held": counts[lacking], "needed": needed})


def _less(counts: Counts, kind: Kind, naturals: int, twos: int, jokers: int) -> list[int]:
    left = list(counts)
    left[kind] -= naturals
    left[TWO] -= twos
    left[JOKER] -= jokers
    return left


def _with_meld(
    melds: tuple[TableMeld, ...], meld: TableMeld | None, kind: Kind, naturals: int, wilds: int
) -> tuple[TableMeld, ...]:
    """The side's melds once the cards lie there; which cards they are does not matter to these questions."""
    if meld is None:
        return (*melds, TableMeld(kind, naturals, wilds, (0,) * (naturals + wilds)))
    grown = TableMeld(kind, meld.naturals + naturals, meld.wilds + wilds, meld.cards + (0,) * (naturals + wilds))
    return tuple(grown if other is meld else other for other in melds)
