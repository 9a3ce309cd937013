"""Emojis of the cards: uploaded once, failures repeated later, and text in their place until then."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from pathlib import Path

import pytest

from bot.engine.cards.cards import full_pack
from cogs.shared.discord_api import card_emojis
from render.picture_queue import PictureQueue
from tests.support.discord import Discord, all_components, controls, discord_world

CARDS = sorted(set(full_pack(1, 1)))


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[Discord]:
    async with discord_world(tmp_path, emojis="on") as world:
        yield world


def emoji_requests(discord: Discord) -> list[str]:
    """Return the methods of the requests about emojis, in order."""
    return [one.method for one in discord.environment.http_requests if "/emojis" in one.path and one.method != "GET"]


async def uploaded_names(discord: Discord) -> set[str]:
    return {one.name for one in await discord.application.client.fetch_application_emojis()}


async def draw_emojis() -> Mapping[str, bytes]:
    pictures = PictureQueue()
    try:
        return await pictures.draw_emojis()
    finally:
        pictures.close()


async def test_every_card_is_uploaded_once_as_an_emoji(world: Discord) -> None:
    wanted = set(await draw_emojis())
    assert wanted == await uploaded_names(world)
    known = world.application.client.card_emojis
    assert all(known.emoji_of(card) is not None for card in CARDS)
    assert ["POST"] * len(wanted) == emoji_requests(world)
    await world.restart()
    assert ["POST"] * len(wanted) == emoji_requests(world)
    again = world.application.client.card_emojis
    assert [known.emoji_of(card) for card in CARDS] == [again.emoji_of(card) for card in CARDS]


async def test_new_drawings_of_cards_replace_the_old_emojis_and_no_others(world: Discord) -> None:
    old = await draw_emojis()
    await world.application.client.create_application_emoji(name="logo", image=next(iter(old.values())))
    new = {f"{name[:-4]}{int(name[-4:], 16) ^ 1:04x}": image for name, image in old.items()}

    class OtherDrawings(PictureQueue):
        async def draw_emojis(self) -> Mapping[str, bytes]:
            return new

    world.options["pictures"] = OtherDrawings
    await world.restart()
    assert {"logo", *new} == await uploaded_names(world)
    assert ["POST"] * (2 * len(old) + 1) + ["DELETE"] * len(old) == emoji_requests(world)


async def test_in_a_fleet_the_old_drawings_stay_beside_the_new_ones(world: Discord) -> None:
    old = await draw_emojis()
    new = {f"{name[:-4]}{int(name[-4:], 16) ^ 1:04x}": image for name, image in old.items()}

    async def draw_new_emojis() -> Mapping[str, bytes]:
        return new

    emojis = card_emojis.CardEmojis(world.application.client, draw_new_emojis, shared=True)
    emojis.start()
    await world.environment.settle()
    assert {*old, *new} == await uploaded_names(world)
    await emojis.close()


@pytest.mark.parametrize(("method", "status"), [("POST", 429), ("POST", 500), ("POST", 400), ("GET", 503)])
async def test_a_failed_upload_is_retried_and_cards_are_text_until_then(
    world: Discord, method: str, status: int
) -> None:
    world.environment.backend.application_emojis.clear()
    world.environment.inject_error(method, "/applications/*/emojis", status=status)
    await world.restart()
    assert set() == await uploaded_names(world)
    known = world.application.client.card_emojis
    assert known.emoji_of(CARDS[0]) is None
    assert not any(option.get("emoji") for option in await controls_with_emojis(world))
    await world.environment.advance_time(card_emojis.WAITS[0] + 1)
    await world.environment.settle()
    assert set(await draw_emojis()) == await uploaded_names(world)
    assert known.emoji_of(CARDS[0]) is not None


async def controls_with_emojis(discord: Discord) -> list[dict[str, object]]:
    """Return the controls of a hand that show an emoji: menu choices and discard buttons."""
    you = discord.person(0)
    await you.run("table new", players=2, computers=1)
    await you.run("table start")
    panel = await you.run("draw")
    discards = [one for one in all_components(panel) if one.get("custom_id", "").split(":")[3:4] == ["discard"]]
    menus = await you.click(panel, "other")
    signed = [{**one, "value": one["custom_id"].split(":")[4]} for one in discards]
    return [*signed, *controls(menus)["choose"]["options"]]


async def test_card_menus_show_emojis_of_the_cards(world: Discord) -> None:
    shown = await controls_with_emojis(world)
    assert len(shown) > 5
    for option in shown:
        emoji = option["emoji"]
        assert isinstance(emoji, dict)
        letter = str(option["value"]).partition(".")[0]
        assert str(emoji["name"])[1:].startswith(letter)


async def test_no_emoji_request_is_made_if_switched_off(discord: Discord) -> None:
    assert [] == emoji_requests(discord)
    assert discord.application.client.card_emojis.emoji_of(CARDS[0]) is None
    assert not any(option.get("emoji") for option in await controls_with_emojis(discord))
