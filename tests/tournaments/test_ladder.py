"""The ladder: the winner's new rung, permitted challenges, and steps that the clock causes."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.clocks.clock import HOUR
from bot.clocks.quiet_hours import DAY
from bot.tournaments.event.ladder import (
    Ladder,
    LadderCode,
    LadderRefusal,
    LadderTerms,
    accept_open_challenge,
    add_challenge,
    add_entry,
    apply_deadlines,
    decline_open_challenge,
    next_deadline,
    order_after_events,
    record_result,
    remove_entry,
)

START = 1_000 * DAY


def ladder_of(entries: int, *, reach: int = 10) -> Ladder:
    ladder = Ladder(terms=LadderTerms(reach=reach))
    for entry in range(1, entries + 1):
        ladder = add_entry(ladder, entry, now=START)
    return ladder


def accept_challenge(ladder: Ladder, challenger: int, challenged: int, *, now: int = START) -> tuple[Ladder, int]:
    """Add a challenge and accept it; return the new ladder and the challenge's number."""
    ladder = add_challenge(ladder, challenger, challenged=challenged, now=now)
    number = ladder.challenges[-1].number
    return accept_open_challenge(ladder, number, now=now), number


def finish_match(ladder: Ladder, upper: int, lower: int, *, now: int = START) -> Ladder:
    ladder, number = accept_challenge(ladder, lower, upper, now=now)
    return record_result(ladder, number, winner=lower, now=now)


def refusal_of(step: Callable[[], object]) -> tuple[LadderCode, dict[str, int]]:
    with pytest.raises(LadderRefusal) as caught:
        step()
    return caught.value.code, caught.value.detail


def test_a_new_entry_is_on_the_last_rung() -> None:
    assert (1, 2, 3, 9) == add_entry(ladder_of(3), 9, now=START).entries
    assert (LadderCode.ALREADY_ON, {"entry": 2, "rung": 2}) == refusal_of(lambda: add_entry(ladder_of(3), 2, now=START))


@pytest.mark.parametrize(
    ("upper", "lower", "expected"),
    [
        (1, 2, (2, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11)),
        (3, 4, (1, 2, 4, 3, 5, 6, 7, 8, 9, 10, 11)),
        (1, 4, (1, 4, 2, 3, 5, 6, 7, 8, 9, 10, 11)),
        (2, 6, (1, 2, 3, 6, 4, 5, 7, 8, 9, 10, 11)),
        (1, 11, (1, 2, 3, 4, 5, 11, 6, 7, 8, 9, 10)),
    ],
)
def test_a_winner_from_below_climbs_half_the_way(upper: int, lower: int, expected: tuple[int, ...]) -> None:
    assert expected == finish_match(ladder_of(11), upper, lower).entries


@pytest.mark.parametrize("winner", [1, None])
def test_no_entry_changes_its_rung_when_the_upper_one_or_neither_wins(winner: int | None) -> None:
    ladder, number = accept_challenge(ladder_of(4), 4, 1)
    after = record_result(ladder, number, winner=winner, now=START)
    assert ((1, 2, 3, 4), ()) == (after.entries, after.challenges)


def test_a_result_counts_from_the_rungs_at_the_end_of_the_match() -> None:
    """Entry 6 has challenged 2; before their match ends, 5 has left and 3 has passed 2."""
    ladder, number = accept_challenge(ladder_of(6), 6, 2)
    ladder = finish_match(remove_entry(ladder, 5, now=START), 1, 3)
    assert (1, 3, 2, 4, 6) == ladder.entries
    assert (1, 3, 2, 6, 4) == record_result(ladder, number, winner=6, now=START).entries


def test_an_entry_may_challenge_up_to_ten_rungs_higher_or_as_agreed() -> None:
    assert (1,) == tuple(made.number for made in add_challenge(ladder_of(12), 12, challenged=2, now=START).challenges)
    too_far = refusal_of(lambda: add_challenge(ladder_of(12), 12, challenged=1, now=START))
    assert (LadderCode.TOO_FAR, {"distance": 11, "reach": 10}) == too_far
    too_far = refusal_of(lambda: add_challenge(ladder_of(12, reach=2), 4, challenged=1, now=START))
    assert (LadderCode.TOO_FAR, {"distance": 3, "reach": 2}) == too_far


def test_only_present_entries_above_can_be_challenged() -> None:
    ladder = ladder_of(3)
    assert (LadderCode.NOT_ABOVE, {"rung": 3, "own": 1}) == refusal_of(
        lambda: add_challenge(ladder, 1, challenged=3, now=START)
    )
    assert (LadderCode.ONESELF, {"entry": 2}) == refusal_of(lambda: add_challenge(ladder, 2, challenged=2, now=START))
    assert (LadderCode.NOT_ON, {"entry": 8}) == refusal_of(lambda: add_challenge(ladder, 8, challenged=2, now=START))
    assert (LadderCode.NOT_ON, {"entry": 8}) == refusal_of(lambda: remove_entry(ladder, 8, now=START))


@pytest.mark.parametrize(("challenger", "other", "busy"), [(4, 1, 1), (4, 3, 3), (3, 2, 3)])
def test_an_entry_is_in_one_challenge_at_a_time(challenger: int, other: int, busy: int) -> None:
    ladder = add_challenge(ladder_of(4), 3, challenged=1, now=START)
    answer = refusal_of(lambda: add_challenge(ladder, challenger, challenged=other, now=START))
    assert (LadderCode.BUSY, {"entry": busy, "challenge": 1}) == answer


def test_the_same_two_may_meet_again_after_seven_days() -> None:
    ladder = finish_match(ladder_of(3), 2, 3)
    again = START + 7 * DAY
    too_soon = refusal_of(lambda: add_challenge(ladder, 2, challenged=3, now=again - 1))
    assert (LadderCode.TOO_SOON, {"at": again}) == too_soon
    assert 1 == len(add_challenge(ladder, 2, challenged=3, now=again).challenges)
    assert 1 == len(add_challenge(ladder, 2, challenged=1, now=START).challenges)


def test_an_entry_that_does_not_accept_in_time_loses_one_rung() -> None:
    ladder = add_challenge(ladder_of(4), 4, challenged=2, now=START)
    due = START + 72 * HOUR
    assert due == next_deadline(ladder)
    assert ladder == apply_deadlines(ladder, now=due - 1).ladder
    swept = apply_deadlines(ladder, now=due)
    assert ((1, 3, 2, 4), ladder.challenges, ()) == (swept.ladder.entries, swept.lapsed, swept.idle)
    assert swept.ladder == apply_deadlines(swept.ladder, now=due).ladder
    assert LadderCode.NO_CHALLENGE == refusal_of(lambda: accept_open_challenge(ladder, 1, now=due))[0]
    assert LadderCode.NO_CHALLENGE == refusal_of(lambda: decline_open_challenge(ladder, 1, now=due))[0]
    assert LadderCode.TOO_SOON == refusal_of(lambda: add_challenge(swept.ladder, 4, challenged=2, now=due))[0]


def test_an_entry_that_declines_loses_one_rung_at_once() -> None:
    ladder = add_challenge(ladder_of(4), 4, challenged=1, now=START)
    after = decline_open_challenge(ladder, 1, now=START + HOUR)
    assert ((2, 1, 3, 4), ()) == (after.entries, after.challenges)


def test_an_accepted_challenge_does_not_expire() -> None:
    ladder, number = accept_challenge(ladder_of(3), 3, 1)
    assert ladder == apply_deadlines(ladder, now=START + 30 * DAY).ladder
    assert LadderCode.ALREADY_ACCEPTED == refusal_of(lambda: accept_open_challenge(ladder, number, now=START))[0]
    assert LadderCode.ALREADY_ACCEPTED == refusal_of(lambda: decline_open_challenge(ladder, number, now=START))[0]
    assert LadderCode.NOT_IN_IT == refusal_of(lambda: record_result(ladder, number, winner=2, now=START))[0]
    asked = add_challenge(ladder_of(3), 3, challenged=1, now=START)
    assert LadderCode.NOT_ACCEPTED == refusal_of(lambda: record_result(asked, 1, winner=3, now=START))[0]
    assert LadderCode.NO_CHALLENGE == refusal_of(lambda: record_result(asked, 2, winner=3, now=START))[0]


def test_idle_entries_are_removed_after_sixty_days_unless_playing() -> None:
    ladder, _ = accept_challenge(ladder_of(4), 3, 2, now=START + DAY)
    swept = apply_deadlines(ladder, now=START + 60 * DAY)
    assert ((2, 3), (1, 4)) == (swept.ladder.entries, swept.idle)
    assert swept.ladder == apply_deadlines(swept.ladder, now=START + 100 * DAY).ladder
    assert None is next_deadline(swept.ladder)
    over = record_result(swept.ladder, 1, winner=2, now=START + 100 * DAY)
    assert START + 160 * DAY == next_deadline(over)


def test_a_departing_entry_ends_its_open_challenge() -> None:
    after = remove_entry(add_challenge(ladder_of(4), 4, challenged=2, now=START), 2, now=START)
    assert ((1, 3, 4), ()) == (after.entries, after.challenges)


@given(st.integers(2, 15), st.integers(0, 2**32))
def test_every_entry_is_on_the_ladder_exactly_once(entries: int, chance: int) -> None:
    random, ladder, now = Random(chance), ladder_of(entries), START
    on = set(ladder.entries)
    for _ in range(60):
        now += random.randrange(3 * DAY)
        swept = apply_deadlines(ladder, now=now)
        ladder, on = swept.ladder, on - set(swept.idle)
        deadline = next_deadline(ladder)
        assert deadline is None or deadline > now
        try:
            ladder = take_random_step(ladder, random, now)
        except LadderRefusal:
            continue
        finally:
            assert sorted(on) == sorted(ladder.entries)
            assert order_after_events(ladder.events) == ladder.entries
            inside = [entry for made in ladder.challenges for entry in made.both_entries]
            assert len(inside) == len(set(inside))
            assert set(inside) <= on


def take_random_step(ladder: Ladder, random: Random, now: int) -> Ladder:
    """Return the ladder after a random step of a person; raises a refusal if it is not allowed."""
    number = random.randrange(1, ladder.next_number + 1)
    doing = random.randrange(4)
    if doing == 0:
        return accept_open_challenge(ladder, number, now=now)
    if doing == 1:
        return decline_open_challenge(ladder, number, now=now)
    if doing == 2:
        winner = random.choice((*ladder.find_open_challenge(number).both_entries, None))
        return record_result(ladder, number, winner=winner, now=now)
    return add_challenge(ladder, random.randrange(1, 16), challenged=random.randrange(1, 16), now=now)
