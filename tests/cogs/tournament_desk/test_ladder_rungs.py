"""Setting the rung (ladder position) of an entry at the desk."""

from __future__ import annotations

from bot.clocks.clock import HOUR
from bot.tournaments.format_traits import FormatKind
from tests.cogs.tournament_desk.conftest import Desk
from tests.support.discord import text_of


async def test_a_rung_is_set_by_a_form_and_undone_in_the_log(desk: Desk) -> None:
    evening = desk.evening
    await evening.enter_all_pairs(kind=FormatKind.LADDER)
    await evening.advance_and_ring_alarms(HOUR)
    view = await evening.tournament()
    assert view.ladder is not None
    before = view.ladder.entries
    shown = await desk.vera.choose(await desk.open_page("desk_entry"), "desk_pick_entry", str(before[-1]))
    wrong = await desk.fill_form(shown, "desk_rung", rung="9", reason="champion")
    assert "The ladder has rungs 1 to 4." in text_of(wrong)
    done = await desk.fill_form(wrong, "desk_rung", rung="1", reason="champion")
    assert "The rung is set." in text_of(done)
    view = await evening.tournament()
    assert view.ladder is not None
    assert (before[-1], *before[:-1]) == view.ladder.entries
    log = await desk.open_page("desk_log")
    asked = await desk.vera.choose(log, "desk_undo", "1")
    assert "Rung set." in text_of(asked)
    await desk.vera.click(asked, "desk_undone")
    view = await evening.tournament()
    assert view.ladder is not None
    assert before == view.ladder.entries
