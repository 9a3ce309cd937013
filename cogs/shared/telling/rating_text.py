"""Ratings and reliability in words."""

from __future__ import annotations

from bot.i18n import Words
from bot.profiles.figures import Figures
from bot.ratings.ratings import Ladder, Rating
from cogs.shared.telling.numbers import grouped


def ladder_title(words: Words, ladder: Ladder) -> str:
    """What a ladder is called: the kind of rules, and for how many."""
    return f"{words(f'family.{ladder.family}')} · {words('offer.players', players=ladder.players)}"


def rating_figure(words: Words, rating: Rating) -> str:
    """The figure of a rating, with a word where it is provisional."""
    figure = grouped(words, rating.shown)
    return words("rating.provisional", rating=figure) if rating.provisional else words("rating.sure", rating=figure)


def reliability(words: Words, figures: Figures) -> str:
    """The mark of how reliable somebody is: games brought to an end, and how often the time ran out."""
    told = [
        words("profile.finished", count=figures.games) if figures.games else "",
        words("profile.lapses", count=figures.lapses),
        words("profile.agreed", count=figures.agreed) if figures.agreed else "",
    ]
    return " · ".join(filter(None, told))
