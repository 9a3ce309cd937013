"""What somebody has prepared for their own next turn, and what has become of it, in words for that person alone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from bot.i18n import Words
from bot.tables.looks import SeatSnapshot
from bot.tables.premoves.values import PlannedTurn, PremoveEnd
from cogs.shared.reading import card_text

_ENDED: Final = {
    PremoveEnd.PILE: "premove.ended_pile",
    PremoveEnd.HAND: "premove.ended_hand",
    PremoveEnd.MELDS: "premove.ended_melds",
    PremoveEnd.TAKEABLE: "premove.ended_takeable",
    PremoveEnd.REFUSED: "premove.ended_refused",
    PremoveEnd.DONE: "premove.ended_done",
}


def told(words: Words, look: SeatSnapshot) -> list[str]:
    """A line on what will be done by itself, or on why nothing was; none in one's own turn while it is on its way."""
    premove = look.premove
    if premove is None or look.view is None:
        return []
    if premove.ended is not None:
        return [words(_ENDED[premove.ended])] if premove.ended in _ENDED else []
    if look.view.table.turn == look.seat:
        return []
    return [words("premove.stands", what=" ".join(wished(words, premove.wish)))]


def wished(words: Words, wish: PlannedTurn) -> Iterable[str]:
    """A sentence for each thing that is wished."""
    if wish.draw and wish.ranks:
        kinds = words("premove.or").join(card_text.kind_word(words, kind, 2) for kind in wish.ranks)
        yield words("premove.wish_draw_ranks", kinds=kinds)
    elif wish.draw:
        yield words("premove.wish_draw")
    if wish.discard is not None:
        yield words("premove.wish_discard", card=card_text.card(wish.discard))
    if wish.agree:
        yield words("premove.wish_agree")


def turn_by_itself(look: SeatSnapshot) -> int | None:
    """The number of one's own turn that was lately played by itself; None where none was."""
    premove = look.premove
    return None if premove is None or premove.ended is not PremoveEnd.DONE else premove.upon.comes
