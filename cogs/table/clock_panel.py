"""The menus for a lobby's clock, absent seats and length; built from a snapshot, without side effects."""

from __future__ import annotations

from typing import Final

from bot.clocks.clock_notation import CUSTOM, NO_CLOCK, write_clock
from bot.clocks.time_rules import PRESETS
from bot.i18n import Words
from bot.tables.state.clocks import MOST_DEALS, AbsencePolicy
from bot.tables.state.snapshots import TableSnapshot
from cogs.shared.discord_api.components import Form, Option, Part, form, select, text
from cogs.shared.reading.custom_ids import ControlId
from cogs.shared.telling import status_text

FULL: Final = "0"
"""The menu value for a game without a fixed number of deals."""


def clock_menus(words: Words, snapshot: TableSnapshot) -> list[Part | None]:
    """Return a line with the current clock, and a menu for each choice."""
    return [
        text(status_text.lobby_text(words, snapshot)),
        select(_control_id(snapshot, "clock"), words("setup_clock.clock"), _clock_options(words, snapshot)),
        select(_control_id(snapshot, "absent"), words("setup_clock.absent"), _absence_options(words, snapshot)),
        select(_control_id(snapshot, "length"), words("setup_clock.length"), _length_options(words, snapshot)),
    ]


def clock_form(words: Words, snapshot: TableSnapshot) -> Form:
    """Return the form for typing a custom clock."""
    clock = snapshot.settings.clock
    return form(
        _control_id(snapshot, "clock_own"),
        words("setup_clock.own_title"),
        hint=words("setup_clock.own_hint"),
        filled="" if clock is None else write_clock(clock),
        required=True,
    )


def _control_id(snapshot: TableSnapshot, action: str) -> ControlId:
    return ControlId(snapshot.id, snapshot.version, action)


def _clock_options(words: Words, snapshot: TableSnapshot) -> list[Option]:
    chosen = snapshot.settings.clock
    named = [*PRESETS.values(), None]
    options = [
        Option(NO_CLOCK if one is None else one.name, status_text.clock_option_label(words, one), chosen=one == chosen)
        for one in named
    ]
    own = Option(CUSTOM, words("setup_clock.own"))
    if chosen not in named:
        own = Option(CUSTOM, status_text.clock_option_label(words, chosen), chosen=True)
    return [*options, own]


def _absence_options(words: Words, snapshot: TableSnapshot) -> list[Option]:
    return [
        Option(one.value, words(f"absent.{one.value}"), chosen=one is snapshot.settings.policy) for one in AbsencePolicy
    ]


def _length_options(words: Words, snapshot: TableSnapshot) -> list[Option]:
    deals = snapshot.settings.deals
    return [
        Option(FULL, words("setup_clock.full"), chosen=deals is None),
        *(
            Option(str(count), words("setup_clock.deals", count=count), chosen=count == deals)
            for count in range(1, MOST_DEALS + 1)
        ),
    ]
