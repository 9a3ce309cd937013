"""The tables of a tournament brought into line with it: made, stopped, ended, opened to everybody."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import replace

from bot.store.store import Store
from bot.store.tournaments import ContestRow
from bot.tables.contest.directing import ContestOpening
from bot.tables.seating.rules import apply_themes
from bot.tables.service import TableService
from bot.tables.state.contest import ContestBoard, ContestTable, Director
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.requests import TableLocation
from bot.tables.state.shuffle import board_name, pack_of
from bot.tables.state.snapshots import SeatHolder, Status
from bot.tournaments.event import boards, matches, substitutes
from bot.tournaments.event.match_state import MatchStage, MatchState, MatchTable
from bot.tournaments.event.matches import OVERTIME
from bot.tournaments.event.tournament import BoardStage, Stage, Tournament

logger = logging.getLogger(__name__)


class TableSync:
    """What is done at the tables of tournaments; doing it again changes nothing."""

    def __init__(self, tables: TableService, store: Store) -> None:
        self._tables = tables
        self._store = store

    async def settled(self, tournament: Tournament) -> list[tuple[int, MatchTable]]:
        """Bring all tables into line; the answer are tables that were made, by match."""
        if tournament.stage not in (Stage.RUNNING, Stage.CLOSING, Stage.CLOSED, Stage.CANCELLED):
            return []
        rows = await self._tables.contest.contest_tables(tournament.id)
        by_match: dict[int, list[ContestRow]] = {}
        for row in rows:
            by_match.setdefault(row.match, []).append(row)
        made: list[tuple[int, MatchTable]] = []
        for match in tournament.matches:
            here = by_match.get(match.id, [])
            try:
                if self._goes_on(tournament, match):
                    made += [(match.id, one) for one in await self._opened(tournament, match, here)]
                await self._directed(tournament, match, here)
            except TableRefusal:  # a table that cannot be read, or whose game has just ended: no other waits for it
                logger.exception("a table of match %d is not as it should be", match.id)
        return made

    def _goes_on(self, tournament: Tournament, match: MatchState) -> bool:
        wanted = match.stage in (MatchStage.CALLED, MatchStage.PLAYING) and match.place is not None
        running = tournament.stage is Stage.RUNNING and not tournament.paused
        return wanted and running and match.result is None and not match.voided

    async def _opened(self, tournament: Tournament, match: MatchState, here: list[ContestRow]) -> list[MatchTable]:
        """The tables that the match needs now and has not, or that the tournament has no note of."""
        known = {one.table for one in match.tables}
        made = []
        for number, table in self._wanted(tournament, match):
            row = next((one for one in here if one.number == number), None)
            if row is None or row.status == Status.LOBBY:
                made.append(replace(table, table=await self._open(tournament, match, number, table)))
            elif row.table not in known:
                made.append(replace(table, table=row.table))
        return made

    def _wanted(self, tournament: Tournament, match: MatchState) -> Iterator[tuple[int, MatchTable]]:
        """The tables that should be there, by their numbers in the match; the table's own number is not known yet."""
        if not match.boards:
            for extra in range(match.further + 1):
                yield extra + 1, MatchTable(table=0)
            return
        board = boards.next_board(tournament, match)
        if board is None or boards.waits_for_others(tournament, match, board):
            return
        place = match.boards.index(board) + 1
        for room in boards.rooms_of(match):
            if match.place_in(room) is None:
                continue
            yield place + (room - 1) * len(match.boards), MatchTable(table=0, board=board, room=room)

    async def _open(self, tournament: Tournament, match: MatchState, number: int, table: MatchTable) -> int:
        plan = tournament.plan
        deals = plan.deals if number == 1 and not match.boards else 1
        rules = plan.rules if deals is None else replace(plan.rules, rounds=deals)  # no score ends it before
        themes = plan.themes_of(match.round)
        if themes:
            rules = apply_themes(rules, themes)
        settings = replace(plan.settings, deals=deals, private_thread=bool(match.boards), watching=not match.boards)
        board = next((one for one in tournament.boards if one.number == table.board), None)
        contest = ContestTable(
            tournament=tournament.id,
            match=match.id,
            number=number,
            computers=plan.computers,
            live=plan.live,
            board=None if board is None else ContestBoard(board.number, board.minimum, board.dealer),
            sealed=board is not None,
        )
        first = 4 * (table.room - 1) if match.boards else 0
        seats = match.seats[first : first + plan.players]
        opening = ContestOpening(
            host=tournament.directors[0],
            seats=tuple(_holder(tournament, person, seat) for seat, person in enumerate(seats)),
            rules=rules,
            settings=settings,
            contest=contest,
            shares=tuple(_share(tournament, person) for person in seats),
            pack=None if board is None else await self._pack(tournament, board.number),
        )
        there = match.place_in(table.room)
        place = TableLocation(tournament.guild, tournament.channel, there if there != tournament.channel else None)
        opened = (await self._tables.contest.open_contest(place, opening)).id
        await self._awaited(match, opened)  # who was at an earlier table of the match is there
        return opened

    async def _awaited(self, match: MatchState, table: int) -> None:
        """Once nobody is missing clocks run, also of those who have looked at their hand and done nothing yet."""
        if not matches.absent(match):
            await self._tables.contest.contest_arrived(table, match.arrived)

    async def _pack(self, tournament: Tournament, board: int) -> tuple[int, ...]:
        """The pack of a board, from its seed and from what all have given to it by checking in."""
        seed = await self._store.tournaments.secret(tournament.id, f"board:{board}")
        if seed is None:
            raise LookupError(f"tournament {tournament.id} has no seed for board {board}")
        rules = tournament.plan.rules
        return pack_of(
            seed,
            board_name(tournament.id, board),
            shares_of(tournament),
            decks=rules.decks,
            jokers_per_deck=rules.jokers_per_deck,
        )

    async def _directed(self, tournament: Tournament, match: MatchState, here: list[ContestRow]) -> None:
        """End, stop or open the tables of a match where the tournament has gone on without them."""
        director = Director(tournament.directors[0], tournament.plan.name)
        for row in here:
            if row.status == Status.PLAYING or (row.status == Status.LOBBY and not self._goes_on(tournament, match)):
                await self._while_open(tournament, match, row, director)
            elif self._may_be_seen(tournament, match, row):
                await self._tables.contest.contest_unseal(row.table)

    async def _while_open(self, tournament: Tournament, match: MatchState, row: ContestRow, director: Director) -> None:
        """What is to be done at a table; at one that has ended meanwhile nothing is, and its result comes by itself."""
        try:
            await self._ended(tournament, match, row, director)
        except TableRefusal as refusal:
            if refusal.code not in (TableCode.GAME_FINISHED, TableCode.TABLE_CLOSED):
                raise

    async def _ended(self, tournament: Tournament, match: MatchState, row: ContestRow, director: Director) -> None:
        result = match.result
        if self._is_void(tournament, match, row):
            await self._tables.contest.contest_void(row.table)
        elif result is not None and result.forfeited:
            await self._tables.contest.contest_forfeit(row.table, sides=_sides_there(match, row, result.forfeited))
        elif result is not None:
            await self._tables.contest.contest_end(row.table, finish_deal=False)
        elif tournament.paused:
            await self._tables.contest.contest_pause(row.table, director)
        else:
            await self._tables.contest.contest_resume(row.table)
            await self._seated(tournament, match, row)
            await self._awaited(match, row.table)
            if match.ending and match.due is not None:
                until = match.due + OVERTIME if tournament.plan.live else match.due
                await self._tables.contest.contest_end(row.table, finish_deal=tournament.plan.live, until=until)

    def _is_void(self, tournament: Tournament, match: MatchState, row: ContestRow) -> bool:
        """Whether nothing that is played there counts: its match is void, or its board was given instead."""
        if match.voided or tournament.stage is Stage.CANCELLED or (match.result is not None and match.result.void):
            return True
        board = next((one.board for one in match.tables if one.table == row.table), None)
        return board is not None and boards.was_given(tournament, match, board)

    async def _seated(self, tournament: Tournament, match: MatchState, row: ContestRow) -> None:
        """Let substitutes sit down with the next deal; at once where nobody has come to that seat yet."""
        room = next((one.room for one in match.tables if one.table == row.table), 1)
        first = 4 * (room - 1)
        for seat, person in substitutes.substitutes(tournament, match):
            if first <= seat < first + tournament.plan.players:
                await self._tables.contest.contest_substitute(
                    row.table,
                    seat=seat - first,
                    holder=_holder(tournament, person, seat),
                    at_once=person not in match.arrived,
                )

    def _may_be_seen(self, tournament: Tournament, match: MatchState, row: ContestRow) -> bool:
        board = next((one.board for one in match.tables if one.table == row.table), None)
        state = next((one for one in tournament.boards if one.number == board), None)
        return state is not None and state.stage is BoardStage.OPEN


def _sides_there(match: MatchState, row: ContestRow, sides: Sequence[int]) -> tuple[int, ...]:
    """The sides of a match as its table counts them; in a team's second room they sit the other way about."""
    room = next((one.room for one in match.tables if one.table == row.table), 1)
    return tuple(sides) if room == 1 else tuple(1 - one for one in sides)


def shares_of(tournament: Tournament) -> tuple[str, ...]:
    """What all players have given to the shuffle of the boards: the requests by which they checked in, by entry."""
    ordered = sorted(tournament.entrants, key=lambda one: one.rank)
    return tuple(str(share) for one in ordered if one.rank for share in one.shares)


def _share(tournament: Tournament, person: int | None) -> str | None:
    """What a player gives to the shuffle of the first deal: the request by which it checked in, if it did."""
    for one in tournament.entrants:
        for checked_in, share in zip(one.here, one.shares, strict=False):
            if checked_in == person:
                return str(share)
    return None


def _holder(tournament: Tournament, person: int | None, seat: int) -> SeatHolder:
    if person is None:
        return SeatHolder("computer", number=seat + 1)
    return SeatHolder("person", person, tournament.names.get(person, ""))
