"""Rounds from draw to end; pausing, closing and cancelling a tournament (`docs/tournaments.md` 2)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from bot.tournaments.event.entries import Person
from bot.tournaments.event.match_state import Fixture, MatchStage, MatchState, Result, RoundDraw, RoundStage, RoundState
from bot.tournaments.event.matches import call_match
from bot.tournaments.event.refusals import TournamentCode, TournamentRefusal
from bot.tournaments.event.tournament import Audience, Stage, Tournament
from bot.tournaments.event.tournament_changes import (
    add_news,
    require_director,
    require_director_not_playing,
    require_entry_size,
    require_stage,
    with_matches,
    with_round,
)


def add_round(tournament: Tournament, draw: RoundDraw, *, now: int, call_at: int) -> Tournament:
    """Add a drawn round to the tournament, to be called at `call_at`. Refusal: entry_size."""
    require_entry_size(tournament, (entry for one in draw.fixtures for side in one.sides for entry in side))
    number = len(tournament.rounds) + 1
    turn = RoundState(
        number=number,
        part=draw.part,
        order=draw.order,
        cost=draw.cost,
        by_hand=draw.by_hand,
        away=draw.away,
        drawn_at=now,
        call_at=call_at,
    )
    matches = _new_matches(tournament, draw, number, now)
    return replace(tournament, rounds=(*tournament.rounds, turn), matches=(*tournament.matches, *matches))


def _new_matches(tournament: Tournament, draw: RoundDraw, round_number: int, now: int) -> tuple[MatchState, ...]:
    """Return the matches of a drawn round, with ids and table numbers."""
    first = max((one.id for one in tournament.matches), default=0) + 1
    return tuple(
        _new_match(fixture, id_=first + place, round_number=round_number, table=place + 1, now=now)
        for place, fixture in enumerate(draw.fixtures)
    )


def _new_match(fixture: Fixture, *, id_: int, round_number: int, table: int, now: int) -> MatchState:
    """Return a new match. It is over at once if a side forfeits because it has left."""
    match = MatchState(
        id=id_, round=round_number, table=table, sides=fixture.sides, slot=fixture.slot, boards=fixture.boards
    )
    if not fixture.forfeited:
        return match
    left = [side for side in range(len(fixture.sides)) if side not in fixture.forfeited]
    winner = left[0] if len(left) == 1 else None
    result = Result(forfeited=fixture.forfeited, winner=winner, finished_at=now)
    return replace(match, stage=MatchStage.DONE, result=result)


def replace_round(tournament: Tournament, draw: RoundDraw, *, now: int) -> Tournament:
    """Replace the newest round with another draw, which keeps its call time; its old matches become void."""
    turn = _newest_round(tournament)
    kept = replace(
        tournament, rounds=tournament.rounds[:-1], matches=_matches_after_voiding_round(tournament, turn.number)
    )
    call_at = turn.call_at if turn.stage is RoundStage.DRAWN else now
    return add_round(kept, draw, now=now, call_at=call_at)


def _matches_after_voiding_round(tournament: Tournament, round_number: int) -> tuple[MatchState, ...]:
    """Return all matches of the tournament after voiding those of that round."""
    return tuple(replace(one, voided=True) if one.round == round_number else one for one in tournament.matches)


def _newest_round(tournament: Tournament) -> RoundState:
    """Return the newest round. Refusal: no_such_round."""
    turn = tournament.current_round
    if turn is None:
        raise TournamentRefusal(TournamentCode.NO_SUCH_ROUND, {"round": 0})
    return turn


def require_redrawable_round(tournament: Tournament, *, director: int, is_played: Callable[[MatchState], bool]) -> None:
    """Raise `TournamentRefusal` unless the newest round can be drawn again.

    `is_played` returns whether a match has begun. Refusals: not_director, director_plays, wrong_stage, no_such_round,
    card_played.
    """
    require_director_not_playing(tournament, director)
    require_stage(tournament, Stage.RUNNING)
    turn = _newest_round(tournament)
    for match in tournament.matches_of(turn.number):
        if (
            turn.stage is not RoundStage.DRAWN
            and (match.called_at is not None)
            and (match.result is not None or is_played(match))
        ):
            raise TournamentRefusal(TournamentCode.CARD_PLAYED, {"match": match.id})


def call_round(tournament: Tournament, *, now: int) -> Tournament:
    """Call the drawn round: its players are called to their tables, and earlier rounds become final."""
    turn = _newest_round(tournament)
    after = tournament
    for one in tournament.rounds[:-1]:
        after = with_round(after, replace(one, stage=RoundStage.FINAL))
    after = with_round(after, replace(turn, stage=RoundStage.CALLED, called_at=now))
    return with_matches(
        after, (call_match(after, one, now) for one in after.matches_of(turn.number) if one.result is None)
    )


def is_round_over(tournament: Tournament) -> bool:
    """Return whether the called round has all its results."""
    turn = tournament.current_round
    if turn is None or turn.stage is not RoundStage.CALLED or not tournament.plan.traits.has_rounds:
        return False
    return all(one.result is not None for one in tournament.matches_of(turn.number))


def complete_round(tournament: Tournament, *, now: int) -> Tournament:
    """Mark the newest round as complete; its results may be corrected for a while."""
    turn = _newest_round(tournament)
    return with_round(tournament, replace(turn, stage=RoundStage.COMPLETE, complete_at=now))


def open_table_numbers(tournament: Tournament) -> tuple[int, ...]:
    """Return the numbers of the tables in the newest round that have no result."""
    turn = tournament.current_round
    if turn is None:
        return ()
    return tuple(one.table for one in tournament.matches_of(turn.number) if one.result is None)


def void_round(tournament: Tournament, *, director: int, reason: str, now: int) -> Tournament:
    """Void the newest called round and play it again with the same pairings.

    Entries that have left since forfeit. Boards whose cards were seen cannot be played again. Refusals:
    not_director, director_plays, wrong_stage, no_such_round, card_played.
    """
    require_director_not_playing(tournament, director)
    require_stage(tournament, Stage.RUNNING, Stage.CLOSING)
    if _newest_round(tournament).stage is RoundStage.DRAWN:
        tournament = remove_newest_round(tournament)
    turn = _newest_round(tournament)
    seen = next((one for one in tournament.matches_of(turn.number) if one.boards and one.tables), None)
    if seen is not None:
        raise TournamentRefusal(TournamentCode.CARD_PLAYED, {"match": seen.id})
    drawing = _draw_of_round(tournament, turn)
    after = replace(replace_round(tournament, drawing, now=now), stage=Stage.RUNNING)
    return add_news(
        after, "round_void", now, numbers={"round": turn.number}, texts={"reason": reason}, about=(director,)
    )


def remove_newest_round(tournament: Tournament) -> Tournament:
    """Remove the newest round. If rounds are scheduled in advance, put it back into the schedule."""
    turn = _newest_round(tournament)
    planned = tournament.plan.traits.partners_change
    return replace(
        tournament,
        rounds=tournament.rounds[:-1],
        matches=_matches_after_voiding_round(tournament, turn.number),
        schedule=(_draw_of_round(tournament, turn), *tournament.schedule) if planned else tournament.schedule,
    )


def _draw_of_round(tournament: Tournament, round_state: RoundState) -> RoundDraw:
    """Return the draw of a round as it would be now: entries that have left since then forfeit."""
    return RoundDraw(
        fixtures=tuple(
            Fixture(sides=one.sides, slot=one.slot, boards=one.boards, forfeited=_sides_that_left(tournament, one))
            for one in tournament.matches_of(round_state.number)
        ),
        away=round_state.away,
        order=round_state.order,
        cost=round_state.cost,
        part=round_state.part,
        by_hand=round_state.by_hand,
    )


def _sides_that_left(tournament: Tournament, match: MatchState) -> tuple[int, ...]:
    """Return the sides of a match with an entry that has left."""
    return tuple(
        number
        for number, entries in enumerate(match.sides)
        if not all(tournament.entrant(entry).is_active for entry in entries)
    )


def call_round_now(tournament: Tournament, *, director: int, now: int) -> Tournament:
    """Call the drawn round before its time.

    Refusals: not_director, wrong_stage, no_such_round, results_open (with the tables still playing),
    no_round_drawn.
    """
    require_director(tournament, director)
    require_stage(tournament, Stage.RUNNING)
    if _newest_round(tournament).stage is not RoundStage.DRAWN:
        tables = open_table_numbers(tournament) if tournament.plan.traits.has_rounds else ()
        if not tables:
            raise TournamentRefusal(TournamentCode.NO_ROUND_DRAWN)
        raise TournamentRefusal(TournamentCode.RESULTS_OPEN, {"tables": ", ".join(str(one) for one in tables)})
    return call_round(tournament, now=now)


def postpone_tournament(tournament: Tournament, *, director: int, amount: int, now: int) -> Tournament:
    """Delay the start, or the call of the drawn round, by `amount` milliseconds.

    Refusals: not_director, wrong_stage.
    """
    require_director(tournament, director)
    turn = tournament.current_round
    if tournament.stage in (Stage.DRAFT, Stage.OPEN, Stage.CHECK_IN):
        plan = replace(tournament.plan, starts_at=tournament.plan.starts_at + amount)
        after = replace(tournament, plan=plan)
        return add_news(after, "postponed", now, numbers={"until": plan.starts_at, "round": 0})
    require_stage(tournament, Stage.RUNNING)
    if turn is None or turn.stage is not RoundStage.DRAWN:
        raise TournamentRefusal(TournamentCode.WRONG_STAGE, {"stage": tournament.stage.value})
    after = with_round(tournament, replace(turn, call_at=turn.call_at + amount))
    return add_news(after, "postponed", now, numbers={"until": turn.call_at + amount, "round": turn.number})


def pause_tournament(tournament: Tournament, *, director: int, now: int) -> Tournament:
    """Pause the tournament. Refusals: not_director, wrong_stage, already_paused."""
    require_director(tournament, director)
    require_stage(tournament, Stage.OPEN, Stage.CHECK_IN, Stage.RUNNING)
    if tournament.is_paused:
        raise TournamentRefusal(TournamentCode.ALREADY_PAUSED)
    return add_news(replace(tournament, paused_at=now), "paused", now, about=(director,))


def resume_tournament(tournament: Tournament, *, director: int, now: int) -> tuple[Tournament, int]:
    """Resume the tournament; return it and the milliseconds by which future instants must be delayed.

    Refusals: not_director, not_paused.
    """
    require_director(tournament, director)
    if tournament.paused_at is None:
        raise TournamentRefusal(TournamentCode.NOT_PAUSED)
    after = add_news(replace(tournament, paused_at=None), "resumed", now, about=(director,))
    return after, now - tournament.paused_at


def begin_closing(tournament: Tournament) -> Tournament:
    """Enter the stage after the last round, in which directors may still correct results."""
    return replace(tournament, stage=Stage.CLOSING)


def close_tournament(tournament: Tournament, *, seed: str, now: int) -> Tournament:
    """Close the tournament: publish its seed, and make all rounds final."""
    after = replace(tournament, stage=Stage.CLOSED, closed_at=now, lot_shown=seed)
    for one in tournament.rounds:
        after = with_round(after, replace(one, stage=RoundStage.FINAL))
    return after


def reopen_tournament(tournament: Tournament, *, director: int, within: int, now: int) -> Tournament:
    """Reopen the tournament for corrections, if it was closed at most `within` milliseconds ago.

    Refusals: not_director, wrong_stage.
    """
    require_director(tournament, director)
    require_stage(tournament, Stage.CLOSED)
    if tournament.closed_at is None or now - tournament.closed_at > within:
        raise TournamentRefusal(TournamentCode.WRONG_STAGE, {"stage": tournament.stage.value})
    turn = _newest_round(tournament)
    after = replace(tournament, stage=Stage.CLOSING, closed_at=None)
    return add_news(with_round(after, replace(turn, complete_at=now)), "reopened", now, about=(director,))


def cancel_tournament(tournament: Tournament, *, director: int, reason: str, now: int) -> Tournament:
    """Cancel the tournament before its end. Refusals: not_director, wrong_stage."""
    require_director(tournament, director)
    require_stage(tournament, Stage.DRAFT, Stage.OPEN, Stage.CHECK_IN, Stage.RUNNING)
    after = replace(tournament, stage=Stage.CANCELLED, closed_at=now, paused_at=None)
    return add_news(after, "cancelled", now, texts={"reason": reason}, about=(director,))


def cancel_by_operator(tournament: Tournament, *, now: int) -> Tournament:
    """Cancel the tournament from the command line of the bot's host. Refusal: wrong_stage."""
    require_stage(tournament, Stage.DRAFT, Stage.OPEN, Stage.CHECK_IN, Stage.RUNNING)
    return add_news(replace(tournament, stage=Stage.CANCELLED, closed_at=now, paused_at=None), "cancelled_by_host", now)


def cancel_tournament_by_series(tournament: Tournament, *, now: int) -> Tournament:
    """Cancel a tournament that its series leaves out, and notify everyone who has entered.

    Refusal: wrong_stage.
    """
    require_stage(tournament, Stage.DRAFT, Stage.OPEN, Stage.CHECK_IN)
    persons = tuple(person for one in tournament.entrants if not one.has_left for person in one.people)
    after = replace(tournament, stage=Stage.CANCELLED, closed_at=now, paused_at=None)
    starts = {"at": tournament.plan.starts_at}
    return add_news(after, "called_off", now, audience=Audience.PERSONS, persons=persons, numbers=starts, pings=True)


def only_remaining_entry(tournament: Tournament) -> int | None:
    """Return the only entry that has not left; None if several or none are left.

    Source: `docs/tournaments.md` 8, cases 5 and 6.
    """
    left = [one.number for one in tournament.entrants if one.rank and not one.has_left]
    return left[0] if len(left) == 1 else None


def add_director(tournament: Tournament, *, director: int, person: int) -> Tournament:
    """Add a director. Refusal: not_director."""
    require_director(tournament, director)
    if person in tournament.directors:
        return tournament
    return replace(tournament, directors=(*tournament.directors, Person(person)))


def publish_announcement(tournament: Tournament, *, director: int, text: str, now: int) -> Tournament:
    """Publish a director's announcement. Refusal: not_director."""
    require_director(tournament, director)
    return add_news(tournament, "announcement", now, about=(director,), texts={"text": text})
