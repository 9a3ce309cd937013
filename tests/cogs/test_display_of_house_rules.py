"""House rules about the pile and going out, as the board, the panel and the rules show them."""

from __future__ import annotations

from typing import Any

import pytest

from bot.engine.cards.cards import JACK
from bot.engine.moves.actions import TAKE_PAIR, meld_step
from bot.engine.play.building_views import seat_view
from bot.engine.positions.position_reading import read_position
from bot.engine.rules.rule_options import with_options
from bot.engine.rules.sets import rule_set
from bot.engine.table.state import State
from bot.i18n import locales, words
from cogs.shared.telling import names, rules_text, status_text, text_only
from tests.support.engine_games import table_snapshot
from tests.support.random_play import apply_action

PLACED: dict[str, Any] = {
    "turn": 0,
    "hands": {"0": "Kh Ks 9h 9s 9d 4s", "1": "4c 8h", "2": "5c 8s", "3": "6c 8d"},
    "stock": "7d 6h",
    "pile": "6d Tc Kd",
    "melds": {"0": ["Jh Js Jd"]},
}


def position_with_house_rules(**options: Any) -> State:
    return read_position({"options": options, "position": PLACED})


@pytest.mark.parametrize("locale", locales())
def test_after_a_take_the_panel_asks_for_a_discard_if_melding_is_over(locale: str) -> None:
    said = words(locale)
    for after_take, key in ((True, "board.to_play"), (False, "board.to_discard")):
        view = table_snapshot(apply_action(position_with_house_rules(meld_after_take=after_take), 0, TAKE_PAIR)).view
        assert view is not None
        assert said(key) == status_text.advice_text(said, view)


@pytest.mark.parametrize("locale", locales())
def test_the_board_shows_for_whom_the_pile_is_frozen(locale: str) -> None:
    said = words(locale)
    for untaken in (True, False):
        state = position_with_house_rules(frozen_untaken=untaken)
        snapshot = table_snapshot(state)
        assert snapshot.view is not None
        text = said("spoken.frozen_untaken", name=names.seat_name(said, snapshot, 0))
        assert untaken == (text in text_only.describe_table(said, snapshot, snapshot.view))


@pytest.mark.parametrize("locale", locales())
@pytest.mark.parametrize(
    ("options", "key"),
    [
        ({"meld_after_take": False}, "rules_text.pile_top_only"),
        ({"frozen_untaken": True}, "rules_text.pile_untaken"),
        ({"take_twos": True}, "rules_text.pile_twos"),
        ({"out_canastas_before": True}, "law.out_before"),
    ],
)
def test_the_rules_of_a_table_explain_house_rules_of_the_pile(options: dict[str, Any], key: str, locale: str) -> None:
    said, usual = words(locale), rule_set("classic", 4)
    assert said(key) in rules_text.all_rules_text(said, with_options(usual, options))
    assert said(key) not in rules_text.all_rules_text(said, usual)


def test_the_panel_says_why_its_seat_cannot_take_the_pile_or_go_out() -> None:
    said = words()
    assert [said("panel.frozen_untaken")] == status_text.restriction_lines(
        said, seat_view(position_with_house_rules(frozen_untaken=True), 0)
    )
    assert [] == status_text.restriction_lines(said, seat_view(position_with_house_rules(), 0))
    taken = apply_action(position_with_house_rules(frozen_untaken=True), 0, TAKE_PAIR)
    assert [] == status_text.restriction_lines(said, seat_view(taken, 0))
    late = {**PLACED, "phase": "play", "melds": {"0": ["Js Jh Jd Jc Js Jh"]}, "hands": {"0": "Jd 4s 5s 6s", "2": "8s"}}
    state = read_position({"options": {"out_canastas_before": True}, "position": late})
    assert [] == status_text.restriction_lines(said, seat_view(state, 0))
    assert [said("panel.out_next_turn")] == status_text.restriction_lines(
        said, seat_view(apply_action(state, 0, meld_step(JACK, 1)), 0)
    )
