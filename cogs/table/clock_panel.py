"""The menus in which a lobby's host chooses the clock, what becomes of absent seats, and the length: pure."""

from __future__ import annotations

from typing import Final

from bot.clocks.law import PRESETS
from bot.clocks.typed import CUSTOM, NONE, write_clock
from bot.i18n import Words
from bot.tables.state.clocks import MOST_DEALS, Absent
from bot.tables.state.snapshots import TableSnapshot
from cogs.shared.door.components import Form, Option, Part, form, select, text
from cogs.shared.reading.ids import ControlId
from cogs.shared.telling import status_text

FULL: Final = "0"
"""The value of a game that is played to its end."""


def clock_menus(words: Words, look: TableSnapshot) -> list[Part | None]:
    """The clock as it is, and a menu for each choice."""
    return [
        text(status_text.lobby_text(words, look)),
        select(_control(look, "clock"), words("setup_clock.clock"), _clocks(words, look)),
        select(_control(look, "absent"), words("setup_clock.absent"), _absent(words, look)),
        select(_control(look, "length"), words("setup_clock.length"), _lengths(words, look)),
    ]


def clock_form(words: Words, look: TableSnapshot) -> Form:
    """The window in which a clock of one's own is typed."""
    clock = look.settings.clock
    return form(
        _control(look, "clock_own"),
        words("setup_clock.own_title"),
        hint=words("setup_clock.own_hint"),
        filled="" if clock is None else write_clock(clock),
        required=True,
    )


def _control(look: TableSnapshot, action: str) -> ControlId:
    return ControlId(look.id, look.version, action)


def _clocks(words: Words, look: TableSnapshot) -> list[Option]:
    chosen = look.settings.clock
    named = [*PRESETS.values(), None]
    options = [
        Option(NONE if one is None else one.name, status_text.option_label(words, one), chosen=one == chosen)
        for one in named
    ]
    own = Option(CUSTOM, words("setup_clock.own"))
    if chosen not in named:
        own = Option(CUSTOM, status_text.option_label(words, chosen), chosen=True)
    return [*options, own]


def _absent(words: Words, look: TableSnapshot) -> list[Option]:
    return [Option(one.value, words(f"absent.{one.value}"), chosen=one is look.settings.policy) for one in Absent]


def _lengths(words: Words, look: TableSnapshot) -> list[Option]:
    deals = look.settings.deals
    return [
        Option(FULL, words("setup_clock.full"), chosen=deals is None),
        *(
            Option(str(count), words("setup_clock.deals", count=count), chosen=count == deals)
            for count in range(1, MOST_DEALS + 1)
        ),
    ]
