"""Ratings: the log of rated matches, and the ratings calculated from it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Final

from bot.store.database import Database
from bot.store.engines.interface import Row, Session
from bot.store.writer import Statement


@dataclass(frozen=True, slots=True)
class RatingPlace:
    """A person rated for a seat, with the side's rank (from 1) and the person's share of the match.

    `lost` says that the person gave up, which counts as last. `before` and `after` are mean and deviation; `before` is
    None until it is calculated, `after` also if the person is not rated.
    """

    side: int
    seat: int
    person: int
    rank: int
    share: float
    lost: bool = False
    before: tuple[float, float] | None = None
    after: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class RatingMargin:
    """The card points by which the first of two sides led, and the deals played.

    `unit` is the unit of swing.
    """

    points: int
    deals: int
    unit: int


@dataclass(frozen=True, slots=True)
class RatingPair:
    """The two persons of a side, rated as one player: mean and deviation before and after the match.

    `after` is None until it is calculated.
    """

    side: int
    before: tuple[float, float]
    after: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingRow:
    """A row of the log of ratings: a match, or with `void` the cancellation of one.

    `seq` is 0 before it is written. `margin` is None if only the ranks count. `pairs` has one item for each side, or
    none if sides are not rated as pairs.
    """

    seq: int = 0
    tournament: int
    number: int
    family: str
    players: int
    guild: int
    at: int
    void: bool = False
    margin: RatingMargin | None = None
    places: tuple[RatingPlace, ...] = ()
    pairs: tuple[RatingPair, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredRating:
    """A person's rating in a ladder after `matches` matches; `last` is the instant of the latest one.

    If `partner` is not 0, it is the rating of the two as one player; `partner` is then the higher number.
    """

    family: str
    players: int
    person: int
    partner: int = 0
    mu: float
    sigma: float
    last: int
    matches: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingWrite:
    """New rows, recalculated rows and ratings that are written at once.

    If `whole` is a ladder, all other ratings of that ladder are deleted.
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
SELECT seq, tournament, number, family, players, guild_id AS guild, at, void, margin, deals, unit
FROM rating_log AS one WHERE {which} ORDER BY {order}
"""

_PLACES: Final = """
SELECT place.* FROM rating_places AS place JOIN rating_log AS one ON one.seq = place.seq WHERE {which}
ORDER BY place.seq, side, seat
"""

_PAIRS: Final = """
SELECT pair.* FROM rating_pairs AS pair JOIN rating_log AS one ON one.seq = pair.seq WHERE {which}
ORDER BY pair.seq, side
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

_BEFORE_OF_PAIR: Final = f"""
SELECT pair.mu_after, pair.sigma_after, at FROM rating_places AS own
    JOIN rating_places AS other ON other.seq = own.seq AND other.side = own.side AND other.person_id = :partner
    JOIN rating_pairs AS pair ON pair.seq = own.seq AND pair.side = own.side
    JOIN rating_log AS one ON one.seq = own.seq
WHERE own.person_id = :person AND {_LADDER} AND (at, one.tournament, one.number) < (:at, :tournament, :number)
ORDER BY at DESC, one.tournament DESC, one.number DESC LIMIT 1
"""  # noqa: S608 - no value in it

_LADDERS: Final = """
SELECT family, players FROM rating_log GROUP BY family, players ORDER BY count(*) DESC, family, players
"""

_LADDERS_OF_PAIRS: Final = """
SELECT family, players FROM ratings WHERE partner_id > 0 GROUP BY family, players
"""

_RATING: Final = """
SELECT family, players, person_id AS person, partner_id AS partner, mu, sigma, last, matches FROM ratings
"""

_RATINGS: Final = f"""
{_RATING} WHERE family = :family AND players = :players
    AND CASE WHEN partner_id > 0 THEN 1 ELSE 0 END = :pairs ORDER BY person_id, partner_id
"""

_RATINGS_OF_GUILD: Final = f"""
{_RATING} WHERE family = :family AND players = :players AND partner_id = 0 AND person_id IN (
    SELECT person_id FROM rating_places JOIN rating_log AS one ON one.seq = rating_places.seq
    WHERE guild_id = :guild AND mu_after IS NOT NULL AND {_LADDER}
) ORDER BY person_id
"""  # noqa: S608 - no value in it

_PAIR_RATINGS_OF_GUILD: Final = f"""
{_RATING} WHERE family = :family AND players = :players AND (person_id, partner_id) IN (
    SELECT own.person_id, other.person_id FROM rating_pairs AS pair JOIN rating_log AS one ON one.seq = pair.seq
        JOIN rating_places AS own ON own.seq = pair.seq AND own.side = pair.side
        JOIN rating_places AS other ON other.seq = pair.seq AND other.side = pair.side
    WHERE guild_id = :guild AND own.person_id < other.person_id AND {_LADDER}
) ORDER BY person_id, partner_id
"""  # noqa: S608 - no value in it

_RATINGS_OF: Final = f"{_RATING} WHERE person_id = :person AND partner_id = 0 ORDER BY family, players"

_PAIR_RATINGS_OF: Final = f"""
{_RATING} WHERE partner_id > 0 AND (person_id = :person OR partner_id = :person)
ORDER BY family, players, person_id, partner_id
"""

_NEW_ROW: Final = """
INSERT INTO rating_log (tournament, number, family, players, guild_id, at, void, margin, deals, unit)
VALUES (:tournament, :number, :family, :players, :guild, :at, :void, :points, :deals, :unit) RETURNING seq
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

_NO_PAIRS: Final = "DELETE FROM rating_pairs WHERE seq = :seq"

_NEW_PAIR: Final = """
INSERT INTO rating_pairs (seq, side, mu_before, sigma_before, mu_after, sigma_after)
VALUES (:seq, :side, :mu_before, :sigma_before, :mu_after, :sigma_after)
"""

_NO_RATINGS: Final = "DELETE FROM ratings WHERE family = :family AND players = :players"

_SET_RATING: Final = """
INSERT INTO ratings (family, players, person_id, partner_id, mu, sigma, last, matches)
VALUES (:family, :players, :person, :partner, :mu, :sigma, :last, :matches)
ON CONFLICT (family, players, person_id, partner_id)
DO UPDATE SET mu = excluded.mu, sigma = excluded.sigma, last = excluded.last, matches = excluded.matches
"""


FORGET_PLACES: Final = """
UPDATE rating_places SET person_id = -(seq * 1000000 + side * 1000 + seat + 1) WHERE person_id = :person
"""


FORGET_RATINGS: Final = "DELETE FROM ratings WHERE person_id = :person OR partner_id = :person"

_LAW: Final = "SELECT number FROM rating_law"

_SET_LAW: Final = "INSERT INTO rating_law (id, number) VALUES (1, :law) ON CONFLICT (id) DO UPDATE SET number = :law"


class RatingStore:
    """The stored ratings, and the log of rated matches; the last row of a match is the valid one."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.set_aside = database.set_aside

    async def valid_row(self, tournament: int, number: int) -> RatingRow | None:
        """Return the valid row of a match; None if it was never rated."""
        found = await self._rating_rows(_MATCH, {"tournament": tournament, "number": number})
        return found[0] if found else None

    async def rows_that_count(self, tournament: int) -> tuple[RatingRow, ...]:
        """Return the matches of a tournament that count, in the order of their ends."""
        return await self._rating_rows(f"{_TOURNAMENT} AND {_COUNTS}", {"tournament": tournament})

    async def ladder_rows(self, family: str, players: int) -> tuple[RatingRow, ...]:
        """Return the valid rows of a ladder, in the order of the matches' ends."""
        return await self._rating_rows(_LADDER, {"family": family, "players": players})

    async def last_match(self, family: str, players: int) -> tuple[int, int, int]:
        """Return the instant, tournament and number of the ladder's last match; zeros if there is none."""
        rows = await self._database.fetch(_LAST, {"family": family, "players": players})
        return (rows[0]["at"], rows[0]["tournament"], rows[0]["number"]) if rows else (0, 0, 0)

    async def logged_rows(self, tournament: int) -> tuple[RatingRow, ...]:
        """Return all rows of a tournament's matches, in the order of writing."""
        return await self._rating_rows(_TOURNAMENT, {"tournament": tournament}, order="seq")

    async def rating_before(self, person: int, row: RatingRow) -> tuple[float, float, int] | None:
        """Return mean, deviation and instant of the person's previous match in the ladder of `row`.

        Return None if it was the person's first.
        """
        rows = await self._database.fetch(_BEFORE, {**_row_values(row), "person": person})
        return (rows[0][0], rows[0][1], rows[0][2]) if rows else None

    async def pair_rating_before(self, pair: tuple[int, int], row: RatingRow) -> tuple[float, float, int] | None:
        """Return mean, deviation and instant of the pair's previous match in the ladder of `row`, or None."""
        which = {**_row_values(row), "person": pair[0], "partner": pair[1]}
        rows = await self._database.fetch(_BEFORE_OF_PAIR, which)
        return (rows[0][0], rows[0][1], rows[0][2]) if rows else None

    async def history(self, person: int, family: str, players: int) -> tuple[tuple[float, float], ...]:
        """Return the person's mean and deviation after each match of a ladder, in order."""
        rows = await self._database.fetch(_HISTORY, {"person": person, "family": family, "players": players})
        return tuple((row[0], row[1]) for row in rows)

    async def ladders(self) -> tuple[tuple[str, int], ...]:
        """Return the ladders that the log contains, those with the most rows first."""
        return tuple((row[0], row[1]) for row in await self._database.fetch(_LADDERS, {}))

    async def pair_ladders(self) -> tuple[tuple[str, int], ...]:
        """Return the ladders in which pairs have ratings."""
        return tuple((row[0], row[1]) for row in await self._database.fetch(_LADDERS_OF_PAIRS, {}))

    async def ladder_ratings(
        self, family: str, players: int, *, guild: int | None = None, pairs: bool = False
    ) -> tuple[StoredRating, ...]:
        """Return a ladder's ratings of persons or of `pairs`; with `guild` only those rated in that server."""
        which = {"family": family, "players": players}
        if guild is None:
            return await self._database.fetch_all(StoredRating, _RATINGS, {**which, "pairs": int(pairs)})
        query = _PAIR_RATINGS_OF_GUILD if pairs else _RATINGS_OF_GUILD
        return await self._database.fetch_all(StoredRating, query, {**which, "guild": guild})

    async def ratings_of_persons(self, persons: Collection[int]) -> tuple[StoredRating, ...]:
        """Return the ratings of these people in all ladders."""
        found = [await self._database.fetch_all(StoredRating, _RATINGS_OF, {"person": person}) for person in persons]
        return tuple(rating for those in found for rating in those)

    async def pair_ratings_of(self, person: int) -> tuple[StoredRating, ...]:
        """Return the ratings of all pairs that the person is in, in all ladders."""
        return await self._database.fetch_all(StoredRating, _PAIR_RATINGS_OF, {"person": person})

    async def formula_version(self) -> int | None:
        """Return the version of the rating formula used for the stored ratings; None in a new file."""
        return await self._database.fetch_number(_LAW, {})

    async def set_formula_version(self, version: int) -> None:
        """Store the version of the rating formula used for all ratings."""
        await self._database.write(("rating law",), Statement(_SET_LAW, {"law": version}))

    async def write(self, write: RatingWrite) -> None:
        """Write rows and ratings in one transaction."""

        def write_in_transaction(session: Session) -> None:
            for row in write.new:
                seq = session.execute(_NEW_ROW, _row_values(row)).rows[0][0]
                for place in row.places:
                    session.execute(_NEW_PLACE, _place_values(seq, place))
                for pair in row.pairs:
                    session.execute(_NEW_PAIR, _rating_values(seq, pair))
            for row in write.figured:
                for place in row.places:
                    session.execute(_FIGURED, {**_rating_values(row.seq, place), "seat": place.seat})
                session.execute(_NO_PAIRS, {"seq": row.seq})
                for pair in row.pairs:
                    session.execute(_NEW_PAIR, _rating_values(row.seq, pair))
            if write.whole is not None:
                session.execute(_NO_RATINGS, {"family": write.whole[0], "players": write.whole[1]})
            for rating in write.ratings:
                session.execute(_SET_RATING, asdict(rating))

        await self._database.run(write_in_transaction)

    async def forget(self, person: int) -> None:
        """Mask a person in the log of ratings, and delete the person's ratings."""

        def write_in_transaction(session: Session) -> None:
            for statement in (FORGET_PLACES, FORGET_RATINGS):
                session.execute(statement, {"person": person})

        await self._database.run(write_in_transaction)

    async def _rating_rows(
        self, which: str, parameters: Mapping[str, object], *, order: str = _IN_ORDER
    ) -> tuple[RatingRow, ...]:
        """Return rows of the log with their places and pairs.

        The rows are read before the places, because a row that is written meanwhile would otherwise have none.
        """
        rows = await self._database.fetch(_ROWS.format(which=which, order=order), parameters)
        places: defaultdict[int, list[RatingPlace]] = defaultdict(list)
        pairs: defaultdict[int, list[RatingPair]] = defaultdict(list)
        for place in await self._database.fetch(_PLACES.format(which=which), parameters):
            places[place["seq"]].append(_read_place(place))
        for pair in await self._database.fetch(_PAIRS.format(which=which), parameters):
            before, after = _read_ratings_before_and_after(pair)
            pairs[pair["seq"]].append(RatingPair(pair["side"], before or (0.0, 0.0), after))
        return tuple(_row_with_places(row, places[row["seq"]], pairs[row["seq"]]) for row in rows)


def _row_with_places(row: Row, places: Sequence[RatingPlace], pairs: Sequence[RatingPair]) -> RatingRow:
    """Return a row of the log with its places and pairs."""
    margin = None if row["margin"] is None else RatingMargin(row["margin"], row["deals"], row["unit"])
    named = {name: row[name] for name in ("seq", "tournament", "number", "family", "players", "guild", "at")}
    return RatingRow(**named, void=bool(row["void"]), margin=margin, places=tuple(places), pairs=tuple(pairs))


def _read_place(row: Row) -> RatingPlace:
    """Return the place of a person that a database row holds."""
    before, after = _read_ratings_before_and_after(row)
    return RatingPlace(
        row["side"],
        row["seat"],
        row["person_id"],
        row["rank"],
        row["share"],
        lost=bool(row["lost"]),
        before=before,
        after=after,
    )


def _read_ratings_before_and_after(row: Row) -> tuple[tuple[float, float] | None, tuple[float, float] | None]:
    """Return the mean and deviation in a database row, before and after a match; None where there is none."""
    before, after = (row["mu_before"], row["sigma_before"]), (row["mu_after"], row["sigma_after"])
    return None if before[0] is None else before, None if after[0] is None else after


def _row_values(row: RatingRow) -> dict[str, object]:
    """Return the columns of a row of the log, as values for a statement."""
    margin = row.margin
    names = ("tournament", "number", "family", "players", "guild", "at", "void")
    return {
        **{name: getattr(row, name) for name in names},
        "points": None if margin is None else margin.points,
        "deals": None if margin is None else margin.deals,
        "unit": None if margin is None else margin.unit,
    }


def _place_values(seq: int, place: RatingPlace) -> dict[str, object]:
    """Return the columns of a rated person's place, as values for a statement."""
    return {
        **_rating_values(seq, place),
        "seat": place.seat,
        "person": place.person,
        "rank": place.rank,
        "share": place.share,
        "lost": int(place.lost),
    }


def _rating_values(seq: int, rated: RatingPlace | RatingPair) -> dict[str, object]:
    """Return the mean and deviation before and after a match, as values for a statement."""
    before, after = rated.before or (None, None), rated.after or (None, None)
    return {
        "seq": seq,
        "side": rated.side,
        "mu_before": before[0],
        "sigma_before": before[1],
        "mu_after": after[0],
        "sigma_after": after[1],
    }
