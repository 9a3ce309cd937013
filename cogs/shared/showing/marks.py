"""How reliable those are who sit in a lobby, told before somebody sits down with them."""

from __future__ import annotations

from bot.i18n import Words
from bot.profiles.person_figures import FiguresService
from bot.tables.looks import TableSnapshot
from cogs.shared.telling import names
from cogs.shared.telling.rating_text import reliability


async def marks_of(words: Words, look: TableSnapshot, figures: FiguresService) -> tuple[str, ...]:
    """A line for each person in a lobby where it matters: that of a slow table, or of one that is rated."""
    if not (look.settings.slow or look.settings.rated):
        return ()
    found = []
    for seat, holder in enumerate(look.seats):
        if holder.person is not None and not holder.is_former:
            told = reliability(words, await figures.of(holder.person))
            found.append(words("lobby.mark", name=names.of_seat(words, look, seat), told=told))
    return tuple(found)
