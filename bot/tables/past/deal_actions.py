"""Start a table from a position of a finished deal.

The table gets the deal's pack and scores, and the deal's first turns are played as actions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from bot.engine.cards.cards import Card
from bot.engine.cards.meld_places import Place
from bot.engine.moves.actions import (
    ANNOUNCE,
    ASK,
    DRAW,
    NO,
    PASS,
    YES,
    Act,
    Combine,
    DiscardCard,
    Lay,
    LayMelds,
    Reclaim,
    StartDeal,
    Step,
    TakePile,
)
from bot.engine.moves.events import (
    Announced,
    Answered,
    Asked,
    Combined,
    Discarded,
    Drew,
    Event,
    Gathered,
    Melded,
    Passed,
    Reclaimed,
    TookFoot,
    TookTop,
)
from bot.engine.moves.refusals import Refusal
from bot.engine.play.decide import decide
from bot.engine.rules.rule_set import RuleSet
from bot.engine.table.applying_events import fold
from bot.engine.table.state import State, new_game, seat_to_act
from bot.tables.past.history import PastDeal, without_undone_events
from bot.tables.state.refusals import TableCode, TableRefusal


def first_actions(rules: RuleSet, deal: PastDeal, turn_count: int, *, table: int) -> tuple[Step | Act, ...]:
    """Return the actions of the deal's first turns, which lead a new table to the same position.

    Refusal: position_not_playable if no turn follows them, or if the rules play the deal differently as the first of a
    game.
    """
    refused = TableRefusal(TableCode.POSITION_NOT_PLAYABLE, {"table": table, "deal": deal.number, "turn": turn_count})
    if not 0 <= turn_count < len(deal.turns):
        raise refused
    wanted = deal.turns[turn_count - 1].after if turn_count else deal.dealt
    found: list[Step | Act] = []
    state = new_game(rules, dealer=deal.dealer, scores=deal.dealt.scores)
    try:
        state = fold(state, decide(state, None, StartDeal(deal.pack, streams=bool(deal.dealt.streams))))
        for turn in deal.turns[:turn_count]:
            for action in _actions_of_turn(turn.events, state):
                state = fold(state, decide(state, seat_to_act(state), action))
                found.append(action)
    except Refusal:
        raise refused from None
    if not _is_same_position(state, wanted):
        raise refused
    return tuple(found)


def _actions_of_turn(events: tuple[Event, ...], state: State) -> Iterator[Step | Act]:
    """Yield the actions that caused the events of a turn.

    Melds that follow each other are one act, since an initial meld may need all of them; cards for the same meld come
    together, and cards that join the pile's top card are named together with it.
    """
    places = {meld.place: number for number, meld in enumerate(state.melds[state.side])} if state.melds else {}
    claim: TookTop | None = None
    took = False
    laid: dict[Place, tuple[Card, ...]] = {}
    for event in without_undone_events(events):
        if isinstance(event, Melded):
            laid[event.place] = (*laid.get(event.place, ()), *event.cards)
            continue
        action = (
            None if took and isinstance(event, Drew) else _action_of_event(event)
        )  # these cards were drawn as part of taking the pile
        took = took or isinstance(event, Gathered)
        if isinstance(event, Gathered) and claim is not None:
            own = (*claim.cards, *laid.pop(claim.place, ()))
            yield TakePile(own, _numbered_lays(laid, places), None if own else places.get(claim.place))
            _number_new_melds(places, [claim.place, *laid])
            claim, laid = None, {}
        elif laid and (action is not None or isinstance(event, TookFoot)):
            yield LayMelds(_numbered_lays(laid, places))
            _number_new_melds(places, laid)
            laid = {}
        if isinstance(event, TookTop):
            claim = event
        elif action is not None:
            yield action
    if laid:
        yield LayMelds(_numbered_lays(laid, places))


def _numbered_lays(laid: Mapping[Place, tuple[Card, ...]], places: Mapping[Place, int]) -> tuple[Lay, ...]:
    """Return the cards laid at each place as melds or additions, with the numbers of their places."""
    return tuple(Lay(cards, places.get(place)) for place, cards in laid.items())


def _number_new_melds(places: dict[Place, int], begun: Iterable[Place]) -> None:
    """Add the melds that are not in `places` yet, numbered after those already there."""
    for place in begun:
        places.setdefault(place, len(places))


def _action_of_event(event: Event) -> Step | Act | None:
    """Return the action that caused the event; None for melds and for automatic events."""
    match event:
        case Drew():
            return DRAW
        case Gathered() if event.showed:
            return TakePile(event.showed)
        case Combined():
            return Combine(event.place, event.onto)
        case Reclaimed():
            return Reclaim(event.place)
        case Discarded():
            return DiscardCard(event.card)
        case _:
            return _announced_step(event)


def _announced_step(event: Event) -> Step | None:
    """Return the question, answer, announcement or pass that the event records; None for other events."""
    match event:
        case Asked():
            return ASK
        case Answered():
            return YES if event.yes else NO
        case Announced():
            return ANNOUNCE
        case Passed():
            return PASS
        case _:
            return None


def _is_same_position(state: State, wanted_state: State) -> bool:
    """Return whether the positions are equal in play: cards, melds, turn, scores and minimums."""
    names = ("hands", "feet", "talons", "stock", "pile", "hidden", "frozen", "opened", "turn", "turns", "scores")
    alike = all(getattr(state, name) == getattr(wanted_state, name) for name in names)
    melds = [{meld.place: meld.cards for meld in side} for side in state.melds]
    if not alike or melds != [{meld.place: meld.cards for meld in side} for side in wanted_state.melds]:
        return False
    minimums = [
        [one.rules.initial_meld_minimum(score, one.deal) for score in one.scores] for one in (state, wanted_state)
    ]
    return minimums[0] == minimums[1] and state.seating == wanted_state.seating
