"""Panels of every rule set give no hint of hidden cards, oblige only with a known way, and name prices.

By day a few positions of each rule set; `make nightly` looks at some 2,000.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from random import Random
from typing import Any

import pytest

from bot.engine.cards.cards import ACE, JOKER, TWO, Card
from bot.engine.cards.notation import card_text
from bot.engine.melds.points import unfinished_points
from bot.engine.moves.actions import ASK, Discard, LayRun, Meld
from bot.engine.moves.phases import Phase
from bot.engine.play.building_views import seat_view
from bot.engine.play.decide import decide
from bot.engine.rules.sets import RULE_SETS
from bot.engine.table.applying_events import fold
from bot.engine.table.state import State, seat_to_act
from bot.i18n import Words, locales, words
from bot.tables.state.snapshots import SeatSnapshot
from cogs.play.questions_before_moves import discard_warning, question_before_asking_partner
from cogs.shared.discord_api.components import Page
from cogs.shared.reading.meld_draft import NOTHING
from cogs.shared.reading.typed_steps import menu_value
from cogs.shared.showing.panels.labels import step_as_staged_meld
from cogs.shared.showing.panels.panel import PanelPart
from cogs.shared.showing.panels.reasons import lines_below_title, score_now_text
from cogs.shared.showing.panels.titles import Stage, panel_title, stage_of
from cogs.shared.telling.numbers import number_with_sign
from tests.computer.positions import with_hidden_cards_redealt
from tests.support.discord_limits import all_components, broken_limits
from tests.support.engine_games import played_positions, seat_snapshot
from tests.support.independent_score import score_lines_of_deal
from tests.support.panel_pages import panel_page, with_draft
from tests.support.seeds import SEARCHING, seeds

WORDS = words()
LANGUAGES = [words(locale) for locale in locales()]
PRICE = 1_000
"""Points from which a button must show its price."""

BY_DAY, BY_NIGHT = 6, 80
"""Most positions of a deal to look at, by day and by night.

A night plays 25 deals of each rule set.
"""

NAMES = ("North", "East", "South", "West", "Fifth", "Sixth")

PRICED = ("brazilian", "modern-american", "modern-american-13", "modern-american-pagat")
"""Rule sets in which unfinished melds cost points."""


@lru_cache(64)
def seat_positions(name: str, seed: int, most: int | None = None) -> list[tuple[State, int]]:
    """Return positions from all parts of a deal, each with the seat that is to act."""
    players = 4 if 4 in RULE_SETS[name] else min(RULE_SETS[name])
    found = [
        (state, seat)
        for state in played_positions(seed, level="casual", name=name, players=players)
        if (seat := seat_to_act(state)) is not None and state.phase in (Phase.DRAW, Phase.PLAY)
    ]
    count = min(len(found), most or (BY_NIGHT if SEARCHING else BY_DAY))
    return [found[place] for place in sorted(Random(seed).sample(range(len(found)), count))]


def components(page: Page) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.view.to_components()  # type: ignore[no-untyped-call]
    return found


def labels(page: Page) -> list[str]:
    return [one.get("label") or "" for one in all_components(components(page)) if one["type"] == 2]


@pytest.mark.parametrize("name", sorted(RULE_SETS))
@pytest.mark.parametrize("seed", seeds(1, first=2727))
def test_a_panel_depends_on_the_seats_view_alone_and_obliges_only_with_a_known_way(name: str, seed: int) -> None:
    """Both are tried at the same positions, because playing the deal takes longer than either."""
    random = Random(seed)
    for number, (state, seat) in enumerate(seat_positions(name, seed)):
        check_hidden_cards_change_nothing(state, seat, random)
        check_panel_obliges_only_with_a_known_way(state, seat, LANGUAGES[number % len(LANGUAGES)])


def check_hidden_cards_change_nothing(state: State, seat: int, random: Random) -> None:
    """Check that pages and questions are equal for states that differ in hidden cards."""
    snapshot, other = (
        seat_snapshot(one, seat, names=NAMES) for one in (state, with_hidden_cards_redealt(state, seat, random))
    )
    for side in (PanelPart.PLAY, PanelPart.OTHER):
        assert components(panel_page(WORDS, snapshot, side=side)) == components(panel_page(WORDS, other, side=side))
    assert question_before_asking_partner(WORDS, snapshot) == question_before_asking_partner(WORDS, other)
    for kind in {card >> 2 for card in state.hands[seat]}:
        assert discard_warning(WORDS, snapshot, kind, always=False) == discard_warning(WORDS, other, kind, always=False)


def check_panel_obliges_only_with_a_known_way(state: State, seat: int, language: Words) -> None:
    """Check that a panel obliges to go out only with a known way, and keeps Discord's limits in this language."""
    snapshot = seat_snapshot(state, seat, names=("W" * 32,) * 6)
    assert snapshot.view is not None
    for side in (PanelPart.PLAY, PanelPart.OTHER):
        page = panel_page(language, snapshot, description="x" * 1500, since=["y" * 300] * 3, note="z" * 200, side=side)
        assert [] == broken_limits(components(page))
    asks = any("may I go out?" in label for label in labels(panel_page(WORDS, snapshot)))
    assert asks == (ASK in snapshot.view.legal and snapshot.offers.way_out is not None)
    assert (question_before_asking_partner(WORDS, snapshot) is not None) == (
        ASK in snapshot.view.legal and snapshot.offers.way_out is None
    )
    assert len(lines_below_title(WORDS, snapshot, stage_of(snapshot))) <= 3
    check_duty_to_go_out(snapshot)
    if ASK in snapshot.view.legal:
        asked = fold(state, decide(state, seat, ASK))
        partner = seat_to_act(asked)
        assert partner is not None
        yes = next(step for step in seat_view(asked, partner).legal if getattr(step, "yes", False))
        check_duty_to_go_out(seat_snapshot(fold(asked, decide(asked, partner, yes)), seat, names=NAMES))


def check_duty_to_go_out(snapshot: SeatSnapshot) -> None:
    """Fail if a panel says "you must go out" although no way to do so is known."""
    stage = stage_of(snapshot)
    text = "\n".join(
        one["content"] for one in all_components(components(panel_page(WORDS, snapshot))) if one["type"] == 10
    )
    if stage is Stage.BOUND and snapshot.offers.way_out is None:
        assert "if you can go out after the draw, you must" in panel_title(WORDS, snapshot, stage)
    if snapshot.offers.way_out is None:
        assert "must go out" not in text


def price_of_step(state: State, after: State) -> int:
    """Return how many more points the side's unfinished melds would cost after a step."""
    return unfinished_points(state.rules, after.melds[state.side]) - unfinished_points(
        state.rules, state.melds[state.side]
    )


def texts_by_control(page: Page) -> dict[str, str]:
    """Return the labels of a page's buttons and menu entries by what they do.

    Keys are ``play:`` with a step, and ``lay``, ``open`` or ``take:`` with a number.
    """
    found = {}
    for one in all_components(components(page)):
        if one["type"] == 2 and "custom_id" in one:
            _, _, _, action, argument = one["custom_id"].split(":", 4)
            found[f"{action}:{argument}" if action in ("play", "take", "stage") else action] = one["label"] or ""
        for option in one.get("options", ()):
            found[f"play:{option['value']}"] = option["label"]
    return found


def test_controls_for_melds_that_may_cost_a_thousand_points_name_the_price() -> None:
    priced: Counter[str] = Counter()
    for name, seed in product(PRICED, seeds(1, first=2729)):
        for state, seat in seat_positions(name, seed, most=None if SEARCHING else 25):
            snapshot = seat_snapshot(state, seat)
            for side in (PanelPart.PLAY, PanelPart.OTHER):
                for text, price in priced_texts(state, snapshot, side):
                    assert (abs(price) >= PRICE) == (" now " in f" {text} "), (text, price)
                    priced[name] += abs(price) >= PRICE
    assert len(priced) == len(PRICED) if SEARCHING else +priced


def priced_texts(state: State, snapshot: SeatSnapshot, side: PanelPart) -> Iterator[tuple[str, int]]:
    """Yield the text of each control that lays melds, with the price if the deal ended then."""
    assert snapshot.view is not None
    shown = texts_by_control(panel_page(WORDS, snapshot, side=side))
    for step in snapshot.view.legal:
        text = shown.get(f"play:{menu_value(step)}") if isinstance(step, Meld | LayRun) else None
        if text is not None:
            yield text, price_of_step(state, fold(state, decide(state, snapshot.seat, step)))
    for number, way in enumerate(snapshot.offers.takes):
        if (text := shown.get(f"take:{number}.")) is not None:
            yield text, price_of_step(state, fold(state, decide(state, snapshot.seat, way.action)))
    opening = snapshot.offers.opening
    if opening is not None and (text := shown.get("open")) is not None:
        yield text, price_of_step(state, fold(state, decide(state, snapshot.seat, opening.action)))
    for laying in snapshot.offers.layings if state.phase is Phase.PLAY else ():
        staged = step_as_staged_meld(laying.step)
        if staged is None or not state.opened[state.side]:
            continue
        draft = NOTHING.with_meld(staged)
        with_it = with_draft(state, snapshot, draft)
        if (text := texts_by_control(panel_page(WORDS, with_it, draft=draft)).get("lay")) is not None:
            yield text, price_of_step(state, fold(state, decide(state, snapshot.seat, laying.step)))


def most_points_in_sets(hand: Sequence[Card], values: Sequence[int]) -> int:
    """Return the most points that the hand's sets can count, by trying every way to share wild cards."""
    counts = [sum(card >> 2 == kind for card in hand) for kind in range(JOKER + 1)]
    ranks = [kind for kind in range(ACE + 1) if counts[kind] >= 2]
    jokers, twos = counts[JOKER], counts[TWO]

    def most_points_left(left: Sequence[int], jokers: int, twos: int) -> int:
        if not left:
            return 0
        kind, rest = left[0], left[1:]
        found = most_points_left(rest, jokers, twos)
        for some in range(min(3, jokers) + 1):
            for more in range(min(3 - some, twos) + 1):
                wilds = some + more
                if counts[kind] + wilds >= 3:
                    points = counts[kind] * values[kind] + some * values[JOKER] + more * values[TWO]
                    found = max(found, points + most_points_left(rest, jokers - some, twos - more))
        return found

    return most_points_left(ranks, jokers, twos)


def test_the_panels_figures_equal_an_independent_count() -> None:
    compared = 0
    snapshots = (
        one for seed in seeds(2, first=2730) for one in seat_positions("classic", seed, most=None if SEARCHING else 40)
    )
    for state, seat in snapshots:
        snapshot = seat_snapshot(state, seat)
        view, found = snapshot.view, snapshot.offers.first_melds
        assert view is not None
        assert (found is None) == view.side.opened
        if found is not None and not view.laid_points:
            assert most_points_in_sets(state.hands[seat], state.rules.card_values) == found.best
            assert found.required == view.side.minimum
            compared += 1
        side = view.side
        melds = [" ".join(card_text(card) for card in meld.cards) for meld in side.melds]
        lines = score_lines_of_deal({}, melds, [" ".join(map(card_text, view.hand))], red=len(side.red_threes))
        now = score_now_text(WORDS, snapshot)
        assert not now or f"you **{number_with_sign(WORDS, sum(lines.values()))}**" in now
        nothing = Stage.DISCARD is stage_of(snapshot) and side.opened
        assert nothing == (WORDS("panel.nothing_fits") in lines_below_title(WORDS, snapshot, stage_of(snapshot)))
        if nothing:
            assert all(isinstance(step, Discard) or step == ASK for step in view.legal)
    assert compared
