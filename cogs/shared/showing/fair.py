"""Fair dealing: what is published of the shuffles, how it is checked, and how it is computed."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Final

from bot.i18n import Words
from bot.tables.looks import Shuffle, TableSnapshot
from cogs.shared.door.components import Option, Page, Part, button, buttons, container, page, select, text
from cogs.shared.reading.discord_limits import MOST_OPTIONS
from cogs.shared.reading.ids import ControlId

MOST_MENUS: Final = 4
"""Menus of deals on one page; older deals than they hold are checked from their own sheets."""

PLAIN_DECKS: Final = 2
"""Decks, and jokers in each, that the checking command takes where it is not told."""


def about(words: Words, look: TableSnapshot, deal: str = "") -> Page:
    """What fair dealing is; `deal` is the one that is checked first."""
    return page([container(text(f"{words('fair.title')}\n{words('fair.text')}"), _ways(words, look, deal))])


def computed(words: Words, look: TableSnapshot, deal: str = "") -> Page:
    """How an order of cards follows from what is published."""
    return page([container(text(f"{words('fair.how_title')}\n{words('fair.how')}"), _ways(words, look, deal))])


def checking(words: Words, look: TableSnapshot, deal: int | None = None) -> Page:
    """All that is published of a deal, the latest that can be checked if that one cannot, and a choice of others."""
    those = [one for one in look.shuffle if opened(look, one.deal) is not None]
    if not those:
        lines = [words("fair.check_title"), *known_cards(words, look), words("fair.not_yet")]
        return page([container(text("\n".join(lines)))])
    shown = next((one for one in those if one.deal == deal), those[-1])
    told = "\n".join([words("fair.check_title"), *known_cards(words, look), *_published(words, look, shown)])
    menus = _menus(words, look, [one.deal for one in those], shown.deal)
    how = button(ControlId(look.id, look.version, "fair_how", str(shown.deal)), words("fair.how_button"))
    return page([container(text(told), *menus, buttons(how))])


def opened(look: TableSnapshot, deal: int) -> Shuffle | None:
    """The shuffle of that deal, if its number has been opened."""
    found = (one for one in look.shuffle if one.deal == deal)
    return next((one for one in found if one.seed is not None and one.contributions is not None), None)


def known_cards(words: Words, look: TableSnapshot) -> list[str]:
    """That the first deal of the table is played with known cards, where it is."""
    of = look.cards_of
    return [] if of is None else [words("past.known", deal=of.deal, of=of.table)]


def command(look: TableSnapshot, shuffle: Shuffle) -> str:
    """The command line that lays the pack of an opened deal again and checks it (`docs/shuffle.md`)."""
    parts = ["canasta-bot", "verify", "--table", str(look.id), "--deal", str(shuffle.deal)]
    parts += ["--commitment", shuffle.commitment, "--seed", shuffle.seed or ""]
    if shuffle.contributions:
        parts += ["--contributions", ",".join(shuffle.contributions)]
    if look.terms.decks != PLAIN_DECKS:
        parts += ["--decks", str(look.terms.decks)]
    if look.terms.jokers_per_deck != PLAIN_DECKS:
        parts += ["--jokers-per-deck", str(look.terms.jokers_per_deck)]
    return shlex.join(parts)


def _published(words: Words, look: TableSnapshot, shuffle: Shuffle) -> list[str]:
    mixed = ",".join(shuffle.contributions or ())
    return [
        f"**{words('fair.deal', deal=shuffle.deal)}**",
        words("fair.seal", seal=shuffle.commitment),
        words("fair.number", seed=shuffle.seed),
        words("fair.mixed_in", contributions=mixed) if mixed else words("fair.nothing_mixed_in"),
        words("fair.command"),
        f"```\n{command(look, shuffle)}\n```",
    ]


def _menus(words: Words, look: TableSnapshot, deals: Sequence[int], shown: int) -> list[Part | None]:
    """The deals to choose from, the latest ones first; none where there is only one."""
    if len(deals) < 2:
        return []
    newest = sorted(deals, reverse=True)
    groups = [newest[first : first + MOST_OPTIONS] for first in range(0, len(newest), MOST_OPTIONS)][:MOST_MENUS]
    return [
        select(
            ControlId(look.id, look.version, "fair_deal", str(group[0])),
            words("fair.choose") if len(groups) == 1 else words("fair.choose_of", first=group[-1], last=group[0]),
            [Option(str(deal), words("fair.deal", deal=deal), chosen=deal == shown) for deal in group],
        )
        for group in groups
    ]


def _ways(words: Words, look: TableSnapshot, deal: str) -> Part | None:
    return buttons(
        button(ControlId(look.id, look.version, "fair_check", deal), words("fair.check")),
        button(ControlId(look.id, look.version, "fair_how", deal), words("fair.how_button")),
    )
