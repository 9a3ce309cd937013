"""Finds the tournament that a command means: the named one, or the only one that fits."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bot.tournaments.event.tournament import Stage, Tournament
from bot.tournaments.service import TournamentService
from cogs.shared.discord_api import table_places
from cogs.shared.discord_api.interactions import Interaction
from cogs.shared.reading.custom_ids import MOST_CHOICES
from cogs.shared.reading.input_problems import InputCode, InputProblem
from cogs.tournament import wording

Fits = Callable[[Tournament], bool]


async def visible_tournaments(tournaments: TournamentService, guild: int) -> list[Tournament]:
    """Return the tournaments of the server that everyone may see."""
    return [one for one in await tournaments.overview.open_tournaments_in(guild) if one.stage is not Stage.DRAFT]


async def find_tournament(
    tournaments: TournamentService, interaction: Interaction, named: str | None, *, fits: Fits | None = None
) -> Tournament:
    """Return the named tournament, or the only one for which `fits` is true.

    By default those fit that the person entered. If none fits, all visible ones are considered. Raises `InputProblem`
    if there is none or more than one.
    """
    guild = table_places.place_of_interaction(interaction).guild
    found = await visible_tournaments(tournaments, guild)
    if named:
        return find_named_tournament(found, named)
    wanted = fits or (lambda one: one.entry_of(interaction.user.id) is not None)
    fitting = [one for one in found if wanted(one)] or found
    if not fitting:
        raise InputProblem(InputCode.NO_TOURNAMENT)
    if len(fitting) > 1:
        text = ", ".join(wording.plain_text(one.plan.name) for one in fitting[:10])
        raise InputProblem(InputCode.WHICH_TOURNAMENT, {"tournaments": text})
    return fitting[0]


def find_named_tournament(tournaments: Sequence[Tournament], named: str) -> Tournament:
    """Return the tournament with that number or name. Raises `InputProblem`."""
    for one in tournaments:
        if named == str(one.id) or named.casefold() == one.plan.name.casefold():
            return one
    raise InputProblem(InputCode.NOT_A_TOURNAMENT, {"text": named[:40]})


async def tournament_choices(
    tournaments: TournamentService, interaction: Interaction, typed: str
) -> list[tuple[str, str]]:
    """Return labels and values for the option `tournament:`."""
    return matching_choices(await visible_tournaments(tournaments, interaction.guild_id or 0), typed)


def matching_choices(tournaments: Sequence[Tournament], typed: str) -> list[tuple[str, str]]:
    """Return labels and values of the tournaments whose names contain the typed text."""
    those = [(wording.plain_text(one.plan.name, longest=80), str(one.id)) for one in tournaments]
    return [one for one in those if typed.casefold() in one[0].casefold()][:MOST_CHOICES]
