"""The private desk from which hosts run a series."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any

from discord import ui

from bot.i18n import Words
from bot.series.nights import upcoming_start
from bot.series.series import MOST_HOSTS, Series, SeriesStage
from cogs.series import pages, wording
from cogs.series.repeat_button import read_series_numbers, series_numbers_form
from cogs.shared.discord_api import interactions, table_places
from cogs.shared.discord_api.components import (
    DANGER,
    GREEN,
    SUCCESS,
    Page,
    Part,
    button,
    button_rows,
    container,
    page,
    separator,
    text,
)
from cogs.shared.discord_api.interactions import Interaction
from cogs.shared.reading.custom_ids import ControlId
from cogs.shared.reading.input_problems import InputCode, InputProblem
from cogs.shared.serving.context import Context
from cogs.tournament.announcement import is_organiser, require_organiser
from cogs.tournament.control_ids import control, link_of
from cogs.tournament.wizard.controls import wizard_page

Chosen = tuple[str, ...]
MOST_GUESTS = 25


async def show_desk(
    context: Context, interaction: Interaction, series: Series, *, update: bool = False, note: str = ""
) -> None:
    """Show a host the desk; show other people whether they can take over the series."""
    words = interactions.words_for(interaction)
    if interaction.user.id in series.hosts:
        await interactions.show_page(interaction, desk_page(words, series, note=note), update=update)
        return
    may_take = not series.hosts and await is_organiser(context, interaction)
    await interactions.show_page(interaction, non_host_page(words, series, may_take=may_take), update=update)


def desk_page(words: Words, series: Series, *, note: str = "") -> Page:
    """Return the private page with the buttons by which a host runs a series."""
    over = series.stage is SeriesStage.ENDED
    paused = series.stage is SeriesStage.PAUSED
    lines = [
        words("series.desk_title", name=wording.series_name(series)),
        words("panel.note", note=note) if note else "",
        wording.series_headline(words, series),
        *pages.state_lines(words, series),
        words("series.hosts", names=wording.person_names(words, series, series.hosts)),
        words("series.guests", names=wording.person_names(words, series, series.guests)) if series.guests else "",
    ]

    def action_button(action: str, *, style: Any = None, enabled: bool = True) -> ui.Button[Any]:
        options = {} if style is None else {"style": style}
        label = words(f"series_button.{action.removeprefix('s_')}")
        return button(control(series.id, action), label, enabled=enabled and not over, **options)

    divided = series.plan.divisions is not None
    buttons_ = [
        *([] if divided else [action_button("s_skip")]),
        action_button("s_go_on", style=SUCCESS) if paused else action_button("s_pause"),
        *([] if divided else [action_button("s_numbers")]),
        action_button("s_settings"),
        action_button("s_here"),
        action_button("s_end", style=DANGER, enabled=not series.ending),
    ]
    parts: list[Part | None] = [text("\n".join(filter(None, lines))), *button_rows(buttons_)]
    if not over:
        parts += [
            separator(),
            _people_menu(words, series, "s_hosts", "series.choose_hosts", MOST_HOSTS - 1),
            _people_menu(words, series, "s_guests", "series.choose_guests", MOST_GUESTS),
        ]
    return page([container(*parts, edge=GREEN)])


def _people_menu(words: Words, series: Series, action: str, placeholder: str, most: int) -> Part:
    menu: ui.UserSelect[Any] = ui.UserSelect(
        custom_id=str(control(series.id, action)), placeholder=words(placeholder), min_values=0, max_values=most
    )
    return ui.ActionRow(menu)


def non_host_page(words: Words, series: Series, *, may_take: bool) -> Page:
    """Return the page for people who are not hosts, with a button to take over a series without one."""
    names = wording.person_names(words, series, series.hosts)
    message = words("series.hosts", names=names) if names else words("series.no_hosts")
    take = button(control(series.id, "s_take_over"), words("series_button.take_over"))
    return page(
        [
            text(f"{words('series.desk_title', name=wording.series_name(series))}\n{message}"),
            *button_rows([take] * may_take),
        ]
    )


class SeriesDeskControls:
    """Handlers of the controls of a series' desk; the series service checks every request again."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.series = context.series
        handlers = {
            "s_skip": self.skip_night,
            "s_pause": self.pause_series,
            "s_go_on": self.resume_series,
            "s_end": self.end_series,
            "s_take_over": self.take_over_series,
            "s_here": self.move_series_here,
            "s_hosts": self.set_hosts,
            "s_guests": self.set_guests,
            "s_numbers": self.ask_series_numbers,
            "s_numbered": self.set_series_numbers,
            "s_settings": self.open_settings,
        }
        for action, handler in handlers.items():
            context.router.add(action, handler)

    async def skip_night(self, interaction: Interaction, control_id: ControlId, _values: Chosen) -> None:
        await self._act_and_show_desk(interaction, control_id, self.series.skip_next_date)

    async def pause_series(self, interaction: Interaction, control_id: ControlId, _values: Chosen) -> None:
        await self._act_and_show_desk(interaction, control_id, self.series.pause)

    async def resume_series(self, interaction: Interaction, control_id: ControlId, _values: Chosen) -> None:
        await self._act_and_show_desk(interaction, control_id, self.series.resume)

    async def end_series(self, interaction: Interaction, control_id: ControlId, _values: Chosen) -> None:
        await self._act_and_show_desk(interaction, control_id, self.series.end)

    async def take_over_series(self, interaction: Interaction, control_id: ControlId, _values: Chosen) -> None:
        await require_organiser(self.context, interaction)
        await self._act_and_show_desk(interaction, control_id, self.series.take_over)

    async def move_series_here(self, interaction: Interaction, control_id: ControlId, _values: Chosen) -> None:
        """Move the series to the channel in which the button was pressed."""
        place, number = table_places.place_of_interaction(interaction), link_of(control_id).tournament
        table_places.require_permissions(interaction)
        after = await self.series.move(interactions.caller_of(interaction), number, place.channel)
        note = interactions.words_for(interaction)("series.moved", place=f"<#{after.channel}>")
        await show_desk(self.context, interaction, after, update=True, note=note)

    async def _act_and_show_desk(
        self, interaction: Interaction, control_id: ControlId, act: Callable[..., Awaitable[Series]]
    ) -> None:
        number = link_of(control_id).tournament
        await self.series.get_series(number, guild=interaction.guild_id)
        after = await act(interactions.caller_of(interaction), number)
        await show_desk(self.context, interaction, after, update=interactions.is_in_private_message(interaction))

    async def set_hosts(self, interaction: Interaction, control_id: ControlId, values: Chosen) -> None:
        people = people_in_menu(interaction, values)
        after = await self.series.set_hosts(interactions.caller_of(interaction), link_of(control_id).tournament, people)
        await show_desk(self.context, interaction, after, update=True)

    async def set_guests(self, interaction: Interaction, control_id: ControlId, values: Chosen) -> None:
        people = people_in_menu(interaction, values)
        after = await self.series.set_guests(
            interactions.caller_of(interaction), link_of(control_id).tournament, people
        )
        await show_desk(self.context, interaction, after, update=True)

    async def ask_series_numbers(self, interaction: Interaction, control_id: ControlId, _values: Chosen) -> None:
        series = await self.series.get_series(link_of(control_id).tournament, guild=interaction.guild_id)
        words = interactions.words_for(interaction)
        window = series_numbers_form(
            words, control(series.id, "s_numbered"), words("series_button.numbers"), series.plan, series.last_date
        )
        await interactions.show_form(interaction, window)

    async def set_series_numbers(self, interaction: Interaction, control_id: ControlId, values: Chosen) -> None:
        series = await self.series.get_series(link_of(control_id).tournament, guild=interaction.guild_id)
        plan = read_series_numbers(series.plan, values, self.context.clock.now())
        after = await self.series.change_plan(interactions.caller_of(interaction), series.id, plan)
        await show_desk(self.context, interaction, after, update=True)

    async def open_settings(self, interaction: Interaction, control_id: ControlId, _values: Chosen) -> None:
        """Open the wizard with a draft of the next night; [Repeat…] in the wizard stores it for the series."""
        series = await self.series.get_series(link_of(control_id).tournament, guild=interaction.guild_id)
        if interaction.user.id not in series.hosts:
            await show_desk(self.context, interaction, series)
            return
        plan = replace(series.plan.pattern, starts_at=upcoming_start(series))
        draft = await self.context.tournaments.entering.create(
            interactions.caller_of(interaction), channel=series.channel, plan=plan
        )
        note = interactions.words_for(interaction)("series.settings_note")
        await interactions.show_page(
            interaction, await wizard_page(self.context, interaction, draft, "check", note=note)
        )


def people_in_menu(interaction: Interaction, values: Chosen) -> Mapping[int, str]:
    """Return the persons chosen in a menu, with their names. Raises `InputProblem` for bots."""
    data: dict[str, Any] = dict(interaction.data or {})
    known = data.get("resolved") or {}
    users, members = known.get("users", {}), known.get("members", {})
    found: dict[int, str] = {}
    for one in values:
        user = users.get(one, {})
        if not one.isdecimal() or not user or user.get("bot"):
            raise InputProblem(InputCode.OLD_CONTROL)
        nick = members.get(one, {}).get("nick")
        found[int(one)] = str(nick or user.get("global_name") or user.get("username") or one)
    return found
