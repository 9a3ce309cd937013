"""Every stage of a panel at the positions of the referee's cases: its text, its controls, its size."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any, Final

import pytest

from bot.engine.cards.notation import parse_cards
from bot.engine.moves.actions import DRAW, PASS, Discard, Lay, LayMelds, Take
from bot.engine.positions.position_reading import read_position
from bot.engine.table.state import State, seat_to_act
from bot.i18n import words
from bot.referee.cases import read_case, try_case
from bot.tables.state.clocks import Pause
from bot.tables.state.snapshots import ClosingReason, SeatSnapshot, Status
from cogs.shared.discord_api.components import Page
from cogs.shared.showing.panels.titles import Stage, stage_of
from tests.support.discord_limits import all_components, broken_limits
from tests.support.engine_games import seat_snapshot
from tests.support.panel_pages import panel_page
from tests.support.random_play import apply_action
from tests.support.seeds import SEARCHING

LANGUAGES: Final = (words(), words("it"))
FILES: Final = sorted((Path(__file__).parents[1] / "data" / "cases").glob("*.json"))
NAMES: Final = ("W" * 32, "*" * 32, "_" * 32, "<@1>" * 8, "@everyone" + "_" * 20, "\\" * 32)

LAYING: Final = {"play", "move", "stage", "open", "other", "undo", "announce", "ask", "out", "show", "discard", "more"}
MAY: Final = {
    Stage.LOBBY: {"refresh"},
    Stage.CLOSED: {"refresh", "more"},
    Stage.OVER: {"rematch", "new_table", "more"},
    Stage.BETWEEN: {"next", "word", "more"},
    Stage.RESTING: {"refresh", "more"},
    Stage.PAUSED: {"go_on", "refresh", "more"},
    Stage.WAITING: {"refresh", "premove", "more"},
    Stage.UNANSWERED: {"refresh", "more"},
    Stage.ASKED: {"yes", "no", "more"},
    Stage.DRAW: {"draw", "keep", "ask", "announce", "other", "stage", "play", "undo", "more"},
    Stage.WAYS: {"draw", "take", "keep", "ask", "announce", "other", "stage", "play", "undo", "more"},
    Stage.STOCK_OUT: {"take", "pass", "ask", "announce", "other", "stage", "play", "undo", "more"},
    Stage.OPENING_FIRST: {"take", "undo", "play", "other", "more"},
    Stage.SPECIAL: LAYING,
    Stage.BOUND: LAYING | {"draw", "take", "keep", "pass"},
    Stage.CAN_GO_OUT: LAYING | {"draw", "take", "keep", "pass"},
    Stage.MUST_ASK: LAYING | {"draw", "take", "keep", "pass"},
    Stage.MUST_ANNOUNCE: LAYING | {"draw", "take", "keep", "pass"},
    Stage.ASIDE: LAYING,
    Stage.REFUSED: LAYING,
    Stage.DISCARD: LAYING,
    Stage.LAY: LAYING,
}
"""The actions of the controls that a panel may have, by its stage."""

MUST: Final = {
    Stage.ASKED: {"yes", "no"},
    Stage.DRAW: {"draw"},
    Stage.WAYS: {"draw", "take"},
    Stage.BETWEEN: {"next"},
    Stage.OVER: {"rematch", "new_table"},
    Stage.SPECIAL: {"show"},
    Stage.CAN_GO_OUT: {"out"},
    Stage.MUST_ASK: {"ask"},
    Stage.MUST_ANNOUNCE: {"announce"},
}
"""The actions of the controls that a panel must have, by its stage."""


def case_states(file: Path) -> Iterator[State]:
    """Yield the first and, if it differs, the last state of each case in a file."""
    for data in json.loads(file.read_text()):
        case = read_case(data)
        yield case.state
        if (last := try_case(case).state) != case.state:
            yield last


def snapshots_of(state: State, seats: Iterable[int] | None = None) -> Iterator[SeatSnapshot]:
    """Yield what these seats see, or what every seat sees."""
    for seat in range(state.rules.players) if seats is None else seats:
        yield seat_snapshot(state, seat, names=NAMES)


def some_seats(state: State, turn: int) -> Iterable[int]:
    """Return the seat to act and one of all seats by turns; in a search, every seat."""
    every = range(state.rules.players)
    actor, other = seat_to_act(state), every[turn % len(every)]
    return every if SEARCHING else sorted({other, other if actor is None else actor})


def components(page: Page) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.view.to_components()  # type: ignore[no-untyped-call]
    return found


def check_panel(snapshot: SeatSnapshot, turn: int | None = None) -> None:
    """Check that a panel names the next move, has only the controls of its stage, and fits.

    In a search, or without a turn number, it is checked in every language, otherwise in one language by turns.
    """
    stage = stage_of(snapshot)
    for catalogue in LANGUAGES if SEARCHING or turn is None else (LANGUAGES[turn % len(LANGUAGES)],):
        shown = components(panel_page(catalogue, snapshot, note="x" * 200, since=["y" * 300] * 3))
        assert [] == broken_limits(shown)
        texts = [one["content"] for one in all_components(shown) if one["type"] == 10]
        title = texts[0].splitlines()[0].removeprefix("### ")
        assert title
        assert "{" not in title
        controls = {one["custom_id"].split(":")[3] for one in all_components(shown) if "custom_id" in one}
        passes = {"pass"} if PASS in (() if snapshot.view is None else snapshot.view.legal) else set()
        assert controls <= MAY[stage] | passes, stage
        assert controls >= MUST.get(stage, set()), stage
        legal = () if snapshot.view is None else snapshot.view.legal
        assert ("discard" in controls) == any(isinstance(step, Discard) for step in legal)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_panel_offers_the_moves_of_its_stage_and_fits(file: Path) -> None:
    turns = count()
    for number, state in enumerate(case_states(file)):
        for snapshot in snapshots_of(state, some_seats(state, number)):
            check_panel(snapshot, next(turns))


PAIR: Final = {
    "position": {
        "turn": 0,
        "phase": "draw",
        "hands": {"0": "Kh Ks Ah As Ad 4s 5s", "1": "4c 8h", "2": "5c 8s", "3": "6c 8d"},
        "stock": "7d 6h",
        "pile": "6d Tc Kd",
    }
}
FIRST: Final = {
    "rules": "modern-american",
    "position": {
        "turn": 0,
        "phase": "draw",
        "hands": {"0": "Ks Kh Kd Kc As Ah 2s JK 9s 9h 8s 8h 7d", "1": "4s 4h", "2": "5s 5c", "3": "6s 6c"},
        "stock": "4c 5d 3h 9c 8d 7c 6h 6d Qs Qh Qd Qc",
        "pile": "4d 9c",
    },
}


def seat_with_waiting_pile() -> SeatSnapshot:
    """Return a seat that has taken the pile with a pair, without the points to open yet.

    The rest of the pile waits for its initial meld.
    """
    return seat_snapshot(apply_action(read_position(PAIR), 0, Take(naturals=2)), 0, names=NAMES)


def seat_that_opens_before_take() -> SeatSnapshot:
    """Return a seat that lays its initial meld before it takes the pile, as some rules require."""
    laid = LayMelds((Lay(parse_cards("Ks Kh Kd Kc")), Lay(parse_cards("As Ah 2s JK"))))
    return seat_snapshot(apply_action(read_position(FIRST), 0, laid), 0, names=NAMES)


def seat_in_lobby() -> SeatSnapshot:
    snapshot = seat_snapshot(read_position(PAIR), 0, names=NAMES)
    return replace(snapshot, view=None, table=replace(snapshot.table, view=None, status=Status.LOBBY))


def seat_at_closed_table() -> SeatSnapshot:
    snapshot = seat_snapshot(read_position(PAIR), 1, names=NAMES)
    return replace(snapshot, table=replace(snapshot.table, status=Status.CLOSED, closed_because=ClosingReason.AGREED))


def seat_without_next_move() -> SeatSnapshot:
    snapshot = seat_snapshot(read_position(PAIR), 1, names=NAMES)
    return replace(snapshot, table=replace(snapshot.table, pause=Pause(snapshot.table.persons[0], 0, 10**13)))


RARE: Final = {
    Stage.PAUSED: seat_without_next_move,
    Stage.ASIDE: seat_with_waiting_pile,
    Stage.OPENING_FIRST: seat_that_opens_before_take,
    Stage.LOBBY: seat_in_lobby,
    Stage.CLOSED: seat_at_closed_table,
}


@pytest.mark.parametrize("stage", RARE, ids=lambda stage: stage.name)
def test_panels_are_right_in_stages_that_no_referee_case_reaches(stage: Stage) -> None:
    snapshot = RARE[stage]()
    assert stage is stage_of(snapshot)
    check_panel(snapshot)


MANY: Final = {
    *("afrikaans", "brazilian", "classic-trios", "counting", "italian-club", "messages", "modern-american"),
    "samba-forms",
}
"""Files whose cases reach every stage between them; they are looked at first."""


def test_every_stage_of_a_panel_occurs_in_the_referees_cases_or_here() -> None:
    unmet = set(Stage) - set(RARE)
    for file in sorted(FILES, key=lambda file: file.stem not in MANY):
        unmet -= (
            {stage_of(snapshot) for state in case_states(file) for snapshot in snapshots_of(state)} if unmet else set()
        )
    assert set() == unmet


def test_the_panel_asks_only_for_a_draw_if_no_other_move_is_legal() -> None:
    snapshot = seat_snapshot(read_position({"position": {**PAIR["position"], "pile": "6d Tc 2d"}}), 0)
    assert snapshot.view is not None
    assert DRAW in snapshot.view.legal
    assert Stage.DRAW is stage_of(snapshot)


def test_the_partners_no_is_shown_before_the_draw_too() -> None:
    snapshot = seat_snapshot(read_position({"position": {**PAIR["position"], "permission": False}}), 0)
    assert stage_of(snapshot) in (Stage.DRAW, Stage.WAYS)
    assert "South said no: do not go out this turn" in str(panel_page(words(), snapshot).view.to_components())  # type: ignore[no-untyped-call]


def test_the_panel_says_how_many_cards_of_the_pile_are_taken() -> None:
    hands = {"0": "Ts Th 4s 5s 6s 7s", "1": "4c 8h", "2": "5c 8s", "3": "6c 8d"}
    pile, melds = "4c 4d 5c 5d 6c 6d Qc Qd Tc", {"0": ["Ks Kh Kd"]}
    position = {**PAIR["position"], "hands": hands, "pile": pile, "melds": melds}
    state = read_position({"rules": "hand-and-foot", "players": 4, "position": position})
    text = str(panel_page(words(), seat_snapshot(state, 0)).view.to_components())  # type: ignore[no-untyped-call]
    assert "Take the pile: 5 of its 9 cards, 10♣" in text


def test_a_yes_before_the_draw_binds_only_if_the_drawn_card_lets_the_player_go_out() -> None:
    snapshot = seat_snapshot(read_position({"position": {**PAIR["position"], "permission": True}}), 0)
    text = str(panel_page(words(), snapshot).view.to_components())  # type: ignore[no-untyped-call]
    assert Stage.BOUND is stage_of(snapshot)
    assert "South said yes: if you can go out after the draw, you must" in text
    assert "You must go out" not in text
