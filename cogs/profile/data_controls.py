"""What `/me delete` tells, and the form in which a word is typed before anything is deleted."""

from __future__ import annotations

from typing import Final

from bot.i18n import Words
from cogs.shared.door import replies
from cogs.shared.door.components import DANGER, Page, button, buttons, container, form, page, text
from cogs.shared.door.replies import Interaction
from cogs.shared.reading.ids import ControlId
from cogs.shared.serving.context import Context

FORGET: Final = "forget_me"
TYPED: Final = "forget_me_typed"


def delete_page(words: Words) -> Page:
    """What goes and what stays, and the button that opens the form."""
    told = text("\n".join([words("data.title"), words("data.goes"), words("data.stays")]))
    forget = button(ControlId(0, 0, FORGET), words("data.delete"), style=DANGER)
    return page([container(told, buttons(forget))])


class DataControls:
    """Answers the button and the form."""

    def __init__(self, context: Context) -> None:
        self.tables = context.tables
        context.router.add(FORGET, self.ask)
        context.router.add(TYPED, self.typed)

    async def ask(self, interaction: Interaction, _control: ControlId, _chosen: tuple[str, ...]) -> None:
        """A form with one line."""
        words = replies.words_for(interaction)
        hint = words("data.hint", word=words("data.word"))
        title = words("data.form")
        await replies.ask(interaction, form(ControlId(0, 0, TYPED), title, hint=hint, filled="", required=True))

    async def typed(self, interaction: Interaction, _control: ControlId, given: tuple[str, ...]) -> None:
        """Nothing is deleted without the word; upper and lower case are one."""
        words = replies.words_for(interaction)
        word = words("data.word")
        if "".join(given[:1]).strip().casefold() != word.casefold():
            await replies.say(interaction, words("data.not_deleted", word=word))
            return
        await self.tables.forget(replies.caller_of(interaction))
        await replies.say(interaction, words("data.deleted"))
