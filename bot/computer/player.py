"""The interface of computer players, and the available levels."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final, Protocol

from bot.computer.chosen_step import Choice
from bot.computer.heuristics.habits import FORMER
from bot.computer.heuristics.level_player import LevelPlayer
from bot.computer.heuristics.rule_of_thumb_player import RuleOfThumbPlayer
from bot.computer.memory_of_a_deal import BLANK, Memory
from bot.computer.rollout.player import StrongPlayer
from bot.computer.rollout.search import PLAIN, ExpertPlayer
from bot.computer.seeded_random import random_below
from bot.engine.table.views import SeatView


class ComputerPlayer(Protocol):
    """Plays one seat, seeing only what a person in that seat sees and could remember."""

    def choose(self, view: SeatView, memory: Memory = BLANK) -> Choice:
        """Return a choice among `view.legal`, for a seat that must act."""


class RandomPlayer:
    """Plays random legal steps, as a baseline for other players; never offered at tables."""

    def __init__(self, seed: int) -> None:
        self._chance = Random(seed)

    def choose(self, view: SeatView, memory: Memory = BLANK) -> Choice:  # noqa: ARG002
        return Choice(view.legal[random_below(self._chance, len(view.legal))])


_PLAYERS: Final[dict[str, Callable[[int], ComputerPlayer]]] = {
    "easy": lambda _seed: LevelPlayer("easy"),
    "casual": lambda _seed: LevelPlayer("casual"),
    "strong": lambda _seed: StrongPlayer(),
    "expert": lambda _seed: ExpertPlayer(),
    "plain": lambda _seed: ExpertPlayer(PLAIN),
    "former": lambda _seed: RuleOfThumbPlayer(FORMER),
    "random": RandomPlayer,
}

ALL_LEVELS: Final = tuple(_PLAYERS)
"""Every level, including those used only for measuring: `plain` is an expert where nothing is compiled."""


def player_for(level: str, seed: int = 0) -> ComputerPlayer:
    """Return a player of that level; `seed` is for random levels.

    Raises `LookupError` for an unknown level.
    """
    return _PLAYERS[level](seed)
