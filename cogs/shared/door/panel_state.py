"""What a private panel shows, noted with its page so that the panel can be kept true."""

from __future__ import annotations

from dataclasses import dataclass

from cogs.shared.reading.draft import Draft


@dataclass(frozen=True, slots=True)
class PanelState:
    """What a panel shows: the table and its version, what is put together in it, and whether it waits for others."""

    table: int
    version: int
    draft: Draft
    waits: bool
