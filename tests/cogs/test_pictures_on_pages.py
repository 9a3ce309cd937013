"""What the pictures on pages show, and the text next to them."""

from __future__ import annotations

from dataclasses import replace

from bot.engine.cards.cards import KING
from bot.engine.cards.notation import parse_cards
from bot.engine.moves.actions import Discard
from bot.engine.moves.phases import Phase
from bot.engine.table.views import PublicView
from bot.i18n import words
from bot.profiles.preferences import Preferences
from bot.tables.state.snapshots import SeatHolder, SeatSnapshot, TableSnapshot
from cogs.shared.discord_api.components import Page
from cogs.shared.reading.meld_draft import Draft, StagedMeld
from cogs.shared.showing.pages import Pages
from cogs.shared.showing.picture_inputs import board_input, hand_input, order_hand, score_input
from cogs.shared.telling import names, score_text
from render import descriptions
from render.drawing.fonts import FontRuler
from render.layout_items import CardFace, Text
from render.layouts import layout_of
from render.picture_queue import PictureQueue
from tests.render.samples import deal_results
from tests.support.discord_limits import all_components
from tests.support.engine_games import played_positions, seat_snapshot, table_snapshot

WORDS = words()
DRAWN = Preferences(order="drawn")


def snapshot_with_names(snapshot: TableSnapshot, *holders: SeatHolder) -> TableSnapshot:
    return replace(snapshot, seats=(*holders, *snapshot.seats[len(holders) :]))


def test_an_undrawable_name_is_replaced_by_the_account_name() -> None:
    snapshot = snapshot_with_names(
        table_snapshot(next(played_positions(1))),
        SeatHolder("person", 1, "شمال", account="north_1"),
        SeatHolder("person", 2, "شرق"),
        SeatHolder("computer", number=1, kept_for=3, kept_name="جنوب", account="south_1"),
    )
    assert ("north_1", "Seat 2", "Computer 1 (for south_1)", "West") == names.all_seat_names(
        WORDS, names.snapshot_with_drawable_names(WORDS, snapshot)
    )
    assert snapshot.view is not None
    acting = replace(snapshot, view=replace(snapshot.view, actor=0))
    assert acting.view is not None
    asked = layout_of(board_input(WORDS, names.snapshot_with_drawable_names(WORDS, acting), acting.view), FontRuler())
    assert "north_1 to play" in [item.text for item in asked.items if isinstance(item, Text)]
    assert "شمال" in descriptions.board_text(board_input(WORDS, acting, acting.view))


def test_a_hand_in_drawn_order_begins_with_the_dealt_cards() -> None:
    state = next(state for state in played_positions(3) if state.phase is Phase.PLAY and state.turns > 8)
    snapshot = seat_snapshot(state, state.turn)
    assert snapshot.view is not None
    kinds = [step for step in snapshot.view.legal if isinstance(step, Discard)]
    assert kinds
    came = tuple(sorted(set(snapshot.view.hand))[:3])
    order = order_hand(snapshot.view, DRAWN, came)
    assert came == order[-3:]
    assert order == order_hand(snapshot.view, DRAWN, (*came[:1], *came))
    assert order == layout_order(replace(snapshot, drawn=came))


def layout_order(snapshot: SeatSnapshot) -> tuple[int, ...]:
    """Return the hand's cards in the order in which the picture shows them."""
    assert snapshot.view is not None
    layout = layout_of(hand_input(WORDS, snapshot, snapshot.view, preferences=DRAWN), FontRuler())
    return tuple(item.card for item in layout.items if isinstance(item, CardFace) and item.number is not None)


async def test_the_score_shows_the_last_deal_and_the_game_so_far() -> None:
    pictures = PictureQueue()
    try:
        pages = Pages(pictures)
        shown = []
        for deals in (1, 3):
            snapshot = table_with_scores(deals)
            shown.append([one.name.partition("-")[0] for one in await pages.score_pictures(WORDS, snapshot)])
        over = replace(table_with_scores(3), view=replace(public_view(table_with_scores(3)), winner=0))
        shown.append([one.name.partition("-")[0] for one in await pages.score_pictures(WORDS, over)])
        assert [["score"], ["score", "game"], ["score"]] == shown
        assert () == await pages.score_pictures(WORDS, table_with_scores(3), Preferences(pictures="text"))
    finally:
        pictures.close()


def table_with_scores(deals: int) -> TableSnapshot:
    snapshot = table_snapshot(next(played_positions(1)))
    return replace(snapshot, view=replace(public_view(snapshot), results=deal_results(deals)))


def public_view(snapshot: TableSnapshot) -> PublicView:
    assert snapshot.view is not None
    return snapshot.view


def test_the_score_in_words_lists_every_deal() -> None:
    snapshot = table_with_scores(12)
    text = score_text.game_score_text(WORDS, snapshot, public_view(snapshot))
    for number, result in enumerate(snapshot.view.results if snapshot.view else (), 1):
        assert f"eal {number}" in text
        assert all(str(line.total) in text for line in result.lines)
    assert score_input(WORDS, snapshot, public_view(snapshot)).results[-1].deal == 12


def test_wild_cards_that_wait_for_a_meld_are_lifted() -> None:
    state = next(state for state in played_positions(3) if state.phase is Phase.PLAY)
    hand = tuple(sorted(parse_cards("Ks Kh Kd 2s 2s 2h JK")))
    snapshot = seat_snapshot(state, state.turn)
    assert snapshot.view is not None
    view = replace(snapshot.view, hand=hand)
    draft = Draft((StagedMeld(KING, 3, twos=1), StagedMeld(None, 0, twos=1, jokers=1)))
    asked = hand_input(WORDS, snapshot, view, draft)
    assert (tuple(sorted(parse_cards("Ks Kh Kd 2s"))),) == tuple(tuple(sorted(meld)) for meld in asked.staged)
    assert parse_cards("2s JK") == asked.selected


async def test_a_panel_without_cards_does_not_describe_the_whole_table() -> None:
    state = next(state for state in played_positions(3, level="casual") if state.results)
    out = state.results[-1].went_out
    seat = 0 if out is None else out
    snapshot = seat_snapshot(state, seat)
    assert snapshot.view is not None
    empty = replace(snapshot, view=replace(snapshot.view, hand=()))
    pictures = PictureQueue()
    try:
        pages = Pages(pictures)
        text = page_text(await pages.panel(WORDS, empty))
        assert "### Deal " in text
        assert "Melds:" not in text
        assert "Melds:" in page_text(await pages.panel(WORDS, empty, preferences=Preferences(pictures="text")))
    finally:
        pictures.close()


def page_text(page: Page) -> str:
    components = page.view.to_components()  # type: ignore[no-untyped-call]
    return "\n".join(one["content"] for one in all_components(components) if one["type"] == 10)
