"""Voices: how a sentence of what happened is said, to the eye, to the ear, in a log."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Voice:
    """How a line is said: what stands out, what stands between its parts, and whether cards are words.

    With `tight` the cards of a meld stand close together: ``777``.
    """

    strong: str
    between: str
    in_words: bool
    tight: bool = False


MARKED: Final = Voice("**{}**", " · ", in_words=False)
"""For messages: bold, cards as signs."""


SPOKEN: Final = Voice("{}", ", ", in_words=True)
"""For who listens: melds in words; single cards keep their signs, for `cogs.shared.telling.spoken.spelled`."""


LOGGED: Final = Voice("{}", ", ", in_words=False, tight=True)
"""For logs, which are sentences: "drew, laid 777, discarded 4♣"."""


PLAIN: Final = Voice("{}", ", ", in_words=False)
"""For a sentence of a message: cards as signs, nothing stands out."""
