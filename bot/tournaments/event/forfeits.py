"""Matches that a side loses without playing them to their end, and what is played after all (`docs/tournaments.md` 2).

A director's forfeit of a match in play is its result and a ruling: taken back, the match is played at another table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.tournaments.event import rulings
from bot.tournaments.event.match_state import MatchStage, MatchState, Result, RoundStage
from bot.tournaments.event.matches import absent, absent_sides, called, require_open
from bot.tournaments.event.refusals import TournamentCode, TournamentRefusal
from bot.tournaments.event.rounds import undrawn
from bot.tournaments.event.steps import (
    find_match,
    open_match_of,
    require_impartial,
    require_stage,
    tell,
    with_match,
    with_turn,
)
from bot.tournaments.event.tournament import RulingKind, Stage, Tournament


def no_show(tournament: Tournament, *, match: int, now: int) -> Tournament:
    """The time to come is over: sides that are not complete forfeit."""
    found = find_match(tournament, match)
    sides, persons = absent_sides(tournament, found), absent(found)
    result = Result(forfeited=sides, finished_at=now, winner=remaining(found, sides), without_cause=True)
    after = with_match(tournament, replace(found, stage=MatchStage.DONE, result=result))
    return tell(
        after,
        "no_show",
        now,
        match=match,
        persons=persons,
        numbers={"table": found.table, "round": found.round, "sides": len(sides)},
    )


def told_forfeit(tournament: Tournament, *, match: int, now: int) -> Tournament:
    """What everybody is told where a side has lost its match at the table: it gave up, or used up its time."""
    found = tournament.match(match)
    if found.result is None or not found.result.forfeited:
        return tournament
    entries = tuple(entry for side in found.result.forfeited for entry in found.sides[side])
    numbers = {"table": found.table, "round": found.round}
    return tell(tournament, "lost_at_table", now, match=match, entries=entries, numbers=numbers)


def given_up(tournament: Tournament, *, entry: int, now: int) -> Tournament:
    """An entry that has left does not play the match it was called to: its side forfeits (8, case 7)."""
    for found in tournament.matches:
        side = next((number for number, entries in enumerate(found.sides) if entry in entries), None)
        if side is not None and found.result is None and not found.voided and found.called_at is not None:
            result = Result(forfeited=(side,), finished_at=now, winner=remaining(found, (side,)))
            tournament = with_match(tournament, replace(found, stage=MatchStage.DONE, result=result))
    return tournament


def played_after_all(tournament: Tournament, *, entry: int, now: int) -> Tournament:
    """An entry comes back in the round in which it left: the match that it gave up is played, at another table (8, 13).

    Nothing changes where the round is over, or where boards are known by now.
    """
    turn = tournament.current
    if turn is None or turn.stage is not RoundStage.CALLED:
        return tournament
    for found in tournament.matches_of(turn.number):
        if not found.boards and _gave_up(found, entry):
            return _played_anew(tournament, found, now)
    return tournament


def _gave_up(match: MatchState, entry: int) -> bool:
    """Whether the match was forfeited because the entry left, and not at its table."""
    result = match.result
    if result is None or result.seated or result.without_cause or result.ruled:
        return False
    return any(entry in match.sides[side] for side in result.forfeited)


def forfeited(
    tournament: Tournament, *, match: int, sides: Sequence[int], reason: str, by: int, now: int
) -> Tournament:
    """A director ends a match that is not over: these sides lose it. Refusals: not_director, own_match, match_over."""
    found = find_match(tournament, match)
    require_impartial(tournament, by, found)
    require_open(found)
    winner = remaining(found, sides)
    result = Result(forfeited=tuple(sides), winner=winner, finished_at=now, ruled=True)
    made = rulings.new_ruling(tournament, RulingKind.FORFEIT, reason, by=by, now=now)
    made = replace(made, match=match, sides=tuple(sides), winner=winner)
    after = with_match(tournament, replace(found, stage=MatchStage.DONE, result=result))
    return rulings.with_ruling(after, made, found, now)


def undo(tournament: Tournament, *, ruling: int, by: int, now: int) -> Tournament:
    """A ruling is taken back; a match that a director had ended is played after all once no ruling on it holds.

    Rounds that were called keep their pairings. Refusals: not_director, own_match, no_such_ruling, wrong_stage,
    not_playable.
    """
    after = rulings.undo(tournament, ruling=ruling, by=by, now=now)
    number = next(one.match for one in after.rulings if one.number == ruling)
    found = None if number is None else after.match(number)
    if found is None or found.voided or found.result is None or not found.result.ruled:
        return after
    return after if rulings.standing(after, found.id) is not None else _reopened(after, found, now)


def _reopened(tournament: Tournament, match: MatchState, now: int) -> Tournament:
    """The round of that match goes on with it; the next one, if it is only drawn, is drawn again afterwards."""
    require_stage(tournament, Stage.RUNNING, Stage.CLOSING)
    turn = tournament.current
    if turn is not None and turn.stage is RoundStage.DRAWN and match.round < turn.number:
        tournament = undrawn(tournament)
        turn = tournament.current
    known = match.boards and match.tables
    if turn is None or turn.number != match.round or known or tournament.ladder is not None:
        raise TournamentRefusal(TournamentCode.NOT_PLAYABLE, {"round": match.round, "table": match.table})
    after = with_turn(tournament, replace(turn, stage=RoundStage.CALLED, complete_at=None))
    return replace(_played_anew(after, match, now), stage=Stage.RUNNING)


def _played_anew(tournament: Tournament, match: MatchState, now: int) -> Tournament:
    """The tournament with that match void, and called once more at another table."""
    number = max(one.id for one in tournament.matches) + 1
    anew = MatchState(
        id=number, round=match.round, table=match.table, sides=match.sides, slot=match.slot, boards=match.boards
    )
    after = with_match(tournament, replace(match, voided=True))
    return replace(after, matches=(*after.matches, called(after, anew, now)))


def match_lost(tournament: Tournament, *, entry: int, reason: str, by: int, now: int) -> Tournament:
    """The entry has lost its match of the newest round: the one that it plays, or what it played there."""
    turn = tournament.current
    of_round = () if turn is None else tournament.matches_of(turn.number)
    theirs = [one for one in of_round if any(entry in side for side in one.sides)]
    found = open_match_of(tournament, entry) or next(iter(theirs), None)
    if found is None or (found.result is None and found.called_at is None):
        return tournament
    sides = tuple(number for number, entries in enumerate(found.sides) if entry in entries)
    lost = forfeited if found.result is None else rulings.forfeit
    return lost(tournament, match=found.id, sides=sides, reason=reason, by=by, now=now)


def remaining(match: MatchState, lost: Sequence[int]) -> int | None:
    """The side that is left where all others have forfeited; None where several are, or none."""
    left = [side for side in range(len(match.sides)) if side not in lost]
    return left[0] if len(left) == 1 else None
