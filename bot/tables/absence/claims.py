"""Claims to seats held by computer players, and the consent of other players to them. Pure.

Source: `docs/long-games.md`, 4. During a deal all seated people must agree, between deals a majority. All must always
agree if the person is too new to the guild or to Discord, or had left on purpose. Silence is a no. If a person returns
for the second time, the opponents can prevent it, but only if all of them object.
"""

from __future__ import annotations

from typing import Final

from bot.clocks.time_rules import DAY
from bot.engine.moves.phases import Phase
from bot.tables.seating import seats
from bot.tables.state import absence
from bot.tables.state.absence import Claim, ClaimAnswered, ClaimKind, SeatClaimed
from bot.tables.state.events import AnyEvent, SeatChanged
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.snapshots import Caller, SeatHolder
from bot.tables.state.table import Table, TableState

OPEN_FOR: Final = DAY
MEMBER_FOR: Final = 7 * DAY
ACCOUNT_FOR: Final = 30 * DAY
DISCORD_BEGAN: Final = 1_420_070_400_000
"""The instant from which Discord counts the milliseconds in its ids."""

FROM_SECOND: Final = 2
"""Number of times a seat must have run out of time before opponents may object to a return."""


def is_too_new_to_claim_seat(caller: Caller, *, joined_at: int | None, now: int) -> bool:
    """Return whether the person is so new to the guild or Discord that all players must agree."""
    born = (caller.person >> 22) + DISCORD_BEGAN
    return joined_at is None or now - joined_at < MEMBER_FOR or now - born < ACCOUNT_FOR


def claim_seat(
    table: Table, caller: Caller, seat: int, *, is_newcomer: bool, now: int, next_deal_at: int
) -> tuple[AnyEvent, ...]:
    """Ask the seated people for a computer player's seat.

    If nobody is seated, a person who is not too new gets the seat at once; a newcomer is refused.
    """
    seats.require_unpaused_game(table)
    seats.require_existing_seat(table, seat)
    record = table.record
    held = record.seat_of(caller.person)
    if held is not None:
        raise TableRefusal(TableCode.ALREADY_SEATED, {"table": table.id, "seat": held})
    if record.seats[seat].kind != "computer":
        raise TableRefusal(TableCode.SEAT_TAKEN, {"seat": seat})
    if record.seat_kept_for(caller.person) is not None:
        raise TableRefusal(TableCode.SEAT_IS_KEPT, {"table": table.id})
    if has_given_up_hand(record, caller.person):
        raise TableRefusal(TableCode.HAD_A_HAND, {"table": table.id})
    if not record.persons and not is_newcomer:
        holder = seats.holder_of_caller(caller)
        return (SeatChanged(seat, holder), *seats.resume_if_suspended(record, caller.person, next_deal_at=next_deal_at))
    if not record.persons:
        raise TableRefusal(TableCode.TOO_NEW, {"member": MEMBER_FOR // DAY, "account": ACCOUNT_FOR // DAY})
    return _open_claim(table, Claim(ClaimKind.TAKE, seat, seats.holder_of_caller(caller), now, is_newcomer))


def ask_for_own_seat(table: Table, caller: Caller, seat: int, *, now: int) -> tuple[AnyEvent, ...]:
    """Ask the other players for the seat that the caller has left on purpose."""
    seats.require_unpaused_game(table)
    return _open_claim(table, Claim(ClaimKind.RETURN, seat, seats.holder_of_caller(caller), now))


def _open_claim(table: Table, claim: Claim) -> tuple[AnyEvent, ...]:
    """Return the event that opens the claim. Refusal: seat_claimed."""
    if table.record.absence.claim(claim.seat) is not None:
        raise TableRefusal(TableCode.SEAT_CLAIMED, {"seat": claim.seat})
    return (SeatClaimed(claim),)


def answer_claim(table: Table, caller: Caller, seat: int, *, agrees: bool, asked_at: int) -> tuple[AnyEvent, ...]:
    """Record the caller's answer to the claim to `seat` that was made at `asked_at`."""
    seats.require_unpaused_game(table)
    own = seats.require_seat(table, caller.person)
    one = table.record.absence.claim(seat)
    if one is None or one.at != asked_at:
        detail = {"table": table.id, "expected": table.version, "version": table.version}
        raise TableRefusal(TableCode.STALE_REQUEST, detail)
    if own not in answering_seats(table.record, one):
        raise TableRefusal(TableCode.NO_VOTE, {"table": table.id})
    return (ClaimAnswered(seat, own, agrees),)


def must_ask_to_return(record: TableState, seat: int) -> bool:
    """Return whether a person must ask for their former seat: they left on purpose, and others play."""
    return seat in record.absence.left and bool(record.persons)


def ask_for_objection(record: TableState, seat: int, holder: SeatHolder, *, now: int) -> tuple[AnyEvent, ...]:
    """Return the event that asks the opponents whether they object to a player's return.

    No events for the player's first return, at a fast table, or if no opponent could object.
    """
    one = Claim(ClaimKind.OBJECT, seat, holder, now)
    often = record.absence.kept.count(seat) >= FROM_SECOND
    return (SeatClaimed(one),) if often and record.settings.is_slow and answering_seats(record, one) else ()


def answering_seats(record: TableState, claim: Claim) -> tuple[int, ...]:
    """Return the seats of the persons who must answer the claim."""
    return absence.answering_seats(record.seats, record.rules, claim)


def is_claim_void(record: TableState, claim: Claim) -> bool:
    """Return whether the claim is void: the seat has changed, or the claimant has another one."""
    holder, person = record.seats[claim.seat], claim.holder.person
    if claim.kind is ClaimKind.OBJECT:
        return holder.person != person
    kept_for_other = claim.kind is ClaimKind.RETURN and holder.kept_for != person
    return holder.kind != "computer" or kept_for_other or (person is not None and record.seat_of(person) is not None)


def claim_result(record: TableState, claim: Claim) -> bool | None:
    """Return whether the claim is granted; None while it is open."""
    able = answering_seats(record, claim)
    said = [claim.answer_of(seat) for seat in able]
    if not able:
        return False
    between = (
        claim.kind is ClaimKind.TAKE
        and not claim.unknown
        and record.game is not None
        and record.game.phase is Phase.BETWEEN
    )
    if between:
        if 2 * said.count(True) > len(able):
            return True
        return False if 2 * said.count(False) >= len(able) else None
    if False in said:
        return False
    return True if all(said) else None


def has_given_up_hand(record: TableState, person: int) -> bool:
    """Return whether the person gave up a hand of the deal in play, and so has seen its cards."""
    game = record.game
    return game is not None and game.phase is not Phase.BETWEEN and person in record.absence.seen
