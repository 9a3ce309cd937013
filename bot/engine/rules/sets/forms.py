"""Forms: the rules of a rule set for each number of players, built from common parts; and notes.

Decides `docs/law/classic.md 2, 2.1, 2.2, 2.3, 2.4`, as far as a form is a record of parameters.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from bot.engine.rules.rule_set import RuleSet

TWO_PLAYERS: Mapping[str, Any] = {
    "players": 2,
    "teams": "solo",
    "hand_size": 15,
    "draw": 2,
    "out_canastas": 2,
    "ask_partner": "none",
}
"""Fifteen cards, draw two, two canastas (`docs/law/classic.md 2.1`)."""

TWO_PLAYERS_SHORT: Mapping[str, Any] = {"players": 2, "teams": "solo", "hand_size": 13, "ask_partner": "none"}
"""Thirteen cards; everything else as for four players (`docs/law/classic.md 2`)."""

THREE_PLAYERS: Mapping[str, Any] = {"players": 3, "teams": "solo", "hand_size": 13, "ask_partner": "none"}
"""Each alone, thirteen cards (`docs/law/classic.md 2.2`)."""

CUT_THROAT: Mapping[str, Any] = {
    "players": 3,
    "teams": "cut-throat",
    "hand_size": 13,
    "draw": 2,
    "ask_partner": "none",
    "stock_end": "stop",
    "target": 7500,
}
"""Three players; the first to take the pile plays alone against the others.

Source: `docs/law/classic.md 2.2`.
"""

FOUR_PLAYERS: Mapping[str, Any] = {"players": 4, "teams": "2x2"}
"""Two pairs."""

FOUR_ALONE: Mapping[str, Any] = {"players": 4, "teams": "solo", "ask_partner": "none"}
"""Four players, each alone; everything else as for two pairs."""

FIVE_ALONE: Mapping[str, Any] = {"players": 5, "teams": "solo", "ask_partner": "none"}
"""Five players, each alone; everything else as for two pairs."""

PAIR_AND_TRIO: Mapping[str, Any] = {"players": 5, "teams": "2v3"}
"""A pair against a trio, one of which rests in each deal (`docs/law/classic.md 2.3`)."""

ROTATING_TRIOS: Mapping[str, Any] = {"players": 6, "teams": "3v3"}
"""Two trios; one player of each rests in each deal (`docs/law/classic.md 2.4`)."""

THREE_PAIRS: Mapping[str, Any] = {
    "players": 6,
    "teams": "3x2",
    "decks": 3,
    "hand_size": 13,
    "out_canastas": 2,
    "target": 7500,
    "red3_values": (100, 200, 300, 400, 1000, 1200),
}
"""Three pairs with three packs (`docs/law/classic.md 2.4`)."""

TWO_TRIOS: Mapping[str, Any] = {"players": 6, "teams": "2x3"}
"""Two trios that all play, with two packs (`docs/law/classic.md 2.4`)."""


def forms_by_players(name: str, common: Mapping[str, Any], *forms: Mapping[str, Any]) -> dict[int, RuleSet]:
    """Return the forms by number of players; values in a form override the common ones."""
    made = [RuleSet(**{"name": name, **common, **form}) for form in forms]
    return {rules.players: rules for rules in made}


# --- notes about the sources of rule sets -----------------------------------------------------------------------------

FOUR_ALONE_NAMED: Final = (
    "Only four players play it here: no source gives the cards and canastas for two, three, five or six"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class RuleSetNotes:
    """Background of a rule set for players who choose it.

    `sure` says how reliable its sources are. `open_points` are questions that the sources leave open in every form,
    `points_of_forms` those of the given numbers of players.
    """

    source: str
    sure: Literal["high", "medium", "low"]
    open_points: tuple[str, ...] = ()
    points_of_forms: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    @property
    def all_open_questions(self) -> tuple[str, ...]:
        """The questions that the sources leave open, for all forms together."""
        return (*self.open_points, *self.points_of_forms)

    def open_questions_for(self, players: int) -> tuple[str, ...]:
        """Return the questions that the sources leave open for this number of players."""
        return (*self.open_points, *(point for point, those in self.points_of_forms.items() if players in those))
