"""Directors' rulings and undoing them (`docs/tournaments.md` 1.5, 2).

Rulings never change the results as played; what counts is derived from both (`course_of`), so undoing a ruling restores
the result as played.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from bot.tournaments.event.entries import Entrant, Person
from bot.tournaments.event.match_state import MatchState
from bot.tournaments.event.refusals import TournamentCode, TournamentRefusal
from bot.tournaments.event.tournament import Audience, Case, Ruling, RulingKind, Stage, Tournament
from bot.tournaments.event.tournament_changes import (
    add_news,
    find_entrant,
    find_match,
    open_match_of,
    persons_of,
    require_director_not_playing,
    require_impartial,
    require_stage,
)

CATEGORIES: Final = ("late", "slow", "talk", "conduct", "other")
LEVELS: Final[Mapping[int, int]] = {1: 0, 2: 0, 3: 1, 4: 0, 5: 0}
"""Points lost by penalty level: warning, recorded, a point, the match, the tournament (4)."""
MATCH_LOST: Final = 4
REMOVED: Final = 5

CLOCK: Final = 0
"""The author of rulings that the clock makes."""

MENDING: Final = (Stage.RUNNING, Stage.CLOSING)


def set_scores(
    tournament: Tournament,
    *,
    match: int,
    scores: Sequence[Sequence[int]],
    reason: str,
    director: int,
    now: int,
    tables: Sequence[tuple[int, int]] = (),
) -> Tournament:
    """Set other scores for a finished match, by deal and side; in a duplicate those of `tables`.

    Refusals: not_director, director_plays, own_match, match_open, scores_wrong, wrong_stage.
    """
    match_state = _find_match_to_rule(tournament, match, director)
    if match_state.boards and len(scores) != len(tables):
        raise TournamentRefusal(TournamentCode.SCORES_WRONG, {"needed": len(tables), "given": len(scores)})
    for deal in scores:
        _require_value_per_side(match_state, deal)
    made = new_ruling(tournament, RulingKind.ADJUST, reason, director=director, now=now)
    given = tuple(tuple(deal) for deal in scores)
    return with_ruling(
        tournament, replace(made, match=match_state.id, scores=given, tables=tuple(tables)), match_state, now
    )


def give_points(
    tournament: Tournament,
    *,
    match: int,
    points: Sequence[int],
    winner: int | None,
    reason: str,
    director: int,
    now: int,
) -> Tournament:
    """Give match points to the sides of a finished match, without scores.

    Refusals: not_director, director_plays, own_match, match_open, scores_wrong, wrong_stage.
    """
    match_state = _find_match_to_rule(tournament, match, director)
    _require_value_per_side(match_state, points)
    made = new_ruling(tournament, RulingKind.POINTS, reason, director=director, now=now)
    return with_ruling(
        tournament, replace(made, match=match_state.id, points=tuple(points), winner=winner), match_state, now
    )


def forfeit_finished_match(
    tournament: Tournament, *, match: int, sides: Sequence[int], reason: str, director: int, now: int
) -> Tournament:
    """Let these sides forfeit a finished match.

    Refusals: not_director, director_plays, own_match, match_open.
    """
    found = _find_match_to_rule(tournament, match, director)
    left = [side for side in range(len(found.sides)) if side not in sides]
    made = new_ruling(tournament, RulingKind.FORFEIT, reason, director=director, now=now)
    winner = left[0] if len(left) == 1 else None
    return with_ruling(tournament, replace(made, match=found.id, sides=tuple(sides), winner=winner), found, now)


def _require_value_per_side(match: MatchState, values: Sequence[int]) -> None:
    """Raise `TournamentRefusal` scores_wrong unless there is one value for each side."""
    if len(values) != len(match.sides):
        raise TournamentRefusal(TournamentCode.SCORES_WRONG, {"needed": len(match.sides), "given": len(values)})


def void_finished_match(tournament: Tournament, *, match: int, reason: str, director: int, now: int) -> Tournament:
    """Void a finished match. Refusals: not_director, director_plays, own_match, match_open."""
    match_state = _find_match_to_rule(tournament, match, director)
    return with_ruling(
        tournament,
        replace(new_ruling(tournament, RulingKind.VOID, reason, director=director, now=now), match=match_state.id),
        match_state,
        now,
    )


def adjust_board(
    tournament: Tournament, *, match: int, board: int, sides: Sequence[int], reason: str, director: int, now: int
) -> Tournament:
    """Rule on a board that was not played: sides at fault get 40 per cent, others 60.

    Without a side at fault, both get 50. Refusals: not_director, director_plays, own_match, no_such_match.
    """
    match_state = find_match(tournament, match)
    require_director_not_playing(tournament, director, match_state)
    made = new_ruling(tournament, RulingKind.BOARD, reason, director=director, now=now)
    return with_ruling(
        tournament, replace(made, match=match_state.id, board=board, sides=tuple(sides)), match_state, now
    )


def rule_on_unplayed_board(
    tournament: Tournament, *, match: MatchState, board: int, sides: Sequence[int], now: int
) -> Tournament:
    """Rule on a board that a match has not played in time.

    The clock is the author of the ruling; a director may undo it.
    """
    made = new_ruling(tournament, RulingKind.BOARD, "", director=CLOCK, now=now)
    made = replace(made, match=match.id, board=board, sides=tuple(sides))
    return add_news(
        replace(tournament, rulings=(*tournament.rulings, made)),
        "board_over",
        now,
        audience=Audience.MATCH,
        match=match.id,
        numbers={"board": board, "table": match.table, "round": match.round, "sides": len(sides)},
    )


def penalise_entry(
    tournament: Tournament, *, entry: int, category: str, level: int, reason: str, director: int, now: int
) -> Tournament:
    """Penalise an entry in the current round: warning, or loss of a point, the match or its place.

    Refusals: not_director, director_plays, own_match, no_such_entry, not_placed, wrong_stage.
    """
    require_director_not_playing(tournament, director)
    require_stage(tournament, *MENDING)
    entrant = find_entrant(tournament, entry)
    require_not_own_match(tournament, entrant, director)
    if not entrant.rank:
        raise TournamentRefusal(TournamentCode.NOT_PLACED, {"entry": entry})
    made = replace(
        new_ruling(tournament, RulingKind.PENALTY, reason, director=director, now=now),
        entry=entry,
        round=0 if tournament.current_round is None else tournament.current_round.number,
        category=category,
        level=level,
        points=(LEVELS[level],),
    )
    after = replace(tournament, rulings=(*tournament.rulings, made))
    return add_news(
        after,
        "penalty",
        now,
        audience=Audience.PERSONS,
        persons=entrant.people,
        entries=(entry,),
        numbers={"level": level, "points": LEVELS[level]},
        texts={"category": category, "reason": reason},
    )


def mark_ruling_undone(tournament: Tournament, *, ruling: int, director: int, now: int) -> Tournament:
    """Undo a ruling; called rounds keep their pairings.

    Refusals: not_director, director_plays, no_such_ruling.
    """
    require_director_not_playing(tournament, director)
    made = next((one for one in tournament.rulings if one.number == ruling and not one.undone), None)
    if made is None:
        raise TournamentRefusal(TournamentCode.NO_SUCH_RULING, {"ruling": ruling})
    if made.match is not None:
        require_impartial(tournament, director, tournament.match(made.match))
    if made.entry is not None:
        require_not_own_match(tournament, find_entrant(tournament, made.entry), director)
    rulings = tuple(replace(one, undone=True) if one.number == ruling else one for one in tournament.rulings)
    after = replace(tournament, rulings=rulings)
    match = None if made.match is None else tournament.match(made.match)
    return add_news(
        after,
        "undone",
        now,
        match=made.match,
        about=(director,),
        entries=() if made.entry is None else (made.entry,),
        numbers={"table": 0 if match is None else match.table, "round": made.round if match is None else match.round},
        texts={"what": made.what.value},
    )


def require_not_own_match(tournament: Tournament, entrant: Entrant, director: int) -> None:
    """Raise `TournamentRefusal` own_match for a director who is in that entry or in its open match."""
    match = open_match_of(tournament, entrant.number)
    if director in entrant.people or (match is not None and director in persons_of(tournament, match)):
        raise TournamentRefusal(TournamentCode.OWN_MATCH, {"match": 0 if match is None else match.id})


def valid_ruling(tournament: Tournament, match: int) -> Ruling | None:
    """Return the ruling that decides a match's result; None if the result as played counts."""
    about = (RulingKind.ADJUST, RulingKind.POINTS, RulingKind.FORFEIT, RulingKind.VOID)
    made = (one for one in reversed(tournament.rulings) if one.match == match and one.what in about)
    return next((one for one in made if not one.undone), None)


def penalties(tournament: Tournament) -> tuple[Ruling, ...]:
    """Return the penalties that are not undone."""
    return tuple(one for one in tournament.rulings if one.what is RulingKind.PENALTY and not one.undone)


def call_director(
    tournament: Tournament, *, match: int, person: int, deal: int | None, text: str, now: int
) -> Tournament:
    """Open a case about a match; the match goes on. Refusals: no_such_match, not_entered."""
    match_state = find_match(tournament, match)
    if person not in match_state.seats:
        raise TournamentRefusal(TournamentCode.NOT_ENTERED)
    number = len(tournament.cases) + 1
    case = Case(number=number, match=match, by=Person(person), at=now, text=text, deal=deal)
    after = replace(tournament, cases=(*tournament.cases, case))
    after = add_news(after, "case_open", now, audience=Audience.MATCH, match=match, numbers={"case": number})
    return add_news(
        after,
        "case_called",
        now,
        audience=Audience.DIRECTORS,
        match=match,
        about=(person,),
        numbers={"case": number, "table": match_state.table, "round": match_state.round},
        pings=True,
    )


def answer_director_call(tournament: Tournament, *, case: int, text: str, director: int, now: int) -> Tournament:
    """Answer a case and notify the match of the answer.

    Refusals: not_director, director_plays, own_match, no_case.
    """
    require_director_not_playing(tournament, director)
    found = next((one for one in tournament.cases if one.number == case and one.answered_by is None), None)
    if found is None:
        raise TournamentRefusal(TournamentCode.NO_CASE, {"case": case})
    match = tournament.match(found.match)
    require_impartial(tournament, director, match)
    answered = replace(found, answer=text, answered_by=Person(director))
    cases = tuple(answered if one.number == case else one for one in tournament.cases)
    persons = tuple(one for one in match.seats if one is not None)
    return add_news(
        replace(tournament, cases=cases),
        "case_answered",
        now,
        audience=Audience.MATCH,
        match=match.id,
        persons=persons,
        numbers={"case": case},
        texts={"answer": text},
        pings=True,
    )


def _find_match_to_rule(tournament: Tournament, match_number: int, director: int) -> MatchState:
    """Return a finished match that the director may rule on, else raise `TournamentRefusal`."""
    require_stage(tournament, *MENDING)
    match = find_match(tournament, match_number)
    require_director_not_playing(tournament, director, match)
    if match.result is None or match.voided:
        raise TournamentRefusal(TournamentCode.MATCH_OPEN, {"match": match_number})
    return match


def new_ruling(tournament: Tournament, kind: RulingKind, reason: str, *, director: int, now: int) -> Ruling:
    """Return a ruling with the next number, without the match or entry that it is about."""
    return Ruling(number=len(tournament.rulings) + 1, what=kind, reason=reason, by=Person(director), at=now)


def with_ruling(tournament: Tournament, ruling: Ruling, match: MatchState, now: int) -> Tournament:
    """Add a ruling on a match and announce it."""
    after = replace(tournament, rulings=(*tournament.rulings, ruling))
    return add_news(
        after,
        f"ruled_{ruling.what.value}",
        now,
        match=match.id,
        about=(ruling.by,),
        numbers={"table": match.table, "round": match.round, "board": ruling.board or 0},
        texts={"reason": ruling.reason},
    )
