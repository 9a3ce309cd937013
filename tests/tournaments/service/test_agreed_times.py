"""Times on which slow matches agree: offers, agreement, reminders, and players who miss them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bot.clocks.clock import HOUR, MINUTE
from bot.clocks.time_rules import DAY, PRESETS, ClockTerms
from bot.tables.state.clocks import TableSettings
from bot.tables.state.snapshots import Status, TableSnapshot
from bot.tournaments.event.match_state import MatchState
from bot.tournaments.event.plan import SLOW
from bot.tournaments.event.refusals import TournamentCode
from bot.tournaments.event.slow.agreed_times import LASTS
from bot.tournaments.event.tournament import Tournament
from tests.support.clock import ManualClock
from tests.support.tournaments import (
    Evening,
    news_codes,
    open_evening,
    pairs,
    refusal_of,
    rules_with_endless_deals,
    usual_plan,
)

FORTNIGHT = TableSettings(clock=ClockTerms("a fortnight", 14 * DAY, 0, 14 * DAY), vacation=0)


async def call_slow_round(evening: Evening, **chosen: Any) -> Tournament:
    """Call a slow round of two pairs, all of whom have arrived; return the tournament."""
    slow: dict[str, Any] = {**SLOW, "settings": FORTNIGHT, "starts_at": evening.clock.now() + 100 * HOUR, **chosen}
    number = await evening.begin_round(usual_plan(**slow), pairs(2))
    tournament = await evening.events.overview.get_tournament(number)
    for person in tournament.matches[0].seats:
        await evening.events.entering.mark_arrived(person or 0, number, 1)
    await evening.wait_until_idle()
    return await evening.events.overview.get_tournament(number)


async def agree_on_time(evening: Evening, tournament: Tournament, at: int) -> Tournament:
    """Let the first person offer a time and all others accept it; return the tournament."""
    first, *others = [one for one in tournament.matches[0].seats if one is not None]
    entering = evening.events.entering
    await entering.offer_times(evening.caller(first), tournament.id, 1, instants=[at])
    for one in others:
        await entering.accept_time(evening.caller(one), tournament.id, 1, at=at)
    return await evening.events.overview.get_tournament(tournament.id)


async def test_the_first_time_that_suits_all_is_agreed_and_reminded_twice(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        tournament = await call_slow_round(evening)
        first, *others = [one for one in tournament.matches[0].seats if one is not None]
        soon, late = evening.clock.now() + 2 * DAY, evening.clock.now() + 3 * DAY
        entering = evening.events.entering
        await entering.offer_times(evening.caller(first), tournament.id, 1, instants=[soon, late])
        for one in others[:2]:
            await entering.accept_time(evening.caller(one), tournament.id, 1, at=soon)
        view = await entering.offer_times(evening.caller(others[2]), tournament.id, 1, instants=[late])
        assert view.matches[0].agreed_at is None
        for one in others[:2]:
            view = await entering.accept_time(evening.caller(one), tournament.id, 1, at=late)
        assert late == view.matches[0].agreed_at
        assert 1 == news_codes(view).count("time_agreed")
        view = await entering.accept_time(evening.caller(others[2]), tournament.id, 1, at=soon)
        assert late == view.matches[0].agreed_at  # the time agreed earlier stays
        await evening.advance_to(late - DAY)
        assert 1 == news_codes(await evening.events.overview.get_tournament(tournament.id)).count("time_near")
        await evening.advance_to(late - 15 * MINUTE)
        assert 2 == news_codes(await evening.events.overview.get_tournament(tournament.id)).count("time_near")


async def test_a_time_that_is_kept_costs_nothing(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        tournament = await call_slow_round(evening, deals=2)
        at = evening.clock.now() + DAY
        await agree_on_time(evening, tournament, at)
        await evening.advance_to(at + MINUTE)
        await evening.play_called_matches(tournament.id)
        await evening.advance_to(at + LASTS)
        view = await evening.events.overview.get_tournament(tournament.id)
        assert () == view.matches[0].missed
        assert view.matches[0].result is not None


async def test_a_person_who_misses_two_agreed_times_forfeits(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        tournament = await call_slow_round(evening)
        for number in (1, 2):
            at = evening.clock.now() + DAY
            await agree_on_time(evening, tournament, at)
            await evening.advance_to(at + LASTS - MINUTE)
            assert number - 1 == news_codes(await evening.events.overview.get_tournament(tournament.id)).count(
                "time_missed"
            )
            await evening.advance_to(at + LASTS)
        view = await evening.events.overview.get_tournament(tournament.id)
        result = view.matches[0].result
        assert result is not None
        assert (view.matches[0].missed[0],) == result.forfeited
        assert "times_forfeited" in news_codes(view)


async def test_an_outage_over_an_agreed_time_is_no_miss(tmp_path: Path) -> None:
    clock, path = ManualClock(), tmp_path / "canasta.db"
    async with open_evening(path, clock=clock) as evening:
        tournament = await call_slow_round(evening)
        at = clock.now() + DAY
        await agree_on_time(evening, tournament, at)
        await evening.advance_to(at + MINUTE)
    clock.advance(4 * HOUR)
    async with open_evening(path, clock=clock, first_request=8_000_000) as evening:
        await evening.ring_alarms()
        match = (await evening.events.overview.get_tournament(tournament.id)).matches[0]
        assert (at + 4 * HOUR, ()) == (match.agreed_at, match.missed)
        assert at + 4 * HOUR + LASTS == match.hours_until


async def test_a_side_that_never_answers_forfeits_at_the_end(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        tournament = await call_slow_round(evening)
        first = tournament.matches[0].seats[0] or 0
        due = tournament.matches[0].due or 0
        offers = [evening.clock.now() + DAY, evening.clock.now() + DAY + HOUR, evening.clock.now() + 3 * DAY]
        await evening.events.entering.offer_times(evening.caller(first), tournament.id, 1, instants=offers)
        await evening.advance_to(due)
        result = (await evening.events.overview.get_tournament(tournament.id)).matches[0].result
        assert result is not None
        assert (1,) == result.forfeited


async def test_a_side_that_answered_or_had_offers_for_one_day_only_does_not_forfeit(tmp_path: Path) -> None:
    for case, answered in (("one-day", False), ("answered", True)):
        async with open_evening(tmp_path / f"{case}.db") as evening:
            tournament = await call_slow_round(evening)
            first, second, *_ = [one or 0 for one in tournament.matches[0].seats]
            day = (evening.clock.now() // DAY + 2) * DAY
            offers = [day + HOUR, day + 2 * HOUR, day + 3 * HOUR + (DAY if answered else 0)]
            entering = evening.events.entering
            await entering.offer_times(evening.caller(first), tournament.id, 1, instants=offers)
            if answered:
                await entering.accept_time(evening.caller(second), tournament.id, 1, at=offers[0])
            await evening.advance_to(tournament.matches[0].due or 0)
            assert "times_forfeited" not in news_codes(await evening.events.overview.get_tournament(tournament.id))


async def test_unsuitable_times_and_offers_of_strangers_are_refused(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        tournament = await call_slow_round(evening)
        first, due = tournament.matches[0].seats[0] or 0, tournament.matches[0].due or 0
        offer, me = evening.events.entering.offer_times, evening.caller
        for unfit in (evening.clock.now(), due):
            asked = offer(me(first), tournament.id, 1, instants=[evening.clock.now() + DAY, unfit])
            assert TournamentCode.TIME_UNFIT is (await refusal_of(asked))[0]
        assert () == (await evening.events.overview.get_tournament(tournament.id)).matches[0].times
        assert (
            TournamentCode.NOT_ENTERED is (await refusal_of(offer(me(99), tournament.id, 1, instants=[due - DAY])))[0]
        )
        suits = evening.events.entering.accept_time(me(first), tournament.id, 1, at=due - DAY)
        assert TournamentCode.TIME_UNFIT is (await refusal_of(suits))[0]


async def test_live_matches_have_no_agreed_times(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_round(usual_plan(), pairs(2))
        first = (await evening.events.overview.get_tournament(number)).matches[0].seats[0] or 0
        asked = evening.events.entering.offer_times(
            evening.caller(first), number, 1, instants=[evening.clock.now() + MINUTE]
        )
        assert TournamentCode.TIMES_LIVE is (await refusal_of(asked))[0]


async def only_match(evening: Evening, tournament: Tournament) -> MatchState:
    """Return the only match as it is now."""
    return (await evening.events.overview.get_tournament(tournament.id)).matches[0]


async def table_of_only_match(evening: Evening, tournament: Tournament) -> TableSnapshot:
    """Return the table of the only match."""
    return await evening.world.service.reading.snapshot(tournament.matches[0].tables[0].table)


def time_left(snapshot: TableSnapshot) -> list[int]:
    """Return the remaining time of each seat, in milliseconds."""
    assert snapshot.clocks is not None
    return [one.time_left for one in snapshot.clocks.seats]


async def test_from_the_agreed_time_the_live_clock_holds_for_three_hours(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        tournament = await call_slow_round(evening, rules=rules_with_endless_deals())
        at = evening.clock.now() + 2 * DAY
        await agree_on_time(evening, tournament, at)
        await evening.advance_to(at - MINUTE)
        before = await table_of_only_match(evening, tournament)
        assert (None, None) == (before.settings.clock, (await only_match(evening, tournament)).hours_until)
        await evening.advance_to(at)
        match = await only_match(evening, tournament)
        assert (at + LASTS, ()) == (match.hours_until, match.came)
        assert 1 == news_codes(await evening.events.overview.get_tournament(tournament.id)).count("time_begins")
        view = await table_of_only_match(evening, tournament)
        assert PRESETS["live"] == view.settings.clock
        assert [5 * MINUTE] * 4 == time_left(view)
        await evening.pass_time(20 * MINUTE)
        assert Status.PLAYING is (await table_of_only_match(evening, tournament)).status, (
            "who has given no sign loses nothing"
        )
        for person in match.seats:
            await evening.events.entering.mark_arrived(person or 0, tournament.id, 1)
        await evening.wait_until_idle()
        await evening.play_idle_turn(view.id)
        await evening.pass_time(3 * MINUTE)
        await evening.play_idle_turn(view.id)
        assert {3 * MINUTE, 6 * MINUTE} <= set(time_left(await table_of_only_match(evening, tournament)))


async def test_after_the_three_hours_the_slow_clock_goes_on_with_what_was_left(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        tournament = await call_slow_round(evening, rules=rules_with_endless_deals())
        at = evening.clock.now() + 2 * DAY
        await agree_on_time(evening, tournament, at)
        await evening.advance_to(at - MINUTE)
        view = await table_of_only_match(evening, tournament)
        assert view.view is not None
        others = [one.person or 0 for seat, one in enumerate(view.seats) if seat != view.view.actor]
        before = time_left(view)
        await evening.advance_to(at + HOUR)
        await evening.events.entering.mark_arrived(others[0], tournament.id, 1)
        await evening.advance_to(at + LASTS)
        view, match = await table_of_only_match(evening, tournament), await only_match(evening, tournament)
        assert (Status.PLAYING, FORTNIGHT.clock) == (view.status, view.settings.clock)
        assert before == time_left(view) == [14 * DAY] * 4, "nothing is charged from the agreement on"
        assert (None, (), 1) == (match.hours_until, match.came, len(match.missed))
        await evening.play_idle_turn(view.id)
        assert Status.PLAYING is (await table_of_only_match(evening, tournament)).status


async def test_a_person_who_is_there_and_lets_the_live_clock_lapse_forfeits(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        tournament = await call_slow_round(evening, rules=rules_with_endless_deals())
        at = evening.clock.now() + 2 * DAY
        await agree_on_time(evening, tournament, at)
        await evening.advance_to(at)
        table = await table_of_only_match(evening, tournament)
        assert table.view is not None
        seat = table.view.actor
        assert seat is not None
        await evening.events.entering.mark_arrived(table.seats[seat].person or 0, tournament.id, 1)
        await evening.wait_until_idle()
        await evening.pass_time(10 * MINUTE)
        result = (await only_match(evening, tournament)).result
        assert result is not None
        assert (seat % 2,) == result.forfeited


async def test_nobody_is_awaited_or_out_of_time_before_an_agreed_time(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        slow: dict[str, Any] = {**SLOW, "starts_at": evening.clock.now() + 100 * HOUR, "round_time": 20 * DAY}
        number = await evening.begin_round(usual_plan(**slow, rules=rules_with_endless_deals()), pairs(2))
        tournament = await evening.events.overview.get_tournament(number)
        at = evening.clock.now() + 8 * DAY
        await agree_on_time(evening, tournament, at)
        await evening.wait_until_idle()
        await evening.advance_to(at + MINUTE)
        view = await evening.events.overview.get_tournament(number)
        assert not {"table_waits", "no_show"} & set(news_codes(view))
        assert (None, at + LASTS) == (view.matches[0].result, view.matches[0].hours_until)
        await evening.advance_to(at + LASTS + 47 * HOUR)
        assert (await only_match(evening, tournament)).result is None
        await evening.advance_to(at + LASTS + 73 * HOUR)
        assert (await only_match(evening, tournament)).result is not None, "then the usual waits hold again"
