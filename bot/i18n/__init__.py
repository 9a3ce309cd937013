"""Catalogues that turn codes and numbers into sentences, one folder per language."""

from __future__ import annotations

from bot.i18n.catalogue import Words, words
from bot.i18n.languages import DEFAULT, language, locales

__all__ = ["DEFAULT", "Words", "language", "locales", "words"]
