"""The judgement of a refusal: what it names has to be what stood in the way.

The named obstacle is taken away (`tests.support.judging.gone`); then the attempt has to be legal, or be refused for
another reason. The numbers are counted again (`tests.support.judging.counted`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.engine.moves.actions import LayMelds, TakePile
from bot.engine.moves.refusals import Code, kind_name
from bot.engine.play.decide import why_not
from tests.support.judging.attempts import Refused
from tests.support.judging.cards import takes, top_kind
from tests.support.judging.counted import COUNTED, SEEN
from tests.support.judging.gone import GONE

OF_THE_PILE: Final = ("pile_", "take_", "must_take")
"""How codes begin whose kind is that of the top card."""


def false_in(one: Refused) -> list[str]:
    """What is not true of a refusal: the obstacle is not what stood in the way, or a number is wrong."""
    one = alone(one)
    code, detail = one.refusal.code, one.refusal.detail
    counted = dict(COUNTED[code](one)) if code in COUNTED else {}
    if code.value.startswith(OF_THE_PILE) and "kind" in detail:
        counted["kind"] = kind_name(top_kind(one.state))
    wrong = [
        f"{name} is {detail.get(name)}, and not {number}"
        for name, number in counted.items()
        if detail.get(name) != number
    ]
    wrong += SEEN[code](one) if code in SEEN else []
    for number, trial in enumerate(GONE[code](one)):
        refusal = trial.why_not()
        if refusal is not None and refusal.code is code and not _moved_on(one, refusal.detail):
            wrong.append(f"trial {number} is refused for the same: {dict(refusal.detail)}")
    return wrong


def _moved_on(one: Refused, detail: Mapping[str, int | str]) -> bool:
    """Whether the same code speaks of something else now: another card, or another of several melds."""
    if one.refusal.code is Code.RANK_CLOSED:  # without its canasta the numbers of melds are others
        return detail["kind"] != one.refusal.detail["kind"]
    if one.refusal.code is Code.CARD_NOT_HELD:
        names = ("card", "kind")
        return [detail.get(name) for name in names] != [one.refusal.detail.get(name) for name in names]
    several = isinstance(one.action, LayMelds | TakePile) and len(one.action.melds) + takes(one) > 1
    return several and dict(detail) != dict(one.refusal.detail)


def alone(one: Refused) -> Refused:
    """The refusal of a single meld where that alone is refused so, and of the whole act else."""
    if not isinstance(one.action, LayMelds) or len(one.action.melds) < 2:
        return one
    for lay in one.action.melds:
        action = LayMelds((lay,))
        if why_not(one.state, one.seat, action) == one.refusal:
            return Refused(one.state, one.seat, action, one.refusal)
    return one
