"""Offers to a seat: melds, openings, ways to take the pile, ways to go out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.computer.player import player_for
from bot.engine.cards.cards import FOUR, JOKER, KING, NINE, QUEEN, TWO, Card
from bot.engine.moves.actions import ANNOUNCE, ASK, NO, YES, Ask, Discard, Lay, Take, TakePile, meld_step
from bot.engine.moves.events import DealEnded
from bot.engine.moves.refusals import Code
from bot.engine.play.decide import decide, why_not_allowed
from bot.engine.play.legal_steps import legal_actions
from bot.engine.positions.position_reading import read_position
from bot.engine.rules.case_fields import read_cards
from bot.engine.table.applying_events import fold
from bot.engine.table.state import State, seat_to_act
from bot.tables.advice import NOTHING, LayOffer, Offers, WayToGoOut, offers_to_seat
from bot.tables.play.moves import decide_going_out
from bot.tables.state.refusals import TableCode, TableRefusal
from tests.support.random_play import apply_action
from tests.support.tables import CHANNEL, EAST, GUILD, NORTH, SOUTH, STRANGER, WEST, World

CANASTA = "Js Jh Jd Jc Js Jh Jd"


def state_with_hand(hand: str, *, rules: str = "classic", players: int = 4, score: int = 0, **more: Any) -> State:
    """Return a state in which seat 0 has drawn and holds `hand`; `more` replaces other parts of it.

    The seat's side has a canasta of jacks unless `melds` is given.
    """
    others = {str(seat): "4s 5h 6d" for seat in range(1, players)}
    given = {"phase": "play", "melds": {"0": [CANASTA]}, "stock": "7d 6h 5d 9c", "pile": "6d 9d", **more}
    hands = {**others, "0": hand}
    placed = {"turn": 0, "hands": hands, **given}
    return read_position({"rules": rules, "players": players, "scores": [score] * 2, "position": placed})


def lay_from_text(text: str) -> Lay:
    return Lay(read_cards(text, ""))


def offers_at(state: State, *staged: str) -> Offers:
    return offers_to_seat(state, state.turn, [lay_from_text(one) for one in staged])


def way_out(state: State) -> WayToGoOut:
    found = offers_at(state).way_out
    assert found is not None
    return found


def cards_of_layings(layings: tuple[LayOffer, ...]) -> list[tuple[tuple[Card, ...], bool]]:
    """Return for each laying its cards, and whether they are a new meld."""
    return [(laying.cards, laying.new) for laying in layings]


def play_way_out(state: State, way: WayToGoOut) -> DealEnded | None:
    """Play the steps of a way to go out, with a partner who agrees; return the deal's end, or None."""
    seat = state.turn
    for step in way.steps:
        events = decide(state, seat, step)
        state = fold(state, events)
        for event in events:
            if isinstance(event, DealEnded):
                return event
        if isinstance(step, Ask):
            state = fold(state, decide(state, seat_to_act(state), YES))
    return None


# --- a way out -------------------------------------------------------------------------------------------------------


def test_a_way_out_names_its_melds_its_discard_and_its_score() -> None:
    state = state_with_hand("Qs Qh Qd 9s 9h 4d", melds={"0": [CANASTA, "9d 9c 9s"]})
    way = way_out(state)
    assert [(read_cards("Qs Qh Qd", ""), True), (read_cards("9s 9h", ""), False)] == cards_of_layings(way.layings)
    assert FOUR == way.discard
    assert [(2, 3, 0)] == [(holder.seat, holder.cards, holder.waiting) for holder in way.partners]
    # Ten points for each of fifteen cards, 500 for the canasta, 100 for going out.
    assert 150 + 500 + 100 == way.points
    ended = play_way_out(state, way)
    assert ended is not None
    assert (0, 750 - 15) == (ended.went_out, ended.lines[0].total)


def test_the_partner_may_be_asked_if_there_is_one() -> None:
    way = way_out(state_with_hand("Qs Qh Qd 4d"))
    assert (None, True) == (way.word, way.may_ask)
    assert (meld_step(QUEEN, 3), Discard(FOUR)) == way.steps
    two = {"0": [CANASTA, "Ts Th Td Tc Ts Th Td"]}
    alone = way_out(state_with_hand("Qs Qh Qd 4d", players=2, melds=two))
    assert (None, False, ()) == (alone.word, alone.may_ask, alone.partners)


def test_a_required_question_to_the_partner_is_among_the_steps() -> None:
    natural, mixed = "Ks Kh Kd Kc Ks Kh Kd", "As Ah Ad Ac As Ah 2d"
    asked = state_with_hand("Qs Qh Qd 4d", rules="hand-and-foot-us", melds={"0": [natural, mixed]}, feet={})
    way = way_out(asked)
    assert ("ask", False) == (way.word, way.may_ask)
    assert ASK == way.steps[0]
    announced = state_with_hand("Qs Qh Qd 4d", rules="italian-club")
    way = way_out(announced)
    assert "announce" == way.word
    assert ANNOUNCE in way.steps
    assert play_way_out(announced, way) is not None


def test_after_a_yes_no_question_is_needed_and_after_a_no_going_out_is_barred() -> None:
    state = apply_action(state_with_hand("Qs Qh Qd 4d"), 0, ASK)
    assert NOTHING == offers_at(state)
    assert NOTHING == offers_to_seat(state, 2)
    agreed = apply_action(state, 2, YES)
    way = way_out(agreed)
    assert (None, False) == (way.word, way.may_ask)
    assert offers_at(apply_action(state, 2, NO)).way_out is None


def test_wild_cards_complete_a_canasta_and_do_not_spoil_one() -> None:
    state = state_with_hand("2s JK 4d", melds={"0": [CANASTA, "9d 9c 9s 9h 9d 9c"]})
    way = way_out(state)
    assert NINE == way.layings[0].place
    assert way.layings[0].canasta
    assert JOKER not in {laying.place for laying in way.layings}


def test_going_out_is_not_offered_without_a_canasta_or_with_unmeldable_cards() -> None:
    assert offers_at(state_with_hand("Qs Qh Qd 4d", melds={"0": ["Js Jh Jd"]})).way_out is None
    assert offers_at(state_with_hand("Qs Qh Qd 4d 5d")).way_out is None


def test_a_way_out_by_taking_the_pile_melds_the_cards_of_the_pile() -> None:
    state = state_with_hand("9s 9h 4d", phase="draw", pile="Jd 9d")
    way = way_out(state)
    assert isinstance(way.steps[0], Take)
    assert way.steps[0] == way.take
    assert FOUR == way.discard
    assert play_way_out(state, way) is not None
    assert offers_at(state_with_hand("9s 9h 4d", phase="draw", pile="5d 9d")).way_out is None


def test_going_out_concealed_needs_no_minimum() -> None:
    state = state_with_hand("As Ah Ad Ac As Ah Ad", melds={})
    way = way_out(state)
    assert 140 + 500 + 200 == way.points
    assert offers_at(state).opening is not None  # a smaller meld opens the side too


def test_a_waiting_foot_prevents_going_out() -> None:
    natural, mixed = "Ks Kh Kd Kc Ks Kh Kd", "As Ah Ad Ac As Ah 2d"
    feet = {"0": "4s 5s"}
    state = state_with_hand("Qs Qh Qd 4d", rules="hand-and-foot-us", melds={"0": [natural, mixed]}, feet=feet)
    assert offers_at(state).way_out is None


# --- an opening ------------------------------------------------------------------------------------------------------


def test_the_cheapest_melds_that_suffice_open_the_side() -> None:
    state = state_with_hand("Ks Kh Kd Kc As Ah 2s JK 4d 5d", melds={}, score=1500)
    opening = offers_at(state).opening
    assert opening is not None
    assert {read_cards("Ks Kh Kd", ""), read_cards("As Ah 2s", "")} == {laying.cards for laying in opening.added}
    assert (90, 90) == (opening.points, opening.required)
    assert why_not_allowed(state, 0, opening.action) is None


def test_an_opening_uses_no_wild_cards_if_naturals_suffice() -> None:
    state = state_with_hand("Ks Kh Kd Kc Qs Qh Qd 2s JK 4d 5d", melds={})
    opening = offers_at(state).opening
    assert opening is not None
    assert not [card for laying in opening.added for card in laying.cards if card >> 2 in (TWO, JOKER)]


def test_staged_melds_are_completed_to_the_minimum() -> None:
    state = state_with_hand("Ks Kh Kd As Ah 2s 4d 5d", melds={}, score=1500)
    found = offers_at(state, "Ks Kh Kd")
    assert found.why_not is not None
    assert (Code.INITIAL_MELD_TOO_LOW, {"count": 30, "required": 90}) == (found.why_not.code, found.why_not.detail)
    assert found.opening is not None
    assert (lay_from_text("Ks Kh Kd"), lay_from_text("As Ah 2s")) == found.opening.melds
    assert [(read_cards("As Ah 2s", ""), True)] == cards_of_layings(found.opening.added)
    assert 90 == found.opening.points
    assert why_not_allowed(state, 0, found.opening.action) is None
    assert not {KING} & {laying.place for laying in found.layings if laying.new}


def test_cards_that_join_a_staged_meld_are_laid_with_it() -> None:
    state = state_with_hand("Ks Kh Kd 2s 4d 5d 6d", melds={})
    opening = offers_at(state, "Ks Kh Kd").opening
    assert opening is not None
    assert (lay_from_text("Ks Kh Kd 2s"),) == opening.melds
    assert [(read_cards("2s", ""), False)] == cards_of_layings(opening.added)


def test_sufficient_staged_melds_are_not_extended() -> None:
    state = state_with_hand("As Ah Ad Ks Kh Kd 4d 5d", melds={})
    found = offers_at(state, "As Ah Ad")
    assert found.why_not is None
    assert found.opening is not None
    assert ((), 60) == (found.opening.added, found.opening.points)


def test_only_melds_that_lead_to_an_opening_are_offered() -> None:
    found = offers_at(state_with_hand("Ks Kh Kd 4d 5d 6d", melds={}))
    assert ((), None) == (found.layings, found.opening)
    foolish = offers_at(state_with_hand("As Ah Ad Ks Kh Kd 4d 5d", melds={}), "4d 5d")
    assert foolish.opening is None
    assert foolish.why_not is not None


def test_an_opening_meets_the_demands_of_the_rules_besides_points() -> None:
    clean = state_with_hand("Ks Kh Kd Qs Qh 2s JK As Ah 4d 5d 6d 6h", rules="modern-american", melds={}, players=4)
    opening = offers_at(clean).opening
    assert opening is not None
    assert any(laying.place == KING and not {card >> 2 for card in laying.cards} - {KING} for laying in opening.added)
    runs = state_with_hand("4h 5h 6h 7h 8h 9h Th Kd Kc", rules="samba", melds={})
    opened = offers_at(runs).opening
    assert opened is not None
    assert why_not_allowed(runs, 0, opened.action) is None


# --- taking the pile -------------------------------------------------------------------------------------------------


def test_an_unopened_side_takes_the_pile_with_melds_that_open() -> None:
    state = state_with_hand("9s 9h Ks Kh Kd 4d 5d 6d", phase="draw", melds={})
    (way,) = offers_at(state).takes
    assert (read_cards("9s 9h", ""), [(read_cards("Ks Kh Kd", ""), True)]) == (way.cards, cards_of_layings(way.added))
    assert (60, 50) == (way.points, way.required)
    assert TakePile(read_cards("9s 9h", ""), (lay_from_text("Ks Kh Kd"),)) == way.action


def test_staged_melds_are_laid_when_the_pile_is_taken() -> None:
    state = state_with_hand("9s 9h Ks Kh Kd As Ah Ad 4d 5d 6d", phase="draw", melds={})
    (way,) = offers_at(state, "Ks Kh Kd").takes
    assert (lay_from_text("Ks Kh Kd"),) == getattr(way.action, "melds", None)
    assert () == way.added
    assert why_not_allowed(state, 0, way.action) is None


def test_an_open_side_sees_each_way_to_take_the_pile() -> None:
    state = state_with_hand("9s 9h 2s 4d 5d 6d", phase="draw", melds={"0": ["9c 9s 9h", CANASTA]})
    takes = offers_at(state).takes
    assert [step for step in legal_actions(state) if isinstance(step, Take)] == [way.step for way in takes]
    assert all(way.action == way.step and way.points is None for way in takes)


# --- new melds and additions -----------------------------------------------------------------------------------------


def test_layings_complete_canastas_first_and_take_few_wild_cards() -> None:
    melds = {"0": ["9d 9c 9s 9h 9d", "Ts Th Td"]}
    state = state_with_hand("9s 2s 2h Ts Qs Qh Qd As Ah 4d 5d 6d 7d", melds=melds)
    found = cards_of_layings(offers_at(state).layings)
    assert (read_cards("9s 2s", ""), False) == found[0]
    assert (read_cards("Qs Qh Qd", ""), True) in found
    assert (read_cards("Ts", ""), False) in found
    assert (read_cards("9s", ""), False) in found
    assert (read_cards("As Ah 2s", ""), True) in found


def test_melds_that_take_wild_cards_come_after_those_that_take_none() -> None:
    melds = {"0": ["9d 9c 9s 9h"]}
    found = cards_of_layings(offers_at(state_with_hand("2s As Ah 4d 4s 4h Qs 6d", melds=melds)).layings)
    assert [(read_cards("4s 4h 4d", ""), True), (read_cards("As Ah 2s", ""), True)] == found
    first = cards_of_layings(offers_at(state_with_hand("2s As Ah 4d 4s 4h Qs 6d", melds={}, opened={})).layings)
    assert (read_cards("As Ah 2s", ""), True) == first[0]  # until the side has opened, points decide the order


def test_runs_are_offered_at_their_longest() -> None:
    state = state_with_hand("4h 5h 6h 7h 9s 9d Kd Kc 8c", rules="samba", melds={"0": ["9h 9c 9s"]})
    found = cards_of_layings(offers_at(state).layings)
    assert (read_cards("4h 5h 6h 7h", ""), True) in found
    assert (read_cards("9s 9d", ""), False) in found


def test_melds_after_which_the_turn_could_not_end_are_not_offered() -> None:
    state = state_with_hand("Qs Qh Qd 4d", melds={"0": ["Js Jh Jd"]})
    assert () == offers_at(state).layings


# --- players who get offers -------------------------------------------------------------------------------------------


def test_only_the_seat_that_is_to_act_is_offered_anything() -> None:
    state = state_with_hand("Qs Qh Qd 9s 9h 4d")
    assert [NOTHING] * 3 == [offers_to_seat(state, seat) for seat in (1, 2, 3)]


def test_offers_show_no_card_in_their_repr() -> None:
    state = state_with_hand("Qs Qh Qd 9s 9h 4d", melds={"0": [CANASTA, "9d 9c 9s"]})
    described = repr(offers_at(state))
    assert "cards=" not in described.replace("cards=3", "")
    assert "steps" not in described


# --- offers through the table service --------------------------------------------------------------------------------


async def test_only_people_and_not_computer_players_get_offers(world: World) -> None:
    table = await world.start_game(NORTH)
    snapshot = await world.service.reading.seat_snapshot(table.id, person=NORTH, guild=GUILD)
    assert snapshot.view is not None
    found = await world.service.reading.offers(table.id, person=NORTH, guild=GUILD)
    assert found == snapshot.offers
    computer = await world.service.reading.computer_turn(table.id)
    assert (computer is None) == snapshot.view.must_act
    if computer is not None:
        assert NOTHING == computer.offers


async def test_a_person_without_a_seat_gets_no_offers(world: World) -> None:
    table = await world.start_game(NORTH, EAST, SOUTH, WEST)
    with pytest.raises(TableRefusal) as refused:
        await world.service.reading.offers(table.id, person=STRANGER, guild=GUILD)
    assert TableCode.NOT_SEATED is refused.value.code
    lobby = await world.open_lobby(NORTH)
    with pytest.raises(TableRefusal) as refused:
        await world.service.reading.offers(lobby.id, person=NORTH, guild=GUILD)
    assert TableCode.NOT_STARTED is refused.value.code


async def test_a_person_goes_out_with_one_request(world: World) -> None:
    table = (await world.start_game(NORTH, EAST, SOUTH, WEST)).id
    player = player_for("casual", 0)
    while True:
        snapshot, seat, view = await world.current_turn(table)
        person = snapshot.seats[seat].person
        assert person is not None
        offers = (await world.service.reading.seat_snapshot(table, person=person, guild=GUILD)).offers
        if offers.way_out is not None:
            break
        with pytest.raises(TableRefusal) as refused:
            await world.service.play.go_out(world.caller(person), table)
        assert TableCode.STALE_REQUEST is refused.value.code
        await world.service.play.act(
            world.caller(person), table, player.choose(view).step, expected_version=snapshot.version
        )
    outcome = await world.service.play.go_out(world.caller(person), table, expected_version=snapshot.version)
    (ended,) = [event for event in outcome.events if isinstance(event, DealEnded)]
    assert seat == ended.went_out
    assert snapshot.version + 1 == outcome.snapshot.table.version


async def test_going_out_asks_the_partner_where_the_rules_require_it(world: World) -> None:
    lobby = await world.service.lobby.create(world.caller(NORTH), channel=CHANNEL, rules="hand-and-foot-us")
    for person in (EAST, SOUTH, WEST):
        await world.service.lobby.join(world.caller(person), lobby.id)
    await world.service.lobby.start(world.caller(NORTH), lobby.id)
    found = await world.service._context.repository.get(lobby.id)
    assert found.record.game is not None
    natural, mixed = "Ks Kh Kd Kc Ks Kh Kd", "As Ah Ad Ac As Ah 2d"
    game = state_with_hand("Qs Qh Qd 4d", rules="hand-and-foot-us", melds={"0": [natural, mixed]}, feet={})
    at_the_end = replace(found, record=replace(found.record, game=game))
    assert ["Asked"] == [type(event).__name__ for event in decide_going_out(at_the_end, 0)]
