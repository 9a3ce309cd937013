"""The lessons as data: read from `data.json`, in which an unknown or missing field stops the start.

Each scene of a lesson is a position in the form of the referee's cases (`docs/referee.md`). Its steps have buttons with
acts of seat 0 and, after the wanted one, acts of computer players. `docs/lessons.md` describes the file.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any, Final

from bot.engine.moves.refusals import Code
from bot.engine.positions.position_reading import read_position
from bot.engine.rules.case_fields import CaseFields, PositionError
from bot.engine.table.state import State
from bot.referee.case_actions import CaseAction, read_action, with_turn_begun

FORMAT: Final = 1

MOST_BUTTONS: Final = 4
"""Buttons a step may have; a lesson's page has one row of them."""


class Verdict(StrEnum):
    """The sort of an act on a button: wanted, illegal, or legal but not followed by the lesson."""

    WANTED = "wanted"
    REFUSED = "refused"
    LEGAL = "legal"


@dataclass(frozen=True, slots=True)
class LessonButton:
    """A button of a step: its act, its verdict, and for an illegal act the code of the refusal."""

    request: CaseAction
    verdict: Verdict
    code: Code | None


@dataclass(frozen=True, slots=True)
class ComputerAct:
    """An act of a computer player after the wanted one, with its reason.

    `numbers` are the values for the reason's sentence.
    """

    request: CaseAction
    reason: str
    numbers: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class LessonStep:
    """One page of a lesson: its sentence, its buttons, and the acts of computer players that follow.

    `say` is the key of the sentence. A page without buttons has *Go on*. `legal` is the key of the answer to a legal
    act, `then` has the computer players' acts, and `scene` is the index of the scene that the step belongs to.
    """

    say: str
    buttons: tuple[LessonButton, ...]
    legal: str
    then: tuple[ComputerAct, ...]
    scene: int

    @property
    def wanted_button(self) -> LessonButton | None:
        """The button with the wanted act, which leads on; None if the page has *Go on*."""
        return next((one for one in self.buttons if one.verdict is Verdict.WANTED), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """A lesson: its place in the course, its positions and steps, and the question at its end.

    `revision` identifies the content: a press on a button of another revision starts the lesson again. `facts` are
    values of rule parameters that its words rely on. `right` is the number of the right answer, from 1.
    """

    id: str
    number: int
    minutes: int
    rules: str
    players: int
    paragraphs: tuple[str, ...]
    facts: Mapping[str, Any]
    scenes: tuple[State, ...] = field(repr=False)
    steps: tuple[LessonStep, ...]
    choices: int
    right: int
    revision: str

    @property
    def is_basic(self) -> bool:
        """Whether the lesson is one of the ten for beginners; the others are about families of rules."""
        return self.number <= BASIC


BASIC: Final = 10
"""Number of lessons for beginners."""


@cache
def all_lessons() -> Mapping[str, Lesson]:
    """Return the lessons by id, in the order of their numbers.

    Raises `PositionError`, naming lesson and field.
    """
    data = json.loads((files(__package__) / "data.json").read_text(encoding="utf-8"))
    return read_lessons(data)


def read_lessons(data: object) -> dict[str, Lesson]:
    """Return the lessons of a file's content, by id. Raises `PositionError`, naming lesson and field."""
    fields = CaseFields(data, "", ("format", "lessons"))
    if fields.whole_number("format", 0) != FORMAT:
        raise PositionError("format", f"must be {FORMAT}")
    found = [_read_lesson(entry, f"lessons.{place}") for place, entry in enumerate(fields.rows("lessons"))]
    if [one.number for one in found] != list(range(1, len(found) + 1)):
        raise PositionError("lessons", "must be numbered from 1 in order")
    if len({one.id for one in found}) != len(found):
        raise PositionError("lessons", "has an id twice")
    return {one.id: one for one in found}


_LESSON: Final = ("id", "number", "rules", "players", "minutes", "paragraphs", "facts", "scenes", "check")
_SCENE: Final = ("scores", "position", "deal", "expect", "steps")
_STEP: Final = ("say", "legal", "buttons", "then")
_BUTTON: Final = ("act", "is", "code")
_ACT: Final = ("act", "why", "numbers")


def _read_lesson(entry: object, path: str) -> Lesson:
    fields = CaseFields(entry, path, _LESSON)
    _require_fields(fields, "id", "number", "rules", "players", "minutes", "paragraphs", "facts", "scenes", "check")
    name = fields.text("id", "")
    if not (name.isascii() and name.islower() and name.isalpha() and 2 <= len(name) <= 12):
        raise PositionError(fields.path_of("id"), "needs 2 to 12 small letters")
    where = f"{path} ({name})"
    check = CaseFields(fields.value("check"), f"{where}.check", ("choices", "right"))
    _require_fields(check, "choices", "right")
    scenes, steps = _read_scenes(fields, where)
    return Lesson(
        id=name,
        number=fields.whole_number("number", 0),
        minutes=fields.whole_number("minutes", 0),
        rules=fields.text("rules", ""),
        players=fields.whole_number("players", 0),
        paragraphs=tuple(str(one) for one in fields.rows("paragraphs")),
        facts=dict(CaseFields(fields.value("facts"), f"{where}.facts", fields.value("facts")).data),
        scenes=scenes,
        steps=steps,
        choices=check.whole_number("choices", 0),
        right=check.whole_number("right", 0),
        revision=_revision_of_lesson(fields.data),
    )


def _revision_of_lesson(entry: Mapping[str, Any]) -> str:
    """Return the first four hexadecimal digits of the SHA-256 of a lesson's canonical JSON."""
    text = json.dumps(entry, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return sha256(text.encode()).hexdigest()[:4]


def _read_scenes(fields: CaseFields, where: str) -> tuple[tuple[State, ...], tuple[LessonStep, ...]]:
    """Return the positions in which the lesson's scenes begin, and the steps of all scenes in order."""
    states: list[State] = []
    steps: list[LessonStep] = []
    for number, entry in enumerate(fields.rows("scenes")):
        path = f"{where}.scenes.{number}"
        scene = CaseFields(entry, path, _SCENE)
        _require_fields(scene, "scores", "position", "steps")
        case = {name: scene.value(name) for name in ("scores", "position", "deal") if scene.has_field(name)}
        try:
            state = read_position({"rules": fields.value("rules"), "players": fields.value("players"), **case})
        except PositionError as problem:
            raise PositionError(path, str(problem)) from None
        states.append(with_turn_begun(state))
        steps += (_read_step(one, f"{path}.steps.{place}", number) for place, one in enumerate(scene.rows("steps")))
    return tuple(states), tuple(steps)


def _read_step(entry: object, path: str, scene: int) -> LessonStep:
    fields = CaseFields(entry, path, _STEP)
    _require_fields(fields, "say")
    buttons = tuple(_read_button(one, f"{path}.buttons.{place}") for place, one in enumerate(fields.rows("buttons")))
    verdicts = [one.verdict for one in buttons]
    if len(buttons) > MOST_BUTTONS or (buttons and verdicts.count(Verdict.WANTED) != 1):
        raise PositionError(
            fields.path_of("buttons"), f"needs exactly one wanted act and at most {MOST_BUTTONS} in all"
        )
    if (Verdict.LEGAL in verdicts) != fields.has_field("legal"):
        raise PositionError(fields.path_of("legal"), "is needed exactly where a button is legal")
    then = tuple(_read_computer_act(one, f"{path}.then.{place}") for place, one in enumerate(fields.rows("then")))
    return LessonStep(fields.text("say", ""), buttons, fields.text("legal", ""), then, scene)


def _read_button(entry: object, path: str) -> LessonButton:
    fields = CaseFields(entry, path, _BUTTON)
    _require_fields(fields, "act", "is")
    verdict = fields.choice("is", tuple(Verdict), "")
    if (verdict is Verdict.REFUSED) != fields.has_field("code"):
        raise PositionError(fields.path_of("code"), "is needed exactly where the act is refused")
    code = fields.choice("code", tuple(Code), "") if fields.has_field("code") else None
    return LessonButton(read_action({"seat": 0, **_read_object(fields, "act")}, fields.path_of("act")), verdict, code)


def _read_computer_act(entry: object, path: str) -> ComputerAct:
    fields = CaseFields(entry, path, _ACT)
    _require_fields(fields, "act")
    numbers = dict(_read_object(fields, "numbers")) if fields.has_field("numbers") else {}
    return ComputerAct(read_action(fields.value("act"), fields.path_of("act")), fields.text("why", ""), numbers)


def _read_object(fields: CaseFields, name: str) -> Mapping[str, Any]:
    value = fields.value(name)
    if not isinstance(value, Mapping):
        raise PositionError(fields.path_of(name), "needs an object")
    return value


def _require_fields(fields: CaseFields, *names: str) -> None:
    for name in names:
        if not fields.has_field(name):
            raise PositionError(fields.path_of(name), "is missing")


def reasons_used(lessons: Mapping[str, Lesson]) -> Iterator[str]:
    """Yield the code of every reason that the lessons' computer players give."""
    for lesson in lessons.values():
        for step in lesson.steps:
            yield from (act.reason for act in step.then if act.reason)
