"""Check a refusal: the obstacle that it names must be the real one.

The named obstacle is removed (`tests.support.refusal_checks.trials_by_code`); then the attempt must be legal, or be
refused for another reason. `tests.support.refusal_checks.recounted_numbers` computes the numbers in the refusal again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.engine.moves.actions import LayMelds, TakePile
from bot.engine.moves.refusals import Code, kind_name
from bot.engine.play.decide import why_not_allowed
from tests.support.refusal_checks.cards_of_attempts import takes_pile, top_kind
from tests.support.refusal_checks.recounted_numbers import COUNTED, SEEN
from tests.support.refusal_checks.refused_attempts import RefusedAttempt
from tests.support.refusal_checks.trials_by_code import TRIALS_BY_CODE

OF_THE_PILE: Final = ("pile_", "take_", "must_take")
"""Prefixes of the codes in whose detail the kind is that of the top card."""


def refusal_errors(attempt: RefusedAttempt) -> list[str]:
    """Return an error text for every error of a refusal.

    Its obstacle may not be the real one, or a number may be wrong.
    """
    attempt = single_refusal(attempt)
    code, detail = attempt.refusal.code, attempt.refusal.detail
    counted = dict(COUNTED[code](attempt)) if code in COUNTED else {}
    if code.value.startswith(OF_THE_PILE) and "kind" in detail:
        counted["kind"] = kind_name(top_kind(attempt.state))
    wrong = [
        f"{name} is {detail.get(name)}, and not {number}"
        for name, number in counted.items()
        if detail.get(name) != number
    ]
    wrong += SEEN[code](attempt) if code in SEEN else []
    for number, trial in enumerate(TRIALS_BY_CODE[code](attempt)):
        refusal = trial.engine_refusal()
        if refusal is not None and refusal.code is code and not _names_another_card_or_meld(attempt, refusal.detail):
            wrong.append(f"trial {number} is refused for the same: {dict(refusal.detail)}")
    return wrong


def _names_another_card_or_meld(attempt: RefusedAttempt, detail: Mapping[str, int | str]) -> bool:
    """Return whether a new refusal with this `detail` and the same code names another card or meld."""
    if attempt.refusal.code is Code.RANK_CLOSED:  # the trial renumbers melds: compare only ranks
        return detail["kind"] != attempt.refusal.detail["kind"]
    if attempt.refusal.code is Code.CARD_NOT_HELD:
        names = ("card", "kind")
        return [detail.get(name) for name in names] != [attempt.refusal.detail.get(name) for name in names]
    several = isinstance(attempt.action, LayMelds | TakePile) and len(attempt.action.melds) + takes_pile(attempt) > 1
    return several and dict(detail) != dict(attempt.refusal.detail)


def single_refusal(attempt: RefusedAttempt) -> RefusedAttempt:
    """Return the refused attempt with a single meld of the act if that alone is refused in the same way.

    Otherwise return the attempt as it is.
    """
    if not isinstance(attempt.action, LayMelds) or len(attempt.action.melds) < 2:
        return attempt
    for lay in attempt.action.melds:
        action = LayMelds((lay,))
        if why_not_allowed(attempt.state, attempt.seat, action) == attempt.refusal:
            return RefusedAttempt(attempt.state, attempt.seat, action, attempt.refusal)
    return attempt
