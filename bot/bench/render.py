"""Measure the drawing of pictures, beside the least possible cost of the same pictures.

The least cost is a copy of the pixels, their look-up in the palette, and the compression of the result. Times are
processor time of the drawing thread, after warming up, without cached pictures. Start and memory are measured in
separate processes. `start_ms` is the wall time from an interpreter without Pillow until every card has been drawn
once; `idle` is the memory after that, `after_5000` the memory after 5000 different pictures in all themes.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import cycle
from pathlib import Path
from statistics import median
from time import perf_counter, thread_time
from typing import TYPE_CHECKING, Any, Final

from bot.engine.cards.cards import HEARTS, JOKER, TWO, card_of
from bot.engine.play.building_views import public_view, seat_view
from bot.engine.positions.position_reading import read_position
from bot.engine.table.views import MeldView, PublicView, SeatInfo, SeatView

if TYPE_CHECKING:
    from PIL import Image

    from render.picture_inputs import Picture
    from render.picture_queue import PictureQueue

ROUNDS: Final = 60
WARM_UP: Final = 8
MANY: Final = 5_000

POSITION: Final[Mapping[str, Any]] = {
    "players": 4,
    "scores": [1245, 2180],
    "dealer": 3,
    "deal": 3,
    "position": {
        "turn": 0,
        "phase": "draw",
        "hands": {"0": "As Ah Ks Kd Kc Th Tc 9d 7s 7h 7c 4d 3s JK 2c", "1": "4s 4h", "2": "5c 6d", "3": "4c 5h"},
        "stock": " ".join(["4c 5d 9h Jc Qd 8s 6h"] * 6),
        "pile": "5s 6d 9h Qc 4d 8h JK Tc 5d Jh 9c 4s Kd 6h 8c Qd 7s",
        "frozen": True,
        "melds": {
            "0": ["Ks Ks Kh Kd Kc Kh Kd Kc", "7s 7h 7d 7c 7s 2c JK", "9d 9h 9s 9c 2s", "Qs Qh Qd", "5s 5h 5c"],
            "1": ["As Ah Ad Ac As 2d 2h", "Js Jh Jd Jc Js Jh Jd Jc Js", "Td Th Ts Tc JK", "4c 4d 4h", "6s 6h 6d 6c"],
        },
        "red_threes": {"0": "3h 3d", "1": "3h"},
    },
}

ELEVEN: Final = "4s 4h 5d 6c 8h 9s Td Jh Qc Qd 3c"
FIFTEEN: Final = "As Ah Ks Kd Kc Th Tc 9d 7s 7h 7c 4d 3s JK 2c"
THIRTY: Final = (
    "As Ah Ad Ks Kh Kd Kc Qs Qd Js Jh Jc Ts Th Td Tc 9d 8s 8c 7s 7h 6c 5h 5d 4d 3s JK JK 2h 2c"
)  # fmt: skip

NAMES: Final = ("North", "East", "South", "West", "Sixth", "Fifth")
CLOCKS: Final = ("4:32", "7:05", "5:48", "6:17", "12:30", "9:10")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this measurement."""
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"how often each is drawn (default: {ROUNDS})")
    parser.add_argument("--many", type=int, default=MANY, help=f"pictures for the memory (default: {MANY})")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def execute(arguments: argparse.Namespace) -> int:
    """Measure the drawing of pictures and print the figures."""
    figures: dict[str, Any] = {
        name: measure_drawing(picture, arguments.rounds) for name, picture in sample_pictures().items()
    }
    figures["start_ms"] = round(measure_in_new_process("start_milliseconds"), 1)
    idle, after = (round(value, 1) for value in measure_in_new_process("memory_use", arguments.many))
    figures["memory_mb"] = {"idle": idle, f"after_{arguments.many}": after}
    print_figures(figures, as_json=arguments.json)
    return 0


def print_figures(figures: Mapping[str, Any], *, as_json: bool) -> None:
    """Print the figures, as JSON or one line each."""
    if as_json:
        print(json.dumps(figures))
        return
    for name, figure in figures.items():
        told = ", ".join(f"{key} {value}" for key, value in figure.items()) if isinstance(figure, dict) else figure
        print(f"{name}: {told}")


def sample_pictures() -> dict[str, Picture]:
    """Return the pictures to draw for the measurement, by name."""
    from render.picture_inputs import BoardPicture, HandPicture  # noqa: PLC0415 - a fresh process measures this import

    board = public_view(read_position(POSITION))
    hands = {"hand_11": ELEVEN, "hand_15": FIFTEEN, "hand_30": THIRTY}
    drawn: dict[str, Picture] = {
        name: HandPicture(view=hand, names=NAMES[:4], selected=tuple(card for card in hand.hand if card >> 2 == 3))
        for name, hand in ((name, view_of_hand(cards)) for name, cards in hands.items())
    }
    views = {
        "board_2": with_sides(board, ((0,), (1,))),
        "board_4": board,
        "board_6": with_sides(board, ((0, 2, 4), (1, 3, 5))),
        "board_worst": with_full_table(with_sides(board, ((0, 2, 4), (1, 3, 5)))),
    }
    for name, view in views.items():
        drawn[name] = BoardPicture(
            view=view,
            names=NAMES,
            headline="North to play",
            advice="Draw, or take the pile",
            rules_name="Classic",
            clocks=CLOCKS[: len(view.seats)],
        )
    return drawn


def view_of_hand(cards: str) -> SeatView:
    """Return the view of a seat at an otherwise empty table, with these cards in its hand."""
    position = {**POSITION["position"], "hands": {"0": cards}}
    return seat_view(read_position({**POSITION, "position": position}), 0)


def with_sides(view: PublicView, teams: tuple[tuple[int, ...], ...]) -> PublicView:
    """Return a view with these sides; each tuple holds the seats of a side."""
    sides = tuple(replace(view.sides[side], seats=team) for side, team in enumerate(teams))
    seats = (SeatInfo(seat, side, 11 + seat) for side, team in enumerate(teams) for seat in team)
    return replace(view, sides=sides, seats=tuple(sorted(seats, key=lambda info: info.seat)))


def with_full_table(view: PublicView) -> PublicView:
    """Return the view with a full table: eleven melds per side, and four red threes."""
    melds = []
    for kind in range(11):
        naturals = tuple(card_of(kind, number % 4) for number in range(3 + kind % 5))
        wilds = (card_of(TWO, HEARTS), card_of(JOKER))[: kind % 3]
        size = len(naturals) + len(wilds)
        canasta: Any = None if size < 7 else "mixed" if wilds else "natural"
        melds.append(MeldView(kind, tuple(sorted(naturals + wilds)), len(naturals), len(wilds), canasta))
    threes = view.sides[0].red_threes * 2
    return replace(view, sides=tuple(replace(side, melds=tuple(melds), red_threes=threes) for side in view.sides))


def measure_drawing(picture: Picture, rounds: int) -> dict[str, float]:
    """Return the processor times of drawing a picture, and of its least possible cost, by name."""
    from render.colour_themes import THEMES  # noqa: PLC0415
    from render.drawing.fonts import FontRuler  # noqa: PLC0415
    from render.drawing.paint_layout import draw_layout  # noqa: PLC0415
    from render.drawing.png import encode_png  # noqa: PLC0415
    from render.layouts import layout_of  # noqa: PLC0415

    palette, ruler = THEMES[picture.theme].palette, FontRuler()
    image = draw_layout(layout_of(picture, ruler))
    data = b""

    def draw_and_encode() -> None:
        nonlocal data
        data = encode_png(draw_layout(layout_of(picture, ruler)), palette)

    whole_times: list[float] = []
    floor_times: list[float] = []
    for number in range(rounds + WARM_UP):
        for job, times in ((draw_and_encode, whole_times), (cheapest_drawing(image, palette), floor_times)):
            start = thread_time()
            job()
            if number >= WARM_UP:
                times.append((thread_time() - start) * 1e3)
    return {
        "median_ms": round(median(whole_times), 2),
        "p95_ms": round(percentile(whole_times, 95), 2),
        "floor_ms": round(median(floor_times), 2),
        "ratio": round(median(whole_times) / median(floor_times), 2),
        "bytes": len(data),
    }


def cheapest_drawing(image: Image.Image, palette: str) -> Callable[[], object]:
    """Return a function that does the least work for a picture: copy, look up, compress its pixels."""
    from render.drawing.png import COMPRESSOR, reduce_to_palette  # noqa: PLC0415

    def copy_and_compress() -> object:
        packer = COMPRESSOR(1)
        return packer.compress(reduce_to_palette(image.copy(), palette).tobytes()), packer.flush()

    return copy_and_compress


def percentile(values: Sequence[float], percent: int) -> float:
    """Return the value below which `percent` per cent of the values lie."""
    return sorted(values)[min(len(values) - 1, len(values) * percent // 100)]


def measure_in_new_process(name: str, *values: int) -> Any:
    """Return the result of the function `name` of this module, called in a new process."""
    call = f"import bot.bench.render as b, json; print(json.dumps(b.{name}({', '.join(map(str, values))})))"
    done = subprocess.run([sys.executable, "-c", call], check=True, capture_output=True, text=True)  # noqa: S603
    return json.loads(done.stdout)


def start_milliseconds() -> float:
    """Return the milliseconds from an empty interpreter until every card has been drawn once."""
    begin = perf_counter()
    warmed_up_pictures()
    return (perf_counter() - begin) * 1e3


def warmed_up_pictures() -> PictureQueue:
    """Return a `PictureQueue` after it has drawn every card once; its thread has ended."""
    import asyncio  # noqa: PLC0415

    from render.picture_queue import PictureQueue  # noqa: PLC0415

    ready = PictureQueue()
    asyncio.run(ready.fill_caches())
    ready.close()
    return ready


def memory_use(pictures_drawn: int) -> tuple[float, float]:
    """Return the process's megabytes when it is ready, and after it has drawn `pictures_drawn` pictures."""
    ready = warmed_up_pictures()
    idle = process_memory()
    from render.layout_items import Deck, ThemeName  # noqa: PLC0415
    from render.picture_inputs import BoardPicture, HandPicture  # noqa: PLC0415

    looks = cycle([(theme, deck) for theme in ThemeName for deck in Deck])
    for number, (picture, (theme, deck)) in enumerate(zip(cycle(sample_pictures().values()), looks, strict=False)):
        if number == pictures_drawn:
            break
        if isinstance(picture, BoardPicture):
            view = replace(picture.view, stock=1 + number % 80, deal=1 + number // 80)
            ready.draw_blocking(replace(picture, view=view, theme=theme, deck=deck))
        elif isinstance(picture, HandPicture):
            ready.draw_blocking(replace(picture, title=f"Hand {number}", theme=theme, deck=deck))
    return idle, process_memory()


def process_memory() -> float:
    """Return this process's memory in megabytes, or its peak if the system gives only that."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        import resource  # noqa: PLC0415 - not on every system

        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak / (1 << 20 if sys.platform == "darwin" else 1 << 10)
    return pages * 4096 / (1 << 20)
