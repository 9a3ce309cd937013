"""The results of a finished tournament: pictures of standings and bracket, and files for export."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

import discord
from discord import ui

from bot.i18n import Words
from bot.profiles.preferences import PreferencesService
from bot.tables.service import TableService
from bot.tournaments.brackets.bracket_slots import BracketPart, RoundLabel
from bot.tournaments.brackets.bracket_trees import TreeColumn, bracket_trees
from bot.tournaments.brackets.results import SlotProgress, SlotState
from bot.tournaments.counted_results import Match as PlayedMatch
from bot.tournaments.event.tournament import Stage, Tournament
from bot.tournaments.export.document import document_text, tournament_document
from bot.tournaments.export.export_input import ExportInput
from bot.tournaments.export.sheets import zip_archive
from bot.tournaments.service import TournamentService
from bot.tournaments.standings.points_by_round import rounds_by_entry
from bot.tournaments.standings.tie_breaks import count_wins_at_tables
from cogs.shared.discord_api import interactions, table_places
from cogs.shared.discord_api.components import Page, text
from cogs.shared.discord_api.components import Picture as AttachedPicture
from cogs.shared.discord_api.components import page as message_page
from cogs.shared.discord_api.interactions import Interaction
from cogs.shared.reading.input_problems import InputCode, InputProblem
from cogs.shared.serving.context import Context
from cogs.shared.showing.pages import Pages
from cogs.shared.telling.names import picture_words
from cogs.tournament import which_tournament
from cogs.tournament.page.html import Json, PageSource
from cogs.tournament.page.page import page_html, page_source
from cogs.tournament.page.replays import replay_html
from cogs.tournament.page.rounds import column_title, matches_by_slot
from render import descriptions
from render.drawable_names import best_drawable_name, single_line_name
from render.layout_items import ThemeName
from render.picture_inputs import BracketMatch, BracketPicture, Picture, StandingsPicture, StandingsRow

ROWS: Final = 16
"""Most places shown."""

COLUMNS: Final = 4
LONGEST_COLUMN: Final = 8
"""Most matches in a column; of a larger bracket only the last rounds are drawn."""

LETTERS: Final = {1: 32, 2: 24}
ELSE: Final = 16
"""Most characters of a person's name, by the number of people in an entry; `ELSE` for larger entries."""

NOBODY: Final = "–"

PARTS: Final = ((BracketPart.MAIN,), (BracketPart.UPPER, BracketPart.MAIN), (BracketPart.LOWER,), (BracketPart.SECOND,))
"""The parts drawn together as one bracket; the finals of a double one follow its upper half."""


def closing_pictures(words: Words, material: ExportInput, *, theme: ThemeName) -> tuple[tuple[str, Picture], ...]:
    """Return the pictures of a finished tournament with their names.

    First the places of each list, then the bracket.
    """
    source = page_source(words, material, {}, tournament_document(material))
    return (*_standings_pictures(source, theme), *_bracket_pictures(source, theme))


# --- places ----------------------------------------------------------------------------------------------------------


def _standings_pictures(source: PageSource, theme: ThemeName) -> Iterator[tuple[str, Picture]]:
    standings = source.document["standings"]
    rows = standings[-1]["rows"] if standings else []
    for name in dict.fromkeys(row["list"] for row in rows if row["list"] != "second"):
        those = [row for row in rows if row["list"] == name and row["place"] is not None][:ROWS]
        if those:
            title = f"places-{name}" if name else "places"
            yield title, _standings_picture(source, those, list_name=name, theme=theme)


def _standings_picture(
    source: PageSource, rows: Sequence[Json], *, list_name: str, theme: ThemeName
) -> StandingsPicture:
    words, figures = source.words, _column_figures(rows)
    return StandingsPicture(
        title=source.document["event"]["name"],
        note=" · ".join([_subtitle(source), *([words(f"event_list.{list_name}")] if list_name else [])]),
        columns=(*(words(f"event_short.{one}") for one in figures), _last_column_title(source)),
        rows=tuple(
            StandingsRow(
                row["place"],
                drawable_name(source, row["entry"]),
                (*_figure_texts(source, row, figures), _last_column_value(source, row)),
            )
            for row in rows
        ),
        medals=True,
        words=picture_words(words),
        theme=theme,
    )


def _subtitle(source: PageSource) -> str:
    """Return text with the day (UTC), the format and the number of participants."""
    day = datetime.fromtimestamp(source.material.tournament.plan.starts_at / 1000, UTC)
    kind = source.words(f"event_kind.{source.document['event']['kind']}")
    return source.words("export.about", day=f"{day:%Y-%m-%d}", kind=kind, entries=len(source.document["entries"]))


def _column_figures(rows: Sequence[Json]) -> tuple[str, ...]:
    """Return the names of the figures that are shown in columns before the points."""
    there = [one for one in ("bc1", "sb", "net", "boards") if any(row["figures"].get(one) is not None for row in rows)]
    return tuple(one for one in there if one != "sb" or "bc1" not in there)


def _figure_texts(source: PageSource, row: Json, figures: Sequence[str]) -> tuple[str, ...]:
    return tuple(source.figure_text(row["figures"].get(one)) for one in figures)


def _last_column_title(source: PageSource) -> str:
    """Return the title of the last column: points or, in brackets and ladders, matches won."""
    by_points = any(row["points"] is not None for row in source.document["standings"][-1]["rows"])
    return source.words("event_page.points" if by_points else "event_short.wins")


def _last_column_value(source: PageSource, row: Json) -> str:
    if row["points"] is not None:
        return source.points_text(row["points"])
    return str(count_wins_at_tables(rounds_by_entry(source.course, len(source.course.rounds))[row["entry"]]))


def drawable_name(source: PageSource, entry: int) -> str:
    """Return the names of an entry's players if the fonts have all their letters, else the entry's number."""
    tournament = source.material.tournament
    people = tournament.entrant(entry).people
    names = (tournament.names.get(one) or source.words("seat.former") for one in people)
    return " & ".join(
        single_line_name(best_drawable_name(one, fallback=f"#{entry}"), LETTERS.get(len(people), ELSE)) for one in names
    )


# --- the bracket -----------------------------------------------------------------------------------------------------


def _bracket_pictures(source: PageSource, theme: ThemeName) -> Iterator[tuple[str, Picture]]:
    bracket = source.material.bracket
    if bracket is None:
        return
    by_part = {tree.part: tree.columns for tree in bracket_trees(bracket)}
    for parts in PARTS:
        if parts == (BracketPart.MAIN,) and BracketPart.UPPER in by_part:
            continue  # the final matches come after those of the upper half of the bracket
        if parts[0] not in by_part:
            continue
        columns = [column for part in parts for column in by_part.get(part, ())]
        columns = [one for one in columns if one.slot_states[0].slot.label is not RoundLabel.THIRD_PLACE]
        columns = [one for one in columns if len(one.slot_states) <= LONGEST_COLUMN][-COLUMNS:]
        yield f"bracket-{parts[0].value}", _bracket_picture(source, columns, parts[0], theme)


def _bracket_picture(
    source: PageSource, columns: Sequence[TreeColumn], part: BracketPart, theme: ThemeName
) -> BracketPicture:
    played = matches_by_slot(source)
    return BracketPicture(
        title=source.document["event"]["name"],
        note=_subtitle(source) if part is BracketPart.MAIN else source.words(f"event_part.{part.value}"),
        rounds=tuple(tuple(_bracket_match(source, view, played) for view in column.slot_states) for column in columns),
        round_names=tuple(column_title(source, column) for column in columns),
        words=picture_words(source.words),
        theme=theme,
    )


def _bracket_match(source: PageSource, slot: SlotState, played: dict[str, PlayedMatch]) -> BracketMatch:
    names = tuple(_side_name(source, slot, side) for side in (0, 1))
    match = played.get(slot.slot.name)
    scores: list[int | None] = [None, None]
    if match is not None and match.is_played:
        for side, entry in enumerate(slot.sides):
            found = None if entry is None else match.side_of(entry)
            scores[side] = None if found is None else match.sides[found].score
    won = slot.winner if slot.state is SlotProgress.DECIDED else None
    winner = slot.sides.index(won) if won is not None else None
    return BracketMatch((names[0], names[1]), (scores[0], scores[1]), winner)


def _side_name(source: PageSource, slot: SlotState, side: int) -> str:
    """Return the name of a match's side; empty while it is unknown."""
    entry = slot.sides[side]
    if entry is not None:
        return drawable_name(source, entry)
    return NOBODY if slot.known[side] else ""


LARGEST: Final = 7_000_000
"""Most bytes of the page, so that all three files fit into one message in any guild."""

Replays = Mapping[tuple[int, int], str]


@dataclass(frozen=True, slots=True)
class ExportFile:
    """A file for export: its name, its content, and its description."""

    name: str
    data: bytes
    description: str


async def export_files(words: Words, tables: TableService, material: ExportInput) -> tuple[ExportFile, ...]:
    """Return the files of a tournament: page, document and tables.

    The page has replays once the tournament is over.
    """
    over = material.tournament.stage in (Stage.CLOSING, Stage.CLOSED)
    replays = await replay_html_by_deal(words, tables, material.tournament) if over else {}
    return await asyncio.to_thread(_build_files, words, material, replays)


def _build_files(words: Words, material: ExportInput, replays: Replays) -> tuple[ExportFile, ...]:
    number = material.tournament.id
    return (
        ExportFile(f"canasta-event-{number}.html", fitting_page_bytes(words, material, replays), words("export.page")),
        ExportFile(f"canasta-event-{number}.json", document_text(material).encode(), words("export.document")),
        ExportFile(f"canasta-event-{number}.zip", zip_archive(tournament_document(material)), words("export.sheets")),
    )


def fitting_page_bytes(words: Words, material: ExportInput, replays: Replays, *, largest: int = LARGEST) -> bytes:
    """Return the page as bytes.

    If it would exceed `largest` bytes, the replays are left out, and it says so.
    """
    made = page_html(words, material, replays).encode()
    return made if len(made) <= largest else page_html(words, material, {}, left_out=True).encode()


async def replay_html_by_deal(words: Words, tables: TableService, tournament: Tournament) -> dict[tuple[int, int], str]:
    """Return the replay of every finished deal as HTML, by match and number of the deal or board."""
    found: dict[tuple[int, int], str] = {}
    for match in tournament.matches:
        if match.voided:
            continue
        count = 0
        for one in match.tables:
            for deal in await tables.contest.replays(one.table):
                count += 1
                key = match.id, count if one.board is None else one.board
                html = await asyncio.to_thread(replay_html, words, deal, board=one.board is not None)
                found[key] = found.get(key, "") + html
    return found


class ClosingPictures:
    """Draws the closing pictures of tournaments in the guild's theme."""

    def __init__(self, tournaments: TournamentService, profiles: PreferencesService, pages: Pages) -> None:
        self._tournaments = tournaments
        self._profiles = profiles
        self._pages = pages

    async def draw(self, words: Words, tournament: Tournament) -> tuple[AttachedPicture, ...]:
        """Return the pictures for a tournament's final message; none before the tournament's end.

        Pictures that cannot be drawn are left out.
        """
        if tournament.stage is not Stage.CLOSED or not tournament.rounds:
            return ()
        material = await self._tournaments.exports.export_input_of(tournament)
        preferences = await self._profiles.server_preferences(tournament.guild)
        drawn = [
            await self._pages.draw_picture(
                one, f"event-{tournament.id}-{name}.png", descriptions.short_description(one)
            )
            for name, one in closing_pictures(words, material, theme=ThemeName(preferences.theme))
        ]
        return tuple(one for one in drawn if one is not None)


async def show_export(context: Context, interaction: Interaction, tournament: int) -> None:
    """Answer with the page, the document and the tables of a tournament as files.

    Refusals: unknown_tournament, and not_director before it is over; wrong_stage for a draft.
    """
    words = interactions.words_for(interaction)
    guild = table_places.place_of_interaction(interaction).guild
    material = await context.tournaments.exports.export_input(tournament, person=interaction.user.id, guild=guild)
    files = [
        AttachedPicture(one.name, one.data, one.description)
        for one in await export_files(words, context.tables, material)
    ]
    await interactions.show_page(interaction, export_page(words, files))


def export_page(words: Words, files: list[AttachedPicture]) -> Page:
    """Return the message with the files and their descriptions."""
    texts = [words("export.title"), *(f"`{file.name}`: {file.told}" for file in files)]
    shown = [ui.File[ui.LayoutView](discord.UnfurledMediaItem(f"attachment://{file.name}")) for file in files]
    return message_page([text("\n".join(texts)), *shown], files)


async def find_tournament_to_export(context: Context, interaction: Interaction, named: str | None) -> int:
    """Return the number of the tournament to export: the named one, else the last that is over.

    Raises `InputProblem` if there is none.
    """
    found = await _exportable_tournaments(context, interaction)
    if not found:
        raise InputProblem(InputCode.NO_TOURNAMENT)
    return which_tournament.find_named_tournament(found, named).id if named else found[0].id


async def export_choices(context: Context, interaction: Interaction, typed: str) -> list[tuple[str, str]]:
    """Return labels and values for the option `tournament:`, finished tournaments first."""
    return which_tournament.matching_choices(await _exportable_tournaments(context, interaction), typed)


async def _exportable_tournaments(context: Context, interaction: Interaction) -> list[Tournament]:
    guild = table_places.place_of_interaction(interaction).guild
    return [
        *await context.tournaments.overview.closed_tournaments_in(guild),
        *await which_tournament.visible_tournaments(context.tournaments, guild),
    ]
