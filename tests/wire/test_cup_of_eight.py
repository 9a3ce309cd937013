"""A whole knock-out tournament of eight over real sockets, from the entries to the close.

There are check-in, calls, letters, and three rounds.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.loopback.rest import RestServer
from tests.support.forked_processes import running_forked_bot
from tests.wire.board_player import DatabaseReader, control, text_of_message
from tests.wire.cup_of_eight import BEFORE, CupOfEight, latest_message_offering, latest_message_with_words, wait_for
from tests.wire.log_lines import lines_without_number

COMPLETED = 3
"""The status of a scheduled event that is over."""

CALL = "calls a director"


@pytest.mark.parametrize(
    "turns",
    [
        pytest.param(1, marks=pytest.mark.timeout(300)),
        pytest.param(200, marks=[pytest.mark.nightly, pytest.mark.timeout(1800)]),
    ],
)
async def test_a_knock_out_of_eight_is_played_to_its_close(turns: int, rest: RestServer, tmp_path: Path) -> None:
    """By day the player in turn resigns after some turns; at night deals are played to their end."""
    channel = rest.world.add_channel("tournaments")
    async with running_forked_bot(rest, tmp_path, program=("tests.wire.steered_bot",)) as bot:
        cup = CupOfEight(rest, bot, channel)
        await cup.announce()
        await cup.press_as_everybody("t_enter")
        await cup.let_time_pass(BEFORE)
        await cup.pass_time_until("check_in")
        await cup.press_as_everybody("t_here")
        for matches in (4, 2, 1):
            threads = await cup.call_next_round(matches)
            if matches == 4:
                await check_letters_to_director(cup, threads[0].id, threads[1].id)
            await asyncio.gather(*(cup.play_match(thread, turns=turns) for thread in threads))
        await cup.pass_time_until("closed")
        (event,) = rest.world.servers[rest.world.guild].events.values()
        await wait_for(lambda: event["status"] == COMPLETED)
        await wait_for(lambda: latest_message_with_words(channel, "is over"))
        await wait_for(lambda: all(one.archived for one in rest.world.threads))
        check_each_match_was_called_once(cup)
        assert 1 == len(
            DatabaseReader(bot.database).query_database("SELECT id FROM tournaments WHERE stage = 'closed'")
        )
        assert " ERROR " not in bot.log
        assert "" == "\n".join(lines_without_number(bot.log))
    assert [] == rest.limits.broken


async def check_letters_to_director(cup: CupOfEight, first: int, second: int) -> None:
    """Let two players call the director, and check how it reaches the director.

    That is a direct message, or a mention if those are closed.
    """
    await cup.call_director(cup.rest.world.channels[first])
    await wait_for(lambda: latest_message_with_words(cup.rest.world.direct_messages(cup.vera.id), CALL))
    cup.rest.world.closed[cup.vera.id] = 50278
    await cup.call_director(cup.rest.world.channels[second])
    await wait_for(lambda: latest_message_offering(cup.channel, "t_letter"))
    waiting = latest_message_offering(cup.channel, "t_letter")
    assert waiting is not None
    assert [cup.vera.id] == waiting["allowed"]["users"]
    assert CALL not in text_of_message(waiting)
    assert CALL in text_of_message(await cup.press(cup.vera, waiting, "t_letter"))
    assert CALL not in text_of_message(await cup.press(cup.members[0], waiting, "t_letter"))


def check_each_match_was_called_once(cup: CupOfEight) -> None:
    """Check that every match was called once, mentioning both its players."""
    for thread in cup.rest.world.threads:
        asked = "POST", f"/channels/{thread.id}/messages"
        posts = [one.body for one in cup.rest.requests if (one.method, one.path) == asked and "components" in one.body]
        calls = [one for one in posts if control(one, "t_hand") is not None]
        assert [2] == [len(set(one["allowed_mentions"]["users"])) for one in calls]
        assert control(calls[0], "draw") is None
