"""Preferences: every choice there is, with its values, the default one first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Final

from bot.clocks.quiet import is_zone

THEMES: Final = ("dark", "light", "contrast", "large")
DECKS: Final = ("four", "two")
ORDERS: Final = ("rank", "value", "drawn")
PICTURES: Final = ("pictures", "text")
DRAWING: Final = ("touch", "itself")
DISCARDING: Final = ("wild", "always")
LANGUAGES: Final = ("discord", "en", "it")
JOINERS: Final = ("unblocked", "all", "asked")
NOTICES: Final = ("thread", "dm", "none")
REMINDERS: Final = ("both", "last", "none")
OFF: Final = "off"
DIGESTS: Final = (OFF, *(str(hour) for hour in range(24)))
PINGS: Final = ("12", "4", "all")

CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "theme": THEMES,
    "deck": DECKS,
    "order": ORDERS,
    "pictures": PICTURES,
    "drawing": DRAWING,
    "discarding": DISCARDING,
    "language": LANGUAGES,
    "joiners": JOINERS,
    "notices": NOTICES,
    "reminders": REMINDERS,
    "digest": DIGESTS,
    "pings": PINGS,
}
"""The values of each choice by its name, which is that of its field; both are stored and stay as they are."""

SERVER_CHOICES: Final = ("theme", "deck")
"""What a server chooses, for its boards."""

ZONE: Final = "zone"
"""The one preference that is no choice among a few: the IANA name of a time zone."""


@dataclass(frozen=True, slots=True)
class Preferences:
    """What somebody has chosen: the look of pictures, the deck's colours, the order of the hand, pictures or text.

    `drawing` tells whether cards are drawn at a touch, or by themselves where the pile cannot be taken by anybody;
    `discarding` whether only a wild card is asked about before it is discarded, or every card. `language` is that of
    private answers; `joiners` who may sit down at one's tables. `notices` come in the thread or as direct messages,
    `reminders` at half and at the last tenth of the time or at the last alone, the `digest` once a day at that hour of
    one's own `zone` (empty: not told), mentions at most `pings` times a day.
    """

    theme: str = THEMES[0]
    deck: str = DECKS[0]
    order: str = ORDERS[0]
    pictures: str = PICTURES[0]
    drawing: str = DRAWING[0]
    discarding: str = DISCARDING[0]
    language: str = LANGUAGES[0]
    joiners: str = JOINERS[0]
    notices: str = NOTICES[0]
    reminders: str = REMINDERS[0]
    digest: str = DIGESTS[0]
    pings: str = PINGS[0]
    zone: str = ""

    @property
    def text_only(self) -> bool:
        """Whether everything is told in words, without a picture."""
        return self.pictures == "text"

    @property
    def locale(self) -> str | None:
        """The language chosen for private answers; None where Discord's own holds."""
        return None if self.language == "discord" else self.language

    @property
    def pings_a_day(self) -> int | None:
        """How often a day one may be mentioned; None where any number will do."""
        return None if self.pings == "all" else int(self.pings)

    @property
    def digest_hour(self) -> int | None:
        """The hour of the day, in one's own time zone, at which the digest comes; None for no digest."""
        return None if self.digest == OFF else int(self.digest)


DEFAULTS: Final = Preferences()


def can_be(name: str, value: str) -> bool:
    """Whether there is a preference of that name with that value."""
    return is_zone(value) if name == ZONE else value in CHOICES.get(name, ())


def read(stored: Mapping[str, str]) -> Preferences:
    """The preferences of what is stored; a value that this release does not know counts as the default."""
    known = {one.name: stored[one.name] for one in fields(Preferences) if one.name in stored}
    return Preferences(**{name: value for name, value in known.items() if can_be(name, value)})
