"""The simulated guild: its people and channels, with the same ids at every start."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import discord
from simcord import ChannelHandle, Env, GuildHandle, MemberActor

SERVER: Final = "Card Club"
PEOPLE: Final = ("Anna", "Ben", "Carla", "Dario")
CLUB_MEMBERS: Final = ("Emil", "Flora", "Goran", "Hanna", "Ivo", "Jule", "Kofi", "Lena", "Mateo", "Nora", "Otto")
"""Members who enter tournaments and play by themselves (`bot.demo.club_members`)."""
WELCOME: Final = (
    "Welcome! You are Anna.\n"
    "**New to Canasta?** Type `/learn` and press Enter.\n"
    "**To play**, type `/table new` and press Enter, then press **Start**: computer players take the free seats.\n\n"
    "-# The bot itself plays here; only Discord is simulated. "
    "To act as Ben, Carla or Dario, choose another viewer at the top.\n"
    "-# Slow game: `/table new clock:daily`; then let hours and days pass at the top.\n"
    f"-# Tournament: choose {SERVER}, who owns the server, at the top and type `/tournament create`. Eleven members "
    "enter and play; time that you let pass stops when the tournament needs you. The tables of a duplicate are in "
    "private threads, which this page does not show: play with `/hand`.\n"
    f"-# Open seats: as {SERVER} type `/setup open-seats`; then players find a table there or by `/play`."
)


@dataclass(frozen=True, slots=True)
class SimulatedServer:
    """The guild, its channels, its people and its owner.

    The page lets you act as one of `people`; the club's other members take part in tournaments automatically. In
    `canasta` the bot may not open threads, so tables are posted in the channel itself; in `tables` it may.
    """

    server: GuildHandle
    canasta: ChannelHandle
    tables: ChannelHandle
    people: tuple[MemberActor, ...]
    crowd: tuple[MemberActor, ...]
    owner: MemberActor


def make_server(environment: Env) -> SimulatedServer:
    """Return the simulated guild, made in a SimCord environment that has not started.

    Ids follow from their order and from the environment's clock. If that clock shows the same instant at each start,
    every id is the same too, and stored data with these ids stays valid.
    """
    environment.backend.edit_bot_profile("Canasta")
    server = environment.create_guild(SERVER, owner=environment.create_user("card-club", global_name=SERVER))
    no_threads = discord.PermissionOverwrite(create_public_threads=False)
    canasta = server.create_text_channel("canasta", overwrites={server.default_role: no_threads})
    tables = server.create_text_channel("tables")
    people = tuple(server.add_member(environment.create_user(name.lower(), global_name=name)) for name in PEOPLE)
    environment.backend.create_message(canasta.id, server.owner.id, WELCOME)
    crowd = tuple(server.add_member(environment.create_user(name.lower(), global_name=name)) for name in CLUB_MEMBERS)
    return SimulatedServer(server, canasta, tables, people, crowd, MemberActor(environment, server, server.owner))
