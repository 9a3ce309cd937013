"""What a change of a table is to the store: the log row, the snapshot, timers, persons, results."""

from __future__ import annotations

from collections.abc import Iterable

from bot.clocks.law import Stage
from bot.store.contests import ContestKey
from bot.store.tables import Change, NewTable, TimerChange
from bot.tables import table_codec
from bot.tables.asked import Decision, TableLocation, TableRequest
from bot.tables.events import AnyEvent, SeedRevealed, StageReached
from bot.tables.holders import TablePersons
from bot.tables.record import Table, TableState
from bot.tables.results import ended_now, results_of


def change_of(
    table: Table, asked: TableRequest, after: TableState, plan: Decision, *, holders: TablePersons, now: int
) -> Change:
    """A change of a table at that instant; its persons of whom `holders` knew nothing are noted there."""
    caller, before = asked.caller, table.record
    payload, snapshot = _texts(asked, plan.events, after, holders)
    return Change(
        table=table.id,
        expected_version=table.version,
        request=caller.request if caller else None,
        person=caller.person if caller else None,
        seat=seat_of(asked, before, after),
        kind=asked.kind,
        payload=payload,
        status=after.status,
        snapshot=snapshot,
        at=now,
        timers=timer_changes(before, after),
        seated=after.persons if after.persons != before.persons else None,
        secrets=plan.secrets,
        revealed=tuple(event.deal for event in plan.events if isinstance(event, SeedRevealed)),
        computer_to_act=_waits_for_computer(after),
        holders=holders.new,
        lapsed=_lapsed(before, plan.events),
        audit=plan.audit,
        unsealed=before.sealed and not after.sealed,
        results=results_of(table.id, after, at=now) if ended_now(before, after) else (),
        rated=after.settings.rated and ended_now(before, after),
    )


def _lapsed(before: TableState, events: Iterable[AnyEvent]) -> tuple[int, ...]:
    """The persons whose time these events find used up."""
    seats = (one.seat for one in events if isinstance(one, StageReached) and one.stage is Stage.LAPSED)
    persons = (before.seats[seat].person for seat in seats)
    return tuple(person for person in persons if person is not None)


def _waits_for_computer(record: TableState) -> bool:
    """Whether a computer player is to act; a game that stands still waits for nobody."""
    return record.pause is None and record.actor is not None and record.seats[record.actor].kind == "computer"


def new_table_of(
    place: TableLocation, asked: TableRequest, events: tuple[AnyEvent, ...], record: TableState
) -> NewTable:
    """A table that a person opens, or a tournament, whose tables have a place in it."""
    caller, contest = asked.caller, record.contest
    holders = TablePersons()
    payload, snapshot = _texts(asked, events, record, holders)
    return NewTable(
        guild=place.guild,
        channel=place.channel,
        thread=place.thread,
        request=None if caller is None else caller.request,
        person=record.host if caller is None else caller.person,
        kind=asked.kind,
        payload=payload,
        status=record.status,
        snapshot=snapshot,
        at=record.created_at,
        timers=timer_changes(None, record),
        seated=record.persons,
        holders=holders.new,
        contest=None if contest is None else ContestKey(contest.tournament, contest.match, contest.number),
        sealed=record.sealed,
    )


def _texts(
    asked: TableRequest, events: Iterable[AnyEvent], after: TableState, holders: TablePersons
) -> tuple[str, str]:
    """The log row and the snapshot; whoever asks is among the table's holders from then on."""
    texts = table_codec.write_payload(asked.action, events, holders), table_codec.write_record(after, holders)
    if asked.caller is not None:
        holders.number(asked.caller.person)
    return texts


def seat_of(asked: TableRequest, before: TableState | None, after: TableState) -> int | None:
    """The seat that acts: the one the caller had, or else has now."""
    if asked.caller is None:
        return asked.seat
    held = None if before is None else before.seat_of(asked.caller.person)
    return after.seat_of(asked.caller.person) if held is None else held


def timer_changes(before: TableState | None, after: TableState) -> tuple[TimerChange, ...]:
    """What the record's deadlines change in the store's timers."""
    old = {} if before is None else before.deadlines
    new = after.deadlines
    return tuple(TimerChange(kind, new.get(kind)) for kind in {**old, **new} if old.get(kind) != new.get(kind))
