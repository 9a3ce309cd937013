"""A ladder as a tournament: one endless round with matches from challenges (`docs/tournaments.md` 3)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final, TypeVar

from bot.tournaments.counted_results import ResultKind
from bot.tournaments.event import ladder as ladder_rules
from bot.tournaments.event import rulings
from bot.tournaments.event.counted_results import match_as_counted
from bot.tournaments.event.entries import Entrant, EntryStage
from bot.tournaments.event.ladder import Ladder, LadderEvent, LadderEventKind, LadderRefusal, LadderTerms
from bot.tournaments.event.match_state import MatchState, RoundStage, RoundState
from bot.tournaments.event.matches import call_match
from bot.tournaments.event.refusals import TournamentCode, TournamentRefusal
from bot.tournaments.event.tournament import Audience, RulingKind, Stage, Tournament
from bot.tournaments.event.tournament_changes import (
    active_entrants,
    add_news,
    find_entrant,
    require_director_not_playing,
    require_entry_size,
    require_stage,
    with_entrant,
)
from bot.tournaments.formats.format import Format
from bot.tournaments.formats.ranking import Place, Ranking, round_number_or_newest
from bot.tournaments.seeded_draw import SeededDraw

T = TypeVar("T")

SLOT: Final = "C"
"""Prefix of challenge slots; the challenge's number follows."""


class LadderFormat(Format):
    """The ladder format: one endless round, whose matches come from challenges and whose places are rungs."""

    def prepare_start(self, tournament: Tournament, draws: SeededDraw, now: int) -> Tournament:
        """Return the tournament with its one round, and its entries on rungs in start order."""
        ladder = Ladder(terms=LadderTerms(reach=tournament.plan.ladder_reach))
        turn = RoundState(number=1, stage=RoundStage.CALLED, drawn_at=now, call_at=now, called_at=now)
        with_ladder = replace(tournament, ladder=ladder, rounds=(turn,))
        return self.with_consequences(tournament, with_ladder, draws, now)

    def with_consequences(self, before: Tournament, after: Tournament, draws: SeededDraw, now: int) -> Tournament:
        """Return the tournament with its ladder updated.

        Results and rulings are applied, entries that left are removed, and new ones are added at the bottom.
        """
        del before, draws
        ladder = after.ladder
        if ladder is None or after.stage not in (Stage.RUNNING, Stage.CLOSING):
            return after
        ladder = ladder_rules.replay_results(
            _apply_results(after, ladder), _winners_by_challenge(after), _rungs_by_directors(after)
        )
        inside = [one.number for one in active_entrants(after)]
        for entry in ladder.entries:
            if entry not in inside:
                ladder = ladder_rules.remove_entry(ladder, entry, now=now)
        for entry in inside:
            if entry not in ladder.entries:
                ladder = ladder_rules.add_entry(ladder, entry, now=now)
        return after if ladder == after.ladder else replace(after, ladder=ladder)

    def ranking(self, tournament: Tournament, draws: SeededDraw, after_round: int | None) -> Ranking:
        """Return the ladder's rungs as places."""
        del draws
        rungs = () if tournament.ladder is None else tournament.ladder.entries
        places = tuple(Place(first=rung, last=rung, entry=entry) for rung, entry in enumerate(rungs, 1))
        return Ranking(round_number_or_newest(tournament, after_round), places)


def _apply_results(tournament: Tournament, ladder: Ladder) -> Ladder:
    """Return the ladder after all challenges whose matches have a result."""
    for challenge in ladder.challenges:
        match = next((one for one in tournament.matches if one.slot == f"{SLOT}{challenge.number}"), None)
        if match is not None and match.result is not None:
            at, winner = match.result.finished_at, _winner_of_match(tournament, match)
            ladder = ladder_rules.record_result(ladder, challenge.number, winner=winner, now=at)
    return ladder


def _winners_by_challenge(tournament: Tournament) -> dict[int, int | None]:
    """Return the winner of each challenge, by its number; None if neither entry won."""
    return {
        int(one.slot.removeprefix(SLOT)): _winner_of_match(tournament, one)
        for one in tournament.matches
        if one.slot.startswith(SLOT) and one.result is not None
    }


def _winner_of_match(tournament: Tournament, match: MatchState) -> int | None:
    """Return the entry that won the match after rulings; None if none did."""
    counted = match_as_counted(tournament, match)
    if counted.kind is ResultKind.VOID or counted.winner is None:
        return None
    return match.sides[counted.winner][0]


def _rungs_by_directors(tournament: Tournament) -> tuple[LadderEvent, ...]:
    """Return the events by which directors have set rungs, without those undone."""
    return tuple(
        LadderEvent(at=one.at, what=LadderEventKind.RUNG, entry=one.entry, rung=one.points[0], ruling=one.number)
        for one in tournament.rulings
        if one.what is RulingKind.RUNG and one.entry is not None and not one.undone
    )


def set_rung(tournament: Tournament, *, entry: int, rung: int, reason: str, director: int, now: int) -> Tournament:
    """Put an entry on a rung, counted from 1, as a ruling that can be undone.

    Refusals: not_director, director_plays, wrong_stage, no_such_entry, ladder, rung.
    """
    require_director_not_playing(tournament, director)
    require_stage(tournament, Stage.RUNNING, Stage.CLOSING)
    ladder, entrant = tournament.ladder, find_entrant(tournament, entry)
    if ladder is None:
        raise TournamentRefusal(TournamentCode.WRONG_STAGE, {"stage": tournament.stage.value})
    rulings.require_not_own_match(tournament, entrant, director)
    _convert_ladder_refusal(lambda: ladder.rung_of(entry))
    if not 1 <= rung <= len(ladder.rungs):
        raise TournamentRefusal(TournamentCode.RUNG, {"rungs": len(ladder.rungs)})
    made = rulings.new_ruling(tournament, RulingKind.RUNG, reason, director=director, now=now)
    made = replace(made, entry=entry, points=(rung,))
    after = replace(tournament, rulings=(*tournament.rulings, made))
    numbers = {"rung": rung}
    return add_news(
        after, "ruled_rung", now, about=(director,), entries=(entry,), numbers=numbers, texts={"reason": reason}
    )


def apply_ladder_deadlines(tournament: Tournament, *, now: int) -> Tournament:
    """Apply the ladder's deadlines and announce expired challenges and removed idle entries."""
    if tournament.ladder is None:
        return tournament
    found = ladder_rules.apply_deadlines(tournament.ladder, now=now)
    after = replace(tournament, ladder=found.ladder)
    for challenge in found.lapsed:
        after = add_news(after, "challenge_lapsed", now, entries=challenge.both_entries)
    for entry in found.idle:
        idle = find_entrant(after, entry)
        after = with_entrant(after, replace(idle, stage=EntryStage.LEFT, spans=idle.spans_ending_with_round(1)))
        after = add_news(after, "ladder_idle", now, entries=(entry,))
    return after


def challenge_entry(tournament: Tournament, *, person: int, entry: int, now: int) -> Tournament:
    """Challenge another entry on behalf of the person's entry.

    Refusals: wrong_stage, not_entered, entry_size, ladder.
    """
    own, ladder = _own_entry_and_ladder(tournament, person)
    challenged = find_entrant(tournament, entry)
    require_entry_size(tournament, (own.number, entry))
    after = _change_ladder(
        tournament, lambda: ladder_rules.add_challenge(ladder, own.number, challenged=entry, now=now)
    )
    until = now + ladder.terms.accept_within
    return add_news(
        after,
        "challenged",
        now,
        persons=challenged.people,
        entries=(own.number, entry),
        numbers={"until": until},
        pings=True,
    )


def answer_challenge(tournament: Tournament, *, person: int, yes: bool, now: int) -> Tournament:
    """Accept a challenge, or decline it and lose a place on the ladder.

    Refusals: wrong_stage, not_entered, ladder.
    """
    own, ladder = _own_entry_and_ladder(tournament, person)
    open_challenge = next(
        (one for one in ladder.challenges if one.challenged == own.number and one.accepted_at is None), None
    )
    if open_challenge is None:
        raise TournamentRefusal(TournamentCode.LADDER, {"problem": ladder_rules.LadderCode.NO_CHALLENGE.value})
    if not yes:
        after = _change_ladder(
            tournament, lambda: ladder_rules.decline_open_challenge(ladder, open_challenge.number, now=now)
        )
        return add_news(after, "challenge_declined", now, entries=open_challenge.both_entries)
    after = _change_ladder(
        tournament, lambda: ladder_rules.accept_open_challenge(ladder, open_challenge.number, now=now)
    )
    number = max((one.id for one in after.matches), default=0) + 1
    match = MatchState(
        id=number,
        round=1,
        table=number,
        sides=tuple((one,) for one in open_challenge.both_entries),
        slot=f"{SLOT}{open_challenge.number}",
    )
    after = replace(after, matches=(*after.matches, call_match(after, match, now)))
    challenger = find_entrant(after, open_challenge.challenger)
    return add_news(
        after,
        "challenge_accepted",
        now,
        audience=Audience.PERSONS,
        persons=challenger.people,
        entries=open_challenge.both_entries,
        match=number,
    )


def _own_entry_and_ladder(tournament: Tournament, person: int) -> tuple[Entrant, Ladder]:
    """Return the person's entry and the ladder; refusals: wrong_stage, not_entered."""
    require_stage(tournament, Stage.RUNNING)
    own = tournament.entry_of(person)
    if own is None or tournament.ladder is None:
        raise TournamentRefusal(TournamentCode.NOT_ENTERED)
    return own, tournament.ladder


def _change_ladder(tournament: Tournament, step: Callable[[], Ladder]) -> Tournament:
    """Return the tournament with its ladder changed by `step`. Refusal: ladder."""
    return replace(tournament, ladder=_convert_ladder_refusal(step))


def _convert_ladder_refusal(step: Callable[[], T]) -> T:
    """Call the step and return its result; convert a `LadderRefusal` to a `TournamentRefusal`."""
    try:
        return step()
    except LadderRefusal as refusal:
        detail: dict[str, int | str] = {"problem": refusal.code.value, **refusal.detail}
        raise TournamentRefusal(TournamentCode.LADDER, detail) from None
