"""Whom the message of a table calls to play, and who has been called in a turn before.

Who was called is noted with the message as ``<deal>.<turn>:<person>,<person>``, so that a restart calls nobody twice.
"""

from __future__ import annotations

from typing import NamedTuple

from bot.tables.looks import Status, TableSnapshot
from cogs.shared.posting.members import known_gone


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
