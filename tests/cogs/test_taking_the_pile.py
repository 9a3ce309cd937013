"""Taking the pile by a typed command or in the panel."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from bot.engine.cards.cards import JACK
from bot.engine.cards.notation import parse_cards
from bot.engine.moves.actions import Take, TakePile
from bot.engine.moves.phases import Phase
from bot.engine.moves.refusals import Code, Refusal
from bot.engine.play.building_views import seat_view
from bot.engine.play.decide import decide, why_not_allowed
from bot.engine.positions.position_reading import read_position
from bot.engine.table.state import State, seat_to_act
from bot.engine.table.views import SeatView
from bot.i18n import words
from bot.tables.state.snapshots import ActionResult, SeatSnapshot
from cogs.play import draw_and_take
from cogs.shared.reading.input_problems import InputCode, InputProblem
from cogs.shared.reading.meld_draft import NOTHING, wild_card_targets
from cogs.shared.telling import play_text
from cogs.shared.telling.turn_text import WAYS, ways_to_take
from tests.support.engine_games import played_positions, public_text, table_snapshot

WORDS = words()


@cache
def takeable_positions() -> list[tuple[State, SeatView]]:
    """Return positions in which the pile can be taken."""
    found = []
    for seed in range(8):
        for state in played_positions(seed, level=("casual", "random")[seed % 2], deals=6):
            seat = seat_to_act(state)
            if state.phase is Phase.DRAW and seat is not None:
                view = seat_view(state, seat)
                if ways_to_take(view):
                    found.append((state, view))
    return found


def test_every_legal_way_to_take_the_pile_can_be_described_and_chosen() -> None:
    met = set()
    for state, view in takeable_positions():
        for way in ways_to_take(view):
            met.add(way)
            refusal = why_not_allowed(state, view.seat, draw_and_take.parse_take(WORDS, view, way, None))
            assert refusal is None or (not view.side.opened and refusal.code is Code.INITIAL_MELD_TOO_LOW)
    assert set(WAYS) - {"t", "w"} == met, "three naturals, and twos that are shown, are for other rules"


def test_the_cheapest_way_to_take_the_pile_is_the_default_and_spends_no_wild_card() -> None:
    for _, view in takeable_positions():
        ways = ways_to_take(view)
        if {"2", "j"} == set(ways):
            with pytest.raises(InputProblem) as caught:
                draw_and_take.parse_take(WORDS, view, None, None)
            assert caught.value.code is InputCode.TAKE_WHICH
        else:
            action = draw_and_take.parse_take(WORDS, view, None, None)
            expected = WAYS["a" if "a" in ways else "p" if "p" in ways else ways[0]]
            assert expected.naturals + expected.twos + expected.jokers == len(action.cards)


@pytest.mark.parametrize(("text", "way"), [("pair", "p"), ("a", "a"), ("Joker", "j"), ("two", "2"), (" ADD ", "a")])
def test_a_way_to_take_the_pile_can_be_named(text: str, way: str) -> None:
    _, view = next(entry for entry in takeable_positions() if way in ways_to_take(entry[1]))
    assert draw_and_take.parse_take(WORDS, view, way, None) == draw_and_take.parse_take(WORDS, view, text, None)


def test_ways_to_take_the_pile_are_described_in_the_readers_language() -> None:
    view = next(view for _, view in takeable_positions() if "p" in ways_to_take(view))
    said = draw_and_take.parse_take(words("it"), view, "coppia", None)
    assert said == draw_and_take.parse_take(WORDS, view, "pair", None)


SHOWING = {
    "options": {"take_twos": True},
    "position": {
        "turn": 0,
        "hands": {"0": "2s 2h 2c 2d 4s Kc", "1": "4c", "2": "5c", "3": "6c"},
        "stock": "7d 6h",
        "pile": "6d Tc 2d",
        "melds": {"0": ["Jh Js Jd"]},
    },
}


@pytest.mark.parametrize("text", [None, "w", "twos", "two twos", "2h 2d", "2 2"])
def test_twos_that_are_shown_are_those_of_the_top_cards_colour(text: str | None) -> None:
    state = read_position(SHOWING)
    view = seat_view(state, 0)
    assert ("w",) == ways_to_take(view)
    assert (JACK,) == wild_card_targets(NOTHING, view)
    action = draw_and_take.parse_take(WORDS, view, text, None)
    assert TakePile(parse_cards("2h 2d")) == action
    assert why_not_allowed(state, 0, action) is None
    events = decide(state, 0, action)
    outcome = ActionResult(SeatSnapshot(table_snapshot(state), 0, view), events, repeated=False)
    assert "You took the pile: 6♦ 10♣ 2♦." == play_text.own_action_text(WORDS, outcome)
    line = public_text(WORDS, table_snapshot(state), events[0])
    assert line.endswith("**took the pile (3)**, showing 2 2")


def unopened_view_with_top_card(hand: str, top: str) -> SeatView:
    """Return the view of a seat before its initial meld, with that hand and that top card."""
    _, view = next(entry for entry in takeable_positions() if not entry[1].side.opened)
    table = view.table
    pile = type(table.pile)(table.pile.cards, parse_cards(top)[0], table.pile.frozen, None, aside=False)
    return SeatView(replace(table, pile=pile), view.seat, parse_cards(hand), (), 0, (Take(naturals=2),), 0, False)


@pytest.mark.parametrize(
    ("way", "melds", "cards", "others"),
    [
        (None, None, "Kh Ks", []),
        (None, "777", "Kh Ks", ["7s 7h 7d"]),
        ("pair", "777", "Kh Ks", ["7s 7h 7d"]),
        (None, "KK2, 777", "Kh Ks 2s", ["7s 7h 7d"]),
        ("pair", "K", "Kh Ks Kd", []),
        ("pair", "KKK", "Kh Ks Kd", []),
        ("KK", None, "Kh Ks", []),
        ("K 2", None, "Kh 2s", []),
        ("K joker", None, "Kh JK", []),
    ],
)
def test_melds_are_laid_together_with_a_take(way: str | None, melds: str | None, cards: str, others: list[str]) -> None:
    view = unopened_view_with_top_card("Ks Kh Kd 7s 7h 7d 2s JK 4c", "Kc")
    action = draw_and_take.parse_take(WORDS, view, way, melds)
    assert sorted(card >> 2 for card in parse_cards(cards)) == sorted(card >> 2 for card in action.cards)
    assert [sorted(parse_cards(other)) for other in others] == [sorted(lay.cards) for lay in action.melds]
    assert len(set(action.cards)) == len(action.cards)


def test_taking_an_empty_pile_is_refused_in_the_words_of_the_rules() -> None:
    view = unopened_view_with_top_card("Ks", "Kc")
    pile = type(view.table.pile)(0, None, frozen=False, freezer=None, aside=False)
    empty = SeatView(replace(view.table, pile=pile), view.seat, view.hand, (), 0, (), 0, False)
    with pytest.raises(Refusal) as caught:
        draw_and_take.parse_take(WORDS, empty, None, None)
    assert caught.value.code is Code.PILE_EMPTY
    with pytest.raises(Refusal) as caught:
        draw_and_take.default_take(empty)
    assert caught.value.code is Code.PILE_EMPTY
