"""Answer with the score: of the whole game, or one deal's sheet."""

from __future__ import annotations

from bot.i18n import Words
from bot.tables.state.snapshots import TableSnapshot
from cogs.shared.discord_api import interactions
from cogs.shared.discord_api.components import LONGEST_OPTION, Page, container, fit_text, gallery, page, text, text_page
from cogs.shared.discord_api.interactions import Interaction
from cogs.shared.reading.custom_ids import MOST_CHOICES
from cogs.shared.serving.context import Context
from cogs.shared.showing import finished_games, picture_inputs
from cogs.shared.telling import score_text


async def score_page(
    context: Context, interaction: Interaction, snapshot: TableSnapshot, deal: int | None = None
) -> Page:
    """Return the private page with the score as pictures, else as text; with `deal`, that deal's sheet.

    Raises `InputProblem` for a deal that is not scored.
    """
    words = interactions.words_for(interaction)
    preferences = await context.profiles.preferences_of(interaction.user.id)
    serial = interaction.id % 1_000_000
    if deal is not None:
        return await context.pages.sheet(words, snapshot, deal, preferences=preferences, serial=serial)
    if snapshot.view is None:
        return text_page(words("score.none"))
    pictures = await context.pages.score_pictures(words, snapshot, preferences, serial=serial)
    message = (
        words("score.title", table=snapshot.id)
        if pictures
        else score_text.game_score_text(words, snapshot, snapshot.view)
    )
    below = finished_games.sheet_buttons(words, snapshot) if snapshot.view.results else None
    return page([container(text(message), *(gallery(picture) for picture in pictures), below)], pictures)


def deal_choices(words: Words, snapshot: TableSnapshot, typed: str) -> list[tuple[str, int]]:
    """Return labels and numbers of the finished deals for the `deal:` option, latest first."""
    labelled = [
        (picture_inputs.strip_markup(finished_games.sheet_title(words, snapshot, sheet)), sheet.result.deal)
        for sheet in reversed(snapshot.sheets)
    ]
    found = [
        (fit_text(label, LONGEST_OPTION, may_be_cut=True), deal)
        for label, deal in labelled
        if typed.casefold() in label.casefold()
    ]
    return found[:MOST_CHOICES]
