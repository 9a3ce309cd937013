"""The pictures of a tournament's close: the places with their medals, and the bracket."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Final

from bot.i18n import Words
from bot.tournaments.brackets.resolving import SlotState, State
from bot.tournaments.brackets.slots import Label, Part
from bot.tournaments.brackets.trees import Column, trees
from bot.tournaments.course import Match as PlayedMatch
from bot.tournaments.export.document import document
from bot.tournaments.export.material import Material
from bot.tournaments.standings.course_ledger import ledger
from bot.tournaments.standings.tie_figures import wins
from cogs.shared.telling.picture_words import picture_words
from cogs.tournament.page.bracket_part import label_of, matches_by_slot
from cogs.tournament.page.part_writing import Json, PageSource
from cogs.tournament.page.whole_page import told_of
from render.drawable_names import best_name, bounded
from render.inputs import BracketPicture, Match, Picture, Standing, StandingsPicture
from render.items import ThemeName

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
    return " & ".join(bounded(best_name(one, fallback=f"#{entry}"), LETTERS.get(len(people), ELSE)) for one in names)


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
