"""Reviews of a deal: steps that the reviewing player ranks far below its own choice.

It knows only what the seat knew.
"""

from __future__ import annotations

import pytest

from bot.computer.chosen_step import Choice, Reason, RejectedStep
from bot.computer.deals import play_next_deal
from bot.computer.memory_of_a_deal import BLANK, Memory
from bot.computer.player import player_for
from bot.computer.reviews import MOST_SHOWN, WORTH_SHOWING, findings_in_deal
from bot.computer.rollout.search import ExpertPlayer
from bot.computer.seeded_random import shuffled_packs
from bot.engine.moves.events import DealStarted, Event
from bot.engine.rules.sets import rule_set
from bot.engine.table.state import new_game
from bot.engine.table.views import SeatView
from bot.tables.past.choices_of_a_seat import OwnDeal
from tests.support.game_histories import history_of_table
from tests.support.seeds import seeds


def own_deal(rules_name: str, seed: int, seat: int = 0, level: str = "random") -> OwnDeal:
    """Return a deal in which this seat is played by that level and all others by casual players."""
    rules = rule_set(rules_name, 4)
    pack = next(shuffled_packs(rules, seed))
    players = [player_for(level, seed) if one == seat else player_for("casual") for one in range(4)]
    happened: list[Event] = [DealStarted(1, 0, pack)]
    play_next_deal(new_game(rules, dealer=0), pack, players, on_events=lambda _, events: happened.extend(events))
    deal = history_of_table(rules, 0, happened).deals[0]
    return OwnDeal(1, seat, deal.dealt.pile[deal.dealt.hidden :], deal)


@pytest.mark.parametrize("rules", ["classic", "samba"])
@pytest.mark.parametrize("seed", seeds(1, first=2700))
def test_a_review_shows_at_most_three_large_mistakes_in_order_of_turns(rules: str, seed: int) -> None:
    found = findings_in_deal(ExpertPlayer(20), own_deal(rules, seed))
    turns = [one.turn for one in found]
    assert len(found) <= MOST_SHOWN
    assert sorted(set(turns)) == turns
    for one in found:
        assert one.taken.behind >= WORTH_SHOWING
        assert one.taken.step in one.view.legal
        assert one.better.step in one.view.legal
        assert 0 == one.view.seat


class FirstStepPlayer:
    """A player that chooses the first legal step and ranks all others far behind."""

    def __init__(self) -> None:
        self.memories: list[Memory] = []

    def choose(self, view: SeatView, memory: Memory = BLANK) -> Choice:
        self.memories.append(memory)
        rivals = tuple(RejectedStep(step, Reason.SINGLE, {}, 100 + place) for place, step in enumerate(view.legal))
        return Choice(view.legal[0], Reason.ONLY, {}, rivals[:0] if len(view.legal) > 60 else rivals[1:])


@pytest.mark.parametrize("seed", seeds(2, first=2710))
def test_each_choice_is_reviewed_with_the_view_and_memory_of_its_moment(seed: int) -> None:
    own, echo = own_deal("classic", seed, level="casual"), FirstStepPlayer()
    choices = list(own.choices())
    assert choices
    found = findings_in_deal(echo, own)
    assert len(choices) == len(echo.memories)
    for choice, memory in zip(choices, echo.memories, strict=True):
        assert choice.step in choice.view.legal
        top = choice.view.table.pile.top
        assert (memory.pile[-1] if memory.pile else None) == top
    assert len(found) <= MOST_SHOWN


def test_a_review_finds_no_mistake_in_play_like_the_reviewers_own() -> None:
    own = own_deal("classic", 5, level="strong")
    assert () == findings_in_deal(player_for("strong"), own)


def test_a_cancelled_review_ends_at_once() -> None:
    echo = FirstStepPlayer()
    assert () == findings_in_deal(echo, own_deal("classic", 5), is_over=lambda: True)
    assert [] == echo.memories


def test_a_review_of_random_play_finds_bad_steps() -> None:
    assert findings_in_deal(ExpertPlayer(20), own_deal("classic", 11))
