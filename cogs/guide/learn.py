"""`/learn`: lessons on private pages, and a first deal after them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Final, TypeAlias

from discord import app_commands
from discord.ext import commands

from bot.engine.play.refusal_paragraphs import paragraph_of
from bot.lessons.lesson_replay import LessonMoment, StepOutOfDate, moment_at, refusal_of, step_and_button
from bot.lessons.lessons import Lesson, Verdict, all_lessons
from bot.tables.state.clocks import TableSettings
from cogs.guide import lesson_page
from cogs.guide.lesson_page import CHECK, NOTHING, StepReply
from cogs.shared.discord_api import interactions, table_places
from cogs.shared.discord_api.components import Page, text_page
from cogs.shared.discord_api.interactions import Interaction, answer_in_time, ignore_problems, is_in_private_message
from cogs.shared.reading.custom_ids import MOST_CHOICES, ControlId
from cogs.shared.reading.input_problems import InputCode, InputProblem
from cogs.shared.reading.meld_draft import NOTHING as NO_DRAFT
from cogs.shared.serving import panel
from cogs.shared.serving.context import Context
from cogs.shared.serving.new_tables import TableWish, open_table
from cogs.shared.showing.lobby import LESSONS
from cogs.shared.showing.pages import hand_in_words
from cogs.shared.telling.explanations import explain_problem
from cogs.shared.telling.turn_text import MARKED, SPOKEN

Chosen: TypeAlias = tuple[str, ...]

_FIRST_DEAL: Final = TableWish(rules="classic", players=4, computers=3)
"""The table of a first deal: classic for four with three computer players."""


class LearnCommands(commands.Cog):
    """The command `/learn`, and the buttons of lessons; they store only which lessons are finished."""

    help_group = "table"

    def __init__(self, context: Context) -> None:
        self.context = context
        handlers: dict[str, Callable[[Interaction, ControlId, Chosen], Awaitable[None]]] = {
            lesson_page.PRESS: self.handle_lesson_button,
            lesson_page.AGAIN: self.restart_lesson,
            LESSONS: self.list_lessons,
            lesson_page.LEAVE: self.leave_lesson,
            lesson_page.OPEN: self.open_lesson,
            lesson_page.FIRST_DEAL: self.start_first_deal,
        }
        for action, handler in handlers.items():
            context.router.add(action, handler)

    @app_commands.command()
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
    async def learn(self, interaction: Interaction, lesson: str | None = None) -> None:
        async with answer_in_time(interaction):
            if lesson is None:
                await self._show_lesson_list(interaction)
            else:
                await self._show_first_step(interaction, _parse_lesson(interaction, lesson))

    @learn.autocomplete("lesson")
    async def suggest_lessons(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        found: list[tuple[str, str]] = []
        async with ignore_problems():
            words = interactions.words_for(interaction)
            found = [(lesson_page.lesson_title(words, one), one.id) for one in all_lessons().values()]
        fitting = [(label, value) for label, value in found if typed.casefold() in label.casefold()]
        return [app_commands.Choice(name=label, value=value) for label, value in fitting[:MOST_CHOICES]]

    # --- controls

    async def handle_lesson_button(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Handle a button of a lesson's step, or an answer to the question at the lesson's end."""
        name, _, rest = control.argument.partition(".")
        lesson = all_lessons().get(name)
        parts = rest.split(".")
        if lesson is None or len(parts) != 3 or not all(part.isdecimal() for part in parts[1:]):
            await self._show_lesson_list(interaction)
        elif parts[0] != lesson.revision:
            note = interactions.words_for(interaction)("lesson.revised")
            await self._show_lesson_step(interaction, moment_at(lesson, 1), StepReply(note=note))
        else:
            try:
                await self._answer_step(interaction, lesson, int(parts[1]), int(parts[2]))
            except StepOutOfDate:
                await self._show_lesson_list(interaction)

    async def restart_lesson(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        lesson = all_lessons().get(control.argument)
        await (self._show_lesson_list(interaction) if lesson is None else self._show_first_step(interaction, lesson))

    async def list_lessons(self, interaction: Interaction, _control: ControlId, _values: Chosen) -> None:
        await self._show_lesson_list(interaction)

    async def open_lesson(self, interaction: Interaction, _control: ControlId, values: Chosen) -> None:
        lesson = all_lessons().get("".join(values[:1]))
        await (self._show_lesson_list(interaction) if lesson is None else self._show_first_step(interaction, lesson))

    async def leave_lesson(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        words, lesson = interactions.words_for(interaction), all_lessons().get(control.argument)
        text = words("lesson.left") if lesson is None else words("lesson.left_at", number=lesson.number)
        await interactions.show_page(interaction, text_page(text), update=is_in_private_message(interaction))

    async def start_first_deal(self, interaction: Interaction, _control: ControlId, _values: Chosen) -> None:
        """Open a table for a first deal with three computer players, start it, and send the person's panel."""
        if interaction.guild_id is None:
            raise InputProblem(InputCode.IN_SERVER_ONLY)
        server = await self.context.servers.settings(interaction.guild_id)
        private = table_places.may_open_threads(interaction, private=True)
        apart = server.has_private_threads or private
        settings = TableSettings(deals=1, watching=False, private_thread=apart, hints="on")
        # Without this the new table would offer the lessons that the person has just done.
        await self.context.lessons.mark_offered_to_newcomer(interaction.user.id)
        snapshot = await open_table(self.context, interaction, _FIRST_DEAL, settings)
        # The interaction's own id identifies the opening of the table, so its negative identifies the start.
        caller = interactions.caller_of(interaction)
        await self.context.tables.lobby.start(replace(caller, request=-caller.request), snapshot.id)
        await panel.answer_with_panel(
            self.context, interaction, panel.hand_page(self.context, interaction, snapshot.id), in_new_message=True
        )

    # --- answers

    async def _answer_step(self, interaction: Interaction, lesson: Lesson, step_number: int, chosen: int) -> None:
        words = interactions.words_for(interaction)
        if step_number == CHECK:
            await self._answer_final_question(interaction, lesson, chosen)
            return
        step, button = step_and_button(lesson, step_number, chosen)
        if button is None or button.verdict is Verdict.WANTED:
            await self._show_lesson_step(interaction, moment_at(lesson, step_number + 1))
        elif button.verdict is Verdict.LEGAL:
            note = words(f"lesson.{lesson.id}.{step.legal}")
            await self._show_lesson_step(interaction, moment_at(lesson, step_number), StepReply(note=note))
        else:
            moment, refusal = moment_at(lesson, step_number), refusal_of(lesson, step_number, button)
            snapshot = lesson_page.learner_seat(words, moment, interaction.user.id)
            note = explain_problem(words, refusal, snapshot.table)
            cited = paragraph_of(snapshot.table.terms, refusal)
            await self._show_lesson_step(interaction, moment, StepReply(note=note, paragraph=cited))

    async def _answer_final_question(self, interaction: Interaction, lesson: Lesson, chosen: int) -> None:
        words, person = interactions.words_for(interaction), interaction.user.id
        if not 1 <= chosen <= lesson.choices:
            raise StepOutOfDate
        if chosen != lesson.right:
            note = words(f"lesson.{lesson.id}.check_wrong")
            await self._show_lesson_step(interaction, moment_at(lesson, len(lesson.steps) + 1), StepReply(note=note))
            return
        await self.context.lessons.finish(person, lesson)
        following = await self.context.lessons.next_lesson(person, lesson)
        page = lesson_page.completion_page(words, lesson, following)
        await interactions.show_page(interaction, page, update=is_in_private_message(interaction))

    async def _show_lesson_list(self, interaction: Interaction) -> None:
        finished = await self.context.lessons.finished_lessons(interaction.user.id)
        page = lesson_page.lesson_list_page(interactions.words_for(interaction), all_lessons(), finished)
        await interactions.show_page(interaction, page, update=is_in_private_message(interaction))

    async def _show_first_step(self, interaction: Interaction, lesson: Lesson) -> None:
        await self._show_lesson_step(interaction, moment_at(lesson, 1))

    async def _show_lesson_step(
        self, interaction: Interaction, moment: LessonMoment, reply: StepReply = NOTHING
    ) -> None:
        page = await self._lesson_step_page(interaction, moment, reply)
        await interactions.show_page(interaction, page, update=is_in_private_message(interaction))

    async def _lesson_step_page(self, interaction: Interaction, moment: LessonMoment, reply: StepReply) -> Page:
        words = interactions.words_for(interaction)
        preferences = await self.context.profiles.preferences_of(interaction.user.id)
        snapshot = lesson_page.learner_seat(words, moment, interaction.user.id)
        serial = interaction.id % 1_000_000
        pages = self.context.pages
        if moment.view.table.actor is None:  # the deal is over: show its score sheet, which is public at a table too
            pictures = await pages.score_pictures(words, snapshot.table, preferences, serial=serial)
            picture = next(iter(pictures), None)
        else:
            picture = await pages.hand_picture(words, snapshot, preferences, NO_DRAFT, serial)
        description = "" if picture else hand_in_words(words, snapshot, moment.view, preferences, with_news=False)
        text_style = SPOKEN if preferences.is_text_only else MARKED
        return lesson_page.step_page(
            words, moment, snapshot, answered=reply, picture=picture, description=description, text_style=text_style
        )


def _parse_lesson(interaction: Interaction, typed: str) -> Lesson:
    """Return the lesson of that id, number or title. Raises `InputProblem`."""
    words, lessons = interactions.words_for(interaction), all_lessons()
    wanted = typed.strip().casefold()
    for lesson in lessons.values():
        if wanted in (lesson.id, str(lesson.number), lesson_page.lesson_title(words, lesson).casefold()):
            return lesson
    raise InputProblem(InputCode.NOT_UNDERSTOOD, {"word": typed[:40]})
