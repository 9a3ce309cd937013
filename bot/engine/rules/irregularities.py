"""Irregularities: forbidden acts for which a table may charge a penalty, as data.

For each value of the parameter `penalties` there is one table, a regime: its irregularities and the cost of each.
Anything else is refused. A program sees every irregularity at once, so none is condoned. Things the program itself does
(drawing several cards, mixing the pile with a hand, forgetting a red three) cannot go wrong.

Decides `docs/law/classic.md 1.22`. Reads `ask_partner`, `out_announce`, `penalties`.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, Literal

from bot.engine.cards.cards import Card, value_class
from bot.engine.rules.rule_set import RuleSet


class Irregularity(StrEnum):
    """Every irregularity that a seat can attempt; the value is its stored name."""

    SHORT_OPENING = "short_opening"  # an initial meld below its minimum
    NO_MELD = "no_meld"  # cards laid that make or join no meld
    FALSE_CLOSE = "false_close"  # going out without meeting the conditions for it
    FALSE_CONCEALED_CLOSE = "false_concealed_close"  # going out concealed without meeting the conditions for it
    AGAINST_A_NO = "against_a_no"  # going out although the partner said no
    NOT_OUT_AFTER_YES = "not_out_after_yes"  # not going out although the seat has to
    COULD_NOT_GO_OUT = "could_not_go_out"  # having to go out after asking, with cards that do not allow it
    ASKED_TOO_LATE = "asked_too_late"  # asking the partner after melding
    UNUSED_PILE = "unused_pile"  # taking the pile without a use for its top card
    DRAWN_OUT_OF_TURN = "drawn_out_of_turn"
    TAKEN_OUT_OF_TURN = "taken_out_of_turn"
    SHOWN_OUT_OF_TURN = "shown_out_of_turn"  # cards laid or discarded out of turn


@value_class
class Cost:
    """The cost of an irregularity.

    - `points`: the side pays them at the end of the deal; `raised`: its minimum rises by them for the rest of the deal.
    - `exposes`: which cards become penalty cards. They lie open and may be melded, and the seat must discard them
      first; with `until_opened`, only until its side has opened.
    - `stands`: the attempted act happens; otherwise it is undone.
    - `binds`: the seat must go out in this turn.
    - `melds_on`: the seat may discard only when no card of its hand can be melded any more.
    - `least_players`: with fewer players, the act is simply refused.
    - `paragraph`: the source of the cost.
    """

    paragraph: str
    points: int = 0
    raised: int = 0
    exposes: Literal["nothing", "laid", "hand"] = "nothing"
    until_opened: bool = False
    stands: bool = False
    binds: bool = False
    melds_on: bool = False
    least_players: int = 2


_LAWS: Final = {
    # A side that completes its initial meld in the same turn pays nothing; taking the melds back raises its minimum.
    # With two players there is no penalty (2.1).
    Irregularity.SHORT_OPENING: Cost("1.22", raised=10, least_players=3),
    Irregularity.NO_MELD: Cost("1.22", points=100),
    Irregularity.FALSE_CLOSE: Cost("1.22", points=100),
    Irregularity.FALSE_CONCEALED_CLOSE: Cost("1.22", points=100),
    Irregularity.AGAINST_A_NO: Cost("1.18", points=100),
    Irregularity.NOT_OUT_AFTER_YES: Cost("1.18", points=100, stands=True),
    Irregularity.COULD_NOT_GO_OUT: Cost("1.22", points=100),
    Irregularity.ASKED_TOO_LATE: Cost("1.18", points=100),
    Irregularity.UNUSED_PILE: Cost("1.22", points=50),
    Irregularity.TAKEN_OUT_OF_TURN: Cost("1.22", exposes="laid"),
    Irregularity.SHOWN_OUT_OF_TURN: Cost("1.22", exposes="laid"),
}
"""The penalties of the classic rules, as far as they are known."""

_SINGKEP: Final = {
    Irregularity.SHORT_OPENING: Cost("S0 1.4.n.a", exposes="laid"),
    Irregularity.NO_MELD: Cost("S0 1.4.n.b", exposes="laid"),
    Irregularity.FALSE_CLOSE: Cost("S0 1.4.n.d", exposes="laid"),
    Irregularity.FALSE_CONCEALED_CLOSE: Cost("S0 1.4.n.d", exposes="laid"),
    Irregularity.AGAINST_A_NO: Cost("S0 1.4.n.c", exposes="laid"),
    Irregularity.NOT_OUT_AFTER_YES: Cost("S0 1.4.l.i", exposes="hand", stands=True),
    Irregularity.COULD_NOT_GO_OUT: Cost("S0 1.4.l.i", exposes="hand", melds_on=True),
    # The partner's answer does not count: a no does not free the seat (1.4.l.g). Melding or talking before the
    # answer, about which the opponents decide (1.4.l.h), is impossible here, because everything waits for the answer.
    Irregularity.ASKED_TOO_LATE: Cost("S0 1.4.l.g", binds=True),
    Irregularity.UNUSED_PILE: Cost("S0 1.4.m.a", points=50),
    # The drawn card goes back unseen. "Discards one" in the source must be wrong: the hand would be a card short.
    Irregularity.DRAWN_OUT_OF_TURN: Cost("S0 1.4.n.g", points=100),
    Irregularity.TAKEN_OUT_OF_TURN: Cost("S0 1.4.n.h", points=100, exposes="laid"),
    Irregularity.SHOWN_OUT_OF_TURN: Cost("S0 1.4.n.b", exposes="laid"),
}
"""The penalties of the Indonesian text.

By 1.4.n.e irregularly laid cards are exposed; 1.4.l.j defines penalty cards.
"""

_ITALIAN_CLUB: Final = {
    Irregularity.SHORT_OPENING: Cost("S1 SVOLGIMENTO", points=100, exposes="laid", until_opened=True),
    Irregularity.FALSE_CONCEALED_CLOSE: Cost("S1 SVOLGIMENTO", points=100, exposes="laid"),
}
"""The penalties of the Italian club's text, which has two irregularities."""

REGIMES: Final[Mapping[str, Mapping[Irregularity, Cost]]] = {
    "off": {},
    "laws": _LAWS,
    "singkep": _SINGKEP,
    "italian-club": _ITALIAN_CLUB,
}
"""The costs of irregularities, by value of the parameter `penalties`."""


def must_go_on_melding(rules: RuleSet) -> bool:
    """Return whether a seat that proves unable to go out must meld as much as possible in that turn."""
    cost = REGIMES[rules.penalties].get(Irregularity.COULD_NOT_GO_OUT)
    return cost is not None and cost.melds_on


def is_inability_priced(rules: RuleSet) -> bool:
    """Return whether a seat pays if it must go out (after asking) but proves unable to."""
    return rules.asks and Irregularity.COULD_NOT_GO_OUT in REGIMES[rules.penalties]


def is_late_question_binding(rules: RuleSet) -> bool:
    """Return whether asking the partner too late obliges the seat to go out (`S0 1.4.l.g`)."""
    cost = REGIMES[rules.penalties].get(Irregularity.ASKED_TOO_LATE)
    return rules.asks and cost is not None and cost.binds


@value_class
class Penalty:
    """The cost of an irregularity for a seat in a given state; `exposed` cards become penalty cards."""

    irregularity: Irregularity
    cost: Cost
    exposed: tuple[Card, ...]

    @property
    def points(self) -> int:
        """The points that the side pays at the end of the deal."""
        return self.cost.points

    @property
    def raised(self) -> int:
        """The points by which the side's minimum rises."""
        return self.cost.raised

    @property
    def until_opened(self) -> bool:
        """Whether the penalty cards become free when the side opens."""
        return self.cost.until_opened

    @property
    def binds(self) -> bool:
        """Whether the seat must go out."""
        return self.cost.binds
