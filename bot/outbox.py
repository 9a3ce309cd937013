"""The outbox: carries out promised effects, which changes store with their data, each at least once.

A promised effect is, for example, a message to delete or a game to rate. What it does follows from the data stored when
it is carried out, so carrying it out twice does no harm. Effects of one kind are carried out one after another, the
oldest first, if they have the same person or, without a person, the same server (`docs/decisions/0036-outbox.md`).
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeAlias

from bot.clocks.clock import HOUR, MINUTE, SECOND, Clock
from bot.logs import label_log_lines, record_failure
from bot.metrics import METRICS
from bot.store import errors
from bot.store.errors import FATAL_ERRORS
from bot.store.outbox import FAULT, LETTER, OutboxRow, OutboxStore

AT_ONCE: Final = 4
"""Maximum of promises of one kind that are processed at the same time."""

FIRST_WAIT: Final = 5 * SECOND
LONGEST_WAIT: Final = 5 * MINUTE
"""The wait after a `TemporaryFailure` doubles with each attempt, from the first of these up to the second."""

REFUSED_WAIT: Final = HOUR
"""The wait after any other failure, in milliseconds."""

logger = logging.getLogger("canasta.outbox")

DatabaseAway: TypeAlias = errors.DatabaseAway
"""The database cannot be reached; the name for modules that may not import the store."""

Promised: TypeAlias = OutboxRow
"""A stored promise; the name for modules that may not import the store."""

Lane: TypeAlias = tuple[str, bool, int | None]
"""Key of promises that are processed in sequence: kind, whether for a person, and the id of person or server."""


class TemporaryFailure(Exception):
    """Raised by a handler for a temporary obstacle, such as a lost connection."""


class PromiseMustWait(TemporaryFailure):
    """Raised by a handler that must wait for another event; it is no failure, so it is not logged."""


class EffectRefused(Exception):
    """Raised by a handler if Discord refuses the effect at present."""


class CannotKeepPromise(Exception):
    """Raised by a handler if the promised effect can never be carried out, and is to be deleted."""


@dataclass(frozen=True, slots=True)
class PromiseKind:
    """The handler of one kind of promised effects, and its terms.

    `keep` carries an effect out. An effect older than `lifetime` (milliseconds, None: for ever) is given up, and
    `give_up` is awaited with it. If it needs Discord (`online`), it waits for `Outbox.go_online`.
    """

    keep: Callable[[OutboxRow], Awaitable[None]]
    lifetime: int | None = None
    online: bool = False
    give_up: Callable[[OutboxRow], Awaitable[None]] | None = None


async def _raise_unknown_kind(row: OutboxRow) -> None:
    """Raise `LookupError`, because no handler is registered for the kind of this promised effect."""
    raise LookupError(row.kind)


_UNKNOWN: Final = PromiseKind(_raise_unknown_kind)


class Outbox:
    """Carries out the stored promised effects of all kinds; one instance per process."""

    def __init__(
        self,
        store: OutboxStore,
        clock: Clock,
        *,
        longest_sleep: int = REFUSED_WAIT,
        may_act: Callable[[], bool] = lambda: True,
    ) -> None:
        """Take effects from `store`, as long as `may_act` returns true.

        Every `longest_sleep` milliseconds the outbox looks for effects that other processes have stored.
        """
        self._store = store
        self._longest_sleep = longest_sleep
        self._may_act = may_act
        self._clock = clock
        self._kinds: dict[str, PromiseKind] = {}
        self._lanes: dict[Lane, asyncio.Task[None]] = {}
        self._is_online = False
        self._beginning = asyncio.Lock()
        self._poked = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def register(self, name: str, kind: PromiseKind) -> None:
        """Register the handler for promised effects of the kind `name`."""
        self._kinds[name] = kind

    def wake(self) -> None:
        """Look for promised effects now; call this after a change that has stored one."""
        self._poked.set()

    def go_online(self) -> None:
        """Begin to carry out effects that need Discord, too."""
        self._is_online = True
        self.wake()

    def start(self) -> asyncio.Task[None]:
        """Start and return the task of the outbox; if it ever ends, the program must end too."""
        self._store.on_promise(self.wake)
        self._task = asyncio.create_task(self._run(), name="outbox")
        return self._task

    async def stop(self) -> None:
        """Stop the outbox; interrupted effects are carried out again at the next start."""
        tasks = [*self._lanes.values(), *(() if self._task is None else (self._task,))]
        self._task = None
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def carry_out_due_effects(self) -> None:
        """Carry out all due effects, and return when none is left."""
        while await self._start_due_promises() or self._lanes:
            await asyncio.gather(*self._lanes.values())

    async def _run(self) -> None:
        """Carry out due effects for ever, sleeping in between."""
        try:
            while True:
                self._poked.clear()
                await self._start_due_or_pause()
                await self._sleep()
        except FATAL_ERRORS as error:
            logger.critical("the outbox stands still: %s", type(error).__name__)

    async def _start_due_or_pause(self) -> None:
        """Start due effects; sleep a little after an unexpected error."""
        try:
            await self._start_due_promises()
        except FATAL_ERRORS:
            raise
        except Exception as error:  # noqa: BLE001 - other promises must go on
            record_failure(logger, "a look for promises", error)
            await self._clock.sleep(FIRST_WAIT)

    async def _sleep(self) -> None:
        """Sleep until the next effect is due or a new one is stored."""
        now = self._clock.now()
        try:
            due = await self._store.next_due_at(now)
        except DatabaseAway:
            due = now + FIRST_WAIT
        longest = min(REFUSED_WAIT if due is None else due - now, self._longest_sleep)
        waits = [
            asyncio.ensure_future(self._clock.sleep(longest)),
            asyncio.ensure_future(self._poked.wait()),
        ]
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()

    async def _start_due_promises(self) -> int:
        """Start the due effects that need not wait for another one, and return the number started.

        Effects of the same lane (`_lane_of`) wait for each other.
        """
        begun = 0
        if not self._may_act():
            return 0
        async with self._beginning:
            busy = set(self._lanes)
            for row in await self._store.due_promises(self._clock.now()):
                lane, kind = _lane_of(row), self._kinds.get(row.kind, _UNKNOWN)
                if kind.online and not self._is_online:
                    continue
                running = Counter(kind for kind, *_ in self._lanes)
                if lane in busy or running[row.kind] >= AT_ONCE:
                    continue  # when an effect is done, the outbox looks for due ones again
                task = asyncio.create_task(self._keep_promise(row), name=f"keeping a promise: {row.kind}")
                self._lanes[lane] = task
                task.add_done_callback(partial(self._free_lane, lane))
                begun += 1
        return begun

    def _free_lane(self, lane: Lane, task: asyncio.Task[None]) -> None:
        """Free the lane of a task that has ended, and look for due effects again.

        Effects of the same lane are carried out one after another.
        """
        del self._lanes[lane]
        self._poked.set()
        if not task.cancelled():
            task.exception()  # asyncio need not log the error: only a failed store raises here, and it has logged it

    async def _keep_promise(self, row: OutboxRow) -> None:
        """Carry out the effect of a row, then delete the row, or postpone it after an error."""
        kind = self._kinds.get(row.kind, _UNKNOWN)
        try:
            with label_log_lines(**_log_fields_of_place(row)):
                await kind.keep(row)
        except FATAL_ERRORS:
            return  # the program ends; the next start carries the effect out
        except Exception as error:  # noqa: BLE001 - a promise that cannot be kept never keeps others from theirs
            await self._postpone(row, error, kind)
        else:
            await self._store.delete_promise(row)

    async def _postpone(self, row: OutboxRow, error: Exception, kind: PromiseKind) -> None:
        """Postpone an effect that failed, or give it up if it is too old or can never be carried out.

        The failure is logged once, without the error's text.
        """
        now, told = self._clock.now(), (row.kind, _key_for_log(row), type(error).__name__)
        too_old = kind.lifetime is not None and now >= row.made_at + kind.lifetime
        if too_old or isinstance(error, CannotKeepPromise):
            logger.warning("%s %s is given up: %s", *told, extra=_log_fields_of_place(row))
            METRICS.count("given_up_total", kind=row.kind)
            if kind.give_up is not None:
                await kind.give_up(row)
            await self._store.delete_promise(row)
            return
        passing, expected = isinstance(error, TemporaryFailure), isinstance(error, TemporaryFailure | EffectRefused)
        if row.tries == 0 and not isinstance(error, PromiseMustWait):
            level = logging.WARNING if expected else logging.ERROR
            logger.log(level, "%s %s failed and is tried again: %s", *told, extra=_log_fields_of_place(row))
        wait = min(FIRST_WAIT * 2 ** min(row.tries, 10), LONGEST_WAIT) if passing else REFUSED_WAIT
        await self._store.postpone(row, now + wait)


def _log_fields_of_place(row: OutboxRow) -> dict[str, int]:
    """Return the log fields of a promised effect: its table or tournament, from its key or arguments."""
    kind, number = row.key[:1], row.key[1:].partition(":")[0]
    names = {"b": "table", "t": "tournament"}
    if kind in names and number.isdecimal():
        return {names[kind]: int(number)}
    number = row.key.partition(":")[0]
    if row.kind in (LETTER, FAULT) and number.isdecimal():
        return {"tournament": int(number)}
    try:
        args = json.loads(row.args)
        return {name: args[name] for name in names.values() if isinstance(args.get(name), int)}
    except (ValueError, AttributeError):
        return {}


def _lane_of(row: OutboxRow) -> Lane:
    """Return the lane of a promised effect; effects of one lane are carried out one after another."""
    return row.kind, row.person is not None, row.guild if row.person is None else row.person


def _key_for_log(row: OutboxRow) -> str:
    """Return the key of a promised effect as it may be logged, with the person's id masked."""
    return row.key if row.person is None else row.key.replace(str(row.person), "…")
