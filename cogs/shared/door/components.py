"""Messages as layouts: small builders over Components V2.

A page is a finished message: its layout and the pictures it refers to. Layouts are pure renderings: they are stopped
before they are sent, so that the library dispatches nothing, and every control is routed by its custom id.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple, TypeAlias
from zlib import crc32

import discord
from discord import ui

from cogs.shared.door.panel_state import PanelState
from cogs.shared.reading.ids import MOST_OPTIONS, ControlId

Layout: TypeAlias = ui.LayoutView
Part: TypeAlias = ui.Item[Any]
Form: TypeAlias = ui.Modal

LONGEST_TEXT: Final = 4000
"""Characters Discord allows over all texts of a layout."""

LONGEST_ALT: Final = 1024
"""Characters Discord allows in the description of a file, and of a gallery's item."""

LONGEST_LABEL: Final = 45
"""Characters Discord allows in the title of a form and above one of its lines."""

LONGEST_TYPED: Final = 400
"""Characters that somebody may type into a form."""

TEXT_STYLE: Final = "\N{VARIATION SELECTOR-15}"
"""Behind a character that may be an emoji: it is none here."""

PRIMARY: Final = discord.ButtonStyle.primary
SECONDARY: Final = discord.ButtonStyle.secondary
SUCCESS: Final = discord.ButtonStyle.success
DANGER: Final = discord.ButtonStyle.danger


GOLD: Final = 0xF0B232
"""The left edge of a message in which somebody is to act, RGB: what a glance tells before anything is read."""

GREEN: Final = 0x23A55A
"""The edge of a beginning, of what can be finished, and of the end."""

RED: Final = 0xDA373C
"""The edge of what costs."""

GREY: Final = 0x4E5058
"""The edge of a message in which others are waited for."""


class Option(NamedTuple):
    """One choice of a select; a `chosen` one stands in it at first."""

    value: str
    label: str
    description: str | None = None
    chosen: bool = False
    emoji: discord.PartialEmoji | None = None


@dataclass(frozen=True, slots=True)
class Picture:
    """A PNG file with its name, and what it shows in words."""

    name: str
    data: bytes
    told: str

    def file(self) -> discord.File:
        """A fresh upload; each can be sent once."""
        return discord.File(io.BytesIO(self.data), self.name, description=self.told[:LONGEST_ALT])


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file to be kept, with its name."""

    name: str
    data: bytes

    def file(self) -> discord.File:
        """A fresh upload; each can be sent once."""
        return discord.File(io.BytesIO(self.data), self.name)


@dataclass(frozen=True, slots=True)
class Page:
    """A message ready to be sent: layout, pictures, the persons it may notify, and what it shows if it is a panel.

    `attachments` are files to be kept.
    """

    view: Layout
    pictures: tuple[Picture, ...] = ()
    mentions: tuple[int, ...] = ()
    shown: PanelState | None = None
    attachments: tuple[Attachment, ...] = ()

    def files(self) -> list[discord.File]:
        """Fresh uploads of the pictures and attachments."""
        return [picture.file() for picture in self.pictures] + [one.file() for one in self.attachments]

    @property
    def allowed_mentions(self) -> discord.AllowedMentions:
        """Nobody but the persons named."""
        users = [discord.Object(person) for person in self.mentions]
        return discord.AllowedMentions(everyone=False, roles=False, replied_user=False, users=users)


def page(parts: Iterable[Part], pictures: Sequence[Picture] = (), mentions: Sequence[int] = ()) -> Page:
    """A page of these parts, top to bottom."""
    view = ui.LayoutView(timeout=None)
    for part in parts:
        view.add_item(part)
    view.stop()
    return Page(view, tuple(pictures), tuple(mentions))


def file_page(attachment: Attachment, *texts: str) -> Page:
    """A page that says something and hands a file over."""
    made = page([text("\n".join(texts)), ui.File(f"attachment://{attachment.name}")])
    return replace(made, attachments=(attachment,))


def text_page(*texts: str) -> Page:
    """A page that only says something."""
    return page([text("\n".join(texts))])


def plain_suits(content: str) -> str:
    """A text whose black suits have the reader's own colour: as emojis they would be black on a dark ground."""
    # Many times as fast as `str.translate`, which looks every character up.
    return content.replace("♠", "♠" + TEXT_STYLE).replace("♣", "♣" + TEXT_STYLE)


def text(content: str) -> Part:
    """A block of text, cut where Discord would refuse it."""
    content = plain_suits(content)
    return ui.TextDisplay(content if len(content) <= LONGEST_TEXT else content[: LONGEST_TEXT - 1] + "…")


def small(content: str) -> Part | None:
    """Lines in small letters; None if there are none."""
    return text("\n".join(f"-# {line}" for line in content.split("\n"))) if content else None


def container(*parts: Part | None, edge: int | None = None) -> Part:
    """A framed block; `edge` is the colour of its left edge."""
    return ui.Container(*(part for part in parts if part is not None), accent_colour=edge)


def section(content: str, accessory: ui.Button[Any]) -> Part:
    """A block of text with a button at its right; on a narrow screen too."""
    return ui.Section(text(content), accessory=accessory)


def separator() -> Part:
    """A thin line between blocks."""
    return ui.Separator()


def gallery(picture: Picture | None) -> Part | None:
    """The picture, if there is one."""
    if picture is None:
        return None
    told = picture.told[:LONGEST_ALT]
    return ui.MediaGallery(discord.MediaGalleryItem(f"attachment://{picture.name}", description=told))


def button(
    control: ControlId,
    label: str,
    *,
    style: discord.ButtonStyle = SECONDARY,
    enabled: bool = True,
    emoji: discord.PartialEmoji | None = None,
) -> ui.Button[Any]:
    """A button that carries a control; with an emoji its label may be empty."""
    shown = plain_suits(label)[:80] or None
    return ui.Button(custom_id=str(control), label=shown, style=style, disabled=not enabled, emoji=emoji)


def link(address: str, label: str) -> ui.Button[Any]:
    """A button that leads somewhere else."""
    return ui.Button(style=discord.ButtonStyle.link, url=address, label=plain_suits(label)[:80])


def buttons(*those: ui.Button[Any] | None) -> Part | None:
    """A row of up to five buttons; None if there is none."""
    present = [one for one in those if one is not None]
    return ui.ActionRow(*present) if present else None


def rows(those: Sequence[ui.Button[Any]]) -> list[Part]:
    """Rows of five buttons each, as many as it takes."""
    return [ui.ActionRow(*those[start : start + 5]) for start in range(0, len(those), 5)]


def select(
    control: ControlId, placeholder: str, options: Sequence[Option], *, least: int = 1, most: int = 1
) -> Part | None:
    """A row with a menu of up to 25 choices; None if there are no choices.

    Its component id follows from its control: a client that goes on showing what was chosen in the menu that stood
    there before would show it as chosen in this one.
    """
    if not options:
        return None
    offered = [
        discord.SelectOption(
            value=one.value,
            label=plain_suits(one.label)[:100],
            description=one.description,
            default=one.chosen,
            emoji=one.emoji,
        )
        for one in options[:MOST_OPTIONS]
    ]
    menu: ui.Select[Any] = ui.Select(
        custom_id=str(control),
        placeholder=placeholder[:150],
        options=offered,
        min_values=least,
        max_values=min(most, len(offered)),
        id=_component_id(control),
    )
    return ui.ActionRow(menu)


def _component_id(control: ControlId) -> int:
    """A number of 31 bits, above those that Discord gives to components without one."""
    return crc32(str(control).encode()) & 0x3FFF_FFFF | 0x4000_0000


def form(control: ControlId, title: str, *, hint: str, filled: str, required: bool) -> Form:
    """A small window with one line to type in, filled with `filled`."""
    line: ui.TextInput[Any] = ui.TextInput(
        custom_id="text", default=filled[:LONGEST_TYPED] or None, required=required, max_length=LONGEST_TYPED
    )
    window = ui.Modal(title=title[:LONGEST_LABEL], custom_id=str(control), timeout=None)
    window.add_item(ui.Label(text=title[:LONGEST_LABEL], description=hint[:100], component=line))
    # Like a layout it dispatches nothing by itself.
    window.stop()
    return window
