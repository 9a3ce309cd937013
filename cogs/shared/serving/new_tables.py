"""A guild's settings for new tables: allowed channels and defaults."""

from __future__ import annotations

from bot.clocks.time_rules import ClockTerms
from bot.profiles.guild_settings import USUAL_IDLE, ServerSettings
from bot.tables.state.clocks import DEFAULT_LEVEL, Level, TableSettings
from cogs.shared.door.places import Place
from cogs.shared.reading.problems import InputCode, InputProblem
from cogs.shared.serving.context import Context


async def require_admitted(context: Context, place: Place) -> ServerSettings:
    """Return the guild's settings. Raises `InputProblem` if tables are not allowed in this channel."""
    server = await context.servers.settings(place.guild)
    if not server.admits(place.channel):
        raise InputProblem(InputCode.NOT_HERE, {"channels": ",".join(str(one) for one in server.channels)})
    return server


def settings_of(
    server: ServerSettings,
    *,
    clock: ClockTerms | None,
    deals: int | None = None,
    rated: bool = False,
    level: Level | None = None,
) -> TableSettings:
    """Return the settings of a new table."""
    return TableSettings(
        clock=clock,
        deals=deals,
        idle=None if server.idle == USUAL_IDLE else server.idle,
        private_thread=server.private_threads,
        rated=rated,
        level=level or DEFAULT_LEVEL,
    )
