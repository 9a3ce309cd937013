"""Ratings and reliability in words."""

from __future__ import annotations

from bot.i18n import Words
from bot.profiles.game_statistics import GameStatistics
from bot.ratings.rating_rules import Ladder, Rating
from cogs.shared.telling.numbers import group_thousands


def ladder_title(words: Words, ladder: Ladder) -> str:
    """Return the name of a rating ladder: kind of rules and number of players."""
    return f"{words(f'family.{ladder.family}')} · {words('offer.players', players=ladder.players)}"


def rating_figure(words: Words, rating: Rating) -> str:
    """Return a rating as text, marked if it is provisional."""
    figure = group_thousands(words, rating.displayed_value)
    return words("rating.provisional", rating=figure) if rating.is_provisional else words("rating.sure", rating=figure)


def reliability_text(words: Words, figures: GameStatistics) -> str:
    """Return text on a player's reliability: finished games, and how often their time ran out."""
    texts = [
        words("profile.finished", count=figures.games) if figures.games else "",
        words("profile.lapses", count=figures.lapses),
        words("profile.agreed", count=figures.agreed) if figures.agreed else "",
    ]
    return " · ".join(filter(None, texts))
