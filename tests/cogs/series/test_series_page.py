"""The web page of a series: complete, small, without scripts, without names of deleted people."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from bot.i18n import words
from bot.series.series import DivisionPlan
from bot.series.titles import achievements_of
from bot.tournaments.event.entries import Person
from cogs.series.html_page import MOST_BYTES, series_page_file
from tests.series.test_series_standings import EXAMPLE, series_of_nights
from tests.support.browser import needs_chromium, start_chromium
from tests.support.series_pages import long_series

WORDS = words("en")


def page_html(series: object) -> str:
    """Return the web page of a series as text."""
    assert isinstance(series, bytes)
    return series.decode()


def test_the_web_page_of_a_series_shows_standings_nights_champions_and_titles() -> None:
    series = replace(series_of_nights(*EXAMPLE), id=12)
    file = series_page_file(WORDS, series, achievements_of([series]))
    text = page_html(file.data)
    assert "series-12.html" == file.name
    assert "12.5" in text
    assert "7 + 5.5 <s>4</s>" in text
    assert text.index("<bdi>Ben</bdi>") < text.index("<bdi>Cyd</bdi>")
    assert "Night winner × 2" not in text  # nights of three entries are too small to count
    assert "<script" not in text
    assert "Night 1 · 2026-01-02 · 3 entries · <b><bdi>Ana</bdi></b>" in text


def test_a_name_is_escaped_and_a_former_player_has_none() -> None:
    series = series_of_nights(*EXAMPLE)
    series = replace(series, names={**series.names, 1: "<img src=x>"})
    assert "<img" not in page_html(series_page_file(WORDS, series, ()).data)
    gone = Person(-1_000_001)
    rows = tuple(replace(row, people=(gone,)) if row.people == (1,) else row for row in EXAMPLE[0].placed)
    forgotten = replace(series, nights=(replace(EXAMPLE[0], placed=rows),), names={gone: "", 2: "Ben", 3: "Cyd"})
    text = page_html(series_page_file(WORDS, forgotten, achievements_of([forgotten])).data)
    assert f"<bdi>{WORDS('seat.former')}</bdi>" in text
    assert "Ana" not in text


def test_the_web_page_of_a_series_with_a_thousand_members_stays_under_a_mebibyte() -> None:
    series = long_series()
    many = replace(series, nights=tuple(replace(one, season=1 + one.number % 20) for one in series.nights * 5))
    file = series_page_file(WORDS, many, achievements_of([many]))
    assert 10_000 < len(file.data) < MOST_BYTES


def test_the_web_page_of_a_series_names_divisions_and_counts_their_winners_titles() -> None:
    series = series_of_nights(*EXAMPLE)
    league = replace(series, plan=replace(series.plan, divisions=DivisionPlan()))
    text = page_html(series_page_file(WORDS, league, achievements_of([league])).data)
    assert "Division 2" in text
    assert "Division winner × 2" in text


@needs_chromium
def test_the_web_page_of_a_series_fits_a_phone(tmp_path: Path) -> None:
    file = tmp_path / "series.html"
    series = long_series(40)
    file.write_bytes(series_page_file(words("it"), series, achievements_of([series])).data)
    with start_chromium() as browser:
        window = browser.new_page(viewport={"width": 360, "height": 800}, java_script_enabled=False)
        window.goto(file.as_uri())
        assert window.evaluate("document.documentElement.scrollWidth") <= 360
        window.screenshot(path=str(tmp_path / "page.png"))
