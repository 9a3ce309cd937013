"""What the directors of a tournament do at its tables, and how the games of a round end. Pure.

Nothing happens where it has happened already, so that whoever was interrupted may ask again.

Opening a table of a tournament: who sits where stands beforehand, and its game begins at once. Pure.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from bot.engine.cards.cards import Card
from bot.engine.moves.phases import Phase
from bot.engine.rules.rule_set import RuleSet
from bot.tables.absence import rules as rules_from_directing
from bot.tables.consent.settle import Timing, resumed
from bot.tables.masters import rules
from bot.tables.seating.seats import closing, require_existing_seat, require_playing
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
from bot.tables.state.proposal_folding import clear_proposal
from bot.tables.state.snapshots import OPEN, Caller, ClosedBecause, SeatHolder, Status
from bot.tables.state.table import Table, TableState
from bot.tables.timing import timekeeping
from bot.tables.timing.timekeeping import concluding


def paused(table: Table, director: Director, *, now: int) -> tuple[AnyEvent, ...]:
    """The game stands still until the tournament lets it go on. Refusals: game_finished, table_closed."""
    require_playing(table)
    if table.record.pause is not None:
        return ()
    caller = Caller(director.person, "", table.guild, 0)
    return rules.pause(table, caller, reason=rules.reason_of(director.reason), now=now)


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
    return tuple(event for seat in seats for event in rules_from_directing.person_arrived(table.record, seat, now=now))


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
    return (*came, *concluding(record, timekeeping.conclusion(record, "latest_end")))


def forfeited(table: Table, sides: Collection[int]) -> tuple[AnyEvent, ...]:
    """The given sides lose the game as it stands: the best of the others has won it, if there is one best.

    Nobody has where all of them forfeit.
    """
    record = table.record
    if record.status is not Status.PLAYING:
        return closing(record, ClosedBecause.VOID) if record.status is Status.LOBBY else ()
    record = clear_proposal(record)
    scores = timekeeping.conclusion(record, "forfeited").scores
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


@dataclass(frozen=True, slots=True, kw_only=True)
class ContestOpening:
    """A table of a tournament as it is to be opened: who sits in each seat, what is played, and its place there.

    `host` is noted as who opened it. `dealer` deals first, without one the last seat. `shares` are by seat what each
    player gives to the first deal's shuffle, empty where all is left to the seed. `pack` is that of the table's board.
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
    """Rules by which every side's initial meld needs that many points, whatever its score and whichever deal it is."""
    return replace(rules, open_by="score", open_table=((None, minimum),))


def opened(opening: ContestOpening, *, now: int) -> tuple[AnyEvent, ...]:
    """The table with all its seats held. Raises `ValueError` for seats, or a pack, that do not fit."""
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


def begun(record: TableState, dealer: int | None, shares: Sequence[str | None]) -> tuple[AnyEvent, ...]:
    """The game begins, with what its players give to the shuffle of the first deal."""
    given = enumerate(shares if record.known is None else ())
    first = len(record.seats) - 1 if dealer is None else dealer
    return (
        *(Contributed(seat, share) for seat, share in given if share is not None),
        GameStarted(first if record.known is None else record.known.dealer),
    )
