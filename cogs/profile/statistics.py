"""`/profile`: statistics of a person's finished games, their ratings, and a chart of one rating."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Final

from discord import User, app_commands
from discord.ext import commands

from bot.i18n import Words
from bot.profiles.game_statistics import GameStatistics, HeadToHead
from bot.ratings.rating_rules import Ladder, Rating
from bot.ratings.service import LadderRating
from cogs.shared.discord_api import interactions
from cogs.shared.discord_api.components import Page, Picture, container, gallery, page, text
from cogs.shared.discord_api.interactions import Interaction, answer_in_time
from cogs.shared.serving.context import Context
from cogs.shared.telling.names import picture_words
from cogs.shared.telling.numbers import group_thousands, number_with_one_decimal
from cogs.shared.telling.rating_text import ladder_title, rating_figure, reliability_text
from cogs.shared.telling.series_titles_text import titles_text
from render import descriptions
from render.layout_items import ThemeName
from render.picture_inputs import RatingPicture, RatingPoint

FEWEST_POINTS: Final = 3
MOST_POINTS: Final = 200
"""Fewest and most matches of a ladder that a chart shows."""

MOST_PAIRS: Final = 3
"""Most pairs that are shown for each ladder."""

DEVIATION: Final = 40
"""Points of the shown rating for each point of the stored rating."""


class StatisticsCommand(commands.Cog):
    """The command `/profile`; it privately shows the statistics of any person."""

    help_group = "yours"

    def __init__(self, context: Context) -> None:
        self.context = context
        self._serials = count(1)

    @app_commands.command()
    @app_commands.guild_only()
    async def profile(self, interaction: Interaction, person: User | None = None) -> None:
        async with answer_in_time(interaction):
            await interactions.answer_with_page(
                interaction,
                self._load_statistics_page(interaction, interaction.user.id if person is None else person.id),
            )

    async def _load_statistics_page(self, interaction: Interaction, shown: int) -> Page:
        words, asking = interactions.words_for(interaction), interaction.user.id
        figures = await self.context.figures.statistics_of(shown)
        ratings = await self.context.ratings.ratings_of(shown)
        pairs = await self.context.ratings.pair_ratings_of(shown)
        against = None if shown == asking else await self.context.figures.head_to_head(asking, shown)
        chart = await self._rating_chart(words, asking, ratings[0]) if ratings else None
        fame = await self.context.series.points_and_wins_in(interaction.guild_id or 0)
        titles = next((titles_text(words, one) for one in fame if one.person == shown), "")
        return statistics_page(
            words, shown, figures, ratings=ratings, pairs=pairs, against=against, chart=chart, titles=titles
        )

    async def _rating_chart(self, words: Words, reader: int, rated: LadderRating) -> Picture | None:
        """Return the rating chart in the reader's theme; None if the reader wants text only."""
        preferences = await self.context.profiles.preferences_of(reader)
        history = await self.context.ratings.rating_history(rated.person, rated.ladder)
        if preferences.is_text_only or len(history) < FEWEST_POINTS:
            return None
        asked = rating_chart(words, rated.ladder, history, theme=ThemeName(preferences.theme))
        return await self.context.pages.draw_picture(
            asked, f"rating-{next(self._serials)}.png", descriptions.short_description(asked)
        )


def rating_chart(words: Words, ladder: Ladder, history: Sequence[Rating], *, theme: ThemeName) -> RatingPicture:
    """Return the chart of a rating's history."""
    points = tuple(RatingPoint(one.displayed_value, round(DEVIATION * one.sigma)) for one in history[-MOST_POINTS:])
    return RatingPicture(title=ladder_title(words, ladder), points=points, words=picture_words(words), theme=theme)


def statistics_page(
    words: Words,
    person: int,
    figures: GameStatistics,
    *,
    ratings: Sequence[LadderRating] = (),
    pairs: Sequence[LadderRating] = (),
    against: HeadToHead | None = None,
    chart: Picture | None = None,
    titles: str = "",
) -> Page:
    """Return the page of a person's statistics.

    It mentions the person only to show their name; the answer is private, so nobody is notified.
    """
    title = words("profile.title", person=f"<@{person}>")
    lines = [words("profile.titles", titles=titles)] if titles else []
    lines += _statistics_lines(words, figures) if figures.games else [words("profile.none")]
    for one in ratings:
        lines += [_rating_line(words, one), *_pair_lines(words, [pair for pair in pairs if pair.ladder == one.ladder])]
    if against is not None and against.games:
        lines.append(words("profile.against", count=against.games, won=against.won, lost=against.lost))
    lines.append(f"-# {reliability_text(words, figures)}")
    pictures = [] if chart is None else [chart]
    return page([container(text("\n".join([title, *lines])), gallery(chart))], pictures)


def _rating_line(words: Words, rated: LadderRating) -> str:
    return words(
        "profile.rating",
        ladder=ladder_title(words, rated.ladder),
        rating=rating_figure(words, rated.rating),
        count=rated.matches,
    )


def _pair_lines(words: Words, pairs: Sequence[LadderRating]) -> list[str]:
    """Return a line on the pairs with the most matches of a ladder; no line without pairs."""
    texts = [
        words(
            "profile.pair_provisional" if one.rating.is_provisional else "profile.pair",
            partner=f"<@{one.partner}>",
            rating=group_thousands(words, one.rating.displayed_value),
            count=one.matches,
        )
        for one in pairs[:MOST_PAIRS]
    ]
    return [f"-# {' · '.join(texts)}"] if texts else []


def _statistics_lines(words: Words, figures: GameStatistics) -> list[str]:
    """Return lines on a person's statistics; figures without a value are left out."""
    average, best = figures.canastas_a_deal, figures.best_deal
    lines = [
        words("profile.games", count=figures.games, won=figures.won, together=figures.together),
        words("profile.deals", count=figures.deals),
        ""
        if average is None
        else words("profile.canastas", total=figures.canastas, average=number_with_one_decimal(words, average)),
        "" if best is None else words("profile.best_deal", points=group_thousands(words, best)),
        "" if figures.fastest is None else words("profile.fastest", count=figures.fastest),
        *(
            words("profile.partner", partner=f"<@{one.partner}>", count=one.games, won=one.won)
            for one in figures.partnerships
        ),
    ]
    return [line for line in lines if line]
