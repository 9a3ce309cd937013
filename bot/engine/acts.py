"""Acts: what a person says, in cards, carried out as steps, all of them or none."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.engine import phases
from bot.engine.actions import TAKE_SHOWING, Discard, DiscardCard, Lay, LayMelds, Meld, Take, TakePile
from bot.engine.cards import BLACK_THREE, JOKER, RED_THREE, TWO, Card, Kind
from bot.engine.ending import kind_name
from bot.engine.events import Event
from bot.engine.evolve import fold
from bot.engine.places import Place
from bot.engine.queries import minimum
from bot.engine.refusals import Code, Refusal
from bot.engine.sorted_cards import points_of
from bot.engine.state import State
from bot.engine.steps import discard, lay_run, meld, take
from bot.engine.taking import why_not_claim, why_not_pile
from bot.engine.threes import why_not_melded
from bot.engine.variants import ending_turns, hand_first, showing
from bot.engine.variants.acting import claim_of, places_said, steps_for
from bot.engine.variants.taking import place_of
from bot.engine.verify import why_not_due

Events = tuple[Event, ...]


def lay_melds(state: State, action: LayMelds) -> Events:
    """All the melds, or none; together they make the whole initial meld (`1.11`)."""
    if not action.melds:
        raise Refusal(Code.NO_CARDS)
    if state.phase is phases.DRAW and not hand_first.is_on(state):
        raise Refusal(Code.DRAW_FIRST)
    _require_held(state, (card for lay in action.melds for card in lay.cards))
    if not state.rules.sets_alone:
        try:
            return _lay_all(state, (), action.melds, places_said(state, action.melds))
        except Refusal as refused:
            raise _of_the_act(state, action.melds, 0, refused) from None
    steps = [as_step(state, lay) for lay in action.melds]
    _require_minimum(state, action.melds, 0)
    try:
        return _carry_out(state, (), steps)
    except Refusal as refused:
        if refused.code is Code.INITIAL_MELD_UNREACHABLE:  # it cannot go out without the minimum, so that decides
            raise _too_low(state, action.melds, 0) from None
        raise


def take_pile(state: State, action: TakePile) -> Events:
    """The cards named claim the top card; those beyond the claim, and the further melds, are laid after it."""
    if hand_first.is_on(state) and action.melds:
        return _open_and_take(state, action)
    _allow(why_not_pile(state))
    _require_held(state, (*action.cards, *(card for lay in action.melds for card in lay.cards)))
    if state.pile[-1] >> 2 == TWO:
        return _show_and_lay(state, action)
    if not state.rules.sets_alone:
        return _take_and_lay(state, action)
    kind = state.pile[-1] >> 2
    _require_target(state, action)
    claim = _claim_cards(kind, action.cards)
    rest = tuple(_without(action.cards, claim))
    claiming = Take(
        naturals=sum(1 for card in claim if card >> 2 == kind),
        twos=sum(1 for card in claim if card >> 2 == TWO),
        jokers=sum(1 for card in claim if card >> 2 == JOKER),
    )
    _allow(why_not_claim(state, claiming))
    more = [_step_of(kind, rest)] if rest else []
    steps = more + [as_step(state, lay, first=kind) for lay in action.melds]
    top = (state.pile[-1],) if state.rules.open_count_top else ()
    laid = 1 + len(action.cards) + sum(step.size for step, _ in steps[len(more) :] if step.kind == kind)
    canasta = "first_canasta_top" in state.rules.open_waiver and laid >= state.rules.canasta_size
    if not canasta:
        _require_minimum(state, action.melds, points_of(state.rules, (*action.cards, *top)))
    return _carry_out(state, take(state, claiming, claim), steps)


def _open_and_take(state: State, action: TakePile) -> Events:
    """The melds are laid from the hand first, and open the side; then the pile is taken (`rules/variants.md 3.10`)."""
    _require_held(state, (*action.cards, *(card for lay in action.melds for card in lay.cards)))
    laid = lay_melds(state, LayMelds(action.melds))
    return (*laid, *take_pile(fold(state, laid), TakePile(action.cards, (), action.onto)))


def _require_target(state: State, action: TakePile) -> None:
    """The top card joins the side's meld of its rank; a meld that is named has to be that one."""
    melds = state.melds[state.seating.side_by_seat[state.turn]]
    onto = action.onto
    if onto is not None and not (0 <= onto < len(melds) and melds[onto].place == state.pile[-1] >> 2):
        raise Refusal(Code.MELD_WRONG_TARGET, {"number": onto})


def _show_and_lay(state: State, action: TakePile) -> Events:
    """The cards named are shown, and melds of other cards from the hand are laid after that (`rules/classic.md 3`)."""
    _allow(showing.why_not_shown(state, action.cards))
    return _lay_all(state, take(state, TAKE_SHOWING), action.melds, places_said(state, action.melds))


def _take_and_lay(state: State, action: TakePile) -> Events:
    """The same where more than sets of one rank is in the game: what is left of the cards joins the top card's meld."""
    claiming, claim = claim_of(state, action)
    _allow(why_not_claim(state, claiming))
    rest = tuple(_without(action.cards, claim))
    more = (Lay(rest),) if rest else ()
    onto = place_of(state, claiming)
    said = places_said(state, action.melds)
    if not state.rules.meld_after_take:
        return _take_and_open(state, take(state, claiming, claim), (*more, *action.melds), [onto] * len(more) + said)
    top = (state.pile[-1],) if state.rules.open_count_top else ()
    try:
        return _lay_all(state, take(state, claiming, claim), (*more, *action.melds), [onto] * len(more) + said)
    except Refusal as refused:
        raise _of_the_act(state, action.melds, points_of(state.rules, (*action.cards, *top)), refused) from None


def _take_and_open(state: State, taken: Events, lays: Sequence[Lay], said: Sequence[Place | None]) -> Events:
    """Where nothing is laid when the side has opened with the pile's top: what counts least is laid first."""
    points = [points_of(state.rules, lay.cards) for lay in lays]
    order = sorted(range(len(lays)), key=lambda number: points[number])
    return _lay_all(state, taken, [lays[number] for number in order], [said[number] for number in order])


def _lay_all(state: State, begun: Events, lays: Sequence[Lay], said: Sequence[Place | None]) -> Events:
    """All the melds one after another, in an order that allows the act in whatever order they were said.

    Whichever is legal first is laid first. Together they make the whole initial meld, or lay the hand down.
    """
    events = list(begun)
    now = fold(state, begun)
    left = list(zip(lays, said, strict=True))
    while left:
        refused: Refusal | None = None
        for one in left:
            try:
                happened = _lay_one(now, one[0].cards, one[1], sum(len(other.cards) for other, _ in left))
            except Refusal as refusal:
                refused = refused or refusal
                continue
            events += happened
            now = fold(now, happened)
            left.remove(one)
            break
        else:
            raise refused or Refusal(Code.NO_CARDS)
    _require_opened(state, now)
    return tuple(events)


def _lay_one(state: State, cards: tuple[Card, ...], onto: Place | None, following: int) -> Events:
    """These cards; `following` are laid with them and after them in the same act."""
    if state.phase not in (phases.PLAY, phases.DRAW):
        raise Refusal(Code.NO_CARDS)
    events: list[Event] = []
    now = state
    for step, laid in steps_for(state, cards, onto):
        following -= len(laid)
        happened = meld(now, step, laid) if isinstance(step, Meld) else lay_run(now, step, following)
        events += happened
        now = fold(now, happened)
    return tuple(events)


def _require_opened(before: State, now: State) -> None:
    """An act must make the whole initial meld, unless it may be a going out that needs none (`1.11`)."""
    side = now.seating.side_by_seat[before.turn]  # another one than before, where the act has formed the sides
    if (
        before.opened[before.side]
        or now.phase not in (phases.PLAY, phases.DRAW)
        or now.turn != before.turn
        or now.opened[side]
    ):
        return
    waived = before.drew == "stock" and "concealed" in before.rules.open_waiver and len(now.hands[now.turn]) <= 1
    if waived:
        return
    goals = ending_turns.goals_in(now)
    lacking = ending_turns.why_not_opened(now, now.laid_points, now.melds[side])
    raise lacking or Refusal(Code.INITIAL_MELD_TOO_LOW, {"count": now.laid_points, "required": goals[0].points})


def discard_card(state: State, action: DiscardCard) -> Events:
    """Exactly that card ends the turn."""
    kind = action.card >> 2
    if state.phase is phases.DRAW:
        raise Refusal(Code.DRAW_FIRST)
    _require_held(state, (action.card,))
    if state.penalties is not None:
        _allow(why_not_due(state, kind, action.card))
    return discard(state, Discard(kind), action.card)


def _allow(refusal: Refusal | None) -> None:
    if refusal is not None:
        raise refusal


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
        happened = meld(now, step, cards)
        events += happened
        now = fold(now, happened)
    return tuple(events)


def _require_minimum(state: State, melds: Sequence[Lay], begun: int) -> None:
    """An act must make the whole initial meld, unless it may be a going out that needs none (`1.11`)."""
    rules = state.rules
    if state.opened[state.seating.side_by_seat[state.turn]]:
        return
    too_low = _too_low(state, melds, begun)
    left = len(state.hands[state.turn]) - sum(len(lay.cards) for lay in melds)
    waived = state.drew == "stock" and "concealed" in rules.open_waiver and left <= 1
    if int(too_low.detail["count"]) < int(too_low.detail["required"]) and not waived:
        raise too_low


def _of_the_act(state: State, melds: Sequence[Lay], begun: int, refused: Refusal) -> Refusal:
    """Where one of its steps leads to no initial meld, the points of the whole act are what decides and is told."""
    too_low = _too_low(state, melds, begun)
    short = int(too_low.detail["count"]) < int(too_low.detail["required"])
    return too_low if refused.code is Code.INITIAL_MELD_UNREACHABLE and short else refused


def _too_low(state: State, melds: Sequence[Lay], begun: int) -> Refusal:
    """The refusal of an act that makes too little: only its own points and those already laid count."""
    count = state.laid_points + begun + points_of(state.rules, (card for lay in melds for card in lay.cards))
    required = minimum(state, state.seating.side_by_seat[state.turn])
    return Refusal(Code.INITIAL_MELD_TOO_LOW, {"count": count, "required": required})


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


def as_step(state: State, lay: Lay, first: Kind | None = None) -> tuple[Meld, tuple[Card, ...]]:
    """The step that lays these cards: onto the meld named, else by the one natural rank among them."""
    melds = state.melds[state.seating.side_by_seat[state.turn]]
    if not lay.cards:
        raise Refusal(Code.NO_CARDS)
    ranks = sorted({card >> 2 for card in lay.cards} - {TWO, JOKER})
    if RED_THREE in ranks:
        raise why_not_melded(state.rules)
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
