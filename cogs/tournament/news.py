"""Turns tournament news (codes, people, numbers) into sentences.

If the sentence depends on more than the values of the news, a function named after its code builds it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from bot.clocks.clock import HOUR, MINUTE
from bot.i18n import Words
from bot.tournaments.event.tournament import Audience, News, Tournament
from bot.tournaments.formats.individual import partners_of
from cogs.tournament import wording
from cogs.tournament.boards import revealed_board_line
from cogs.tournament.players.match_times import offered_times_text
from cogs.tournament.round_messages import MOST_LETTERS, result_line

ON_PAGES: Final = frozenset({"check_in_open", "closed"})
"""News that has its own page, so it needs no sentence in the channel."""


def news_line(words: Words, tournament: Tournament, news: News) -> str:
    """Return the sentence for a piece of news."""
    return _SENTENCES.get(news.code, _sentence_with_all_values)(words, tournament, news)


def _sentence_with_all_values(words: Words, tournament: Tournament, news: News) -> str:
    return words(f"tournament_news.{news.code}", **values_of_news_sentence(words, tournament, news))


def values_of_news_sentence(words: Words, tournament: Tournament, news: News) -> dict[str, object]:
    """Return the values that the sentence of a piece of news may use.

    They are people, entries, numbers and typed texts.
    """
    numbers: dict[str, object] = dict(news.numbers)
    if "until" in news.numbers:
        numbers["until"] = wording.clock_time(tournament, news.numbers["until"])
    if "at" in news.numbers:
        numbers["at"] = wording.date_and_time(news.numbers["at"])
    entries = _join_names(words, [wording.entry_name(words, tournament, one) for one in news.entries])
    return {
        **numbers,
        "name": wording.tournament_name(tournament),
        "persons": wording.mentions(news.persons),
        "about": _join_names(words, [wording.person_name(words, tournament, one) for one in news.about]),
        **({"entries": entries} if entries else {}),
        "count": max(1, sum(len(_entry_people(tournament, one)) for one in news.entries)),
        **{key: wording.escape_text(text, longest=1_500) for key, text in news.texts.items()},
    }


def _entry_people(tournament: Tournament, entry_number: int) -> tuple[int, ...]:
    try:
        return tournament.entrant(entry_number).people
    except KeyError:
        return ()


def _join_names(words: Words, names: list[str]) -> str:
    if len(names) < 2:
        return "".join(names)
    return words("tournament.and", first=", ".join(names[:-1]), last=names[-1])


def _partner_asked_text(words: Words, tournament: Tournament, news: News) -> str:
    found = next((one for one in tournament.entrants if one.number in news.entries), None)
    asking = wording.person_name(words, tournament, found.captain) if found is not None else words("seat.former")
    return words("tournament_news.partner_asked", **values_of_news_sentence(words, tournament, news), asking=asking)


def _regular_asked_text(words: Words, tournament: Tournament, news: News) -> str:
    asking = _join_names(words, [wording.person_name(words, tournament, one) for one in news.about])
    return words("tournament_news.regular_asked", **values_of_news_sentence(words, tournament, news), asking=asking)


def _checked_in_text(words: Words, tournament: Tournament, news: News) -> str:
    named = [wording.person_name(words, tournament, one) for one in news.about]
    out, coming = named[: news.numbers["out"]], named[news.numbers["out"] :]
    missing = words("tournament_news.not_here", count=len(out), names=_join_names(words, out)) if out else ""
    playing = words("tournament_news.moved_in", count=len(coming), names=_join_names(words, coming)) if coming else ""
    return "; ".join(filter(None, (missing, playing))) + "."


def _entered_late_text(words: Words, tournament: Tournament, news: News) -> str:
    """Return the sentence on a late entry and its points for missed rounds (`docs/tournaments.md` 3)."""
    missed, half = news.numbers["round"] - 1, tournament.plan.scoring.half
    if not missed:
        return words("tournament_news.entered_now", **values_of_news_sentence(words, tournament, news))
    given = [(number, half if number == 1 else 0) for number in range(1, missed + 1)]
    keys = ("missed", *["missed_too"] * missed)
    text = ", ".join(
        words(f"tournament_news.{key}", points=points, round=number)
        for key, (number, points) in zip(keys, given, strict=False)
    )
    return words("tournament_news.entered_late", **values_of_news_sentence(words, tournament, news), told=text)


def _partner_found_text(words: Words, tournament: Tournament, news: News) -> str:
    key = "partner_found" if tournament.plan.traits.has_rounds else "partner_found_now"
    return words(f"tournament_news.{key}", **values_of_news_sentence(words, tournament, news))


def _left_text(words: Words, tournament: Tournament, news: News) -> str:
    text = words("tournament_news.left", **values_of_news_sentence(words, tournament, news))
    entries, plan = news.numbers["entries"], tournament.plan
    as_they_stand = plan.traits.ties and not plan.traits.partners_change and plan.duplicate is None
    if not as_they_stand or entries < 2:
        return text
    goes_on = words(f"tournament_left.{wording.entry_size_name(tournament.plan)}", count=entries)
    bye = words("tournament_left.bye") if entries % 2 and tournament.plan.sides == 2 else ""
    return f"{text} {goes_on}{bye}."


def _no_show_text(words: Words, tournament: Tournament, news: News) -> str:
    named = _join_names(words, [wording.person_name(words, tournament, one) for one in news.persons])
    key = "tournament_news.no_show" if news.numbers["sides"] == 1 else "tournament_news.no_show_double"
    return words(key, **values_of_news_sentence(words, tournament, news), names=named)


def _next_round_text(words: Words, tournament: Tournament, news: News) -> str:
    left = news.numbers["until"] - news.at
    if left > HOUR:
        return words("tournament_news.next_round_at", **values_of_news_sentence(words, tournament, news))
    return words("tournament_news.next_round", round=news.numbers["round"], minutes=round(left / MINUTE))


def _table_waits_text(words: Words, tournament: Tournament, news: News) -> str:
    told = values_of_news_sentence(words, tournament, news)
    awaited, others = news.persons[:1], news.persons[1:]
    text = words("tournament_news.table_waits", **told, awaited=wording.mentions(awaited))
    if not others or news.audience is not Audience.MATCH:
        return text
    return f"{text} {words('tournament_news.table_asks', names=wording.mentions(others))}"


def _partners_replanned_text(words: Words, tournament: Tournament, news: News) -> str:
    """Return the sentence that future partners have changed.

    For one person it names the next partner.
    """
    entrant = tournament.entry_of(news.persons[0]) if len(news.persons) == 1 else None
    for number, drawing in enumerate(tournament.schedule, len(tournament.rounds) + 1):
        sides = [side for one in drawing.fixtures for side in one.sides if entrant and entrant.number in side]
        partners = [one for side in sides for one in side if entrant and one != entrant.number]
        if partners:
            named = wording.entry_names(words, tournament, partners)
            return words("tournament_news.planned_with", round=number, names=named)
    return words("tournament_news.planned_anew")


def _partners_planned_text(words: Words, tournament: Tournament, news: News) -> str:
    del news
    lines = [
        words("partners.of", name=wording.entry_name(words, tournament, one.number), names=names)
        for one in sorted(tournament.entrants, key=lambda one: one.rank)
        if one.rank and (names := wording.entry_names(words, tournament, partners_of(tournament, one.number)))
    ]
    count = wording.count_fitting_lines(lines, MOST_LETTERS)
    more = [words("partners.more", count=len(lines) - count)] if count < len(lines) else []
    return "\n".join([words("partners.rounds", count=wording.rounds_planned(tournament)), *lines[:count], *more])


def _movement_text(words: Words, tournament: Tournament, news: News) -> str:
    if tournament.movement is None:
        return ""
    text = wording.pair_movement_text(words, tournament.movement, explained=True)
    cut = news.numbers["boards"] < news.numbers["of"]
    return f"{text} {words('movement.cut', **news.numbers)}" if cut else text


def _was_away_text(words: Words, tournament: Tournament, news: News) -> str:
    key = "tournament_news.was_away_in_round" if news.numbers["until"] else "tournament_news.was_away"
    return words(key, **values_of_news_sentence(words, tournament, news))


def _postponed_text(words: Words, tournament: Tournament, news: News) -> str:
    key = "tournament_news.postponed_round" if news.numbers["round"] else "tournament_news.postponed"
    return words(key, **values_of_news_sentence(words, tournament, news))


def _ruling_text(words: Words, tournament: Tournament, news: News) -> str:
    """Return the sentence for a ruling, with the resulting score of the match."""
    text = _sentence_with_all_values(words, tournament, news)
    match = next((one for one in tournament.matches if one.id == news.match), None)
    if match is None or match.result is None or news.code not in ("ruled_adjust", "ruled_points"):
        return text
    return f"{text} {result_line(words, tournament, match)}."


def _board_open_text(words: Words, tournament: Tournament, news: News) -> str:
    return revealed_board_line(words, tournament, news.numbers["board"])


def _ruling_undone_text(words: Words, tournament: Tournament, news: News) -> str:
    what = words(f"tournament_ruling.{news.texts['what']}")
    told = values_of_news_sentence(words, tournament, news) | {"what": what}
    return words("tournament_news.undone_entry" if news.entries else "tournament_news.undone", **told)


_SENTENCES: Final[Mapping[str, Callable[[Words, Tournament, News], str]]] = {
    "partner_asked": _partner_asked_text,
    "regular_asked": _regular_asked_text,
    "checked_in": _checked_in_text,
    "entered_late": _entered_late_text,
    "partner_found": _partner_found_text,
    "left": _left_text,
    "no_show": _no_show_text,
    "next_round": _next_round_text,
    "was_away": _was_away_text,
    "postponed": _postponed_text,
    "ruled_adjust": _ruling_text,
    "ruled_points": _ruling_text,
    "undone": _ruling_undone_text,
    "board_open": _board_open_text,
    "partners_planned": _partners_planned_text,
    "movement": _movement_text,
    "table_waits": _table_waits_text,
    "times_offered": offered_times_text,
    "planned_anew": _partners_replanned_text,
}
