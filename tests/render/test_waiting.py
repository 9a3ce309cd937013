"""Nobody's wishes hold up anybody else's picture, and a picture nobody wants any more is not drawn."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace

import pytest

from bot.engine.play.viewing import seat_view
from bot.engine.record.positions import read_position
from render.inputs import HandPicture, Picture
from render.pictures import MOST_WAITING, Pictures, Superseded
from tests.render import samples

HAND = HandPicture(view=seat_view(read_position(samples.MIDDLE), 0))


def titled(title: str) -> HandPicture:
    return replace(HAND, title=title)


class Slow(Pictures):
    """Draws nothing, notes what it should have drawn, and begins only when it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.titles: list[str] = []
        self.go = threading.Event()

    def picture(self, picture: Picture) -> bytes:
        self.go.wait(10)
        assert isinstance(picture, HandPicture)
        self.titles.append(picture.title)
        if picture.title == "broken":
            raise ValueError(picture.title)
        return picture.title.encode()


@pytest.fixture
def pictures() -> Slow:
    return Slow()


async def asked(pictures: Slow, title: str, owner: object, subject: object = 1) -> asyncio.Task[bytes]:
    """A picture that is asked for, and waits."""
    task = asyncio.create_task(pictures.hand(titled(title), owner=owner, subject=subject))
    await asyncio.sleep(0)
    return task


async def test_two_hundred_wishes_of_one_person_let_another_wait_for_one_picture(pictures: Slow) -> None:
    many = [await asked(pictures, f"mine {number}", "me", number) for number in range(200)]
    yours = await asked(pictures, "yours", "you")
    pictures.go.set()
    assert b"yours" == await yours
    assert ["mine 0", "yours"] == pictures.titles[:2]
    outcomes = await asyncio.gather(*many, return_exceptions=True)
    assert 1 + MOST_WAITING == sum(isinstance(outcome, bytes) for outcome in outcomes)
    assert ["mine 0", "yours", "mine 197", "mine 198", "mine 199"] == pictures.titles


async def test_a_newer_picture_of_the_same_thing_takes_the_place_of_the_older(pictures: Slow) -> None:
    first = await asked(pictures, "first", "me")
    second, yours, third = [
        await asked(pictures, title, owner) for title, owner in (("second", "me"), ("yours", "you"), ("third", "me"))
    ]
    other = await asked(pictures, "of another table", "me", 2)
    pictures.go.set()
    with pytest.raises(Superseded):
        await second
    assert (b"first", b"third", b"yours") == (await first, await third, await yours)
    assert b"of another table" == await other
    assert "second" not in pictures.titles


async def test_a_picture_without_waiting_requests_is_not_drawn(pictures: Slow) -> None:
    first, second, third = [await asked(pictures, title, title) for title in ("first", "second", "third")]
    second.cancel()
    await asyncio.sleep(0)
    pictures.go.set()
    assert (b"first", b"third") == (await first, await third)
    assert ["first", "third"] == pictures.titles


async def test_a_picture_that_fails_fails_for_its_own_caller(pictures: Slow) -> None:
    broken, sound = await asked(pictures, "broken", "me"), await asked(pictures, "sound", "you")
    pictures.go.set()
    with pytest.raises(ValueError, match="broken"):
        await broken
    assert b"sound" == await sound


async def test_without_an_owner_every_wish_waits_for_itself(pictures: Slow) -> None:
    tasks = [await asked(pictures, str(number), None) for number in range(8)]
    pictures.go.set()
    assert [str(number).encode() for number in range(8)] == await asyncio.gather(*tasks)


async def test_requests_for_abandoned_pictures_end(pictures: Slow) -> None:
    first, second = await asked(pictures, "first", "me"), await asked(pictures, "second", "you")
    pictures.go.set()
    pictures.close()
    assert b"first" == await first
    with pytest.raises(RuntimeError):
        await second
