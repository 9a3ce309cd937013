"""Hand and Foot through the whole bot: only the owner sees a foot, and a deal is played to its end."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from bot.engine.cards.cards import Card, full_pack
from bot.engine.cards.notation import parse_card, parse_cards
from bot.engine.moves.events import Discarded
from bot.engine.moves.phases import Phase
from bot.engine.rules.sets import rule_set
from bot.i18n import words
from cogs.shared.telling.numbers import group_thousands
from tests.support.computer_choices import next_move, play_by_command, play_by_panel
from tests.support.discord import Discord, all_content_text, enabled_actions, text_of

RULES = rule_set("hand-and-foot-us", 2)
RUNNING = (Phase.DRAW, Phase.PLAY, Phase.ANSWER)

HANDS = ("Ks Kh Kd Kc Qs Qh Qd Qc Js Jh Jd", "4s 4h 5s 5h 6s 6h 7s 7h 8s 8h 9s")
FEET = ("As Ad As Ad As Ad 3h Ac 8d 6d 5d", "Ac Ah Ac Ah Ah 2s 9h 8c 7c 6c 5c")
AFTER = "9d Ks Qs 4d 4c"
"""The upcard, then the cards that the first seat draws and those that the second draws."""

FOOT_SHOWN = re.compile("A[♠♦]|ace of (spades|diamonds)|aces of", re.IGNORECASE)
"""Cards that lie in the first foot and nowhere else."""


def stacked_pack() -> tuple[Card, ...]:
    """Return a pack that deals these hands and feet, a card to each seat in turn, the first seat first."""
    dealt = [parse_cards(text)[number] for pair in (HANDS, FEET) for number in range(11) for text in pair]
    dealt += parse_cards(AFTER)
    left = Counter(full_pack(RULES.decks, RULES.jokers_per_deck))
    left.subtract(dealt)
    assert min(left.values()) >= 0
    return (*dealt, *sorted(left.elements()))


@pytest.fixture
async def game(discord: Discord) -> Discord:
    """Return a Discord with a running game against a computer player, in your turn."""
    discord.dealer.pack = stacked_pack()
    await discord.person(0).run("table new", rules=RULES.name, players=2, computers=1)
    await discord.person(0).run("table start")
    return discord


async def test_a_foot_is_shown_only_to_its_owner_when_it_is_taken_up(game: Discord) -> None:
    you = game.person(0)
    panel = await you.click(await game.board(), "hand")
    text = all_content_text(panel)
    assert "Foot 11 cards face down" in text
    assert not FOOT_SHOWN.search(text)
    assert "11 and a foot of 11 face down" in text_of(await you.open_description(panel))
    await you.run("draw")
    answer = await you.run("meld", cards="5 kings, 5 queens, 3 jacks")
    assert answer.ephemeral
    assert "You picked up your foot: " in text_of(answer)
    assert FOOT_SHOWN.search(text_of(answer))
    assert "3♥" in text_of(answer), "a red three stays in the hand here"
    board = await game.board()
    assert "picked up a foot of 11" in text_of(board)
    assert not FOOT_SHOWN.search(all_content_text(board))
    assert "undo" not in enabled_actions(answer), "the foot has been seen"
    await you.run("discard", card="red 3")
    discarded = [one.event.card for one in (await game.snapshot()).recent if isinstance(one.event, Discarded)]
    assert parse_card("3h") in discarded


async def test_a_deal_is_played_by_commands_and_by_the_panel(game: Discord) -> None:
    you, moves = game.person(0), 0
    while (snapshot := await game.snapshot()).view is not None and snapshot.view.phase in RUNNING:
        move = next_move(await game.game_state())
        if moves % 2:
            answer = await play_by_command(you, move)
        else:
            answer = await play_by_panel(you, await you.click(await game.board(), "hand"), move)
        assert (await game.snapshot()).version > snapshot.version, text_of(answer)
        moves += 1
    assert snapshot.view is not None
    (result,) = snapshot.view.results
    assert [side.score for side in snapshot.view.sides] == list(result.scores)
    assert 0 == snapshot.view.seats[0].foot
    board = text_of(await game.board())
    assert all(group_thousands(words(), score) in board for score in result.scores)
