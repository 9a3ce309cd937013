"""One of two players vanishes for thirty-five days.

The other is called for every turn, and decides how the game ends.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.clocks.clock import HOUR, MINUTE
from bot.clocks.time_rules import DAY, GRACE, PRESETS
from bot.tables.state.clocks import TableSettings
from bot.tables.state.snapshots import Status
from tests.cogs.test_acceptance_scenarios import advance_until
from tests.cogs.test_notice_buttons import notices_with_buttons
from tests.cogs.test_table_messages import RecordedRequests, caller
from tests.support.clock import ManualClock
from tests.support.discord import Message, Person, discord_world, enabled_actions, text_of
from tests.support.discord_month import MOST_STEPS, PLAYER
from tests.support.slow_discord_games import SlowGames, mentions

DAILY = TableSettings(clock=PRESETS["daily"])


@pytest.fixture
async def games(tmp_path: Path) -> AsyncIterator[SlowGames]:
    clock = ManualClock()
    async with discord_world(tmp_path, clock=clock, silence=1000 * DAY, pace=0) as world:
        yield SlowGames(world, clock)


async def test_one_of_two_players_vanishes_for_thirty_five_days(games: SlowGames) -> None:
    await games.pass_time(4 * DAY)
    await games.start_game(settings=DAILY)
    start, gone = games.clock.now(), await games.person_in_turn()
    left = next(one for one in games.persons if one.id != gone.id)
    requests = RecordedRequests(games.discord)
    await advance_until(games, start + 96 * HOUR + MINUTE)
    opening = mentions(requests)
    assert [str(gone.id)] == [person for person, text in opening if "ast reminder" in text]
    assert str(left.id) in {person for person, _ in opening}, "called for the vote, and that there is nobody left"
    (told,) = [
        one for one in notices_with_buttons(games) if "you may also end the game or claim the win" in text_of(one)
    ]
    assert "Play on; from <t:" in text_of(told)

    turns = called = 0
    while games.clock.now() < start + 35 * DAY:
        snapshot = await games.discord.snapshot()
        assert snapshot.actor is not None or snapshot.next_deal_at is not None
        if snapshot.actor is not None and snapshot.actor.person == left.id:
            turns += 1
            await _play_while_in_turn(games, left)
        await advance_until(games, games.clock.now() + DAY)
        called += sum(person == str(left.id) for person, text in mentions(requests) if "your turn" in text)
    assert Status.PLAYING is (await games.discord.snapshot()).status
    assert turns > 20
    assert called >= turns, "a call for each turn"

    snapshot = await games.discord.snapshot()
    assert snapshot.absence.unopposed is not None
    assert snapshot.absence.unopposed.since == start + 96 * HOUR + GRACE
    assert snapshot.absence.unopposed.open_at == start + 168 * HOUR + GRACE
    requests = RecordedRequests(games.discord)
    notice = _choice_notice(games)
    assert {"pick_play_on", "pick_end", "pick_claim"} <= enabled_actions(notice)
    await left.click(notice, "pick_claim")
    await games.wait_until_idle()
    snapshot = await games.discord.snapshot()
    assert snapshot.conclusion is not None
    assert ("forfeited", snapshot.terms.side_of(snapshot.seat_of(left.id) or 0)) == (
        snapshot.conclusion.how,
        snapshot.conclusion.winner,
    )
    assert str(gone.id) in {person for person, _ in mentions(requests)}, "the absent player learns of the end"
    assert "forfeited the game." in text_of(await games.discord.board())


def _choice_notice(games: SlowGames) -> Message:
    """Return the notice whose buttons let the remaining player choose how the game goes on."""
    return next(one for one in notices_with_buttons(games) if "pick_claim" in enabled_actions(one))


async def _play_while_in_turn(games: SlowGames, person: Person) -> None:
    """Let the person open the game and play as long as it is their turn."""
    tables = games.discord.application.tables
    games.discord.application.client.notices.record_activity(person.id)
    await games.wait_until_idle()
    for _ in range(MOST_STEPS):
        snapshot = await games.discord.snapshot()
        if snapshot.actor is None or snapshot.actor.person != person.id:
            break
        seen = await tables.reading.seat_snapshot_of(snapshot.id, person.id)
        assert seen.view is not None
        await tables.play.act(caller(games.discord, person), snapshot.id, PLAYER.choose(seen.view).step)
    await games.wait_until_idle()
