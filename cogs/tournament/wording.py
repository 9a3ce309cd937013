"""Words for parts of tournaments: people, entries, sides, times and rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Final

from bot.clocks.clock import HOUR, MINUTE
from bot.clocks.time_rules import DAY
from bot.i18n import Words
from bot.i18n.theme_words import theme_title
from bot.tables.state.table import LONGEST, clean_name
from bot.tournaments.boards.movement import Movement
from bot.tournaments.boards.movement_balance import FAIR, imbalance_of_movement
from bot.tournaments.event.match_state import MatchState
from bot.tournaments.event.plan import Plan
from bot.tournaments.event.tournament import Tournament
from cogs.shared.telling import names
from cogs.shared.telling.names import rules_name
from cogs.shared.telling.status_text import discord_timestamp

LONGEST_TITLE: Final = 60
"""Most characters of a tournament's name."""


def escape_text(name: str, *, longest: int = LONGEST) -> str:
    """Return a typed text for a message, in which it makes no markup, mention or link."""
    return names.escape_name(name, longest=longest)


def plain_text(name: str, *, longest: int = LONGEST) -> str:
    """Return a typed name for a place that has no markup."""
    return clean_name(name, longest=longest)


def tournament_name(tournament: Tournament) -> str:
    """Return the tournament's name for a message."""
    return names.escape_name(tournament.plan.name, longest=LONGEST_TITLE)


def date_and_time(milliseconds: int) -> str:
    """Return the markup by which Discord shows a date and time in each reader's zone."""
    return discord_timestamp(milliseconds, "f")


def clock_time(tournament: Tournament, milliseconds: int) -> str:
    """Return the markup of a time: without the date for live tournaments, else with it."""
    return discord_timestamp(milliseconds, "t" if tournament.plan.live else "f")


def person_name(words: Words, tournament: Tournament, person: int) -> str:
    """Return a person's name for a message; it notifies no one."""
    if person < 0:
        return words("seat.former")
    return names.escape_name(tournament.names.get(person) or str(person))


def plain_person_name(words: Words, tournament: Tournament, person: int) -> str:
    """Return a person's name for a button or a menu, where markup is not interpreted."""
    return words("seat.former") if person < 0 else plain_text(tournament.names.get(person) or str(person))


def person_names(words: Words, tournament: Tournament, persons: Iterable[int]) -> str:
    """Return several people's names, joined as for one side."""
    return " & ".join(person_name(words, tournament, one) for one in persons)


def entry_name(words: Words, tournament: Tournament, entry_number: int) -> str:
    """Return the names of an entry's players, or its number if it no longer exists."""
    try:
        return person_names(words, tournament, tournament.entrant(entry_number).people)
    except KeyError:
        return f"#{entry_number}"


def entry_names(words: Words, tournament: Tournament, entry_numbers: Iterable[int]) -> str:
    """Return the names of several entries as a list in words."""
    return ", ".join(entry_name(words, tournament, one) for one in entry_numbers)


def count_fitting_lines(lines: Sequence[str], most: int) -> int:
    """Return how many of the first lines fit into `most` characters, with two more per line."""
    count = 0
    for count, total in enumerate(accumulate(len(one) + 2 for one in lines), 1):
        if total > most:
            return count - 1
    return count


def rounds_planned(tournament: Tournament) -> int:
    """Return the planned number of rounds, including those already drawn."""
    return tournament.rounds_planned or len(tournament.rounds) + len(tournament.schedule)


def side_name(words: Words, tournament: Tournament, entry_numbers: Iterable[int]) -> str:
    """Return the names of the entries on a side of a match."""
    return " & ".join(entry_name(words, tournament, one) for one in entry_numbers)


def side_names(words: Words, tournament: Tournament, match: MatchState) -> str:
    """Return the names of both (or all) sides of a match as text."""
    return " – ".join(side_name(words, tournament, one) for one in match.sides)


def mention(person: int) -> str:
    """Return the markup that mentions a person; the message decides whether it notifies them."""
    return f"<@{person}>" if person > 0 else "?"


def mentions(persons: Iterable[int]) -> str:
    """Return the markup that mentions these people, as a list."""
    return ", ".join(mention(one) for one in persons)


def plan_rules_name(words: Words, plan: Plan) -> str:
    """Return the name of the plan's rules: the one under which the server saved them, or the rule set's."""
    return names.escape_name(plan.saved_as) if plan.saved_as else rules_name(words, plan.rules.name)


def plain_rules_name(words: Words, plan: Plan) -> str:
    """Return the name of the rule set that the plan's rules are made of.

    For places where names that people typed are not allowed.
    """
    return rules_name(words, plan.rules.name)


def theme_names(words: Words, plan: Plan) -> str:
    """Return the names of the rounds' themes, or "" if there are none."""
    rounds = [", ".join(theme_title(words, one) for one in chosen) for chosen in plan.themes_by_round if chosen]
    return " · ".join(rounds)


def duration_text(words: Words, milliseconds: int) -> str:
    """Return a duration as text in its largest whole unit."""
    for unit, name in ((DAY, "days"), (HOUR, "hours")):
        if milliseconds >= unit and milliseconds % unit == 0:
            return words(f"tournament_span.{name}", count=milliseconds // unit)
    return words("tournament_span.minutes", count=milliseconds // MINUTE)


def rough_duration_text(words: Words, milliseconds: int) -> str:
    """Return a rounded duration as text: days, hours, or quarters of an hour below two hours."""
    if milliseconds >= 2 * DAY:
        return words("tournament_span.days", count=round(milliseconds / DAY))
    if milliseconds >= 2 * HOUR:
        return words("tournament_span.hours", count=round(milliseconds / HOUR))
    return words("tournament_span.minutes", count=15 * round(milliseconds / (15 * MINUTE)))


def ordinal(words: Words, number: int) -> str:
    """Return an ordinal number as text: 1st, 2nd, 3rd, 4th, 11th."""
    last = 0 if number // 10 % 10 == 1 else number % 10
    ending = {1: "st", 2: "nd", 3: "rd"}.get(last, "th")
    return words(f"tournament_ordinal.{ending}", n=number)


def entrants_text(words: Words, plan: Plan) -> str:
    """Return text on who can enter a tournament: single people, pairs, or people with drawn partners."""
    if plan.drawn:
        return words("tournament_people.drawn")
    return words(f"tournament_people.{entry_size_name(plan)}")


def entry_size_name(plan: Plan) -> str:
    """Return the stored name for the size of an entry (alone, pair, …)."""
    return {1: "alone", 2: "pairs", 3: "trios"}.get(plan.persons_entering_together, "teams")


def pair_movement_text(words: Words, moved: Movement, *, explained: bool = False) -> str:
    """Return text on how the pairs of a duplicate tournament move from table to table.

    Such as "Howell, 8 pairs, 7 rounds, one winner, balance 0.00". With `explained` it also says what the balance means.
    """
    values = {
        "pairs": len(moved.entries),
        "rounds": len(moved.rounds),
        "winners": moved.winners,
        "balance": f"{imbalance_of_movement(moved.rounds):.2f}",
    }
    text = words(f"movement.{moved.name.value}", **values)
    if not explained:
        return text
    return f"{text}. {words('movement.about_one' if moved.winners == 1 else 'movement.about_two', fair=f'{FAIR:.2f}')}"
