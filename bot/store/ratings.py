"""Ratings: the log of rated matches, and the ratings calculated from it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Final

from bot.store.connection import Row, Session
from bot.store.database import Database
from bot.store.writer import Statement


@dataclass(frozen=True, slots=True)
class RatingPlace:
    """A person rated for a seat, with the side's rank (from 1) and the person's share of the match.

    `lost` says that the person gave up, whatever the side reached. `before` and `after` are mean and deviation;
    `before` is None until it is calculated, and `after` also if the person is not rated.
    """

    side: int
    seat: int
    person: int
    rank: int
    share: float
    lost: bool = False
    before: tuple[float, float] | None = None
    after: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingRow:
    """A row of the log: a match, or with `void` its cancellation. `seq` is 0 before it is written."""

    seq: int = 0
    tournament: int
    number: int
    family: str
    players: int
    guild: int
    at: int
    void: bool = False
    places: tuple[RatingPlace, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredRating:
    """A person's rating in a ladder after a number of matches, the last at `last` (UTC milliseconds)."""

    family: str
    players: int
    person: int
    mu: float
    sigma: float
    last: int
    matches: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingWrite:
    """New rows, recalculated rows and ratings that are written at once.

    With `whole`, a ladder, all other ratings of that ladder are deleted.
    """

    new: tuple[RatingRow, ...] = ()
    figured: tuple[RatingRow, ...] = ()
    ratings: tuple[StoredRating, ...] = ()
    whole: tuple[str, int] | None = None


_COUNTS: Final = """
one.void = 0 AND NOT EXISTS (
    SELECT 1 FROM rating_log AS later
    WHERE later.tournament = one.tournament AND later.number = one.number AND later.seq > one.seq
)
"""

_MATCH: Final = f"one.tournament = :tournament AND one.number = :number AND {_COUNTS}"

_LADDER: Final = f"one.family = :family AND one.players = :players AND {_COUNTS}"

_TOURNAMENT: Final = "one.tournament = :tournament"

_ROWS: Final = """
SELECT seq, tournament, number, family, players, guild_id AS guild, at, void FROM rating_log AS one WHERE {which}
ORDER BY {order}
"""

_PLACES: Final = """
SELECT place.* FROM rating_places AS place JOIN rating_log AS one ON one.seq = place.seq WHERE {which}
ORDER BY place.seq, side, seat
"""

_IN_ORDER: Final = "at, tournament, number"

_LAST: Final = f"""
SELECT at, tournament, number FROM rating_log AS one WHERE {_LADDER}
ORDER BY at DESC, tournament DESC, number DESC LIMIT 1
"""  # noqa: S608 - no value in it

_HISTORY: Final = f"""
SELECT mu_after, sigma_after FROM rating_places JOIN rating_log AS one ON one.seq = rating_places.seq
WHERE person_id = :person AND mu_after IS NOT NULL AND {_LADDER}
ORDER BY at, tournament, number
"""  # noqa: S608 - no value in it

_BEFORE: Final = f"""
SELECT mu_after, sigma_after, at FROM rating_places JOIN rating_log AS one ON one.seq = rating_places.seq
WHERE person_id = :person AND mu_after IS NOT NULL AND {_LADDER}
    AND (at, one.tournament, one.number) < (:at, :tournament, :number)
ORDER BY at DESC, tournament DESC, number DESC LIMIT 1
"""  # noqa: S608 - no value in it

_LADDERS: Final = """
SELECT family, players FROM rating_log GROUP BY family, players ORDER BY count(*) DESC, family, players
"""

_RATING: Final = "SELECT family, players, person_id AS person, mu, sigma, last, matches FROM ratings"

_RATINGS: Final = f"{_RATING} WHERE family = :family AND players = :players ORDER BY person_id"

_RATINGS_OF_GUILD: Final = f"""
{_RATING} WHERE family = :family AND players = :players AND person_id IN (
    SELECT person_id FROM rating_places JOIN rating_log AS one ON one.seq = rating_places.seq
    WHERE guild_id = :guild AND mu_after IS NOT NULL AND {_LADDER}
) ORDER BY person_id
"""  # noqa: S608 - no value in it

_RATINGS_OF: Final = f"{_RATING} WHERE person_id = :person ORDER BY family, players"

_NEW_ROW: Final = """
INSERT INTO rating_log (tournament, number, family, players, guild_id, at, void)
VALUES (:tournament, :number, :family, :players, :guild, :at, :void) RETURNING seq
"""

_NEW_PLACE: Final = """
INSERT INTO rating_places (seq, side, seat, person_id, rank, share, lost, mu_before, sigma_before, mu_after,
    sigma_after)
VALUES (:seq, :side, :seat, :person, :rank, :share, :lost, :mu_before, :sigma_before, :mu_after, :sigma_after)
"""

_FIGURED: Final = """
UPDATE rating_places SET mu_before = :mu_before, sigma_before = :sigma_before, mu_after = :mu_after,
    sigma_after = :sigma_after
WHERE seq = :seq AND side = :side AND seat = :seat
"""

_NO_RATINGS: Final = "DELETE FROM ratings WHERE family = :family AND players = :players"

_SET_RATING: Final = """
INSERT INTO ratings (family, players, person_id, mu, sigma, last, matches)
VALUES (:family, :players, :person, :mu, :sigma, :last, :matches)
ON CONFLICT (family, players, person_id)
DO UPDATE SET mu = excluded.mu, sigma = excluded.sigma, last = excluded.last, matches = excluded.matches
"""


FORGET_PLACES: Final = """
UPDATE rating_places SET person_id = -(seq * 1000000 + side * 1000 + seat + 1) WHERE person_id = :person
"""


FORGET_RATINGS: Final = "DELETE FROM ratings WHERE person_id = :person"

_NOTE_DUE: Final = "INSERT INTO ratings_due (table_id, at) VALUES (:table, :at)"

_DUE: Final = "SELECT table_id, at FROM ratings_due ORDER BY table_id LIMIT :limit"

_DONE: Final = "DELETE FROM ratings_due WHERE table_id = :table"


class RatingStore:
    """The stored ratings and their log; the last row of a match is the valid one."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def row(self, tournament: int, number: int) -> RatingRow | None:
        """Return the valid row of a match, if it has one."""
        found = await self._rating_rows(_MATCH, {"tournament": tournament, "number": number})
        return found[0] if found else None

    async def rows(self, family: str, players: int) -> tuple[RatingRow, ...]:
        """Return the valid rows of a ladder, in the order of the matches' ends."""
        return await self._rating_rows(_LADDER, {"family": family, "players": players})

    async def last(self, family: str, players: int) -> tuple[int, int, int]:
        """Return the instant, tournament and number of the ladder's last match; zeros if there is none."""
        rows = await self._database.fetch(_LAST, {"family": family, "players": players})
        return (rows[0]["at"], rows[0]["tournament"], rows[0]["number"]) if rows else (0, 0, 0)

    async def log(self, tournament: int) -> tuple[RatingRow, ...]:
        """Return all rows of a tournament's matches, in the order of writing."""
        return await self._rating_rows(_TOURNAMENT, {"tournament": tournament}, order="seq")

    async def before(self, person: int, row: RatingRow) -> tuple[float, float, int] | None:
        """Return mean, deviation and instant of the person's last match before that row in its ladder.

        None if it was the person's first.
        """
        rows = await self._database.fetch(_BEFORE, {**_row_values(row), "person": person})
        return (rows[0][0], rows[0][1], rows[0][2]) if rows else None

    async def history(self, person: int, family: str, players: int) -> tuple[tuple[float, float], ...]:
        """Return the person's ratings (mean, deviation) after each match of a ladder, in order."""
        rows = await self._database.fetch(_HISTORY, {"person": person, "family": family, "players": players})
        return tuple((row[0], row[1]) for row in rows)

    async def ladders(self) -> tuple[tuple[str, int], ...]:
        """Return the ladders of the log, those with the most rows first."""
        return tuple((row[0], row[1]) for row in await self._database.fetch(_LADDERS, {}))

    async def ladder(self, family: str, players: int, *, guild: int | None = None) -> tuple[StoredRating, ...]:
        """Return a ladder's ratings by person; with `guild`, of people rated for a match there."""
        which = {"family": family, "players": players}
        if guild is None:
            return await self._database.all(StoredRating, _RATINGS, which)
        return await self._database.all(StoredRating, _RATINGS_OF_GUILD, {**which, "guild": guild})

    async def of_persons(self, persons: Collection[int]) -> tuple[StoredRating, ...]:
        """Return the ratings of these people in all ladders."""
        found = [await self._database.all(StoredRating, _RATINGS_OF, {"person": person}) for person in persons]
        return tuple(rating for those in found for rating in those)

    async def write(self, write: RatingWrite) -> None:
        """Write all of it, or nothing."""

        def carry_out(session: Session) -> None:
            for row in write.new:
                seq = session.execute(_NEW_ROW, _row_values(row)).rows[0][0]
                for place in row.places:
                    session.execute(_NEW_PLACE, _place_values(seq, place))
            for row in write.figured:
                for place in row.places:
                    session.execute(_FIGURED, _figures(row.seq, place))
            if write.whole is not None:
                session.execute(_NO_RATINGS, {"family": write.whole[0], "players": write.whole[1]})
            for rating in write.ratings:
                session.execute(_SET_RATING, asdict(rating))

        await self._database.run(carry_out)

    async def forget(self, person: int) -> None:
        """Mask a person in the log and delete the person's ratings."""

        def carry_out(session: Session) -> None:
            for statement in (FORGET_PLACES, FORGET_RATINGS):
                session.execute(statement, {"person": person})

        await self._database.run(carry_out)

    async def due(self, limit: int) -> tuple[tuple[int, int], ...]:
        """Return at most `limit` finished games that wait to be rated, each with the instant of its end."""
        return tuple((row[0], row[1]) for row in await self._database.fetch(_DUE, {"limit": limit}))

    async def done(self, table: int) -> None:
        """Remove a finished game from the list of those that wait to be rated."""
        await self._database.write(("rating", table), Statement(_DONE, {"table": table}, rows=None))

    async def _rating_rows(
        self, which: str, parameters: Mapping[str, object], *, order: str = _IN_ORDER
    ) -> tuple[RatingRow, ...]:
        places: defaultdict[int, list[RatingPlace]] = defaultdict(list)
        for place in await self._database.fetch(_PLACES.format(which=which), parameters):
            places[place["seq"]].append(_place_of(place))
        rows = await self._database.all(RatingRow, _ROWS.format(which=which, order=order), parameters)
        return tuple(replace(row, void=bool(row.void), places=tuple(places[row.seq])) for row in rows)


def due_statement(table: int, at: int) -> Statement:
    """Return the statement that lists a game, ended at that instant, as waiting to be rated."""
    return Statement(_NOTE_DUE, {"table": table, "at": at})


def _place_of(row: Row) -> RatingPlace:
    before, after = (row["mu_before"], row["sigma_before"]), (row["mu_after"], row["sigma_after"])
    return RatingPlace(
        row["side"],
        row["seat"],
        row["person_id"],
        row["rank"],
        row["share"],
        lost=bool(row["lost"]),
        before=None if before[0] is None else before,
        after=None if after[0] is None else after,
    )


def _row_values(row: RatingRow) -> dict[str, object]:
    return {name: value for name, value in asdict(row).items() if name not in ("seq", "places")}


def _place_values(seq: int, place: RatingPlace) -> dict[str, object]:
    return {
        **_figures(seq, place),
        "person": place.person,
        "rank": place.rank,
        "share": place.share,
        "lost": int(place.lost),
    }


def _figures(seq: int, place: RatingPlace) -> dict[str, object]:
    before, after = place.before or (None, None), place.after or (None, None)
    return {
        "seq": seq,
        "side": place.side,
        "seat": place.seat,
        "mu_before": before[0],
        "sigma_before": before[1],
        "mu_after": after[0],
        "sigma_after": after[1],
    }
