"""Clocks as somebody types them into a command or a form, and as autocompletion offers them."""

from __future__ import annotations

from typing import Final

from discord import app_commands

from bot.clocks.law import PRESETS, ClockTerms
from bot.clocks.written import NONE, ClockUnreadable, read_clock
from bot.i18n import Words
from cogs.shared.reading.problems import InputCode, InputProblem
from cogs.shared.telling import clock_text

CLOCKS: Final = (*PRESETS, NONE)
"""The clocks that have names."""


def typed_clock(text: str) -> ClockTerms | None:
    """The clock that somebody typed. Raises `InputProblem`."""
    try:
        return read_clock(text)
    except ClockUnreadable as unreadable:
        raise InputProblem(InputCode.NOT_A_CLOCK, {"text": str(unreadable)}) from None


def choices(words: Words, typed: str) -> list[app_commands.Choice[str]]:
    """The clocks with names, or the one that is typed."""
    fitting = [one for one in CLOCKS if typed.strip().casefold() in one]
    try:
        found = [typed_clock(one) for one in fitting or [typed]]
    except InputProblem:
        return []
    named = zip(fitting or [typed[:100]], found, strict=True)
    return [
        app_commands.Choice(name=clock_text.option_label(words, terms)[:100], value=value) for value, terms in named
    ]
