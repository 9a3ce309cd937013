"""Acts: a person's actions in cards, carried out as steps, all of them or none.

Decides `docs/law/classic.md 1.8, 1.11, 1.12, 1.24` and `docs/law/variants.md 3.1`. Reads `meld_after_take`,
`meld_kinds`, `open_count_top`, `open_waiver`, `take_open`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from bot.engine.cards.cards import BLACK_THREE, JOKER, TWO, Card
from bot.engine.cards.meld_places import Place, is_run
from bot.engine.law import initial_meld, opening_from_hand, top_card_claims
from bot.engine.law.drawing_or_taking import place_for_top_card, why_not_claim, why_pile_untakeable
from bot.engine.law.turn_and_discard import why_penalty_card_first
from bot.engine.law.turn_end import cards_to_keep
from bot.engine.melds.canastas import why_too_few_canastas
from bot.engine.melds.table_meld import card_points_of
from bot.engine.moves import phases
from bot.engine.moves.actions import TAKE_SHOWING, Discard, DiscardCard, Lay, LayMelds, Meld, Take, TakePile
from bot.engine.moves.events import Event, Events
from bot.engine.moves.refusals import Code, Refusal, kind_name, raise_if_refused
from bot.engine.play.step_events import events_of_discard, events_of_laying_run, events_of_meld, events_of_taking
from bot.engine.play.steps_from_cards import (
    must_join_a_meld,
    must_join_top_card,
    named_places,
    smallest_claim,
    steps_to_lay,
)
from bot.engine.reach.opening_goals import goals_of_turn
from bot.engine.reach.turn_outlook import standing_of
from bot.engine.table.applying_events import fold
from bot.engine.table.charged_penalties import remove_if_held
from bot.engine.table.state import State
from bot.engine.table.state_queries import opening_minimum


def events_of_laying(state: State, action: LayMelds) -> Events:
    """Return the events of laying all the melds.

    If the side has not opened, they must be its whole initial meld.
    """
    if not action.melds:
        raise Refusal(Code.NO_CARDS)
    if state.phase is phases.DRAW and not opening_from_hand.may_open_from_hand(state):
        raise Refusal(Code.DRAW_FIRST)
    _require_held(state, (card for lay in action.melds for card in lay.cards))
    try:
        return _events_of_laying_all(state, (), action.melds, named_places(state, action.melds))
    except Refusal as refused:
        raise _act_refusal(state, action.melds, 0, refused) from None


def events_of_taking_pile(state: State, action: TakePile) -> Events:
    """Return the events of picking up the pile with the named cards, then laying further melds."""
    if opening_from_hand.may_open_from_hand(state) and action.melds:
        return _events_of_opening_and_taking(state, action)
    raise_if_refused(why_pile_untakeable(state))
    _require_held(state, (*action.cards, *(card for lay in action.melds for card in lay.cards)))
    if state.pile[-1] >> 2 == TWO:
        return _events_of_showing_twos(state, action)
    return _events_of_taking_and_laying(state, action)


def _events_of_opening_and_taking(state: State, action: TakePile) -> Events:
    """Return the events of opening from the hand, then picking up the pile (`docs/law/variants.md 3.10`)."""
    _require_held(state, (*action.cards, *(card for lay in action.melds for card in lay.cards)))
    laid = events_of_laying(state, LayMelds(action.melds))
    return (*laid, *events_of_taking_pile(fold(state, laid), TakePile(action.cards, (), action.onto)))


def _events_of_showing_twos(state: State, action: TakePile) -> Events:
    """Return the events of showing twos for the pile, then laying other melds (`docs/law/classic.md H41`)."""
    raise_if_refused(top_card_claims.why_shown_cards_take_nothing(state, action.cards))
    return _events_of_laying_all(
        state, events_of_taking(state, TAKE_SHOWING), action.melds, named_places(state, action.melds)
    )


def _events_of_taking_and_laying(state: State, action: TakePile) -> Events:
    """Return the events of claiming the top card with as few named cards as possible.

    The rest of the cards join its meld.
    """
    claiming, claim = smallest_claim(state, action)
    raise_if_refused(_why_not_claim(state, claiming, action.cards))
    rest = remove_if_held(action.cards, claim)
    more = (Lay(rest),) if rest else ()
    onto = place_for_top_card(state, claiming)
    joins = [lay.onto is None and must_join_top_card(state.rules, lay.cards) for lay in action.melds]
    said = [onto if joined else place for joined, place in zip(joins, named_places(state, action.melds), strict=True)]
    if not state.rules.meld_after_take:
        return _events_of_taking_and_opening(
            state, events_of_taking(state, claiming, claim), (*more, *action.melds), [onto] * len(more) + said
        )
    top = (state.pile[-1],) if state.rules.open_count_top else ()
    try:
        return _events_of_laying_all(
            state, events_of_taking(state, claiming, claim), (*more, *action.melds), [onto] * len(more) + said
        )
    except Refusal as refused:
        raise _act_refusal(state, action.melds, card_points_of(state.rules, (*action.cards, *top)), refused) from None


def _why_not_claim(state: State, claiming: Take, cards: Sequence[Card]) -> Refusal | None:
    """Return the refusal if the named cards cannot take the pile, else None.

    Cards of another rank than the top can take it only by joining a run that takes the top card.
    """
    refusal = why_not_claim(state, claiming)
    top = state.pile[-1]
    others = [card for card in cards if card >> 2 not in (top >> 2, TWO, JOKER)]
    unclaimed = not is_run(place_for_top_card(state, claiming)) if refusal is None else refusal.code in _UNCLAIMED
    if not (others and unclaimed):
        return refusal
    if "seq" in state.rules.meld_kinds and all(card & 3 == top & 3 for card in others):
        adds = int("add_seq" in state.rules.take_open)
        return Refusal(Code.TAKE_NOT_WITH_RUN, {"kind": kind_name(top >> 2), "adds": adds})
    return Refusal(Code.TAKE_OTHER_RANK, {"kind": kind_name(top >> 2), "second": kind_name(others[0] >> 2)})


_UNCLAIMED: Final = frozenset(
    {
        Code.TAKE_NEEDS_CARDS,
        Code.TAKE_NEEDS_PAIR,
        Code.TAKE_NEEDS_TRIPLE,
        Code.TAKE_NO_MELD,
        Code.TAKE_NO_MELD_OR_RUN,
    }
)
"""The refusals of cards that do not claim the top of a pile which may be taken."""


def _events_of_taking_and_opening(
    state: State, so_far: Events, lays: Sequence[Lay], places: Sequence[Place | None]
) -> Events:
    """Return the events of laying these melds after the pile's top, if no meld may follow the opening.

    The melds with the fewest points are laid first, because the one that reaches the minimum must be the last.
    `so_far` are the events of taking the pile; `places` holds the place that the act names for each meld, or None.
    """
    points = [card_points_of(state.rules, lay.cards) for lay in lays]
    order = sorted(range(len(lays)), key=lambda number: points[number])
    return _events_of_laying_all(
        state, so_far, [lays[number] for number in order], [places[number] for number in order]
    )


def _events_of_laying_all(state: State, so_far: Events, lays: Sequence[Lay], places: Sequence[Place | None]) -> Events:
    """Return the events of laying all melds, in any legal order.

    Wild cards for a meld that the act does not name are laid late, because another part of the act may begin that meld.
    Black threes are laid last, since the seat goes out with them. Together the melds have to make the whole initial
    meld, or lay the hand down. Raises `Refusal`.
    """
    events = list(so_far)
    now = fold(state, so_far)
    left = sorted(
        zip(lays, places, strict=True),
        key=lambda one: (
            _has_only_black_threes(one[0]),
            one[1] is None and must_join_a_meld(state.rules, one[0].cards),
        ),
    )
    while left:
        refused: Refusal | None = None
        for one in left:
            try:
                happened = _events_of_laying_one(now, one[0].cards, one[1], sum(len(other.cards) for other, _ in left))
            except Refusal as refusal:
                refused = refused or refusal
                continue
            events += happened
            now = fold(now, happened)
            left.remove(one)
            break
        else:
            raise refused or Refusal(Code.NO_CARDS)
    _require_initial_meld(state, now)
    return tuple(events)


def _has_only_black_threes(lay: Lay) -> bool:
    """Return whether these are black threes, perhaps with cards that do not belong to them."""
    return any(card >> 2 == BLACK_THREE for card in lay.cards)


def _events_of_laying_one(state: State, cards: tuple[Card, ...], onto: Place | None, following: int) -> Events:
    """Return the events of laying one meld.

    `following` is the number of its cards and of all cards laid after them in this act.
    """
    if state.phase not in (phases.PLAY, phases.DRAW):
        raise Refusal(Code.NO_CARDS)
    events: list[Event] = []
    now = state
    for step, laid in steps_to_lay(state, cards, onto):
        following -= len(laid)
        happened = (
            events_of_meld(now, step, laid) if isinstance(step, Meld) else events_of_laying_run(now, step, following)
        )
        events += happened
        now = fold(now, happened)
    return tuple(events)


def _require_initial_meld(before: State, now: State) -> None:
    """Raise `Refusal` if the act has laid melds that are not a complete initial meld.

    A side that had opened before, and a seat that goes out without a minimum, need none.
    """
    side = now.seating.side_by_seat[before.turn]  # in cut-throat, the act may have changed the sides
    if (
        before.opened[before.side]
        or now.phase not in (phases.PLAY, phases.DRAW)
        or now.turn != before.turn
        or now.opened[side]
    ):
        return
    if initial_meld.is_minimum_waived(before, from_stock=before.drew == "stock") and len(now.hands[now.turn]) <= 1:
        return
    goals = goals_of_turn(now)
    lacking = initial_meld.why_melds_do_not_open(now, now.laid_points, now.melds[side])
    raise lacking or Refusal(Code.INITIAL_MELD_TOO_LOW, {"count": now.laid_points, "required": goals[0].points})


def events_of_discarding(state: State, action: DiscardCard) -> Events:
    """Return the events of discarding exactly this card, which ends the turn."""
    kind = action.card >> 2
    if state.phase is phases.DRAW:
        raise Refusal(Code.DRAW_FIRST)
    _require_held(state, (action.card,))
    if state.penalties is not None:
        raise_if_refused(why_penalty_card_first(state, kind, action.card))
    return events_of_discard(state, Discard(kind), action.card)


def _act_refusal(state: State, melds: Sequence[Lay], pile_points: int, refused: Refusal) -> Refusal:
    """Return the refusal of an act one of whose steps was refused.

    Usually it is the step's own refusal `refused`. If the step leads to no initial meld, and the whole act counts too
    little, it gives the points of the act: its own, `pile_points` of the meld with the pile's top, and those already
    laid. With black threes among the melds the seat goes out, so missing canastas are reported before points.
    """
    if refused.code in _INITIAL_MELD and not pile_points and any(_has_only_black_threes(lay) for lay in melds):
        refused = _why_not_go_out_with(state, melds) or refused
    count = state.laid_points + pile_points + card_points_of(state.rules, (card for lay in melds for card in lay.cards))
    required = opening_minimum(state, state.side)
    if refused.code is not Code.INITIAL_MELD_UNREACHABLE or count >= required:
        return refused
    return Refusal(Code.INITIAL_MELD_TOO_LOW, {"count": count, "required": required})


_INITIAL_MELD: Final = frozenset({Code.INITIAL_MELD_UNREACHABLE, Code.INITIAL_MELD_TOO_LOW})


def _why_not_go_out_with(state: State, melds: Sequence[Lay]) -> Refusal | None:
    """Return the refusal if the seat does not go out with all these melds, else None."""
    left = len(state.hands[state.turn]) - sum([len(lay.cards) for lay in melds])
    if left > 1:
        return Refusal(Code.BLACK_THREES_ONLY_OUT, {"left": left, "many": 1})
    standing = standing_of(state)
    for lay, place in zip(melds, named_places(state, melds), strict=True):
        for step, cards in steps_to_lay(state, lay.cards, place):
            standing = standing.with_cards(step.place, cards)
    refusal = why_too_few_canastas(state.rules, standing.melds.values(), left=left)
    return (
        None
        if refusal is None
        else Refusal(refusal.code, {**refusal.detail, "keep": cards_to_keep(state), "taking": 0})
    )


def _require_held(state: State, cards: Iterable[Card]) -> None:
    """Raise `Refusal` unless the hand holds every named card, as often as it is named."""
    left = list(state.hands[state.turn])
    named = list(cards)
    for card in named:
        if card in left:
            left.remove(card)
            continue
        held = state.hands[state.turn].count(card)
        needed = named.count(card)
        raise Refusal(Code.CARD_NOT_HELD, {"card": card, "held": held, "needed": needed})
