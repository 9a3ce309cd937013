"""Card emojis: within Discord's limits, one for each card, named after their content."""

import re
from io import BytesIO

from PIL import Image

from bot.engine.cards.cards import full_pack
from render.drawing.emojis import card_code, draw_emojis, emoji_stem
from render.picture_queue import PictureQueue


def test_every_card_the_back_and_the_signs_have_an_emoji() -> None:
    stems = {emoji_stem(name) for name in draw_emojis()}
    assert {f"c{card_code(card)}" for card in full_pack(2, 2)} < stems
    assert {"cback", "sign_wild", "sign_frozen", "sign_canasta", "sign_turn", "sign_clock"} < stems
    assert len(stems) == len(draw_emojis()) == 59


def test_every_emoji_is_within_discords_limits() -> None:
    for name, file in draw_emojis().items():
        assert re.fullmatch(r"[A-Za-z0-9_]{2,32}", name)
        assert len(file) <= 16_000, name
        with Image.open(BytesIO(file)) as image:
            assert (image.format, image.mode, image.size) == ("PNG", "RGBA", (128, 128)), name
            assert image.getchannel("A").getpixel((0, 0)) == 0, name


async def test_every_card_has_its_own_emoji() -> None:
    pictures = PictureQueue()
    try:
        stems = {emoji_stem(name) for name in draw_emojis()}
        assert {f"c{card_code(card)}" for card in full_pack(2, 2)} < stems
        assert await pictures.draw_emojis() == draw_emojis()
    finally:
        pictures.close()


def test_no_two_emojis_look_the_same() -> None:
    assert len(set(draw_emojis().values())) == len(draw_emojis())


def test_names_of_emojis_are_deterministic() -> None:
    assert tuple(draw_emojis()) == tuple(draw_emojis.__wrapped__())
