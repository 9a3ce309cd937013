"""The panel in which a lobby's host sets the table up: a pure rendering, for the host alone."""

from __future__ import annotations

from bot.i18n import Words
from bot.tables.looks import TableSnapshot
from bot.tables.rule_choice import offer_of
from cogs.shared.door.components import (
    DANGER,
    GREEN,
    Option,
    Page,
    Part,
    button,
    buttons,
    container,
    page,
    section,
    select,
    separator,
)
from cogs.shared.reading.ids import ControlId
from cogs.shared.showing.lobby_page import facts, seat_label, seats, sentence
from cogs.shared.telling import names
from cogs.shared.telling.rule_names import rules_of
from cogs.table.clock_panel import clock_menus


def setup_panel(words: Words, look: TableSnapshot, *, moving: int | None = None, note: str = "") -> Page:
    """Rules, number of players, seats, computer players, the end; `moving` is the seat whose holder is to move."""
    return page(
        [
            container(
                _rules(words, look, note),
                _players(words, look),
                separator(),
                *seats(words, look, sit=False),
                _movable(words, look, moving),
                None if moving is None else _places(words, look, moving),
                _computers(words, look),
                separator(),
                *clock_menus(words, look),
                buttons(
                    button(_control(look, "options"), words("setup.house_rules")),
                    button(_control(look, "table_settings"), words("setup_clock.more")),
                    button(_control(look, "close"), words("setup.close"), style=DANGER),
                ),
                edge=GREEN,
            )
        ]
    )


def _control(look: TableSnapshot, action: str, argument: str = "") -> ControlId:
    return ControlId(look.id, look.version, action, argument)


def _rules(words: Words, look: TableSnapshot, note: str) -> Part:
    lines = [
        words("setup.title", table=look.id),
        *([words("panel.note", note=note)] if note else []),
        f"**{rules_of(words, look)}**",
        sentence(words, look),
        facts(words, look),
    ]
    choose = button(_control(look, "picker"), words("setup.choose_rules"))
    return section("\n".join(line for line in lines if line), choose)


def _players(words: Words, look: TableSnapshot) -> Part | None:
    """Nothing to choose where the rules are for one number of players."""
    offered = offer_of(look.base, look.saved_as).players
    options = [
        Option(str(count), words("offer.players", players=count), chosen=count == look.players) for count in offered
    ]
    return select(_control(look, "players"), words("setup.players"), options) if len(options) > 1 else None


def _movable(words: Words, look: TableSnapshot, moving: int | None) -> Part | None:
    options = [
        Option(str(seat), _held(words, look, seat), chosen=seat == moving)
        for seat, holder in enumerate(look.seats)
        if holder.kind != "empty"
    ]
    return select(_control(look, "place"), words("setup.move"), options)


def _places(words: Words, look: TableSnapshot, moving: int) -> Part | None:
    """The seats to which somebody can move; who sits there changes with them."""
    options = []
    for seat, holder in enumerate(look.seats):
        label = words("lobby.seat", seat=seat + 1)
        if holder.kind != "empty":
            label = words("setup.to_held", seat=label, name=names.of_holder(words, holder))
        if seat != moving:
            options.append(Option(str(seat), label))
    name = names.of_holder(words, look.seats[moving])
    return select(_control(look, "place_at", str(moving)), words("setup.to", name=name), options)


def _held(words: Words, look: TableSnapshot, seat: int) -> str:
    name = names.of_holder(words, look.seats[seat])
    return words("setup.held", name=name, seat=seat_label(words, look, seat))


def _computers(words: Words, look: TableSnapshot) -> Part | None:
    """Nothing to choose where persons have all the seats."""
    most = look.players - len(look.persons)
    now = sum(holder.kind == "computer" for holder in look.seats)
    options = [
        Option(str(count), words("setup.computers_count", count=count), chosen=count == now)
        for count in range(most + 1)
    ]
    return select(_control(look, "computers"), words("setup.computers"), options) if most else None
