"""Sends tournament news to single people: by direct message, or by a mention in the channel."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from bot.i18n import Words, words
from bot.profiles.preferences import ProfileService
from bot.tournaments.event.entries import Person
from bot.tournaments.event.tournament import Audience, News, Tournament
from bot.tournaments.service import TournamentPost, TournamentService
from cogs.shared.door.calls import Failed, Trouble
from cogs.tournament.sender import TournamentSender
from cogs.tournament.wanted_messages import WantedMessage, heading, news_page, personal_news
from cogs.tournament.wording import mention

IN_PRIVATE: Final = frozenset({"penalty", "case_called"})
"""Confidential news: send_all as a direct message, or not at all."""

CLOSED: Final = (Trouble.PERSON_CLOSED, Trouble.NO_PERMISSION, Trouble.MEMBER_GONE)


class PersonalNews:
    """Sends each piece of personal news once."""

    def __init__(self, tournaments: TournamentService, profiles: ProfileService, sending: TournamentSender) -> None:
        self._tournaments = tournaments
        self._profiles = profiles
        self._sending = sending

    async def send_all(self, tournament: Tournament, catalogue: Words, posts: Mapping[str, TournamentPost]) -> bool:
        """Send the news not yet send_all; return False if some must be tried again."""
        complete = True
        for news, place, person in personal_news(tournament):
            name = f"letter:{news.number}:{place}"
            if name not in posts or not posts[name].digest:
                complete = await self._send(tournament, news, person, name, catalogue) and complete
        return complete

    async def _send(self, tournament: Tournament, news: News, person: int, name: str, catalogue: Words) -> bool:
        news = replace(news, persons=(Person(person),)) if news.audience is Audience.PERSONS else news
        chosen = await self._profiles.person(person)
        private = news.code in IN_PRIVATE or news.audience is Audience.DIRECTORS
        await self._mark_sent(tournament, name, "begun")
        failed: Failed | None = None
        if private or chosen.notices == "dm":
            own = words(chosen.language) if chosen.language != "discord" else catalogue
            shown = news_page(own, tournament, news, called=(), before=f"{heading(own, tournament)}\n")
            failed = await self._sending.letter(person, shown, f"t{tournament.id}.{name}")
            if failed is None or (private and failed.trouble in CLOSED):
                await self._mark_sent(tournament, name, "sent")
                return True
        if failed is None or failed.trouble in CLOSED:
            called = () if chosen.notices == "none" else (person,)
            shown = news_page(catalogue, tournament, news, called=called, before=f"{mention(person)}: ")
            posted = WantedMessage(name, news.at, tournament.channel, shown, kept=False)
            failed = await self._sending.post(tournament, posted, None)
        if failed is not None:
            await self._mark_sent(tournament, name, "")
        return failed is None

    async def _mark_sent(self, tournament: Tournament, name: str, digest: str) -> None:
        await self._tournaments.overview.note_post(tournament.id, TournamentPost(name, 0, None, digest))
