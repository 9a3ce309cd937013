"""Read access to tournaments and rankings for everyone, and the messages that show them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from typing import Final

from bot.clocks.time_rules import DAY
from bot.store.tournaments import TournamentPost
from bot.tournaments.core.faults import Outline
from bot.tournaments.core.repository import TournamentRepository
from bot.tournaments.event.refusals import TournamentRefusal
from bot.tournaments.event.tournament import Audience, Stage, Tournament
from bot.tournaments.event.tournament_changes import require_guild
from bot.tournaments.formats.by_kind import format_of
from bot.tournaments.formats.ranking import Place, Ranking
from bot.tournaments.rounds import RoundsService

SHOWN_AFTER: Final = DAY
"""For how long after its last change a finished tournament's messages are looked at after a start."""

OPEN = (Stage.DRAFT, Stage.OPEN, Stage.CHECK_IN, Stage.RUNNING, Stage.CLOSING)
"""The stages of a tournament that is not over."""

UNDELIVERED = "undelivered"
"""Name prefix of posts that record undelivered letters; the news number and the person's index follow."""


class OverviewService:
    """Reads tournaments and stores which messages show them; changes no tournament."""

    def __init__(self, repository: TournamentRepository, rounds: RoundsService) -> None:
        self._repository = repository
        self._rounds = rounds

    async def get_tournament(self, tournament: int, *, guild: int | None = None) -> Tournament:
        """Return the tournament as it is now. Refusal: unknown_tournament, also if it is in another guild."""
        current_tournament = await self._repository.tournament(tournament)
        return require_guild(current_tournament, guild)

    async def ranking(self, tournament: int, *, after_round: int | None = None) -> Ranking:
        """Return the ranking after a round, by default the current one."""
        current_tournament = await self._repository.tournament(tournament)
        draws = await self._rounds.seeded_draw(current_tournament)
        return await asyncio.to_thread(format_of(current_tournament).ranking, current_tournament, draws, after_round)

    async def open_tournaments_in(self, guild: int) -> tuple[Tournament, ...]:
        """Return a guild's tournaments that are not over, oldest first."""
        numbers = await self._repository.store.tournaments.tournaments_in_guild(guild, [stage.value for stage in OPEN])
        return await self._load_readable(numbers)

    async def open_tournaments_of(self, person: int) -> tuple[Tournament, ...]:
        """Return the unfinished tournaments that involve the person, oldest first."""
        numbers = await self._repository.store.tournaments.tournaments_of_person(
            person, [stage.value for stage in OPEN]
        )
        return await self._load_readable(numbers)

    async def closed_tournaments_in(self, guild: int) -> tuple[Tournament, ...]:
        """Return a guild's tournaments that were played to the end, latest first."""
        numbers = await self._repository.store.tournaments.tournaments_in_guild(guild, [Stage.CLOSED.value])
        return await self._load_readable(reversed(numbers))

    async def unreadable_outlines_in(self, guild: int) -> tuple[Outline, ...]:
        """Return the outlines of the guild's unfinished tournaments that cannot be read, oldest first."""
        store = self._repository.store
        numbers = await store.tournaments.tournaments_in_guild(guild, [stage.value for stage in OPEN])
        await self._load_readable(numbers)
        broken = [one for one in numbers if one in store.set_aside.numbers("tournament")]
        found = [await store.tournaments.outline(one) for one in broken]
        return tuple(one for one in found if one is not None)

    async def numbers_to_update_after_start(self) -> tuple[int, ...]:
        """Return the numbers of tournaments whose messages may be outdated after a start.

        They are those that are not over, and those that ended shortly before.
        """
        store, since = self._repository.store.tournaments, self._repository.clock.now() - SHOWN_AFTER
        return (*await store.tournaments_with_stage([stage.value for stage in OPEN]), *await store.ended_since(since))

    async def places(self, tournament: int, *, after_round: int | None = None) -> tuple[Place, ...]:
        """Return the places after a round, best first; without a round, include the round in play."""
        current_tournament = await self._repository.tournament(tournament)
        if not current_tournament.rounds:
            return ()
        return (await self.ranking(tournament, after_round=after_round)).places

    # --- messages that show it ---------------------------------------------------------------------------------------

    async def posts(self, tournament: int) -> dict[str, TournamentPost]:
        """Return the messages that show the tournament, by name."""
        return {one.name: one for one in await self._repository.store.tournaments.posts(tournament)}

    async def record_post(self, tournament: int, post: TournamentPost) -> None:
        """Store a message that shows the tournament, in place of the one of that name."""
        await self._repository.store.tournaments.set_post(tournament, post)

    async def record_undelivered(self, tournament: Tournament, news: int, person: int) -> None:
        """Store that a direct message with that news item could not be delivered to the person."""
        place = _addressees_of_news(tournament, news).index(person)
        await self.record_post(tournament.id, TournamentPost(f"{UNDELIVERED}:{news}:{place}", 0, None, UNDELIVERED))

    async def people_not_reached(self, tournament: Tournament) -> tuple[int, ...]:
        """Return the persons to whom a direct message could not be delivered."""
        found: dict[int, None] = {}
        for name in await self.posts(tournament.id):
            kind, *numbers = name.split(":")
            if kind == UNDELIVERED:
                news, place = map(int, numbers)
                found |= dict.fromkeys(_addressees_of_news(tournament, news)[place : place + 1])
        return tuple(found)

    async def _load_readable(self, numbers: Iterable[int]) -> tuple[Tournament, ...]:
        """Return these tournaments without those that cannot be read."""
        found = []
        for number in numbers:
            try:
                found.append(await self._repository.tournament(number))
            except TournamentRefusal:
                continue
        return tuple(found)


def _addressees_of_news(tournament: Tournament, news_number: int) -> Sequence[int]:
    """Return the persons to whom a news item is addressed.

    A person's index among them stays the same when another person is forgotten.
    """
    news = next((one for one in tournament.news if one.number == news_number), None)
    if news is None:
        return ()
    return news.persons if news.audience is Audience.PERSONS else tournament.directors
