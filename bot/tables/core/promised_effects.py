"""Effects of a table's change that the outbox carries out after the change is stored (`bot.outbox`)."""

from __future__ import annotations

from bot.store.outbox import ARCHIVE, MEMBER, RATE, Promise
from bot.tables.state.results import has_just_ended
from bot.tables.state.snapshots import OPEN
from bot.tables.state.table import Table, TableState


def promises_after_change(table: Table, after: TableState) -> tuple[Promise, ...]:
    """Return the effects that the outbox must carry out after a table's change.

    They are to rate a game, to add people to a private thread, and to archive a thread.
    """
    before = table.record
    found: list[Promise] = []
    if after.settings.rated and has_just_ended(before, after):
        found.append(Promise(kind=RATE, key=f"b{table.id}", guild=table.guild))
    seated = set(before.persons)
    newcomers = tuple(person for person in after.persons if person not in seated)
    found += thread_member_promises(table.id, table.guild, table.thread, after, newcomers)
    if table.thread is not None and before.status in OPEN and after.status not in OPEN:
        about = {"table": table.id}
        found.append(Promise(kind=ARCHIVE, key=str(table.thread), guild=table.guild, args=about))
    return tuple(found)


def thread_member_promises(
    table: int, guild: int, thread: int | None, record: TableState, persons: tuple[int, ...]
) -> tuple[Promise, ...]:
    """Return the outbox entries by which these persons are added to the table's private thread.

    Empty if the thread is not private, or at a tournament's table.
    """
    if thread is None or not record.settings.private_thread or record.contest is not None:
        return ()
    return tuple(
        Promise(kind=MEMBER, key=f"{thread}:{person}", guild=guild, person=person, args={"table": table})
        for person in persons
    )
