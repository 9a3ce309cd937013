"""Writing a record file: a game as JSON in the format `canasta-record`, version 2 (`docs/record.md`)."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final

from bot.engine.table.applying_events import evolve
from bot.tables.past.history import History, PastDeal, without_undone_events
from bot.tables.past.record_deal_start import deal_start_fields
from bot.tables.past.record_replay import PLAYED, score_lines
from bot.tables.past.record_rules import write_all_rules
from bot.tables.past.record_steps import step_of
from bot.tables.state.shuffle import deal_name
from bot.tables.state.snapshots import SeatHolder, Shuffle
from bot.tables.state.table import TableState

FORMAT: Final = "canasta-record"
VERSION: Final = 2

FORMER: Final = "Former player"
"""The name shown for people deleted on demand."""


def text_of_record(history: History, *, table: int, deals: Collection[int]) -> str:
    """Return the record with these finished deals, as JSON on one line without spaces."""
    return json.dumps(data_of_record(history, table=table, deals=deals), separators=(",", ":"), ensure_ascii=False)


def data_of_record(history: History, *, table: int, deals: Collection[int]) -> dict[str, Any]:
    """Return the record as data; `table` is the number under which its deals were shuffled."""
    record = history.record
    listed = [deal for deal in history.deals if deal.number in deals]
    turns = {deal.number: len(deal.turns) for deal in listed}
    return {
        "format": FORMAT,
        "version": VERSION,
        "rules": write_all_rules(record.rules, record.settings.deals),
        "seats": [_holders_json(history, seat, turns) for seat in range(len(record.seats))],
        "deals": [_deal_json(record, deal, table) for deal in listed],
        "result": _result_json(record),
    }


# --- seats and result -------------------------------------------------------------------------------------------------


def _holders_json(history: History, seat: int, turns: Mapping[int, int]) -> list[dict[str, Any]]:
    """Return the holders of a seat, each with the deal and turn (both from 1) from which they held it.

    A person who came after the last turn of a deal is named with the next deal; if none follows, the person is left
    out.
    """
    found: dict[tuple[int, int], SeatHolder] = {}
    for one in history.sat:
        since = (one.deal, one.turn + 1)
        if since[1] > turns.get(one.deal, 0):
            since = (one.deal + 1, 1)
        if one.seat == seat and since[0] in turns:
            found[since] = one.holder
    return [_holder_json(found[since], since) for since in sorted(found)]


def _holder_json(holder: SeatHolder, since: tuple[int, int]) -> dict[str, Any]:
    """Return a seat's holder as written in a record; `since` is their first deal and turn."""
    computer = holder.kind == "computer"
    data: dict[str, Any] = {"name": f"Computer {holder.number}" if computer else holder.name or FORMER}
    if computer:
        data["kind"] = holder.kind
    return data if since == (1, 1) else {**data, "from": list(since)}


def _result_json(record: TableState) -> dict[str, Any] | None:
    """Return the result of the game as written in a record; None if it has none (yet)."""
    game, conclusion = record.game, record.conclusion
    if game is None or (conclusion is None and game.winner is None):
        return None
    data: dict[str, Any] = {"how": PLAYED, "winner": game.winner, "scores": list(game.scores)}
    gave_up = set(record.absence.forfeited)
    if conclusion is not None:
        data = {"how": conclusion.how, "winner": conclusion.winner, "scores": list(conclusion.scores)}
        gave_up |= set() if conclusion.last is None else {conclusion.last}
    data["deals"] = len(game.results)
    return {**data, "gave_up": sorted(gave_up)} if gave_up else data


# --- deals ------------------------------------------------------------------------------------------------------------


def _deal_json(record: TableState, deal: PastDeal, table: int) -> dict[str, Any]:
    """Return a finished deal as written in a record. Raises `ValueError` for an unfinished one."""
    ended = deal.ended
    if ended is None:
        raise ValueError(f"deal {deal.number} was not played to its end")
    opening = deal_start_fields(deal.dealt, deal.pack)
    before: dict[str, Any] = {name: opening.pop(name) for name in ("order", "sides", "streams") if name in opening}
    shuffle = next((one for one in record.shuffles if one.deal == deal.number), None)
    return {
        "deal": deal.number,
        "dealer": deal.dealer,
        **before,
        "shuffle": _shuffle_json(shuffle, table),
        **opening,
        **_initial_scores_json(deal),
        "turns": list(_turns_json(deal)),
        "end": [ended.reason.value, ended.went_out, ended.concealed],
        "lines": score_lines(ended),
        "scores": list(ended.scores),
    }


def _initial_scores_json(deal: PastDeal) -> dict[str, list[int]]:
    """Return the field for the scores with which the game began.

    No field if all were zero, or if the deal is not the first of its game.
    """
    scores = deal.dealt.scores
    return {"before": list(scores)} if deal.number == 1 and any(scores) else {}


def _shuffle_json(shuffle: Shuffle | None, table: int) -> dict[str, Any] | None:
    """Return the published data of a deal's shuffle; None if its cards were fixed."""
    if shuffle is None or shuffle.seed is None or shuffle.contributions is None:
        return None
    return {
        "name": deal_name(table, shuffle.deal).decode("ascii"),
        "commitment": shuffle.commitment,
        "seed": shuffle.seed,
        "contributions": list(shuffle.contributions),
    }


def _turns_json(deal: PastDeal) -> Iterable[list[Any]]:
    """Yield each turn as a list: its seat and its steps."""
    state = deal.dealt
    for turn in deal.turns:
        data: list[Any] = [turn.seat]
        for event in without_undone_events(turn.events):
            data.append(step_of(event, state, turn.seat))
            state = evolve(state, event)
        yield data
