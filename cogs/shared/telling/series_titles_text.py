"""A person's titles in a server's series, in words."""

from __future__ import annotations

from bot.i18n import Words
from bot.series.titles import Achievements
from cogs.shared.telling.numbers import group_thousands, number_with_one_decimal


def halved_points_text(words: Words, doubled: int) -> str:
    """Return points as text from twice their number, with one decimal if needed.

    Points are halved if places are shared.
    """
    return number_with_one_decimal(words, doubled / 2) if doubled % 2 else group_thousands(words, doubled // 2)


def titles_text(words: Words, achievements: Achievements) -> str:
    """Return a person's titles as a list.

    First the highest title with its points, then how often they won each kind of event.
    """
    told = []
    if achievements.title:
        title = words(f"series_title.{achievements.title}")
        told.append(words("series_title.ranked", title=title, points=halved_points_text(words, achievements.points)))
    won = (
        ("champion", achievements.seasons),
        ("division_winner", achievements.divisions),
        ("night_winner", achievements.nights),
    )
    return ", ".join([*told, *(words(f"series_title.{name}", count=count) for name, count in won if count)])
