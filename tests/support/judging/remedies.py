"""Remedies: functions that remove the obstacle named by a refusal.

For each code, a function yields trials: the same attempt with the missing points, canasta, card or answer given, or
under rules without the named restriction.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.engine.moves.refusals import Code
from tests.support.judging.refused_attempts import Remedy
from tests.support.judging.remedies_for_going_out import IN_GOING_OUT
from tests.support.judging.remedies_for_melds import IN_LAYING
from tests.support.judging.remedies_for_turns import IN_TURNS

REMEDIES: Final[Mapping[Code, Remedy]] = {**IN_TURNS, **IN_LAYING, **IN_GOING_OUT}
"""The remedies by refusal code."""
