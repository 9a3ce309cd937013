"""Tables of many kinds, each played by panel to the end of a deal; by day the middle is skipped.

Runs, wild cards alone, feet, talons, six seats, a rotation, themes and penalties. The table equals the replay of its
log, what is sent is what Discord takes, and nobody sees a hidden card of another player.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from bot.engine.cards.cards import Card
from bot.engine.cards.meld_places import WILD_MELD, is_run
from bot.engine.moves.events import Melded, Penalized, SetTalon, TookFoot
from bot.engine.moves.phases import Phase
from bot.engine.rules.sets import rule_set
from bot.engine.table.state import State
from bot.i18n import words
from bot.tables.state.events import AnyEvent
from cogs.shared.telling.numbers import group_thousands
from tests.cogs.test_house_rules_panel import open_parameter
from tests.cogs.test_whole_games import record_from_log
from tests.support.computer_choices import MIDDLE, next_move, play_by_panel, skip_to_last_turns
from tests.support.discord import Discord, Message, Person, enabled_actions, text_of
from tests.support.discord_limits import broken_limits
from tests.support.discord_schema import load_api
from tests.support.secrecy_watch import SecrecyWatch
from tests.support.seeds import SEARCHING
from tests.support.stacked_packs import stack_pack

RUNNING = (Phase.DRAW, Phase.PLAY, Phase.ANSWER)
ALT = 1024
"""Most characters of a picture's full description."""


@dataclass(frozen=True)
class PlayedTable:
    """A table to play, and the events that must occur in its deal."""

    rules: str
    players: int
    shows: Callable[[AnyEvent], bool]
    theme: str = ""
    penalties: str = ""

    @property
    def name(self) -> str:
        return self.theme or self.penalties or self.rules


def _is_run_meld(event: AnyEvent) -> bool:
    return isinstance(event, Melded) and is_run(event.place)


def _is_wild_meld(event: AnyEvent) -> bool:
    return isinstance(event, Melded) and event.kind == WILD_MELD


TABLES = [
    PlayedTable("samba", 4, _is_run_meld),
    PlayedTable("bolivia", 4, _is_wild_meld),
    PlayedTable("hand-and-foot", 4, lambda event: isinstance(event, TookFoot)),
    PlayedTable("pennies", 6, lambda event: isinstance(event, TookFoot)),
    PlayedTable("modern-american", 4, lambda event: isinstance(event, SetTalon)),
    PlayedTable("classic", 5, lambda event: isinstance(event, Melded)),
    PlayedTable("classic", 2, lambda event: isinstance(event, Melded), theme="league-evening"),
    PlayedTable("classic", 2, lambda event: isinstance(event, Penalized), penalties="laws"),
]


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
async def test_a_deal_is_played_by_panel(discord: Discord, table: PlayedTable) -> None:
    you, watcher = discord.person(0), discord.person(1)
    themed = {"theme": table.theme} if table.theme else {}
    await you.run("table new", rules=table.rules, players=table.players, **themed)
    if table.penalties:
        await you.choose(
            await open_parameter(you, await you.run("table options"), "penalties"), "options_set", table.penalties
        )
    await you.run("table start", fill=True)
    watch, moves = SecrecyWatch(), 0
    while (snapshot := await discord.snapshot()).view is not None and snapshot.view.phase in RUNNING:
        panel = await you.click(await discord.board(), "hand")
        tried = await commit_irregularity(discord, you, watch) if table.penalties else None
        panel = tried or await play_by_panel(you, panel, next_move(await discord.game_state()))
        assert (await discord.snapshot()).version > snapshot.version, text_of(panel)
        if not moves % 5:
            await you.open_description(panel)
            await watch.check_visible_messages(discord, (you, watcher))
        moves += 1
        if moves == MIDDLE and not SEARCHING:
            await skip_to_last_turns(discord, 0)
    await you.run("score")
    await watch.check_visible_messages(discord, (you, watcher))
    assert watch.found
    assert any(table.shows(event) for event in watch.events)
    assert snapshot.view is not None
    (result,) = snapshot.view.results
    assert [total.score for total in snapshot.view.totals] == list(result.scores)
    board = text_of(await discord.board())
    assert all(group_thousands(words(), score) in board for score in result.scores)
    check_request_bodies(discord)
    live = await discord.game_state()
    assert live == (await record_from_log(discord)).game


def _can_use_top_card(state: State) -> bool:
    """Return whether the seat in turn holds a card of the same rank as the pile's top card."""
    return any(card >> 2 == state.pile[-1] >> 2 for card in state.hands[state.turn])


async def commit_irregularity(discord: Discord, you: Person, watch: SecrecyWatch) -> Message | None:
    """Take the pile without a use for its top card, at the price, if that is possible.

    Return the panel, or None if it is not possible.
    """
    board, state = await discord.board(), await discord.game_state()
    untaken = not any(isinstance(event, Penalized) for event in watch.events)
    if not untaken or "board_take" not in enabled_actions(board) or _can_use_top_card(state):
        return None
    refused = await you.click(board, "board_take")
    assert "Price: 50 points" in text_of(refused)
    return await you.click(refused, "anyway")


def check_request_bodies(discord: Discord) -> None:
    """Fail unless every third request (in a search every one) is valid by the schema and the limits."""
    schema, checked = load_api(), 0
    for one in discord.environment.http_requests[:: 1 if SEARCHING else 3]:
        body = one.json if isinstance(one.json, dict) else {}
        message: Any = body.get("data", body)
        if one.method != "GET":
            assert [] == schema.faults(one.method, one.path, one.json)
        if isinstance(message, dict) and "components" in message:
            assert [] == broken_limits(message["components"])
            attachments = message.get("attachments") or []
            assert all(len(attachment.get("description") or "") <= ALT for attachment in attachments)
            checked += 1
    assert checked > 3


async def test_a_special_hand_is_shown_by_panel(discord: Discord) -> None:
    rules = rule_set("modern-american", 4)
    pack: tuple[Card, ...] = stack_pack(rules, {0: "4s 4h 5s 5h 6s 6h 8s 8h 9s 9h Ts Th Js"}, "Jh", dealer=3)
    discord.dealer.pack = pack
    you, friend = discord.person(0), discord.person(1)
    await you.run("table new", rules="modern-american")
    await friend.run("table join", seat=2)
    await you.run("table start", fill=True)
    panel = await you.click(await discord.board(), "hand")
    assert "show" not in enabled_actions(panel)
    panel = await you.click(panel, "draw")
    assert "pairs" in text_of(await you.open_description(panel))
    watch = SecrecyWatch()
    await watch.check_visible_messages(discord, (you, friend))
    panel = await you.click(await you.click(panel, "refresh"), "show")
    assert "You showed your hand: pairs." in text_of(panel)
    sheet = next(text_of(one) for one in friend.visible_messages() if "Deal 1 ·" in text_of(one))
    assert sheet.startswith("### Deal 1 · Anna showed a special hand, pairs")
    await watch.check_visible_messages(discord, (you, friend))
    assert (await discord.game_state()).phase is Phase.BETWEEN
    check_request_bodies(discord)
