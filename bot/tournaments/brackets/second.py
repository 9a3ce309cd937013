"""Who gets a second chance: those who have lost the first match that they have played (`docs/tournaments.md` 3).

A bye, a forfeit and a double forfeit are no played match, so that who does not come gets no second chance, and who was
given a match and loses the next gets one. Two of them have never met at a table: one of the two would have won that
match. Whoever plays on for third place is not among them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.tournaments.brackets.resolving import SlotState, State
from bot.tournaments.brackets.slots import Label
from bot.tournaments.brackets.terms import Draw


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """The second chance as it is drawn: its entries in the order of the lot, after that turn of the bracket."""

    entries: tuple[int, ...]
    after_turn: int


def drawn(looks: Sequence[SlotState], draw: Draw) -> Drawn | None:
    """The second chance; None while somebody can still lose the first match that he plays.

    `looks` is a whole single bracket. Drawn are not entries but the matches they have lost, from 1 in the order of
    `looks`, all of them at once: a winner who is changed later changes one side here, and the others stay where they
    are. Raises `ValueError` for a draw that loses a number or makes one up.
    """
    matches = [look for look in looks if look.slot.label is not Label.THIRD_PLACE]
    settled: dict[int, int] = {}
    losers: dict[int, int] = {}
    third_place = len(matches) < len(looks)
    for number, look in enumerate(matches, 1):
        if look.state is State.READY or look.state is State.WAITING:
            if any(entry not in settled for entry in look.present):
                return None
            continue
        outcome = look.outcome
        if outcome is None:
            continue
        plays_on = third_place and look.slot.label is Label.SEMIFINAL
        if outcome.met and look.loser is not None and look.loser not in settled and not plays_on:
            losers[number] = look.loser
        for entry in look.present:
            if outcome.met or entry != look.winner:
                settled.setdefault(entry, look.slot.turn)
    numbers = range(1, len(matches) + 1)
    order = tuple(draw(tuple(numbers)))
    if sorted(order) != list(numbers):
        raise ValueError("a draw that is no order of the numbers")
    return Drawn(
        entries=tuple(losers[number] for number in order if number in losers),
        after_turn=max(settled.values(), default=0),
    )
