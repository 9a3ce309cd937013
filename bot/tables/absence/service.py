"""The service for absent players and idle games."""

from __future__ import annotations

from collections.abc import Mapping

from bot.clocks.time_rules import Stage
from bot.tables.absence import claims, idle_games, latest_end, lost_seats, no_opponents, returning_players, votes
from bot.tables.consent.accepted_proposals import add_events_of_accepted_proposal
from bot.tables.context import TableContext
from bot.tables.state.absence import (
    AbsenceChoice,
    AbsenceReason,
    ClaimEnded,
    EndChoice,
    SubstituteSearchEnded,
    VoteDecided,
    VoteWithdrawn,
)
from bot.tables.state.events import AnyEvent, Deadline, DeadlineSet, StageReached
from bot.tables.state.fold import apply_table_events
from bot.tables.state.requests import DeadlineHandler, Decision, TableRequest
from bot.tables.state.snapshots import Caller, TableSnapshot
from bot.tables.state.table import Table
from bot.tables.timing import timekeeping


class AbsenceService:
    """Votes and claims about seats, and the deadlines of absent players."""

    def __init__(self, context: TableContext) -> None:
        self._context = context

    async def cast_vote(self, caller: Caller, table: int, choice: AbsenceChoice, *, asked_at: int) -> TableSnapshot:
        """Cast a ballot in the vote about an absent person's seat opened at `asked_at`.

        A later ballot replaces it. Refusals: not_seated, not_started, game_paused, game_finished, table_closed,
        no_vote, no_choice; stale_request if that vote is over.
        """
        return await self._context.change(
            table,
            TableRequest("vote", {"choice": choice.value}, caller=caller),
            lambda found: Decision(votes.cast_vote(found, caller, choice, asked_at=asked_at)),
        )

    async def confirm_return(self, caller: Caller, table: int) -> TableSnapshot:
        """End the vote about the caller's seat, because the caller is back.

        The caller gets the clock of a returning player. Allowed once in a turn, also while the table is paused.
        Refusals: not_seated, not_started, game_finished, table_closed, no_vote, returned_before.
        """
        now = self._context.clock.now()
        return await self._context.change(
            table,
            TableRequest("confirm_return", {}, caller=caller),
            lambda found: Decision(returning_players.confirm_return(found, caller, now=now)),
        )

    async def choose_game_end(self, caller: Caller, table: int, choice: EndChoice) -> TableSnapshot:
        """Choose how the game goes on after all opponents have been away for long.

        The game ends once all who are seated have chosen the same end. Refusals: not_seated, not_started, game_paused,
        game_finished, table_closed, no_end_choice.
        """
        return await self._context.change(
            table,
            TableRequest("pick_end", {"choice": choice.value}, caller=caller),
            lambda found: Decision(no_opponents.choose_game_end(found, caller, choice)),
        )

    async def keep_game(self, caller: Caller, table: int) -> TableSnapshot:
        """Keep open an idle game that is about to be closed.

        Also for a person whose seat a computer player keeps. Refusals: not_seated, not_started, game_paused,
        game_finished, table_closed; stale_request if the game is not about to be closed.
        """
        now = self._context.clock.now()
        return await self._context.change(
            table,
            TableRequest("keep_game", {}, caller=caller),
            lambda found: Decision(idle_games.keep_game(found, caller, now=now)),
        )

    async def is_present(self, table: int, person: int, *, at: int) -> bool:
        """Return whether the person will count as present at instant `at` if they do not act before it."""
        found = await self._context.repository.get(table)
        now = self._context.clock.now()
        return await timekeeping.is_present(self._context.time_lookup, found.record, person, at, now=now)

    async def answer_claim(
        self, caller: Caller, table: int, seat: int, *, agrees: bool, asked_at: int
    ) -> TableSnapshot:
        """Answer the claim to `seat` made at `asked_at`.

        If opponents were asked to object, `agrees=True` objects. Refusals: not_seated, not_started, game_paused,
        game_finished, table_closed, no_vote; stale_request if it is over.
        """
        request = TableRequest("answer_claim", {"seat": seat, "agrees": agrees}, caller=caller)
        return await self._context.change(
            table,
            request,
            lambda found: Decision(claims.answer_claim(found, caller, seat, agrees=agrees, asked_at=asked_at)),
        )

    async def handle_departure(self, table: int, person: int) -> TableSnapshot:
        """Handle a seated person leaving the guild: the other players vote about the seat.

        Without a majority a computer player plays after a day. Nothing happens if the person has no seat, if the vote
        is open already, or at a tournament's table, where the tournament decides.
        """
        now = self._context.clock.now()
        return await self._context.change(
            table,
            TableRequest("member_gone", {}),
            lambda found: Decision(votes.open_departure_vote(found.record, person, now=now)),
        )

    async def handle_return(self, table: int, person: int) -> TableSnapshot:
        """Handle a person returning to the guild: an undecided vote about their seat ends."""
        known = await self._context.repository.get(table)
        if not _withdraw_votes(known, person):
            return await self._context.snapshots.table_snapshot(known)
        return await self._context.change(
            table,
            TableRequest("member_back", {}),
            lambda found: Decision(_withdraw_votes(found, person)),
        )

    # --- deadlines ---------------------------------------------------------------------------------------------------

    @property
    def deadlines(self) -> Mapping[Deadline, DeadlineHandler]:
        """The handlers of this service's deadlines."""
        return {
            Deadline.CLOCK: self._check_clock,
            Deadline.LATEST_END: self._check_latest_end,
            Deadline.IDLE: self._check_idle_game,
            Deadline.VOTE: self._end_vote,
            Deadline.SEAT: self._end_claims,
            Deadline.SUBSTITUTE: self._end_substitute_search,
            Deadline.CHOICE: self._open_end_choice,
        }

    async def _check_clock(self, table: Table) -> Decision:
        """Handle the clock's alarm; if the seat's time is used up, apply the table's policy."""
        now = self._context.clock.now()
        events = await timekeeping.clock_alarm_events(table.record, self._context.time_lookup, now)
        over = next((one for one in events if isinstance(one, StageReached) and one.stage is Stage.LAPSED), None)
        if over is None:
            return Decision(events)
        after = apply_table_events(table.record, events)
        return await add_events_of_accepted_proposal(
            self._context, table, (*events, *lost_seats.apply_absence_policy(after, over.seat, now=now))
        )

    def _end_vote(self, table: Table) -> Decision:
        """End the open vote and carry out its result."""
        vote = table.record.absence.vote
        if vote is None:
            return Decision((DeadlineSet(Deadline.VOTE, None),))
        choice = votes.vote_outcome(table.record, vote)
        return Decision(votes.apply_vote(table.record, vote, choice, now=self._context.clock.now()))

    def _end_claims(self, table: Table) -> Decision:
        """End the open claims, counting silence as a no."""
        found = table.record.absence.claims
        oldest = min((one.at for one in found), default=0)
        ended = (ClaimEnded(one.seat, granted=False) for one in found if one.at == oldest)
        return Decision((*ended, DeadlineSet(Deadline.SEAT, None)))

    def _end_substitute_search(self, table: Table) -> Decision:
        """End the longest-running searches for substitutes."""
        found = table.record.sought
        oldest = min((one.at for one in found), default=0)
        ended = (SubstituteSearchEnded(one.seat) for one in found if one.at == oldest)
        return Decision((*ended, DeadlineSet(Deadline.SUBSTITUTE, None)))

    def _check_latest_end(self, table: Table) -> Decision:
        """Warn of the game's latest end, or apply it."""
        time_lookup, now = self._context.time_lookup, self._context.clock.now()
        return Decision(latest_end.warn_or_apply_latest_end(table.record, time_lookup.away_spans(), now=now))

    async def _check_idle_game(self, table: Table) -> Decision:
        """Warn of the end of an idle game, or close it."""
        touched_at = await self._context.store.tables.last_change_by_person(table.id) or table.record.created_at
        away, now = self._context.time_lookup.away_spans(), self._context.clock.now()
        return Decision(idle_games.warn_or_close_idle_game(table.record, away, touched_at=touched_at, now=now))

    def _open_end_choice(self, table: Table) -> Decision:
        """Let players whose opponents have all left choose how the game goes on."""
        return Decision(no_opponents.open_end_choice(table.record, now=self._context.clock.now()))


def _withdraw_votes(table: Table, person: int) -> tuple[AnyEvent, ...]:
    """Return the end of open and waiting votes held because that person has left the guild."""
    absence = table.record.absence
    waiting = (
        VoteWithdrawn(one.seat) for one in absence.waiting if (one.person, one.why) == (person, AbsenceReason.GONE)
    )
    vote = absence.vote
    held = vote is not None and (vote.person, vote.why) == (person, AbsenceReason.GONE)
    return (*waiting, *((VoteDecided(None), DeadlineSet(Deadline.VOTE, None)) if held else ()))
