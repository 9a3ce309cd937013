"""The part of the table service about absent persons, and about games that nobody touches."""

from __future__ import annotations

from bot.clocks.law import DAY
from bot.tables.absence import claims, rules
from bot.tables.play.service import PlayService
from bot.tables.seating import seats
from bot.tables.state.absence import (
    AbsenceChoice,
    AbsenceReason,
    ClaimEnded,
    SubstituteSearchEnded,
    Voted,
    VoteDecided,
    VoteOpened,
    VoteWithdrawn,
    choices,
    voters,
)
from bot.tables.state.events import AnyEvent, Deadline, DeadlineSet
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.requests import Decision, TableRequest
from bot.tables.state.snapshots import Caller, Status, TableSnapshot
from bot.tables.state.table import Table

BATCH = 50
"""So many games begun before clocks came are looked after at a time."""


class AbsenceService(PlayService):
    """What those who are there decide, and what the clock does about those who are not."""

    async def vote(self, caller: Caller, table: int, choice: AbsenceChoice, *, asked_at: int) -> TableSnapshot:
        """Vote about an absent person's seat, in the vote that was opened at that instant; the last word counts.

        Refusals: not_seated, not_started, game_finished, table_closed, no_vote, no_choice; stale_request where that
        vote is over.
        """
        self._admit(caller)

        async def decide(found: Table) -> Decision:
            seats.require_playing(found)
            seat = seats.require_seat(found, caller.person)
            vote = found.record.absence.vote
            if vote is None or vote.at != asked_at:
                detail = {"table": table, "expected": found.version, "version": found.version}
                raise TableRefusal(TableCode.STALE_REQUEST, detail)
            if seat not in voters(found.record.seats, vote):
                raise TableRefusal(TableCode.NO_VOTE, {"table": table})
            if choice not in choices(found.record.seats, found.record.rules, found.record.absence, vote):
                raise TableRefusal(TableCode.NO_CHOICE, {"table": table})
            return Decision((Voted(seat, choice),))

        return await self._ask(table, TableRequest("vote", {"choice": choice.value}, caller=caller), decide)

    async def answer_claim(
        self, caller: Caller, table: int, seat: int, *, agrees: bool, asked_at: int
    ) -> TableSnapshot:
        """Answer the claim to a seat that was made at that instant; to an objection, `agrees` objects.

        Refusals: not_seated, not_started, game_finished, table_closed, no_vote; stale_request where it is over.
        """
        self._admit(caller)

        async def decide(found: Table) -> Decision:
            return Decision(claims.answer(found, caller, seat, agrees=agrees, asked_at=asked_at))

        asked = TableRequest("answer_claim", {"seat": seat, "agrees": agrees}, caller=caller)
        return await self._ask(table, asked, decide)

    async def member_gone(self, table: int, person: int) -> TableSnapshot:
        """A seated person has left the server: the others decide, and otherwise a computer player plays after a day.

        Nothing happens where the person has no seat, or that is known, or the game is a tournament's, which decides
        itself.
        """

        async def decide(found: Table) -> Decision:
            record, now = found.record, self._ledger.clock.now()
            seat = record.seat_of(person)
            if record.status is not Status.PLAYING or seat is None or record.contest is not None:
                return Decision(())
            known = any(
                one is not None and (one.seat, one.why) == (seat, AbsenceReason.GONE)
                for one in (record.absence.vote, *record.absence.waiting)
            )
            return Decision(() if known else (VoteOpened(seat, AbsenceReason.GONE, now),))

        return await self._ask(table, TableRequest("member_gone", {}), decide)

    async def member_back(self, table: int, person: int) -> TableSnapshot:
        """Somebody who had left the server is there again: while the others still decide, nothing is left to decide."""

        async def decide(found: Table) -> Decision:
            return Decision(_withdraw_votes(found, person))

        known = await self._ledger.table(table)
        if not _withdraw_votes(known, person):
            return await self._shown.table(known)
        return await self._ask(table, TableRequest("member_back", {}), decide)

    # --- deadlines ---------------------------------------------------------------------------------------------------

    async def _vote_over(self, table: Table) -> Decision:
        vote = table.record.absence.vote
        if vote is None:
            return Decision((DeadlineSet(Deadline.VOTE, None),))
        if table.record.place_lost is not None:  # nobody can see it
            return Decision((DeadlineSet(Deadline.VOTE, self._ledger.clock.now() + DAY),))
        choice = rules.outcome(table.record, vote)
        return Decision(rules.apply_vote(table.record, vote, choice, now=self._ledger.clock.now()))

    async def _claims_over(self, table: Table) -> Decision:
        """Silence is a no."""
        found = table.record.absence.claims
        oldest = min((one.at for one in found), default=0)
        ended = (ClaimEnded(one.seat, granted=False) for one in found if one.at == oldest)
        return Decision((*ended, DeadlineSet(Deadline.SEAT, None)))

    async def _search_over(self, table: Table) -> Decision:
        found = table.record.sought
        oldest = min((one.at for one in found), default=0)
        ended = (SubstituteSearchEnded(one.seat) for one in found if one.at == oldest)
        return Decision((*ended, DeadlineSet(Deadline.SUBSTITUTE, None)))

    async def _latest_end_rang(self, table: Table) -> Decision:
        keeper, now = self._ledger.keeper, self._ledger.clock.now()
        return Decision(rules.end_time_due(table.record, keeper.away(), now=now))

    async def _idle_rang(self, table: Table) -> Decision:
        touched_at = await self._ledger.store.tables.touched_at(table.id) or table.record.created_at
        return Decision(rules.idle_due(table.record, touched_at=touched_at, now=self._ledger.clock.now()))


def _withdraw_votes(table: Table, person: int) -> tuple[AnyEvent, ...]:
    """The end of the votes that are held, or wait, because that person has left the server."""
    absence = table.record.absence
    waiting = (
        VoteWithdrawn(one.seat) for one in absence.waiting if (one.person, one.why) == (person, AbsenceReason.GONE)
    )
    vote = absence.vote
    held = vote is not None and (vote.person, vote.why) == (person, AbsenceReason.GONE)
    return (*waiting, *((VoteDecided(None), DeadlineSet(Deadline.VOTE, None)) if held else ()))
