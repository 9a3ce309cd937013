"""The page of a tournament: its contents, and its statements that a reader can check."""

from __future__ import annotations

import argparse
import hashlib
import re
import shlex
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest

from bot import verify_command
from bot.i18n import locales, words
from bot.tournaments.event.plan import Duplicate
from bot.tournaments.format_traits import FormatKind
from cogs.tournament.final_results import fitting_page_bytes, replay_html_by_deal
from cogs.tournament.page.page import page_html
from tests.support.tournament_exports import CUPS, files_of_closed_cup, open_services_with_closed_cup
from tests.support.tournaments import DIRECTOR, open_evening, pairs, usual_plan

EMPTY = {"meta", "br"}


class NestingParser(HTMLParser):
    """Parser of a page that notes ids, links, and elements closed in the wrong place."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.wrong: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        self.ids += [one for one in [told.get("id")] if one]
        self.links += [one for one in [told.get("href"), told.get("src")] if one]
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)


@pytest.mark.parametrize("name", CUPS)
async def test_the_page_is_well_formed_and_links_only_to_itself(tmp_path: Path, name: str) -> None:
    html, *_ = await files_of_closed_cup(tmp_path, name)
    found = NestingParser()
    found.feed(html.data.decode())
    assert ([], []) == (found.open, found.wrong)
    assert len(found.ids) == len(set(found.ids))
    assert {link.removeprefix("#") for link in found.links} <= set(found.ids)


@pytest.mark.parametrize("locale", locales())
async def test_the_files_of_a_cup_are_made_in_every_language(tmp_path: Path, locale: str) -> None:
    given = await files_of_closed_cup(tmp_path, "boards", locale=locale)
    assert ["html", "json", "zip"] == [one.name.rpartition(".")[2] for one in given]
    assert all(one.description for one in given)
    text = given[0].data.decode()
    assert f'lang="{locale}"' in text
    assert words(locale)("event_page.rounds") in text


async def test_every_deal_has_its_replay_and_the_commands_check_the_shuffles(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with open_services_with_closed_cup(tmp_path, "boards") as (evening, number):
        material = await evening.events.exports.export_input(number, person=99)
        replays = await replay_html_by_deal(words(), evening.world.service, material.tournament)
        text = page_html(words(), material, replays)
    assert {(match.id, board) for match in material.tournament.matches for board in match.boards} == set(replays)
    lines = [unescape(line) for line in re.findall(r"<code>(canasta-bot verify .*?)</code>", text)]
    assert len(material.tournament.boards) == len(lines)
    parser = argparse.ArgumentParser()
    verify_command.add_arguments(parser)
    assert [verify_command.HOLDS] * len(lines) == [
        verify_command.execute(parser.parse_args(shlex.split(line)[2:])) for line in lines
    ]
    assert "FAILS" not in capsys.readouterr().out
    assert material.tournament.commitment == hashlib.sha256(bytes.fromhex(material.tournament.lot_shown)).hexdigest()
    assert material.tournament.commitment in text
    assert material.tournament.lot_shown in text


async def test_before_the_close_the_page_has_no_seed_hand_or_sealed_board(tmp_path: Path) -> None:
    boards = Duplicate(boards=6, in_a_round=2)
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_tournament(usual_plan(kind=FormatKind.DUPLICATE, duplicate=boards), pairs(4))
        view = await evening.events.overview.get_tournament(number)
        await evening.advance_to(view.plan.starts_at)
        await evening.give_matches_channels(number)
        material = await evening.events.exports.export_input(number, person=DIRECTOR)
        before = page_html(words(), material, {})
        table = (await evening.events.overview.get_tournament(number)).matches[0].tables[0].table
        await evening.play_table(table)
        await evening.wait_until_idle()
        assert () == await evening.world.service.contest.replays(table)
        after = page_html(words(), await evening.events.exports.export_input(number, person=DIRECTOR), {})
        lot = await evening.world.store.tournaments.secret(number, "lot")
    assert before == after
    assert lot is not None
    assert lot.hex() not in after
    assert 6 == after.count("Sealed until its last table has played it.")
    assert "Not over yet" in after


async def test_a_page_that_would_be_too_large_refers_to_a_file_of_replays(tmp_path: Path) -> None:
    async with open_services_with_closed_cup(tmp_path, "swiss") as (evening, number):
        material = await evening.events.exports.export_input(number, person=99)
        replays = await replay_html_by_deal(words(), evening.world.service, material.tournament)
    assert b"/replay" not in fitting_page_bytes(words(), material, replays)
    small = fitting_page_bytes(words(), material, replays, largest=30_000)
    assert b"/replay" in small
    assert b'class="replay"' not in small
