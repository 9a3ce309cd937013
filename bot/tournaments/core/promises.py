"""Which effects a step promises: they are stored with it and kept afterwards (`bot.outbox`)."""

from __future__ import annotations

from bot.store.outbox import RATE, Promise
from bot.tournaments.event.match_state import RoundStage
from bot.tournaments.event.tournament import Stage, Tournament


def promises_of(before: Tournament, after: Tournament) -> tuple[Promise, ...]:
    """Return the promise to rate the tournament, if the step changes which matches are final, or how they count."""
    if not after.plan.counts_for_ratings or _final(before) == _final(after):
        return ()
    return (Promise(kind=RATE, key=f"t{after.id}", guild=after.guild),)


def _final(tournament: Tournament) -> object:
    """Return what ratings follow from: final rounds with their rulings, the close; without rounds every result."""
    if not tournament.plan.traits.has_rounds:
        results = tuple((one.id, one.result, one.voided) for one in tournament.matches if one.result is not None)
        return results, tournament.rulings
    final = tuple(one.number for one in tournament.rounds if one.stage is RoundStage.FINAL)
    return final, tournament.rulings if final else (), tournament.stage is Stage.CLOSED
