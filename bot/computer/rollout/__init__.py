"""A fast copy of the game: numbers in lists instead of cards, without views and events.

It plays deals fast, for rollouts and for fitting habits. Its modules are plain Python. If there is a C compiler, `make
compile` compiles the same source for speed; everything also works without it.
"""

from __future__ import annotations

from importlib.machinery import EXTENSION_SUFFIXES


def is_compiled() -> bool:
    """Return whether the rollout world runs in its compiled form."""
    from bot.computer.rollout import world  # noqa: PLC0415 - the package itself must not load its modules

    return str(world.__file__).endswith(tuple(EXTENSION_SUFFIXES))
