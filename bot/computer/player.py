"""The interface of computer players, and the available levels."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final, Protocol

from bot.computer.casual import CasualPlayer
from bot.computer.seeded_random import below
from bot.engine.moves.actions import Step
from bot.engine.table.views import SeatView

LEVELS: Final = ("casual",)
"""The levels offered at tables, weakest first."""


class ComputerPlayer(Protocol):
    """Plays one seat, seeing only what a person in that seat sees."""

    def choose(self, view: SeatView) -> Step:
        """Return one of `view.legal`, for a seat that must act."""


class RandomPlayer:
    """Takes random legal steps, as a baseline for other players; never offered at tables."""

    def __init__(self, seed: int) -> None:
        self._chance = Random(seed)

    def choose(self, view: SeatView) -> Step:
        return view.legal[below(self._chance, len(view.legal))]


_PLAYERS: Final[dict[str, Callable[[int], ComputerPlayer]]] = {
    "casual": lambda _seed: CasualPlayer(),
    "random": RandomPlayer,
}

ALL_LEVELS: Final = tuple(_PLAYERS)
"""Every level, including those used only for measuring."""


def player_for(level: str, seed: int) -> ComputerPlayer:
    """Return a player of that level; `seed` is for random levels.

    Raises `LookupError` for an unknown level.
    """
    return _PLAYERS[level](seed)
