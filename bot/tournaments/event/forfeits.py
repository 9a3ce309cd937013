"""Forfeits, and matches that are played after a forfeit was undone (`docs/tournaments.md` 2).

If a director declares a match in play forfeited, that is both its result and a ruling. If the ruling is undone, the
match is played at another table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.tournaments.event import rulings
from bot.tournaments.event.match_state import MatchStage, MatchState, Result, RoundStage
from bot.tournaments.event.matches import (
    absent_persons,
    awaited_persons,
    awaited_turn,
    call_match,
    forfeiting_sides,
    require_open_match,
)
from bot.tournaments.event.refusals import TournamentCode, TournamentRefusal
from bot.tournaments.event.rounds import remove_newest_round
from bot.tournaments.event.tournament import RulingKind, Stage, Tournament
from bot.tournaments.event.tournament_changes import (
    add_news,
    find_match,
    open_match_of,
    require_director_not_playing,
    require_stage,
    with_match,
    with_round,
)


def forfeit_no_show(tournament: Tournament, *, match: int, now: int) -> Tournament:
    """End a match because the awaited person is absent. That side and all other absent sides forfeit."""
    match_state = find_match(tournament, match)
    turn = awaited_turn(tournament, match_state)
    if turn is None:
        return tournament
    sides = forfeiting_sides(tournament, match_state, turn)
    persons = awaited_persons(tournament, match_state) if len(sides) == 1 else absent_persons(match_state)
    result = Result(forfeited=sides, finished_at=now, winner=remaining_side(match_state, sides), without_cause=True)
    after = with_match(tournament, replace(match_state, stage=MatchStage.DONE, result=result))
    return add_news(
        after,
        "no_show",
        now,
        match=match,
        persons=persons,
        numbers={"table": match_state.table, "round": match_state.round, "sides": len(sides)},
    )


def forfeit_sides(tournament: Tournament, *, match: int, sides: Sequence[int], now: int) -> Tournament:
    """End a slow match: these sides forfeit because they missed two agreed times or never offered any."""
    match_state = find_match(tournament, match)
    result = Result(
        forfeited=tuple(sides), finished_at=now, winner=remaining_side(match_state, sides), without_cause=True
    )
    after = with_match(tournament, replace(match_state, stage=MatchStage.DONE, result=result, agreed_at=None))
    entries = tuple(entry for side in sides for entry in match_state.sides[side])
    numbers = {"table": match_state.table, "round": match_state.round}
    return add_news(after, "times_forfeited", now, match=match, entries=entries, numbers=numbers)


def announce_forfeit(tournament: Tournament, *, match: int, now: int) -> Tournament:
    """Announce that a side lost at the table because it gave up or ran out of time."""
    match_state = tournament.match(match)
    if match_state.result is None or not match_state.result.forfeited:
        return tournament
    entries = tuple(entry for side in match_state.result.forfeited for entry in match_state.sides[side])
    numbers = {"table": match_state.table, "round": match_state.round}
    return add_news(tournament, "lost_at_table", now, match=match, entries=entries, numbers=numbers)


def forfeit_by_leaving(tournament: Tournament, *, entry: int, now: int) -> Tournament:
    """Forfeit the match that an entry was called to before it left (`docs/tournaments.md` 8, case 7)."""
    for match in tournament.matches:
        side = next((number for number, entries in enumerate(match.sides) if entry in entries), None)
        if side is not None and match.result is None and not match.voided and match.called_at is not None:
            result = Result(forfeited=(side,), finished_at=now, winner=remaining_side(match, (side,)))
            tournament = with_match(tournament, replace(match, stage=MatchStage.DONE, result=result))
    return tournament


def reopen_given_up_match(tournament: Tournament, *, entry: int, now: int) -> Tournament:
    """Call the match that a returning entry gave up in this round again, at another table.

    Nothing changes if the round is over, or if the match has boards (`docs/tournaments.md` 8, case 13).
    """
    turn = tournament.current_round
    if turn is None or turn.stage is not RoundStage.CALLED:
        return tournament
    for match in tournament.matches_of(turn.number):
        if not match.boards and _was_given_up(match, entry):
            return _replay_match(tournament, match, now)
    return tournament


def _was_given_up(match: MatchState, entry: int) -> bool:
    """Return whether the match was forfeited because the entry left the tournament.

    A match that was given up at its table does not count.
    """
    result = match.result
    if result is None or result.seated or result.without_cause or result.ruled:
        return False
    return any(entry in match.sides[side] for side in result.forfeited)


def forfeit_open_match(
    tournament: Tournament, *, match: int, sides: Sequence[int], reason: str, director: int, now: int
) -> Tournament:
    """Let these sides lose a match that is not over. Refusals: not_director, own_match, match_over."""
    match_state = find_match(tournament, match)
    require_director_not_playing(tournament, director, match_state)
    require_open_match(match_state)
    winner = remaining_side(match_state, sides)
    result = Result(forfeited=tuple(sides), winner=winner, finished_at=now, ruled=True)
    made = rulings.new_ruling(tournament, RulingKind.FORFEIT, reason, director=director, now=now)
    made = replace(made, match=match, sides=tuple(sides), winner=winner)
    after = with_match(tournament, replace(match_state, stage=MatchStage.DONE, result=result))
    return rulings.with_ruling(after, made, match_state, now)


def undo_ruling(tournament: Tournament, *, ruling: int, director: int, now: int) -> Tournament:
    """Undo a ruling. If a director had ended the match by it, the match is played after all.

    It is not played while another ruling on it is valid. Rounds that were called keep their pairings. Refusals:
    not_director, own_match, no_such_ruling, wrong_stage, not_playable.
    """
    after = rulings.mark_ruling_undone(tournament, ruling=ruling, director=director, now=now)
    number = next(one.match for one in after.rulings if one.number == ruling)
    found = None if number is None else after.match(number)
    if found is None or found.voided or found.result is None or not found.result.ruled:
        return after
    if rulings.valid_ruling(after, found.id) is not None:
        return after
    turn = after.current_round
    if turn is not None and turn.stage is RoundStage.DRAWN and turn.number == found.round:
        return with_match(after, replace(found, stage=MatchStage.WAITING, result=None))  # it is called with its round
    return _reopen_round(after, found, now)


def _reopen_round(tournament: Tournament, match: MatchState, now: int) -> Tournament:
    """Reopen the round of a match, so that the match is played.

    If the next round is drawn but not called, it is removed, and drawn again later. Refusals: wrong_stage,
    not_playable.
    """
    require_stage(tournament, Stage.RUNNING, Stage.CLOSING)
    turn = tournament.current_round
    if turn is not None and turn.stage is RoundStage.DRAWN and match.round < turn.number:
        tournament = remove_newest_round(tournament)
        turn = tournament.current_round
    known = match.boards and match.tables
    if turn is None or turn.number != match.round or known or tournament.ladder is not None:
        raise TournamentRefusal(TournamentCode.NOT_PLAYABLE, {"round": match.round, "table": match.table})
    after = with_round(tournament, replace(turn, stage=RoundStage.CALLED, complete_at=None))
    return replace(_replay_match(after, match, now), stage=Stage.RUNNING)


def _replay_match(tournament: Tournament, match: MatchState, now: int) -> Tournament:
    """Void that match and call it once more at another table."""
    number = max(one.id for one in tournament.matches) + 1
    replayed = MatchState(
        id=number, round=match.round, table=match.table, sides=match.sides, slot=match.slot, boards=match.boards
    )
    after = with_match(tournament, replace(match, voided=True))
    return replace(after, matches=(*after.matches, call_match(after, replayed, now)))


def forfeit_newest_match(tournament: Tournament, *, entry: int, reason: str, director: int, now: int) -> Tournament:
    """Let the entry forfeit its match of the newest round, whether that is in play or finished."""
    turn = tournament.current_round
    of_round = () if turn is None else tournament.matches_of(turn.number)
    theirs = [one for one in of_round if any(entry in side for side in one.sides)]
    match = open_match_of(tournament, entry) or next(iter(theirs), None)
    if match is None or (match.result is None and match.called_at is None):
        return tournament
    sides = tuple(number for number, entries in enumerate(match.sides) if entry in entries)
    lost = forfeit_open_match if match.result is None else rulings.forfeit_finished_match
    return lost(tournament, match=match.id, sides=sides, reason=reason, director=director, now=now)


def remaining_side(match: MatchState, lost_sides: Sequence[int]) -> int | None:
    """Return the only side that is not in `lost_sides`; None if several or none are left."""
    left = [side for side in range(len(match.sides)) if side not in lost_sides]
    return left[0] if len(left) == 1 else None
