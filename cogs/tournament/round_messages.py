"""Messages of a tournament's rounds: check-in, pairings, calls of matches, standings and final result."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from bot.i18n import Words
from bot.tournaments.counted_results import ResultKind, UnpairedReason
from bot.tournaments.event.boards import persons_in_room, rooms_of
from bot.tournaments.event.counted_results import match_as_counted
from bot.tournaments.event.match_state import MatchState, RoundStage, RoundState
from bot.tournaments.event.tournament import Stage, Tournament
from bot.tournaments.event.tournament_changes import persons_of
from bot.tournaments.formats.ranking import Place
from cogs.shared.discord_api.components import (
    GREEN,
    PRIMARY,
    SUCCESS,
    Page,
    Picture,
    button,
    button_row,
    container,
    gallery,
    page,
    small_text,
    text,
)
from cogs.shared.telling.numbers import group_thousands
from cogs.tournament import wording
from cogs.tournament.control_ids import control
from cogs.tournament.page.html import number_text

MOST_LETTERS = 3_000
"""Most characters for the tables in a pairing list."""


def check_in_page(words: Words, tournament: Tournament, called: Sequence[int]) -> Page:
    """Return the message asking the entries to check in; it has a button while check-in is open."""
    plan = tournament.plan
    until = wording.clock_time(tournament, plan.starts_at - plan.check_in_until)
    if tournament.stage is not Stage.CHECK_IN:
        return page([text(words("tournament.check_in_over"))])
    lines = [words("tournament.check_in_open", until=until), " ".join(wording.mention(one) for one in called)]
    here = button(control(tournament.id, "t_here"), words("tournament.here"), style=SUCCESS)
    row = button_row(here)
    parts = [text("\n".join(lines)), *([] if row is None else [row])]
    return page(parts, mentions=[one for one in called if one > 0])


def pairing_page(words: Words, tournament: Tournament, turn: RoundState) -> Page:
    """Return the message with the pairings of a round; it notifies no one."""
    matches = tournament.matches_of(turn.number)
    lines = [words("tournament.round_title", name=wording.tournament_name(tournament), round=turn.number)]
    if turn.stage is RoundStage.DRAWN:
        lines.append(words("tournament.round_at", when=wording.clock_time(tournament, turn.call_at)))
    paired = [
        words("tournament.pairing", table=one.table, sides=_sides_and_rooms(words, tournament, one)) for one in matches
    ]
    count = wording.count_fitting_lines(paired, MOST_LETTERS)
    lines += paired[:count]
    if count < len(matches):
        lines.append(words("tournament.more_tables", count=len(matches) - count))
    for code in UnpairedReason:
        those = [one.entry for one in turn.away if one.code is code]
        if those:
            lines.append(words(f"tournament_away.{code.value}", names=wording.entry_names(words, tournament, those)))
    lineup = None
    if turn.stage is RoundStage.DRAWN and tournament.plan.most_regulars:
        lineup = button_row(button(control(tournament.id, "t_lineup"), words("roster.button")))
    return page([text("\n".join(lines)), *([] if lineup is None else [lineup])])


def _sides_and_rooms(words: Words, tournament: Tournament, match: MatchState) -> str:
    if tournament.plan.traits.sealed:  # a private thread is not linked, because others cannot open it
        return wording.side_names(words, tournament, match)
    rooms = (match.channel_of_room(room) for room in rooms_of(match))
    where = "".join(f" · <#{one}>" for one in rooms if one not in (None, tournament.channel))
    return wording.side_names(words, tournament, match) + where


def match_call_page(words: Words, tournament: Tournament, match: MatchState, *, room: int = 1) -> Page:
    """Return the message that calls the players of a room, with buttons for hand and director."""
    values = {"round": match.round, "table": match.table}
    if match.result is not None:
        message = result_line(words, tournament, match)
        return page(
            [
                text(
                    words(
                        "tournament.match_over",
                        sides=wording.side_names(words, tournament, match),
                        **values,
                        told=message,
                    )
                )
            ]
        )
    sides = " – ".join(
        " & ".join(wording.mention(one) for one in side) for side in _persons_by_side(tournament, match, room)
    )
    until = wording.clock_time(tournament, match.due or 0)
    plan = tournament.plan
    if match.boards:
        length = words("tournament.boards", count=len(match.boards))
    elif plan.deals is None:
        length = words("tournament.target", target=group_thousands(words, plan.rules.target))
    else:
        length = words("tournament.deals", count=plan.deals)
    lines = [words("tournament.call", **values, sides=sides, length=length, until=until)]
    if not plan.live and plan.settings.clock is not None:
        clock = plan.settings.clock
        lines.append(
            words(
                "tournament.call_clock",
                bank=wording.duration_text(words, clock.bank),
                more=wording.duration_text(words, clock.increment),
            )
        )
    row = button_row(
        button(control(tournament.id, "t_present", match.id), words("tournament.here"), style=SUCCESS),
        button(control(tournament.id, "t_hand", match.id), words("tournament.my_hand"), style=PRIMARY),
        button(control(tournament.id, "t_why", match.id), words("tournament.why")),
        button(control(tournament.id, "t_problem", match.id), words("tournament.problem")),
        None if plan.live else button(control(tournament.id, "t_offer", match.id), words("match_times.offer")),
    )
    seated = [one for one in persons_in_room(match, room) if one is not None]
    persons = [one for one in seated or persons_of(tournament, match) if one > 0]
    return page([text("\n".join(lines)), *([] if row is None else [row])], mentions=persons)


def _persons_by_side(tournament: Tournament, match: MatchState, room: int) -> list[list[int]]:
    """Return the players of each side in a room: those in its seats or, without seats, all of its entries."""
    seats = persons_in_room(match, room)
    if len(seats) != tournament.plan.players:
        return [[person for one in side for person in tournament.entrant(one).players] for side in match.sides]
    count = len(match.sides)
    return [
        [one for seat, one in enumerate(seats) if one is not None and seat % count == number] for number in range(count)
    ]


def result_line(words: Words, tournament: Tournament, match: MatchState) -> str:
    """Return a line with the result of a finished match; sealed boards are left out."""
    found = match_as_counted(tournament, match)
    if found.kind in (ResultKind.VOID, ResultKind.FORFEIT, ResultKind.DOUBLE_FORFEIT):
        return words(f"tournament_result.{found.kind.value}")
    if match.boards and not found.deals:
        return words("tournament_result.sealed")
    if found.set_by_director:
        return ":".join(str(one.points) for one in found.sides)
    return scores_line([one.score for one in found.sides])


def scores_line(scores: Sequence[int]) -> str:
    """Return scores as text, joined by a colon: ``560:−25``."""
    return ":".join(str(one).replace("-", "\N{MINUS SIGN}") for one in scores)


TOP: Final = 20


def standings_page(words: Words, tournament: Tournament, places: Sequence[Place], *, round_number: int) -> Page:
    """Return the message with the first places after or during a round, and a button for one's own place."""
    played = any(one.number == round_number and one.stage is RoundStage.CALLED for one in tournament.rounds)
    key = "tournament.standings_so_far" if played else "tournament.standings"
    title = words(key, name=wording.tournament_name(tournament), round=round_number)
    row = button_row(button(control(tournament.id, "t_where"), words("tournament.where")))
    return page([container(text("\n".join([title, *standings_lines(words, tournament, places)])), row)])


def standings_lines(words: Words, tournament: Tournament, places: Sequence[Place], most: int = TOP) -> list[str]:
    """Return one line per place; North–South, East–West and second-chance lists stay separate."""
    if all(one.first is None for one in places):
        return [words("tournament.no_places")]
    lines: list[str] = []
    for name, group in groupby(places, key=lambda one: one.list_name):
        listed = list(group)
        if name:
            lines.append(words(f"place_list.{name}"))
        lines += [standings_line(words, tournament, one) for one in listed[:most]]
        if len(listed) > most:
            lines.append(words("tournament.more_places", count=len(listed) - most))
    return lines


def standings_line(words: Words, tournament: Tournament, place: Place) -> str:
    """Return the standings line of one entry."""
    name = wording.entry_name(words, tournament, place.entry)
    if place.first is None:
        return words("tournament.without_place", name=name)
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
    return words("tournament.placed_net", **values, net=net_score_with_sign(words, float(place.figures.net)))


def net_score_with_sign(words: Words, net: float) -> str:
    """Return a number as text with its sign and at most one decimal: ``+222.5``, ``−135``, ``0``."""
    rounded = round(net, 1) or 0.0
    return f"+{number_text(words, rounded)}" if rounded > 0 else number_text(words, rounded)


def own_place_text(words: Words, tournament: Tournament, places: Sequence[Place], person: int) -> str:
    """Return text with a person's place and the entries directly before and after it."""
    own = next((one.number for one in tournament.entrants if person in one.members and one.rank), None)
    found = next((number for number, one in enumerate(places) if one.entry == own), None)
    if found is None:
        return words("tournament.not_placed")
    around = places[max(0, found - 2) : found + 3]
    mine = places[found]
    return "\n".join(
        f"**{standings_line(words, tournament, one)}**" if one is mine else standings_line(words, tournament, one)
        for one in around
    )


def final_results_page(
    words: Words, tournament: Tournament, places: Sequence[Place], pictures: Sequence[Picture] = ()
) -> Page:
    """Return the final message: places, pictures, the seed of all draws, and a button for the files."""
    name = wording.tournament_name(tournament)
    if tournament.stage is Stage.CANCELLED:
        return page([text(words("tournament.cancelled_title", name=name))])
    lines = [words("tournament.closed_title", name=name), *standings_lines(words, tournament, places)]
    shown = small_text(words("tournament.lot_shown", lot=tournament.lot_shown) if tournament.lot_shown else "")
    row = button_row(button(control(tournament.id, "t_export"), words("export.button")))
    drawn = [gallery(one) for one in pictures]
    return page([container(text("\n".join(lines)), *drawn, shown, row, edge=GREEN)], pictures)
