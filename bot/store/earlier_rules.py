"""Rules written by earlier releases, told in today's words.

A game is played to its end as it was begun. A parameter that is younger than the game needs nothing here: its default
says how games were played before it. But when a parameter comes to mean something else, the version of the rules rises
by one, and a function here says for records of the version before what they meant, in the words of the next.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from bot.store.errors import Undecodable

Translation = Callable[[dict[str, Any]], dict[str, Any]]
"""From the parameters of one version, as they are stored, to those of the next that mean the same."""

TRANSLATIONS: Final[tuple[Translation, ...]] = ()
"""The first translates from version 1 to 2, and so on: one for every version that has been left behind."""


def translated(data: dict[str, Any], translations: Sequence[Translation] = TRANSLATIONS) -> dict[str, Any]:
    """The parameters alone, in the words of the version that the translations lead to.

    Raises `Undecodable` for records without a version, and for those of a later release.
    """
    parameters = dict(data)
    version = parameters.pop("version", None)
    if type(version) is not int or not 1 <= version <= len(translations) + 1:
        raise Undecodable(f"rules: of another version than 1 to {len(translations) + 1}")
    for translation in translations[version - 1 :]:
        parameters = translation(parameters)
    return parameters
