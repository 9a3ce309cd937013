"""Drawing by itself, for those who have chosen it, where everybody can see that nobody could take the pile.

What decides is public: the pile, the rules, whose turn it is. So that a draw came by itself tells nothing of a hand.
"""

from __future__ import annotations

import asyncio

from bot.engine.moves.phases import Phase
from bot.engine.moves.refusals import Refusal
from bot.engine.rules.rule_set import RuleSet
from bot.engine.table.views import PublicView
from bot.profiles.people import ProfileService
from bot.tables.service import TableService
from bot.tables.state.refusals import TableRefusal
from bot.tables.state.snapshots import TableChanged
from cogs.shared.door import interactions


class AutoDraw:
    """Listens to the table service; one for the whole process."""

    def __init__(self, tables: TableService, profiles: ProfileService) -> None:
        self._tables = tables
        self._profiles = profiles
        self._tasks: set[asyncio.Task[None]] = set()

    def changed(self, change: TableChanged) -> None:
        """A table changed: listener of the table service."""
        task = asyncio.create_task(self._look_at(change.table), name=f"drawing at table {change.table}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Draw nothing more."""
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _look_at(self, table: int) -> None:
        try:
            look = await self._tables.reading.snapshot(table)
            actor = look.actor
            if look.view is None or actor is None or actor.person is None or not draws_itself(look.view):
                return
            if (await self._profiles.person(actor.person)).drawing != "itself":
                return
            seat = look.view.turn
            await self._tables.play.draw_automatically(table, seat, expected_version=look.version)
        except (Refusal, TableRefusal):
            return  # somebody was quicker, or the rules want something else first
        except Exception as error:  # noqa: BLE001 - the person draws by hand then
            interactions.unexpected(error, "drawing by itself", table=table)


def draws_itself(view: PublicView) -> bool:
    """Whether whoever's turn begins can do nothing but draw, whatever the hand; seen from what everybody sees."""
    nothing_to_take = view.pile.top is None or view.pile.closed
    return view.phase is Phase.DRAW and bool(view.stock) and nothing_to_take and not _chooses(view.rules)


def _chooses(rules: RuleSet) -> bool:
    """Whether the rules let some hand do something else before drawing: show itself, keep a three, lay melds."""
    return bool(rules.special_hands) or rules.keeps_three or rules.open_pile == "hand_first"
