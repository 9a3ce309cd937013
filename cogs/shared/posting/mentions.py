"""Whom the message of a table calls to play, and who has been called in a turn before.

Who was called is noted with the message as ``<deal>.<turn>:<person>,<person>``, so that a restart calls nobody twice.

Calling: whether the message that shows a table may call a person, and who is told that it did.

Members: who has left a server. Discord tells nobody of it here, so it is looked up when it matters.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Final, NamedTuple, Protocol

import discord

from bot.clocks.clock import HOUR, Clock
from bot.tables.state.absence import AbsenceReason
from bot.tables.state.snapshots import Status, TableSnapshot
from cogs.shared.door.calls import Failed, Trouble, attempt


class Calls(Protocol):
    """What knows how persons wish to be called; see `cogs.shared.notices.notifier`."""

    async def may_call(self, look: TableSnapshot, person: int) -> bool:
        """Whether the table's message is to call the person, whose turn has come."""

    async def called(self, look: TableSnapshot, person: int) -> None:
        """The table's message has called the person."""

    def shown(self, table: int) -> None:
        """The table's message shows the table as it is."""

    def lost(self, table: int) -> None:
        """The table's channel is gone."""

    def moved(self, table: int) -> None:
        """The table's thread is gone, and the table in its channel."""


HOLDS_FOR: Final = HOUR
"""How long nobody is looked up again who was in the server. Milliseconds."""

REMEMBERED: Final = 10_000


class Servers(Protocol):
    """What is needed of a Discord client."""

    def get_guild(self, id: int, /) -> discord.Guild | None: ...  # noqa: A002


class Members:
    """One for the whole process."""

    def __init__(self, servers: Servers, clock: Clock) -> None:
        self._servers = servers
        self._clock = clock
        self._there: OrderedDict[tuple[int, int], int] = OrderedDict()

    def seen(self, guild: int, person: int) -> None:
        """Somebody has done something in a server."""
        self._there[guild, person] = self._clock.now()
        self._there.move_to_end((guild, person))
        if len(self._there) > REMEMBERED:
            self._there.popitem(last=False)

    async def is_gone(self, guild: int, person: int) -> bool:
        """Whether the person is no member of that server (any more); False where that cannot be told."""
        seen = self._there.get((guild, person))
        if seen is not None and self._clock.now() - seen < HOLDS_FOR:
            return False
        server = self._servers.get_guild(guild)
        if server is None:
            return False
        member = await attempt(server.fetch_member(person), "looking a member up")
        if not isinstance(member, Failed):
            self.seen(guild, person)
        return isinstance(member, Failed) and member.trouble is Trouble.MEMBER_GONE


def known_gone(look: TableSnapshot) -> tuple[int, ...]:
    """Persons of whom the table knows that they have left the server."""
    votes = (look.absence.vote, *look.absence.waiting)
    return tuple(one.person for one in votes if one is not None and one.why is AbsenceReason.GONE)


def to_look_up(look: TableSnapshot, calls: int | None) -> tuple[int, ...]:
    """Whom it matters of now: who is to be called, and whose time is used up."""
    vote = look.vote
    lapsed = vote.person if vote is not None and vote.why is AbsenceReason.LAPSED else None
    return tuple(one for one in (calls, lapsed) if one is not None and one not in known_gone(look))


class TurnKey(NamedTuple):
    """A turn's own name within its table."""

    deal: int
    turn: int


def turn_of(look: TableSnapshot) -> TurnKey | None:
    """The turn that is being played."""
    if look.view is None or look.status is not Status.PLAYING:
        return None
    return TurnKey(look.view.deal, look.view.turns)


def newcomer(look: TableSnapshot, told: str) -> int | None:
    """The person whose turn has come and whom the message has not shown to be in turn."""
    turn, actor = turn_of(look), look.actor
    if turn is None or actor is None or actor.person is None:
        return None
    told_turn, persons = _read(told)
    return None if told_turn == turn and actor.person in persons else actor.person


def called(look: TableSnapshot, told: str) -> int | None:
    """The newcomer, unless that person plays alone against computer players or has just acted."""
    person = newcomer(look, told)
    if person is None or plays_alone(look) or person in known_gone(look):
        return None
    seats = (one.seat for one in reversed(look.recent))
    acted = (seat for seat in seats if seat is not None and look.seats[seat].person is not None)
    last = next(acted, None)
    return None if last is not None and look.seats[last].person == person else person


def plays_alone(look: TableSnapshot) -> bool:
    """Whether one person plays, against computer players."""
    return len(look.persons) < 2


def noted(look: TableSnapshot, told: str) -> str:
    """What is to be noted once the message shows the table so."""
    person, turn = newcomer(look, told), turn_of(look)
    if person is None or turn is None:
        return told
    told_turn, persons = _read(told)
    everybody = (*persons, person) if told_turn == turn else (person,)
    return f"{turn.deal}.{turn.turn}:{','.join(map(str, everybody))}"


def changed_hands(look: TableSnapshot, told: str) -> bool:
    """Whether the turn is another person's, or no deal is being played."""
    return look.actor is None or newcomer(look, told) is not None


def _read(told: str) -> tuple[TurnKey | None, tuple[int, ...]]:
    turn, _, persons = told.partition(":")
    deal, _, number = turn.partition(".")
    if not (deal.isdecimal() and number.isdecimal()):
        return None, ()
    return TurnKey(int(deal), int(number)), tuple(int(one) for one in persons.split(",") if one.isdecimal())
