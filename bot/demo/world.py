"""The simulated server: who and what is in it, with the same ids at every start."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import discord
from simcord import ChannelHandle, Env, GuildHandle, MemberActor

SERVER: Final = "Card Club"
PEOPLE: Final = ("Anna", "Ben", "Carla", "Dario")
CROWD: Final = ("Emil", "Flora", "Goran", "Hanna", "Ivo", "Jule", "Kofi", "Lena", "Mateo", "Nora", "Otto")
"""Members who enter tournaments and play by themselves (`bot.demo.crowd`)."""
WELCOME: Final = (
    "Welcome! You are Anna. Type `/table new`, press Start and play: computer players take the free seats. "
    "Everything you see is played by the bot itself; only Discord is simulated. "
    "To sit down as Ben, Carla or Dario, choose another viewer at the top. "
    "For a slow game type `/table new clock:daily`, and let hours and days pass at the top. "
    f"As {SERVER}, who owns the server, you have `/setup` and `/tournament create`: eleven members enter and play."
)


@dataclass(frozen=True, slots=True)
class World:
    """The server, its channels, its people, and who owns it.

    `people` are those whom one can be at the page, the `crowd` takes part in tournaments by itself. In `canasta` the
    bot may not open threads, so tables live in the channel; in `tables` it may.
    """

    server: GuildHandle
    canasta: ChannelHandle
    tables: ChannelHandle
    people: tuple[MemberActor, ...]
    crowd: tuple[MemberActor, ...]
    owner: MemberActor


def found(environment: Env) -> World:
    """Return the world, made in an environment that has not started.

    Ids are given out in order and by the environment's clock. As long as that stands at the same instant whenever
    the world is made, every id is the same at every start, and what the bot has stored about them stays true.
    """
    environment.backend.edit_bot_profile("Canasta")
    server = environment.create_guild(SERVER, owner=environment.create_user("card-club", global_name=SERVER))
    no_threads = discord.PermissionOverwrite(create_public_threads=False)
    canasta = server.create_text_channel("canasta", overwrites={server.default_role: no_threads})
    tables = server.create_text_channel("tables")
    people = tuple(server.add_member(environment.create_user(name.lower(), global_name=name)) for name in PEOPLE)
    environment.backend.create_message(canasta.id, server.owner.id, WELCOME)
    crowd = tuple(server.add_member(environment.create_user(name.lower(), global_name=name)) for name in CROWD)
    return World(server, canasta, tables, people, crowd, MemberActor(environment, server, server.owner))
