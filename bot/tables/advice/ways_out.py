"""Steps out: the steps that lead the seat in turn out, found one after another, supposing that it has to go out.

Once a yes binds a seat, the rules let it take only steps from which it can still go out. So each legal step leads
there, and which is taken decides only what the deal counts: naturals are laid first, then melds are laid together,
then wild cards go where they count most; one card is discarded at the end where that counts more. To list what is
legal for a bound seat is dear where runs are in the game and the hand is long, so that the first steps are chosen from
what is legal for a free one, and asked one by one whether the seat can still go out after them.

Ways out: how the seat in turn could go out now, with what has to be said before, and what its side would make.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from bot.engine.cards.places import Place
from bot.engine.law import turn_end
from bot.engine.law.permission import must_say, why_not_announce, why_not_ask
from bot.engine.law.scoring import score_deal
from bot.engine.melds.bonuses import canasta_points, unfinished_points
from bot.engine.melds.melds import TableMeld, grown_meld, merged, points_of
from bot.engine.moves import phases
from bot.engine.moves.actions import ANNOUNCE, ASK, YES, Combine, Discard, LayRun, Meld, Step, Take
from bot.engine.moves.events import Announced, DealEnd, DealEnded, Drew, Event, Gathered
from bot.engine.moves.refusals import Refusal
from bot.engine.play import steps
from bot.engine.play.decide import decide
from bot.engine.play.legal import legal_actions
from bot.engine.reach.standing import outlook_of
from bot.engine.rules.rule_set import RuleSet
from bot.engine.table.evolve import evolve, fold
from bot.engine.table.melds import cards_for
from bot.engine.table.queries import obligation
from bot.engine.table.state import State, actor
from bot.tables.advice.staged_melds import LayingStep, laying_of
from bot.tables.state.snapshots import Laying, Partner, WayOut, Word

LONGEST: Final = 40
"""Steps of a turn that are followed."""

SHORT_HAND: Final = 5
"""Cards of a hand from which on what is legal for a bound seat is listed."""

MOST_ASKED: Final = 30
"""Steps of a free seat of which is asked whether it can go out after them."""

WILD_CHOICES: Final = 3
"""Layings of wild cards of which that is asked before the list of the bound seat is."""

TAKEN: Final[Mapping[type[Step], Callable[[State, Any], tuple[Event, ...]]]] = {
    Meld: steps.meld,
    LayRun: steps.lay_run,
    Combine: steps.combine,
    Discard: steps.discard,
}
"""What steps bring about; they raise the refusal alone, without the list of what would be legal, which is dear."""


def has_agreed(state: State) -> State:
    """The state as if the seat had to go out now."""
    return state if state.permission is True else evolve(state, Announced(state.turn))


def may_go_out(state: State) -> bool:
    """Whether the seat, which has drawn and has to go out, can, or nearly so: most hands answer no at once."""
    return turn_end.may_go_out(state, outlook_of(state))


def steps_out(state: State) -> list[Step] | None:
    """Steps by which the seat in turn, which has drawn, goes out if nothing has to be said; None where none led out."""
    if not may_go_out(has_agreed(state)):
        return None
    taken, now = _free(state)
    bound = has_agreed(now)
    while len(taken) < LONGEST:
        for step in _next(bound):
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
        if not _goes_on(bound, state.turn) or bound.permission is not True:
            return None
    return None


def _goes_on(state: State, seat: int) -> bool:
    """Whether it is still the seat's turn, with cards to lay or to discard."""
    return state.phase is phases.PLAY and state.turn == seat


# --- a free seat -----------------------------------------------------------------------------------------------------


def _free(state: State) -> tuple[list[Step], State]:
    """Steps of a seat that nothing binds, after each of which it can go out, as long as its hand is not short."""
    free = replace(state, permission=None) if state.permission else state
    taken: list[Step] = []
    asked = 0
    found = True
    while found and len(free.hands[free.turn]) > SHORT_HAND:
        found = False
        choices = _choices(free)
        for step in (*choices.plain, *choices.wild[:WILD_CHOICES]):
            if found and isinstance(step, Meld) and step.twos + step.jokers:
                break  # where they count most may be another place now
            after = _after(free, step)
            if after is None:
                continue
            asked += 1
            if asked > MOST_ASKED:
                return taken, free
            if may_go_out(has_agreed(after)):
                taken.append(step)
                free, found = after, True
    return taken, free


def _after(free: State, step: Step) -> State | None:
    """The state after the step; None where it is not legal, or leaves so few cards that the bound seat decides."""
    try:
        events = TAKEN[type(step)](free, step)
    except Refusal:
        return None
    if any(isinstance(event, DealEnded) for event in events):
        return None
    after = fold(free, events)
    return after if _goes_on(after, free.turn) and len(after.hands[after.turn]) > 1 else None


# --- which step ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Choices:
    """What may be done next, the best first: at each place the most naturals, then melds laid together; wild cards."""

    plain: tuple[Step, ...]
    wild: tuple[Meld, ...]
    discards: tuple[Discard, ...]


def _choices(state: State) -> _Choices:
    legal = legal_actions(state)
    largest: dict[Place, LayingStep] = {}
    wild: list[Meld] = []
    for step in legal:
        if isinstance(step, Meld) and step.twos + step.jokers:
            wild.append(step)
        elif isinstance(step, Meld | LayRun) and (step.place not in largest or step.size > largest[step.place].size):
            largest[step.place] = step
    wild.sort(key=lambda step: _gain(state, step), reverse=True)
    plain = sorted(largest.values(), key=lambda step: -step.size)
    united = [step for step in legal if isinstance(step, Combine)]
    return _Choices((*plain, *united), tuple(wild), tuple([step for step in legal if isinstance(step, Discard)]))


def _next(bound: State) -> Iterator[Step]:
    """The steps of a bound seat; a discard goes before wild cards where these lose points."""
    choices = _choices(bound)
    yield from choices.plain
    if choices.wild and choices.discards:
        more, _, cards = _gain(bound, choices.wild[0])
        yield from choices.discards if more + cards < 0 else ()
    yield from choices.wild
    yield from choices.discards


def _gain(state: State, step: LayingStep) -> tuple[int, int, int]:
    """What canastas and unfinished melds count more after the step, how few cards make a canasta, what cards count."""
    cards = cards_for(state, step)
    lying = state.spreads[state.side].by_place.get(step.place)
    after = grown_meld(step.place, lying, cards)
    more = _worth(state.rules, after) - (0 if lying is None else _worth(state.rules, lying))
    return more, -len(cards) if more > 0 else len(cards), points_of(state.rules, cards)


def _worth(rules: RuleSet, meld: TableMeld) -> int:
    """What a meld counts beside its cards."""
    natural, mixed, others = canasta_points(rules, (meld,), out=True)
    return natural + mixed + others.total + (unfinished_points(rules, (meld,)) if rules.incomplete_penalty else 0)


def way_out(state: State, legal: Sequence[Step]) -> WayOut | None:
    """A way out of the seat in turn, whose hidden cards tell nothing; None where none was found."""
    if state.permission is False or obligation(has_agreed(state)) is not True:
        return None
    for path in _begun(state, legal):
        if _leads_out(path):
            return _told(path, state.turn, may_ask=ASK in legal and not state.rules.needs_word)
    return None


@dataclass(slots=True)
class _Path:
    """The steps taken so far, the state after them, and what they laid; `ended` is what ended the deal."""

    now: State = field(repr=False)
    steps: list[Step] = field(default_factory=list, repr=False)
    laid: dict[Place, Laying] = field(default_factory=dict, repr=False)
    ended: DealEnded | None = field(default=None, repr=False)

    def go(self, step: Step) -> tuple[Event, ...]:
        """Take the step; raises the refusal of one that is not legal."""
        if isinstance(step, Meld | LayRun):
            laying = laying_of(self.now, step, cards_for(self.now, step))
            before = self.laid.get(step.place)
            self.laid[step.place] = laying if before is None else _joined(before, laying)
        taken = TAKEN.get(type(step))
        events = decide(self.now, self.now.turn, step) if taken is None else taken(self.now, step)
        self.steps.append(step)
        for event in events:
            if isinstance(event, DealEnded):
                self.ended = event
                break  # the table as it lies then is what is scored
            self.now = evolve(self.now, event)
        return events

    def say(self) -> bool:
        """Say what has to be said before going out, and have the partner agree; False where it cannot be said now."""
        if self.now.rules.out_announce:
            if why_not_announce(self.now) is not None:
                return False
            self.go(ANNOUNCE)
            return True
        if why_not_ask(self.now) is not None:
            return False
        self.go(ASK)
        self.now = fold(self.now, decide(self.now, actor(self.now), YES))
        return True


def _begun(state: State, legal: Sequence[Step]) -> Iterator[_Path]:
    """The turn as it stands once the seat has drawn, else once it has taken the pile in each way, if all is known.

    What has to be said before going out is said before the pile is taken.
    """
    if state.phase is phases.PLAY:
        yield _Path(state)
        return
    said = _Path(state)
    if must_say(state):
        if not said.say():
            return
        legal = legal_actions(said.now)
    for step in legal:
        if isinstance(step, Take):
            path = _Path(said.now, [*said.steps])
            events = path.go(step)
            unknown = any(isinstance(event, Drew) or (isinstance(event, Gathered) and event.hidden) for event in events)
            if path.ended is None and not unknown and path.now.phase is phases.PLAY:
                yield path


def _leads_out(path: _Path) -> bool:
    """Follow the path to its end, and tell whether that is going out."""
    following = steps_out(path.now)
    if following is None:
        return False
    try:
        if must_say(path.now) and not path.say():
            return False
        for step in following:
            path.go(step)
    except Refusal:
        return False
    return path.ended is not None and path.ended.reason is DealEnd.OUT


def _told(path: _Path, seat: int, *, may_ask: bool) -> WayOut:
    ended = path.ended
    said: Word | None = "ask" if ASK in path.steps else "announce" if ANNOUNCE in path.steps else None
    last = path.steps[-1]
    return WayOut(
        steps=tuple(path.steps),
        word=said,
        may_ask=may_ask,
        take=next((step for step in path.steps if isinstance(step, Take)), None),
        layings=tuple(path.laid.values()),
        united=tuple([step for step in path.steps if isinstance(step, Combine)]),
        discard=last.kind if isinstance(last, Discard) else None,
        points=_points(path.now, seat, concealed=ended is not None and ended.concealed),
        partners=_partners(path.now, seat),
    )


def _joined(first: Laying, then: Laying) -> Laying:
    return replace(
        then,
        cards=merged(first.cards, then.cards),
        new=first.new,
        points=first.points + then.points,
        canasta=first.canasta or then.canasta,
    )


def _points(played: State, seat: int, *, concealed: bool) -> int:
    """What the seat's own score makes in this deal as it lies, going out, if nobody else held a card."""
    hands = tuple([hand if other == seat else () for other, hand in enumerate(played.hands)])
    feet = tuple([foot if other == seat else () for other, foot in enumerate(played.feet)])
    alone = replace(played, hands=hands, feet=feet)
    return score_deal(alone, seat, concealed=concealed)[played.rules.side_of(seat)].total


def _partners(played: State, seat: int) -> tuple[Partner, ...]:
    seating = played.seating
    return tuple(
        [
            Partner(other, len(played.hands[other]), _waiting(played, other))
            for other in seating.seats_of(seating.side_by_seat[seat])
            if other != seat
        ]
    )


def _waiting(played: State, seat: int) -> int:
    return (len(played.feet[seat]) if played.feet else 0) + (len(played.talons[seat]) if played.talons else 0)
