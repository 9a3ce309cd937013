"""The score as an answer: in words and as a sheet."""

from __future__ import annotations

from bot.tables.looks import TableLook
from cogs.shared import replies, score_text
from cogs.shared.context import Context
from cogs.shared.layout import Page, container, gallery, page, text, text_page
from cogs.shared.replies import Interaction


async def score_page(context: Context, interaction: Interaction, look: TableLook) -> Page:
    """The score in words and as a sheet, in private."""
    words = replies.words_for(interaction)
    if look.view is None:
        return text_page(words("score.none"))
    preferences = await context.profiles.person(interaction.user.id)
    pictures = await context.pages.score_pictures(words, look, preferences, serial=interaction.id % 1_000_000)
    said = text(score_text.whole(words, look, look.view))
    return page([container(said, *(gallery(picture) for picture in pictures))], pictures)
