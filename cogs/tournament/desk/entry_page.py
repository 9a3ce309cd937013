"""The desk's page of an entry: how it stands, penalties, leaving and coming back, seeds; and of the directors."""

from __future__ import annotations

from typing import Final

from bot.tournaments.event import rulings
from bot.tournaments.event.entrants import Entrant, EntryStage
from bot.tournaments.event.values import Stage
from cogs.shared.door.components import DANGER, Form, Option, Page, buttons, select
from cogs.shared.reading.discord_limits import MOST_OPTIONS
from cogs.shared.telling import names
from cogs.tournament import wording
from cogs.tournament.desk.desk_forms import Line, lines_form, user_menu
from cogs.tournament.desk.look import DeskView, framed
from cogs.tournament.desk.round_page import reason_line

MOST_MENUS: Final = 3
GONE: Final = (EntryStage.LEFT, EntryStage.REMOVED)
LONGEST: Final = 2000


def entries_page(look: DeskView) -> Page:
    """The entries to choose from, and their seeds."""
    words, tournament = look.words, look.tournament
    those = sorted(tournament.entrants, key=lambda one: (one.rank == 0, one.rank, one.number))
    menus = [
        select(
            look.control("desk_pick_entry", first),
            words("desk.which_entry"),
            [_option(look, one) for one in those[first : first + MOST_OPTIONS]],
        )
        for first in range(0, min(len(those), MOST_MENUS * MOST_OPTIONS), MOST_OPTIONS)
    ]
    row = buttons(look.button("desk_seeds", enabled=_seedable(look)), look.back())
    return framed(look, words("desk.entry_title"), [], *menus, row)


def _seedable(look: DeskView) -> bool:
    """Whether the start order can still be put otherwise."""
    turn = look.tournament.current
    return look.tournament.stage is Stage.RUNNING and turn is not None and turn.number == 1 and turn.called_at is None


def _option(look: DeskView, entrant: Entrant) -> Option:
    label = wording.persons(look.words, look.tournament, entrant.people)
    told = look.words(f"desk_entry.{entrant.stage.value}")
    return Option(str(entrant.number), f"{entrant.number}. {label}", told)


def entry_page(look: DeskView, entrant: Entrant) -> Page:
    """An entry: its persons, how it stands, what it was penalised for, and what can be done with it."""
    words, tournament = look.words, look.tournament
    lines = [words(f"desk_entry.{entrant.stage.value}")]
    if entrant.rank:
        lines.append(words("desk.seed", seed=entrant.rank))
    lines += [
        words(
            "desk.penalty",
            category=words(f"desk_category.{one.category}"),
            level=one.level,
            meaning=words(f"desk_level.{one.level}"),
            reason=names.shown(one.reason, longest=200),
        )
        for one in rulings.penalties(tournament)
        if one.entry == entrant.number
    ]
    options = [
        Option(
            f"{category}.{level}",
            words("desk.penalise", category=words(f"desk_category.{category}"), level=level),
            words(f"desk_level.{level}"),
        )
        for category in rulings.CATEGORIES
        for level in rulings.LEVELS
    ]
    menu = select(look.control("desk_penalty", entrant.number), words("desk.which_penalty"), options)
    gone = entrant.stage in GONE
    row = buttons(
        look.button("desk_remove", entrant.number, style=DANGER, enabled=not gone),
        look.button("desk_bring_back", entrant.number, enabled=gone and tournament.stage is Stage.RUNNING),
        look.back("desk_entry"),
    )
    title = f"**{entrant.number}. {wording.persons(words, tournament, entrant.people)}**"
    return framed(look, title, lines, menu if look.mends else None, row)


def penalty_form(look: DeskView, entry: int, category: str, level: str) -> Form:
    """Why an entry is penalised."""
    said = look.words("desk.penalise", category=look.words(f"desk_category.{category}"), level=level)
    return lines_form(look.control("desk_penalised", entry, category, level), said, [reason_line(look)])


def seeds_form(look: DeskView) -> Form:
    """The start order, best first, to be changed."""
    ranked = sorted((one for one in look.tournament.entrants if one.rank), key=lambda one: one.rank)
    filled = " ".join(str(one.number) for one in ranked)
    line = Line("order", look.words("desk_form.order"), look.words("desk_form.order_hint"), filled, LONGEST, long=True)
    return lines_form(look.control("desk_seeded"), look.words("desk_button.seeds"), [line])


def directors_page(look: DeskView) -> Page:
    """Who directs, and a menu to name one more."""
    words, tournament = look.words, look.tournament
    lines = [f"- {wording.person(words, tournament, one)}" for one in tournament.directors]
    menu = user_menu(look.control("desk_named"), words("desk.name_director"))
    return framed(look, words("desk.directors_title"), lines, menu, buttons(look.back()))
