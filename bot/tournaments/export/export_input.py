"""Input of an export: the tournament and related data, as far as it may be published."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bot.tournaments.brackets.bracket import Bracket
from bot.tournaments.counted_results import Course
from bot.tournaments.event.counted_results import course_of
from bot.tournaments.event.tournament import Tournament
from bot.tournaments.formats.ranking import Ranking


@dataclass(frozen=True, slots=True, kw_only=True)
class LogLine:
    """A row of a tournament's log: time, kind, details; `by` is a person, None for the clock."""

    at: int
    kind: str
    by: int | None = None
    detail: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportInput:
    """A tournament and the data exported with it.

    `ranking` are the current places. `seeds` are those of open boards, by number, as hexadecimal digits. `bracket`
    is None in other formats. `ratings` is the exported rating log, `ladder` the name of the rating list; both are
    None in unrated tournaments.
    """

    tournament: Tournament
    ranking: Ranking
    log: tuple[LogLine, ...] = ()
    seeds: Mapping[int, str] = field(default_factory=dict)
    bracket: Bracket | None = None
    ratings: Mapping[str, Any] | None = None
    ladder: str | None = None

    @property
    def course(self) -> Course:
        """The results that count so far, the round in play included."""
        return course_of(self.tournament, running=True)
