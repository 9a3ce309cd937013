"""Note which refusal codes the program really gives while the tests run.

Every refusal notes its reason when the program makes it; one that a test makes to compare with does not count. Each
worker hands its notes to the process that started it. When the whole suite has run, every reason has to be among them
(`tests/conftest.py`). The refusals of the rules are judged one by one in `tests/refusals`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from enum import StrEnum
from functools import wraps
from pathlib import Path
from typing import Any, Final

from bot.clocks.quiet_hours_and_vacation import VacationCode, VacationProblem
from bot.clocks.time_rules import ClockProblem
from bot.engine.law.rule_conflicts import ProblemCode, RuleProblem
from bot.series.refusals import SeriesCode, SeriesRefusal
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tournaments.event.ladder import LadderCode, LadderRefusal
from bot.tournaments.event.refusals import TournamentCode, TournamentRefusal
from bot.tournaments.pairing.by_hand import HandPairingCode, HandPairingProblem
from cogs.shared.reading.input_problems import InputCode, InputProblem

CARRIERS: Final[Mapping[type[StrEnum], type]] = {
    TableCode: TableRefusal,
    TournamentCode: TournamentRefusal,
    SeriesCode: SeriesRefusal,
    InputCode: InputProblem,
    LadderCode: LadderRefusal,
    VacationCode: VacationProblem,
    ProblemCode: RuleProblem,
    HandPairingCode: HandPairingProblem,
    ClockProblem: TableRefusal,
}
"""The exceptions that carry the reasons of each enum. A table's refusal carries a clock problem under its value."""

NEVER_RAISED: Final[Mapping[StrEnum, str]] = {}
"""Reasons that no test can cause, each with an explanation."""

_TESTS: Final = str(Path(__file__).parents[1])

_noted: set[tuple[str, str]] = set()


def note_all_refusals() -> None:
    """Make every refusal that the program creates from now on note its code."""
    for carrier in set(CARRIERS.values()):
        carrier.__init__ = _init_noting_refusals(carrier)  # type: ignore[misc]


def _init_noting_refusals(exception_class: type) -> Callable[..., None]:
    """Return the class's `__init__`, extended to note the code of every refusal that the program creates."""
    made: Callable[..., None] = exception_class.__init__  # type: ignore[misc]

    @wraps(made)
    def init_and_note(self: Any, *given: Any, **named: Any) -> None:
        made(self, *given, **named)
        if not sys._getframe(1).f_code.co_filename.startswith(_TESTS):
            _noted.add((exception_class.__name__, self.code.value))

    return init_and_note


@contextmanager
def hide_earlier_notes() -> Iterator[None]:
    """Hide the notes of earlier tests while the context is open, and drop those made in it at the end."""
    earlier = set(_noted)
    _noted.clear()
    try:
        yield
    finally:
        _noted.clear()
        _noted.update(earlier)


def noted_refusals() -> list[tuple[str, str]]:
    """Return the noted refusals of this process: name of the exception class, and code."""
    return sorted(_noted)


def add_notes(others: Iterable[Iterable[str]]) -> None:
    """Add the notes of another process to those of this one."""
    _noted.update((carrier, code) for carrier, code in others)


def codes_without_refusal() -> list[StrEnum]:
    """Return the codes that no refusal has carried so far."""
    found = [(code, carrier.__name__) for codes, carrier in CARRIERS.items() for code in codes]
    return [code for code, carrier in found if (carrier, code.value) not in _noted and code not in NEVER_RAISED]
