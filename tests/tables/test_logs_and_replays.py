"""Logs and replays: public information about a game, and when hands are shown."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from random import Random

import pytest

from bot.engine.moves.events import DealEnded, DealStarted, Discarded, Drew, Event, Melded, Opened, TookBack
from bot.engine.play.invariants import broken_invariants
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.sets import rule_set
from bot.engine.table.state import State
from bot.tables.past.history import History, Replay, history_of
from bot.tables.past.record_reading import read_record
from bot.tables.past.record_writing import text_of_record
from bot.tables.past.visible_history import deal_log, numbers_of_viewable_deals, replay_of
from bot.tables.state.clocks import Conclusion, ReplayFrom, TableSettings
from bot.tables.state.events import GameConcluded, SettingsChosen, Undone
from bot.tables.state.refusals import TableCode
from bot.tables.state.snapshots import ReplayedDeal, Status
from tests.support.engine_games import played_positions, table_snapshot
from tests.support.game_histories import apply_events, history_of_table, log_of
from tests.support.random_play import play_random_game
from tests.support.seeds import SEARCHING
from tests.support.tables import CHANNEL, EAST, GUILD, NORTH, STRANGER, World, refusal_of


async def _replay(world: World, table: int, deal: int | None = None) -> Replay:
    return await world.service.past.replay(table, deal, person=STRANGER, guild=GUILD)


async def test_a_finished_deal_is_replayed_turn_by_turn_with_every_hand(world: World) -> None:
    table = (await world.start_game(NORTH, EAST)).id
    snapshot = await world.play_deal(table, Random(4))
    assert snapshot.view is not None
    replay = await _replay(world, table)
    assert ((1,), 1) == (replay.deals, replay.deal)
    assert replay.frames[0].turn is None
    assert [11] * 4 == [len(hand or ()) for hand in replay.frames[0].hands]
    assert list(range(len(replay.frames) - 1)) == [one.turn.number for one in replay.frames if one.turn is not None]
    held = {one.seat: one.cards for one in snapshot.left[0].held}
    assert [tuple(sorted(held.get(seat, ()))) for seat in range(4)] == list(replay.frames[-1].hands)
    log = await world.service.past.deal_log(table, 1, person=STRANGER, guild=GUILD)
    assert len(log.turns) == len(replay.frames) - 1
    assert snapshot.view.results[0] == log.turns[-1].events[-1]


async def test_a_seat_sees_its_own_hand_alone(world: World) -> None:
    table = (await world.start_game(NORTH, EAST)).id
    await world.finish_deal(table, Random(4))
    for frame in (await _replay(world, table)).frames:
        seen = frame.seen_by(1)
        assert [None, frame.hands[1], None, None] == list(seen.hands)
        drawn = [one for one in (seen.turn.events if seen.turn else ()) if isinstance(one, Drew)]
        assert all(bool(one.cards) == (one.seat == 1) for one in drawn if one.count)


async def test_cards_of_a_deal_in_play_are_hidden_from_all(world: World) -> None:
    table = (await world.start_game(NORTH, EAST)).id
    expected = {"table": table, "deal": 1}
    assert (TableCode.DEAL_NOT_OPEN, expected) == await refusal_of(_replay(world, table))
    again = world.service.past.play_again(world.caller(NORTH), table, 1, channel=CHANNEL)
    assert (TableCode.DEAL_NOT_OPEN, expected) == await refusal_of(again)
    file = world.service.past.game_file(table, person=NORTH, guild=GUILD)
    assert (TableCode.DEAL_NOT_OPEN, expected) == await refusal_of(file)
    lobby = (await world.open_lobby(NORTH)).id
    assert (TableCode.NOT_STARTED, {"table": lobby}) == await refusal_of(_replay(world, lobby))


async def test_a_dropped_deal_is_never_shown(world: World) -> None:
    table = (await world.start_game(NORTH, EAST)).id
    snapshot = await world.finish_deal(table, Random(4))
    assert snapshot.view is not None
    await world.service.play.begin_next_deal(world.caller(NORTH), table)
    scores = snapshot.view.results[0].scores
    await apply_events(world, table, GameConcluded(Conclusion("agreed", scores.index(max(scores)), scores)))
    assert (1,) == (await _replay(world, table)).deals
    assert (TableCode.DEAL_NOT_OPEN, {"table": table, "deal": 2}) == await refusal_of(_replay(world, table, 2))
    told = await world.service.past.game_file(table, person=NORTH, guild=GUILD)
    assert [1] == [deal.deal for deal in read_record(told.text).deals]


async def test_cards_and_seeds_are_shown_only_after_the_game_if_set_so(world: World) -> None:
    snapshot = await world.open_lobby(NORTH, EAST, players=2, target=3000)
    await apply_events(world, snapshot.id, SettingsChosen(TableSettings(replay=ReplayFrom.GAME)))
    await world.service.lobby.start(world.caller(NORTH), snapshot.id)
    random = Random(4)
    after = await world.finish_deal(snapshot.id, random)
    assert after.status is Status.PLAYING
    assert None is after.shuffle[0].seed
    assert (TableCode.CARDS_AFTER_GAME, {"table": snapshot.id}) == await refusal_of(_replay(world, snapshot.id, 1))
    await world.service.play.begin_next_deal(world.caller(NORTH), snapshot.id)
    over = await world.finish_game(snapshot.id, random)
    assert over.view is not None
    deals = [result.deal for result in over.view.results]
    assert deals == list((await _replay(world, snapshot.id)).deals)
    assert deals == [one.deal for one in over.shuffle if one.seed is not None]
    secret = await world.store.tables.secret(snapshot.id, 1)
    assert secret is not None
    assert secret.revealed_at is not None


async def test_a_deal_played_again_has_the_same_cards_and_no_seal(world: World) -> None:
    table = (await world.start_game(NORTH, EAST)).id
    await world.finish_deal(table, Random(4))
    await world.service.play.begin_next_deal(world.caller(NORTH), table)
    await world.finish_deal(table, Random(5))
    second = await _replay(world, table, 2)
    snapshot = await world.service.past.play_again(world.caller(EAST), table, 2, channel=CHANNEL)
    assert (ReplayedDeal(table, 2), EAST, Status.LOBBY) == (snapshot.cards_of, snapshot.host, snapshot.status)
    assert [2] == [one.deal for one in snapshot.shuffle]
    refusal = await refusal_of(world.service.rules.choose_rules(world.caller(EAST), snapshot.id, "samba"))
    assert (TableCode.CARDS_KNOWN, {"table": snapshot.id, "of": table, "deal": 2}) == refusal
    await world.service.lobby.start(world.caller(EAST), snapshot.id, fill=True)
    over = await world.finish_deal(snapshot.id, Random(6))
    assert [2] == [one.deal for one in over.shuffle]
    again = await _replay(world, snapshot.id, 1)
    assert second.frames[0].hands == again.frames[0].hands
    assert second.frames[0].table.dealer == again.frames[0].table.dealer
    await world.service.play.begin_next_deal(world.caller(EAST), snapshot.id)
    third = await world.finish_deal(snapshot.id, Random(7))
    opened = [one for one in third.shuffle if one.seed is not None]
    assert [2] == [one.deal for one in opened]
    assert opened[0].contributions


async def test_a_position_is_practised_at_a_new_table_with_the_scores_of_then(world: World) -> None:
    """The turns before the position are stored as ordinary moves, so replay and record work as usual."""
    table = (await world.start_game(NORTH, EAST)).id
    await world.finish_deal(table, Random(4))
    await world.service.play.begin_next_deal(world.caller(NORTH), table)
    await world.finish_deal(table, Random(5))
    first = (await world.service.reading.snapshot(table)).sheets[0].result.scores
    second = await _replay(world, table, 2)
    turns = len(second.frames) // 2
    looked = second.frames[turns]
    snapshot = await world.service.past.play_again(world.caller(EAST), table, 2, channel=CHANNEL, turn_count=turns)
    begun = await world.service.lobby.start(world.caller(EAST), snapshot.id, fill=True)
    assert begun.view is not None
    assert begun.actor is not None
    assert EAST == begun.actor.person
    assert first == tuple(total.score for total in begun.view.totals)
    assert looked.table.sides == begun.view.sides
    assert (looked.table.pile, looked.table.stock) == (begun.view.pile, begun.view.stock)
    over = await world.finish_deal(snapshot.id, Random(8))
    again = await _replay(world, snapshot.id, 1)
    assert [frame.hands for frame in second.frames[: turns + 1]] == [frame.hands for frame in again.frames[: turns + 1]]
    told = await world.service.past.game_file(snapshot.id, person=EAST, guild=GUILD)
    (read,) = read_record(told.text).deals
    assert over.view is not None
    assert read.ended.scores == over.view.results[0].scores
    assert list(first) == json.loads(told.text)["deals"][0]["before"]


async def test_no_practice_table_begins_where_a_deal_is_over(world: World) -> None:
    table = (await world.start_game(NORTH, EAST)).id
    await world.finish_deal(table, Random(4))
    last = len((await _replay(world, table)).frames) - 1
    for turns in (last, last + 5):
        asked = world.service.past.play_again(world.caller(EAST), table, 1, channel=CHANNEL, turn_count=turns)
        expected = {"table": table, "deal": 1, "turn": turns}
        assert (TableCode.POSITION_NOT_PLAYABLE, expected) == await refusal_of(asked)


async def test_people_who_came_and_went_are_listed_with_their_turns(world: World) -> None:
    table = (await world.start_game(NORTH, EAST)).id
    random = Random(4)
    for _ in range(12):
        await world.take_random_step(table, random)
    await world.service.lobby.leave(world.caller(EAST), table)
    await world.play_deal(table, random)
    await world.give_seat_back(EAST, table)
    await world.service.play.begin_next_deal(world.caller(NORTH), table)
    await world.play_deal(table, random)
    told = read_record((await world.service.past.game_file(table, person=NORTH, guild=GUILD)).text)
    assert ("East", "Computer 3", "East") == told.names[1]
    log = await world.service.past.deal_log(table, 1, person=STRANGER, guild=GUILD)
    first, last = (log.snapshot.holder_at(1, 1, turn).kind for turn in (0, len(log.turns) - 1))
    assert ("person", "computer") == (first, last)


def test_undone_moves_are_not_shown() -> None:
    events = _events_of_random_game("classic", 8, 600)
    place, laid = next((place, one) for place, one in enumerate(events) if isinstance(one, Melded))
    assert isinstance(events[place + 1], Opened)
    back = [*events[: place + 2], TookBack(laid.seat, laid.place, laid.cards)]
    found = history_of_table(rule_set("classic", 4), 0, back)
    log = deal_log(found, LOOK, 1)
    assert not any(isinstance(event, Melded | Opened | TookBack) for turn in log.turns for event in turn.events)
    kept = deal_log(history_of_table(rule_set("classic", 4), 0, events[: place + 2]), LOOK, 1)
    assert len(log.turns) == len(kept.turns)
    assert events[place + 1] == kept.turns[-1].events[-1]


def test_a_move_undone_by_consent_is_not_in_the_log() -> None:
    """After an event that restores an earlier state, the log shows the game as it continued."""
    rules, events = rule_set("classic", 4), _events_of_random_game("classic", 8, 40)
    place = next(place for place, one in enumerate(events) if isinstance(one, Discarded) and place > 20)
    before, after = history_of_table(rules, 0, events[:place]), history_of_table(rules, 0, events[: place + 1])
    game = before.record.game
    assert game is not None
    undone = history_of(
        (*log_of(rules, 0, events[: place + 1]), Undone(place, game, before.record.recent, before.record.drawn))
    )
    assert before.deals == undone.deals
    assert after.deals != undone.deals


@pytest.mark.parametrize("name", ["classic", "hand-and-foot", "modern-american"])
def test_nothing_of_a_deal_in_play_depends_on_hidden_cards(name: str) -> None:
    """Hidden cards change places in the pack; log, replay and record stay the same."""
    rules, random = rule_set(name, 4), Random(5)
    events = _events_of_random_game(name, 5, 900)
    second = next(place for place, one in enumerate(events) if isinstance(one, DealStarted) and one.deal == 2)
    events = events[: second + 60]
    assert not any(isinstance(one, DealEnded) for one in events[second:])
    told, last = _log_replay_and_record(history_of_table(rules, 1, events)), _last_state(rules, events)
    tried = 0
    for _ in range(300):
        other = _exchange_cards(events, second, random)
        try:
            found = history_of_table(rules, 1, other)
        except ValueError:
            continue  # the exchanged cards were not both hidden
        game, before = found.record.game, found.deals[-1]
        if game is None or broken_invariants(game) or before.turns[-1].after.hands == last.hands:
            continue
        tried += 1
        assert told == _log_replay_and_record(found)
        if tried > 5 and not SEARCHING:
            break
    assert tried > 5


def _log_replay_and_record(history: History) -> tuple[object, ...]:
    deals = numbers_of_viewable_deals(history)
    assert (1,) == deals
    return deal_log(history, LOOK, 2), replay_of(history, LOOK, 1), text_of_record(history, table=1, deals=deals)


def _last_state(rules: RuleSet, events: Sequence[Event]) -> State:
    return history_of_table(rules, 1, events).deals[-1].turns[-1].after


def _exchange_cards(events: Sequence[Event], place: int, random: Random) -> list[Event]:
    """Return the log with two random cards of the pack exchanged, in the deal that begins at `place`."""
    started = events[place]
    assert isinstance(started, DealStarted)
    pack = list(started.pack)
    one, two = random.sample(range(len(pack)), 2)
    pack[one], pack[two] = pack[two], pack[one]
    return [*events[:place], replace(started, pack=tuple(pack)), *events[place + 1 :]]


def _events_of_random_game(name: str, seed: int, max_steps: int) -> list[Event]:
    rules = rule_set(name, 4)
    return [event for step in islice(play_random_game(rules, seed), max_steps) for event in step.events]


LOOK = table_snapshot(next(played_positions(3)))
