"""The pictures of a tournament's close: the places with their medals, and the bracket.

What a tournament gives away as files: its page with replays, its document, its tables.

Handing a tournament over: its files as a private answer, and the pictures of its close.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

import discord
from discord import ui

from bot.i18n import Words
from bot.profiles.people import ProfileService
from bot.tables.service import TableService
from bot.tournaments.brackets.plan import Label, Part
from bot.tournaments.brackets.results import SlotState, State
from bot.tournaments.brackets.trees import Column, trees
from bot.tournaments.course import Match as PlayedMatch
from bot.tournaments.event.tournament import Stage, Tournament
from bot.tournaments.export.document import document, document_text
from bot.tournaments.export.material import Material
from bot.tournaments.export.sheets import archive
from bot.tournaments.service import TournamentService
from bot.tournaments.standings.ledger import ledger
from bot.tournaments.standings.tie_breaks import wins
from cogs.shared.door import interactions, places
from cogs.shared.door.components import Page, text
from cogs.shared.door.components import Picture as AttachedPicture
from cogs.shared.door.components import page as message_page
from cogs.shared.door.interactions import Interaction
from cogs.shared.reading.problems import InputCode, InputProblem
from cogs.shared.serving.context import Context
from cogs.shared.showing.pages import Pages
from cogs.shared.telling.names import picture_words
from cogs.tournament import chosen_tournament
from cogs.tournament.page.html import Json, PageSource
from cogs.tournament.page.page import page, told_of
from cogs.tournament.page.replays import replay
from cogs.tournament.page.rounds import label_of, matches_by_slot
from render import describe
from render.inputs import BracketPicture, Match, Picture, Standing, StandingsPicture
from render.items import ThemeName
from render.names import best_name, bounded_name

ROWS: Final = 16
"""As many places are shown."""

COLUMNS: Final = 4
LONGEST_COLUMN: Final = 8
"""Of a larger bracket its last rounds are shown."""

LETTERS: Final = {1: 32, 2: 24}
ELSE: Final = 16
"""So many letters of a person's name have room, by how many are in an entry."""

NOBODY: Final = "–"

PARTS: Final = ((Part.MAIN,), (Part.UPPER, Part.MAIN), (Part.LOWER,), (Part.SECOND,))
"""What is drawn as one bracket; the finals of a double one stand behind its upper half."""


def closing_pictures(words: Words, material: Material, *, theme: ThemeName) -> tuple[tuple[str, Picture], ...]:
    """What is drawn at the close, each picture with its name: the places list by list, then the bracket."""
    told = told_of(words, material, {}, document(material))
    return (*_places(told, theme), *_brackets(told, theme))


# --- places ----------------------------------------------------------------------------------------------------------


def _places(told: PageSource, theme: ThemeName) -> Iterator[tuple[str, Picture]]:
    standings = told.document["standings"]
    rows = standings[-1]["rows"] if standings else []
    for name in dict.fromkeys(row["list"] for row in rows if row["list"] != "second"):
        those = [row for row in rows if row["list"] == name and row["place"] is not None][:ROWS]
        if those:
            title = f"places-{name}" if name else "places"
            yield title, _standings(told, those, list_name=name, theme=theme)


def _standings(told: PageSource, rows: Sequence[Json], *, list_name: str, theme: ThemeName) -> StandingsPicture:
    words, figures = told.words, _columns(rows)
    return StandingsPicture(
        title=told.document["event"]["name"],
        note=" · ".join([_about(told), *([words(f"event_list.{list_name}")] if list_name else [])]),
        columns=(*(words(f"event_short.{one}") for one in figures), _last_column(told)),
        rows=tuple(
            Standing(row["place"], drawn_name(told, row["entry"]), (*_figures(told, row, figures), _last(told, row)))
            for row in rows
        ),
        medals=True,
        words=picture_words(words),
        theme=theme,
    )


def _about(told: PageSource) -> str:
    """The day (in UTC), the format, how many took part."""
    day = datetime.fromtimestamp(told.material.tournament.plan.starts_at / 1000, UTC)
    kind = told.words(f"event_kind.{told.document['event']['kind']}")
    return told.words("export.about", day=f"{day:%Y-%m-%d}", kind=kind, entries=len(told.document["entries"]))


def _columns(rows: Sequence[Json]) -> tuple[str, ...]:
    """The figures that have room beside the points."""
    there = [one for one in ("bc1", "sb", "net", "boards") if any(row["figures"].get(one) is not None for row in rows)]
    return tuple(one for one in there if one != "sb" or "bc1" not in there)


def _figures(told: PageSource, row: Json, figures: Sequence[str]) -> tuple[str, ...]:
    return tuple(told.figure(row["figures"].get(one)) for one in figures)


def _last_column(told: PageSource) -> str:
    """Points; of a bracket and a ladder, which have none, the matches won."""
    by_points = any(row["points"] is not None for row in told.document["standings"][-1]["rows"])
    return told.words("event_page.points" if by_points else "event_short.wins")


def _last(told: PageSource, row: Json) -> str:
    if row["points"] is not None:
        return told.points(row["points"])
    return str(wins(ledger(told.course, len(told.course.rounds))[row["entry"]]))


def drawn_name(told: PageSource, entry: int) -> str:
    """The names of an entry's persons as they can be drawn; of whom nothing can be drawn, the entry's number."""
    tournament = told.material.tournament
    people = tournament.entrant(entry).people
    names = (tournament.names.get(one) or told.words("seat.former") for one in people)
    return " & ".join(
        bounded_name(best_name(one, fallback=f"#{entry}"), LETTERS.get(len(people), ELSE)) for one in names
    )


# --- the bracket -----------------------------------------------------------------------------------------------------


def _brackets(told: PageSource, theme: ThemeName) -> Iterator[tuple[str, Picture]]:
    shown = told.material.bracket
    if shown is None:
        return
    by_part = {tree.part: tree.columns for tree in trees(shown)}
    for parts in PARTS:
        if parts == (Part.MAIN,) and Part.UPPER in by_part:
            continue  # the finals stand behind the upper half
        if parts[0] not in by_part:
            continue
        columns = [column for part in parts for column in by_part.get(part, ())]
        columns = [one for one in columns if one.looks[0].slot.label is not Label.THIRD_PLACE]
        columns = [one for one in columns if len(one.looks) <= LONGEST_COLUMN][-COLUMNS:]
        yield f"bracket-{parts[0].value}", _bracket(told, columns, parts[0], theme)


def _bracket(told: PageSource, columns: Sequence[Column], part: Part, theme: ThemeName) -> BracketPicture:
    played = matches_by_slot(told)
    return BracketPicture(
        title=told.document["event"]["name"],
        note=_about(told) if part is Part.MAIN else told.words(f"event_part.{part.value}"),
        rounds=tuple(tuple(_match(told, look, played) for look in column.looks) for column in columns),
        round_names=tuple(label_of(told, column) for column in columns),
        words=picture_words(told.words),
        theme=theme,
    )


def _match(told: PageSource, look: SlotState, played: dict[str, PlayedMatch]) -> Match:
    names = tuple(_side(told, look, side) for side in (0, 1))
    match = played.get(look.slot.name)
    scores: list[int | None] = [None, None]
    if match is not None and match.met:
        for side, entry in enumerate(look.sides):
            found = None if entry is None else match.side_of(entry)
            scores[side] = None if found is None else match.sides[found].score
    won = look.winner if look.state is State.DECIDED else None
    winner = look.sides.index(won) if won is not None else None
    return Match((names[0], names[1]), (scores[0], scores[1]), winner)


def _side(told: PageSource, look: SlotState, side: int) -> str:
    """Who stands there; empty while nobody knows."""
    entry = look.sides[side]
    if entry is not None:
        return drawn_name(told, entry)
    return NOBODY if look.known[side] else ""


LARGEST: Final = 7_000_000
"""The bytes that a page may have, so that three files together can be sent anywhere."""

Replays = Mapping[tuple[int, int], str]


@dataclass(frozen=True, slots=True)
class Given:
    """A file: its name, what is in it, and what it is in words."""

    name: str
    data: bytes
    told: str


async def export_files(words: Words, tables: TableService, material: Material) -> tuple[Given, ...]:
    """The page, the document and the tables; replays are in the page once all is played."""
    over = material.tournament.stage in (Stage.CLOSING, Stage.CLOSED)
    replays = await replays_of(words, tables, material.tournament) if over else {}
    return await asyncio.to_thread(_files, words, material, replays)


def _files(words: Words, material: Material, replays: Replays) -> tuple[Given, ...]:
    number = material.tournament.id
    return (
        Given(f"canasta-event-{number}.html", page_bytes(words, material, replays), words("export.page")),
        Given(f"canasta-event-{number}.json", document_text(material).encode(), words("export.document")),
        Given(f"canasta-event-{number}.zip", archive(document(material)), words("export.sheets")),
    )


def page_bytes(words: Words, material: Material, replays: Replays, *, largest: int = LARGEST) -> bytes:
    """The page; without replays, and saying so, where it would be too large with them."""
    made = page(words, material, replays).encode()
    return made if len(made) <= largest else page(words, material, {}, left_out=True).encode()


async def replays_of(words: Words, tables: TableService, tournament: Tournament) -> dict[tuple[int, int], str]:
    """Every finished deal of the tournament as HTML, by its match and the number of the deal or board."""
    found: dict[tuple[int, int], str] = {}
    for match in tournament.matches:
        if match.voided:
            continue
        count = 0
        for one in match.tables:
            for deal in await tables.contest.contest_replays(one.table):
                count += 1
                key = match.id, count if one.board is None else one.board
                told = await asyncio.to_thread(replay, words, deal, board=one.board is not None)
                found[key] = found.get(key, "") + told
    return found


class Closing:
    """The pictures of the close of tournaments, in the look that the server has chosen."""

    def __init__(self, tournaments: TournamentService, profiles: ProfileService, pages: Pages) -> None:
        self._tournaments = tournaments
        self._profiles = profiles
        self._pages = pages

    async def pictures(self, words: Words, tournament: Tournament) -> tuple[AttachedPicture, ...]:
        """What is sent with the last message of a tournament; nothing before, and none that cannot be drawn."""
        if tournament.stage is not Stage.CLOSED or not tournament.rounds:
            return ()
        material = await self._tournaments.exports.material_of(tournament)
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
    words = interactions.words_for(interaction)
    guild = places.of_interaction(interaction).guild
    material = await context.tournaments.exports.material(tournament, person=interaction.user.id, guild=guild)
    files = [
        AttachedPicture(one.name, one.data, one.told) for one in await export_files(words, context.tables, material)
    ]
    await interactions.show(interaction, export_page(words, files))


def export_page(words: Words, files: list[AttachedPicture]) -> Page:
    """The files, with what each of them is."""
    said = [words("export.title"), *(f"`{file.name}`: {file.told}" for file in files)]
    shown = [ui.File[ui.LayoutView](discord.UnfurledMediaItem(f"attachment://{file.name}")) for file in files]
    return message_page([text("\n".join(said)), *shown], files)


async def meant(context: Context, interaction: Interaction, named: str | None) -> int:
    """The tournament whose export is asked for: the one that is named, else the latest that is over.

    Raises `InputProblem` where there is none.
    """
    found = await _there(context, interaction)
    if not found:
        raise InputProblem(InputCode.NO_TOURNAMENT)
    return chosen_tournament.named_among(found, named).id if named else found[0].id


async def choices(context: Context, interaction: Interaction, typed: str) -> list[tuple[str, str]]:
    """Labels and values for the `tournament:` option, those that are over first."""
    return chosen_tournament.labelled(await _there(context, interaction), typed)


async def _there(context: Context, interaction: Interaction) -> list[Tournament]:
    guild = places.of_interaction(interaction).guild
    return [
        *await context.tournaments.overview.closed_in(guild),
        *await chosen_tournament.shown_in(context.tournaments, guild),
    ]
