"""Data that helps to choose a rule set: its family, difficulty, and length of a game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from bot.engine.rules.rule_set import RuleSet

Difficulty = Literal["easy", "medium", "hard"]

LONG_DEAL: Final = 45
"""The average number of turns above which deals are called long."""

FAVOURITES: Final = ("classic", "samba", "bolivia", "uruguay", "hand-and-foot-us", "modern-american")
"""The rule sets to offer first."""


@dataclass(frozen=True, slots=True)
class DifficultyAndLength:
    """The difficulty of a rule set, and the length of its games.

    `deals` (of a game) and `turns` (of a deal) are means over `games` games of computer players (``canasta-bot simulate
    --games``), with four players if there is such a form, else with the fewest.
    """

    difficulty: Difficulty
    deals: float
    turns: float
    games: int

    @property
    def is_long(self) -> bool:
        """Whether a deal has more turns than `LONG_DEAL`, so that players are told that deals are long."""
        return self.turns > LONG_DEAL


_GLANCES: Final[Mapping[str, Mapping[str, DifficultyAndLength]]] = {
    "classic": {
        "classic": DifficultyAndLength("easy", 6.75, 27.0, 123),
        "classic-13": DifficultyAndLength("easy", 7.37, 36.7, 98),
        "classic-cut-throat": DifficultyAndLength("medium", 7.34, 20.6, 97),
        "classic-trios": DifficultyAndLength("easy", 4.98, 24.5, 171),
        "classic-rotating": DifficultyAndLength("easy", 6.75, 27.1, 122),
        "british": DifficultyAndLength("easy", 6.76, 27.0, 126),
    },
    "books": {
        "bicycle": DifficultyAndLength("easy", 7.09, 24.0, 120),
        "bicycle-13": DifficultyAndLength("easy", 8.36, 31.2, 96),
        "bicycle-trios": DifficultyAndLength("easy", 5.02, 23.4, 148),
        "bicycle-rotating": DifficultyAndLength("easy", 7.09, 24.0, 120),
        "gamerules": DifficultyAndLength("easy", 7.06, 24.1, 136),
        "afrikaans": DifficultyAndLength("easy", 6.75, 27.0, 123),
        "bicycle-cut-throat": DifficultyAndLength("medium", 7.17, 20.3, 102),
        "italian-club": DifficultyAndLength("medium", 7.2, 27.5, 101),
    },
    "singkep": {
        "singkep": DifficultyAndLength("medium", 6.75, 26.3, 122),
        "singkep-13": DifficultyAndLength("medium", 7.29, 36.2, 89),
        "singkep-alone": DifficultyAndLength("medium", 8.56, 48.3, 39),
        "singkep-rotating": DifficultyAndLength("medium", 6.77, 26.2, 116),
    },
    "runs": {
        "samba": DifficultyAndLength("medium", 7.27, 22.0, 15),
        "bolivia": DifficultyAndLength("hard", 3.81, 51.2, 16),
        "chilean": DifficultyAndLength("hard", 3.81, 51.2, 16),
        "brazilian": DifficultyAndLength("hard", 6.27, 28.0, 11),
    },
    "wild": {
        "uruguay": DifficultyAndLength("medium", 6.58, 24.9, 81),
        "uruguay-modern": DifficultyAndLength("medium", 3.75, 31.1, 85),
        "tampa": DifficultyAndLength("medium", 5.38, 25.6, 66),
        "cuban": DifficultyAndLength("medium", 8.65, 23.2, 55),
        "joker": DifficultyAndLength("medium", 6.61, 26.5, 79),
        "italian": DifficultyAndLength("hard", 6.0, 24.8, 44),
        "canastone": DifficultyAndLength("hard", 6.63, 24.4, 51),
        "mexicana": DifficultyAndLength("hard", 2.8, 37.0, 121),
    },
    "foot": {
        "hand-and-foot": DifficultyAndLength("hard", 4.0, 64.3, 33),
        "hand-and-foot-alone": DifficultyAndLength("hard", 4.0, 81.8, 30),
        "hand-and-foot-us": DifficultyAndLength("medium", 4.0, 58.7, 37),
        "hand-and-foot-us-trios": DifficultyAndLength("hard", 4.0, 66.0, 30),
        "hand-and-foot-pagat": DifficultyAndLength("hard", 4.0, 60.4, 32),
        "hand-and-foot-pagat-trios": DifficultyAndLength("hard", 4.0, 73.9, 22),
        "pennies": DifficultyAndLength("hard", 3.74, 33.8, 43),
    },
    "american": {
        "modern-american": DifficultyAndLength("hard", 6.96, 36.6, 47),
        "modern-american-13": DifficultyAndLength("hard", 5.65, 33.9, 51),
        "modern-american-pagat": DifficultyAndLength("hard", 8.35, 37.8, 31),
    },
}
"""Every rule set by family, in the order of the menu."""

FAMILIES: Final[Mapping[str, tuple[str, ...]]] = {family: tuple(sets) for family, sets in _GLANCES.items()}
"""The rule sets of each family, in the order of the menu."""

GLANCES: Final[Mapping[str, DifficultyAndLength]] = {
    name: glance for sets in _GLANCES.values() for name, glance in sets.items()
}
"""The glance of every rule set, by its name."""


def usual_number_of_deals(measured: DifficultyAndLength, rules: RuleSet, usual: RuleSet) -> int:
    """Return the approximate number of deals in a game with these rules.

    `measured` holds the mean measured for the form `usual`; another target changes it in proportion.
    """
    if rules.rounds is not None:
        return rules.rounds
    return max(1, round(measured.deals * rules.target / usual.target))
