"""Draws a card automatically for players who enabled it, if drawing is the only possible move.

Only public facts decide: the pile, the rules and whose turn it is. So an automatic draw reveals nothing about a hand.
"""

from __future__ import annotations

import asyncio

from bot.engine.moves.phases import Phase
from bot.engine.moves.refusals import Refusal
from bot.engine.rules.rule_set import RuleSet
from bot.engine.table.views import PublicView
from bot.profiles.preferences import PreferencesService
from bot.tables.service import TableService
from bot.tables.state.refusals import TableRefusal
from bot.tables.state.snapshots import TableChanged
from cogs.shared.discord_api import interactions


class AutoDraw:
    """Draws cards automatically for players who enabled it; one object for the whole process."""

    def __init__(self, tables: TableService, profiles: PreferencesService) -> None:
        self._tables = tables
        self._profiles = profiles
        self._tasks: set[asyncio.Task[None]] = set()

    def on_change(self, change: TableChanged) -> None:
        """Check in the background whether to draw; called by the table service after each change."""
        task = asyncio.create_task(self._draw_if_possible(change.table), name=f"drawing at table {change.table}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Cancel the draws that are under way."""
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _draw_if_possible(self, table: int) -> None:
        try:
            snapshot = await self._tables.reading.snapshot(table)
            actor = snapshot.actor
            if snapshot.view is None or actor is None or actor.person is None or not can_only_draw(snapshot.view):
                return
            if (await self._profiles.preferences_of(actor.person)).drawing != "itself":
                return
            seat = snapshot.view.turn
            await self._tables.play.draw_automatically(table, seat, expected_version=snapshot.version)
        except (Refusal, TableRefusal):
            return  # another action came first, or the rules require another move first
        except Exception as error:  # noqa: BLE001 - the player can still draw by hand
            interactions.log_unexpected_error(error, "drawing by itself", table=table)


def can_only_draw(view: PublicView) -> bool:
    """Return whether drawing is the only move of the player whose turn begins, whatever their hand holds."""
    nothing_to_take = view.pile.top is None or view.pile.closed
    return view.phase is Phase.DRAW and bool(view.stock) and nothing_to_take and not _has_choice_before_draw(view.rules)


def _has_choice_before_draw(rules: RuleSet) -> bool:
    """Return whether the rules allow another move before drawing.

    Such a move is to show a hand, to keep a three, or to meld.
    """
    return bool(rules.special_hands) or rules.keeps_three or rules.open_pile == "hand_first"
