"""A computer player's choices, said as a person would: in commands, or with the panel's controls."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bot.computer.player import player_for
from bot.engine.cards.cards import JOKER, RANK_LETTERS, RED_THREE, SUIT_LETTERS, TEN
from bot.engine.moves.actions import (
    Announce,
    Answer,
    Ask,
    Combine,
    Discard,
    Draw,
    DrawKeeping,
    LayRun,
    Meld,
    Pass,
    Reclaim,
    Show,
    Step,
    Take,
)
from bot.engine.moves.events import TookFoot
from bot.engine.play.decide import decide
from bot.engine.play.viewing import seat_view
from bot.engine.table.evolve import fold
from bot.engine.table.state import State, actor
from bot.i18n import words
from bot.tables.state.snapshots import TableSnapshot
from cogs.shared.door.components import TEXT_STYLE
from cogs.shared.reading.cards import DISCARD_VALUES
from cogs.shared.reading.typed_steps import moves_of
from cogs.shared.reading.typed_steps import text_of as move_text
from cogs.shared.telling.turn_text import WAYS, take_label
from tests.support.discord import Discord, Message, Person, arguments, components, controls, enabled, text_of
from tests.support.finishing import finish_deal


@dataclass(frozen=True, slots=True)
class Move:
    """One thing a person does: an action with the melds that belong to it."""

    step: Step | None
    melds: tuple[Meld, ...] = ()


def next_move(state: State) -> Move:
    """What a computer player would do now; melds it would lay one after another come together."""
    seat = actor(state)
    assert seat is not None
    player = player_for("casual", 0)
    view = seat_view(state, seat)
    step = player.choose(view)
    if not isinstance(step, Meld | Take) or step in moves_of(view):
        return Move(step)
    begin, first = view, step if isinstance(step, Take) else None
    top = state.pile[-1] >> 2 if state.pile else None
    melds: list[Meld] = []
    while True:
        events = decide(state, seat, step)
        state = fold(state, events)
        melds += [step] if isinstance(step, Meld) else []
        if any(isinstance(event, TookFoot) for event in events):  # what it brought cannot be named beforehand
            break
        opened = state.opened[state.seating.side_by_seat[seat]] if state.opened else True
        if actor(state) != seat or (first is not None and opened):
            break
        view = seat_view(state, seat)
        step = player.choose(view)
        if not isinstance(step, Meld) or step in moves_of(view):
            if not opened and step in moves_of(begin):
                return Move(step)
            break
    laid = _together(melds)
    return Move(first, laid if first is None else tuple(_with_claim(meld, first, top) for meld in laid))


async def deal_finished(discord: Discord, table: int = 1) -> TableSnapshot:
    """The table after its running deal, played as computer players do in one stored change, is scored and shown."""
    player = player_for("casual", 0)
    await finish_deal(discord.application.tables, table, lambda state, seat: player.choose(seat_view(state, seat)))
    await discord.environment.settle()
    return await discord.look(table)


def _with_claim(meld: Meld, take: Take, top: int | None) -> Meld:
    """What is laid beside the claim of the top card is named together with it."""
    if meld.kind != top:
        return meld
    return Meld(meld.kind, meld.naturals + take.naturals, meld.twos + take.twos, meld.jokers + take.jokers)


def _together(melds: Sequence[Meld]) -> tuple[Meld, ...]:
    """Layings on one meld as one."""
    sums: dict[int, Meld] = {}
    for meld in melds:
        before = sums.get(meld.kind, Meld(meld.kind))
        sums[meld.kind] = Meld(
            meld.kind, before.naturals + meld.naturals, before.twos + meld.twos, before.jokers + meld.jokers
        )
    return tuple(sums.values())


def rank(kind: int) -> str:
    return _NAMES.get(kind) or RANK_LETTERS[kind]


_NAMES = {JOKER: "JK", TEN: "10", RED_THREE: "red 3"}


def written(meld: Meld) -> str:
    """A meld as one would type it."""
    cards = [rank(meld.kind)] * meld.naturals + ["2"] * meld.twos + ["JK"] * meld.jokers
    return " ".join(cards) + ("" if meld.naturals else f" on {rank(meld.kind)}")


def _written_apart(step: LayRun | Meld) -> str:
    """A run, or wild cards alone, as one would type it."""
    if isinstance(step, LayRun):
        return " ".join(rank(kind) + SUIT_LETTERS[step.place & 3] for kind in range(step.low, step.high + 1))
    return written(step).partition(" on ")[0]


async def by_command(
    person: Person, move: Move, *, written: Callable[[Meld], str] = written, rank: Callable[[int], str] = rank
) -> Message:
    """Do it with a command, in which melds and ranks are written so."""
    apart = move.step if isinstance(move.step, LayRun | Meld) else None
    melds = _written_apart(apart) if apart is not None else ", ".join(written(meld) for meld in move.melds)
    match move.step:
        case None | LayRun() | Meld():
            return await person.types("meld", cards=melds)
        case Draw():
            return await person.types("draw")
        case DrawKeeping():
            return await person.types("draw", keep="three")
        case Take():
            way = next(way for way, take in WAYS.items() if take == move.step)
            return await person.types("take", **{"with": way}, **({"melds": melds} if melds else {}))
        case Discard(kind):
            return await person.types("discard", card=rank(kind))
        case Ask():
            return await person.types("ask")
        case Answer(yes):
            return await person.types("answer", answer="yes" if yes else "no")
        case Announce():
            return await person.types("announce")
        case Pass():
            return await person.types("pass")
        case Show():
            return await person.types("show")


async def by_panel(person: Person, panel: Message, move: Move) -> Message:
    """Do it with the controls of one's panel; the panel afterwards."""
    if move.melds or moves_by_menu(move):
        panel = await person.clicks(panel, "other")
    for meld in move.melds:
        panel = await _stage(person, panel, meld)
    if moves_by_menu(move):
        assert isinstance(move.step, LayRun | Combine | Reclaim | Meld | Take)
        return await person.chooses(panel, "move", move_text(move.step))
    match move.step:
        case None:
            return await person.clicks(panel, "lay")
        case Take():
            panel = await person.clicks(panel, "panel") if move.melds else panel
            return await person.clicks(panel, "take", _take(panel, move.step))
        case Discard(kind):
            return await discards(person, panel, kind)
        case Answer(yes):
            return await person.clicks(panel, "yes" if yes else "no")
        case step:
            action = "keep" if isinstance(step, DrawKeeping) else type(step).__name__.lower()
            assert action in enabled(panel)
            return await person.clicks(panel, action)


def moves_by_menu(move: Move) -> bool:
    """Whether the step stands in the menu of those that ranks do not say."""
    step = move.step
    return isinstance(step, LayRun | Combine | Reclaim | Meld) or (isinstance(step, Take) and step.onto is not None)


def _take(panel: Message, take: Take) -> str:
    """The argument of the button that takes the pile so."""
    said = text_of(panel)
    signed = re.search(r"Take the pile: .*?(\w+)[♠♥♦♣]", said)
    top = signed or re.search(r"Take the pile: .*?, (\w+) of ", said)
    assert top is not None, said
    name = {"jack": "J", "queen": "Q", "king": "K", "ace": "A"}.get(top[1], top[1])
    kind = next(kind for kind in range(11) if rank(kind) == name)
    label = take_label(words(), kind, take)
    those = [one for one in components(panel) if one.get("custom_id", "").split(":")[3:4] == ["take"]]
    found = [one for one in those if str(one["label"]).replace(TEXT_STYLE, "").split(" + ")[0].split(" = ")[0] == label]
    return str(found[0]["custom_id"]).split(":")[4]


async def discards(person: Person, panel: Message, kind: int) -> Message:
    """Discard a card of that rank, whatever is asked before."""
    panel = await person.clicks(panel, "discard", DISCARD_VALUES[kind])
    if "discard_surely" in controls(panel):
        return await person.clicks(panel, "discard_surely")
    if "discard_card" in controls(panel):
        return await person.clicks(panel, "discard_card", arguments(panel, "discard_card")[0])
    return panel


async def _stage(person: Person, panel: Message, meld: Meld) -> Message:
    """Put one meld together in the panel."""
    if meld.naturals:
        panel = await person.chooses(panel, "choose", RANK_LETTERS[meld.kind])
    wilds = [f"{letter}.{count}" for letter, count in (("2", meld.twos), ("JK", meld.jokers)) if count]
    if wilds and meld.naturals:
        panel = await _with_wilds(person, panel, meld)
    elif wilds:
        panel = await person.chooses(panel, "choose", *wilds)
        if "target" in controls(panel):
            panel = await person.chooses(panel, "target", RANK_LETTERS[meld.kind])
    if meld.naturals:
        panel = await _with_naturals(person, panel, meld)
    return panel


async def _with_wilds(person: Person, panel: Message, meld: Meld) -> Message:
    wilds = [f"{letter}.{count}" for letter, count in (("2", meld.twos), ("JK", meld.jokers)) if count]
    panel = await person.chooses(panel, "choose", *wilds)
    if "target" in controls(panel):
        panel = await person.chooses(panel, "target", RANK_LETTERS[meld.kind])
    return panel


async def _with_naturals(person: Person, panel: Message, meld: Meld) -> Message:
    """All naturals of the rank are put together at first; the menu gives back what is too many."""
    wanted = f"{RANK_LETTERS[meld.kind]}{meld.naturals:x}{meld.twos}{meld.jokers}"
    draft = controls(panel)["panel"]["custom_id"].split(":")[4]
    if wanted in draft:
        return panel
    return await person.chooses(panel, "change", wanted)
