"""Modern American canasta in panels and texts: special hands, kept threes and bonus cards."""

from __future__ import annotations

from typing import Any, Final

from bot.engine.cards.notation import parse_card, parse_cards
from bot.engine.moves.actions import DRAW_KEEPING, SHOW, Action, DiscardCard, Lay, LayMelds
from bot.engine.moves.events import SetTalon, Showed, TookTalon
from bot.engine.play.building_views import seat_view
from bot.engine.play.decide import decide
from bot.engine.positions.position_reading import read_position
from bot.engine.table.applying_events import fold
from bot.engine.table.state import State
from bot.i18n import words
from bot.tables.play.moves import visible_events
from bot.tables.state.snapshots import ActionResult
from cogs.shared.reading.meld_draft import NOTHING, Draft, StagedMeld
from cogs.shared.telling import play_text, text_only
from tests.support.discord_limits import all_components
from tests.support.engine_games import public_text, seat_snapshot, table_snapshot
from tests.support.panel_pages import panel_page

ENGLISH: Final = words()
PAIRS = "4s 4h 5s 5h 6s 6h 8s 8h 9s 9h Ts Th Js Jh"
OPENING = "Ks Kh Kd Kc As Ah 2s JK 9s 9h 8s 8h 7d"


def position(hand: str, *, phase: str = "play", **more: Any) -> State:
    hands = {"0": hand, "1": "4s 4h", "2": "5s 5c", "3": "6s 6c"}
    plain = {"turn": 0, "phase": phase, "hands": hands, "stock": "4c 5d 3h 9c 8d 7c 6h 6d Qs Qh Qd Qc", "pile": "4d 9c"}
    return read_position({"rules": "modern-american", "position": {**plain, **more}})


def controls_by_action(state: State, draft: Draft = NOTHING) -> dict[str, dict[str, Any]]:
    """Return the controls of seat 0's panel by action."""
    page = panel_page(ENGLISH, seat_snapshot(state, 0), draft=draft)
    shown = all_components(page.view.to_components())  # type: ignore[no-untyped-call]
    return {one["custom_id"].split(":")[3]: one for one in shown if "custom_id" in one}


def state_and_events_after(state: State, *actions: Action) -> tuple[State, tuple[Any, ...]]:
    happening: tuple[Any, ...] = ()
    for action in actions:
        happening = decide(state, state.turn, action)
        state = fold(state, happening)
    return state, happening


def test_a_special_hand_is_offered_where_allowed_and_announced_to_all() -> None:
    state = position(PAIRS)
    assert "show" in controls_by_action(state)
    assert "show" not in controls_by_action(position(OPENING))
    assert "show your hand as a special hand, pairs" in text_only.allowed_actions_text(ENGLISH, seat_view(state, 0))
    over, (showed, ended) = state_and_events_after(state, SHOW)
    snapshot = table_snapshot(over)
    assert isinstance(showed, Showed)
    assert "showed a special hand, pairs: 4♠" in public_text(ENGLISH, snapshot, showed)
    assert "a special hand was shown" == play_text.deal_end_text(ENGLISH, snapshot, ended)
    outcome = ActionResult(seat_snapshot(over, 0), visible_events(0, (showed, ended)), repeated=False)
    assert "You showed your hand: pairs." in play_text.own_action_text(ENGLISH, outcome)


def test_keeping_a_three_is_offered_before_the_draw_until_the_side_has_opened() -> None:
    assert "keep" in controls_by_action(position("4s 5s", phase="draw"))
    assert "keep" not in controls_by_action(position("4s 5s", phase="draw", melds={"0": ["Ks Kh Kd"]}))
    kept, (drew,) = state_and_events_after(position("4s 5s", phase="draw", stock="3h 9c 8d"), DRAW_KEEPING)
    outcome = ActionResult(seat_snapshot(kept, 0), visible_events(0, (drew,)), repeated=False)
    assert "You drew 3♥." == play_text.own_action_text(ENGLISH, outcome)


def test_melds_are_offered_before_the_draw_if_they_lead_to_the_pile() -> None:
    draft = Draft((StagedMeld(9, 4), StagedMeld(10, 2, 1, 1)))
    assert not controls_by_action(position(OPENING, phase="draw"), draft)["lay"].get("disabled", False)
    assert "lay" not in controls_by_action(position(OPENING, phase="draw", pile="4d 4c"), draft)


def test_bonus_cards_are_public_as_numbers_and_shown_only_to_their_player() -> None:
    laid = LayMelds((Lay(parse_cards("Ks Kh Kd Kc")), Lay(parse_cards("As Ah 2s JK"))))
    state, (_, talon) = state_and_events_after(position(OPENING), laid, DiscardCard(parse_card("7d")))
    snapshot = table_snapshot(state)
    assert isinstance(talon, SetTalon)
    line = public_text(ENGLISH, snapshot, talon)
    assert line.endswith("gets 4 bonus cards in the next turn")
    assert "♣" not in line
    assert "4 bonus cards face down" in text_only.describe_hand_and_table(
        ENGLISH, seat_snapshot(state, 1), seat_view(state, 1), state.hands[1]
    )
    took = TookTalon(0, parse_cards("4c 5d"), parse_cards("3h"), 2)
    assert (took,) == visible_events(0, (took,))
    assert (TookTalon(0, (), parse_cards("3h"), 2),) == visible_events(1, (took,))
    assert (SetTalon(0, (), 4),) == visible_events(0, (talon,))
    assert "got 2 bonus cards · laid out 3♥" in public_text(ENGLISH, snapshot, took)
