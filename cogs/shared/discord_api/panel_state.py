"""The state a private panel shows, stored with its page to keep the panel up to date."""

from __future__ import annotations

from dataclasses import dataclass

from cogs.shared.reading.meld_draft import Draft


@dataclass(frozen=True, slots=True)
class PanelState:
    """The content of a panel: table, version, prepared melds, and whether it waits for other players."""

    table: int
    version: int
    draft: Draft
    waits: bool
