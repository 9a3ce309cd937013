"""Builders for message layouts (Discord's Components V2).

A `Page` is a finished message: its layout and its pictures. Layouts are stopped before they are sent, so the library
dispatches nothing: every control is routed by its custom id.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple, TypeAlias
from zlib import crc32

import discord
from discord import ui

from cogs.shared.discord_api.panel_state import PanelState
from cogs.shared.reading.custom_ids import MOST_OPTIONS, ControlId
from cogs.shared.telling.names import unescape_text

Layout: TypeAlias = ui.LayoutView
Part: TypeAlias = ui.Item[Any]
Form: TypeAlias = ui.Modal

LONGEST_TEXT: Final = 4000
"""Maximum characters of all texts in a layout (Discord's limit)."""

MOST_COMPONENTS: Final = 40
"""Maximum components of a layout, nested ones included (Discord's limit)."""

LONGEST_ALT: Final = 1024
"""Maximum characters of the description of a file or gallery item (Discord's limit)."""

LONGEST_BUTTON: Final = 80
"""Maximum characters of a button's label (Discord's limit)."""

LONGEST_OPTION: Final = 100
"""Maximum characters of a menu's label or description, and of a suggestion (Discord's limit)."""

LONGEST_PLACEHOLDER: Final = 150
"""Maximum characters of a menu's placeholder (Discord's limit)."""

LONGEST_LABEL: Final = 45
"""Maximum characters of a form's title and of a field's label (Discord's limit)."""

LONGEST_TYPED: Final = 400
"""Maximum characters a user may type into a form."""

TEXT_STYLE: Final = "\N{VARIATION SELECTOR-15}"
"""Put after a character so that it is shown as text and not as an emoji."""

PRIMARY: Final = discord.ButtonStyle.primary
SECONDARY: Final = discord.ButtonStyle.secondary
SUCCESS: Final = discord.ButtonStyle.success
DANGER: Final = discord.ButtonStyle.danger


GOLD: Final = 0xF0B232
"""Left edge of a message that waits for a person's action (RGB)."""

GREEN: Final = 0x23A55A
"""Left edge for a start, for something that can be finished, and for the end (RGB)."""

RED: Final = 0xDA373C
"""Left edge for an action that costs something (RGB)."""

GREY: Final = 0x4E5058
"""Left edge of a message while others are to act (RGB)."""


class TextCutWarning(UserWarning):
    """Warns that a sentence was cut because it was too long for its place; an error in tests."""


def fit_text(text: str, most: int, *, may_be_cut: bool = False) -> str:
    """Return the text, cut at a word and with an ellipsis if it is too long.

    For labels and other places without Markdown: the backslashes of escaped names are removed. Set `may_be_cut` for
    texts that contain names or typed words, and for explanations of choices; any other text that is too long causes a
    `TextCutWarning` warning. The warning gives only the length, because the text may name a hidden card.
    """
    text = unescape_text(text)
    if len(text) <= most:
        return text
    if not may_be_cut:
        warnings.warn(f"a text of {len(text)} characters where {most} fit", TextCutWarning, stacklevel=2)
    kept = text[: most - 1]
    return (kept.rpartition(" ")[0] or kept).rstrip() + "…"


class Option(NamedTuple):
    """A choice of a select menu; a `chosen` one is preselected."""

    value: str
    label: str
    description: str | None = None
    chosen: bool = False
    emoji: discord.PartialEmoji | None = None


@dataclass(frozen=True, slots=True)
class Picture:
    """A PNG file with its name and its description in words (`told`)."""

    name: str
    data: bytes
    told: str

    def file(self) -> discord.File:
        """Return the file as a new upload for Discord; an upload can be sent only once."""
        return discord.File(io.BytesIO(self.data), self.name, description=fit_text(self.told, LONGEST_ALT))


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file for the user to keep, with its name."""

    name: str
    data: bytes

    def file(self) -> discord.File:
        """Return the file as a new upload for Discord; an upload can be sent only once."""
        return discord.File(io.BytesIO(self.data), self.name)


@dataclass(frozen=True, slots=True)
class Page:
    """A message ready to be sent: layout, pictures, and the people it may mention.

    `shown` is what a private panel shows (None for other messages). `attachments` are files for the user to keep.
    """

    view: Layout
    pictures: tuple[Picture, ...] = ()
    mentions: tuple[int, ...] = ()
    shown: PanelState | None = None
    attachments: tuple[Attachment, ...] = ()

    def files(self) -> list[discord.File]:
        """Return new uploads of the pictures and attachments."""
        return [picture.file() for picture in self.pictures] + [one.file() for one in self.attachments]

    @property
    def allowed_mentions(self) -> discord.AllowedMentions:
        """Return the setting with which Discord notifies the people in `mentions` and nobody else."""
        users = [discord.Object(person) for person in self.mentions]
        return discord.AllowedMentions(everyone=False, roles=False, replied_user=False, users=users)


def page(parts: Iterable[Part], pictures: Sequence[Picture] = (), mentions: Sequence[int] = ()) -> Page:
    """Return a page of these parts, top to bottom."""
    view = ui.LayoutView(timeout=None)
    for part in parts:
        view.add_item(part)
    view.stop()
    return Page(view, tuple(pictures), tuple(mentions))


def file_page(attachment: Attachment, *texts: str) -> Page:
    """Return a page with text and a file for the user to keep."""
    made = page([text("\n".join(texts)), ui.File(f"attachment://{attachment.name}")])
    return replace(made, attachments=(attachment,))


def text_page(*texts: str) -> Page:
    """Return a page with these lines of text only."""
    return page([text("\n".join(texts))])


def suits_as_text(content: str) -> str:
    """Return the text with black suits shown as text: as emojis they are unreadable on a dark theme."""
    # Much faster than `str.translate`, which looks up every character.
    return content.replace("♠", "♠" + TEXT_STYLE).replace("♣", "♣" + TEXT_STYLE)


def text(content: str) -> Part:
    """Return a block of text, cut at Discord's limit."""
    content = suits_as_text(content)
    return ui.TextDisplay(content if len(content) <= LONGEST_TEXT else content[: LONGEST_TEXT - 1] + "…")


def small_text(content: str) -> Part | None:
    """Return text in small print, or None if it is empty."""
    return text("\n".join(f"-# {line}" for line in content.split("\n"))) if content else None


def container(*parts: Part | None, edge: int | None = None) -> Part:
    """Return a framed block; `edge` is the colour of its left edge."""
    return ui.Container(*(part for part in parts if part is not None), accent_colour=edge)


def section(content: str, accessory: ui.Button[Any]) -> Part:
    """Return a block of text with a button on its right, also on narrow screens."""
    return ui.Section(text(content), accessory=accessory)


def separator() -> Part:
    """Return a thin line between blocks."""
    return ui.Separator()


def gallery(picture: Picture | None) -> Part | None:
    """Return the picture as a component, or None without one."""
    if picture is None:
        return None
    message = fit_text(picture.told, LONGEST_ALT)
    return ui.MediaGallery(discord.MediaGalleryItem(f"attachment://{picture.name}", description=message))


def button(
    control: ControlId,
    label: str,
    *,
    style: discord.ButtonStyle = SECONDARY,
    enabled: bool = True,
    emoji: discord.PartialEmoji | None = None,
) -> ui.Button[Any]:
    """Return a button for a control; with an emoji its label may be empty."""
    shown = fit_text(suits_as_text(label), LONGEST_BUTTON) or None
    return ui.Button(custom_id=str(control), label=shown, style=style, disabled=not enabled, emoji=emoji)


def link_button(address: str, label: str) -> ui.Button[Any]:
    """Return a button that opens a web address."""
    return ui.Button(style=discord.ButtonStyle.link, url=address, label=fit_text(suits_as_text(label), LONGEST_BUTTON))


def button_row(*buttons: ui.Button[Any] | None) -> Part | None:
    """Return a row of up to five buttons, or None if there are none."""
    present = [one for one in buttons if one is not None]
    return ui.ActionRow(*present) if present else None


def button_rows(buttons: Sequence[ui.Button[Any]]) -> list[Part]:
    """Return the buttons in rows of five."""
    return [ui.ActionRow(*buttons[start : start + 5]) for start in range(0, len(buttons), 5)]


def select(
    control: ControlId, placeholder: str, options: Sequence[Option], *, least: int = 1, most: int = 1
) -> Part | None:
    """Return a row with a menu of up to 25 choices, or None without choices.

    The component id depends on the control. With a constant id a client may keep the choice of an earlier menu in the
    same place and show it in this one.
    """
    if not options:
        return None
    offered = [
        discord.SelectOption(
            value=one.value,
            label=fit_text(suits_as_text(one.label), LONGEST_OPTION),
            description=fit_text(one.description, LONGEST_OPTION) if one.description else None,
            default=one.chosen,
            emoji=one.emoji,
        )
        for one in options[:MOST_OPTIONS]
    ]
    menu: ui.Select[Any] = ui.Select(
        custom_id=str(control),
        placeholder=fit_text(placeholder, LONGEST_PLACEHOLDER),
        options=offered,
        min_values=least,
        max_values=min(most, len(offered)),
        id=_component_id(control),
    )
    return ui.ActionRow(menu)


def _component_id(control: ControlId) -> int:
    """Return a 31-bit component id for the control, above the range that Discord assigns itself."""
    return crc32(str(control).encode()) & 0x3FFF_FFFF | 0x4000_0000


def form(control: ControlId, title: str, *, hint: str, filled: str, required: bool) -> Form:
    """Return a modal with one text field, prefilled with `filled`."""
    line: ui.TextInput[Any] = ui.TextInput(
        custom_id="text", default=filled[:LONGEST_TYPED] or None, required=required, max_length=LONGEST_TYPED
    )
    window = ui.Modal(title=fit_text(title, LONGEST_LABEL), custom_id=str(control), timeout=None)
    window.add_item(
        ui.Label(text=fit_text(title, LONGEST_LABEL), description=fit_text(hint, LONGEST_OPTION), component=line)
    )
    # Like layouts, modals are routed by their custom id.
    window.stop()
    return window
