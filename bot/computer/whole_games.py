"""Whole games among computer players, to measure the numbers of deals and turns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from statistics import fmean
from typing import Final

from bot.computer.deals import play_next_deal
from bot.computer.duplicate_pairs import players_by_seat
from bot.computer.seeded_random import shuffled_packs
from bot.engine.cards.cards import Card
from bot.engine.moves.phases import Phase
from bot.engine.rules.rule_set import RuleSet
from bot.engine.table.state import new_game

LONGEST: Final = 60
"""A game is stopped after this many deals, and counts as that long."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game that computer players have played, as the number of turns of each deal."""

    turns: tuple[int, ...]

    @property
    def deals(self) -> int:
        """The number of deals."""
        return len(self.turns)


@dataclass(frozen=True, slots=True)
class GameLength:
    """Average length of games: deals per game, and turns per deal."""

    games: int
    deals: float
    turns: float


def play_games(rules: RuleSet, *, games: int, seed: int, levels: tuple[str, ...] = ("casual",)) -> list[PlayedGame]:
    """Return that many games, played to their end, each with its own packs."""
    shuffled = shuffled_packs(rules, seed)
    return [_play_game(rules, shuffled, seed=seed, number=number, levels=levels) for number in range(games)]


def _play_game(
    rules: RuleSet, shuffled: Iterator[tuple[Card, ...]], *, seed: int, number: int, levels: tuple[str, ...]
) -> PlayedGame:
    """Return one game, played to its end or until it has the maximum number of deals."""
    state = new_game(rules, dealer=number % rules.players)
    players = players_by_seat(rules, levels, seed, number)
    turns: list[int] = []
    while state.phase is not Phase.OVER and len(turns) < LONGEST:
        state, _, _ = play_next_deal(state, next(shuffled), players)
        turns.append(state.turns)
    return PlayedGame(tuple(turns))


def mean_length(played: Iterable[PlayedGame]) -> GameLength:
    """Return the averages of these games."""
    listed = list(played)
    turns = [count for game in listed for count in game.turns]
    return GameLength(len(listed), fmean(game.deals for game in listed), fmean(turns))
