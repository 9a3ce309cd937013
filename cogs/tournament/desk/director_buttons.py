"""What directors can do right where they are told of something: at an absence, and at a case."""

from __future__ import annotations

from bot.i18n import Words
from bot.tournaments.event.values import Audience, News, Tournament
from cogs.shared.door.components import DANGER, PRIMARY, Part, buttons
from cogs.tournament.desk.look import DeskView


def director_row(words: Words, tournament: Tournament, news: News) -> Part | None:
    """The buttons under a piece of news for directors; None where there is nothing to do."""
    if news.audience is not Audience.DIRECTORS or news.match is None:
        return None
    look = DeskView(words, tournament, 0, 0)
    if news.code == "table_waits":
        return buttons(
            look.button("desk_substitute", news.match),
            look.wait_button(news.match),
            look.button("desk_forfeit", news.match, style=DANGER),
        )
    if news.code == "case_called":
        case = news.numbers["case"]
        return buttons(look.button("desk_case", case, label=words("desk.case_button", case=case), style=PRIMARY))
    return None
