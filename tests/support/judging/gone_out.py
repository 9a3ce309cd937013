"""How obstacles to discards, to going out and to special hands are taken away."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from bot.engine.cards.cards import BLACK_THREE, FOUR, RED_THREE, SEVEN, TWO, card_of
from bot.engine.cards.notation import parse_cards
from bot.engine.cards.places import RUN, WILD_MELD, family_of
from bot.engine.melds.melds import TableMeld, meld_of
from bot.engine.moves import phases
from bot.engine.moves.actions import Show
from bot.engine.moves.refusals import Code
from bot.engine.rules.topics import DiscardBan
from tests.support.judging.attempts import Gone, Refused, Trial
from tests.support.judging.cards import cards_of, free_ranks, held, lain, own, untouched, with_hand, with_melds
from tests.support.judging.counted import canastas

# --- discards ---------------------------------------------------------------------------------------------------------


def _lifted(*bans: DiscardBan) -> Gone:
    """The same where these bans do not hold."""

    def trials(one: Refused) -> Iterator[Trial]:
        yield one.with_rules(discard_bans=one.state.rules.discard_bans - set(bans))

    return trials


def _no_last_three(one: Refused) -> Iterator[Trial]:
    yield one.with_state(stock_out=None)


# --- going out --------------------------------------------------------------------------------------------------------


def canastas_given(one: Refused) -> Iterator[Trial]:
    """The side has as many canastas as it needs, of every kind."""
    rules = one.state.rules
    size = rules.canasta_size
    kinds = [kind for kind in free_ranks(one) if kind != SEVEN]
    wanted = Counter(dict(rules.out_need))
    there = canastas(rules, own(one.state))
    more: list[TableMeld] = []
    naturals = max(0, max(rules.out_canastas, rules.canastas_needed) - there["counting"], wanted["natural"])
    mixed = wanted["mixed"] if "mixed" not in rules.out_excludes else 0
    if len(kinds) < naturals + mixed:
        return
    more += [lain(kind, size) for kind in kinds[:naturals]]
    more += [lain(kind, size - 1, 1) for kind in kinds[naturals : naturals + mixed]]
    if wanted["7"]:
        if any(family_of(meld.place) == SEVEN for meld in own(one.state)) or held(one)[SEVEN]:
            return
        more.append(lain(SEVEN, size))
    if wanted["wild"] and not there["wild"]:
        if any(family_of(meld.place) == WILD_MELD for meld in own(one.state)):
            return
        more.append(meld_of(WILD_MELD, cards_of(TWO, size)))
    if wanted["seq"] and not there["seq"]:
        suits = [suit for suit in range(4) if not any(meld.place & 31 == RUN + suit for meld in own(one.state))]
        if not suits:
            return
        more.append(meld_of(RUN + suits[0], tuple(card_of(kind, suits[0]) for kind in range(size))))
    yield with_melds(one, [*own(one.state), *more])


def _ready(one: Refused) -> Iterator[Trial]:
    yield one.with_state(ready=True)


def _no_feet(one: Refused) -> Iterator[Trial]:
    yield one.with_state(feet=tuple(() for _ in one.state.feet))


def _own_foot_gone(one: Refused) -> Iterator[Trial]:
    state = one.state
    yield one.with_state(feet=tuple(() if seat == state.turn else foot for seat, foot in enumerate(state.feet)))


def _threes_given(one: Refused) -> Iterator[Trial]:
    state = one.state
    threes = cards_of(RED_THREE, int(one.refusal.detail["required"]))
    yield one.with_state(
        red_threes=tuple(threes if side == state.side else lying for side, lying in enumerate(state.red_threes))
    )


def _discard_free(one: Refused) -> Iterator[Trial]:
    yield one.with_rules(out_discard="optional")


def _last_card_free(one: Refused) -> Iterator[Trial]:
    """Any card may be the last discard, and one need not be left."""
    bans: set[DiscardBan] = {"threes", "7_last", "J"}
    yield one.with_rules(discard_bans=one.state.rules.discard_bans - bans)
    yield from _three_cards_more(one)


def _three_cards_more(one: Refused) -> Iterator[Trial]:
    """The hand has cards to keep."""
    kinds = free_ranks(one)
    if len(kinds) > 2:
        yield with_hand(one, *[card_of(kind, 0) for kind in kinds[:3]])


def _finished(one: Refused) -> Iterator[Trial]:
    yield one.with_rules(out_clean=False)


def _said(one: Refused) -> Iterator[Trial]:
    """The word that is lacking has been said: announced, or answered with yes."""
    yield one.with_state(permission=True)


def _unsaid(one: Refused) -> Iterator[Trial]:
    """Nothing has been said, so that nothing binds."""
    yield one.with_state(permission=None)


def _can_go_out(one: Refused) -> Iterator[Trial]:
    """The hand is a card that goes onto a meld, and nothing else stands in the way."""
    kinds = free_ranks(one)
    if len(kinds) < 3:
        return
    state = one.state
    trial = next(canastas_given(one), None)
    if trial is None or state.aside:
        return
    after = trial.state
    kind = kinds[-1]
    size = after.rules.canasta_size
    melds = [*after.melds[after.side], lain(kind, size - 1)]
    hand = cards_of(kind, 1) if after.rules.out_discard != "mandatory" else (*cards_of(kind, 1), card_of(kinds[-2], 0))
    again = Refused(
        untouched(
            after,
            hands=tuple(hand if seat == after.turn else cards for seat, cards in enumerate(after.hands)),
            opened=tuple(True for _ in after.opened),
            stock_out=None,
            stock=cards_of(FOUR, 6),
            drew=after.drew if after.phase is phases.DRAW else "stock",
        ),
        one.seat,
        one.action,
        one.refusal,
    )
    yield with_melds(again, melds)


def _not_touched(one: Refused) -> Iterator[Trial]:
    yield Trial(untouched(one.state), one.seat, one.action)


def _partners(one: Refused) -> Iterator[Trial]:
    """Partners are asked at this table; where everybody plays alone there is none to ask."""
    if one.state.rules.sides < one.state.rules.players:
        yield one.with_rules(ask_partner="optional", out_announce=False)


def _announcing(one: Refused) -> Iterator[Trial]:
    yield one.with_rules(out_announce=True)


# --- special hands and kept threes ------------------------------------------------------------------------------------


PAIRS: Final = parse_cards("4s 4h 5s 5h 6s 6h 8s 8h 9s 9h Ts Th Js Jh")


def _special_hand(one: Refused) -> Iterator[Trial]:
    state = one.state
    hands = tuple(PAIRS if seat == state.turn else hand for seat, hand in enumerate(state.hands))
    rules = replace(state.rules, special_hands=state.rules.special_hands | {"pairs"})
    yield Trial(replace(state, hands=hands, rules=rules), one.seat, Show("pairs"))


def _in_time(one: Refused) -> Iterator[Trial]:
    state = untouched(one.state, drew="stock", opened=tuple(False for _ in one.state.opened))
    yield Trial(state, one.seat, one.action)


def _three_may_be_kept(one: Refused) -> Iterator[Trial]:
    yield one.with_rules(special_hands=frozenset({"straight"}))


def _three_in_time(one: Refused) -> Iterator[Trial]:
    state = one.state
    closed = tuple(False for _ in state.opened)
    hands = tuple(tuple(card for card in hand if card >> 2 not in (BLACK_THREE, RED_THREE)) for hand in state.hands)
    yield one.with_state(opened=closed, hands=hands, turns=50)


# --- themes, penalties ------------------------------------------------------------------------------------------------


def _no_theme(one: Refused) -> Iterator[Trial]:
    yield one.with_rules(theme=())


def _kept_word(one: Refused) -> Iterator[Trial]:
    yield one.with_state(lapsed=False)


def _no_penalties(one: Refused) -> Iterator[Trial]:
    yield one.with_state(penalties=None)


IN_GOING_OUT: Final[Mapping[Code, Gone]] = {
    Code.DISCARD_JOKER: _lifted("J"),
    Code.DISCARD_THREE: _lifted("threes"),
    Code.DISCARD_WILD: _lifted("wilds"),
    Code.DISCARD_ON_EMPTY_PILE: _lifted("swad"),
    Code.DISCARD_SEVEN: _lifted("7_until_both"),
    Code.DISCARD_LAST_SEVEN: _lifted("7_last"),
    Code.DISCARD_BLACK_THREE: _lifted("black3_first_round"),
    Code.DISCARD_AFTER_LAST_THREE: _no_last_three,
    Code.NEEDS_CANASTA: canastas_given,
    Code.NEEDS_COUNTING_CANASTA: canastas_given,
    Code.NEEDS_CANASTA_KIND: canastas_given,
    Code.CANASTAS_NOT_BEFORE: _ready,
    Code.FOOT_WAITS: _own_foot_gone,
    Code.PARTNER_FOOT_WAITS: _no_feet,
    Code.OUT_RED_THREES: _threes_given,
    Code.OUT_WITHOUT_DISCARD: _discard_free,
    Code.OUT_NEEDS_DISCARD: _discard_free,
    Code.OUT_LAST_CARD: _last_card_free,
    Code.OUT_UNFINISHED: _finished,
    Code.OUT_NOT_ANNOUNCED: _said,
    Code.OUT_NOT_ASKED: _said,
    Code.OUT_CARDS_STAY: _can_go_out,
    Code.OUT_ANNOUNCED: _unsaid,
    Code.PARTNER_SAID_NO: _said,
    Code.PARTNER_SAID_YES: _unsaid,
    Code.ASK_OFF: _partners,
    Code.ASK_TOO_LATE: _not_touched,
    Code.ASK_CANNOT_GO_OUT: canastas_given,
    Code.ANNOUNCE_CANNOT_GO_OUT: canastas_given,
    Code.ANNOUNCE_OFF: _announcing,
    Code.NO_SPECIAL_HANDS: _special_hand,
    Code.SHOW_TOO_LATE: _in_time,
    Code.SHOW_CARDS: _special_hand,
    Code.SHOW_NO_HAND: _special_hand,
    Code.THEME_NO_MELD: _no_theme,
    Code.THEME_NOT_IN_OPENING: _no_theme,
    Code.THEME_OPENING_NEEDS: _no_theme,
    Code.THEME_NO_DISCARD: _no_theme,
    Code.THEME_FROZEN_ONCE: _no_theme,
    Code.THEME_NO_CANASTA: _no_theme,
    Code.THEME_CANASTA_FIRST: _no_theme,
    Code.THEME_NO_PILE: _no_theme,
    Code.THEME_NO_OUT: _no_theme,
    Code.THEME_OUT_NEEDS: _no_theme,
    Code.MELD_AS_FAR_AS_POSSIBLE: _kept_word,
    Code.PENALTY_CARDS_FIRST: _no_penalties,
    Code.KEEP_OFF: _three_may_be_kept,
    Code.KEEP_TOO_LATE: _three_in_time,
}
