"""Every notice has the buttons of its decision, or a link.

Pressed in a pause they change nothing, pressed late they tell why. This is acceptance line 6 of the amendments to
`docs/long-games.md`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.clocks.clock import HOUR, MINUTE, SECOND
from bot.clocks.time_rules import DAY, Stage
from bot.i18n import Words, locales, words
from bot.tables.state.absence import Absence, SeatReturn, Unopposed
from bot.tables.state.clocks import TableSettings
from bot.tables.state.proposals import Proposal, ProposalKind
from bot.tables.state.snapshots import ClosingReason, MissedRoll, SeatHolder, Status, TableSnapshot, WaitingQuestion
from cogs.shared.discord_api.components import Page
from cogs.shared.notices import turn_texts
from cogs.shared.notices.event_notices import NoticeKind, pending_notices
from cogs.shared.notices.event_texts import event_page
from cogs.shared.notices.turn_decisions import AwaitedTurn, names_of_kept_seat_notices, turns_to_notify
from tests.cogs.test_message_timing import NOW
from tests.cogs.test_notices_besides_turns import OBJECT, TAKE, VOTE, table, table_with_kept_seat
from tests.cogs.test_table_messages import RecordedRequests, caller
from tests.cogs.test_turn_notice_decisions import snapshot_with_running_clock
from tests.support.clock import ManualClock, ShiftedClock
from tests.support.discord import (
    Message,
    Person,
    controls,
    discord_world,
    enabled_actions,
    press_stale_control,
    text_of,
)
from tests.support.discord_limits import all_components, broken_limits
from tests.support.slow_discord_games import TERMS, SlowGames, mentions

MESSAGE = "https://discord.com/channels/1/2/3"
LOBBY = SeatHolder("person", 1, "Chi")
LEFT = ("keep_game", "hand", "back")


def lobby_after_roll_call(**known: Any) -> TableSnapshot:
    """Return a lobby in which a player did not answer the roll call."""
    snapshot = table(1, 2, 3, None)
    free = (*snapshot.seats[:3], SeatHolder("empty"))
    missed = MissedRoll(NOW, (SeatHolder("person", 9, "Chi"),))
    return replace(snapshot, status=Status.LOBBY, view=None, seats=free, missed=missed, **known)


def table_in_clock_stage(stage: Stage) -> TableSnapshot:
    snapshot = snapshot_with_running_clock(table(), stage)
    assert snapshot.clocks is not None
    return replace(snapshot, clocks=replace(snapshot.clocks, decided_at=NOW + 3 * HOUR))


def game_without_opponents(*, opens: bool) -> TableSnapshot:
    """Return a game in which both players of the second side are absent."""
    away = tuple(SeatHolder("computer", number=n, kept_for=one, kept_name=f"Ben{n}") for n, one in ((1, 1), (2, 3)))
    snapshot = table(absence=Absence(kept=(0, 2), unopposed=Unopposed(NOW, NOW + 1 if opens else None)))
    return replace(
        snapshot, seats=(away[0], snapshot.seats[1], away[1], snapshot.seats[3]), choice_at=None if opens else NOW + 1
    )


CASES: dict[NoticeKind, tuple[TableSnapshot, set[str]]] = {
    NoticeKind.VOTE: (
        table(absence=Absence(vote=VOTE)),
        {"vote_wait", "vote_computer", "vote_substitute", "vote_end"},
    ),
    NoticeKind.VOTED_ON: (table(absence=Absence(vote=VOTE)), {"im_back"}),
    NoticeKind.ALLOWANCE: (table_in_clock_stage(Stage.EXTENDED), set()),
    NoticeKind.UNOPPOSED: (game_without_opponents(opens=False), {"hand"}),
    NoticeKind.CHOICE: (game_without_opponents(opens=True), {"pick_play_on", "pick_end", "pick_claim"}),
    NoticeKind.AWAY: (game_without_opponents(opens=False), {"back"}),
    NoticeKind.AWAY_CHOICE: (game_without_opponents(opens=True), {"back"}),
    NoticeKind.CLAIM: (table(absence=Absence(claims=(TAKE,))), {"seat_yes", "seat_no"}),
    NoticeKind.OFFER: (
        replace(table(), proposal=Proposal(ProposalKind.PAUSE, 2, 7, (2,), days=3)),
        {"close_yes", "close_no"},
    ),
    NoticeKind.ENDS: (table(absence=Absence(ends_at=NOW + DAY, ends_told=True)), set()),
    NoticeKind.IDLE: (table(absence=Absence(idle_at=NOW + DAY)), {"keep_game"}),
    NoticeKind.OVER: (replace(table(), status=Status.FINISHED), set()),
    NoticeKind.GIVEN: (table_with_kept_seat(), set()),
    NoticeKind.BACK: (table(absence=Absence(returned=SeatReturn(0, (1, 4)))), set()),
    NoticeKind.MOVED: (table(), set()),
    NoticeKind.GONE: (table(), set()),
    NoticeKind.MISSED: (lobby_after_roll_call(), {"start_missed", "keep_lobby"}),
    NoticeKind.SILENT: (lobby_after_roll_call(), {"sit_again"}),
    NoticeKind.WAIT_ON: (
        replace(lobby_after_roll_call(), waiting=WaitingQuestion(9, (1,))),
        {"start_waiting", "wait_on"},
    ),
    NoticeKind.CLOSED: (replace(table(), status=Status.CLOSED, closed_because=ClosingReason.IDLE), set()),
}
"""A table with a notice of each kind, and the decision's buttons that it has at the table."""


def notice_pages(catalogue: Words) -> list[Page]:
    """Return a notice of each kind, as it is posted at the table."""
    found = []
    for kind, (snapshot, _) in CASES.items():
        matters = [
            one for one in pending_notices(snapshot, now=NOW, lost_place=True, moved_place=True) if one.kind is kind
        ]
        found.append(event_page(catalogue, snapshot, matters, mention=True, addresses={}))
    return found


def buttons_of(page: Any) -> tuple[set[str], set[str]]:
    """Return the actions and the links of a page's buttons."""
    parts = page.view.to_components()
    assert [] == broken_limits(parts)
    found = [one for one in all_components(parts) if one["type"] == 2]
    assert all("{" not in one["label"] for one in found)
    actions = {one["custom_id"].split(":")[3] for one in found if "custom_id" in one}
    return actions, {one["url"] for one in found if "url" in one}


@pytest.mark.parametrize("kind", NoticeKind, ids=lambda kind: kind.value)
@pytest.mark.parametrize("locale", locales())
def test_a_notice_has_the_buttons_of_its_decision_or_opens_the_table(kind: NoticeKind, locale: str) -> None:
    snapshot, wanted = CASES[kind]
    matters = [one for one in pending_notices(snapshot, now=NOW, lost_place=True, moved_place=True) if one.kind is kind]
    assert matters
    at_table = event_page(words(locale), snapshot, matters, mention=True, addresses={snapshot.id: MESSAGE})
    address = f"https://discord.com/channels/{snapshot.guild}" if kind is NoticeKind.GONE else MESSAGE
    assert (wanted, set() if wanted else {address}) == buttons_of(at_table)
    direct = event_page(words(locale), snapshot, matters[:1], mention=False, addresses={snapshot.id: MESSAGE})
    assert (set(), {address}) == buttons_of(direct), "a direct message links to the table's message"


@pytest.mark.parametrize("stage", Stage, ids=lambda stage: stage.value)
def test_a_notice_of_a_turn_offers_the_hand_and_one_of_a_kept_seat_the_way_back(stage: Stage) -> None:
    snapshot = table_with_kept_seat() if stage is Stage.LAPSED else snapshot_with_running_clock(table(), stage)
    debts = [(snapshot, AwaitedTurn(0, 1, "1.4", stage, NOW, NOW + HOUR))]
    page = turn_texts.turns_page(words(), debts, stage, mention=True, addresses={snapshot.id: MESSAGE})
    expected = ({"back"}, set()) if stage is Stage.LAPSED else ({"hand"}, {MESSAGE})
    assert expected == buttons_of(page)
    page = turn_texts.turns_page(words(), debts, stage, mention=False, addresses={snapshot.id: MESSAGE})
    assert (set(), {MESSAGE}) == buttons_of(page)


def test_a_player_who_uses_vacation_twice_in_a_turn_is_told_of_once() -> None:
    def allowance_notices(stage: Stage) -> set[tuple[str, bool]]:
        matters = pending_notices(table_in_clock_stage(stage), now=NOW)
        return {(one.about, one.needed) for one in matters if one.kind is NoticeKind.ALLOWANCE}

    ((about, needed),) = allowance_notices(Stage.VACATION)
    assert needed
    assert {(about, False)} == allowance_notices(Stage.RUNNING), "what was sent stays, so that it is not sent again"
    assert set() == allowance_notices(Stage.LAPSED)


def test_the_notice_of_a_kept_seat_stays_while_no_opponent_is_left() -> None:
    snapshot = game_without_opponents(opens=True)
    assert () == tuple(one for one in turns_to_notify(snapshot) if one.stage is Stage.LAPSED)
    assert {(1, "kept.1"), (3, "kept.1")} == names_of_kept_seat_notices(snapshot)


def test_a_notice_that_asks_for_an_objection_also_offers_no() -> None:
    snapshot = table(absence=Absence(claims=(OBJECT,)))
    matters = [one for one in pending_notices(snapshot, now=NOW) if one.kind is NoticeKind.CLAIM]
    page = event_page(words(), snapshot, matters, mention=True, addresses={})
    labels = [one["label"] for one in all_components(page.view.to_components()) if one["type"] == 2]  # type: ignore[no-untyped-call]
    assert ["Object", "No"] == labels


def test_one_notice_of_several_tables_links_to_each() -> None:
    snapshot = snapshot_with_running_clock(table())
    debts = [
        (replace(snapshot, id=number), AwaitedTurn(0, 1, "1.4", Stage.RUNNING, NOW, NOW + HOUR)) for number in (3, 7)
    ]
    addresses = {3: MESSAGE, 7: f"{MESSAGE}7"}
    for mention in (True, False):
        page = turn_texts.turns_page(words(), debts, Stage.RUNNING, mention=mention, addresses=addresses)
        assert (set(), set(addresses.values())) == buttons_of(page)


# --- pressed ----------------------------------------------------------------------------------------------------------

VOTED = TableSettings(clock=TERMS, extension=False, vacation=0)
UNCLOCKED = TableSettings(idle=7)
NOTHING_DECIDED = "The game at table 1 is paused. Votes and questions wait until it goes on."


@pytest.fixture
async def live_games(tmp_path: Path) -> AsyncIterator[SlowGames]:
    """Yield a simulated Discord for panels: its own time passes, which panels need to update themselves."""
    clock = ShiftedClock()
    async with discord_world(tmp_path, clock=clock, silence=1000 * DAY) as world:
        yield SlowGames(world, clock)


@pytest.fixture
async def games(tmp_path: Path) -> AsyncIterator[SlowGames]:
    clock = ManualClock()
    async with discord_world(tmp_path, clock=clock, silence=1000 * DAY) as world:
        yield SlowGames(world, clock)


def notices_with_buttons(games: SlowGames, *actions: str) -> list[Message]:
    """Return the messages at the table that mention people and have these buttons."""
    found = [one for one in games.discord.world.canasta.history() if not one.flags.ephemeral]
    return [one for one in found if set(actions) <= set(controls(one)) and text_of(one).startswith("<@")]


async def only_notice(games: SlowGames, *actions: str) -> Message:
    (found,) = notices_with_buttons(games, *actions)
    return found


async def pause_game(games: SlowGames) -> None:
    await games.discord.application.tables.masters.pause(
        caller(games.discord, games.discord.person(3)), 1, reason="storm"
    )
    await games.wait_until_idle()


async def resume_game(games: SlowGames, after: int = MINUTE) -> None:
    await games.pass_time(after)
    tables = games.discord.application.tables
    await tables.masters.resume(caller(games.discord, games.discord.person(3)), 1, reason="over")
    await games.wait_until_idle()


async def check_refused_in_a_pause(games: SlowGames, person: Person, message: Message, *actions: str) -> None:
    """Fail if one of these buttons changes anything while the game is paused."""
    await pause_game(games)
    before = (await games.discord.snapshot()).version
    for action in actions:
        assert NOTHING_DECIDED in text_of(await person.click(message, action))
    assert before == (await games.discord.snapshot()).version
    await resume_game(games)


async def press_and_come_back(games: SlowGames, person: Person, message: Message, action: str) -> None:
    """Press a button that brings its person back, and let the bot finish all that follows."""
    assert "Welcome back." in text_of(await person.click(message, action))
    await games.wait_until_idle()


async def let_all_time_run_out(games: SlowGames) -> tuple[Person, Person]:
    """Let all time of the player in turn run out; return that person, and the other one."""
    await games.start_game(settings=VOTED)
    host, absent = games.persons
    if (await games.person_in_turn()).id == host.id:
        await games.play_turn()
    await games.pass_time(20 * HOUR)
    for _ in range(3):
        await games.pass_time(MINUTE)
    assert (await games.discord.snapshot()).vote is not None
    return absent, host


async def test_buttons_of_a_votes_notice_decide_it_except_in_a_pause_and_later_tell_the_result(
    games: SlowGames,
) -> None:
    absent, host = await let_all_time_run_out(games)
    asked = await only_notice(games, "vote_computer")
    assert {"vote_wait", "vote_computer", "vote_substitute"} == enabled_actions(asked)
    await check_refused_in_a_pause(games, host, asked, "vote_wait", "vote_computer", "vote_substitute")
    requests = RecordedRequests(games.discord)
    assert "That decided the vote." in text_of(await host.click(asked, "vote_computer"))
    await games.wait_until_idle()
    texts = [person for person, text in mentions(requests) if text.startswith("<@")]
    assert [str(absent.id)] == texts, "nobody is called for what they did"
    late = await press_stale_control(
        games.discord, host, await games.discord.board(), controls(asked)["vote_wait"]["custom_id"]
    )
    assert "Already decided: a computer plays for x." == text_of(late)
    ends = await press_stale_control(games.discord, absent, await games.discord.board(), f"cn:1:{1}:im_back:")
    assert "Already decided: a computer plays for you." in text_of(ends)
    assert {"back"} == enabled_actions(ends)


async def test_the_absent_person_ends_the_vote_by_saying_that_they_are_back_also_in_a_pause(
    live_games: SlowGames,
) -> None:
    absent, host = await let_all_time_run_out(live_games)
    told = await only_notice(live_games, "im_back")
    assert f"<@{absent.id}>: Your time at table 1 is up. The others decide about your seat" in text_of(told)
    vote = await only_notice(live_games, "vote_computer")
    await pause_game(live_games)
    await press_and_come_back(live_games, absent, told, "im_back")
    snapshot = await live_games.discord.snapshot()
    assert (None, absent.id) == (snapshot.vote, snapshot.seats[snapshot.seat_of(absent.id) or 0].person)
    await resume_game(live_games)
    assert [] == notices_with_buttons(live_games, "im_back")
    late = await press_stale_control(
        live_games.discord,
        host,
        await live_games.discord.board(),
        controls(vote)["vote_computer"]["custom_id"],
    )
    assert "Already decided: x is back." == text_of(late)


@pytest.mark.parametrize(("action", "text"), [("close_no", "x does not agree."), ("close_yes", "everyone agreed.")])
async def test_a_proposal_is_answered_by_a_button_of_its_notice(games: SlowGames, action: str, text: str) -> None:
    await games.start_game(settings=UNCLOCKED)
    host, friend = games.persons
    consent = games.discord.application.tables.consent
    await consent.propose(caller(games.discord, host), 1, ProposalKind.SUBSTITUTE)
    await games.wait_until_idle()
    asked = await only_notice(games, "close_yes")
    assert {"close_yes", "close_no"} == enabled_actions(asked)
    asked_id = controls(asked)["close_yes"]["custom_id"]
    await friend.click(asked, action)
    await games.wait_until_idle()
    assert [] == notices_with_buttons(games, "close_yes")
    late = await press_stale_control(games.discord, friend, await games.discord.board(), asked_id)
    assert f"Already decided: {text}" == text_of(late)


async def test_a_proposal_is_not_answered_while_the_table_has_no_channel(games: SlowGames) -> None:
    await games.start_game(settings=UNCLOCKED)
    host, friend = games.persons
    tables = games.discord.application.tables
    await tables.consent.propose(caller(games.discord, host), 1, ProposalKind.END)
    await games.wait_until_idle()
    asked = await only_notice(games, "close_yes")
    for _ in range(4):
        for method, path in (("PATCH", "/channels/*/messages/*"), ("POST", "/channels/*/messages")):
            games.discord.environment.inject_error(method, path, status=403, code=50001)
    await tables.places.record_lost_channel(1)
    await games.wait_until_idle()
    for action in ("close_yes", "close_no"):
        assert NOTHING_DECIDED in text_of(await friend.click(asked, action))
    assert (await games.discord.snapshot()).proposal is not None


async def test_a_claim_to_a_seat_is_answered_by_a_button_of_its_notice(games: SlowGames) -> None:
    absent, host = await let_all_time_run_out(games)
    await host.click(await only_notice(games, "vote_computer"), "vote_computer")
    await games.wait_until_idle()
    stranger, tables = games.discord.person(2), games.discord.application.tables
    seat = next(
        number for number, one in enumerate((await games.discord.snapshot()).seats) if one.kept_for == absent.id
    )
    await tables.lobby.take_seat(caller(games.discord, stranger), 1, seat, joined_at=0)
    await games.wait_until_idle()
    asked = await only_notice(games, "seat_yes")
    assert {"seat_yes", "seat_no"} == enabled_actions(asked)
    await check_refused_in_a_pause(games, host, asked, "seat_yes", "seat_no")
    yes = controls(asked)["seat_yes"]["custom_id"]
    await host.click(asked, "seat_yes")
    await games.wait_until_idle()
    late = await press_stale_control(games.discord, host, await games.discord.board(), yes)
    assert "Already decided: x has the seat." == text_of(late)


async def test_an_idle_game_is_kept_by_a_button_of_its_notice(games: SlowGames) -> None:
    await games.start_game(settings=UNCLOCKED)
    host, _ = games.persons
    await games.pass_time(6 * DAY)
    asked = await only_notice(games, "keep_game")
    assert {"keep_game"} == enabled_actions(asked)
    await check_refused_in_a_pause(games, host, asked, "keep_game")
    keep = controls(asked)["keep_game"]["custom_id"]
    assert "Noted: table 1 stays open." == text_of(await host.click(await only_notice(games, "keep_game"), "keep_game"))
    await games.wait_until_idle()
    assert [] == notices_with_buttons(games, "keep_game")
    late = await press_stale_control(games.discord, host, await games.discord.board(), keep)
    assert "Already decided: table 1 stays open." == text_of(late)
    requests = RecordedRequests(games.discord)
    await games.pass_time(6 * DAY)
    await games.pass_time(DAY)
    closed = [(person, text) for person, text in mentions(requests) if "is closed" in text]
    assert ClosingReason.IDLE is (await games.discord.snapshot()).closed_because
    assert [str(host.id)] == [person for person, _ in closed], "one message mentions both"
    late = await press_stale_control(games.discord, host, await games.discord.board(), keep)
    assert "Already decided: table 1 is closed." == text_of(late)


async def test_a_vote_is_announced_again_after_a_pause_of_an_hour_and_not_after_a_shorter_one(games: SlowGames) -> None:
    absent, host = await let_all_time_run_out(games)
    first, until = await only_notice(games, "vote_computer"), (await games.discord.snapshot()).vote_until
    await pause_game(games)
    await resume_game(games, 59 * MINUTE)
    assert first.id == (await only_notice(games, "vote_computer")).id
    await pause_game(games)
    requests = RecordedRequests(games.discord)
    await resume_game(games, 48 * HOUR)
    again = await only_notice(games, "vote_computer")
    decided = (await games.discord.snapshot()).vote_until
    assert (until or 0) + 48 * HOUR + 59 * MINUTE == decided
    assert f"<t:{(decided or 0) // 1000}:R>" in text_of(again)
    assert {str(absent.id), str(host.id)} == {person for person, _ in mentions(requests)}


async def test_a_turn_is_announced_again_after_a_pause_of_an_hour(games: SlowGames) -> None:
    await games.start_game()
    actor = await games.person_in_turn()
    requests = RecordedRequests(games.discord)
    tables, other = games.discord.application.tables, next(one for one in games.persons if one.id != actor.id)
    await tables.masters.pause(caller(games.discord, other), 1, reason="storm")
    await games.pass_time(4 * HOUR)
    await tables.masters.resume(caller(games.discord, other), 1, reason="over")
    await games.wait_until_idle()
    ((person, text),) = [one for one in mentions(requests) if "your turn at table 1" in one[1]]
    assert str(actor.id) == person
    until = (await games.discord.snapshot()).clocks
    assert until is not None
    assert f"You have until <t:{(until.until or 0) // 1000}:f>." in text
    await games.discord.restart()
    await games.pass_time(11 * MINUTE)
    assert [] == mentions(requests), "once"


async def wait_until_unopposed(games: SlowGames) -> tuple[Person, Person]:
    """Let time pass until one side is absent; return an absent player and the one who is left."""
    absent, host = await let_all_time_run_out(games)
    await games.pass_time(24 * HOUR)
    await games.pass_time(MINUTE)
    assert (await games.discord.snapshot()).absence.unopposed is not None
    return absent, host


async def test_the_remaining_players_are_told_when_they_may_choose_and_the_absent_person_too(games: SlowGames) -> None:
    requests = RecordedRequests(games.discord)
    absent, host = await wait_until_unopposed(games)
    snapshot = await games.discord.snapshot()
    when = f"<t:{(snapshot.choice_at or 0) // 1000}:f>"
    said = [one for one in mentions(requests) if "claim the win" in one[1]]
    told = {person: words for person, words in said if words.startswith("<@")}
    plays = "A computer plays for x at table 1. Play on; from"
    assert f"<@{host.id}>: {plays} {when} you may also end the game or claim the win." == told[str(host.id)]
    plays = "A computer plays for you at table 1. From"
    assert f"<@{absent.id}>: {plays} {when} the others may end the game or claim the win." == told[str(absent.id)]
    assert {"hand"} == enabled_actions(await only_notice(games, "hand"))
    assert {"back"} == enabled_actions(await only_notice(games, "back"))
    await games.pass_time(72 * HOUR)
    left = await only_notice(games, "pick_end")
    assert f"<@{host.id}>: x has not come back to table 1." == text_of(left)
    assert {"pick_play_on", "pick_end", "pick_claim"} == enabled_actions(left)
    away = await only_notice(games, "back")
    assert "The others may now end the game or claim the win." in text_of(away)


async def test_the_return_of_an_absent_player_cancels_the_choice_how_to_go_on(live_games: SlowGames) -> None:
    absent, host = await wait_until_unopposed(live_games)
    await live_games.pass_time(72 * HOUR)
    left = await only_notice(live_games, "pick_end")
    claim = controls(left)["pick_claim"]["custom_id"]
    await check_refused_in_a_pause(live_games, host, left, "pick_end", "pick_claim", "pick_play_on")
    await press_and_come_back(live_games, absent, await only_notice(live_games, "back"), "back")
    assert [] == notices_with_buttons(live_games, "pick_end")
    late = await press_stale_control(live_games.discord, host, await live_games.discord.board(), claim)
    assert "Already decided: Ben is back." == text_of(late)
    assert Status.PLAYING is (await live_games.discord.snapshot()).status


async def test_the_remaining_player_claims_the_win_and_both_learn_of_the_end(games: SlowGames) -> None:
    absent, host = await wait_until_unopposed(games)
    await games.pass_time(72 * HOUR)
    left = await only_notice(games, "pick_end")
    assert "You play on." in text_of(await host.click(left, "pick_play_on"))
    requests = RecordedRequests(games.discord)
    claim = controls(left)["pick_claim"]["custom_id"]
    answer = await press_stale_control(games.discord, host, await games.discord.board(), claim)
    assert "won" in text_of(answer)
    await games.wait_until_idle()
    snapshot = await games.discord.snapshot()
    assert snapshot.conclusion is not None
    assert (Status.FINISHED, "forfeited") == (snapshot.status, snapshot.conclusion.how)
    over = [person for person, text in mentions(requests) if "is over" in text]
    assert [str(absent.id)] == over, "the other has done it"
    late = await press_stale_control(games.discord, host, await games.discord.board(), claim)
    assert "Already decided: the game at table 1 is over." == text_of(late)


async def test_an_end_without_a_finished_deal_is_told_to_the_absent_person_too(games: SlowGames) -> None:
    absent, host = await wait_until_unopposed(games)
    await games.pass_time(72 * HOUR)
    requests = RecordedRequests(games.discord)
    await host.click(await only_notice(games, "pick_end"), "pick_end")
    await games.wait_until_idle()
    snapshot = await games.discord.snapshot()
    assert (Status.CLOSED, ClosingReason.AGREED) == (snapshot.status, snapshot.closed_because)
    told = [(person, text) for person, text in mentions(requests) if "is over" in text]
    assert [(str(absent.id), f"<@{absent.id}>: The game at table 1 is over and has no winner.")] == told


async def play_turn_of(games: SlowGames, person: Person) -> None:
    """Play a turn as that person, which counts as using the bot."""
    games.discord.application.client.notices.record_activity(person.id)
    await games.play_turn()


async def test_the_remaining_player_is_called_for_each_turn(games: SlowGames) -> None:
    absent, host = await wait_until_unopposed(games)
    requests = RecordedRequests(games.discord)
    assert host.id == (await games.person_in_turn()).id, "called when the computer player had played"
    games.discord.application.client.notices.record_activity(host.id)
    await games.wait_until_idle()
    requests.requests_about_messages()
    await play_turn_of(games, host)
    for _ in range(3):
        for _ in range(40):
            actor = (await games.discord.snapshot()).actor
            if actor is not None and actor.person == host.id:
                break
            await games.pass_time(5 * SECOND)
        called = [person for person, text in mentions(requests) if "your turn" in text]
        assert [str(host.id)] == called
        await play_turn_of(games, host)
    assert absent.id not in (await games.discord.snapshot()).persons
