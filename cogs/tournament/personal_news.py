"""Sends tournament news to single people: by direct message, or by a mention in the channel."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from bot.i18n import words
from bot.outbox import NotYet, Promised, PromiseKind
from bot.profiles.preferences import ProfileService
from bot.tournaments.event.entries import Person
from bot.tournaments.event.refusals import TournamentRefusal
from bot.tournaments.event.tournament import Audience, News, Tournament
from bot.tournaments.service import TournamentService
from cogs.shared.door.discord_calls import Failed, Trouble
from cogs.shared.posting.thread_promises import LIFETIME, require_done
from cogs.tournament.sender import TournamentSender
from cogs.tournament.wanted_messages import heading, news_for, news_page
from cogs.tournament.wording import mention

IN_PRIVATE: Final = frozenset({"penalty", "case_called"})
"""Confidential news: sent as a direct message, or not at all."""

CLOSED: Final = (Trouble.PERSON_CLOSED, Trouble.NO_PERMISSION, Trouble.MEMBER_GONE)


class PersonalNews:
    """Sends each piece of personal news, as promised with the step that made it."""

    def __init__(self, tournaments: TournamentService, profiles: ProfileService, sending: TournamentSender) -> None:
        self._tournaments = tournaments
        self._profiles = profiles
        self._sending = sending

    def kind(self) -> PromiseKind:
        """Return how promises of letters are kept."""
        return PromiseKind(self.keep, LIFETIME, online=True, give_up=self.give_up)

    async def keep(self, row: Promised) -> None:
        """Send the letter, unless its news is no longer for the person."""
        number, news, person = (int(part) for part in row.key.split(":"))
        try:
            tournament = await self._tournaments.overview.look(number)
        except TournamentRefusal:
            return
        found = news_for(tournament, news, person)
        if found is None:
            return
        if self._sending.guild_of(tournament) is None:
            raise NotYet
        await self._send(tournament, found, person, f"o{row.id}.{row.generation}")

    async def give_up(self, row: Promised) -> None:
        """Note for the desk that the letter did not reach the person."""
        number, news, person = (int(part) for part in row.key.split(":"))
        try:
            tournament = await self._tournaments.overview.look(number)
        except TournamentRefusal:
            return
        await self._tournaments.overview.note_undelivered(tournament, news, person)

    async def _send(self, tournament: Tournament, news: News, person: int, nonce: str) -> None:
        news = replace(news, persons=(Person(person),)) if news.audience is Audience.PERSONS else news
        chosen, catalogue = await self._profiles.person(person), self._sending.words_of(tournament)
        private = news.code in IN_PRIVATE or news.audience is Audience.DIRECTORS
        failed: Failed | None = None
        if private or chosen.notices == "dm":
            own = words(chosen.language) if chosen.language != "discord" else catalogue
            shown = news_page(own, tournament, news, called=(), before=f"{heading(own, tournament)}\n")
            failed = await self._sending.letter(person, shown, nonce)
            if failed is not None and private and failed.trouble in CLOSED:
                await self._tournaments.overview.note_undelivered(tournament, news.number, person)
                return
            if failed is None or failed.trouble not in CLOSED:
                require_done(failed)
                return
        called = () if chosen.notices == "none" else (person,)
        shown = news_page(catalogue, tournament, news, called=called, before=f"{mention(person)}: ")
        require_done(await self._sending.say(tournament, shown, nonce))
