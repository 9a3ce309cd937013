"""Seats: joining, moving and leaving in a lobby and in a running game, and starting the game. Pure.

Each function returns the events of a request, or raises its refusal.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count

from bot.engine.rules.rule_set import RuleSet
from bot.tables.state.clocks import USUAL, Level, TableSettings
from bot.tables.state.events import (
    AnyEvent,
    Contributed,
    Deadline,
    DeadlineSet,
    GameStarted,
    HostChanged,
    LobbyOpened,
    RulesChanged,
    SeatChanged,
    SettingsChosen,
    TableClosed,
)
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.snapshots import EMPTY_SEAT, Caller, ClosingReason, SeatHolder, Status
from bot.tables.state.table import Table, TableState, clean_name


@dataclass(frozen=True, slots=True, kw_only=True)
class LobbyTerms:
    """The rules, computer players and settings with which a table is to be opened."""

    rules: RuleSet
    saved_as: str
    computers: int
    settings: TableSettings = USUAL


def open_lobby(terms: LobbyTerms, caller: Caller, *, now: int, expires_at: int) -> tuple[AnyEvent, ...]:
    """Open a table with its host in the first seat and the computer players in the next ones."""
    highest = terms.rules.players - 1
    if not 0 <= terms.computers <= highest:
        detail = {"computers": terms.computers, "lowest": 0, "highest": highest}
        raise TableRefusal(TableCode.COMPUTERS_OUT_OF_RANGE, detail)
    return (
        LobbyOpened(terms.rules, caller.person, now, terms.saved_as),
        *_events_for_settings(terms.settings),
        SeatChanged(0, holder_of_caller(caller)),
        *(SeatChanged(number, computer_holder(number, terms.settings)) for number in range(1, terms.computers + 1)),
        DeadlineSet(Deadline.EXPIRE, expires_at),
    )


def open_rematch(
    finished: Table, caller: Caller, *, absent: frozenset[int], now: int, expires_at: int
) -> tuple[AnyEvent, ...]:
    """Open a table like a finished one, without the absent people.

    Each player moves one seat on. So partners stay together, and another player begins.
    """
    record = finished.record
    seats = _move_one_seat_on(record)
    return (
        LobbyOpened(record.base or record.rules, caller.person, now, record.saved_as),
        *_events_for_settings(record.settings),
        *(() if record.base is None else (RulesChanged(record.rules),)),
        *(
            SeatChanged(seat, _holder_at_new_table(holder))
            for seat, holder in enumerate(seats)
            if holder.kind != "empty" and holder.person not in absent
        ),
        DeadlineSet(Deadline.EXPIRE, expires_at),
    )


def _events_for_settings(settings: TableSettings) -> tuple[AnyEvent, ...]:
    """Return the event that gives a new table these settings; none for the default settings."""
    return () if settings == USUAL else (SettingsChosen(settings),)


def _move_one_seat_on(record: TableState) -> tuple[SeatHolder, ...]:
    """Return the seats' holders, each moved on by one seat; partners stay partners."""
    rules, seats = record.rules, record.seats
    if rules.players % rules.sides == 0:
        return (seats[-1], *seats[:-1])
    moved: dict[int, SeatHolder] = {}
    for number in range(rules.sides):
        own = rules.seats_of(number)
        moved |= {after: seats[before] for before, after in zip(own, own[1:] + own[:1], strict=True)}
    return tuple(moved[seat] for seat in range(rules.players))


def join_table(table: Table, caller: Caller, seat: int | None, *, or_same_side: bool = False) -> tuple[AnyEvent, ...]:
    """Take a seat of a lobby, or move to another; with `or_same_side` any seat of that side if it is taken."""
    require_lobby(table)
    record = table.record
    held = record.seat_of(caller.person)
    if or_same_side and seat is not None and held != seat:
        seat = _find_seat_on_side(table, seat, held)
    if held is not None and seat in (None, held):
        raise TableRefusal(TableCode.ALREADY_SEATED, {"table": table.id, "seat": held})
    taken = SeatChanged(_find_free_seat(table, seat), holder_of_caller(caller))
    return (taken,) if held is None else (taken, SeatChanged(held, EMPTY_SEAT))


def _find_seat_on_side(table: Table, seat: int, held_seat: int | None) -> int | None:
    """Return `seat` if it is free, else a free seat of its side; None if the table is full.

    Return `held_seat`, the person's present seat, if it is on that side already.
    """
    require_existing_seat(table, seat)
    record = table.record
    if record.seats[seat].kind == "empty":
        return seat
    rules = record.rules
    alone = rules.sides == rules.players
    side = tuple(range(rules.players)) if alone else rules.seats_of(rules.side_of(seat))
    free = [one for one in side if record.seats[one].kind == "empty"]
    if held_seat in side:
        return held_seat
    return free[0] if free else None if record.empty_seat() is None else seat


def take_back_seat(table: Table, caller: Caller, *, next_deal_at: int) -> tuple[AnyEvent, ...]:
    """Give the caller back the seat that a computer player keeps for them.

    A game that had stopped because all people had left it goes on.
    """
    record = table.record
    held = record.seat_of(caller.person)
    if held is not None:
        raise TableRefusal(TableCode.ALREADY_SEATED, {"table": table.id, "seat": held})
    kept = record.seat_kept_for(caller.person)
    if kept is None:
        raise TableRefusal(TableCode.ALREADY_STARTED, {"table": table.id})
    taken = SeatChanged(kept, holder_of_caller(caller))
    return (taken, *resume_if_suspended(record, caller.person, next_deal_at=next_deal_at))


def resume_if_suspended(record: TableState, person: int, *, next_deal_at: int) -> tuple[AnyEvent, ...]:
    """Resume a game that had stopped because all people had left it; `person` becomes its host."""
    if record.persons:
        return ()
    events: tuple[AnyEvent, ...] = (DeadlineSet(Deadline.EXPIRE, None), HostChanged(person))
    if record.actor is not None:
        return events
    return (*events, DeadlineSet(Deadline.NEXT_DEAL, next_deal_at))


def leave_table(table: Table, caller: Caller, *, expires_at: int) -> tuple[AnyEvent, ...]:
    """Give up a seat: in a lobby it becomes empty, in a game a computer player takes it.

    A game with no person left stops.
    """
    require_open_table(table)
    return vacate_seat(table.record, require_seat(table, caller.person), expires_at=expires_at)


def vacate_seat(record: TableState, seat: int, *, expires_at: int) -> tuple[AnyEvent, ...]:
    """Return the events by which a person leaves that seat, in a lobby or in a game."""
    person = record.seats[seat].person
    playing = record.status is Status.PLAYING
    freed = SeatChanged(seat, _substitute_computer(record, record.seats[seat]) if playing else EMPTY_SEAT)
    others = [one for one in record.persons if one != person]
    if record.contest is not None:  # the tournament goes on without the person, and ends the game in time
        return (freed,)
    if not others:
        return (
            freed,
            *(_suspend_empty_game(record, expires_at) if playing else close_table(record, ClosingReason.EMPTY)),
        )
    return (freed, HostChanged(others[0])) if record.host == person else (freed,)


def _suspend_empty_game(record: TableState, expires_at: int) -> tuple[AnyEvent, ...]:
    """Cancel the next-deal timer when only computer players remain, and set when the game closes."""
    waits = (DeadlineSet(Deadline.NEXT_DEAL, None),) if Deadline.NEXT_DEAL in record.deadlines else ()
    return (*waits, DeadlineSet(Deadline.EXPIRE, expires_at))


def add_computer(table: Table, caller: Caller, seat: int | None, level: Level | None = None) -> tuple[AnyEvent, ...]:
    """Seat a computer player in `seat`, or in the first empty seat.

    `level` is by default that of the table's settings.
    """
    require_lobby(table)
    require_host(table, caller)
    holder = computer_holder(next(free_computer_numbers(table.record)), table.record.settings, level)
    return (SeatChanged(_find_free_seat(table, seat), holder),)


def computer_holder(computer_number: int, settings: TableSettings, level: Level | None = None) -> SeatHolder:
    """Return a computer player as the holder of a seat, by default of the level in the settings."""
    return SeatHolder("computer", number=computer_number, level=level or settings.level)


def remove_computer(table: Table, caller: Caller, seat: int | None) -> tuple[AnyEvent, ...]:
    """Remove the computer player in `seat`, or the last computer player of the lobby."""
    require_lobby(table)
    require_host(table, caller)
    seats = table.record.seats
    if seat is not None:
        require_existing_seat(table, seat)
    computers = [number for number, holder in enumerate(seats) if holder.kind == "computer" and seat in (None, number)]
    if not computers:
        raise TableRefusal(TableCode.NO_COMPUTER, {"table": table.id})
    return (SeatChanged(computers[-1], EMPTY_SEAT),)


def start_game(table: Table, caller: Caller, *, fill: bool) -> tuple[AnyEvent, ...]:
    """Start the game. Refusals: not_host, not_enough_players, and those of `require_lobby`."""
    require_lobby(table)
    require_host(table, caller)
    record = table.record
    empty = [seat for seat, holder in enumerate(record.seats) if holder.kind == "empty"]
    if empty and not fill:
        detail = {"seated": len(record.seats) - len(empty), "players": len(record.seats)}
        raise TableRefusal(TableCode.NOT_ENOUGH_PLAYERS, detail)
    return begin_game(record)


def begin_game(record: TableState) -> tuple[AnyEvent, ...]:
    """Return the events that start the game; computer players take the empty seats.

    The last seat deals first, so that the first seat plays first (`docs/law/classic.md 1.3`). A replayed deal keeps its
    dealer.
    """
    numbers = free_computer_numbers(record)
    empty = (seat for seat, holder in enumerate(record.seats) if holder.kind == "empty")
    return (
        *(SeatChanged(seat, computer_holder(next(numbers), record.settings)) for seat in empty),
        DeadlineSet(Deadline.EXPIRE, None),
        *((DeadlineSet(Deadline.WAITING, None),) if Deadline.WAITING in record.deadlines else ()),
        GameStarted(dealer=len(record.seats) - 1 if record.known is None else record.known.dealer),
    )


def close_table(record: TableState, reason: ClosingReason) -> tuple[AnyEvent, ...]:
    """Return the events that close a table and clear its deadlines."""
    return (*(DeadlineSet(kind, None) for kind in record.deadlines), TableClosed(reason))


def holder_of_caller(caller: Caller) -> SeatHolder:
    """Return the caller as the holder of a seat."""
    return SeatHolder(
        "person", person=caller.person, name=clean_name(caller.name), account=clean_name(caller.account, nameless="")
    )


def require_open_table(table: Table) -> None:
    """Refuse if the table's game is finished or the table is closed."""
    if table.record.status is Status.CLOSED:
        raise TableRefusal(TableCode.TABLE_CLOSED, {"table": table.id})
    if table.record.status is Status.FINISHED:
        raise TableRefusal(TableCode.GAME_FINISHED, {"table": table.id})


def require_lobby(table: Table) -> None:
    """Refuse if the table is not a lobby (any more)."""
    require_open_table(table)
    if table.record.status is not Status.LOBBY:
        raise TableRefusal(TableCode.ALREADY_STARTED, {"table": table.id})


def require_changeable_rules(table: Table, caller: Caller) -> None:
    """Refuse a change of rules unless the table is a lobby hosted by the caller and replays no deal."""
    require_lobby(table)
    require_host(table, caller)
    known = table.record.known
    if known is not None and known.of is not None:
        detail = {"table": table.id, "of": known.of.table, "deal": known.of.deal}
        raise TableRefusal(TableCode.CARDS_KNOWN, detail)


def require_running_game(table: Table) -> None:
    """Refuse if no game is running at the table."""
    require_open_table(table)
    if table.record.status is not Status.PLAYING:
        raise TableRefusal(TableCode.NOT_STARTED, {"table": table.id})


def require_unpaused_game(table: Table) -> None:
    """Refuse if no game is running, the game is paused, or the table's channel is gone."""
    require_running_game(table)
    if table.record.is_halted:
        raise TableRefusal(TableCode.GAME_PAUSED, {"table": table.id})


def require_seat(table: Table, person: int) -> int:
    """Return the person's seat. Refusal: not_seated."""
    seat = table.record.seat_of(person)
    if seat is None:
        raise TableRefusal(TableCode.NOT_SEATED, {"table": table.id})
    return seat


def require_host(table: Table, caller: Caller) -> None:
    """Refuse unless the caller is the host."""
    if table.record.host != caller.person:
        raise TableRefusal(TableCode.NOT_HOST, {"table": table.id, "host": table.record.host})


def require_existing_seat(table: Table, seat: int) -> None:
    """Refuse a seat that the table does not have."""
    players = len(table.record.seats)
    if not 0 <= seat < players:
        raise TableRefusal(TableCode.NO_SUCH_SEAT, {"seat": seat, "players": players})


def _find_free_seat(table: Table, seat: int | None) -> int:
    """Return `seat` if it is empty, or without a `seat` the first empty one."""
    if seat is None:
        first = table.record.empty_seat()
        if first is None:
            raise TableRefusal(TableCode.TABLE_FULL, {"table": table.id, "players": len(table.record.seats)})
        return first
    require_existing_seat(table, seat)
    if table.record.seats[seat].kind != "empty":
        raise TableRefusal(TableCode.SEAT_TAKEN, {"seat": seat})
    return seat


def free_computer_numbers(record: TableState) -> Iterator[int]:
    """Yield the numbers, from 1 on, that no computer player of the table has."""
    used = {holder.number for holder in record.seats}
    return (number for number in count(1) if number not in used)


def _substitute_computer(record: TableState, holder: SeatHolder) -> SeatHolder:
    """Return the computer player that takes over a person's seat and keeps it for them."""
    number = next(free_computer_numbers(record))
    stand_in = computer_holder(number, record.settings)
    return replace(stand_in, kept_for=holder.person, kept_name=holder.name, account=holder.account)


def _holder_at_new_table(holder: SeatHolder) -> SeatHolder:
    """Return the holder for a new table, where no computer player keeps a seat for a person."""
    return without_person_of_kept_seat(holder)


def without_person_of_kept_seat(holder: SeatHolder) -> SeatHolder:
    """Return the holder without the absent person for whom a computer player keeps the seat."""
    return replace(holder, kept_for=None, kept_name="", account="") if holder.kind == "computer" else holder


def swap_seats(table: Table, caller: Caller, seat: int, other_seat: int) -> tuple[AnyEvent, ...]:
    """Swap the holders of two seats, or move one to an empty seat.

    Their contributions to the shuffle move with them.
    """
    require_lobby(table)
    require_host(table, caller)
    require_existing_seat(table, seat)
    require_existing_seat(table, other_seat)
    record = table.record
    if record.seats[seat].kind == "empty":
        raise TableRefusal(TableCode.SEAT_EMPTY, {"seat": seat})
    if seat == other_seat:
        return ()
    # Move the guest first: if the host held both seats for a moment, the guest's notice of changed rules would be lost.
    both = sorted(
        ((seat, other_seat), (other_seat, seat)), key=lambda move: not _is_other_person(record, record.seats[move[0]])
    )
    changed = [SeatChanged(there, record.seats[here]) for here, there in both]
    words = ((there, record.contributions[here]) for here, there in both)
    return (*changed, *(Contributed(there, word) for there, word in words if word is not None))


def set_computers(table: Table, caller: Caller, count: int) -> tuple[AnyEvent, ...]:
    """Set the number of computer players: new ones take the first free seats, the last ones leave."""
    require_lobby(table)
    require_host(table, caller)
    record = table.record
    highest = len(record.seats) - len(record.persons)
    if not 0 <= count <= highest:
        raise TableRefusal(TableCode.COMPUTERS_OUT_OF_RANGE, {"computers": count, "lowest": 0, "highest": highest})
    held = [seat for seat, holder in enumerate(record.seats) if holder.kind == "computer"]
    free = [seat for seat, holder in enumerate(record.seats) if holder.kind == "empty"]
    gone = (SeatChanged(seat, EMPTY_SEAT) for seat in held[count:])
    come = zip(free[: max(0, count - len(held))], free_computer_numbers(record), strict=False)
    return (*gone, *(SeatChanged(seat, computer_holder(number, record.settings)) for seat, number in come))


def _is_other_person(record: TableState, holder: SeatHolder) -> bool:
    """Return whether a person other than the host holds the seat."""
    return holder.person is not None and holder.person != record.host
