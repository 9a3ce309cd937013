"""What an export is made from: the tournament with what stands apart from it, as far as it may be published."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bot.tournaments.brackets.bracket import Bracket
from bot.tournaments.course import Course
from bot.tournaments.event.course import course_of
from bot.tournaments.event.tournament import Tournament
from bot.tournaments.formats.ranking import Ranking


@dataclass(frozen=True, slots=True, kw_only=True)
class LogLine:
    """One row of a tournament's log: when, what by name, with its values; `by` is a person, None for the clock."""

    at: int
    kind: str
    by: int | None = None
    detail: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """A tournament and what is exported with it.

    `ranking` are the places of now. `seeds` are those of boards that are open, by number, in hexadecimal digits.
    `bracket` is there where one is played. `ratings` is the log of ratings as it is exported, `ladder` the name of what
    its matches are rated in; both are None where nobody rates.
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
        """What counts so far, the round in play included."""
        return course_of(self.tournament, running=True)
