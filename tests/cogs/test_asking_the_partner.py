"""The question to a partner, "May I go out?", and what each answer brings about."""

from __future__ import annotations

import pytest

from bot.engine.cards.cards import ACE, Card, full_pack
from bot.engine.cards.notation import parse_cards
from bot.engine.moves.phases import Phase
from tests.cogs.test_house_rules_panel import open_parameter
from tests.support.computer_choices import press_discard
from tests.support.discord import Discord, Person, controls, enabled_actions, text_of

HANDS = (
    "Ks Kh Kd Kc Ks Kh Kd 4s 4h 4d 5s",
    "5h 6s 7s 8s 9s Ts Js Qs As 6h 7h",
    "5d 6d 7d 8d 9d Td Jd Qd Ad 6c 7c",
    "5c 8h 9h Th Jh Qh Ah 8c 9c Tc Jc",
)
"""The first seat has a canasta and three fours; off the stock it gets an ace and the last king."""


def stacked_pack() -> tuple[Card, ...]:
    """Return a pack that deals these hands, a card to each seat in turn, the first seat first.

    The highest cards are drawn last.
    """
    hands = [parse_cards(hand) for hand in HANDS]
    dealt = [hand[index] for index in range(11) for hand in hands]
    left = list(full_pack(2, 2))
    for card in dealt:
        left.remove(card)
    left.sort(key=lambda card: (card >> 2 == 14, card >> 2 == 13, card >> 2 == 12, card >> 2 == 11, -card))
    return (*dealt, *left)


async def seat_partners(discord: Discord, regime: str | None = None) -> tuple[Person, Person]:
    """Seat Anna and Ben as partners under this value of `penalties`, and return them.

    Anna's side has a canasta, and it is her turn.
    """
    discord.dealer.pack = stacked_pack()
    you, friend = discord.person(0), discord.person(1)
    await you.run("table new")
    await friend.run("table join", seat=3)
    if regime is not None:
        await you.choose(await open_parameter(you, await you.run("table options"), "penalties"), "options_set", regime)
    await you.run("table start", fill=True)
    await you.run("draw")
    assert "You laid K K K K K K K." in text_of(await you.run("meld", cards="7 kings"))
    await you.run("discard", card="5")
    assert (await discord.game_state()).turn == 2
    await friend.run("draw")
    await friend.run("discard", card="5")
    assert (await discord.game_state()).turn == 0
    return you, friend


@pytest.fixture
async def partners(discord: Discord) -> tuple[Person, Person]:
    """Return Anna and Ben, partners at a table; her side has a canasta, and it is her turn."""
    return await seat_partners(discord)


async def test_the_question_goes_to_the_partner_whose_yes_obliges_to_go_out(
    discord: Discord, partners: tuple[Person, Person]
) -> None:
    you, friend = partners
    await you.run("draw")
    panel = await you.click(await discord.board(), "hand")
    assert "ask" in enabled_actions(panel)
    panel = await you.click(panel, "ask")
    assert "You asked Ben." in text_of(panel)
    assert not {"draw", "discard", "lay", "ask"} & enabled_actions(panel)
    assert not {"yes", "no"} & set(controls(panel))
    board = text_of(await discord.board())
    assert f"<@{friend.id}>" in board
    assert "may I go out?" in board
    assert (await discord.game_state()).phase is Phase.ANSWER
    assert "must answer first" in text_of(await you.run("discard", card="4"))
    asked = await friend.click(await discord.board(), "hand")
    assert {"yes", "no"} <= enabled_actions(asked)
    assert "Anna asks: may I go out, partner?" in text_of(asked)
    answered = await friend.click(asked, "yes")
    assert "You said " in text_of(answered)
    assert "you must go out this turn" in text_of(await you.run("discard", card="4"))
    await you.run("meld", cards="444, K")
    done = await press_discard(you, await you.click(await discord.board(), "hand"), ACE)
    assert "### Deal 1: you +" in text_of(done)
    assert "Anna went out" in text_of(await discord.sheet(1))


async def test_a_no_of_the_partner_forbids_going_out(partners: tuple[Person, Person]) -> None:
    you, friend = partners
    await you.run("draw")
    await you.run("ask")
    await friend.run("answer", answer="no")
    assert "Your partner said no" in text_of(await you.run("meld", cards="444, K"))
    assert "You laid 4 4 4." in text_of(await you.run("meld", cards="444"))
    assert "You discarded" in text_of(await you.run("discard", card="ace"))


async def test_asking_the_partner_after_melding_is_priced_and_binds_without_a_yes(discord: Discord) -> None:
    you, _ = await seat_partners(discord, "singkep")
    await you.run("draw")
    await you.run("meld", cards="K")
    refused = await you.run("ask")
    assert "You may do it anyway, but it is an irregularity: asking the partner after laying cards." in text_of(refused)
    assert controls(refused)["anyway"]["label"].startswith("Do it anyway: the duty to go out")
    await you.click(refused, "anyway")
    assert "### You asked: you must go out this turn" in text_of(await you.run("hand"))
    refused = await you.run("discard", card="4")
    assert "You asked and your partner did not say no, so you must go out this turn" in text_of(refused)
    assert "an irregularity: not going out when the player must" in text_of(refused)
