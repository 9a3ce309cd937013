"""Ways out: how the seat in turn could go out now, and what its side would score.

After a binding yes the rules allow only steps from which the seat can still go out. So each legal step leads to going
out, and the choice only affects the score: naturals are laid first, then melds are joined, then wild cards go where
they score most; the last card is discarded if that scores more. Listing the legal steps of a bound seat is slow for
long hands with runs. So the first steps are chosen from the legal steps of a seat without the obligation to go out;
after each the search checks whether the seat can still go out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from bot.engine.cards.meld_places import Place
from bot.engine.law import turn_end
from bot.engine.law.asking_to_go_out import required_declaration, why_not_announce, why_not_ask
from bot.engine.law.scoring import score_deal
from bot.engine.melds.points import canasta_points, unfinished_points
from bot.engine.melds.table_meld import TableMeld, card_points_of, meld_with_cards, merge_cards
from bot.engine.moves import phases
from bot.engine.moves.actions import ANNOUNCE, ASK, YES, Combine, Discard, LayRun, Meld, Step, Take
from bot.engine.moves.events import Announced, DealEnd, DealEnded, Drew, Event, Gathered
from bot.engine.moves.refusals import Refusal
from bot.engine.play import step_events
from bot.engine.play.decide import decide
from bot.engine.play.legal_steps import legal_actions
from bot.engine.reach.turn_outlook import outlook_of
from bot.engine.rules.rule_set import RuleSet
from bot.engine.table.applying_events import evolve, fold
from bot.engine.table.applying_meld_events import cards_melded_by
from bot.engine.table.state import State, seat_to_act
from bot.engine.table.state_queries import going_out_obligation
from bot.tables.advice.staged_melds import LayingStep, lay_offer_of
from bot.tables.state.offers import LayOffer, Partner, WayToGoOut, Word

LONGEST: Final = 40
"""Maximum number of steps of a turn that a search follows."""

SHORT_HAND: Final = 5
"""Hand size at or below which the legal steps of a bound seat are listed."""

MOST_ASKED: Final = 30
"""Maximum number of steps of a free seat after each of which going out is checked."""

WILD_CHOICES: Final = 3
"""Maximum number of wild-card steps that are checked before the bound seat's legal steps are listed."""

TAKEN: Final[Mapping[type[Step], Callable[[State, Any], tuple[Event, ...]]]] = {
    Meld: step_events.events_of_meld,
    LayRun: step_events.events_of_laying_run,
    Combine: step_events.events_of_combining,
    Discard: step_events.events_of_discard,
}
"""Applies a step; raises the refusal without listing the legal steps, which would be slow."""


def state_bound_to_go_out(state: State) -> State:
    """Return the state as it would be if the seat in turn had to go out now."""
    return state if state.permission is True else evolve(state, Announced(state.turn))


def can_probably_go_out(state: State) -> bool:
    """Return whether the seat, which has drawn, can probably go out; a fast check that rejects most hands."""
    return turn_end.may_go_out(state, outlook_of(state))


def steps_to_go_out(state: State) -> list[Step] | None:
    """Return steps by which the seat in turn, which has drawn, goes out; None if none were found.

    Announcements and questions before going out are not included.
    """
    if not can_probably_go_out(state_bound_to_go_out(state)):
        return None
    taken, now = _steps_keeping_way_out(state)
    bound = state_bound_to_go_out(now)
    while len(taken) < LONGEST:
        for step in _steps_of_bound_seat(bound):
            try:
                events = TAKEN[type(step)](bound, step)
            except Refusal:
                continue
            taken.append(step)
            ended = [event.reason for event in events if isinstance(event, DealEnded)]
            if ended:
                return taken if ended == [DealEnd.OUT] else None
            bound = fold(bound, events)
            break
        else:
            return None
        if not _is_still_turn(bound, state.turn) or bound.permission is not True:
            return None
    return None


def _is_still_turn(state: State, seat: int) -> bool:
    """Return whether it is still the seat's turn, with cards to lay or discard."""
    return state.phase is phases.PLAY and state.turn == seat


# --- steps without the obligation to go out --------------------------------------------------------------------------


def _steps_keeping_way_out(state: State) -> tuple[list[Step], State]:
    """Return steps after which the seat can still go out, and the state after them.

    The steps are legal for a seat without the obligation to go out. They end when few cards are left in the hand.
    """
    free = replace(state, permission=None) if state.permission else state
    taken: list[Step] = []
    asked = 0
    found = True
    while found and len(free.hands[free.turn]) > SHORT_HAND:
        found = False
        choices = _grouped_steps(free)
        for step in (*choices.plain, *choices.wild[:WILD_CHOICES]):
            if found and isinstance(step, Meld) and step.twos + step.jokers:
                break  # the best place for the remaining cards may have changed
            after = _state_after_step(free, step)
            if after is None:
                continue
            asked += 1
            if asked > MOST_ASKED:
                return taken, free
            if can_probably_go_out(state_bound_to_go_out(after)):
                taken.append(step)
                free, found = after, True
    return taken, free


def _state_after_step(state: State, step: Step) -> State | None:
    """Return the state after the step; None if it is illegal.

    Also None if it ends the turn or leaves at most one card in the hand.
    """
    try:
        events = TAKEN[type(step)](state, step)
    except Refusal:
        return None
    if any(isinstance(event, DealEnded) for event in events):
        return None
    after = fold(state, events)
    return after if _is_still_turn(after, state.turn) and len(after.hands[after.turn]) > 1 else None


# --- choosing a step -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _StepGroups:
    """Possible next steps, the best first: naturals, then joining melds, then wild cards."""

    plain: tuple[Step, ...]
    wild: tuple[Meld, ...]
    discards: tuple[Discard, ...]


def _grouped_steps(state: State) -> _StepGroups:
    """Return the possible next steps, sorted into the groups of `_StepGroups`."""
    legal = legal_actions(state)
    largest: dict[Place, LayingStep] = {}
    wild: list[Meld] = []
    for step in legal:
        if isinstance(step, Meld) and step.twos + step.jokers:
            wild.append(step)
        elif isinstance(step, Meld | LayRun) and (step.place not in largest or step.size > largest[step.place].size):
            largest[step.place] = step
    wild.sort(key=lambda step: _step_sort_key(state, step), reverse=True)
    plain = sorted(largest.values(), key=lambda step: -step.size)
    united = [step for step in legal if isinstance(step, Combine)]
    return _StepGroups((*plain, *united), tuple(wild), tuple([step for step in legal if isinstance(step, Discard)]))


def _steps_of_bound_seat(state: State) -> Iterator[Step]:
    """Yield the legal steps of a seat that must go out, best first.

    A discard comes before wild cards if these lose points.
    """
    choices = _grouped_steps(state)
    yield from choices.plain
    if choices.wild and choices.discards:
        more, _, cards = _step_sort_key(state, choices.wild[0])
        yield from choices.discards if more + cards < 0 else ()
    yield from choices.wild
    yield from choices.discards


def _step_sort_key(state: State, step: LayingStep) -> tuple[int, int, int]:
    """Return the sort key by which the best step going out is the highest.

    First the bonuses it brings, then few cards if it brings any and else many, then the cards' own points.
    """
    cards = cards_melded_by(state, step)
    lying = state.spreads[state.side].by_place.get(step.place)
    after = meld_with_cards(step.place, lying, cards)
    more = _meld_value(state.rules, after) - (0 if lying is None else _meld_value(state.rules, lying))
    return more, -len(cards) if more > 0 else len(cards), card_points_of(state.rules, cards)


def _meld_value(rules: RuleSet, meld: TableMeld) -> int:
    """Return the points of a meld besides those of its cards."""
    natural, mixed, others = canasta_points(rules, (meld,), gone_out=True)
    return natural + mixed + others.total + (unfinished_points(rules, (meld,)) if rules.incomplete_penalty else 0)


def find_way_out(state: State, legal_steps: Sequence[Step]) -> WayToGoOut | None:
    """Return a way to go out for the seat in turn, using no hidden cards; None if none was found."""
    if state.permission is False or going_out_obligation(state_bound_to_go_out(state)) is not True:
        return None
    for path in _starting_paths(state, legal_steps):
        if _try_to_go_out(path):
            return _way_out_of(path, state.turn, may_ask=ASK in legal_steps and not state.rules.needs_word)
    return None


@dataclass(slots=True)
class _PathToGoOut:
    """The steps of a way out so far, the state after them, and the cards they laid.

    `ended` is the event that ends the deal, None before it.
    """

    now: State = field(repr=False)
    steps: list[Step] = field(default_factory=list, repr=False)
    laid: dict[Place, LayOffer] = field(default_factory=dict, repr=False)
    ended: DealEnded | None = field(default=None, repr=False)

    def apply(self, step: Step) -> tuple[Event, ...]:
        """Apply the step; raises the rules' refusal if it is illegal."""
        if isinstance(step, Meld | LayRun):
            laying = lay_offer_of(self.now, step, cards_melded_by(self.now, step))
            before = self.laid.get(step.place)
            self.laid[step.place] = laying if before is None else _join_lay_offers(before, laying)
        taken = TAKEN.get(type(step))
        events = decide(self.now, self.now.turn, step) if taken is None else taken(self.now, step)
        self.steps.append(step)
        for event in events:
            if isinstance(event, DealEnded):
                self.ended = event
                break  # the state before the deal ends is the one that is scored
            self.now = evolve(self.now, event)
        return events

    def announce_or_ask(self) -> bool:
        """Announce going out or ask the partner if the rules require it, assuming that the partner agrees.

        Return whether it is possible now.
        """
        if self.now.rules.out_announce:
            if why_not_announce(self.now) is not None:
                return False
            self.apply(ANNOUNCE)
            return True
        if why_not_ask(self.now) is not None:
            return False
        self.apply(ASK)
        self.now = fold(self.now, decide(self.now, seat_to_act(self.now), YES))
        return True


def _starting_paths(state: State, legal_steps: Sequence[Step]) -> Iterator[_PathToGoOut]:
    """Yield paths to search from: the present state, or before the draw one for each way to take the pile.

    An announcement or question before going out comes before the pile is taken.
    """
    if state.phase is phases.PLAY:
        yield _PathToGoOut(state)
        return
    said = _PathToGoOut(state)
    if required_declaration(state):
        if not said.announce_or_ask():
            return
        legal_steps = legal_actions(said.now)
    for step in legal_steps:
        if isinstance(step, Take):
            path = _PathToGoOut(said.now, [*said.steps])
            events = path.apply(step)
            unknown = any(isinstance(event, Drew) or (isinstance(event, Gathered) and event.hidden) for event in events)
            if path.ended is None and not unknown and path.now.phase is phases.PLAY:
                yield path


def _try_to_go_out(path: _PathToGoOut) -> bool:
    """Extend the path until the seat goes out; return whether that is possible."""
    following = steps_to_go_out(path.now)
    if following is None:
        return False
    try:
        if required_declaration(path.now) and not path.announce_or_ask():
            return False
        for step in following:
            path.apply(step)
    except Refusal:
        return False
    return path.ended is not None and path.ended.reason is DealEnd.OUT


def _way_out_of(path: _PathToGoOut, seat: int, *, may_ask: bool) -> WayToGoOut:
    """Return the way out that the finished `path` describes, in the form in which it is offered."""
    ended = path.ended
    said: Word | None = "ask" if ASK in path.steps else "announce" if ANNOUNCE in path.steps else None
    last = path.steps[-1]
    return WayToGoOut(
        steps=tuple(path.steps),
        word=said,
        may_ask=may_ask,
        take=next((step for step in path.steps if isinstance(step, Take)), None),
        layings=tuple(path.laid.values()),
        united=tuple([step for step in path.steps if isinstance(step, Combine)]),
        discard=last.kind if isinstance(last, Discard) else None,
        points=_score_after_going_out(path.now, seat, concealed=ended is not None and ended.concealed),
        partners=_partners_of(path.now, seat),
    )


def _join_lay_offers(first: LayOffer, second: LayOffer) -> LayOffer:
    """Return one offer for two layings at the same meld, the second after the first."""
    return replace(
        second,
        cards=merge_cards(first.cards, second.cards),
        new=first.new,
        points=first.points + second.points,
        canasta=first.canasta or second.canasta,
    )


def _score_after_going_out(state: State, seat: int, *, concealed: bool) -> int:
    """Return the side's score for this deal after going out, as if no one else held a card."""
    hands = tuple([hand if other == seat else () for other, hand in enumerate(state.hands)])
    feet = tuple([foot if other == seat else () for other, foot in enumerate(state.feet)])
    alone = replace(state, hands=hands, feet=feet)
    return score_deal(alone, seat, concealed=concealed)[state.rules.side_of(seat)].total


def _partners_of(state: State, seat: int) -> tuple[Partner, ...]:
    """Return the seat's partners with the cards that they hold."""
    seating = state.seating
    return tuple(
        [
            Partner(other, len(state.hands[other]), _cards_not_taken_up(state, other))
            for other in seating.seats_of(seating.side_by_seat[seat])
            if other != seat
        ]
    )


def _cards_not_taken_up(state: State, seat: int) -> int:
    """Return the number of cards in the seat's foot and talon."""
    return (len(state.feet[seat]) if state.feet else 0) + (len(state.talons[seat]) if state.talons else 0)
