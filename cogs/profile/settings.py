"""The panel of a person's settings: three pages of menus, and a sample hand as preview."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from bot.clocks.quiet_hours import QuietWindow, UnknownZone, normalise_zone
from bot.clocks.quiet_hours_and_vacation import PersonalHours
from bot.engine.cards.notation import parse_cards
from bot.engine.moves.phases import Phase
from bot.engine.rules.sets import rule_set
from bot.engine.table.views import PileView, PublicView, ScoreTotal, SeatInfo, SeatView, SideView
from bot.i18n import Words
from bot.profiles.preferences import CHOICES, OFF, ZONE, Preferences, UnknownChoice
from cogs.profile import quiet_hours_text
from cogs.shared.discord_api import interactions
from cogs.shared.discord_api.components import (
    PRIMARY,
    SECONDARY,
    Option,
    Page,
    Part,
    Picture,
    button,
    button_row,
    container,
    gallery,
    page,
    select,
    text,
    text_page,
)
from cogs.shared.discord_api.interactions import Interaction, is_in_private_message
from cogs.shared.reading.custom_ids import ControlId
from cogs.shared.reading.input_problems import InputCode, InputProblem
from cogs.shared.serving import option_choices
from cogs.shared.serving.context import Context
from cogs.shared.serving.quiet_hours import quiet_hours_question_parts
from cogs.shared.showing import pages

PREFIX: Final = "set_"
"""A setting's control is named by this prefix and the setting."""

TURN: Final = "settings_page"
"""The control that shows the page named by its argument."""

VACATION: Final = "set_vacation"
"""The control that chooses whether vacation days are used automatically."""

LOOK: Final = "look"
PLAY: Final = "play"
TIME: Final = "time"
PAGES: Final[Mapping[str, tuple[str, ...]]] = {
    LOOK: ("language", "theme", "deck", "order", "pictures"),
    PLAY: ("drawing", "discarding", "explain", "joiners"),
    TIME: ("notices", "fallback", "reminders", "digest", "pings"),
}
"""The pages in order, each with its settings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsView:
    """Everything that the panel of settings shows; `now` is in UTC milliseconds.

    `picture` or `told` (in words) is the preview; `note` says what just happened.
    """

    page: str
    preferences: Preferences
    personal: PersonalHours
    now: int
    picture: Picture | None = None
    told: str = ""
    note: str = ""


def page_of_setting(name: str) -> str:
    """Return the name of the page of the settings panel that shows this setting."""
    return next((page for page, names in PAGES.items() if name in names), TIME)


def settings_panel(words: Words, view: SettingsView) -> Page:
    """Return the settings panel: a page's settings with their menus, and on the first page a preview."""
    names = PAGES[view.page]
    head = "\n".join([words("settings.title"), option_choices.preferences_text(words, view.preferences, names)])
    note = text(words("panel.note", note=view.note)) if view.note else None
    body = _BODIES[view.page](words, view)
    menus = (_setting_menu(words, name, getattr(view.preferences, name)) for name in names)
    foot = text(f"-# {words('settings.private')} {words('settings.language_stays')}") if view.page == LOOK else None
    parts = container(text(head), note, *body, *menus, foot, _page_buttons(words, view.page))
    return page([parts], () if view.picture is None else (view.picture,))


def _appearance_parts(words: Words, view: SettingsView) -> list[Part | None]:
    lines = [words("settings.preview"), *([view.told] if view.told else [])]
    return [text("\n".join(lines)), gallery(view.picture)]


def _play_parts(_words: Words, _shown: SettingsView) -> list[Part | None]:
    return []


def _time_parts(words: Words, view: SettingsView) -> list[Part | None]:
    texts = quiet_hours_text.time_settings_lines(words, view.personal, zone=view.preferences.zone, now=view.now)
    label = words("settings.vacation")
    automatic = "on" if view.personal.automatic else "off"
    options = [Option(value, words(f"automatic.{value}"), label, chosen=value == automatic) for value in ("on", "off")]
    return [
        text("\n".join(texts)),
        *quiet_hours_question_parts(words),
        select(ControlId(0, 0, VACATION), label, options),
    ]


_BODIES: Final = {LOOK: _appearance_parts, PLAY: _play_parts, TIME: _time_parts}


def _page_buttons(words: Words, shown: str) -> Part | None:
    return button_row(
        *(
            button(
                ControlId(0, 0, TURN, name),
                words(f"settings_page.{name}"),
                style=PRIMARY if name == shown else SECONDARY,
                enabled=name != shown,
            )
            for name in PAGES
        )
    )


def _setting_menu(words: Words, name: str, chosen: str) -> Part | None:
    label = words(f"settings.{name}")
    options = [
        Option(value, option_choices.preference_value_name(words, name, value), label, chosen=value == chosen)
        for value in CHOICES[name]
    ]
    return select(ControlId(0, 0, f"{PREFIX}{name}"), label, options)


_RULES: Final = rule_set("classic", 4)
_HAND: Final = parse_cards("7s 4d Kc Kd Ah 2h Ks As 3s 7h JK Td 7c Qd")

_TABLE: Final = PublicView(
    rules=_RULES,
    deal=1,
    dealer=3,
    phase=Phase.PLAY,
    turn=0,
    turns=1,
    actor=0,
    drew="stock",
    permission=None,
    stock=60,
    pile=PileView(cards=5, top=parse_cards("9h")[0], frozen=True, freezer=None, aside=False),
    sides=tuple(SideView(side, _RULES.seats_of(side), 0, 0, False, 50, (), (), 0) for side in range(2)),
    seats=tuple(SeatInfo(seat, _RULES.side_of(seat), 11) for seat in range(4)),
    results=(),
    winner=None,
    playing=tuple(range(4)),
    totals=tuple(ScoreTotal(_RULES.seats_of(side), 0) for side in range(2)),
)

SAMPLE: Final = SeatView(
    table=_TABLE,
    seat=0,
    hand=_HAND,
    fresh=_HAND[-2:],
    hand_points=sum(_RULES.card_values[card >> 2] for card in _HAND),
    legal=(),
    laid_points=0,
    can_take_back=False,
)


Chosen = tuple[str, ...]


class SettingsControls:
    """Handlers of the settings panel's menus and page buttons; they update the panel's message."""

    def __init__(self, context: Context) -> None:
        self.context = context
        for name in CHOICES:
            context.router.add(f"{PREFIX}{name}", self.choose_setting)
        context.router.add(VACATION, self.set_automatic_vacation)
        context.router.add(TURN, self.turn_page)
        context.router.add("settings", self.open_panel)

    async def open_panel(self, interaction: Interaction, _control: ControlId, _values: Chosen) -> None:
        """Show the settings in a new private message."""
        await interactions.answer_with_page(interaction, settings_page(self.context, interaction, LOOK))

    async def turn_page(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        if control.argument not in PAGES:
            raise InputProblem(InputCode.OLD_CONTROL)
        # The panel is a private answer, which only the person sees.
        await interactions.answer_with_page(
            interaction, settings_page(self.context, interaction, control.argument), update=True
        )

    async def choose_setting(self, interaction: Interaction, control: ControlId, values: Chosen) -> None:
        name = control.action.removeprefix(PREFIX)
        note = await store_settings(self.context, interaction, {name: values[0] if values else ""})
        making = settings_page(self.context, interaction, page_of_setting(name), note=note)
        await interactions.answer_with_page(interaction, making, update=True)

    async def set_automatic_vacation(self, interaction: Interaction, _control: ControlId, values: Chosen) -> None:
        await self.context.personal_times.set_automatic_vacation(interaction.user.id, automatic=values == ("on",))
        note = interactions.words_for(interaction)("settings.saved")
        await interactions.answer_with_page(
            interaction, settings_page(self.context, interaction, TIME, note=note), update=True
        )


async def store_settings(context: Context, interaction: Interaction, values: Mapping[str, str]) -> str:
    """Store the settings, given by name, and return a note on the result.

    If one is invalid, store none and raise `InputProblem`.
    """
    person = interaction.user.id
    try:
        preferences = await context.profiles.change_preferences(person, values)
    except UnknownChoice:
        raise InputProblem(InputCode.OLD_CONTROL) from None
    if preferences.locale is not None:
        interaction.extras[interactions.LANGUAGE] = preferences.locale
    elif "language" in values:
        interaction.extras.pop(interactions.LANGUAGE, None)
    words = interactions.words_for(interaction)
    if values.get("notices") == "dm" or values.get("digest", OFF) != OFF:
        return await _open_direct_messages(context, words, person)
    return words("settings.saved") if values else ""


async def _open_direct_messages(context: Context, words: Words, person: int) -> str:
    """Open direct messages with a person who has just chosen them; return a note on whether that works."""
    failed = await context.direct.send_welcome(person, text_page(words("settings.told_here")))
    return words("settings.saved" if failed is None else "settings.not_open")


async def store_typed_time_zone(context: Context, interaction: Interaction, typed: str) -> str:
    """Store the typed time zone, also for quiet hours, and return its name. Raises `InputProblem`."""
    try:
        zone = normalise_zone(typed)
    except UnknownZone as unknown:
        if not unknown.near:
            raise InputProblem(InputCode.NO_ZONE_LIKE, {"zone": typed[:40]}) from None
        near = ", ".join(unknown.near)
        raise InputProblem(InputCode.UNKNOWN_ZONE, {"zone": typed[:40], "near": near}) from None
    person = interaction.user.id
    await context.profiles.change_preferences(person, {ZONE: zone})
    window = (await context.personal_times.hours_of(person)).window
    if window is not None and window.zone != zone:
        moved = QuietWindow(zone, window.start, window.hours)
        await context.personal_times.set_quiet_hours(person, moved, context.clock.now())
    return zone


async def settings_page(context: Context, interaction: Interaction, page: str, *, note: str = "") -> Page:
    """Return a page of the panel with the current settings."""
    person, words = interaction.user.id, interactions.words_for(interaction)
    preferences = await context.profiles.preferences_of(person)
    personal, now = await context.personal_times.hours_of(person), context.clock.now()
    if page != LOOK:
        return settings_panel(
            words, SettingsView(page=page, preferences=preferences, personal=personal, now=now, note=note)
        )
    picture = await context.pages.sample_hand_picture(words, SAMPLE, preferences, serial=interaction.id % 1_000_000)
    message = "" if picture is not None else pages.sample_hand_in_words(words, SAMPLE, preferences)
    shown = SettingsView(
        page=page, preferences=preferences, personal=personal, now=now, picture=picture, told=message, note=note
    )
    return settings_panel(words, shown)


async def answer_with_time_page(context: Context, interaction: Interaction, note: str) -> None:
    """Show the panel's page on time: in place of the clicked private message, or as a new answer."""
    making = settings_page(context, interaction, TIME, note=note)
    await interactions.answer_with_page(interaction, making, update=is_in_private_message(interaction))
