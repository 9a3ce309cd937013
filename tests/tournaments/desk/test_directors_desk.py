"""Directors' actions without Discord: previews, undo, what they may rule on and see, the log."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.clocks.clock import MINUTE
from bot.i18n import words
from bot.store.contest_tables import ContestRow
from bot.tables.contest.service import ContestService
from bot.tables.service import TableService
from bot.tables.state.snapshots import Caller, Status
from bot.tournaments.desk.ruling_preview import (
    ProposedRuling,
    ProposedRulingKind,
    impartial_directors,
    may_see_open_hands,
)
from bot.tournaments.event import rulings
from bot.tournaments.event.counted_results import course_of, match_as_counted
from bot.tournaments.event.entries import EntryStage
from bot.tournaments.event.match_state import RoundStage
from bot.tournaments.event.plan import Duplicate
from bot.tournaments.event.refusals import TournamentCode, TournamentRefusal
from bot.tournaments.event.tournament import RulingKind
from bot.tournaments.event.tournament_changes import with_match
from bot.tournaments.format_traits import FormatKind
from bot.tournaments.service import TournamentService
from bot.tournaments.standings.rows import standings
from bot.tournaments.table_sync import TableSync
from cogs.tournament.news import news_line
from tests.support.clock import ManualClock
from tests.support.directed_tournament import FIRST, VERA, DirectedEvening, entry_number_of_person
from tests.support.tables import CHANNEL, GUILD, open_world


@pytest.fixture
async def evening(tmp_path: Path) -> AsyncIterator[DirectedEvening]:
    clock = ManualClock()
    async with open_world(tmp_path / "canasta.db", clock=clock) as world:
        service = TournamentService(world.store, clock, world.service, away=world.readiness.outages)
        yield DirectedEvening(service, clock, GUILD, CHANNEL)
        await service.playing.finish()


async def play_first_round(evening: DirectedEvening) -> None:
    """Play round 1 at two tables, where both first sides win; round 2 is then drawn."""
    await evening.draw_first_round()
    await evening.begin_round()
    await evening.finish_round([(500, 300), (200, 150)], [(700, 100), (50, 60)])


async def refusal_code(request: object) -> TournamentCode:
    with pytest.raises(TournamentRefusal) as caught:
        await request  # type: ignore[misc]
    return caught.value.code


async def test_a_preview_shows_results_and_places_and_changes_nothing(evening: DirectedEvening) -> None:
    await play_first_round(evening)
    before = await evening.tournament()
    match = before.matches_of(1)[0]
    first, second = match.sides[0][0], match.sides[1][0]
    proposal = ProposedRuling(
        does=ProposedRulingKind.ADJUST, match=match.id, scores=((500, 900), (200, 150)), reason="wrong count"
    )
    preview = await evening.service.desk_views.preview(evening.caller(), evening.number, proposal)
    assert [((second,), (first,))] == [one.groups for one in preview.changes.turned]
    assert {first, second} <= {one.entry for one in preview.changes.moved}
    assert ((), 2) == (preview.called, preview.redrawn)
    assert before == await evening.tournament()


async def test_a_ruling_does_what_its_preview_showed(evening: DirectedEvening) -> None:
    await play_first_round(evening)
    match = (await evening.tournament()).matches_of(1)[0]
    scores = ((500, 900), (200, 150))
    proposal = ProposedRuling(does=ProposedRulingKind.ADJUST, match=match.id, scores=scores, reason="wrong count")
    told = await evening.service.desk_views.preview(evening.caller(), evening.number, proposal)
    after = await evening.service.desk.adjust_scores(
        evening.caller(), evening.number, match.id, scores=scores, reason="wrong count"
    )
    places = {row.entry: row.place for row in standings(course_of(after, running=True))}
    assert {one.entry: one.after for one in told.changes.moved} == {
        one.entry: places[one.entry] for one in told.changes.moved
    }


async def test_undoing_all_gives_the_first_standings(evening: DirectedEvening) -> None:
    """Scenario 6 of `docs/tournaments.md` 9."""
    await play_first_round(evening)
    await evening.begin_round()
    before = await evening.tournament()
    one, two = before.matches_of(1)
    ask, number = evening.service, evening.number
    await ask.desk.adjust_scores(evening.caller(), number, one.id, scores=((0, 900), (0, 0)), reason="wrong count")
    await ask.desk.forfeit_match(evening.caller(), number, two.id, sides=(0,), reason="left early")
    await ask.desk.void_match(evening.caller(), number, two.id, reason="wrong cards")
    await ask.desk.give_points(evening.caller(), number, one.id, points=(1, 1), reason="agreed")
    entry = two.sides[1][0]
    await ask.desk_entries.penalise_entry(
        evening.caller(), number, entry, category="late", level=3, reason="twelve minutes"
    )
    ruled = await evening.tournament()
    assert standings(course_of(before)) != standings(course_of(ruled))
    for made in reversed(ruled.rulings):
        preview = await ask.desk_views.preview(
            evening.caller(), number, ProposedRuling(does=ProposedRulingKind.UNDO, ruling=made.number)
        )
        called = () if made.what is RulingKind.PENALTY else (2,)
        assert (called, None) == (preview.called, preview.redrawn)
        await ask.desk.undo_ruling(evening.caller(), number, ruling=made.number)
    after = await evening.tournament()
    assert standings(course_of(before)) == standings(course_of(after))
    assert [one.sides for one in before.matches_of(2)] == [one.sides for one in after.matches_of(2)]


async def test_in_a_bracket_a_preview_names_the_matches_that_it_makes_void(evening: DirectedEvening) -> None:
    await evening.draw_first_round(kind=FormatKind.SINGLE)
    await evening.begin_round()
    await evening.finish_round([(500, 300)], [(700, 100)])
    await evening.begin_round()
    tournament = await evening.tournament()
    final, first = tournament.matches_of(2)[0], tournament.matches_of(1)[0]
    proposal = ProposedRuling(does=ProposedRulingKind.FORFEIT, match=first.id, sides=(0,), reason="not entered")
    told = await evening.service.desk_views.preview(evening.caller(), evening.number, proposal)
    assert (final.id,) == told.voided
    assert {first.sides[0][0], first.sides[1][0]} <= {one.entry for one in told.changes.moved}


async def test_a_ruling_is_refused_if_another_director_has_ruled_meanwhile(evening: DirectedEvening) -> None:
    """Case 40 of `docs/tournaments.md` 8."""
    await play_first_round(evening)
    seen = await evening.tournament()
    one, two = sorted(seen.matches_of(1), key=lambda match: FIRST not in match.seats)
    ask, number = evening.service, evening.number
    # an action of a player does not outdate the director's view
    await ask.entering.call_director(evening.caller(FIRST), number, one.id)
    scores = ((0, 900), (0, 0))
    await ask.desk.adjust_scores(
        evening.caller(), number, one.id, scores=scores, reason="one", expected_version=seen.version
    )
    late = ask.desk.adjust_scores(
        evening.caller(), number, two.id, scores=scores, reason="two", expected_version=seen.version
    )
    assert TournamentCode.STALE_TOURNAMENT is await refusal_code(late)
    fresh = await evening.tournament()
    await ask.desk.adjust_scores(
        evening.caller(), number, two.id, scores=scores, reason="two", expected_version=fresh.version
    )


async def test_a_playing_director_cannot_rule_on_their_own_match(evening: DirectedEvening) -> None:
    evening.director = FIRST
    await play_first_round(evening)
    ask, number, tournament = evening.service, evening.number, await evening.tournament()
    own = next(one for one in tournament.matches_of(1) if FIRST in one.seats)
    entry = entry_number_of_person(tournament, FIRST)
    for asked in (
        ask.desk.adjust_scores(evening.caller(), number, own.id, scores=((9, 0),), reason="mine"),
        ask.desk_views.preview(evening.caller(), number, ProposedRuling(does=ProposedRulingKind.VOID, match=own.id)),
        ask.desk_entries.penalise_entry(evening.caller(), number, entry, category="late", level=1, reason="mine"),
        ask.desk_entries.remove_entry(evening.caller(), number, entry),
    ):
        assert TournamentCode.DIRECTOR_PLAYS is await refusal_code(asked)
    await ask.desk_entries.add_director(evening.caller(), number, person=VERA, name="Vera")
    opponents = own.sides[1] if entry in own.sides[0] else own.sides[0]
    await evening.begin_round()
    vera = Caller(VERA, "Vera", GUILD, next(evening.requests))
    await ask.desk_entries.penalise_entry(vera, number, entry, category="talk", level=3, reason="advice")
    made = (await evening.tournament()).rulings[-1]
    assert TournamentCode.DIRECTOR_PLAYS is await refusal_code(
        ask.desk.undo_ruling(evening.caller(), number, ruling=made.number)
    )
    meets_again = next(one for one in (await evening.tournament()).matches_of(2) if FIRST in one.seats)
    other = next(
        entry for side in meets_again.sides for entry in side if entry != entry_number_of_person(tournament, FIRST)
    )
    assert opponents
    late = ask.desk_entries.penalise_entry(evening.caller(), number, other, category="late", level=4, reason="late")
    assert TournamentCode.DIRECTOR_PLAYS is await refusal_code(late)


async def test_only_directors_who_do_not_play_see_hands_and_lists_of_unusual_play(evening: DirectedEvening) -> None:
    evening.director = FIRST
    await play_first_round(evening)
    ask, number, tournament = evening.service, evening.number, await evening.tournament()
    assert (False, ()) == (may_see_open_hands(tournament, FIRST), impartial_directors(tournament))
    assert TournamentCode.PLAYS is await refusal_code(ask.desk_views.unusual_play_lists(evening.caller(), number))
    match = tournament.matches_of(1)[0].id
    assert TournamentCode.PLAYS is await refusal_code(
        ask.desk_views.deal_record(evening.caller(), number, match, deal=None)
    )
    vera = Caller(VERA, "Vera", GUILD, next(evening.requests))
    assert TournamentCode.NOT_DIRECTOR is await refusal_code(ask.desk_views.unusual_play_lists(vera, number))
    after = await ask.desk_entries.become_director(vera, number)
    assert (VERA,) == impartial_directors(after)
    assert 5 == len(
        await ask.desk_views.unusual_play_lists(Caller(VERA, "Vera", GUILD, next(evening.requests)), number)
    )


async def test_a_deal_in_play_is_looked_at_without_its_hands(evening: DirectedEvening) -> None:
    await evening.draw_first_round()
    tournament = await evening.begin_round()
    record = await evening.service.desk_views.deal_record(
        evening.caller(), evening.number, tournament.matches[0].id, deal=None
    )
    assert ((), (1,), 1) == (record.frames, record.log.deals, record.log.deal)


async def test_the_log_shows_person_action_and_reason(evening: DirectedEvening) -> None:
    await play_first_round(evening)
    match = (await evening.tournament()).matches_of(1)[0]
    ask, number = evening.service, evening.number
    evening.clock.advance(MINUTE)
    await ask.desk.adjust_scores(evening.caller(), number, match.id, scores=((9, 0), (0, 0)), reason="wrong count")
    log = await ask.desk_views.director_log(evening.caller(), number)
    latest = log[0]
    assert (VERA, "adjust", {"match": match.id, "reason": "wrong count"}) == (latest.by, latest.kind, latest.detail)
    assert latest.ruling is not None
    assert RulingKind.ADJUST is latest.ruling.what
    assert ["ruled_adjust"] == [one.code for one in latest.told]
    assert ("create", VERA) == (log[-1].kind, log[-1].by)
    clock = [one for one in log if one.kind == "clock"]
    assert all(one.by is None for one in clock)
    assert any("check_in_open" in [news.code for news in one.told] for one in clock)


async def test_a_penalty_of_level_four_also_costs_a_finished_match_and_can_be_undone(evening: DirectedEvening) -> None:
    await evening.draw_first_round()
    tournament = await evening.begin_round()
    one, two = tournament.matches_of(1)
    await evening.finish_match(one.id, (500, 300))
    before = await evening.tournament()
    winner = one.sides[0][0]
    ask, number = evening.service, evening.number
    await ask.desk_entries.penalise_entry(
        evening.caller(), number, winner, category="conduct", level=4, reason="insults"
    )
    after = await evening.tournament()
    won = [match.winner for match in course_of(after, running=True).rounds[0].matches]
    assert [1] == won
    for made in reversed(after.rulings):
        await ask.desk.undo_ruling(evening.caller(), number, ruling=made.number)
    undone = await evening.tournament()
    assert course_of(before, running=True).rounds == course_of(undone, running=True).rounds
    assert two.result is None


async def test_a_penalty_of_level_five_removes_an_entry_that_can_be_brought_back(evening: DirectedEvening) -> None:
    await play_first_round(evening)
    ask, number, entry = evening.service, evening.number, 1
    await ask.desk_entries.penalise_entry(
        evening.caller(), number, entry, category="conduct", level=5, reason="insults"
    )
    assert EntryStage.REMOVED is (await evening.tournament()).entrant(entry).stage
    await ask.desk_entries.bring_back_entry(evening.caller(), number, entry)
    assert EntryStage.PLAYING is (await evening.tournament()).entrant(entry).stage


async def test_the_next_round_is_not_drawn_while_results_are_open(evening: DirectedEvening) -> None:
    """Case 20 of `docs/tournaments.md` 8: there is no way to draw early."""
    await evening.draw_first_round()
    tournament = await evening.begin_round()
    await evening.finish_match(tournament.matches_of(1)[0].id, (500, 300))
    after = await evening.tournament()
    assert 1 == len(after.rounds)
    assert RoundStage.CALLED is after.rounds[0].stage


async def test_an_entry_removed_and_restored_before_the_call_keeps_its_opponent(evening: DirectedEvening) -> None:
    """Case 13 of `docs/tournaments.md` 8."""
    await play_first_round(evening)
    before = [one.sides for one in (await evening.tournament()).matches_of(2)]
    await evening.service.desk_entries.remove_entry(evening.caller(), evening.number, 1)
    await evening.service.desk_entries.bring_back_entry(evening.caller(), evening.number, 1)
    assert before == [one.sides for one in (await evening.tournament()).matches_of(2)]


class TablesThatEndAtOnce(ContestService):
    """A contest service whose tables end just after they have been read."""

    async def tables_of(self, tournament: int, match: int | None = None) -> tuple[ContestRow, ...]:
        rows = await super().tables_of(tournament, match)
        for row in rows:
            await self.void(row.table)
        return rows


async def test_a_table_that_ends_during_a_ruling_is_not_changed(evening: DirectedEvening) -> None:
    await evening.draw_first_round()
    tournament = await evening.begin_round()
    store = evening.service.repository.store
    tables = TableService(store, evening.clock)
    tables.contest = TablesThatEndAtOnce(tables._context)
    await TableSync(tables, store).update_tables(tournament, tournament.matches)
    rows = await evening.service.playing._tables.contest.tables_of(evening.number)
    assert {Status.CLOSED} == {row.status for row in rows}


async def test_an_outage_costs_no_time_and_is_announced(tmp_path: Path) -> None:
    """The bot is away for 25 minutes during a round (`docs/tournaments.md` 1.5)."""
    clock = ManualClock()
    outages: list[tuple[int, int]] = []
    async with open_world(tmp_path / "canasta.db", clock=clock) as world:
        service = TournamentService(world.store, clock, world.service, away=lambda: tuple(outages))
        evening = DirectedEvening(service, clock, GUILD, CHANNEL)
        await evening.draw_first_round()
        before = (await evening.begin_round()).matches_of(1)[0]
        outages.append((clock.now(), clock.now() + 25 * MINUTE))
        after = await evening.advance_and_ring_alarms(25 * MINUTE)
        assert before.due is not None
        due = before.due + 25 * MINUTE
        assert due == after.matches_of(1)[0].due
        news = next(one for one in after.news if one.code == "was_away")
        text = f"The bot was away for 25 minutes; round 1 now ends <t:{due // 1000}:t>. Nothing was lost."
        assert text == news_line(words("en"), after, news)
        await service.playing.finish()


async def start_duplicate(evening: DirectedEvening) -> int:
    """Start a duplicate whose first match has finished boards 1 and 2; return that match's number."""
    await evening.draw_first_round(
        kind=FormatKind.DUPLICATE, duplicate=Duplicate(boards=6, in_a_round=2), deals=1, rounds=None
    )
    match = (await evening.begin_round()).matches_of(1)[0]
    await evening.finish_match(match.id, (320, 0), (0, 150))
    return match.id


async def test_only_directors_who_do_not_play_see_sealed_boards(evening: DirectedEvening) -> None:
    match = await start_duplicate(evening)
    ask, number = evening.service, evening.number
    await ask.desk_entries.add_director(evening.caller(), number, person=FIRST, name="Ana")
    assert () == await ask.desk_views.finished_deals(evening.caller(FIRST), number, match)
    assert [(320, 0), (0, 150)] == [
        one.scores for one in await ask.desk_views.finished_deals(evening.caller(), number, match)
    ]


async def test_a_match_with_adjusted_scores_keeps_the_numbers_of_its_boards(evening: DirectedEvening) -> None:
    await evening.draw_first_round()
    tournament = await evening.begin_round()
    match = tournament.matches_of(1)[0]
    after = await evening.finish_match(match.id, (320, 0), (0, 150))
    one = after.match(match.id)
    assert one.result is not None
    boards = tuple(replace(deal, number=deal.number + 2) for deal in one.result.deals)
    moved = with_match(after, replace(one, result=replace(one.result, deals=boards)))
    scores = ((300, 0), (0, 150))
    ruled = rulings.set_scores(
        moved, match=match.id, scores=scores, reason="count", director=VERA, now=evening.clock.now()
    )
    assert [3, 4] == [deal.number for deal in match_as_counted(ruled, ruled.match(match.id)).deals]
