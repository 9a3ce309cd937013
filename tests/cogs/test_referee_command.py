"""`/referee` answers in private whether an action would be legal, and why; it plays nothing."""

from __future__ import annotations

import pytest

from bot.engine.cards.cards import JOKER, TWO, full_pack
from bot.engine.cards.notation import parse_card, parse_cards
from bot.engine.moves.actions import PARAGRAPHS
from bot.engine.moves.refusals import Code
from bot.engine.rules.parameters import PARAMETERS
from bot.engine.table.state import State
from bot.i18n import locales, words
from cogs.shared.reading import card_text
from cogs.shared.telling import explanations
from cogs.shared.telling.turn_text import WAYS
from tests.cogs.test_panel_play import start_game_of_two
from tests.support.discord import Discord, Message, Person, text_of


async def ask_referee(discord: Discord, person: Person, what: str, /, **options: str) -> str:
    """Ask the referee, check that nothing has changed, and return the private answer."""
    before, version, board = await discord.game_state(), (await discord.snapshot()).version, await discord.board()
    answer: Message = await person.run(f"referee {what}", **options)
    assert answer.ephemeral
    assert (before, version) == (await discord.game_state(), (await discord.snapshot()).version)
    assert text_of(board) == text_of(await discord.board())
    assert all(message.id != answer.id for message in discord.person(2).visible_messages())
    return text_of(answer)


def lowest_card(state: State) -> str:
    return card_text.card_label(state.hands[state.turn][0])


async def test_a_draw_is_legal_and_a_discard_before_it_is_not(discord: Discord) -> None:
    first, _ = await start_game_of_two(discord)
    state = await discord.game_state()
    drawing = await ask_referee(discord, first, "draw")
    assert "Drawing from the stock: yes" in drawing
    assert "§ 1.9, the turn" in drawing
    discarding = await ask_referee(discord, first, "discard", card=lowest_card(state))
    assert f"Discarding {lowest_card(state)}: no." in discarding
    assert "Draw first, or take the pile if you can." in discarding
    assert "Nothing has been played" in discarding
    await first.run("draw")
    assert f"Discarding {lowest_card(state)}: yes" in await ask_referee(
        discord, first, "discard", card=lowest_card(state)
    )


async def test_the_referee_reads_melds_as_they_are_typed_in_play(discord: Discord) -> None:
    first, _ = await start_game_of_two(discord)
    await first.run("draw")
    state = await discord.game_state()
    kinds = [card >> 2 for card in state.hands[state.turn] if card >> 2 not in (TWO, JOKER)]
    rank = card_text.rank_label(next(kind for kind in kinds if kinds.count(kind) >= 2))
    text = await ask_referee(discord, first, "meld", cards=f"{rank} {rank}")
    assert ": no." in text
    assert "§ 1.10, melds" in text or "§ 1.11, the first melds" in text
    assert "I do not understand" in await ask_referee(discord, first, "meld", cards="the lot")


async def test_the_referee_tries_every_way_to_take_the_pile(discord: Discord) -> None:
    first, _ = await start_game_of_two(discord)
    text = await ask_referee(discord, first, "take")
    assert "Taking the pile" in text
    assert "§ 1.1" in text
    assert set(WAYS) - {"w"} == set(await first.suggestions("referee take", "with"))
    assert "Taking the pile: no." in await ask_referee(discord, first, "take", **{"with": "add"})


async def test_out_of_turn_the_answer_assumes_the_persons_turn(discord: Discord) -> None:
    _, second = await start_game_of_two(discord)
    text = await ask_referee(discord, second, "draw")
    assert "It is not your turn. If it were" in text
    assert "Drawing from the stock: yes" in text
    passing = await ask_referee(discord, second, "pass")
    assert "You cannot pass while the stock still has" in passing
    assert "§ 1.19, the end of the stock" in passing


@pytest.mark.parametrize("what", ["ask", "announce"])
async def test_a_feature_missing_from_the_rules_is_refused_with_the_reason(discord: Discord, what: str) -> None:
    first, _ = await start_game_of_two(discord)
    assert ": no." in await ask_referee(discord, first, what)


async def test_a_stranger_and_a_lobby_get_no_ruling(discord: Discord) -> None:
    you = discord.person(0)
    await you.run("table new", players=2)
    assert "has not started" in text_of(await you.run("referee draw"))
    assert "You have no seat at table 1" in text_of(await discord.person(1).run("referee draw", table="1"))


@pytest.mark.parametrize("locale", locales())
def test_every_paragraph_has_a_title(locale: str) -> None:
    said = words(locale)
    for paragraph in {*(code.paragraph for code in Code), *PARAGRAPHS.values(), *(one.paragraph for one in PARAMETERS)}:
        assert explanations.paragraph_reference(said, paragraph).startswith(f"§ {paragraph}, ")


async def test_a_pile_that_cannot_be_taken_is_reported_without_cards(discord: Discord) -> None:
    first, _ = await start_game_of_two(discord)
    await first.run("draw")
    text = await ask_referee(discord, first, "take")
    assert "**Taking the pile: no.** You have drawn already" in text


async def test_taking_with_melds_that_open_is_a_way_to_take_the_pile(discord: Discord) -> None:
    hands = [
        parse_cards(hand)
        for hand in ("7s 7h As Ah Ad 4s 5d 8h 9c Ts Jh Qs Kd 6c 4c", "4h 4d 5s 5h 6s 6h 8s 8d 9s 9h Th Td Js Jd Qh")
    ]
    dealt = [hand[index] for index in range(15) for hand in hands]
    left = list(full_pack(2, 2))
    for card in (*dealt, top := parse_card("7d")):
        left.remove(card)
    discord.dealer.pack = (*dealt, top, *left)
    first, _ = await start_game_of_two(discord)
    text = await ask_referee(discord, first, "take")
    assert "Taking the pile with 7♠ 7♥ and laying A♠ A♥ A♦: yes**" in text
