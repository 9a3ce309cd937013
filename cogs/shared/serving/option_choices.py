"""Choices for command options and forms: preferences, clocks, rule sets and themes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from discord import app_commands

from bot.clocks.clock_notation import NAMED_CLOCKS, UnreadableClock, read_clock
from bot.clocks.time_rules import ClockTerms
from bot.engine.rules.themes.named_themes import THEMES
from bot.i18n import Words, language, locales, words
from bot.i18n.theme_words import theme_description, theme_title
from bot.profiles.preferences import CHOICES, Preferences
from bot.tables.seating.lobby_rules import RulesOffer
from bot.tables.state.clocks import LEVELS, Level
from cogs.shared.discord_api import interactions
from cogs.shared.discord_api.components import LONGEST_OPTION, fit_text
from cogs.shared.discord_api.interactions import Interaction, ignore_problems
from cogs.shared.reading.custom_ids import LONGEST_CHOICE, MOST_CHOICES
from cogs.shared.reading.input_problems import InputCode, InputProblem
from cogs.shared.serving.context import Context
from cogs.shared.telling import rules_text, status_text

HOURLY: Final = "digest"
"""The preference whose values are hours of the day."""

_LANGUAGE: Final = "language"

_ENGLISH: Final = words()


def preference_value_name(catalogue: Words, name: str, value: str) -> str:
    """Return the name of a preference's value as people read it.

    An hour is written as on a clock, a language in that language.
    """
    if name == HOURLY and value.isdecimal():
        return f"{int(value):02}:00"
    if name == _LANGUAGE and value in locales():
        return language(value).name
    return catalogue(f"choice.{name}_{value}")


def value_choices(name: str, values: Iterable[str] | None = None) -> list[app_commands.Choice[str]]:
    """Return the values of a preference or guild setting as choices of a command option."""
    return [
        app_commands.Choice(
            name=app_commands.locale_str(preference_value_name(_ENGLISH, name, value), key=f"choice.{name}_{value}"),
            value=value,
        )
        for value in (CHOICES[name] if values is None else values)
    ]


def level_choices() -> list[app_commands.Choice[str]]:
    """Return the levels of computer players as choices of a command option."""
    return [
        app_commands.Choice(name=app_commands.locale_str(_ENGLISH(f"level.{one}"), key=f"level.{one}"), value=one)
        for one in LEVELS
    ]


def parse_level(value: str) -> Level:
    """Return the level of computer players with that name. Raises `InputProblem` for an unknown name."""
    for one in LEVELS:
        if one == value:
            return one
    raise InputProblem(InputCode.OLD_CONTROL)


def preferences_text(catalogue: Words, preferences: Preferences, names: Iterable[str]) -> str:
    """Return the names and values of these preferences as text, one per line."""
    lines = (
        catalogue(
            "settings.chosen",
            name=catalogue(f"settings.{name}"),
            value=preference_value_name(catalogue, name, getattr(preferences, name)),
        )
        for name in names
    )
    return "\n".join(lines)


def parse_clock(text: str) -> ClockTerms | None:
    """Return the clock that a text names, None for no clock. Raises `InputProblem`."""
    try:
        return read_clock(text)
    except UnreadableClock as unreadable:
        raise clock_problem(str(unreadable)) from None


def clock_problem(text: str) -> InputProblem:
    """Return the problem that a text names no clock, or none that is allowed."""
    return InputProblem(InputCode.NOT_A_CLOCK, {"text": text, "clocks": ", ".join(NAMED_CLOCKS)})


def clock_choices(words: Words, typed: str) -> list[app_commands.Choice[str]]:
    """Return the named clocks that fit the typed text, or the clock that it describes."""
    fitting = [one for one in NAMED_CLOCKS if typed.strip().casefold() in one]
    try:
        found = [parse_clock(one) for one in fitting or [typed]]
    except InputProblem:
        return []
    named = zip(fitting or [typed[:100]], found, strict=True)
    return [
        app_commands.Choice(name=fit_text(status_text.clock_option_label(words, terms), LONGEST_OPTION), value=value)
        for value, terms in named
    ]


async def rule_choices(
    context: Context, interaction: Interaction, typed: str, *, saved_only: bool = False
) -> list[app_commands.Choice[str]]:
    """Return the rule sets that fit the typed text as choices.

    The server's own saved ones are first, then its favourites.
    """
    found: tuple[RulesOffer, ...] = ()
    async with ignore_problems():
        guild = interaction.guild_id or 0
        found = await (
            context.tables.rules.saved_rules(guild) if saved_only else context.tables.rules.offered_rules(guild)
        )
    words = interactions.words_for(interaction)
    labelled = [(rules_text.offer_label(words, offer), offer.name) for offer in rules_text.sort_offers(found)]
    fitting = [one for one in labelled if typed.casefold() in " ".join(one).casefold()]
    return [
        app_commands.Choice(name=fit_text(text, LONGEST_OPTION, may_be_cut=True), value=name)
        for text, name in fitting[:MOST_CHOICES]
    ]


def parse_themes(words: Words, typed: str | None) -> tuple[str, ...]:
    """Return the stable names of the typed themes; parts that name no theme are kept unchanged."""
    titles = {theme_title(words, name).casefold(): name for name in THEMES}
    parts = [part.strip() for part in (typed or "").split(",")]
    return tuple(titles.get(part.casefold(), part.casefold()) for part in parts if part)


def theme_choices(words: Words, typed: str) -> list[app_commands.Choice[str]]:
    """Return a choice for each theme that fits the text after the last comma.

    Each choice also contains the themes typed before that comma.
    """
    *before, last = typed.split(",")
    chosen = parse_themes(words, ",".join(before))
    wanted = last.strip().casefold()
    found: list[app_commands.Choice[str]] = []
    for name in THEMES:
        text = f"{theme_title(words, name)}: {theme_description(words, name)}"
        value = ", ".join((*chosen, name))
        if name not in chosen and wanted in f"{name} {text}".casefold() and len(value) <= LONGEST_CHOICE:
            shown = ", ".join((*(theme_title(words, one) for one in chosen), text))
            found.append(app_commands.Choice(name=fit_text(shown, LONGEST_OPTION, may_be_cut=True), value=value))
    return found[:MOST_CHOICES]
