"""Trials of refused attempts without the obstacle that the refusal names, by its code.

For each code, a function yields trials: the same attempt with the missing points, canasta, card or answer given, or
under rules without the named restriction.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.engine.moves.refusals import Code
from tests.support.refusal_checks.refused_attempts import TrialMaker
from tests.support.refusal_checks.trials_for_going_out import IN_GOING_OUT
from tests.support.refusal_checks.trials_for_melds import IN_LAYING
from tests.support.refusal_checks.trials_for_turns import IN_TURNS

TRIALS_BY_CODE: Final[Mapping[Code, TrialMaker]] = {**IN_TURNS, **IN_LAYING, **IN_GOING_OUT}
"""The functions that yield trials, by the code of the refusal."""
