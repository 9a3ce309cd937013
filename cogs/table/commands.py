"""`/table …`: open, set up, join, start, show and list tables."""

from __future__ import annotations

from typing import Final

from discord import app_commands
from discord.ext import commands

from bot.tables.state.clocks import MOST_DEALS
from bot.tables.state.proposals import LONGEST_PAUSE, ProposalKind
from bot.tables.state.snapshots import Status, TableSnapshot
from cogs.shared.discord_api import interactions, table_places
from cogs.shared.discord_api.components import Page, text_page
from cogs.shared.discord_api.interactions import Interaction, answer_in_time, ignore_problems
from cogs.shared.posting.edit_schedule import PASSING
from cogs.shared.posting.threads import place_link_lines
from cogs.shared.serving import option_choices, panel, which_table
from cogs.shared.serving.context import Context
from cogs.shared.serving.new_tables import TableWish, open_table, require_tables_allowed
from cogs.shared.serving.quiet_hours import ask_newcomer_for_quiet_hours
from cogs.shared.showing.finished_games import load_finished_games_page, log_page
from cogs.shared.showing.lobby import join_result
from cogs.shared.showing.paused_games import page_after_leaving
from cogs.shared.telling import names
from cogs.shared.telling.names import aim_text, table_rules_name
from cogs.shared.telling.numbers import group_thousands
from cogs.table import seat_suggestions
from cogs.table.close_table import close_or_propose_end
from cogs.table.consent_controls import make_proposal, proposal_choices, propose_resigning
from cogs.table.lobby_controls import call_roll, require_lobby_host
from cogs.table.master_commands import AbsentSeatCommands
from cogs.table.options.house_rules import house_rules_panel
from cogs.table.proposal_interactions import ProposalInteractions
from cogs.table.setup import seated_player_text, setup_page

_MOST_LISTED: Final = 20


@app_commands.guild_only()
class TableCommands(AbsentSeatCommands, commands.GroupCog, group_name="table"):
    """The command group `/table`."""

    help_group = "table"

    def __init__(self, context: Context, proposers: ProposalInteractions) -> None:
        self.context = context
        self.tables = context.tables
        self.proposers = proposers

    @app_commands.command(name="new")
    @app_commands.choices(level=option_choices.level_choices())
    async def new(
        self,
        interaction: Interaction,
        *,
        rules: str | None = None,
        players: int | None = None,
        computers: int = 0,
        level: str | None = None,
        target: int | None = None,
        theme: str | None = None,
        clock: str | None = None,
        length: app_commands.Range[int, 1, MOST_DEALS] | None = None,
        rated: bool = False,
    ) -> None:
        async with answer_in_time(interaction):
            wish = TableWish(
                rules=rules,
                players=players,
                target=target,
                computers=computers,
                level=None if level is None else option_choices.parse_level(level),
                themes=option_choices.parse_themes(interactions.words_for(interaction), theme),
                clock=clock,
                length=length,
                rated=rated,
            )
            await open_table(self.context, interaction, wish)

    @app_commands.command(name="join")
    async def join(self, interaction: Interaction, table: str | None = None, seat: int | None = None) -> None:
        async with answer_in_time(interaction):
            number = await which_table.find_any_table(self.tables, interaction, table)
            wanted = None if seat is None else seat - 1
            snapshot = await self.tables.lobby.join(interactions.caller_of(interaction), number, seat=wanted)
            words = interactions.words_for(interaction)
            text = join_result(words, snapshot, interaction.user.id)
            await interactions.answer_privately(interaction, text, *place_link_lines(words, snapshot, interaction))
            await ask_newcomer_for_quiet_hours(self.context, interaction, snapshot)

    @app_commands.command(name="leave")
    async def leave(self, interaction: Interaction, table: str | None = None) -> None:
        async with answer_in_time(interaction):
            number = await which_table.find_own_table(self.tables, interaction, table)
            snapshot = await self.tables.lobby.leave(interactions.caller_of(interaction), number)
            await interactions.show_page(interaction, page_after_leaving(interactions.words_for(interaction), snapshot))

    @app_commands.command(name="add-computer")
    @app_commands.choices(level=option_choices.level_choices())
    async def add_computer(
        self, interaction: Interaction, level: str | None = None, table: str | None = None, seat: int | None = None
    ) -> None:
        async with answer_in_time(interaction):
            number = await which_table.find_own_table(self.tables, interaction, table)
            wanted = None if seat is None else seat - 1
            chosen = None if level is None else option_choices.parse_level(level)
            caller = interactions.caller_of(interaction)
            await self.tables.lobby.add_computer(caller, number, seat=wanted, level=chosen)
            await interactions.answer_privately(
                interaction, interactions.words_for(interaction)("done.computer_added", table=number)
            )

    @app_commands.command(name="remove-computer")
    async def remove_computer(
        self, interaction: Interaction, table: str | None = None, seat: int | None = None
    ) -> None:
        async with answer_in_time(interaction):
            number = await which_table.find_own_table(self.tables, interaction, table)
            wanted = None if seat is None else seat - 1
            await self.tables.lobby.remove_computer(interactions.caller_of(interaction), number, seat=wanted)
            await interactions.answer_privately(
                interaction, interactions.words_for(interaction)("done.computer_removed", table=number)
            )

    @app_commands.command(name="set-up")
    async def set_up(self, interaction: Interaction, table: str | None = None) -> None:
        async with answer_in_time(interaction):
            number = await which_table.find_own_table(self.tables, interaction, table)
            await interactions.show_page(interaction, await setup_page(self.context, interaction, number))

    @app_commands.command(name="move")
    async def move(self, interaction: Interaction, seat: int, to: int, table: str | None = None) -> None:
        async with answer_in_time(interaction):
            number = await which_table.find_own_table(self.tables, interaction, table)
            snapshot = await self.tables.lobby.swap_seats(
                interactions.caller_of(interaction), number, seat=seat - 1, other_seat=to - 1
            )
            await interactions.answer_privately(
                interaction, seated_player_text(interactions.words_for(interaction), snapshot, to - 1)
            )

    @app_commands.command(name="start")
    async def start(self, interaction: Interaction, table: str | None = None, fill: bool = False) -> None:  # noqa: FBT001, FBT002
        async with answer_in_time(interaction):
            number = await which_table.find_own_table(self.tables, interaction, table)
            snapshot = await self.tables.lobby.start(interactions.caller_of(interaction), number, fill=fill)
            if snapshot.roll is not None:
                await call_roll(self.context, interaction, snapshot)
                return
            await panel.answer_with_panel(self.context, interaction, panel.hand_page(self.context, interaction, number))

    @app_commands.command(name="show")
    async def show(self, interaction: Interaction, table: str | None = None) -> None:
        async with answer_in_time(interaction):
            number = await which_table.find_any_table(self.tables, interaction, table)
            snapshot = await self.tables.reading.snapshot_for(
                number, person=interaction.user.id, guild=interaction.guild_id
            )
            await interactions.answer_with_page(interaction, self._show_board(interaction, snapshot))

    async def _show_board(self, interaction: Interaction, snapshot: TableSnapshot) -> Page:
        """Return the page that shows the board privately.

        If the person plays at the table, the board is also posted there again.
        """
        place, words = table_places.place_of_interaction(interaction), interactions.words_for(interaction)
        here = table_places.place_of_table(snapshot).post_channel == place.post_channel
        trouble = self.context.board_updater.board_trouble(snapshot.id)
        lost = snapshot.place_lost is not None or (trouble is not None and trouble not in PASSING)
        if snapshot.seat_of(interaction.user.id) is None or not (here or lost):
            preferences = await self.context.profiles.preferences_of(interaction.user.id)
            serial = interaction.id % 1_000_000
            return await self.context.pages.board(words, snapshot, preferences=preferences, serial=serial)
        if lost:
            await require_tables_allowed(self.context, place)
            table_places.require_permissions(interaction)
            await self.tables.places.move(snapshot.id, channel=place.channel, thread=place.thread)
        self.context.board_updater.request_update(snapshot.id, repost=True)
        return text_page(words("done.shown", table=snapshot.id))

    @app_commands.command(name="list")
    async def list_(self, interaction: Interaction, finished: bool = False) -> None:  # noqa: FBT001, FBT002
        async with answer_in_time(interaction):
            if finished:
                await interactions.show_page(interaction, await load_finished_games_page(self.tables, interaction))
                return
            place, words = table_places.place_of_interaction(interaction), interactions.words_for(interaction)
            found = await self.tables.reading.open_refs_in(place.guild)
            snapshots = await self.tables.reading.cached_snapshots(found[:_MOST_LISTED], most=_MOST_LISTED)
            lines = [words("list.title"), *(_table_line(interaction, snapshot) for snapshot in snapshots)]
            if len(found) > _MOST_LISTED:
                lines.append(words("list.more", count=len(found) - _MOST_LISTED))
            await interactions.answer_privately(interaction, *(lines if snapshots else [words("list.none")]))

    @app_commands.command(name="log")
    async def log(self, interaction: Interaction, table: str | None = None, deal: int | None = None) -> None:
        async with answer_in_time(interaction):
            number = await which_table.find_past_table(self.tables, interaction, table)
            log = await self.tables.past.deal_log(number, deal, person=interaction.user.id, guild=interaction.guild_id)
            preferences = await self.context.profiles.preferences_of(interaction.user.id)
            page = log_page(interactions.words_for(interaction), log, in_words=preferences.is_text_only)
            await interactions.show_page(interaction, page)

    @app_commands.command(name="options")
    async def options(self, interaction: Interaction, table: str | None = None) -> None:
        async with answer_in_time(interaction):
            number = await which_table.find_own_table(self.tables, interaction, table)
            snapshot = await require_lobby_host(self.context, interaction, number)
            await interactions.show_page(interaction, house_rules_panel(interactions.words_for(interaction), snapshot))

    @app_commands.command(name="close")
    async def close(self, interaction: Interaction, table: str | None = None) -> None:
        async with answer_in_time(interaction):
            number = await which_table.find_any_table(self.tables, interaction, table)
            await interactions.show_page(
                interaction, await close_or_propose_end(self.context, interaction, number, self.proposers)
            )

    @app_commands.command(name="resign")
    async def resign(self, interaction: Interaction, table: str | None = None) -> None:
        async with answer_in_time(interaction):
            number = await which_table.find_own_table(self.tables, interaction, table)
            await interactions.show_page(
                interaction, await propose_resigning(self.context, interaction, number, self.proposers)
            )

    @app_commands.command(name="offer")
    @app_commands.choices(what=proposal_choices())
    async def offer(
        self,
        interaction: Interaction,
        what: str,
        days: app_commands.Range[int, 1, LONGEST_PAUSE] = LONGEST_PAUSE,
        table: str | None = None,
    ) -> None:
        async with answer_in_time(interaction):
            number = await which_table.find_own_table(self.tables, interaction, table)
            asked = make_proposal(self.context, interaction, number, self.proposers, kind=ProposalKind(what), days=days)
            await interactions.answer_with_page(interaction, asked)

    @join.autocomplete("table")
    @leave.autocomplete("table")
    @add_computer.autocomplete("table")
    @remove_computer.autocomplete("table")
    @set_up.autocomplete("table")
    @move.autocomplete("table")
    @start.autocomplete("table")
    @options.autocomplete("table")
    @show.autocomplete("table")
    @close.autocomplete("table")
    @resign.autocomplete("table")
    @offer.autocomplete("table")
    async def suggest_tables(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        found: list[tuple[str, str]] = []
        async with ignore_problems():
            found = await which_table.table_choices(self.tables, interaction, typed)
        return [app_commands.Choice(name=label, value=value) for label, value in found]

    @log.autocomplete("table")
    async def suggest_past_tables(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        found: list[tuple[str, str]] = []
        async with ignore_problems():
            found = await which_table.past_table_choices(self.tables, interaction, typed)
        return [app_commands.Choice(name=label, value=value) for label, value in found]

    @join.autocomplete("seat")
    @add_computer.autocomplete("seat")
    async def suggest_free_seats(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[int]]:
        return await seat_suggestions.seat_choices(self.tables, interaction, typed, holder_kinds=("empty",))

    @remove_computer.autocomplete("seat")
    async def suggest_computers(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[int]]:
        return await seat_suggestions.seat_choices(self.tables, interaction, typed, holder_kinds=("computer",))

    @move.autocomplete("seat")
    async def suggest_held_seats(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[int]]:
        return await seat_suggestions.seat_choices(self.tables, interaction, typed, holder_kinds=("person", "computer"))

    @move.autocomplete("to")
    async def suggest_seats(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[int]]:
        return await seat_suggestions.seat_choices(
            self.tables, interaction, typed, holder_kinds=("empty", "computer", "person")
        )

    @new.autocomplete("rules")
    async def suggest_rules(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return await option_choices.rule_choices(self.context, interaction, typed)

    @new.autocomplete("theme")
    async def suggest_themes(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return option_choices.theme_choices(interactions.words_for(interaction), typed)

    @new.autocomplete("clock")
    async def suggest_clocks(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return option_choices.clock_choices(interactions.words_for(interaction), typed)

    @new.autocomplete("players")
    async def suggest_players(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[int]]:
        words, named = interactions.words_for(interaction), getattr(interaction.namespace, "rules", None)
        counts: tuple[int, ...] = ()
        async with ignore_problems():
            counts = (await self.tables.rules.rules_named(interaction.guild_id or 0, named or None)).players
        return [
            app_commands.Choice(name=words("offer.players", players=count), value=count)
            for count in counts
            if str(count).startswith(str(typed))
        ]


def _table_line(interaction: Interaction, snapshot: TableSnapshot) -> str:
    words = interactions.words_for(interaction)
    free = sum(1 for holder in snapshot.seats if holder.kind == "empty")
    seated = ", ".join(
        names.seat_name(words, snapshot, seat) for seat, holder in enumerate(snapshot.seats) if holder.kind != "empty"
    )
    values = {
        "table": snapshot.id,
        "place": f"<#{table_places.place_of_table(snapshot).post_channel}>",
        "rules": table_rules_name(words, snapshot),
        "players": snapshot.players,
        "aim": aim_text(words, snapshot),
        "names": seated,
    }
    if snapshot.status is Status.LOBBY or snapshot.view is None:
        return words("list.lobby", free=free, **values)
    scores = " – ".join(group_thousands(words, total.score) for total in snapshot.view.totals)
    return words("list.playing", deal=snapshot.view.deal, scores=scores, **values)
