"""Keeps the messages of series up to date, and posts each piece of news once.

As with tournaments: every change marks its series, and for a marked one a single task posts or edits what differs.
Hosts who have left the server are noted on the way, because Discord does not report that here.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Final

import discord
from discord.ext import commands

from bot.clocks.clock import MINUTE, Clock
from bot.i18n import Words, words
from bot.profiles.guild_settings import ServerSettingsService
from bot.profiles.preferences import PreferencesService
from bot.series.refusals import SeriesRefusal
from bot.series.repository import SeriesChanged
from bot.series.series import Series
from bot.series.service import SeriesService, TournamentPost
from bot.tournaments.event.tournament import Audience, News
from cogs.series import pages
from cogs.series.html_page import series_page_file
from cogs.series.html_page_folder import PageFolder
from cogs.shared.discord_api.discord_calls import CallTrouble, FailedCall
from cogs.shared.posting.direct_messages import UNREACHED
from cogs.shared.posting.mentions import Members
from cogs.shared.posting.update_queue import UpdateQueue
from cogs.tournament.sender import TournamentSender
from cogs.tournament.wanted_messages import MOST_CALLED, WantedMessage
from cogs.tournament.wording import mention

AGAIN: Final = MINUTE
LONGEST_WAIT: Final = 64 * MINUTE
"""Shortest and longest wait after failed requests; it doubles with each failure."""

LOST: Final = (CallTrouble.CHANNEL_GONE, CallTrouble.NO_PERMISSION, CallTrouble.NO_ACCESS)
"""Failures that hosts can repair; they are notified of them like of faults."""


TOGETHER: Final = frozenset({"play_again"})
"""Codes of news sent as one common message to all people who do not want direct messages."""


def private_message_name(news: News, place: int) -> str:
    """Return the name under which a private message is stored; it does not reveal its recipient."""
    return f"letter:{news.number}:{place}"


class SeriesMessageUpdater:
    """Updates the messages of all series; one object for the whole process."""

    def __init__(
        self,
        series: SeriesService,
        profiles: PreferencesService,
        sending: TournamentSender,
        *,
        servers: ServerSettingsService,
        members: Members,
        clock: Clock,
    ) -> None:
        self.folder: PageFolder | None = None
        self._servers = servers
        self._series = series
        self._profiles = profiles
        self._sending = sending
        self._members = members
        self._clock = clock
        self._queue = UpdateQueue(self._update_messages_or_retry, clock=clock, subject="series", gone=SeriesRefusal)
        self._waits: dict[int, int] = {}

    def on_change(self, change: SeriesChanged) -> None:
        """Request an update of the series' messages; the series service calls this after each change."""
        self.request_update(change.series)

    def request_update(self, series_number: int) -> None:
        """Update the series' messages soon."""
        self._queue.request_update(series_number)

    def start(self) -> asyncio.Task[None]:
        """Start and return the timer's task; no messages are sent before `begin`."""
        return self._queue.start()

    async def begin(self) -> None:
        """Begin to update messages, now that the guilds and their languages are known."""
        self._queue.begin(await self._series.numbers_to_update_after_start())

    async def wait_until_idle(self) -> None:
        """Wait until all updates are done, except those scheduled for later."""
        await self._queue.wait_until_idle()

    async def close(self) -> None:
        """Finish the updates under way and start no others."""
        await self._queue.close()

    async def _update_messages_or_retry(self, series_number: int) -> int | None:
        """Update all messages of a series; return when to try again after a failure, else None.

        Each failure doubles the wait.
        """
        if await self._try_to_update_messages(series_number):
            self._waits.pop(series_number, None)
            return None
        fault = await self._series.faults.fault_of(series_number)
        wait = min(2 * self._waits.get(series_number, AGAIN // 2), LONGEST_WAIT)
        self._waits[series_number] = wait
        lost = fault is not None and not fault.mended
        return fault.again_at if fault is not None and lost else self._clock.now() + wait

    async def _try_to_update_messages(self, series_number: int) -> bool:
        """Update all messages of a series; return False if some must be tried again."""
        series = await self._series.get_series(series_number)
        await self._publish_page(series)
        if self._sending.guild_of(series) is None:
            return True
        for host in series.hosts:
            if host > 0 and await self._members.has_left_server(series.guild, host):
                series = await self._series.remove_person(series_number, host)
        catalogue = self._sending.words_of(series)
        posts = await self._series.posts(series_number)
        failures = [one async for one in self._update_public_messages(series, catalogue, posts)]
        lost = next((one for one in failures if one.trouble in LOST), None)
        if lost is not None:
            await self._series.faults.record_failure(series, lost.trouble.value)
        elif not failures:
            await self._series.faults.record_recovery(series)
        return not failures

    async def _publish_page(self, series: Series) -> None:
        """Write the series' page into the operator's folder if the server allows it, else delete it there."""
        if self.folder is None:
            return
        page = None
        if (await self._servers.settings(series.guild)).pages == "on" and any(one.has_results for one in series.nights):
            fame = await self._series.points_and_wins_in(series.guild)
            page = series_page_file(self._sending.words_of(series), series, fame).data
        if page:
            await self.folder.write(series.id, page)
        else:
            await self.folder.remove(series.id)

    async def remove_pages(self, guild: int) -> None:
        """Delete the pages of a guild that the bot has left."""
        for series in () if self.folder is None else await self._series.all_series_in(guild):
            if self.folder is not None:
                await self.folder.remove(series.id)

    async def _update_public_messages(
        self, series: Series, catalogue: Words, posts: Mapping[str, TournamentPost]
    ) -> AsyncIterator[FailedCall]:
        """Update the messages and send the news of a series; yield what failed."""
        shown = WantedMessage("series", series.created_at, series.channel, pages.announcement_page(catalogue, series))
        failed = await self._update_message(series, shown, posts.get(shown.name))
        if failed is not None:
            yield failed
            return
        if any(one.has_results for one in series.nights):
            page = pages.series_page_message(catalogue, series, await self._series.points_and_wins_in(series.guild))
            shown = WantedMessage("page", self._clock.now(), series.channel, page)
            failed = await self._update_message(series, shown, posts.get(shown.name))
            if failed is not None:
                yield failed
        for news in series.news:
            async for one in self._send_news(series, news, catalogue, posts):
                yield one

    async def _update_message(
        self, series: Series, wanted: WantedMessage, post: TournamentPost | None
    ) -> FailedCall | None:
        """Post a message, or edit it if it is kept up to date; return the failure, if any.

        If the series has moved to another channel, a kept message is posted there.
        """
        if post is not None and wanted.is_updated and post.channel != series.channel:
            post = None
        if post is None or post.message is None:
            return await self._sending.post(series, wanted, post)
        if not wanted.is_updated or post.digest == wanted.digest:
            return None
        return await self._sending.edit(series, wanted, post)

    async def _send_news(
        self, series: Series, news: News, catalogue: Words, posts: Mapping[str, TournamentPost]
    ) -> AsyncIterator[FailedCall]:
        """Send a piece of news to the channel or to each of its persons; yield what failed."""
        if news.audience is Audience.ALL:
            name = f"news:{news.number}"
            shown = WantedMessage(
                name, news.at, series.channel, pages.news_page(catalogue, series, news), is_updated=False
            )
            failed = await self._update_message(series, shown, posts.get(name))
            if failed is not None:
                yield failed
            return
        waiting = [
            (private_message_name(news, place), person)
            for place, person in enumerate(pages.private_recipients(series, news))
            if not (known := posts.get(private_message_name(news, place))) or not known.digest
        ]
        if news.code in TOGETHER:
            together = [one for one in waiting if (await self._profiles.preferences_of(one[1])).notices != "dm"]
            waiting = [one for one in waiting if one not in together]
            for first in range(0, len(together), MOST_CALLED):
                failed = await self._ask_in_channel(series, news, together[first : first + MOST_CALLED], catalogue)
                if failed is not None:
                    yield failed
        for name, person in waiting:
            failed = await self._send_privately(series, news, person, name, catalogue)
            if failed is not None:
                yield failed

    async def _ask_in_channel(
        self, series: Series, news: News, names_and_persons: Sequence[tuple[str, int]], catalogue: Words
    ) -> FailedCall | None:
        """Ask these people by one message in the channel; store for each that it is sent.

        Return the failure, if any.
        """
        for name, _ in names_and_persons:
            await self._record_sending(series, name, "begun")
        called = [
            person for _, person in names_and_persons if (await self._profiles.preferences_of(person)).notices != "none"
        ]
        before = f"{' '.join(mention(person) for _, person in names_and_persons)}: "
        page = pages.news_page(catalogue, series, news, called=called, text_before=before)
        wanted = WantedMessage(names_and_persons[0][0], news.at, series.channel, page, is_updated=False)
        failed = await self._sending.post(series, wanted, None)
        for name, _ in names_and_persons if failed is not None else names_and_persons[1:]:
            await self._record_sending(series, name, "sent" if failed is None else "")
        return failed

    async def _send_privately(
        self, series: Series, news: News, person: int, name: str, catalogue: Words
    ) -> FailedCall | None:
        """Send a person a piece of news privately; return the failure, if any.

        It is a direct message if they chose that, else a mention in the channel.
        """
        preferences = await self._profiles.preferences_of(person)
        await self._record_sending(series, name, "begun")
        failed: FailedCall | None = None
        if preferences.notices == "dm":
            own = words(preferences.language) if preferences.language != "discord" else catalogue
            shown = pages.news_page(own, series, news, called=(), text_before=f"{pages.message_heading(own, series)}\n")
            failed = await self._sending.send_direct(person, shown, f"s{series.id}.{name}")
            if failed is None:
                await self._record_sending(series, name, "sent")
                return None
        if failed is None or failed.trouble in UNREACHED:
            called = () if preferences.notices == "none" else (person,)
            page = pages.news_page(catalogue, series, news, called=called, text_before=f"{mention(person)}: ")
            failed = await self._sending.post(
                series, WantedMessage(name, news.at, series.channel, page, is_updated=False), None
            )
        if failed is not None:
            await self._record_sending(series, name, "")
        return failed

    async def _record_sending(self, series: Series, name: str, digest: str) -> None:
        await self._series.record_post(series.id, TournamentPost(name, 0, None, digest))


class SeriesEventListener(commands.Cog):
    """Starts updating series messages once Discord is connected."""

    def __init__(self, updater: SeriesMessageUpdater) -> None:
        self._updater = updater

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        await self._updater.begin()

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        await self._updater.remove_pages(guild.id)
