"""`/leaderboard`: the best players of a guild, for each ladder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from discord import app_commands
from discord.ext import commands

from bot.i18n import Words
from bot.ratings.ratings import Ladder, ladder_named
from bot.ratings.service import Rated
from cogs.shared.door import interactions
from cogs.shared.door.components import Option, Page, container, page, select, text
from cogs.shared.door.interactions import Interaction, answered
from cogs.shared.reading.ids import MOST_OPTIONS, ControlId
from cogs.shared.reading.problems import InputCode, InputProblem
from cogs.shared.serving.context import Context
from cogs.shared.telling.rating_text import ladder_title, rating_figure

LADDER: Final = "leaderboard"
"""The control of the menu of ladders."""

MOST_SHOWN: Final = 20


class LeaderboardCommand(commands.Cog):
    """The command `/leaderboard`, and the menu of ladders under its answer."""

    def __init__(self, context: Context) -> None:
        self.context = context
        context.router.add(LADDER, self.choose)

    @app_commands.command()
    @app_commands.guild_only()
    async def leaderboard(self, interaction: Interaction, game: str | None = None) -> None:
        async with answered(interaction):
            await interactions.answer(interaction, self._page(interaction, game))

    @leaderboard.autocomplete("game")
    async def suggest_games(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        words = interactions.words_for(interaction)
        titles = {one.name: ladder_title(words, one) for one in await self.context.ratings.ladders()}
        fitting = [(name, title) for name, title in titles.items() if typed.strip().casefold() in title.casefold()]
        return [app_commands.Choice(name=title, value=name) for name, title in fitting[:MOST_OPTIONS]]

    async def choose(self, interaction: Interaction, _control: ControlId, chosen: tuple[str, ...]) -> None:
        """Show another ladder in the same message."""
        await interactions.answer(interaction, self._page(interaction, "".join(chosen[:1])), update=True)

    async def _page(self, interaction: Interaction, game: str | None) -> Page:
        """Return the page of the named ladder, or of the first one. Raises `InputProblem`."""
        words, guild = interactions.words_for(interaction), interaction.guild_id
        ladders = await self.context.ratings.ladders()
        if not ladders:
            return page([container(text(words("leaderboard.nothing")))])
        ladder = ladders[0] if game is None else _ladder_named(game)
        board = await self.context.ratings.leaderboard(ladder, guild=guild)
        own = [one for one in await self.context.ratings.ratings_of(interaction.user.id) if one.ladder == ladder]
        return board_page(words, ladder, board, ladders=ladders, own=own[0] if own else None)


def _ladder_named(game: str) -> Ladder:
    try:
        return ladder_named(game)
    except LookupError:
        raise InputProblem(InputCode.NO_LADDER, {"text": game[:40]}) from None


def board_page(
    words: Words, ladder: Ladder, board: Sequence[Rated], *, ladders: Sequence[Ladder], own: Rated | None
) -> Page:
    """Return the best players of a ladder, the reader's own place, and the menu of ladders."""
    lines = [words("leaderboard.title", ladder=ladder_title(words, ladder))]
    lines += [_row(words, board, one) for one in board[:MOST_SHOWN]] or [words("leaderboard.nobody")]
    if own is not None:
        lines.append(_own_line(words, board, own))
    lines.append(words("leaderboard.note"))
    options = [Option(one.name, ladder_title(words, one), chosen=one == ladder) for one in ladders]
    menu = select(ControlId(0, 0, LADDER), words("leaderboard.choose"), options)
    return page([container(text("\n".join(lines)), menu)])


def _place(board: Sequence[Rated], own: Rated) -> int:
    """Return a place, counted from 1; players with equal ratings share it."""
    return 1 + sum(one.rating.shown > own.rating.shown for one in board)


def _row(words: Words, board: Sequence[Rated], one: Rated) -> str:
    return words(
        "leaderboard.row",
        place=_place(board, one),
        person=f"<@{one.person}>",
        rating=rating_figure(words, one.rating),
        count=one.matches,
    )


def _own_line(words: Words, board: Sequence[Rated], own: Rated) -> str:
    figure = rating_figure(words, own.rating)
    if own.rating.provisional or all(one.person != own.person for one in board):
        return words("leaderboard.own_off", rating=figure)
    return words("leaderboard.own", place=_place(board, own), count=len(board), rating=figure)
