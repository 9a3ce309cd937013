"""What a panel says cannot be done and why, the prices on its buttons, and its questions."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from itertools import islice
from random import Random

import pytest

from bot.engine.cards.cards import JOKER, TWO
from bot.engine.melds.points import unfinished_points
from bot.engine.moves.actions import ASK, Discard, Meld
from bot.engine.moves.phases import Phase
from bot.engine.play.building_views import seat_view
from bot.engine.play.decide import decide
from bot.engine.rules.sets import rule_set
from bot.engine.table.applying_events import fold
from bot.engine.table.state import State, seat_to_act
from bot.i18n import locales, words
from bot.profiles.preferences import DEFAULTS
from cogs.play.questions_before_moves import (
    LARGE_PILE,
    discard_warning,
    question_before_asking_partner,
    seat_given_the_pile,
)
from cogs.shared.discord_api.components import Page
from cogs.shared.showing.panels.reasons import lines_below_title, score_now_text
from cogs.shared.showing.panels.titles import Stage, stage_of
from tests.computer.positions import with_hidden_cards_redealt
from tests.support.discord import Discord, controls
from tests.support.discord_limits import all_components, broken_limits
from tests.support.engine_games import played_positions, seat_snapshot
from tests.support.panel_pages import panel_page
from tests.support.seeds import sample_cases, seeds
from tests.support.stacked_packs import stack_pack

RULES = ("classic", "samba", "uruguay", "hand-and-foot", "modern-american", "italian")
WORDS = words()
EVERY = 5
"""One in this many positions is looked at, besides all of the first turns after the deal."""


def labels(page: Page) -> list[str]:
    """Return the labels of a page's buttons."""
    components = page.view.to_components()  # type: ignore[no-untyped-call]
    return [one.get("label") or "" for one in all_components(components) if one["type"] == 2]


@lru_cache(16)
def positions_to_act(name: str, seed: int) -> list[tuple[State, int]]:
    """Return positions of a deal, each with the seat that is to act."""
    found = []
    for number, state in enumerate(played_positions(seed, level="casual", name=name)):
        seat = seat_to_act(state)
        if seat is not None and state.phase in (Phase.DRAW, Phase.PLAY) and (number % EVERY == 0 or 12 < number < 40):
            found.append((state, seat))
    return found


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("seed", seeds(2))
def test_lines_questions_and_prices_of_a_panel_depend_only_on_the_seats_view(name: str, seed: int) -> None:
    random = Random(seed)
    for state, seat in islice(positions_to_act(name, seed), 40):
        snapshot, other = (seat_snapshot(one, seat) for one in (state, with_hidden_cards_redealt(state, seat, random)))
        stage = stage_of(snapshot)
        assert lines_below_title(WORDS, snapshot, stage) == lines_below_title(WORDS, other, stage_of(other))
        assert score_now_text(WORDS, snapshot) == score_now_text(WORDS, other)
        assert labels(panel_page(WORDS, snapshot)) == labels(panel_page(WORDS, other))
        assert question_before_asking_partner(WORDS, snapshot) == question_before_asking_partner(WORDS, other)
        for kind in {card >> 2 for card in seat_view(state, seat).hand}:
            assert discard_warning(WORDS, snapshot, kind, always=False) == discard_warning(
                WORDS, other, kind, always=False
            )


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("seed", seeds(2))
def test_a_panel_offers_to_ask_only_with_a_known_way_out_and_keeps_discords_limits(name: str, seed: int) -> None:
    for number, (state, seat) in enumerate(positions_to_act(name, seed)):
        snapshot = seat_snapshot(state, seat)
        assert snapshot.view is not None
        view, stage = snapshot.view, stage_of(snapshot)
        for locale in sample_cases(locales(), number):
            page = panel_page(words(locale), snapshot, description="x" * 1500)
            assert [] == broken_limits(page.view.to_components())  # type: ignore[no-untyped-call]
        asks = any("may I go out?" in label for label in labels(panel_page(WORDS, snapshot)))
        assert asks == (ASK in view.legal and snapshot.offers.way_out is not None)
        assert (question_before_asking_partner(WORDS, snapshot) is not None) == (
            ASK in view.legal and snapshot.offers.way_out is None
        )
        assert len(lines_below_title(WORDS, snapshot, stage)) <= 3
        if stage is Stage.BOUND:
            assert snapshot.offers.way_out is not None or state.phase is Phase.DRAW


def test_a_price_is_the_difference_of_unfinished_melds_before_and_after() -> None:
    priced = 0
    for seed in seeds(4):
        for state, seat in positions_to_act("modern-american", seed):
            if state.phase is not Phase.PLAY:
                continue
            snapshot = seat_snapshot(state, seat)
            before = unfinished_points(state.rules, state.melds[state.side])
            for laying in snapshot.offers.layings if state.opened[state.side] else ():
                after = fold(state, decide(state, seat, laying.step))
                assert laying.price == unfinished_points(state.rules, after.melds[state.side]) - before
                priced += bool(laying.price)
            opening = snapshot.offers.opening
            if opening is not None:
                after = fold(state, decide(state, seat, opening.action))
                assert opening.price == unfinished_points(state.rules, after.melds[state.side]) - before
                shown = [one for one in labels(panel_page(WORDS, snapshot)) if one.startswith("Open: ")]
                assert [bool(opening.price)] == ["now " in label for label in shown]
    assert priced


@pytest.mark.parametrize("seed", seeds(3))
def test_a_discard_is_asked_about_exactly_if_the_next_player_could_take_five_cards_with_it(seed: int) -> None:
    for state, seat in positions_to_act("classic", seed):
        view = seat_view(state, seat)
        for step in view.legal:
            if not isinstance(step, Discard) or step.kind in (TWO, JOKER) or state.phase is not Phase.PLAY:
                continue
            after = fold(state, decide(state, seat, step))
            following = seat_to_act(after)
            if following is None or following == seat or after.seating.side_by_seat[following] == state.side:
                continue
            claims = [one for one in seat_view(after, following).legal if getattr(one, "is_addition", False)]
            others = len([one for one in view.legal if isinstance(one, Discard)]) > 1
            gives = bool(claims) and len(after.pile) >= LARGE_PILE and others
            # Whether the next player could end the turn legally after taking the pile depends on the hand.
            if gives:
                assert following == seat_given_the_pile(view, step.kind)
            elif seat_given_the_pile(view, step.kind) is not None:
                assert len(after.hands[following]) <= 2


def test_a_wild_card_has_a_menu_entry_for_each_meld_that_takes_it() -> None:
    seen = 0
    for state, seat in positions_to_act("classic", 3):
        snapshot = seat_snapshot(state, seat)
        view = snapshot.view
        assert view is not None
        if state.phase is not Phase.PLAY or not view.side.opened:
            continue
        lying = {meld.place for meld in view.side.melds}
        single = [
            step
            for step in view.legal
            if isinstance(step, Meld) and step.place in lying and (step.naturals, step.size) == (0, 1)
        ]
        menus = [
            one
            for row in panel_page(WORDS, snapshot).view.to_components()[0]["components"]  # type: ignore[no-untyped-call]
            for one in row.get("components", ())
            if one["type"] == 3
        ]
        assert len(single) == sum(len(menu["options"]) for menu in menus)
        seen += len(single)
    assert seen


def test_players_who_chose_it_are_asked_before_every_discard() -> None:
    state, seat = next((one, seat) for one, seat in positions_to_act("classic", 5) if one.phase is Phase.PLAY)
    snapshot = seat_snapshot(state, seat)
    kind = next(card >> 2 for card in state.hands[seat] if card >> 2 not in (TWO, JOKER))
    assert "" == discard_warning(WORDS, snapshot, kind, always=False)
    assert discard_warning(WORDS, snapshot, kind, always=replace(DEFAULTS, discarding="always").discarding == "always")


async def test_the_menu_of_other_melds_says_what_each_rank_makes(discord: Discord) -> None:
    hands = {0: "Ks Kh 5s 5h 5d 9c 2s Jc 4s 8s Qd", 1: "", 2: "", 3: ""}
    discord.dealer.pack = stack_pack(rule_set("classic", 4), hands, "Td 6s", dealer=3)
    you = discord.person(0)
    await you.run("table new")
    await you.run("table start", fill=True)
    panel = await you.click(await you.click(await discord.board(), "draw"), "other")
    told = {one["label"]: one["description"] for one in controls(panel)["choose"]["options"]}
    assert "with a wild card 40" == told["K K"]
    assert "a meld: 15 points" == told["5 5 5"]
    assert "10 points, makes no meld" == told["9"]
