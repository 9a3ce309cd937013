"""All database tables with data of people: how a person is deleted from each, and what is exported."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.store.ratings import FORGET_PLACES, FORGET_RATINGS


@dataclass(frozen=True, slots=True)
class PersonalTable:
    """A database table that holds people, and how it is changed when one is deleted.

    `export` selects the rows for a person's data export, under the name `exported_as`; `is_json` means that they have
    one column of JSON texts, whose contents are exported.
    """

    table: str
    forget: str
    exported_as: str = ""
    export: str = ""
    is_json: bool = False


def _renumbering_statement(table: str, person: str, number: str) -> str:
    """Return the statement that replaces a person in a database table by a negative number.

    `person` is its column of people and `number` its column of table numbers. The number is another one at every table,
    so that games cannot be linked.
    """
    return f"""
        UPDATE {table} SET {person} = (
            SELECT -(holders.table_id * 1000000 + holders.first) FROM holders
            WHERE holders.person_id = :person AND holders.table_id = {table}.{number} ORDER BY holders.number LIMIT 1
        )
        WHERE {number} IN (SELECT table_id FROM holders WHERE person_id = :person) AND {person} = :person
    """  # noqa: S608 - no value in it


PERSONAL: Final = (
    PersonalTable("actions", _renumbering_statement("actions", "person_id", "table_id")),
    PersonalTable("archive_people", _renumbering_statement("archive_people", "person_id", "table_id")),
    PersonalTable("tables", _renumbering_statement("tables", "opened_by", "id")),
    PersonalTable(
        "messages",
        """
        UPDATE messages SET told = replace(told, CAST(:person AS TEXT), '0')
        WHERE table_id IN (SELECT table_id FROM holders WHERE person_id = :person) AND told <> ''
        """,
    ),
    PersonalTable("seated", "DELETE FROM seated WHERE person_id = :person"),
    PersonalTable(
        "preferences",
        "DELETE FROM preferences WHERE owner = 'person' AND owner_id = :person",
        exported_as="settings",
        export="SELECT name, value FROM preferences WHERE owner = 'person' AND owner_id = :person ORDER BY name",
    ),
    PersonalTable(
        "saved_rules",
        "UPDATE saved_rules SET saved_by = 0 WHERE saved_by = :person",
        exported_as="saved_rules",
        export="SELECT guild_id AS server, name, saved_at AS at FROM saved_rules WHERE saved_by = :person ORDER BY 3",
    ),
    PersonalTable(
        "personal_times",
        "DELETE FROM personal_times WHERE person_id = :person",
        exported_as="times",
        export="SELECT times FROM personal_times WHERE person_id = :person",
        is_json=True,
    ),
    PersonalTable(
        "watchers",
        "DELETE FROM watchers WHERE person_id = :person",
        exported_as="watching",
        export='SELECT table_id AS "table", told AS deal FROM watchers WHERE person_id = :person ORDER BY 1',
    ),
    PersonalTable(
        "results",
        "DELETE FROM results WHERE person_id = :person",
        exported_as="results",
        export="""
        SELECT table_id AS "table", seat, rules, players, persons, how, won, score, against, deals, best_deal, canastas,
            finished_at AS at
        FROM results WHERE person_id = :person ORDER BY finished_at, table_id
        """,
    ),
    PersonalTable(
        "lapses",
        "DELETE FROM lapses WHERE person_id = :person",
        exported_as="lapses",
        export='SELECT table_id AS "table", at FROM lapses WHERE person_id = :person ORDER BY 2',
    ),
    PersonalTable(
        "rating_places",
        FORGET_PLACES,
        exported_as="rated_matches",
        export="""
        SELECT tournament, number, family, players, at, void, rank, share, lost, mu_before, sigma_before, mu_after,
            sigma_after
        FROM rating_places JOIN rating_log USING (seq) WHERE person_id = :person ORDER BY seq
        """,
    ),
    PersonalTable(
        "ratings",
        FORGET_RATINGS,
        exported_as="ratings",
        export="""
        SELECT family, players, mu, sigma, last, matches, nullif(person_id + partner_id - :person, 0) AS partner
        FROM ratings WHERE person_id = :person OR partner_id = :person ORDER BY 1, 2, 7
        """,
    ),
    # Blocks of this person are the private data of those who blocked; they are not exported.
    PersonalTable(
        "blocks",
        "DELETE FROM blocks WHERE person_id = :person",
        exported_as="blocked",
        export="SELECT blocked_id AS person, at FROM blocks WHERE person_id = :person ORDER BY 2",
    ),
    PersonalTable(
        "open_seats",
        "UPDATE open_seats SET chosen_by = 0 WHERE chosen_by = :person",
        exported_as="open_seats",
        export="SELECT guild_id AS server, channel_id AS channel FROM open_seats WHERE chosen_by = :person ORDER BY 1",
    ),
    PersonalTable(
        "audit",
        "UPDATE audit SET person_id = 0 WHERE person_id = :person",
        exported_as="stepped_in",
        export='SELECT table_id AS "table", action, reason, at FROM audit WHERE person_id = :person ORDER BY id',
    ),
    PersonalTable(
        "notices",
        "DELETE FROM notices WHERE person_id = :person",
        exported_as="notices",
        export='SELECT table_id AS "table", about, stage, at FROM notices WHERE person_id = :person ORDER BY 1, 2',
    ),
    PersonalTable(
        "contacts",
        "DELETE FROM contacts WHERE person_id = :person",
        exported_as="contacts",
        export="SELECT contact FROM contacts WHERE person_id = :person",
        is_json=True,
    ),
    PersonalTable(
        "lessons",
        "DELETE FROM lessons WHERE person_id = :person",
        exported_as="lessons",
        export="SELECT lesson, done_at AS at FROM lessons WHERE person_id = :person ORDER BY 1",
    ),
    PersonalTable(
        "rooms",
        "DELETE FROM rooms WHERE person_id = :person",
        exported_as="rooms",
        export="SELECT channel_id AS channel, opened_at AS at FROM rooms WHERE person_id = :person",
    ),
    PersonalTable("outbox", "DELETE FROM outbox WHERE person_id = :person"),
    # Premoves contain cards of a deal in play, so they are not exported.
    PersonalTable("premoves", "DELETE FROM premoves WHERE person_id = :person"),
    PersonalTable("exports", "DELETE FROM exports WHERE person_id = :person"),
    # Only the lowest 40 bits of a number are used. Numbers can be enormous after a damaged row; the product would then
    # be too large for the column, and no person could be deleted.
    PersonalTable(
        "tournament_people",
        """
        UPDATE tournament_people SET person_id = -((tournament_id & 1099511627775) * 1000000 + number),
            name = '', directs = 0
        WHERE person_id = :person
        """,
        exported_as="tournaments",
        export="""
        SELECT tournament_id AS tournament, CAST(name AS BLOB) AS name, directs
        FROM tournament_people WHERE person_id = :person ORDER BY 1
        """,
    ),
    PersonalTable(
        "series_people",
        """
        UPDATE series_people SET person_id = -((series_id & 1099511627775) * 1000000 + number), name = ''
        WHERE person_id = :person
        """,
        exported_as="series",
        export="SELECT series_id AS series, name FROM series_people WHERE person_id = :person ORDER BY 1",
    ),
    # This must be last, because the other entries look up the person's tables in it.
    PersonalTable(
        "holders",
        """
        UPDATE holders SET person_id = -(table_id * 1000000 + first), name = '', account = ''
        WHERE person_id = :person
        """,
        exported_as="names",
        export="SELECT DISTINCT name, account FROM holders WHERE person_id = :person AND name <> '' ORDER BY 1, 2",
    ),
)
"""All tables that hold people, in the order in which a person is deleted from them."""


IMPERSONAL: Final = frozenset(
    {
        "archives",
        "contest_tables",
        "deal_secrets",
        "departures",
        "heartbeat",
        "lobby_calls",
        "outages",
        "told",
        "budgets",
        "deletions",
        "rating_law",
        "rating_log",
        "rating_pairs",
        "series",
        "series_nights",
        "series_posts",
        "series_steps",
        "sheets",
        "showings",
        "starts",
        "timers",
        "series_faults",
        "tournament_archives",
        "tournament_faults",
        "tournament_parts",
        "tournament_posts",
        "tournament_secrets",
        "tournament_steps",
        "tournaments",
    }
)
"""The tables without people; every table of the database is either here or in `PERSONAL`."""
