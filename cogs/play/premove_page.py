"""The page on which a person prepares their own next turn."""

from __future__ import annotations

from typing import Any, Final

import discord
from discord import ui

from bot.engine.cards.cards import BLACK_THREE, NATURAL_KINDS, Card, Kind
from bot.engine.table.views import SeatView
from bot.i18n import Words
from bot.tables.looks import SeatSnapshot
from bot.tables.premoves.values import PlannedTurn
from cogs.shared.door.components import (
    DANGER,
    GREY,
    SECONDARY,
    SUCCESS,
    Option,
    Page,
    Part,
    button,
    container,
    page,
    rows,
    select,
    text,
)
from cogs.shared.door.panel_shown import PanelState
from cogs.shared.reading import card_text
from cogs.shared.reading.card_signs import KIND_LETTERS
from cogs.shared.reading.draft import NOTHING
from cogs.shared.reading.ids import ControlId
from cogs.shared.telling import premove_text, spoken

ANY: Final = "any"
"""The choice of a menu that names no rank: the pile whatever lies on top."""

EMPTY: Final = PlannedTurn()


def standing(look: SeatSnapshot) -> PlannedTurn:
    """What is prepared and still stands."""
    premove = look.premove
    return EMPTY if premove is None or premove.ended is not None else premove.wish


def premove_page(words: Words, look: SeatSnapshot, view: SeatView, *, text_only: bool = False) -> Page:
    """What is prepared, and everything that could be; the panel comes back with the next thing that happens."""
    wish = standing(look)
    wished = list(premove_text.wished(words, wish)) or [words("premove.nothing")]
    said = [spoken.spelled(words, one) for one in wished] if text_only else wished
    last = [button(_control(look, "premove_cancel"), words("premove.cancel"), style=DANGER)] if wish else []
    last.append(button(_control(look, "refresh"), words("panel.back")))
    parts = [
        text("\n".join([f"### {words('premove.title')}", *said, words("premove.by_itself")])),
        _draws(words, look, view, wish),
        *rows(_choices(words, look, view, wish)),
        *rows(last),
    ]
    made = page([container(*parts, edge=GREY)])
    return Page(made.view, shown=PanelState(look.table.id, look.table.version, NOTHING, waits=True))


def _draws(words: Words, look: SeatSnapshot, view: SeatView, wish: PlannedTurn) -> Part | None:
    """The menu of the ranks for which the pile is left to its owner."""
    options = [Option(ANY, words("premove.any"), chosen=wish.draw and not wish.ranks)]
    options += [
        Option(KIND_LETTERS[kind], card_text.kind_word(words, kind, 2), chosen=kind in wish.ranks)
        for kind in ranks(view)
    ]
    return select(_control(look, "premove_draw"), words("premove.draw"), options, most=len(options))


def _choices(words: Words, look: SeatSnapshot, view: SeatView, wish: PlannedTurn) -> list[ui.Button[Any]]:
    """A button for each black three, and the answer to a partner who may ask; what is chosen is green."""
    found = [
        button(
            _control(look, "premove_discard", str(card)),
            words("premove.discard", card=card_text.card(card)),
            style=_style(chosen=card == wish.discard),
        )
        for card in black_threes(view)
    ]
    if may_be_asked(view) or wish.agree:
        agree = _control(look, "premove_agree")
        found.append(button(agree, words("premove.agree"), style=_style(chosen=wish.agree)))
    return found


def _control(look: SeatSnapshot, action: str, argument: str = "") -> ControlId:
    return ControlId(look.table.id, look.table.version, action, argument)


def ranks(view: SeatView) -> tuple[Kind, ...]:
    """The ranks with which the seat could ever take the pile: those it holds, and those its side has laid."""
    held = {card >> 2 for card in view.hand}
    laid = {meld.kind for meld in view.side.melds}
    return tuple(kind for kind in reversed(NATURAL_KINDS) if kind in held | laid)


def black_threes(view: SeatView) -> tuple[Card, ...]:
    """The black threes in the hand, each card once."""
    return tuple(sorted({card for card in view.hand if card >> 2 == BLACK_THREE}))


def may_be_asked(view: SeatView) -> bool:
    """Whether a partner may still ask before the seat's own turn."""
    order = view.table.playing
    turns = order[order.index(view.table.turn) :] + order
    before = turns[: turns.index(view.seat)]
    return view.table.rules.asks and any(seat in view.side.seats for seat in before)


def _style(*, chosen: bool) -> discord.ButtonStyle:
    return SUCCESS if chosen else SECONDARY
