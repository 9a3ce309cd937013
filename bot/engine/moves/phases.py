"""Phases: what a game waits for."""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class Phase(StrEnum):
    """What the game waits for; the value is its stable name in stored states."""

    BETWEEN = "between"  # a pack to be dealt
    DRAW = "draw"  # the seat in turn draws or takes the pile
    PLAY = "play"  # the seat in turn melds and discards
    ANSWER = "answer"  # the partner of the seat in turn owes a yes or no
    OVER = "over"  # nothing: the game has a winner


# The same members by short names: a name of a module is read faster than a member of an enumeration.
BETWEEN: Final = Phase.BETWEEN
DRAW: Final = Phase.DRAW
PLAY: Final = Phase.PLAY
ANSWER: Final = Phase.ANSWER
OVER: Final = Phase.OVER
