"""The panel in which a lobby's host sets up the table, and its controls.

Each control shows the updated panel.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bot.i18n import Words
from bot.tables.seating.lobby_rules import rules_offer_of
from bot.tables.state.refusals import TableRefusal
from bot.tables.state.snapshots import Status, TableSnapshot
from cogs.shared.discord_api import interactions
from cogs.shared.discord_api.components import (
    DANGER,
    GREEN,
    Option,
    Page,
    Part,
    button,
    button_row,
    container,
    page,
    section,
    select,
    separator,
)
from cogs.shared.discord_api.interactions import Interaction
from cogs.shared.reading.custom_ids import ControlId
from cogs.shared.reading.input_problems import InputCode, InputProblem
from cogs.shared.serving.context import Context
from cogs.shared.showing.lobby import game_facts_line, rules_sentence, seat_label, seat_parts
from cogs.shared.telling import names
from cogs.shared.telling.explanations import explain_problem, host_name
from cogs.shared.telling.names import table_rules_name
from cogs.table.clock_panel import clock_menus
from cogs.table.lobby_controls import require_lobby_host


def setup_panel(words: Words, snapshot: TableSnapshot, *, moving: int | None = None, note: str = "") -> Page:
    """Return the setup panel; `moving` is the seat whose player the host wants to move, if one was chosen."""
    return page(
        [
            container(
                _rules_section(words, snapshot, note),
                _players_menu(words, snapshot),
                separator(),
                *seat_parts(words, snapshot, with_buttons=False),
                _seat_to_move_menu(words, snapshot, moving),
                None if moving is None else _target_seat_menu(words, snapshot, moving),
                _computers_menu(words, snapshot),
                separator(),
                *clock_menus(words, snapshot),
                button_row(
                    button(_control_id(snapshot, "options"), words("setup.house_rules")),
                    button(_control_id(snapshot, "table_settings"), words("setup_clock.more")),
                    button(_control_id(snapshot, "close"), words("setup.close"), style=DANGER),
                ),
                edge=GREEN,
            )
        ]
    )


def _control_id(snapshot: TableSnapshot, action: str, argument: str = "") -> ControlId:
    return ControlId(snapshot.id, snapshot.version, action, argument)


def _rules_section(words: Words, snapshot: TableSnapshot, note: str) -> Part:
    lines = [
        words("setup.title", table=snapshot.id),
        *([words("panel.note", note=note)] if note else []),
        f"**{table_rules_name(words, snapshot)}**",
        rules_sentence(words, snapshot),
        game_facts_line(words, snapshot),
    ]
    choose = button(_control_id(snapshot, "picker"), words("setup.choose_rules"))
    return section("\n".join(line for line in lines if line), choose)


def _players_menu(words: Words, snapshot: TableSnapshot) -> Part | None:
    """Return the menu of player counts, or None if the rules allow only one."""
    offered = rules_offer_of(snapshot.base, snapshot.saved_as).players
    options = [
        Option(str(count), words("offer.players", players=count), chosen=count == snapshot.players) for count in offered
    ]
    return select(_control_id(snapshot, "players"), words("setup.players"), options) if len(options) > 1 else None


def _seat_to_move_menu(words: Words, snapshot: TableSnapshot, moving: int | None) -> Part | None:
    options = [
        Option(str(seat), _holder_label(words, snapshot, seat), chosen=seat == moving)
        for seat, holder in enumerate(snapshot.seats)
        if holder.kind != "empty"
    ]
    return select(_control_id(snapshot, "place"), words("setup.move"), options)


def _target_seat_menu(words: Words, snapshot: TableSnapshot, moving: int) -> Part | None:
    """Return the menu of seats to which the player can move; if someone sits there, they swap."""
    options = []
    for seat, holder in enumerate(snapshot.seats):
        label = words("lobby.seat", seat=seat + 1)
        if holder.kind != "empty":
            label = words("setup.to_held", seat=label, name=names.holder_name(words, holder))
        if seat != moving:
            options.append(Option(str(seat), label))
    name = names.holder_name(words, snapshot.seats[moving])
    return select(_control_id(snapshot, "place_at", str(moving)), words("setup.to", name=name), options)


def _holder_label(words: Words, snapshot: TableSnapshot, seat: int) -> str:
    name = names.holder_name(words, snapshot.seats[seat])
    return words("setup.held", name=name, seat=seat_label(words, snapshot, seat))


def _computers_menu(words: Words, snapshot: TableSnapshot) -> Part | None:
    """Return the menu of computer player counts, or None if people hold all seats."""
    most = snapshot.players - len(snapshot.persons)
    now = sum(holder.kind == "computer" for holder in snapshot.seats)
    options = [
        Option(str(count), words("setup.computers_count", count=count), chosen=count == now)
        for count in range(most + 1)
    ]
    return select(_control_id(snapshot, "computers"), words("setup.computers"), options) if most else None


Chosen = tuple[str, ...]


class SetupControls:
    """Handlers of the controls of the setup panel; the table service checks every request again."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.tables = context.tables
        handlers = {
            "setup": self.open_setup,
            "players": self.set_player_count,
            "computers": self.set_computer_count,
            "place": self.choose_seat_to_move,
            "place_at": self.move_player,
        }
        for action, handler in handlers.items():
            context.router.add(action, handler)

    async def open_setup(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Open the setup panel for the host; tell other people who the host is."""
        snapshot = await self.tables.reading.snapshot_for(
            control.table, person=interaction.user.id, guild=interaction.guild_id
        )
        words = interactions.words_for(interaction)
        if snapshot.status is Status.LOBBY and snapshot.host != interaction.user.id:
            await interactions.answer_privately(interaction, words("setup.not_host", host=host_name(words, snapshot)))
            return
        page = await setup_page(self.context, interaction, control.table)
        await interactions.show_page(interaction, page, update=interactions.is_in_private_message(interaction))

    async def set_player_count(self, interaction: Interaction, control: ControlId, values: Chosen) -> None:
        count = _chosen_number(values)
        asking = self.tables.rules.set_players(interactions.caller_of(interaction), control.table, count)
        await self._change_and_show_panel(
            interaction,
            control.table,
            asking,
            lambda words, snapshot: words("setup.players_changed", count=snapshot.players),
        )

    async def set_computer_count(self, interaction: Interaction, control: ControlId, values: Chosen) -> None:
        count = _chosen_number(values)
        asking = self.tables.lobby.set_computers(interactions.caller_of(interaction), control.table, count)
        await self._change_and_show_panel(
            interaction, control.table, asking, lambda words, _: words("setup.computers_changed", count=count)
        )

    async def choose_seat_to_move(self, interaction: Interaction, control: ControlId, values: Chosen) -> None:
        """Choose the player to move, and show a menu of seats for them."""
        page = await setup_page(self.context, interaction, control.table, moving=_chosen_number(values))
        await interactions.show_page(interaction, page, update=True)

    async def move_player(self, interaction: Interaction, control: ControlId, values: Chosen) -> None:
        other_seat = _chosen_number(values)
        asking = self.tables.lobby.swap_seats(
            interactions.caller_of(interaction),
            control.table,
            seat=_chosen_number((control.argument,)),
            other_seat=other_seat,
            expected_version=control.version,
        )
        await self._change_and_show_panel(
            interaction, control.table, asking, lambda words, snapshot: seated_player_text(words, snapshot, other_seat)
        )

    async def _change_and_show_panel(
        self,
        interaction: Interaction,
        table: int,
        change: Awaitable[TableSnapshot],
        describe_change: Callable[[Words, TableSnapshot], str],
    ) -> None:
        """Await the change, then update the setup panel with a note on it or the reason for its refusal."""
        words = interactions.words_for(interaction)
        try:
            note = describe_change(words, await change)
        except TableRefusal as refusal:
            note = explain_problem(words, refusal)
        page = await setup_page(self.context, interaction, table, note=note)
        await interactions.show_page(interaction, page, update=True)


async def setup_page(
    context: Context, interaction: Interaction, table: int, *, moving: int | None = None, note: str = ""
) -> Page:
    """Return the setup panel for the host. Refusals as `require_lobby_host`."""
    snapshot = await require_lobby_host(context, interaction, table)
    there = (
        moving if moving is not None and moving < snapshot.players and snapshot.seats[moving].kind != "empty" else None
    )
    return setup_panel(interactions.words_for(interaction), snapshot, moving=there, note=note)


def seated_player_text(words: Words, snapshot: TableSnapshot, seat: int) -> str:
    """Return a sentence on who now sits in a seat, and with which partners."""
    return words(
        "setup.moved",
        name=names.seat_name(words, snapshot, seat),
        seat=names.escape_name(seat_label(words, snapshot, seat)),
    )


def _chosen_number(values: Chosen) -> int:
    """Return the number that was chosen. Raises `InputProblem` if it is not a number."""
    if len(values) != 1 or not (values[0].isascii() and values[0].isdigit()) or len(values[0]) > 2:
        raise InputProblem(InputCode.OLD_CONTROL)
    return int(values[0])
