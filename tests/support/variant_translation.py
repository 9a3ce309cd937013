"""Convert an engine's state and steps to the terms of the variants' oracle.

It reads fields and decides nothing.
"""

from __future__ import annotations

from bot.engine.cards.cards import RANK_LETTERS, RED_THREE
from bot.engine.cards.meld_places import DEUCE_MELD, WILD_MELD, Place, family_of, is_run
from bot.engine.cards.notation import card_text
from bot.engine.moves import actions
from bot.engine.table.state import State
from tests.support.variant_melds import BLACK, DEUCE, RUN, SET, WILD, LaidMeld, Position
from tests.support.variant_oracle import NEW, Step

LETTERS = (*RANK_LETTERS[:RED_THREE], "R")
"""The oracle's letter for each kind."""


def oracle_position(state: State, *, opening: bool) -> Position:
    """Return the same position in the oracle's terms."""
    rules = state.rules
    side = state.seating.side_by_seat[state.turn]
    partner = state.seating.partner_by_seat[state.turn]
    size = rules.canasta_size
    other_sides = [melds for number, melds in enumerate(state.melds) if number != side]
    closed = [_kind_and_rank(meld.place) for melds in other_sides for meld in melds if meld.size >= size]
    return Position(
        laws=rules,
        phase=state.phase.value,
        hand=tuple(card_text(card) for card in state.hands[state.turn]),
        melds=tuple(
            LaidMeld(str(meld.place), *_kind_and_rank(meld.place), tuple(sorted(map(card_text, meld.cards))))
            for meld in state.melds[side]
        ),
        opened=state.opened[side],
        opening=opening,
        minimum=_minimum_with_penalties(state),
        score=state.scores[rules.side_of(state.turn)],
        pile=tuple(map(card_text, state.pile)),
        frozen=state.frozen,
        stock=len(state.stock),
        partner=partner is not None,
        permission=state.permission,
        lapsed=state.lapsed,
        drew=state.drew,
        laid=state.laid_points,
        touched=bool(state.started) or state.joined,
        aside=state.aside,
        hidden=state.hidden,
        topped="" if state.claimed is None else str(state.claimed),
        others_opened=sum(opened for number, opened in enumerate(state.opened) if number != side),
        foot=bool(state.feet) and bool(state.feet[state.turn]),
        canastas_before=state.canastas_before,
        ready=state.ready,
        taken=state.turn in state.takers,
        froze=state.froze,
        asked=state.turn in state.asked,
        exposed=_penalty_cards(state),
        turns=state.turns,
        seats=len(state.seating.seats),
        seat=state.turn,
        deal=state.deal,
        dead=frozenset(rank for kind, rank in closed if kind == SET),
        sevens_of_others=all(
            any(_kind_and_rank(meld.place) == (SET, "7") and meld.size >= size for meld in melds)
            for melds in other_sides
        ),
        gate=rules.foot_partner_gate != "none"
        and bool(state.feet)
        and partner is not None
        and bool(state.feet[partner]),
        red_threes=len(state.red_threes[rules.side_of(state.turn)]),
    )


def _minimum_with_penalties(state: State) -> int:
    key = state.deal if state.rules.open_by == "round" else state.scores[state.rules.side_of(state.turn)]
    usual = [0, *[points for start, points in state.rules.open_table if start is None or key >= start]][-1]
    raised = () if state.penalties is None else state.penalties.raised
    partners = state.seating.seats_of(state.seating.side_by_seat[state.turn])
    return usual + sum(points for seat, points in enumerate(raised) if seat in partners)


def _penalty_cards(state: State) -> tuple[str, ...]:
    """Return the penalty cards that the seat in turn must discard first."""
    penalties = state.penalties
    if penalties is None:
        return ()
    free = state.turn in penalties.until_opened and state.opened[state.seating.side_by_seat[state.turn]]
    return () if free else tuple(map(card_text, penalties.exposed[state.turn]))


def _kind_and_rank(place: Place) -> tuple[str, str]:
    """Return the kind of a meld, and its rank or suit."""
    family = family_of(place)
    if is_run(place):
        return RUN, "shdc"[family & 3]
    if family == WILD_MELD:
        return WILD, ""
    if family == DEUCE_MELD:
        return DEUCE, "2"
    return (BLACK, "3") if LETTERS[family] == "3" else (SET, LETTERS[family])


def translate_step(state: State, step: actions.Step) -> Step:
    """Return an engine's step in the oracle's terms, except answers, which are always legal."""
    side = state.seating.side_by_seat[state.turn]
    lying = {meld.place for meld in state.melds[side]}

    def meld_name(place: Place) -> str:
        return str(place) if place in lying else NEW

    match step:
        case actions.Meld():
            return ("meld", *_kind_and_rank(step.place), meld_name(step.place), step.naturals, step.twos, step.jokers)
        case actions.LayRun():
            return ("run", "shdc"[step.place & 3], meld_name(step.place), step.low, step.high)
        case actions.Combine():
            places = [meld.place for meld in state.melds[side]]
            one, other = sorted((step.place, step.onto), key=places.index)
            return ("combine", str(one), str(other))
        case actions.Reclaim():
            return ("reclaim", *_kind_and_rank(step.place), meld_name(step.place))
        case actions.Take():
            return ("take", step.naturals, step.twos, step.jokers, _name_of_target_meld(state, step))
        case actions.Discard():
            return ("discard", LETTERS[step.kind])
        case actions.Show():
            return ("show", step.hand or "")
        case actions.Draw() | actions.DrawKeeping() | actions.Ask() | actions.Announce() | actions.Pass():
            return (_PLAIN[type(step)],)
    raise ValueError(step)


_PLAIN: dict[type[actions.Step], str] = {
    actions.Draw: "draw",
    actions.DrawKeeping: "keep",
    actions.Ask: "ask",
    actions.Announce: "announce",
    actions.Pass: "pass",
}


def _name_of_target_meld(state: State, take: actions.Take) -> str:
    """Return the name of the meld that the top card joins when the pile is taken.

    If the step names none, it is the last one of the rank, or a new one.
    """
    side = state.seating.side_by_seat[state.turn]
    places = [meld.place for meld in state.melds[side]]
    if take.onto is not None:
        return str(take.onto) if take.onto in places else NEW
    of_rank = [place for place in places if family_of(place) == state.pile[-1] >> 2]
    alone = not (take.naturals or take.twos or take.jokers)
    finished = all(meld.size >= state.rules.canasta_size for meld in state.melds[side] if meld.place in of_rank)
    another = {"many": True, "after_close": finished, "one": not of_rank}[state.rules.same_rank_melds]
    return str(of_rank[-1]) if of_rank and (alone or not another) else NEW
