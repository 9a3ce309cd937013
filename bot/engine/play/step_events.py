"""Steps: the events of each step, and the end of a deal.

Each function validates its step first and raises `Refusal`; that it is the seat's turn is checked before. An act
chooses the cards that leave the hand (`bot.engine.play.act_events`); for a step alone
`bot.engine.table.applying_meld_events` picks them.

Decides `docs/law/classic.md 1.1, 1.3, 1.9, 1.12, 1.15, 1.16, 1.19, 1.21, 2.1` and `docs/law/variants.md 3.5, 3.6, 3.11,
3.12`. Reads `auto_win`, `black3_in_pile`, `black3_role`, `canasta_size`, `concealed_test`, `decks`, `draw_with_pile`,
`foot_pickup`, `foot_run`, `jokers_per_deck`, `last_red3_ends`, `last_three`, `open_count_top`, `red3_role`,
`red3_timing`, `special_hands`, `stock_end`, `talon`, `teams`, `theme`.
"""

from __future__ import annotations

from bot.engine.cards.cards import BLACK_THREE, TWO, Card, sorted_pack
from bot.engine.law import foot_and_talon, initial_meld, meld_refusals, top_card_claims, turn_end
from bot.engine.law.drawing_or_taking import (
    place_for_top_card,
    why_not_draw,
    why_not_keep_three,
    why_not_pass,
    why_not_take,
)
from bot.engine.law.going_out_refusals import why_not_go_out
from bot.engine.law.meld_refusals import why_not_meld
from bot.engine.law.reclaiming_wild_cards import reclaim_event, why_not_reclaim
from bot.engine.law.scoring import deal_end_events, index_of_instant_winner, reason_of_win
from bot.engine.law.special_hands import showable_hands, why_not_show
from bot.engine.law.turn_and_discard import why_not_discard
from bot.engine.melds.table_meld import card_points_of, meld_with_cards
from bot.engine.moves import phases
from bot.engine.moves.actions import (
    Combine,
    Discard,
    Draw,
    DrawKeeping,
    LayRun,
    Meld,
    Pass,
    Reclaim,
    Show,
    StartDeal,
    Take,
    TakeBack,
)
from bot.engine.moves.events import (
    Combined,
    DealEnd,
    DealStarted,
    Discarded,
    Event,
    Events,
    Gathered,
    Melded,
    Opened,
    Passed,
    Showed,
    SidesFormed,
    TookBack,
    TookTop,
)
from bot.engine.moves.refusals import Code, Refusal, raise_if_refused
from bot.engine.play.drawing import (
    can_reshuffle,
    events_of_drawing,
    events_of_drawing_number,
    is_ended_by_three,
    reshuffle_event,
    start_of_turn_events,
)
from bot.engine.play.legal_steps import can_take_pile
from bot.engine.reach.opening_goals import goals_of_turn
from bot.engine.reach.turn_outlook import outlook_of
from bot.engine.table import bonus_threes
from bot.engine.table.applying_events import evolve, fold
from bot.engine.table.applying_meld_events import cards_melded_by, pick_from_hand
from bot.engine.table.state import State
from bot.engine.table.state_queries import (
    cards_below_top,
    may_not_discard,
    number_hidden_below_top,
    number_of_coming_cards,
)


def events_of_starting_deal(state: State, action: StartDeal) -> Events:
    """Return the events of a new deal with the given pack, which is already shuffled."""
    rules = state.rules
    if state.phase is phases.OVER:
        raise Refusal(Code.GAME_OVER)
    if state.phase is not phases.BETWEEN:
        raise Refusal(Code.DEAL_RUNNING, {"deal": state.deal})
    if tuple(sorted(action.pack)) != sorted_pack(rules.decks, rules.jokers_per_deck):
        raise Refusal(Code.WRONG_PACK, {"cards": len(action.pack), "required": rules.pack_size})
    started = DealStarted(state.deal + 1, state.dealer, action.pack, action.streams)
    if rules.red3_timing == "immediate" and rules.last_three is None:
        return (started,)  # no hand holds a three that still has to be laid out
    return (started, *start_of_turn_events(evolve(state, started)))


def events_of_draw(state: State, _action: Draw) -> Events:
    """Return the events of drawing from the stock."""
    raise_if_refused(why_not_draw(state))
    return events_of_drawing(state)


def events_of_draw_keeping(state: State, _action: DrawKeeping) -> Events:
    """Return the events of drawing and keeping one three for a special hand (`docs/law/variants.md 3.10`)."""
    raise_if_refused(why_not_keep_three(state))
    return events_of_drawing(state, keep=True)


def events_of_taking(state: State, action: Take, cards: tuple[Card, ...] | None = None) -> Events:
    """Return the events of taking the pile: its top is melded; the rest comes when the side has opened."""
    raise_if_refused(why_not_take(state, action, cards))
    if state.pile[-1] >> 2 == TWO:
        return _events_of_taking_with_twos(state)
    place = place_for_top_card(state, action)
    if cards is None:
        cards = cards_melded_by(state, action)
    took = TookTop(state.turn, place, state.pile[-1], cards)
    return (took, *_events_after_laying(state, took))


def _events_of_taking_with_twos(state: State) -> Events:
    """Return the events of taking the whole pile by showing two twos (`docs/law/classic.md H41`)."""
    rules = state.rules
    gathered = _event_of_gathering(
        state, top=state.pile[-1:], showed=top_card_claims.twos_matching_top(state)[: top_card_claims.TWOS_SHOWN]
    )
    formed = (SidesFormed(state.turn),) if rules.cut_throat and state.alone is None else ()
    if rules.draw_with_pile and state.stock:
        # some rules add cards from the stock to a taken pile (`docs/law/classic.md 2.1`)
        more = events_of_drawing_number(fold(state, (gathered, *formed)), rules.draw_with_pile)
        return (gathered, *formed, *more)
    return (gathered, *formed)


def events_of_meld(state: State, action: Meld, cards: tuple[Card, ...] | None = None) -> Events:
    """Return the events of a meld: cards laid, and perhaps opening, taking the pile's rest, or going out."""
    raise_if_refused(why_not_meld(state, action, cards))
    return _events_of_melding(
        state, Melded(state.turn, action.place, cards_melded_by(state, action) if cards is None else cards)
    )


def _events_of_melding(state: State, melded: Melded) -> Events:
    """Return the events of laying these cards and all that follows from it.

    Even if that neither opens the side nor empties the hand, it may bring a foot or win the game.
    """
    rules = state.rules
    brings_more = rules.wins_at_once or (rules.foot_run and rules.foot_pickup == "first_canasta")
    if state.opened[state.side] and len(melded.cards) < len(state.hands[state.turn]) and not brings_more:
        return (melded,)
    return (melded, *_events_after_laying(state, melded))


def events_of_laying_run(state: State, action: LayRun, following: int = 0) -> Events:
    """Return the events of laying a run; `following` cards are laid after it in the same act."""
    raise_if_refused(meld_refusals.why_not_lay_run(state, action, following))
    return _events_of_melding(state, Melded(state.turn, action.place, action.cards))


def events_of_combining(state: State, action: Combine) -> Events:
    """Return the events of merging two melds of a rank (`docs/law/variants.md 3.1`)."""
    raise_if_refused(meld_refusals.why_not_combine(state, action))
    combined = Combined(state.turn, action.place, action.onto)
    return (combined, *_events_after_laying(state, combined))


def events_of_reclaiming(state: State, action: Reclaim) -> Events:
    """Return the events of taking wild cards back; the canasta, now natural, may win the game."""
    raise_if_refused(why_not_reclaim(state, action))
    event = reclaim_event(state, action)
    if state.rules.wins_at_once and index_of_instant_winner(after := evolve(state, event)) is not None:
        return (event, *_events_of_deal_end(after, reason_of_win(after), None))
    return (event,)


def _events_after_laying(state: State, laying: TookTop | Melded | Combined) -> Events:
    """Return the automatic events after laying: opening, the rest of the pile, going out.

    Merging two melds may make the canasta that opens a side (`docs/law/variants.md 3.3`).
    """
    rules = state.rules
    seat = state.turn
    side = state.side
    takes = isinstance(laying, TookTop)
    cards = () if isinstance(laying, Combined) else laying.cards
    left = len(state.hands[seat]) - len(cards)
    events: list[Event] = []
    if not state.opened[side]:
        points = state.laid_points + card_points_of(rules, cards)
        if isinstance(laying, TookTop) and rules.open_count_top:
            points += rules.card_values[laying.top >> 2]
        if left and not _is_opening_complete(state, side, laying, points):
            return ()
        events.append(Opened(seat, points))
    if rules.wins_at_once and _is_game_won_now(after := fold(state, (laying, *events)), left):
        return (*events, *_events_of_deal_end(after, reason_of_win(after), None))
    if takes or state.aside:
        gathered = _event_of_gathering(state)
        events.append(gathered)
        left += gathered.count
        if rules.cut_throat and state.alone is None:
            events.append(SidesFormed(seat))
        if rules.draw_with_pile and state.stock:
            return (*events, *events_of_drawing_number(fold(state, (laying, *events)), rules.draw_with_pile))
    if not left or (
        rules.foot_run and rules.foot_pickup == "first_canasta" and foot_and_talon.has_foot_waiting(state, seat)
    ):
        events += _events_of_foot_or_going_out(fold(state, (laying, *events)))
    return tuple(events)


def _is_game_won_now(state: State, left: int) -> bool:
    """Return whether a canasta wins the game now.

    False if the seat also goes out: then that is how the deal ends. `left` is the number of cards in its hand.
    """
    if index_of_instant_winner(state) is None:
        return False
    if left or (state.aside and number_of_coming_cards(state)) or foot_and_talon.has_foot_waiting(state, state.turn):
        return True
    return turn_end.why_not_end_turn(state, outlook_of(state)) is not None


def _events_of_foot_or_going_out(state: State) -> Events:
    """Return the events after the seat in turn has laid cards: its foot comes, or it goes out.

    A foot for the first canasta comes at once only if the seat may play on with it.
    """
    seat = state.turn
    empty = not state.hands[seat]
    if (empty and foot_and_talon.has_foot_waiting(state, seat)) or (
        state.rules.foot_run and foot_and_talon.has_earned_foot(state)
    ):
        return _events_of_taking_foot(state, seat)
    return _events_of_deal_end(state, DealEnd.OUT, seat) if empty else ()


def _events_of_taking_foot(state: State, seat: int) -> Events:
    """Return the events of picking up the foot. If the seat may not play on with it, the next turn begins."""
    took = foot_and_talon.event_of_taking_foot(state, seat)
    after = evolve(state, took)
    if is_ended_by_three(state, after):
        return (took, *_events_of_deal_end(after, DealEnd.LAST_RED_THREE, None))
    return (took,) if after.turn == seat else (took, *next_turn_events(after, seat))


def next_turn_events(state: State, before: int) -> Events:
    """Return the automatic events after the turn has passed on from the seat `before`.

    The deal ends if the stock is empty and nobody can go on.
    """
    if state.stock or (
        foot_and_talon.has_talon_waiting(state, state.turn) and _may_next_seat_take_discard(state, before)
    ):
        return start_of_turn_events(state)
    if can_reshuffle(state):
        shuffled = reshuffle_event(state)
        return (shuffled, *start_of_turn_events(evolve(state, shuffled)))
    if _may_next_seat_take_discard(state, before) and can_take_pile(state):
        return ()
    return _events_of_deal_end(state, DealEnd.STOCK, None)


def _is_opening_complete(state: State, side: int, laying: TookTop | Melded | Combined, points: int) -> bool:
    """Return whether that laying completes the initial meld; `points` have been laid including it."""
    if isinstance(laying, Combined):
        melds = evolve(state, laying).spreads[side].by_place
        return initial_meld.are_melds_the_initial_meld(state, melds, points, state.claimed)
    claimed = laying.place if isinstance(laying, TookTop) else state.claimed
    if claimed is None and points < min([goal.points for goal in goals_of_turn(state)]):
        return False
    laid = laying.cards if isinstance(laying, Melded) else (*laying.cards, laying.top)
    spread = state.spreads[side]
    meld = meld_with_cards(laying.place, spread.by_place.get(laying.place), laid)
    return initial_meld.are_melds_the_initial_meld(state, {**spread.by_place, laying.place: meld}, points, claimed)


def _event_of_gathering(state: State, top: tuple[Card, ...] = (), showed: tuple[Card, ...] = ()) -> Gathered:
    """Return the event of taking the rest of the pile: to the hand, laid out, or set aside.

    `top` is the pile's top if it comes to the hand too, because the cards `showed` took it. Source:
    `docs/law/variants.md 3.5, 3.6`.
    """
    rules = state.rules
    below = cards_below_top(state) + top
    if not state.hidden and rules.never_gathered.isdisjoint([card >> 2 for card in below]):
        return Gathered(state.turn, below, (), showed=showed)
    kept, shown = bonus_threes.split_threes(rules, below)
    face_down = number_hidden_below_top(state)
    hidden, _ = bonus_threes.split_threes(rules, below[:face_down])
    seen = kept[len(hidden) :]
    aside: tuple[Card, ...] = ()
    if rules.black3_in_pile == "set_aside":
        aside = tuple([card for card in kept if card >> 2 == BLACK_THREE])
        hidden = tuple([card for card in hidden if card >> 2 != BLACK_THREE])
        seen = tuple([card for card in seen if card >> 2 != BLACK_THREE])
    return Gathered(state.turn, seen, shown, hidden, len(hidden), aside, showed)


def events_of_discard(state: State, action: Discard, card: Card | None = None) -> Events:
    """Return the events of discarding, after which the turn passes on.

    The deal ends with the last card of a hand, or if the stock is empty and nobody can go on.
    """
    raise_if_refused(why_not_discard(state, action))
    seat = state.turn
    hand = state.hands[seat]
    if card is None:
        (card,) = pick_from_hand(state, seat, ((action.kind, 1),))
    discarded = Discarded(seat, card)
    if (
        state.feet
        and foot_and_talon.has_foot_waiting(state, seat)
        and (len(hand) == 1 or foot_and_talon.has_earned_foot(state))
    ):
        return (discarded, *_events_of_taking_foot(evolve(state, discarded), seat))
    bonus = foot_and_talon.earned_talon_size(state) if state.rules.talon else 0
    if len(hand) == 1 and not (bonus and why_not_go_out(state, state.spreads[state.side])):
        return _events_of_last_discard(state, discarded)
    if bonus:
        passed_on = evolve(state, discarded)
        talon_set = foot_and_talon.event_of_setting_talon_aside(passed_on, seat, bonus)
        return (discarded, talon_set, *next_turn_events(evolve(passed_on, talon_set), seat))
    if state.stock and not (state.talons and foot_and_talon.has_talon_waiting(state, state.seating.next_seat[seat])):
        following = state.hands[state.seating.next_seat[seat]]
        none_wait = state.rules.red3_timing == "immediate" and not state.rules.keeps_three
        if none_wait or not bonus_threes.has_bonus_three(state.rules, following):
            return (discarded,)
    return (discarded, *next_turn_events(evolve(state, discarded), seat))


def _may_next_seat_take_discard(state: State, seat: int) -> bool:
    """Return whether the next seat may take this seat's discard with an empty stock.

    Source: `docs/law/classic.md 1.19`.
    """
    ending = state.rules.stock_end
    return ending in ("pile_play", "reshuffle") or (ending == "one_more" and state.stock_out in (seat, None))


def _events_of_last_discard(state: State, discarded: Discarded) -> Events:
    """Return the events of going out with the last discard.

    A seat that goes out concealed without a minimum opens its side by that (`docs/law/classic.md 1.11`).
    """
    seat = state.turn
    opened = () if state.opened[state.side] else (Opened(seat, state.laid_points),)
    concealed = is_out_concealed(state, discarded=True)
    after = fold(state, (*opened, discarded))
    return (*opened, discarded, *_events_of_deal_end(after, DealEnd.OUT, seat, concealed=concealed))


def events_of_passing(state: State, _action: Pass) -> Events:
    """Return the events that end the deal: declining the pile with an empty stock, or melding no more."""
    raise_if_refused(why_not_pass(state))
    reason = DealEnd.LAST_RED_THREE if may_not_discard(state) else DealEnd.STOCK
    return (Passed(state.turn), *_events_of_deal_end(state, reason, None))


def events_of_special_hand(state: State, action: Show) -> Events:
    """Return the events of showing a special hand, which ends the deal (`docs/law/variants.md 3.10`)."""
    raise_if_refused(why_not_show(state, action))
    seat = state.turn
    showed = Showed(seat, action.hand or showable_hands(state)[0], state.hands[seat])
    return (showed, *_events_of_deal_end(evolve(state, showed), DealEnd.SPECIAL_HAND, None))


def events_of_taking_back(state: State, _action: TakeBack) -> Events:
    """Return the event of taking back the last cards laid in this turn."""
    if not state.laid or state.phase is phases.ANSWER:
        raise Refusal(Code.NOTHING_TO_TAKE_BACK)
    laid = state.laid[-1]
    return (TookBack(state.turn, laid.place, laid.cards),)


# --- the end of a deal ------------------------------------------------------------------------------------------------


def is_out_concealed(state: State, *, discarded: bool = False) -> bool:
    """Return whether the seat in turn goes out concealed, as `concealed_test` defines it.

    Some rules demand that it has not melded before, some also a canasta of its own in this turn, some that it melds all
    its cards without a discard.
    """
    rules = state.rules
    if rules.concealed_test == "all_melded_no_discard":
        return not discarded
    if state.turn in state.melded_seats:
        return False
    if rules.concealed_test == "no_prior_meld":
        return True
    if state.joined:
        return False
    melds = state.melds[state.side]
    return any(meld.place in state.started and meld.size >= rules.canasta_size for meld in melds)


def _events_of_deal_end(
    state: State, reason: DealEnd, went_out: int | None, *, concealed: bool | None = None
) -> Events:
    """Return the events of scoring the deal; the game ends too if a side has won."""
    if concealed is None:
        concealed = went_out is not None and is_out_concealed(state)
    return deal_end_events(state, reason, went_out, concealed=concealed)
