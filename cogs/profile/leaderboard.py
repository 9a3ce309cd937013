"""`/leaderboard`: the best players of a guild, for each ladder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from discord import app_commands
from discord.ext import commands

from bot.i18n import Words
from bot.ratings.rating_rules import Ladder, ladder_named
from bot.ratings.service import LadderRating
from cogs.shared.discord_api import interactions
from cogs.shared.discord_api.components import Option, Page, container, page, select, text
from cogs.shared.discord_api.interactions import Interaction, answer_in_time
from cogs.shared.reading.custom_ids import MOST_OPTIONS, ControlId
from cogs.shared.reading.input_problems import InputCode, InputProblem
from cogs.shared.serving.context import Context
from cogs.shared.telling.rating_text import ladder_title, rating_figure

LADDER: Final = "leaderboard"
"""The control of the menu of ladders."""

MOST_SHOWN: Final = 20

PAIRS: Final = " pairs"
"""The end of the name of a board of pairs: ``classic-4 pairs``."""


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """A leaderboard: the players of a ladder, or its pairs."""

    ladder: Ladder
    pairs: bool = False

    @property
    def name(self) -> str:
        """Return the leaderboard's stable name: ``classic-4`` or ``classic-4 pairs``."""
        return f"{self.ladder.name}{PAIRS}" if self.pairs else self.ladder.name

    def title(self, words: Words) -> str:
        """Return the leaderboard's name as people read it."""
        title = ladder_title(words, self.ladder)
        return words("leaderboard.pairs", ladder=title) if self.pairs else title


class LeaderboardCommand(commands.Cog):
    """The command `/leaderboard`, and the menu of ladders under its answer."""

    def __init__(self, context: Context) -> None:
        self.context = context
        context.router.add(LADDER, self.choose_leaderboard)

    @app_commands.command()
    @app_commands.guild_only()
    async def leaderboard(self, interaction: Interaction, game: str | None = None) -> None:
        async with answer_in_time(interaction):
            await interactions.answer_with_page(interaction, self._load_leaderboard_page(interaction, game))

    @leaderboard.autocomplete("game")
    async def suggest_games(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        words = interactions.words_for(interaction)
        titles = {one.name: one.title(words) for one in await self._all_leaderboards()}
        fitting = [(name, title) for name, title in titles.items() if typed.strip().casefold() in title.casefold()]
        return [app_commands.Choice(name=title, value=name) for name, title in fitting[:MOST_OPTIONS]]

    async def choose_leaderboard(self, interaction: Interaction, _control: ControlId, chosen: tuple[str, ...]) -> None:
        """Show the leaderboard chosen in the menu, in the same message."""
        await interactions.answer_with_page(
            interaction, self._load_leaderboard_page(interaction, "".join(chosen[:1])), update=True
        )

    async def _all_leaderboards(self) -> list[Leaderboard]:
        """Return the leaderboards of all ladders: one of players, and one of pairs if any pairs have ratings."""
        with_pairs = await self.context.ratings.pair_ladders()
        ladders = await self.context.ratings.ladders()
        return [Leaderboard(one, pairs) for one in ladders for pairs in (False, True) if not pairs or one in with_pairs]

    async def _load_leaderboard_page(self, interaction: Interaction, game: str | None) -> Page:
        """Return the page of the named leaderboard, or of the first one. Raises `InputProblem`."""
        words, ratings = interactions.words_for(interaction), self.context.ratings
        boards = await self._all_leaderboards()
        if not boards:
            return page([container(text(words("leaderboard.nothing")))])
        board = boards[0] if game is None else _parse_leaderboard(game)
        rows = await ratings.leaderboard(board.ladder, guild=interaction.guild_id, pairs=board.pairs)
        own_ratings = ratings.pair_ratings_of if board.pairs else ratings.ratings_of
        own = [one for one in await own_ratings(interaction.user.id) if one.ladder == board.ladder]
        return leaderboard_page(words, board, rows, boards=boards, own=own)


def _parse_leaderboard(game: str) -> Leaderboard:
    try:
        return Leaderboard(ladder_named(game.removesuffix(PAIRS)), pairs=game.endswith(PAIRS))
    except LookupError:
        raise InputProblem(InputCode.NO_LADDER, {"text": game[:40]}) from None


def leaderboard_page(
    words: Words,
    board: Leaderboard,
    rows: Sequence[LadderRating],
    *,
    boards: Sequence[Leaderboard],
    own: Sequence[LadderRating],
) -> Page:
    """Return the page of a leaderboard: its best players, the reader's place, and a menu of all boards.

    For pairs it is the place of the reader's best pair. `own` are the reader's ratings on the board, those with most
    matches first.
    """
    lines = [words("leaderboard.title", ladder=board.title(words))]
    lines += [_leaderboard_row(words, rows, one) for one in rows[:MOST_SHOWN]] or [words("leaderboard.nobody")]
    if own:
        lines.append(_own_rating_line(words, rows, own))
    lines.append(words("leaderboard.note"))
    options = [Option(one.name, one.title(words), chosen=one == board) for one in boards[:MOST_OPTIONS]]
    menu = select(ControlId(0, 0, LADDER), words("leaderboard.choose"), options)
    return page([container(text("\n".join(lines)), menu)])


def _own_place(board: Sequence[LadderRating], own: LadderRating) -> int:
    """Return the place of the rating `own` on the board, from 1; equal ratings share a place."""
    return 1 + sum(one.rating.displayed_value > own.rating.displayed_value for one in board)


def _leaderboard_row(words: Words, board: Sequence[LadderRating], rating: LadderRating) -> str:
    """Return a line of the leaderboard: place, person or pair, rating, and number of matches."""
    return words(
        "leaderboard.row",
        place=_own_place(board, rating),
        person=" & ".join(f"<@{person}>" for person in sorted(_rated_persons(rating))),
        rating=rating_figure(words, rating.rating),
        count=rating.matches,
    )


def _rated_persons(rating: LadderRating) -> frozenset[int]:
    """Return the ids of the rated person or pair."""
    return frozenset({rating.person} if rating.partner is None else {rating.person, rating.partner})


def _own_rating_line(words: Words, board: Sequence[LadderRating], own: Sequence[LadderRating]) -> str:
    """Return the line on the reader's best rating on the board.

    If none is on the board, it is on their rating with the most matches.
    """
    listed = {_rated_persons(one) for one in board}
    placed = [one for one in own if _rated_persons(one) in listed]
    best = min(placed, key=lambda one: _own_place(board, one)) if placed else own[0]
    figure, place = rating_figure(words, best.rating), _own_place(board, best)
    if best.partner is None:
        on, off, partner = "leaderboard.own", "leaderboard.own_off", ""
    else:
        on, off, partner = "leaderboard.own_pair", "leaderboard.own_pair_off", f"<@{best.partner}>"
    if not placed:
        return words(off, rating=figure, partner=partner)
    return words(on, place=place, count=len(board), rating=figure, partner=partner)
