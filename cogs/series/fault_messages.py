"""Notifies hosts that their series cannot be shown, and lets them retry (`docs/series.md` 1)."""

from __future__ import annotations

from bot.i18n import Words, words
from bot.outbox import Promised, PromiseKind, PromiseMustWait
from bot.profiles.preferences import PreferencesService
from bot.series.hosting import require_host
from bot.series.refusals import SeriesRefusal
from bot.series.series import Series, SeriesStage
from bot.series.service import SeriesFault, SeriesService
from cogs.series import wording
from cogs.shared.discord_api import interactions
from cogs.shared.discord_api.components import PRIMARY, Page, button, button_row, page, text, text_page
from cogs.shared.discord_api.discord_calls import FailedCall
from cogs.shared.discord_api.interactions import Interaction
from cogs.shared.posting.direct_messages import UNREACHED
from cogs.shared.posting.outbox_tasks import LIFETIME, require_success
from cogs.shared.reading.custom_ids import ControlId
from cogs.shared.serving.context import Context
from cogs.shared.telling.status_text import discord_timestamp
from cogs.tournament.control_ids import control, link_of
from cogs.tournament.sender import TournamentSender


class SeriesFaultNews:
    """Sends the fault of a series to each host by direct message."""

    def __init__(self, series: SeriesService, profiles: PreferencesService, sending: TournamentSender) -> None:
        self._series = series
        self._profiles = profiles
        self._sending = sending

    def outbox_handler(self) -> PromiseKind:
        """Return the handler with which the outbox sends messages about faults of series."""
        return PromiseKind(self.send_fault_news, LIFETIME, online=True)

    async def send_fault_news(self, row: Promised) -> None:
        """Send each host a message on the series' current fault, or that it is over."""
        try:
            series = await self._series.get_series(int(row.key))
        except SeriesRefusal:
            return
        fault = await self._series.faults.fault_of(series.id)
        if fault is None:
            return
        if self._sending.guild_of(series) is None:
            raise PromiseMustWait
        for host in (one for one in series.hosts if one > 0):
            await self._send_fault(host, series, fault, f"o{row.id}.{row.generation}.{host}")
        if fault.mended:
            await self._series.faults.delete_ended_fault(fault)

    async def _send_fault(self, person: int, series: Series, fault: SeriesFault, nonce: str) -> None:
        """Send the fault to a host, unless they take no direct messages."""
        preferences = await self._profiles.preferences_of(person)
        own = words(preferences.language) if preferences.language != "discord" else self._sending.words_of(series)
        failed = await self._sending.send_direct(person, fault_page(own, series, fault), nonce, opens=True)
        if not isinstance(failed, FailedCall) or failed.trouble not in UNREACHED:
            require_success(failed)


def fault_page(words: Words, series: Series, fault: SeriesFault) -> Page:
    """Return the message about a series that cannot be shown: when it is retried, and what a host can do."""
    code = "works" if fault.mended else "failed" if fault.tries == 1 else "again"
    message = words(
        f"series_fault.{code}",
        name=wording.series_name(series),
        channel=f"<#{series.channel}>",
        code=fault.code,
        tries=fault.tries,
        when=discord_timestamp(fault.again_at, "t"),
    )
    if fault.mended:
        return text_page(message)
    row = button_row(
        button(control(series.id, "s_try"), words("fault.try_now"), style=PRIMARY),
        button(
            control(series.id, "s_pause"),
            words("series_button.pause"),
            enabled=series.stage is SeriesStage.RUNNING,
        ),
        button(control(series.id, "s_desk"), words("fault.open_desk")),
    )
    return page([text(message), *([] if row is None else [row])])


class SeriesFaultControls:
    """The handler of the button *Try now* under a message about a fault."""

    def __init__(self, context: Context) -> None:
        self.series = context.series
        context.router.add("s_try", self.retry_now)

    async def retry_now(self, interaction: Interaction, control_id: ControlId, _chosen: tuple[str, ...]) -> None:
        """Try to show the series again, because a host asked for it. Refusal: not_host."""
        series = await self.series.get_series(link_of(control_id).tournament, guild=interaction.guild_id)
        require_host(series, interaction.user.id)
        await self.series.retry_now(series.id)
        await interactions.answer_privately(interaction, interactions.words_for(interaction)("series_fault.trying"))
