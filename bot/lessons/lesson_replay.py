"""Replay of a lesson: the game at each step, computed from the lesson's file.

Nothing of a running lesson is stored. A press is answered by replaying the scene's position, then the wanted act and
the computer players' acts of every step so far. The answer holds only the information of seat 0, the learner's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from bot.engine.moves.actions import Action
from bot.engine.moves.events import Event
from bot.engine.moves.refusals import Refusal
from bot.engine.play.building_views import seat_view
from bot.engine.positions.position_parts import seat_at
from bot.engine.table.applying_events import fold
from bot.engine.table.state import State
from bot.engine.table.views import SeatView
from bot.lessons.lessons import Lesson, LessonButton, LessonStep, Verdict
from bot.referee.case_actions import CaseAction, try_action, with_turn_begun
from bot.tables.play.moves import visible_events

LEARNER: Final = 0
"""The learner's place at the table."""


class StepOutOfDate(LookupError):
    """Raised for a step or button that the lesson does not have."""


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """A turn that a computer player has played since the learner's act.

    It has the public events, and the reasons that the player gave, in order.
    """

    deal: int
    number: int
    seat: int
    events: tuple[Event, ...] = field(repr=False)
    reasons: tuple[tuple[str, Mapping[str, int]], ...]


@dataclass(frozen=True, slots=True)
class LessonMoment:
    """The learner's information at a step of a lesson.

    `view` is what seat 0 sees, `turns` are the turns played since the last act. `step` is None after the last step.
    """

    lesson: Lesson
    number: int
    step: LessonStep | None
    view: SeatView = field(repr=False)
    turns: tuple[PlayedTurn, ...]


def moment_at(lesson: Lesson, number: int) -> LessonMoment:
    """Return what the learner sees before step `number`, from 1; after the last step is the lesson's end.

    Raises `StepOutOfDate`.
    """
    state, turns = _replay_to_step(lesson, number)
    step = lesson.steps[number - 1] if number <= len(lesson.steps) else None
    return LessonMoment(lesson, number, step, seat_view(state, seat_at(state, LEARNER)), turns)


def refusal_of(lesson: Lesson, number: int, button: LessonButton) -> Refusal:
    """Return the refusal that the rules give for a button's act at that step.

    Raises `StepOutOfDate` if it is legal.
    """
    state, _ = _replay_to_step(lesson, number)
    try:
        try_action(state, button.request)
    except Refusal as refusal:
        return refusal
    raise StepOutOfDate


def step_and_button(lesson: Lesson, number: int, button: int) -> tuple[LessonStep, LessonButton | None]:
    """Return a step and one of its buttons, both by number from 1; button 0 is *Go on*, returned as None.

    Raises `StepOutOfDate`.
    """
    if not 1 <= number <= len(lesson.steps):
        raise StepOutOfDate
    step = lesson.steps[number - 1]
    if not step.buttons and button == 0:
        return step, None
    if not 1 <= button <= len(step.buttons):
        raise StepOutOfDate
    return step, step.buttons[button - 1]


def action_of(button: LessonButton) -> Action | None:
    """Return the act of a button as an action of the rules; None if the rules have no such action.

    The action is used to label the button.
    """
    wanted = button.request.wanted
    return wanted if isinstance(wanted, Action) else None


def _replay_to_step(lesson: Lesson, number: int) -> tuple[State, tuple[PlayedTurn, ...]]:
    """Return the state before a step, and the turns of computer players since the step before it."""
    if not 1 <= number <= len(lesson.steps) + 1:
        raise StepOutOfDate
    steps = lesson.steps[: number - 1]
    scene = lesson.steps[min(number, len(lesson.steps)) - 1].scene
    state = lesson.scenes[scene]
    turns: tuple[PlayedTurn, ...] = ()
    for step in steps:
        if step.scene != scene:
            continue
        if step.wanted_button is not None:
            state = _play_act(state, step.wanted_button.request)[0]
        state, turns = _play_computers(state, step)
    return state, turns


def _play_act(state: State, request: CaseAction) -> tuple[State, tuple[Event, ...]]:
    """Return the state after an act, and its events as the learner sees them."""
    events = try_action(state, request)
    seen = visible_events(seat_at(state, LEARNER), events)
    return with_turn_begun(fold(state, events)), seen


def _play_computers(state: State, step: LessonStep) -> tuple[State, tuple[PlayedTurn, ...]]:
    """Return the state after the computer players' acts of a step, and the turns that they make."""
    turns: list[PlayedTurn] = []
    for act in step.then:
        seat = state.turn if act.request.seat is None else seat_at(state, act.request.seat)
        deal, number = state.deal, state.turns
        state, seen = _play_act(state, act.request)
        reasons = ((act.reason, act.numbers),) if act.reason else ()
        last = turns[-1] if turns else None
        if last is not None and (last.seat, last.number) == (seat, number):
            turns[-1] = PlayedTurn(deal, number, seat, last.events + seen, last.reasons + reasons)
        else:
            turns.append(PlayedTurn(deal, number, seat, seen, reasons))
    return state, tuple(turns)


__all__ = ["LessonMoment", "PlayedTurn", "StepOutOfDate", "Verdict", "moment_at", "refusal_of", "step_and_button"]
