"""Views: how a panel is to be shown, beside what the table says."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from bot.engine.cards.cards import Kind
from cogs.shared.reading.draft import NOTHING, Draft


class Side(Enum):
    """What of a panel is shown beside its title and picture."""

    PLAY = auto()  # what one does most
    OTHER = auto()  # the menus in which any cards are put together
    SUITS = auto()  # which card of a rank is discarded
    SURELY = auto()  # whether a card is really discarded


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """How a panel is to be shown: what is put together in it, which side of it, and what has just happened.

    `offer` names what was refused and can be done anyway (`cogs.shared.reading.attempts`), `offer_label` the
    words of its button, `paragraph` what sets the price; `kind` is the rank that a question is about.
    """

    note: str = ""
    draft: Draft = NOTHING
    side: Side = Side.PLAY
    kind: Kind = 0
    offer: str = ""
    offer_label: str = ""
    paragraph: str = ""


PLAIN: Final = View()
"""Nothing put together, nothing to be told."""
