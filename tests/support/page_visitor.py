"""A person's side of the demo page: reading its messages and using commands and controls."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import aiohttp

from tests.support.discord_limits import all_components

Receipt = dict[str, Any]
"""The page's report on the result of an action."""


class Visitor:
    """A browser tab with the demo page open.

    `address` is the demo's, with the secret behind the `#`.
    """

    def __init__(self, address: str, session: aiohttp.ClientSession) -> None:
        self.address, _, self.capability = address.partition("#")
        self.session = session
        self.page: dict[str, Any] = {}
        self.sequence = 0

    async def send_request(self, method: str, path: str, body: object = None) -> Any:
        headers = {"X-Simcord-Capability": self.capability}
        if self.page:
            headers["X-Simcord-Context"] = self.page["context"]["id"]
        async with self.session.request(method, self.address + path, json=body, headers=headers) as answer:
            assert answer.status == 200, await answer.text()
            return await answer.json()

    async def open_page(self) -> None:
        self.page = await self.send_request("POST", "api/pages", {})

    async def message_texts(self) -> list[str]:
        """Return the page's messages as text, oldest first."""
        self.page = await self.send_request("GET", "api/state")
        shown = (self.page["messages"][one] for one in self.page["timeline"])
        return [
            json.dumps(one["components"], ensure_ascii=False) if one["components"] else one["content"] for one in shown
        ]

    async def run_command(self, name: str, /, **options: object) -> Receipt:
        """Run a slash command as the demo page would, and return the demo's receipt."""
        catalog = await self.send_request("GET", "api/commands")
        entry = next(one for one in catalog["entries"] if one["invocation"] == name)
        return await self._send_action(
            "run_command",
            command_id=entry["commandId"],
            path=entry["path"],
            schema_fingerprint=entry["schemaFingerprint"],
            options=options,
        )

    async def press(self, label: str) -> Receipt:
        """Click the button with that label on the page as it was last read, and return the demo's receipt."""
        shown = (self.page["messages"][one]["components"] for one in self.page["timeline"])
        button = next(one for parts in shown for one in all_components(parts) if one.get("label") == label)
        message = button["control_key"].split(":")[1]
        return await self._send_action("click", control_key=button["control_key"], target_id=message)

    async def _send_action(self, kind: str, **more: object) -> Receipt:
        """Send an action as the page as it was last read would, and return the demo's receipt."""
        self.sequence += 1
        body = {
            "protocol_version": 3,
            "sequence": self.sequence,
            "request_id": f"request {self.sequence}",
            "generation": self.page["context"]["generation"],
            "bot_generation": self.page["botGeneration"],
            "published_revision": self.page["publishedRevision"],
            "kind": kind,
        }
        receipt: Receipt = await self.send_request("POST", "api/action", body | more)
        return receipt

    async def run_and_read_answer(self, name: str, /, **options: object) -> str:
        """Run a command, and return its answer as text."""
        receipt = await self.run_command(name, **options)
        assert receipt["settlement"] == "settled", receipt
        while not (answer := await self._read_message(receipt["outcomes"][0]["messageId"])):
            await asyncio.sleep(0.05)
        return answer

    async def _read_message(self, message_number: str) -> str:
        """Return a message as text, or an empty text while the bot still prepares its answer."""
        shown = await self.message_texts()
        place: int = self.page["timeline"].index(message_number)
        return shown[place]
