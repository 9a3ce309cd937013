"""A table's clock in words: what it is, what happens when time is out, how long a game takes."""

from __future__ import annotations

from typing import Final

from bot.clocks.clock import HOUR, MINUTE, SECOND
from bot.clocks.law import DAY, ClockTerms
from bot.clocks.written import CUSTOM, NONE
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.sets.choosing import GLANCES, deals_of
from bot.i18n import Words
from bot.tables.looks import TableSnapshot
from bot.tables.timing.settings import TableSettings
from cogs.shared.telling.offer_text import OFFERS

DAYS_A_TURN: Final = 0.30
"""How long a turn of a slow game takes if all look in four times a day (`docs/long-games.md`, 8)."""

_WEEK: Final = 7
_TOLD_IN_DAYS: Final = 2 * _WEEK


def amount(words: Words, milliseconds: int) -> str:
    """A stretch of time in its largest unit that is whole: hours, minutes or seconds."""
    for unit, key in ((HOUR, "clock.hours"), (MINUTE, "clock.minutes")):
        if milliseconds % unit == 0 and milliseconds:
            return words(key, count=milliseconds // unit)
    return words("clock.seconds", count=milliseconds // SECOND)


def name(words: Words, terms: ClockTerms | None) -> str:
    """What a clock is called."""
    return words(f"clock.{NONE if terms is None else terms.name}")


def terms_text(words: Words, terms: ClockTerms | None) -> str:
    """A clock with its numbers."""
    if terms is None:
        return words("clock.nobody_s")
    return words(
        "clock.terms",
        name=name(words, terms),
        bank=amount(words, terms.bank),
        increment=amount(words, terms.increment),
        cap=amount(words, terms.cap),
    )


def lobby_text(words: Words, look: TableSnapshot) -> str:
    """What a lobby says of its clock."""
    settings = look.settings
    told = [terms_text(words, settings.clock)]
    if settings.clock is not None:
        told.append(_time_out(words, settings, settings.clock))
    if settings.deals is not None:
        told.append(words("clock.deals", count=settings.deals))
    if settings.slow and settings.latest_end_days is not None:
        # From the last change of the lobby, which the start will be the next one of.
        over = look.updated_at + settings.latest_end_days * DAY
        told.append(words("clock.over_by", when=f"<t:{over // 1000}:D>"))
        told.append(estimate(words, settings, look.terms))
    return " ".join(told)


def _time_out(words: Words, settings: TableSettings, terms: ClockTerms) -> str:
    policy = words(f"clock_then.{settings.policy.value}")
    if not settings.extension:
        return words("clock.out_of_time", then=policy)
    extra = words("clock.extra_day" if terms.slow else "clock.extra_minute")
    return words("clock.out_of_time_extended", extra=extra, then=policy)


def estimate(words: Words, settings: TableSettings, rules: RuleSet) -> str:
    """How long such a slow game takes about."""
    days = round(_deals(settings, rules) * GLANCES[rules.name].turns * DAYS_A_TURN)
    if days < _TOLD_IN_DAYS:
        return words("clock.about_days", count=max(1, days))
    weeks, half = divmod(round(2 * days / _WEEK), 2)
    return words("clock.about_weeks_and_a_half" if half else "clock.about_weeks", count=weeks)


def _deals(settings: TableSettings, rules: RuleSet) -> int:
    """How many deals are played about."""
    usual = OFFERS[rules.name]
    full = deals_of(GLANCES[rules.name], rules, usual.forms[usual.usual_players])
    return full if settings.deals is None else min(settings.deals, full)


def option_label(words: Words, terms: ClockTerms | None) -> str:
    """A clock in one line of a menu."""
    if terms is None:
        return words("clock.none")
    told = words("clock.short", bank=amount(words, terms.bank), increment=amount(words, terms.increment))
    return words("clock.option", name=words("clock.own") if terms.name == CUSTOM else name(words, terms), terms=told)
