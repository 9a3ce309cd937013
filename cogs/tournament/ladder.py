"""Ladders: making and answering challenges, and the message that lists the entries in order.

Rules: `docs/tournaments.md` 3.
"""

from __future__ import annotations

from collections.abc import Sequence

import discord

from bot.i18n import Words
from bot.tournaments.event.refusals import TournamentCode, TournamentRefusal
from bot.tournaments.event.tournament import Tournament
from bot.tournaments.formats.ranking import Place
from cogs.shared.discord_api import interactions
from cogs.shared.discord_api.components import SUCCESS, Page, Part, button, button_row, container, page, text
from cogs.shared.discord_api.interactions import Interaction
from cogs.shared.reading.custom_ids import ControlId
from cogs.shared.serving.context import Context
from cogs.tournament import wording
from cogs.tournament.control_ids import control, link_of
from cogs.tournament.round_messages import standings_lines

SHOWN = 40


class LadderControls:
    """Handlers of the buttons with which a challenged entry answers."""

    def __init__(self, context: Context) -> None:
        self.context = context
        context.router.add("t_accept", self.accept_challenge)
        context.router.add("t_decline", self.decline_challenge)

    async def accept_challenge(self, interaction: Interaction, control_id: ControlId, _chosen: tuple[str, ...]) -> None:
        await self._answer_challenge(interaction, control_id, yes=True)

    async def decline_challenge(
        self, interaction: Interaction, control_id: ControlId, _chosen: tuple[str, ...]
    ) -> None:
        await self._answer_challenge(interaction, control_id, yes=False)

    async def _answer_challenge(self, interaction: Interaction, control_id: ControlId, *, yes: bool) -> None:
        words, number = interactions.words_for(interaction), link_of(control_id).tournament
        caller = interactions.caller_of(interaction)
        await self.context.tournaments.entering.answer_challenge(caller, number, yes=yes)
        await interactions.answer_privately(interaction, words("tournament.accepted" if yes else "tournament.declined"))


async def challenge_entry(
    context: Context, interaction: Interaction, tournament: Tournament, opponent: discord.Member
) -> None:
    """Challenge the entry of a guild member."""
    entrant = tournament.entry_of(opponent.id)
    if entrant is None:
        raise TournamentRefusal(TournamentCode.NOT_ENTERED)
    done = await context.tournaments.entering.challenge(
        interactions.caller_of(interaction), tournament.id, entry=entrant.number
    )
    words = interactions.words_for(interaction)
    name = wording.entry_name(words, done, entrant.number)
    await interactions.answer_privately(interaction, words("tournament.you_challenge", name=name))


def challenge_buttons(words: Words, tournament: Tournament) -> Part | None:
    """Return the buttons to accept or decline a challenge."""
    return button_row(
        button(control(tournament.id, "t_accept"), words("tournament.accept"), style=SUCCESS),
        button(control(tournament.id, "t_decline"), words("tournament.decline")),
    )


def ladder_page(words: Words, tournament: Tournament, places: Sequence[Place]) -> Page:
    """Return the message that lists the ladder's entries from the top."""
    title = words("tournament.ladder", name=wording.tournament_name(tournament))
    row = button_row(
        button(control(tournament.id, "t_enter"), words("tournament.enter"), style=SUCCESS),
        button(control(tournament.id, "t_where"), words("tournament.where")),
    )
    how = words("tournament.ladder_how", count=tournament.plan.ladder_reach)
    return page([container(text("\n".join([title, *standings_lines(words, tournament, places, SHOWN), how])), row)])
