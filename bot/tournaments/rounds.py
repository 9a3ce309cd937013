"""The part of the tournament service that keeps rounds going: they are drawn, planned, mended, completed and closed.

Drawing takes seconds where many are entered, so it is done beside the event loop. Nobody can change the tournament
meanwhile: a step has its lock, and what was drawn is not stored if the stored tournament is not the cached one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol, TypeAlias

from bot.clocks.clock import Clock, Spans
from bot.store.store import Store
from bot.tournaments.core.changes import TournamentRepository
from bot.tournaments.course import FormatKind
from bot.tournaments.event import boards, rounds, start
from bot.tournaments.event.course import course_of
from bot.tournaments.event.match_state import RoundDraw, RoundStage
from bot.tournaments.event.steps import active, tell
from bot.tournaments.event.tournament import Audience, Stage, Tournament
from bot.tournaments.formats import elimination, ladder
from bot.tournaments.formats.format import next_round, planned
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

    def __init__(self, store: Store, clock: Clock, *, away: Away, ratings: Ratings | None) -> None:
        self._book = TournamentRepository(store, clock, away)
        self._ratings = ratings

    def rate_with(self, ratings: Ratings) -> None:
        """Let seeds follow these ratings, and matches be told to them, from now on."""
        self._ratings = ratings

    async def _following(self, before: Tournament, after: Tournament, now: int) -> Tournament:
        """What follows from a change: a drawn round drawn anew, plans made anew, the end of a round."""
        if after.stage is not Stage.RUNNING:
            return after
        if after.plan.kind is FormatKind.LADDER:
            return ladder.synced(after, now=now)
        after = boards.opened(after, now)
        after = await self._drawn_anew(before, after, now)
        while rounds.over(after):
            after = await self._completed(after, now)
        if rounds.winner_alone(after) is not None or not active(after):
            after = await self._cut_short(after, now)
        return after

    async def _drawn_anew(self, before: Tournament, after: Tournament, now: int) -> Tournament:
        """A round that is drawn, or planned ahead, follows what has changed; one that was called stays."""
        turn, others = after.current, _inside(before) != _inside(after)
        if turn is None:
            return after
        if turn.stage is RoundStage.DRAWN:
            stands = turn.by_hand and not others  # what a director paired, while it can
            return await self._redrawn(after, now) if _others_meet(before, after) and not stands else after
        return await self._replanned(after, now) if others and after.plan.kind is FormatKind.INDIVIDUAL else after

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
        if tournament.rounds:
            return rounds.closing(tournament)
        lot = await self._lot(tournament)
        return tell(rounds.closed(tournament, lot=lot.seed.hex(), now=now), "closed", now)

    async def _completed(self, tournament: Tournament, now: int) -> Tournament:
        """The last result of the round is in: the next one is drawn, or all is played."""
        after = rounds.completed(tournament, now=now)
        drawing = None if len(active(after)) < 2 else await self._drawing(after)
        if drawing is None or not drawing.fixtures:
            return await self._closing(after, now)
        drawn = rounds.drawn(after, drawing, now=now, call_at=now + after.plan.between)
        if after.plan.kind is FormatKind.INDIVIDUAL:
            drawn = replace(drawn, schedule=drawn.schedule[1:])
        if all(one.forfeited for one in drawing.fixtures):  # nobody is there to be called
            return rounds.call(drawn, now=now)
        number = len(drawn.rounds)
        return tell(drawn, "next_round", now, numbers={"round": number, "until": now + after.plan.between})

    async def _drawing(self, tournament: Tournament) -> RoundDraw | None:
        return await asyncio.to_thread(next_round, tournament, await self._lot(tournament))

    async def _planned(self, tournament: Tournament) -> tuple[RoundDraw, ...]:
        return await asyncio.to_thread(planned, tournament, await self._lot(tournament))

    async def _redrawn(self, tournament: Tournament, now: int) -> Tournament:
        """The newest round drawn anew; with nobody left to meet there is none."""
        before = rounds.undrawn(tournament)
        if tournament.plan.kind is FormatKind.INDIVIDUAL:
            before = await self._replanned(before, now)
        drawing = None if len(active(before)) < 2 else await self._drawing(before)
        if drawing is None or not drawing.fixtures:
            return await self._closing(before, now)
        after = rounds.redrawn(replace(tournament, news=before.news), drawing, now=now)
        return replace(after, schedule=before.schedule[1:])

    async def _replanned(self, tournament: Tournament, now: int) -> Tournament:
        """The rounds to come planned anew, as little as can be; only those who are concerned are told (1.4)."""
        before, after = tournament.schedule, await self._planned(tournament)
        changed = start.concerned(before, after)
        persons = tuple(person for one in active(tournament) if one.number in changed for person in one.people)
        planned_anew = replace(tournament, schedule=after)
        if not persons:
            return planned_anew
        return tell(planned_anew, "planned_anew", now, audience=Audience.PERSONS, persons=persons)

    async def _mended(self, tournament: Tournament, now: int) -> Tournament:
        """A bracket after a ruling: who should not have gone on does not, and who should is called."""
        return elimination.mended(tournament, await self._lot(tournament), now=now)

    async def _lot(self, tournament: Tournament) -> SeededDraw:
        seed = await self._book.store.tournaments.secret(tournament.id, "lot")
        if seed is None:
            raise LookupError(f"tournament {tournament.id} has no lot")
        return SeededDraw(seed)

    async def _start(self, tournament: Tournament, now: int) -> Tournament:
        """Check-in is over: who is here plays, partners are drawn, the first round is drawn."""
        lot = await self._lot(tournament)
        if tournament.plan.kind is FormatKind.LADDER:
            tournament = ladder.all_here(tournament)
        here = start.close(tournament, now=now)
        persons = tuple(person for one in here.entrants for person in one.people)
        figures = {} if self._ratings is None else await self._ratings.figures(persons, tournament)
        after = start.started_event(here, lot, figures, now=now)
        if after.stage is not Stage.RUNNING:
            return after
        if after.plan.kind is FormatKind.LADDER:
            return ladder.started(after, now=now)
        if after.plan.kind is FormatKind.INDIVIDUAL:
            after = replace(after, schedule=await self._planned(after))
        drawing = await self._drawing(after)
        if drawing is None or not drawing.fixtures:
            return await self._closing(after, now)
        drawn = rounds.drawn(after, drawing, now=now, call_at=max(now, after.plan.starts_at))
        if after.plan.kind is not FormatKind.INDIVIDUAL:
            return drawn
        return tell(replace(drawn, schedule=drawn.schedule[1:]), "partners_planned", now)


def _inside(tournament: Tournament) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """The entries that play on, and the rounds that each of them announced to miss."""
    return tuple((one.number, one.sits_out) for one in active(tournament))


def _others_meet(before: Tournament, after: Tournament) -> bool:
    """Whether what a draw follows from has changed."""
    if len(before.rounds) != len(after.rounds):
        return False
    return _inside(before) != _inside(after) or course_of(before) != course_of(after)
