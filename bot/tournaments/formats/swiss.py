"""Why somebody has got that table in a round, from the tournament as it stands now."""

from __future__ import annotations

from dataclasses import replace

from bot.tournaments.course import FormatKind, SatOut
from bot.tournaments.event.course import course_of
from bot.tournaments.event.match_state import RoundStage
from bot.tournaments.event.tournament import Tournament
from bot.tournaments.formats.format import standing
from bot.tournaments.pairing.drawn import DrawnRound, Pairing
from bot.tournaments.pairing.swiss import PairingReason, why


def reason_for(tournament: Tournament, person: int, round_number: int) -> PairingReason | None:
    """Why the person's entry met whom it met; None where no standing decides that, or it was not in the round."""
    turn = next((one for one in tournament.rounds if one.number == round_number), None)
    own = next((one.number for one in tournament.entrants if person in one.people and one.rank), None)
    if turn is None or own is None or tournament.plan.kind is not FormatKind.SWISS or turn.by_hand:
        return None
    rounds = tuple(replace(one, stage=RoundStage.FINAL) for one in tournament.rounds if one.number < round_number)
    course = course_of(replace(tournament, rounds=rounds))
    order = standing(course, [one for one in tournament.entrants if one.number in turn.order])
    drawn = DrawnRound(
        matches=tuple(Pairing(one.sides) for one in tournament.matches_of(round_number)),
        unpaired=tuple(SatOut(entry=one.entry, code=one.code, points=one.points) for one in turn.away),
        order=turn.order,
        cost=turn.cost,
    )
    return why(course, order, drawn, own) if own in turn.order else None
