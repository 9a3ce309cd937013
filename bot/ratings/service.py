"""The rating service: records rated matches, and returns ratings."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from bot.clocks.clock import Clock
from bot.ratings.log import RatingState, Start, export_rows, first_places, order_of, rate_all, rate_row
from bot.ratings.ratings import MU, SIGMA, START, Ladder, MatchId, RatedMatch, Rating, row_of
from bot.store.ratings import RatingRow, RatingStore, RatingWrite, StoredRating


@dataclass(frozen=True, slots=True)
class Rated:
    """A person's current rating in a ladder, and the number of matches."""

    person: int
    ladder: Ladder
    rating: Rating
    matches: int


class RatingService:
    """The only writer of ratings, one per process; handles one match at a time."""

    def __init__(self, ratings: RatingStore, clock: Clock) -> None:
        self._ratings = ratings
        self._clock = clock
        self._writing = asyncio.Lock()

    # --- matches -----------------------------------------------------------------------------------------------------

    async def rate(self, match: RatedMatch) -> bool:
        """Store a match in place of its earlier version; return whether anything changed.

        A match that is not rated (`docs/tournaments.md` 5) removes its earlier version. Later matches are recomputed.
        """
        async with self._writing:
            return await self._store_row(match.id, row_of(match))

    async def void(self, match: MatchId) -> bool:
        """Revoke a match; return whether it was recorded."""
        async with self._writing:
            return await self._store_row(match, None)

    async def knows(self, match: MatchId) -> bool:
        """Return whether a match is rated."""
        return await self._ratings.row(match.tournament, match.number) is not None

    async def log(self, tournament: int) -> tuple[RatingRow, ...]:
        """Return the log rows of all matches of a tournament, in the order of recording."""
        return await self._ratings.log(tournament)

    async def export(self, tournament: int) -> dict[str, Any]:
        """Return a tournament's log, and the earlier ratings of its players, for JSON."""
        rows = await self._ratings.log(tournament)
        start: dict[int, Start] = {}
        for person, (row, place) in first_places(rows).items():
            if person < 0:
                start[person] = (*(place.before or (MU, SIGMA)), None)
            else:
                start[person] = await self._ratings.before(person, row) or (MU, SIGMA, None)
        return export_rows(rows, start)

    async def recompute(self) -> None:
        """Recompute all ratings from the log."""
        async with self._writing:
            for family, players in await self._ratings.ladders():
                await self._recompute_ladder(Ladder(family, players), ())

    async def forget(self, person: int) -> None:
        """Remove a person from rows that were written while their deletion was in progress."""
        async with self._writing:
            await self._ratings.forget(person)

    async def _store_row(self, match: MatchId, row: RatingRow | None) -> bool:
        known = await self._ratings.row(match.tournament, match.number)
        row = row if row is None or known is None else _with_former(row, known)
        if known == row or (known is not None and row is not None and _without_ratings(known) == _without_ratings(row)):
            return False
        if known is None and row is not None and await self._is_last(row):
            await self._append(row)
            return True
        gone = () if known is None else (replace(known, seq=0, void=True, places=()),)
        for ladder in {Ladder(one.family, one.players) for one in (known, row) if one is not None}:
            those = [one for one in (*gone, row) if one is not None and (one.family, one.players) == _key(ladder)]
            await self._recompute_ladder(ladder, those)
        return True

    async def _is_last(self, row: RatingRow) -> bool:
        return order_of(row) > await self._ratings.last(row.family, row.players)

    async def _append(self, row: RatingRow) -> None:
        """Add a match after all others of its ladder."""
        ladder = Ladder(row.family, row.players)
        persons = [place.person for place in row.places]
        known = {one.person: _rating_state(one) for one in await self._of(persons) if _key(ladder) == _key_of(one)}
        done, changed = rate_row(row, known)
        await self._ratings.write(RatingWrite(new=(done,), ratings=_stored_ratings(ladder, changed)))

    async def _recompute_ladder(self, ladder: Ladder, new: Collection[RatingRow]) -> None:
        """Recompute a ladder with new rows, from its first match on, in a thread."""
        before = await self._ratings.rows(*_key(ladder))
        anew = {(one.tournament, one.number) for one in new}
        rows = [one for one in before if (one.tournament, one.number) not in anew]
        rows += [one for one in new if not one.void]
        done, standings = await asyncio.to_thread(rate_all, rows)
        known = {one.seq: one for one in before}
        by_match = {(one.tournament, one.number): one for one in done if not one.seq}
        await self._ratings.write(
            RatingWrite(
                new=tuple(one if one.void else by_match[one.tournament, one.number] for one in new),
                figured=tuple(one for one in done if one.seq and one != known[one.seq]),
                ratings=_stored_ratings(ladder, standings),
                whole=_key(ladder),
            )
        )

    # --- ratings -----------------------------------------------------------------------------------------------------

    async def rating_of(self, person: int, ladder: Ladder) -> Rating:
        """Return a person's current rating; the starting rating if unknown."""
        found = [one.rating for one in await self.ratings_of(person) if one.ladder == ladder]
        return found[0] if found else START

    async def ratings_of(self, person: int) -> tuple[Rated, ...]:
        """Return a person's ratings in all ladders, those with most matches first."""
        found = self._now(await self._ratings.of_persons([person]))
        return tuple(sorted(found, key=lambda one: (-one.matches, one.ladder)))

    async def leaderboard(
        self, ladder: Ladder, *, guild: int | None = None, people: Collection[int] | None = None
    ) -> tuple[Rated, ...]:
        """Return the ratings of a ladder that are not provisional, best first.

        They are those of all players, of a guild's players, or of the given people. The order of equals is arbitrary
        but stable.
        """
        found = self._now(await self._ratings.ladder(*_key(ladder), guild=guild))
        chosen = [one for one in found if not one.rating.provisional and (people is None or one.person in people)]
        return tuple(sorted(chosen, key=lambda one: (-one.rating.shown, -one.rating.mu, one.person)))

    async def history(self, person: int, ladder: Ladder) -> tuple[Rating, ...]:
        """Return a person's rating after each match of a ladder, oldest first."""
        return tuple(Rating(*one) for one in await self._ratings.history(person, *_key(ladder)))

    async def ladders(self) -> tuple[Ladder, ...]:
        """Return the ladders that have matches, those with most matches first."""
        return tuple(Ladder(*one) for one in await self._ratings.ladders())

    async def _of(self, persons: Iterable[int]) -> tuple[StoredRating, ...]:
        return await self._ratings.of_persons([one for one in persons if one > 0])

    def _now(self, stored: Iterable[StoredRating]) -> list[Rated]:
        now = self._clock.now()
        return [
            Rated(one.person, Ladder(one.family, one.players), _rating_state(one).at(now), one.matches)
            for one in stored
        ]


def _without_ratings(row: RatingRow) -> RatingRow:
    """Return a log row as it was before its ratings were computed."""
    return replace(row, seq=0, places=tuple(replace(place, before=None, after=None) for place in row.places))


def _with_former(row: RatingRow, known: RatingRow) -> RatingRow:
    """Return a row in which deleted players have the numbers and ratings of the stored log."""
    former = {(one.side, one.seat): one for one in known.places if one.person < 0}
    places = (
        replace(one, person=former[one.side, one.seat].person, before=former[one.side, one.seat].before)
        if one.person < 0 and (one.side, one.seat) in former
        else one
        for one in row.places
    )
    return replace(row, places=tuple(places))


def _rating_state(stored: StoredRating) -> RatingState:
    return RatingState(Rating(stored.mu, stored.sigma), stored.last, stored.matches)


def _stored_ratings(ladder: Ladder, standings: Mapping[int, RatingState]) -> tuple[StoredRating, ...]:
    return tuple(
        StoredRating(
            family=ladder.family,
            players=ladder.players,
            person=person,
            mu=one.rating.mu,
            sigma=one.rating.sigma,
            last=one.last,
            matches=one.matches,
        )
        for person, one in standings.items()
    )


def _key(ladder: Ladder) -> tuple[str, int]:
    return ladder.family, ladder.players


def _key_of(stored: StoredRating) -> tuple[str, int]:
    return stored.family, stored.players
