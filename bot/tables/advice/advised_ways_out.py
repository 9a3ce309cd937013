"""Ways out: how the seat in turn could go out now, with what has to be said before, and what its side would make."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from bot.engine.cards.places import Place
from bot.engine.law.permission import must_say, why_not_announce, why_not_ask
from bot.engine.law.scoring import score_deal
from bot.engine.melds.melds import together
from bot.engine.moves import phases
from bot.engine.moves.actions import ANNOUNCE, ASK, YES, Combine, Discard, LayRun, Meld, Step, Take
from bot.engine.moves.events import DealEnd, DealEnded, Drew, Event, Gathered
from bot.engine.moves.refusals import Refusal
from bot.engine.play.decide import decide
from bot.engine.play.legal import legal_actions
from bot.engine.table.chosen import cards_for
from bot.engine.table.evolve import evolve, fold
from bot.engine.table.queries import word
from bot.engine.table.state import State, actor
from bot.tables.advice.hand_cards import laying_of
from bot.tables.advice.offered import Laying, Partner, WayOut, Word
from bot.tables.advice.steps_out import TAKEN, has_agreed, steps_out


def way_out(state: State, legal: Sequence[Step]) -> WayOut | None:
    """A way out of the seat in turn, whose hidden cards tell nothing; None where none was found."""
    if state.permission is False or word(has_agreed(state)) is not True:
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
        cards=together(first.cards, then.cards),
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
