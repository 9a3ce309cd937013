"""Obstacles: how what a refusal names as standing in the way is taken away.

For each code there is a function that answers with trials: the same attempt where the missing points, canasta, card or
answer are given, or where the law that is named does not hold.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.engine.moves.refusals import Code
from tests.support.judging.attempts import Gone
from tests.support.judging.gone_melds import IN_LAYING
from tests.support.judging.gone_out import IN_GOING_OUT
from tests.support.judging.gone_turns import IN_TURNS

GONE: Final[Mapping[Code, Gone]] = {**IN_TURNS, **IN_LAYING, **IN_GOING_OUT}
"""How the obstacle that a code names is taken away."""
