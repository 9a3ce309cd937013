"""Trials without the obstacle: for refusals about turns, the stock and the pile."""

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
from tests.support.random_play import apply_action, seeded_pack
from tests.support.refusal_checks.cards_of_attempts import (
    cards_of,
    hand_of,
    kind_named,
    make_meld,
    own_melds,
    top_kind,
    trial_with_action,
    undo_melds_of_turn,
    unused_ranks,
    with_hand,
    with_melds,
    with_side_opened,
)
from tests.support.refusal_checks.refused_attempts import RefusedAttempt, Trial, TrialMaker

# --- turns, seats and the stock ---------------------------------------------------------------------------------------


def _trial_before_draw(attempt: RefusedAttempt) -> Trial:
    state = undo_melds_of_turn(attempt.state, phase=phases.DRAW, drew=None, fresh=(), permission=None, lapsed=False)
    return Trial(state, attempt.seat, attempt.action)


def _trial_after_draw(attempt: RefusedAttempt) -> Trial:
    return attempt.with_state(phase=phases.PLAY, drew="stock")


def _trial_without_questions(attempt: RefusedAttempt) -> Trial:
    return attempt.with_state(permission=None, lapsed=False, asked=frozenset())


def _trial_after_action(attempt: RefusedAttempt, seat: int | None, action: Action) -> Trial:
    """Return a trial of the attempt after another legal action."""
    return Trial(apply_action(attempt.state, seat, action), attempt.seat, attempt.action)


def _trials_in_started_deal(attempt: RefusedAttempt) -> Iterator[Trial]:
    yield _trial_after_action(attempt, None, StartDeal(seeded_pack(attempt.state.rules, 1)))


def _trials_in_new_game(attempt: RefusedAttempt) -> Iterator[Trial]:
    game = new_game(attempt.state.rules, dealer=attempt.state.dealer)
    yield Trial(game, attempt.seat, attempt.action)


def _trials_with_right_pack(attempt: RefusedAttempt) -> Iterator[Trial]:
    rules = attempt.state.rules
    yield attempt.with_action(StartDeal(sorted_pack(rules.decks, rules.jokers_per_deck)))


def _trials_by_seat_in_turn(attempt: RefusedAttempt) -> Iterator[Trial]:
    yield Trial(attempt.state, attempt.state.turn, attempt.action)


def _trials_after_answer(attempt: RefusedAttempt) -> Iterator[Trial]:
    partner = attempt.state.seating.partner_by_seat[attempt.state.turn]
    yield _trial_after_action(attempt, partner, YES)
    yield _trial_after_action(attempt, partner, Answer(yes=False))


def _trials_after_question(attempt: RefusedAttempt) -> Iterator[Trial]:
    partner = attempt.state.seating.partner_by_seat[attempt.state.turn]
    if partner is not None:
        yield Trial(replace(attempt.state, phase=phases.ANSWER, permission=None), partner, attempt.action)


def _trials_with_cards_in_stock(attempt: RefusedAttempt) -> Iterator[Trial]:
    yield attempt.with_state(stock=cards_of(FOUR, 6))


def _trials_with_empty_stock(attempt: RefusedAttempt) -> Iterator[Trial]:
    yield attempt.with_state(stock=())


def _trials_with_harmless_top_card(attempt: RefusedAttempt) -> Iterator[Trial]:
    """Yield the attempt with a nine, which blocks nothing, on top of the pile."""
    yield attempt.with_state(
        pile=(*attempt.state.pile[:-1], card_of(5, 0)), hidden=min(attempt.state.hidden, len(attempt.state.pile) - 1)
    )


def _trials_without_pile(attempt: RefusedAttempt) -> Iterator[Trial]:
    yield attempt.with_state(pile=(), hidden=0, aside=False)


def _trials_with_missing_cards(attempt: RefusedAttempt) -> Iterator[Trial]:
    """Yield the attempt with as many of the missing card or kind in the hand as are needed."""
    detail = attempt.refusal.detail
    lacking = int(detail["needed"]) - int(detail["held"])
    if "card" in detail:
        yield with_hand(attempt, *[int(detail["card"])] * lacking)
    else:
        kind = kind_named(detail["kind"])
        if kind != RED_THREE or attempt.state.rules.counts_red_threes:  # otherwise red threes are never in a hand
            yield with_hand(attempt, *cards_of(kind, lacking))


def _trials_melding_one_card(attempt: RefusedAttempt) -> Iterator[Trial]:
    if hand_of(attempt):
        yield attempt.with_action(LayMelds((Lay(hand_of(attempt)[:1]),)))


def _trials_after_meld(attempt: RefusedAttempt) -> Iterator[Trial]:
    """Yield an attempt to take back a meld that has just been made, if the hand allows one."""
    laying = [step for step in legal_actions(attempt.state) if isinstance(step, Meld | LayRun)]
    if laying and not attempt.state.laid:
        after = apply_action(attempt.state, attempt.seat, laying[0])
        if after.laid:
            yield Trial(after, attempt.seat, TAKE_BACK)


# --- the pile ---------------------------------------------------------------------------------------------------------


def _trials_taking_with_pair(attempt: RefusedAttempt, count: int = 2) -> Iterator[Trial]:
    """Yield an attempt to take the pile with `count` naturals of its top rank, which the hand gets."""
    cards = cards_of(top_kind(attempt.state), count)
    trial = with_hand(attempt, *cards)
    if isinstance(attempt.action, TakePile):
        yield trial_with_action(trial, TakePile(cards, (), None))
    else:
        yield trial_with_action(trial, Take(count))


def _trials_taking_with_triple(attempt: RefusedAttempt) -> Iterator[Trial]:
    yield from _trials_taking_with_pair(attempt, 3)


def _trials_with_unfrozen_pile(attempt: RefusedAttempt) -> Iterator[Trial]:
    yield from _trials_taking_with_pair(attempt)
    rules = replace(attempt.state.rules, pile_frozen="by_card")
    yield attempt.with_state(rules=rules, frozen=False)


def _trials_with_opened_side(attempt: RefusedAttempt) -> Iterator[Trial]:
    """Yield the attempt with a natural pair, then with the side already opened."""
    yield from _trials_taking_with_pair(attempt)
    yield with_side_opened(attempt)


def _trials_with_pile_taken_before(attempt: RefusedAttempt) -> Iterator[Trial]:
    yield from _trials_taking_with_pair(attempt)
    yield attempt.with_state(takers=attempt.state.takers | {attempt.state.turn})


def _trials_after_taking_back(attempt: RefusedAttempt) -> Iterator[Trial]:
    """Yield the attempt after taking back the melds made before the draw."""
    state = attempt.state
    while state.laid and why_not_allowed(state, state.turn, TAKE_BACK) is None:
        state = apply_action(state, state.turn, TAKE_BACK)
    if not state.started:
        yield Trial(state, attempt.seat, attempt.action)


def _trials_with_kept_rank(attempt: RefusedAttempt) -> Iterator[Trial]:
    """Yield the attempt with as many more cards of the rank in the hand as the refusal requires."""
    detail = attempt.refusal.detail
    yield with_hand(attempt, *cards_of(kind_named(detail["kind"]), int(detail["required"]) - int(detail["held"])))


def _trials_with_more_cards_left(attempt: RefusedAttempt) -> Iterator[Trial]:
    kinds = unused_ranks(attempt)
    detail = attempt.refusal.detail
    lacking = int(detail["required"]) - int(detail["left"])
    if len(kinds) >= lacking:
        yield with_hand(attempt, *[card_of(kind, 0) for kind in kinds[:lacking]])


def _trials_without_meld_limit(attempt: RefusedAttempt) -> Iterator[Trial]:
    yield attempt.with_rules(meld_max=None, dead_ranks=False, theme=())


def _trials_without_minimum(attempt: RefusedAttempt) -> Iterator[Trial]:
    """Yield the attempt without a minimum or a required shape for the initial meld."""
    yield attempt.with_rules(open_table=((None, 0),), open_shape="any", theme=())


def _trials_without_other_ranks(attempt: RefusedAttempt) -> Iterator[Trial]:
    """Yield an attempt to take the pile with a pair, then with only cards of the top rank and wild cards."""
    if isinstance(attempt.action, TakePile):
        yield from _trials_taking_with_pair(attempt)
        kept = tuple(card for card in attempt.action.cards if card >> 2 in (top_kind(attempt.state), TWO, JOKER))
        yield attempt.with_action(TakePile(kept, attempt.action.melds, attempt.action.onto))


def _trials_with_meld_of_top_rank(attempt: RefusedAttempt) -> Iterator[Trial]:
    """Yield the attempt with a meld of the top card's rank on the table."""
    yield with_melds(attempt, [*own_melds(attempt.state), make_meld(top_kind(attempt.state), 3)])


def _trials_taking_with_two_twos(attempt: RefusedAttempt) -> Iterator[Trial]:
    red = is_red(attempt.state.pile[-1])
    twos = tuple(card_of(TWO, suit) for suit in range(4) if is_red(card_of(TWO, suit)) == red)[:2]
    trial = with_hand(attempt, *twos)
    yield trial_with_action(trial, TakePile(twos) if isinstance(attempt.action, TakePile) else Take(twos=2))


def _trials_with_card_below_top(attempt: RefusedAttempt) -> Iterator[Trial]:
    yield attempt.with_state(pile=(card_of(FOUR, 0), *attempt.state.pile))


def _trials_without_canastas(attempt: RefusedAttempt) -> Iterator[Trial]:
    """Yield the attempt without the side's canastas, then under rules that let it add to them."""
    size = attempt.state.rules.canasta_size
    yield with_melds(attempt, [meld for meld in own_melds(attempt.state) if meld.size < size])
    yield attempt.with_rules(take_add_canasta=True, take_pair_canasta=True)


def _trials_with_another_card(attempt: RefusedAttempt) -> Iterator[Trial]:
    kinds = unused_ranks(attempt)
    if kinds:
        yield with_hand(attempt, card_of(kinds[0], 0))


IN_TURNS: Final[Mapping[Code, TrialMaker]] = {
    Code.NO_DEAL: _trials_in_started_deal,
    Code.DEAL_RUNNING: _trials_in_new_game,
    Code.GAME_OVER: _trials_in_new_game,
    Code.WRONG_PACK: _trials_with_right_pack,
    Code.NOT_YOUR_TURN: _trials_by_seat_in_turn,
    Code.RESTING: _trials_by_seat_in_turn,
    Code.WAITING_FOR_ANSWER: _trials_after_answer,
    Code.NO_QUESTION: _trials_after_question,
    Code.DRAW_FIRST: lambda attempt: iter([_trial_after_draw(attempt)]),
    Code.ALREADY_DREW: lambda attempt: iter([_trial_before_draw(attempt)]),
    Code.STOCK_EMPTY: _trials_with_cards_in_stock,
    Code.STOCK_NOT_EMPTY: _trials_with_empty_stock,
    Code.MUST_TAKE: _trials_without_pile,
    Code.CARD_NOT_HELD: _trials_with_missing_cards,
    Code.NO_CARDS: _trials_melding_one_card,
    Code.PILE_EMPTY: lambda attempt: iter([attempt.with_state(pile=(card_of(5, 0), card_of(6, 0)))]),
    Code.PILE_BLOCKED: _trials_with_harmless_top_card,
    Code.PILE_BLOCKED_SEVEN: _trials_with_harmless_top_card,
    Code.PILE_FROZEN: _trials_with_unfrozen_pile,
    Code.PILE_FROZEN_UNOPENED: _trials_with_opened_side,
    Code.PILE_FROZEN_UNTAKEN: _trials_with_pile_taken_before,
    Code.PILE_CLOSED_UNOPENED: lambda attempt: iter([with_side_opened(attempt)]),
    Code.TAKE_AFTER_OPENING: _trials_after_taking_back,
    Code.TAKE_KEEP_CARDS: _trials_with_kept_rank,
    Code.TAKE_KEEP_CARDS_LEFT: _trials_with_more_cards_left,
    Code.TAKE_NO_ROOM: _trials_without_meld_limit,
    Code.OPENING_NOT_FROM_HAND: _trials_without_minimum,
    Code.TAKE_NEEDS_CARDS: _trials_taking_with_pair,
    Code.TAKE_NEEDS_PAIR: _trials_taking_with_pair,
    Code.TAKE_NEEDS_TRIPLE: _trials_taking_with_triple,
    Code.TAKE_OTHER_RANK: _trials_without_other_ranks,
    Code.TAKE_NOT_WITH_RUN: _trials_without_other_ranks,
    Code.TAKE_NEEDS_TWOS: _trials_taking_with_two_twos,
    Code.TAKE_TWO_ALONE: _trials_with_card_below_top,
    Code.TAKE_NO_MELD: _trials_with_meld_of_top_rank,
    Code.TAKE_NO_MELD_OR_RUN: _trials_with_meld_of_top_rank,
    Code.TAKE_ONTO_CANASTA: _trials_without_canastas,
    Code.ONE_CARD_ONE_CARD: _trials_with_another_card,
    Code.ASKED_BEFORE: lambda attempt: iter([_trial_without_questions(attempt)]),
    Code.ASKED_IN_TURN: lambda attempt: iter([_trial_without_questions(attempt)]),
    Code.ANNOUNCE_TOO_LATE: lambda attempt: iter([_trial_without_questions(attempt)]),
    Code.NOTHING_TO_TAKE_BACK: _trials_after_meld,
    Code.NOT_A_PLAYER: _trials_by_seat_in_turn,
}
