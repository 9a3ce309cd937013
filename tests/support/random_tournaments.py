"""Tournaments with random requests: all services over an in-memory store, and tables without cards."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from random import Random
from typing import cast

from bot.clocks.clock import HOUR, MINUTE
from bot.store.engines.interface import EVERY_SERVER, Shards
from bot.store.store import Store
from bot.store.tournaments import (
    StoredTournament,
    TournamentChange,
    TournamentFault,
    TournamentOutline,
    TournamentPart,
    TournamentPerson,
    TournamentStep,
)
from bot.store.upkeep.unreadable_rows import UnreadableRows
from bot.tables.contest.table_results import ContestResult
from bot.tables.service import TableService
from bot.tables.state.contest import ContestTable
from bot.tables.state.shuffle import Dealer
from bot.tables.state.snapshots import Caller, Status
from bot.tournaments.alarm_timers import AlarmService
from bot.tournaments.core.repository import Step, TournamentRepository, TournamentRequest
from bot.tournaments.core.stored_forms import TournamentPersons, read_tournament
from bot.tournaments.counted_results import Deal
from bot.tournaments.desk.entries import DirectorEntries
from bot.tournaments.desk.service import DirectorService
from bot.tournaments.entering import EnteringService
from bot.tournaments.event import boards, matches
from bot.tournaments.event.match_state import MatchStage, MatchState, MatchTable, Result
from bot.tournaments.event.plan import Plan
from bot.tournaments.event.tournament import Stage, Tournament
from bot.tournaments.event.tournament_changes import require_guild
from bot.tournaments.export.service import ExportService
from bot.tournaments.overview import OverviewService
from bot.tournaments.results_from_tables import PlayingService
from bot.tournaments.rounds import RoundsService
from tests.support.clock import ManualClock

GUILD, CHANNEL, DIRECTOR = 1, 2, 99


@dataclass(slots=True)
class InMemoryStore:
    """The rows of one tournament in memory, with the interface of the real store."""

    change: TournamentChange | None = None
    parts: dict[tuple[str, int], TournamentPart] = field(default_factory=dict)
    persons: dict[int, TournamentPerson] = field(default_factory=dict)
    log: list[TournamentStep] = field(default_factory=list)
    secrets: dict[str, bytes] = field(default_factory=dict)
    set_aside: UnreadableRows = field(default_factory=UnreadableRows)

    @property
    def tournaments(self) -> InMemoryStore:
        return self

    @property
    def shards(self) -> Shards:
        return EVERY_SERVER

    @property
    def outbox(self) -> InMemoryStore:
        return self

    def notify_listener(self) -> None:
        """Do nothing: these tests have no outbox that would have to be told."""

    async def create(self, change: TournamentChange) -> int:
        await self.commit(change)
        return 1

    async def commit(self, change: TournamentChange) -> bool:
        self.change = change
        self.parts |= {(one.part, one.number): one for one in change.parts}
        for gone in change.gone:
            del self.parts[gone]
        self.persons |= {one.number: one for one in change.people}
        self.secrets |= {one.name: one.seed for one in change.secrets}
        self.log.append(change.step)
        return True

    async def load(self, tournament: int) -> StoredTournament | None:
        found = self.change
        if found is None or tournament != 1:
            return None
        return StoredTournament(
            id=1,
            guild=found.guild,
            channel=found.channel,
            version=found.version,
            snapshot=found.snapshot,
            parts=tuple(self.parts[one] for one in sorted(self.parts)),
        )

    async def people(self, _tournament: int) -> tuple[TournamentPerson, ...]:
        return tuple(self.persons[one] for one in sorted(self.persons))

    async def steps(self, _tournament: int, *, after: int = 0) -> tuple[TournamentStep, ...]:
        return tuple(one for one in self.log if one.version > after)

    async def tournament_of_request(self, request: int) -> int | None:
        return next((1 for one in self.log if one.request == request), None)

    async def faults(self, _tournament: int | None = None) -> tuple[TournamentFault, ...]:
        return ()

    async def outline(self, tournament: int) -> TournamentOutline:
        return TournamentOutline(id=tournament, guild=GUILD, channel=CHANNEL, name="Random", directors=(DIRECTOR,))

    async def set_fault(self, fault: TournamentFault, *_: object) -> None:
        raise AssertionError(f"{fault.what} failed")

    async def secret(self, _tournament: int, name: str) -> bytes | None:
        return self.secrets.get(name)


class SimulatedPlay:
    """Plays the matches of a tournament by inventing their results, with all consequences of each change."""

    def __init__(self, repository: TournamentRepository, rounds: RoundsService) -> None:
        self._repository = repository
        self._rounds = rounds

    async def change(self, number: int, asked: TournamentRequest, step: Step) -> Tournament:
        async def change_with_consequences(tournament: Tournament, now: int) -> Tournament:
            if asked.caller is not None:
                require_guild(tournament, asked.caller.guild)
            after = await step(tournament, now)
            return after if after is tournament else await self._rounds.with_consequences(tournament, after, now)

        return await self._repository.change(number, asked, change_with_consequences)

    async def table_result(self, table: int) -> ContestResult:
        return ContestResult(
            table=table,
            contest=ContestTable(tournament=1, match=table),
            status=Status.PLAYING,
            how=None,
            winner=None,
            last=None,
            deals=(),
            totals=(0, 0),
            thought=(table % 7, 3),
            finished_at=None,
            in_play=True,
        )

    async def begun_matches(self, tournament: Tournament) -> frozenset[int]:
        return frozenset(one.id for one in tournament.matches if one.tables and one.id % 2)

    async def boards_seen_by(self, _tournament: int, person: int) -> tuple[int, ...]:
        return (1,) if person % 2 else ()

    async def deal_in_play(self, _tournament: int, _match: int) -> int | None:
        return 1


Asked = Callable[[], Awaitable[object]]


class RandomTournament:
    """A tournament with its services, and random requests to it."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        self.clock = ManualClock()
        self.rows = InMemoryStore()
        self.absences: list[tuple[int, int]] = []
        self.repository = TournamentRepository(cast(Store, self.rows), self.clock, lambda: tuple(self.absences))
        rounds = RoundsService(self.repository, None)
        playing = cast(PlayingService, SimulatedPlay(self.repository, rounds))
        self.playing = playing
        self.overview = OverviewService(self.repository, rounds)
        self.entering = EnteringService(self.repository, playing, self.overview, Dealer())
        self.alarms = AlarmService(self.repository, rounds, playing, cast(TableService, None))
        self.alarms._player_to_move = self._no_player_to_move  # type: ignore[method-assign]  # tables that nobody plays at
        self.desk = DirectorService(rounds, playing)
        self.entries = DirectorEntries(rounds, playing)
        self.exports = ExportService(self.repository, rounds)
        self.requests = 0
        self.people: tuple[int, ...] = ()

    async def _no_player_to_move(self, table: int) -> int | None:
        del table
        return None

    def caller(self, person: int | None = None) -> Caller:
        self.requests += 1
        one = DIRECTOR if person is None else person
        return Caller(one, f"P{one}", GUILD, self.requests)

    async def tournament(self) -> Tournament:
        return await self.repository.tournament(1)

    async def stored_tournament(self) -> Tournament:
        """Return the tournament as it is read back from the store."""
        stored = await self.rows.load(1)
        assert stored is not None
        return read_tournament(stored, TournamentPersons(await self.rows.people(1)))

    async def publish(self, plan: Plan) -> None:
        await self.entering.create(self.caller(), channel=CHANNEL, plan=plan)
        await self.entering.publish(self.caller(), 1)

    async def enter(self, people: tuple[int, ...]) -> None:
        first, *others = people
        await self.entering.enter(self.caller(first), 1, partners={one: f"P{one}" for one in others})
        for one in others:
            await self.entering.answer_partner_invitation(self.caller(one), 1, yes=True)

    # --- tables ------------------------------------------------------------------------------------------------------

    async def open_table(self, match: MatchState) -> None:
        """Open the tables of a called match, one for each of its rooms."""
        rooms = boards.rooms_of(match)
        board = match.boards[0] if match.boards else None

        async def add_tables(tournament: Tournament, now: int) -> Tournament:
            for room in rooms:
                table = MatchTable(table=10 * match.id + room, board=board, room=room)
                tournament = matches.add_table(tournament, match=match.id, table=table, now=now)
                tournament = matches.record_turn(tournament, match=match.id, room=room, seat=4 * (room - 1), now=now)
            return tournament

        await self.playing.change(1, TournamentRequest("table"), add_tables)

    async def pass_turn(self, match: MatchState) -> None:
        seat = self.chance.randrange(len(match.seats))
        room = 2 if len(boards.rooms_of(match)) > 1 and seat >= 4 else 1

        async def record_turn(tournament: Tournament, now: int) -> Tournament:
            return matches.record_turn(tournament, match=match.id, room=room, seat=seat, now=now)

        await self.playing.change(1, TournamentRequest("arrive"), record_turn)

    async def end_match(self, match: MatchState) -> None:
        """End the tables of a match with an invented result."""
        sides, random = len(match.sides), self.chance
        lost = (random.randrange(sides),) if random.random() < 0.2 else ()
        numbers = match.boards or (1, 2)
        scores = [tuple(100 * random.randint(0, 3) for _ in range(sides)) for _ in numbers]
        deals = tuple(Deal(number=number, scores=one) for number, one in zip(numbers, scores, strict=True))
        best = [side for side in range(sides) if side not in lost]
        winner = random.choice(best) if best else None

        async def set_match_result(tournament: Tournament, now: int) -> Tournament:
            for board, one in zip(match.boards, scores, strict=False):
                for room in boards.rooms_of(match):
                    tournament = boards.record_board(
                        tournament, match=match.id, board=board, room=room, scores=one, now=now
                    )
            decided = winner if tournament.plan.traits.decisive or lost else None
            result = Result(deals=deals, forfeited=lost, winner=decided, finished_at=now)
            return matches.set_result(tournament, match=match.id, result=result)

        await self.playing.change(1, TournamentRequest("result"), set_match_result)

    # --- time --------------------------------------------------------------------------------------------------------

    async def ring_alarms(self) -> None:
        await self.alarms.fire_deadline(1, "tournament")

    async def pass_time(self, *, outage: bool = False) -> None:
        """Advance the clock to the next alarm or a little beyond it.

        With `outage`, the bot is offline meanwhile.
        """
        due = self.rows.change.due_at if self.rows.change is not None else None
        wait = self.chance.choice((MINUTE, 20 * MINUTE, 5 * HOUR))
        if due is not None and self.chance.random() < 0.8:
            wait = max(1, due - self.clock.now())
        if outage:
            self.absences.append((self.clock.now(), self.clock.now() + wait))
        self.clock.advance(wait)
        await self.ring_alarms()

    def random_match(self, tournament: Tournament, stage: MatchStage) -> MatchState | None:
        found = [one for one in tournament.matches if one.stage is stage and one.result is None and not one.voided]
        return self.chance.choice(found) if found and tournament.stage is Stage.RUNNING else None

    # --- anything ----------------------------------------------------------------------------------------------------

    def random_request(self, tournament: Tournament) -> Asked:
        """Return a random request, which may have wrong numbers or an old version."""
        random, d, e = self.chance, self.desk, self.entries
        person = random.choice((*self.people, 501, 502))
        others = random.sample(
            (*self.people, 501, 502, 503),
            min(2, tournament.plan.persons_entering_together - 1 + (random.random() < 0.2)),
        )
        entry = random.choice([one.number for one in tournament.entrants] or [0]) if random.random() < 0.9 else 77
        match = random.choice([one.id for one in tournament.matches] or [0]) if random.random() < 0.9 else 777
        sides = tuple(sorted(random.sample(range(2), random.randint(0, 2))))
        seen = random.choice((None, tournament.version, tournament.version, max(0, tournament.version - 3)))
        scores = tuple((100 * random.randint(0, 5),) * 2 for _ in range(random.randint(1, 2)))
        by, own = (self.caller(), {"expected_version": seen}) if random.random() < 0.9 else (self.caller(person), {})
        me = self.caller(person)
        regular = random.choice((501, 502, 503, 504))
        mine = tournament.entry_of(person)
        members = () if mine is None else mine.members
        lineup = random.sample(members, min(len(members), tournament.plan.entry_size))
        offered = random.choice([time.at for one in tournament.matches for time in one.times] or [0])
        given: list[Asked] = [
            lambda: self.entering.enter(me, 1, partners={one: f"P{one}" for one in others if one != person}),
            lambda: self.entering.answer_partner_invitation(me, 1, yes=random.random() < 0.7),
            lambda: self.entering.leave(me, 1),
            lambda: self.entering.withdraw_person(1, person),
            lambda: self.entering.skip_next_round(me, 1),
            lambda: self.entering.check_in(me, 1),
            lambda: self.entering.mark_arrived(person, 1, match),
            lambda: self.entering.challenge(me, 1, entry=entry),
            lambda: self.entering.answer_challenge(me, 1, yes=random.random() < 0.7),
            lambda: self.entering.call_director(me, 1, match),
            lambda: self.entering.ask_regular(me, 1, regular=random.choice((501, 502, 503, 504, person)), name="R"),
            lambda: self.entering.answer_regular_invitation(self.caller(regular), 1, yes=random.random() < 0.8),
            lambda: self.entering.set_lineup(me, 1, players=lineup),
            lambda: self.entering.take_over_seat(self.caller(regular), 1, match),
            lambda: self.entering.offer_times(
                me, 1, match, instants=[self.clock.now() + one * HOUR for one in (5, 29)]
            ),
            lambda: self.entering.accept_time(me, 1, match, at=offered),
            lambda: d.pause(by, 1, **own),
            lambda: d.resume(by, 1, **own),
            lambda: d.resume(by, 1),
            lambda: d.postpone(by, 1, amount=MINUTE, **own),
            lambda: d.announce(by, 1, text="Tea"),
            lambda: d.void_round(by, 1, reason="r", **own),
            lambda: d.call_round(by, 1, **own),
            lambda: d.pair_again(by, 1, **own),
            lambda: d.pair_by_hand(by, 1, tables=[(1, 2), (3, 4)], byes=[5] if random.random() < 0.5 else [], **own),
            lambda: d.wait_longer(by, 1, match, **own),
            lambda: d.extend_match(by, 1, match, amount=MINUTE, **own),
            lambda: d.substitute(by, 1, match, seat=random.randint(0, 4), person=person, name="S", **own),
            lambda: d.forfeit_match(by, 1, match, sides=sides, reason="r", **own),
            lambda: d.adjust_scores(by, 1, match, scores=scores, reason="r", **own),
            lambda: d.give_points(by, 1, match, points=(2, 0), winner=0, reason="r", **own),
            lambda: d.void_match(by, 1, match, reason="r", **own),
            lambda: d.adjust_board(by, 1, match, board=random.randint(1, 3), sides=sides, reason="r", **own),
            lambda: d.undo_ruling(
                by, 1, ruling=random.choice([one.number for one in tournament.rulings] or [0]), **own
            ),
            lambda: e.penalise_entry(by, 1, entry, category="late", level=random.randint(1, 5), reason="r", **own),
            lambda: e.remove_entry(by, 1, entry, **own),
            lambda: e.bring_back_entry(by, 1, entry, **own),
            lambda: e.set_start_order(by, 1, order=[entry], **own),
            lambda: e.set_rung(by, 1, entry, rung=random.randint(0, 4), reason="r", **own),
            lambda: e.answer_director_call(by, 1, random.randint(1, 2), text="no", **own),
            lambda: e.add_director(by, 1, person=person, name="D"),
            lambda: e.become_director(me, 1),
            lambda: d.reopen(by, 1, **own),
            lambda: d.close_ladder(by, 1),
            lambda: self.entering.unpublish(by, 1, **own),
            lambda: self.entering.publish(by, 1),
            lambda: self.entering.change_plan(by, 1, tournament.plan, **own),
            lambda: self.entering.check_in(me, 77),
            lambda: self.entering.mark_arrived(person, 1, 777),
        ]
        if random.random() < 0.01:
            return lambda: d.cancel(by, 1, reason="r", **own)
        return random.choice(given)
