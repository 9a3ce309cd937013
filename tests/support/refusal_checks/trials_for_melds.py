"""Trials without the obstacle: for refused melds, runs, threes and initial melds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from bot.engine.cards.cards import ACE, BLACK_THREE, FOUR, JOKER, RED_THREE, TWO, Card, card_of
from bot.engine.cards.meld_places import DEUCE_MELD, WILD_MELD, family_of, is_run
from bot.engine.melds.table_meld import meld_of
from bot.engine.moves import phases
from bot.engine.moves.actions import Combine, Discard, DiscardCard, Lay, LayMelds, LayRun, Meld, Take, TakePile
from bot.engine.moves.refusals import Code
from tests.support.refusal_checks.cards_of_attempts import (
    cards_melded_by,
    cards_of,
    hand_of,
    kind_named,
    make_meld,
    own_melds,
    takes_pile,
    target_meld,
    top_kind,
    trial_with_action,
    undo_melds_of_turn,
    unused_ranks,
    with_cards_melded,
    with_fewer_wilds,
    with_hand,
    with_melds,
    with_more_naturals,
    with_side_opened,
)
from tests.support.refusal_checks.recounted_numbers import makes_canasta, points_of
from tests.support.refusal_checks.refused_attempts import RefusedAttempt, Trial, TrialMaker
from tests.support.refusal_checks.trials_for_going_out import trials_with_canastas

# --- melds ------------------------------------------------------------------------------------------------------------


def _trials_with_one_rank(attempt: RefusedAttempt) -> Iterator[Trial]:
    """Yield the attempt with only wild cards and the cards of the first rank named in the refusal."""
    cards = cards_melded_by(attempt)
    first = kind_named(attempt.refusal.detail["first"])
    if cards is not None:
        left = [card for card in cards if card >> 2 in (first, TWO, JOKER)]
        if left and len(left) < len(cards):
            yield attempt.with_action(with_cards_melded(attempt, left))


def _trials_with_two_naturals(attempt: RefusedAttempt) -> Iterator[Trial]:
    """Yield the attempt with two naturals of one rank beside the wild cards."""
    kinds = unused_ranks(attempt)
    if isinstance(attempt.action, LayMelds) and len(attempt.action.melds) == 1 and kinds:
        naturals = cards_of(kinds[0], 2)
        yield trial_with_action(
            with_hand(attempt, *naturals), with_cards_melded(attempt, (*attempt.action.melds[0].cards, *naturals))
        )
    if isinstance(attempt.action, Meld) and kinds:
        yield attempt.with_action(Meld(kinds[0], 1, 0, 0))


def _trials_with_larger_meld(attempt: RefusedAttempt) -> Iterator[Trial]:
    detail = attempt.refusal.detail
    yield from with_more_naturals(attempt, int(detail["required"]) - int(detail["count"]))


def _trials_with_enough_naturals(attempt: RefusedAttempt) -> Iterator[Trial]:
    detail = attempt.refusal.detail
    lacking = int(detail["required"]) - int(detail["naturals"])
    yield from with_more_naturals(attempt, max(lacking, int(detail["least"]) - int(detail["count"])))


def _trials_with_fewer_wilds(attempt: RefusedAttempt) -> Iterator[Trial]:
    detail = attempt.refusal.detail
    yield from with_fewer_wilds(attempt, int(detail["wilds"]) - int(detail["allowed"]))
    if "ratio" in detail and int(detail["wilds"]) <= attempt.state.rules.max_wilds:
        yield attempt.with_rules(wild_ratio="none")


def _trials_without_wilds(attempt: RefusedAttempt) -> Iterator[Trial]:
    yield from with_fewer_wilds(attempt, 99)


def _trials_with_smaller_meld(attempt: RefusedAttempt) -> Iterator[Trial]:
    """Yield the attempt without the cards that are too many.

    If it takes the pile, it names the pair alone, and the side has no meld of that rank.
    """
    detail = attempt.refusal.detail
    over = int(detail["count"]) - int(detail["allowed"])
    cards = cards_melded_by(attempt)
    if takes_pile(attempt):
        kind = top_kind(attempt.state)
        trial = with_melds(attempt, [meld for meld in own_melds(attempt.state) if family_of(meld.place) != kind])
        naturals = [card for card in hand_of(attempt) if card >> 2 == kind][:2]
        yield trial_with_action(
            trial, TakePile(tuple(naturals)) if isinstance(attempt.action, TakePile) else attempt.action
        )
    elif cards is not None and len(cards) > over and not isinstance(attempt.action, LayRun):
        yield attempt.with_action(with_cards_melded(attempt, cards[: len(cards) - over]))


def _trials_without_reclaiming(attempt: RefusedAttempt) -> Iterator[Trial]:
    yield attempt.with_rules(wild_reclaim="none")


def _trials_with_another_target(attempt: RefusedAttempt) -> Iterator[Trial]:
    """Yield the attempt without a meld to add to, or with one that is on the table."""
    match attempt.action:
        case LayMelds(melds):
            yield attempt.with_action(LayMelds(tuple(Lay(lay.cards) for lay in melds)))
        case TakePile(cards, melds, _):
            yield attempt.with_action(TakePile(cards, tuple(Lay(lay.cards) for lay in melds)))
        case Take(naturals, twos, jokers):
            yield attempt.with_action(Take(naturals, twos, jokers))
        case Meld(place, naturals, twos, jokers) if family_of(place) <= ACE:
            lying = [meld.place for meld in own_melds(attempt.state) if family_of(meld.place) == family_of(place)]
            yield attempt.with_action(Meld((lying or [family_of(place)])[-1], naturals, twos, jokers))


def _trials_with_several_melds(attempt: RefusedAttempt) -> Iterator[Trial]:
    yield attempt.with_rules(same_rank_melds="many")


def _trials_with_open_rank(attempt: RefusedAttempt) -> Iterator[Trial]:
    """Yield the attempt without any canasta of the rank on the table, and without themes."""
    kind = kind_named(attempt.refusal.detail["kind"])
    if makes_canasta(attempt, kind):
        return
    size = attempt.state.rules.canasta_size
    melds = tuple(
        tuple(meld for meld in side if family_of(meld.place) != kind or meld.size < size)
        for side in attempt.state.melds
    )
    yield attempt.with_state(melds=melds, rules=replace(attempt.state.rules, theme=()))


def _trials_with_wilds_in_any_rank(attempt: RefusedAttempt) -> Iterator[Trial]:
    yield attempt.with_rules(no_wild_ranks=frozenset(), open_wild_ranks=frozenset())
    yield from _trials_without_wilds(attempt)


def _trials_without_wild_gate(attempt: RefusedAttempt) -> Iterator[Trial]:
    """Yield the attempt under rules without `wild_gate`, then without wild cards."""
    yield attempt.with_rules(wild_gate=0)
    yield from _trials_without_wilds(attempt)


def _trials_with_finished_wild_melds(attempt: RefusedAttempt) -> Iterator[Trial]:
    """Yield the attempt with each meld that claims all other wild cards filled up to a canasta."""
    melds = []
    for meld in own_melds(attempt.state):
        lacking = attempt.state.rules.canasta_size - meld.size
        binds = family_of(meld.place) in (WILD_MELD, DEUCE_MELD) and lacking > 0
        melds.append(meld_of(meld.place, tuple(sorted((*meld.cards, *cards_of(TWO, lacking))))) if binds else meld)
    yield with_melds(attempt, melds)


def _trials_with_wilds_in_canastas(attempt: RefusedAttempt) -> Iterator[Trial]:
    yield attempt.with_rules(wild_on_canasta="to_max")
    yield from _trials_without_wilds(attempt)


def _trials_with_reclaiming(attempt: RefusedAttempt) -> Iterator[Trial]:
    yield attempt.with_rules(wild_reclaim="natural_canasta")


def _trials_with_natural_canasta(attempt: RefusedAttempt) -> Iterator[Trial]:
    place = attempt.action.place  # type: ignore[union-attr]  # only a step that reclaims is refused so
    size = attempt.state.rules.canasta_size
    melds = [make_meld(family_of(place), size, 1) if meld.place == place else meld for meld in own_melds(attempt.state)]
    if not is_run(place):  # a run never has wild cards to give back
        yield with_melds(attempt, melds)


def _trials_with_cards_to_keep(attempt: RefusedAttempt) -> Iterator[Trial]:
    kinds = unused_ranks(attempt)
    if len(kinds) > 1:
        hand = with_hand(attempt, card_of(kinds[0], 0), card_of(kinds[1], 0)).state
        yield Trial(undo_melds_of_turn(hand, joined=hand.joined), attempt.seat, attempt.action)


# --- runs -------------------------------------------------------------------------------------------------------------


def _trials_with_runs_allowed(attempt: RefusedAttempt) -> Iterator[Trial]:
    rules = attempt.state.rules
    if isinstance(attempt.action, LayRun) and is_run(attempt.action.place):
        yield attempt.with_rules(meld_kinds=rules.meld_kinds | {"seq"}, seq_rule="closed")
    if isinstance(attempt.action, LayRun):
        yield attempt.with_action(Meld(FOUR, 3))


def _trials_with_run_from_four(attempt: RefusedAttempt) -> Iterator[Trial]:
    if isinstance(attempt.action, LayRun):
        yield attempt.with_action(LayRun(attempt.action.place, FOUR, FOUR + 2))
    elif (cards := cards_melded_by(attempt)) is not None:
        yield attempt.with_action(with_cards_melded(attempt, [card for card in cards if card >> 2 <= ACE]))


def _trials_with_short_run(attempt: RefusedAttempt) -> Iterator[Trial]:
    """Yield the attempt with a run of three cards, and no run of that suit on the table."""
    if isinstance(attempt.action, LayRun):
        low = min(attempt.action.low, ACE - 2)
        melds = [meld for meld in own_melds(attempt.state) if meld.place != attempt.action.place]
        yield trial_with_action(with_melds(attempt, melds), LayRun(attempt.action.place, low, low + 2))


def _trials_without_runs(attempt: RefusedAttempt) -> Iterator[Trial]:
    """Yield the attempt without runs on the table."""
    yield with_melds(attempt, [meld for meld in own_melds(attempt.state) if not is_run(meld.place)])


def _trials_without_grown_runs(attempt: RefusedAttempt) -> Iterator[Trial]:
    """Yield the attempt without runs on the table, and with nothing melded in this turn."""
    trial = with_melds(attempt, [meld for meld in own_melds(attempt.state) if not is_run(meld.place)])
    yield Trial(undo_melds_of_turn(trial.state), attempt.seat, attempt.action)


def _trials_with_one_suit(attempt: RefusedAttempt) -> Iterator[Trial]:
    """Yield the attempt with all cards in the suit of the run that they join, or of the first card."""
    cards, lying = cards_melded_by(attempt), target_meld(attempt)
    if cards is not None and not isinstance(attempt.action, LayRun):
        suit = lying.cards[0] & 3 if lying is not None and is_run(lying.place) else cards[0] & 3
        suit = attempt.state.pile[-1] & 3 if takes_pile(attempt) else suit
        same = tuple(card_of(card >> 2, suit) for card in cards if card >> 2 not in (TWO, JOKER))
        if same:
            yield trial_with_action(with_hand(attempt, *same), with_cards_melded(attempt, same))


def _trials_with_cards_in_order(attempt: RefusedAttempt) -> Iterator[Trial]:
    """Yield an attempt to meld three cards in order from the lowest one, all of them in the hand."""
    cards = cards_melded_by(attempt)
    if cards is not None and not isinstance(attempt.action, LayRun):
        suit, low = cards[0] & 3, min([ACE - 2, *[card >> 2 for card in cards]])
        run = tuple(card_of(kind, suit) for kind in range(low, low + 3))
        trial = with_melds(attempt, [meld for meld in own_melds(attempt.state) if not is_run(meld.place)])
        hand = with_hand(RefusedAttempt(trial.state, attempt.seat, attempt.action, attempt.refusal), *run)
        yield trial_with_action(hand, LayMelds((Lay(run),)))


def _trials_with_combining(attempt: RefusedAttempt) -> Iterator[Trial]:
    kinds = unused_ranks(attempt)
    if kinds and isinstance(attempt.action, Combine):
        two = [make_meld(kinds[0], 3), make_meld(kinds[0], 3, meld_number=1)]
        rules = replace(attempt.state.rules, same_rank_melds="many")
        trial = attempt.with_state(rules=rules)
        again = RefusedAttempt(trial.state, attempt.seat, attempt.action, attempt.refusal)
        yield trial_with_action(with_melds(again, [*own_melds(attempt.state), *two]), Combine(kinds[0] + 32, kinds[0]))


def _trials_with_melding_after_take(attempt: RefusedAttempt) -> Iterator[Trial]:
    yield attempt.with_rules(meld_after_take=True)


# --- threes -----------------------------------------------------------------------------------------------------------


def _trials_without_red_threes(attempt: RefusedAttempt) -> Iterator[Trial]:
    match attempt.action:
        case LayMelds(melds):
            lays = tuple(Lay(tuple(card for card in lay.cards if card >> 2 != RED_THREE), lay.onto) for lay in melds)
            yield attempt.with_action(LayMelds(lays))
        case Meld():
            yield attempt.with_action(Meld(FOUR, 3))


def _trials_holding_only_threes(attempt: RefusedAttempt) -> Iterator[Trial]:
    """Yield an attempt to go out with three or four black threes, the only cards in the hand."""
    threes = [card for card in hand_of(attempt) if card >> 2 == BLACK_THREE]
    others = [card for card in hand_of(attempt) if card >> 2 != BLACK_THREE]
    for given in trials_with_canastas(attempt) if len(threes) in (3, 4) else ():
        state = undo_melds_of_turn(with_hand(attempt, without=others).state, feet=(), phase=phases.PLAY, drew="stock")
        lying = tuple(cards_of(RED_THREE, 8) for _ in state.red_threes)
        state = replace(state, melds=given.state.melds, red_threes=lying, permission=True, ready=True)
        yield Trial(state, attempt.seat, LayMelds((Lay(tuple(threes)),)))


def _trials_with_black_threes_allowed(attempt: RefusedAttempt) -> Iterator[Trial]:
    yield attempt.with_rules(black3_meld="go_out")


def _trials_with_three_black_threes(attempt: RefusedAttempt) -> Iterator[Trial]:
    threes = cards_of(BLACK_THREE, 3)
    trial = trial_with_action(with_hand(attempt, *threes), LayMelds((Lay(threes),)))
    others = tuple(meld for meld in own_melds(attempt.state) if family_of(meld.place) != BLACK_THREE)
    melds = tuple(others if side == attempt.state.side else lying for side, lying in enumerate(attempt.state.melds))
    yield replace(trial, state=replace(trial.state, melds=melds))


# --- the initial meld -------------------------------------------------------------------------------------------------


def _trials_with_enough_points(attempt: RefusedAttempt) -> Iterator[Trial]:
    """Yield the attempt with more melds, of naturals alone, for the missing points.

    If the attempt is a discard, the side has opened already.
    """
    detail = attempt.refusal.detail
    if isinstance(attempt.action, Discard | DiscardCard | Combine):
        yield with_side_opened(attempt)
        return
    kinds = unused_ranks(attempt)
    lacking = int(detail["required"]) - int(detail.get("best", detail["count"]))
    more: list[tuple[Card, ...]] = []
    for kind in kinds[:4]:
        count = min(
            7 if attempt.state.rules.meld_max else 8,
            max(3, -(-lacking // points_of(attempt.state.rules, cards_of(kind, 1)))),
        )
        more.append(cards_of(kind, count))
        lacking -= points_of(attempt.state.rules, more[-1])
        if lacking <= 0:
            break
    if lacking > 0:
        return
    keep = [card_of(kind, 1) for kind in kinds[len(more) : len(more) + 2]]
    trial = with_hand(attempt, *[card for cards in more for card in cards], *keep)
    match attempt.action:
        case LayMelds(melds):
            yield trial_with_action(trial, LayMelds((*melds, *[Lay(cards) for cards in more])))
        case TakePile(cards, melds, onto):
            yield trial_with_action(trial, TakePile(cards, (*melds, *[Lay(lay) for lay in more]), onto))
        case _:
            yield trial


def _trials_with_any_initial_meld(attempt: RefusedAttempt) -> Iterator[Trial]:
    yield attempt.with_rules(open_shape="any")


def _trials_with_clean_initial_meld(attempt: RefusedAttempt) -> Iterator[Trial]:
    yield attempt.with_rules(open_shape="any")
    yield from _trials_without_wilds(attempt)


IN_LAYING: Final[Mapping[Code, TrialMaker]] = {
    Code.MELD_MIXED_RANKS: _trials_with_one_rank,
    Code.MELD_NO_RANK: _trials_with_two_naturals,
    Code.MELD_TOO_SMALL: _trials_with_larger_meld,
    Code.MELD_TOO_FEW_NATURALS: _trials_with_enough_naturals,
    Code.MELD_TOO_MANY_WILDS: _trials_with_fewer_wilds,
    Code.MELD_TOO_LARGE: _trials_with_smaller_meld,
    Code.WILD_WOULD_COME_BACK: _trials_without_reclaiming,
    Code.RECLAIM_OFF: _trials_with_reclaiming,
    Code.RECLAIM_TOO_EARLY: _trials_with_natural_canasta,
    Code.RECLAIM_GOING_OUT: _trials_with_cards_to_keep,
    Code.WILD_ON_CANASTA: _trials_with_wilds_in_canastas,
    Code.MELD_WRONG_TARGET: _trials_with_another_target,
    Code.MELD_NO_SECOND: _trials_with_several_melds,
    Code.RANK_CLOSED: _trials_with_open_rank,
    Code.RANK_TAKES_NO_WILDS: _trials_with_wilds_in_any_rank,
    Code.WILD_TOO_EARLY: _trials_without_wild_gate,
    Code.WILDS_LOCKED: _trials_with_finished_wild_melds,
    Code.RUNS_OFF: _trials_with_runs_allowed,
    Code.RUN_RANKS: _trials_with_run_from_four,
    Code.RUN_SIZE: _trials_with_short_run,
    Code.RUN_FULL: _trials_without_runs,
    Code.RUN_GROWS_ONLY_OUT: _trials_without_grown_runs,
    Code.RUN_NOT_AT_END: _trials_without_runs,
    Code.RUN_SUITS: _trials_with_one_suit,
    Code.RUN_WITHOUT_WILDS: _trials_without_wilds,
    Code.RUN_GAP: _trials_with_cards_in_order,
    Code.CANNOT_COMBINE: _trials_with_combining,
    Code.MELD_AFTER_TAKE: _trials_with_melding_after_take,
    Code.MELD_RED_THREE: _trials_without_red_threes,
    Code.MELD_RED_THREE_HELD: _trials_without_red_threes,
    Code.BLACK_THREES_ONLY_OUT: _trials_holding_only_threes,
    Code.BLACK_THREES_NEVER: _trials_with_black_threes_allowed,
    Code.BLACK_THREES_COUNT: _trials_with_three_black_threes,
    Code.INITIAL_MELD_TOO_LOW: _trials_with_enough_points,
    Code.INITIAL_MELD_UNREACHABLE: _trials_with_enough_points,
    Code.OPENING_NEEDS_CLEAN: _trials_with_any_initial_meld,
    Code.OPENING_NEEDS_CLEAN_OR_WILD: _trials_with_any_initial_meld,
    Code.OPENING_NEEDS_CANASTA: _trials_with_any_initial_meld,
    Code.OPENING_NEEDS_CANASTA_AND_POINTS: _trials_with_any_initial_meld,
    Code.OPENING_NEEDS_NATURAL_CANASTA: _trials_with_any_initial_meld,
    Code.OPENING_WITHOUT_WILDS: _trials_with_clean_initial_meld,
    Code.OPENING_MIXED_CANASTA: _trials_with_clean_initial_meld,
}
