"""Agreed times of slow matches: the form to offer times, and the buttons to accept them."""

from __future__ import annotations

from typing import Any, Final

import discord

from bot.i18n import Words
from bot.tournaments.event.match_state import MatchState
from bot.tournaments.event.slow.agreed_times import AT_ONCE
from bot.tournaments.event.tournament import News, Tournament
from bot.tournaments.event.tournament_changes import find_match
from cogs.shared.discord_api import interactions
from cogs.shared.discord_api.components import Page, Part, button, button_row, button_rows, form, page, text, text_page
from cogs.shared.discord_api.interactions import Interaction
from cogs.shared.reading.custom_ids import ControlId
from cogs.shared.reading.input_problems import InputCode, InputProblem
from cogs.shared.reading.typed_times import parse_instant
from cogs.shared.serving.context import Context
from cogs.shared.telling.status_text import discord_timestamp
from cogs.tournament import wording
from cogs.tournament.control_ids import control, link_of

Chosen = tuple[str, ...]

SECOND: Final = 1000


def timestamp_text(milliseconds: int) -> str:
    """Return the markup by which Discord shows a time with its weekday, in each reader's zone."""
    return discord_timestamp(milliseconds, "F")


def times_page(words: Words, tournament: Tournament, match: MatchState, now: int) -> Page:
    """Return the page on the time of a match.

    It has the agreed time, the offered ones with the players whom they suit, and buttons.
    """
    coming = [one for one in match.times if one.at > now][:AT_ONCE]
    lines = [words("match_times.agreed", when=timestamp_text(match.agreed_at))] if match.agreed_at is not None else []
    for number, one in enumerate(coming, 1):
        names = wording.person_names(words, tournament, one.suits)
        lines.append(words("match_times.line", number=number, when=timestamp_text(one.at), names=names))
    those = [_accept_time_button(words, tournament, match.id, number, one.at) for number, one in enumerate(coming, 1)]
    return page(
        [
            text("\n".join(lines or [words("match_times.none")])),
            *button_rows([*those, offer_times_button(words, tournament, match)]),
        ]
    )


def offer_times_button(words: Words, tournament: Tournament, match: MatchState) -> discord.ui.Button[Any]:
    """Return the button that opens the form for times."""
    return button(control(tournament.id, "t_offer", match.id), words("match_times.offer"))


def _accept_time_button(
    words: Words, tournament: Tournament, match: int, time_number: int, time: int
) -> discord.ui.Button[Any]:
    link = control(tournament.id, "t_suits", match, time // SECOND)
    return button(link, words("match_times.suits", number=time_number))


def offered_times(news: News) -> list[int]:
    """Return the times that a piece of news offers, in order."""
    return [news.numbers[f"at{place}"] for place in range(1, AT_ONCE + 1) if f"at{place}" in news.numbers]


def offered_times_text(words: Words, tournament: Tournament, news: News) -> str:
    """Return a sentence on offered times, with one line per time."""
    names = wording.person_names(words, tournament, news.about)
    lines = [
        words("match_times.offered_line", number=number, when=timestamp_text(at))
        for number, at in enumerate(offered_times(news), 1)
    ]
    return "\n".join([words("match_times.offered", names=names, persons=wording.mentions(news.persons)), *lines])


def accept_time_buttons(words: Words, tournament: Tournament, news: News) -> Part | None:
    """Return the buttons to accept offered times; None for news that offers none."""
    if news.code != "times_offered" or news.match is None:
        return None
    match = news.match
    return button_row(
        *(_accept_time_button(words, tournament, match, number, at) for number, at in enumerate(offered_times(news), 1))
    )


async def show_times(
    context: Context, interaction: Interaction, tournament: Tournament, match: MatchState, *, update: bool = False
) -> None:
    """Show the times of a match privately."""
    shown = times_page(interactions.words_for(interaction), tournament, match, context.clock.now())
    await interactions.show_page(interaction, shown, update=update)


class TimesControls:
    """Handlers of the buttons and the form for agreed times."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.tournaments = context.tournaments
        for action, handler in (
            ("t_offer", self.ask_times),
            ("t_offered", self.offer_times),
            ("t_suits", self.accept_time),
        ):
            context.router.add(action, handler)

    async def ask_times(self, interaction: Interaction, control_id: ControlId, _values: Chosen) -> None:
        """Open the form in which to offer up to five times in the user's time zone.

        Raises `InputProblem` if the zone is not known.
        """
        words, link = interactions.words_for(interaction), link_of(control_id)
        tournament = await self.tournaments.overview.get_tournament(link.tournament, guild=interaction.guild_id)
        match = find_match(tournament, link.argument_number())
        zone = (await self.context.profiles.preferences_of(interaction.user.id)).zone
        if not zone:
            raise InputProblem(InputCode.ZONE_FIRST)
        window = form(
            control(tournament.id, "t_offered", match.id),
            words("match_times.title", zone=zone),
            hint=words("match_times.hint"),
            filled="",
            required=True,
        )
        await interactions.show_form(interaction, window)

    async def offer_times(self, interaction: Interaction, control_id: ControlId, values: Chosen) -> None:
        """Offer the typed times; if one is invalid, say which, and store none."""
        link, known = link_of(control_id), interactions.vocabulary_for(interaction)
        zone = (await self.context.profiles.preferences_of(interaction.user.id)).zone
        typed = [one.strip() for one in (values[0] if values else "").replace(";", ",").split(",") if one.strip()]
        if not 1 <= len(typed) <= AT_ONCE:
            raise InputProblem(InputCode.TOO_LONG, {"length": len(typed), "allowed": AT_ONCE})
        instants = [parse_instant(one, zone, self.context.clock.now(), known) for one in typed]
        caller = interactions.caller_of(interaction)
        done = await self.tournaments.entering.offer_times(
            caller, link.tournament, link.argument_number(), instants=instants
        )
        await show_times(self.context, interaction, done, done.match(link.argument_number()))

    async def accept_time(self, interaction: Interaction, control_id: ControlId, _values: Chosen) -> None:
        """Record that a time suits the user, and answer privately."""
        link, words = link_of(control_id), interactions.words_for(interaction)
        caller, at = interactions.caller_of(interaction), link.argument_number(1) * SECOND
        done = await self.tournaments.entering.accept_time(caller, link.tournament, link.argument_number(), at=at)
        agreed = done.match(link.argument_number()).agreed_at
        key = "match_times.agreed" if agreed == at else "match_times.you_suit"
        await interactions.show_page(interaction, text_page(words(key, when=timestamp_text(at))))
