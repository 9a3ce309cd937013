"""What the directors of a tournament do at its tables, and how the games of a round end. Pure.

Nothing happens where it has happened already, so that whoever was interrupted may ask again.
"""

from __future__ import annotations

from collections.abc import Collection

from bot.engine.moves.phases import Phase
from bot.tables import mastering
from bot.tables.absence import absent_seats
from bot.tables.consent.carrying import Timing, resumed
from bot.tables.consent.early_end import concluding
from bot.tables.consent.folding import clear_proposal
from bot.tables.contest.events import ContestUnsealed, SubstituteNamed
from bot.tables.contest.values import Director
from bot.tables.events import AnyEvent, Deadline, DeadlineSet, LastDealReached, SeatChanged
from bot.tables.lobby import closing, require_existing_seat, require_playing
from bot.tables.looks import OPEN, Caller, ClosedBecause, SeatHolder, Status
from bot.tables.record import Table, TableState
from bot.tables.timing import ends
from bot.tables.timing.clocks import Conclusion


def paused(table: Table, director: Director, *, now: int) -> tuple[AnyEvent, ...]:
    """The game stands still until the tournament lets it go on. Refusals: game_finished, table_closed."""
    require_playing(table)
    if table.record.pause is not None:
        return ()
    caller = Caller(director.person, "", table.guild, 0)
    return mastering.pause(table, caller, reason=mastering.reason_of(director.reason), now=now)


def goes_on(table: Table, instants: Timing) -> tuple[AnyEvent, ...]:
    """The game goes on; the next deal is awaited even where computer players alone are left."""
    require_playing(table)
    record = table.record
    if record.pause is None:
        return ()
    events = resumed(record, instants)
    if record.persons or not _is_between(record):
        return events
    return (*events, DeadlineSet(Deadline.NEXT_DEAL, instants.next_deal_at))


def substituted(table: Table, seat: int, holder: SeatHolder, *, at_once: bool) -> tuple[AnyEvent, ...]:
    """Somebody else has the seat: from the next deal on, or `at_once`; between deals that is the same.

    Refusals: no_such_seat, game_finished, table_closed.
    """
    require_playing(table)
    require_existing_seat(table, seat)
    record = table.record
    coming = record.contest.substitutes if record.contest is not None else ()
    named = next((one.holder for one in coming if one.seat == seat), record.seats[seat])
    if _same(holder, named):
        return ()
    if at_once or _is_between(record):
        return (SeatChanged(seat, holder),)
    return (SubstituteNamed(seat, holder),)


def _same(one: SeatHolder, other: SeatHolder) -> bool:
    return (one.kind, one.person, one.kept_for) == (other.kind, other.person, other.kept_for)


def came(table: Table, persons: Collection[int], *, now: int) -> tuple[AnyEvent, ...]:
    """The given persons are there, whether they have done anything yet or not: from now on their clocks run.

    Refusals: game_finished, table_closed.
    """
    require_playing(table)
    seats = (seat for seat, one in enumerate(table.record.seats) if one.person in persons)
    return tuple(event for seat in seats for event in absent_seats.person_arrived(table.record, seat, now=now))


def round_over(table: Table, *, finish_deal: bool, until: int | None) -> tuple[AnyEvent, ...]:
    """The round is over: the deal in play is the last, and does not count either if it lasts longer than `until`.

    Without `finish_deal` it does not count at once. A game that is over already stays as it is.
    """
    record = table.record
    if record.status is not Status.PLAYING:
        return closing(record, ClosedBecause.VOID) if record.status is Status.LOBBY else ()
    if not finish_deal or _is_between(record):
        return ended(record)
    came = () if record.last_deal else (LastDealReached(),)
    waits = until is not None and record.deadlines.get(Deadline.ROUND_END) != until
    return (*came, *((DeadlineSet(Deadline.ROUND_END, until),) if waits else ()))


def ended(record: TableState) -> tuple[AnyEvent, ...]:
    """The end of a game with the totals of its finished deals; the one in play does not count."""
    if record.status is not Status.PLAYING:
        return (DeadlineSet(Deadline.ROUND_END, None),) if Deadline.ROUND_END in record.deadlines else ()
    came = () if record.last_deal else (LastDealReached(),)
    record = clear_proposal(record)
    return (*came, *concluding(record, ends.conclusion(record, "latest_end")))


def forfeited(table: Table, sides: Collection[int]) -> tuple[AnyEvent, ...]:
    """The given sides lose the game as it stands: the best of the others has won it, if there is one best.

    Nobody has where all of them forfeit.
    """
    record = table.record
    if record.status is not Status.PLAYING:
        return closing(record, ClosedBecause.VOID) if record.status is Status.LOBBY else ()
    record = clear_proposal(record)
    scores = ends.conclusion(record, "forfeited").scores
    others = {side: score for side, score in enumerate(scores) if side not in sides}
    best = [side for side, score in others.items() if score == max(others.values())]
    winner = best[0] if len(best) == 1 else None
    return concluding(record, Conclusion("forfeited", winner, scores, last=min(sides) if others and sides else None))


def voided(table: Table) -> tuple[AnyEvent, ...]:
    """The table is closed without a result; one whose game is over stays as it is."""
    return closing(table.record, ClosedBecause.VOID) if table.record.status in OPEN else ()


def unsealed(table: Table) -> tuple[AnyEvent, ...]:
    """What was played may be looked at from now on."""
    return (ContestUnsealed(),) if table.record.sealed else ()


def _is_between(record: TableState) -> bool:
    return record.game is not None and record.game.phase is Phase.BETWEEN
