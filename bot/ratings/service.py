"""The rating service: records rated matches, and returns ratings."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from bot.clocks.clock import Clock
from bot.ratings.log_replay import (
    RatedOwner,
    RatingState,
    Start,
    export_rows,
    first_matches,
    is_valid_rating,
    match_sort_key,
    rate_all_matches,
    rate_further_matches,
)
from bot.ratings.rating_rules import LAW, MU, SIGMA, START, Ladder, MatchId, RatedMatch, Rating, unrated_row
from bot.store.errors import DAMAGED
from bot.store.ratings import RatingPair, RatingRow, RatingStore, RatingWrite, StoredRating

logger = logging.getLogger("canasta.ratings")


@dataclass(frozen=True, slots=True)
class LadderRating:
    """The current rating of a person in a ladder, and the number of rated matches.

    With `partner` it is that of the two as a pair.
    """

    person: int
    ladder: Ladder
    rating: Rating
    matches: int
    partner: int | None = None


class RatingService:
    """The only writer of ratings, one per process; handles one match at a time."""

    def __init__(self, ratings: RatingStore, clock: Clock) -> None:
        self._ratings = ratings
        self._clock = clock
        self._writing = asyncio.Lock()

    # --- matches -----------------------------------------------------------------------------------------------------

    async def rate_match(self, match: RatedMatch) -> bool:
        """Record a match in place of any earlier record of it; return whether anything has changed.

        If it is not to be rated (`docs/tournaments.md` 5), an earlier record of it is revoked. Later matches of the
        ladder are computed again.
        """
        return await self.rate_matches({match.id: match})

    async def revoke_match(self, match: MatchId) -> bool:
        """Revoke the record of a match; return whether there was one."""
        return await self.rate_matches({match: None})

    async def rate_matches(self, matches: Mapping[MatchId, RatedMatch | None]) -> bool:
        """Record these matches, and revoke those given as None; return whether anything has changed.

        There is one transaction for each ladder.
        """
        async with self._writing:
            return await self._record_matches(
                {key: None if one is None else unrated_row(one) for key, one in matches.items()}
            )

    async def is_rated(self, match: MatchId) -> bool:
        """Return whether a valid record of the match exists."""
        return await self._ratings.valid_row(match.tournament, match.number) is not None

    async def tournament_log(self, tournament: int) -> tuple[RatingRow, ...]:
        """Return the log rows of all matches of a tournament, in the order of recording."""
        return await self._ratings.logged_rows(tournament)

    async def export_log(self, tournament: int) -> dict[str, Any]:
        """Return a tournament's log, with the earlier ratings of its players, as data for JSON."""
        rows = await self._ratings.logged_rows(tournament)
        start: dict[RatedOwner, Start] = {}
        for who, (row, before) in first_matches(rows).items():
            if who[0] < 0:
                start[who] = (*(before or (MU, SIGMA)), None)
            elif len(who) == 1:
                start[who] = await self._ratings.rating_before(who[0], row) or (MU, SIGMA, None)
            else:
                start[who] = await self._ratings.pair_rating_before((who[0], who[1]), row) or (MU, SIGMA, None)
        return export_rows(rows, start)

    async def apply_formula_version(self) -> None:
        """Compute all ratings again if they were computed by another version of the rules.

        Call it before any rating is shown. The version is stored last, so that a process that dies on the way begins
        again at the next start.
        """
        stored = await self._ratings.formula_version()
        if stored == LAW:
            return
        await self.recompute_all_ladders()
        await self._ratings.set_formula_version(LAW)
        if stored is not None:
            logger.info("all ratings are computed again by law %d", LAW)

    async def recompute_all_ladders(self) -> None:
        """Recompute all ratings from the log."""
        async with self._writing:
            for family, players in await self._ratings.ladders():
                await self._recompute_ladder(Ladder(family, players), ())

    async def forget(self, person: int) -> None:
        """Remove a person from the log, for rows that were written while their deletion was in progress."""
        async with self._writing:
            await self._ratings.forget(person)

    async def _record_matches(self, matches: Mapping[MatchId, RatingRow | None]) -> bool:
        known = await self._rows_that_count(matches)
        changed: dict[MatchId, RatingRow | None] = {}
        for match, row in matches.items():
            old = known.get(match)
            new = row if row is None or old is None else _row_with_former_players(row, old)
            if _row_without_ratings(old) != _row_without_ratings(new):
                changed[match] = new
        gone = [known[match] for match in changed if match in known]
        new_rows = [row for row in changed.values() if row is not None]
        for ladder in sorted({_ladder_of(row) for row in (*gone, *new_rows)}):
            voids = [replace(row, seq=0, void=True, margin=None, places=(), pairs=()) for row in gone]
            those = [row for row in (*voids, *new_rows) if _ladder_of(row) == ladder]
            if any(row.void for row in those) or not await self._are_latest_matches(ladder, those):
                await self._recompute_ladder(ladder, those)
            else:
                await self._append_matches(ladder, those)
        return bool(changed)

    async def _rows_that_count(self, matches: Collection[MatchId]) -> dict[MatchId, RatingRow]:
        """Return the valid rows of the log for these matches, by match.

        For several matches, all valid rows of their tournaments are returned.
        """
        rows: list[RatingRow | None] = []
        if len(matches) == 1:
            rows += [await self._ratings.valid_row(one.tournament, one.number) for one in matches]
        else:
            for tournament in {one.tournament for one in matches}:
                rows += await self._ratings.rows_that_count(tournament)
        return {MatchId(row.tournament, row.number): row for row in rows if row is not None}

    async def _are_latest_matches(self, ladder: Ladder, rows: Collection[RatingRow]) -> bool:
        """Return whether these matches are later than all others of the ladder."""
        return min(map(match_sort_key, rows)) > await self._ratings.last_match(*_ladder_key(ladder))

    async def _append_matches(self, ladder: Ladder, rows: Collection[RatingRow]) -> None:
        """Rate and store matches that are later than all others of their ladder."""
        persons = {place.person for row in rows for place in row.places}
        stored = [*await self._load_ratings(persons), *await self._load_pair_ratings(persons)]
        if len(self._readable_ratings(stored)) < len(stored):
            await self._recompute_ladder(ladder, rows)
            return
        known = {_owner_of_rating(one): _rating_state(one) for one in stored if _ladder_key(ladder) == _rating_key(one)}
        done, standings = await asyncio.to_thread(rate_further_matches, rows, known)
        changed = {who: one for who, one in standings.items() if known.get(who) != one}
        await self._ratings.write(RatingWrite(new=done, ratings=_stored_ratings(ladder, changed)))

    async def _recompute_ladder(self, ladder: Ladder, new: Collection[RatingRow]) -> None:
        """Recompute all matches of a ladder together with these new rows, in a thread, and store the result."""
        before = await self._ratings.ladder_rows(*_ladder_key(ladder))
        replaced = {(one.tournament, one.number) for one in new}
        rows = [one for one in before if (one.tournament, one.number) not in replaced]
        rows += [one for one in new if not one.void]
        done, standings = await asyncio.to_thread(rate_all_matches, rows)
        for seq in {one.seq for one in rows} - {one.seq for one in done}:
            self._ratings.set_aside.note("rating", seq, "no match that can be rated")
        known = {one.seq: one for one in before}
        by_match = {(one.tournament, one.number): one for one in done if not one.seq}
        await self._ratings.write(
            RatingWrite(
                new=tuple(one if one.void else by_match[one.tournament, one.number] for one in new),
                figured=tuple(one for one in done if one.seq and one != known[one.seq]),
                ratings=_stored_ratings(ladder, standings),
                whole=_ladder_key(ladder),
            )
        )

    async def differing_ladders(self) -> tuple[Ladder, ...]:
        """Return the ladders whose stored ratings differ from those that follow from the log."""
        found = []
        for family, players in await self._ratings.ladders():
            _, standings = rate_all_matches(await self._ratings.ladder_rows(family, players))
            ladder = Ladder(family, players)
            stored = [
                one
                for pairs in (False, True)
                for one in await self._ratings.ladder_ratings(family, players, pairs=pairs)
            ]
            if {(one.person, one.partner): one for one in stored} != {
                (one.person, one.partner): one for one in _stored_ratings(ladder, standings)
            }:
                found.append(ladder)
        return tuple(found)

    # --- ratings -----------------------------------------------------------------------------------------------------

    async def rating_of(self, person: int, ladder: Ladder) -> Rating:
        """Return a person's current rating; the starting rating if unknown."""
        found = [one.rating for one in await self.ratings_of(person) if one.ladder == ladder]
        return found[0] if found else START

    async def ratings_of(self, person: int) -> tuple[LadderRating, ...]:
        """Return a person's ratings in all ladders, those with most matches first."""
        found = self._current_ratings(await self._ratings.ratings_of_persons([person]))
        return tuple(sorted(found, key=lambda one: (-one.matches, one.ladder)))

    async def pair_ratings_of(self, person: int) -> tuple[LadderRating, ...]:
        """Return the ratings of the pairs that a person is in, those with most matches first.

        The `partner` of each is the other person.
        """
        found = (
            one if one.person == person else replace(one, person=person, partner=one.person)
            for one in self._current_ratings(await self._ratings.pair_ratings_of(person))
        )
        return tuple(sorted(found, key=lambda one: (-one.matches, one.ladder, one.partner or 0)))

    async def pair_rating(self, persons: Collection[int], ladder: Ladder) -> Rating | None:
        """Return the rating of two persons as a pair; None if they have none."""
        one, other = sorted(persons)
        found = (
            pair.rating for pair in await self.pair_ratings_of(one) if (pair.partner, pair.ladder) == (other, ladder)
        )
        return next(found, None)

    async def leaderboard(
        self, ladder: Ladder, *, guild: int | None = None, people: Collection[int] | None = None, pairs: bool = False
    ) -> tuple[LadderRating, ...]:
        """Return a ladder's ratings, best first, without provisional ones; with `pairs`, those of pairs.

        `guild` limits them to a server's players, `people` to these people. Equal ratings come in an arbitrary order
        that is always the same.
        """
        found = self._current_ratings(
            await self._ratings.ladder_ratings(*_ladder_key(ladder), guild=guild, pairs=pairs)
        )
        chosen = [one for one in found if not one.rating.is_provisional and (people is None or one.person in people)]
        return tuple(
            sorted(chosen, key=lambda one: (-one.rating.displayed_value, -one.rating.mu, one.person, one.partner or 0))
        )

    async def rating_history(self, person: int, ladder: Ladder) -> tuple[Rating, ...]:
        """Return a person's rating after each match of a ladder, oldest first."""
        figures = await self._ratings.history(person, *_ladder_key(ladder))
        return tuple(Rating(*one) for one in figures if is_valid_rating(one))

    async def ladders(self) -> tuple[Ladder, ...]:
        """Return the ladders that have matches, those with most matches first."""
        return tuple(Ladder(*one) for one in await self._ratings.ladders())

    async def pair_ladders(self) -> frozenset[Ladder]:
        """Return the ladders in which pairs have ratings."""
        return frozenset(Ladder(*one) for one in await self._ratings.pair_ladders())

    async def _load_pair_ratings(self, persons: Collection[int]) -> tuple[StoredRating, ...]:
        """Return the stored ratings of pairs both of whose persons are among these."""
        found = [pair for one in persons if one > 0 for pair in await self._ratings.pair_ratings_of(one)]
        return tuple(pair for pair in found if pair.person in persons and pair.partner in persons)

    async def _load_ratings(self, persons: Iterable[int]) -> tuple[StoredRating, ...]:
        return await self._ratings.ratings_of_persons([one for one in persons if one > 0])

    def _readable_ratings(self, stored: Iterable[StoredRating]) -> list[StoredRating]:
        """Return the ratings that can be read; note the others as set aside."""
        found = []
        for one in stored:
            if one.family != DAMAGED and is_valid_rating((one.mu, one.sigma)):
                found.append(one)
            else:
                self._ratings.set_aside.note("rating", one.person, "no rating")
        return found

    def _current_ratings(self, stored: Iterable[StoredRating]) -> list[LadderRating]:
        now = self._clock.now()
        return [
            LadderRating(
                one.person,
                Ladder(one.family, one.players),
                _rating_state(one).rating_at(now),
                one.matches,
                one.partner or None,
            )
            for one in self._readable_ratings(stored)
        ]


def _row_without_ratings(row: RatingRow | None) -> RatingRow | None:
    """Return a log row as it was before its ratings were computed."""
    if row is None:
        return None
    places = tuple(replace(place, before=None, after=None) for place in row.places)
    return replace(row, seq=0, places=places, pairs=())


def _row_with_former_players(row: RatingRow, known: RatingRow) -> RatingRow:
    """Return a row in which deleted players have the numbers and ratings of the row in the log."""
    former = {(one.side, one.seat): one for one in known.places if one.person < 0}
    places = (
        replace(one, person=former[one.side, one.seat].person, before=former[one.side, one.seat].before)
        if one.person < 0 and (one.side, one.seat) in former
        else one
        for one in row.places
    )
    pairs = tuple(RatingPair(pair.side, pair.before) for pair in known.pairs)
    return replace(row, places=tuple(places), pairs=pairs)


def _owner_of_rating(stored: StoredRating) -> RatedOwner:
    return (stored.person, stored.partner) if stored.partner else (stored.person,)


def _rating_state(stored: StoredRating) -> RatingState:
    return RatingState(Rating(stored.mu, stored.sigma), stored.last, stored.matches)


def _stored_ratings(ladder: Ladder, standings: Mapping[RatedOwner, RatingState]) -> tuple[StoredRating, ...]:
    return tuple(
        StoredRating(
            family=ladder.family,
            players=ladder.players,
            person=who[0],
            partner=who[1] if len(who) > 1 else 0,
            mu=one.rating.mu,
            sigma=one.rating.sigma,
            last=one.last,
            matches=one.matches,
        )
        for who, one in standings.items()
    )


def _ladder_of(row: RatingRow) -> Ladder:
    return Ladder(row.family, row.players)


def _ladder_key(ladder: Ladder) -> tuple[str, int]:
    return ladder.family, ladder.players


def _rating_key(stored: StoredRating) -> tuple[str, int]:
    return stored.family, stored.players
