"""Words: the catalogues that turn codes and numbers into sentences, one folder a language."""

from __future__ import annotations

from bot.i18n.catalogue import DEFAULT, Words, locales, words

__all__ = ["DEFAULT", "Words", "locales", "words"]
