"""States, steps and events as plain text that a person can read and a diff can compare."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from bot.engine.cards.cards import JOKER, RANK_LETTERS, RED_THREE, SUIT_LETTERS, Kind
from bot.engine.cards.meld_places import FAMILIES, RUN, WILD_MELD, Place, family_of, is_run
from bot.engine.cards.notation import card_text, cards_text
from bot.engine.moves import actions, events
from bot.engine.play.building_views import public_view, seat_view
from bot.engine.table.state import State
from bot.engine.table.views import SideView


def kind_text(kind: Kind) -> str:
    return {JOKER: "JK", RED_THREE: "R3"}.get(kind) or RANK_LETTERS[kind]


def place_text(place: Place) -> str:
    """Return the place of a meld as text: its family, and its number if it is not the first.

    Examples are ``K``, ``7#2``, ``run-h`` and ``wild``.
    """
    family, number = family_of(place), place // FAMILIES
    if is_run(place):
        name = f"run-{SUIT_LETTERS[family - RUN]}"
    else:
        name = "wild" if family == WILD_MELD else kind_text(family)
    return f"{name}#{number + 1}" if number else name


def step_text(step: actions.Action) -> str:
    """Return a step as a short text: ``meld K 2+1+0`` is a meld of two kings and a two."""
    match step:
        case actions.Take(naturals, twos, jokers, onto):
            return f"take {naturals}+{twos}+{jokers}" + ("" if onto is None else f" onto {place_text(onto)}")
        case actions.Meld(place, naturals, twos, jokers):
            return f"meld {place_text(place)} {naturals}+{twos}+{jokers}"
        case actions.LayRun(place, low, high):
            return f"lay {place_text(place)} {kind_text(low)}-{kind_text(high)}"
        case actions.Combine(place, onto):
            return f"combine {place_text(place)} onto {place_text(onto)}"
        case actions.Reclaim(place):
            return f"reclaim {place_text(place)}"
        case actions.Discard(kind):
            return f"discard {kind_text(kind)}"
        case actions.Show(hand):
            return f"show {hand}"
        case actions.Answer(yes):
            return "yes" if yes else "no"
    return type(step).__name__.lower()


def event_text(event: events.Event) -> str:
    """Return an event as text, with every card that moved."""
    return _EVENTS[type(event)](event)


def _deal_end_text(event: events.DealEnded) -> str:
    lines = "; ".join(str(line).removeprefix("ScoreLines") for line in event.lines)
    how = f"by {event.reason.value}, out {event.went_out}, concealed {event.concealed}"
    return f"deal {event.deal} ended {how}: {lines}, scores {event.scores}"


# Each function gets only events of its own type, which a type checker cannot see: hence `Any`.
_EVENTS: dict[type[events.Event], Callable[[Any], str]] = {
    events.DealStarted: lambda event: f"deal {event.deal} by seat {event.dealer}",
    events.Drew: lambda event: (
        f"seat {event.seat} drew {_cards_text(event.cards)}, red threes {_cards_text(event.red_threes)}"
    ),
    events.LaidOut: lambda event: (
        f"seat {event.seat} laid out red threes {_cards_text(event.red_threes)}, replaced by {_cards_text(event.cards)}"
    ),
    events.SetTalon: lambda event: f"{_cards_text(event.cards)} set aside for seat {event.seat}",
    events.TookTalon: lambda event: (
        f"seat {event.seat} got its talon {_cards_text(event.cards)}, threes {_cards_text(event.red_threes)}"
    ),
    events.TookFoot: lambda event: (
        f"seat {event.seat} took up its foot {_cards_text(event.cards)}, red threes {_cards_text(event.red_threes)}"
    ),
    events.Announced: lambda event: f"seat {event.seat} announced",
    events.TookTop: lambda event: (
        f"seat {event.seat} took {card_text(event.top)} with {_cards_text(event.cards)} for {place_text(event.place)}"
    ),
    events.Gathered: lambda event: (
        f"seat {event.seat} gathered {_cards_text(event.cards)}, red threes {_cards_text(event.red_threes)}"
        f"{_hidden_cards_text(event)}"
    ),
    events.Reshuffled: lambda event: f"the pile is the stock: {_cards_text(event.cards)}",
    events.Combined: lambda event: f"seat {event.seat} laid its {place_text(event.place)} together",
    events.Reclaimed: lambda event: (
        f"seat {event.seat} took {_cards_text(event.cards)} back from {place_text(event.place)}"
    ),
    events.Melded: lambda event: f"seat {event.seat} laid {_cards_text(event.cards)} for {place_text(event.place)}",
    events.Opened: lambda event: f"seat {event.seat} opened with {event.points}",
    events.TookBack: lambda event: (
        f"seat {event.seat} took back {_cards_text(event.cards)} from {place_text(event.place)}"
    ),
    events.Discarded: lambda event: f"seat {event.seat} discarded {card_text(event.card)}",
    events.Asked: lambda event: f"seat {event.seat} asked seat {event.partner}",
    events.Answered: lambda event: f"seat {event.seat} said {'yes' if event.yes else 'no'}",
    events.PermissionLapsed: lambda event: f"seat {event.seat} cannot go out after all",
    events.Passed: lambda event: f"seat {event.seat} passed",
    events.Showed: lambda event: f"seat {event.seat} showed {event.hand}: {_cards_text(event.cards)}",
    events.SidesFormed: lambda event: f"seat {event.seat} plays alone against the others",
    events.Penalized: lambda event: (
        f"seat {event.seat} paid for {event.irregularity.value}: {event.points}, minimum +{event.raised},"
        f" exposed {_cards_text(event.exposed)}"
    ),
    events.DealEnded: _deal_end_text,
    events.GameEnded: lambda event: f"side {event.winner} won",
}


def view_lines(state: State) -> Iterator[str]:
    """Yield lines for the public view of a state, then a line for each seat with what only it sees."""
    table = public_view(state)
    pile = table.pile
    top = "none" if pile.top is None else card_text(pile.top)
    freezer = "" if pile.freezer is None else f" by {card_text(pile.freezer)}"
    text = f"pile {pile.cards} top {top}{' aside' if pile.aside else ''}{' frozen' + freezer if pile.frozen else ''}"
    yield (
        f"  {table.phase.value} · turn {table.turns} of seat {table.turn} · to act {table.actor} · drew {table.drew}"
        f" · permission {table.permission} · stock {table.stock} · {text}"
    )
    for side in table.sides:
        yield _side_text(side)
    for info in table.seats:
        view = seat_view(state, info.seat)
        own = [f"  seat {info.seat}: {_cards_text(view.hand)} ({view.hand_points})"]
        if info.foot is not None:
            own.append(f"foot {info.foot}")
        if view.fresh:
            own.append(f"fresh {_cards_text(view.fresh)}")
        if view.laid_points:
            own.append(f"laid {view.laid_points}")
        if view.can_take_back:
            own.append("can take back")
        if view.legal:
            own.append("may " + ", ".join(map(step_text, view.legal)))
        yield " · ".join(own)


def _side_text(side: SideView) -> str:
    melds = " | ".join(cards_text(meld.cards) + (f" ({meld.canasta})" if meld.canasta else "") for meld in side.melds)
    scores = "/".join(map(str, side.scores))
    opened = "opened" if side.opened else f"needs {side.minimum}"
    return f"  side {side.side}: {scores} + {side.on_table}, {opened} · {melds or '-'} · {_cards_text(side.red_threes)}"


def _hidden_cards_text(event: events.Gathered) -> str:
    """Return the end of an event's line: the cards of the taken pile that were not face up."""
    hidden = f", from below {_cards_text(event.hidden)} ({event.unseen})" if event.unseen else ""
    aside = f", set aside {_cards_text(event.set_aside)}" if event.set_aside else ""
    return hidden + aside + (f", showing {_cards_text(event.showed)}" if event.showed else "")


def _cards_text(cards: tuple[int, ...]) -> str:
    return cards_text(cards) or "-"
