"""Questions before a discard: about wild cards, about suits, about all cards if a player wants it."""

from __future__ import annotations

import pytest

from bot.engine.cards.cards import JOKER, TWO
from bot.engine.cards.notation import parse_card
from bot.engine.moves.phases import Phase
from bot.engine.rules.sets import rule_set
from cogs.shared.discord_api.components import RED
from tests.support.discord import (
    Discord,
    Message,
    Person,
    all_components,
    control_arguments,
    controls,
    enabled_actions,
    labels,
    text_of,
)
from tests.support.stacked_packs import stack_pack

HAND = "4s 5h 6d 7c 7d 7d 8s 9s Jc 2s JK"


async def draw_with_hand(
    discord: Discord, rules: str = "classic", hand: str = HAND, after: str = "Td Qs"
) -> tuple[Person, Message]:
    """Start a game in which Anna has drawn with that hand; return her and her panel."""
    pack = stack_pack(rule_set(rules, 4), {0: hand, 1: "", 2: "", 3: ""}, after, dealer=3)
    discord.dealer.pack = pack
    you = discord.person(0)
    await you.run("table new", rules=rules)
    await you.run("table start", fill=True)
    return you, await you.click(await discord.board(), "draw")


def is_red_panel(panel: Message) -> bool:
    return any(one.get("accent_color") == RED for one in all_components(panel))


@pytest.mark.parametrize(
    ("sign", "kind", "warning"),
    [("2", TWO, "A two freezes the pile."), ("JK", JOKER, "A joker freezes the pile.")],
)
async def test_the_panel_asks_before_a_wild_card_is_discarded(
    discord: Discord, sign: str, kind: int, warning: str
) -> None:
    you, panel = await draw_with_hand(discord)
    assert not is_red_panel(panel)
    before, version = await discord.game_state(), (await discord.snapshot()).version
    asked = await you.click(panel, "discard", sign)
    assert panel.id == asked.id
    assert warning in text_of(asked)
    assert is_red_panel(asked)
    assert {"discard_surely", "refresh"} == enabled_actions(asked)
    assert (before, version) == (await discord.game_state(), (await discord.snapshot()).version)
    back = await you.click(asked, "refresh")
    assert sign in control_arguments(back, "discard")
    assert "discard_surely" not in controls(back)
    assert before == await discord.game_state()
    asked = await you.click(back, "discard", sign)
    done = await you.click(asked, "discard_surely")
    assert "You discarded" in text_of(done)
    after = await discord.game_state()
    held = [sum(card >> 2 == kind for card in state.hands[0]) for state in (before, after)]
    assert after.turn == 0 or held[0] - 1 == held[1]


async def test_without_runs_another_card_is_discarded_at_once_whatever_its_suit(discord: Discord) -> None:
    you, panel = await draw_with_hand(discord)
    done = await you.click(panel, "discard", "7")
    assert "You discarded 7" in text_of(done)
    assert not {"discard_card", "discard_surely"} & controls(done).keys()


SAMBA = "4s 5h 6d 7c 7d 7d 8s 9s 9s Jc Jd Jh Ac 2s JK"


async def test_with_runs_the_panel_asks_which_of_several_suits_to_discard(discord: Discord) -> None:
    you, panel = await draw_with_hand(discord, "samba", SAMBA, "Td Qs Ks")
    before = await discord.game_state()
    asked = await you.click(panel, "discard", "7")
    assert before == await discord.game_state()
    assert "Which of your sevens?" in text_of(asked)
    assert [str(parse_card("7d")), str(parse_card("7c"))] == sorted(
        control_arguments(asked, "discard_card"), key=[str(parse_card("7d")), str(parse_card("7c"))].index
    )
    assert {"7♦", "7♣"} <= set(labels(asked))
    back = await you.click(asked, "refresh")
    assert "discard" in enabled_actions(back)
    asked = await you.click(back, "discard", "7")
    done = await you.click(asked, "discard_card", str(parse_card("7c")))
    assert "You discarded 7♣" in text_of(done)


async def test_with_runs_cards_of_one_suit_are_discarded_at_once(discord: Discord) -> None:
    you, panel = await draw_with_hand(discord, "samba", SAMBA, "Td Qs Ks")
    assert "You discarded 9♠" in text_of(await you.click(panel, "discard", "9"))


async def test_with_runs_the_panel_asks_about_a_wild_card_and_not_its_suit(discord: Discord) -> None:
    you, panel = await draw_with_hand(discord, "samba", SAMBA, "Td Qs 2h")
    asked = await you.click(panel, "discard", "2")
    assert {"discard_surely", "refresh"} == enabled_actions(asked)


async def test_players_who_chose_it_are_asked_about_every_discard(discord: Discord) -> None:
    await discord.person(0).run("me settings", discarding="always")
    you, panel = await draw_with_hand(discord)
    before = await discord.game_state()
    asked = await you.click(panel, "discard", "9")
    assert "Discard a nine?" in text_of(asked)
    assert {"discard_surely", "refresh"} == enabled_actions(asked)
    assert before == await discord.game_state()
    assert "You discarded 9♠" in text_of(await you.click(asked, "discard_surely"))


async def test_an_outdated_question_discards_nothing(discord: Discord) -> None:
    you, panel = await draw_with_hand(discord)
    asked = await you.click(panel, "discard", "2")
    state = await discord.game_state()
    await discord.person(1).run("table show", table="1")
    await you.run("discard", card="4s")
    await discord.environment.settle()
    now = await discord.game_state()
    assert state != now
    newest = you.panel()
    assert asked.id != newest.id, "the older panel is gone, and its question with it"
    assert now.phase in (Phase.DRAW, Phase.PLAY)
