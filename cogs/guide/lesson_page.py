"""The private pages of lessons: the list, a step, and the question at the end. Pure.

Control actions: `lesson` with ``<id>.<revision>.<step>.<button>`` presses a button of a step; `lesson_again`,
`lesson_list` and `lesson_leave` carry the lesson's id; `lesson_open` opens the lesson chosen in the menu.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from discord import ui

from bot.engine.cards.meld_places import family_of, is_run
from bot.engine.moves.actions import Ask, DiscardCard, Draw, Lay, LayMelds, TakePile
from bot.engine.table.views import SeatView
from bot.i18n import Words
from bot.lessons.lesson_replay import LEARNER, LessonMoment, PlayedTurn, action_of
from bot.lessons.lessons import BASIC, Lesson, LessonButton
from bot.tables.state.snapshots import SeatHolder, SeatSnapshot, Status, TableSnapshot
from cogs.shared.discord_api.components import (
    GOLD,
    GREEN,
    PRIMARY,
    SECONDARY,
    SUCCESS,
    Option,
    Page,
    Part,
    Picture,
    button,
    button_row,
    container,
    gallery,
    page,
    select,
    text,
)
from cogs.shared.reading import card_text, typed_steps
from cogs.shared.reading.custom_ids import ControlId
from cogs.shared.showing.lobby import LESSONS
from cogs.shared.showing.paragraphs import paragraph_button, paragraph_buttons
from cogs.shared.telling import turn_text
from cogs.shared.telling.turn_text import MARKED, TextStyle, Turn

PRESS: Final = "lesson"
AGAIN: Final = "lesson_again"
LEAVE: Final = "lesson_leave"
OPEN: Final = "lesson_open"
FIRST_DEAL: Final = "lesson_deal"

CHECK: Final = 99
"""Stands for a step's number in a control: its buttons answer the question at the end."""

GO_ON: Final = 0
"""Stands for a button's number in a control: the button *Go on*."""

ROOM_FOR_HAND: Final = 2600
"""Characters for the hand and the table in words; the rest of Discord's limit is for the lesson."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepReply:
    """The reply to a learner's last click: a sentence, and the rules paragraph of a refusal."""

    note: str = ""
    paragraph: str = ""


NOTHING: Final = StepReply()


def learner_seat(words: Words, moment: LessonMoment, person: int) -> SeatSnapshot:
    """Return the learner's seat as a snapshot of a table, so that the same code can draw and describe it.

    The learner is called "You", the other seats "Computer 1", "Computer 2" and so on in the order of play.
    """
    view, rules = moment.view, moment.view.table.rules
    you = SeatHolder("person", person, words("lesson.you"))
    count = len(view.table.seats)
    place_of = {(view.seat + place) % count: place for place in range(count)}
    seats = tuple(
        you if place_of[seat] == LEARNER else SeatHolder("computer", number=place_of[seat]) for seat in range(count)
    )
    table = TableSnapshot(
        id=0,
        version=0,
        status=Status.PLAYING,
        guild=0,
        channel=0,
        thread=None,
        rules=rules.name,
        players=rules.players,
        target=rules.target,
        host=person,
        seats=seats,
        view=view.table,
        recent=(),
        shuffle=(),
        created_at=0,
        updated_at=0,
        expires_at=None,
        next_deal_at=None,
        closed_because=None,
        rematch=None,
        terms=rules,
        base=rules,
        joined_terms=rules,
    )
    return SeatSnapshot(table, view.seat, view, view.fresh if view.must_act else ())


def step_page(
    words: Words,
    moment: LessonMoment,
    snapshot: SeatSnapshot,
    *,
    answered: StepReply = NOTHING,
    picture: Picture | None = None,
    description: str = "",
    text_style: TextStyle = MARKED,
) -> Page:
    """Return a lesson's page before the learner's next action.

    Without a picture, `description` describes hand and table.
    """
    lesson, step = moment.lesson, moment.step
    if step is None:
        return question_page(words, moment, snapshot, answered=answered, text_style=text_style)
    place = {"step": moment.number, "steps": len(lesson.steps), "goal": words(f"lesson.{lesson.id}.goal")}
    head = [f"### {lesson_title(words, lesson)}", f"-# {words('lesson.place', **place)}"]
    head += [
        f"-# {line}" if picture else line for line in describe_turns(words, snapshot.table, moment.turns, text_style)
    ]
    sentence = words(f"lesson.{lesson.id}.{step.say}")
    row = [_action_button(words, moment, number, one) for number, one in enumerate(step.buttons, start=1)]
    row = row or [button(_step_control_id(lesson, moment.number, GO_ON), words("lesson.go_on"), style=PRIMARY)]
    cited = [paragraph_button(words, answered.paragraph)] if answered.paragraph else []
    parts = [
        text("\n".join(head)),
        text(_reply_as_quotation(answered.note)) if answered.note else None,
        text(sentence),
        gallery(picture),
        text(description[:ROOM_FOR_HAND]) if description and picture is None else None,
        button_row(*row, *cited),
        _navigation_row(words, lesson),
    ]
    return page([container(*parts, edge=GOLD)], () if picture is None else (picture,))


def question_page(
    words: Words,
    moment: LessonMoment,
    snapshot: SeatSnapshot,
    *,
    answered: StepReply = NOTHING,
    text_style: TextStyle = MARKED,
) -> Page:
    """Return the page at the end of a lesson, with its closing question.

    It has the closing sentence, the rules paragraphs, and a question with three answers.
    """
    lesson = moment.lesson
    texts = [f"### {lesson_title(words, lesson)}", *describe_turns(words, snapshot.table, moment.turns, text_style)]
    texts += [words(f"lesson.{lesson.id}.close")]
    question = f"**{words(f'lesson.{lesson.id}.check')}**"
    answers = [
        button(_step_control_id(lesson, CHECK, number), words(f"lesson.{lesson.id}.check_{number}"))
        for number in range(1, lesson.choices + 1)
    ]
    parts = [
        text("\n".join(texts)),
        paragraph_buttons(words, lesson.paragraphs),
        text(_reply_as_quotation(answered.note)) if answered.note else None,
        text(question),
        button_row(*answers),
        _navigation_row(words, lesson),
    ]
    return page([container(*parts, edge=GOLD)])


def completion_page(words: Words, lesson: Lesson, next_lesson: Lesson | None) -> Page:
    """Return the page shown after the right answer to a lesson's closing question.

    It offers the next lesson, or after the tenth a first deal.
    """
    deal = lesson.number == BASIC or next_lesson is None
    style = SECONDARY if deal else PRIMARY
    leads = [
        button(ControlId(0, 0, FIRST_DEAL), words("lesson.first_deal"), style=SUCCESS) if deal else None,
        None
        if next_lesson is None
        else button(ControlId(0, 0, AGAIN, next_lesson.id), words("lesson.next"), style=style),
        button(ControlId(0, 0, LESSONS, lesson.id), words("lesson.all")),
    ]
    texts = [f"### {lesson_title(words, lesson)}", words("lesson.done", number=lesson.number)]
    if next_lesson is not None:
        texts.append(f"-# {words('lesson.next_title', title=words(f'lesson.{next_lesson.id}.title'))}")
    return page([container(text("\n".join(texts)), button_row(*leads), edge=GREEN)])


def lesson_list_page(words: Words, lessons: Mapping[str, Lesson], finished: Collection[str], note: str = "") -> Page:
    """Return the page that lists all lessons with their minutes.

    Finished lessons have a tick, the next one is marked. The green button starts the next lesson; after the ten for
    beginners, a first deal.
    """
    following = next((one for one in lessons.values() if one.id not in finished), None)
    basic = [one for one in lessons.values() if one.is_basic]
    others = [one for one in lessons.values() if not one.is_basic]

    def lesson_lines(lessons_of_part: Iterable[Lesson]) -> Iterator[str]:
        for one in lessons_of_part:
            mark = "✓" if one.id in finished else "→" if one is following else "·"
            name = words(f"lesson.{one.id}.title")
            yield words("lesson.line", mark=mark, number=one.number, title=name, count=one.minutes)

    minutes = sum(one.minutes for one in basic)
    ready = all(one.id in finished for one in basic)
    start = None if following is None else _start_button(words, following, style=SECONDARY if ready else SUCCESS)
    deal = button(ControlId(0, 0, FIRST_DEAL), words("lesson.first_deal"), style=SUCCESS if ready else SECONDARY)
    parts = [
        text("\n".join(filter(None, [note, f"### {words('lesson.list_title')}", words("lesson.list", count=minutes)]))),
        # Above the list, which is taller than a phone's screen.
        button_row(*((deal, start) if ready else (start, deal))),
        text("\n".join(lesson_lines(basic))),
        text("\n".join([words("lesson.families"), *lesson_lines(others)])),
        _lesson_menu(words, lessons),
    ]
    return page([container(*parts, edge=GOLD)])


def lesson_title(words: Words, lesson: Lesson) -> str:
    """Return a lesson's title: "Lesson 5 of 10 · Taking the pile"; without numbers for a family of rules."""
    name = words(f"lesson.{lesson.id}.title")
    return words("lesson.title", number=lesson.number, count=BASIC, title=name) if lesson.is_basic else name


def _reply_as_quotation(note: str) -> str:
    """Return the reply to a click as a quotation, which sets it apart from the lesson's own sentence."""
    return "\n".join(f"> {line}" for line in note.splitlines())


def describe_turns(
    words: Words, snapshot: TableSnapshot, turns: Iterable[PlayedTurn], text_style: TextStyle = MARKED
) -> list[str]:
    """Return a line on each turn that a computer player took: what it did, and why."""
    return [_describe_turn(words, snapshot, turn, text_style) for turn in turns]


def _describe_turn(words: Words, snapshot: TableSnapshot, turn: PlayedTurn, text_style: TextStyle) -> str:
    done = turn_text.turn_line(
        words, snapshot, Turn(turn.deal, turn.number, turn.seat, turn.events), text_style=text_style
    )
    reasons = [words(f"reason.{code}", **numbers) for code, numbers in turn.reasons]
    return " ".join([f"{done.rstrip('.')}.", *reasons])


def _start_button(words: Words, lesson: Lesson, *, style: Any) -> ui.Button[Any]:
    name = words(f"lesson.{lesson.id}.title")
    label = words("lesson.start", number=lesson.number, title=name)
    return button(ControlId(0, 0, AGAIN, lesson.id), label, style=style)


def _lesson_menu(words: Words, lessons: Mapping[str, Lesson]) -> Part | None:
    """Return the menu of lessons with their goals, or None without lessons."""
    options = [Option(one.id, lesson_title(words, one), words(f"lesson.{one.id}.goal")) for one in lessons.values()]
    return select(ControlId(0, 0, OPEN), words("lesson.choose"), options)


def _navigation_row(words: Words, lesson: Lesson) -> Part | None:
    """Return the row of buttons below a lesson's page: begin again, leave, list all lessons."""
    return button_row(
        button(ControlId(0, 0, AGAIN, lesson.id), words("lesson.again")),
        button(ControlId(0, 0, LEAVE, lesson.id), words("lesson.leave")),
        button(ControlId(0, 0, LESSONS, lesson.id), words("lesson.all")),
    )


def _step_control_id(lesson: Lesson, step: int, button_number: int) -> ControlId:
    """Return the id of a lesson step's button; it includes the lesson's revision."""
    return ControlId(0, 0, PRESS, f"{lesson.id}.{lesson.revision}.{step}.{button_number}")


def _action_button(
    words: Words, moment: LessonMoment, button_number: int, lesson_button: LessonButton
) -> ui.Button[Any]:
    """Return a lesson's button for an action; its label has no points, which would give the answer away."""
    return button(
        _step_control_id(moment.lesson, moment.number, button_number),
        action_button_label(words, moment.view, lesson_button),
    )


def action_button_label(words: Words, view: SeatView, lesson_button: LessonButton) -> str:
    """Return the short label of an action: *Draw*, *Lay K K K · 4 4 4*, *Lay 9 → nines*, *Discard 4♣*."""
    match action_of(lesson_button):
        case Draw():
            return words("panel.draw")
        case LayMelds(melds=melds):
            return words("lesson.lay", melds=_melds_label(words, view, melds))
        case TakePile(cards=shown, melds=melds):
            return _take_label(words, view, shown, melds)
        case DiscardCard(card=card):
            return words("lesson.discard", card=card_text.card_label(card))
        case Ask():
            seats = view.table.seats
            partner = next(one.seat for one in seats if one.side == seats[view.seat].side and one.seat != view.seat)
            return words("lesson.ask", name=words("seat.computer", number=(partner - view.seat) % len(seats)))
        case _:
            raise ValueError(f"no label for {lesson_button.request.do}")


def _take_label(words: Words, view: SeatView, shown: tuple[int, ...], melds: tuple[Lay, ...]) -> str:
    top = view.table.pile.top
    if not shown and not melds:
        return words("lesson.take_onto", kinds="" if top is None else card_text.kind_word(words, top >> 2, 2))
    with_cards = words("lesson.take_with", cards=card_text.ranks_label(shown))
    return f"{with_cards} + {_melds_label(words, view, melds)}" if melds else with_cards


def _melds_label(words: Words, view: SeatView, melds: Iterable[Lay]) -> str:
    return " · ".join(_meld_label(words, view, lay) for lay in melds)


def _meld_label(words: Words, view: SeatView, meld: Lay) -> str:
    """Return the short label of a meld: cards by rank, a run by its ends, and the meld they join.

    Cards of one suit with a gap are named one by one.
    """
    kinds = [card >> 2 for card in meld.cards]
    message = card_text.ranks_label(meld.cards)
    if len(kinds) > 1 and len(set(kinds)) == len(kinds) and "seq" in view.table.rules.meld_kinds:
        whole = kinds[-1] - kinds[0] + 1 == len(kinds)
        message = typed_steps.run_ends_text(meld.cards) if whole else card_text.cards_label(meld.cards)
    melds = view.side.melds
    if meld.onto is None or not 0 <= meld.onto < len(melds):
        return message
    place = melds[meld.onto].place
    word = card_text.meld_word(words, family_of(place), 1 if is_run(place) else 2)
    return words("panel.button_add", cards=message, kinds=word)
