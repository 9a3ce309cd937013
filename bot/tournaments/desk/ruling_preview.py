"""Previews of rulings, and who may see what rulings are based on (`docs/tournaments.md` 1.5, 7).

Only directors who do not play see open hands, cases and sealed boards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from bot.tournaments.counted_results import Deal
from bot.tournaments.event import forfeits, rulings
from bot.tournaments.event.counted_results import course_of
from bot.tournaments.event.entries import Person
from bot.tournaments.event.match_state import MatchState, RoundStage
from bot.tournaments.event.refusals import TournamentCode, TournamentRefusal
from bot.tournaments.event.teams import board_tables_of, deals_of
from bot.tournaments.event.tournament import Tournament
from bot.tournaments.event.tournament_changes import require_director
from bot.tournaments.formats.ranking import Place, Ranking
from bot.tournaments.standings.changed_places import PlaceChange, ResultChanges, changed_results


def is_playing(tournament: Tournament, person: int) -> bool:
    """Return whether the person has an entry, or sits in a match that is not over."""
    sits = (person in one.seats for one in tournament.matches if one.result is None and not one.voided)
    return tournament.entry_of(person) is not None or any(sits)


def impartial_directors(tournament: Tournament) -> tuple[Person, ...]:
    """Return the directors who do not play. If there are none, a moderator of the guild answers cases."""
    return tuple(one for one in tournament.directors if not is_playing(tournament, one))


def may_see_open_hands(tournament: Tournament, person: int) -> bool:
    """Return whether that person may see open hands, cases and sealed boards."""
    return person in impartial_directors(tournament)


def require_may_see_open_hands(tournament: Tournament, person: int) -> None:
    """Raise `TournamentRefusal` unless the person directs and does not play: not_director, plays."""
    require_director(tournament, person)
    if is_playing(tournament, person):
        raise TournamentRefusal(TournamentCode.PLAYS)


class ProposedRulingKind(StrEnum):
    """Kinds of rulings that a director may propose; the value is its stable name."""

    ADJUST = "adjust"
    POINTS = "points"
    FORFEIT = "forfeit"
    VOID = "void"
    UNDO = "undo"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedRuling:
    """A ruling on a finished match, or the undoing of one: scores by deal, points, or sides that forfeit."""

    does: ProposedRulingKind
    match: int = 0
    scores: tuple[tuple[int, ...], ...] = ()
    points: tuple[int, ...] = ()
    sides: tuple[int, ...] = ()
    ruling: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RulingPreview:
    """The effects of a ruling: changed results and places, and matches of a bracket that become void.

    `again` are matches that are played after all. `called` are later rounds that keep their pairings, `redrawn` a
    round that is drawn again.
    """

    changes: ResultChanges
    voided: tuple[int, ...] = ()
    again: tuple[int, ...] = ()
    called: tuple[int, ...] = ()
    redrawn: int | None = None


def apply_proposal(tournament: Tournament, proposal: ProposedRuling, *, director: int, now: int) -> Tournament:
    """Return the tournament with the proposed ruling made. Raises the refusals of that ruling."""
    match, reason = proposal.match, proposal.reason
    if proposal.does is ProposedRulingKind.ADJUST:
        return adjust_scores(tournament, match=match, scores=proposal.scores, reason=reason, director=director, now=now)
    if proposal.does is ProposedRulingKind.POINTS:
        winner = leading_side(proposal.points)
        return rulings.give_points(
            tournament, match=match, points=proposal.points, winner=winner, reason=reason, director=director, now=now
        )
    if proposal.does is ProposedRulingKind.FORFEIT:
        return rulings.forfeit_finished_match(
            tournament, match=match, sides=proposal.sides, reason=reason, director=director, now=now
        )
    if proposal.does is ProposedRulingKind.VOID:
        return rulings.void_finished_match(tournament, match=match, reason=reason, director=director, now=now)
    return forfeits.undo_ruling(tournament, ruling=proposal.ruling, director=director, now=now)


def adjust_scores(
    tournament: Tournament, *, match: int, scores: Sequence[Sequence[int]], reason: str, director: int, now: int
) -> Tournament:
    """Replace the scores of a match's deals, as far as the director may see them.

    Refusals as in `bot.tournaments.event.rulings`.
    """
    match_state = next((one for one in tournament.matches if one.id == match), None)
    tables = (
        ()
        if match_state is None
        else board_tables_of(tournament, match_state, sealed=may_see_open_hands(tournament, director))
    )
    return rulings.set_scores(
        tournament, match=match, scores=scores, reason=reason, director=director, now=now, tables=tables
    )


def adjustable_deals(tournament: Tournament, match: MatchState, person: int) -> tuple[Deal, ...]:
    """Return the deals of a match that a director may adjust.

    Deals of sealed boards are left out for a director who plays.
    """
    return deals_of(
        tournament, match, board_tables_of(tournament, match, sealed=may_see_open_hands(tournament, person))
    )


def leading_side(points: tuple[int, ...]) -> int | None:
    """Return the side with the most points; None if it is shared."""
    best = [side for side, worth in enumerate(points) if worth == max(points)]
    return best[0] if len(best) == 1 else None


def preview_ruling(
    before: Tournament, after: Tournament, *, round_number: int, places: tuple[Ranking, Ranking]
) -> RulingPreview:
    """Compare a tournament before and after a ruling on that round, consequences included.

    `places` are those before and after.
    """
    known = {one.id for one in before.matches if one.voided}
    voided = [one for one in after.matches if one.voided and one.id not in known and one.round <= len(after.rounds)]
    called_again = [(one.round, one.sides) for one in after.matches if one.result is None and not one.voided]
    again = [one.id for one in voided if (one.round, one.sides) in called_again]
    again += [new.id for old, new in zip(before.matches, after.matches, strict=False) if old.result and not new.result]
    called = tuple(
        one.number for one in before.rounds if one.number > round_number and one.stage is not RoundStage.DRAWN
    )
    redrawn = next(
        (one.number for one in before.rounds if one.number > round_number and one.number not in called), None
    )
    results = changed_results(course_of(before, running=True), course_of(after, running=True))
    results = tuple(one for one in results if one.match not in again)
    found = ResultChanges(turned=results, moved=place_changes(places[0].places, places[1].places))
    return RulingPreview(
        changes=found,
        voided=tuple(one.id for one in voided if one.id not in again),
        again=tuple(again),
        called=called,
        redrawn=redrawn if found.turned or found.moved else None,
    )


def place_changes(before: Sequence[Place], after: Sequence[Place]) -> tuple[PlaceChange, ...]:
    """Return the entries whose place or list has changed, in the order of the later places."""
    old, new = ({(one.list_name, one.entry): one.first for one in places} for places in (before, after))
    return tuple(
        PlaceChange(entry=key[1], before=old.get(key), after=new.get(key))
        for key in {**new, **old}
        if old.get(key) != new.get(key)
    )


def round_of_proposal(tournament: Tournament, proposal: ProposedRuling) -> int:
    """Return the round of the match or ruling that a proposal is about. Raises `KeyError`."""
    if proposal.does is not ProposedRulingKind.UNDO:
        return tournament.match(proposal.match).round
    for one in tournament.rulings:
        if one.number == proposal.ruling:
            return one.round if one.match is None else tournament.match(one.match).round
    raise KeyError(proposal.ruling)
