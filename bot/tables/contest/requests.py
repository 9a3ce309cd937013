"""What may be asked of a table that belongs to a tournament: playing, and giving up. All else is its directors'."""

from __future__ import annotations

from typing import Final

from bot.store.game_forms import ACTIONS
from bot.tables.state.proposals import ProposalKind
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.requests import TableRequest
from bot.tables.state.table import Table

_ALLOWED: Final = frozenset({*ACTIONS.forms, "go_out", "next_deal", "contribute", "answer_proposal"})


def require_offered(table: Table, asked: TableRequest) -> None:
    """Refuse what a person may not ask of a tournament's table: tournament_table.

    Whoever comes back takes their own seat again, which a computer player keeps.
    """
    caller = asked.caller
    if table.record.contest is None or caller is None or asked.kind in _ALLOWED:
        return
    resigns = asked.kind == "propose" and asked.action.get("what") == ProposalKind.RESIGN
    returns = asked.kind == "join" and table.record.seat_kept_for(caller.person) is not None
    if not (resigns or returns):
        raise TableRefusal(TableCode.TOURNAMENT_TABLE, {"table": table.id})
