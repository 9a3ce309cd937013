"""Opening a table of a tournament: who sits where stands beforehand, and its game begins at once. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from bot.engine.cards.cards import Card
from bot.engine.rules.rule_set import RuleSet
from bot.tables.contest.events import ContestOpened
from bot.tables.contest.values import ContestTable
from bot.tables.events import AnyEvent, Contributed, GameStarted, LobbyOpened, PackFixed, SeatChanged, SettingsChosen
from bot.tables.lobby import person_holder
from bot.tables.looks import Caller, SeatHolder
from bot.tables.record import TableState
from bot.tables.timing.settings import TableSettings


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


def seated_anew(record: TableState) -> Iterable[SeatChanged]:
    """Who sits down with the next deal: substitutes, and those for whom a computer player finished the last one."""
    contest = record.contest
    if contest is None:
        return
    coming = {one.seat: one.holder for one in contest.substitutes}
    for seat, holder in enumerate(record.seats):
        if seat in coming:
            yield SeatChanged(seat, coming[seat])
        elif holder.kept_for is not None and holder.kept_for > 0:
            yield SeatChanged(seat, person_holder(Caller(holder.kept_for, holder.kept_name, None, 0, holder.account)))
