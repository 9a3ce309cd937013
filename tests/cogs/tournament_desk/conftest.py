"""A tournament in the simulated Discord that Vera directs without playing."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.support.directed_tournament import DirectedEvening
from tests.support.discord import Discord, Message, Person, controls
from tests.support.discord_tournaments import CupServer, cup_world


@dataclass(slots=True)
class Desk:
    """The desk of a tournament in the simulated Discord, as Vera, its director, uses it."""

    discord: Discord
    vera: Person
    evening: DirectedEvening
    cup: CupServer

    async def open_desk(self, who: Person | None = None, **options: Any) -> Message:
        return await (who or self.vera).run("tournament desk", **options)

    def add_person(self, name: str, **wanted: Any) -> Person:
        """Add another person to the server, and return them."""
        user = self.discord.environment.create_user(name.lower(), global_name=name)
        return Person(self.discord.world.server.add_member(user, **wanted), self.discord.world.tables)

    async def open_page(self, *ways: str) -> Message:
        """Press these buttons one after another from the first page on; return the page reached."""
        shown = await self.open_desk()
        for one in ways:
            shown = await self.vera.click(shown, one)
        return shown

    async def open_match_page(self, table: int = 1) -> Message:
        """Open the page of the match at this table in the newest round, and return it."""
        tournament = await self.evening.tournament()
        turn = tournament.current_round
        assert turn is not None
        wanted = next(one for one in tournament.matches_of(turn.number) if one.table == table)
        return await self.vera.choose(await self.open_page("desk_match"), "desk_pick_match", str(wanted.id))

    async def fill_form(self, shown: Message, action: str, **typed: str) -> Message:
        """Press a button that opens a form, send it with these texts, and return the answer."""
        custom_id = controls(shown)[action]["custom_id"]
        return await self.submit_form(await self.vera.actor.click(shown, custom_id=custom_id), **typed)

    async def submit_form(self, asked: Any, **typed: str) -> Message:
        assert asked.modal is not None
        sent = await self.vera.actor.submit_modal(asked, typed)
        assert sent.acknowledged
        return sent.followups[-1] if sent.followups else sent.response

    async def news_texts(self, code: str) -> list[str]:
        """Return the recipients, by name, and the text of each news item with that code."""
        tournament = await self.evening.tournament()
        return [" ".join(one.texts.values()) for one in tournament.news if one.code == code]


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    async with cup_world(tmp_path) as cup:
        service = cup.discord.application.client.context.tournaments
        people = tuple(one.id for one in cup.actors)
        evening = DirectedEvening(
            service,
            cup.clock,
            cup.discord.world.server.id,
            cup.channel.id,
            director=cup.organiser.id,
            people=people,
            resting=cup.wait_until_idle,
        )
        yield Desk(cup.discord, cup.organiser, evening, cup)
