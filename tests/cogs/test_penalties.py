"""Irregularities at a table with penalties: refused, priced, committed, paid (`1.22`)."""

from __future__ import annotations

import pytest

from bot.engine.cards.cards import Card, full_pack
from bot.engine.cards.notation import parse_cards
from bot.engine.moves.phases import Phase
from bot.engine.table.charged_penalties import penalty_cards
from tests.cogs.test_house_rules_panel import open_parameter
from tests.support.computer_choices import finish_deal_and_show, next_move, play_by_panel
from tests.support.discord import (
    Discord,
    Message,
    Person,
    control_arguments,
    controls,
    enabled_actions,
    picture_captions,
    text_of,
)

HANDS = (
    "4s 4h 4d 5s 6h 7s 8d 9h Ts Jh Qd",
    "5h 6s 7h 8s 9s Td Js Qs As 6d 7d",
    "5d 6c 7c 8h 9d Th Jd Qh Ad 6h 8c",
    "5c 8h 9c Tc Jc Qc Ah 4c 9h 7s Kc",
)
"""The first seat can lay three fours, which count 15."""


def stacked_pack() -> tuple[Card, ...]:
    """Return a pack that deals these hands, a card to each seat in turn, the first seat first."""
    hands = [parse_cards(hand) for hand in HANDS]
    dealt = [hand[index] for index in range(11) for hand in hands]
    left = list(full_pack(2, 2))
    for card in dealt:
        left.remove(card)
    left.sort(key=lambda card: (card >> 2 == 14, card >> 2 == 13, card >> 2 == 12, card >> 2 == 11, -card))
    return (*dealt, *left)


async def seat_partners(discord: Discord, regime: str | None) -> tuple[Person, Person]:
    """Seat Anna and Ben as partners under this value of `penalties`, and return them.

    It is Anna's first turn.
    """
    you, friend = discord.person(0), discord.person(1)
    await you.run("table new")
    await friend.run("table join", seat=3)
    if regime is not None:
        await you.choose(await open_parameter(you, await you.run("table options"), "penalties"), "options_set", regime)
    await you.run("table start", fill=True)
    return you, friend


@pytest.fixture(autouse=True)
def stack_hands(discord: Discord) -> None:
    discord.dealer.pack = stacked_pack()


async def try_short_opening(discord: Discord, you: Person) -> Message:
    """Try to open with the three fours, and return the panel afterwards."""
    await you.run("draw")
    panel = await you.click(await discord.board(), "hand")
    panel = await you.choose(await you.click(panel, "other"), "choose", "4")
    return await you.click(panel, "lay")


async def test_a_short_opening_is_priced_before_it_is_committed_and_raises_the_minimum(discord: Discord) -> None:
    you, _ = await seat_partners(discord, "laws")
    panel = await try_short_opening(discord, you)
    text = text_of(panel)
    assert "need 50 points; these make 15" in text
    assert "first melds below the minimum" in text
    assert "a minimum 10 points higher for this deal." in text
    assert "1.22" in control_arguments(panel, "paragraph")
    before = await discord.game_state()
    assert before.penalties is None
    paid = await you.click(panel, "anyway")
    assert (
        "That was an irregularity: first melds below the minimum. Your side pays: a minimum 10 points higher"
        in text_of(paid)
    )
    after = await discord.game_state()
    assert before.hands == after.hands
    assert ((), ()) == after.melds
    assert "First meld needs 60" in picture_captions(paid)[0]
    board = text_of(await discord.board())
    assert "first melds below the minimum" in board
    assert "a minimum 10 points higher for this deal" in board


async def test_a_deal_with_a_short_opening_is_paid_for_in_points_and_penalty_cards(discord: Discord) -> None:
    you, friend = await seat_partners(discord, "italian-club")
    panel = await you.click(await try_short_opening(discord, you), "anyway")
    assert "100 points, penalty cards until the side has opened: 4♠ 4♥ 4♦" in text_of(panel)
    assert parse_cards("4s 4h 4d") == penalty_cards(await discord.game_state(), 0)
    assert "4♠, 4♥, 4♦" in text_of(await discord.board())
    assert ["4"] == control_arguments(panel, "discard")
    assert "Discard your penalty cards first" in text_of(await you.run("discard", card="queen"))
    assert "You discarded 4" in text_of(await you.run("discard", card="4"))
    assert 2 == len(penalty_cards(await discord.game_state(), 0))
    while penalty_cards(await discord.game_state(), 0):
        snapshot = await discord.snapshot()
        assert snapshot.view is not None
        person = you if snapshot.view.actor == snapshot.seat_of(you.id) else friend
        before = snapshot.version
        panel = await person.click(await discord.board(), "hand")
        answer = await play_by_panel(person, panel, next_move(await discord.game_state()))
        assert (await discord.snapshot()).version > before, text_of(answer)
    snapshot = await finish_deal_and_show(discord)
    assert snapshot.view is not None
    assert [-100, 0] == [lines.penalties for lines in snapshot.view.results[-1].lines]
    assert "penalties −100" in text_of(await you.click(await you.run("score"), "sheet_text"))


async def test_drawing_out_of_turn_has_its_penalty_too(discord: Discord) -> None:
    _, friend = await seat_partners(discord, "singkep")
    refused = await friend.run("draw")
    assert "drawing out of turn. Price: 100 points." in text_of(refused)
    assert "1.22" in control_arguments(refused, "paragraph")
    before = await discord.game_state()
    await friend.click(refused, "anyway")
    after = await discord.game_state()
    assert before.hands == after.hands
    assert before.turn == after.turn
    assert after.penalties is not None
    assert 100 == after.penalties.points[2]
    assert "for irregularities: 100 points" in text_of(await discord.board())


async def test_a_card_shown_out_of_turn_by_command_becomes_a_penalty_card(discord: Discord) -> None:
    _, friend = await seat_partners(discord, "laws")
    refused = await friend.run("discard", card="ace")
    assert "showing cards out of turn. Price: penalty cards A♦" in text_of(refused)
    await friend.click(refused, "anyway")
    assert parse_cards("Ad") == penalty_cards(await discord.game_state(), 2)


async def test_a_pile_taken_without_use_costs_50(discord: Discord) -> None:
    you, _ = await seat_partners(discord, "laws")
    refused = await you.click(await discord.board(), "board_take")
    assert "taking the pile without using its top card. Price: 50 points. Your attempt is" in text_of(refused)
    assert "Try it: 50 points" == controls(refused)["anyway"]["label"]
    await you.click(refused, "anyway")
    after = await discord.game_state()
    assert after.penalties is not None
    assert 50 == after.penalties.points[0]
    assert after.phase is Phase.DRAW
    assert 1 == len(after.pile)


async def test_an_outdated_offer_of_an_irregularity_does_nothing(discord: Discord) -> None:
    you, friend = await seat_partners(discord, "singkep")
    refused = await friend.run("draw")
    await you.run("draw")
    before = await discord.game_state()
    assert "moved on" in text_of(await friend.click(refused, "anyway"))
    assert before == await discord.game_state()


async def test_a_table_without_penalties_refuses_without_a_price(discord: Discord) -> None:
    you, friend = await seat_partners(discord, None)
    await you.run("draw")
    panel = await you.click(await discord.board(), "hand")
    assert not {"other", "stage", "open", "lay"} & enabled_actions(panel)
    assert "anyway" not in controls(panel)
    refused = await you.run("meld", cards="444")
    assert "need 50 points; these make 15" in text_of(refused)
    assert "anyway" not in controls(refused)
    waiting = await friend.click(await discord.board(), "hand")
    assert not {"draw", "take", "lay"} & enabled_actions(waiting)
