"""Every refused act of every case counts as the right irregularity, at the classic prices."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any, Final

import pytest

from bot.engine.cards.cards import CLUBS, KING
from bot.engine.cards.meld_places import FAMILIES, run_place
from bot.engine.cards.notation import parse_card
from bot.engine.moves.actions import LayRun, Meld, Step, Take
from bot.engine.moves.refusals import Refusal
from bot.engine.play.decide import why_not_allowed
from bot.engine.positions.position_reading import read_position
from bot.engine.rules.irregularities import Irregularity
from bot.engine.table.applying_events import fold
from bot.referee.case_actions import try_action, with_turn_begun
from bot.referee.cases import read_case
from tests.support.case_proofs import all_cases

OPENING: Final = frozenset(
    [
        "initial_meld_too_low",
        "initial_meld_unreachable",
        "opening_mixed_canasta",
        "opening_needs_canasta",
        "opening_needs_canasta_and_points",
        "opening_needs_clean",
        "opening_needs_clean_or_wild",
        "opening_needs_natural_canasta",
        "opening_without_wilds",
    ]
)
CLOSING: Final = frozenset(
    [
        "canastas_not_before",
        "foot_waits",
        "needs_canasta",
        "needs_canasta_kind",
        "needs_counting_canasta",
        "out_last_card",
        "out_needs_discard",
        "out_red_threes",
        "out_unfinished",
        "out_without_discard",
        "partner_foot_waits",
    ]
)
PILE: Final = frozenset(
    [
        "pile_blocked",
        "pile_blocked_seven",
        "pile_closed_unopened",
        "pile_frozen",
        "pile_frozen_unopened",
        "pile_frozen_untaken",
        "take_needs_cards",
        "take_needs_pair",
        "take_needs_triple",
        "take_needs_twos",
        "take_no_meld",
        "take_no_meld_or_run",
        "take_onto_canasta",
        "take_two_alone",
    ]
)
MELD: Final = frozenset(
    [
        "black_threes_count",
        "black_threes_never",
        "black_threes_only_out",
        "meld_mixed_ranks",
        "meld_no_rank",
        "meld_no_second",
        "meld_too_few_naturals",
        "meld_too_large",
        "meld_too_many_wilds",
        "meld_too_small",
        "rank_closed",
        "rank_takes_no_wilds",
        "run_full",
        "run_gap",
        "run_grows_only_out",
        "run_not_at_end",
        "run_ranks",
        "run_size",
        "run_suits",
        "run_without_wilds",
        "runs_off",
        "wild_on_canasta",
        "wild_too_early",
        "wild_would_come_back",
        "wilds_locked",
    ]
)
JUDGED: Final[Mapping[str, Irregularity]] = {
    **dict.fromkeys(OPENING, Irregularity.SHORT_OPENING),
    **dict.fromkeys(CLOSING, Irregularity.FALSE_CLOSE),
    **dict.fromkeys(PILE, Irregularity.UNUSED_PILE),
    **dict.fromkeys(MELD, Irregularity.NO_MELD),
    "partner_said_no": Irregularity.AGAINST_A_NO,
    "partner_said_yes": Irregularity.NOT_OUT_AFTER_YES,
    "ask_too_late": Irregularity.ASKED_TOO_LATE,
    "not_your_turn": Irregularity.SHOWN_OUT_OF_TURN,
    "waiting_for_answer": Irregularity.SHOWN_OUT_OF_TURN,
    "meld_wrong_target": Irregularity.UNUSED_PILE,  # only when the pile is taken: in melding it costs nothing
}
"""The irregularity that paragraphs 1.18 and 1.22 of `docs/law/classic.md` assign to each refusal, by its code."""

STEPS: Final[Mapping[str, tuple[dict[str, Any], Step]]] = {
    "initial_meld_unreachable": ({"hands": {"0": "4s 4h 4d 5s 9h", "1": "4c"}}, Meld(0, 3)),
    "meld_no_second": (
        {"hands": {"0": "Ks Kh Kd 5s 9h", "1": "4c"}, "melds": {"0": ["Kc Kc Kh"]}},
        Meld(KING + FAMILIES, 3),
    ),
    "meld_wrong_target": (
        {"hands": {"0": "4s 5s", "1": "4c"}, "phase": "draw", "melds": {"0": ["Kc Kc Kh"]}},
        Take(onto=KING),
    ),
    "runs_off": (
        {"hands": {"0": "4c 5c 6c 9h 9d", "1": "4c"}, "melds": {"0": ["Kc Kc Kh"]}},
        LayRun(run_place(CLUBS), parse_card("4c") >> 2, parse_card("6c") >> 2),
    ),
}
"""Steps that cause the refusals which no act of a case causes."""


@cache
def irregularities_by_code() -> Mapping[str, frozenset[Irregularity]]:
    """Return by refusal code the irregularities that occur in all cases, at the classic prices."""
    judged: dict[str, set[Irregularity]] = defaultdict(set)
    for data in all_cases():
        if "position" not in data:
            continue
        case = read_case({**data, "options": {**data.get("options", {}), "penalties": "laws"}})
        state = case.state
        for request in case.requests:
            try:
                events = try_action(state, replace(request, attempted=False))
            except Refusal as refusal:
                judged[refusal.code] |= set() if refusal.penalty is None else {refusal.penalty.irregularity}
                continue
            state = with_turn_begun(fold(state, events))
    return {code: frozenset(irregularities) for code, irregularities in judged.items()}


@pytest.mark.parametrize("code", sorted(JUDGED.keys() - STEPS.keys()))
def test_a_refused_act_counts_as_the_irregularity_of_its_code(code: str) -> None:
    assert JUDGED[code] in irregularities_by_code()[code]


@pytest.mark.parametrize("code", sorted(STEPS))
def test_a_refused_step_counts_as_the_irregularity_of_its_code(code: str) -> None:
    told, step = STEPS[code]
    position = {"turn": 0, "phase": "play", "stock": "9c 8d 7c 6h", "pile": "6d 8c", **told}
    refusal = why_not_allowed(read_position({"options": {"penalties": "laws"}, "position": position}), 0, step)
    assert refusal is not None
    assert code == refusal.code
    assert refusal.penalty is not None
    assert JUDGED[code] is refusal.penalty.irregularity


def test_no_other_refusal_costs_a_penalty() -> None:
    assert {} == {code: paid for code, paid in irregularities_by_code().items() if paid and code not in JUDGED}
