"""A tournament's messages in the channel: posted once, repaired, in the server's language."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.clocks.clock import HOUR, MINUTE
from bot.clocks.time_rules import DAY
from bot.engine.moves.phases import Phase
from bot.i18n import locales, words
from bot.tournaments.event.entries import EntryStage
from bot.tournaments.event.match_state import RoundStage
from bot.tournaments.event.tournament import Stage, Tournament
from bot.tournaments.format_traits import FormatKind
from bot.tournaments.formats.ranking import Place
from cogs.shared.telling import status_text
from tests.cogs.test_table_messages import RecordedRequests, mentioned_people
from tests.support.clock import ShiftedClock
from tests.support.discord import controls, text_of
from tests.support.discord_tournaments import CupServer, cup_world
from tests.support.slow_discord_games import mentions


@pytest.fixture
async def cup(tmp_path: Path) -> AsyncIterator[CupServer]:
    async with cup_world(tmp_path, people=8) as world:
        yield world


@pytest.fixture
async def live_cup(tmp_path: Path) -> AsyncIterator[CupServer]:
    """Yield a cup of four in a simulated Discord whose own time passes.

    Panels need that to update themselves.
    """
    async with cup_world(tmp_path, people=4, clock=ShiftedClock()) as world:
        yield world


async def start_cup(cup: CupServer, people: int = 8, **chosen: object) -> Tournament:
    """Start a cup of that many people, let time pass until its first round, and return it."""
    await cup.publish(**chosen)
    tournaments = cup.discord.application.client.context.tournaments
    for place in range(people):
        await tournaments.entering.enter(cup.caller(cup.person(place)), 1)
    await cup.pass_time(30 * MINUTE)
    for place in range(people):
        await tournaments.entering.check_in(cup.caller(cup.person(place)), 1)
    await cup.pass_time(25 * MINUTE)
    await cup.pass_time(5 * MINUTE)
    return await cup.tournament()


def calls_of_round(requests: RecordedRequests, round_number: int) -> list[str]:
    """Return the new messages that called people to their tables in a round."""
    return [text for _, text in mentions(requests) if f"Round {round_number}, table" in text]


async def test_a_round_is_called_only_once_despite_a_restart(cup: CupServer) -> None:
    requests = RecordedRequests(cup.discord)
    tournament = await start_cup(cup)
    assert 2 == len(calls_of_round(requests, 1))
    for match in tournament.matches:
        await cup.play_match(match)
    await cup.pass_time(2 * MINUTE)
    assert 2 == len(calls_of_round(requests, 2))
    before = cup.public_texts()
    await cup.discord.restart()
    await cup.wait_until_idle()
    await cup.pass_time(MINUTE)
    assert [] == calls_of_round(requests, 2)
    assert before == cup.public_texts()
    assert 4 == len(cup.threads())


async def test_a_deleted_message_is_posted_again_silently(cup: CupServer) -> None:
    await cup.publish()
    await cup.message("**Friday cup** ·").delete()
    requests = RecordedRequests(cup.discord)
    await cup.person(0).run("tournament enter")
    await cup.wait_until_idle()
    assert "Ana" in text_of(cup.message("**Friday cup** ·"))
    assert [] == mentions(requests)


async def test_a_deleted_thread_is_recreated_and_its_table_moves_there(cup: CupServer) -> None:
    tournament = await start_cup(cup, 4, places=4)
    requests = RecordedRequests(cup.discord)
    (thread,) = cup.threads()
    cup.discord.environment.backend.delete_channel(thread.id)
    await cup.discord.environment.settle()
    await cup.wait_until_idle()
    (reposted,) = cup.threads()
    assert reposted.id != thread.id
    assert reposted.id == (await cup.tournament()).matches[0].place
    assert reposted.id == (await cup.discord.snapshot(tournament.matches[0].tables[0].table)).thread
    assert [] == calls_of_round(requests, 1)


async def test_the_call_has_buttons_for_the_hand_the_reason_and_a_director(live_cup: CupServer) -> None:
    cup = live_cup
    tournament = await start_cup(cup, 4, places=4)
    (match,) = tournament.matches
    (thread,) = cup.threads()
    call = cup.message("Round 1, table 1", channel=thread)
    player = next(cup.person(place) for place in range(4) if cup.person(place).id == match.seats[0])
    player.channel = thread
    await player.click(call, "t_hand")
    assert (player.id,) == (await cup.tournament()).matches[0].arrived
    assert text_of(await player.click(call, "t_why")).startswith("You have 0; ")
    sent = await player.fill_form(call, "t_problem", "a card was counted twice")
    assert "Case 1 is open; play on." == text_of(sent)
    await cup.wait_until_idle()
    cup.message("Case 1 is open; play on.", channel=thread)
    assert "not in this tournament" in text_of(await cup.organiser.click(call, "t_hand"))


async def test_a_click_counts_even_if_a_late_player_arrives_meanwhile(live_cup: CupServer) -> None:
    cup = live_cup
    (match,) = (await start_cup(cup, 4, places=4)).matches
    (thread,) = cup.threads()
    call, table = cup.message("Round 1, table 1", channel=thread), match.tables[0].table
    turn = match.seats[(await cup.discord.game_state(table)).turn]
    players = sorted(map(cup.person, range(4)), key=lambda player: player.id == turn)
    for player in players:
        player.channel = thread
    for player in players[1:3]:
        await player.click(call, "t_hand")
    panel = await players[-1].click(call, "t_hand")
    drawing, before = controls(panel)["draw"]["custom_id"], (await cup.discord.snapshot(table)).version
    await players[0].click(call, "t_hand")
    assert before < (await cup.discord.snapshot(table)).version
    await players[-1].actor.click(panel, custom_id=drawing)
    assert Phase.PLAY is (await cup.discord.game_state(table)).phase


async def test_changing_partners_are_shown_at_the_draw_and_in_the_answer_why(live_cup: CupServer) -> None:
    tournament = await start_cup(live_cup, 4, places=4, kind=FormatKind.INDIVIDUAL, drawn=False, rounds=3)
    told = live_cup.message("3 rounds.")
    others = {"Ana": "Ben Cy Dov", "Ben": "Ana Cy Dov", "Cy": "Ana Ben Dov", "Dov": "Ana Ben Cy"}
    lines = dict(line.split(" with ") for line in text_of(told).splitlines()[1:])
    assert {name: set(those.split()) for name, those in others.items()} == {
        name: set(those.split(", ")) for name, those in lines.items()
    }
    (thread,) = live_cup.threads()
    call, ana = live_cup.message("Round 1, table 1", channel=thread), live_cup.person(0)
    ana.channel = thread
    text = text_of(await ana.click(call, "t_why"))
    assert f"3 rounds. Your partners: {lines['Ana']}. No partner twice." == text
    assert 1 == len(tournament.rounds)


async def test_a_player_who_leaves_the_server_is_out_and_the_results_stay(cup: CupServer) -> None:
    tournament = await start_cup(cup, between=3 * HOUR)
    gone = cup.person(0)
    entrant = tournament.entry_of(gone.id)
    assert entrant is not None
    for match in tournament.matches:
        await cup.play_match(match)
    played = [one.result for one in (await cup.tournament()).matches_of(1)]
    cup.discord.world.server.remove_member(gone.actor)
    await cup.pass_time(2 * HOUR)  # the bot does not look for an hour whether a person has left the server
    cup.discord.application.client.tournament_updater.request_update(1)
    await cup.wait_until_idle()
    view = await cup.tournament()
    assert EntryStage.LEFT is view.entrant(entrant.number).stage
    assert played == [one.result for one in view.matches_of(1)]
    assert entrant.number in [one.entry for one in await places(cup)]


async def places(cup: CupServer) -> tuple[Place, ...]:
    return await cup.discord.application.client.context.tournaments.overview.places(1)


@pytest.mark.parametrize("locale", locales())
def test_news_that_names_a_table_names_its_round_too(locale: str) -> None:
    told = {key: str(text) for key, text in words(locale).entries.items() if key.startswith("tournament_news.")}
    named = {key for key, text in told.items() if "{table}" in text}
    assert len(named) > 5
    assert [] == [key for key in sorted(named) if "{round}" not in told[key]]


async def test_a_match_is_called_by_round_and_table_and_not_by_the_bots_table_number(cup: CupServer) -> None:
    """The number of the table in the bot, 3 or 4 here, would contradict "round 2, table 1"."""
    tournament = await start_cup(cup, rounds=2)
    for match in tournament.matches:
        await cup.play_match(match)
    await cup.pass_time(2 * MINUTE)
    (played, *_) = (await cup.tournament()).matches_of(2)
    await cup.play_match(played)
    view = await cup.discord.application.tables.reading.snapshot(played.tables[0].table)
    assert view.id > 2
    assert view.view is not None
    won = status_text.result_text(words(), view, view.view)
    assert re.fullmatch(r"### \w+ & \w+ won with [\d,]+ points", won)
    (thread,) = [one for one in cup.threads() if one.id == played.place]
    assert [] == [one for one in cup.public_texts(thread) if re.search(r"[Tt]able [34]", one)]
    assert {news.numbers["round"] for news in (await cup.tournament()).news if "table" in news.numbers} <= {1, 2}


async def test_discords_lines_about_public_threads_are_deleted_and_looked_up_once(cup: CupServer) -> None:
    await start_cup(cup, rounds=1)
    assert 2 == len(cup.threads())
    assert "" not in cup.public_texts()
    looked_up = [
        one for one in cup.discord.environment.http_requests if one.path == f"/channels/{cup.channel.id}/messages"
    ]
    assert 1 == sum(one.method == "GET" for one in looked_up)


async def test_players_whom_a_call_mentions_are_not_added_to_its_thread_once_more(cup: CupServer) -> None:
    tournament = await start_cup(cup, rounds=1)
    (first, second), entering = tournament.matches, cup.discord.application.client.context.tournaments.entering
    for match in (first, second):
        for person in match.seats:
            await entering.mark_arrived(person or 0, 1, match.id)
    await cup.wait_until_idle()
    assert all(any(one.attachments for one in cup.messages(each)) for each in cup.threads())
    # A request that is on its way when the call is sent cannot be taken back.
    assert all(count <= 1 for count in people_added_after_call(cup).values())


def people_added_after_call(cup: CupServer) -> Counter[int]:
    """Return how many people the bot added to each thread after a message there had mentioned them."""
    mentioned, found = set[tuple[int, int]](), Counter[int]()
    for one in cup.discord.environment.http_requests:
        posted = re.fullmatch(r"/channels/(\d+)/messages", one.path)
        if one.method == "POST" and posted is not None and isinstance(one.json, dict):
            mentioned |= {(int(posted[1]), int(person)) for person in mentioned_people(one.json)}
        added = re.fullmatch(r"/channels/(\d+)/thread-members/(\d+)", one.path)
        if one.method == "PUT" and added is not None:
            found[int(added[1])] += (int(added[1]), int(added[2])) in mentioned
    return found


async def test_a_person_who_may_not_create_tournaments_is_not_offered_to_repeat_one(cup: CupServer) -> None:
    tournament = await start_cup(cup, 4, places=4, rounds=1)
    await cup.play_match(tournament.matches[0])
    await cup.advance_to(Stage.CLOSED)
    assert "t_again" not in controls(await cup.person(0).run("tournament list"))
    assert not [one for one in cup.messages() if "t_again" in controls(one)]
    assert "t_again" in controls(await cup.organiser.run("tournament desk"))


async def test_repeating_a_tournament_makes_a_draft_for_a_week_later(cup: CupServer) -> None:
    tournament = await start_cup(cup, 4, places=4, rounds=1)
    await cup.play_match(tournament.matches[0])
    await cup.advance_to(Stage.CLOSED)
    panel = await cup.organiser.click(await cup.organiser.run("tournament list"), "t_again")
    assert "t_publish" in controls(panel)
    draft = await cup.tournament(2)
    before = (await cup.tournament()).plan
    assert (Stage.DRAFT, replace(before, starts_at=before.starts_at + 7 * DAY)) == (draft.stage, draft.plan)


async def test_a_player_who_does_not_come_forfeits(cup: CupServer) -> None:
    tournament = await start_cup(cup, 4, places=4)
    match, (thread,) = tournament.matches[0], cup.threads()
    for person in match.seats[1:]:
        assert person is not None
        await cup.discord.application.client.context.tournaments.entering.mark_arrived(person, 1, match.id)
    await cup.pass_time(5 * MINUTE)
    cup.message("Round 1, table 1: we wait for", "then their side forfeits.", channel=thread)
    await cup.pass_time(5 * MINUTE)
    cup.message("Round 1, table 1: forfeit,", "did not come.")
    assert RoundStage.DRAWN is not (await cup.tournament()).rounds[0].stage


async def test_an_italian_server_gets_italian_messages(cup: CupServer) -> None:
    await cup.organiser.run("setup language", language="it")
    await start_cup(cup, 4, places=4)
    cup.message("4 posti · compagni a sorte")
    cup.message("La conferma delle presenze è chiusa.")
    assert "Tavolo 1: " in text_of(cup.message("**Friday cup**, turno 1"))
    (thread,) = cup.threads()
    assert {"t_present", "t_hand", "t_why", "t_problem"} == set(
        controls(cup.message("Turno 1, tavolo 1", channel=thread))
    )


async def test_opening_the_hand_by_command_counts_as_coming_to_the_table(live_cup: CupServer) -> None:
    await start_cup(live_cup, 4, places=4)
    await live_cup.person(0).run("hand")
    await live_cup.wait_until_idle()
    assert (live_cup.person(0).id,) == (await live_cup.tournament()).matches[0].arrived


async def test_with_a_fixed_number_of_deals_no_target_points_are_named(live_cup: CupServer) -> None:
    tournament = await start_cup(live_cup, 4, places=4, deals=3)
    (match,) = tournament.matches
    (thread,) = live_cup.threads()
    board = "\n".join(live_cup.public_texts(thread))
    player = next(live_cup.person(place) for place in range(4) if live_cup.person(place).id == match.seats[0])
    player.channel = thread
    sheet = text_of(await player.run("score"))
    for text in (board, sheet):
        assert "3 deals" in text
        assert "5,000" not in text
