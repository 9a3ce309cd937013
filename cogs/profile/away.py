"""`/me away`: days of vacation, planned beforehand."""

from __future__ import annotations

from datetime import date

from bot.clocks.personal import VacationCode, VacationProblem
from bot.clocks.quiet import DAY
from cogs.profile.controls import answer_time
from cogs.shared.door import replies
from cogs.shared.door.replies import Interaction
from cogs.shared.reading.problems import InputCode, InputProblem
from cogs.shared.reading.written_times import day_of, days_between, midnight, today_in
from cogs.shared.serving.context import Context
from cogs.shared.telling.time_lines import instant


async def plan(context: Context, interaction: Interaction, first: str, last: str) -> None:
    """Be away from the first day to the last, both included, in one's own time zone; from now on if that is today."""
    person, now = interaction.user.id, context.clock.now()
    zone = (await context.profiles.person(person)).zone
    today = today_in(zone, now)
    begins, ends = _day(first, today), _day(last, today)
    days = days_between(begins, ends)
    if begins < today or days < 1:
        raise InputProblem(InputCode.AWAY_ORDER)
    start = max(midnight(begins, zone), now)
    try:
        personal = await context.personal.plan_away(person, start, start + days * DAY, now)
    except VacationProblem as problem:
        code = InputCode.AWAY_DAYS if problem.code is VacationCode.DAYS else InputCode.AWAY_ORDER
        raise InputProblem(code, problem.detail) from None
    planned = personal.vacations[-1]
    words = replies.words_for(interaction)
    note = words("quiet.away", start=instant(planned.start, "f"), end=instant(planned.end, "f"))
    await answer_time(context, interaction, note)


def _day(text: str, today: date) -> date:
    found = day_of(text, today)
    if found is None:
        raise InputProblem(InputCode.NOT_A_DAY, {"text": text[:40]})
    return found
