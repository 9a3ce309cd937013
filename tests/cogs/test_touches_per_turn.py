"""How many touches (presses and choices) a turn takes; each uses a control of the message before it."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from bot.engine.cards.cards import KING, NINE, QUEEN
from bot.engine.moves.phases import Phase
from bot.engine.rules.sets import rule_set
from cogs.shared.reading.card_text import DISCARD_VALUES
from tests.support.discord import Discord, Message, Person, all_components, control_arguments, labels
from tests.support.stacked_packs import stack_pack


@dataclass(slots=True)
class CountingPerson:
    """A person who counts the buttons that they press."""

    person: Person
    touches: int = 0

    async def press_enabled_button(self, message: Message, action: str, argument: str | None = None) -> Message:
        """Press a button, which must be shown and enabled, and return the panel."""
        ids = [one["custom_id"] for one in all_components(message) if "custom_id" in one and not one.get("disabled")]
        offered = [one for one in ids if one.split(":")[3] == action and argument in (None, one.split(":")[4])]
        assert offered, f"no {action} {argument or ''} among {labels(message)}"
        self.touches += 1
        return await self.person.click(message, action, offered[0].split(":")[4])

    async def discard_with_one_touch(self, panel: Message, sign: str) -> Message:
        """Discard a card of that rank with a single touch, and return the panel."""
        return await self.press_enabled_button(panel, "discard", sign)


async def deal_hands(
    discord: Discord, hands: dict[int, str], after: str, *, players: int = 4
) -> tuple[CountingPerson, CountingPerson]:
    """Start a game with these hands and return Anna, in the first seat, and her opponent Ben.

    In a game of four, computer players have all other seats.
    """
    rules = rule_set("classic", players)
    everybody = dict.fromkeys(range(players), "") | hands
    pack = stack_pack(rules, everybody, after, dealer=players - 1)
    discord.dealer.pack = pack
    you, friend = discord.person(0), discord.person(1)
    await you.run("table new", players=players, clock="none")
    if players == 2:
        await friend.run("table join")
    await you.run("table start", fill=True)
    assert (await discord.game_state()).turn == 0
    return CountingPerson(you), CountingPerson(friend)


async def count_turns(discord: Discord) -> int:
    """Return the number of turns that have been played."""
    return (await discord.game_state()).turns


async def test_a_plain_turn_is_two_touches(discord: Discord) -> None:
    you, _ = await deal_hands(discord, {0: "4s 4h 5s 6h 7s 8d 9h Ts Jh Qd Kc"}, "Ad 5d")
    before = await count_turns(discord)
    panel = await you.press_enabled_button(await discord.board(), "draw")
    await you.discard_with_one_touch(panel, "K")
    assert 2 == you.touches
    assert await count_turns(discord) > before


OPENS = "Ks Kh Kd Qs Qh Qd 9s 9h 9d 4s 5h"
"""A hand with two melds of three tens, whose sixty points are enough to open."""


async def open_side(discord: Discord, you: CountingPerson) -> Message:
    """Open with the melds that the panel offers, in a turn of three touches; return the panel."""
    panel = await you.press_enabled_button(await discord.board(), "draw")
    panel = await you.press_enabled_button(panel, "open")
    melds = (await discord.game_state()).melds[0]
    assert [3, 3] == [len(meld.cards) for meld in melds]
    panel = await you.discard_with_one_touch(panel, "4")
    assert 3 == you.touches
    return panel


async def test_a_turn_that_opens_with_two_melds_is_three_touches(discord: Discord) -> None:
    you, _ = await deal_hands(discord, {0: OPENS}, "Ad 6d")
    before = await count_turns(discord)
    await open_side(discord, you)
    assert await count_turns(discord) > before


async def test_a_turn_with_one_meld_is_three_touches(discord: Discord) -> None:
    you, _ = await deal_hands(discord, {0: OPENS}, "Ad 6d")
    await open_side(discord, you)
    you.touches, before = 0, await discord.game_state()
    assert (0, Phase.DRAW) == (before.turn, before.phase)
    panel = await you.press_enabled_button(await discord.board(), "draw")
    laid = len((await discord.game_state()).hands[0])
    panel = await you.press_enabled_button(panel, "play", control_arguments(panel, "play")[0])
    assert laid - 3 == len((await discord.game_state()).hands[0])
    await you.discard_with_one_touch(panel, control_arguments(panel, "discard")[-1])
    assert 3 == you.touches
    assert await count_turns(discord) > before.turns


async def test_a_chosen_opening_takes_at_most_five_touches(discord: Discord) -> None:
    """The touches are the draw, the first meld, the opening with a second one, and the discard."""
    you, _ = await deal_hands(discord, {0: OPENS}, "Ad 6d")
    panel = await you.press_enabled_button(await discord.board(), "draw")
    offered = control_arguments(panel, "stage")
    panel = await you.press_enabled_button(
        panel, "stage", next(one for one in offered if one.startswith(DISCARD_VALUES[NINE]))
    )
    panel = await you.press_enabled_button(panel, "open")
    assert {NINE} < {meld.kind for meld in (await discord.game_state()).melds[0]}
    await you.discard_with_one_touch(panel, "4")
    assert you.touches <= 5


OUT = "Ks Kh Kd Kc Ks Kh Kd 4s 4h 4d 5s"
"""A hand that goes out with a fourth four: seven kings and four fours, and a five to discard."""


async def test_drawing_and_going_out_is_two_touches(discord: Discord) -> None:
    you, _ = await deal_hands(discord, {0: OUT}, "6s 4c")
    panel = await you.press_enabled_button(await discord.board(), "draw")
    await you.press_enabled_button(panel, "out")
    assert 2 == you.touches
    assert (await discord.game_state()).phase is Phase.BETWEEN


@pytest.mark.parametrize(("awake", "touches"), [(True, 1), (False, 2)])
async def test_answering_the_partner_is_one_touch_and_two_where_no_panel_is_open(
    live_discord: Discord, *, awake: bool, touches: int
) -> None:
    pack = stack_pack(rule_set("classic", 4), {0: OUT, 1: "", 2: "", 3: ""}, "6s 4c", dealer=3)
    live_discord.dealer.pack = pack
    you, friend = live_discord.person(0), CountingPerson(live_discord.person(1))
    await you.run("table new", clock="none")
    await friend.person.run("table join", seat=3)
    await you.run("table start", fill=True)
    if awake:
        await friend.person.click(await live_discord.board(), "hand")
    await you.click(await you.click(await live_discord.board(), "draw"), "ask")
    await live_discord.pass_time()
    panel = friend.person.panel() if awake else await friend.press_enabled_button(await live_discord.board(), "hand")
    await friend.press_enabled_button(panel, "yes")
    assert touches == friend.touches
    assert (await live_discord.game_state()).permission


@pytest.mark.parametrize(
    ("nines", "touches"),
    [("9s 9h Jc", 2), ("9s 9h 2s", 3)],
    ids=["one way", "several ways"],
)
async def test_taking_the_pile_and_discarding_takes_the_expected_touches(
    discord: Discord, nines: str, touches: int
) -> None:
    """A side that has opened takes the pile with one touch, unless there are several ways."""
    hands = {0: f"Ks Kh Kd Qs Qh Qd {nines} 4s 5h 6h 7s 8s Js", 1: "9c"}
    you, friend = await deal_hands(discord, hands, "Td Ts 8d", players=2)
    panel = await you.press_enabled_button(await discord.board(), "draw")
    await you.discard_with_one_touch(await you.press_enabled_button(panel, "open"), "4")
    await friend.discard_with_one_touch(await friend.press_enabled_button(await discord.board(), "draw"), "9")
    assert 2 == friend.touches
    you.touches, before = 0, await discord.game_state()
    assert (True, 0) == (before.opened[0], before.turn)
    panel = await you.press_enabled_button(await discord.board(), "board_take")
    if touches == 3:
        assert (await discord.game_state()).phase is Phase.DRAW
        panel = await you.press_enabled_button(panel, "take")
    assert {KING, QUEEN, NINE} == {meld.kind for meld in (await discord.game_state()).melds[0]}
    await you.discard_with_one_touch(panel, "7")
    assert touches == you.touches


async def test_taking_the_pile_with_an_opening_is_three_touches(discord: Discord) -> None:
    hands = {0: "Ks Kh Kd 9s 9h 4s 5h 6h 7s 8s Js Qd Ad 4h 5s", 1: "9c"}
    you, friend = await deal_hands(discord, hands, "Td Tc 8d", players=2)
    await you.discard_with_one_touch(await you.press_enabled_button(await discord.board(), "draw"), "A")
    await friend.discard_with_one_touch(await friend.press_enabled_button(await discord.board(), "draw"), "9")
    you.touches = 0
    panel = await you.press_enabled_button(await discord.board(), "board_take")
    assert (await discord.game_state()).phase is Phase.DRAW, "melds of one's own go with it: that is asked"
    panel = await you.press_enabled_button(panel, "take")
    assert {KING, NINE} == {meld.kind for meld in (await discord.game_state()).melds[0]}
    await you.discard_with_one_touch(panel, "7")
    assert 3 == you.touches
