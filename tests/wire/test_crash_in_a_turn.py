"""After a crash in the middle of a turn the hand is the same, and no player is mentioned twice."""

from __future__ import annotations

from pathlib import Path

from bot.loopback.people import Person
from bot.loopback.rest import RestServer
from bot.loopback.world import WITHOUT_THREADS, Json, all_components
from tests.support.forked_processes import running_forked_bot
from tests.wire.board_player import DatabaseReader, Player, control, text_of_message, wait_until_boards_are_right


def people_mentioned(rest: RestServer) -> list[str]:
    """Return the ids of the people mentioned in channels, once for each mention."""
    posts = [one for one in rest.requests if one.method == "POST" and one.path.endswith("/messages")]
    return [str(person) for one in posts for person in (one.body.get("allowed_mentions") or {}).get("users", [])]


def cards_in_panel(panel: Json) -> list[str]:
    """Return the hand that a panel shows, from the descriptions of its pictures."""
    return [
        item.get("description") or "" for one in all_components(panel["components"]) for item in one.get("items", [])
    ]


async def open_panel(person: Person, player: Player) -> Json:
    """Open the person's panel from the board, and return it."""
    board = await player.board("hand")
    found = control(board, "hand")
    assert found is not None
    panel = (await person.use_control(board, found)).answer
    assert panel is not None
    return panel


async def test_a_killed_bot_continues_and_mentions_no_player_twice(rest: RestServer, tmp_path: Path) -> None:
    channel = rest.world.add_channel("canasta", WITHOUT_THREADS)
    host, guest = Person(rest, channel, "host"), Person(rest, channel, "guest")
    async with running_forked_bot(rest, tmp_path) as bot:
        await host.use_command("table new", players=2)
        stored = DatabaseReader(bot.database)
        player = Player(host, 1, stored)
        await guest.use_command("table join")
        await player.start_game()
        await wait_until_boards_are_right(rest, stored, seconds=20)
        panels = {person.name: await open_panel(person, player) for person in (host, guest)}
        actor = next(person for person in (host, guest) if control(panels[person.name], "draw") is not None)
        draw = control(panels[actor.name], "draw")
        assert draw is not None
        drawn = (await actor.use_control(panels[actor.name], draw)).answer
        assert drawn is not None
        called, version = people_mentioned(rest), stored.version(1)
        await bot.kill()
    async with running_forked_bot(rest, tmp_path) as bot:
        again = await open_panel(actor, player)
        assert cards_in_panel(drawn) == cards_in_panel(again)
        assert version == stored.version(1)
        assert control(again, "discard") is not None
        await wait_until_boards_are_right(rest, stored, seconds=20)
        assert called == people_mentioned(rest)
        refreshed = control(drawn, "discard")
        assert refreshed is not None, text_of_message(drawn)
        assert " ERROR " not in bot.log


async def test_a_broken_connection_is_resumed(rest: RestServer, tmp_path: Path) -> None:
    person = Person(rest, rest.world.add_channel("canasta", WITHOUT_THREADS), "host")
    async with running_forked_bot(rest, tmp_path) as bot:
        await person.use_command("table new")
        rest.gateway.identified.clear()
        await rest.gateway.drop_connections()
        await rest.gateway.identified.wait()
        assert 1 == rest.gateway.resumed
        listed = (await person.use_command("table list")).answer
        assert listed is not None
        assert "Table 1" in text_of_message(listed)
        assert " ERROR " not in bot.log
