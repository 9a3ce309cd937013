"""The bot's requests are valid by Discord's published schema and by limits not in the schema."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bot.engine.moves.phases import Phase
from tests.support.computer_choices import next_move, play_by_command, play_by_panel
from tests.support.discord import Discord, controls
from tests.support.discord_limits import broken_limits
from tests.support.discord_schema import Api, load_api
from tests.support.discord_schema_reduction import KEPT, document_text, reduce_document


@pytest.fixture
def schema() -> Api:
    return load_api()


async def do_everything_once(discord: Discord) -> None:
    """Do a lobby, most commands, a deal by panel and by command, the score, and a table with a thread."""
    you, friend = discord.person(0), discord.person(1)
    await you.types("help")
    await you.types("table new", computers=2, target=500)
    for action in ("sit", "leave", "setup", "sit"):
        await friend.clicks(await discord.board(), action)
    panel = await you.clicks(await discord.board(), "setup")
    panel = await you.chooses(panel, "place", "0")
    await you.chooses(panel, "place_at", "1")
    await you.types("table list")
    await you.types("hand")
    await you.clicks(await discord.board(), "rules")
    panel = await you.clicks(await discord.board(), "start")
    for number in range(400):
        look = await discord.look()
        if look.actor is None or (await discord.state()).phase in (Phase.BETWEEN, Phase.OVER):
            break
        mover = you if look.actor.person == you.id else friend
        move = next_move(await discord.state())
        if number % 3:
            await play_by_command(mover, move)
        else:
            panel = await play_by_panel(mover, await mover.clicks(await discord.board(), "hand"), move)
            await mover.reads(panel)
    for action in controls(await discord.board()):
        if action != "rematch":
            await you.clicks(await discord.board(), action)
    await discord.person(2, discord.world.tables).types("table new")
    await discord.person(2, discord.world.tables).types("table close")


async def test_every_request_is_valid_and_every_message_within_its_limits(discord: Discord, schema: Api) -> None:
    await do_everything_once(discord)
    requests = discord.environment.http_requests
    assert len(requests) > 60
    faults = {
        fault for one in requests if one.method != "GET" for fault in schema.faults(one.method, one.path, one.json)
    }
    assert set() == faults
    checked = 0
    for one in requests:
        body = one.json if isinstance(one.json, dict) else {}
        message = body.get("data", body)
        if isinstance(message, dict) and "components" in message:
            assert [] == broken_limits(message["components"])
            attachments = message.get("attachments") or []
            assert all(len(attachment.get("description") or "") <= 1024 for attachment in attachments)
            checked += 1
    assert checked > 50


BAD: list[tuple[dict[str, Any], str]] = [
    ({"components": [{"type": 10, "content": "x" * 4001}]}, "maxLength"),
    ({"components": [{"type": 1, "components": [{"type": 2, "style": 1, "custom_id": "x" * 101}]}]}, "maxLength"),
    ({"components": [{"type": 1, "components": [{"type": 2, "style": 1, "label": "x" * 81}]}]}, "maxLength"),
    ({"components": [{"type": 1, "components": [{"type": 2, "custom_id": "x"}]}]}, "style is missing"),
    ({"content": "x" * 4001}, "maxLength"),
    ({"contents": "x"}, "contents is not known"),
    ({"components": [{"type": 1, "components": [{"type": 10, "content": "x"}]}]}, ""),
]


@pytest.mark.parametrize(("body", "fault"), BAD)
def test_the_checker_finds_faults(schema: Api, body: dict[str, Any], fault: str) -> None:
    faults = schema.faults("POST", "/channels/1/messages", body)
    assert any(fault in one for one in faults), faults


WHOLE = Path(__file__).resolve().parents[3] / "shared" / "discord" / "openapi.json"


@pytest.mark.skipif(not WHOLE.exists(), reason="Discord's whole document is not beside this checkout")
def test_the_stored_schema_is_the_reduction_of_the_published_one() -> None:
    assert document_text(reduce_document(json.loads(WHOLE.read_text("utf-8")))) == KEPT.read_text("utf-8")


def test_an_unknown_path_is_a_fault(schema: Api) -> None:
    assert ["no such operation: POST /channels/1/mail"] == schema.faults("POST", "/channels/1/mail", {})
