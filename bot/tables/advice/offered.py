"""What a seat is offered beside the steps it may take: layings, openings, ways to take the pile, a way out.

All of it names cards of the seat's own hand, so it is for the person who holds that seat and nobody else.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal

from bot.engine.cards.cards import Card, Kind
from bot.engine.cards.places import Place
from bot.engine.moves.actions import Action, Combine, Lay, LayMelds, LayRun, Meld, Step, Take
from bot.engine.moves.refusals import Refusal

Word = Literal["ask", "announce"]
"""What has to be said before a seat goes out: its partner is asked and has to agree, or the others are told."""


@dataclass(frozen=True, slots=True)
class Laying:
    """Cards of the hand for one place on the table: a new meld, or more of one that lies there.

    `step` lays them; where several steps do, as on a way out, it is the last one. `new` tells that nothing lay there
    before, `size` how many cards lie there after, `canasta` that they make a canasta of it. `points` are the cards'.
    """

    step: Meld | LayRun = field(repr=False)
    cards: tuple[Card, ...] = field(repr=False)
    place: Place = field(repr=False)
    new: bool
    size: int
    points: int
    canasta: bool


@dataclass(frozen=True, slots=True)
class Partner:
    """A partner, and how many cards it holds in its hand and in a foot or talon that it has not taken up."""

    seat: int
    cards: int
    waiting: int


@dataclass(frozen=True, slots=True)
class WayOut:
    """A lawful way for the seat to go out in this turn, whatever the cards it cannot see.

    `steps` lead there in order, what has to be said among them: after an `Ask` they go on once the partner has agreed.
    `word` is what is still to be said; `may_ask` tells that the partner may be asked though nobody has to.
    `take` is the step that takes the pile, where that belongs to it, `layings` what is laid, place by place, `united`
    the melds laid together, and `discard` the kind of the last card, None where nothing is discarded.
    `points` are what the seat's own side makes in this deal then, but for what the `partners` still hold.
    """

    steps: tuple[Step, ...] = field(repr=False)
    word: Word | None
    may_ask: bool
    take: Take | None = field(repr=False)
    layings: tuple[Laying, ...] = field(repr=False)
    united: tuple[Combine, ...] = field(repr=False)
    discard: Kind | None = field(repr=False)
    points: int
    partners: tuple[Partner, ...]


@dataclass(frozen=True, slots=True)
class Opening:
    """Melds that open the side: the cheapest found, what has been put together among them.

    `melds` is all that is to be laid in one act, `added` what comes to the melds put together, none where these are
    enough. `points` is what the side has laid in this turn then, `required` its minimum.
    """

    melds: tuple[Lay, ...] = field(repr=False)
    added: tuple[Laying, ...] = field(repr=False)
    points: int
    required: int

    @property
    def action(self) -> LayMelds:
        """The act that opens the side."""
        return LayMelds(self.melds)


@dataclass(frozen=True, slots=True)
class TakeWay:
    """A way to take the pile: `action` does it, with the further melds that open the side where it has not opened.

    `step` claims the top card with the `cards` of the hand; `added` are the melds laid besides, those put together
    left out. `points` is what opens the side, None where it has opened or where no points are counted.
    """

    step: Take = field(repr=False)
    action: Action = field(repr=False)
    cards: tuple[Card, ...] = field(repr=False)
    added: tuple[Laying, ...] = field(repr=False)
    points: int | None
    required: int


@dataclass(frozen=True, slots=True)
class Offers:
    """What a seat that is to act is offered; `NOTHING` for every other.

    `layings` are what one touch lays now, or what can be put together by a side that has not opened: the best first.
    `why_not` is the refusal that the melds put together would meet if they were laid as they are; None where they
    would meet none, and where there are none.
    """

    layings: tuple[Laying, ...] = ()
    opening: Opening | None = None
    takes: tuple[TakeWay, ...] = ()
    way_out: WayOut | None = None
    why_not: Refusal | None = field(default=None, repr=False)


NOTHING: Final = Offers()
