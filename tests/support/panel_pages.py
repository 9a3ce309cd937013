"""Private panels as data (pages), built without Discord."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from bot.engine.cards.cards import Kind
from bot.engine.table.state import State
from bot.i18n import Words
from bot.tables.advice import offers_to_seat
from bot.tables.state.snapshots import SeatSnapshot
from cogs.shared.discord_api.card_emojis import EmojiOf, no_emoji
from cogs.shared.discord_api.components import Page
from cogs.shared.reading import meld_draft as drafts
from cogs.shared.reading.meld_draft import NOTHING, Draft
from cogs.shared.showing.panels.panel import Panel, PanelPart, PanelView
from tests.support.discord_limits import all_components


def panel_page(
    words: Words,
    snapshot: SeatSnapshot,
    *,
    draft: Draft = NOTHING,
    note: str = "",
    side: PanelPart = PanelPart.PLAY,
    description: str = "",
    since: Sequence[str] = (),
    kind: Kind = 0,
    offer: str = "",
    price: str = "",
    paragraph: str = "",
    emoji: EmojiOf = no_emoji,
) -> Page:
    """Return the page of a player's private panel, shown with these options."""
    view = PanelView(note=note, draft=draft, side=side, kind=kind, offer=offer, offer_label=price, paragraph=paragraph)
    return Panel(words=words, snapshot=snapshot, shown=view, description=description, since=since, emoji=emoji).page()


def with_draft(state: State, snapshot: SeatSnapshot, draft: Draft) -> SeatSnapshot:
    """Return the snapshot with the moves that are possible once the melds of the draft are made."""
    assert snapshot.view is not None
    return replace(snapshot, offers=offers_to_seat(state, snapshot.seat, drafts.melds_to_lay(draft, snapshot.view)))


def page_parts(page: Page) -> list[dict[str, Any]]:
    """Return the components of the page, outer ones before inner ones."""
    return list(all_components(page.view.to_components()))  # type: ignore[no-untyped-call]


def repeated_labels(page: Page) -> list[str]:
    """Return the labels that two buttons of the page share, or two options of one menu."""
    parts = page_parts(page)
    enabled = [one for one in parts if one["type"] == 2 and not one.get("disabled")]
    groups = [[f"{one.get('label') or ''}{one.get('emoji') or ''}" for one in enabled]]
    groups += [[option["label"] for option in one["options"]] for one in parts if "options" in one]
    return [label for group in groups for label, times in Counter(group).items() if times > 1]
