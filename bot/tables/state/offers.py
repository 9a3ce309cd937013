"""The moves offered to a seat that must act.

They name cards of the seat's hand, so only its player may see them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal

from bot.engine.cards.cards import Card, Kind
from bot.engine.cards.meld_places import Place
from bot.engine.moves.actions import Action, Combine, Lay, LayMelds, LayRun, Meld, Step, Take
from bot.engine.moves.refusals import Refusal

Word = Literal["ask", "announce"]
"""How the rules have a player prepare going out: by asking the partner, or by announcing it to everyone."""


@dataclass(frozen=True, slots=True)
class LayOffer:
    """Cards of the hand to lay together: a new meld, or an addition to an existing one.

    `step` lays them; on a way out with several steps for the meld it is the last one. `new` means that the meld is a
    new one, `size` is its number of cards afterwards, `canasta` means that the cards complete a canasta. `points` are
    the cards' values. `price` is the change in the points for the side's unfinished melds if the deal ended then:
    negative if the laying costs points.
    """

    step: Meld | LayRun = field(repr=False)
    cards: tuple[Card, ...] = field(repr=False)
    place: Place = field(repr=False)
    new: bool
    size: int
    points: int
    canasta: bool
    price: int = 0


@dataclass(frozen=True, slots=True)
class FirstMelds:
    """The most points that a side without melds could lay now (`best`), and the points required.

    `refusal` is set if the hand cannot meet another demand of the rules on first melds; then `best` is 0.
    """

    best: int
    required: int
    refusal: Refusal | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Partner:
    """A partner's seat with its number of cards: in the hand, and in a foot or talon not yet taken up."""

    seat: int
    cards: int
    waiting: int


@dataclass(frozen=True, slots=True)
class WayToGoOut:
    """A legal way to go out in this turn that does not depend on hidden cards.

    `steps` are in order and include announcements and questions: after an `Ask` they continue once the partner has
    agreed. `word` is the announcement or question still due; `may_ask` means that asking the partner is optional.
    `take` is the step that takes the pile, if the way includes it, `layings` the cards laid at each place, `united` the
    melds joined, and `discard` the kind of the last card, None without a discard. `points` is the side's score for this
    deal, without the cards that the `partners` still hold.
    """

    steps: tuple[Step, ...] = field(repr=False)
    word: Word | None
    may_ask: bool
    take: Take | None = field(repr=False)
    layings: tuple[LayOffer, ...] = field(repr=False)
    united: tuple[Combine, ...] = field(repr=False)
    discard: Kind | None = field(repr=False)
    points: int
    partners: tuple[Partner, ...]


@dataclass(frozen=True, slots=True)
class Opening:
    """Melds that open the side: the cheapest found that include the staged melds.

    `melds` are all melds to lay in one action, `added` those added to the staged melds, none if these are enough.
    `points` is the total that the side then has laid in this turn, `required` its minimum, `price` as in `LayOffer`.
    """

    melds: tuple[Lay, ...] = field(repr=False)
    added: tuple[LayOffer, ...] = field(repr=False)
    points: int
    required: int
    price: int = 0

    @property
    def action(self) -> LayMelds:
        """Return the action that opens the side."""
        return LayMelds(self.melds)


@dataclass(frozen=True, slots=True)
class TakeWay:
    """A way to take the pile by `action`, which also lays further melds if the side must open.

    `step` claims the top card with the `cards` of the hand; `added` are the other melds laid, without the staged ones.
    `points` is the value that opens the side, None if it has opened or if no points are counted.
    """

    step: Take = field(repr=False)
    action: Action = field(repr=False)
    cards: tuple[Card, ...] = field(repr=False)
    added: tuple[LayOffer, ...] = field(repr=False)
    points: int | None
    required: int
    price: int = 0


@dataclass(frozen=True, slots=True)
class Offers:
    """The moves offered to a seat that must act; for every other seat `NOTHING`.

    `layings` are melds and additions, the best first; before the side has opened they are to be staged, later they are
    laid at once. `why_not` is the refusal that the staged melds would raise if laid as they are; None if they are
    legal, or none are staged. `staged_price` is how the staged melds change the points for unfinished melds.
    `pile_refusal` is why the pile cannot be taken; None if it can, or is empty. `first_melds` is set for a side that
    has not opened.
    """

    layings: tuple[LayOffer, ...] = ()
    opening: Opening | None = None
    takes: tuple[TakeWay, ...] = ()
    way_out: WayToGoOut | None = None
    why_not: Refusal | None = field(default=None, repr=False)
    staged_price: int = 0
    pile_refusal: Refusal | None = field(default=None, repr=False)
    first_melds: FirstMelds | None = field(default=None, repr=False)


NOTHING: Final = Offers()
