"""Stored actions, events, states and rule sets can be read back in full."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random
from typing import Any, get_args

import pytest
from hypothesis import given

from bot.engine.cards.cards import full_pack
from bot.engine.moves import actions, events
from bot.engine.moves.phases import Phase
from bot.engine.play.decide import decide
from bot.engine.play.legal_steps import legal_actions
from bot.engine.rules.irregularities import Irregularity
from bot.engine.rules.rule_set import RULES_VERSION, RuleSet
from bot.engine.rules.sets import RULE_SETS, rule_set
from bot.engine.table.applying_events import fold
from bot.engine.table.state import State, new_game, seat_to_act
from bot.store import game_forms
from bot.store.errors import UndecodableData
from bot.store.game_forms import STATE, decode_rules, encode_rules
from tests.support.strategies import ACTIONS, EVENTS, RULES, STATES

AS, JK, KH, BLACK, THREE_HEARTS = 40, 52, 37, 44, 57


def read_back_from_database(data: object) -> Any:
    """Return the data as it is read back from the database."""
    return json.loads(json.dumps(data))


# --- round trips -----------------------------------------------------------------------------------------------------


@given(ACTIONS)
def test_every_action_is_read_back_unchanged(action: actions.Action) -> None:
    assert action == game_forms.ACTIONS.read(read_back_from_database(game_forms.ACTIONS.write(action)))


@given(EVENTS)
def test_every_event_is_read_back_unchanged(event: events.Event) -> None:
    assert event == game_forms.EVENTS.read(read_back_from_database(game_forms.EVENTS.write(event)))


@given(RULES)
def test_every_rule_set_is_read_back_unchanged(rules: RuleSet) -> None:
    assert rules == decode_rules(read_back_from_database(encode_rules(rules)))


@given(STATES)
def test_every_state_is_read_back_unchanged(state: State) -> None:
    back = STATE.read(read_back_from_database(STATE.write(state)))
    assert state == back
    assert [type(value) for value in vars(state).values()] == [type(value) for value in vars(back).values()]


@pytest.mark.parametrize("players", sorted(RULE_SETS["classic"]))
def test_a_state_stored_after_every_step_plays_on_and_its_log_replays_it(players: int) -> None:
    random = Random(players)
    rules = replace(rule_set("classic", players), target=3000)
    state = new_game(rules, dealer=0)
    log: list[str] = []
    while state.phase is not Phase.OVER:
        if state.phase is Phase.BETWEEN:
            pack = list(full_pack(rules.decks, rules.jokers_per_deck))
            random.shuffle(pack)
            action: actions.Action = actions.StartDeal(tuple(pack))
        else:
            action = random.choice(legal_actions(state))
        assert action == game_forms.ACTIONS.read(read_back_from_database(game_forms.ACTIONS.write(action)))
        happened = decide(state, seat_to_act(state), action)
        log += [json.dumps(game_forms.EVENTS.write(event)) for event in happened]
        state = STATE.read(read_back_from_database(STATE.write(fold(state, happened))))
    assert state == fold(new_game(rules, dealer=0), [game_forms.EVENTS.read(json.loads(row)) for row in log])
    assert state.deal > 1


# --- completeness -----------------------------------------------------------------------------------------------------


def test_every_action_and_event_has_a_form() -> None:
    assert set(get_args(actions.Action)) == {form.type for form in game_forms.ACTIONS.forms.values()}
    assert set(get_args(events.Event)) == {form.type for form in game_forms.EVENTS.forms.values()}


# --- stable names -----------------------------------------------------------------------------------------------------

PINNED: list[tuple[object, str]] = [
    (actions.Draw(), '{"action":"draw"}'),
    (actions.TAKE_PAIR, '{"action":"take","naturals":2}'),
    (actions.run_step(17, 5, 8), '{"action":"lay_run","place":"run-h","low":"9","high":"Q"}'),
    (actions.Reclaim(35), '{"action":"reclaim","place":"7#2"}'),
    (actions.Combine(35, 3), '{"action":"combine","place":"7#2","onto":"7"}'),
    (actions.meld_step(11, 3), '{"action":"meld","place":"B3","naturals":3}'),
    (actions.discard_step(13), '{"action":"discard","kind":"JK"}'),
    (actions.ASK, '{"action":"ask"}'),
    (actions.YES, '{"action":"answer","yes":true}'),
    (actions.ANNOUNCE, '{"action":"announce"}'),
    (actions.DRAW_KEEPING, '{"action":"draw_keeping"}'),
    (actions.PASS, '{"action":"pass"}'),
    (actions.SHOW, '{"action":"show"}'),
    (actions.Show("pairs"), '{"action":"show","hand":"pairs"}'),
    (actions.TAKE_BACK, '{"action":"take_back"}'),
    (actions.LayMelds((actions.Lay((AS, JK), 2),)), '{"action":"lay_melds","melds":[{"cards":"AsJK","onto":2}]}'),
    (actions.TakePile((KH,)), '{"action":"take_pile","cards":"Kh"}'),
    (actions.DiscardCard(JK), '{"action":"discard_card","card":"JK"}'),
    (actions.Attempt(actions.DiscardCard(JK)), '{"action":"attempt","of":{"action":"discard_card","card":"JK"}}'),
    (actions.StartDeal((AS, KH)), '{"action":"start_deal","pack":"AsKh"}'),
    (
        events.DealStarted(1, 2, (AS,), streams=True),
        '{"event":"deal_started","deal":1,"dealer":2,"pack":"As","streams":true}',
    ),
    (
        events.Drew(0, (AS,), (THREE_HEARTS,), 1),
        '{"event":"drew","seat":0,"cards":"As","red_threes":"3h","count":1}',
    ),
    (
        events.LaidOut(0, (AS,), (THREE_HEARTS,), 1),
        '{"event":"laid_out","seat":0,"cards":"As","red_threes":"3h","count":1}',
    ),
    (events.TookTop(0, 9, KH, (KH, JK)), '{"event":"took_top","seat":0,"place":"K","top":"Kh","cards":"KhJK"}'),
    (
        events.Gathered(0, (), (), (JK,), 1, (BLACK,), (AS,)),
        '{"event":"gathered","seat":0,"cards":"","red_threes":"","hidden":"JK","unseen":1,"set_aside":"3s","showed":"As"}',
    ),
    (events.Reshuffled((AS, JK), 2), '{"event":"reshuffled","cards":"AsJK","count":2}'),
    (events.SetTalon(2, (AS, JK), 2), '{"event":"set_talon","seat":2,"cards":"AsJK","count":2}'),
    (
        events.TookTalon(2, (AS, JK), (THREE_HEARTS,), 2),
        '{"event":"took_talon","seat":2,"cards":"AsJK","red_threes":"3h","count":2}',
    ),
    (
        events.TookFoot(2, (AS, JK), (THREE_HEARTS,), 2),
        '{"event":"took_foot","seat":2,"cards":"AsJK","red_threes":"3h","count":2}',
    ),
    (
        events.Reclaimed(1, 9, (48, 52)),
        '{"event":"reclaimed","seat":1,"place":"K","cards":"2sJK"}',
    ),
    (events.Combined(1, 35, 3), '{"event":"combined","seat":1,"place":"7#2","onto":"7"}'),
    (events.Melded(3, 10, (AS, JK)), '{"event":"melded","seat":3,"place":"A","cards":"AsJK"}'),
    (events.Opened(0, 50), '{"event":"opened","seat":0,"points":50}'),
    (events.TookBack(0, 10, (AS,)), '{"event":"took_back","seat":0,"place":"A","cards":"As"}'),
    (events.Discarded(0, AS), '{"event":"discarded","seat":0,"card":"As"}'),
    (events.Asked(0, 2), '{"event":"asked","seat":0,"partner":2}'),
    (events.Answered(2, False), '{"event":"answered","seat":2,"yes":false}'),
    (events.Announced(1), '{"event":"announced","seat":1}'),
    (events.PermissionLapsed(1), '{"event":"permission_lapsed","seat":1}'),
    (events.Passed(1), '{"event":"passed","seat":1}'),
    (events.Showed(2, "straight", (AS, JK)), '{"event":"showed","seat":2,"hand":"straight","cards":"AsJK"}'),
    (events.SidesFormed(1), '{"event":"sides_formed","seat":1}'),
    (
        events.Penalized(1, Irregularity.SHORT_OPENING, 100, 10, (AS,), until_opened=True),
        (
            '{"event":"penalized","seat":1,"irregularity":"short_opening","points":100,"raised":10,"exposed":"As",'
            '"until_opened":true}'
        ),
    ),
    (
        events.DealEnded(
            1,
            events.DealEnd.OUT,
            None,
            False,
            (events.ScoreLines(1, 2, 6, 4, 5, 6, 7, 8, 9),),
            (48,),
            (events.OtherCanastas(1, 2, 3),),
        ),
        (
            '{"event":"deal_ended","deal":1,"reason":"out","went_out":null,"concealed":false,"lines":[{'
            '"natural_canastas":1,"mixed_canastas":2,"other_canastas":6,"red_threes":4,"going_out":5,"melded":6,'
            '"in_hand":7,"penalties":8,"bonuses":9}],"scores":[48],'
            '"others":[{"run_canastas":1,"wild_canastas":2,"special_canastas":3}]}'
        ),
    ),
    (events.GameEnded(1), '{"event":"game_ended","winner":1}'),
]


@pytest.mark.parametrize(("value", "text"), PINNED, ids=[type(value).__name__ for value, _ in PINNED])
def test_stored_values_stay_readable(value: Any, text: str) -> None:
    """These texts are stored in databases; changing one needs a migration."""
    forms = game_forms.ACTIONS if '"action"' in text else game_forms.EVENTS
    assert text == json.dumps(forms.write(value), separators=(",", ":"))
    assert value == forms.read(json.loads(text))


def test_every_stored_type_has_a_pinned_text() -> None:
    pinned = {type(value) for value, _ in PINNED}
    assert {*get_args(actions.Action), *get_args(events.Event)} == pinned


def test_a_running_game_keeps_the_rules_of_its_start() -> None:
    """A later version may change the rule set of that name; the stored game does not follow."""
    other = replace(rule_set("classic", 4), target=777, hand_size=12, open_table=((None, 1),))
    data = read_back_from_database(STATE.write(new_game(other, dealer=0)))
    assert other == STATE.read(data).rules
    assert "classic" == data["rules"]["name"]


def test_a_parameter_at_its_default_is_left_out() -> None:
    data = encode_rules(rule_set("classic", 2))
    assert "one_card_guard" not in data
    assert rule_set("classic", 2) == decode_rules(data)


def test_equal_rules_are_decoded_as_one_shared_object() -> None:
    data = encode_rules(rule_set("classic", 4))
    assert decode_rules(read_back_from_database(data)) is decode_rules(read_back_from_database(data))


# --- unreadable data --------------------------------------------------------------------------------------------------

SECRET = "AsKhQd"


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        "drew",
        {},
        {"event": 5},
        {"event": "no_such_event"},
        {"event": SECRET + " " + SECRET},
        {"event": "opened", "seat": 1},
        {"event": "opened", "seat": 1, "points": 5, "more": 1},
        {"event": "opened", "seat": 1, "point": 5},
        {"event": "opened", "seat": "1", "points": 5},
        {"event": "opened", "seat": True, "points": 5},
        {"event": "opened", "seat": 1.0, "points": 5},
        {"event": "discarded", "seat": 1, "card": "1s"},
        {"event": "discarded", "seat": 1, "card": 5},
        {"event": "melded", "seat": 1, "place": "Z", "cards": SECRET},
        {"event": "melded", "seat": 1, "place": "A", "cards": SECRET + "x"},
        {"event": "melded", "seat": 1, "place": "A", "cards": [SECRET]},
        {"event": "melded", "seat": 1, "place": "A", "cards": SECRET + "xx"},
        {"event": "answered", "seat": 1, "yes": 1},
        {
            "event": "deal_ended",
            "deal": 1,
            "reason": "no",
            "went_out": None,
            "concealed": True,
            "lines": [],
            "scores": [],
        },
        {
            "event": "deal_ended",
            "deal": 1,
            "reason": "out",
            "went_out": None,
            "concealed": True,
            "lines": {},
            "scores": [],
        },
        {
            "event": "deal_ended",
            "deal": 1,
            "reason": "out",
            "went_out": None,
            "concealed": True,
            "lines": [1],
            "scores": [],
        },
    ],
)
def test_an_unreadable_value_is_reported_without_its_content(data: object) -> None:
    with pytest.raises(UndecodableData) as caught:
        game_forms.EVENTS.read(data)
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize(
    "change",
    [
        {"version": RULES_VERSION + 1},
        {"version": None},
        {"no_such_parameter": 1},
        {"target": "5000"},
        {"target": True},
        {"version": True},
        {"target": 5000.0},
        {"hand_size": [11, "12"]},
        {"stock_end": "no_such_word"},
        {"theme": [{"name": "own", "turns": [[{"what": "no_pile", "ranks": ["no_such_rank"]}]]}]},
        {"open_table": 5},
        {"upcard_cover": "W"},
        {"frozen_unopened": 1},
    ],
)
def test_unknown_rules_are_refused(change: dict[str, object]) -> None:
    with pytest.raises(UndecodableData):
        decode_rules({**encode_rules(rule_set("classic", 4)), **change})


def test_rules_without_a_required_parameter_are_refused() -> None:
    bad: tuple[object, ...] = (None, [], {"version": RULES_VERSION})
    for data in bad:
        with pytest.raises(UndecodableData):
            decode_rules(data)


def test_a_state_with_a_field_too_few_is_refused() -> None:
    data = STATE.write(new_game(rule_set("classic", 4), dealer=0))
    del data["scores"]
    with pytest.raises(UndecodableData):
        STATE.read(data)
