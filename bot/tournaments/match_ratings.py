"""Pass finished matches to the ratings, and ratings to the seeding of tournaments.

Source: `docs/tournaments.md` 5.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from bot.ratings.rating_rules import Ladder, MatchId, RatedMatch, SeatPlayed, SidePlayed, ladder_of
from bot.ratings.service import RatingService
from bot.tournaments.counted_results import ResultKind
from bot.tournaments.event.counted_results import match_as_counted, side_totals
from bot.tournaments.event.entries import Entrant
from bot.tournaments.event.match_state import MatchState, Result, RoundStage
from bot.tournaments.event.matches import side_of_seat
from bot.tournaments.event.tournament import Stage, Tournament
from bot.tournaments.formats.duplicate import board_scores

LISTS: Final = 1_000_000
"""First match number used for the ranking lists of a pairs duplicate, each rated as one game."""


class TournamentRatings:
    """Has the rating service rate the matches of tournaments; implements `bot.tournaments.rounds.Ratings`."""

    def __init__(self, ratings: RatingService) -> None:
        self._ratings = ratings

    async def ratings_of(self, persons: Sequence[int], tournament: Tournament) -> Mapping[int, float | None]:
        """Return each person's mean rating in the tournament's ladder; None without games."""
        ladder = rating_ladder_of(tournament)
        figures: dict[int, float | None] = {}
        for person in persons:
            found = (one.rating.mu for one in await self._ratings.ratings_of(person) if one.ladder == ladder)
            figures[person] = next(found, None)
        return figures

    async def pair_ratings(
        self, pairs: Sequence[tuple[int, ...]], tournament: Tournament
    ) -> Mapping[tuple[int, ...], float]:
        """Return the ratings of pairs in the tournament's ladder, leaving out provisional ones."""
        found = {pair: await self._ratings.pair_rating(pair, rating_ladder_of(tournament)) for pair in pairs}
        return {pair: one.mu for pair, one in found.items() if one is not None and not one.is_provisional}

    async def rate_matches_with_final_results(self, tournament: Tournament) -> None:
        """Rate each match with a final result once, as played; withdraw ratings of matches that no longer count."""
        if tournament.plan.counts_for_ratings:
            matches = {
                MatchId(tournament.id, number): match for number, match in _matches_with_final_results(tournament)
            }
            await self._ratings.rate_matches(matches)

    async def rating_log(self, tournament: Tournament) -> Mapping[str, Any]:
        """Return the rating log of the tournament, ready for JSON.

        It includes the earlier ratings of the people in it.
        """
        return await self._ratings.export_log(tournament.id)


def rating_ladder_of(tournament: Tournament) -> Ladder:
    """Return the rating list in which the tournament's matches count."""
    return ladder_of(tournament.plan.rules.name, tournament.plan.players)


def _matches_with_final_results(tournament: Tournament) -> Iterator[tuple[int, RatedMatch | None]]:
    """Yield each match with a final result by its number; None in place of a match that is not rated."""
    plan = tournament.plan
    if plan.duplicate is not None and not plan.is_for_teams:
        if tournament.stage is Stage.CLOSED:
            yield from _ranking_lists_as_matches(tournament)
        return
    final = {one.number for one in tournament.rounds if one.stage is RoundStage.FINAL or not plan.traits.has_rounds}
    for match in tournament.matches:
        if match.round in final and match.result is not None:
            yield match.id, _rated_match(tournament, match)


def _rated_match(tournament: Tournament, match: MatchState) -> RatedMatch | None:
    """Return the match for the ratings, by its totals as played.

    None if it was forfeited, not played or void, or if a director gave its points.
    """
    result = match.result
    if result is None or match.voided or match_as_counted(tournament, match).kind in _UNRATED or result.forfeited:
        return None
    if match_as_counted(tournament, match).set_by_director:
        return None
    totals, deals = (
        _room_totals_as_played(match) if tournament.plan.is_for_teams else _totals_as_played(result, len(match.sides))
    )
    if not deals:
        return None
    return RatedMatch(
        id=MatchId(tournament.id, match.id),
        at=result.finished_at,
        ladder=rating_ladder_of(tournament),
        guild=tournament.guild,
        sides=tuple(
            SidePlayed(seats=_seats_of_side(tournament, match, side), total=total) for side, total in enumerate(totals)
        ),
        deals=deals,
        unit=tournament.plan.scoring.swing_unit,
    )


def _totals_as_played(result: Result, sides: int) -> tuple[tuple[int, ...], int]:
    """Return each side's total as played, and the number of deals counted."""
    return side_totals(result.deals, sides), sum(not one.void for one in result.deals)


def _room_totals_as_played(match: MatchState) -> tuple[tuple[int, ...], int]:
    """Return two teams' totals over the boards played in both rooms, and the number of deals counted."""
    by_table = {(one.board, one.room): one.scores for one in match.played}
    both = [board for board in match.boards if (board, 1) in by_table and (board, 2) in by_table]
    scores = [(by_table[board, 1], by_table[board, 2]) for board in both]
    totals = (sum(one[0] + other[1] for one, other in scores), sum(one[1] + other[0] for one, other in scores))
    return totals, 2 * len(both)


_UNRATED = (ResultKind.FORFEIT, ResultKind.DOUBLE_FORFEIT, ResultKind.VOID)


def _seats_of_side(tournament: Tournament, match: MatchState, side: int) -> tuple[SeatPlayed, ...]:
    """Return the persons who played each seat of a side, and in how many deals."""
    persons: dict[int, list[tuple[int, int]]] = defaultdict(list)
    computers: dict[int, int] = defaultdict(int)
    for one in match.result.seated if match.result is not None else ():
        if one.person is None:
            computers[one.seat] += one.deals
        else:
            persons[one.seat].append((one.person, one.deals))
    return tuple(
        SeatPlayed(persons=tuple(persons[seat]), computer=computers[seat])
        for seat in range(len(match.seats))
        if side_of_seat(tournament, match, seat) == side
    )


def _seats_of_entry(tournament: Tournament, entrant: Entrant, boards: int) -> tuple[SeatPlayed, ...]:
    """Return the persons who played each seat of an entry over all its matches, and on how many boards.

    If no deals are stored for a seat, because a director gave the boards, its person counts with all `boards`.
    """
    played = [defaultdict[int, int](int) for _ in entrant.people]
    for match in tournament.matches:
        side = next((place for place, entries in enumerate(match.sides) if entrant.number in entries), None)
        if side is None or match.result is None or match.voided:
            continue
        own = [seat for seat in range(len(match.seats)) if side_of_seat(tournament, match, seat) == side]
        for one in match.result.seated:
            if one.person is not None and one.seat in own:
                played[own.index(one.seat)][one.person] += one.deals
    return tuple(
        SeatPlayed(persons=tuple(deals.items()) if any(deals.values()) else ((person, boards),))
        for person, deals in zip(entrant.people, played, strict=True)
    )


def _ranking_lists_as_matches(tournament: Tournament) -> Iterator[tuple[int, RatedMatch | None]]:
    """Yield each ranking list of a pairs duplicate as one game, whose sides are ranked by their places."""
    rows = board_scores(tournament).rows
    for place, name in enumerate(sorted({row.list_name for row in rows})):
        listed = [row for row in rows if row.list_name == name and row.place is not None]
        if len(listed) < 2:
            continue
        sides = tuple(
            SidePlayed(
                seats=_seats_of_entry(tournament, tournament.entrant(row.entry), row.boards),
                total=-(row.place or 0),
            )
            for row in listed
        )
        yield (
            LISTS + place,
            RatedMatch(
                id=MatchId(tournament.id, LISTS + place),
                at=tournament.closed_at or 0,
                ladder=rating_ladder_of(tournament),
                guild=tournament.guild,
                sides=sides,
            ),
        )
