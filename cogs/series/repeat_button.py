"""The button [Repeat…] of tournaments.

It turns a tournament into a series, or stores a draft as the settings of a series' next nights.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from bot.clocks.time_rules import DAY
from bot.i18n import Words
from bot.series.dates import dates_after, day_before, local_day, night_start
from bot.series.divisions import SIZES
from bot.series.hosting import can_be_divisions, can_be_series_nights, default_plan
from bot.series.refusals import SeriesCode, SeriesRefusal
from bot.series.series import FINALS, MOST_LEFT_OUT, NIGHTS, WEEKS, DivisionPlan, Series, SeriesPlan, SeriesStage
from bot.tournaments.event.tournament import Stage, Tournament
from cogs.profile.settings import store_typed_time_zone
from cogs.series import pages, wording
from cogs.shared.discord_api import interactions, table_places
from cogs.shared.discord_api.components import Form, Option, Page, button, button_rows, form, page, select, text
from cogs.shared.discord_api.interactions import Interaction
from cogs.shared.reading.custom_ids import ControlId
from cogs.shared.reading.input_problems import InputCode, InputProblem
from cogs.shared.reading.typed_times import current_date, parse_day
from cogs.shared.serving.context import Context
from cogs.tournament.announcement import require_organiser
from cogs.tournament.control_ids import control, link_of
from cogs.tournament.desk.forms import FormLine, lines_form, two_values
from cogs.tournament.wizard.controls import new_draft, wizard_page
from cogs.tournament.wizard.plan_edits import parse_number

Chosen = tuple[str, ...]

LINES: Final = ("weeks", "nights", "best", "final", "left_out")
LONGEST_DATES: Final = 400
PAUSES: Final = (7, 90)
"""Days between two seasons of divisions."""


def series_numbers_form(words: Words, link: ControlId, title: str, plan: SeriesPlan, after: str) -> Form:
    """Return the form for the numbers of a series; it shows the dates left out that come after `after`."""
    left_out = ", ".join(sorted(one for one in plan.left_out if one > after))
    filled = {
        "weeks": f"{plan.weeks}, {plan.ahead // DAY}",
        "nights": str(plan.nights),
        "best": str(plan.best),
        "final": str(plan.final),
        "left_out": left_out,
    }
    lines = [
        FormLine(
            name=one,
            label=words(f"series_field.{one}"),
            hint=words(f"series_hint.{one}"),
            filled=filled[one],
            longest={"left_out": LONGEST_DATES, "weeks": 10}.get(one, 3),
            required=one not in ("best", "left_out"),
        )
        for one in LINES
    ]
    return lines_form(link, title, lines)


def divisions_form(words: Words, tournament: int) -> Form:
    """Return the form for the numbers of a series in divisions."""
    usual = DivisionPlan()
    filled = {"size": str(usual.size), "pause": str(usual.pause // DAY)}
    lines = [
        FormLine(
            name=one, label=words(f"series_field.{one}"), hint=words(f"series_hint.{one}"), filled=value, longest=3
        )
        for one, value in filled.items()
    ]
    return lines_form(control(tournament, "s_divide"), words("series.form_title"), lines)


def read_series_numbers(plan: SeriesPlan, typed: Chosen, now: int) -> SeriesPlan:
    """Return the series' plan with the numbers that a host typed into the form.

    Raises `InputProblem` and `SeriesRefusal`.
    """
    if len(typed) != len(LINES):
        raise InputProblem(InputCode.OLD_CONTROL)
    weeks, nights, best, final, left_out = typed
    count = parse_number(nights, *NIGHTS)
    size = parse_number(final, 0, FINALS[-1])
    if size not in FINALS:
        raise SeriesRefusal(SeriesCode.FINAL_SIZE, {"size": size})
    every, ahead = _parse_repeat_rhythm(plan, weeks)
    changed = replace(
        plan,
        weeks=every,
        ahead=ahead,
        nights=count,
        best=parse_number(best, 1, count) if best.strip() else -(-2 * count // 3),
        final=size,
        left_out=(),
    )
    today = local_day(plan.zone, now)[0]
    kept = tuple(one for one in plan.left_out if one < today)
    return replace(changed, left_out=tuple(sorted({*kept, *_parse_skipped_dates(changed, left_out, now)})))


def _parse_repeat_rhythm(plan: SeriesPlan, typed: str) -> tuple[int, int]:
    """Return the weeks between nights, and how long before its start a night is published (milliseconds).

    The published time must be shorter than the time between two nights; if it is not typed, the plan's value stays.
    Raises `InputProblem`.
    """
    weeks, *days = (one.strip() for one in typed.replace(";", ",").split(","))
    every = parse_number(weeks, *WEEKS)
    if len(days) > 1:
        raise InputProblem(InputCode.NOT_BETWEEN, {"text": typed[:40], "least": WEEKS[0], "most": WEEKS[1]})
    return every, parse_number(days[0], 1, 7 * every - 1) * DAY if days else plan.ahead


def _parse_skipped_dates(plan: SeriesPlan, typed: str, now: int) -> list[str]:
    """Return the typed dates, which must be future dates of the series. Raises `InputProblem`."""
    found = []
    for one in (part.strip() for part in typed.replace(";", ",").split(",")):
        if not one:
            continue
        day = parse_day(one, current_date(plan.zone, now))
        if day is None:
            raise InputProblem(InputCode.NOT_A_DAY, {"text": one[:40]})
        date = day.isoformat()
        if next(iter(dates_after(plan, day_before(date)))) != date or night_start(plan, date) <= now:
            raise InputProblem(InputCode.NOT_A_DATE, {"text": one[:40]})
        found.append(date)
    if len(found) > MOST_LEFT_OUT:
        raise InputProblem(InputCode.TOO_LONG, {"length": len(found), "allowed": MOST_LEFT_OUT})
    return found


def time_zone_page(words: Words, tournament: int) -> Page:
    """Return the page that asks for the person's time zone before a tournament is repeated."""
    ask = button(control(tournament, "s_zone"), words("series_button.zone"))
    return page([text(words("series.zone_first")), *button_rows([ask])])


def which_series_page(words: Words, tournament: int, hosted: Sequence[Series]) -> Page:
    """Return the page on which a host stores a draft for one of these series, or begins a new series."""
    options = [Option(str(one.id), one.name) for one in hosted]
    menu = select(control(tournament, "s_use"), words("series.use_for"), options)
    new = button(control(tournament, "s_new"), words("series_button.new"))
    return page([text(words("series.use_or_new")), *([] if menu is None else [menu]), *button_rows([new])])


async def create_draft(context: Context, interaction: Interaction, name: str) -> None:
    """Create a draft of the first night, and show its first page with a note on how to make it a series."""
    draft = await new_draft(context, interaction, name)
    note = interactions.words_for(interaction)("series.create_note")
    await interactions.show_page(interaction, await wizard_page(context, interaction, draft, "format", note=note))


class RepeatControls:
    """Handlers of [Repeat…] and of the pages and forms that follow it."""

    def __init__(self, context: Context) -> None:
        self.context = context
        handlers = {
            "s_repeat": self.start_repeating,
            "s_zone": self.ask_time_zone,
            "s_zoned": self.store_time_zone,
            "s_new": self.begin_new_series,
            "s_begin": self.begin_series,
            "s_use": self.store_draft_as_series_settings,
            "s_divide": self.begin_divisions,
        }
        for action, handler in handlers.items():
            context.router.add(action, handler)

    async def start_repeating(self, interaction: Interaction, control_id: ControlId, _values: Chosen) -> None:
        """Show the form for a new series; a host may store a draft for an existing series instead."""
        tournament = await self._tournament_to_repeat(interaction, control_id)
        hosted = await self._hosted_series(interaction) if tournament.stage is Stage.DRAFT else ()
        if hosted:
            await interactions.show_page(
                interaction, which_series_page(interactions.words_for(interaction), tournament.id, hosted)
            )
            return
        await self._ask_series_numbers(interaction, tournament)

    async def begin_new_series(self, interaction: Interaction, control_id: ControlId, _values: Chosen) -> None:
        await self._ask_series_numbers(interaction, await self._tournament_to_repeat(interaction, control_id))

    async def _ask_series_numbers(self, interaction: Interaction, tournament: Tournament) -> None:
        words = interactions.words_for(interaction)
        zone = await self._time_zone(interaction)
        if not zone:
            await interactions.show_page(interaction, time_zone_page(words, tournament.id))
            return
        plan = default_plan(tournament.plan, zone, self.context.clock.now())
        if not can_be_series_nights(tournament.plan):
            await interactions.show_form(interaction, divisions_form(words, tournament.id))
            return
        window = series_numbers_form(words, control(tournament.id, "s_begin"), words("series.form_title"), plan, "")
        await interactions.show_form(interaction, window)

    async def ask_time_zone(self, interaction: Interaction, control_id: ControlId, _values: Chosen) -> None:
        words = interactions.words_for(interaction)
        link = control(link_of(control_id).tournament, "s_zoned")
        hint = words("series_hint.zone")
        await interactions.show_form(
            interaction, form(link, words("series_button.zone"), hint=hint, filled="", required=True)
        )

    async def store_time_zone(self, interaction: Interaction, control_id: ControlId, values: Chosen) -> None:
        """Store the typed time zone, and offer to continue with the series."""
        words = interactions.words_for(interaction)
        zone = await store_typed_time_zone(self.context, interaction, values[0] if values else "")
        again = button(control(link_of(control_id).tournament, "s_repeat"), words("series_button.repeat"))
        shown = page([text(words("series.zone_set", zone=zone)), *button_rows([again])])
        await interactions.show_page(interaction, shown, update=True)

    async def begin_series(self, interaction: Interaction, control_id: ControlId, values: Chosen) -> None:
        """Begin a series with the typed numbers."""
        tournament = await self._tournament_to_repeat(interaction, control_id)
        zone = await self._time_zone(interaction)
        if not zone:
            raise InputProblem(InputCode.ZONE_FIRST)
        now = self.context.clock.now()
        await self._create_series(
            interaction, tournament, read_series_numbers(default_plan(tournament.plan, zone, now), values, now)
        )

    async def begin_divisions(self, interaction: Interaction, control_id: ControlId, values: Chosen) -> None:
        """Begin a series of divisions with the typed numbers."""
        tournament = await self._tournament_to_repeat(interaction, control_id)
        zone = await self._time_zone(interaction)
        if not zone:
            raise InputProblem(InputCode.ZONE_FIRST)
        size, pause = two_values(values)
        divisions = DivisionPlan(size=parse_number(size, *SIZES), pause=parse_number(pause, *PAUSES) * DAY)
        plan = default_plan(tournament.plan, zone, self.context.clock.now())
        await self._create_series(interaction, tournament, replace(plan, divisions=divisions))

    async def _create_series(self, interaction: Interaction, tournament: Tournament, plan: SeriesPlan) -> None:
        caller = interactions.caller_of(interaction)
        made = await self.context.series.create(caller, channel=tournament.channel, plan=plan)
        await self._delete_draft(interaction, tournament)
        words = interactions.words_for(interaction)
        shown = page(
            [text("\n".join([words("series.begun", place=f"<#{made.channel}>"), self._describe_series(words, made)]))]
        )
        await interactions.show_page(interaction, shown, update=interactions.is_in_private_message(interaction))

    def _describe_series(self, words: Words, series: Series) -> str:
        """Return the series' headline and state as text."""
        return "\n".join([wording.series_headline(words, series), *pages.state_lines(words, series)])

    async def store_draft_as_series_settings(
        self, interaction: Interaction, control_id: ControlId, values: Chosen
    ) -> None:
        """Store a draft as the settings of a series' next nights."""
        tournament = await self._tournament_to_repeat(interaction, control_id)
        if not values or not values[0].isdecimal():
            raise InputProblem(InputCode.OLD_CONTROL)
        series = await self.context.series.get_series(int(values[0]), guild=interaction.guild_id)
        after = await self.context.series.change_pattern(
            interactions.caller_of(interaction), series.id, tournament.plan
        )
        await self._delete_draft(interaction, tournament)
        words = interactions.words_for(interaction)
        texts = [words("series.settings_kept", name=wording.series_name(after)), *pages.state_lines(words, after)]
        await interactions.show_page(interaction, page([text("\n".join(texts))]), update=True)

    async def _delete_draft(self, interaction: Interaction, draft: Tournament) -> None:
        """Delete a draft whose plan was stored as the settings of a series."""
        if draft.stage is Stage.DRAFT and interaction.user.id in draft.directors:
            await self.context.tournaments.desk.cancel(interactions.caller_of(interaction), draft.id)

    async def _tournament_to_repeat(self, interaction: Interaction, control_id: ControlId) -> Tournament:
        """Return the tournament to repeat. Refusals: not_repeatable."""
        await require_organiser(self.context, interaction)
        table_places.require_permissions(interaction)
        tournament = await self.context.tournaments.overview.get_tournament(
            link_of(control_id).tournament, guild=interaction.guild_id
        )
        if not (can_be_series_nights(tournament.plan) or can_be_divisions(tournament.plan)):
            raise SeriesRefusal(SeriesCode.NOT_REPEATABLE)
        return tournament

    async def _hosted_series(self, interaction: Interaction) -> tuple[Series, ...]:
        """Return the guild's series that the person hosts and that have not ended."""
        open_ = await self.context.series.open_series_in(interaction.guild_id or 0)
        return tuple(one for one in open_ if interaction.user.id in one.hosts and one.stage is not SeriesStage.ENDED)

    async def _time_zone(self, interaction: Interaction) -> str:
        return (await self.context.profiles.preferences_of(interaction.user.id)).zone
