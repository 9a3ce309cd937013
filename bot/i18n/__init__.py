"""Catalogues that turn codes and numbers into sentences, one folder per language."""

from __future__ import annotations

from bot.i18n.catalogue import Words, words, words_about
from bot.i18n.languages import DEFAULT, language, locales

__all__ = ["DEFAULT", "Words", "language", "locales", "words", "words_about"]
