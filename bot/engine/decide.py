"""Decide: what an action makes happen, or why it may not.

``decide(state, seat, action)`` answers with the events, in order, and changes nothing; a refusal names its reason.
An act that a person puts in terms of cards is carried out as steps, all of them or none.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from bot.engine import phases
from bot.engine.actions import (
    Action,
    Answer,
    Ask,
    Discard,
    DiscardCard,
    Draw,
    Lay,
    LayMelds,
    Meld,
    Pass,
    StartDeal,
    Take,
    TakeBack,
    TakePile,
)
from bot.engine.cards import (
    BLACK_THREE,
    FIRST_RED_THREE,
    FIRST_WILD_CARD,
    JOKER,
    JOKER_CARD,
    RED_THREE,
    TWO,
    Card,
    Kind,
)
from bot.engine.events import (
    Answered,
    Asked,
    DealEnd,
    DealEnded,
    DealStarted,
    Discarded,
    Drew,
    Event,
    GameEnded,
    Gathered,
    Melded,
    Opened,
    Passed,
    TookBack,
    TookTop,
)
from bot.engine.evolve import evolve, fold, points_of
from bot.engine.legal import can_take, legal_actions
from bot.engine.packs import sorted_pack
from bot.engine.queries import minimum
from bot.engine.refusals import Code, Refusal
from bot.engine.scoring import score_deal, winner
from bot.engine.state import State, actor
from bot.engine.verify import (
    kind_name,
    why_not_answer,
    why_not_ask,
    why_not_discard,
    why_not_draw,
    why_not_meld,
    why_not_pass,
    why_not_take,
    why_not_turn,
)

Events = tuple[Event, ...]


def decide(state: State, seat: int | None, action: Action) -> Events:
    """What happens when that seat acts so.

    Raises `Refusal` when the rules do not allow it; its `legal` lists what the seat could do instead.
    """
    if isinstance(action, StartDeal):
        return _start_deal(state, action)
    if seat != state.turn or (state.phase is not phases.PLAY and state.phase is not phases.DRAW):
        refusal = why_not_turn(state, seat)
        if refusal is not None:
            raise refusal
        if state.phase is phases.ANSWER and not isinstance(action, Answer):
            raise Refusal(Code.WAITING_FOR_ANSWER, {"partner": seat or 0}, legal_actions(state))
    try:
        return _DECIDERS[type(action)](state, action)
    except Refusal as refused:
        refused.legal = legal_actions(state)
        raise


def why_not(state: State, seat: int | None, action: Action) -> Refusal | None:
    """The refusal `decide` would raise, or None."""
    try:
        decide(state, seat, action)
    except Refusal as refusal:
        return refusal
    return None


def can(state: State, seat: int | None, action: Action) -> bool:
    """Whether the rules allow the action."""
    return why_not(state, seat, action) is None


def _allow(refusal: Refusal | None) -> None:
    if refusal is not None:
        raise refusal


# --- steps -----------------------------------------------------------------------------------------------------------


def _start_deal(state: State, action: StartDeal) -> Events:
    """Chance enters here: the order of the pack."""
    rules = state.rules
    if state.phase is phases.OVER:
        raise Refusal(Code.GAME_OVER)
    if state.phase is not phases.BETWEEN:
        raise Refusal(Code.DEAL_RUNNING, {"deal": state.deal})
    if tuple(sorted(action.pack)) != sorted_pack(rules.decks, rules.jokers_per_deck):
        raise Refusal(Code.WRONG_PACK, {"cards": len(action.pack), "required": rules.pack_size})
    return (DealStarted(state.deal + 1, state.dealer, action.pack),)


def _draw(state: State, action: Draw) -> Events:
    """Red threes drawn are laid out and replaced; one as the very last card ends the deal (`1.7, 1.19, 2.1`)."""
    _allow(why_not_draw(state, action))
    wanted = state.rules.draw
    if wanted == 1 and state.stock[-1] < FIRST_RED_THREE:
        return (Drew(state.turn, state.stock[-1:], (), 1),)
    kept: list[Card] = []
    red_threes: list[Card] = []
    position = len(state.stock)
    while len(kept) < wanted and position:
        position -= 1
        card = state.stock[position]
        (red_threes if card >> 2 == RED_THREE else kept).append(card)
    drew = Drew(state.turn, tuple(kept), tuple(red_threes), len(kept))
    if kept:
        return (drew,)
    return (drew, *_end_deal(evolve(state, drew), DealEnd.LAST_RED_THREE, None))


def _take(state: State, action: Take, cards: tuple[Card, ...] | None = None) -> Events:
    """The top card is melded first; the rest comes to hand when the side has opened (`rules/classic.md 1.12`)."""
    _allow(why_not_take(state, action))
    kind = state.pile[-1] >> 2
    if cards is None:
        cards = _choose(state, kind, action.naturals, action.twos, action.jokers)
    took = TookTop(state.turn, kind, state.pile[-1], cards)
    return (took, *_after_laying(state, took))


def _meld(state: State, action: Meld, cards: tuple[Card, ...] | None = None) -> Events:
    _allow(why_not_meld(state, action))
    if cards is None:
        cards = _choose(state, action.kind, action.naturals, action.twos, action.jokers)
    melded = Melded(state.turn, action.kind, cards)
    rules = state.rules
    if state.opened[rules.side_by_seat[state.turn]] and len(cards) < len(state.hands[state.turn]):
        return (melded,)
    return (melded, *_after_laying(state, melded))


def _after_laying(state: State, laying: TookTop | Melded) -> Events:
    """What follows from a laying by itself: the side has opened, the pile is gathered, the seat is out."""
    rules = state.rules
    seat = state.turn
    side = rules.side_by_seat[seat]
    takes = isinstance(laying, TookTop)
    left = len(state.hands[seat]) - len(laying.cards)
    events: list[Event] = []
    if not state.opened[side]:
        points = state.laid_points + points_of(rules, laying.cards)
        if isinstance(laying, TookTop):
            points += rules.card_values[laying.kind]
        if points < minimum(state, side) and left:
            return ()
        events.append(Opened(seat, points))
    if takes or state.aside:
        gathered = _gather(seat, state.pile[:-1] if takes else state.pile)
        events.append(gathered)
        left += len(gathered.cards)
    if not left:
        events += _end_deal(fold(state, (laying, *events)), DealEnd.OUT, seat)
    return tuple(events)


def _gather(seat: int, below: tuple[Card, ...]) -> Gathered:
    if not below or max(below) < FIRST_RED_THREE:
        return Gathered(seat, below, ())
    threes = tuple(card for card in below if card >= FIRST_RED_THREE)
    return Gathered(seat, tuple(card for card in below if card < FIRST_RED_THREE), threes)


def _discard(state: State, action: Discard, card: Card | None = None) -> Events:
    _allow(why_not_discard(state, action))
    seat = state.turn
    side = state.rules.side_of(seat)
    if card is None:
        card = _choose(state, action.kind, 1, 0, 0)[0]
    discarded = Discarded(seat, card)
    if len(state.hands[seat]) == 1:
        opened = () if state.opened[side] else (Opened(seat, state.laid_points),)
        concealed = went_out_concealed(state)
        after = fold(state, (*opened, discarded))
        return (*opened, discarded, *_end_deal(after, DealEnd.OUT, seat, concealed=concealed))
    if state.stock:
        return (discarded,)
    after = evolve(state, discarded)
    if can_take(after):
        return (discarded,)
    return (discarded, *_end_deal(after, DealEnd.STOCK, None))


def _ask(state: State, action: Ask) -> Events:
    _allow(why_not_ask(state, action))
    partner = state.rules.partner_of(state.turn)
    if partner is None:
        raise Refusal(Code.ASK_OFF)
    return (Asked(state.turn, partner),)


def _answer(state: State, action: Answer) -> Events:
    _allow(why_not_answer(state, action))
    partner = actor(state)
    if partner is None:
        raise Refusal(Code.NO_QUESTION)
    return (Answered(partner, action.yes),)


def _pass(state: State, action: Pass) -> Events:
    _allow(why_not_pass(state, action))
    return (Passed(state.turn), *_end_deal(state, DealEnd.STOCK, None))


def _take_back(state: State, _action: TakeBack) -> Events:
    """The last thing laid goes back, unless something hidden was seen since."""
    if not state.laid or state.phase is phases.ANSWER:
        raise Refusal(Code.NOTHING_TO_TAKE_BACK)
    laid = state.laid[-1]
    return (TookBack(state.turn, laid.kind, laid.cards),)


# --- acts: what a person says, in cards ------------------------------------------------------------------------------


def _lay_melds(state: State, action: LayMelds) -> Events:
    if not action.melds:
        raise Refusal(Code.NO_CARDS)
    if state.phase is phases.DRAW:
        raise Refusal(Code.DRAW_FIRST)
    _require_held(state, (card for lay in action.melds for card in lay.cards))
    steps = [_as_step(state, lay) for lay in action.melds]
    _require_minimum(state, action.melds, 0)
    return _carry_out(state, (), steps)


def _take_pile(state: State, action: TakePile) -> Events:
    """The cards named claim the top card; those beyond the claim, and the further melds, are laid after it."""
    if state.phase is not phases.DRAW:
        raise Refusal(Code.ALREADY_DREW)
    if not state.pile:
        raise Refusal(Code.PILE_EMPTY)
    _require_held(state, (*action.cards, *(card for lay in action.melds for card in lay.cards)))
    kind = state.pile[-1] >> 2
    claim = _claim_cards(kind, action.cards)
    rest = tuple(_without(action.cards, claim))
    take = Take(
        naturals=sum(1 for card in claim if card >> 2 == kind),
        twos=sum(1 for card in claim if card >> 2 == TWO),
        jokers=sum(1 for card in claim if card >> 2 == JOKER),
    )
    more = [_step_of(kind, rest)] if rest else []
    steps = more + [_as_step(state, lay, first=kind) for lay in action.melds]
    _require_minimum(state, action.melds, points_of(state.rules, (*action.cards, state.pile[-1])))
    return _carry_out(state, _take(state, take, claim), steps)


def _discard_card(state: State, action: DiscardCard) -> Events:
    kind = action.card >> 2
    if state.phase is phases.DRAW:
        raise Refusal(Code.DRAW_FIRST)
    _require_held(state, (action.card,))
    return _discard(state, Discard(kind), action.card)


def _carry_out(state: State, begun: Events, steps: Sequence[tuple[Meld, tuple[Card, ...]]]) -> Events:
    """All the steps one after another, in an order that allows the act in whatever order they were said.

    Black threes come last, since they may only be laid in going out; and of several for one rank that come first
    which have the most naturals: a meld before the cards added to it.
    """
    events = list(begun)
    now = fold(state, begun)
    said = [step.kind for step, _ in steps]

    def order(entry: tuple[Meld, tuple[Card, ...]]) -> tuple[bool, int, int, int]:
        step = entry[0]
        return step.kind == BLACK_THREE, said.index(step.kind), -step.naturals, -step.size

    for step, cards in sorted(steps, key=order):
        if now.phase is not phases.PLAY:
            raise Refusal(Code.NO_CARDS)
        happened = _meld(now, step, cards)
        events += happened
        now = fold(now, happened)
    return tuple(events)


def _require_minimum(state: State, melds: Sequence[Lay], begun: int) -> None:
    """An act must make the whole initial meld: only its own points and those already laid count (`1.11`)."""
    rules = state.rules
    side = rules.side_of(state.turn)
    cards = [card for lay in melds for card in lay.cards]
    if state.opened[side]:
        return
    count = state.laid_points + begun + points_of(rules, cards)
    required = minimum(state, side)
    waived = state.drew == "stock" and "concealed" in rules.open_waiver
    if count < required and not (waived and len(state.hands[state.turn]) - len(cards) <= 1):
        raise Refusal(Code.INITIAL_MELD_TOO_LOW, {"count": count, "required": required})


def _require_held(state: State, cards: Iterable[Card]) -> None:
    """Every card named is in the hand, as often as it is named."""
    left = list(state.hands[state.turn])
    named = list(cards)
    for card in named:
        if card in left:
            left.remove(card)
            continue
        held = state.hands[state.turn].count(card)
        needed = named.count(card)
        raise Refusal(Code.CARD_NOT_HELD, {"card": card, "held": held, "needed": needed})


def _as_step(state: State, lay: Lay, first: Kind | None = None) -> tuple[Meld, tuple[Card, ...]]:
    """The step that lays these cards: onto the meld named, else by the one natural rank among them."""
    melds = state.melds[state.rules.side_of(state.turn)]
    if not lay.cards:
        raise Refusal(Code.NO_CARDS)
    ranks = sorted({card >> 2 for card in lay.cards} - {TWO, JOKER})
    if RED_THREE in ranks:
        raise Refusal(Code.MELD_RED_THREE)
    if len(ranks) > 1:
        raise Refusal(Code.MELD_MIXED_RANKS, {"first": kind_name(ranks[0]), "second": kind_name(ranks[1])})
    if lay.onto is not None:
        if not 0 <= lay.onto < len(melds) or (ranks and melds[lay.onto].kind != ranks[0]):
            raise Refusal(Code.MELD_WRONG_TARGET, {"number": lay.onto})
        return _step_of(melds[lay.onto].kind, lay.cards)
    if ranks:
        return _step_of(ranks[0], lay.cards)
    if first is not None:
        return _step_of(first, lay.cards)
    if len(melds) == 1:
        return _step_of(melds[0].kind, lay.cards)
    raise Refusal(Code.MELD_NO_RANK)


def _step_of(kind: Kind, cards: tuple[Card, ...]) -> tuple[Meld, tuple[Card, ...]]:
    twos = sum(1 for card in cards if card >> 2 == TWO)
    jokers = sum(1 for card in cards if card >> 2 == JOKER)
    naturals = sum(1 for card in cards if card >> 2 == kind)
    if naturals + twos + jokers != len(cards):
        other = next(card >> 2 for card in cards if card >> 2 not in (kind, TWO, JOKER))
        raise Refusal(Code.MELD_MIXED_RANKS, {"first": kind_name(kind), "second": kind_name(other)})
    return Meld(kind, naturals, twos, jokers), cards


def _claim_cards(kind: Kind, cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """The least of the cards named that claims the top card: a pair, else one natural and one wild card."""
    naturals = [card for card in cards if card >> 2 == kind]
    if len(naturals) >= 2:
        return tuple(naturals[:2])
    wilds = [card for card in cards if card >> 2 in (TWO, JOKER)]
    return (*naturals, *wilds[:1]) if naturals else tuple(wilds)


def _without(cards: tuple[Card, ...], removed: tuple[Card, ...]) -> list[Card]:
    left = list(cards)
    for card in removed:
        left.remove(card)
    return left


def _choose(state: State, kind: Kind, naturals: int, twos: int, jokers: int) -> tuple[Card, ...]:
    """The cards that leave the hand for a step: the first of each kind, as the hand is sorted."""
    hand = state.hands[state.turn]
    chosen: tuple[Card, ...] = ()
    if naturals:
        start = bisect_left(hand, kind << 2)
        chosen = hand[start : start + naturals]
    if twos:
        start = bisect_left(hand, FIRST_WILD_CARD)
        chosen += hand[start : start + twos]
    return chosen + (JOKER_CARD,) * jokers if jokers else chosen


# --- the end of a deal -----------------------------------------------------------------------------------------------


def went_out_concealed(state: State) -> bool:
    """Whether the seat in turn lays its whole hand in one turn, its own canasta among it (`rules/classic.md 1.16`)."""
    rules = state.rules
    if state.turn in state.melded_seats or state.joined:
        return False
    melds = state.melds[rules.side_of(state.turn)]
    return any(meld.kind in state.started_kinds and meld.size >= rules.canasta_size for meld in melds)


def _end_deal(state: State, reason: DealEnd, went_out: int | None, *, concealed: bool | None = None) -> Events:
    """The deal as it lies is scored; the game ends with it when a side has won."""
    if concealed is None:
        concealed = went_out is not None and went_out_concealed(state)
    lines = score_deal(state, went_out, concealed=concealed)
    scores = tuple(score + line.total for score, line in zip(state.scores, lines, strict=True))
    ended = DealEnded(state.deal, reason, went_out, concealed, lines, scores)
    won = winner(state.rules, scores)
    return (ended,) if won is None else (ended, GameEnded(won))


# An action of one type reaches the function of that type only, which a type checker cannot see in a table.
_DECIDERS: dict[type[Action], Callable[[State, Any], Events]] = {
    Draw: _draw,
    Take: _take,
    Meld: _meld,
    Discard: _discard,
    Ask: _ask,
    Answer: _answer,
    Pass: _pass,
    TakeBack: _take_back,
    LayMelds: _lay_melds,
    TakePile: _take_pile,
    DiscardCard: _discard_card,
}
