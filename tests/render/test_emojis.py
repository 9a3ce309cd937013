"""Card emojis: within Discord's limits, one for each card, named by what they show."""

import re
from io import BytesIO

import pytest
from PIL import Image

from bot.engine.cards.packs import full_pack
from render.emojis import card_code, emojis, stem_of
from render.pictures import Pictures

EMOJIS = emojis()


def test_every_card_the_back_and_the_signs_have_one() -> None:
    stems = {stem_of(name) for name in EMOJIS}
    assert {f"c{card_code(card)}" for card in full_pack(2, 2)} < stems
    assert {"cback", "sign_wild", "sign_frozen", "sign_canasta", "sign_turn", "sign_clock"} < stems
    assert len(stems) == len(EMOJIS) == 59


@pytest.mark.parametrize("name", EMOJIS)
def test_an_emoji_is_what_discord_takes(name: str) -> None:
    assert re.fullmatch(r"[A-Za-z0-9_]{2,32}", name)
    assert len(EMOJIS[name]) <= 16_000
    with Image.open(BytesIO(EMOJIS[name])) as image:
        assert (image.format, image.mode, image.size) == ("PNG", "RGBA", (128, 128))
        assert image.getchannel("A").getpixel((0, 0)) == 0


async def test_every_card_has_its_own() -> None:
    pictures = Pictures()
    try:
        stems = {stem_of(name) for name in EMOJIS}
        assert {f"c{card_code(card)}" for card in full_pack(2, 2)} < stems
        assert await pictures.emojis() == EMOJIS
    finally:
        pictures.close()


def test_no_two_look_the_same() -> None:
    assert len(set(EMOJIS.values())) == len(EMOJIS)


def test_names_are_the_same_each_time() -> None:
    assert tuple(EMOJIS) == tuple(emojis.__wrapped__())
