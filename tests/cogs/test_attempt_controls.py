"""Custom ids of buttons that offer a refused action at its penalty: written, parsed, never trusted."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.engine.moves.actions import ASK, DRAW, PASS, TAKE_BACK, Discard, DiscardCard, Lay, LayMelds, TakePile
from bot.engine.play.building_views import seat_view
from bot.engine.rules.irregularities import REGIMES
from bot.engine.rules.rule_options import read_options
from bot.engine.rules.sets import rule_set
from cogs.shared.reading import penalty_attempts
from cogs.shared.reading.custom_ids import ControlId, parse_control_id
from tests.support.random_play import deal_with_minimum
from tests.support.strategies import CARDS, KINDS

FEW = st.lists(CARDS, min_size=1, max_size=5).map(tuple)
LAYS = st.builds(Lay, FEW, st.none() | st.integers(0, 20))
ACTIONS = st.one_of(
    st.sampled_from((DRAW, ASK)),
    st.builds(Discard, KINDS),
    st.builds(DiscardCard, CARDS),
    st.builds(LayMelds, st.lists(LAYS, min_size=1, max_size=6).map(tuple)),
    st.builds(
        TakePile,
        st.lists(CARDS, max_size=5).map(tuple),
        st.lists(LAYS, max_size=5).map(tuple),
        st.none() | st.integers(0, 20),
    ),
)


@given(ACTIONS)
def test_an_attempt_written_to_a_control_id_is_parsed_back(action: penalty_attempts.Attempted) -> None:
    control = ControlId(10**15, 10**6, "anyway", penalty_attempts.attempt_to_argument(action))
    assert action == penalty_attempts.parse_attempt(parse_control_id(str(control)).argument)


def test_attempts_that_are_too_long_or_use_no_cards_get_no_control() -> None:
    assert "" == penalty_attempts.attempt_to_argument(LayMelds((Lay((0,) * penalty_attempts.MOST),)))
    assert "" == penalty_attempts.attempt_to_argument(PASS)
    assert "" == penalty_attempts.attempt_to_argument(TAKE_BACK)


@pytest.mark.parametrize("text", ["", "x", "k", "k9", "c", "caa", "m.", "ma..", "m", "t", "mä", "zab", "c9", "ma9"])
def test_an_invalid_control_id_is_not_parsed(text: str) -> None:
    assert penalty_attempts.parse_attempt(text) is None


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.", max_size=30))
def test_any_argument_of_an_attempt_control_gets_an_answer(text: str) -> None:
    found = penalty_attempts.parse_attempt(text)
    assert found is None or penalty_attempts.parse_attempt(penalty_attempts.attempt_to_argument(found)) == found


@pytest.mark.parametrize("regime", REGIMES)
def test_a_panel_offers_only_attempts_with_a_price_at_the_table(regime: str) -> None:
    rules = read_options(rule_set("classic", 4), {"penalties": regime})
    state = deal_with_minimum(rules, 1)
    own, other = seat_view(state, state.turn), seat_view(state, (state.turn + 1) % 4)
    assert (regime == "singkep") == penalty_attempts.may_try_drawing(other)
    assert not penalty_attempts.may_try_drawing(own)
    assert (
        (regime in ("laws", "singkep"))
        == penalty_attempts.may_try_taking_pile(own)
        == penalty_attempts.may_try_taking_pile(other)
    )
    assert (regime != "off") == penalty_attempts.may_try_opening_below_minimum(own)
