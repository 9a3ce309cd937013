"""Discord is slow and faulty: still every answer is in time, and in the end the boards are right."""

from __future__ import annotations

import asyncio
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.loopback.injected_faults import Fault
from bot.loopback.interactions import SECONDS_TO_ANSWER, Interaction
from bot.loopback.people import Person
from bot.loopback.rest import RestServer
from bot.loopback.world import WITHOUT_THREADS
from tests.support.forked_processes import running_forked_bot
from tests.wire.board_player import DatabaseReader, Player, control, text_of_message, wait_until_boards_are_right

ANY = "(PATCH|POST)"
BOARDS = r"/channels/\d+/messages(/\d+)?"


def check_answers_in_time(interactions: list[Interaction]) -> float:
    """Fail if an answer was late; return the longest wait in seconds."""
    assert [] == [(one.what, one.answered_after) for one in interactions if one.answered_after is None]
    longest = max(interactions, key=lambda one: one.answered_after or 0)
    assert (longest.answered_after or 0) < SECONDS_TO_ANSWER, longest.what
    return longest.answered_after or 0


@pytest.mark.parametrize("delay", [0.2, pytest.param(1.0, marks=pytest.mark.nightly)])
async def test_every_answer_is_in_time_and_the_boards_become_right(
    rest: RestServer, tmp_path: Path, capsys: pytest.CaptureFixture[str], delay: float
) -> None:
    """Each request takes `delay` seconds, one board eight times as long, and another fails three times."""
    rest.faults.delay = delay
    channel = rest.world.add_channel("canasta", WITHOUT_THREADS)
    people = [Person(rest, channel, f"player-{number}") for number in range(4)]
    async with running_forked_bot(rest, tmp_path, computer_pace="0.3") as bot:
        stored = DatabaseReader(bot.database)
        await asyncio.gather(*(person.use_command("table new", computers=2) for person in people))
        assert 4 == len(stored.tables())
        players = [
            Player(person, table, stored)
            for person, table in zip(people, await tables_of_hosts(stored, people), strict=True)
        ]
        guests = [Person(rest, channel, f"guest-{number}") for number in range(4)]
        rest.faults.add(Fault(ANY, BOARDS, 429, retry_after=8 * delay), Fault(ANY, BOARDS, 502, times=3))

        async def sit_down(guest: Person, player: Player) -> None:
            board = await player.board("sit")
            found = control(board, "sit")
            assert found is not None
            await guest.use_control(board, found)

        await asyncio.gather(*map(sit_down, guests, players))
        await asyncio.gather(*(player.start_game() for player in players))
        presses = [
            open_hand_and_draw(person, await player.board("hand", "draw"))
            for player, guest in zip(players, guests, strict=True)
            for person in (player.person, guest)
        ]
        await asyncio.gather(*presses)
        done = [one for person in (*people, *guests) for one in person.done]
        longest = check_answers_in_time(done)
        assert 4 == len(stored.tables())
        assert [] == rest.faults.coming
        last = max(rest.faults.last_at, *(one.at for one in done))
        await wait_until_boards_are_right(rest, stored, seconds=60)
        late = time.monotonic() - last
        with capsys.disabled():
            kinds = Counter(one.kind for one in done)
            text = f"longest wait {longest:.2f} s of {len(done)} ({dict(kinds)}), right {late:.1f} s after the last"
            sys.stdout.write(f"\n{text}\n")


HOST_OF = "SELECT opened_by FROM tables WHERE thread_id = ?"


async def wait_for(condition: Callable[[], bool]) -> None:
    """Wait until the condition is true."""
    async with asyncio.timeout(20):
        while not condition():
            await asyncio.sleep(0.1)


async def tables_of_hosts(stored: DatabaseReader, people: list[Person]) -> list[int]:
    """Return the number of the table that each of these people opened."""
    opened = {person: table for table, person in stored.query_database("SELECT id, opened_by FROM tables")}
    return [opened[person.id] for person in people]


async def open_hand_and_draw(person: Person, board: dict[str, object]) -> None:
    """Open the person's hand, and draw if the person is in turn."""
    found = control(board, "hand")
    assert found is not None
    panel = (await person.use_control(board, found)).answer
    assert panel is not None
    draw = control(panel, "draw")
    if draw is not None:
        await person.use_control(panel, draw)


async def test_tables_in_threads_are_announced_and_ended(rest: RestServer, tmp_path: Path) -> None:
    """Five people act at once in one channel, and each gets a thread with a link, up to the game's end."""
    rest.faults.delay = 0.3
    channel = rest.world.add_channel("tables")
    people = [Person(rest, channel, f"player-{number}") for number in range(5)]
    async with running_forked_bot(rest, tmp_path) as bot:
        stored = DatabaseReader(bot.database)
        announced = await asyncio.gather(*(person.use_command("table new", computers=2) for person in people))
        check_answers_in_time(list(announced))
        await wait_until_boards_are_right(rest, stored, seconds=30)
        threads = rest.world.threads
        assert sorted(thread for (thread,) in stored.query_database("SELECT thread_id FROM tables")) == [
            one.id for one in threads
        ]
        for one, person in zip(announced, people, strict=True):
            assert one.message is not None
            thread = rest.world.channels[int(one.message["id"])]
            assert f"<#{thread.id}>" in text_of_message(one.message)
            assert control(one.message, "join") is not None
            await wait_for(lambda: person.id in thread.members)  # noqa: B023 - asked at once
        guest = Person(rest, channel, "guest")
        first = announced[0].message
        assert first is not None
        join = control(first, "join")
        assert join is not None
        joined = await guest.use_control(first, join)
        thread = rest.world.channels[int(first["id"])]
        assert joined.answer is not None
        assert f"<#{thread.id}>" in text_of_message(joined.answer)
        await wait_for(lambda: guest.id in thread.members)
        host = next(person for person in people if person.id == stored.query_database(HOST_OF, thread.id)[0][0])
        await host.use_command("table start", fill=True)
        await wait_for(lambda: control(first, "join") is None)
        other = next(person for person in people if person is not host)
        message = next(one.message for one in announced if one.person == other.id)
        assert message is not None
        await other.use_command("table close")
        await wait_for(lambda: rest.world.channels[int(message["id"])].archived)
        assert control(message, "join") is None
