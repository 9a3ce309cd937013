"""Trials without the obstacle: for refused discards, going out and special hands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from bot.engine.cards.cards import BLACK_THREE, FOUR, RED_THREE, SEVEN, TWO, card_of
from bot.engine.cards.meld_places import RUN, WILD_MELD, family_of
from bot.engine.cards.notation import parse_cards
from bot.engine.melds.table_meld import TableMeld, meld_of
from bot.engine.moves import phases
from bot.engine.moves.actions import Show
from bot.engine.moves.refusals import Code
from bot.engine.rules.parameter_declarations import DiscardBan
from tests.support.refusal_checks.cards_of_attempts import (
    cards_of,
    count_held,
    make_meld,
    own_melds,
    undo_melds_of_turn,
    unused_ranks,
    with_hand,
    with_melds,
)
from tests.support.refusal_checks.recounted_numbers import count_canastas
from tests.support.refusal_checks.refused_attempts import RefusedAttempt, Trial, TrialMaker

# --- discards ---------------------------------------------------------------------------------------------------------


def _trials_without_discard_bans(*bans: DiscardBan) -> TrialMaker:
    """Return a function that yields the attempt under rules without these bans on discards."""

    def attempts_without_bans(attempt: RefusedAttempt) -> Iterator[Trial]:
        yield attempt.with_rules(discard_bans=attempt.state.rules.discard_bans - set(bans))

    return attempts_without_bans


def _trials_with_any_end_of_stock(attempt: RefusedAttempt) -> Iterator[Trial]:
    yield attempt.with_state(stock_out=None)


# --- going out --------------------------------------------------------------------------------------------------------


def trials_with_canastas(attempt: RefusedAttempt) -> Iterator[Trial]:
    """Yield the attempt with all canastas that the side needs to go out, of every kind."""
    rules = attempt.state.rules
    size = rules.canasta_size
    kinds = [kind for kind in unused_ranks(attempt) if kind != SEVEN]
    wanted = Counter(dict(rules.out_need))
    there = count_canastas(rules, own_melds(attempt.state))
    more: list[TableMeld] = []
    naturals = max(0, max(rules.out_canastas, rules.canastas_needed) - there["counting"], wanted["natural"])
    mixed = wanted["mixed"] if "mixed" not in rules.out_excludes else 0
    if len(kinds) < naturals + mixed:
        return
    more += [make_meld(kind, size) for kind in kinds[:naturals]]
    more += [make_meld(kind, size - 1, 1) for kind in kinds[naturals : naturals + mixed]]
    if wanted["7"]:
        if any(family_of(meld.place) == SEVEN for meld in own_melds(attempt.state)) or count_held(attempt)[SEVEN]:
            return
        more.append(make_meld(SEVEN, size))
    if wanted["wild"] and not there["wild"]:
        if any(family_of(meld.place) == WILD_MELD for meld in own_melds(attempt.state)):
            return
        more.append(meld_of(WILD_MELD, cards_of(TWO, size)))
    if wanted["seq"] and not there["seq"]:
        suits = [
            suit for suit in range(4) if not any(meld.place & 31 == RUN + suit for meld in own_melds(attempt.state))
        ]
        if not suits:
            return
        more.append(meld_of(RUN + suits[0], tuple(card_of(kind, suits[0]) for kind in range(size))))
    yield with_melds(attempt, [*own_melds(attempt.state), *more])


def _trials_with_earlier_canastas(attempt: RefusedAttempt) -> Iterator[Trial]:
    yield attempt.with_state(ready=True)


def _trials_without_feet(attempt: RefusedAttempt) -> Iterator[Trial]:
    yield attempt.with_state(feet=tuple(() for _ in attempt.state.feet))


def _trials_without_own_foot(attempt: RefusedAttempt) -> Iterator[Trial]:
    state = attempt.state
    yield attempt.with_state(feet=tuple(() if seat == state.turn else foot for seat, foot in enumerate(state.feet)))


def _trials_with_red_threes(attempt: RefusedAttempt) -> Iterator[Trial]:
    state = attempt.state
    threes = cards_of(RED_THREE, int(attempt.refusal.detail["required"]))
    yield attempt.with_state(
        red_threes=tuple(threes if side == state.side else lying for side, lying in enumerate(state.red_threes))
    )


def _trials_with_optional_discard(attempt: RefusedAttempt) -> Iterator[Trial]:
    yield attempt.with_rules(out_discard="optional")


def _trials_with_any_last_card(attempt: RefusedAttempt) -> Iterator[Trial]:
    """Yield the attempt with any card allowed as the last discard, and with more cards in the hand."""
    bans: set[DiscardBan] = {"threes", "7_last", "J"}
    yield attempt.with_rules(discard_bans=attempt.state.rules.discard_bans - bans)
    yield from _trials_with_three_more_cards(attempt)


def _trials_with_three_more_cards(attempt: RefusedAttempt) -> Iterator[Trial]:
    """Yield the attempt with three more cards in the hand, so that it no longer empties the hand."""
    kinds = unused_ranks(attempt)
    if len(kinds) > 2:
        yield with_hand(attempt, *[card_of(kind, 0) for kind in kinds[:3]])


def _trials_with_unfinished_melds(attempt: RefusedAttempt) -> Iterator[Trial]:
    yield attempt.with_rules(out_clean=False)


def _trials_with_permission(attempt: RefusedAttempt) -> Iterator[Trial]:
    """Yield the attempt with the missing announcement, or the partner's yes."""
    yield attempt.with_state(permission=True)


def _trials_without_permission(attempt: RefusedAttempt) -> Iterator[Trial]:
    """Yield the attempt without the partner's answer or any announcement, so that the seat is free."""
    yield attempt.with_state(permission=None)


def _trials_with_going_out_possible(attempt: RefusedAttempt) -> Iterator[Trial]:
    """Yield the attempt with every card but a discard meldable, and no other obstacle to going out."""
    kinds = unused_ranks(attempt)
    if len(kinds) < 3:
        return
    state = attempt.state
    trial = next(trials_with_canastas(attempt), None)
    if trial is None or state.aside:
        return
    after = trial.state
    kind = kinds[-1]
    size = after.rules.canasta_size
    melds = [*after.melds[after.side], make_meld(kind, size - 1)]
    hand = cards_of(kind, 1) if after.rules.out_discard != "mandatory" else (*cards_of(kind, 1), card_of(kinds[-2], 0))
    again = RefusedAttempt(
        undo_melds_of_turn(
            after,
            hands=tuple(hand if seat == after.turn else cards for seat, cards in enumerate(after.hands)),
            opened=tuple(True for _ in after.opened),
            stock_out=None,
            stock=cards_of(FOUR, 6),
            drew=after.drew if after.phase is phases.DRAW else "stock",
        ),
        attempt.seat,
        attempt.action,
        attempt.refusal,
    )
    yield with_melds(again, melds)


def _trials_without_melds_of_turn(attempt: RefusedAttempt) -> Iterator[Trial]:
    yield Trial(undo_melds_of_turn(attempt.state), attempt.seat, attempt.action)


def _trials_with_asking(attempt: RefusedAttempt) -> Iterator[Trial]:
    """Yield the attempt where players may ask their partner, unless all play alone."""
    if attempt.state.rules.sides < attempt.state.rules.players:
        yield attempt.with_rules(ask_partner="optional", out_announce=False)


def _trials_with_announcing(attempt: RefusedAttempt) -> Iterator[Trial]:
    yield attempt.with_rules(out_announce=True)


# --- special hands and kept threes ------------------------------------------------------------------------------------


PAIRS: Final = parse_cards("4s 4h 5s 5h 6s 6h 8s 8h 9s 9h Ts Th Js Jh")


def _trials_with_special_hand(attempt: RefusedAttempt) -> Iterator[Trial]:
    state = attempt.state
    hands = tuple(PAIRS if seat == state.turn else hand for seat, hand in enumerate(state.hands))
    rules = replace(state.rules, special_hands=state.rules.special_hands | {"pairs"})
    yield Trial(replace(state, hands=hands, rules=rules), attempt.seat, Show("pairs"))


def _trials_showing_hand_in_time(attempt: RefusedAttempt) -> Iterator[Trial]:
    """Yield the attempt made after drawing from the stock, before the side opens."""
    state = undo_melds_of_turn(attempt.state, drew="stock", opened=tuple(False for _ in attempt.state.opened))
    yield Trial(state, attempt.seat, attempt.action)


def _trials_with_kept_three_allowed(attempt: RefusedAttempt) -> Iterator[Trial]:
    yield attempt.with_rules(special_hands=frozenset({"straight"}))


def _trials_keeping_three_in_time(attempt: RefusedAttempt) -> Iterator[Trial]:
    """Yield the attempt made before the side opens, with no other three in the hand."""
    state = attempt.state
    closed = tuple(False for _ in state.opened)
    hands = tuple(tuple(card for card in hand if card >> 2 not in (BLACK_THREE, RED_THREE)) for hand in state.hands)
    yield attempt.with_state(opened=closed, hands=hands, turns=50)


# --- themes, penalties ------------------------------------------------------------------------------------------------


def _trials_without_theme(attempt: RefusedAttempt) -> Iterator[Trial]:
    yield attempt.with_rules(theme=())


def _trials_without_lapsed_permission(attempt: RefusedAttempt) -> Iterator[Trial]:
    yield attempt.with_state(lapsed=False)


def _trials_without_penalties(attempt: RefusedAttempt) -> Iterator[Trial]:
    yield attempt.with_state(penalties=None)


IN_GOING_OUT: Final[Mapping[Code, TrialMaker]] = {
    Code.DISCARD_JOKER: _trials_without_discard_bans("J"),
    Code.DISCARD_THREE: _trials_without_discard_bans("threes"),
    Code.DISCARD_WILD: _trials_without_discard_bans("wilds"),
    Code.DISCARD_ON_EMPTY_PILE: _trials_without_discard_bans("swad"),
    Code.DISCARD_SEVEN: _trials_without_discard_bans("7_until_both"),
    Code.DISCARD_LAST_SEVEN: _trials_without_discard_bans("7_last"),
    Code.DISCARD_BLACK_THREE: _trials_without_discard_bans("black3_first_round"),
    Code.DISCARD_AFTER_LAST_THREE: _trials_with_any_end_of_stock,
    Code.NEEDS_CANASTA: trials_with_canastas,
    Code.NEEDS_COUNTING_CANASTA: trials_with_canastas,
    Code.NEEDS_CANASTA_KIND: trials_with_canastas,
    Code.CANASTAS_NOT_BEFORE: _trials_with_earlier_canastas,
    Code.FOOT_WAITS: _trials_without_own_foot,
    Code.PARTNER_FOOT_WAITS: _trials_without_feet,
    Code.OUT_RED_THREES: _trials_with_red_threes,
    Code.OUT_WITHOUT_DISCARD: _trials_with_optional_discard,
    Code.OUT_NEEDS_DISCARD: _trials_with_optional_discard,
    Code.OUT_LAST_CARD: _trials_with_any_last_card,
    Code.OUT_UNFINISHED: _trials_with_unfinished_melds,
    Code.OUT_NOT_ANNOUNCED: _trials_with_permission,
    Code.OUT_NOT_ASKED: _trials_with_permission,
    Code.OUT_CARDS_STAY: _trials_with_going_out_possible,
    Code.OUT_ANNOUNCED: _trials_without_permission,
    Code.PARTNER_SAID_NO: _trials_with_permission,
    Code.PARTNER_SAID_YES: _trials_without_permission,
    Code.ASK_OFF: _trials_with_asking,
    Code.ASK_TOO_LATE: _trials_without_melds_of_turn,
    Code.ASK_CANNOT_GO_OUT: trials_with_canastas,
    Code.ANNOUNCE_CANNOT_GO_OUT: trials_with_canastas,
    Code.ANNOUNCE_OFF: _trials_with_announcing,
    Code.NO_SPECIAL_HANDS: _trials_with_special_hand,
    Code.SHOW_TOO_LATE: _trials_showing_hand_in_time,
    Code.SHOW_CARDS: _trials_with_special_hand,
    Code.SHOW_NO_HAND: _trials_with_special_hand,
    Code.THEME_NO_MELD: _trials_without_theme,
    Code.THEME_NOT_IN_OPENING: _trials_without_theme,
    Code.THEME_OPENING_NEEDS: _trials_without_theme,
    Code.THEME_NO_DISCARD: _trials_without_theme,
    Code.THEME_FROZEN_ONCE: _trials_without_theme,
    Code.THEME_NO_CANASTA: _trials_without_theme,
    Code.THEME_CANASTA_FIRST: _trials_without_theme,
    Code.THEME_NO_PILE: _trials_without_theme,
    Code.THEME_NO_OUT: _trials_without_theme,
    Code.THEME_OUT_NEEDS: _trials_without_theme,
    Code.MELD_AS_FAR_AS_POSSIBLE: _trials_without_lapsed_permission,
    Code.PENALTY_CARDS_FIRST: _trials_without_penalties,
    Code.KEEP_OFF: _trials_with_kept_three_allowed,
    Code.KEEP_TOO_LATE: _trials_keeping_three_in_time,
}
