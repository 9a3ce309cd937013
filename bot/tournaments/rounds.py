"""Rounds of tournaments: they are drawn, drawn again, completed and closed.

Drawing takes seconds where many are entered, so it is done beside the event loop. Nobody can change the tournament
meanwhile: a step has its lock, and what was drawn is not stored if the stored tournament is not the cached one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol, TypeAlias

from bot.clocks.clock import Spans
from bot.tournaments.core.changes import TournamentRepository
from bot.tournaments.event import boards, rounds, start
from bot.tournaments.event.course import course_of
from bot.tournaments.event.match_state import RoundDraw, RoundStage
from bot.tournaments.event.steps import active, taking_part, tell
from bot.tournaments.event.tournament import Stage, Tournament
from bot.tournaments.formats.by_kind import format_of
from bot.tournaments.seeded_draw import SeededDraw

Away: TypeAlias = Callable[[], Spans]
"""When the bot was away."""


class Ratings(Protocol):
    """What is known of players' strength, and where finished matches are told."""

    async def figures(self, persons: Sequence[int], tournament: Tournament) -> Mapping[int, float | None]:
        """The rating of each person in the tournament's ladder; None where there is none."""

    async def settle(self, tournament: Tournament) -> None:
        """Rate what is final and not rated yet, and take back what is void."""

    async def exported(self, tournament: Tournament) -> Mapping[str, Any]:
        """The log of the tournament's ratings, and how its persons stood before it, as data for JSON."""


class RoundsService:
    """Rounds from one to the next: what follows from a step of a tournament, before it is stored."""

    def __init__(self, repository: TournamentRepository, ratings: Ratings | None) -> None:
        self._repository = repository
        self.ratings = ratings

    def rate_with(self, ratings: Ratings) -> None:
        """Let seeds follow these ratings, and matches be told to them, from now on."""
        self.ratings = ratings

    async def lot(self, tournament: Tournament) -> SeededDraw:
        """What the tournament's chance is drawn from. Raises `LookupError` before entering has opened."""
        seed = await self._repository.store.tournaments.secret(tournament.id, "lot")
        if seed is None:
            raise LookupError(f"tournament {tournament.id} has no lot")
        return SeededDraw(seed)

    async def start(self, tournament: Tournament, now: int) -> Tournament:
        """Check-in is over: who is here plays, partners are drawn, the first round is drawn."""
        lot, of_kind = await self.lot(tournament), format_of(tournament)
        here = start.close_check_in(tournament, now=now)
        persons = tuple(person for one in here.entrants for person in one.people)
        figures = {} if self.ratings is None else await self.ratings.figures(persons, tournament)
        if here.plan.drawn:
            here = start.with_partners(here, lot, figures, now=now)
        entries = len(start.arrived(here))
        if entries < of_kind.least_entries(here.plan):
            closed = rounds.closed(here, lot=lot.seed.hex(), now=now)
            return tell(closed, "too_few", now, numbers={"entries": entries})
        begun = start.begin(here, lot, figures, rounds=of_kind.usual_rounds(here.plan, entries), now=now)
        after = await asyncio.to_thread(of_kind.started, begun, lot, now)
        if not after.plan.traits.has_rounds:
            return after
        drawing = await self._next_round(after)
        if drawing is None or not drawing.fixtures:
            return await self._closing(after, now)
        return _drawn(after, drawing, now=now, call_at=max(now, after.plan.starts_at))

    async def following(self, before: Tournament, after: Tournament, now: int) -> Tournament:
        """What follows from a change: what the format makes of it, a round drawn again, the end of a round."""
        if after.stage not in (Stage.RUNNING, Stage.CLOSING):
            return after
        after = await self.in_format(before, after, now)
        if after.stage is not Stage.RUNNING or not after.plan.traits.has_rounds:
            return after
        after = boards.opened(after, now)
        if _is_outdated(before, after):
            after = await self.redraw(after, now)
        while rounds.over(after):
            after = await self._completed(after, now)
        if rounds.winner_alone(after) is not None or not active(after):
            after = await self._cut_short(after, now)
        return after

    async def in_format(self, before: Tournament, after: Tournament, now: int) -> Tournament:
        """What the format alone makes of a change."""
        return await asyncio.to_thread(format_of(after).following, before, after, await self.lot(after), now)

    async def redraw(self, tournament: Tournament, now: int) -> Tournament:
        """The newest round drawn again; with nobody left to meet there is none."""
        before = await self.in_format(tournament, rounds.undrawn(tournament), now)
        drawing = None if len(active(before)) < 2 else await self._next_round(before)
        if drawing is None or not drawing.fixtures:
            return await self._closing(before, now)
        after = rounds.redrawn(replace(tournament, news=before.news), drawing, now=now)
        return replace(after, schedule=before.schedule[1:])

    async def _next_round(self, tournament: Tournament) -> RoundDraw | None:
        return await asyncio.to_thread(format_of(tournament).next_round, tournament, await self.lot(tournament))

    async def _completed(self, tournament: Tournament, now: int) -> Tournament:
        """The last result of the round is in: the next one is drawn, or all is played."""
        after = rounds.completed(tournament, now=now)
        drawing = None if len(active(after)) < 2 else await self._next_round(after)
        if drawing is None or not drawing.fixtures:
            return await self._closing(after, now)
        drawn = _drawn(after, drawing, now=now, call_at=now + after.plan.between)
        if all(one.forfeited for one in drawing.fixtures):  # nobody is there to be called
            return rounds.call(drawn, now=now)
        number = len(drawn.rounds)
        return tell(drawn, "next_round", now, numbers={"round": number, "until": now + after.plan.between})

    async def _cut_short(self, tournament: Tournament, now: int) -> Tournament:
        """Nobody is left to meet: what is open is over, and so is the tournament (8, cases 5 and 6)."""
        turn = tournament.current
        if turn is None or rounds.open_tables(tournament):
            return tournament
        if turn.stage is RoundStage.DRAWN:
            tournament = replace(tournament, rounds=tournament.rounds[:-1])
        return await self._closing(tournament, now) if tournament.stage is Stage.RUNNING else tournament

    async def _closing(self, tournament: Tournament, now: int) -> Tournament:
        """All is played; where no round ever was, it closes at once."""
        return rounds.closing(tournament) if tournament.rounds else await self.close(tournament, now)

    async def close(self, tournament: Tournament, now: int) -> Tournament:
        """The end, told to all; the lot is published."""
        lot = await self.lot(tournament)
        return tell(rounds.closed(tournament, lot=lot.seed.hex(), now=now), "closed", now)


def _drawn(tournament: Tournament, drawing: RoundDraw, *, now: int, call_at: int) -> Tournament:
    """The next round, drawn; where rounds are planned ahead it is the first of them."""
    drawn = rounds.drawn(tournament, drawing, now=now, call_at=call_at)
    return replace(drawn, schedule=drawn.schedule[1:])


def _is_outdated(before: Tournament, after: Tournament) -> bool:
    """Whether a round is drawn, and what it was drawn from has changed.

    What a director paired stands while the same entries take part.
    """
    turn = after.current
    if turn is None or turn.stage is not RoundStage.DRAWN or len(before.rounds) != len(after.rounds):
        return False
    others = taking_part(before) != taking_part(after)
    return others or (not turn.by_hand and course_of(before) != course_of(after))
