"""The private panel: its controls for legal moves, drafts of melds, and its size."""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random
from typing import Any

import pytest

from bot.engine.cards.cards import (
    ACE,
    BLACK_THREE,
    FOUR,
    JOKER,
    KING,
    NATURAL_KINDS,
    RANK_LETTERS,
    RED_THREE,
    TWO,
    full_pack,
)
from bot.engine.cards.notation import parse_cards
from bot.engine.moves.actions import ASK, DRAW, NO, PASS, YES, Discard, LayMelds, Take
from bot.engine.moves.phases import Phase
from bot.engine.moves.refusals import Code
from bot.engine.play.building_views import seat_view
from bot.engine.play.decide import why_not_allowed
from bot.engine.table.state import State, seat_to_act
from bot.engine.table.views import SeatView
from bot.i18n import words
from bot.tables.state.snapshots import SeatSnapshot
from cogs.play import option_suggestions
from cogs.shared.discord_api.components import Page
from cogs.shared.reading import meld_draft as drafts
from cogs.shared.reading.card_picking import pick_card, pick_melds
from cogs.shared.reading.input_problems import InputCode, InputProblem
from cogs.shared.reading.meld_draft import NOTHING, Draft, StagedMeld
from cogs.shared.reading.rank_order import sort_kinds
from cogs.shared.reading.vocabulary import vocabulary_of
from cogs.shared.showing.panels.panel import PanelPart
from cogs.shared.telling.turn_text import WAYS, ways_to_take
from render.layouts.hand import sort_by_rank
from tests.support.discord_limits import all_components, broken_limits
from tests.support.engine_games import played_positions, seat_snapshot, table_snapshot
from tests.support.panel_pages import panel_page, with_draft
from tests.support.seeds import seeds

KNOWN = vocabulary_of()

WORDS = words()
LONG_NAMES = ("W" * 32, "*" * 32, "<@1>" * 8, "@everyone" + "_" * 20)


def components_of_page(page: Page) -> list[dict[str, Any]]:
    """Return a page's components as they are sent."""
    components: list[dict[str, Any]] = page.view.to_components()  # type: ignore[no-untyped-call]
    return components


def controls_by_action(page: Page) -> dict[str, dict[str, Any]]:
    return {
        one["custom_id"].split(":")[3]: one for one in all_components(components_of_page(page)) if "custom_id" in one
    }


def enabled_actions(page: Page) -> set[str]:
    return {action for action, one in controls_by_action(page).items() if not one.get("disabled")}


@cache
def some_positions(seed: int) -> list[State]:
    """Return every seventh position of a few deals, and all positions of rare kinds."""
    level = ("random", "casual")[seed % 2]
    played = enumerate(played_positions(seed, players=2 if seed % 3 == 0 else 4, level=level, deals=4))
    return [state for number, state in played if number % 7 == 0 or is_rare_position(state)]


def is_rare_position(state: State) -> bool:
    seat = seat_to_act(state)
    if state.phase in (Phase.ANSWER, Phase.BETWEEN, Phase.OVER) or state.aside or seat is None:
        return True
    legal = seat_view(state, seat).legal
    return PASS in legal or ASK in legal or sum(isinstance(step, Take) for step in legal) > 1


@pytest.mark.parametrize("seed", seeds(4))
async def test_a_panel_has_controls_for_exactly_the_legal_moves(seed: int) -> None:
    for state in some_positions(seed):
        for seat in range(state.rules.players):
            snapshot = seat_snapshot(state, seat)
            assert snapshot.view is not None
            legal, usable = snapshot.view.legal, enabled_actions(panel_page(WORDS, snapshot))
            assert (DRAW in legal) == ("draw" in usable)
            assert (ASK in legal and snapshot.offers.way_out is not None) == ("ask" in usable)
            assert (PASS in legal) == ("pass" in usable)
            assert (YES in legal) == ("yes" in usable)
            assert (NO in legal) == ("no" in usable)
            assert any(isinstance(step, Discard) for step in legal) == ("discard" in usable)
            assert bool(ways_to_take(snapshot.view)) == ("take" in usable)
            assert snapshot.view.can_take_back == ("undo" in usable)
            assert (state.phase is Phase.BETWEEN) == ("next" in usable)
            assert (snapshot.offers.way_out is not None) == bool({"out", "ask", "announce"} & usable)
            assert not {"lay", "clear"} & usable
            if seat_to_act(state) != seat:
                assert not usable - {"refresh", "premove", "more", "next", "word", "rematch", "new_table"}


@pytest.mark.parametrize("seed", seeds(4))
async def test_every_panel_fits_with_any_draft(seed: int) -> None:
    random = Random(seed)
    for state in some_positions(seed):
        seat = seat_to_act(state)
        if seat is None:
            continue
        snapshot = seat_snapshot(state, seat, names=LONG_NAMES)
        view = snapshot.view
        assert view is not None
        draft = NOTHING
        for _ in range(4):
            snapshot = with_draft(state, snapshot, draft) if draft and draft.waiting_wild_cards is None else snapshot
            page = panel_page(WORDS, snapshot, draft=draft, note="x" * 300, since=["x" * 300] * 3)
            assert [] == broken_limits(components_of_page(page))
            page = panel_page(WORDS, snapshot, draft=draft, note="x" * 300, side=PanelPart.OTHER)
            assert [] == broken_limits(components_of_page(page))
            menus = [
                controls_by_action(page)[name]
                for name in ("choose", "change", "target")
                if name in controls_by_action(page)
            ]
            if not menus:
                break
            draft = change_draft(draft, view, random.choice(menus), random)
            assert draft == drafts.fit_draft_to_hand(draft, view.hand)
            assert draft == drafts.read_draft(str(draft))


def change_draft(draft: Draft, view: SeatView, menu: dict[str, Any], random: Random) -> Draft:
    """Return the draft after a random choice in a menu."""
    values = [option["value"] for option in menu["options"]]
    most = int(str(menu["max_values"]))
    chosen = random.sample(values, random.randint(1, most))
    try:
        match str(menu["custom_id"]).split(":")[3]:
            case "choose":
                return drafts.add_cards(draft, view, chosen)
            case "change":
                return drafts.replace_meld(draft, chosen[0])
            case _:
                return drafts.join_waiting_wild_cards(draft, RANK_LETTERS.index(chosen[0]))
    except InputProblem:  # wild cards cannot be assigned to one of several ranks
        return draft


def view_with_hand(state: State, text: str) -> SeatView:
    """Return the view of the seat in turn with its hand replaced by these cards."""
    seat = seat_to_act(state)
    assert seat is not None
    view = seat_view(state, seat)
    hand = tuple(sorted(parse_cards(text)))
    return type(view)(
        view.table, view.seat, hand, (), 0, tuple(Discard(kind) for kind in {card >> 2 for card in hand}), 0, False
    )


def test_menus_get_new_ids_when_their_content_changes() -> None:
    """Discord shows an earlier choice in a menu with the same id, after another draft and after any move."""
    state = next(one for one in played_positions(1) if one.phase is Phase.PLAY)
    seat = seat_to_act(state)
    assert seat is not None
    ids = set()
    for version in (7, 8):
        snapshot = SeatSnapshot(table_snapshot(state, version=version), seat, seat_view(state, seat))
        for draft in (NOTHING, Draft((StagedMeld(KING, 1),))):
            page = panel_page(WORDS, snapshot, draft=draft, side=PanelPart.OTHER)
            menus = [one for one in all_components(components_of_page(page)) if one["type"] == 3]
            assert len(menus) == len({one["id"] for one in menus})
            ids.add(controls_by_action(page)["choose"]["id"])
    assert 4 == len(ids)
    assert all(0 < one < 2**31 for one in ids)


async def test_the_largest_hand_fits_into_the_menus() -> None:
    """The hand has every kind of card, all eight twos and all four jokers: 100 cards."""
    state = next(one for one in played_positions(1) if one.phase is Phase.PLAY)
    seat = seat_to_act(state)
    assert seat is not None
    hand = tuple(sorted(card for card in full_pack(2, 2) if card >> 2 <= JOKER))
    view = view_with_hand(state, "Ks")
    view = type(view)(view.table, view.seat, hand, (), 0, tuple(map(Discard, range(14))), 0, True)
    snapshot = SeatSnapshot(table_snapshot(state, names=LONG_NAMES, version=10**18, table=10**18), seat, view)
    assert [] == broken_limits(components_of_page(panel_page(WORDS, snapshot)))
    page = panel_page(WORDS, snapshot, side=PanelPart.OTHER)
    assert [] == broken_limits(components_of_page(page))
    values = [option["value"] for option in controls_by_action(page)["choose"]["options"]]
    assert {RANK_LETTERS[kind] for kind in (*NATURAL_KINDS, BLACK_THREE)} <= set(values)
    everything = drafts.add_cards(NOTHING, view, [value for value in values if "." not in value])
    assert len(hand) - 12 == everything.size
    assert [] == broken_limits(components_of_page(panel_page(WORDS, snapshot, draft=everything, side=PanelPart.OTHER)))


def test_cards_chosen_by_rank_make_melds() -> None:
    state = next(one for one in played_positions(2) if one.phase is Phase.PLAY)
    view = view_with_hand(state, "Ks Kh Kd 7s 7h 7d 2s 2h JK 4c")
    draft = drafts.add_cards(NOTHING, view, ["K", "2.1"])
    assert Draft((StagedMeld(KING, 3, 1),)) == draft
    draft = drafts.add_cards(draft, view, ["7"])
    assert "K3107300" == str(draft)
    assert 3 * 10 + 20 + 3 * 5 == draft.points(state.rules)
    assert Counter(parse_cards("Ks Kh Kd 2s 7s 7h 7d")) == Counter(
        card for lay in drafts.melds_to_lay(draft, view) for card in lay.cards
    )
    assert 1 == drafts.cards_left(draft, view.hand)[TWO]


def test_wild_cards_alone_join_the_only_meld_or_wait_for_one() -> None:
    state = next(one for one in played_positions(2) if one.phase is Phase.PLAY)
    view = view_with_hand(state, "Ks Kh Kd 7s 7h 7d 2s 2h JK 4c")
    one = drafts.add_cards(drafts.add_cards(NOTHING, view, ["K"]), view, ["JK.1"])
    assert "K301" == str(one)
    two = drafts.add_cards(drafts.add_cards(NOTHING, view, ["K", "7"]), view, ["JK.1"])
    assert StagedMeld(None, 0, 0, 1) == two.waiting_wild_cards
    assert "7300K301" == "".join(sorted(str(one) for one in drafts.join_waiting_wild_cards(two, KING).melds))


def test_wild_cards_chosen_with_two_ranks_are_not_assigned_by_guess() -> None:
    state = next(one for one in played_positions(2) if one.phase is Phase.PLAY)
    view = view_with_hand(state, "Ks Kh Kd 7s 7h 7d 2s")
    with pytest.raises(InputProblem) as caught:
        drafts.add_cards(NOTHING, view, ["K", "7", "2.1"])
    assert caught.value.code is InputCode.WILD_WITH_MANY


@pytest.mark.parametrize("text", ["", "K", "K31", "Z310", "K3!0", "K310K310", "W310", "🂡" * 4, "Kzzz" * 30])
def test_a_senseless_draft_uses_no_more_cards_than_the_hand_has(text: str) -> None:
    state = next(one for one in played_positions(2) if one.phase is Phase.PLAY)
    view = view_with_hand(state, "Ks Kh Kd 2s 4c")
    draft = drafts.fit_draft_to_hand(drafts.read_draft(text), view.hand)
    assert min(drafts.cards_left(draft, view.hand)) >= 0


@pytest.mark.parametrize("seed", seeds(3))
def test_autocompletion_offers_exactly_the_possible_moves(seed: int) -> None:
    """Each suggestion names cards of the hand, and is legal except for the initial minimum."""
    for state in some_positions(seed):
        for seat in range(state.rules.players):
            view = seat_view(state, seat)
            for label, value in option_suggestions.suggest_discards(WORDS, view, ""):
                assert label.startswith(value.replace("JK", "Joker"))
                assert Discard(pick_card(value, view.hand, KNOWN) >> 2) in view.legal
            for _, value in option_suggestions.suggest_melds(WORDS, view, ""):
                melds = pick_melds(value, view.hand, [meld.kind for meld in view.side.melds], KNOWN)
                refusal = why_not_allowed(state, seat, LayMelds(melds))
                assert refusal is None or refusal.code is Code.INITIAL_MELD_TOO_LOW, value
            for _, value in option_suggestions.suggest_ways_to_take_pile(WORDS, view, ""):
                assert WAYS[value] in view.legal
            if seat_to_act(state) != seat:
                assert [] == option_suggestions.suggest_melds(WORDS, view, "") + option_suggestions.suggest_discards(
                    WORDS, view, ""
                )


def test_suggestions_are_in_the_order_of_the_picture() -> None:
    """Ranks go from ace to four, then threes, jokers and twos; melds without wild cards come first."""
    for state in played_positions(4, level="casual", deals=4):
        if (seat := seat_to_act(state)) is None:
            continue
        view = seat_view(state, seat)
        shown = [card >> 2 for card in sort_by_rank(view.hand)]
        discards = [
            pick_card(value, view.hand, KNOWN) >> 2 for _, value in option_suggestions.suggest_discards(WORDS, view, "")
        ]
        assert discards == [kind for kind in dict.fromkeys(shown) if kind in discards]
    assert [ACE, KING, FOUR, BLACK_THREE, RED_THREE, JOKER, TWO] == sort_kinds(
        [TWO, FOUR, JOKER, RED_THREE, KING, BLACK_THREE, ACE]
    )
