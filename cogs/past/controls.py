"""The buttons of a replay, of a log, and of the list of finished games."""

from __future__ import annotations

from typing import TypeAlias

from bot.tables.past.past_looks import Replay
from cogs.past import past_pages
from cogs.past.frame_answers import show_frame
from cogs.past.frames import ALL, Place, place_of
from cogs.shared.door import patience, replies, table_places
from cogs.shared.door.components import form
from cogs.shared.door.replies import Interaction
from cogs.shared.reading.ids import ControlId
from cogs.shared.reading.problems import InputCode, InputProblem
from cogs.shared.serving.context import Context
from cogs.shared.serving.new_tables import admitted, settings_of
from cogs.shared.showing import finished, log_page

Chosen: TypeAlias = tuple[str, ...]

TYPED = {past_pages.DEAL: "replay_deal_typed", past_pages.TURN: "replay_turn_typed"}
"""What comes back from the forms that ask for a number."""


class PastControls:
    """Answers at any age of what the buttons stand under; a replay turns its pages in its own private message."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.tables = context.tables
        handlers = {
            **dict.fromkeys((past_pages.FIRST, past_pages.BACK, past_pages.NEXT, past_pages.LAST), self.turn),
            **dict.fromkeys(TYPED, self.ask),
            **dict.fromkeys(TYPED.values(), self.typed),
            past_pages.SEAT: self.eyes,
            past_pages.SEAT_CHOSEN: self.see_as,
            past_pages.TEXT: self.text,
            past_pages.AGAIN: self.again,
            past_pages.HERE: self.here,
            log_page.TURNED: self.log,
            log_page.DEAL: self.log_of,
            finished.TURNED: self.finished,
            finished.CHOSEN: self.game,
            finished.REPLAY: self.replay,
            finished.RECORD: self.record,
        }
        for action, handler in handlers.items():
            context.router.add(action, handler)

    # --- replays

    async def _replay(self, interaction: Interaction, table: int, deal: int | None) -> Replay:
        return await self.tables.replay(table, deal, person=interaction.user.id, guild=interaction.guild_id)

    async def _show(self, interaction: Interaction, control: ControlId, place: Place, *, eyes: bool = False) -> None:
        replay = await self._replay(interaction, control.table, place.deal)
        await show_frame(self.context, interaction, replay, place, update=True, eyes=eyes)

    async def turn(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        await self._show(interaction, control, place_of(control.argument))

    async def ask(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        """A form for the number of a deal or a turn."""
        place, words = place_of(control.argument), replies.words_for(interaction)
        typed = ControlId(control.table, control.version, TYPED[control.action], str(place))
        deal = control.action == past_pages.DEAL
        title = words("past.deal_button" if deal else "past.turn_button")
        filled = str(place.deal if deal else place.frame)
        await replies.ask(interaction, form(typed, title, hint=words("past.number"), filled=filled, required=True))

    async def typed(self, interaction: Interaction, control: ControlId, given: Chosen) -> None:
        place, text = place_of(control.argument), "".join(given[:1]).strip()
        if not text.isdecimal() or len(text) > 6:
            raise InputProblem(InputCode.NOT_UNDERSTOOD, {"word": text[:40]})
        if control.action == TYPED[past_pages.DEAL]:
            place = Place(int(text), 0, place.seat)
        else:
            place = Place(place.deal, int(text), place.seat)
        await self._show(interaction, control, place)

    async def eyes(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        """The frame that is shown, with a choice of whose hand is open in it."""
        await self._show(interaction, control, place_of(control.argument), eyes=True)

    async def see_as(self, interaction: Interaction, control: ControlId, chosen: Chosen) -> None:
        place, wanted = place_of(control.argument), "".join(chosen[:1])
        if wanted != ALL and not wanted.isdecimal():
            raise InputProblem(InputCode.OLD_CONTROL)
        seat = None if wanted == ALL else int(wanted)
        await self._show(interaction, control, Place(place.deal, place.frame, seat), eyes=True)

    async def text(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        await self._log(interaction, control.table, place_of(control.argument).deal, 0, update=False)

    async def again(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        """A new table with the very same cards, where the button was pressed."""
        place, deal = table_places.of_interaction(interaction), place_of(control.argument).deal
        server = await admitted(self.context, place)
        table_places.require_permissions(interaction)
        look = await self.tables.play_again(
            replies.caller_of(interaction),
            control.table,
            deal,
            channel=place.channel,
            thread=place.thread,
            settings=settings_of(server, clock=server.clock),
        )
        words = replies.words_for(interaction)
        await replies.say(interaction, words("past.again", table=look.id, of=control.table, deal=deal))

    async def here(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        """The frame for everybody in the channel."""
        patience.publicly(interaction)
        place = place_of(control.argument)
        replay = await self._replay(interaction, control.table, place.deal)
        await show_frame(self.context, interaction, replay, place, public=True)

    # --- logs

    async def log(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        deal, _, part = control.argument.partition(".")
        if not deal.isdecimal() or not (part.isdecimal() or not part):
            raise InputProblem(InputCode.OLD_CONTROL)
        await self._log(interaction, control.table, int(deal), int(part or 0), update=True)

    async def log_of(self, interaction: Interaction, control: ControlId, chosen: Chosen) -> None:
        deal = "".join(chosen[:1])
        if not deal.isdecimal():
            raise InputProblem(InputCode.OLD_CONTROL)
        await self._log(interaction, control.table, int(deal), None, update=True)

    async def _log(self, interaction: Interaction, table: int, deal: int, part: int | None, *, update: bool) -> None:
        log = await self.tables.deal_log(table, deal, person=interaction.user.id, guild=interaction.guild_id)
        preferences = await self.context.profiles.person(interaction.user.id)
        page = log_page.log_page(replies.words_for(interaction), log, part, listens=preferences.text_only)
        await replies.show(interaction, page, update=update)

    # --- finished games

    async def finished(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        first = int(control.argument) if control.argument.isdecimal() else 0
        page = await finished.finished_page(self.tables, interaction, first)
        await replies.show(interaction, page, update=True)

    async def game(self, interaction: Interaction, _control: ControlId, chosen: Chosen) -> None:
        """One of the finished games, with the ways to its replay, record, log and checks."""
        number = "".join(chosen[:1])
        if not number.isdecimal():
            raise InputProblem(InputCode.OLD_CONTROL)
        look = await self.tables.look_for(int(number), person=interaction.user.id, guild=interaction.guild_id)
        await replies.show(interaction, finished.game_page(replies.words_for(interaction), look))

    async def replay(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        replay = await self._replay(interaction, control.table, None)
        first = await self._replay(interaction, control.table, replay.deals[0])
        await show_frame(self.context, interaction, first, Place(first.deal, 0))

    async def record(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        game = await self.tables.game_file(control.table, person=interaction.user.id, guild=interaction.guild_id)
        words = replies.words_for(interaction)
        await replies.show(interaction, past_pages.record_page(words, game.logs[0].look, game))
