"""Write `tests/data/stored_forms.json`, the fields of all stored types, after a migration.

Run it with ``python -m tests.support.stored_type_fields``. It refuses a change without a migration; without the file it
writes the list as it is.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from bot.series.stored_forms import SERIES_TYPES
from bot.store.game_forms import GAME_TYPES, RULE_TYPES
from bot.store.json_forms import Form, TaggedForms, TypeTable
from bot.store.migrations import read_migrations
from bot.tables.core.stored_forms import TABLE_TYPES
from bot.tournaments.core.stored_forms import TOURNAMENT_TYPES

FILE: Final = Path(__file__).parent.parent / "data" / "stored_forms.json"

FieldTexts = Mapping[str, Mapping[str, str]]
"""Forms by name, each field with its type and, if it has one, its default as it is written."""


def list_stored_types() -> dict[str, Any]:
    """Return the fields of every stored type by its name, and the number of the last migration."""
    return {
        "migration": read_migrations()[-1].version,
        "rules": _collect_fields(RULE_TYPES),
        "game": _collect_fields(GAME_TYPES),
        "tables": _collect_fields(TABLE_TYPES, known=GAME_TYPES),
        "tournaments": _collect_fields(TOURNAMENT_TYPES, known=GAME_TYPES),
        "series": _collect_fields(SERIES_TYPES, known=TOURNAMENT_TYPES),
    }


def changed_type_names(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """Return the names of the types whose fields differ between two lists."""
    return [
        f"{part}: {name}"
        for part in after
        if part != "migration"
        for name in sorted({*before.get(part, {}), *after[part]})
        if before.get(part, {}).get(name) != after[part].get(name)
    ]


def _collect_fields(types: TypeTable, known: TypeTable | None = None) -> FieldTexts:
    found: dict[str, dict[str, str]] = {}
    for kind, form in types.fields.items():
        if known is not None and known.fields.get(kind) is form:
            continue
        if isinstance(form, Form):
            if form.text in found:
                raise ValueError(f"two stored types are called {form.text}")
            found[form.text] = {name: _field_text(form, name) for name in form.fields}
        elif isinstance(form, TaggedForms):
            tag, _, names = form.text.partition(": ")
            found.setdefault(tag, {}).update(dict.fromkeys(names.split("|"), tag))
    return dict(sorted(found.items()))


def _field_text(form: Form, name: str) -> str:
    field = form.fields[name]
    if name not in form.defaults:
        return field.text
    return f"{field.text} = {json.dumps(field.write(form.defaults[name]), ensure_ascii=False)}"


def main() -> None:
    """Write the file; exit with an error if a type has changed since the last migration."""
    now = list_stored_types()
    if FILE.exists():
        before = json.loads(FILE.read_text(encoding="utf-8"))
        changed = changed_type_names(before, now)
        if changed and before["migration"] == now["migration"]:
            sys.exit(f"add a migration first: {', '.join(changed)}")
    FILE.write_text(json.dumps(now, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
