"""Phases of a game: for which action it waits."""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class Phase(StrEnum):
    """The action for which the game waits; the value is its stored name."""

    BETWEEN = "between"  # a pack must be dealt
    DRAW = "draw"  # the seat in turn draws or takes the pile
    PLAY = "play"  # the seat in turn melds and discards
    ANSWER = "answer"  # the partner of the seat in turn must say yes or no
    OVER = "over"  # nothing follows: the game has a winner


# Short names for the members: a module's name is read faster at run time than a member of an enumeration.
BETWEEN: Final = Phase.BETWEEN
DRAW: Final = Phase.DRAW
PLAY: Final = Phase.PLAY
ANSWER: Final = Phase.ANSWER
OVER: Final = Phase.OVER
