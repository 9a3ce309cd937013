"""How a series is stored; each person is stored as a number within the series."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Final, cast

from bot.series.series import Series
from bot.store.errors import UndecodableData
from bot.store.json_forms import TypeTable
from bot.store.series.store import StoredSeries
from bot.tournaments.core.stored_forms import TOURNAMENT_TYPES, TournamentPersons, use_numbers_of

SERIES_TYPES: Final = TypeTable(TOURNAMENT_TYPES.fields)

_COLUMNS: Final = ("id", "version", "guild", "channel", "names")
"""Fields that are stored outside the JSON, in columns or other tables."""

_SERIES: Final = SERIES_TYPES.derive_form(Series, without=_COLUMNS)


def write_series(series: Series, people: TournamentPersons) -> str:
    """Return the series as JSON. Persons missing from `people` are added to it."""
    with use_numbers_of(people):
        return json.dumps(_SERIES.write(series), separators=(",", ":"), ensure_ascii=False)


def read_series(stored: StoredSeries, people: TournamentPersons) -> Series:
    """Return the series of a stored row. Raises `UndecodableData`, which quotes no stored data."""
    try:
        with use_numbers_of(people):
            series = cast(Series, _SERIES.read(json.loads(stored.snapshot)))
    except UndecodableData as fault:
        raise UndecodableData(f"series {stored.id}: {fault}") from None
    except (ValueError, TypeError, KeyError) as error:
        raise UndecodableData(f"series {stored.id}: {type(error).__name__}") from None
    return replace(
        series, id=stored.id, version=stored.version, guild=stored.guild, channel=stored.channel, names=people.names
    )
