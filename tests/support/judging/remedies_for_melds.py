"""Remedies for refused melds, runs, threes and initial melds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from bot.engine.cards.cards import ACE, BLACK_THREE, FOUR, JOKER, RED_THREE, TWO, Card, card_of
from bot.engine.cards.meld_places import DEUCE_MELD, WILD_MELD, family_of, is_run
from bot.engine.melds.table_melds import meld_of
from bot.engine.moves import phases
from bot.engine.moves.actions import Combine, Discard, DiscardCard, Lay, LayMelds, LayRun, Meld, Take, TakePile
from bot.engine.moves.refusals import Code
from tests.support.judging.cards_of_attempts import (
    before_melding,
    cards_melded_by,
    cards_of,
    free_ranks,
    hand_of,
    is_take,
    kind_named,
    make_meld,
    own_melds,
    target_meld,
    top_kind,
    trial_with_action,
    with_cards_melded,
    with_fewer_wilds,
    with_hand,
    with_melds,
    with_more_naturals,
    with_side_opened,
)
from tests.support.judging.recounted_numbers import makes_canasta, points_of
from tests.support.judging.refused_attempts import RefusedAttempt, Remedy, Trial
from tests.support.judging.remedies_for_going_out import give_canastas

# --- melds ------------------------------------------------------------------------------------------------------------


def _use_one_rank(one: RefusedAttempt) -> Iterator[Trial]:
    """Yield the attempt with only wild cards and the cards of the first rank named in the refusal."""
    cards = cards_melded_by(one)
    first = kind_named(one.refusal.detail["first"])
    if cards is not None:
        left = [card for card in cards if card >> 2 in (first, TWO, JOKER)]
        if left and len(left) < len(cards):
            yield one.with_action(with_cards_melded(one, left))


def _add_naturals(one: RefusedAttempt) -> Iterator[Trial]:
    """Yield the attempt with two naturals of one rank beside the wild cards."""
    kinds = free_ranks(one)
    if isinstance(one.action, LayMelds) and len(one.action.melds) == 1 and kinds:
        naturals = cards_of(kinds[0], 2)
        yield trial_with_action(
            with_hand(one, *naturals), with_cards_melded(one, (*one.action.melds[0].cards, *naturals))
        )
    if isinstance(one.action, Meld) and kinds:
        yield one.with_action(Meld(kinds[0], 1, 0, 0))


def _enlarge_meld(one: RefusedAttempt) -> Iterator[Trial]:
    detail = one.refusal.detail
    yield from with_more_naturals(one, int(detail["required"]) - int(detail["count"]))


def _add_enough_naturals(one: RefusedAttempt) -> Iterator[Trial]:
    detail = one.refusal.detail
    lacking = int(detail["required"]) - int(detail["naturals"])
    yield from with_more_naturals(one, max(lacking, int(detail["least"]) - int(detail["count"])))


def _use_fewer_wilds(one: RefusedAttempt) -> Iterator[Trial]:
    detail = one.refusal.detail
    yield from with_fewer_wilds(one, int(detail["wilds"]) - int(detail["allowed"]))
    if "ratio" in detail and int(detail["wilds"]) <= one.state.rules.max_wilds:
        yield one.with_rules(wild_ratio="none")


def _use_no_wilds(one: RefusedAttempt) -> Iterator[Trial]:
    yield from with_fewer_wilds(one, 99)


def _shrink_meld(one: RefusedAttempt) -> Iterator[Trial]:
    """Yield the attempt without the cards that are too many.

    If it takes the pile, it names the pair alone, and the side has no meld of that rank.
    """
    detail = one.refusal.detail
    over = int(detail["count"]) - int(detail["allowed"])
    cards = cards_melded_by(one)
    if is_take(one):
        kind = top_kind(one.state)
        trial = with_melds(one, [meld for meld in own_melds(one.state) if family_of(meld.place) != kind])
        naturals = [card for card in hand_of(one) if card >> 2 == kind][:2]
        yield trial_with_action(trial, TakePile(tuple(naturals)) if isinstance(one.action, TakePile) else one.action)
    elif cards is not None and len(cards) > over and not isinstance(one.action, LayRun):
        yield one.with_action(with_cards_melded(one, cards[: len(cards) - over]))


def _forbid_reclaiming(one: RefusedAttempt) -> Iterator[Trial]:
    yield one.with_rules(wild_reclaim="none")


def _change_target(one: RefusedAttempt) -> Iterator[Trial]:
    """Yield the attempt without a meld to add to, or with one that is on the table."""
    match one.action:
        case LayMelds(melds):
            yield one.with_action(LayMelds(tuple(Lay(lay.cards) for lay in melds)))
        case TakePile(cards, melds, _):
            yield one.with_action(TakePile(cards, tuple(Lay(lay.cards) for lay in melds)))
        case Take(naturals, twos, jokers):
            yield one.with_action(Take(naturals, twos, jokers))
        case Meld(place, naturals, twos, jokers) if family_of(place) <= ACE:
            lying = [meld.place for meld in own_melds(one.state) if family_of(meld.place) == family_of(place)]
            yield one.with_action(Meld((lying or [family_of(place)])[-1], naturals, twos, jokers))


def _allow_several_melds(one: RefusedAttempt) -> Iterator[Trial]:
    yield one.with_rules(same_rank_melds="many")


def _reopen_rank(one: RefusedAttempt) -> Iterator[Trial]:
    """Yield the attempt without any canasta of the rank on the table, and without themes."""
    kind = kind_named(one.refusal.detail["kind"])
    if makes_canasta(one, kind):
        return
    size = one.state.rules.canasta_size
    melds = tuple(
        tuple(meld for meld in side if family_of(meld.place) != kind or meld.size < size) for side in one.state.melds
    )
    yield one.with_state(melds=melds, rules=replace(one.state.rules, theme=()))


def _allow_wilds_in_any_rank(one: RefusedAttempt) -> Iterator[Trial]:
    yield one.with_rules(no_wild_ranks=frozenset(), open_wild_ranks=frozenset())
    yield from _use_no_wilds(one)


def _lift_wild_gate(one: RefusedAttempt) -> Iterator[Trial]:
    """Yield the attempt under rules without `wild_gate`, then without wild cards."""
    yield one.with_rules(wild_gate=0)
    yield from _use_no_wilds(one)


def _finish_wild_melds(one: RefusedAttempt) -> Iterator[Trial]:
    """Yield the attempt with each meld that claims all other wild cards filled up to a canasta."""
    melds = []
    for meld in own_melds(one.state):
        lacking = one.state.rules.canasta_size - meld.size
        binds = family_of(meld.place) in (WILD_MELD, DEUCE_MELD) and lacking > 0
        melds.append(meld_of(meld.place, tuple(sorted((*meld.cards, *cards_of(TWO, lacking))))) if binds else meld)
    yield with_melds(one, melds)


def _allow_wilds_in_canastas(one: RefusedAttempt) -> Iterator[Trial]:
    yield one.with_rules(wild_on_canasta="to_max")
    yield from _use_no_wilds(one)


def _allow_reclaiming(one: RefusedAttempt) -> Iterator[Trial]:
    yield one.with_rules(wild_reclaim="natural_canasta")


def _give_natural_canasta(one: RefusedAttempt) -> Iterator[Trial]:
    place = one.action.place  # type: ignore[union-attr]  # only a step that reclaims is refused so
    size = one.state.rules.canasta_size
    melds = [make_meld(family_of(place), size, 1) if meld.place == place else meld for meld in own_melds(one.state)]
    if not is_run(place):  # a run never has wild cards to give back
        yield with_melds(one, melds)


def _give_cards_to_keep(one: RefusedAttempt) -> Iterator[Trial]:
    kinds = free_ranks(one)
    if len(kinds) > 1:
        hand = with_hand(one, card_of(kinds[0], 0), card_of(kinds[1], 0)).state
        yield Trial(before_melding(hand, joined=hand.joined), one.seat, one.action)


# --- runs -------------------------------------------------------------------------------------------------------------


def _allow_runs(one: RefusedAttempt) -> Iterator[Trial]:
    rules = one.state.rules
    if isinstance(one.action, LayRun) and is_run(one.action.place):
        yield one.with_rules(meld_kinds=rules.meld_kinds | {"seq"}, seq_rule="closed")
    if isinstance(one.action, LayRun):
        yield one.with_action(Meld(FOUR, 3))


def _start_run_at_four(one: RefusedAttempt) -> Iterator[Trial]:
    if isinstance(one.action, LayRun):
        yield one.with_action(LayRun(one.action.place, FOUR, FOUR + 2))
    elif (cards := cards_melded_by(one)) is not None:
        yield one.with_action(with_cards_melded(one, [card for card in cards if card >> 2 <= ACE]))


def _fit_run(one: RefusedAttempt) -> Iterator[Trial]:
    """Yield the attempt with a run of three cards, and no run of that suit on the table."""
    if isinstance(one.action, LayRun):
        low = min(one.action.low, ACE - 2)
        melds = [meld for meld in own_melds(one.state) if meld.place != one.action.place]
        yield trial_with_action(with_melds(one, melds), LayRun(one.action.place, low, low + 2))


def _remove_runs(one: RefusedAttempt) -> Iterator[Trial]:
    """Yield the attempt without runs on the table."""
    yield with_melds(one, [meld for meld in own_melds(one.state) if not is_run(meld.place)])


def _remove_grown_runs(one: RefusedAttempt) -> Iterator[Trial]:
    """Yield the attempt without runs on the table, and with nothing melded in this turn."""
    trial = with_melds(one, [meld for meld in own_melds(one.state) if not is_run(meld.place)])
    yield Trial(before_melding(trial.state), one.seat, one.action)


def _use_one_suit(one: RefusedAttempt) -> Iterator[Trial]:
    """Yield the attempt with all cards in the suit of the run that they join, or of the first card."""
    cards, lying = cards_melded_by(one), target_meld(one)
    if cards is not None and not isinstance(one.action, LayRun):
        suit = lying.cards[0] & 3 if lying is not None and is_run(lying.place) else cards[0] & 3
        suit = one.state.pile[-1] & 3 if is_take(one) else suit
        same = tuple(card_of(card >> 2, suit) for card in cards if card >> 2 not in (TWO, JOKER))
        if same:
            yield trial_with_action(with_hand(one, *same), with_cards_melded(one, same))


def _use_cards_in_order(one: RefusedAttempt) -> Iterator[Trial]:
    """Yield an attempt to meld three cards in order from the lowest one, all of them in the hand."""
    cards = cards_melded_by(one)
    if cards is not None and not isinstance(one.action, LayRun):
        suit, low = cards[0] & 3, min([ACE - 2, *[card >> 2 for card in cards]])
        run = tuple(card_of(kind, suit) for kind in range(low, low + 3))
        trial = with_melds(one, [meld for meld in own_melds(one.state) if not is_run(meld.place)])
        hand = with_hand(RefusedAttempt(trial.state, one.seat, one.action, one.refusal), *run)
        yield trial_with_action(hand, LayMelds((Lay(run),)))


def _allow_combining(one: RefusedAttempt) -> Iterator[Trial]:
    kinds = free_ranks(one)
    if kinds and isinstance(one.action, Combine):
        two = [make_meld(kinds[0], 3), make_meld(kinds[0], 3, number=1)]
        rules = replace(one.state.rules, same_rank_melds="many")
        trial = one.with_state(rules=rules)
        again = RefusedAttempt(trial.state, one.seat, one.action, one.refusal)
        yield trial_with_action(with_melds(again, [*own_melds(one.state), *two]), Combine(kinds[0] + 32, kinds[0]))


def _allow_melding_after_take(one: RefusedAttempt) -> Iterator[Trial]:
    yield one.with_rules(meld_after_take=True)


# --- threes -----------------------------------------------------------------------------------------------------------


def _remove_red_threes(one: RefusedAttempt) -> Iterator[Trial]:
    match one.action:
        case LayMelds(melds):
            lays = tuple(Lay(tuple(card for card in lay.cards if card >> 2 != RED_THREE), lay.onto) for lay in melds)
            yield one.with_action(LayMelds(lays))
        case Meld():
            yield one.with_action(Meld(FOUR, 3))


def _hold_only_threes(one: RefusedAttempt) -> Iterator[Trial]:
    """Yield an attempt to go out with three or four black threes, the only cards in the hand."""
    threes = [card for card in hand_of(one) if card >> 2 == BLACK_THREE]
    others = [card for card in hand_of(one) if card >> 2 != BLACK_THREE]
    for given in give_canastas(one) if len(threes) in (3, 4) else ():
        state = before_melding(with_hand(one, without=others).state, feet=(), phase=phases.PLAY, drew="stock")
        lying = tuple(cards_of(RED_THREE, 8) for _ in state.red_threes)
        state = replace(state, melds=given.state.melds, red_threes=lying, permission=True, ready=True)
        yield Trial(state, one.seat, LayMelds((Lay(tuple(threes)),)))


def _permit_threes(one: RefusedAttempt) -> Iterator[Trial]:
    yield one.with_rules(black3_meld="go_out")


def _give_three_threes(one: RefusedAttempt) -> Iterator[Trial]:
    threes = cards_of(BLACK_THREE, 3)
    trial = trial_with_action(with_hand(one, *threes), LayMelds((Lay(threes),)))
    others = tuple(meld for meld in own_melds(one.state) if family_of(meld.place) != BLACK_THREE)
    melds = tuple(others if side == one.state.side else lying for side, lying in enumerate(one.state.melds))
    yield replace(trial, state=replace(trial.state, melds=melds))


# --- the initial meld -------------------------------------------------------------------------------------------------


def _add_points(one: RefusedAttempt) -> Iterator[Trial]:
    """Yield the attempt with more melds, of naturals alone, for the missing points.

    If the attempt is a discard, the side has opened already.
    """
    detail = one.refusal.detail
    if isinstance(one.action, Discard | DiscardCard | Combine):
        yield with_side_opened(one)
        return
    kinds = free_ranks(one)
    lacking = int(detail["required"]) - int(detail.get("best", detail["count"]))
    more: list[tuple[Card, ...]] = []
    for kind in kinds[:4]:
        count = min(
            7 if one.state.rules.meld_max else 8, max(3, -(-lacking // points_of(one.state.rules, cards_of(kind, 1))))
        )
        more.append(cards_of(kind, count))
        lacking -= points_of(one.state.rules, more[-1])
        if lacking <= 0:
            break
    if lacking > 0:
        return
    keep = [card_of(kind, 1) for kind in kinds[len(more) : len(more) + 2]]
    trial = with_hand(one, *[card for cards in more for card in cards], *keep)
    match one.action:
        case LayMelds(melds):
            yield trial_with_action(trial, LayMelds((*melds, *[Lay(cards) for cards in more])))
        case TakePile(cards, melds, onto):
            yield trial_with_action(trial, TakePile(cards, (*melds, *[Lay(lay) for lay in more]), onto))
        case _:
            yield trial


def _allow_any_shape(one: RefusedAttempt) -> Iterator[Trial]:
    yield one.with_rules(open_shape="any")


def _use_shape_without_wilds(one: RefusedAttempt) -> Iterator[Trial]:
    yield one.with_rules(open_shape="any")
    yield from _use_no_wilds(one)


IN_LAYING: Final[Mapping[Code, Remedy]] = {
    Code.MELD_MIXED_RANKS: _use_one_rank,
    Code.MELD_NO_RANK: _add_naturals,
    Code.MELD_TOO_SMALL: _enlarge_meld,
    Code.MELD_TOO_FEW_NATURALS: _add_enough_naturals,
    Code.MELD_TOO_MANY_WILDS: _use_fewer_wilds,
    Code.MELD_TOO_LARGE: _shrink_meld,
    Code.WILD_WOULD_COME_BACK: _forbid_reclaiming,
    Code.RECLAIM_OFF: _allow_reclaiming,
    Code.RECLAIM_TOO_EARLY: _give_natural_canasta,
    Code.RECLAIM_GOING_OUT: _give_cards_to_keep,
    Code.WILD_ON_CANASTA: _allow_wilds_in_canastas,
    Code.MELD_WRONG_TARGET: _change_target,
    Code.MELD_NO_SECOND: _allow_several_melds,
    Code.RANK_CLOSED: _reopen_rank,
    Code.RANK_TAKES_NO_WILDS: _allow_wilds_in_any_rank,
    Code.WILD_TOO_EARLY: _lift_wild_gate,
    Code.WILDS_LOCKED: _finish_wild_melds,
    Code.RUNS_OFF: _allow_runs,
    Code.RUN_RANKS: _start_run_at_four,
    Code.RUN_SIZE: _fit_run,
    Code.RUN_FULL: _remove_runs,
    Code.RUN_GROWS_ONLY_OUT: _remove_grown_runs,
    Code.RUN_NOT_AT_END: _remove_runs,
    Code.RUN_SUITS: _use_one_suit,
    Code.RUN_WITHOUT_WILDS: _use_no_wilds,
    Code.RUN_GAP: _use_cards_in_order,
    Code.CANNOT_COMBINE: _allow_combining,
    Code.MELD_AFTER_TAKE: _allow_melding_after_take,
    Code.MELD_RED_THREE: _remove_red_threes,
    Code.MELD_RED_THREE_HELD: _remove_red_threes,
    Code.BLACK_THREES_ONLY_OUT: _hold_only_threes,
    Code.BLACK_THREES_NEVER: _permit_threes,
    Code.BLACK_THREES_COUNT: _give_three_threes,
    Code.INITIAL_MELD_TOO_LOW: _add_points,
    Code.INITIAL_MELD_UNREACHABLE: _add_points,
    Code.OPENING_NEEDS_CLEAN: _allow_any_shape,
    Code.OPENING_NEEDS_CLEAN_OR_WILD: _allow_any_shape,
    Code.OPENING_NEEDS_CANASTA: _allow_any_shape,
    Code.OPENING_NEEDS_CANASTA_AND_POINTS: _allow_any_shape,
    Code.OPENING_NEEDS_NATURAL_CANASTA: _allow_any_shape,
    Code.OPENING_WITHOUT_WILDS: _use_shape_without_wilds,
    Code.OPENING_MIXED_CANASTA: _use_shape_without_wilds,
}
