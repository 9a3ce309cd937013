"""The buttons of a replay, of a log, and of the list of finished games."""

from __future__ import annotations

from typing import TypeAlias

from bot.tables.past.history import Replay
from cogs.past import pages
from cogs.past.replay_frame import ALL, ReplayPlace, parse_replay_place
from cogs.past.show_frame import show_frame
from cogs.shared.discord_api import interactions, table_places
from cogs.shared.discord_api.components import form
from cogs.shared.discord_api.interactions import Interaction
from cogs.shared.reading.custom_ids import ControlId
from cogs.shared.reading.input_problems import InputCode, InputProblem
from cogs.shared.serving.context import Context
from cogs.shared.serving.new_tables import new_table_settings, require_tables_allowed
from cogs.shared.showing import finished_games

Chosen: TypeAlias = tuple[str, ...]

TYPED = {pages.DEAL: "replay_deal_typed", pages.TURN: "replay_turn_typed"}
"""The control of each form that asks for a number."""


class PastControls:
    """Handlers of the buttons of replays, logs and lists of finished games.

    They work on old messages too. A replay's buttons update its private message.
    """

    def __init__(self, context: Context) -> None:
        self.context = context
        self.tables = context.tables
        handlers = {
            **dict.fromkeys((pages.FIRST, pages.BACK, pages.NEXT, pages.LAST), self.show_other_frame),
            **dict.fromkeys(TYPED, self.ask_for_deal_or_turn_number),
            **dict.fromkeys(TYPED.values(), self.go_to_typed_number),
            pages.SEAT: self.show_hands_menu,
            pages.SEAT_CHOSEN: self.choose_open_hands,
            pages.TEXT: self.show_frame_in_words,
            pages.AGAIN: self.deal_cards_again,
            pages.PRACTISE: self.practise_from_frame,
            pages.HERE: self.post_frame,
            finished_games.TURNED: self.show_log,
            finished_games.DEAL: self.show_log_of_chosen_deal,
            finished_games.TURNED_FINISHED: self.show_finished_games,
            finished_games.CHOSEN: self.show_finished_game,
            finished_games.REPLAY: self.show_replay,
            finished_games.RECORD: self.send_record,
        }
        for action, handler in handlers.items():
            context.router.add(action, handler)

    # --- replays

    async def _load_replay(self, interaction: Interaction, table: int, deal: int | None) -> Replay:
        return await self.tables.past.replay(table, deal, person=interaction.user.id, guild=interaction.guild_id)

    async def _show_frame(
        self, interaction: Interaction, control: ControlId, place: ReplayPlace, *, with_hands_menu: bool = False
    ) -> None:
        replay = await self._load_replay(interaction, control.table, place.deal)
        await show_frame(self.context, interaction, replay, place, update=True, with_hands_menu=with_hands_menu)

    async def show_other_frame(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        await self._show_frame(interaction, control, parse_replay_place(control.argument))

    async def ask_for_deal_or_turn_number(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Open the form in which the user types the number of a deal or turn."""
        place, words = parse_replay_place(control.argument), interactions.words_for(interaction)
        typed = ControlId(control.table, control.version, TYPED[control.action], str(place))
        deal = control.action == pages.DEAL
        title = words("past.deal_button" if deal else "past.turn_button")
        filled = str(place.deal if deal else place.frame)
        await interactions.show_form(
            interaction, form(typed, title, hint=words("past.number"), filled=filled, required=True)
        )

    async def go_to_typed_number(self, interaction: Interaction, control: ControlId, values: Chosen) -> None:
        place, text = parse_replay_place(control.argument), "".join(values[:1]).strip()
        if not text.isdecimal() or len(text) > 6:
            raise InputProblem(InputCode.NOT_UNDERSTOOD, {"word": text[:40]})
        if control.action == TYPED[pages.DEAL]:
            place = ReplayPlace(int(text), 0, place.seat)
        else:
            place = ReplayPlace(place.deal, int(text), place.seat)
        await self._show_frame(interaction, control, place)

    async def show_hands_menu(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Show the same frame of a replay with a menu to choose which hands are open."""
        await self._show_frame(interaction, control, parse_replay_place(control.argument), with_hands_menu=True)

    async def choose_open_hands(self, interaction: Interaction, control: ControlId, values: Chosen) -> None:
        place, wanted = parse_replay_place(control.argument), "".join(values[:1])
        if wanted != ALL and not wanted.isdecimal():
            raise InputProblem(InputCode.OLD_CONTROL)
        seat = None if wanted == ALL else int(wanted)
        await self._show_frame(interaction, control, ReplayPlace(place.deal, place.frame, seat), with_hands_menu=True)

    async def show_frame_in_words(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        await self._answer_with_log(
            interaction, control.table, parse_replay_place(control.argument).deal, 0, update=False
        )

    async def deal_cards_again(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Open a new table with the same cards in the channel of the button."""
        await self._open_replayed_table(interaction, control, parse_replay_place(control.argument).deal, turns=None)

    async def practise_from_frame(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Open a new table that continues from the position in the frame."""
        at = parse_replay_place(control.argument)
        await self._open_replayed_table(interaction, control, at.deal, turns=at.frame)

    async def _open_replayed_table(
        self, interaction: Interaction, control: ControlId, deal: int, *, turns: int | None
    ) -> None:
        """Open a new table with a deal's cards, from its start or after `turns` turns."""
        place, deal = table_places.place_of_interaction(interaction), parse_replay_place(control.argument).deal
        place = table_places.place_of_interaction(interaction)
        server = await require_tables_allowed(self.context, place)
        table_places.require_permissions(interaction)
        snapshot = await self.tables.past.play_again(
            interactions.caller_of(interaction),
            control.table,
            deal,
            channel=place.channel,
            thread=place.thread,
            settings=new_table_settings(server, clock=server.clock),
            turn_count=turns,
        )
        words = interactions.words_for(interaction)
        key = "past.again" if turns is None else "past.practise"
        await interactions.answer_privately(interaction, words(key, table=snapshot.id, of=control.table, deal=deal))

    async def post_frame(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Post the shown frame of a replay for everyone in the channel."""
        interactions.acknowledge_publicly(interaction)
        place = parse_replay_place(control.argument)
        replay = await self._load_replay(interaction, control.table, place.deal)
        await show_frame(self.context, interaction, replay, place, public=True)

    # --- logs

    async def show_log(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        deal, _, part = control.argument.partition(".")
        if not deal.isdecimal() or not (part.isdecimal() or not part):
            raise InputProblem(InputCode.OLD_CONTROL)
        await self._answer_with_log(interaction, control.table, int(deal), int(part or 0), update=True)

    async def show_log_of_chosen_deal(self, interaction: Interaction, control: ControlId, values: Chosen) -> None:
        deal = "".join(values[:1])
        if not deal.isdecimal():
            raise InputProblem(InputCode.OLD_CONTROL)
        await self._answer_with_log(interaction, control.table, int(deal), None, update=True)

    async def _answer_with_log(
        self, interaction: Interaction, table: int, deal: int, part: int | None, *, update: bool
    ) -> None:
        log = await self.tables.past.deal_log(table, deal, person=interaction.user.id, guild=interaction.guild_id)
        preferences = await self.context.profiles.preferences_of(interaction.user.id)
        page = finished_games.log_page(
            interactions.words_for(interaction), log, part, in_words=preferences.is_text_only
        )
        await interactions.show_page(interaction, page, update=update)

    # --- finished games

    async def show_finished_games(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        first = int(control.argument) if control.argument.isdecimal() else 0
        page = await finished_games.load_finished_games_page(self.tables, interaction, first)
        await interactions.show_page(interaction, page, update=True)

    async def show_finished_game(self, interaction: Interaction, _control: ControlId, values: Chosen) -> None:
        """Show a finished game, with buttons for its replay, record, log and shuffle check."""
        number = "".join(values[:1])
        if not number.isdecimal():
            raise InputProblem(InputCode.OLD_CONTROL)
        snapshot = await self.tables.reading.snapshot_for(
            int(number), person=interaction.user.id, guild=interaction.guild_id
        )
        await interactions.show_page(
            interaction, finished_games.game_page(interactions.words_for(interaction), snapshot)
        )

    async def show_replay(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        replay = await self._load_replay(interaction, control.table, None)
        first = await self._load_replay(interaction, control.table, replay.deals[0])
        await show_frame(self.context, interaction, first, ReplayPlace(first.deal, 0))

    async def send_record(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        game = await self.tables.past.game_file(control.table, person=interaction.user.id, guild=interaction.guild_id)
        words = interactions.words_for(interaction)
        await interactions.show_page(interaction, pages.record_page(words, game.logs[0].snapshot, game))
