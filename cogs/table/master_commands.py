"""`/master …` for game masters, and `/table computer` and `give-time` for players.

Each action of a game master is posted at the table with its reason, and stored in the audit log.
"""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Final

from discord import app_commands
from discord.ext import commands

from bot.clocks.clock import HOUR
from bot.profiles.guild_settings import AuditEntry
from bot.tables.masters.interventions import LONGEST_REASON
from bot.tables.state.snapshots import Status, TableSnapshot
from cogs.shared.discord_api import interactions
from cogs.shared.discord_api.components import button_rows, page, text
from cogs.shared.discord_api.discord_calls import CallTrouble, FailedCall, attempt_call
from cogs.shared.discord_api.interactions import Interaction, answer_in_time, ignore_problems
from cogs.shared.discord_api.table_messages import post_at_table
from cogs.shared.notices.links import address_of_board, table_button
from cogs.shared.serving import which_table
from cogs.shared.serving.context import Context
from cogs.shared.serving.roles import require_game_master, role_of
from cogs.shared.telling import names
from cogs.shared.telling.status_text import discord_timestamp
from cogs.table import seat_suggestions

Reason = app_commands.Range[str, 1, LONGEST_REASON]
Hours = app_commands.Range[int, 1, 14 * 24]

MOST_AUDITED: Final = 12


@app_commands.guild_only()
class MasterCommands(commands.GroupCog, group_name="master"):
    """The command group `/master`: commands of game masters for running games."""

    help_group = "table"

    def __init__(self, context: Context) -> None:
        self.context = context

    @app_commands.command(name="pause")
    async def pause(self, interaction: Interaction, reason: Reason, table: str | None = None) -> None:
        async with answer_in_time(interaction):
            number = await self._find_table_as_master(interaction, table)
            asking = self.context.tables.masters.pause(interactions.caller_of(interaction), number, reason=reason)
            await self._act_and_post(interaction, asking, "master.paused", reason)

    @app_commands.command(name="resume")
    async def resume(self, interaction: Interaction, reason: Reason, table: str | None = None) -> None:
        async with answer_in_time(interaction):
            number = await self._find_table_as_master(interaction, table)
            asking = self.context.tables.masters.resume(interactions.caller_of(interaction), number, reason=reason)
            await self._act_and_post(interaction, asking, "master.resumed", reason)

    @app_commands.command(name="extend")
    async def extend(
        self, interaction: Interaction, seat: int, reason: Reason, hours: Hours | None = None, table: str | None = None
    ) -> None:
        async with answer_in_time(interaction):
            number = await self._find_table_as_master(interaction, table)
            amount = None if hours is None else hours * HOUR
            caller = interactions.caller_of(interaction)
            asking = self.context.tables.masters.extend_time(
                caller, number, seat=seat - 1, amount=amount, reason=reason
            )
            await self._act_and_post(interaction, asking, "master.extended", reason, seat=seat - 1)

    @app_commands.command(name="replace")
    async def replace(self, interaction: Interaction, seat: int, reason: Reason, table: str | None = None) -> None:
        async with answer_in_time(interaction):
            number = await self._find_table_as_master(interaction, table)
            asking = self.context.tables.masters.hand_over(
                interactions.caller_of(interaction), number, seat=seat - 1, reason=reason
            )
            await self._act_and_post(interaction, asking, "master.replaced", reason, seat=seat - 1)

    @app_commands.command(name="end")
    async def end(self, interaction: Interaction, reason: Reason, table: str | None = None) -> None:
        async with answer_in_time(interaction):
            number = await self._find_table_as_master(interaction, table)
            asking = self.context.tables.masters.end(interactions.caller_of(interaction), number, reason=reason)
            await self._act_and_post(interaction, asking, "master.ended", reason)

    @app_commands.command(name="audit")
    async def audit(self, interaction: Interaction, table: str | None = None) -> None:
        async with answer_in_time(interaction):
            number = which_table.parse_table_number(table) if table else None
            words = interactions.words_for(interaction)
            found = await self.context.servers.audit_entries(
                interaction.guild_id or 0, table=number, limit=MOST_AUDITED
            )
            lines = [words("master.audit"), *(_audit_line(interaction, entry) for entry in found)]
            await interactions.answer_privately(interaction, *(lines if found else [words("master.audit_empty")]))

    async def _find_table_as_master(self, interaction: Interaction, table: str | None) -> int:
        """Return the number of the table named, after checking that the person is a game master."""
        await require_game_master(self.context, interaction)
        return await which_table.find_any_table(self.context.tables, interaction, table)

    async def _act_and_post(
        self,
        interaction: Interaction,
        action: Awaitable[TableSnapshot],
        key: str,
        reason: str,
        *,
        seat: int | None = None,
    ) -> None:
        """Await a game master's action, then post at the table what was done and why."""
        snapshot = await action
        words = interactions.server_words(interaction, self.context.servers.locale(snapshot.guild))
        values: dict[str, object] = {"master": interaction.user.mention, "table": snapshot.id}
        if seat is not None:
            values["name"] = _mention_player(snapshot, seat)
        message = words(key, reason=names.escape_name(reason, longest=LONGEST_REASON), **values)
        await _post_and_confirm(self.context, interaction, snapshot, message)

    @extend.autocomplete("seat")
    @replace.autocomplete("seat")
    async def suggest_persons(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[int]]:
        return await seat_suggestions.seat_choices(
            self.context.tables, interaction, typed, holder_kinds=("person",), status=Status.PLAYING
        )

    @pause.autocomplete("table")
    @resume.autocomplete("table")
    @extend.autocomplete("table")
    @replace.autocomplete("table")
    @end.autocomplete("table")
    @audit.autocomplete("table")
    async def suggest_running_tables(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return await _suggest_own_tables(self.context, interaction, typed)


class AbsentSeatCommands(commands.Cog):
    """Commands with which players help another seat that is absent or short of time."""

    context: Context

    @app_commands.command(name="computer")
    async def computer(self, interaction: Interaction, seat: int, table: str | None = None) -> None:
        async with answer_in_time(interaction):
            number = await which_table.find_any_table(self.context.tables, interaction, table)
            snapshot = await self.context.tables.reading.snapshot_for(
                number, person=interaction.user.id, guild=interaction.guild_id
            )
            standing = await role_of(self.context, interaction)
            gone = await _has_left(interaction, snapshot, seat - 1)
            snapshot = await self.context.tables.masters.seat_computer(
                interactions.caller_of(interaction), number, seat=seat - 1, server_role=standing, has_left_guild=gone
            )
            words = interactions.server_words(interaction, self.context.servers.locale(snapshot.guild))
            message = words("master.seated", who=interaction.user.mention, name=_mention_player(snapshot, seat - 1))
            await _post_and_confirm(self.context, interaction, snapshot, message)

    @app_commands.command(name="give-time")
    async def give_time(self, interaction: Interaction, seat: int, table: str | None = None) -> None:
        async with answer_in_time(interaction):
            number = await which_table.find_own_table(self.context.tables, interaction, table)
            snapshot = await self.context.tables.masters.give_time(
                interactions.caller_of(interaction), number, seat=seat - 1
            )
            words = interactions.server_words(interaction, self.context.servers.locale(snapshot.guild))
            message = words("master.given", who=interaction.user.mention, name=_mention_player(snapshot, seat - 1))
            await _post_and_confirm(self.context, interaction, snapshot, message)

    @computer.autocomplete("seat")
    @give_time.autocomplete("seat")
    async def suggest_seated_players(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[int]]:
        return await seat_suggestions.seat_choices(
            self.context.tables, interaction, typed, holder_kinds=("person",), status=Status.PLAYING
        )

    @computer.autocomplete("table")
    @give_time.autocomplete("table")
    async def suggest_games(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return await _suggest_own_tables(self.context, interaction, typed)


async def _suggest_own_tables(context: Context, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    found: list[tuple[str, str]] = []
    async with ignore_problems():
        found = await which_table.table_choices(context.tables, interaction, typed)
    return [app_commands.Choice(name=label, value=value) for label, value in found]


async def _post_and_confirm(context: Context, interaction: Interaction, snapshot: TableSnapshot, sentence: str) -> None:
    """Post the text at the table and show it to the user.

    The player of the seat is notified by their own notice.
    """
    words = interactions.words_for(interaction)
    message = await context.tables.places.board_message(snapshot.id)
    said = interactions.server_words(interaction, context.servers.locale(snapshot.guild))
    opens = button_rows([table_button(said, snapshot, {snapshot.id: address_of_board(snapshot, message)})])
    posted = await post_at_table(interaction, snapshot, page([text(sentence), *opens]))
    await interactions.answer_privately(
        interaction, words("master.done" if posted else "master.done_untold", table=snapshot.id)
    )


async def _has_left(interaction: Interaction, snapshot: TableSnapshot, seat: int) -> bool:
    """Return whether the seat's player is known to have left the guild."""
    person = snapshot.seats[seat].person if 0 <= seat < len(snapshot.seats) else None
    if person is None or interaction.guild is None:
        return False
    found = await attempt_call(interaction.guild.fetch_member(person), "looking for a member", table=snapshot.id)
    return isinstance(found, FailedCall) and found.trouble is CallTrouble.MEMBER_GONE


def _seat_owner(snapshot: TableSnapshot, seat: int) -> int | None:
    """Return the person whose seat it is, even while a computer player plays for them."""
    holder = snapshot.seats[seat]
    return holder.kept_for if holder.person is None else holder.person


def _mention_player(snapshot: TableSnapshot, seat: int) -> str:
    return f"<@{_seat_owner(snapshot, seat)}>"


def _audit_line(interaction: Interaction, entry: AuditEntry) -> str:
    words = interactions.words_for(interaction)
    return words(
        "master.audited",
        when=discord_timestamp(entry.at, "f"),
        table=entry.table,
        master=f"<@{entry.person}>",
        action=words(f"master_action.{entry.action}"),
        reason=names.escape_name(entry.reason, longest=LONGEST_REASON),
    )
