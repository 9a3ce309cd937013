"""A word of one's own for the shuffle: the form, and what is typed into it."""

from __future__ import annotations

from bot.tables.own_words import LONGEST
from bot.tables.refusals import TableCode, TableRefusal
from cogs.shared.door import replies
from cogs.shared.door.components import form
from cogs.shared.door.replies import Interaction
from cogs.shared.reading.ids import ControlId
from cogs.shared.serving.context import Context
from cogs.shared.showing.word_button import WORD, WORD_TYPED


class WordControls:
    """Answers the button of `cogs.shared.showing.word_button` and its form."""

    def __init__(self, context: Context) -> None:
        self.tables = context.tables
        context.router.add(WORD, self.ask)
        context.router.add(WORD_TYPED, self.typed)

    async def ask(self, interaction: Interaction, control: ControlId, _chosen: tuple[str, ...]) -> None:
        """A form with one line; only for those who are seated."""
        look = await self.tables.look_for(control.table, person=interaction.user.id, guild=interaction.guild_id)
        if look.seat_of(interaction.user.id) is None:
            raise TableRefusal(TableCode.NOT_SEATED, {"table": look.id})
        words = replies.words_for(interaction)
        typed = ControlId(look.id, look.version, WORD_TYPED)
        hint = words("own_word.hint", most=LONGEST)
        await replies.ask(interaction, form(typed, words("own_word.title"), hint=hint, filled="", required=True))

    async def typed(self, interaction: Interaction, control: ControlId, given: tuple[str, ...]) -> None:
        """The word is kept, and said again as it was cleaned."""
        caller = replies.caller_of(interaction)
        word, look = await self.tables.contribute(caller, control.table, "".join(given[:1]))
        deal = next((shuffle.deal for shuffle in look.shuffle if shuffle.contributions is None), 0)
        await replies.say(interaction, replies.words_for(interaction)("own_word.kept", word=word, deal=deal))
