"""The colours of the left edge of messages, RGB: what a glance tells before anything is read."""

from __future__ import annotations

from typing import Final

GOLD: Final = 0xF0B232
"""Somebody is to act."""

GREEN: Final = 0x23A55A
"""The end is near, or a beginning."""

RED: Final = 0xDA373C
"""Something costs."""

GREY: Final = 0x4E5058
"""Others are waited for."""
