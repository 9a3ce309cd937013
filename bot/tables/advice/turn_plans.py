"""Plans of a turn: steps that a function chooses for a seat until it would see a hidden card."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Generic, Protocol, TypeAlias, TypeVar

from bot.engine.moves.actions import Step
from bot.engine.moves.events import Answered, Asked, CameToHand, Event, Gathered
from bot.engine.play.building_views import seat_view
from bot.engine.play.decide import decide
from bot.engine.table.applying_events import fold
from bot.engine.table.state import State, seat_to_act
from bot.engine.table.views import SeatView, public_event

MOST_STEPS: Final = 40
"""Maximum number of steps in a plan; no turn without new cards has more."""

_REVEALING: Final = (CameToHand, Gathered, Asked, Answered)
"""Events after which a turn depends on cards or words that the seat does not know yet."""


class StepChoice(Protocol):
    """A choice among the legal steps of a view."""

    @property
    def step(self) -> Step:
        """The chosen step."""


C = TypeVar("C", bound=StepChoice)

Choose: TypeAlias = Callable[[SeatView, tuple[Event, ...]], C]
"""A function that returns a choice for a view; gets the public events since the plan began."""


@dataclass(frozen=True, slots=True)
class PlannedStep(Generic[C]):
    """A step of a plan: the seat's view before it, the choice, and the events that follow."""

    view: SeatView = field(repr=False)
    choice: C = field(repr=False)
    events: tuple[Event, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class TurnWithoutHiddenCards:
    """The turn of a seat that must act, in a state without the cards that the seat may not know."""

    seat: int
    state: State = field(repr=False)

    def plan(self, choose: Choose[C], *, is_over: Callable[[], bool] = lambda: False) -> tuple[PlannedStep[C], ...]:
        """Return the chosen steps until the turn ends or shows a hidden card, or `is_over` returns true."""
        state, seat = self.state, self.seat
        planned: list[PlannedStep[C]] = []
        happened: list[Event] = []
        while seat_to_act(state) == seat and len(planned) < MOST_STEPS and not is_over():
            view = seat_view(state, seat)
            choice = choose(view, tuple(happened))
            events = decide(state, seat, choice.step)
            planned.append(PlannedStep(view, choice, events))
            if any(isinstance(event, _REVEALING) for event in events):
                break
            state = fold(state, events)
            happened += map(public_event, events)
        return tuple(planned)
