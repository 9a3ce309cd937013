"""What a server has chosen for tables that are opened in it: where, and with which settings."""

from __future__ import annotations

from bot.clocks.law import ClockTerms
from bot.profiles.guilds import USUAL_IDLE, ServerSettings
from bot.tables.state.clocks import TableSettings
from cogs.shared.door.places import Place
from cogs.shared.reading.problems import InputCode, InputProblem
from cogs.shared.serving.context import Context


async def admitted(context: Context, place: Place) -> ServerSettings:
    """What the server of that place has chosen. Raises `InputProblem` where it wants no tables there."""
    server = await context.servers.settings(place.guild)
    if not server.admits(place.channel):
        raise InputProblem(InputCode.NOT_HERE, {"channels": ",".join(str(one) for one in server.channels)})
    return server


def settings_of(
    server: ServerSettings, *, clock: ClockTerms | None, deals: int | None = None, rated: bool = False
) -> TableSettings:
    """What a new table is set to, with that clock and so many deals, rated or not."""
    return TableSettings(
        clock=clock,
        deals=deals,
        idle=None if server.idle == USUAL_IDLE else server.idle,
        private_thread=server.private_threads,
        rated=rated,
    )
