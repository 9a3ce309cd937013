"""Each folder of `bot/i18n` is a language: its typed words are understood, and no code names it."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.engine.cards.cards import JOKER, RANK_LETTERS, TWO
from bot.engine.cards.notation import cards_text, parse_cards
from bot.engine.moves.actions import Meld
from bot.engine.moves.phases import Phase
from bot.engine.table.state import State, seat_to_act
from bot.i18n import DEFAULT, Words, language, locales, words
from bot.i18n.languages import typing_words
from bot.profiles.preferences import LANGUAGES
from bot.tables.state.snapshots import Status
from cogs.shared.reading.card_picking import pick_melds
from cogs.shared.reading.card_words import Lexeme, parse_lexemes
from cogs.shared.reading.input_problems import InputProblem
from cogs.shared.reading.vocabulary import fold_case, vocabulary_of
from cogs.shared.telling.play_text import early_end_heading
from tests.cogs.test_server_settings import add_manager
from tests.support.computer_choices import MIDDLE, finish_deal_and_show, next_move, play_by_command, skip_to_last_turns
from tests.support.discord import Discord, Message, Person, labels, picture_captions, text_of
from tests.support.project_files import link_folder
from tests.support.seeds import SEARCHING

ROOT = Path(__file__).parent.parent.parent
OTHERS = [locale for locale in locales() if locale != DEFAULT]
MOST_COMMANDS = 400
HAND = parse_cards("Ks Kh Kd Qs Qh Qd 7s 7h 7d As Ah Ad Ac 2c JK")


# --- tables by typed words


@pytest.mark.parametrize("locale", locales())
async def test_a_table_of_four_is_played_to_its_end_by_typed_words(locale: str, discord: Discord) -> None:
    """Everything in a game of one deal is typed in the language; the board has its words at the end."""
    people, said = await seat_four(discord, [locale] * 4, board=locale)
    for number in range(MOST_COMMANDS):
        if number == MIDDLE and not SEARCHING:
            await skip_to_last_turns(discord, 0)
        state = await discord.game_state()
        if state.phase in (Phase.BETWEEN, Phase.OVER):
            break
        seat = seat_to_act(state)
        assert seat is not None
        await type_next_move(discord, people[seat], state, said[seat])
    snapshot = await discord.snapshot()
    assert snapshot.status is Status.FINISHED
    assert early_end_heading(words(locale), snapshot) in text_of(await discord.board())


async def test_four_readers_of_four_languages_sit_at_one_table(discord: Discord) -> None:
    """Each person types and is answered in their own language; the board has the server's."""
    public = words("fr")
    people, said = await seat_four(discord, ["id", "es", "de", "af"], board=public.locale)
    while (state := await discord.game_state()).turns < 2 * len(people):
        turn = seat_to_act(state)
        assert turn is not None
        await type_next_move(discord, people[turn], state, said[turn])
    for seat, (person, own) in enumerate(zip(people, said, strict=True)):
        panel = await person.run("hand")
        assert own("board.draw" if seat == seat_to_act(state) else "panel.refresh") in labels(panel)
        assert languages_of([*said, public], text_of(panel)) == [own.locale]
        assert own("settings.title") in text_of(await person.run("me settings"))
        assert own("score.title", table=1) in text_of(await person.run("score"))
        assert f"**{own('rules.classic')}**" in text_of(await person.run("rules show"))
        foreign = words("pt").kind_name("K", 3)
        refused = await person.run("meld", cards=f"3 {foreign}")
        assert own("input.not_understood", word=foreign) == text_of(refused)
    board = await discord.board()
    assert {public("board.draw"), public("board.my_hand")} <= set(labels(board))
    assert [public.locale] == languages_of([*said, public], text_of(board))
    await finish_deal_and_show(discord)
    over, snapshot = await discord.board(), await discord.snapshot()
    assert early_end_heading(public, snapshot) in text_of(over)
    assert public("board.rematch") in labels(over)
    sheet = await discord.sheet(1)
    assert public("more.fair") in labels(sheet)
    assert public("rules.classic") in picture_captions(sheet)[0]
    for person, own in zip(people, said, strict=True):
        assert own("rules.classic") in picture_captions(await person.run("score", table="1"))[0]


def languages_of(languages: list[Words], text: str) -> list[str]:
    """Return the codes of those `languages` in which the text says that a player discarded a card."""
    begun = {one.locale: str(one.entries["happened.discarded"]).partition("{")[0] for one in languages}
    return [locale for locale, verb in begun.items() if f" {verb}" in text]


async def seat_four(discord: Discord, spoken: list[str], *, board: str) -> tuple[list[Person], list[Words]]:
    """Start a game of one deal between four people, each with a language of `spoken`.

    The server's language is `board`. Return the people, and the words of their languages.
    """
    await add_manager(discord).run("setup language", language=board)
    people = [discord.person(number) for number in range(4)]
    for person, locale in zip(people, spoken, strict=True):
        await person.run("me settings", language=locale)
    await people[0].run("table new", players=4, length=1)
    for seat, person in enumerate(people[1:], 2):
        await person.run("table join", seat=seat)
    await people[0].run("table start")
    return people, [words(locale) for locale in spoken]


async def type_next_move(discord: Discord, person: Person, state: State, said: Words) -> Message:
    """Type a computer player's next move in that language, and return the answer.

    The table has changed by then.
    """
    before = (await discord.snapshot()).version
    answer = await play_by_command(
        person,
        next_move(state),
        spell_meld=lambda meld: meld_in_words(said, meld),
        rank=lambda kind: rank_name(said, kind),
    )
    assert before < (await discord.snapshot()).version, text_of(answer)
    return answer


def meld_in_words(said: Words, meld: Meld) -> str:
    """Return a meld in words of that language: ``3 kings 1 joker``, ``2 twos on kings``."""
    wilds = ((TWO, meld.twos), (JOKER, meld.jokers))
    parts = [f"{count} {rank_name(said, kind, count)}" for kind, count in ((meld.kind, meld.naturals), *wilds) if count]
    onto = "" if meld.naturals else f" {typing_words(said.locale)['onto'][0]} {rank_name(said, meld.kind, 2)}"
    return " ".join(parts) + onto


def rank_name(said: Words, kind: int, count: int = 1) -> str:
    """Return the name of a rank in that language."""
    return said.kind_name("JK" if kind == JOKER else RANK_LETTERS[kind], count)


# --- words


@pytest.mark.parametrize("locale", OTHERS)
def test_no_word_means_one_thing_in_english_and_another_in_the_language(locale: str) -> None:
    for section, listed in word_lists(locale):
        for word in listed:
            in_english, here = meaning_of_word(word, DEFAULT), meaning_of_word(word, locale)
            # French *six* means the number and the rank, just as in English.
            numbers = in_english and here and all(not one[2] for one in in_english) and [one[:2] for one in here]
            assert in_english in (None, here) or numbers == [one[:2] for one in in_english or ()], f"{section}: {word}"


@pytest.mark.parametrize("locale", OTHERS)
def test_every_kind_of_english_words_exists_in_the_language(locale: str) -> None:
    english, here = (
        {section.replace("ranks.", "rank.") for section, _ in word_lists(one)} for one in (DEFAULT, locale)
    )
    # Letters and abbreviations need no translation: *as* is A's, and so aces.
    assert english - here <= {"rank.2", "rank.A", "time.minute", "time.hour"}


@pytest.mark.parametrize("locale", OTHERS)
def test_days_of_the_week_have_distinct_abbreviations(locale: str) -> None:
    days = vocabulary_of(locale).weekdays
    begun = {
        name: [number for number, names in enumerate(days) if name.startswith(names)] for day in days for name in day
    }
    assert 7 == len(days)
    assert all(len(numbers) == 1 for numbers in begun.values()), begun


def word_lists(locale: str) -> Iterator[tuple[str, list[str]]]:
    """Return the language's lists of words about cards, and its lists about steps and times."""
    for key, value in typing_words(locale).items():
        if isinstance(value, dict):
            yield from ((f"{key}.{inner}", listed) for inner, listed in value.items())
        else:
            yield key, value


def meaning_of_word(word: str, locale: str) -> list[tuple[object, ...]] | None:
    """Return the meaning of a word about cards; None if the language does not know the word."""
    try:
        return [_lexeme_without_text(one) for one in parse_lexemes(fold_case(word), vocabulary_of(locale))]
    except InputProblem:
        return None


def _lexeme_without_text(lexeme: Lexeme) -> tuple[object, ...]:
    return lexeme.role, lexeme.number, lexeme.cards


@pytest.mark.parametrize(
    ("text", "locale", "cards"),
    [
        ("3 re e un jolly", "it", "Kh Kd Ks JK"),
        ("TRE DONNE e una pinella", "it", "Qs Qh Qd 2c"),
        ("3 sette", "it", "7s 7h 7d"),
        ("tutti i sette", "it", "7s 7h 7d"),
        ("asso di cuori, asso di picche, 2 assi", "it", "As Ah Ad Ac"),
        ("3 kings and a joker", "it", "Kh Kd Ks JK"),
        ("3 kings and a joker", "en", "Kh Kd Ks JK"),
        ("3 re", "en", None),
        ("3 re", "es", None),
        ("3 reyes y un joker", "es", "Kh Kd Ks JK"),
        ("as de corazones, as de picas, 2 ases", "es", "As Ah Ad Ac"),
        ("3 king dan satu joker", "id", "Kh Kd Ks JK"),
        ("semua tujuh", "id", "7s 7h 7d"),
        ("drei Könige und ein Joker", "de", "Kh Kd Ks JK"),
        ("alle Sieben", "de", "7s 7h 7d"),
        ("trois rois et un joker", "fr", "Kh Kd Ks JK"),
        ("3 here en een joker", "af", "Kh Kd Ks JK"),
        ("al die sewes", "af", "7s 7h 7d"),
        ("3 heere", "af", None),
        ("3 reis e um joker", "pt", "Kh Kd Ks JK"),
        ("todos os setes", "pt", "7s 7h 7d"),
        ("ás de copas, ás de espadas, 2 ases", "pt", "As Ah Ad Ac"),
        ("toutes les dames et un deux", "fr", "Qs Qh Qd 2c"),
    ],
)
def test_english_and_the_readers_language_are_understood(text: str, locale: str, cards: str | None) -> None:
    if cards is None:
        with pytest.raises(InputProblem):
            pick_melds(text, HAND, (), vocabulary_of(locale))
    else:
        laid = [card for lay in pick_melds(text, HAND, (), vocabulary_of(locale)) for card in lay.cards]
        assert sorted(cards.split()) == sorted(cards_text(laid).split())


# --- folders


def test_the_menus_offer_every_language_by_its_own_name() -> None:
    assert ("discord", *locales()) == LANGUAGES
    assert len(locales()) == len({language(locale).name for locale in locales()})


ELSEWHERE = """
import sys
sys.path.insert(0, sys.argv[1])
import bot.i18n, pytest
assert "xx" in bot.i18n.locales()
sys.exit(pytest.main(sys.argv[2:]))
"""


def test_a_new_folder_is_a_new_language(tmp_path: Path) -> None:
    """A copy of the English folder under the name `xx` is enough to play a game by typed commands."""
    link_folder(ROOT / "bot", tmp_path / "bot", excluded_name="i18n")
    link_folder(ROOT / "bot/i18n", tmp_path / "bot/i18n")
    shutil.copytree(ROOT / f"bot/i18n/{DEFAULT}", tmp_path / "bot/i18n/xx")
    played = (
        f"{Path(__file__).relative_to(ROOT)}::{test_a_table_of_four_is_played_to_its_end_by_typed_words.__name__}[xx]"
    )
    options = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
    done = subprocess.run(
        [sys.executable, "-c", ELSEWHERE, str(tmp_path), played, *options],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (0, True) == (done.returncode, "1 passed" in done.stdout), done.stdout[-3000:] + done.stderr[-3000:]


def test_no_code_names_a_language_or_holds_its_words() -> None:
    """Only whole constants count: the word *once* in an English sentence is Spanish for eleven."""
    english = {word for _, listed in word_lists(DEFAULT) for word in listed}
    foreign = {
        word for locale in OTHERS for _, listed in word_lists(locale) for word in listed if len(word) > 3
    } - english
    foreign.remove("here")  # in Afrikaans it means kings, but it is an English word too
    names = {*OTHERS, *(language(locale).name for locale in OTHERS)} - {"id"}  # "id" is also a key of many records
    # Few files are worth parsing: "it" is an English word too, but hardly ever a whole constant.
    quoted = re.compile(rf"""(['"])(?:{"|".join(names)})\1""")
    found = [
        (str(file.relative_to(ROOT)), text)
        for folder in ("bot", "cogs", "render")
        for file in sorted((ROOT / folder).rglob("*.py"))
        if quoted.search(whole := file.read_text(encoding="utf-8")) or foreign & set(re.findall(r"\w+", whole))
        for text in string_constants(file)
        if text in names or ((found_words := set(re.findall(r"\w+", text))) and found_words <= foreign)
    ]
    assert [] == found


def string_constants(file: Path) -> Iterator[str]:
    """Yield the string constants of a file without its docstrings."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    alone = {id(one.value) for one in ast.walk(tree) if isinstance(one, ast.Expr)}
    for one in ast.walk(tree):
        if isinstance(one, ast.Constant) and isinstance(one.value, str) and id(one) not in alone:
            yield one.value
