"""Questions about a state that several rules ask.

Decides `docs/law/classic.md 1.11, 1.12, 1.13` and `docs/law/variants.md 3.3, 3.6, 3.11`. Reads `ask_partner`,
`black3_in_pile`, `black3_role`, `canasta_size`, `draw_with_pile`, `freeze_discards`, `frozen_unopened`,
`frozen_untaken`, `last_red3_ends`, `meld_after_take`, `one_card_guard`, `one_card_guard_stock_out`, `open_by`,
`out_announce`, `pile_take`, `red3_role`, `seq_rule`, `take_frozen`, `theme`, `upcard_freezes`.
"""

from __future__ import annotations

from typing import Final

from bot.engine.cards.cards import Card, Kind
from bot.engine.cards.meld_places import is_run
from bot.engine.moves import phases
from bot.engine.rules.parameter_declarations import InitialCanasta
from bot.engine.rules.rule_set import RuleSet, card_class, number_in_deal
from bot.engine.table.charged_penalties import minimum_raised_by
from bot.engine.table.state import State
from bot.engine.table.themes_in_force import ban_on_going_out


def opening_minimum(state: State, side: int, seat: int | None = None) -> int:
    """Return the points that the side's initial meld needs in this deal, penalties included.

    Where partners have a score each (cut-throat), the score of `seat` decides, by default that of the seat in turn; for
    the opponents' side it is the score of its first seat (`docs/law/classic.md 2.2`).
    """
    rules = state.rules
    deal = current_or_next_deal(state) if rules.open_by == "round" else 1
    required = rules.initial_meld_minimum(_score_for_opening(state, side, seat), deal)
    return required if state.penalties is None else required + minimum_raised_by(state, side)


def may_not_discard(state: State) -> bool:
    """Return whether the turn ends without a discard, as the stock's last card was a red three.

    If that does not end the deal at once, the seat may still meld (`docs/law/classic.md 1.19`, Britannica).
    """
    if state.rules.last_red3_ends or state.stock or state.phase is not phases.PLAY:
        return False
    return state.stock_out == state.turn and state.drew == "stock" and not state.fresh


def is_one_card_pile_banned(state: State) -> bool:
    """Return whether a seat with one card is forbidden to take a pile of one card now.

    At some tables the ban ends when the stock is empty (`docs/law/classic.md 1.12`).
    """
    rules = state.rules
    return rules.one_card_guard and (rules.one_card_guard_stock_out or bool(state.stock))


def opening_canasta(state: State, side: int, seat: int | None = None) -> InitialCanasta:
    """Return the canasta that the side's initial meld must include; `seat` is as in `opening_minimum`."""
    return state.rules.initial_meld_canasta(_score_for_opening(state, side, seat))


def _score_for_opening(state: State, side: int, seat: int | None) -> int:
    """Return the score that decides the side's minimum; `seat` is as in `opening_minimum`."""
    if state.alone is None:
        return state.scores[side]
    seats = state.seating.seats_of(side)
    seat = state.turn if seat is None else seat
    return state.scores[seat if seat in seats else seats[0]]


def current_or_next_deal(state: State) -> int:
    """Return the number of the current deal; between deals, of the next one."""
    return state.deal + (state.phase is phases.BETWEEN or state.phase is phases.OVER)


def is_before_second_turn(state: State, seat: int) -> bool:
    """Return whether the seat's first turn of this deal is still to come, or is running."""
    order = state.seating.seats
    if seat not in order:
        return False
    turns_until = (order.index(seat) - order.index(state.turn)) % len(order)
    return state.turns + turns_until < len(order)


def is_frozen_for(state: State, *, opened: bool | None = None) -> bool:
    """Return whether the pile is frozen for the seat in turn, so that only naturals can take it.

    A pile is frozen for everybody, for a side that has not opened, or, in some games, for a seat that has not taken it
    yet in this deal (`docs/law/classic.md 1.13`, `docs/law/classic.md H37`). `opened` overrides whether the side has
    opened.
    """
    rules = state.rules
    if state.frozen or (rules.frozen_untaken and state.turn not in state.takers):
        return True
    return rules.frozen_unopened and not (state.opened[state.side] if opened is None else opened)


def may_not_meld(state: State) -> bool:
    """Return whether the seat in turn may not meld any more because it picked up the pile.

    The rest of the initial meld is melded before the rest of the pile comes (`docs/law/classic.md H36`).
    """
    return not state.rules.meld_after_take and state.drew == "pile" and not state.aside


def going_out_obligation(state: State) -> bool | None:
    """Return whether the seat in turn must go out (True), must not (False), or is free (None).

    It is bound by its partner's answer or its own announcement. It must not go out if a required question or
    announcement is missing, if a theme forbids it, or if the required canastas were not there before the turn.
    """
    if not state.ready or (state.rules.theme and ban_on_going_out(state) is not None):
        return False
    return False if state.permission is None and state.rules.needs_word else state.permission


def must_go_out(state: State) -> bool:
    """Return whether the seat in turn must go out: by a yes, an announcement, or a finished run that grew."""
    return has_run_grown(state) or (state.permission is True and going_out_obligation(state) is True)


def has_run_grown(state: State) -> bool:
    """Return whether a finished run got more cards in this turn, so that the seat must go out.

    A run that grew in an earlier turn, after a yes, has no effect. Source: `docs/law/variants.md 3.3`.
    """
    if not state.rules.runs_grow:
        return False
    size = state.rules.canasta_size
    melds = state.spreads[state.side].by_place
    return any(is_run(laid.place) and len(melds[laid.place].cards) > size for laid in state.laid if laid.place in melds)


def number_of_coming_cards(state: State) -> int:
    """Return the number of cards certain to come to the hand with the rest of the pile, below its top.

    Cards that the rules add from the stock count. Threes that go to the table do not, nor do cards face down: they are
    unknown and may be threes.
    """
    return len(coming_cards(state)) + min(state.rules.draw_with_pile, len(state.stock))


def number_coming_after_opening(state: State) -> int:
    """Return the number of cards certain to come to the hand when the side opens.

    It is zero unless the pile's top is melded and the rest of the pile waits.
    """
    return number_of_coming_cards(state) if state.aside else 0


def coming_cards(state: State) -> tuple[Card, ...]:
    """Return the visible cards below the pile's top that are certain to come to a hand with it."""
    gone = state.rules.never_gathered
    return tuple([card for card in cards_below_top(state)[number_hidden_below_top(state) :] if card >> 2 not in gone])


def coming_kind(state: State) -> Kind | None:
    """Return the kind of the only card that comes with the pile, or None if it comes from the stock.

    Ask only if `number_of_coming_cards` is 1.
    """
    card = coming_card(state)
    return None if card is None else card >> 2


def coming_card(state: State) -> Card | None:
    """Return the only card that comes with the pile, or None if it comes from the stock.

    Ask only if `number_of_coming_cards` is 1.
    """
    return next(iter(coming_cards(state)), None)


def cards_below_top(state: State) -> tuple[Card, ...]:
    """Return the cards that come with the pile's top: all below it, or as many as the rules say.

    Source: `docs/law/variants.md 3.11`.
    """
    below = state.pile if state.aside else state.pile[:-1]
    numbers = state.rules.pile_take
    if numbers is None:
        return below
    most = number_in_deal(numbers, state.deal)
    return below[max(0, len(below) - most + 1) :]


def number_hidden_below_top(state: State) -> int:
    """Return the number of face-down cards among those that come to the hand with the pile's top.

    They are the lowest ones.
    """
    if not state.hidden:
        return 0
    left = len(state.pile) - (not state.aside) - len(cards_below_top(state))
    return max(0, state.hidden - left)


def is_freezing_card(rules: RuleSet, card: Card) -> bool:
    """Return whether that card in the pile is one that freezes it (`docs/law/classic.md 1.13`)."""
    turned = card_class(card >> 2)
    return turned in rules.freeze_discards or (turned == "R3" and turned in rules.upcard_freezes)


PAIR: Final = 2
TRIPLE: Final = 3
"""Numbers of naturals from the hand that a frozen pile may require: two (`PAIR`) or three."""


def naturals_needed(state: State, *, opened: bool | None = None) -> int:
    """Return the number of naturals from the hand needed to pick up the pile without wild cards.

    More than a pair are needed only if the pile is frozen (`take_frozen`); `opened` is as in `is_frozen_for`.
    """
    wanted = state.rules.take_frozen
    if wanted == "pair" or not is_frozen_for(state, opened=opened):
        return PAIR
    if wanted == "triple_if_wild" and all(card_class(card >> 2) != "W" for card in state.pile[state.hidden :]):
        return PAIR
    return TRIPLE
