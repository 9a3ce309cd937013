"""Discord's limits on messages that its published schema does not contain."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

COMPONENTS = 40
TEXT = 4000
CUSTOM_ID = 100
OPTIONS = 25
BUTTONS = 5
LABEL = 80
CAPTION = 1024
FORM_PARTS = 5
COMMAND = 8000

BOLD = re.compile(r"\*\*[^*]+\*\*")
"""Words between bold marks; a name of asterisks alone has none."""


def broken_limits(components: list[dict[str, Any]]) -> list[str]:
    """Return every limit that a message's components break; empty if Discord would accept them."""
    return list(_limits_broken_together(list(all_components(components))))


def all_components(components: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield these components and those nested in them, outer ones first."""
    for one in components:
        yield one
        yield from all_components([*one.get("components", []), *([one["accessory"]] if "accessory" in one else [])])


def _limits_broken_together(components: list[dict[str, Any]]) -> Iterator[str]:
    """Yield the limits that components of one message break, each alone or all together."""
    if len(components) > COMPONENTS:
        yield f"{len(components)} components"
    texts = [one["content"] for one in components if one["type"] == 10]
    if sum(map(len, texts)) > TEXT or not all(texts):
        yield f"{sum(map(len, texts))} characters in {len(texts)} texts"
    ids = [one["custom_id"] for one in components if "custom_id" in one]
    if len(ids) != len(set(ids)):
        yield "a custom id twice"
    yield from (f"custom id {one}" for one in ids if not 0 < len(one) <= CUSTOM_ID)
    for one in components:
        yield from _limits_broken_by_component(one)


def _limits_broken_by_component(component: Mapping[str, Any]) -> Iterator[str]:
    """Yield the limits that a single component breaks."""
    inner = component.get("components", [])
    if component["type"] == 1 and not (len(inner) <= BUTTONS if inner[0]["type"] == 2 else len(inner) == 1):
        yield f"a row of {len(inner)}"
    label = component.get("label") or ("emoji" if component.get("emoji") else "")
    if component["type"] == 2 and not 0 < len(label) <= LABEL:
        yield f"button {label!r}"
    if component["type"] == 3:
        yield from _menu_limits_broken(component)
    for part in (component, *component.get("options", [])):
        plain = (part.get(name) or "" for name in ("label", "placeholder", "description"))
        yield from (f"bold marks in {text!r}, which Discord shows as they are" for text in plain if BOLD.search(text))
    if component["type"] == 12:
        yield from (
            f"caption of {len(item['description'])}"
            for item in component["items"]
            if len(item.get("description") or "") > CAPTION
        )


def _menu_limits_broken(menu: Mapping[str, Any]) -> Iterator[str]:
    """Yield the limits that a select menu breaks."""
    values = [option["value"] for option in menu["options"]]
    if not 1 <= len(values) <= OPTIONS or len(set(values)) != len(values):
        yield f"{len(values)} options"
    if not menu["min_values"] <= menu["max_values"] <= len(values):
        yield f"{menu['min_values']} to {menu['max_values']} of {len(values)}"
    if any(not 0 < len(text) <= 100 for option in menu["options"] for text in (option["value"], option["label"])):
        yield "an option too long"


def command_size(command: Mapping[str, Any]) -> int:
    """Return the length of a command as Discord counts it: of each text only the longest translation."""
    texts = [
        (command.get(name) or "", *(command.get(f"{name}_localizations") or {}).values())
        for name in ("name", "description")
    ]
    value = command.get("value")
    size = sum(max(map(len, each)) for each in texts) + (len(value) if isinstance(value, str) else 0)
    return size + sum(command_size(one) for part in ("options", "choices") for one in command.get(part) or ())


def broken_command_limits(commands: list[dict[str, Any]]) -> list[str]:
    """Return an error text for every command that is too long."""
    sizes = {one["name"]: command_size(one) for one in commands}
    return [f"command {name} of {size} characters" for name, size in sizes.items() if size > COMMAND]
