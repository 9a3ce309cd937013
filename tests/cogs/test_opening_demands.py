"""Initial melds that need a canasta besides points (`docs/law/variants.md 3.3`)."""

from __future__ import annotations

from typing import Any

import pytest

from bot.engine.cards.cards import FOUR, KING, NINE
from bot.engine.moves.actions import LayMelds
from bot.engine.moves.refusals import Code
from bot.engine.play.building_views import public_view
from bot.engine.play.decide import why_not_allowed
from bot.engine.positions.position_reading import read_position
from bot.engine.table.state import State
from bot.i18n import words
from cogs.shared.discord_api.components import Page
from cogs.shared.reading import meld_draft as drafts
from cogs.shared.reading.meld_draft import NOTHING, Draft, StagedMeld
from cogs.shared.telling import text_only
from tests.support.discord_limits import all_components
from tests.support.engine_games import seat_snapshot, table_snapshot
from tests.support.panel_pages import panel_page, with_draft

WORDS = words()
SIX_KINGS, SEVEN_KINGS = Draft((StagedMeld(KING, 6),)), Draft((StagedMeld(KING, 7),))
MIXED = Draft((StagedMeld(KING, 6, 1),))
FOURS = "4s 4s 4h 4h 4d 4d 4c"


def unopened_position(score: int, hand: str = "Ks Ks Kh Kh Kd Kd Kc 2s 9s 9h 9d Ac 4s 5h") -> State:
    hands = {"0": hand, "1": "4c 6d", "2": "5c 6h", "3": "6c 7d"}
    position = {"turn": 0, "phase": "play", "hands": hands, "stock": "8d 7c 6h", "pile": "4d"}
    return read_position({"rules": "brazilian", "scores": [score, 0], "position": position})


def render_panel(state: State, draft: Draft = NOTHING) -> Page:
    return panel_page(WORDS, with_draft(state, seat_snapshot(state, 0), draft), draft=draft)


def components(page: Page) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.view.to_components()  # type: ignore[no-untyped-call]
    return list(all_components(found))


def lay_button(page: Page) -> tuple[str, bool]:
    found = next(one for one in components(page) if ":lay:" in one.get("custom_id", ""))
    return found["label"], not found.get("disabled", False)


@pytest.mark.parametrize(
    ("score", "needed"),
    [
        (6995, "Needs 120 points to open."),
        (7000, "Needs a canasta to open."),
        (8000, "Needs a canasta and 200 points to open."),
        (9000, "Needs an unmixed canasta to open."),
    ],
)
def test_v3_3_the_table_in_words_names_the_demand(score: int, needed: str) -> None:
    state = unopened_position(score)
    assert needed in text_only.describe_table(WORDS, table_snapshot(state), public_view(state))


@pytest.mark.parametrize(
    ("score", "draft", "expected"),
    [
        (7000, SIX_KINGS, ("Lay: a canasta is missing", False)),
        (7000, MIXED, ("Lay 80", True)),
        (8000, SEVEN_KINGS, ("Lay: 130 points missing", False)),
        (9000, MIXED, ("Lay: an unmixed canasta is missing", False)),
        (9000, SEVEN_KINGS, ("Lay 70", True)),
    ],
)
def test_v3_3_melds_put_together_can_be_laid_once_they_hold_the_canasta(
    score: int, draft: Draft, expected: tuple[str, bool]
) -> None:
    assert expected == lay_button(render_panel(unopened_position(score), draft))


def test_v3_3_the_panel_shows_the_demand_next_to_the_points() -> None:
    page = render_panel(unopened_position(8000), Draft((StagedMeld(NINE, 3),)))
    texts = [str(one["content"]) for one in components(page) if "content" in one]
    assert any("**30 points**; to open you need a canasta and 200 points" in text for text in texts)


def test_v3_3_seven_fours_open_at_7_000_and_not_at_8_000() -> None:
    def refusal_code(score: int) -> Code | None:
        state = unopened_position(score, f"{FOURS} 9s 9h Ac 5h")
        draft = Draft((StagedMeld(FOUR, 7),))
        snapshot = seat_snapshot(state, 0)
        assert snapshot.view is not None
        refusal = why_not_allowed(state, 0, LayMelds(drafts.melds_to_lay(draft, snapshot.view)))
        return None if refusal is None else refusal.code

    assert refusal_code(7000) is None
    assert refusal_code(8000) is Code.OPENING_NEEDS_CANASTA_AND_POINTS
