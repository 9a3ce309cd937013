"""Standings of a season: the printed example, ties, guests, removed persons."""

from __future__ import annotations

from dataclasses import replace

from bot.series.series import Night, NightStage, Placed, Series, SeriesPlan
from bot.series.standings import standings
from bot.tournaments.event.entries import Person
from tests.support.series import night_place
from tests.support.tournaments import usual_plan

ANA, BEN, CYD, DOV = (Person(one) for one in (1, 2, 3, 4))


def night_with_places(night_number: int, *rows: Placed) -> Night:
    return Night(
        season=1,
        number=night_number,
        date="2026-01-02",
        starts_at=0,
        stage=NightStage.CLOSED,
        placed=rows,
        entries=len(rows),
    )


def series_of_nights(*nights: Night, best: int = 2, guests: tuple[Person, ...] = ()) -> Series:
    names: dict[int, str] = {ANA: "Ana", BEN: "Ben", CYD: "Cyd", DOV: "Dov"}
    chosen = SeriesPlan(pattern=usual_plan(), zone="UTC", anchor="2026-01-02", minutes=0, nights=3, best=best, final=0)
    return Series(
        plan=chosen, hosts=(), created_at=0, last_date="2026-01-01", nights=nights, guests=guests, names=names
    )


EXAMPLE = (
    night_with_places(
        1, night_place(ANA, first=1, ranked=8), night_place(BEN, first=2, ranked=8), night_place(CYD, first=3, ranked=8)
    ),
    night_with_places(
        2,
        night_place(BEN, first=1, last=2, ranked=6),
        night_place(CYD, first=1, last=2, ranked=6),
        night_place(ANA, first=3, ranked=6),
    ),
    night_with_places(3, night_place(CYD, first=1, ranked=5), night_place(BEN, first=2, ranked=5)),
)


def news_codes(series: Series) -> list[tuple[str, int, float, list[float]]]:
    return [
        (series.names[row.person], row.first, row.total / 2, [one.points / 2 for one in row.dropped])
        for row in standings(series, 1)
    ]


def test_standings_equal_the_printed_example() -> None:
    expected = [("Ben", 1, 12.5, [4.0]), ("Ana", 2, 12.0, []), ("Cyd", 3, 11.5, [5.0])]
    assert expected == news_codes(series_of_nights(*EXAMPLE))


def test_a_reopened_night_does_not_count_in_the_standings() -> None:
    opened = replace(EXAMPLE[0], stage=NightStage.MADE, placed=(), entries=0)
    assert [("Cyd", 1, 10.5, []), ("Ben", 2, 9.5, []), ("Ana", 3, 4.0, [])] == news_codes(
        series_of_nights(opened, *EXAMPLE[1:])
    )


def test_guests_count_for_others_and_are_not_listed() -> None:
    expected = [("Ana", 1, 12.0, []), ("Cyd", 2, 11.5, [5.0])]
    assert expected == news_codes(series_of_nights(*EXAMPLE, guests=(BEN,)))


def test_equal_sums_go_by_the_best_night_then_by_first_places_then_are_shared() -> None:
    uneven = series_of_nights(
        night_with_places(1, night_place(ANA, first=1, ranked=4), night_place(BEN, first=2, ranked=4)),
        night_with_places(2, night_place(BEN, first=2, ranked=4), night_place(ANA, first=3, ranked=4)),
    )
    assert [("Ana", 1, 6.0, []), ("Ben", 2, 6.0, [])] == news_codes(uneven)
    firsts = series_of_nights(
        night_with_places(1, night_place(ANA, first=1, ranked=3), night_place(BEN, first=2, ranked=4)),
        night_with_places(2, night_place(ANA, first=3, ranked=5), night_place(BEN, first=3, ranked=5)),
    )
    assert [("Ana", 1, 6.0, []), ("Ben", 2, 6.0, [])] == news_codes(firsts)
    same = series_of_nights(night_with_places(1, night_place(ANA, BEN, first=1, ranked=4)))
    assert [1, 1] == [row.first for row in standings(same, 1)]
    assert [2, 2] == [row.last for row in standings(same, 1)]


def test_a_removed_entry_has_a_zero_that_counts() -> None:
    series = series_of_nights(
        night_with_places(1, night_place(ANA, first=1, ranked=4)),
        night_with_places(2, night_place(ANA, first=2, ranked=4)),
        night_with_places(3, night_place(ANA, first=4, ranked=4, removed=True)),
    )
    assert [("Ana", 1, 4.0, [3.0])] == news_codes(series)
