"""The lessons that each person has finished."""

from __future__ import annotations

from bot.clocks.clock import Clock
from bot.lessons.lessons import Lesson, all_lessons
from bot.store.people.players import OFFERED, LessonStore, PlayerStore


class LessonProgress:
    """Stores which lessons people finish; the page that a person has reached is not stored."""

    def __init__(self, lessons: LessonStore, players: PlayerStore, clock: Clock) -> None:
        self._lessons = lessons
        self._players = players
        self._clock = clock

    async def finished_lessons(self, person: int) -> frozenset[str]:
        """Return the ids of the lessons that the person has finished."""
        return await self._lessons.recorded_lessons(person) - {OFFERED}

    async def finish(self, person: int, lesson: Lesson) -> None:
        """Store that the person has finished a lesson now, in place of an earlier time."""
        await self._lessons.note_lesson(person, lesson.id, self._clock.now())

    async def next_lesson(self, person: int, after: Lesson) -> Lesson | None:
        """Return the next unfinished lesson after this one, else the first unfinished.

        Return None if all are finished.
        """
        finished = await self.finished_lessons(person)
        left = [one for one in all_lessons().values() if one.id not in finished]
        return next((one for one in left if one.number > after.number), next(iter(left), None))

    async def mark_offered_to_newcomer(self, person: int) -> bool:
        """Mark the lessons as mentioned to a newcomer; return False, without a mark, for anyone else.

        A newcomer has neither finished a game nor a lesson. Each person is told of the lessons once.
        """
        if await self._lessons.recorded_lessons(person) or await self._players.results(person, limit=1):
            return False
        await self._lessons.note_lesson(person, OFFERED, self._clock.now())
        return True
