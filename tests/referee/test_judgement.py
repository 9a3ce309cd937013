"""Judgements: whether one action is allowed, with its paragraph, without revealing hidden cards."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, get_args

import pytest

from bot.engine.cards.cards import FOUR, KING, card_of
from bot.engine.cards.notation import parse_cards
from bot.engine.moves import actions
from bot.engine.moves.actions import (
    DRAW,
    PARAGRAPHS,
    PASS,
    Act,
    Action,
    Attempt,
    Discard,
    DiscardCard,
    Lay,
    LayMelds,
    StartDeal,
    Step,
    TakePile,
)
from bot.engine.moves.refusals import Code
from bot.engine.positions.position_reading import read_position
from bot.referee.judgement import Judgement, JudgementWords, judge_action
from tests.support.engine_games import played_positions
from tests.support.project_files import ROOT


def test_every_action_has_its_paragraph() -> None:
    assert {*get_args(Step), *get_args(Act), Attempt, StartDeal} == set(PARAGRAPHS)


def test_every_cited_paragraph_exists() -> None:
    """Paragraphs are sections of the two documents of the rules, or "themes"."""
    cited = {*(code.paragraph for code in Code), *PARAGRAPHS.values()}
    cited |= {value for name, value in vars(actions).items() if name.isupper() and isinstance(value, str)}
    assert actions.INITIAL_CANASTA in cited
    assert set() == cited - {*_sections("classic.md"), *[f"v{one}" for one in _sections("variants.md")], "themes"}


def _sections(paper: str) -> list[str]:
    text = (ROOT / "docs" / "law" / paper).read_text(encoding="utf-8")
    return re.findall(r"^##+ (\d+(?:\.\d+)?) ", text, flags=re.MULTILINE)


def test_allowed_actions_are_judged_with_their_paragraph() -> None:
    state = next(played_positions(3))
    expected = Judgement(allowed=True, paragraph="1.9", words="Allowed (rules 1.9).")
    assert expected == judge_action(state, state.turn, DRAW)


def test_refused_actions_are_judged_with_their_reason() -> None:
    state = next(played_positions(3))
    judgement = judge_action(state, state.turn, Discard(FOUR))
    assert (False, Code.DRAW_FIRST, "1.9") == (judgement.allowed, judgement.code, judgement.paragraph)
    assert "Draw first, or take the pile if you can. (rules 1.9)" == judgement.words


OUT: dict[str, Any] = {"turn": 0, "phase": "draw", "stock": "", "pile": "6d Tc", "hands": {"0": "Th Td 5s", "1": "4c"}}
"""A position with an empty stock: the seat holds a pair for the top card, and its side has the melds that are added."""
LAID: dict[str, Any] = {"turn": 0, "phase": "play", "stock": "7d 6h", "pile": "6d Tc"}


@pytest.mark.parametrize(
    ("rules", "position", "action", "sentence"),
    [
        ("classic", OUT, DRAW, "The stock is empty. Take the pile or pass."),
        ("classic", {**OUT, "melds": {"0": ["Ts Th Td"]}}, DRAW, "The stock is empty: take the pile."),
        ("classic", {**OUT, "melds": {"0": ["Ts Th Td"]}}, PASS, "The stock is out and the top card fits one of your"),
        ("afrikaans", {**OUT, "melds": {"0": ["Ks Kh Kd"]}}, PASS, "The stock is out and you can take the pile: in"),
        (
            "italian",
            {**LAID, "hands": {"0": "9s 9h 2c 5s 6s"}, "melds": {"0": ["2s 2h 2d"]}},
            LayMelds((Lay(parse_cards("9s 9h 2c")),)),
            "Your meld of twos is unfinished: until it has 7 cards, twos may join no other meld.",
        ),
        (
            "modern-american",
            {**LAID, "hands": {"0": "9s 9h 2c 5s 6s"}, "melds": {"0": ["2s 2h 2d", "9d 9c 9s 9h 9d"]}},
            LayMelds((Lay(parse_cards("2c"), 1),)),
            "Your meld of wild cards is unfinished: until it has 7 cards, wild cards may join no other meld.",
        ),
    ],
)
def test_a_refusal_has_the_sentence_that_fits_the_position(
    rules: str, position: dict[str, Any], action: Action, sentence: str
) -> None:
    assert judge_action(read_position({"rules": rules, "position": position}), 0, action).words.startswith(sentence)


def test_a_judgement_names_seats_and_cards_with_the_given_words() -> None:
    state = next(played_positions(3))
    speech = JudgementWords(seat=("North", "East", "South", "West").__getitem__, card=lambda card: f"card {card}")
    other = (state.turn + 1) % 4
    assert re.match(r"It is (North|East|South|West)'s turn\.", judge_action(state, other, PASS, speech).words)
    missing = next(card_of(KING, suit) for suit in range(4) if card_of(KING, suit) not in state.hands[state.turn])
    after = replace(state, phase=next(one.phase for one in played_positions(3) if one.phase.value == "play"))
    assert f"card {missing}" in judge_action(after, state.turn, DiscardCard(missing), speech).words


def test_a_judgement_does_not_depend_on_hidden_cards() -> None:
    state = next(played_positions(5))
    hidden = replace(state, stock=state.stock[::-1], hands=state.hands[1:] + state.hands[:1])
    hidden = replace(
        hidden, hands=tuple(state.hands[seat] if seat == state.turn else hidden.hands[seat] for seat in range(4))
    )
    actions: tuple[Action, ...] = (DRAW, PASS, TakePile(), LayMelds(()), Discard(FOUR))
    for action in actions:
        assert judge_action(state, state.turn, action) == judge_action(hidden, state.turn, action)
