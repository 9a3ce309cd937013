"""Handing a tournament over: its files as a private answer, and the pictures of its close."""

from __future__ import annotations

import discord
from discord import ui

from bot.i18n import Words
from bot.profiles.service import ProfileService
from bot.tournaments.event.values import Stage, Tournament
from bot.tournaments.service import TournamentService
from cogs.shared.door import replies, table_places
from cogs.shared.door.components import Page, Picture, page, text
from cogs.shared.door.replies import Interaction
from cogs.shared.reading.problems import InputCode, InputProblem
from cogs.shared.serving.context import Context
from cogs.shared.showing.pages import Pages
from cogs.tournament import which
from cogs.tournament.close_pictures import closing_pictures
from cogs.tournament.given_files import export_files
from render import describe
from render.items import ThemeName


class Closing:
    """The pictures of the close of tournaments, in the look that the server has chosen."""

    def __init__(self, tournaments: TournamentService, profiles: ProfileService, pages: Pages) -> None:
        self._tournaments = tournaments
        self._profiles = profiles
        self._pages = pages

    async def pictures(self, words: Words, tournament: Tournament) -> tuple[Picture, ...]:
        """What is sent with the last message of a tournament; nothing before, and none that cannot be drawn."""
        if tournament.stage is not Stage.CLOSED or not tournament.rounds:
            return ()
        material = await self._tournaments.material_of(tournament)
        preferences = await self._profiles.server(tournament.guild)
        drawn = [
            await self._pages.drawn(one, f"event-{tournament.id}-{name}.png", describe.text(one))
            for name, one in closing_pictures(words, material, theme=ThemeName(preferences.theme))
        ]
        return tuple(one for one in drawn if one is not None)


async def show_export(context: Context, interaction: Interaction, tournament: int) -> None:
    """Answer with the page, the document and the tables of a tournament.

    Refusals: unknown_tournament, and not_director before it is over; wrong_stage for a draft.
    """
    words = replies.words_for(interaction)
    guild = table_places.of_interaction(interaction).guild
    material = await context.tournaments.material(tournament, person=interaction.user.id, guild=guild)
    files = [Picture(one.name, one.data, one.told) for one in await export_files(words, context.tables, material)]
    await replies.show(interaction, export_page(words, files))


def export_page(words: Words, files: list[Picture]) -> Page:
    """The files, with what each of them is."""
    said = [words("export.title"), *(f"`{file.name}`: {file.told}" for file in files)]
    shown = [ui.File[ui.LayoutView](discord.UnfurledMediaItem(f"attachment://{file.name}")) for file in files]
    return page([text("\n".join(said)), *shown], files)


async def meant(context: Context, interaction: Interaction, named: str | None) -> int:
    """The tournament whose export is asked for: the one that is named, else the latest that is over.

    Raises `InputProblem` where there is none.
    """
    found = await _there(context, interaction)
    if not found:
        raise InputProblem(InputCode.NO_TOURNAMENT)
    return which.named_among(found, named).id if named else found[0].id


async def choices(context: Context, interaction: Interaction, typed: str) -> list[tuple[str, str]]:
    """Labels and values for the `tournament:` option, those that are over first."""
    return which.labelled(await _there(context, interaction), typed)


async def _there(context: Context, interaction: Interaction) -> list[Tournament]:
    guild = table_places.of_interaction(interaction).guild
    return [*await context.tournaments.closed_in(guild), *await which.shown_in(context.tournaments, guild)]
