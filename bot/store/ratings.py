"""The part of the store that is about ratings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import asdict, replace
from typing import Any, Final

from bot.store.asking import Asking
from bot.store.ratings_protocol import RatingPlace, RatingRow, RatingWrite, StoredRating
from bot.store.writer import Run, Statement, Write

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

# Each match gets a number of its own, and the rating that the person had stays noted there for the others' sake.
FORGET_PLACES: Final = """
UPDATE rating_places SET person_id = -(seq * 1000000 + side * 1000 + seat + 1) WHERE person_id = :person
"""

FORGET_RATINGS: Final = "DELETE FROM ratings WHERE person_id = :person"

_NOTE_DUE: Final = "INSERT INTO ratings_due (table_id, at) VALUES (:table, :at)"

_DUE: Final = "SELECT table_id, at FROM ratings_due ORDER BY table_id LIMIT :limit"

_DONE: Final = "DELETE FROM ratings_due WHERE table_id = :table"


class RatingTables(Asking):
    """See `bot.store.ratings_protocol.RatingsStore`, which this keeps."""

    async def rating_row(self, tournament: int, number: int) -> RatingRow | None:
        found = await self._rating_rows(_MATCH, {"tournament": tournament, "number": number})
        return found[0] if found else None

    async def rating_rows(self, family: str, players: int) -> tuple[RatingRow, ...]:
        return await self._rating_rows(_LADDER, {"family": family, "players": players})

    async def last_rated(self, family: str, players: int) -> tuple[int, int, int]:
        rows = await self._database.read(_LAST, {"family": family, "players": players})
        return (rows[0]["at"], rows[0]["tournament"], rows[0]["number"]) if rows else (0, 0, 0)

    async def rating_log(self, tournament: int) -> tuple[RatingRow, ...]:
        return await self._rating_rows(_TOURNAMENT, {"tournament": tournament}, order="seq")

    async def rating_before(self, person: int, row: RatingRow) -> tuple[float, float, int] | None:
        rows = await self._database.read(_BEFORE, {**_row_values(row), "person": person})
        return (rows[0][0], rows[0][1], rows[0][2]) if rows else None

    async def rating_history(self, person: int, family: str, players: int) -> tuple[tuple[float, float], ...]:
        rows = await self._database.read(_HISTORY, {"person": person, "family": family, "players": players})
        return tuple((row[0], row[1]) for row in rows)

    async def rating_ladders(self) -> tuple[tuple[str, int], ...]:
        return tuple((row[0], row[1]) for row in await self._database.read(_LADDERS, {}))

    async def ratings(self, family: str, players: int, *, guild: int | None = None) -> tuple[StoredRating, ...]:
        which = {"family": family, "players": players}
        if guild is None:
            return await self._all(StoredRating, _RATINGS, which)
        return await self._all(StoredRating, _RATINGS_OF_GUILD, {**which, "guild": guild})

    async def ratings_of(self, persons: Collection[int]) -> tuple[StoredRating, ...]:
        found = [await self._all(StoredRating, _RATINGS_OF, {"person": person}) for person in persons]
        return tuple(rating for those in found for rating in those)

    async def write_ratings(self, write: RatingWrite) -> None:
        def carry_out(run: Run) -> None:
            for row in write.new:
                (created,) = run(_NEW_ROW, _row_values(row))
                for place in row.places:
                    run(_NEW_PLACE, _place_values(created["seq"], place))
            for row in write.figured:
                for place in row.places:
                    run(_FIGURED, _figures(row.seq, place))
            if write.whole is not None:
                run(_NO_RATINGS, {"family": write.whole[0], "players": write.whole[1]})
            for rating in write.ratings:
                run(_SET_RATING, asdict(rating))

        await self._database.write(carry_out)

    async def forget_ratings(self, person: int) -> None:
        def carry_out(run: Run) -> None:
            for statement in (FORGET_PLACES, FORGET_RATINGS):
                run(statement, {"person": person})

        await self._database.write(carry_out)

    async def ratings_due(self, limit: int) -> tuple[tuple[int, int], ...]:
        return tuple((row[0], row[1]) for row in await self._database.read(_DUE, {"limit": limit}))

    async def rating_done(self, table: int) -> None:
        await self._database.write(Write(("rating", table), (Statement(_DONE, {"table": table}, rows=None),)))

    async def _rating_rows(
        self, which: str, parameters: Mapping[str, object], *, order: str = _IN_ORDER
    ) -> tuple[RatingRow, ...]:
        places: defaultdict[int, list[RatingPlace]] = defaultdict(list)
        for place in await self._database.read(_PLACES.format(which=which), parameters):
            places[place["seq"]].append(_place_of(place))
        rows = await self._all(RatingRow, _ROWS.format(which=which, order=order), parameters)
        return tuple(replace(row, void=bool(row.void), places=tuple(places[row.seq])) for row in rows)


def due_statement(table: int, at: int) -> Statement:
    """What notes that a game which ended at that instant is to be rated."""
    return Statement(_NOTE_DUE, {"table": table, "at": at})


def _place_of(row: Any) -> RatingPlace:
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
