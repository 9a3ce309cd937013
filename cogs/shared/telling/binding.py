"""What house rules keep the seat in turn from just now, said beside its hand."""

from __future__ import annotations

from bot.engine.moves.phases import Phase
from bot.engine.table.views import SeatView
from bot.i18n import Words


def told(words: Words, view: SeatView) -> list[str]:
    """One sentence each: a pile that is frozen for this player alone, canastas that came too late for going out."""
    table = view.table
    lines = []
    if table.phase is Phase.DRAW and table.pile.cards and not table.pile.frozen and table.seats[view.seat].frozen:
        lines.append(words("panel.frozen_untaken"))
    if not table.ready and view.side.canastas >= max(1, table.rules.out_canastas):
        lines.append(words("panel.out_next_turn"))
    return lines
