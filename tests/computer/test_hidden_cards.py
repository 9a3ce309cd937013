"""Hidden cards do not change the choices of a computer player."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import chain, count, islice
from random import Random
from typing import get_type_hints

import pytest

from bot.computer.chosen_step import Choice
from bot.computer.deals import play_deal
from bot.computer.duplicate_pairs import deal_with_opening_minimum, players_by_seat
from bot.computer.heuristics.rule_of_thumb_player import RuleOfThumbPlayer
from bot.computer.memory_of_a_deal import BLANK, Memory
from bot.computer.player import ALL_LEVELS, ComputerPlayer, player_for
from bot.computer.rollout.search import ExpertPlayer
from bot.computer.seeded_random import shuffled_packs
from bot.engine.cards.cards import Card
from bot.engine.moves.events import CameToHand, Gathered
from bot.engine.play.building_views import seat_view
from bot.engine.play.legal_steps import legal_actions
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.sets import RULE_SETS, rule_set
from bot.engine.table.state import State, seat_to_act
from bot.engine.table.views import SeatView
from bot.tables.advice.ruling import state_without_hidden_cards
from bot.tables.advice.turn_plans import TurnWithoutHiddenCards
from tests.computer.positions import with_hidden_cards_redealt
from tests.support.seeds import FROM, SEARCHING

REDEALS = 4
DEALS = 12 if SEARCHING else 3
EVERY = 3

WITH_MORE_HIDDEN = [("hand-and-foot-us", 4), ("pennies", 6), ("modern-american-pagat", 4), ("samba", 4), ("italian", 4)]
"""Rule sets with more hidden cards: feet, cards set aside, special hands, runs, covered pile cards."""


def positions_with_choice(rules: RuleSet, minimum: int, levels: tuple[str, ...], *, deals: int = DEALS) -> list[State]:
    """Return every third position in which a seat is to act, from a few deals at that minimum."""
    reached: list[State] = []
    for number, pack in enumerate(islice(shuffled_packs(rules, 11), deals)):
        deal = deal_with_opening_minimum(rules, pack, number, minimum=minimum)
        play_deal(deal, players_by_seat(rules, levels, 11, number), reached.append)
    return reached[::EVERY]


def hidden_from(state: State, seat: int) -> list[tuple[Card, ...]]:
    """Return the cards hidden from the seat: other hands, feet, bonus cards, stock, hidden pile."""
    hands = [hand for other, hand in enumerate(state.hands) if other != seat]
    return [*hands, *state.feet, *state.talons, state.stock, state.pile[: state.hidden]]


@pytest.mark.parametrize("minimum", [50, 120])
@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("levels", [("casual",), ("casual", "random")], ids="-".join)
def test_redealing_the_hidden_cards_does_not_change_the_choice(
    players: int, minimum: int, levels: tuple[str, ...]
) -> None:
    random = Random(3)
    player = RuleOfThumbPlayer()
    changed = 0
    for state in positions_with_choice(rule_set("classic", players), minimum, levels):
        seat = seat_to_act(state)
        assert seat is not None
        view = seat_view(state, seat)
        choice = player.choose(view).step
        for _ in range(REDEALS):
            other = with_hidden_cards_redealt(state, seat, random)
            changed += other.hands != state.hands
            assert view == seat_view(other, seat)
            assert choice == player.choose(seat_view(other, seat)).step
    assert changed > 40 * DEALS  # most positions had other hidden cards


@pytest.mark.parametrize(("name", "players"), WITH_MORE_HIDDEN)
def test_redealing_other_hidden_cards_of_variants_does_not_change_the_choice(name: str, players: int) -> None:
    rules = rule_set(name, players)
    random = Random(4)
    player = RuleOfThumbPlayer()
    changed: set[int] = set()
    for state in positions_with_choice(rules, rules.initial_meld_minimum(0), ("casual", "random"), deals=2):
        seat = seat_to_act(state)
        assert seat is not None
        other = with_hidden_cards_redealt(state, seat, random)
        view = seat_view(state, seat)
        assert view == seat_view(other, seat)
        assert player.choose(view).step == player.choose(seat_view(other, seat)).step
        pairs = zip(hidden_from(state, seat), hidden_from(other, seat), strict=True)
        changed |= {place for place, (before, after) in enumerate(pairs) if before != after}
    some = 1 if rules.pile_hidden_by_rank or rules.pile_hidden else 0
    assert len(changed) >= (players - 1) + 1 + some + (players if rules.foot_size else 0)


FORMS = [
    ("classic", 4),
    ("classic", 2),
    ("bicycle", 3),
    ("uruguay", 4),
    ("hand-and-foot-us", 4),
    ("samba", 4),
    ("modern-american", 4),
]

EVERY_FORM = [(name, players) for name, forms in RULE_SETS.items() for players in forms]
AT_NIGHT = 300
"""Positions of each form and level at night."""


@pytest.mark.parametrize(("name", "players"), EVERY_FORM if SEARCHING else FORMS)
@pytest.mark.parametrize("level", ["easy", "casual", "strong", "expert"])
def test_choices_and_reasons_of_every_level_ignore_hidden_cards(level: str, name: str, players: int) -> None:
    """Other hidden cards change neither a choice nor its reason and figures."""
    rules, random = rule_set(name, players), Random(6)
    player = ExpertPlayer(rollouts=24 if SEARCHING else 6) if level == "expert" else player_for(level)
    met = 0
    for state, memory in positions_of_nightly_run(rules) if SEARCHING else positions_of_normal_run(rules, level):
        seat = seat_to_act(state)
        assert seat is not None
        view = seat_view(state, seat)
        other = seat_view(with_hidden_cards_redealt(state, seat, random, known=memory.known), seat)
        assert view == other
        assert player.choose(view, memory) == player.choose(other, memory)
        met += 1
    assert met >= (AT_NIGHT if SEARCHING else 4)


def positions_of_normal_run(rules: RuleSet, level: str) -> list[tuple[State, Memory]]:
    """Return the positions of a normal run: every sixth of a deal, for experts every twelfth."""
    return positions_with_memory(rules, seed=13, every=6)[:: 2 if level == "expert" else 1]


def positions_of_nightly_run(rules: RuleSet) -> Iterator[tuple[State, Memory]]:
    """Return the positions of a nightly run, with memories: every second one of new deals."""
    deals = (positions_with_memory(rules, seed=FROM + number, every=2) for number in count())
    return islice(chain.from_iterable(deals), AT_NIGHT)


@lru_cache(maxsize=8)
def positions_with_memory(rules: RuleSet, *, seed: int, every: int) -> list[tuple[State, Memory]]:
    """Return positions of a casual deal with several legal steps, each with the player's memory."""
    pack = next(shuffled_packs(rules, seed))
    deal = deal_with_opening_minimum(rules, pack, 0, minimum=rules.initial_meld_minimum(0))
    reached: list[tuple[State, Memory]] = []
    players = [RememberingPlayer(reached) for _ in range(rules.players)]
    play_deal(deal, players, lambda state: reached.append((state, BLANK)))
    return [(state, known) for state, known in reached if len(legal_actions(state)) > 1][::every]


class RememberingPlayer:
    """A casual player that stores its memory beside the latest position."""

    def __init__(self, reached: list[tuple[State, Memory]]) -> None:
        self._reached = reached
        self._player = player_for("casual")

    def choose(self, view: SeatView, memory: Memory = BLANK) -> Choice:
        self._reached[-1] = (self._reached[-1][0], memory)
        return self._player.choose(view, memory)


@pytest.mark.parametrize("level", ALL_LEVELS)
def test_a_player_is_given_a_view_of_its_seat_and_nothing_else(level: str) -> None:
    assert SeatView is get_type_hints(type(player_for(level, 1)).choose)["view"]
    assert SeatView is get_type_hints(ComputerPlayer.choose)["view"]


def test_equal_views_get_equal_choices_from_different_players() -> None:
    """A new player chooses as one that has seen the whole deal."""
    seasoned = RuleOfThumbPlayer()
    for state in positions_with_choice(rule_set("classic", 4), 90, ("casual",)):
        seat = seat_to_act(state)
        assert seat is not None
        assert RuleOfThumbPlayer().choose(seat_view(state, seat)).step == seasoned.choose(seat_view(state, seat)).step


@pytest.mark.parametrize(("name", "players"), [("classic", 4), *WITH_MORE_HIDDEN])
def test_redealing_the_hidden_cards_does_not_change_a_hint(name: str, players: int) -> None:
    random, player = Random(7), RuleOfThumbPlayer()
    rules = rule_set(name, players)
    longest = 0
    for state in positions_with_choice(rules, max(points for _, points in rules.open_table), ("casual",), deals=1)[::2]:
        seat = seat_to_act(state)
        assert seat is not None
        plans = [
            TurnWithoutHiddenCards(seat, state_without_hidden_cards(table, seat)).plan(
                lambda view, _: player.choose(view)
            )
            for table in (state, with_hidden_cards_redealt(state, seat, random))
        ]
        assert plans[0] == plans[1]
        longest = max(longest, len(plans[0]))
        known = [event for one in plans[0][:-1] for event in one.events if isinstance(event, CameToHand | Gathered)]
        assert not known
    assert longest > 1 or name != "classic"


def test_a_cancelled_plan_has_no_step() -> None:
    state = positions_with_choice(rule_set("classic", 4), 50, ("casual",), deals=1)[0]
    seat = seat_to_act(state) or 0
    turn = TurnWithoutHiddenCards(seat, state_without_hidden_cards(state, seat))
    assert () == turn.plan(lambda view, _: RuleOfThumbPlayer().choose(view), is_over=lambda: True)
