"""Rows written with names in them, told with the numbers of holders: from format 1 of logs and snapshots to format 2.

Only what stands for a person changes, at the places where the releases of format 1 wrote one; everything else is as
it was, also what this release could not read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from bot.tables.holders import Holders

Data = dict[str, Any]


def numbered_row(data: Data, holders: Holders) -> Data:
    """A row of a log, as JSON has it."""
    return {"format": 2, **data, "events": [_event(event, holders) for event in data["events"]]}


def numbered_record(data: Data, holders: Holders) -> Data:
    """A snapshot, as JSON has it."""
    told = {**data, "format": 2, "host": holders.number(data["host"])}
    told["seats"] = [_holder(one, holders) for one in data["seats"]]
    told["sat"] = [{**one, "holder": _holder(one["holder"], holders)} for one in data.get("sat", ())]
    vote, pause = data.get("close_vote"), data.get("pause")
    told["close_vote"] = vote and {
        **vote,
        "by": holders.number(vote["by"]),
        "agreed": [holders.number(person) for person in vote["agreed"]],
    }
    told["pause"] = pause and _pause(pause, holders)
    return told


def _event(event: Data, holders: Holders) -> Data:
    name = event.get("table")
    telling = _EVENTS.get(name) if isinstance(name, str) else None
    return event if telling is None else {**event, **telling(event, holders)}


def _holder(holder: Data, holders: Holders) -> Data:
    kept = holder["person"] is None
    person, name = (holder["kept_for"], holder["kept_name"]) if kept else (holder["person"], holder["name"])
    number = None if person is None else holders.named(person, name, holder.get("account", ""))
    return {"kind": holder["kind"], "number": holder["number"], "holder": number}


def _pause(pause: Data, holders: Holders) -> Data:
    return {**pause, "by": holders.number(pause["by"])}


def _person(event: Data, holders: Holders) -> Data:
    return {"person": holders.number(event["person"])}


_EVENTS: Final[Mapping[str, Callable[[Data, Holders], Data]]] = {
    "lobby_opened": lambda event, holders: {"host": holders.number(event["host"])},
    "rules_chosen": lambda event, holders: {"seats": [_holder(one, holders) for one in event["seats"]]},
    "seat_changed": lambda event, holders: {"holder": _holder(event["holder"], holders)},
    "host_changed": _person,
    "close_asked": _person,
    "close_answered": _person,
    "game_paused": lambda event, holders: {"pause": _pause(event["pause"], holders)},
}
"""What of an event is told otherwise, by the event's name."""
