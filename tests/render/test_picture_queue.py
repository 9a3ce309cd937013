"""One person's pictures do not delay another's, and abandoned requests are not drawn."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace

import pytest

from bot.engine.play.building_views import seat_view
from bot.engine.positions.position_reading import read_position
from render.picture_inputs import HandPicture, Picture
from render.picture_queue import MOST_CACHED, MOST_WAITING, PictureQueue, RequestSuperseded
from tests.render import samples

HAND = HandPicture(view=seat_view(read_position(samples.MIDDLE), 0))


def picture_titled(title: str) -> HandPicture:
    return replace(HAND, title=title)


class SlowPictures(PictureQueue):
    """A queue that draws nothing: it notes the requested pictures once `go` is set."""

    def __init__(self) -> None:
        super().__init__()
        self.titles: list[str] = []
        self.go = threading.Event()

    def draw_blocking(self, picture: Picture) -> bytes:
        self.go.wait(10)
        assert isinstance(picture, HandPicture)
        self.titles.append(picture.title)
        if picture.title == "broken":
            raise ValueError(picture.title)
        return picture.title.encode()


@pytest.fixture
def pictures() -> SlowPictures:
    return SlowPictures()


async def request_picture(
    pictures: SlowPictures, title: str, owner: object, subject: object = 1
) -> asyncio.Task[bytes]:
    """Start a task that requests a picture; return it once it waits."""
    task = asyncio.create_task(pictures.draw_hand(picture_titled(title), owner=owner, subject=subject))
    await asyncio.sleep(0)
    return task


async def test_two_hundred_requests_of_one_person_delay_another_by_one_picture(pictures: SlowPictures) -> None:
    many = [await request_picture(pictures, f"mine {number}", "me", number) for number in range(200)]
    yours = await request_picture(pictures, "yours", "you")
    pictures.go.set()
    assert b"yours" == await yours
    assert ["mine 0", "yours"] == pictures.titles[:2]
    outcomes = await asyncio.gather(*many, return_exceptions=True)
    assert 1 + MOST_WAITING == sum(isinstance(outcome, bytes) for outcome in outcomes)
    assert ["mine 0", "yours", "mine 197", "mine 198", "mine 199"] == pictures.titles


async def test_a_newer_picture_of_the_same_subject_replaces_the_older(pictures: SlowPictures) -> None:
    first = await request_picture(pictures, "first", "me")
    second, yours, third = [
        await request_picture(pictures, title, owner)
        for title, owner in (("second", "me"), ("yours", "you"), ("third", "me"))
    ]
    other = await request_picture(pictures, "of another table", "me", 2)
    pictures.go.set()
    with pytest.raises(RequestSuperseded):
        await second
    assert (b"first", b"third", b"yours") == (await first, await third, await yours)
    assert b"of another table" == await other
    assert "second" not in pictures.titles


async def test_a_picture_without_waiting_requests_is_not_drawn(pictures: SlowPictures) -> None:
    first, second, third = [await request_picture(pictures, title, title) for title in ("first", "second", "third")]
    second.cancel()
    await asyncio.sleep(0)
    pictures.go.set()
    assert (b"first", b"third") == (await first, await third)
    assert ["first", "third"] == pictures.titles


async def test_a_failing_picture_fails_only_for_its_caller(pictures: SlowPictures) -> None:
    broken, sound = await request_picture(pictures, "broken", "me"), await request_picture(pictures, "sound", "you")
    pictures.go.set()
    with pytest.raises(ValueError, match="broken"):
        await broken
    assert b"sound" == await sound


async def test_requests_without_an_owner_wait_separately(pictures: SlowPictures) -> None:
    tasks = [await request_picture(pictures, str(number), None) for number in range(8)]
    pictures.go.set()
    assert [str(number).encode() for number in range(8)] == await asyncio.gather(*tasks)


async def test_requests_for_abandoned_pictures_end(pictures: SlowPictures) -> None:
    first, second = await request_picture(pictures, "first", "me"), await request_picture(pictures, "second", "you")
    pictures.go.set()
    pictures.close()
    assert b"first" == await first
    with pytest.raises(RuntimeError):
        await second


async def test_a_recent_picture_is_not_drawn_again(pictures: SlowPictures) -> None:
    pictures.go.set()
    for title in ("first", "first", *map(str, range(MOST_CACHED - 1)), "first"):
        assert title.encode() == await pictures.draw_hand(picture_titled(title))
    assert ["first", *map(str, range(MOST_CACHED - 1))] == pictures.titles
    for title in ("one more", "another", "0"):
        await pictures.draw_hand(picture_titled(title))
    assert ["one more", "another", "0"] == pictures.titles[MOST_CACHED:], "the least recent is kept no longer"
