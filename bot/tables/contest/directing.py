"""Opening and directing a tournament's tables, and ending the games of a round. Pure.

Every call may be repeated: an action that has been done already returns no events, so a caller that was interrupted can
call again.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from bot.engine.cards.cards import Card
from bot.engine.moves.phases import Phase
from bot.engine.rules.rule_set import RuleSet
from bot.tables.absence.returning_players import arrival_events
from bot.tables.consent.accepted_proposals import events_ending_pause
from bot.tables.masters import interventions
from bot.tables.seating.seats import close_table, require_existing_seat, require_running_game
from bot.tables.state.clocks import Conclusion, TableSettings
from bot.tables.state.contest import ContestOpened, ContestTable, ContestUnsealed, Director, SubstituteNamed
from bot.tables.state.events import (
    AnyEvent,
    Contributed,
    Deadline,
    DeadlineSet,
    GameStarted,
    LastDealReached,
    LobbyOpened,
    PackFixed,
    SeatChanged,
    SettingsChosen,
)
from bot.tables.state.folding.proposals import clear_proposal
from bot.tables.state.snapshots import OPEN, Caller, ClosingReason, SeatHolder, Status
from bot.tables.state.table import Table, TableState
from bot.tables.timing import timekeeping
from bot.tables.timing.timekeeping import end_game


def pause_game(table: Table, director: Director, *, now: int) -> tuple[AnyEvent, ...]:
    """Pause the game until the tournament resumes it. Refusals: game_finished, table_closed."""
    require_running_game(table)
    if table.record.pause is not None:
        return ()
    caller = Caller(director.person, "", table.guild, 0)
    return interventions.pause_as_master(table, caller, reason=interventions.clean_reason(director.reason), now=now)


def resume_game(table: Table, *, now: int) -> tuple[AnyEvent, ...]:
    """Resume the game. Refusals: game_finished, table_closed."""
    require_running_game(table)
    return () if table.record.pause is None else events_ending_pause(table.record, now=now)


def replace_holder(table: Table, seat: int, holder: SeatHolder, *, at_once: bool) -> tuple[AnyEvent, ...]:
    """Give the seat to another holder: with the next deal or, between deals or if `at_once`, now.

    Refusals: no_such_seat, game_finished, table_closed.
    """
    require_running_game(table)
    require_existing_seat(table, seat)
    record = table.record
    coming = record.contest.substitutes if record.contest is not None else ()
    named = next((one.holder for one in coming if one.seat == seat), record.seats[seat])
    if _is_same_holder(holder, named):
        return ()
    if at_once or _is_between_deals(record):
        return (SeatChanged(seat, holder),)
    return (SubstituteNamed(seat, holder),)


def _is_same_holder(holder: SeatHolder, other: SeatHolder) -> bool:
    """Return whether both are the same holder.

    A computer player `other` that keeps the seat for the person `holder` counts as that person.
    """
    if (
        holder.person is not None and holder.person == other.kept_for
    ):  # the computer player keeps the seat for that person
        return True
    return (holder.kind, holder.person, holder.kept_for) == (other.kind, other.person, other.kept_for)


def mark_arrived(table: Table, persons: Collection[int], *, now: int) -> tuple[AnyEvent, ...]:
    """Mark these people as present, whether or not they have acted: their clocks run from now on.

    Refusals: game_finished, table_closed.
    """
    require_running_game(table)
    seats = (seat for seat, one in enumerate(table.record.seats) if one.person in persons)
    return tuple(event for seat in seats for event in arrival_events(table.record, seat, now=now))


def end_round(table: Table, *, finish_deal: bool, until: int | None) -> tuple[AnyEvent, ...]:
    """End the round: the deal in play is the last, and counts only if it is finished by `until`.

    Without `finish_deal` it does not count at all. A game that is over stays as it is.
    """
    record = table.record
    if record.status is not Status.PLAYING:
        return close_table(record, ClosingReason.VOID) if record.status is Status.LOBBY else ()
    if not finish_deal or _is_between_deals(record):
        return end_game_with_totals(record)
    came = () if record.last_deal else (LastDealReached(),)
    waits = until is not None and record.deadlines.get(Deadline.ROUND_END) != until
    return (*came, *((DeadlineSet(Deadline.ROUND_END, until),) if waits else ()))


def end_game_with_totals(record: TableState) -> tuple[AnyEvent, ...]:
    """End the game with the totals of its finished deals; a deal in play does not count."""
    if record.status is not Status.PLAYING:
        return (DeadlineSet(Deadline.ROUND_END, None),) if Deadline.ROUND_END in record.deadlines else ()
    came = () if record.last_deal else (LastDealReached(),)
    record = clear_proposal(record)
    return (*came, *end_game(record, timekeeping.conclusion(record, "latest_end")))


def forfeit_sides(table: Table, sides: Collection[int]) -> tuple[AnyEvent, ...]:
    """Let these sides lose the game; the best other side wins, unless several are equal.

    No side wins if all forfeit.
    """
    record = table.record
    if record.status is not Status.PLAYING:
        return close_table(record, ClosingReason.VOID) if record.status is Status.LOBBY else ()
    record = clear_proposal(record)
    scores = timekeeping.conclusion(record, "forfeited").scores
    others = {side: score for side, score in enumerate(scores) if side not in sides}
    best = [side for side, score in others.items() if score == max(others.values())]
    winner = best[0] if len(best) == 1 else None
    return end_game(record, Conclusion("forfeited", winner, scores, last=min(sides) if others and sides else None))


def void_table(table: Table) -> tuple[AnyEvent, ...]:
    """Close the table without a result; a finished game stays as it is."""
    return close_table(table.record, ClosingReason.VOID) if table.record.status in OPEN else ()


def unseal_table(table: Table) -> tuple[AnyEvent, ...]:
    """Allow the table's play to be viewed."""
    return (ContestUnsealed(),) if table.record.is_sealed else ()


def _is_between_deals(record: TableState) -> bool:
    """Return whether the game is between two deals."""
    return record.game is not None and record.game.phase is Phase.BETWEEN


@dataclass(frozen=True, slots=True, kw_only=True)
class ContestOpening:
    """A tournament's table to be opened: its seats, rules, and place in the tournament.

    `host` is stored as its opener. `dealer` deals first, by default the last seat. `shares` are, by seat, the players'
    contributions to the first shuffle, empty if only the seed counts. `pack` is that of the table's board.
    """

    host: int
    seats: tuple[SeatHolder, ...]
    rules: RuleSet
    settings: TableSettings
    contest: ContestTable
    dealer: int | None = None
    shares: tuple[str | None, ...] = ()
    pack: tuple[Card, ...] | None = field(default=None, repr=False)


def board_rules(rules: RuleSet, minimum: int) -> RuleSet:
    """Return the rules with `minimum` as the initial meld of every side, in every deal and at every score."""
    return replace(rules, open_by="score", open_table=((None, minimum),))


def opening_events(opening: ContestOpening, *, now: int) -> tuple[AnyEvent, ...]:
    """Return the table with all its seats taken.

    Raises `ValueError` for seats, or a pack, that do not fit.
    """
    rules, board = opening.rules, opening.contest.board
    if len(opening.seats) != rules.players:
        raise ValueError(f"{len(opening.seats)} seats for {rules.players} players")
    if (board is None) != (opening.pack is None):
        raise ValueError("a board has a pack, and nothing else has one")
    known: tuple[AnyEvent, ...] = ()
    if board is not None and opening.pack is not None:
        rules = board_rules(rules, board.minimum)
        known = (PackFixed(None, board.dealer, opening.pack, streams=True),)
    return (
        LobbyOpened(rules, opening.host, now),
        SettingsChosen(opening.settings),
        ContestOpened(opening.contest),
        *(SeatChanged(seat, holder) for seat, holder in enumerate(opening.seats)),
        *known,
    )


def begin_game(record: TableState, dealer: int | None, shares: Sequence[str | None]) -> tuple[AnyEvent, ...]:
    """Start the game with the players' contributions (`shares`) to the first shuffle."""
    given = enumerate(shares if record.known is None else ())
    first = len(record.seats) - 1 if dealer is None else dealer
    return (
        *(Contributed(seat, share) for seat, share in given if share is not None),
        GameStarted(first if record.known is None else record.known.dealer),
    )
