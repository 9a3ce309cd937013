"""The one list of tables of the database that hold persons, and what becomes of each when one is forgotten."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.store.ratings import FORGET_PLACES, FORGET_RATINGS


@dataclass(frozen=True, slots=True)
class Personal:
    """A table of the database that holds persons, and what becomes of it when one is forgotten.

    `export` selects the rows that a person is given on demand, under the name `exported_as`; `is_json` says that they
    have one column of JSON texts, of which the contents are given.
    """

    table: str
    forget: str
    exported_as: str = ""
    export: str = ""
    is_json: bool = False


PERSONAL: Final = (
    # A former player's number is below zero and no other table's, so that nothing links one game with another.
    Personal(
        "actions",
        """
        UPDATE actions SET person_id = (
            SELECT -(holders.table_id * 1000000 + first) FROM holders
            WHERE person_id = :person AND holders.table_id = actions.table_id ORDER BY number LIMIT 1
        )
        WHERE table_id IN (SELECT table_id FROM holders WHERE person_id = :person) AND person_id = :person
        """,
    ),
    Personal(
        "tables",
        """
        UPDATE tables SET opened_by = (
            SELECT -(table_id * 1000000 + first) FROM holders
            WHERE person_id = :person AND table_id = tables.id ORDER BY number LIMIT 1
        )
        WHERE id IN (SELECT table_id FROM holders WHERE person_id = :person) AND opened_by = :person
        """,
    ),
    Personal(
        "messages",
        """
        UPDATE messages SET told = replace(told, CAST(:person AS TEXT), '0')
        WHERE table_id IN (SELECT table_id FROM holders WHERE person_id = :person) AND told <> ''
        """,
    ),
    Personal("seated", "DELETE FROM seated WHERE person_id = :person"),
    Personal(
        "preferences",
        "DELETE FROM preferences WHERE owner = 'person' AND owner_id = :person",
        exported_as="settings",
        export="SELECT name, value FROM preferences WHERE owner = 'person' AND owner_id = :person ORDER BY name",
    ),
    Personal(
        "saved_rules",
        "UPDATE saved_rules SET saved_by = 0 WHERE saved_by = :person",
        exported_as="saved_rules",
        export="SELECT guild_id AS server, name, saved_at AS at FROM saved_rules WHERE saved_by = :person ORDER BY 3",
    ),
    Personal(
        "personal_times",
        "DELETE FROM personal_times WHERE person_id = :person",
        exported_as="times",
        export="SELECT times FROM personal_times WHERE person_id = :person",
        is_json=True,
    ),
    Personal(
        "watchers",
        "DELETE FROM watchers WHERE person_id = :person",
        exported_as="watching",
        export='SELECT table_id AS "table", told AS deal FROM watchers WHERE person_id = :person ORDER BY 1',
    ),
    Personal(
        "results",
        "DELETE FROM results WHERE person_id = :person",
        exported_as="results",
        export="""
        SELECT table_id AS "table", seat, rules, players, persons, how, won, score, against, deals, best_deal, canastas,
            finished_at AS at
        FROM results WHERE person_id = :person ORDER BY finished_at, table_id
        """,
    ),
    Personal(
        "lapses",
        "DELETE FROM lapses WHERE person_id = :person",
        exported_as="lapses",
        export='SELECT table_id AS "table", at FROM lapses WHERE person_id = :person ORDER BY 2',
    ),
    Personal(
        "rating_places",
        FORGET_PLACES,
        exported_as="rated_matches",
        export="""
        SELECT tournament, number, family, players, at, void, rank, share, lost, mu_before, sigma_before, mu_after,
            sigma_after
        FROM rating_places JOIN rating_log USING (seq) WHERE person_id = :person ORDER BY seq
        """,
    ),
    Personal(
        "ratings",
        FORGET_RATINGS,
        exported_as="ratings",
        export="SELECT family, players, mu, sigma, last, matches FROM ratings WHERE person_id = :person ORDER BY 1, 2",
    ),
    # Whom others have blocked is theirs to say, and nothing that the person is told.
    Personal(
        "blocks",
        "DELETE FROM blocks WHERE person_id = :person",
        exported_as="blocked",
        export="SELECT blocked_id AS person, at FROM blocks WHERE person_id = :person ORDER BY 2",
    ),
    Personal(
        "audit",
        "UPDATE audit SET person_id = 0 WHERE person_id = :person",
        exported_as="stepped_in",
        export='SELECT table_id AS "table", action, reason, at FROM audit WHERE person_id = :person ORDER BY id',
    ),
    Personal(
        "notices",
        "DELETE FROM notices WHERE person_id = :person",
        exported_as="notices",
        export='SELECT table_id AS "table", about, stage, at FROM notices WHERE person_id = :person ORDER BY 1, 2',
    ),
    Personal(
        "contacts",
        "DELETE FROM contacts WHERE person_id = :person",
        exported_as="contacts",
        export="SELECT contact FROM contacts WHERE person_id = :person",
        is_json=True,
    ),
    # What is prepared names cards of a deal in play.
    Personal("premoves", "DELETE FROM premoves WHERE person_id = :person"),
    Personal("exports", "DELETE FROM exports WHERE person_id = :person"),
    Personal(
        "tournament_people",
        """
        UPDATE tournament_people SET person_id = -(tournament_id * 1000000 + number), name = ''
        WHERE person_id = :person
        """,
        exported_as="tournaments",
        export="SELECT tournament_id AS tournament, name FROM tournament_people WHERE person_id = :person ORDER BY 1",
    ),
    # The last of all: the others ask it where the person is known.
    Personal(
        "holders",
        """
        UPDATE holders SET person_id = -(table_id * 1000000 + first), name = '', account = ''
        WHERE person_id = :person
        """,
        exported_as="names",
        export="SELECT DISTINCT name, account FROM holders WHERE person_id = :person AND name <> '' ORDER BY 1, 2",
    ),
)
"""Every table with persons in it, in the order in which one is forgotten."""


IMPERSONAL: Final = frozenset(
    {
        "contest_tables",
        "deal_secrets",
        "departures",
        "heartbeat",
        "outages",
        "rating_log",
        "ratings_due",
        "sheets",
        "showings",
        "timers",
        "tournament_posts",
        "tournament_secrets",
        "tournament_steps",
        "tournaments",
    }
)
"""The tables without persons. A table of the database is in one list or the other."""
