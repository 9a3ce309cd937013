"""What waits to be drawn: everybody in turn, and of one person only what that person still wants.

Whoever asks has an owner's place in the round. A newer request of the same owner for the same thing takes the place of
the older one, which nobody looks at any more; an owner with too much waiting loses the oldest of it.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Final

from render.inputs import Picture

MOST_WAITING: Final = 3
"""Pictures that one owner may have waiting."""


class Superseded(Exception):
    """The picture was not drawn, because its owner has asked for a newer one since."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A picture that somebody waits for."""

    picture: Picture
    drawn: asyncio.Future[bytes]


class Waiting:
    """The requests that have not been begun, by owner; the owner whose turn is next comes first."""

    def __init__(self) -> None:
        self._owners: OrderedDict[Hashable, OrderedDict[Hashable, Wanted]] = OrderedDict()
        self._served: Hashable = None

    def add(self, wanted: Wanted, owner: Hashable, subject: Hashable) -> None:
        """Let a picture wait; those it supersedes raise `Superseded` for who waits for them."""
        own = self._owners.setdefault(owner, OrderedDict())
        older = own.get(subject)
        own[subject] = wanted  # in the older one's place: who asks again and again does not fall back
        if older is not None:
            _give_up(older)
        elif len(own) > MOST_WAITING:
            _give_up(own.popitem(last=False)[1])

    def next(self) -> Wanted | None:
        """The picture to draw now; whoever was served last comes after everybody who waits."""
        if self._served in self._owners:
            self._owners.move_to_end(self._served)
        while self._owners:
            self._served, own = next(iter(self._owners.items()))
            _, wanted = own.popitem(last=False)
            if own:
                self._owners.move_to_end(self._served)
            else:
                del self._owners[self._served]
            if not wanted.drawn.done():  # else nobody waits for it any more
                return wanted
        return None

    def refuse(self, error: BaseException) -> None:
        """Let nobody wait any longer."""
        while (wanted := self.next()) is not None:
            wanted.drawn.set_exception(error)


def _give_up(wanted: Wanted) -> None:
    if not wanted.drawn.done():
        wanted.drawn.set_exception(Superseded())
