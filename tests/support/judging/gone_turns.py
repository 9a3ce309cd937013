"""How obstacles in turns, at the stock and at the pile are taken away."""

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
from bot.engine.play.decide import why_not
from bot.engine.play.legal import legal_actions
from bot.engine.table.state import new_game
from tests.support.judging.attempts import Gone, Refused, Trial
from tests.support.judging.cards import (
    and_action,
    cards_of,
    free_ranks,
    hand_of,
    kind_named,
    lain,
    opened,
    own,
    top_kind,
    untouched,
    with_hand,
    with_melds,
)
from tests.support.play import acted, seeded_pack

# --- turns, seats and the stock ---------------------------------------------------------------------------------------


def _fresh_turn(one: Refused) -> Trial:
    state = untouched(one.state, phase=phases.DRAW, drew=None, fresh=(), permission=None, lapsed=False)
    return Trial(state, one.seat, one.action)


def _drawn(one: Refused) -> Trial:
    return one.with_state(phase=phases.PLAY, drew="stock")


def _unasked(one: Refused) -> Trial:
    return one.with_state(permission=None, lapsed=False, asked=frozenset())


def _after(one: Refused, seat: int | None, action: Action) -> Trial:
    return Trial(acted(one.state, seat, action), one.seat, one.action)


def _no_deal(one: Refused) -> Iterator[Trial]:
    yield _after(one, None, StartDeal(seeded_pack(one.state.rules, 1)))


def _deal_running(one: Refused) -> Iterator[Trial]:
    game = new_game(one.state.rules, dealer=one.state.dealer)
    yield Trial(game, one.seat, one.action)


def _wrong_pack(one: Refused) -> Iterator[Trial]:
    rules = one.state.rules
    yield one.with_action(StartDeal(sorted_pack(rules.decks, rules.jokers_per_deck)))


def _game_over(one: Refused) -> Iterator[Trial]:
    yield Trial(new_game(one.state.rules, dealer=one.state.dealer), one.seat, one.action)


def _in_turn(one: Refused) -> Iterator[Trial]:
    yield Trial(one.state, one.state.turn, one.action)


def _answered(one: Refused) -> Iterator[Trial]:
    partner = one.state.seating.partner_by_seat[one.state.turn]
    yield _after(one, partner, YES)
    yield _after(one, partner, Answer(yes=False))


def _asked(one: Refused) -> Iterator[Trial]:
    partner = one.state.seating.partner_by_seat[one.state.turn]
    if partner is not None:
        yield Trial(replace(one.state, phase=phases.ANSWER, permission=None), partner, one.action)


def _stock_back(one: Refused) -> Iterator[Trial]:
    yield one.with_state(stock=cards_of(FOUR, 6))


def _stock_out(one: Refused) -> Iterator[Trial]:
    yield one.with_state(stock=())


def _other_top(one: Refused) -> Iterator[Trial]:
    """Another card lies on top, a nine, which blocks nothing."""
    yield one.with_state(
        pile=(*one.state.pile[:-1], card_of(5, 0)), hidden=min(one.state.hidden, len(one.state.pile) - 1)
    )


def _no_pile(one: Refused) -> Iterator[Trial]:
    yield one.with_state(pile=(), hidden=0, aside=False)


def _given(one: Refused) -> Iterator[Trial]:
    """The hand has as many of the card or kind as are needed."""
    detail = one.refusal.detail
    lacking = int(detail["needed"]) - int(detail["held"])
    if "card" in detail:
        yield with_hand(one, *[int(detail["card"])] * lacking)
    else:
        kind = kind_named(detail["kind"])
        if kind != RED_THREE or one.state.rules.counts_red_threes:  # else no hand holds one
            yield with_hand(one, *cards_of(kind, lacking))


def _cards_named(one: Refused) -> Iterator[Trial]:
    if hand_of(one):
        yield one.with_action(LayMelds((Lay(hand_of(one)[:1]),)))


def _something_laid(one: Refused) -> Iterator[Trial]:
    """Something is laid first, as far as the hand lets it."""
    laying = [step for step in legal_actions(one.state) if isinstance(step, Meld | LayRun)]
    if laying and not one.state.laid:
        after = acted(one.state, one.seat, laying[0])
        if after.laid:
            yield Trial(after, one.seat, TAKE_BACK)


# --- the pile ---------------------------------------------------------------------------------------------------------


def _pair(one: Refused, count: int = 2) -> Iterator[Trial]:
    """The seat gets naturals of the top card's rank and names those alone."""
    cards = cards_of(top_kind(one.state), count)
    trial = with_hand(one, *cards)
    if isinstance(one.action, TakePile):
        yield and_action(trial, TakePile(cards, (), None))
    else:
        yield and_action(trial, Take(count))


def _triple(one: Refused) -> Iterator[Trial]:
    yield from _pair(one, 3)


def _frozen_for_all(one: Refused) -> Iterator[Trial]:
    yield from _pair(one)
    rules = replace(one.state.rules, pile_frozen="by_card")
    yield one.with_state(rules=rules, frozen=False)


def _frozen_unopened(one: Refused) -> Iterator[Trial]:
    yield from _pair(one)
    yield opened(one)


def _frozen_untaken(one: Refused) -> Iterator[Trial]:
    yield from _pair(one)
    yield one.with_state(takers=one.state.takers | {one.state.turn})


def _laid_back(one: Refused) -> Iterator[Trial]:
    """What was laid before the draw is taken back."""
    state = one.state
    while state.laid and why_not(state, state.turn, TAKE_BACK) is None:
        state = acted(state, state.turn, TAKE_BACK)
    if not state.started:
        yield Trial(state, one.seat, one.action)


def _kept(one: Refused) -> Iterator[Trial]:
    detail = one.refusal.detail
    yield with_hand(one, *cards_of(kind_named(detail["kind"]), int(detail["required"]) - int(detail["held"])))


def _some_more_cards(one: Refused) -> Iterator[Trial]:
    kinds = free_ranks(one)
    detail = one.refusal.detail
    lacking = int(detail["required"]) - int(detail["left"])
    if len(kinds) >= lacking:
        yield with_hand(one, *[card_of(kind, 0) for kind in kinds[:lacking]])


def _room(one: Refused) -> Iterator[Trial]:
    yield one.with_rules(meld_max=None, dead_ranks=False, theme=())


def _no_minimum(one: Refused) -> Iterator[Trial]:
    """No minimum holds, nor any shape that the initial meld has to have."""
    yield one.with_rules(open_table=((None, 0),), open_shape="any", theme=())


def _own_ranks_only(one: Refused) -> Iterator[Trial]:
    """Cards of other ranks are left out, and the seat gets a pair."""
    if isinstance(one.action, TakePile):
        yield from _pair(one)
        kept = tuple(card for card in one.action.cards if card >> 2 in (top_kind(one.state), TWO, JOKER))
        yield one.with_action(TakePile(kept, one.action.melds, one.action.onto))


def _meld_of_the_top(one: Refused) -> Iterator[Trial]:
    """The side has a meld of the top card's rank."""
    yield with_melds(one, [*own(one.state), lain(top_kind(one.state), 3)])


def _two_twos(one: Refused) -> Iterator[Trial]:
    red = is_red(one.state.pile[-1])
    twos = tuple(card_of(TWO, suit) for suit in range(4) if is_red(card_of(TWO, suit)) == red)[:2]
    trial = with_hand(one, *twos)
    yield and_action(trial, TakePile(twos) if isinstance(one.action, TakePile) else Take(twos=2))


def _something_below(one: Refused) -> Iterator[Trial]:
    yield one.with_state(pile=(card_of(FOUR, 0), *one.state.pile))


def _smaller_melds(one: Refused) -> Iterator[Trial]:
    """No meld of the side is a canasta."""
    size = one.state.rules.canasta_size
    yield with_melds(one, [meld for meld in own(one.state) if meld.size < size])
    yield one.with_rules(take_add_canasta=True, take_pair_canasta=True)


def _one_card_more(one: Refused) -> Iterator[Trial]:
    kinds = free_ranks(one)
    if kinds:
        yield with_hand(one, card_of(kinds[0], 0))


IN_TURNS: Final[Mapping[Code, Gone]] = {
    Code.NO_DEAL: _no_deal,
    Code.DEAL_RUNNING: _deal_running,
    Code.GAME_OVER: _game_over,
    Code.WRONG_PACK: _wrong_pack,
    Code.NOT_YOUR_TURN: _in_turn,
    Code.RESTING: _in_turn,
    Code.WAITING_FOR_ANSWER: _answered,
    Code.NO_QUESTION: _asked,
    Code.DRAW_FIRST: lambda one: iter([_drawn(one)]),
    Code.ALREADY_DREW: lambda one: iter([_fresh_turn(one)]),
    Code.STOCK_EMPTY: _stock_back,
    Code.STOCK_NOT_EMPTY: _stock_out,
    Code.MUST_TAKE: _no_pile,
    Code.CARD_NOT_HELD: _given,
    Code.NO_CARDS: _cards_named,
    Code.PILE_EMPTY: lambda one: iter([one.with_state(pile=(card_of(5, 0), card_of(6, 0)))]),
    Code.PILE_BLOCKED: _other_top,
    Code.PILE_BLOCKED_SEVEN: _other_top,
    Code.PILE_FROZEN: _frozen_for_all,
    Code.PILE_FROZEN_UNOPENED: _frozen_unopened,
    Code.PILE_FROZEN_UNTAKEN: _frozen_untaken,
    Code.PILE_CLOSED_UNOPENED: lambda one: iter([opened(one)]),
    Code.TAKE_AFTER_OPENING: _laid_back,
    Code.TAKE_KEEP_CARDS: _kept,
    Code.TAKE_KEEP_CARDS_LEFT: _some_more_cards,
    Code.TAKE_NO_ROOM: _room,
    Code.OPENING_NOT_FROM_HAND: _no_minimum,
    Code.TAKE_NEEDS_CARDS: _pair,
    Code.TAKE_NEEDS_PAIR: _pair,
    Code.TAKE_NEEDS_TRIPLE: _triple,
    Code.TAKE_OTHER_RANK: _own_ranks_only,
    Code.TAKE_NOT_WITH_RUN: _own_ranks_only,
    Code.TAKE_NEEDS_TWOS: _two_twos,
    Code.TAKE_TWO_ALONE: _something_below,
    Code.TAKE_NO_MELD: _meld_of_the_top,
    Code.TAKE_NO_MELD_OR_RUN: _meld_of_the_top,
    Code.TAKE_ONTO_CANASTA: _smaller_melds,
    Code.ONE_CARD_ONE_CARD: _one_card_more,
    Code.ASKED_BEFORE: lambda one: iter([_unasked(one)]),
    Code.ASKED_IN_TURN: lambda one: iter([_unasked(one)]),
    Code.ANNOUNCE_TOO_LATE: lambda one: iter([_unasked(one)]),
    Code.NOTHING_TO_TAKE_BACK: _something_laid,
    Code.NOT_A_PLAYER: _in_turn,
}
