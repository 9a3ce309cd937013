"""A premove stays, is dropped or is played as the table changes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.engine.cards.cards import ACE, KING, QUEEN
from bot.engine.cards.notation import parse_card, parse_cards
from bot.engine.moves.actions import DRAW, YES, Action, DiscardCard, Lay, LayMelds, TakePile
from bot.engine.moves.phases import Phase
from bot.engine.play.decide import decide
from bot.engine.rules.sets import rule_set
from bot.tables.core.stored_forms import read_premove, write_premove
from bot.tables.snapshots.premove_checks import (
    Verdict,
    build_premove,
    find_premove_end,
    may_partner_ask,
    premove_verdict,
)
from bot.tables.state.clocks import Pause
from bot.tables.state.fold import apply_table_events
from bot.tables.state.premoves import PlannedTurn, Premove, PremoveEnd
from bot.tables.state.snapshots import SeatHolder, Status
from bot.tables.state.table import TableState
from tests.support.stacked_packs import deal_hands

HANDS = {
    0: "4s 5h 6h 8s 9d Ts Jh Qd Kc Ac 3s",
    1: "Ks Kh 3s 3c 4h 5c 7s 8c 9c Tc Jc",
    2: "4d 4c 5s 6s 7h 8h 9h Th Js Qs Ad",
    3: "Qc Qh 5d 6c 7c 8d 9s Td Jd Ah As",
}
DRAWN = "4s 6d 7d 8s"
"""The upcard, then the cards that seats 0, 1 and 2 draw."""


def game_of_four(hands: dict[int, str] = HANDS, after: str = DRAWN) -> TableState:
    """Return a game of four people at seat 0's first turn."""
    game = deal_hands(rule_set("classic", 4), hands, after)
    seats = tuple(SeatHolder("person", 100 + seat, str(seat)) for seat in range(4))
    return TableState(Status.PLAYING, game.rules, 100, seats, 0, (None,) * 4, game=game)


def table_after_actions(record: TableState, *actions: Action) -> TableState:
    """Return the table after these actions, each by the seat that is to act."""
    for action in actions:
        assert record.game is not None
        assert record.actor is not None
        record = apply_table_events(record, decide(record.game, record.actor, action))
    return record


def build_valid_premove(record: TableState, wish: PlannedTurn, seat: int = 1) -> Premove:
    premove = build_premove(record, seat, wish)
    assert premove is not None
    return premove


def verdict_on_premove(record: TableState, premove: Premove, *, was_drawn_automatically: bool = True) -> Verdict:
    return premove_verdict(record, 100 + premove.upon.seat, premove, was_drawn_automatically=was_drawn_automatically)


def discard_from_text(text: str) -> DiscardCard:
    return DiscardCard(parse_card(text))


ANY = PlannedTurn(draw=True)
KINGS = PlannedTurn(draw=True, ranks=(KING,))
BLACK = PlannedTurn(draw=True, discard=parse_card("3c"))


# --- drawing and discarding -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wish", "card", "expected"),
    [
        pytest.param(ANY, "Qd", DRAW, id="nothing to take with"),
        pytest.param(ANY, "Kc", DRAW, id="a pair that opens nothing"),
        pytest.param(KINGS, "Qd", DRAW, id="another rank"),
        pytest.param(ANY, "3s", DRAW, id="a black three bars the pile"),
    ],
)
def test_the_pile_at_the_start_of_the_turn_decides_what_a_premove_does(
    wish: PlannedTurn, card: str, expected: Verdict
) -> None:
    before = game_of_four()
    premove = build_valid_premove(before, wish)
    assert verdict_on_premove(before, premove) is None
    assert expected == verdict_on_premove(table_after_actions(before, DRAW, discard_from_text(card)), premove)


RICH = {**HANDS, 1: "Ks Kh As Ah Ad 3c 4h 5c 7s 8c 2s"}
"""With kings on top the second seat opens: two kings and the top, three aces."""


@pytest.mark.parametrize(
    ("wish", "expected"),
    [
        pytest.param(ANY, PremoveEnd.TAKEABLE, id="whatever lies on top"),
        pytest.param(KINGS, PremoveEnd.TAKEABLE, id="the rank that was named"),
        pytest.param(
            PlannedTurn(draw=True, ranks=(QUEEN, KING)), PremoveEnd.TAKEABLE, id="one of the ranks that were named"
        ),
        pytest.param(PlannedTurn(draw=True, ranks=(ACE,)), DRAW, id="only another rank was named"),
    ],
)
def test_a_premove_does_nothing_if_the_player_can_take_the_pile_as_wished(wish: PlannedTurn, expected: Verdict) -> None:
    before = game_of_four({**RICH, 0: "4s 5h 6h 8s 9d Ts Jh Qd Kc Qs 3s"})
    premove = build_valid_premove(before, wish)
    assert expected == verdict_on_premove(table_after_actions(before, DRAW, discard_from_text("Kc")), premove)


def test_a_black_three_is_discarded_after_a_card_that_came_by_itself() -> None:
    before = game_of_four()
    premove = build_valid_premove(before, PlannedTurn(discard=parse_card("3c")))
    turn = table_after_actions(before, DRAW, discard_from_text("Qd"))
    assert DRAW == verdict_on_premove(turn, premove)
    drawn = table_after_actions(turn, DRAW)
    assert discard_from_text("3c") == verdict_on_premove(drawn, premove)
    assert PremoveEnd.PAST == verdict_on_premove(drawn, premove, was_drawn_automatically=False)
    assert PremoveEnd.PAST == verdict_on_premove(table_after_actions(drawn, discard_from_text("3c")), premove)


def test_a_premove_that_only_draws_is_done_after_the_draw() -> None:
    before = game_of_four()
    premove = build_valid_premove(before, ANY)
    drawn = table_after_actions(before, DRAW, discard_from_text("Qd"), DRAW)
    assert PremoveEnd.DONE == verdict_on_premove(drawn, premove)
    assert PremoveEnd.PAST == verdict_on_premove(drawn, premove, was_drawn_automatically=False)


def test_a_drawn_red_three_that_is_replaced_does_not_end_a_premove() -> None:
    before = game_of_four(after="4s 6d 3h 7d 8s")
    premove = build_valid_premove(before, BLACK)
    drawn = table_after_actions(before, DRAW, discard_from_text("Qd"), DRAW)
    assert drawn.game is not None
    assert 1 == len(drawn.game.red_threes[1])
    assert discard_from_text("3c") == verdict_on_premove(drawn, premove)


def test_a_meld_after_drawing_ends_the_premove() -> None:
    before = game_of_four({**RICH, 0: "4s 5h 6h 8s 9d Ts Jh Qd 9c Qs 3s"})
    premove = build_valid_premove(before, BLACK)
    drawn = table_after_actions(before, DRAW, discard_from_text("Qd"), DRAW)
    assert discard_from_text("3c") == verdict_on_premove(drawn, premove)
    melds = LayMelds((Lay(parse_cards("As Ah Ad")),))
    assert PremoveEnd.MELDS == verdict_on_premove(table_after_actions(drawn, melds), premove)


# --- events that end a premove ----------------------------------------------------------------------------------------


def test_a_pile_taken_by_any_player_ends_a_premove() -> None:
    hands = {**HANDS, 0: "As Ah Ad Kc Kd 4h 5h 6h 8s 9d Ts", 3: "Qc Qh 5d 6c 7c 8d 9s Td Jd 7h 8h"}
    before = game_of_four(hands, "Kc 6d 7d 8s")
    later = build_valid_premove(before, ANY, seat=2)
    taken = table_after_actions(before, take_pile_action())
    assert PremoveEnd.PILE == find_premove_end(taken, 102, later)
    assert find_premove_end(taken, 102, build_valid_premove(taken, ANY, seat=2)) is None


def take_pile_action() -> Action:
    return TakePile(parse_cards("Kc Kd"), (Lay(parse_cards("As Ah Ad")),))


def test_changed_melds_of_the_side_end_a_premove_and_those_of_others_do_not() -> None:
    before = game_of_four({**HANDS, 0: "As Ah Ad Kc Kd Ks 4h 5h 6h 8s 9d", 3: "Qc Qh 5d 6c 7c 8d 9s Td Jd 7h 8h"})
    partner, opponent = build_valid_premove(before, ANY, seat=2), build_valid_premove(before, ANY, seat=1)
    laid = table_after_actions(before, DRAW, LayMelds((Lay(parse_cards("As Ah Ad")),)))
    assert PremoveEnd.MELDS == find_premove_end(laid, 102, partner)
    assert find_premove_end(laid, 101, opponent) is None


def test_a_changed_hand_ends_a_premove() -> None:
    before = game_of_four()
    premove = build_valid_premove(before, ANY)
    assert before.game is not None
    hands = list(before.game.hands)
    hands[1] = tuple(sorted((*hands[1][1:], parse_card("Ah"))))
    changed = replace(before, game=replace(before.game, hands=tuple(hands)))
    assert PremoveEnd.HAND == find_premove_end(changed, 101, premove)


@pytest.mark.parametrize(
    "holder",
    [SeatHolder("person", 999, "New"), SeatHolder("computer", number=1, kept_for=101)],
    ids=["person", "computer"],
)
def test_a_seat_given_to_another_player_ends_its_premove(holder: SeatHolder) -> None:
    before = game_of_four()
    premove = build_valid_premove(before, ANY)
    seats = tuple(holder if seat == 1 else one for seat, one in enumerate(before.seats))
    assert PremoveEnd.PAST == find_premove_end(replace(before, seats=seats), 101, premove)


def test_a_premove_holds_only_for_the_next_turn() -> None:
    """A later turn drops it, even if hand, melds and pile are unchanged."""
    before = game_of_four()
    premove = build_valid_premove(before, ANY)
    later = table_after_actions(before, DRAW, discard_from_text("Qd"), DRAW, discard_from_text("7d"))
    assert premove.upon.hand == (() if later.game is None else later.game.hands[1])
    assert PremoveEnd.PAST == find_premove_end(later, 101, premove)


def test_a_stopped_game_plays_no_premove() -> None:
    before = game_of_four()
    premove = build_valid_premove(before, ANY)
    turn = table_after_actions(before, DRAW, discard_from_text("Qd"))
    assert verdict_on_premove(replace(turn, pause=Pause(100, 0, None)), premove) is None
    assert DRAW == verdict_on_premove(turn, premove)


# --- possible premoves ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seat", "wish"),
    [
        pytest.param(0, ANY, id="the own turn"),
        pytest.param(1, PlannedTurn(), id="nothing"),
        pytest.param(1, PlannedTurn(discard=parse_card("3h")), id="a red three"),
        pytest.param(1, PlannedTurn(discard=parse_card("4h")), id="no three"),
        pytest.param(3, PlannedTurn(discard=parse_card("3c")), id="a card that is not held"),
        pytest.param(1, PlannedTurn(agree=True), id="a partner whose turn comes later"),
    ],
)
def test_an_impossible_premove_is_refused(seat: int, wish: PlannedTurn) -> None:
    assert build_premove(game_of_four(), seat, wish) is None


def test_a_partner_may_still_ask_if_they_play_before_the_seats_own_turn() -> None:
    record = game_of_four()
    assert record.game is not None
    assert [False, True, True] == [may_partner_ask(record.game, seat) for seat in (1, 2, 3)]


def test_no_premove_can_be_prepared_between_deals() -> None:
    record = game_of_four()
    assert build_premove(replace(record, status=Status.FINISHED), 1, ANY) is None
    assert build_premove(replace(record, game=None), 1, ANY) is None


# --- answering --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("asked_before", [False, True])
def test_a_prepared_yes_is_given_when_the_partner_asks_or_has_asked(asked_before: bool) -> None:  # noqa: FBT001 - a parameter of the case
    before = game_of_four()
    asks = table_waiting_for_answer(before)
    premove = build_valid_premove(asks if asked_before else before, PlannedTurn(agree=True), seat=2)
    assert YES == verdict_on_premove(asks, premove)
    assert verdict_on_premove(asks, build_valid_premove(before, ANY, seat=2)) is None


def table_waiting_for_answer(record: TableState) -> TableState:
    """Return the table after the player in turn has drawn and asked to go out."""
    drawn = table_after_actions(record, DRAW)
    assert drawn.game is not None
    return replace(drawn, game=replace(drawn.game, phase=Phase.ANSWER, asked_in=Phase.PLAY))


def test_a_partner_who_melded_before_asking_gets_no_automatic_answer() -> None:
    before = game_of_four({**HANDS, 0: "As Ah Ad Kc Kd Ks 4h 5h 6h 8s 9d", 3: "Qc Qh 5d 6c 7c 8d 9s Td Jd 7h 8h"})
    premove = build_valid_premove(before, PlannedTurn(agree=True), seat=2)
    laid = table_after_actions(before, DRAW, LayMelds((Lay(parse_cards("As Ah Ad")),)))
    assert PremoveEnd.MELDS == verdict_on_premove(laid, premove)


# --- storage ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("wish", [ANY, KINGS, BLACK, PlannedTurn(agree=True)])
def test_a_premove_is_read_back_unchanged(wish: PlannedTurn) -> None:
    premove = build_valid_premove(game_of_four(), wish, seat=2 if wish.agree else 1)
    assert premove == read_premove(write_premove(premove))
    ended = replace(premove, ended=PremoveEnd.PILE)
    assert ended == read_premove(write_premove(ended))


def test_a_premoves_repr_names_no_card() -> None:
    described = repr(build_valid_premove(game_of_four(), BLACK))
    assert "hand" not in described
    assert "discard" not in described
    assert "ranks" not in described
