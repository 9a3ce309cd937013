"""Remedies for refusals about turns, the stock and the pile."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from bot.engine.cards.cards import FOUR, JOKER, RED_THREE, TWO, card_of, is_red, sorted_pack
from bot.engine.moves import phases
from bot.engine.moves.actions import (
    TAKE_BACK,
    YES,
    Action,
    Answer,
    Lay,
    LayMelds,
    LayRun,
    Meld,
    StartDeal,
    Take,
    TakePile,
)
from bot.engine.moves.refusals import Code
from bot.engine.play.decide import why_not_allowed
from bot.engine.play.legal_steps import legal_actions
from bot.engine.table.state import new_game
from tests.support.judging.cards_of_attempts import (
    before_melding,
    cards_of,
    free_ranks,
    hand_of,
    kind_named,
    make_meld,
    own_melds,
    top_kind,
    trial_with_action,
    with_hand,
    with_melds,
    with_side_opened,
)
from tests.support.judging.refused_attempts import RefusedAttempt, Remedy, Trial
from tests.support.random_play import apply_action, seeded_pack

# --- turns, seats and the stock ---------------------------------------------------------------------------------------


def _restart_turn(one: RefusedAttempt) -> Trial:
    state = before_melding(one.state, phase=phases.DRAW, drew=None, fresh=(), permission=None, lapsed=False)
    return Trial(state, one.seat, one.action)


def _after_drawing(one: RefusedAttempt) -> Trial:
    return one.with_state(phase=phases.PLAY, drew="stock")


def _remove_questions(one: RefusedAttempt) -> Trial:
    return one.with_state(permission=None, lapsed=False, asked=frozenset())


def _after_action(one: RefusedAttempt, seat: int | None, action: Action) -> Trial:
    """Return a trial of the attempt after another legal action."""
    return Trial(apply_action(one.state, seat, action), one.seat, one.action)


def _start_deal(one: RefusedAttempt) -> Iterator[Trial]:
    yield _after_action(one, None, StartDeal(seeded_pack(one.state.rules, 1)))


def _start_game(one: RefusedAttempt) -> Iterator[Trial]:
    game = new_game(one.state.rules, dealer=one.state.dealer)
    yield Trial(game, one.seat, one.action)


def _use_right_pack(one: RefusedAttempt) -> Iterator[Trial]:
    rules = one.state.rules
    yield one.with_action(StartDeal(sorted_pack(rules.decks, rules.jokers_per_deck)))


def _start_next_game(one: RefusedAttempt) -> Iterator[Trial]:
    yield Trial(new_game(one.state.rules, dealer=one.state.dealer), one.seat, one.action)


def _give_turn(one: RefusedAttempt) -> Iterator[Trial]:
    yield Trial(one.state, one.state.turn, one.action)


def _answer_question(one: RefusedAttempt) -> Iterator[Trial]:
    partner = one.state.seating.partner_by_seat[one.state.turn]
    yield _after_action(one, partner, YES)
    yield _after_action(one, partner, Answer(yes=False))


def _ask_partner(one: RefusedAttempt) -> Iterator[Trial]:
    partner = one.state.seating.partner_by_seat[one.state.turn]
    if partner is not None:
        yield Trial(replace(one.state, phase=phases.ANSWER, permission=None), partner, one.action)


def _refill_stock(one: RefusedAttempt) -> Iterator[Trial]:
    yield one.with_state(stock=cards_of(FOUR, 6))


def _empty_stock(one: RefusedAttempt) -> Iterator[Trial]:
    yield one.with_state(stock=())


def _change_top(one: RefusedAttempt) -> Iterator[Trial]:
    """Yield the attempt with a nine, which blocks nothing, on top of the pile."""
    yield one.with_state(
        pile=(*one.state.pile[:-1], card_of(5, 0)), hidden=min(one.state.hidden, len(one.state.pile) - 1)
    )


def _remove_pile(one: RefusedAttempt) -> Iterator[Trial]:
    yield one.with_state(pile=(), hidden=0, aside=False)


def _give_missing_cards(one: RefusedAttempt) -> Iterator[Trial]:
    """Yield the attempt with as many of the missing card or kind in the hand as are needed."""
    detail = one.refusal.detail
    lacking = int(detail["needed"]) - int(detail["held"])
    if "card" in detail:
        yield with_hand(one, *[int(detail["card"])] * lacking)
    else:
        kind = kind_named(detail["kind"])
        if kind != RED_THREE or one.state.rules.counts_red_threes:  # otherwise red threes are never in a hand
            yield with_hand(one, *cards_of(kind, lacking))


def _name_cards(one: RefusedAttempt) -> Iterator[Trial]:
    if hand_of(one):
        yield one.with_action(LayMelds((Lay(hand_of(one)[:1]),)))


def _meld_first(one: RefusedAttempt) -> Iterator[Trial]:
    """Yield an attempt to take back a meld that has just been made, if the hand allows one."""
    laying = [step for step in legal_actions(one.state) if isinstance(step, Meld | LayRun)]
    if laying and not one.state.laid:
        after = apply_action(one.state, one.seat, laying[0])
        if after.laid:
            yield Trial(after, one.seat, TAKE_BACK)


# --- the pile ---------------------------------------------------------------------------------------------------------


def _take_with_pair(one: RefusedAttempt, count: int = 2) -> Iterator[Trial]:
    """Yield an attempt to take the pile with `count` naturals of its top rank, which the hand gets."""
    cards = cards_of(top_kind(one.state), count)
    trial = with_hand(one, *cards)
    if isinstance(one.action, TakePile):
        yield trial_with_action(trial, TakePile(cards, (), None))
    else:
        yield trial_with_action(trial, Take(count))


def _take_with_triple(one: RefusedAttempt) -> Iterator[Trial]:
    yield from _take_with_pair(one, 3)


def _unfreeze_pile(one: RefusedAttempt) -> Iterator[Trial]:
    yield from _take_with_pair(one)
    rules = replace(one.state.rules, pile_frozen="by_card")
    yield one.with_state(rules=rules, frozen=False)


def _open_side(one: RefusedAttempt) -> Iterator[Trial]:
    """Yield the attempt with a natural pair, then with the side already opened."""
    yield from _take_with_pair(one)
    yield with_side_opened(one)


def _mark_pile_taken(one: RefusedAttempt) -> Iterator[Trial]:
    yield from _take_with_pair(one)
    yield one.with_state(takers=one.state.takers | {one.state.turn})


def _take_melds_back(one: RefusedAttempt) -> Iterator[Trial]:
    """Yield the attempt after taking back the melds made before the draw."""
    state = one.state
    while state.laid and why_not_allowed(state, state.turn, TAKE_BACK) is None:
        state = apply_action(state, state.turn, TAKE_BACK)
    if not state.started:
        yield Trial(state, one.seat, one.action)


def _add_cards_to_keep(one: RefusedAttempt) -> Iterator[Trial]:
    """Yield the attempt with as many more cards of the rank in the hand as the refusal requires."""
    detail = one.refusal.detail
    yield with_hand(one, *cards_of(kind_named(detail["kind"]), int(detail["required"]) - int(detail["held"])))


def _add_missing_cards(one: RefusedAttempt) -> Iterator[Trial]:
    kinds = free_ranks(one)
    detail = one.refusal.detail
    lacking = int(detail["required"]) - int(detail["left"])
    if len(kinds) >= lacking:
        yield with_hand(one, *[card_of(kind, 0) for kind in kinds[:lacking]])


def _remove_meld_limit(one: RefusedAttempt) -> Iterator[Trial]:
    yield one.with_rules(meld_max=None, dead_ranks=False, theme=())


def _remove_minimum(one: RefusedAttempt) -> Iterator[Trial]:
    """Yield the attempt without a minimum or a required shape for the initial meld."""
    yield one.with_rules(open_table=((None, 0),), open_shape="any", theme=())


def _leave_out_other_ranks(one: RefusedAttempt) -> Iterator[Trial]:
    """Yield an attempt to take the pile with a pair, then with only cards of the top rank and wild cards."""
    if isinstance(one.action, TakePile):
        yield from _take_with_pair(one)
        kept = tuple(card for card in one.action.cards if card >> 2 in (top_kind(one.state), TWO, JOKER))
        yield one.with_action(TakePile(kept, one.action.melds, one.action.onto))


def _add_meld_of_top_rank(one: RefusedAttempt) -> Iterator[Trial]:
    """Yield the attempt with a meld of the top card's rank on the table."""
    yield with_melds(one, [*own_melds(one.state), make_meld(top_kind(one.state), 3)])


def _give_two_twos(one: RefusedAttempt) -> Iterator[Trial]:
    red = is_red(one.state.pile[-1])
    twos = tuple(card_of(TWO, suit) for suit in range(4) if is_red(card_of(TWO, suit)) == red)[:2]
    trial = with_hand(one, *twos)
    yield trial_with_action(trial, TakePile(twos) if isinstance(one.action, TakePile) else Take(twos=2))


def _add_card_below_top(one: RefusedAttempt) -> Iterator[Trial]:
    yield one.with_state(pile=(card_of(FOUR, 0), *one.state.pile))


def _remove_canastas(one: RefusedAttempt) -> Iterator[Trial]:
    """Yield the attempt without the side's canastas, then under rules that let it add to them."""
    size = one.state.rules.canasta_size
    yield with_melds(one, [meld for meld in own_melds(one.state) if meld.size < size])
    yield one.with_rules(take_add_canasta=True, take_pair_canasta=True)


def _add_card_to_hand(one: RefusedAttempt) -> Iterator[Trial]:
    kinds = free_ranks(one)
    if kinds:
        yield with_hand(one, card_of(kinds[0], 0))


IN_TURNS: Final[Mapping[Code, Remedy]] = {
    Code.NO_DEAL: _start_deal,
    Code.DEAL_RUNNING: _start_game,
    Code.GAME_OVER: _start_next_game,
    Code.WRONG_PACK: _use_right_pack,
    Code.NOT_YOUR_TURN: _give_turn,
    Code.RESTING: _give_turn,
    Code.WAITING_FOR_ANSWER: _answer_question,
    Code.NO_QUESTION: _ask_partner,
    Code.DRAW_FIRST: lambda one: iter([_after_drawing(one)]),
    Code.ALREADY_DREW: lambda one: iter([_restart_turn(one)]),
    Code.STOCK_EMPTY: _refill_stock,
    Code.STOCK_NOT_EMPTY: _empty_stock,
    Code.MUST_TAKE: _remove_pile,
    Code.CARD_NOT_HELD: _give_missing_cards,
    Code.NO_CARDS: _name_cards,
    Code.PILE_EMPTY: lambda one: iter([one.with_state(pile=(card_of(5, 0), card_of(6, 0)))]),
    Code.PILE_BLOCKED: _change_top,
    Code.PILE_BLOCKED_SEVEN: _change_top,
    Code.PILE_FROZEN: _unfreeze_pile,
    Code.PILE_FROZEN_UNOPENED: _open_side,
    Code.PILE_FROZEN_UNTAKEN: _mark_pile_taken,
    Code.PILE_CLOSED_UNOPENED: lambda one: iter([with_side_opened(one)]),
    Code.TAKE_AFTER_OPENING: _take_melds_back,
    Code.TAKE_KEEP_CARDS: _add_cards_to_keep,
    Code.TAKE_KEEP_CARDS_LEFT: _add_missing_cards,
    Code.TAKE_NO_ROOM: _remove_meld_limit,
    Code.OPENING_NOT_FROM_HAND: _remove_minimum,
    Code.TAKE_NEEDS_CARDS: _take_with_pair,
    Code.TAKE_NEEDS_PAIR: _take_with_pair,
    Code.TAKE_NEEDS_TRIPLE: _take_with_triple,
    Code.TAKE_OTHER_RANK: _leave_out_other_ranks,
    Code.TAKE_NOT_WITH_RUN: _leave_out_other_ranks,
    Code.TAKE_NEEDS_TWOS: _give_two_twos,
    Code.TAKE_TWO_ALONE: _add_card_below_top,
    Code.TAKE_NO_MELD: _add_meld_of_top_rank,
    Code.TAKE_NO_MELD_OR_RUN: _add_meld_of_top_rank,
    Code.TAKE_ONTO_CANASTA: _remove_canastas,
    Code.ONE_CARD_ONE_CARD: _add_card_to_hand,
    Code.ASKED_BEFORE: lambda one: iter([_remove_questions(one)]),
    Code.ASKED_IN_TURN: lambda one: iter([_remove_questions(one)]),
    Code.ANNOUNCE_TOO_LATE: lambda one: iter([_remove_questions(one)]),
    Code.NOTHING_TO_TAKE_BACK: _meld_first,
    Code.NOT_A_PLAYER: _give_turn,
}
