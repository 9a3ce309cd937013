"""Standings: the message of a round, one's own place, and how it ended."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.i18n import Words
from bot.tournaments.event.values import Stage, Tournament
from bot.tournaments.placing import Place
from cogs.shared.interactions.layout import FINISH, Page, button, buttons, container, page, small, text
from cogs.tournament import wording
from cogs.tournament.links import control

TOP: Final = 20


def standings_page(words: Words, tournament: Tournament, places: Sequence[Place], *, round_number: int) -> Page:
    """The first twenty after that round, or during it, and the way to one's own place."""
    title = words("tournament.standings", name=wording.named(tournament), round=round_number)
    row = buttons(button(control(tournament.id, "t_where"), words("tournament.where")))
    return page([container(text("\n".join([title, *rows(words, tournament, places)])), row)])


def rows(words: Words, tournament: Tournament, places: Sequence[Place], most: int = TOP) -> list[str]:
    """The places, a line each; those of a second chance under a title of their own."""
    main = [one for one in places if not one.second_chance]
    second = [one for one in places if one.second_chance]
    lines = [line(words, tournament, one) for one in main[:most]] or [words("tournament.no_places")]
    if len(main) > most:
        lines.append(words("tournament.more_places", count=len(main) - most))
    if second:
        lines += [words("tournament.second_chance"), *(line(words, tournament, one) for one in second[: most // 2])]
    return lines


def line(words: Words, tournament: Tournament, place: Place) -> str:
    """One entry with its place and what it has."""
    name = wording.entry(words, tournament, place.entry)
    shown = str(place.first) if place.first == place.last else words("tournament.shared", place=place.first)
    if place.points is None:
        return words("tournament.placed", place=shown, name=name)
    values = {"place": shown, "name": name, "points": place.points}
    if place.net is None:
        return words("tournament.placed_points", **values)
    return words("tournament.placed_net", **values, net=f"{float(place.net):+.1f}")


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


def closing_page(words: Words, tournament: Tournament, places: Sequence[Place]) -> Page:
    """How it ended: the places, the lot that all draws followed from, and the way to a next one."""
    name = wording.named(tournament)
    if tournament.stage is Stage.CANCELLED:
        return page([text(words("tournament.cancelled_title", name=name))])
    lines = [words("tournament.closed_title", name=name), *rows(words, tournament, places)]
    shown = small(words("tournament.lot_shown", lot=tournament.lot_shown) if tournament.lot_shown else "")
    row = buttons(button(control(tournament.id, "t_again"), words("tournament.again")))
    return page([container(text("\n".join(lines)), shown, row, edge=FINISH)])
