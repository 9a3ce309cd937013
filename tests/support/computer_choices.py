"""Plays a computer player's choices the way a person would: by commands or with the panel's controls."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count

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
from bot.engine.moves.phases import Phase
from bot.engine.play.building_views import seat_view
from bot.engine.play.decide import decide
from bot.engine.table.applying_events import fold
from bot.engine.table.state import State, seat_to_act
from bot.engine.table.views import SeatView
from bot.i18n import words
from bot.tables.state.snapshots import TableSnapshot
from cogs.shared.discord_api.components import TEXT_STYLE
from cogs.shared.reading.card_text import DISCARD_VALUES
from cogs.shared.reading.typed_steps import distinct_steps, moves_for_menu
from cogs.shared.reading.typed_steps import menu_value as move_text
from cogs.shared.telling.turn_text import WAYS, take_label
from tests.support.deal_finishing import finish_deal
from tests.support.discord import (
    Discord,
    Message,
    Person,
    all_components,
    control_arguments,
    controls,
    enabled_actions,
    text_of,
)


@dataclass(frozen=True, slots=True)
class Move:
    """One move of a person: an action with the melds that belong to it."""

    step: Step | None
    melds: tuple[Meld, ...] = ()


def next_move(state: State) -> Move:
    """Return a computer player's next move, with consecutive melds combined into one move."""
    seat = seat_to_act(state)
    assert seat is not None
    player = player_for("casual", 0)
    view = seat_view(state, seat)
    step = _step_as_offered(view, player.choose(view).step)
    if not isinstance(step, Meld | Take) or step in moves_for_menu(view):
        return Move(step)
    begin, first = view, step if isinstance(step, Take) else None
    top = state.pile[-1] >> 2 if state.pile else None
    melds: list[Meld] = []
    while True:
        events = decide(state, seat, step)
        state = fold(state, events)
        melds += [step] if isinstance(step, Meld) else []
        if any(isinstance(event, TookFoot) for event in events):  # the cards of the foot are not known before the move
            break
        opened = state.opened[state.seating.side_by_seat[seat]] if state.opened else True
        if seat_to_act(state) != seat or (first is not None and opened):
            break
        view = seat_view(state, seat)
        step = _step_as_offered(view, player.choose(view).step)
        if not isinstance(step, Meld) or step in moves_for_menu(view):
            if not opened and step in moves_for_menu(begin):
                return Move(step)
            break
    laid = _merge_melds(melds)
    return Move(first, laid if first is None else tuple(_add_claim_melds(meld, first, top) for meld in laid))


def _step_as_offered(view: SeatView, step: Step) -> Step:
    """Return the step that the menu of moves offers for this one: of equal melds it offers only the first."""
    return next((one for one in moves_for_menu(view) if [one] == distinct_steps(view, [one, step])), step)


MIDDLE = 8
"""Number of moves played by hand at the start of a deal, before its middle is skipped."""

LAST_TURNS = 2
"""Number of a person's turns left after the middle of a deal is skipped."""


async def skip_to_last_turns(discord: Discord, seat: int, table: int = 1) -> None:
    """Play on as computer players do, to one of the last turns of that seat in the deal.

    The whole play is one stored change.
    """
    player = player_for("casual", 0)
    state, turns = await discord.game_state(table), dict[int, int]()
    for steps in count():
        if (now := seat_to_act(state)) is None:
            break
        if now == seat and state.phase is Phase.DRAW:
            turns.setdefault(state.turns, steps)
        state = fold(state, decide(state, now, player.choose(seat_view(state, now)).step))
    if len(turns) > LAST_TURNS:
        await finish_deal(
            discord.application.tables,
            table,
            lambda state, seat: player.choose(seat_view(state, seat)).step,
            max_steps=[*turns.values()][-LAST_TURNS],
        )
        await discord.environment.settle()


async def finish_deal_and_show(discord: Discord, table: int = 1) -> TableSnapshot:
    """Play the running deal to its end as computer players do, in one stored change.

    Return the scored table once its message shows it.
    """
    player = player_for("casual", 0)
    await finish_deal(discord.application.tables, table, lambda state, seat: player.choose(seat_view(state, seat)).step)
    await discord.environment.settle()
    return await discord.snapshot(table)


def _add_claim_melds(meld: Meld, take: Take, top: int | None) -> Meld:
    """Return the meld; if it is of the top card's rank, with the cards that claim the pile added."""
    if meld.kind != top:
        return meld
    return Meld(meld.kind, meld.naturals + take.naturals, meld.twos + take.twos, meld.jokers + take.jokers)


def _merge_melds(melds: Sequence[Meld]) -> tuple[Meld, ...]:
    """Return the melds with all additions to the same meld in one."""
    sums: dict[int, Meld] = {}
    for meld in melds:
        before = sums.get(meld.kind, Meld(meld.kind))
        sums[meld.kind] = Meld(
            meld.kind, before.naturals + meld.naturals, before.twos + meld.twos, before.jokers + meld.jokers
        )
    return tuple(sums.values())


def spell_rank(kind: int) -> str:
    return _NAMES.get(kind) or RANK_LETTERS[kind]


_NAMES = {JOKER: "JK", TEN: "10", RED_THREE: "red 3"}


def spell_meld(meld: Meld) -> str:
    """Return a meld as a person would type it."""
    cards = [spell_rank(meld.kind)] * meld.naturals + ["2"] * meld.twos + ["JK"] * meld.jokers
    return " ".join(cards) + ("" if meld.naturals else f" on {spell_rank(meld.kind)}")


def _spell_without_rank(step: LayRun | Meld) -> str:
    """Return a run, or wild cards alone, as a person would type it."""
    if isinstance(step, LayRun):
        return " ".join(spell_rank(kind) + SUIT_LETTERS[step.place & 3] for kind in range(step.low, step.high + 1))
    return spell_meld(step).partition(" on ")[0]


async def confirm_if_asked(person: Person, answer: Message, action: str) -> Message:
    """Return the final answer to a command, after clicking the confirmation if the panel asks for one."""
    return await person.click(answer, action) if {action, "refresh"} == enabled_actions(answer) else answer


async def play_by_command(
    person: Person,
    move: Move,
    *,
    spell_meld: Callable[[Meld], str] = spell_meld,
    rank: Callable[[int], str] = spell_rank,
) -> Message:
    """Make a move with a command, and return the answer; `spell_meld` and `rank` spell its cards."""
    apart = move.step if isinstance(move.step, LayRun | Meld) else None
    melds = _spell_without_rank(apart) if apart is not None else ", ".join(spell_meld(meld) for meld in move.melds)
    match move.step:
        case None | LayRun() | Meld():
            return await person.run("meld", cards=melds)
        case Draw():
            return await person.run("draw")
        case DrawKeeping():
            return await person.run("draw", keep="three")
        case Take():
            way = next(way for way, take in WAYS.items() if take == move.step)
            return await person.run("take", **{"with": way}, **({"melds": melds} if melds else {}))
        case Discard(kind):
            return await confirm_if_asked(person, await person.run("discard", card=rank(kind)), "discard_surely")
        case Ask():
            return await confirm_if_asked(person, await person.run("ask"), "ask")
        case Answer(yes):
            return await person.run("answer", answer="yes" if yes else "no")
        case Announce():
            return await person.run("announce")
        case Pass():
            return await person.run("pass")
        case Show():
            return await person.run("show")


async def play_by_panel(person: Person, panel: Message, move: Move) -> Message:
    """Make a move with the panel's controls, and return the panel afterwards."""
    if move.melds or is_offered_by_menu(move):
        panel = await person.click(panel, "other")
    for meld in move.melds:
        panel = await _draft_meld(person, panel, meld)
    if is_offered_by_menu(move):
        assert isinstance(move.step, LayRun | Combine | Reclaim | Meld | Take)
        return await person.choose(panel, "move", move_text(move.step))
    match move.step:
        case None:
            return await person.click(panel, "lay")
        case Take():
            panel = await person.click(panel, "panel") if move.melds else panel
            return await person.click(panel, "take", _argument_of_take_button(panel, move.step))
        case Discard(kind):
            return await press_discard(person, panel, kind)
        case Answer(yes):
            return await person.click(panel, "yes" if yes else "no")
        case step:
            action = "keep" if isinstance(step, DrawKeeping) else type(step).__name__.lower()
            assert action in enabled_actions(panel)
            return await person.click(panel, action)


def is_offered_by_menu(move: Move) -> bool:
    """Return whether the panel offers this step in a menu, because it has no rank button."""
    step = move.step
    return isinstance(step, LayRun | Combine | Reclaim | Meld) or (isinstance(step, Take) and step.onto is not None)


def _argument_of_take_button(panel: Message, take: Take) -> str:
    """Return the argument of the button that takes the pile in this way."""
    text = text_of(panel)
    signed = re.search(r"Take the pile: .*?(\w+)[♠♥♦♣]", text)
    top = signed or re.search(r"Take the pile: .*?, (\w+) of ", text)
    assert top is not None, text
    name = {"jack": "J", "queen": "Q", "king": "K", "ace": "A"}.get(top[1], top[1])
    kind = next(kind for kind in range(11) if spell_rank(kind) == name)
    label = take_label(words(), kind, take)
    those = [one for one in all_components(panel) if one.get("custom_id", "").split(":")[3:4] == ["take"]]
    found = [one for one in those if str(one["label"]).replace(TEXT_STYLE, "").split(" + ")[0].split(" = ")[0] == label]
    return str(found[0]["custom_id"]).split(":")[4]


async def press_discard(person: Person, panel: Message, kind: int) -> Message:
    """Discard a card of that rank, answering any question before it, and return the panel."""
    panel = await person.click(panel, "discard", DISCARD_VALUES[kind])
    if "discard_surely" in controls(panel):
        return await person.click(panel, "discard_surely")
    if "discard_card" in controls(panel):
        return await person.click(panel, "discard_card", control_arguments(panel, "discard_card")[0])
    return panel


async def _draft_meld(person: Person, panel: Message, meld: Meld) -> Message:
    """Put one meld into the panel's draft, and return the panel."""
    if meld.naturals:
        panel = await person.choose(panel, "choose", RANK_LETTERS[meld.kind])
    wilds = [f"{letter}.{count}" for letter, count in (("2", meld.twos), ("JK", meld.jokers)) if count]
    if wilds and meld.naturals:
        panel = await _draft_wild_cards(person, panel, meld)
    elif wilds:
        panel = await person.choose(panel, "choose", *wilds)
        if "target" in controls(panel):
            panel = await person.choose(panel, "target", RANK_LETTERS[meld.kind])
    if meld.naturals:
        panel = await _draft_naturals(person, panel, meld)
    return panel


async def _draft_wild_cards(person: Person, panel: Message, meld: Meld) -> Message:
    """Add the meld's wild cards to the draft in the panel, and return the panel."""
    wilds = [f"{letter}.{count}" for letter, count in (("2", meld.twos), ("JK", meld.jokers)) if count]
    panel = await person.choose(panel, "choose", *wilds)
    if "target" in controls(panel):
        panel = await person.choose(panel, "target", RANK_LETTERS[meld.kind])
    return panel


async def _draft_naturals(person: Person, panel: Message, meld: Meld) -> Message:
    """Choose natural cards, and return the panel.

    The panel selects the whole rank, then the menu removes the surplus.
    """
    wanted = f"{RANK_LETTERS[meld.kind]}{meld.naturals:x}{meld.twos}{meld.jokers}"
    draft = controls(panel)["panel"]["custom_id"].split(":")[4]
    if wanted in draft:
        return panel
    return await person.choose(panel, "change", wanted)
