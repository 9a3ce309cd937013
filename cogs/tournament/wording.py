"""Tournaments in words: persons, entries, sides, instants, what is played."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Final

from bot.clocks.clock import HOUR, MINUTE
from bot.clocks.law import DAY
from bot.i18n import Words
from bot.i18n.theme_words import title
from bot.tables.state.table import LONGEST, clean_name
from bot.tournaments.event.match_state import MatchState
from bot.tournaments.event.plan import Plan
from bot.tournaments.event.tournament import Tournament
from cogs.shared.telling import names
from cogs.shared.telling.names import rules_name
from cogs.shared.telling.status_text import instant

LONGEST_TITLE: Final = 60
"""Letters of a tournament's name."""


def shown(name: str, *, longest: int = LONGEST) -> str:
    """A name or text that somebody typed, for a message: neither markup nor mention nor link."""
    return names.shown(name, longest=longest)


def plain(name: str, *, longest: int = LONGEST) -> str:
    """A name that somebody typed, where nothing is marked up."""
    return clean_name(name, longest=longest)


def named(tournament: Tournament) -> str:
    """What the tournament is called, for a message."""
    return names.shown(tournament.plan.name, longest=LONGEST_TITLE)


def at(milliseconds: int) -> str:
    """An instant as each reader's own date and time."""
    return instant(milliseconds, "f")


def clock_time(tournament: Tournament, milliseconds: int) -> str:
    """An instant as a time of day where the tournament is live, else with its date."""
    return instant(milliseconds, "t" if tournament.plan.live else "f")


def person(words: Words, tournament: Tournament, one: int) -> str:
    """A person's name for a message; it notifies nobody."""
    if one < 0:
        return words("seat.former")
    return names.shown(tournament.names.get(one) or str(one))


def persons(words: Words, tournament: Tournament, those: Iterable[int]) -> str:
    """Several persons' names, joined as one side is."""
    return " & ".join(person(words, tournament, one) for one in those)


def entry(words: Words, tournament: Tournament, number: int) -> str:
    """An entry by the names of its persons; of one that is gone its number."""
    try:
        return persons(words, tournament, tournament.entrant(number).people)
    except KeyError:
        return f"#{number}"


def entries(words: Words, tournament: Tournament, those: Iterable[int]) -> str:
    """Several entries, listed."""
    return ", ".join(entry(words, tournament, one) for one in those)


def fitting(lines: Sequence[str], most: int) -> int:
    """How many of these texts, from the first, have no more letters than that together, two more after each."""
    count = 0
    for count, total in enumerate(accumulate(len(one) + 2 for one in lines), 1):
        if total > most:
            return count - 1
    return count


def rounds_planned(tournament: Tournament) -> int:
    """How many rounds there are to be, those that were drawn included."""
    return tournament.rounds_planned or len(tournament.rounds) + len(tournament.schedule)


def side(words: Words, tournament: Tournament, those: Iterable[int]) -> str:
    """The entries of a side of a match."""
    return " & ".join(entry(words, tournament, one) for one in those)


def sides(words: Words, tournament: Tournament, match: MatchState) -> str:
    """Who meets whom, by name."""
    return " – ".join(side(words, tournament, one) for one in match.sides)


def mention(one: int) -> str:
    """A mention; whether it notifies, the message says."""
    return f"<@{one}>" if one > 0 else "?"


def mentions(those: Iterable[int]) -> str:
    """Several mentions, listed."""
    return ", ".join(mention(one) for one in those)


def rules(words: Words, plan: Plan) -> str:
    """What is played: the server's own name for it, or that of the rule set."""
    return names.shown(plan.saved_as) if plan.saved_as else rules_name(words, plan.rules.name)


def themes(words: Words, plan: Plan) -> str:
    """The themes of the rounds in words; empty where there are none."""
    rounds = [", ".join(title(words, one) for one in chosen) for chosen in plan.themes_by_round if chosen]
    return " · ".join(rounds)


def span(words: Words, milliseconds: int) -> str:
    """A length of time in its largest whole unit."""
    for unit, name in ((DAY, "days"), (HOUR, "hours")):
        if milliseconds >= unit and milliseconds % unit == 0:
            return words(f"tournament_span.{name}", count=milliseconds // unit)
    return words("tournament_span.minutes", count=milliseconds // MINUTE)


def roughly(words: Words, milliseconds: int) -> str:
    """A length of time as one guesses it: whole days, whole hours, or quarters of the first two hours."""
    if milliseconds >= 2 * DAY:
        return words("tournament_span.days", count=round(milliseconds / DAY))
    if milliseconds >= 2 * HOUR:
        return words("tournament_span.hours", count=round(milliseconds / HOUR))
    return words("tournament_span.minutes", count=15 * round(milliseconds / (15 * MINUTE)))


def ordinal(words: Words, number: int) -> str:
    """A place in a queue: 1st, 2nd, 3rd, 4th, 11th."""
    last = 0 if number // 10 % 10 == 1 else number % 10
    ending = {1: "st", 2: "nd", 3: "rd"}.get(last, "th")
    return words(f"tournament_ordinal.{ending}", n=number)


def people(words: Words, plan: Plan) -> str:
    """Who enters: persons alone, pairs, or persons for whom partners are drawn."""
    if plan.drawn:
        return words("tournament_people.drawn")
    return words(f"tournament_people.{unit(plan)}")


def unit(plan: Plan) -> str:
    """The stable name of what enters together."""
    return {1: "alone", 2: "pairs", 3: "trios"}.get(plan.persons_each, "teams")
