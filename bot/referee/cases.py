"""Cases: read from data, and tried."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from bot.engine.moves.events import Penalized
from bot.engine.moves.refusals import Refusal
from bot.engine.record.positions import CASE_FIELDS, read_position
from bot.engine.record.seat_places import told_by_place
from bot.engine.rules.fields import Fields
from bot.engine.table.evolve import fold
from bot.engine.table.state import State
from bot.referee.expectations import differences, read_expectation
from bot.referee.judgement import Judgement, Speech, allowed, penalized, refused
from bot.referee.outcome import outcome_of
from bot.referee.requests import OK, Request, attempt, read_request, settled


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A case as it was read: where it begins, what is tried in it and what is expected of the outcome."""

    name: str | None
    state: State
    requests: tuple[Request, ...]
    expected: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Trial:
    """A case that was tried: a judgement on each request, and the state after the last one."""

    case: Case
    judgements: tuple[Judgement, ...]
    state: State

    def outcome(self) -> dict[str, Any]:
        """The outcome as data, as `docs/referee.md` describes it."""
        return outcome_of(self.case.name, self.judgements, self.state)

    def failures(self) -> list[str]:
        """Everything the case expects that did not come true; empty when it holds."""
        return list(self._failures())

    def _failures(self) -> Iterator[str]:
        for number, (request, judgement) in enumerate(zip(self.case.requests, self.judgements, strict=True)):
            outcome = came_of(judgement)
            if not request.holds(outcome):
                why = "" if judgement.allowed else f": {judgement.words}"
                yield f"actions.{number}: expected {request.expect}, got {outcome}{why}"
        yield from differences(self.case.expected, self.outcome())


def came_of(judgement: Judgement) -> str:
    """What a case may expect: ``ok``, the code of a refusal, or the name of an irregularity that was paid for."""
    if judgement.penalized is not None:
        return judgement.penalized.irregularity.value
    return OK if judgement.code is None else judgement.code.value


def read_case(data: Mapping[str, Any]) -> Case:
    """A case from its data. Raises `bot.engine.record.positions.PositionError`."""
    fields = Fields(data, "", CASE_FIELDS)
    name = fields.text("id", "")
    return Case(
        name=name or None,
        state=settled(read_position(data)),
        requests=tuple(read_request(entry, f"actions.{number}") for number, entry in enumerate(fields.rows("actions"))),
        expected=read_expectation(fields.value("expect") if fields.has("expect") else {}),
    )


def try_case(case: Case, speech: Speech | None = None) -> Trial:
    """Every request in order; one that is refused changes nothing, and the next is tried."""
    speech = speech or Speech()
    state = case.state
    judgements: list[Judgement] = []
    for request in case.requests:
        try:
            events = attempt(state, request)
        except Refusal as refusal:
            told = Refusal(refusal.code, told_by_place(state, refusal.detail), refusal.list_legal)
            told.penalty = refusal.penalty
            judgements.append(refused(told, speech))
            continue
        # What an allowed step costs by itself, a yes that comes to nothing, stands in the position.
        paid = next((event for event in events if isinstance(event, Penalized)), None) if request.attempted else None
        judgements.append(allowed(request.paragraph, speech) if paid is None else penalized(state, paid, speech))
        state = settled(fold(state, events))  # a red three that a position left in a hand is laid out at its next turn
    return Trial(case, tuple(judgements), state)
