"""`/me games`: a person's tables in all guilds, first those waiting for them; and finished games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from discord import ui

from bot.i18n import Words
from bot.profiles.game_statistics import GameResult
from bot.tables.state.snapshots import Status, TableSnapshot
from cogs.shared.discord_api import interactions
from cogs.shared.discord_api.components import (
    SUCCESS,
    Page,
    Part,
    button,
    button_row,
    container,
    link_button,
    page,
    section,
    text,
)
from cogs.shared.discord_api.interactions import Interaction
from cogs.shared.reading.custom_ids import ControlId
from cogs.shared.reading.input_problems import InputCode, InputProblem
from cogs.shared.serving import panel
from cogs.shared.serving.context import Context
from cogs.shared.telling import names
from cogs.shared.telling.names import rules_name, table_rules_name
from cogs.shared.telling.numbers import group_thousands
from cogs.shared.telling.series_titles_text import titles_text
from cogs.shared.telling.status_text import ABSOLUTE, discord_timestamp

OPEN: Final = "games"
"""The control that shows the open games; its argument is the page number, from 1."""

FINISHED: Final = "games_finished"
GO_ON: Final = "play_on"

ON_A_PAGE: Final = 8
MOST_FINISHED: Final = 20
YEAR: Final = 365
_NEVER: Final = 2**62


@dataclass(frozen=True, slots=True)
class PersonGame:
    """A table with the person's seat and its place on Discord.

    The server's name is set if the table is in another server.
    """

    snapshot: TableSnapshot
    seat: int
    address: str
    server: str


class GamesControls:
    """Handlers of the controls on the pages of a person's games."""

    def __init__(self, context: Context) -> None:
        self.context = context
        context.router.add(OPEN, self.show_open_games)
        context.router.add(FINISHED, self.show_finished_games)
        context.router.add(GO_ON, self.continue_game)

    async def show_open_games(self, interaction: Interaction, control: ControlId, _chosen: tuple[str, ...]) -> None:
        if not control.argument.isdecimal():
            raise InputProblem(InputCode.OLD_CONTROL)
        making = open_games_page(self.context, interaction, page_number=int(control.argument))
        await interactions.answer_with_page(interaction, making, update=True)

    async def show_finished_games(
        self, interaction: Interaction, _control: ControlId, _chosen: tuple[str, ...]
    ) -> None:
        await interactions.answer_with_page(interaction, finished_games_page(self.context, interaction), update=True)

    async def continue_game(self, interaction: Interaction, control: ControlId, _chosen: tuple[str, ...]) -> None:
        """Show the hand in place of the list, and repost the board at its table."""
        await panel.answer_with_panel(
            self.context, interaction, panel.hand_page(self.context, interaction, control.table)
        )
        self.context.board_updater.request_update(control.table, repost=True)


async def open_games_page(context: Context, interaction: Interaction, *, page_number: int = 1) -> Page:
    """Return a page of the person's open tables, most urgent first."""
    person, words = interaction.user.id, interactions.words_for(interaction)
    snapshots = sort_by_urgency(await context.tables.reading.open_tables_of(person), person)
    pages = max(1, -(-len(snapshots) // ON_A_PAGE))
    page_number = min(max(page_number, 1), pages)
    shown = snapshots[(page_number - 1) * ON_A_PAGE : page_number * ON_A_PAGE]
    games = [await _load_game(context, interaction, snapshot, person) for snapshot in shown]
    return games_page(words, games, page_number=page_number, pages=pages)


def games_page(words: Words, games: Sequence[PersonGame], *, page_number: int, pages: int) -> Page:
    """Return page `page_number` of `pages` of a person's games, with a line and a button for each."""
    parts = [section(game_line(words, game), _link_button(words, game)) for game in games]
    title = words("games.title") if parts else words("games.none")
    row = button_row(
        button(ControlId(0, 0, OPEN, str(page_number - 1)), "◀", enabled=page_number > 1) if pages > 1 else None,
        button(ControlId(0, 0, OPEN, str(page_number + 1)), "▶", enabled=page_number < pages) if pages > 1 else None,
        button(ControlId(0, 0, FINISHED), words("games.finished")),
    )
    return page([container(text(title), *parts, row)])


async def finished_games_page(context: Context, interaction: Interaction) -> Page:
    """Return the page of the person's latest finished games."""
    words = interactions.words_for(interaction)
    results = await context.figures.finished_games(interaction.user.id, most=MOST_FINISHED)
    fame = await context.series.points_and_wins_in(interaction.guild_id or 0)
    titles = [
        words("profile.titles", titles=titles_text(words, one)) for one in fame if one.person == interaction.user.id
    ]
    lines = [words("games.finished_title"), *titles, *(finished_game_line(words, result) for result in results)]
    message = "\n".join(lines if results else [*titles, words("games.none_finished")])
    row: Part | None = button_row(button(ControlId(0, 0, OPEN, "1"), words("games.open")))
    return page([container(text(message), row)])


def sort_by_urgency(snapshots: Sequence[TableSnapshot], person: int) -> tuple[TableSnapshot, ...]:
    """Return the tables sorted: first those that wait for the person, each group by deadline."""

    def urgency(snapshot: TableSnapshot) -> tuple[bool, int, int]:
        until = None if snapshot.clocks is None else snapshot.clocks.until
        return (seat_to_act(snapshot) != snapshot.seat_of(person), _NEVER if until is None else until, snapshot.id)

    return tuple(sorted(snapshots, key=urgency))


def seat_to_act(snapshot: TableSnapshot) -> int | None:
    """Return the seat that the game waits for, or None, as in a lobby."""
    return None if snapshot.view is None or snapshot.status is not Status.PLAYING else snapshot.view.actor


async def _load_game(context: Context, interaction: Interaction, snapshot: TableSnapshot, person: int) -> PersonGame:
    message = await context.tables.places.board_message(snapshot.id)
    channel = snapshot.thread or snapshot.channel
    address = f"https://discord.com/channels/{snapshot.guild}/{channel}"
    if message is not None:
        address = f"https://discord.com/channels/{snapshot.guild}/{message.channel}/{message.message}"
    server = ""
    if snapshot.guild != interaction.guild_id:
        guild = interaction.client.get_guild(snapshot.guild)
        server = "?" if guild is None else names.escape_name(guild.name)
    return PersonGame(snapshot, snapshot.seat_of(person) or 0, address, server)


def game_line(words: Words, game: PersonGame) -> str:
    """Return a line on a table: "Table 7 · classic · deal 3 · 1,240 to 980 · your turn · kept a year"."""
    snapshot = game.snapshot
    texts = [words("games.table", table=snapshot.id), table_rules_name(words, snapshot), game.server]
    if snapshot.view is None:
        free = sum(holder.kind == "empty" for holder in snapshot.seats)
        texts.append(words("games.lobby", free=free))
    else:
        texts += [words("games.deal", deal=snapshot.view.deal), _scores_text(words, game), _turn_text(words, game)]
    return " · ".join(filter(None, [*texts, _deadline_text(words, snapshot)]))


def _scores_text(words: Words, game: PersonGame) -> str:
    """Return the scores as text, the person's own first."""
    totals = () if game.snapshot.view is None else game.snapshot.view.totals
    ordered = sorted(totals, key=lambda total: game.seat not in total.seats)
    return f" {words('games.to')} ".join(group_thousands(words, total.score) for total in ordered)


def _turn_text(words: Words, game: PersonGame) -> str:
    """Return text on whose turn it is, or that the game is between deals."""
    actor = seat_to_act(game.snapshot)
    if actor is None:
        return words("games.between")
    if actor == game.seat:
        return words("games.your_turn")
    return words("games.turn_of", name=names.seat_name(words, game.snapshot, actor))


def _deadline_text(words: Words, snapshot: TableSnapshot) -> str:
    """Return text on when the current time runs out.

    Without a running clock it is on how long the game is kept.
    """
    if snapshot.status is Status.LOBBY:
        return "" if snapshot.expires_at is None else words("games.closes", when=discord_timestamp(snapshot.expires_at))
    if snapshot.pause is not None:
        return words("games.paused")
    if snapshot.clocks is not None and snapshot.clocks.until is not None:
        return words("games.until", when=discord_timestamp(snapshot.clocks.until, ABSOLUTE))
    alone = len(snapshot.persons) == 1
    if snapshot.settings.clock is not None and not alone:
        return ""
    days = snapshot.settings.idle_days(alone=alone)
    return words("games.kept_a_year") if days == YEAR else words("games.kept", days=days)


def _link_button(words: Words, game: PersonGame) -> ui.Button[Any]:
    """Return the button to resume a game in this guild, or a link to a lobby or to another guild."""
    if game.server or game.snapshot.view is None:
        return link_button(game.address, words("board.show"))
    return button(ControlId(game.snapshot.id, game.snapshot.version, GO_ON), words("games.go_on"), style=SUCCESS)


def finished_game_line(words: Words, result: GameResult) -> str:
    """Return a line on a finished game."""
    score = f"{group_thousands(words, result.score)} {words('games.to')} {group_thousands(words, result.against)}"
    texts = [
        words("games.table", table=result.table),
        rules_name(words, result.rules),
        words("games.won" if result.won else "games.not_won"),
        score,
        words("games.deals", count=result.deals),
        words(f"game_end.{result.how}") if f"game_end.{result.how}" in words else "",
        discord_timestamp(result.finished_at, "d"),
    ]
    return " · ".join(filter(None, texts))
