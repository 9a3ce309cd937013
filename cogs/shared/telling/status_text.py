"""Sentences about a table's state: turn, clocks, automatic moves, penalties, scores and result.

Times are Discord timestamps: each reader sees their own time zone, and they never become outdated.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from bot.clocks.clock import HOUR, MINUTE, SECOND
from bot.clocks.clock_notation import CUSTOM, NO_CLOCK
from bot.clocks.time_rules import DAY, MOST_DAYS_A_TURN, ClockTerms, Stage
from bot.engine.moves.phases import Phase
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.sets.difficulty_and_length import GLANCES, usual_number_of_deals
from bot.engine.table.views import PublicView, SeatView
from bot.i18n import Words
from bot.tables.state.clocks import TableSettings
from bot.tables.state.premoves import PlannedTurn, PremoveEnd
from bot.tables.state.snapshots import SeatSnapshot, Status, TableSnapshot
from cogs.shared.reading import card_text
from cogs.shared.telling import names, play_text
from cogs.shared.telling.numbers import group_thousands
from cogs.shared.telling.rules_text import OFFERS


def restriction_lines(words: Words, view: SeatView) -> list[str]:
    """Return lines on restrictions that apply to this player and not to the others.

    The pile may be frozen for them, or their canastas may be too recent to go out in this turn.
    """
    table = view.table
    lines = []
    if table.phase is Phase.DRAW and table.pile.cards and not table.pile.frozen and table.seats[view.seat].frozen:
        lines.append(words("panel.frozen_untaken"))
    if not table.ready and view.side.canastas >= max(1, table.rules.out_canastas):
        lines.append(words("panel.out_next_turn"))
    return lines


DAYS_A_TURN: Final = 0.30
"""Days per turn of a slow game if players look four times a day (`docs/long-games.md`, 8)."""

_WEEK: Final = 7
_TOLD_IN_DAYS: Final = 2 * _WEEK


def short_duration_text(words: Words, milliseconds: int) -> str:
    """Return a duration as text in its largest whole unit: hours, minutes or seconds."""
    for unit, key in ((HOUR, "clock.hours"), (MINUTE, "clock.minutes")):
        if milliseconds % unit == 0 and milliseconds:
            return words(key, count=milliseconds // unit)
    return words("clock.seconds", count=milliseconds // SECOND)


def clock_name(words: Words, terms: ClockTerms | None) -> str:
    """Return the name of a table's clock."""
    return words(f"clock.{NO_CLOCK if terms is None else terms.name}")


def clock_terms_text(words: Words, terms: ClockTerms | None) -> str:
    """Return a clock's numbers as text: starting time, bonus per turn, maximum."""
    if terms is None:
        return words("clock.nobody_s")
    return words(
        "clock.terms",
        name=clock_name(words, terms),
        bank=short_duration_text(words, terms.bank),
        increment=short_duration_text(words, terms.increment),
        cap=short_duration_text(words, terms.cap),
    )


def lobby_text(words: Words, snapshot: TableSnapshot) -> str:
    """Return sentences on a lobby's clock, its number of deals, and how long the game may take."""
    settings = snapshot.settings
    texts = [clock_terms_text(words, settings.clock)]
    if settings.clock is not None:
        texts += [words("clock.runs"), _time_out_sentence(words, settings, settings.clock)]
    if settings.deals is not None:
        texts.append(words("clock.deals", count=settings.deals))
    if settings.is_slow and settings.latest_end_days is not None:
        # The latest end counts from the start, which is not known yet, so count from the lobby's last change.
        over = snapshot.updated_at + settings.latest_end_days * DAY
        texts.append(words("clock.over_by", when=f"<t:{over // 1000}:D>"))
        texts.append(game_length_text(words, settings, snapshot.terms))
    return " ".join(texts)


def lobby_clock_text(words: Words, snapshot: TableSnapshot) -> str:
    """Return text on the clock for a lobby's message; short while one person is alone in it.

    If computer players have all other seats, no clock runs: the text is only the number of deals, if fixed.
    """
    settings = snapshot.settings
    if settings.is_slow or len(snapshot.persons) != 1 or snapshot.wishes:
        return lobby_text(words, snapshot)
    texts = [] if snapshot.is_full else [words("clock.nobody_s")]
    if settings.clock is not None and not snapshot.is_full:
        texts = [words("clock.alone", name=clock_name(words, settings.clock))]
    return " ".join([*texts, *([] if settings.deals is None else [words("clock.deals", count=settings.deals)])])


def _time_out_sentence(words: Words, settings: TableSettings, terms: ClockTerms) -> str:
    policy = words(f"clock_then.{settings.policy.value}")
    if not settings.extension:
        return words("clock.out_of_time", then=policy)
    extra = words("clock.extra_day" if terms.is_slow else "clock.extra_minute")
    return words("clock.out_of_time_extended", extra=extra, then=policy)


def game_length_text(words: Words, settings: TableSettings, rules: RuleSet) -> str:
    """Return a sentence that estimates how long a slow game takes."""
    days = round(_estimated_deals(settings, rules) * GLANCES[rules.name].turns * DAYS_A_TURN)
    if days < _TOLD_IN_DAYS:
        return words("clock.about_days", count=max(1, days))
    weeks, half = divmod(round(2 * days / _WEEK), 2)
    return words("clock.about_weeks_and_a_half" if half else "clock.about_weeks", count=weeks)


def _estimated_deals(settings: TableSettings, rules: RuleSet) -> int:
    """Return about how many deals a game at the table has."""
    usual = OFFERS[rules.name]
    full = usual_number_of_deals(GLANCES[rules.name], rules, usual.forms[usual.usual_players])
    return full if settings.deals is None else min(settings.deals, full)


def clock_option_label(words: Words, terms: ClockTerms | None) -> str:
    """Return the line of a menu that offers a clock."""
    if terms is None:
        return words("clock.none")
    text = words(
        "clock.short",
        bank=short_duration_text(words, terms.bank),
        increment=short_duration_text(words, terms.increment),
    )
    return words(
        "clock.option", name=words("clock.own") if terms.name == CUSTOM else clock_name(words, terms), terms=text
    )


_ENDED: Final = {
    PremoveEnd.PILE: "premove.ended_pile",
    PremoveEnd.HAND: "premove.ended_hand",
    PremoveEnd.MELDS: "premove.ended_melds",
    PremoveEnd.TAKEABLE: "premove.ended_takeable",
    PremoveEnd.REFUSED: "premove.ended_refused",
    PremoveEnd.DONE: "premove.ended_done",
}


def premove_line(words: Words, snapshot: SeatSnapshot) -> list[str]:
    """Return a line on what will be played automatically, or why nothing was.

    The list is empty while the player is in turn.
    """
    premove = snapshot.premove
    if premove is None or snapshot.view is None:
        return []
    if premove.ended is not None:
        return [words(_ENDED[premove.ended])] if premove.ended in _ENDED else []
    if snapshot.view.table.turn == snapshot.seat:
        return []
    return [words("premove.stands", what=" ".join(prepared_move_lines(words, premove.wish)))]


def prepared_move_lines(words: Words, planned_turn: PlannedTurn) -> Iterable[str]:
    """Return a sentence for each prepared move."""
    if planned_turn.draw and planned_turn.ranks:
        kinds = words("premove.or").join(card_text.kind_word(words, kind, 2) for kind in planned_turn.ranks)
        yield words("premove.wish_draw_ranks", kinds=kinds)
    elif planned_turn.draw:
        yield words("premove.wish_draw")
    if planned_turn.discard is not None:
        yield words("premove.wish_discard", card=card_text.card_label(planned_turn.discard))
    if planned_turn.agree:
        yield words("premove.wish_agree")


def last_automatic_turn(snapshot: SeatSnapshot) -> int | None:
    """Return the number of the player's last turn if it was played automatically, else None."""
    premove = snapshot.premove
    return None if premove is None or premove.ended is not PremoveEnd.DONE else premove.upon.comes


ABSOLUTE: Final = "f"
RELATIVE: Final = "R"


def discord_timestamp(milliseconds: int, style: str = RELATIVE) -> str:
    """Return the markup by which Discord shows a time (UTC milliseconds) in each reader's zone."""
    return f"<t:{milliseconds // 1000}:{style}>"


def deadline_text(snapshot: TableSnapshot, until: int) -> str:
    """Return a deadline as markup: a date at a slow table, a countdown at a fast one."""
    return discord_timestamp(until, ABSOLUTE if snapshot.settings.is_slow else RELATIVE)


def waiting_since(snapshot: TableSnapshot) -> int:
    """Return when the table began to wait for the seat that is to act (UTC milliseconds).

    If it waits for none, return when it last changed.
    """
    return snapshot.updated_at if snapshot.waits_since is None else snapshot.waits_since


def duration_text(words: Words, milliseconds: int) -> str:
    """Return a duration as text in its two largest units."""
    minutes, seconds = divmod(milliseconds // SECOND, MINUTE // SECOND)
    if milliseconds >= DAY:
        return words("times.days", days=milliseconds // DAY, hours=milliseconds % DAY // HOUR)
    if milliseconds >= HOUR:
        rest = minutes % 60
        return words("times.hours_minutes" if rest else "times.hours", hours=minutes // 60, minutes=rest)
    if minutes:
        return words("times.minutes_seconds" if seconds else "times.minutes", minutes=minutes, seconds=seconds)
    return words("times.seconds", seconds=seconds)


def time_out_policy_text(words: Words, snapshot: TableSnapshot) -> str:
    """Return a sentence on what the table does with a seat whose time is used up."""
    return words(f"policy.{snapshot.settings.policy.value}")


def time_out_text(words: Words, snapshot: TableSnapshot, seat: int, *, present: bool = True) -> str:
    """Return a sentence on what happens to the reader when the time of their seat is used up.

    Extra time is mentioned only if it may still be granted; at a slow table, only a person who is `present` gets any.
    """
    settings, text = snapshot.settings, words(f"own_policy.{snapshot.settings.policy.value}")
    if settings.is_slow and not present:
        return text
    if _may_get_extra_time(snapshot, seat):
        return words("notices.then_extra" if settings.is_slow else "notices.then_extra_fast")
    return words("notices.then_vacation", policy=text) if _may_have_vacation(snapshot, seat) else text


def allowance_hint(words: Words, snapshot: TableSnapshot, seat: int) -> str:
    """Return a sentence on the extra time that a person gets by using the bot; "" if none is left."""
    if _may_get_extra_time(snapshot, seat):
        return words("notices.use_bot")
    return words("notices.use_bot_vacation") if _may_have_vacation(snapshot, seat) else ""


def _may_get_extra_time(snapshot: TableSnapshot, seat: int) -> bool:
    """Return whether the seat may still get its extra time; in the last deal it may not."""
    clocks = snapshot.clocks
    return (
        clocks is not None
        and not snapshot.last_deal
        and snapshot.settings.extension
        and not clocks.seats[seat].extended
    )


def _may_have_vacation(snapshot: TableSnapshot, seat: int) -> bool:
    """Return whether the seat may have a day (or another day) of vacation in this turn.

    Fast tables and last deals have none.
    """
    clocks, settings = snapshot.clocks, snapshot.settings
    if clocks is None or snapshot.last_deal or not settings.is_slow or len(clocks.days) >= MOST_DAYS_A_TURN:
        return False
    return settings.vacation > clocks.seats[seat].vacation_days


def running_clock(snapshot: TableSnapshot) -> tuple[int, int] | None:
    """Return the seat whose clock runs and its deadline, or None."""
    clocks = snapshot.clocks
    if clocks is None or clocks.owes is None or clocks.until is None or snapshot.status is not Status.PLAYING:
        return None
    return clocks.owes, clocks.until


def clock_line(words: Words, snapshot: TableSnapshot) -> str:
    """Return a line with the deadline of the player in turn and their extra time; "" if no clock runs."""
    now, clocks = running_clock(snapshot), snapshot.clocks
    if now is None or clocks is None:
        return ""
    (seat, until), slow = now, snapshot.settings.is_slow
    name, ends = names.seat_name(words, snapshot, seat), deadline_text(snapshot, until)
    if clocks.stage is Stage.EXTENDED:
        if waiting_line(words, snapshot):  # the line about waiting already says what follows and when
            return words("times.extended_until", name=name, when=ends)
        key = "times.extended" if slow else "times.extended_fast"
        return words(key, name=name, when=ends, policy=time_out_policy_text(words, snapshot))
    if clocks.stage is Stage.VACATION:
        spent = clocks.seats[seat].vacation_days
        return words("times.vacation", name=name, day=spent, days=snapshot.settings.vacation, when=ends)
    return words("times.until" if slow else "times.ends", when=ends)


def waiting_line(words: Words, snapshot: TableSnapshot) -> str:
    """Return a line on since when the others wait, and when the table decides at the latest.

    It is "" in the player's regular time.
    """
    clocks, seat = snapshot.clocks, None if snapshot.clocks is None else snapshot.clocks.owes
    if clocks is None or seat is None or clocks.decided_at is None or not snapshot.settings.is_slow:
        return ""
    if clocks.stage is Stage.RUNNING or snapshot.status is not Status.PLAYING:
        return ""
    return words(
        f"waiting.{snapshot.settings.policy.value}",
        name=names.seat_name(words, snapshot, seat),
        since=discord_timestamp(waiting_since(snapshot), ABSOLUTE),
        until=discord_timestamp(clocks.decided_at, ABSOLUTE),
    )


def result_line(words: Words, snapshot: TableSnapshot) -> str:
    """Return lines saying how the game ended, or that the table is closed."""
    if snapshot.status is Status.CLOSED or snapshot.view is None:
        return words("decided.table_closed", table=snapshot.id)
    return "\n".join([result_text(words, snapshot, snapshot.view), *play_text.early_end_details(words, snapshot)])


def mention_line(words: Words, snapshot: TableSnapshot, mention: str) -> str:
    """Return the text for the player mentioned at a slow table: the previous actions and the deadline.

    Return "" for other tables.
    """
    now = running_clock(snapshot)
    if now is None or not snapshot.settings.is_slow or snapshot.view is None:
        return ""
    if snapshot.view.phase is Phase.ANSWER:
        return words("times.answer", mention=mention, when=deadline_text(snapshot, now[1]))
    text = play_text.previous_turn_text(words, snapshot)
    before = words("times.before", told=text) if text else ""
    return words("times.turn", mention=mention, before=before, when=deadline_text(snapshot, now[1]))


def own_time_line(words: Words, snapshot: TableSnapshot, seat: int) -> str:
    """Return a line with the reader's own deadline or remaining time; "" if the table has no clock."""
    clocks, now = snapshot.clocks, running_clock(snapshot)
    if clocks is None or snapshot.status is not Status.PLAYING or snapshot.seats[seat].person is None:
        return ""
    if now is None or now[0] != seat:
        return words("times.own_left", time=duration_text(words, clocks.seats[seat].time_left))
    ends = deadline_text(snapshot, now[1])
    if clocks.stage is Stage.EXTENDED:
        key = "times.own_extended" if snapshot.settings.is_slow else "times.own_extended_fast"
        return words(key, when=ends, policy=time_out_text(words, snapshot, seat))
    return words("times.own_runs_slow" if snapshot.settings.is_slow else "times.own_runs", when=ends)


def status_headline(words: Words, snapshot: TableSnapshot) -> str:
    """Return one line without markup on whose turn it is, or on the table's state."""
    view = snapshot.view
    if snapshot.has_no_people:
        return words("paused.paused")
    if snapshot.pause is not None:
        return words("consent.paused")
    if view is None or view.actor is None or snapshot.status is not Status.PLAYING:
        return ""
    asked = view.phase is Phase.ANSWER
    person = snapshot.seats[view.actor].kind == "person"
    key = ("answer" if asked else "turn") + ("_person" if person else "_computer")
    return words(f"board.{key}", name=names.seat_name(words, snapshot, view.actor))


def status_headline_with_start(words: Words, snapshot: TableSnapshot) -> str:
    """Return the line on whose turn it is, with the time at which the turn or question began."""
    text = status_headline(words, snapshot)
    return (
        text
        if snapshot.waits_since is None
        else words("board.since", turn=text, when=discord_timestamp(snapshot.waits_since))
    )


def advice_text(words: Words, view: PublicView) -> str:
    """Return a sentence on what the player in turn may do now."""
    if view.phase is Phase.DRAW:
        if not view.stock:
            return words("board.stock_out")
        return words("board.to_draw_only" if view.pile.closed else "board.to_draw")
    if view.phase is Phase.ANSWER:
        return words("board.to_answer")
    if view.phase is Phase.PLAY:
        if not view.laying:
            return words("board.to_discard")
        return words("board.to_play_aside" if view.pile.aside else "board.to_play")
    return ""


def penalty_lines(words: Words, snapshot: TableSnapshot, view: PublicView) -> list[str]:
    """Return lines on what irregularities cost in this deal: points, raised minimums, open penalty cards."""
    told = []
    for side in view.sides:
        costs = [words("penalty.points", points=side.penalties)] if side.penalties else []
        costs += [words("penalty.raised", points=side.raised)] if side.raised and not side.opened else []
        if costs:
            told.append(
                words("board.penalties", side=names.side_name(words, snapshot, side.side), costs=", ".join(costs))
            )
    for info in view.seats:
        if info.exposed:
            name = names.seat_name(words, snapshot, info.seat)
            cards = ", ".join(map(card_text.card_label, info.exposed))
            told.append(words("board.exposed", name=name, cards=cards))
    return told


def resting_line(words: Words, snapshot: TableSnapshot, seats: Sequence[int], key: str = "board.resting") -> str:
    """Return a sentence on who rests; "" if everyone plays."""
    return words(key, names=names.joined_seat_names(words, snapshot, seats), count=len(seats)) if seats else ""


def totals_text(words: Words, snapshot: TableSnapshot, view: PublicView) -> str:
    """Return one line with all scores: "Anna & Ben 2,450 · Computer 1 & Computer 2 2,690"."""
    return " · ".join(
        words(
            "board.total",
            side=names.score_holder_names(words, snapshot, number),
            score=group_thousands(words, total.score),
        )
        for number, total in enumerate(view.totals)
    )


def result_text(words: Words, snapshot: TableSnapshot, view: PublicView) -> str:
    """Return a sentence on the winner and points, or that there is no winner."""
    if snapshot.conclusion is not None:
        return play_text.early_end_heading(words, snapshot)
    winner = view.winner if view.winner is not None else 0
    return play_text.winner_text(words, snapshot, winner, view.totals[winner].score)
