"""The part of the tournament service that keeps rounds and tables going: what follows from every change.

A change of a tournament is stored first; then its tables are brought into line with it (`_settle`), which can be done
again and again: at the next start of the bot whatever was left undone is done.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, Protocol, TypeAlias

from bot.clocks.clock import Clock
from bot.clocks.spans import Spans
from bot.store.errors import StoreError
from bot.store.protocol import Store
from bot.tables.contest.outcomes import ContestResult
from bot.tables.looks import Changed, Status
from bot.tables.refusals import TableRefusal
from bot.tables.service import TableService
from bot.tournaments.book import Asked, Book, Step
from bot.tournaments.course import Kind
from bot.tournaments.event import boards, check_in, laddering, matches, mending, rounds, starting
from bot.tournaments.event.course_of import course_of
from bot.tournaments.event.drawing import next_round, planned
from bot.tournaments.event.refusals import TournamentCode, TournamentRefusal
from bot.tournaments.event.results import result_of, still_equal
from bot.tournaments.event.steps import LIVE, active, tell
from bot.tournaments.event.values import (
    Audience,
    Contest,
    Drawing,
    MatchStage,
    RoundStage,
    Stage,
    TableOf,
    Tournament,
)
from bot.tournaments.lot import Lot
from bot.tournaments.tables import TablesOf

Away: TypeAlias = Callable[[], Spans]
"""When the bot was away."""

LARGE: Final = 40
"""Rounds of more entries are drawn beside the event loop."""

logger = logging.getLogger(__name__)


class Ratings(Protocol):
    """What is known of players' strength, and where finished matches are told."""

    async def figures(self, persons: Sequence[int], tournament: Tournament) -> Mapping[int, float | None]:
        """The rating of each person in the tournament's ladder; None where there is none."""

    async def settle(self, tournament: Tournament) -> None:
        """Rate what is final and not rated yet, and take back what is void."""

    async def exported(self, tournament: Tournament) -> Mapping[str, Any]:
        """The log of the tournament's ratings, and how its persons stood before it, as data for JSON."""


class PlayingService:
    """Rounds, their tables, and results. One lock a tournament orders what is done at its tables."""

    def __init__(
        self, store: Store, clock: Clock, tables: TableService, *, away: Away, ratings: Ratings | None
    ) -> None:
        self._book = Book(store, clock, away)
        self._tables = tables
        self._ratings = ratings
        self._running: set[asyncio.Task[Any]] = set()
        self._settling: dict[int, asyncio.Lock] = {}
        self._over: dict[int, ContestResult] = {}
        self._to_settle: set[int] = set()
        self._at_tables = TablesOf(tables, store)
        self.subscribe = self._book.subscribe
        tables.subscribe(self._heard)

    def rate_with(self, ratings: Ratings) -> None:
        """Let seeds follow these ratings, and matches be told to them, from now on."""
        self._ratings = ratings

    async def finish(self) -> None:
        """Wait until everything begun is done."""
        while self._running:
            await asyncio.wait(self._running)

    def forget(self, person: int) -> None:
        """Remember nobody's name: somebody is to be forgotten."""
        self._book.forget(person)
        self._over.clear()

    def _begin(self, work: Coroutine[Any, Any, object], what: str) -> None:
        async def besides() -> None:
            try:
                await work
            except StoreError:
                raise
            except Exception:
                logger.exception("%s failed", what)

        task = asyncio.ensure_future(besides())
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    def _of_guild(self, found: Tournament, guild: int | None) -> Tournament:
        if guild is not None and found.guild != guild:
            raise TournamentRefusal(TournamentCode.UNKNOWN_TOURNAMENT, {"tournament": found.id})
        return found

    # --- changing ----------------------------------------------------------------------------------------------------

    async def _change(self, number: int, asked: Asked, step: Step) -> Tournament:
        """Take a step, with all that follows from it at once; its tables follow once it is stored."""

        async def complete(found: Tournament, now: int) -> Tournament:
            if asked.caller is not None:
                self._of_guild(found, asked.caller.guild)
            after = await step(found, now)
            return after if after is found else await self._following(found, after, now)

        done = await self._book.change(number, asked, complete)
        self._begin(self._settle(number), "bringing tables into line")
        return done

    async def _following(self, before: Tournament, after: Tournament, now: int) -> Tournament:
        """What follows from a change: a drawn round drawn anew, plans made anew, the end of a round."""
        if after.stage is not Stage.RUNNING:
            return after
        if after.plan.kind is Kind.LADDER:
            return laddering.synced(after, now=now)
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
        return await self._replanned(after, now) if others and after.plan.kind is Kind.INDIVIDUAL else after

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
        if after.plan.kind is Kind.INDIVIDUAL:
            drawn = replace(drawn, schedule=drawn.schedule[1:])
        if all(one.forfeited for one in drawing.fixtures):  # nobody is there to be called
            return rounds.call(drawn, now=now)
        number = len(drawn.rounds)
        return tell(drawn, "next_round", now, numbers={"round": number, "until": now + after.plan.between})

    async def _drawing(self, tournament: Tournament) -> Drawing | None:
        lot = await self._lot(tournament)
        if len(tournament.entrants) < LARGE:
            return next_round(tournament, lot)
        return await asyncio.to_thread(next_round, tournament, lot)

    async def _redrawn(self, tournament: Tournament, now: int) -> Tournament:
        """The newest round drawn anew; with nobody left to meet there is none."""
        before = rounds.undrawn(tournament)
        if tournament.plan.kind is Kind.INDIVIDUAL:
            before = await self._replanned(before, now)
        drawing = None if len(active(before)) < 2 else await self._drawing(before)
        if drawing is None or not drawing.fixtures:
            return await self._closing(before, now)
        after = rounds.redrawn(replace(tournament, news=before.news), drawing, now=now)
        return replace(after, schedule=before.schedule[1:])

    async def _replanned(self, tournament: Tournament, now: int) -> Tournament:
        """The rounds to come planned anew, as little as can be; only those who are concerned are told (1.4)."""
        before, after = tournament.schedule, planned(tournament, await self._lot(tournament))
        changed = starting.concerned(before, after)
        persons = tuple(person for one in active(tournament) if one.number in changed for person in one.people)
        planned_anew = replace(tournament, schedule=after)
        if not persons:
            return planned_anew
        return tell(planned_anew, "planned_anew", now, audience=Audience.PERSONS, persons=persons)

    async def _mended(self, tournament: Tournament, now: int) -> Tournament:
        """A bracket after a ruling: who should not have gone on does not, and who should is called."""
        return mending.mended(tournament, await self._lot(tournament), now=now)

    async def _lot(self, tournament: Tournament) -> Lot:
        seed = await self._book.store.tournament_secret(tournament.id, "lot")
        if seed is None:
            raise LookupError(f"tournament {tournament.id} has no lot")
        return Lot(seed)

    async def _start(self, tournament: Tournament, now: int) -> Tournament:
        """Check-in is over: who is here plays, partners are drawn, the first round is drawn."""
        lot = await self._lot(tournament)
        if tournament.plan.kind is Kind.LADDER:
            tournament = laddering.all_here(tournament)
        here = check_in.close(tournament, now=now)
        persons = tuple(person for one in here.entrants for person in one.people)
        figures = {} if self._ratings is None else await self._ratings.figures(persons, tournament)
        after = starting.started(here, lot, figures, now=now)
        if after.stage is not Stage.RUNNING:
            return after
        if after.plan.kind is Kind.LADDER:
            return laddering.started(after, now=now)
        if after.plan.kind is Kind.INDIVIDUAL:
            after = replace(after, schedule=planned(after, lot))
        drawing = await self._drawing(after)
        if drawing is None or not drawing.fixtures:
            return await self._closing(after, now)
        drawn = rounds.drawn(after, drawing, now=now, call_at=max(now, after.plan.starts_at))
        if after.plan.kind is not Kind.INDIVIDUAL:
            return drawn
        return tell(replace(drawn, schedule=drawn.schedule[1:]), "partners_planned", now)

    # --- tables ------------------------------------------------------------------------------------------------------

    async def place(self, tournament: int, match: int, place: int, *, room: int = 1) -> Tournament:
        """The table of a match, in that room, is to be in that thread, or channel; it is made now.

        Refusal: no_such_match.
        """

        async def step(found: Tournament, _now: int) -> Tournament:
            return matches.placed(found, match=match, place=place, room=room)

        return await self._change(tournament, Asked("place", None, {"match": match}), step)

    async def settle_all(self) -> None:
        """Account for the time away, and bring all tables into line, those of tournaments that are over too.

        Done after a start: whatever was left undone when the bot ended is done now.
        """
        open_, over = (*LIVE, Stage.CLOSING), (Stage.CLOSED, Stage.CANCELLED)
        for number in await self._book.store.tournaments_with([one.value for one in open_]):
            self._begin(self._back(number), "coming back to a tournament")
        for number in await self._book.store.tournaments_with([one.value for one in over]):
            rows = await self._tables.contest_tables(number)
            if any(row.status in (Status.LOBBY, Status.PLAYING) for row in rows):
                self._begin(self._settle(number), "bringing tables into line")

    async def _back(self, number: int) -> None:
        async def step(found: Tournament, _now: int) -> Tournament:
            return found

        if (await self._book.tournament(number)).stage in LIVE:
            await self._book.change(number, Asked("back"), step)
        await self._settle(number, thoroughly=True)

    async def _settle(self, number: int, *, thoroughly: bool = False) -> None:
        """Make what tables lack, and end, stop or open those for which the tournament has gone on."""
        if number in self._to_settle and not thoroughly:
            return  # whoever waits for its turn will see this change too
        self._to_settle.add(number)
        lock = self._settling.setdefault(number, asyncio.Lock())
        async with lock:
            self._to_settle.discard(number)
            tournament = await self._book.tournament(number)
            for match, table in await self._at_tables.settled(tournament):
                await self._note_table(number, match, table)
            if thoroughly:
                for row in await self._tables.contest_tables(number):
                    if row.status in (Status.FINISHED, Status.CLOSED):
                        await self._result(number, row.match, row.table)
            if self._ratings is not None:
                await self._ratings.settle(await self._book.tournament(number))

    async def _note_table(self, number: int, match: int, table: TableOf) -> None:
        async def step(found: Tournament, now: int) -> Tournament:
            known = any(one.table == table.table for one in found.match(match).tables)
            return found if known else matches.opened(found, match=match, table=table, now=now)

        await self._book.change(number, Asked("table", None, {"match": match, "table": table.table}), step)

    def _heard(self, changed: Changed) -> None:
        """Listener of the tables: somebody has moved, or a game is over."""
        if changed.contest is not None:
            tournament, match = changed.contest
            self._begin(self._table_changed(tournament, match, changed.table), "hearing of a table")

    async def _table_changed(self, number: int, match: int, table: int) -> None:
        try:
            tournament = await self._book.tournament(number)
            found = tournament.match(match)
        except (TournamentRefusal, KeyError):
            return
        look = await self._tables.look(table)
        if look.status in (Status.FINISHED, Status.CLOSED):
            await self._result(number, match, table)
        elif found.stage is MatchStage.PLAYING and matches.absent(found):
            await self._arrivals(number, found, table)

    async def _arrivals(self, number: int, match: Contest, table: int) -> None:
        rows = await self._book.store.actions(table)
        came = {row.person for row in rows if row.person is not None} & set(matches.absent(match))
        if came:

            async def step(found: Tournament, _now: int) -> Tournament:
                for person in came:
                    found = matches.arrived(found, match=match.id, person=person)
                return found

            await self._book.change(number, Asked("arrive", None, {"match": match.id}), step)

    async def _result(self, number: int, match: int, table: int) -> None:
        """A table is over: the match has a result, or goes on at another table."""
        found = (await self._book.tournament(number)).match(match)
        if found.result is not None or found.voided:
            return
        outcome = await self._outcome(table)
        others = [await self._outcome(one.table) for one in found.tables if one.table != table]

        async def step(now_found: Tournament, now: int) -> Tournament:
            return self._with_result(now_found, match, (*others, outcome), now)

        await self._change(number, Asked("result", None, {"match": match, "table": table}), step)

    async def _outcome(self, table: int) -> ContestResult:
        return await self._tables.contest_result(table)

    def _with_result(
        self, tournament: Tournament, match: int, outcomes: Sequence[ContestResult], now: int
    ) -> Tournament:
        found = tournament.match(match)
        if found.result is not None or found.voided or tournament.stage is not Stage.RUNNING:
            return tournament
        after = tournament
        for one in outcomes:
            board = one.contest.board
            if board is not None and one.how == "played":
                room = next((table.room for table in found.tables if table.table == one.table), 1)
                after = boards.played(after, match=match, board=board.number, room=room, scores=one.totals, now=now)
        result = result_of(after, after.match(match), outcomes, now=now)
        if result is None:
            return after
        if still_equal(after, result):
            return replace(
                after,
                matches=tuple(
                    replace(one, further=one.further + 1) if one.id == match and _all_over(one, outcomes) else one
                    for one in after.matches
                ),
            )
        return matches.told_forfeit(matches.finished(after, match=match, result=result), match=match, now=now)

    async def _deal_in_play(self, tournament: int, match: int) -> int | None:
        """The deal that is played at the newest table of a match."""
        found = (await self._book.tournament(tournament)).matches
        tables = next((one.tables for one in found if one.id == match), ())
        if not tables:
            return None
        look = await self._tables.look(tables[-1].table)
        return None if look.view is None else look.view.deal

    async def _played(self, tournament: int) -> frozenset[int]:
        """The matches of the newest round in which somebody has made a move."""
        found = await self._book.tournament(tournament)
        turn = found.current
        played = set()
        for match in () if turn is None else found.matches_of(turn.number):
            for one in match.tables:
                rows = await self._book.store.actions(one.table)
                if match.boards or any(row.seat is not None for row in rows):  # a board is known once it is dealt
                    played.add(match.id)
        return frozenset(played)

    async def _boards_known(self, tournament: int, person: int) -> tuple[int, ...]:
        """The boards of which the person has seen a card."""
        found = await self._book.tournament(tournament)
        known = set()
        for match in found.matches:
            for one in match.tables:
                if one.board is not None and person in await self._seen(one.table):
                    known.add(one.board)
        return tuple(sorted(known))

    async def _seen(self, table: int) -> frozenset[int]:
        try:
            return await self._tables.contest_seen(table)
        except TableRefusal:
            return frozenset()

    async def course(self, tournament: int) -> object:
        """What counts so far, the round in play included."""
        return course_of(await self._book.tournament(tournament), running=True)


def _inside(tournament: Tournament) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """The entries that play on, and the rounds that each of them announced to miss."""
    return tuple((one.number, one.sits_out) for one in active(tournament))


def _all_over(match: Contest, outcomes: Sequence[ContestResult]) -> bool:
    """Whether every table that equal sides were given has been played."""
    return len(match.tables) == len(outcomes) == match.further + 1


def _others_meet(before: Tournament, after: Tournament) -> bool:
    """Whether what a draw follows from has changed."""
    if len(before.rounds) != len(after.rounds):
        return False
    return _inside(before) != _inside(after) or course_of(before) != course_of(after)
