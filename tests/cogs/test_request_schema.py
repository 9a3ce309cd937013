"""All requests of the bot are valid by Discord's published schema, and within its other limits."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bot.engine.moves.phases import Phase
from tests.support.checked_request_bodies import checked_body_count, describe_shortfall, required_body_count
from tests.support.computer_choices import next_move, play_by_command, play_by_panel
from tests.support.discord import Discord, controls
from tests.support.discord_limits import broken_command_limits, broken_limits, command_size
from tests.support.discord_schema import ApiSchema, load_api, request_faults
from tests.support.discord_schema_reduction import KEPT, document_text, reduce_document


@pytest.fixture
def schema() -> ApiSchema:
    return load_api()


async def do_everything_once(discord: Discord) -> None:
    """Use a lobby and most commands, play a deal by panel and by command, and open a thread."""
    you, friend = discord.person(0), discord.person(1)
    await you.run("help")
    await you.run("table new", computers=2, target=500)
    for action in ("sit", "leave", "setup", "sit"):
        await friend.click(await discord.board(), action)
    panel = await you.click(await discord.board(), "setup")
    panel = await you.choose(panel, "place", "0")
    await you.choose(panel, "place_at", "1")
    await you.run("table list")
    await you.run("hand")
    await you.click(await discord.board(), "rules")
    panel = await you.click(await discord.board(), "start")
    for number in range(400):
        snapshot = await discord.snapshot()
        if snapshot.actor is None or (await discord.game_state()).phase in (Phase.BETWEEN, Phase.OVER):
            break
        mover = you if snapshot.actor.person == you.id else friend
        move = next_move(await discord.game_state())
        if number % 3:
            await play_by_command(mover, move)
        else:
            panel = await play_by_panel(mover, await mover.click(await discord.board(), "hand"), move)
            await mover.open_description(panel)
    for action in controls(await discord.board()):
        if action != "rematch":
            await you.click(await discord.board(), action)
    await discord.person(2, discord.world.tables).run("table new")
    await discord.person(2, discord.world.tables).run("table close")


async def test_every_request_is_valid_and_every_message_within_its_limits(discord: Discord, schema: ApiSchema) -> None:
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
def test_the_checker_of_request_bodies_finds_faults(schema: ApiSchema, body: dict[str, Any], fault: str) -> None:
    faults = schema.faults("POST", "/channels/1/messages", body)
    assert any(fault in one for one in faults), faults


@dataclass(frozen=True)
class SentRequest:
    """A request of the bot, given to the checker."""

    json: Any
    method: str = "POST"
    path: str = "/channels/1/messages"


def made_up_button(number: int, custom_id: str) -> dict[str, Any]:
    return {"type": 2, "style": 1, "label": str(number), "custom_id": custom_id}


def button_rows(*ids: str) -> dict[str, Any]:
    return {"components": [{"type": 1, "components": [made_up_button(number, one)]} for number, one in enumerate(ids)]}


CALLBACK = "/interactions/1/x/callback"
FORM = {"type": 18, "label": "x", "component": {"type": 4, "custom_id": "x", "style": 1}}
LONG = {"name": "x", "description": "x", "options": [{"type": 3, "name": "y", "description": "z" * 99}] * 25}
BEYOND: list[tuple[SentRequest, str]] = [
    (SentRequest(button_rows(*map(str, range(21)))), "42 components"),
    (SentRequest({"components": [{"type": 10, "content": "x" * 2001}] * 2}), "4002 characters in 2 texts"),
    (SentRequest(button_rows("a", "b", "a")), "a custom id twice"),
    (
        SentRequest(
            {"type": 9, "data": {"custom_id": "x", "title": "x", "components": [FORM] * 6}},
            path="/interactions/1/x/callback",
        ),
        "a form of 6 parts",
    ),
    (
        SentRequest([{**LONG, "options": [{**LONG, "type": 1}] * 4}], "PUT", "/applications/1/commands"),
        "command x of 10010 characters",
    ),
]


@pytest.mark.parametrize(("sent", "fault"), BEYOND)
def test_limits_that_the_schema_lacks_are_held_and_bodies_counted(sent: SentRequest, fault: str) -> None:
    before = checked_body_count()
    assert any(fault in one for one in request_faults([sent, SentRequest(None), SentRequest({}, "GET")]))
    assert before + 1 == checked_body_count()


def test_the_longest_translation_of_a_text_counts() -> None:
    command = {"name": "one", "name_localizations": {"it": "uno o due"}, "choices": [{"name": "ab", "value": "cde"}]}
    assert 14 == command_size(command)
    assert [] == broken_command_limits([command])


def test_a_whole_run_may_not_check_fewer_bodies() -> None:
    assert required_body_count() > 0
    assert "" == describe_shortfall(required_body_count(), required_body_count())
    assert "1 fewer" in describe_shortfall(required_body_count() - 1, required_body_count())


WHOLE = Path(__file__).resolve().parents[3] / "shared" / "discord" / "openapi.json"


@pytest.mark.skipif(not WHOLE.exists(), reason="Discord's whole document is not beside this checkout")
def test_the_stored_schema_is_the_reduction_of_the_published_one() -> None:
    assert document_text(reduce_document(json.loads(WHOLE.read_text("utf-8")))) == KEPT.read_text("utf-8")


def test_a_request_to_an_unknown_path_is_a_fault(schema: ApiSchema) -> None:
    assert ["no such operation: POST /channels/1/mail"] == schema.faults("POST", "/channels/1/mail", {})
