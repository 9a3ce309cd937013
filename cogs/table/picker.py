"""The panel in which a lobby's host chooses the game: families of rule sets, and what each of them is."""

from __future__ import annotations

from collections.abc import Sequence

from bot.i18n import Words
from bot.tables.looks import TableSnapshot
from bot.tables.offers import Offer, folded
from cogs.shared.door.components import (
    GREEN,
    Page,
    Part,
    button,
    buttons,
    container,
    page,
    section,
    select,
    separator,
    text,
)
from cogs.shared.reading.ids import ControlId
from cogs.shared.showing.family_menus import Family, argument_of, menu_of, told


def picker_panel(
    words: Words, look: TableSnapshot, those: Sequence[Family], *, family: str = "", note: str = "", back: str = ""
) -> Page:
    """The rule sets of one family, by default that of the favourites; `back` is the action of the way back."""
    shown = next((one for one in those if one.name == family), _first(those, look))
    top = [words("picker.title"), *([words("panel.note", note=note)] if note else [])]
    parts: list[Part | None] = [
        text("\n".join(top)),
        select(ControlId(look.id, look.version, "family"), words("picker.families"), menu_of(those, shown)),
        *(_game(words, look, shown, offer) for offer in shown.offers),
        separator(),
        buttons(
            button(ControlId(look.id, look.version, "options"), words("picker.house_rules")),
            button(ControlId(look.id, look.version, back), words("picker.back")) if back else None,
        ),
    ]
    return page([container(*parts, edge=GREEN)])


def _first(those: Sequence[Family], look: TableSnapshot) -> Family:
    """The server's own rules where the table plays some of them, else the favourites."""
    playing = (one for one in those if look.saved_as and any(_is_played(look, offer) for offer in one.offers))
    return next(playing, next(one for one in those if one.name == "favourites"))


def _is_played(look: TableSnapshot, offer: Offer) -> bool:
    if offer.saved or look.saved_as:
        return offer.saved and folded(offer.name) == folded(look.saved_as)
    return offer.name == look.rules


def _game(words: Words, look: TableSnapshot, family: Family, offer: Offer) -> Part:
    """A rule set with its button, which does nothing where the table plays it already."""
    played = _is_played(look, offer)
    label = words("picker.chosen" if played else "picker.choose")
    control = ControlId(look.id, look.version, "pick", f"{family.name}.{argument_of(offer)}")
    return section(told(words, offer), button(control, label, enabled=not played))
