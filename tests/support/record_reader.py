"""A reader of game records, written from `docs/record.md` and the pages that it names.

It imports nothing of the program. `python -m tests.support.record_reader canasta-table-12.json` ends with 1 at a
contradiction. It adds scores up but does not compute them from the cards.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from tests.support.record_reader_dealing import (
    BASE,
    Contradiction,
    Table,
    UnknownFormat,
    cards_of,
    check_shuffle,
    deal_cards,
    require,
)
from tests.support.record_reader_steps import play_turns

HOW: Final = ("played", "agreed", "resigned", "forfeited", "latest_end")
REASONS: Final = ("out", "stock", "last_red_three", "special_hand", "seven_canastas", "theme_canasta")
LINES: Final = (
    "natural_canastas",
    "mixed_canastas",
    "other_canastas",
    "red_threes",
    "going_out",
    "melded",
    "in_hand",
    "penalties",
    "bonuses",
)


def read_record(text: str) -> dict[str, Any]:
    """Return the parsed record if nothing in it contradicts anything else.

    Raises `UnknownFormat`, `Contradiction`, and whatever a document of another structure causes.
    """
    data: dict[str, Any] = json.loads(text)
    if (data["format"], data["version"]) != ("canasta-record", 2):
        raise UnknownFormat("the format or its version")
    players = data["rules"]["players"]
    rules = {**BASE, **data["rules"]["parameters"], "values": data["rules"]["values"]}
    require((rules["name"], rules["players"]) == (data["rules"]["name"], players), "rules: others")
    check_card_values(rules)
    scores: list[int] | None = None
    target, winner = rules["target"], None
    for number, deal in enumerate(data["deals"], start=1):
        require(winner is None, f"deal {number}: the game was over")
        require(deal["deal"] == number, f"deal {number}: is told as another")
        try:
            last = read_deal(deal, rules, players, scores)
        except Contradiction as fault:
            raise Contradiction(f"deal {number}, {fault}") from None
        scores = deal["scores"]
        if rules["both_reach"] == "raise_1000":
            while sum(score >= target for score in scores) > 1:
                target += 1000
        winner = scores_that_won_at_once(deal, last) or scores_that_won(rules, scores, number, target)
    require(scores is not None, "no deal")
    check_holders(data["seats"], data["deals"], players)
    check_result(data, scores or [], winner)
    return data


def check_card_values(rules: dict[str, Any]) -> None:
    """Raise `Contradiction` if the record gives a card another value than the rules."""
    expected = dict.fromkeys("4567", 5) | dict.fromkeys("89TJQK", 10)
    expected |= {"A": rules["ace_value"], "2": 20, "JK": 50, "B3": 5, "R3": 0}
    require(rules["values"] == expected, "values: others")


def read_deal(data: dict[str, Any], rules: dict[str, Any], players: int, scores: list[int] | None) -> tuple[int, Table]:
    """Replay a deal; return the seat of its last turn, and the table at its end."""
    if scores is not None:
        require(len(data["scores"]) == len(scores), "scores: others")
    if data["shuffle"] is not None:
        check_shuffle(data["shuffle"], data["deal"], rules, cards_of(data["pack"]))
    table = deal_cards(data, rules, players)
    last = play_turns(table, data["turns"])
    reason, went_out, _ = data["end"]
    require(reason in REASONS and (reason == "out") == (went_out is not None), "end: no such end")
    require(went_out is None or (went_out == last and not table.hands[went_out]), "end: the hand is not empty")
    require(reason not in ("stock", "last_red_three") or not table.cards_left_in_stock(), "end: the stock is not out")
    require((reason == "special_hand") == bool(table.shown), "end: no hand was shown")
    require(table.all_cards() == Counter(table.pack), "the cards at the end are not the pack")
    for number, lines in enumerate(data["lines"]):
        require(set(lines) <= set(LINES) and all(lines.values()), "lines: no such lines")
        before = 0 if scores is None else scores[number]
        require(data["scores"][number] == before + sum(lines.values()), "scores: the lines make others")
    require(len(data["lines"]) == len(data["scores"]), "lines: some are missing")
    return last, table


def scores_that_won_at_once(deal: dict[str, Any], last: tuple[int, Table]) -> set[int] | None:
    """Return the indices of the scores that won the game at once with this deal; None if none did."""
    seat, table = last
    reason = deal["end"][0]
    if reason not in ("seven_canastas", "theme_canasta") and table.shown not in ("dream_4", "dream_5"):
        return None
    return {one % len(deal["scores"]) for one, side in enumerate(table.sides) if side == table.sides[seat]}


def scores_that_won(rules: dict[str, Any], scores: list[int], deal: int, target: int) -> set[int] | None:
    """Return the index of the score that has won by the target or after the last deal; None if none has."""
    best = [number for number, score in enumerate(scores) if score == max(scores)]
    over = max(scores) >= target if rules["rounds"] is None else deal >= rules["rounds"]
    return set(best) if over and len(best) == 1 else None


def check_holders(data: list[list[dict[str, Any]]], deals: list[dict[str, Any]], players: int) -> None:
    """Raise `Contradiction` if the listed players of each seat do not fit the number of deals and turns."""
    require(len(data) == players, "seats: another number")
    for holders in data:
        since = [tuple(one.get("from", [1, 1])) for one in holders]
        require(since[:1] == [(1, 1)] and all(one < other for one, other in pairwise(since)), "seats: from")
        for deal, turn in since:
            require(0 < deal <= len(deals) and 0 < turn <= len(deals[deal - 1]["turns"]), "seats: outside the deals")
        require(all(one.get("kind", "person") in ("person", "computer") and one["name"] for one in holders), "seats")


def check_result(data: dict[str, Any], scores: list[int], winner: set[int] | None) -> None:
    """Raise `Contradiction` if the result does not follow from the deals."""
    recorded, length = data["result"], data["rules"]["length"]
    best = [number for number, score in enumerate(scores) if score == max(scores)]
    alone = best[0] if len(best) == 1 else None
    agreed = length is not None and len(data["deals"]) >= length
    require(length is None or len(data["deals"]) <= length, "deals: more than agreed on")
    if recorded is None:
        require(winner is None and not agreed, "result: it is missing")
        return
    how, won, gave_up = recorded["how"], recorded["winner"], recorded.get("gave_up", [])
    require(how in HOW and recorded["scores"] == scores and recorded["deals"] == len(data["deals"]), "result: another")
    require(won is None or (won in range(len(scores)) and won not in gave_up), "result: who gave up has won")
    if how == "played":
        require(winner is not None or agreed, "result: the game is not over")
        require(won == alone if winner is None else won in winner, "result: another has won")
    else:
        require(winner is None or how == "forfeited", "result: the game was over")
    if how in ("agreed", "latest_end"):
        require(won == alone, "result: the best total wins")


def main() -> int:
    """Read the records in the files named on the command line; return 1 at the first contradiction."""
    for name in sys.argv[1:]:
        try:
            data = read_record(Path(name).read_text(encoding="utf-8"))
        except (Contradiction, UnknownFormat) as fault:
            sys.stdout.write(f"{name}: {fault}\n")
            return 1
        sys.stdout.write(f"{name}: {len(data['deals'])} deals hold\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
