"""How obstacles in laying melds, runs, threes and the initial meld are taken away."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from bot.engine.cards.cards import ACE, BLACK_THREE, FOUR, JOKER, RED_THREE, TWO, Card, card_of
from bot.engine.cards.places import DEUCE_MELD, WILD_MELD, family_of, is_run
from bot.engine.melds.melds import meld_of
from bot.engine.moves import phases
from bot.engine.moves.actions import Combine, Discard, DiscardCard, Lay, LayMelds, LayRun, Meld, Take, TakePile
from bot.engine.moves.refusals import Code
from tests.support.judging.attempts import Gone, Refused, Trial
from tests.support.judging.cards import (
    and_action,
    cards_of,
    free_ranks,
    hand_of,
    kind_named,
    laid_by,
    lain,
    more_of,
    opened,
    own,
    relay,
    takes,
    target,
    top_kind,
    untouched,
    wilds_dropped,
    with_hand,
    with_melds,
)
from tests.support.judging.counted import makes_canasta, worth
from tests.support.judging.gone_out import canastas_given

# --- melds ------------------------------------------------------------------------------------------------------------


def _one_rank(one: Refused) -> Iterator[Trial]:
    """Only cards of the first rank are named, and wild cards."""
    cards = laid_by(one)
    first = kind_named(one.refusal.detail["first"])
    if cards is not None:
        left = [card for card in cards if card >> 2 in (first, TWO, JOKER)]
        if left and len(left) < len(cards):
            yield one.with_action(relay(one, left))


def _with_naturals(one: Refused) -> Iterator[Trial]:
    """Two naturals of a rank are among the wild cards."""
    kinds = free_ranks(one)
    if isinstance(one.action, LayMelds) and len(one.action.melds) == 1 and kinds:
        naturals = cards_of(kinds[0], 2)
        yield and_action(with_hand(one, *naturals), relay(one, (*one.action.melds[0].cards, *naturals)))
    if isinstance(one.action, Meld) and kinds:
        yield one.with_action(Meld(kinds[0], 1, 0, 0))


def _large_enough(one: Refused) -> Iterator[Trial]:
    detail = one.refusal.detail
    yield from more_of(one, int(detail["required"]) - int(detail["count"]))


def _natural_enough(one: Refused) -> Iterator[Trial]:
    detail = one.refusal.detail
    lacking = int(detail["required"]) - int(detail["naturals"])
    yield from more_of(one, max(lacking, int(detail["least"]) - int(detail["count"])))


def _fewer_wilds(one: Refused) -> Iterator[Trial]:
    detail = one.refusal.detail
    yield from wilds_dropped(one, int(detail["wilds"]) - int(detail["allowed"]))
    if "ratio" in detail and int(detail["wilds"]) <= one.state.rules.max_wilds:
        yield one.with_rules(wild_ratio="none")


def _no_wilds(one: Refused) -> Iterator[Trial]:
    yield from wilds_dropped(one, 99)


def _smaller(one: Refused) -> Iterator[Trial]:
    """The attempt lays no more cards than there is room for; of a take the pair alone, without a meld of its rank."""
    detail = one.refusal.detail
    over = int(detail["count"]) - int(detail["allowed"])
    cards = laid_by(one)
    if takes(one):
        kind = top_kind(one.state)
        trial = with_melds(one, [meld for meld in own(one.state) if family_of(meld.place) != kind])
        naturals = [card for card in hand_of(one) if card >> 2 == kind][:2]
        yield and_action(trial, TakePile(tuple(naturals)) if isinstance(one.action, TakePile) else one.action)
    elif cards is not None and len(cards) > over and not isinstance(one.action, LayRun):
        yield one.with_action(relay(one, cards[: len(cards) - over]))


def _wilds_stay(one: Refused) -> Iterator[Trial]:
    yield one.with_rules(wild_reclaim="none")


def _no_target(one: Refused) -> Iterator[Trial]:
    """No meld is named, or one that lies there."""
    match one.action:
        case LayMelds(melds):
            yield one.with_action(LayMelds(tuple(Lay(lay.cards) for lay in melds)))
        case TakePile(cards, melds, _):
            yield one.with_action(TakePile(cards, tuple(Lay(lay.cards) for lay in melds)))
        case Take(naturals, twos, jokers):
            yield one.with_action(Take(naturals, twos, jokers))
        case Meld(place, naturals, twos, jokers) if family_of(place) <= ACE:
            lying = [meld.place for meld in own(one.state) if family_of(meld.place) == family_of(place)]
            yield one.with_action(Meld((lying or [family_of(place)])[-1], naturals, twos, jokers))


def _several(one: Refused) -> Iterator[Trial]:
    yield one.with_rules(same_rank_melds="many")


def _rank_open(one: Refused) -> Iterator[Trial]:
    """Nobody has a canasta of that rank, and no theme is in force."""
    kind = kind_named(one.refusal.detail["kind"])
    if makes_canasta(one, kind):
        return
    size = one.state.rules.canasta_size
    melds = tuple(
        tuple(meld for meld in side if family_of(meld.place) != kind or meld.size < size) for side in one.state.melds
    )
    yield one.with_state(melds=melds, rules=replace(one.state.rules, theme=()))


def _any_rank_takes_wilds(one: Refused) -> Iterator[Trial]:
    yield one.with_rules(no_wild_ranks=frozenset(), open_wild_ranks=frozenset())
    yield from _no_wilds(one)


def _no_gate(one: Refused) -> Iterator[Trial]:
    yield one.with_rules(wild_gate=0)
    yield from _no_wilds(one)


def _lock_open(one: Refused) -> Iterator[Trial]:
    """The meld that binds wild cards is a canasta."""
    melds = []
    for meld in own(one.state):
        lacking = one.state.rules.canasta_size - meld.size
        binds = family_of(meld.place) in (WILD_MELD, DEUCE_MELD) and lacking > 0
        melds.append(meld_of(meld.place, tuple(sorted((*meld.cards, *cards_of(TWO, lacking))))) if binds else meld)
    yield with_melds(one, melds)


def _canastas_take_wilds(one: Refused) -> Iterator[Trial]:
    yield one.with_rules(wild_on_canasta="to_max")
    yield from _no_wilds(one)


def _reclaims(one: Refused) -> Iterator[Trial]:
    yield one.with_rules(wild_reclaim="natural_canasta")


def _natural_canasta(one: Refused) -> Iterator[Trial]:
    place = one.action.place  # type: ignore[union-attr]  # only a step that reclaims is refused so
    size = one.state.rules.canasta_size
    melds = [lain(family_of(place), size, 1) if meld.place == place else meld for meld in own(one.state)]
    if not is_run(place):  # a run never has wild cards to give back
        yield with_melds(one, melds)


def _stays_in(one: Refused) -> Iterator[Trial]:
    kinds = free_ranks(one)
    if len(kinds) > 1:
        hand = with_hand(one, card_of(kinds[0], 0), card_of(kinds[1], 0)).state
        yield Trial(untouched(hand, joined=hand.joined), one.seat, one.action)


# --- runs -------------------------------------------------------------------------------------------------------------


def _runs_on(one: Refused) -> Iterator[Trial]:
    rules = one.state.rules
    if isinstance(one.action, LayRun) and is_run(one.action.place):
        yield one.with_rules(meld_kinds=rules.meld_kinds | {"seq"}, seq_rule="closed")
    if isinstance(one.action, LayRun):
        yield one.with_action(Meld(FOUR, 3))


def _run_from_four(one: Refused) -> Iterator[Trial]:
    if isinstance(one.action, LayRun):
        yield one.with_action(LayRun(one.action.place, FOUR, FOUR + 2))
    elif (cards := laid_by(one)) is not None:
        yield one.with_action(relay(one, [card for card in cards if card >> 2 <= ACE]))


def _run_that_fits(one: Refused) -> Iterator[Trial]:
    """A run of the smallest size, or without what lies there already."""
    if isinstance(one.action, LayRun):
        low = min(one.action.low, ACE - 2)
        melds = [meld for meld in own(one.state) if meld.place != one.action.place]
        yield and_action(with_melds(one, melds), LayRun(one.action.place, low, low + 2))


def _no_runs_lie(one: Refused) -> Iterator[Trial]:
    """The runs that lie there are gone."""
    yield with_melds(one, [meld for meld in own(one.state) if not is_run(meld.place)])


def _run_need_not_grow(one: Refused) -> Iterator[Trial]:
    """No run lies there, and none has grown in this turn."""
    trial = with_melds(one, [meld for meld in own(one.state) if not is_run(meld.place)])
    yield Trial(untouched(trial.state), one.seat, one.action)


def _one_suit(one: Refused) -> Iterator[Trial]:
    """All cards have the suit of the run that they join, or of the first."""
    cards, lying = laid_by(one), target(one)
    if cards is not None and not isinstance(one.action, LayRun):
        suit = lying.cards[0] & 3 if lying is not None and is_run(lying.place) else cards[0] & 3
        suit = one.state.pile[-1] & 3 if takes(one) else suit
        same = tuple(card_of(card >> 2, suit) for card in cards if card >> 2 not in (TWO, JOKER))
        if same:
            yield and_action(with_hand(one, *same), relay(one, same))


def _in_order(one: Refused) -> Iterator[Trial]:
    """The cards of the attempt that follow the first one, each rank once; the hand gets what is lacking."""
    cards = laid_by(one)
    if cards is not None and not isinstance(one.action, LayRun):
        suit, low = cards[0] & 3, min([ACE - 2, *[card >> 2 for card in cards]])
        run = tuple(card_of(kind, suit) for kind in range(low, low + 3))
        trial = with_melds(one, [meld for meld in own(one.state) if not is_run(meld.place)])
        hand = with_hand(Refused(trial.state, one.seat, one.action, one.refusal), *run)
        yield and_action(hand, LayMelds((Lay(run),)))


def _combinable(one: Refused) -> Iterator[Trial]:
    kinds = free_ranks(one)
    if kinds and isinstance(one.action, Combine):
        two = [lain(kinds[0], 3), lain(kinds[0], 3, number=1)]
        rules = replace(one.state.rules, same_rank_melds="many")
        trial = one.with_state(rules=rules)
        again = Refused(trial.state, one.seat, one.action, one.refusal)
        yield and_action(with_melds(again, [*own(one.state), *two]), Combine(kinds[0] + 32, kinds[0]))


def _meld_on(one: Refused) -> Iterator[Trial]:
    yield one.with_rules(meld_after_take=True)


# --- threes -----------------------------------------------------------------------------------------------------------


def _no_red_threes(one: Refused) -> Iterator[Trial]:
    match one.action:
        case LayMelds(melds):
            lays = tuple(Lay(tuple(card for card in lay.cards if card >> 2 != RED_THREE), lay.onto) for lay in melds)
            yield one.with_action(LayMelds(lays))
        case Meld():
            yield one.with_action(Meld(FOUR, 3))


def _threes_alone(one: Refused) -> Iterator[Trial]:
    """The seat goes out with the threes: it holds nothing else, and nothing keeps it in."""
    threes = [card for card in hand_of(one) if card >> 2 == BLACK_THREE]
    others = [card for card in hand_of(one) if card >> 2 != BLACK_THREE]
    for given in canastas_given(one) if len(threes) in (3, 4) else ():
        state = untouched(with_hand(one, without=others).state, feet=(), phase=phases.PLAY, drew="stock")
        lying = tuple(cards_of(RED_THREE, 8) for _ in state.red_threes)
        state = replace(state, melds=given.state.melds, red_threes=lying, permission=True, ready=True)
        yield Trial(state, one.seat, LayMelds((Lay(tuple(threes)),)))


def _threes_may(one: Refused) -> Iterator[Trial]:
    yield one.with_rules(black3_meld="go_out")


def _three_threes(one: Refused) -> Iterator[Trial]:
    threes = cards_of(BLACK_THREE, 3)
    trial = and_action(with_hand(one, *threes), LayMelds((Lay(threes),)))
    others = tuple(meld for meld in own(one.state) if family_of(meld.place) != BLACK_THREE)
    melds = tuple(others if side == one.state.side else lying for side, lying in enumerate(one.state.melds))
    yield replace(trial, state=replace(trial.state, melds=melds))


# --- the initial meld -------------------------------------------------------------------------------------------------


def _points_added(one: Refused) -> Iterator[Trial]:
    """As many points as are lacking come to what is laid, in a clean meld of one or two ranks that nobody has.

    Somebody who discards has laid that much already.
    """
    detail = one.refusal.detail
    if isinstance(one.action, Discard | DiscardCard | Combine):
        yield opened(one)
        return
    kinds = free_ranks(one)
    lacking = int(detail["required"]) - int(detail.get("best", detail["count"]))
    more: list[tuple[Card, ...]] = []
    for kind in kinds[:4]:
        count = min(
            7 if one.state.rules.meld_max else 8, max(3, -(-lacking // worth(one.state.rules, cards_of(kind, 1))))
        )
        more.append(cards_of(kind, count))
        lacking -= worth(one.state.rules, more[-1])
        if lacking <= 0:
            break
    if lacking > 0:
        return
    keep = [card_of(kind, 1) for kind in kinds[len(more) : len(more) + 2]]
    trial = with_hand(one, *[card for cards in more for card in cards], *keep)
    match one.action:
        case LayMelds(melds):
            yield and_action(trial, LayMelds((*melds, *[Lay(cards) for cards in more])))
        case TakePile(cards, melds, onto):
            yield and_action(trial, TakePile(cards, (*melds, *[Lay(lay) for lay in more]), onto))
        case _:
            yield trial


def _any_shape(one: Refused) -> Iterator[Trial]:
    yield one.with_rules(open_shape="any")


def _shape_without_wilds(one: Refused) -> Iterator[Trial]:
    yield one.with_rules(open_shape="any")
    yield from _no_wilds(one)


IN_LAYING: Final[Mapping[Code, Gone]] = {
    Code.MELD_MIXED_RANKS: _one_rank,
    Code.MELD_NO_RANK: _with_naturals,
    Code.MELD_TOO_SMALL: _large_enough,
    Code.MELD_TOO_FEW_NATURALS: _natural_enough,
    Code.MELD_TOO_MANY_WILDS: _fewer_wilds,
    Code.MELD_TOO_LARGE: _smaller,
    Code.WILD_WOULD_COME_BACK: _wilds_stay,
    Code.RECLAIM_OFF: _reclaims,
    Code.RECLAIM_TOO_EARLY: _natural_canasta,
    Code.RECLAIM_GOING_OUT: _stays_in,
    Code.WILD_ON_CANASTA: _canastas_take_wilds,
    Code.MELD_WRONG_TARGET: _no_target,
    Code.MELD_NO_SECOND: _several,
    Code.RANK_CLOSED: _rank_open,
    Code.RANK_TAKES_NO_WILDS: _any_rank_takes_wilds,
    Code.WILD_TOO_EARLY: _no_gate,
    Code.WILDS_LOCKED: _lock_open,
    Code.RUNS_OFF: _runs_on,
    Code.RUN_RANKS: _run_from_four,
    Code.RUN_SIZE: _run_that_fits,
    Code.RUN_FULL: _no_runs_lie,
    Code.RUN_GROWS_ONLY_OUT: _run_need_not_grow,
    Code.RUN_NOT_AT_END: _no_runs_lie,
    Code.RUN_SUITS: _one_suit,
    Code.RUN_WITHOUT_WILDS: _no_wilds,
    Code.RUN_GAP: _in_order,
    Code.CANNOT_COMBINE: _combinable,
    Code.MELD_AFTER_TAKE: _meld_on,
    Code.MELD_RED_THREE: _no_red_threes,
    Code.MELD_RED_THREE_HELD: _no_red_threes,
    Code.BLACK_THREES_ONLY_OUT: _threes_alone,
    Code.BLACK_THREES_NEVER: _threes_may,
    Code.BLACK_THREES_COUNT: _three_threes,
    Code.INITIAL_MELD_TOO_LOW: _points_added,
    Code.INITIAL_MELD_UNREACHABLE: _points_added,
    Code.OPENING_NEEDS_CLEAN: _any_shape,
    Code.OPENING_NEEDS_CLEAN_OR_WILD: _any_shape,
    Code.OPENING_NEEDS_CANASTA: _any_shape,
    Code.OPENING_NEEDS_CANASTA_AND_POINTS: _any_shape,
    Code.OPENING_NEEDS_NATURAL_CANASTA: _any_shape,
    Code.OPENING_WITHOUT_WILDS: _shape_without_wilds,
    Code.OPENING_MIXED_CANASTA: _shape_without_wilds,
}
