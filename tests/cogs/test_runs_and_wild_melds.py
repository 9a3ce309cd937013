"""Runs, wild melds and several melds of a rank: offered in the panel, and parsed from text."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from bot.engine.cards.cards import ACE
from bot.engine.cards.meld_places import FAMILIES, is_run
from bot.engine.cards.notation import cards_text
from bot.engine.moves.actions import Combine, LayMelds, LayRun, Meld, Step, Take
from bot.engine.moves.phases import Phase
from bot.engine.moves.refusals import Code
from bot.engine.play.building_views import seat_view
from bot.engine.play.decide import decide, why_not_allowed
from bot.engine.positions.position_reading import read_position
from bot.engine.rules.sets import RULE_SETS, player_counts, rule_set
from bot.engine.table.applying_events import fold
from bot.engine.table.state import State, seat_to_act
from bot.i18n import words
from cogs.play import draw_and_take, option_suggestions
from cogs.shared.discord_api.components import Page
from cogs.shared.reading import typed_play, typed_steps
from cogs.shared.reading.input_problems import InputCode, InputProblem
from cogs.shared.reading.typed_play import parse_melds as lays
from cogs.shared.reading.vocabulary import vocabulary_of
from cogs.shared.showing.panels.panel import PanelPart
from tests.support.discord_limits import broken_limits
from tests.support.engine_games import seat_snapshot
from tests.support.panel_pages import page_parts, panel_page, repeated_labels
from tests.support.random_play import Chooser, deal_with_minimum, steps_of_a_deal
from tests.support.seeds import SEARCHING, seeds

KNOWN = vocabulary_of()

WORDS = words()
FORMS = [
    (name, players)
    for name in RULE_SETS
    for players in (player_counts(name) if SEARCHING else player_counts(name)[-1:])
    if SEARCHING or rule_set(name, players).same_rank_melds != "one"
]
"""Rule sets and numbers of players to check for equal labels; by day only those with several melds of a rank."""

SETS = [("samba", 4), ("bolivia", 4), ("brazilian", 4), ("italian", 4), ("hand-and-foot-us", 4), ("pennies", 6)]


def option_labels(page: Page) -> list[list[str]]:
    """Return the labels of each menu's options."""
    return [[option["label"] for option in one["options"]] for one in page_parts(page) if "options" in one]


def button_labels(page: Page) -> list[str]:
    return [str(one["label"]) for one in page_parts(page) if one["type"] == 2]


def position(rules: str, hand: str, melds: list[str], **more: Any) -> State:
    return read_position(
        {
            "rules": rules,
            "position": {
                "turn": 0,
                "phase": "play",
                "hands": {"0": hand},
                "stock": "7d 6h 5d 9c",
                "melds": {"0": melds},
            }
            | more,
        }
    )


@pytest.mark.parametrize(("rules", "players"), SETS)
def test_every_legal_step_is_offered_as_a_move_or_can_be_put_together_by_rank(rules: str, players: int) -> None:
    offered = 0
    for seed in range(3):
        for played in steps_of_a_deal(deal_with_minimum(rule_set(rules, players), seed), Random(seed)):
            state = played.before
            seat = seat_to_act(state)
            if seat is None or state.phase is Phase.ANSWER:
                continue
            view = seat_view(state, seat)
            found = typed_steps.moves_for_menu(view)
            for step in view.legal:
                apart = isinstance(step, LayRun | Combine) or (isinstance(step, Take) and step.onto is not None)
                if apart and len(found) < 25:
                    assert len(found) == len(typed_steps.distinct_steps(view, [*found, step]))
            for move in found:
                assert move == typed_steps.parse_step(view, typed_steps.menu_value(move))
                assert typed_steps.move_in_words(WORDS, view, move)
            offered += len(found)
            if found and offered % 7 == 0:
                names = tuple(f"Seat {number}" for number in range(players))
                page = panel_page(WORDS, seat_snapshot(state, seat, names=names))
                assert not broken_limits(page.view.to_components())  # type: ignore[no-untyped-call]
    assert offered > 5


def test_equal_melds_are_offered_once_and_different_ones_by_their_cards() -> None:
    state = position("samba", "Kh JK 2s 4s 5s 9c", ["Ks Kc Kd", "Kh Kd Kc", "Ks Kc Kd 2s", "8s 8h 8c"])
    snapshot = seat_snapshot(state, 0)
    (wild,) = option_labels(panel_page(WORDS, snapshot))
    assert ["JK → K K K · 4 of 7", "2 → K K K · 4 of 7", "JK → K K K 2 · 5 of 7", "2 → K K K 2 · 5 of 7"] == wild[2:]
    assert ["K → K K K", "K → K K K 2"] == [
        label for label in button_labels(panel_page(WORDS, snapshot)) if "→" in label
    ]
    moves = option_labels(panel_page(WORDS, snapshot, side=PanelPart.OTHER))[-1]
    assert 1 == moves.count("Joker to K K K") == moves.count("K K K together with K K K")


def lay_melds_apart(random: Random) -> Chooser:
    """Return a player who often begins another meld of a rank or suit instead of adding to the first."""

    def choose(_state: State, _seat: int, legal: tuple[Step, ...]) -> Step:
        melds = [step for step in legal if isinstance(step, Meld | LayRun)]
        further = [step for step in melds if step.place >= FAMILIES]
        for steps, odds in ((further, 0.7), ([step for step in legal if isinstance(step, Take)], 0.8), (melds, 0.5)):
            if steps and random.random() < odds:
                return random.choice(steps)
        return random.choice([step for step in legal if not isinstance(step, Combine)] or legal)

    return choose


@pytest.mark.parametrize(("name", "players"), FORMS)
def test_every_option_of_a_panel_has_its_own_label(name: str, players: int) -> None:
    names = tuple(f"Seat {number}" for number in range(players))
    for seed in seeds(3, first=players):
        deal = deal_with_minimum(rule_set(name, players), seed, minimum=15)
        for number, one in enumerate(steps_of_a_deal(deal, lay_melds_apart(Random(seed)))):
            if number % 3 == 0 and one.seat is not None:
                snapshot = seat_snapshot(one.before, one.seat, names=names)
                for side in (PanelPart.PLAY, PanelPart.OTHER):
                    assert [] == repeated_labels(panel_page(WORDS, snapshot, side=side)), (seed, number)


def test_a_move_that_is_no_longer_legal_counts_as_an_old_control() -> None:
    view = seat_view(position("samba", "4h 5h 6h 9s Ts", ["8s 8h 8d"]), 0)
    with pytest.raises(InputProblem):
        typed_steps.parse_step(view, "r16.0.2")


@pytest.mark.parametrize(
    ("typed", "laid", "onto"),
    [
        ("4h 5h 6h", "4h 5h 6h", None),
        ("4h5h6h", "4h 5h 6h", None),
        ("4-6 hearts", "4h 5h 6h", None),
        ("4h-6h", "4h 5h 6h", None),
        ("4 5 6", "4h 5h 6h", None),
        ("6 5 4", "4h 5h 6h", None),
        ("456", "4h 5h 6h", None),
        ("4-6", "4h 5h 6h", None),
        ("9♠ on run", "9s", 1),
        ("9s 10s on the run", "9s Ts", 1),
        ("8c on 8s", "8c", None),
    ],
)
def test_runs_are_read_as_people_write_them(typed: str, laid: str, onto: int | None) -> None:
    state = position("samba", "4h 5h 6h 9s Ts 8c 3s", ["8s 8h 8d", "6s 7s 8s"])
    view = seat_view(state, 0)
    found = lays(typed, view, KNOWN)
    assert [laid] == [cards_text(sorted(lay.cards)) for lay in found]
    assert [onto] == [lay.onto for lay in found] or onto is None
    assert why_not_allowed(state, 0, LayMelds(found)) is None


def test_ranks_in_order_are_a_run_only_if_one_suit_has_them_and_no_meld_fits() -> None:
    view = seat_view(position("samba", "4h 5h 6d 9s Ts 8c", ["8s 8h 8d"]), 0)
    with pytest.raises(InputProblem) as caught:
        lays("4 5 6", view, KNOWN)
    assert InputCode.NOT_ONE_SUIT is caught.value.code
    view = seat_view(position("samba", "4h 5h 6h 9s Ts", ["4s 4c 4d", "5s 5c 5d", "6s 6c 6d"]), 0)
    assert ["4h", "5h", "6h"] == [cards_text(lay.cards) for lay in lays("4 5 6", view, KNOWN)]
    view = seat_view(position("samba", "4s 5s 6s 4h 5h 6h 4d", ["8s 8h 8d"]), 0)
    assert {"4s 5s 6s", "4h 5h 6h"} == {cards_text(sorted(lay.cards)) for lay in lays("4 5 6, 4s 5s 6s", view, KNOWN)}
    view = seat_view(position("samba", "Jh Qh Kh JK 9c 8d", ["8s 8h 8c"]), 0)
    assert ["Qh JK"] == [cards_text(lay.cards) for lay in lays("Q JK", view, KNOWN)]
    classic = seat_view(position("classic", "4h 5h 6h 9s Ts", ["8s 8h 8d"]), 0)
    assert 3 == len(lays("4 5 6", classic, KNOWN))


def test_wild_cards_alone_are_a_meld_if_the_rules_allow_it() -> None:
    state = position("bolivia", "2s 2h JK 4s 5s 9c", ["8s 8h 8d"])
    found = lays("2 2 joker", seat_view(state, 0), KNOWN)
    after = fold(state, decide(state, 0, LayMelds(found)))
    assert ["wild cards"] == [
        "wild cards" for meld in after.melds[0] if not meld.naturals and meld.wilds == 3 and meld.kind > ACE
    ]
    assert any(isinstance(step, Meld) and step.kind > ACE for step in typed_steps.moves_for_menu(seat_view(state, 0)))


def test_sets_and_runs_are_both_parsed() -> None:
    state = position("samba", "4h 5h 6h 9s 9h 9d Ks", ["8s 8h 8d"])
    found = lays("4h 5h 6h, 999", seat_view(state, 0), KNOWN)
    assert ["4h 5h 6h", "9s 9h 9d"] == [cards_text(sorted(lay.cards)) for lay in found]


def test_the_pile_is_taken_onto_a_run_by_command_as_it_is_offered() -> None:
    state = position("samba", "Ks Kh 4c 4d 9h", ["8s 8h 8d", "5h 6h 7h"], phase="draw", pile="4c 8h")
    view = seat_view(state, 0)
    assert "on 5h-7h" in [value for _, value in option_suggestions.suggest_ways_to_take_pile(WORDS, view, "")]
    for typed in ("on 5h-7h", "run"):
        action = draw_and_take.parse_take(WORDS, view, typed, None)
        after = fold(state, decide(state, 0, action))
        assert ["5h 6h 7h 8h"] == [cards_text(meld.cards) for meld in after.melds[0] if is_run(meld.place)]


# --- combining melds --------------------------------------------------------------------------------------------------


def test_two_melds_of_a_rank_are_combined_by_a_typed_command() -> None:
    state = position("samba", "4h 9s Ts", ["8s 8h 8d", "8c 8h 8c", "Ks Kh Kd"])
    view = seat_view(state, 0)
    eights = typed_play.parse_melds_or_step("combine 8", view, KNOWN)
    assert isinstance(eights, Combine)
    assert eights in view.legal
    for text in ("Combine the eights", "join both melds of 8s", "8s together", "merge two eights"):
        assert eights == typed_play.parse_melds_or_step(text, view, KNOWN)
    after = fold(state, decide(state, 0, eights))
    assert [3, 6] == sorted(len(meld.cards) for meld in after.melds[0])
    assert "combine 8" in [value for _, value in option_suggestions.suggest_melds(WORDS, view, "")]
    assert ["combine 8"] == [value for _, value in option_suggestions.suggest_melds(WORDS, view, "comb")]


def test_combining_without_numbers_takes_the_two_largest_melds() -> None:
    view = seat_view(position("samba", "4h 9s Ts", ["8s 8h 8d", "8c 8h 8c", "8s 8d 2s 2h"]), 0)
    step = typed_play.parse_melds_or_step("combine eights", view, KNOWN)
    assert isinstance(step, Combine)
    sizes = {meld.place: len(meld.cards) for meld in view.side.melds}
    assert 7 == sizes[step.place] + sizes[step.onto]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("combine kings", InputCode.NOT_TWO_MELDS),
        ("combine eights and kings", InputCode.NOT_UNDERSTOOD),
        ("combine jokers", InputCode.NOT_UNDERSTOOD),
        ("combine", InputCode.NO_CARDS),
        ("combine everything", InputCode.NOT_UNDERSTOOD),
    ],
)
def test_impossible_typed_melds_are_refused_with_a_reason(text: str, code: InputCode) -> None:
    view = seat_view(position("samba", "4h 9s Ts", ["8s 8h 8d", "8c 8h 8c", "Ks Kh Kd"]), 0)
    with pytest.raises(InputProblem) as problem:
        typed_play.parse_melds_or_step(text, view, KNOWN)
    assert code is problem.value.code


def test_melds_that_may_not_be_joined_are_refused_with_the_reason() -> None:
    state = position("samba", "4h 9s Ts", ["8s 8h 8d 8c 8s 8h 8d", "8c 8h 8c 8s 8d 8h 8d"])
    step = typed_play.parse_melds_or_step("combine 8", seat_view(state, 0), KNOWN)
    refusal = why_not_allowed(state, 0, step)
    assert refusal is not None
    assert Code.CANNOT_COMBINE is refusal.code
