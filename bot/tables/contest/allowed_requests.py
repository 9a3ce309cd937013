"""Requests allowed at a tournament's table: playing and resigning. Directors decide all else."""

from __future__ import annotations

from typing import Final

from bot.store.game_forms import ACTIONS
from bot.tables.state.proposals import ProposalKind
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.requests import TableRequest
from bot.tables.state.table import Table

_ALLOWED: Final = frozenset({*ACTIONS.forms, "go_out", "next_deal", "contribute", "answer_proposal"})


def require_allowed_request(table: Table, request: TableRequest) -> None:
    """Refuse a request that is up to a tournament's directors: tournament_table.

    A player may take back the seat that a computer player keeps for them.
    """
    caller = request.caller
    if table.record.contest is None or caller is None or request.kind in _ALLOWED:
        return
    resigns = request.kind == "propose" and request.action.get("what") == ProposalKind.RESIGN
    returns = request.kind == "join" and table.record.seat_kept_for(caller.person) is not None
    if not (resigns or returns):
        raise TableRefusal(TableCode.TOURNAMENT_TABLE, {"table": table.id})
