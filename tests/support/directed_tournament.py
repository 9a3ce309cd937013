"""A tournament for tests of directing, with matches that end as the test requires."""

from __future__ import annotations

import itertools
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from bot.clocks.clock import HOUR, MINUTE
from bot.clocks.time_rules import PRESETS
from bot.engine.rules.sets import rule_set
from bot.tables.state.clocks import TableSettings
from bot.tables.state.snapshots import Caller
from bot.tournaments.core.repository import TournamentRequest
from bot.tournaments.counted_results import Deal
from bot.tournaments.event import boards, matches
from bot.tournaments.event.entries import Person
from bot.tournaments.event.match_state import MatchSeat, MatchState, Result
from bot.tournaments.event.plan import Plan, Seeding
from bot.tournaments.event.tournament import Tournament
from bot.tournaments.service import TournamentService
from tests.support.clock import ManualClock, ShiftedClock

VERA: Final = 50
"""The default director."""

FIRST: Final = 1001
"""The first player's id; the others follow in the order of entering."""

NAMES: Final = ("Ana", "Ben", "Cy", "Dov", "Eli", "Flo", "Gus", "Hal", "Ida", "Jon", "Kim", "Lou", "Mia", "Nic")


@dataclass(slots=True)
class DirectedEvening:
    """A tournament of pairs that enter together; entry 1 is Ana & Ben, 2 is Cy & Dov and so on."""

    service: TournamentService
    clock: ManualClock | ShiftedClock
    guild: int
    channel: int
    director: int = VERA
    number: int = 0
    people: tuple[int, ...] = tuple(range(FIRST, FIRST + 8))
    requests: Iterator[int] = field(default_factory=lambda: itertools.count(7_000_000))
    resting: Callable[[], Awaitable[None]] | None = None

    async def wait_until_idle(self) -> None:
        """Wait until all consequences of a request are done."""
        await (self.service.playing.finish() if self.resting is None else self.resting())

    def caller(self, person: int | None = None) -> Caller:
        one = self.director if person is None else person
        name = NAMES[self.people.index(one)] if one in self.people else "Vera"
        return Caller(one, name, self.guild, next(self.requests))

    async def tournament(self) -> Tournament:
        return await self.service.overview.get_tournament(self.number)

    async def advance_and_ring_alarms(self, later: int = 0) -> Tournament:
        """Advance the time and do everything that is due by then, at the tables too; return the tournament."""
        self.clock.advance(later)
        await self.service.alarms.fire_deadline(self.number, "tournament")
        await self.wait_until_idle()
        return await self.tournament()

    async def enter_all_pairs(self, **plan: Any) -> Tournament:
        """Publish the tournament, enter all pairs, and return it."""
        wanted = Plan(
            **{
                "name": "Friday cup",
                "rules": rule_set("classic", 4),
                "rounds": 3,
                "deals": 2,
                # A daily clock, because no player may run out of time.
                "settings": TableSettings(clock=PRESETS["daily"], vacation=0),
                "seeding": Seeding.HAND,
                "starts_at": self.clock.now() + HOUR,
                **plan,
            }
        )
        self.number = (await self.service.entering.create(self.caller(), channel=self.channel, plan=wanted)).id
        await self.service.entering.publish(self.caller(), self.number)
        names = dict(zip(self.people, NAMES, strict=False))
        for first in range(0, len(self.people), wanted.persons_entering_together):
            captain, *partners = self.people[first : first + wanted.persons_entering_together]
            await self.service.entering.enter(
                self.caller(captain), self.number, partners={one: names[one] for one in partners}
            )
            for one in partners:
                await self.service.entering.answer_partner_invitation(self.caller(one), self.number, yes=True)
        return await self.tournament()

    async def draw_first_round(self, **plan: Any) -> Tournament:
        """Check all pairs in, let time pass until the first round is drawn, and return the tournament."""
        await self.enter_all_pairs(**plan)
        await self.advance_and_ring_alarms(40 * MINUTE)
        for one in self.people:
            await self.service.entering.check_in(self.caller(one), self.number)
        return await self.advance_and_ring_alarms(15 * MINUTE)

    async def begin_round(self) -> Tournament:
        """Call the drawn round, deal at its tables, and return the tournament."""
        tournament = await self.tournament()
        turn = tournament.current_round
        assert turn is not None
        tournament = await self.advance_and_ring_alarms(max(0, turn.call_at - self.clock.now()))
        for one in tournament.matches_of(turn.number):
            if one.result is None and not one.tables:
                await self.service.playing.set_match_channel(self.number, one.id, self.channel)
                await self.wait_until_idle()
        return await self.tournament()

    async def mark_players_as_arrived(self, match: MatchState, *missing: int) -> None:
        """Mark all players of the match as arrived at its table, except the `missing` ones."""
        for one in match.seats:
            if one is not None and one not in missing:
                await self.service.entering.mark_arrived(one, self.number, match.id)

    async def finish_match(self, match: int, *deals: Sequence[int]) -> Tournament:
        """Store these deals as the result of the match, without playing them; return the tournament."""

        async def set_result(tournament: Tournament, now: int) -> Tournament:
            one = tournament.match(match)
            result = Result(
                deals=tuple(Deal(number=place, scores=tuple(deal)) for place, deal in enumerate(deals, 1)),
                seated=tuple(
                    MatchSeat(person=person, seat=seat, deals=len(deals)) for seat, person in enumerate(one.seats)
                ),
                finished_at=now,
            )
            for board, made in zip(one.boards, deals, strict=False):
                tournament = boards.record_board(
                    tournament, match=match, board=board, room=1, scores=tuple(made), now=now
                )
            return matches.set_result(tournament, match=match, result=result)

        await self.service.playing.change(self.number, TournamentRequest("result", None, {"match": match}), set_result)
        await self.wait_until_idle()
        return await self.tournament()

    async def finish_round(self, *scores: Sequence[Sequence[int]]) -> Tournament:
        """Store results for all matches of the called round, the deals given by table; return the tournament."""
        tournament = await self.tournament()
        turn = tournament.current_round
        assert turn is not None
        for one, deals in zip(tournament.matches_of(turn.number), scores, strict=True):
            tournament = await self.finish_match(one.id, *deals)
        return tournament


def entry_number_of_person(tournament: Tournament, person: int) -> int:
    """Return the number of a person's entry."""
    found = tournament.entry_of(Person(person))
    assert found is not None
    return found.number
