"""What the matches of a tournament have come to in its bracket."""

from __future__ import annotations

from collections.abc import Iterable

from bot.tournaments.brackets.terms import Outcome
from bot.tournaments.course import Match, Played, Round


def outcomes(rounds: Iterable[Round]) -> dict[str, Outcome]:
    """What each slot has come to: its newest match that is not void, whose entries count whoever played for them."""
    return {
        match.slot: _outcome(match)
        for played in rounds
        for match in played.matches
        if match.slot and match.kind is not Played.VOID
    }


def _outcome(match: Match) -> Outcome:
    first, second = (side.entries[0] for side in match.sides)
    winner = None if match.winner is None else match.sides[match.winner].entries[0]
    return Outcome(sides=(first, second), winner=winner, kind=match.kind)
