"""What the others decide about an absent person's seat (`docs/long-games.md`, 4). Pure.

Most votes count. Silence and a tie are for the computer player. The end of the game needs all voters, and somebody
of every side among them. A vote is decided as soon as what is still missing cannot change what comes of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import combinations_with_replacement
from typing import Final

from bot.clocks.law import DAY
from bot.tables.absence.ballots import choices, voters
from bot.tables.absence.values import AbsenceChoice, AbsenceReason, Vote
from bot.tables.record import TableState
from bot.tables.timing.owing import is_out_of_time

OPEN_FOR: Final = DAY
"""A vote stands open for so long, milliseconds."""


def is_moot(record: TableState, vote: Vote) -> bool:
    """Whether nothing is left to decide: the person is no longer absent, or has no longer that seat."""
    if record.seats[vote.seat].person != vote.person:
        return True
    return vote.why is AbsenceReason.LAPSED and not (record.actor == vote.seat and is_out_of_time(record))


def outcome(record: TableState, vote: Vote, more: Iterable[AbsenceChoice] = ()) -> AbsenceChoice:
    """What comes of the votes that were cast, and of so many `more`, if all others are silent."""
    able = voters(record.seats, vote)
    cast = [one.choice for one in vote.ballots if one.seat in able]
    cast += more
    if (
        cast
        and cast == [AbsenceChoice.END] * len(able)
        and AbsenceChoice.END in choices(record.seats, record.rules, record.absence, vote)
    ):
        return AbsenceChoice.END
    silent = [AbsenceChoice.COMPUTER] * (len(able) - len(cast))
    counted = Counter(choice for choice in (*cast, *silent) if choice is not AbsenceChoice.END).most_common()
    if not counted or (len(counted) > 1 and counted[0][1] == counted[1][1]):
        return AbsenceChoice.COMPUTER
    return counted[0][0]


def settled(record: TableState, vote: Vote) -> AbsenceChoice | None:
    """What comes of the vote, if nobody who has not voted can change that; else None."""
    missing = len(voters(record.seats, vote)) - sum(one.seat in voters(record.seats, vote) for one in vote.ballots)
    possible = {
        outcome(record, vote, more)
        for more in combinations_with_replacement(choices(record.seats, record.rules, record.absence, vote), missing)
    }
    return possible.pop() if len(possible) == 1 else None
