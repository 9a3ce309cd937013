"""The story of a deal: a line for each turn, taken piles first, nothing cut.

Its names are those of that time.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, get_args

import pytest

from bot.engine.cards.cards import BLACK_THREE, KING, SIX, TEN
from bot.engine.cards.meld_places import WILD_MELD
from bot.engine.cards.notation import parse_card, parse_cards
from bot.engine.moves.events import (
    Announced,
    Answered,
    Asked,
    Combined,
    DealEnd,
    DealEnded,
    DealStarted,
    Discarded,
    Drew,
    Event,
    GameEnded,
    Gathered,
    LaidOut,
    Melded,
    Opened,
    Passed,
    Penalized,
    Reclaimed,
    Reshuffled,
    ScoreLines,
    SetTalon,
    Showed,
    SidesFormed,
    TookFoot,
    TookTalon,
    TookTop,
)
from bot.engine.moves.phases import Phase
from bot.engine.rules.irregularities import Irregularity
from bot.engine.table import applying_events
from bot.i18n import locales, words
from bot.tables.state.snapshots import DealLeftovers, HandLeft, SeatHolder, SeatTenure, TableSnapshot
from cogs.shared.showing import picture_inputs
from cogs.shared.telling import play_text, text_only, turn_text
from cogs.shared.telling.turn_text import SPOKEN
from tests.support.engine_games import played_positions, public_text, recent_events, table_snapshot

EVENTS = set(get_args(Event))
WORDS = words()
STATE = next(state for state in played_positions(3) if state.phase is Phase.DRAW)
LOOK = table_snapshot(STATE)


def drew_event(seat: int, count: int = 1, threes: str = "") -> Drew:
    return Drew(seat, (), parse_cards(threes), count)


def discard_event(seat: int, card: str) -> Discarded:
    return Discarded(seat, parse_card(card))


def meld_event(seat: int, kind: int, cards: str) -> Melded:
    return Melded(seat, kind, parse_cards(cards))


def gather_event(seat: int, count: int, **different: Any) -> Gathered:
    return Gathered(seat, parse_cards("4s " * count), (), **different)


TAKEN = (
    TookTop(1, TEN, parse_card("Td"), parse_cards("Th Tc")),
    Gathered(1, parse_cards("5s 6s 7s 8s 9s 4s Js Qs Ks"), parse_cards("3h")),
    meld_event(1, TEN, "Ts Td Th"),
    meld_event(1, TEN, "JK"),
    discard_event(1, "6c"),
)
"""Events in which a seat takes a pile of eleven cards."""


def table_at_turn(
    *turns: tuple[Event, ...], running: int, phase: Phase = Phase.DRAW, **different: object
) -> TableSnapshot:
    """Return a table with these turns, numbered from 0; turn `running` is not over."""
    assert LOOK.view is not None
    view = replace(LOOK.view, turns=running, turn=running % 4, phase=phase)
    return replace(LOOK, view=view, recent=recent_events(*turns), **different)  # type: ignore[arg-type]


def plain_turn(seat: int, card: str) -> tuple[Event, ...]:
    return (drew_event(seat), discard_event(seat, card))


def deal_end_event(reason: DealEnd, out: int | None = None, *, concealed: bool = False) -> DealEnded:
    return DealEnded(1, reason, out, concealed, (ScoreLines(), ScoreLines()), (0, 0))


def test_every_event_has_a_description() -> None:
    """An event without one would show only when it happens, so the program's internals are checked."""
    assert set(turn_text._PARTS) | {Melded} == EVENTS


def test_every_event_can_be_applied_to_a_state() -> None:
    """An event without a handler would show only when it happens, so the program's internals are checked."""
    assert set(applying_events._HANDLERS) == EVENTS


def test_a_turn_is_one_line_with_the_size_of_the_pile_that_was_taken() -> None:
    expected = "East **took the pile (11)** with 10 10 · laid out 3♥ · laid 10 10 10 +JK · discarded 6♣"
    assert expected == public_text(WORDS, LOOK, *TAKEN)
    assert "East ha" not in public_text(words("it"), LOOK, *TAKEN)
    assert "East **prende il pozzo (11)** con 10 10 · espone 3♥" in public_text(words("it"), LOOK, *TAKEN)


@pytest.mark.parametrize(
    ("events", "line"),
    [
        ((drew_event(2), discard_event(2, "Jd")), "South drew · discarded J♦"),
        ((drew_event(2, 2, "3d"), discard_event(2, "JK")), "South drew 2 · laid out 3♦ · discarded JK"),
        ((LaidOut(2, (), parse_cards("3h"), 1), drew_event(2)), "South laid out 3♥ · drew"),
        (
            (drew_event(0), meld_event(0, SIX, "6s 6h 2d"), meld_event(0, KING, "Ks Kh Kd JK"), Opened(0, 95)),
            "North drew · laid 6 6 +2, K K K +JK · opened with 95",
        ),
        (
            (TookTop(0, TEN, 24, ()), gather_event(0, 5), meld_event(0, KING, "2s")),
            "North **took the pile (6)** onto tens · added a two to the kings",
        ),
        ((TookTop(0, TEN, 24, parse_cards("Th 2c")),), "North took 10♠ from the pile with 10 2"),
        ((gather_event(0, 3, showed=parse_cards("2h 2d")),), "North **took the pile (3)**, showing 2 2"),
        (
            (TookTop(0, TEN, 24, ()), gather_event(0, 0, set_aside=parse_cards("3s"))),
            "North **took the pile (2)** onto tens · put 3♠ aside",
        ),
        ((meld_event(0, WILD_MELD, "2s 2h JK"),), "North laid 2 2 JK"),
        ((meld_event(0, 16, "7s 8s 9s"),), "North laid 7♠ 8♠ 9♠"),
        ((meld_event(0, BLACK_THREE, "3s 3c 3s"),), "North laid 3 3 3"),
        ((Combined(0, KING, KING + 32),), "North put two melds of kings together"),
        ((Reclaimed(0, KING, parse_cards("2s JK")),), "North took 2 JK back from the canasta of kings"),
        ((discard_event(0, "4d"), TookFoot(0, (), (), 11)), "North discarded 4♦ · picked up a foot of 11"),
        ((discard_event(0, "4d"), SetTalon(0, (), 4)), "North discarded 4♦ · gets 4 bonus cards in the next turn"),
        ((TookTalon(0, (), parse_cards("3h"), 2), drew_event(0)), "North got 2 bonus cards · laid out 3♥ · drew"),
        ((Reshuffled((), 40), drew_event(0)), "North the pile was shuffled into a new stock of 40 cards · drew"),
        ((Announced(0),), "North announced going out"),
        ((Passed(0),), "North passed"),
        ((Showed(0, "pairs", parse_cards("4s 4h")),), "North **showed a special hand, pairs: 4♠ 4♥**"),
        ((SidesFormed(0),), "North plays alone against East & South & West"),
        (
            (Penalized(0, Irregularity.NO_MELD, 100, 0, ()), Penalized(2, Irregularity.NO_MELD, 50, 0, ())),
            (
                "North was penalised for laying cards that are no meld: 100 points · "
                "South was penalised for laying cards that are no meld: 50 points"
            ),
        ),
        (
            (drew_event(0), discard_event(0, "4d"), deal_end_event(DealEnd.OUT, 0)),
            "North drew · discarded 4♦ · **went out**",
        ),
        (
            (drew_event(0), meld_event(0, KING, "Ks Kh Kd"), deal_end_event(DealEnd.OUT, 0, concealed=True)),
            "North drew · laid K K K · **went out concealed**",
        ),
        ((DealStarted(1, 3, ()), drew_event(0)), "North drew"),
    ],
)
def test_every_description_is_short(events: tuple[Event, ...], line: str) -> None:
    assert line == public_text(WORDS, LOOK, *events)
    assert public_text(words("it"), LOOK, *events).startswith(f"{line.split(maxsplit=1)[0]} ")


def test_a_question_is_described_correctly_to_both_partners() -> None:
    turn = (drew_event(0), Asked(0, 2), Answered(2, yes=True))
    assert "North drew · asked South: may I go out? · South said yes" == public_text(WORDS, LOOK, *turn)
    assert "North drew · asked you: may I go out? · you said yes" == public_text(WORDS, LOOK, *turn, reader=2)
    assert "North pesca · ti chiede: posso chiudere? · tu dici sì" == public_text(words("it"), LOOK, *turn, reader=2)
    assert "North drew, asked South: may I go out?" == public_text(WORDS, LOOK, *turn[:2], text_style=SPOKEN)
    table = table_at_turn(plain_turn(2, "4d"), (), (drew_event(0), Asked(0, 2)), running=2, phase=Phase.ANSWER)
    assert ["North drew · asked you: may I go out?"] == play_text.lines_since_turn(WORDS, table, 2)


def test_turns_since_the_readers_last_are_described_in_order_of_play() -> None:
    snapshot = table_at_turn(
        plain_turn(0, "4d"), plain_turn(1, "5d"), plain_turn(2, "8s"), (*plain_turn(3, "7d"),), running=4
    )
    assert [
        "East drew · discarded 5♦",
        "South drew · discarded 8♠",
        "West drew · discarded 7♦",
    ] == play_text.lines_since_turn(WORDS, snapshot, 0)
    assert ["South drew · discarded 8♠", "West drew · discarded 7♦"] == play_text.lines_since_turn(WORDS, snapshot, 1)
    taken = tuple(replace(event, seat=2) for event in TAKEN)
    snapshot = table_at_turn(
        plain_turn(0, "4d"),
        plain_turn(1, "5d"),
        taken,
        plain_turn(3, "7d"),
        (drew_event(0),),
        running=4,
        phase=Phase.PLAY,
    )
    lines = play_text.lines_since_turn(WORDS, snapshot, 0)
    assert lines[1].startswith("South **took the pile (11)**")
    assert ["East drew · discarded 5♦", "West drew · discarded 7♦"] == lines[::2]
    assert "North" not in " ".join(lines)
    assert "North drew" == play_text.lines_since_turn(WORDS, snapshot, 1)[-1]


def test_before_a_seats_first_turn_all_turns_of_the_deal_are_described() -> None:
    snapshot = table_at_turn((DealStarted(1, 3, ()), drew_event(0), discard_event(0, "4d")), running=1)
    assert ["North drew · discarded 4♦"] == play_text.lines_since_turn(WORDS, snapshot, 1)
    assert [] == play_text.lines_since_turn(WORDS, table_at_turn((DealStarted(1, 3, ()),), running=0), 0)


def test_descriptions_of_the_last_round_have_each_seat_once() -> None:
    turns = (plain_turn(0, "4d"), plain_turn(1, "5d"), plain_turn(2, "8s"), plain_turn(3, "7d"))
    lines = ["East drew · discarded 5♦", "South drew · discarded 8♠", "West drew · discarded 7♦"]
    assert lines == play_text.last_round_lines(WORDS, table_at_turn(*turns, running=4))
    assert [*lines, "North drew"] == play_text.last_round_lines(
        WORDS, table_at_turn(*turns, (drew_event(0),), running=4, phase=Phase.PLAY)
    )
    assert [] == play_text.last_round_lines(WORDS, replace(LOOK, view=None, recent=()))


def test_after_a_deal_its_whole_last_round_and_its_end_are_described() -> None:
    turns = (plain_turn(0, "4d"), plain_turn(1, "5d"), plain_turn(2, "8s"), plain_turn(3, "7d"))
    ended = (*plain_turn(0, "9d"), deal_end_event(DealEnd.STOCK), GameEnded(1))
    snapshot = table_at_turn(*turns, ended, running=5, phase=Phase.OVER)
    expected = [
        "East drew · discarded 5♦",
        "South drew · discarded 8♠",
        "West drew · discarded 7♦",
        "North drew · discarded 9♦",
        "Deal 1 is over: the stock ran out",
        "**East & West won the game**",
    ]
    assert expected == play_text.last_round_lines(WORDS, snapshot)
    assert expected[1:] == play_text.lines_since_turn(WORDS, snapshot, 1)
    out = table_at_turn(*turns, (*plain_turn(0, "9d"), deal_end_event(DealEnd.OUT, 0)), running=5, phase=Phase.BETWEEN)
    assert "North drew · discarded 9♦ · **went out**" == play_text.last_round_lines(WORDS, out)[-1]


def test_descriptions_of_turns_are_shortened_by_whole_lines_least_important_first() -> None:
    taken = tuple(replace(event, seat=2) for event in TAKEN)
    opening = (drew_event(3), meld_event(3, KING, "Ks Kh Kd"), Opened(3, 50), discard_event(3, "7d"))
    snapshot = table_at_turn(plain_turn(0, "4d"), plain_turn(1, "5d"), taken, opening, running=4)
    whole = play_text.lines_since_turn(WORDS, snapshot, 0)
    assert whole == play_text.lines_since_turn(WORDS, snapshot, 0, room=len("\n".join(whole)))
    assert [*whole[1:], "and one more turn"] == play_text.lines_since_turn(
        WORDS, snapshot, 0, room=len("\n".join(whole)) - 1
    )
    assert [whole[1], "and 2 more turns"] == play_text.lines_since_turn(WORDS, snapshot, 0, room=len(whole[1]) + 20)
    assert ["and 3 more turns"] == play_text.lines_since_turn(WORDS, snapshot, 0, room=20)
    later = table_at_turn(plain_turn(0, "4d"), plain_turn(1, "5d"), plain_turn(2, "6d"), plain_turn(3, "7d"), running=4)
    assert ["West drew · discarded 7♦", "and 2 more turns"] == play_text.last_round_lines(WORDS, later, room=50)


def test_text_only_readers_get_melds_and_cards_in_words() -> None:
    heard = text_only.spell_cards(WORDS, public_text(WORDS, LOOK, *TAKEN, text_style=SPOKEN))
    assert (
        "East took the pile (11) with 2 tens, laid out 3 of hearts, laid 3 tens, 1 joker, discarded 6 of clubs" == heard
    )
    two = (drew_event(0), meld_event(0, SIX, "6s 6h 2d"), meld_event(0, KING, "Ks Kh Kd"))
    assert "North drew, laid 2 sixes, 1 two and 3 kings" == public_text(WORDS, LOOK, *two, text_style=SPOKEN)
    snapshot = table_at_turn(TAKEN, running=1)
    picture = picture_inputs.strip_markup(play_text.last_round_lines(WORDS, snapshot)[0])
    assert picture.startswith("East took the pile (11) with 10 10 · ")


def test_lines_name_the_player_who_sat_there_at_that_time() -> None:
    computer = SeatHolder("computer", number=3, kept_for=101, kept_name="East")
    seats = (LOOK.seats[0], computer, *LOOK.seats[2:])
    sat = (*(SeatTenure(seat, 1, 0, holder) for seat, holder in enumerate(LOOK.seats)), SeatTenure(1, 1, 5, computer))
    turns = (
        plain_turn(0, "4d"),
        plain_turn(1, "5d"),
        plain_turn(2, "8s"),
        plain_turn(3, "7d"),
        plain_turn(0, "9d"),
        plain_turn(1, "9s"),
    )
    snapshot = table_at_turn(*turns, running=6, seats=seats, sat=sat)
    assert r"Computer 3 \(for East\) drew · discarded 9♠" == play_text.last_round_lines(WORDS, snapshot)[-1]
    assert (
        "East drew · discarded 5♦"
        == play_text.last_round_lines(WORDS, table_at_turn(*turns[:2], running=2, seats=seats, sat=sat))[-1]
    )


@pytest.mark.parametrize("locale", locales())
def test_the_end_of_a_deal_names_the_player_who_ended_it(locale: str) -> None:
    said = words(locale)
    sat = (SeatTenure(0, 1, 0, SeatHolder("person", 9, "Zoe")), SeatTenure(0, 2, 0, LOOK.seats[0]))
    snapshot = replace(LOOK, sat=sat, left=(DealLeftovers(1, (HandLeft(1, (0,), -5),), (0, "pairs")),))
    assert "Zoe" in play_text.deal_end_text(said, snapshot, deal_end_event(DealEnd.OUT, 0))
    assert "Zoe" in play_text.deal_end_text(said, snapshot, deal_end_event(DealEnd.SPECIAL_HAND))
    assert play_text.deal_end_text(said, LOOK, deal_end_event(DealEnd.SPECIAL_HAND)) == said("ended.special_hand")
    assert len(DealEnd) == len(
        {play_text.deal_end_text(said, snapshot, deal_end_event(reason, 0)) for reason in DealEnd}
    )
