"""Sends tournament news to single people: by direct message, or by a mention in the channel."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from bot.clocks.clock import MINUTE, Clock
from bot.i18n import Words, words
from bot.outbox import Promised, PromiseKind, PromiseMustWait
from bot.profiles.preferences import PreferencesService
from bot.tournaments.event.entries import Person
from bot.tournaments.event.refusals import TournamentRefusal
from bot.tournaments.event.tournament import Audience, News, Tournament
from bot.tournaments.service import TournamentService
from cogs.shared.discord_api.components import Page, button, button_rows, page, text
from cogs.shared.discord_api.discord_calls import FailedCall
from cogs.shared.posting.direct_messages import UNREACHED
from cogs.shared.posting.outbox_tasks import LIFETIME, require_success
from cogs.tournament.control_ids import control
from cogs.tournament.sender import TournamentSender
from cogs.tournament.wanted_messages import message_heading, news_page, personal_news_of
from cogs.tournament.wording import mention, tournament_name

IN_PRIVATE: Final = frozenset({"penalty", "case_called"})
"""Confidential news: sent as a direct message, or opened from a mention that does not reveal it."""

PATIENCE: Final = 2 * MINUTE
"""How long a direct message may fail temporarily before the bot mentions the person instead."""

READ: Final = "t_letter"
"""The control that shows a confidential message to its recipient only."""


class PersonalNews:
    """Sends each piece of personal news; the outbox stores them together with the step that causes them."""

    def __init__(
        self, tournaments: TournamentService, profiles: PreferencesService, sending: TournamentSender, clock: Clock
    ) -> None:
        self._tournaments = tournaments
        self._profiles = profiles
        self._sending = sending
        self._clock = clock

    def outbox_handler(self) -> PromiseKind:
        """Return the handler with which the outbox sends personal messages."""
        return PromiseKind(self.send_personal_news, LIFETIME, online=True, give_up=self.give_up)

    async def send_personal_news(self, row: Promised) -> None:
        """Send the personal message of an outbox row, unless its news no longer concerns the person."""
        number, news, person = (int(part) for part in row.key.split(":"))
        try:
            tournament = await self._tournaments.overview.get_tournament(number)
        except TournamentRefusal:
            return
        found = personal_news_of(tournament, news, person)
        if found is None:
            return
        if self._sending.guild_of(tournament) is None:
            raise PromiseMustWait
        late = self._clock.now() - row.made_at >= PATIENCE
        await self._send_to_person(tournament, found, person, f"o{row.id}.{row.generation}", late=late)

    async def give_up(self, row: Promised) -> None:
        """Record for the desk that the message did not reach the person."""
        number, news, person = (int(part) for part in row.key.split(":"))
        try:
            tournament = await self._tournaments.overview.get_tournament(number)
        except TournamentRefusal:
            return
        await self._tournaments.overview.record_undelivered(tournament, news, person)

    async def _send_to_person(self, tournament: Tournament, news: News, person: int, nonce: str, *, late: bool) -> None:
        news = replace(news, persons=(Person(person),)) if news.audience is Audience.PERSONS else news
        preferences, catalogue = await self._profiles.preferences_of(person), self._sending.words_of(tournament)
        private = news.code in IN_PRIVATE or news.audience is Audience.DIRECTORS
        failed: FailedCall | None = None
        if private or preferences.notices == "dm":
            own = words(preferences.language) if preferences.language != "discord" else catalogue
            shown = news_page(own, tournament, news, called=(), text_before=f"{message_heading(own, tournament)}\n")
            failed = await self._sending.send_direct(person, shown, nonce, opens=private)
            if failed is None:
                return
            if failed.trouble not in UNREACHED and not late:
                require_success(failed)
        called = () if preferences.notices == "none" else (person,)
        if private:
            shown = waiting_message_page(catalogue, tournament, news, person, called=called)
        else:
            shown = news_page(catalogue, tournament, news, called=called, text_before=f"{mention(person)}: ")
        require_success(await self._sending.post_once(tournament, shown, nonce))


def waiting_message_page(
    words: Words, tournament: Tournament, news: News, person: int, *, called: tuple[int, ...]
) -> Page:
    """Return the public message which says that a personal message can be read, without its content."""
    read = button(control(tournament.id, READ, news.number), words("tournament.read"))
    told = text(words("tournament.letter_waits", person=mention(person), name=tournament_name(tournament)))
    return page([told, *button_rows([read])], mentions=called)


def personal_message_page(words: Words, tournament: Tournament, news_number: int, person: int) -> Page | None:
    """Return the personal message for its recipient.

    Return None for other people, or if it no longer concerns the recipient.
    """
    news = personal_news_of(tournament, news_number, person)
    if news is None:
        return None
    news = replace(news, persons=(Person(person),)) if news.audience is Audience.PERSONS else news
    return news_page(words, tournament, news, called=(), text_before=f"{message_heading(words, tournament)}\n")
