"""Small questions about a state that several rules ask."""

from __future__ import annotations

from typing import Final

from bot.engine.cards.cards import Card, Kind
from bot.engine.cards.places import is_run
from bot.engine.moves import phases
from bot.engine.rules.rule_set import InitialCanasta, RuleSet, card_class, in_deal
from bot.engine.table.force import forbids_out
from bot.engine.table.penalties import raised_by
from bot.engine.table.state import State


def minimum(state: State, side: int, seat: int | None = None) -> int:
    """Points the side's first meld of this deal needs.

    Where partners have a score each, it goes by that of the seat asked about, by default the one in turn, or of the
    side's first where that one plays against it (`docs/law/classic.md 2.2`). Irregularities raise it for the running
    deal.
    """
    rules = state.rules
    deal = next_deal(state) if rules.open_by == "round" else 1
    required = rules.initial_meld_minimum(_score(state, side, seat), deal)
    return required if state.penalties is None else required + raised_by(state, side)


def discards_no_more(state: State) -> bool:
    """Whether the seat in turn drew a red three as the last card of the stock, and so ends the deal without a discard.

    Where that does not end the deal at once it may still lay cards (`docs/law/classic.md 1.19`, Britannica).
    """
    if state.rules.last_red3_ends or state.stock or state.phase is not phases.PLAY:
        return False
    return state.stock_out == state.turn and state.drew == "stock" and not state.fresh


def guards_one_card(state: State) -> bool:
    """Whether nobody with one card takes a pile of one now: at some tables one may once the stock is out (`1.12`)."""
    rules = state.rules
    return rules.one_card_guard and (rules.one_card_guard_stock_out or bool(state.stock))


def initial_canasta(state: State, side: int, seat: int | None = None) -> InitialCanasta:
    """What canasta the side's first melds of this deal have to hold; by whose score is told at `minimum`."""
    return state.rules.initial_meld_canasta(_score(state, side, seat))


def _score(state: State, side: int, seat: int | None) -> int:
    """The score by which the initial meld of the side goes."""
    if state.alone is None:
        return state.scores[side]
    seats = state.seating.seats_of(side)
    seat = state.turn if seat is None else seat
    return state.scores[seat if seat in seats else seats[0]]


def next_deal(state: State) -> int:
    """The number of the deal that is being played, or of the next one where none is."""
    return state.deal + (state.phase is phases.BETWEEN or state.phase is phases.OVER)


def first_turn_comes(state: State, seat: int) -> bool:
    """Whether the seat has not begun a turn in this deal before the one that is played."""
    order = state.seating.seats
    if seat not in order:
        return False
    turns_until = (order.index(seat) - order.index(state.turn)) % len(order)
    return state.turns + turns_until < len(order)


def frozen_for(state: State, *, opened: bool | None = None) -> bool:
    """Whether only naturals take the pile: frozen for everybody, for the side in turn, or for the seat in turn.

    For a side that has not opened (`docs/law/classic.md 1.13`), and for a seat that has not taken it in this deal,
    where that matters (`docs/law/classic.md H37`). With `opened` the answer is that of a side which has, or has not.
    """
    rules = state.rules
    if state.frozen or (rules.frozen_untaken and state.turn not in state.takers):
        return True
    return rules.frozen_unopened and not (state.opened[state.side] if opened is None else opened)


def melds_no_more(state: State) -> bool:
    """Whether the seat in turn lays nothing more, since it has taken the pile (`docs/law/classic.md H36`).

    What the initial meld needs besides the top card is laid before the rest of the pile comes.
    """
    return not state.rules.meld_after_take and state.drew == "pile" and not state.aside


def word(state: State) -> bool | None:
    """What binds the seat in turn about going out: it has to (True), it may not (False), or neither (None).

    The partner's answer does (`1.18`), that nobody has asked or announced where the rules want it (`1.15`), a theme
    that lets nobody go out, and canastas that did not lie there before the turn.
    """
    if not state.ready or (state.rules.theme and forbids_out(state) is not None):
        return False
    return False if state.permission is None and state.rules.needs_word else state.permission


def must_go_out(state: State) -> bool:
    """Whether the seat in turn has to go out: after a yes or an announcement, or since a finished run has grown."""
    return has_grown(state) or (state.permission is True and word(state) is True)


def has_grown(state: State) -> bool:
    """Whether a finished run has got more cards in this turn, so that the seat has to go out.

    Source: `docs/law/variants.md 3.3`.

    Where runs grow at all (`RuleSet.runs_grow`). One that has grown in an earlier turn, after a yes, binds nobody.
    """
    if not state.rules.runs_grow:
        return False
    size = state.rules.canasta_size
    melds = state.spreads[state.side].by_place
    return any(is_run(laid.place) and len(melds[laid.place].cards) > size for laid in state.laid if laid.place in melds)


def gathered_size(state: State) -> int:
    """How many cards are sure to come to a hand with the pile below its top; threes may go to the table instead.

    Those that the rules add from the stock are among them. Cards that lie face down are not: nobody knows them, and
    they may be threes.
    """
    gone = state.rules.never_gathered
    below = sum([card >> 2 not in gone for card in _seen_below(state)])
    return below + min(state.rules.draw_with_pile, len(state.stock))


def gathered_cards(state: State) -> tuple[Card, ...]:
    """The cards below the pile's top that are sure to come to a hand with it, as far as all have seen them."""
    gone = state.rules.never_gathered
    return tuple([card for card in _seen_below(state) if card >> 2 not in gone])


def gathered_kind(state: State) -> Kind | None:
    """The kind of the only card that would come, where `gathered_size` is one; None where it is the stock's."""
    card = gathered_card(state)
    return None if card is None else card >> 2


def gathered_card(state: State) -> Card | None:
    """The only card that would come, where `gathered_size` is one; None where it is the stock's."""
    gone = state.rules.never_gathered
    return next((card for card in _seen_below(state) if card >> 2 not in gone), None)


def below_top(state: State) -> tuple[Card, ...]:
    """The cards that come with the pile's top: all below it, or as many as the rules say.

    Source: `docs/law/variants.md 3.11`.
    """
    below = state.pile if state.aside else state.pile[:-1]
    numbers = state.rules.pile_take
    if numbers is None:
        return below
    most = in_deal(numbers, state.deal)
    return below[max(0, len(below) - most + 1) :]


def hidden_below(state: State) -> int:
    """How many of the cards that come with the pile's top lie face down; they are the first of them."""
    if not state.hidden:
        return 0
    left = len(state.pile) - (not state.aside) - len(below_top(state))
    return max(0, state.hidden - left)


def _seen_below(state: State) -> tuple[Card, ...]:
    return below_top(state)[hidden_below(state) :]


def freezes(rules: RuleSet, card: Card) -> bool:
    """Whether a card in the pile is one that froze it (`docs/law/classic.md 1.13`)."""
    turned = card_class(card >> 2)
    return turned in rules.freeze_discards or (turned == "R3" and turned in rules.upcard_freezes)


PAIR: Final = 2
TRIPLE: Final = 3
"""Naturals from hand that take a frozen pile."""


def naturals_needed(state: State, *, opened: bool | None = None) -> int:
    """How many naturals from hand claim the pile's top: more than a pair only where it is frozen (`take_frozen`).

    For whom it is frozen, and what `opened` asks, is told at `frozen_for`.
    """
    wanted = state.rules.take_frozen
    if wanted == "pair" or not frozen_for(state, opened=opened):
        return PAIR
    if wanted == "triple_if_wild" and all(card_class(card >> 2) != "W" for card in state.pile[state.hidden :]):
        return PAIR
    return TRIPLE
