"""Every choice has a reason, and every rejected alternative has one against it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

import pytest

from bot.computer.chosen_step import MOST_REJECTED_STEPS, Choice, Numbers, Reason
from bot.computer.deals import play_deal
from bot.computer.duplicate_pairs import deal_with_opening_minimum
from bot.computer.heuristics.habits import STRONG
from bot.computer.heuristics.level_player import habits_for
from bot.computer.memory_of_a_deal import BLANK, Memory
from bot.computer.player import ComputerPlayer, player_for
from bot.computer.rollout.search import ExpertPlayer
from bot.computer.seeded_random import shuffled_packs
from bot.engine.cards.cards import ACE
from bot.engine.moves.actions import Discard
from bot.engine.play.building_views import seat_view
from bot.engine.rules.sets import rule_set
from bot.engine.table.state import State, seat_to_act
from bot.engine.table.views import SeatView
from bot.i18n import locales, words
from tests.computer.positions import make_state
from tests.computer.test_answers import POOR, RICH, question_to_seat_2


class NotingPlayer:
    """A player that keeps its choices."""

    def __init__(self, player: ComputerPlayer) -> None:
        self._player = player
        self.choices: list[tuple[SeatView, Choice]] = []

    def choose(self, view: SeatView, memory: Memory = BLANK) -> Choice:
        choice = self._player.choose(view, memory)
        self.choices.append((view, choice))
        return choice


def choices_of(player: ComputerPlayer, name: str, *, deals: int) -> list[tuple[SeatView, Choice]]:
    rules, noting = rule_set(name, 4), NotingPlayer(player)
    for number, pack in enumerate(islice(shuffled_packs(rules, 5), deals)):
        minimum = max(points for _, points in rules.open_table)
        play_deal(deal_with_opening_minimum(rules, pack, number, minimum=minimum), [noting] * 4)
    return noting.choices


@pytest.fixture(scope="module")
def choices_with_reasons() -> list[tuple[SeatView, Choice]]:
    return [
        *choices_of(ExpertPlayer(rollouts=12), "classic", deals=1),
        *choices_of(player_for("casual"), "classic", deals=8),
        *choices_of(player_for("casual"), "samba", deals=1),
        *choices_of(player_for("strong"), "modern-american", deals=2),
    ]


def test_chosen_and_rejected_steps_are_legal_and_rejected_ones_sorted(
    choices_with_reasons: list[tuple[SeatView, Choice]],
) -> None:
    for view, choice in choices_with_reasons:
        assert choice.step in view.legal
        behind = [rival.behind for rival in choice.rivals]
        assert sorted(behind) == behind
        assert len(behind) <= MOST_REJECTED_STEPS
        assert all(rival.step in view.legal and rival.step != choice.step for rival in choice.rivals)
        assert all(gap >= 0 for gap in behind)


SEVENS, EIGHTS, NINES = "7s 7s 7h 7h 7d 7d 7c", "8s 8s 8h 8h 8d 8d 8c", "9s 9s 9h 9h 9d 9d"

RARE: dict[Reason, Callable[[], State]] = {
    Reason.ASK: lambda: make_state("Ts Th Td 4h", melds={"0": [SEVENS]}, pile="9c"),
    Reason.ANSWER_YES: lambda: question_to_seat_2(POOR),
    Reason.ANSWER_NO: lambda: question_to_seat_2(RICH),
    Reason.OUT_WAIT: lambda: question_to_seat_2(POOR, scores=(3000, 4990), theirs=True),
    Reason.TAKE_CANASTA: lambda: make_state(
        "Ts Jh Qd 4h 5s", phase="draw", melds={"0": [NINES]}, pile="4s 5h 9c", drew=None
    ),
    Reason.RISK: lambda: make_state(
        "7s 7s 7h Kc 5s 9d", rules="modern-american", melds={"0": ["Ks Ks Kh Kh Kd"]}, pile="9c"
    ),
}
"""Positions for reasons that may not occur in a few deals."""


@pytest.fixture(scope="module")
def rare_reasons() -> list[tuple[SeatView, Choice]]:
    found = []
    for position in RARE.values():
        state = position()
        view = seat_view(state, seat_to_act(state) or 0)
        found.append((view, player_for("casual").choose(view)))
    return found


Made = list[tuple[SeatView, Choice]]


def reasons_with_numbers(reasons_given: Made) -> Iterator[tuple[Reason, Numbers]]:
    for _, choice in reasons_given:
        yield choice.reason, choice.numbers
        yield from ((rival.reason, rival.numbers) for rival in choice.rivals)


def test_every_reason_occurs_in_the_sample_deals(choices_with_reasons: Made, rare_reasons: Made) -> None:
    met = {reason for reason, _ in reasons_with_numbers([*choices_with_reasons, *rare_reasons])}
    assert set() == set(Reason) - met


@pytest.mark.parametrize("locale", locales())
def test_every_reason_has_the_values_of_its_sentence(
    choices_with_reasons: Made, rare_reasons: Made, locale: str
) -> None:
    language, told = words(locale), set()
    for reason, numbers in reasons_with_numbers([*choices_with_reasons, *rare_reasons]):
        names = {"name": "Ben"} if "seat" in numbers else {}
        kinds = {"kinds": "nines"} if "kind" in numbers else {}
        sentence = language(f"reason.{reason.value}", **numbers, **names, **kinds)
        assert "{" not in sentence
        told.add(reason)
    assert set(Reason) == told


def test_reasons_name_real_seats_and_kinds(choices_with_reasons: list[tuple[SeatView, Choice]]) -> None:
    for view, choice in choices_with_reasons:
        for numbers in (choice.numbers, *(rival.numbers for rival in choice.rivals)):
            assert numbers.get("seat", 0) in view.table.playing
            assert 0 <= numbers.get("kind", 0) <= 14
            assert numbers.get("count", 1) >= 0


def test_reasons_agree_with_the_cards(choices_with_reasons: list[tuple[SeatView, Choice]]) -> None:
    for view, choice in choices_with_reasons:
        for step, reason, numbers in (
            (choice.step, choice.reason, choice.numbers),
            *((rival.step, rival.reason, rival.numbers) for rival in choice.rivals),
        ):
            if reason is Reason.DRAW_SMALL:
                assert numbers["cards"] > 0
            if reason is Reason.LAY_TOWARDS:
                assert numbers["size"] <= numbers["all"] == view.table.rules.canasta_size
            if isinstance(step, Discard) and step.kind <= ACE and len(view.legal) > 1:
                held = sum(card >> 2 == step.kind for card in view.hand)
                assert (reason is Reason.SINGLE) <= (held == 1)
                assert (reason is Reason.SPARE) <= (held > 1)


def test_a_chosen_discard_that_the_next_player_can_take_is_explained_so() -> None:
    state = make_state("Js Jh Jd Ah", pile="9c", melds={"0": ["7s 7s 7h"], "1": ["Jc Jc Js 2h", "As Ac Ad"]})
    choice = player_for("strong").choose(seat_view(state, 0))
    assert isinstance(choice.step, Discard)
    assert (Reason.FEEDS_LEAST, {"seat": 1}) == (choice.reason, choice.numbers)


SAMBA, CANASTONE = rule_set("samba", 4), rule_set("canastone", 4)


def test_players_weigh_their_choices_by_the_family_of_rules() -> None:
    casual, easy, closed = (habits_for(*of) for of in (("casual", SAMBA), ("easy", SAMBA), ("strong", CANASTONE)))
    assert STRONG == habits_for("strong", rule_set("cuban", 4))
    assert casual.pile_card < easy.pile_card
    assert closed.pile_card > STRONG.pile_card
    assert habits_for("strong", rule_set("modern-american", 4)).pile_card > STRONG.pile_card
    assert habits_for("strong", rule_set("hand-and-foot-us", 4)).foot_card > STRONG.foot_card
    assert habits_for("strong", rule_set("hand-and-foot-pagat", 2)).horizon > STRONG.horizon
