"""Rulings: whether the rules allow an action, as far as the asking seat can know; nothing is done."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any

import pytest

from bot.engine.cards.cards import KING, Card
from bot.engine.moves.actions import (
    ANNOUNCE,
    ASK,
    DRAW,
    PASS,
    YES,
    Action,
    Discard,
    DiscardCard,
    Lay,
    LayMelds,
    TakePile,
    meld_step,
)
from bot.engine.moves.refusals import Code
from bot.engine.play.decide import why_not_allowed
from bot.engine.play.legal_steps import legal_actions
from bot.engine.positions.position_reading import read_position
from bot.engine.rules.case_fields import read_cards
from bot.engine.rules.sets import RULE_SETS
from bot.engine.table.charged_penalties import Penalties
from bot.engine.table.state import State, seat_to_act
from bot.tables.advice.ruling import ruling_on, state_without_hidden_cards
from bot.tables.state.refusals import TableCode, TableRefusal
from tests.support.random_play import apply_action, deal_with_minimum, steps_of_a_deal
from tests.support.seeds import SEARCHING
from tests.support.tables import EAST, GUILD, NORTH, OTHER_GUILD, SOUTH, STRANGER, WEST, World
from tests.tables.test_hidden_cards import redeal_hidden_cards

FORMS = [forms.get(4) or forms[min(forms)] for forms in RULE_SETS.values()]
"""Every rule set, for four players where it has that form."""

ENOUGH = 500 if SEARCHING else 60
"""Number of questions that are compared in one game."""


def state_in_phase(phase: str = "play", turn: int = 0, **more: Any) -> State:
    """Return a state: seat 0 holds three kings, a four and a five, seat 1 a pair of nines.

    Side 0 has opened with a canasta. `more` replaces parts of the position.
    """
    hands = {"0": "Ks Kh Kd 4s 5s", "1": "9s 9h 4c 5c", "2": "5d 6d", "3": "6c 7c"}
    melds = {"0": ["Js Jh Jd Jc Js Jh Jd"]}
    given = {"hands": hands, "melds": melds, "stock": "7d 6h 5d 9c", "pile": "6d 9d", **more}
    return read_position({"position": {"turn": turn, "phase": phase, **given}})


def lay_melds_from_text(*melds: str) -> LayMelds:
    return LayMelds(tuple(Lay(read_cards(one, "")) for one in melds))


def discard_from_text(card: str) -> DiscardCard:
    return DiscardCard(read_cards(card, "")[0])


# --- yes or no, and why ----------------------------------------------------------------------------------------------


def test_a_legal_move_is_explained_with_its_paragraph() -> None:
    ruling = ruling_on(state_in_phase(), 0, lay_melds_from_text("Ks Kh Kd"))
    assert (True, ("1.10",), False) == (ruling.is_legal, ruling.paragraphs, ruling.supposed)


def test_an_illegal_move_is_explained_with_reason_numbers_and_paragraph() -> None:
    ruling = ruling_on(state_in_phase(melds={}), 0, lay_melds_from_text("Ks Kh Kd"))
    assert ruling.refusal is not None
    assert (Code.INITIAL_MELD_TOO_LOW, {"count": 30, "required": 50}) == (ruling.refusal.code, ruling.refusal.detail)
    assert (("1.11",), False) == (ruling.paragraphs, ruling.is_legal)


def test_initial_meld_and_going_out_are_explained_too() -> None:
    opening = ruling_on(state_in_phase(melds={}, hands={"0": "As Ah Ad 4s 5s"}), 0, lay_melds_from_text("As Ah Ad"))
    assert ("1.10", "1.11") == opening.paragraphs
    out = ruling_on(state_in_phase(hands={"0": "Ks Kh Kd"}), 0, lay_melds_from_text("Ks Kh Kd"))
    assert ("1.10", "1.15") == out.paragraphs
    concealed = ruling_on(
        state_in_phase(melds={}, hands={"0": "As Ah Ad Ac As Ah Ad"}), 0, lay_melds_from_text("As Ah Ad Ac As Ah Ad")
    )
    assert ("1.10", "1.11", "1.16") == concealed.paragraphs


def test_runs_are_judged_where_the_rules_have_them() -> None:
    hand = {"0": "4s 5s 6s 8s 9h Td Kc"}
    spot = {"turn": 0, "phase": "play", "hands": hand, "stock": "7d 6h", "pile": "6d", "melds": {"0": ["Js Jh Jd"]}}
    samba = read_position({"rules": "samba", "position": spot})
    assert ruling_on(samba, 0, lay_melds_from_text("4s 5s 6s")).is_legal
    assert not ruling_on(samba, 0, lay_melds_from_text("8s 9h Td")).is_legal
    refused = ruling_on(read_position({"position": spot}), 0, lay_melds_from_text("4s 5s 6s")).refusal
    assert refused is not None
    assert Code.MELD_MIXED_RANKS is refused.code


def test_a_ruling_out_of_turn_assumes_that_it_is_the_askers_turn() -> None:
    state = state_in_phase("draw")
    pair = TakePile(read_cards("9s 9h", ""), ())
    ruling = ruling_on(state, 1, pair)
    assert (True, True) == (ruling.supposed, not ruling.is_legal)
    assert ("1.11",) == ruling.paragraphs
    opened = state_in_phase("draw", melds={"1": ["Qs Qh Qd"]})
    assert (True, True) == (ruling_on(opened, 1, pair).supposed, ruling_on(opened, 1, pair).is_legal)
    assert ruling_on(opened, 1, discard_from_text("4c")).is_legal
    assert ruling_on(opened, 1, DRAW).is_legal
    missing = ruling_on(opened, 1, discard_from_text("As")).refusal
    assert missing is not None
    assert Code.CARD_NOT_HELD == missing.code


def test_in_the_askers_turn_the_current_position_decides() -> None:
    for action, code in (
        (discard_from_text("4s"), Code.DRAW_FIRST),
        (lay_melds_from_text("Ks Kh Kd"), Code.DRAW_FIRST),
    ):
        ruling = ruling_on(state_in_phase("draw"), 0, action)
        assert ruling.refusal is not None
        assert (False, code) == (ruling.supposed, ruling.refusal.code)


def test_staged_melds_of_another_player_do_not_open_for_the_asker() -> None:
    state = state_in_phase(melds={}, hands={"0": "Ks Kh Kd As Ah Ad 4s 5s", "1": "9c 9s 4c 5c", "2": "Kc 6d 7d"})
    staged = apply_action(state, 0, meld_step(KING, 3))
    assert staged.melds[0]
    assert not ruling_on(staged, 2, lay_melds_from_text("Kc")).is_legal


# --- nothing hidden --------------------------------------------------------------------------------------------------


def possible_questions(state: State, seat: int, random: Random) -> list[Action]:
    """Return actions of all kinds about which a person in that seat may ask for a ruling."""
    hand = state.hands[seat]
    some = tuple(sorted(random.sample(hand, min(len(hand), 3))))
    kind = random.choice(hand) >> 2 if hand else 0
    alike = tuple(card for card in hand if card >> 2 == kind)
    steps = [one for one in legal_actions(state) if not isinstance(one, Discard)] if seat_to_act(state) == seat else []
    melds = (Lay(alike),) if alike else ()
    said: list[Action] = [DRAW, PASS, ASK, ANNOUNCE, YES, TakePile(), TakePile(some[:2]), LayMelds((Lay(some),))]
    said += [LayMelds(melds), TakePile(alike[:2], melds), *steps[:4]]
    return said + ([DiscardCard(hand[0])] if hand else [])


@pytest.mark.parametrize("rules", FORMS, ids=lambda rules: f"{rules.name}-{rules.players}")
def test_a_ruling_is_blind_to_the_other_hands_and_to_the_stock(rules: Any) -> None:
    random = Random(7)
    compared = 0
    for played in steps_of_a_deal(deal_with_minimum(rules, 3), random):
        state = played.after
        if seat_to_act(state) is None or random.random() < 0.9:
            continue
        if compared > ENOUGH:
            break
        for seat in state.seating.seats:
            other = redeal_hidden_cards(state, random, seat)
            for action in possible_questions(state, seat, random):
                assert ruling_on(state, seat, action) == ruling_on(other, seat, action)
                compared += 1
    assert compared


@pytest.mark.parametrize("rules", FORMS, ids=lambda rules: f"{rules.name}-{rules.players}")
def test_in_the_askers_turn_a_ruling_equals_the_tables_decision(rules: Any) -> None:
    random = Random(11)
    for played in islice(steps_of_a_deal(deal_with_minimum(rules, 5), random), 60 if SEARCHING else 20):
        seat = seat_to_act(played.before)
        assert seat is not None
        for action in possible_questions(played.before, seat, random)[:6]:
            assert why_not_allowed(played.before, seat, action) == ruling_on(played.before, seat, action).refusal


def test_a_blinded_game_holds_the_same_cards() -> None:
    state = state_in_phase()
    seen = state_without_hidden_cards(state, 1)
    assert (state.hands[1], state.pile, state.melds) == (seen.hands[1], seen.pile, seen.melds)
    assert [len(hand) for hand in state.hands] == [len(hand) for hand in seen.hands]
    assert unseen_cards(1, state) == unseen_cards(1, seen)


def test_a_ruling_does_not_know_the_askers_foot() -> None:
    feet = (read_cards("As Ah", ""), read_cards("Ks Kh", ""), (), read_cards("4s 4h", ""))
    state = replace(state_in_phase(), feet=feet)
    seen = state_without_hidden_cards(state, 1)
    assert [2, 2, 0, 2] == [len(foot) for foot in seen.feet]
    assert seen == state_without_hidden_cards(replace(state, feet=(feet[1], feet[0], (), feet[3])), 1)
    assert unseen_cards(1, state) == unseen_cards(1, seen)


def test_a_ruling_knows_penalty_cards_but_not_cards_under_the_upcard() -> None:
    penalties = Penalties((0, 0), (0, 0), ((), (), read_cards("6d", ""), ()))
    state = replace(state_in_phase(pile="Ac Ad 6d 9d"), hidden=2, penalties=penalties)
    swapped = replace(state, pile=(*read_cards("7d 6h", ""), *state.pile[2:]), stock=read_cards("9c 5d Ad Ac", ""))
    seen = state_without_hidden_cards(state, 0)
    assert seen == state_without_hidden_cards(swapped, 0)
    assert state.pile[2:] == seen.pile[2:]
    assert 4 == len(seen.pile)
    assert set(read_cards("6d", "")) <= set(seen.hands[2])


def unseen_cards(seat: int, state: State) -> list[Card]:
    """Return the cards that are hidden from the seat: other hands, feet and the stock."""
    others = [hand for other, hand in enumerate(state.hands) if other != seat]
    return sorted(card for several in (*others, *state.feet, state.stock) for card in several)


# --- the service -----------------------------------------------------------------------------------------------------


async def test_a_ruling_changes_nothing(world: World) -> None:
    table = await world.start_game(NORTH, EAST, SOUTH, WEST)
    before = await world.service.reading.snapshot(table.id)
    for person in (NORTH, EAST, SOUTH, WEST):
        assert (await world.service.reading.check_action(table.id, DRAW, person=person, guild=GUILD)).is_legal
        assert not (await world.service.reading.check_action(table.id, PASS, person=person, guild=GUILD)).is_legal
    assert before == await world.service.reading.snapshot(table.id)


async def test_a_person_without_a_seat_gets_no_ruling(world: World) -> None:
    table = await world.start_game(NORTH, EAST, SOUTH, WEST)
    for person, guild, code in (
        (STRANGER, GUILD, TableCode.NOT_SEATED),
        (NORTH, OTHER_GUILD, TableCode.WRONG_SERVER),
    ):
        with pytest.raises(TableRefusal) as refused:
            await world.service.reading.check_action(table.id, DRAW, person=person, guild=guild)
        assert code is refused.value.code
    lobby = await world.open_lobby(NORTH)
    with pytest.raises(TableRefusal) as refused:
        await world.service.reading.check_action(lobby.id, DRAW, person=NORTH, guild=GUILD)
    assert TableCode.NOT_STARTED is refused.value.code
