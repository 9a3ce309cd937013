"""Every language is complete, fits its pictures and limits, and uses the glossary's terms."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, get_args

import pytest

from bot.engine.cards.cards import KING
from bot.engine.cards.notation import parse_cards
from bot.engine.moves.refusals import Code
from bot.engine.rules.themes.conditions import Until
from bot.i18n import DEFAULT, locales, words
from bot.i18n.refusal_text import refusal_sentence
from cogs.shared.reading.card_picking import pick_melds
from cogs.shared.reading.vocabulary import vocabulary_of
from tests.support import language_faults
from tests.support.language_faults import CATALOGUES, CHECKS
from tests.support.project_files import link_folder

ROOT: Final = Path(__file__).parent.parent.parent
OTHERS: Final = [locale for locale in locales() if locale != DEFAULT]
HAND: Final = parse_cards("Ks Kh Kd Kc Qs Qh Qd 7s 7h 7d As Ah Ad Ac 2c 2d JK")
EXAMPLES: Final = ("input.not_understood", "refusal.meld_no_rank")


@pytest.mark.parametrize("locale", OTHERS)
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_a_language_has_no_faults(check: Callable[[str], Iterator[str]], locale: str) -> None:
    assert [] == list(check(locale))


def test_english_fits_its_pictures_and_limits() -> None:
    assert [] == [*language_faults.too_long_entries(DEFAULT), *language_faults.badly_drawn_texts(DEFAULT)]


def test_the_longest_words_of_all_languages_together_fit_the_pictures() -> None:
    assert [] == list(language_faults.badly_drawn_longest_texts())


@pytest.mark.parametrize("locale", locales())
@pytest.mark.parametrize("key", EXAMPLES)
def test_the_program_reads_the_melds_that_its_sentences_give_as_examples(key: str, locale: str) -> None:
    examples = re.findall(r"`([^`]+)`", str(words(locale).entries[key]))
    assert examples
    for text in examples:
        assert pick_melds(text, HAND, [KING], vocabulary_of(locale))


@pytest.mark.parametrize("locale", locales())
def test_a_refusal_of_a_theme_says_until_when_in_the_languages_order_of_words(locale: str) -> None:
    for code in (Code.THEME_NO_PILE, Code.THEME_NO_OUT):
        for until in get_args(Until):
            text = _refusal_text(locale, code, until)
            ending = words(locale)(f"theme_until.{until}", number=4)
            assert text.endswith(f"{ending}.")
            assert re.match(r",? \S", ending), ending
            assert not re.search(r"\s\s|\s,", text), text


@pytest.mark.parametrize(
    ("locale", "until", "text"),
    [
        ("en", "turn", "You may not go out before every player's turn 4."),
        ("id", "opened", "kamu tidak boleh go-out sampai pihakmu menurunkan meld pertama."),
        ("de", "opened", "Du darfst nicht ausmachen, bis deine Partei die Erstmeldung gemacht hat."),
        ("de", "never", "Du darfst nicht ausmachen, solange diese Runde dauert."),
        ("af", "opened", "jy mag nie uitspeel nie, totdat jou span se eerste pakkies uitgesit is."),
    ],
)
def test_the_end_of_a_themes_condition_stands_where_the_language_has_it(locale: str, until: str, text: str) -> None:
    assert text.casefold() in _refusal_text(locale, Code.THEME_NO_OUT, until).casefold()


def _refusal_text(locale: str, code: Code, until: str) -> str:
    detail: dict[str, int | str] = {"theme": "earn-the-pile", "until": until, "number": 4}
    return refusal_sentence(words(locale), code, detail, seat_name=str, card_name=str)


def test_every_language_has_a_column_of_terms_in_the_glossary() -> None:
    first = (CATALOGUES / "terms.csv").read_text(encoding="utf-8").partition("\n")[0].split(",")
    assert set(OTHERS) <= set(first)


ELSEWHERE: Final = """
import sys
sys.path.insert(0, sys.argv[1])
from tests.support import language_faults
sys.exit(language_faults.main(["it"]))
"""

DAMAGE: Final = (
    ("lobby.toml", r"(?m)^(\w+) = \"[^\"{]+\"$", r'\1_2 = "No."', "unknown"),
    ("cards.toml", r'mixed = "\w+"', 'mixed = "SPORCA"', "picture.mixed: SPORCA, at most three letters"),
    ("cards.toml", r"(?m)^your_hand = .*$", 'your_hand = "Le carte che hai in mano"', "picture.your_hand: 24 letters"),
    ("cards.toml", r"(?m)^melded = .*$", 'melded = "Combinazionissime"', "picture.melded: ['Combinazionissime']"),
    ("refusals.toml", "pozzo", "mucchio", "discard pile: "),
    ("table.toml", r'(?m)^(\w+) = "([^"{]+)"$', r'\1 = "\2 \2 il il"', "il il in "),
    ("refusals.toml", r"\{word\}", "{wort}", "input.not_understood: ['word', 'wort']"),
    ("commands.toml", r'(?m)^about = "', 'about = "' + "Gioca " * 17, " characters, at most 100"),
)
"""A part of an Italian file, its replacement, and the fault that must be found then."""


def test_the_checks_of_a_language_find_each_kind_of_fault(tmp_path: Path) -> None:
    link_folder(ROOT / "bot", tmp_path / "bot", excluded_name="i18n")
    link_folder(ROOT / "bot/i18n", tmp_path / "bot/i18n", excluded_name="it")
    shutil.copytree(ROOT / "bot/i18n/it", tmp_path / "bot/i18n/it")
    for name, pattern, instead, _ in DAMAGE:
        file = tmp_path / "bot/i18n/it" / name
        before = file.read_text(encoding="utf-8")
        after = re.sub(pattern, instead, before, count=1 if pattern.startswith("(?m)^(") else 0)
        assert before != after, name
        file.write_text(after, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", ELSEWHERE, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1, done.stderr[-2000:]
    assert [] == [fault for *_, fault in DAMAGE if fault not in done.stdout], done.stdout[-3000:]
