"""Standings: the message of a round, one's own place, and how it ended."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from bot.i18n import Words
from bot.tournaments.event.contests import RoundStage
from bot.tournaments.event.event_places import Place
from bot.tournaments.event.values import Stage, Tournament
from cogs.shared.door.components import GREEN, Page, Picture, button, buttons, container, gallery, page, small, text
from cogs.tournament import wording
from cogs.tournament.links import control
from cogs.tournament.page.part_writing import number

TOP: Final = 20


def standings_page(words: Words, tournament: Tournament, places: Sequence[Place], *, round_number: int) -> Page:
    """The first twenty after that round, or during it, and the way to one's own place."""
    played = any(one.number == round_number and one.stage is RoundStage.CALLED for one in tournament.rounds)
    key = "tournament.standings_so_far" if played else "tournament.standings"
    title = words(key, name=wording.named(tournament), round=round_number)
    row = buttons(button(control(tournament.id, "t_where"), words("tournament.where")))
    return page([container(text("\n".join([title, *rows(words, tournament, places)])), row)])


def rows(words: Words, tournament: Tournament, places: Sequence[Place], most: int = TOP) -> list[str]:
    """The places, a line each, list by list: directions of a duplicate and the second chance are never joined."""
    if not places:
        return [words("tournament.no_places")]
    lines: list[str] = []
    for name, group in groupby(places, key=lambda one: one.list_name):
        listed = list(group)
        if name:
            lines.append(words(f"place_list.{name}"))
        lines += [line(words, tournament, one) for one in listed[:most]]
        if len(listed) > most:
            lines.append(words("tournament.more_places", count=len(listed) - most))
    return lines


def line(words: Words, tournament: Tournament, place: Place) -> str:
    """One entry with its place and what it has."""
    name = wording.entry(words, tournament, place.entry)
    if place.first is None:
        shown = "–"
    else:
        shown = str(place.first) if place.first == place.last else words("tournament.shared", place=place.first)
    if place.points is None:
        return words("tournament.placed", place=shown, name=name)
    duplicate = tournament.plan.duplicate
    if duplicate is not None:
        key = f"placed_by.{duplicate.scoring.value}"
        return words(key, place=shown, name=name, figure=f"{float(place.points):.2f}")
    values = {"place": shown, "name": name, "points": int(place.points)}
    if place.figures is None:
        return words("tournament.placed_points", **values)
    return words("tournament.placed_net", **values, net=signed(words, float(place.figures.net)))


def signed(words: Words, net: float) -> str:
    """A gain or a loss in a deal, with one decimal place where it has any: ``+222.5``, ``−135``, ``0``."""
    rounded = round(net, 1) or 0.0
    return f"+{number(words, rounded)}" if rounded > 0 else number(words, rounded)


def own_place(words: Words, tournament: Tournament, places: Sequence[Place], person: int) -> str:
    """Where somebody stands, with those just before and behind."""
    own = next((one.number for one in tournament.entrants if person in one.people and one.rank), None)
    found = next((number for number, one in enumerate(places) if one.entry == own), None)
    if found is None:
        return words("tournament.not_placed")
    around = places[max(0, found - 2) : found + 3]
    mine = places[found]
    return "\n".join(
        f"**{line(words, tournament, one)}**" if one is mine else line(words, tournament, one) for one in around
    )


def closing_page(
    words: Words, tournament: Tournament, places: Sequence[Place], pictures: Sequence[Picture] = ()
) -> Page:
    """How it ended: the places, in pictures too, the lot that all draws followed from, all of it, and a next one."""
    name = wording.named(tournament)
    if tournament.stage is Stage.CANCELLED:
        return page([text(words("tournament.cancelled_title", name=name))])
    lines = [words("tournament.closed_title", name=name), *rows(words, tournament, places)]
    shown = small(words("tournament.lot_shown", lot=tournament.lot_shown) if tournament.lot_shown else "")
    row = buttons(
        button(control(tournament.id, "t_again"), words("tournament.again")),
        button(control(tournament.id, "t_export"), words("export.button")),
    )
    drawn = [gallery(one) for one in pictures]
    return page([container(text("\n".join(lines)), *drawn, shown, row, edge=GREEN)], pictures)
