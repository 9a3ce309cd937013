"""A match from its call to its result (`docs/tournaments.md` 2): seats, arrivals, extensions, end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from bot.clocks.clock import HOUR, MINUTE
from bot.tournaments.event import boards
from bot.tournaments.event.entries import Person
from bot.tournaments.event.match_state import MatchStage, MatchState, MatchTable, Result, Turn
from bot.tournaments.event.refusals import TournamentCode, TournamentRefusal
from bot.tournaments.event.tournament import Audience, Tournament
from bot.tournaments.event.tournament_changes import add_news, find_match, require_impartial, with_match

TELL_ABSENT: Final = {True: 5 * MINUTE, False: 48 * HOUR}
"""Time from a person's first turn without a sign to the notice, by whether play is live."""
FORFEIT_AFTER: Final = {True: 10 * MINUTE, False: 72 * HOUR}
"""Time from a person's first turn without a sign until the side forfeits."""
LONGER: Final = {True: 5 * MINUTE, False: 24 * HOUR}
"""Delay of the forfeit each time a director waits longer."""
WARNING: Final = 10 * MINUTE
"""Time before a live round's end at which a warning is sent."""
OVERTIME: Final = 15 * MINUTE
"""How long the deal in progress may go on after a live round's end."""


def persons_by_seat(tournament: Tournament, sides: Sequence[Sequence[int]]) -> tuple[Person, ...]:
    """Return the persons by seat, one of each side in turn; for teams those of room 1 before room 2.

    In the first room the first side's first pair leads, in the second room the second side's.
    """
    members = [[person for entry in side for person in tournament.entrant(entry).players] for side in sides]
    if tournament.plan.is_for_teams:
        (first, second) = members
        rooms = ((first[:2], second[2:]), (second[:2], first[2:]))
        return tuple(person for room in rooms for place in zip(*room, strict=True) for person in place)
    return tuple(person for place in zip(*members, strict=True) for person in place)


def call_match(tournament: Tournament, match: MatchState, now: int) -> MatchState:
    """Return the match as called, with its persons in their seats."""
    seats = persons_by_seat(tournament, match.sides)
    return replace(match, stage=MatchStage.CALLED, seats=seats, called_at=now)


def set_match_channel(tournament: Tournament, *, match: int, channel: int, room: int = 1) -> Tournament:
    """Store the thread or channel of a room of the match. Refusal: no_such_match."""
    match_state = find_match(tournament, match)
    after = replace(match_state, place=channel) if room == 1 else replace(match_state, second_place=channel)
    return with_match(tournament, after)


def add_table(tournament: Tournament, *, match: int, table: MatchTable, now: int) -> Tournament:
    """Add a table to the match; the time of the match runs from the first. Refusal: no_such_match."""
    match_state = find_match(tournament, match)
    due = now + tournament.plan.round_time if match_state.opened_at is None else match_state.due
    after = tournament if table.board is None else boards.start_board_time(tournament, table.board, now)
    return with_match(
        after,
        replace(
            match_state,
            stage=MatchStage.PLAYING,
            tables=(*match_state.tables, table),
            opened_at=match_state.opened_at or now,
            due=due,
        ),
    )


def mark_arrived(tournament: Tournament, *, match: int, person: int) -> Tournament:
    """Mark a person of the match as present; persons outside the match change nothing."""
    match_state = find_match(tournament, match)
    if not is_missing(match_state, person):
        return tournament
    those = (Person(person),)
    changed = (
        match_state if person in match_state.arrived else replace(match_state, arrived=(*match_state.arrived, *those))
    )
    if match_state.hours_until is not None and person not in match_state.came:
        changed = replace(changed, came=(*match_state.came, *those))
    return with_match(tournament, changed)


def is_missing(match: MatchState, person: int) -> bool:
    """Return whether the person sits in the match and is not known to be present.

    During an agreed time, a person who has not come to it is missing too.
    """
    return person in match.seats and (person not in match.arrived or person not in match.present_persons)


def absent_persons(match: MatchState) -> tuple[Person, ...]:
    """Return the persons of the match who are not known to be present."""
    return tuple(one for one in match.seats if one is not None and one not in match.arrived)


def side_of_seat(tournament: Tournament, match: MatchState, seat: int) -> int:
    """Return the side of a seat; seats are counted through both rooms of a team match."""
    if tournament.plan.is_for_teams:
        room, place = divmod(seat, 4)
        return place % 2 if room == 0 else 1 - place % 2
    return seat % len(match.sides)


def record_turn(tournament: Tournament, *, match: int, room: int, seat: int | None, now: int) -> Tournament:
    """Record that the person in `seat` is to move in a room; None means that no person is.

    If the person is absent, the match now waits for them. `seat` counts through both rooms.
    """
    match_state = find_match(tournament, match)
    known = next((one for one in match_state.turns if one.room == room), None)
    person = None if seat is None else match_state.seats[seat]
    if person is None or seat is None or person in match_state.arrived or match_state.result is not None:
        turns = tuple(one for one in match_state.turns if one is not known)
    elif known is not None and known.seat == seat:
        return tournament
    else:
        turns = (*(one for one in match_state.turns if one is not known), Turn(room=room, seat=seat, since=now))
    return tournament if turns == match_state.turns else with_match(tournament, replace(match_state, turns=turns))


def awaited_turns(match: MatchState) -> tuple[Turn, ...]:
    """Return the turns of absent persons, for whom the match waits; at most one per room."""
    return tuple(one for one in match.turns if match.seats[one.seat] not in (None, *match.arrived))


def awaited_turn(tournament: Tournament, match: MatchState) -> Turn | None:
    """Return the turn of an absent person that has the earliest deadline, or None."""
    return min(awaited_turns(match), key=lambda one: no_show_deadline(tournament, one), default=None)


def awaited_persons(tournament: Tournament, match: MatchState) -> tuple[Person, ...]:
    """Return the absent person for whom the match waits, as a tuple of one; empty without one."""
    turn = awaited_turn(tournament, match)
    person = None if turn is None else match.seats[turn.seat]
    return () if person is None else (person,)


def forfeiting_sides(tournament: Tournament, match: MatchState, turn: Turn) -> tuple[int, ...]:
    """Return the sides that forfeit if the person whose `turn` it is stays absent.

    They are that person's side and every other side of which no person is present.
    """
    here = {side_of_seat(tournament, match, seat) for seat, one in enumerate(match.seats) if one in match.arrived}
    own = side_of_seat(tournament, match, turn.seat)
    return tuple(side for side in range(len(match.sides)) if side == own or side not in here)


def with_longer_wait(match: MatchState, turn: Turn, wait_count: int) -> MatchState:
    """Return the match after the wait for one of its turns was announced or extended that many times."""
    turns = tuple(replace(one, waited=wait_count) if one == turn else one for one in match.turns)
    return replace(match, turns=turns)


def announce_absence(tournament: Tournament, *, match: int, now: int) -> Tournament:
    """Notify the match and the directors that it waits for an absent person.

    The others are asked to confirm their presence. In the news, the absent person is the first of `persons`.
    """
    match_state = find_match(tournament, match)
    turn = awaited_turn(tournament, match_state)
    if turn is None:
        return tournament
    told = with_longer_wait(match_state, turn, turn.waited + 1)
    forfeit_at = no_show_deadline(tournament, replace(turn, waited=turn.waited + 1))
    first = awaited_persons(tournament, match_state)
    others = (one for one in absent_persons(match_state) if one not in first)
    persons = (*first, *others)
    after = with_match(tournament, told)
    for audience in (Audience.MATCH, Audience.DIRECTORS):
        after = add_news(
            after,
            "table_waits",
            now,
            audience=audience,
            match=match,
            persons=persons,
            numbers={"table": match_state.table, "until": forfeit_at, "round": match_state.round},
            pings=audience is Audience.MATCH,
        )
    return after


def no_show_deadline(tournament: Tournament, turn: Turn) -> int:
    """Return the next deadline of an absent person's turn: of the notice, after that of the forfeit."""
    live = tournament.plan.live
    if turn.waited == 0:
        return turn.since + TELL_ABSENT[live]
    return turn.since + FORFEIT_AFTER[live] + (turn.waited - 1) * LONGER[live]


def wait_longer(tournament: Tournament, *, match: int, director: int, now: int) -> Tournament:
    """Give the absent person five more minutes, or a day in a slow match.

    Refusals: not_director, own_match, match_over, nobody_awaited.
    """
    match_state = find_match(tournament, match)
    require_impartial(tournament, director, match_state)
    require_open_match(match_state)
    turn = awaited_turn(tournament, match_state)
    if turn is None:
        raise TournamentRefusal(TournamentCode.NOBODY_AWAITED, {"match": match})
    waited = max(1, turn.waited) + 1
    after = with_match(tournament, with_longer_wait(match_state, turn, waited))
    until = no_show_deadline(after, replace(turn, waited=waited))
    return add_news(
        after,
        "given_more_time",
        now,
        audience=Audience.MATCH,
        match=match,
        persons=awaited_persons(tournament, match_state),
        numbers={"until": until},
    )


def set_result(tournament: Tournament, *, match: int, result: Result) -> Tournament:
    """Store the result of a match unless it has one. Refusal: no_such_match."""
    match_state = find_match(tournament, match)
    if match_state.result is not None:
        return tournament
    return with_match(tournament, replace(match_state, stage=MatchStage.DONE, result=result, played=match_state.played))


def extend_match(tournament: Tournament, *, match: int, director: int, amount: int, now: int) -> Tournament:
    """Extend the time of a match by `amount` milliseconds; a slow match only once, by at most 72 hours.

    Refusals: not_director, own_match, match_over, extended_once.
    """
    match_state = find_match(tournament, match)
    require_impartial(tournament, director, match_state)
    require_open_match(match_state)
    if not tournament.plan.live and (match_state.extended or amount > 72 * HOUR):
        raise TournamentRefusal(TournamentCode.EXTENDED_ONCE, {"hours": 72})
    due = (match_state.due or now) + amount
    after = with_match(tournament, replace(match_state, due=due, extended=True, warned=int(now >= due - WARNING)))
    return add_news(after, "extended", now, audience=Audience.MATCH, match=match, numbers={"until": due})


def require_open_match(match: MatchState) -> None:
    """Raise `TournamentRefusal` match_over if the match is over or void."""
    if match.result is not None or match.voided:
        raise TournamentRefusal(TournamentCode.MATCH_OVER, {"match": match.id})
