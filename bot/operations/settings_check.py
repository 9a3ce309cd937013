"""Find and delete stored settings of a person or server that cannot be read."""

from __future__ import annotations

import json
from collections.abc import Iterator

from bot.clocks import quiet_hours_and_vacation as personal
from bot.profiles import guild_settings
from bot.profiles import preferences as choices
from bot.store.errors import UndecodableData
from bot.store.game_forms import decode_rules
from bot.store.upkeep import repairs
from bot.store.upkeep.offline_databases import OfflineDatabase
from bot.store.upkeep.repairs import Owner
from bot.tables.people.notices import contact_of


def unreadable_settings(file: OfflineDatabase, owner: Owner, number: int) -> tuple[tuple[str, str], ...]:
    """Return the settings of a person or server that cannot be read, as (database table, name)."""
    return tuple(_find_unreadable(file, owner, number))


def _find_unreadable(file: OfflineDatabase, owner: Owner, number: int) -> Iterator[tuple[str, str]]:
    """Yield the settings of a person or server that cannot be read, as (database table, name)."""
    stored = repairs.stored_preferences(file, owner, number)
    unreadable = (
        choices.unreadable_preferences(stored) if owner == "person" else guild_settings.unreadable_settings(stored)
    )
    for name in unreadable:
        yield "preferences", name
    if owner == "server":
        for folded, text in repairs.saved_rules(file, number).items():
            if not _is_readable_rule_set(text):
                yield "saved_rules", folded
        return
    for table, text in repairs.personal_texts(file, number).items():
        try:
            _ = personal.read_personal_hours(text) if table == "personal_times" else contact_of(text)
        except (ValueError, TypeError, KeyError):
            yield table, ""


def _is_readable_rule_set(text: str) -> bool:
    """Return whether a stored text can be read as a rule set."""
    try:
        decode_rules(json.loads(text))
    except (UndecodableData, ValueError, TypeError, KeyError):
        return False
    return True


def delete_setting(file: OfflineDatabase, owner: Owner, number: int, which: tuple[str, str]) -> None:
    """Delete the setting `which`, a (database table, name) pair, so that its default applies."""
    table, name = which
    if table == "preferences":
        repairs.delete_preference(file, owner, number, name)
    elif table == "saved_rules":
        repairs.delete_saved_rules(file, number, name)
    else:
        repairs.delete_personal_text(file, table, number)
