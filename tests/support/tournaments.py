"""An evening of tournaments: a service on a real file, people who enter and play, a manual clock."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.clocks.clock import HOUR, MINUTE, SECOND
from bot.clocks.scheduler import Scheduler
from bot.computer.player import player_for
from bot.engine.moves.actions import Discard, Draw
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.sets import rule_set
from bot.outbox import Outbox, PromiseKind
from bot.store.outbox import RATE, OutboxRow
from bot.tables.core.rules_thread import Answer, RulesThread
from bot.tables.state.clocks import DEFAULT_LEVEL
from bot.tables.state.shuffle import Dealer
from bot.tables.state.snapshots import Caller, Status
from bot.tournaments.event.boards import rooms_of
from bot.tournaments.event.counted_results import course_of
from bot.tournaments.event.match_state import MatchStage, MatchState, RoundStage
from bot.tournaments.event.plan import Plan
from bot.tournaments.event.refusals import TournamentCode, TournamentRefusal
from bot.tournaments.event.tournament import Stage, Tournament
from bot.tournaments.format_traits import FormatKind
from bot.tournaments.formats.by_kind import format_of
from bot.tournaments.formats.format import Format
from bot.tournaments.rounds import Ratings
from bot.tournaments.service import TournamentService
from bot.tournaments.standings.rows import standings
from tests.support.clock import ManualClock
from tests.support.tables import CHANNEL, GUILD, World, open_world

DIRECTOR = 9_000
PLAYER = player_for(DEFAULT_LEVEL, seed=1)


PACK = 54
"""Cards of one pack with its jokers, of which deals of tournaments are made here."""


def one_round_rules(rules: RuleSet | None = None) -> RuleSet:
    """Return rules under which a deal ends after about one round, as nearly all cards are dealt."""
    return _shorten_rules(rules or rule_set("classic", 4), left=5)


def one_turn_rules(rules: RuleSet | None = None) -> RuleSet:
    """Return rules under which a deal ends with its first turn, so that the dealt cards decide it."""
    return _shorten_rules(rules or rule_set("classic", 4), left=1)


def rules_with_endless_deals() -> RuleSet:
    """Return rules under which melding ends a deal soon, but merely drawing and discarding never does."""
    return replace(rule_set("classic", 4), hand_size=4, out_canastas=0, open_table=((None, 15),))


def _shorten_rules(rules: RuleSet, *, left: int) -> RuleSet:
    """Return the rules with one pack, dealt so that at least `left` cards stay in the stock.

    An empty stock ends the deal at once.
    """
    hands = (PACK - 1 - left) // rules.players
    return replace(rules, decks=1, hand_size=hands, open_table=((None, 15),), stock_end="stop")


def usual_plan(name: str = "Friday cup", **chosen: Any) -> Plan:
    """Return the usual plan of these tests: pairs, four-handed classic, one deal a match.

    `chosen` replaces fields of it. A deal is over at once, except for boards: there the results of the same cards are
    compared.
    """
    rules = one_round_rules() if chosen.get("kind") is FormatKind.DUPLICATE else one_turn_rules()
    usual: dict[str, Any] = {"kind": FormatKind.SWISS, "rules": rules, "deals": 1, "places": 64, "rated": False}
    return Plan(name=name, **{**usual, **chosen})


Comes = Callable[[int], bool]
"""Returns whether a person comes to the table to which they are called."""


@dataclass(slots=True)
class Evening:
    """People and their tournaments, with the tournament service and the table service that serve them."""

    world: World
    events: TournamentService
    clock: ManualClock
    scheduler: Scheduler
    outbox: Outbox
    chance: Random = field(default_factory=lambda: Random(4))

    def caller(self, person: int) -> Caller:
        return Caller(person, f"P{person}", GUILD, next(self.world.requests))

    @property
    def director(self) -> Caller:
        return self.caller(DIRECTOR)

    async def make_draft(self, plan: Plan) -> Tournament:
        """Create a tournament that is not published yet, and return it.

        It starts in two hours, unless the plan says when.
        """
        if plan.starts_at == 0:
            plan = replace(plan, starts_at=self.clock.now() + 2 * HOUR)
        return await self.events.entering.create(self.director, channel=CHANNEL, plan=plan)

    async def publish(self, plan: Plan) -> Tournament:
        """Create and publish a tournament that people can enter, and return it."""
        return await self.events.entering.publish(self.director, (await self.make_draft(plan)).id)

    async def enter(self, tournament: int, people: Sequence[int]) -> None:
        """Enter the first person with the others as one entry, and let the others accept."""
        first, *others = people
        names = {one: f"P{one}" for one in others}
        await self.events.entering.enter(self.caller(first), tournament, partners=names)
        for one in others:
            await self.events.entering.answer_partner_invitation(self.caller(one), tournament, yes=True)

    async def check_in(self, tournament: int, people: Iterable[int]) -> None:
        for one in people:
            await self.events.entering.check_in(self.caller(one), tournament)

    async def begin_tournament(
        self, plan: Plan, entries: Sequence[Sequence[int]], *, missing: Sequence[int] = ()
    ) -> int:
        """Start a tournament with these entries, draw its first round, and return its number.

        Persons in `missing` do not check in.
        """
        number = (await self.publish(plan)).id
        for people in entries:
            await self.enter(number, people)
        view = await self.events.overview.get_tournament(number)
        await self.advance_to(view.plan.starts_at - view.plan.check_in_from)
        await self.check_in(number, [one for people in entries for one in people if one not in missing])
        await self.advance_to(view.plan.starts_at - view.plan.check_in_until)
        return number

    async def begin_round(self, plan: Plan, entries: Sequence[Sequence[int]]) -> int:
        """Start a tournament with these entries, call its first round, and return its number.

        Every match has a table.
        """
        number = await self.begin_tournament(plan, entries)
        await self.call_next_round(number)
        return number

    async def call_next_round(self, tournament: int) -> Tournament:
        """Let time pass until the drawn round is called, open its tables, and return the tournament."""
        turn = (await self.events.overview.get_tournament(tournament)).current_round
        assert turn is not None
        await self.advance_to(turn.call_at)
        await self.give_matches_channels(tournament)
        return await self.events.overview.get_tournament(tournament)

    async def play_match(self, tournament: int, match: int) -> Tournament:
        """Play a called match to its end with all its deals and boards; return the tournament."""
        while True:
            match_state = (await self.events.overview.get_tournament(tournament)).match(match)
            if match_state.result is not None or not await self._play_tables(tournament, match_state, lambda _: True):
                return await self.events.overview.get_tournament(tournament)
            await self.wait_until_idle()

    async def play_called_matches(self, tournament: int) -> Tournament:
        """Play all called matches, and return the tournament."""
        await self.wait_until_idle()
        for match in (await self.events.overview.get_tournament(tournament)).matches:
            if match.result is None and match.tables and not match.voided:
                await self.play_match(tournament, match.id)
        return await self.events.overview.get_tournament(tournament)

    # --- time --------------------------------------------------------------------------------------------------------

    async def advance_to(self, instant: int) -> None:
        """Advance the clock to that instant, ringing every alarm on the way."""
        await self.ring_alarms()
        while self.clock.now() < instant:
            waits = (await self.events.alarms.next_due_at(), await self.world.store.times.next_due_at(), instant)
            coming = min(one for one in waits if one is not None)
            self.clock.advance(max(min(coming, instant) - self.clock.now(), 1))
            await self.ring_alarms()

    async def pass_time(self, milliseconds: int) -> None:
        await self.advance_to(self.clock.now() + milliseconds)

    async def ring_alarms(self) -> None:
        """Ring the alarms that are due at tournaments and tables now."""
        await self.scheduler.fire_due()
        now = self.clock.now()
        for timer in await self.events.alarms.due_timers(now, 100):
            await self.events.alarms.fire_deadline(timer.table, timer.kind)
        await self.wait_until_idle()

    async def wait_until_idle(self) -> None:
        """Wait until all background work is done."""
        await self.world.service.finish()
        await self.events.playing.finish()
        if self.events.rounds.ratings is not None:
            await self.outbox.carry_out_due_effects()

    # --- playing -----------------------------------------------------------------------------------------------------

    async def give_matches_channels(self, tournament: int) -> None:
        """Give every called match a channel, as the bot does with threads."""
        view = await self.events.overview.get_tournament(tournament)
        for match in view.matches:
            if match.stage is MatchStage.CALLED and match.place is None and not match.voided:
                for room in rooms_of(match):
                    await self.events.playing.set_match_channel(tournament, match.id, CHANNEL, room=room)
        await self.wait_until_idle()

    async def play_round(self, tournament: int, *, comes: Comes = lambda _: True) -> Tournament:
        """Play the next round to its last result, and return the tournament.

        Where a player is absent, time passes until the match is decided.
        """
        view = await self.events.overview.get_tournament(tournament)
        turn = view.current_round
        assert turn is not None
        await self.advance_to(turn.call_at)
        await self.give_matches_channels(tournament)
        while True:
            view = await self.events.overview.get_tournament(tournament)
            current = view.current_round
            assert current is not None
            if view.stage is not Stage.RUNNING or current.number > turn.number:
                return view
            played = False
            for match in view.matches_of(turn.number):
                played |= await self._play_tables(tournament, match, comes)
            await self.wait_until_idle()
            await self.give_matches_channels(tournament)
            if not played:
                due = await self.events.alarms.next_due_at()
                assert due is not None, "nothing moves any more"
                await self.advance_to(max(due, self.clock.now() + SECOND))

    async def _play_tables(self, tournament: int, match: MatchState, comes: Comes) -> bool:
        """Play the match's tables to their end, and return whether any was played.

        If a player is absent, none is; the others are only marked as arrived.
        """
        if match.result is not None or not match.tables:
            return False
        if not all(comes(one or 0) for one in match.seats):
            for person in match.seats:
                if person is not None and person not in match.arrived and comes(person):
                    await self.events.entering.mark_arrived(person, tournament, match.id)
            return False
        played = False
        for one in match.tables:
            view = await self.world.service.reading.snapshot(one.table)
            if view.status is Status.PLAYING:
                await self.play_table(one.table)
                played = True
        return played

    async def play_table(self, table: int) -> None:
        """Play a table to its end; everyone plays as a computer player."""
        await self.wait_until_idle()  # the arrival of the last player still changes the table
        while True:
            view = await self.world.service.reading.snapshot(table)
            if view.status is not Status.PLAYING:
                return
            assert view.view is not None
            if view.view.actor is None:
                await self.world.service.play.begin_next_deal(self.caller(view.persons[0]), table)
                continue
            await self.take_step(table)

    async def take_step(self, table: int) -> None:
        """Let the player in turn act as a computer player."""
        snapshot, seat, view = await self.world.current_turn(table)
        step = PLAYER.choose(view).step
        person = snapshot.seats[seat].person
        if person is None:
            await self.world.service.play.act_for_computer(table, seat, step, expected_version=snapshot.version)
        else:
            await self.world.service.play.act(self.caller(person), table, step, expected_version=snapshot.version)

    async def play_idle_turn(self, table: int) -> None:
        """Let the player in turn draw and discard, unless the table is over.

        No deal of `rules_with_endless_deals` ends by such turns, whatever the cards.
        """
        snapshot = await self.world.service.reading.snapshot(table)
        actor = None if snapshot.view is None else snapshot.view.actor
        while (
            snapshot.status is Status.PLAYING and snapshot.view is not None and snapshot.view.actor == actor is not None
        ):
            _, seat, view = await self.world.current_turn(table)
            step = next(one for one in view.legal if isinstance(one, Draw | Discard))
            person = self.caller(snapshot.seats[seat].person or 0)
            await self.world.service.play.act(person, table, step, expected_version=snapshot.version)
            snapshot = await self.world.service.reading.snapshot(table)
        await self.wait_until_idle()

    async def play_all_rounds(self, tournament: int, *, comes: Comes = lambda _: True) -> Tournament:
        """Play round after round until the tournament is closed, and return it."""
        view = await self.events.overview.get_tournament(tournament)
        while view.stage is Stage.RUNNING:
            view = await self.play_round(tournament, comes=comes)
        due = await self.events.alarms.next_due_at()
        if view.stage is Stage.CLOSING and due is not None:
            await self.advance_to(due)
        return await self.events.overview.get_tournament(tournament)


class NoRulesThread(RulesThread):
    """A replacement for the rules thread that answers at once, on the event loop."""

    async def ask(self, rules: RuleSet, work: Callable[..., Answer], *given: Any) -> Answer:
        del rules
        return work(*given)


@asynccontextmanager
async def open_evening(
    path: Path,
    *,
    clock: ManualClock | None = None,
    ratings: Ratings | None = None,
    first_request: int = 5_000_000,
    formats: Callable[[Tournament], Format] = format_of,
    dealer: Dealer | None = None,
) -> AsyncIterator[Evening]:
    """Yield an evening on that file, new or used before; `dealer` draws its seeds.

    Rules of a few turns are house rules, which the program reads in a thread; here they are read directly, because a
    thread for every step of every table would take a third of the time (`tests/tables/test_reading_tables.py` tests the
    thread). Draws and cards come from repeatable seeds; in the program they come from `secrets`.
    """
    clock = clock or ManualClock()
    async with _open_services(path, clock, ratings, first_request, formats, dealer) as evening:
        yield evening


@asynccontextmanager
async def _open_services(
    path: Path,
    clock: ManualClock,
    ratings: Ratings | None,
    first_request: int,
    formats: Callable[[Tournament], Format],
    dealer: Dealer | None,
) -> AsyncIterator[Evening]:
    options: dict[str, Any] = {"first_request": first_request, "silence": 1000 * HOUR, "rules_thread": NoRulesThread()}
    options |= {} if dealer is None else {"dealer": dealer}
    async with open_world(path, clock=clock, **options) as world:
        events = TournamentService(
            world.store,
            clock,
            world.service,
            away=world.readiness.outages,
            ratings=ratings,
            dealer=world.dealer,
            formats=formats,
        )
        scheduler = Scheduler(world.store.times, clock, world.service.deadlines, readiness=world.readiness)
        await scheduler.fire_due()
        await events.playing.resume_after_start()
        evening = Evening(world, events, clock, scheduler, outbox_of(world, events))
        await evening.wait_until_idle()
        try:
            yield evening
        finally:
            await evening.wait_until_idle()


def outbox_of(world: World, events: TournamentService) -> Outbox:
    """Return an outbox for that world, which also rates tournaments."""

    async def rate_match(row: OutboxRow) -> None:
        await events.rate_tournament(int(row.key.removeprefix("t")))

    outbox = Outbox(world.store.outbox, world.clock)
    outbox.register(RATE, PromiseKind(rate_match))
    return outbox


def pairs(count: int, first: int = 1) -> list[tuple[int, int]]:
    """Return that many pairs of person ids, numbered from `first`."""
    return [(first + 2 * number, first + 2 * number + 1) for number in range(count)]


def count_finished_rounds(tournament: Tournament) -> int:
    """Return the number of rounds in which every match has its result."""
    return sum(1 for one in tournament.rounds if one.stage in (RoundStage.COMPLETE, RoundStage.FINAL))


def minutes(count: int) -> int:
    return count * MINUTE


async def refusal_of(request: Awaitable[object]) -> tuple[TournamentCode, dict[str, object]]:
    """Return the code and detail with which a request to a tournament is refused."""
    with pytest.raises(TournamentRefusal) as caught:
        await request
    return caught.value.code, dict(caught.value.detail)


def news_codes(tournament: Tournament) -> list[str]:
    """Return the codes of the tournament's news items."""
    return [one.code for one in tournament.news]


def standing_figures(tournament: Tournament) -> list[tuple[int, int, object]]:
    """Return the place, entry and figures of each row of the standings after the played rounds."""
    return [(row.place, row.entry, row.figures) for row in standings(course_of(tournament, running=True))]
