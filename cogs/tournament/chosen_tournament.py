"""Which tournament a command means: the one that is named, else the only one that fits, one's own first."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bot.tournaments.event.tournament import Stage, Tournament
from bot.tournaments.service import TournamentService
from cogs.shared.door import places
from cogs.shared.door.interactions import Interaction
from cogs.shared.reading.ids import MOST_CHOICES
from cogs.shared.reading.problems import InputCode, InputProblem
from cogs.tournament import wording

Fits = Callable[[Tournament], bool]


async def shown_in(tournaments: TournamentService, guild: int) -> list[Tournament]:
    """The tournaments of a server that everybody may see."""
    return [one for one in await tournaments.overview.open_in(guild) if one.stage is not Stage.DRAFT]


async def meant(
    tournaments: TournamentService, interaction: Interaction, named: str | None, *, fits: Fits | None = None
) -> Tournament:
    """The tournament that a command means: the one that `fits`, else one's own, else the only one there is.

    Raises `InputProblem` where that is not clear.
    """
    guild = places.of_interaction(interaction).guild
    found = await shown_in(tournaments, guild)
    if named:
        return named_among(found, named)
    wanted = fits or (lambda one: one.entry_of(interaction.user.id) is not None)
    fitting = [one for one in found if wanted(one)] or found
    if not fitting:
        raise InputProblem(InputCode.NO_TOURNAMENT)
    if len(fitting) > 1:
        told = ", ".join(wording.plain(one.plan.name) for one in fitting[:10])
        raise InputProblem(InputCode.WHICH_TOURNAMENT, {"tournaments": told})
    return fitting[0]


def named_among(found: Sequence[Tournament], named: str) -> Tournament:
    """The one of that number or name. Raises `InputProblem`."""
    for one in found:
        if named == str(one.id) or named.casefold() == one.plan.name.casefold():
            return one
    raise InputProblem(InputCode.NOT_A_TOURNAMENT, {"text": named[:40]})


async def choices(tournaments: TournamentService, interaction: Interaction, typed: str) -> list[tuple[str, str]]:
    """Labels and values for the `tournament:` option."""
    return labelled(await shown_in(tournaments, interaction.guild_id or 0), typed)


def labelled(found: Sequence[Tournament], typed: str) -> list[tuple[str, str]]:
    """Labels and values of those whose names have in them what was typed."""
    those = [(wording.plain(one.plan.name, longest=80), str(one.id)) for one in found]
    return [one for one in those if typed.casefold() in one[0].casefold()][:MOST_CHOICES]
