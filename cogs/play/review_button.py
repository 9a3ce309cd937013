"""The button *Review*: the steps of the last deal that an expert player would have done much better."""

from __future__ import annotations

from cogs.shared.discord_api import interactions
from cogs.shared.discord_api.components import Page
from cogs.shared.discord_api.interactions import Interaction
from cogs.shared.reading.custom_ids import ControlId
from cogs.shared.reading.input_problems import InputCode, InputProblem
from cogs.shared.reading.meld_draft import NOTHING
from cogs.shared.serving import panel
from cogs.shared.serving.context import Context
from cogs.shared.showing.pages import hand_in_words
from cogs.shared.showing.panels.review_page import REVIEW, has_review, review_page, seat_before_step


class ReviewControls:
    """The handler of *Review* and of its pages.

    The review is computed again if it is no longer in memory.
    """

    def __init__(self, context: Context) -> None:
        self.context = context
        context.router.add(REVIEW, self.show_review)

    async def show_review(self, interaction: Interaction, control: ControlId, _chosen: tuple[str, ...]) -> None:
        deal, _, number = control.argument.partition(".")
        if not (deal.isdecimal() and number.isdecimal()):
            raise InputProblem(InputCode.OLD_CONTROL)
        await panel.answer_with_panel(
            self.context, interaction, self._review_page(interaction, control.table, int(deal), int(number))
        )

    async def _review_page(self, interaction: Interaction, table: int, deal: int, page_number: int) -> Page:
        """Return a page of the review, or the panel if the deal is not the last, or cannot be reviewed."""
        snapshot = await panel.load_seat(self.context, interaction, table)
        results = () if snapshot.table.view is None else snapshot.table.view.results
        if not has_review(snapshot.table, snapshot.seat) or results[-1].deal != deal:
            return await panel.panel_page(self.context, interaction, snapshot)
        words, person = interactions.words_for(interaction), interaction.user.id
        review = await self.context.reviews.review_deal(table, deal, person=person, guild=interaction.guild_id)
        if not review.findings:
            return review_page(words, review, 0)
        page_number = min(page_number, len(review.findings) - 1)
        finding = review.findings[page_number]
        then, preferences = seat_before_step(review, finding), await self.context.profiles.preferences_of(person)
        serial = interaction.id % 1_000_000
        picture = await self.context.pages.hand_picture(words, then, preferences, NOTHING, serial)
        description = "" if picture else hand_in_words(words, then, finding.view, preferences, with_news=False)
        return review_page(words, review, page_number, picture=picture, description=description)
