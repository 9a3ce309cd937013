"""Decide whom a table's message mentions, and record it. Also: who has left a server.

Mentioned persons are stored with the message as ``<deal>.<turn>:<person>,<person>``, so a restart mentions nobody
twice. Discord does not report departures here, so membership is looked up when it matters.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Final, NamedTuple, Protocol

import discord

from bot.clocks.clock import HOUR, Clock
from bot.tables.state.absence import AbsenceReason, has_one_player
from bot.tables.state.snapshots import Status, TableSnapshot
from cogs.shared.discord_api.discord_calls import CallTrouble, FailedCall, attempt_call


class MentionPolicy(Protocol):
    """Decides about mentions and is informed of them; see `cogs.shared.notices.notifier`."""

    async def may_mention(self, snapshot: TableSnapshot, person: int) -> bool:
        """Return whether the table's message may mention the person whose turn began."""

    async def record_mention(self, snapshot: TableSnapshot, person: int) -> None:
        """Called after the table's message has mentioned the person."""

    def record_board_shown(self, table: int) -> None:
        """Called when the table's message is up to date."""

    def record_channel_loss(self, table: int) -> None:
        """Called when the table's channel was deleted."""

    def record_move_to_channel(self, table: int) -> None:
        """Called when the table's thread was deleted and the table moved to its channel."""


MEMBER_CACHE_TIME: Final = HOUR
"""How long a found member is not looked up again, in milliseconds."""

REMEMBERED: Final = 10_000


class GuildFinder(Protocol):
    """The methods this module needs of a Discord client."""

    def get_guild(self, id: int, /) -> discord.Guild | None: ...  # noqa: A002


class Members:
    """Server membership with a cache; one for the whole process."""

    def __init__(self, servers: GuildFinder, clock: Clock) -> None:
        self._servers = servers
        self._clock = clock
        self._there: OrderedDict[tuple[int, int], int] = OrderedDict()

    def record_activity(self, guild: int, person: int) -> None:
        """Record that a person was active in a server."""
        self._there[guild, person] = self._clock.now()
        self._there.move_to_end((guild, person))
        if len(self._there) > REMEMBERED:
            self._there.popitem(last=False)

    async def has_left_server(self, guild: int, person: int) -> bool:
        """Return whether the person has left the server; False if that is unknown."""
        seen = self._there.get((guild, person))
        if seen is not None and self._clock.now() - seen < MEMBER_CACHE_TIME:
            return False
        server = self._servers.get_guild(guild)
        if server is None:
            return False
        member = await attempt_call(server.fetch_member(person), "looking a member up")
        if not isinstance(member, FailedCall):
            self.record_activity(guild, person)
        return isinstance(member, FailedCall) and member.trouble is CallTrouble.MEMBER_GONE


def persons_known_to_have_left(snapshot: TableSnapshot) -> tuple[int, ...]:
    """Return the seated persons whom the table has recorded as having left the server."""
    votes = (snapshot.absence.vote, *snapshot.absence.waiting)
    return tuple(one.person for one in votes if one is not None and one.why is AbsenceReason.GONE)


def members_to_check(snapshot: TableSnapshot, calls: int | None) -> tuple[int, ...]:
    """Return persons whose membership to check: those about to be mentioned and those out of time."""
    vote = snapshot.vote
    lapsed = vote.person if vote is not None and vote.why is AbsenceReason.LAPSED else None
    return tuple(one for one in (calls, lapsed) if one is not None and one not in persons_known_to_have_left(snapshot))


class TurnKey(NamedTuple):
    """Deal and number of a turn within its table."""

    deal: int
    turn: int


def running_turn(snapshot: TableSnapshot) -> TurnKey | None:
    """Return the running turn, or None."""
    if snapshot.view is None or snapshot.status is not Status.PLAYING:
        return None
    return TurnKey(snapshot.view.deal, snapshot.view.turns)


def person_newly_in_turn(snapshot: TableSnapshot, mention_record: str) -> int | None:
    """Return the person in turn if the message does not show their turn yet, else None."""
    turn, actor = running_turn(snapshot), snapshot.actor
    if turn is None or actor is None or actor.person is None:
        return None
    told_turn, persons = _parse_mentions(mention_record)
    return None if told_turn == turn and actor.person in persons else actor.person


def person_to_mention(snapshot: TableSnapshot, mention_record: str) -> int | None:
    """Return the person whose turn began if the table's message should mention them, else None.

    Not mentioned are persons who play alone against computer players or have just acted. Players without opponents are
    mentioned at each turn.
    """
    person = person_newly_in_turn(snapshot, mention_record)
    if person is None or is_solo_table(snapshot) or person in persons_known_to_have_left(snapshot):
        return None
    if snapshot.absence.unopposed is not None:
        return person
    seats = (one.seat for one in reversed(snapshot.recent))
    acted = (seat for seat in seats if seat is not None and snapshot.seats[seat].person is not None)
    last = next(acted, None)
    return None if last is not None and snapshot.seats[last].person == person else person


def is_solo_table(snapshot: TableSnapshot) -> bool:
    """Return whether one person plays against computer players only, and no seat is kept for anybody else."""
    return has_one_player(snapshot.seats)


def mentions_as_text(snapshot: TableSnapshot, mention_record: str) -> str:
    """Return the text that records which turn and persons the message mentions, to be stored with it."""
    person, turn = person_newly_in_turn(snapshot, mention_record), running_turn(snapshot)
    if person is None or turn is None:
        return mention_record
    told_turn, persons = _parse_mentions(mention_record)
    everybody = (*persons, person) if told_turn == turn else (person,)
    return f"{turn.deal}.{turn.turn}:{','.join(map(str, everybody))}"


def has_turn_changed_hands(snapshot: TableSnapshot, mention_record: str) -> bool:
    """Return whether a person is in turn whose turn the message does not show, or no deal is running."""
    return snapshot.actor is None or person_newly_in_turn(snapshot, mention_record) is not None


def _parse_mentions(mention_record: str) -> tuple[TurnKey | None, tuple[int, ...]]:
    turn, _, persons = mention_record.partition(":")
    deal, _, number = turn.partition(".")
    if not (deal.isdecimal() and number.isdecimal()):
        return None, ()
    return TurnKey(int(deal), int(number)), tuple(int(one) for one in persons.split(",") if one.isdecimal())
