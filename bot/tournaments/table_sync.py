"""Update the game tables of a tournament to match it: open, pause, end and publish them."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import compress
from operator import is_not
from typing import Final

from bot.clocks.time_rules import PRESETS
from bot.store.contest_tables import ContestRow
from bot.store.store import Store
from bot.tables.contest.directing import ContestOpening
from bot.tables.seating.lobby_rules import apply_themes
from bot.tables.service import TableService
from bot.tables.state.contest import ContestBoard, ContestTable, Director
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.requests import TableLocation
from bot.tables.state.shuffle import board_name, pack_for_name
from bot.tables.state.snapshots import SeatHolder, Status
from bot.tournaments.event import boards, substitutes
from bot.tournaments.event.match_state import MatchStage, MatchState, MatchTable
from bot.tournaments.event.matches import OVERTIME
from bot.tournaments.event.tournament import BoardStage, Stage, Tournament

logger = logging.getLogger(__name__)


FEW: Final = 20
"""Maximum of matches whose tables are looked up one by one; for more all are read at once."""


@dataclass(frozen=True, slots=True)
class SyncResult:
    """The result of updating tables: the tables opened, by match, and whether all are up to date."""

    opened: list[tuple[int, MatchTable]]
    complete: bool


def matches_to_update(before: Tournament | None, after: Tournament) -> tuple[MatchState, ...]:
    """Return the matches whose tables may need an update since the tournament was `before`.

    A change of the stage, of a pause or of boards affects all matches; another change only the matches that it changed.
    """
    if (
        before is None
        or after.plan.duplicate is not None
        or (before.stage, before.paused_at, before.plan) != (after.stage, after.paused_at, after.plan)
    ):
        return after.matches
    changed = compress(after.matches, map(is_not, after.matches, before.matches))  # no match is ever removed
    return (*changed, *after.matches[len(before.matches) :])


class TableSync:
    """Updates the tables of tournaments; a repeated update changes nothing."""

    def __init__(self, tables: TableService, store: Store) -> None:
        self._tables = tables
        self._store = store

    async def update_tables(self, tournament: Tournament, matches: Sequence[MatchState]) -> SyncResult:
        """Update the tables of these matches; return the opened ones and whether all are up to date."""
        if tournament.stage not in (Stage.RUNNING, Stage.CLOSING, Stage.CLOSED, Stage.CANCELLED):
            return SyncResult([], complete=True)
        by_match = await self._rows_by_match(tournament, matches)
        opened: list[tuple[int, MatchTable]] = []
        complete = True
        for match in matches:
            here = by_match.get(match.id, [])
            try:
                if self._is_in_play(tournament, match):
                    opened += [(match.id, one) for one in await self._open_missing_tables(tournament, match, here)]
                await self._update_match(tournament, match, here)
            except TableRefusal as refusal:  # the table is unreadable or has just ended; the others go on
                place = {"tournament": tournament.id, "code": refusal.code.value}
                logger.error("a table of match %d is not as it should be", match.id, extra=place)  # noqa: TRY400
                complete = False
        if tournament.stage is Stage.CANCELLED:
            await self._void_tables_without_match(tournament)
        return SyncResult(opened, complete)

    async def _void_tables_without_match(self, tournament: Tournament) -> None:
        """End the open tables of a cancelled tournament whose matches were lost in a repair."""
        for row in await self._tables.contest.tables_of(tournament.id):
            if row.status in (Status.LOBBY, Status.PLAYING) and tournament.find_match(row.match) is None:
                with suppress(TableRefusal):  # the table cannot be read, or has just ended
                    await self._tables.contest.void(row.table)

    async def _rows_by_match(
        self, tournament: Tournament, matches: Sequence[MatchState]
    ) -> dict[int, list[ContestRow]]:
        """Return the stored tables of these matches, by match number."""
        if len(matches) <= FEW:
            return {one.id: list(await self._tables.contest.tables_of(tournament.id, one.id)) for one in matches}
        found: dict[int, list[ContestRow]] = {}
        for row in await self._tables.contest.tables_of(tournament.id):
            found.setdefault(row.match, []).append(row)
        return found

    def _is_in_play(self, tournament: Tournament, match: MatchState) -> bool:
        """Return whether a match should have tables in play.

        It should if it is called, has a place and has no result, unless the tournament is paused.
        """
        wanted = match.stage in (MatchStage.CALLED, MatchStage.PLAYING) and match.place is not None
        running = tournament.stage is Stage.RUNNING and not tournament.is_paused
        return wanted and running and match.result is None and not match.voided

    async def _open_missing_tables(
        self, tournament: Tournament, match: MatchState, rows: list[ContestRow]
    ) -> list[MatchTable]:
        """Open the tables that the match still needs.

        Return them, and those opened earlier that the tournament does not know yet.
        """
        known = {one.table for one in match.tables}
        made = []
        for number, table in self._wanted_tables(tournament, match):
            row = next((one for one in rows if one.number == number), None)
            if row is None or row.status == Status.LOBBY:
                made.append(replace(table, table=await self._open_table(tournament, match, number, table)))
            elif row.table not in known:
                made.append(replace(table, table=row.table))
        return made

    def _wanted_tables(self, tournament: Tournament, match: MatchState) -> Iterator[tuple[int, MatchTable]]:
        """Yield the tables that the match needs, each with its number in the match.

        Their field `table` is not set yet.
        """
        if not match.boards:
            for extra in range(match.further + 1):
                yield extra + 1, MatchTable(table=0)
            return
        board = boards.next_board(tournament, match)
        if board is None or boards.must_wait_for_others(tournament, match, board):
            return
        place = match.boards.index(board) + 1
        for room in boards.rooms_of(match):
            if match.channel_of_room(room) is None:
                continue
            yield place + (room - 1) * len(match.boards), MatchTable(table=0, board=board, room=room)

    async def _open_table(
        self, tournament: Tournament, match: MatchState, number_in_match: int, table: MatchTable
    ) -> int:
        """Open a table for the match, and return its number."""
        plan = tournament.plan
        deals = plan.deals if number_in_match == 1 and not match.boards else 1
        # The match lasts that many deals, whatever the score.
        rules = plan.rules if deals is None else replace(plan.rules, rounds=deals)
        themes = plan.themes_of(match.round)
        if themes:
            rules = apply_themes(rules, themes)
        settings = replace(plan.settings, deals=deals, private_thread=bool(match.boards), watching=not match.boards)
        board = next((one for one in tournament.boards if one.number == table.board), None)
        contest = ContestTable(
            tournament=tournament.id,
            match=match.id,
            number=number_in_match,
            computers=plan.computers,
            live=plan.live,
            board=None if board is None else ContestBoard(board.number, board.minimum, board.dealer),
            sealed=board is not None,
        )
        first = 4 * (table.room - 1) if match.boards else 0
        seats = match.seats[first : first + plan.players]
        opening = ContestOpening(
            host=_acting_person(tournament, match),
            seats=tuple(_seat_holder(tournament, person, seat) for seat, person in enumerate(seats)),
            rules=rules,
            settings=settings,
            contest=contest,
            shares=tuple(_shuffle_contribution(tournament, person) for person in seats),
            pack=None if board is None else await self._pack_of_board(tournament, board.number),
        )
        there = match.channel_of_room(table.room)
        place = TableLocation(tournament.guild, tournament.channel, there if there != tournament.channel else None)
        opened = (await self._tables.contest.open_contest(place, opening)).id
        await self._set_clock(tournament, match, opened)
        await self._start_clocks(match, opened)  # players of an earlier table of this match count as present
        return opened

    async def _set_clock(self, tournament: Tournament, match: MatchState, table: int) -> None:
        """Set the clock of a table of a slow match.

        None runs before an agreed time, the live one for hours after it, else the usual one.
        """
        if match.hours_until is not None:
            await self._tables.contest.begin_agreed_hours(table, PRESETS["live"])
        elif match.agreed_at is not None:
            await self._tables.contest.begin_agreed_hours(table, None)
        elif not tournament.plan.live:
            await self._tables.contest.end_agreed_hours(table)

    async def _start_clocks(self, match: MatchState, table: int) -> None:
        """Start the clocks of the players who are known to be present."""
        if match.present_persons:
            await self._tables.contest.mark_arrived(table, match.present_persons)

    async def _pack_of_board(self, tournament: Tournament, board: int) -> tuple[int, ...]:
        """Return the pack of a board, shuffled by its seed and the players' check-ins."""
        seed = await self._store.tournaments.secret(tournament.id, f"board:{board}")
        if seed is None:
            raise LookupError(f"tournament {tournament.id} has no seed for board {board}")
        rules = tournament.plan.rules
        return pack_for_name(
            seed,
            board_name(tournament.id, board),
            shuffle_contributions_of_entries(tournament),
            decks=rules.decks,
            jokers_per_deck=rules.jokers_per_deck,
        )

    async def _update_match(self, tournament: Tournament, match: MatchState, rows: list[ContestRow]) -> None:
        """End, pause or publish the tables of a match, as the tournament requires."""
        director = Director(_acting_person(tournament, match), tournament.plan.name)
        for row in rows:
            if row.status == Status.PLAYING or (row.status == Status.LOBBY and not self._is_in_play(tournament, match)):
                await self._update_open_table(tournament, match, row, director)
            elif self._is_open_board(tournament, match, row):
                await self._tables.contest.unseal(row.table)

    async def _update_open_table(
        self, tournament: Tournament, match: MatchState, row: ContestRow, director: Director
    ) -> None:
        """Update an open table; ignore one that ended meanwhile, because its result is reported anyway."""
        try:
            await self._update_playing_table(tournament, match, row, director)
        except TableRefusal as refusal:
            if refusal.code not in (TableCode.GAME_FINISHED, TableCode.TABLE_CLOSED):
                raise

    async def _update_playing_table(
        self, tournament: Tournament, match: MatchState, row: ContestRow, director: Director
    ) -> None:
        """Void, forfeit, end, pause or resume a table in play, as its match requires."""
        result = match.result
        if self._is_table_void(tournament, match, row):
            await self._tables.contest.void(row.table)
        elif result is not None and result.forfeited:
            await self._tables.contest.forfeit(row.table, sides=_sides_as_at_table(match, row, result.forfeited))
        elif result is not None:
            await self._tables.contest.end(row.table, finish_deal=False)
        elif tournament.is_paused:
            await self._tables.contest.pause(row.table, director)
        else:
            await self._tables.contest.resume(row.table)
            await self._seat_substitutes(tournament, match, row)
            await self._set_clock(tournament, match, row.table)
            await self._start_clocks(match, row.table)
            if match.ending and match.due is not None:
                until = match.due + OVERTIME if tournament.plan.live else match.due
                await self._tables.contest.end(row.table, finish_deal=tournament.plan.live, until=until)

    def _is_table_void(self, tournament: Tournament, match: MatchState, row: ContestRow) -> bool:
        """Return whether the play at a table does not count.

        It does not if the match is void, or if a director gave a result for the table's board.
        """
        if match.voided or tournament.stage is Stage.CANCELLED or (match.result is not None and match.result.void):
            return True
        board = next((one.board for one in match.tables if one.table == row.table), None)
        return board is not None and boards.has_directors_result(tournament, match, board)

    async def _seat_substitutes(self, tournament: Tournament, match: MatchState, row: ContestRow) -> None:
        """Seat substitutes at a table, from the next deal on.

        A seat whose person never came, or that a member took over, changes hands at once.
        """
        room = next((one.room for one in match.tables if one.table == row.table), 1)
        first = 4 * (room - 1)
        for seat, person in substitutes.seats_of_substitutes(tournament, match):
            if first <= seat < first + tournament.plan.players:
                await self._tables.contest.substitute(
                    row.table,
                    seat=seat - first,
                    holder=_seat_holder(tournament, person, seat),
                    at_once=person not in match.arrived or person in match.stood_in,
                )

    def _is_open_board(self, tournament: Tournament, match: MatchState, row: ContestRow) -> bool:
        """Return whether the table's board is open, because all tables have played it."""
        board = next((one.board for one in match.tables if one.table == row.table), None)
        state = next((one for one in tournament.boards if one.number == board), None)
        return state is not None and state.stage is BoardStage.OPEN


def _sides_as_at_table(match: MatchState, row: ContestRow, sides: Sequence[int]) -> tuple[int, ...]:
    """Return the sides of the table that are these sides of the match.

    In a team's second room they are swapped.
    """
    room = next((one.room for one in match.tables if one.table == row.table), 1)
    return tuple(sides) if room == 1 else tuple(1 - one for one in sides)


def shuffle_contributions_of_entries(tournament: Tournament) -> tuple[str, ...]:
    """Return all players' shares of the shuffle of boards, by entry: the ids of their check-in requests."""
    ordered = sorted(tournament.entrants, key=lambda one: one.rank)
    return tuple(str(share) for one in ordered if one.rank for share in one.shares)


def _acting_person(tournament: Tournament, match: MatchState) -> int:
    """Return the person recorded as opening and ending tables: a director, else one of the players."""
    return next(iter(tournament.directors), next((one for one in match.seats if one is not None), 0))


def _shuffle_contribution(tournament: Tournament, person: int | None) -> str | None:
    """Return a player's share of the shuffle of the first deal: their check-in request id, or None."""
    for one in tournament.entrants:
        for checked_in, share in zip(one.here, one.shares, strict=False):
            if checked_in == person:
                return str(share)
    return None


def _seat_holder(tournament: Tournament, person: int | None, seat: int) -> SeatHolder:
    """Return the holder of the seat: that person, or a computer player if `person` is None."""
    if person is None:
        return SeatHolder("computer", number=seat + 1, level=tournament.plan.settings.level)
    return SeatHolder("person", person, tournament.names.get(person, ""))
